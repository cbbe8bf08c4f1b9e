"""The convention of a number: one axis for every choice that can move it.

`AXES` is the single description of each axis: accepted values, meaning, and whether a signature
always prints it. The dataclass, the keywords, the command's flags and the docs are made from it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple, Self, TypedDict

from ndcg.errors import Problem, UsageError, did_you_mean

FORMAT = 1  # raised when a default changes, so that old digests cannot be mistaken for new ones

# The one number grammar of the project (DESIGN section 4).
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


class Axis(NamedTuple):
    """One choice: its words, its parametrised forms, its default and what it decides."""

    default: str
    words: dict[str, str]  # accepted word -> what it means
    summary: str
    form: str = ""  # how a value with a parameter is written
    form_means: str = ""
    parse: Callable[[str], str | None] = lambda _: None  # canonical text of a parametrised value
    always: bool = False  # printed in every signature, even at its default

    @property
    def accepted(self) -> list[str]:
        """Every way to write a value, for messages and help."""
        return [*self.words, *([self.form] if self.form else [])]


def number_text(value: float) -> str:
    """The shortest text that reads back as `value`: ``3``, ``0.25``, ``1e-07``."""
    text = repr(float(value) + 0.0)  # -0.0 is 0
    return text.removesuffix(".0")


def number_of(text: str) -> float | None:
    """The finite number written in `text` by the project's grammar, else None."""
    if NUMBER.fullmatch(text) is None:
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def _parametrised(name: str, accept: Callable[[float], bool]) -> Callable[[str], str | None]:
    """A parser for ``name:NUMBER`` where `accept` says which numbers make sense."""

    def parse(text: str) -> str | None:
        head, _, tail = text.partition(":")
        value = number_of(tail) if head == name else None
        return None if value is None or not accept(value) else f"{name}:{number_text(value)}"

    return parse


def _depth(text: str) -> str | None:
    return str(int(text)) if re.fullmatch(r"0*[1-9][0-9]*", text, re.ASCII) else None


def _average(text: str) -> str | None:
    return text if re.fullmatch(r"(?:weighted|group)@[0-9a-f]{8}", text, re.ASCII) else None


def _gain_table(text: str) -> str | None:
    """Canonical ``grade=gain,...`` by rising grade, or None when `text` is not a table."""
    table: dict[float, float] = {}
    for entry in text.split(","):
        left, _, right = entry.partition("=")
        grade, gain = number_of(left.strip()), number_of(right.strip())
        if grade is None or gain is None or grade in table:
            return None
        table[grade] = gain
    return ",".join(f"{number_text(g)}={number_text(table[g])}" for g in sorted(table))


AXES: dict[str, Axis] = {
    "gain": Axis(
        "exp2",
        {
            "exp2": "2^grade - 1",
            "linear": "the grade itself",
            "binary": "1 for a grade above 0, else 0",
        },
        "what a grade is worth",
        "GRADE=GAIN,...",
        "a table, such as 0=0,1=1,2=3; a grade that is not in it is an error",
        _gain_table,
        always=True,
    ),
    "discount": Axis(
        "log2",
        {
            "log2": "log2(rank + 1)",
            "reciprocal": "rank, so that a gain counts 1/rank",
            "none": "1 at every rank",
        },
        "what the gain at a rank is divided by",
        "jarvelin:B",
        "1 before rank B, then log_B(rank)",
        _parametrised("jarvelin", lambda b: b > 1),
        always=True,
    ),
    "ideal": Axis(
        "judged",
        {
            "judged": "every judged document of the query",
            "retrieved": "only documents the run lists: a missed document costs nothing",
            "top_k": "only the run's top k",
        },
        "which documents the best possible ranking is made of",
        "slots:G",
        "k documents of grade G, whether they exist or not",
        _parametrised("slots", lambda _: True),
        always=True,
    ),
    "ideal_depth": Axis(
        "cutoff",
        {
            "cutoff": "k",
            "all": "never cut",
            "returned": "the smaller of k and the number returned",
        },
        "where the ideal ranking is cut",
        always=True,
    ),
    "order_by": Axis(
        "score",
        {
            "score": "the score (a run without scores falls to rank, else position)",
            "rank": "the rank column, smallest first",
            "position": "the order in which documents are listed",
        },
        "what orders a run",
    ),
    "score_order": Axis(
        "descending",
        {"descending": "a high score is good", "ascending": "a low score is good (distances)"},
        "which scores are good",
    ),
    "score_type": Axis(
        "float64",
        {
            "float64": "scores are compared in double precision",
            "float32": "scores are rounded to single precision first, which makes more ties",
        },
        "the precision scores are compared in",
    ),
    "ties": Axis(
        "docid_asc",
        {
            "docid_asc": "smallest document id first, in byte order",
            "docid_desc": "largest document id first, in byte order",
            "input": "as listed",
            "expected": "the mean over all orders of tied documents",
            "best": "the order that favours the system",
            "worst": "the order that favours it least",
        },
        "how documents with equal scores are ordered",
        always=True,
    ),
    "depth": Axis(
        "all",
        {"all": "the whole run"},
        "where the run is cut after ordering, before everything else",
        "N",
        "the first N documents",
        _depth,
    ),
    "duplicates": Axis(
        "error",
        {
            "error": "refuse the run",
            "first": "the best ranked occurrence stays, ranks close up",
            "last": "the worst ranked occurrence stays, ranks close up",
            "last_listed": "the last listed score holds, as in a dictionary",
            "count": "each occurrence counts",
        },
        "a document that a run lists twice for one query",
    ),
    "judgments": Axis(
        "agree",
        {
            "agree": "identical ones collapse, different ones are an error",
            "max": "the highest grade",
            "mean": "the mean grade",
            "last": "the last grade listed",
        },
        "a document that is judged twice for one query",
    ),
    "self_match": Axis(
        "keep",
        {"keep": "an ordinary document", "drop": "taken out of the ranking; its judgment stays"},
        "a retrieved document whose id is the query's id",
    ),
    "unjudged": Axis(
        "zero",
        {
            "zero": "keeps its rank and earns nothing",
            "drop": "leaves the ranking, ranks close up (condensed list)",
        },
        "a retrieved document without a judgment",
        "grade:G",
        "counts as judged with grade G, in ranking and ideal",
        _parametrised("grade", lambda _: True),
        always=True,
    ),
    "negative": Axis(
        "clamp",
        {
            "clamp": "counts as grade 0",
            "unjudged": "keeps its rank and counts as unjudged",
            "remove": "leaves ranking and ideal",
            "keep": "has a negative gain",
            "error": "refuse the judgments",
        },
        "a judgment with a negative grade",
        always=True,
    ),
    "empty": Axis(
        "exclude",
        {
            "exclude": "undefined, left out of the mean",
            "zero": "counts 0",
            "one": "counts 1",
            "error": "refuse to score",
        },
        "a judged query with nothing relevant, decided from the judgments alone",
        always=True,
    ),
    "missing": Axis(
        "zero",
        {"zero": "counts 0", "exclude": "left out of the mean", "error": "refuse to score"},
        "a judged query that is absent from the run or listed empty",
        always=True,
    ),
    "extra": Axis(
        "ignore",
        {"ignore": "left out", "zero": "counts 0", "error": "refuse to score"},
        "a run query that nobody judged",
    ),
    "average": Axis(
        "query",
        {
            "query": "every query counts the same",
            "weighted": "queries count by their weights",
            "group": "mean of the means of the query groups",
        },
        "how the values of the queries become one number",
        "weighted@DIGEST or group@DIGEST",
        "the same, with the weights or groups of this digest",
        _average,
    ),
}


class Axes(TypedDict, total=False):
    """The axes as keywords; `AXES` and the fields of `Convention` say what each means."""

    gain: str | Mapping[float, float]
    discount: str
    ideal: str
    ideal_depth: str
    order_by: str
    score_order: str
    score_type: str
    ties: str
    depth: str | int
    duplicates: str
    judgments: str
    self_match: str
    unjudged: str
    negative: str
    empty: str
    missing: str
    extra: str
    average: str


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
    order_by: str = AXES["order_by"].default
    score_order: str = AXES["score_order"].default
    score_type: str = AXES["score_type"].default
    ties: str = AXES["ties"].default
    depth: str = AXES["depth"].default
    duplicates: str = AXES["duplicates"].default
    judgments: str = AXES["judgments"].default
    self_match: str = AXES["self_match"].default
    unjudged: str = AXES["unjudged"].default
    negative: str = AXES["negative"].default
    empty: str = AXES["empty"].default
    missing: str = AXES["missing"].default
    extra: str = AXES["extra"].default
    average: str = AXES["average"].default

    def __post_init__(self) -> None:
        for name in AXES:
            object.__setattr__(self, name, canonical(name, getattr(self, name)))

    # -- reading and writing -----------------------------------------------------------------

    def to_dict(self) -> dict[str, str]:
        """All axes with their values, as JSON carries them."""
        return {name: getattr(self, name) for name in AXES}

    @classmethod
    def from_dict(cls, axes: Mapping[str, Any]) -> Self:
        """The inverse of `to_dict`; axes that are left out take their defaults."""
        return cls().but(axes)

    def but(self, axes: Mapping[str, Any]) -> Self:
        """This convention with some axes set differently; unknown names are an error."""
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


class Signature(NamedTuple):
    """A signature taken apart: the measure's text (or ""), the axes and the version (or "")."""

    measure: str
    axes: dict[str, str]
    version: str


def read_signature(text: str) -> Signature:
    """Take a signature apart and check its digest, where it has one."""
    body, digest = text.strip().replace("\\|", "|"), ""
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
    found = Convention.from_dict(axes).digest
    if digest and digest != found:
        raise _bad_signature(text, f"its axes have the digest {found}, not {digest}")
    return Signature(measure, axes, version)


def canonical(name: str, value: object) -> str:
    """The one text of an axis value, or a `UsageError` that says what is accepted.

    >>> canonical("gain", {2: 3, 0: 0, 1: 1.0})
    '0=0,1=1,2=3'
    """
    axis = AXES[name]
    text = _as_text(value)
    if text is not None:
        if text in axis.words:
            return text
        parsed = axis.parse(text)
        if parsed is not None:
            return parsed
    given = value if text is None else text
    raise UsageError(
        Problem(
            "axis",
            f"{given!r} is not a value of {name}{did_you_mean(given, axis.words)}",
            help=f"{name} ({axis.summary}) accepts: {', '.join(axis.accepted)}",
        )
    )


def gain_table(gain: str) -> dict[float, float] | None:
    """The table that a `gain` value holds, or None when it is one of the words."""
    if gain in AXES["gain"].words:
        return None
    pairs = (entry.split("=") for entry in gain.split(","))
    return {float(grade): float(worth) for grade, worth in pairs}


def parameter(value: str) -> float:
    """The number in a parametrised value: ``grade:2`` -> 2.0."""
    return float(value.partition(":")[2])


def _as_text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        try:
            pairs = [(float(grade), float(gain)) for grade, gain in value.items()]
        except (TypeError, ValueError):
            return None
        return ",".join(f"{number_text(grade)}={number_text(gain)}" for grade, gain in pairs)
    if hasattr(value, "__index__") and not isinstance(value, bool):
        return str(value.__index__())
    return None


def _is_axis(part: str) -> bool:
    name, colon, _ = part.partition(":")
    return bool(colon) and (name == "v" or name in AXES)


def _unknown_axis(name: str) -> UsageError:
    what = f"{name!r} is not an axis of the convention{did_you_mean(name, AXES)}"
    return UsageError(Problem("axis", what, help=f"axes: {', '.join(AXES)}"))


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
