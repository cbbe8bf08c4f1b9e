"""The convention of a number: a value for every axis, printed as a signature and read back."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self

from ndcg.axes import AXES, Axes, canonical
from ndcg.errors import Problem, UsageError, did_you_mean

FORMAT = 1  # raised when a default changes, so that old digests cannot be mistaken for new ones


_WORDS = {name: frozenset(axis.words) for name, axis in AXES.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Convention:
    """Every choice that decides what a ranking measure's value is.

    One field per axis; `ndcg.AXES` gives the accepted values of each. `k` and the relevance
    threshold belong to the measure, never to the convention.

    >>> Convention(gain="linear").diff(Convention())
    {'gain': ('linear', 'exp2')}
    >>> Convention(gain={0: 0, 1: 1, 2: 3}).gain
    '0=0,1=1,2=3'
    """

    gain: str = AXES["gain"].default
    discount: str = AXES["discount"].default
    ideal: str = AXES["ideal"].default
    ideal_depth: str = AXES["ideal_depth"].default
    ideal_order: str = AXES["ideal_order"].default
    default_cutoff: str = AXES["default_cutoff"].default
    order_by: str = AXES["order_by"].default
    score_order: str = AXES["score_order"].default
    score_type: str = AXES["score_type"].default
    ties: str = AXES["ties"].default
    depth: str = AXES["depth"].default
    duplicates: str = AXES["duplicates"].default
    judgments: str = AXES["judgments"].default
    grades: str = AXES["grades"].default
    min_grade: str = AXES["min_grade"].default
    appended: str = AXES["appended"].default
    self_match: str = AXES["self_match"].default
    unjudged: str = AXES["unjudged"].default
    negative: str = AXES["negative"].default
    negative_only: str = AXES["negative_only"].default
    min_documents: str = AXES["min_documents"].default
    empty: str = AXES["empty"].default
    empty_from: str = AXES["empty_from"].default
    empty_test: str = AXES["empty_test"].default
    no_judgments: str = AXES["no_judgments"].default
    nothing_found: str = AXES["nothing_found"].default
    missing: str = AXES["missing"].default
    listed_empty: str = AXES["listed_empty"].default
    extra: str = AXES["extra"].default
    average: str = AXES["average"].default
    none_left: str = AXES["none_left"].default
    rounding: str = AXES["rounding"].default
    set: str = AXES["set"].default

    def __post_init__(self) -> None:
        for name, words in _WORDS.items():
            given = getattr(self, name)
            if type(given) is not str or given not in words:  # else it is its own text
                object.__setattr__(self, name, canonical(name, given))

    # -- reading and writing -----------------------------------------------------------------

    def to_dict(self) -> dict[str, str]:
        """All axes with their values, as JSON carries them."""
        return {name: getattr(self, name) for name in AXES}

    @classmethod
    def from_dict(cls, axes: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`; axes that are left out take their defaults."""
        return cls().but(axes)

    def but(self, axes: Mapping[str, Any]) -> Self:
        """The same with some axes set differently; unknown names are an error."""
        for name in axes:
            if name not in AXES:
                raise _unknown_axis(name)
        return replace(self, **axes)

    def signature(self, measure: str, version: str) -> str:
        """One line that says exactly what a value is, and that `parse` reads back.

        >>> Convention().signature("nDCG@10", "1.0")  # doctest: +ELLIPSIS
        'nDCG@10|gain:exp2|discount:log2|ideal:judged|...|v:1.0 [6b86b273]'
        """
        axes = [
            f"{name}:{getattr(self, name)}"
            for name, axis in AXES.items()
            if axis.always or getattr(self, name) != axis.default
        ]
        return "|".join([measure, *axes, f"v:{version}"]) + f" [{self.digest}]"

    @property
    def digest(self) -> str:
        """First 8 hex digits of SHA-256 over the axes that differ from the default."""
        from hashlib import sha256  # costs more to import than most commands need

        differing = sorted(self.diff(Convention()))
        text = "|".join([str(FORMAT), *(f"{name}:{getattr(self, name)}" for name in differing)])
        return sha256(text.encode("ascii")).hexdigest()[:8]

    def diff(self, other: Convention) -> dict[str, tuple[str, str]]:
        """The axes in which two conventions differ: ``{axis: (this value, other value)}``."""
        pairs = {name: (getattr(self, name), getattr(other, name)) for name in AXES}
        return {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}

    @classmethod
    def parse(cls, signature: str) -> Self:
        """The convention that a signature states, exactly.

        Raises
        ------
        UsageError
            When an axis or value is not known, an axis stands twice, or the digest at the end
            does not belong to the axes before it.
        """
        return cls.from_dict(read_signature(signature).axes)


def without_version(signature: str) -> str:
    """What a signature says, whichever version of this package says it.

    >>> without_version("AP|gain:exp2|v:1.0 [6b86b273]")
    'AP|gain:exp2'
    """
    return signature.rpartition("|v:")[0]


class Signature(NamedTuple):
    """A signature taken apart: the measure's text (or ""), the axes and the version (or "")."""

    measure: str
    axes: dict[str, str]
    version: str


def read_signature(text: str) -> Signature:
    """Take a signature apart and check its digest, where it has one."""
    body, digest = text.strip().strip("`").replace("\\|", "|"), ""
    if not body:
        raise _bad_signature(text, "it is empty")
    if ends := re.fullmatch(r"(.*?)\s*\[([0-9a-f]{8})\]", body, re.ASCII):
        body, digest = ends[1], ends[2]
    first, *rest = body.split("|")
    measure, parts = (first, rest) if not _is_axis(first) else ("", [first, *rest])
    axes: dict[str, str] = {}
    for part in parts:
        name, colon, value = part.partition(":")
        if not colon:
            raise _bad_signature(text, f"{part!r} is not axis:value")
        if name in axes:
            raise _bad_signature(text, f"{name} stands in it twice")
        if name != "v" and name not in AXES:
            raise _unknown_axis(name)
        axes[name] = value
    version = axes.pop("v", "")
    if re.fullmatch(r"[0-9A-Za-z.+!-]*", version, re.ASCII) is None:
        raise _bad_signature(text, f"{version!r} is not a version and a digest of 8 hex digits")
    if not axes and not version:
        raise _bad_signature(text, "it has no axes")
    found = Convention.from_dict(axes).digest
    if digest and digest != found:
        raise _bad_signature(text, f"its axes have the digest {found}, not {digest}")
    return Signature(measure, axes, version)


def _is_axis(part: str) -> bool:
    name, colon, _ = part.partition(":")
    return bool(colon) and (name == "v" or name in AXES)


def _unknown_axis(name: str) -> UsageError:
    what = f"{name!r} is not an axis of the convention{did_you_mean(name, AXES)}"
    if name in ("k", "rel", "cutoff"):
        how = "cutoff and threshold belong to the measure: 'nDCG@10', 'P(rel=2)@5'"
    else:
        how = f"axes: {', '.join(AXES)}"
    return UsageError(Problem("axis", what, help=how))


def _bad_signature(text: str, why: str) -> UsageError:
    return UsageError(
        Problem(
            "signature",
            f"cannot read the signature {text!r}: {why}",
            help="paste it whole, as printed: measure|axis:value|...|v:VERSION [digest]",
        )
    )


# The keywords, the fields and the table are one list; a difference is a fault of ours.
if not (list(AXES) == list(Axes.__annotations__) == [f.name for f in fields(Convention)]):
    raise RuntimeError("AXES, Axes and Convention do not list the same axes in the same order")
