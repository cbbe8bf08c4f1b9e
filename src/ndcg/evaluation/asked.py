"""What was asked for: the convention, how to average, which measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from ndcg.axes import Axes, number_text
from ndcg.convention import Convention
from ndcg.errors import Notice, Problem, UsageError, warn
from ndcg.evaluation.policy import Averaging
from ndcg.measures.names import Foreign
from ndcg.measures.registry import Measure, parse
from ndcg.presets import preset as preset_named
from ndcg.stores.values import fault, text_id


def convention_of(preset: str | None, given: Convention | str | None, axes: Axes) -> Convention:
    """The convention that a preset or a given one states, with the axes on top."""
    if preset is not None and given is not None:
        raise UsageError(
            Problem("usage", "preset and convention both set all axes", help="give one of them")
        )
    base = Convention()
    if preset is not None:
        base = preset_named(preset).convention
    elif given is not None:
        base = given if isinstance(given, Convention) else Convention.parse(given)
    return base.but(axes)


def averaging_of(
    base: Convention, weights: Mapping[str, float] | None, groups: Mapping[str, str] | None
) -> tuple[Convention, Averaging]:
    """The convention with the digest of the weights or groups that it averages by."""
    if weights is not None and groups is not None:
        raise UsageError(
            Problem("usage", "weights and groups both decide the mean", help="give one of them")
        )
    word, _, digest = base.average.partition("@")
    given: Mapping[str, Any] | None = weights if weights is not None else groups
    kind = "weighted" if weights is not None else "group"
    needed = {"weighted": "weights", "group": "groups"}.get(word)
    if given is None:
        if needed is None:
            return base, Averaging()
        raise UsageError(
            Problem(
                needed,
                f"average:{base.average} needs the {needed} of the queries",
                help=f"give {needed}",
            )
        )
    if word not in ("query", kind):
        raise UsageError(
            Problem(
                "usage",
                f"average:{base.average} contradicts the {kind} mean asked for",
                help=f"give {needed}, or leave average out",
            )
        )
    ours = _table_digest(given, kind)
    if digest and digest != ours:
        raise UsageError(
            Problem(
                str(needed),
                f"these {needed} have the digest {ours}, not {digest}",
                help="the signature was made with other ones; give the same",
            )
        )
    named = {str(text_id(query) or query): value for query, value in given.items()}
    averaging = Averaging(**{str(needed or _needed(kind)): named})
    return base.but({"average": f"{kind}@{ours}"}), averaging


def _needed(kind: str) -> str:
    return "weights" if kind == "weighted" else "groups"


def _table_digest(table: Mapping[str, Any], kind: str) -> str:
    """First 8 hex digits of SHA-256 over ``query<TAB>value`` lines in byte order."""
    if kind == "weighted":
        for query, weight in table.items():
            what = fault(weight)
            if what is None and weight < 0:
                what = f"{number_text(weight)} is negative"
            if what is not None:
                raise UsageError(
                    Problem(
                        "weights",
                        f"weight of query {query!r}: {what}",
                        help="weights are finite numbers of at least 0",
                    )
                )
    show = number_text if kind == "weighted" else str
    lines = sorted(f"{query}\t{show(value)}\n" for query, value in table.items())
    return sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def measures_of(given: str | Sequence[str]) -> tuple[list[Measure], list[Foreign]]:
    """The measures that the names stand for, each once, and which names are foreign."""
    names = [given] if isinstance(given, str) else list(given)
    if not names:
        raise UsageError(Problem("measure", "no measure is asked for", help="such as nDCG@10"))
    parsed = [parse(name) for name in names]
    measures = list(dict.fromkeys(measure for measure, _ in parsed))
    return measures, [foreign for _, foreign in parsed if foreign is not None]


def foreign_notice(name: Foreign) -> Notice:
    """The warning that a foreign name does not bring its convention along."""
    ours = str(Measure(name.measure, name.k))
    return warn(
        f"{name.given} is {name.owner}'s name; this is {ours} by the convention shown, "
        f"not {name.owner}'s number",
        f"for that: preset {name.preset} (-p {name.preset})" if name.preset else None,
    )
