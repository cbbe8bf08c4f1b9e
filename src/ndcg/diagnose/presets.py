"""One run under every preset: which of them agree, and which axis separates those that do not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ndcg.convention import Convention
from ndcg.diagnose.scorer import Refused, Scored, Scorer, inputs
from ndcg.errors import Notice
from ndcg.presets import PRESETS

_DIGITS = 10  # to which means are compared: some tools add up in another order


class Group(NamedTuple):
    """Presets that give one number."""

    presets: tuple[str, ...]
    mean: float | None  # None where nothing is left to average
    n: int  # queries in the mean
    axes: dict[str, tuple[str, str]]  # what leads to it from the group before: there and here


class Refusals(NamedTuple):
    """Presets that refuse the run, and why."""

    presets: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class UnderPresets:
    """A run under all presets, by rising number."""

    system: str
    measure: str
    groups: list[Group]
    refusals: list[Refusals]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it."""
        return {
            "system": self.system,
            "measure": self.measure,
            "groups": [one._asdict() for one in self.groups],
            "refusals": [one._asdict() for one in self.refusals],
        }


def under_presets(
    qrels: Any,
    run: Any,
    measure: str = "nDCG@10",
    *,
    queries: Iterable[str] | None = None,
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    lenient: bool = False,
    axes: Mapping[str, Any] | None = None,
) -> tuple[list[UnderPresets], list[Notice]]:
    """Score runs by every preset; one result for each run, and the notices of their files.

    The parameters are those of `ndcg.evaluate`; `axes` go on top of every preset.
    """
    given = dict(axes or {})
    asked, read = inputs(
        qrels, run, measure, queries=queries, columns=columns, qrels_format=qrels_format,
        run_format=run_format, lenient=lenient, axes=given,
    )  # fmt: skip
    conventions = {
        name: one.convention.but(given)
        for name, one in PRESETS.items()
        if one.measure in ("nDCG", asked.name)
    }
    found = [_grouped(read.scorer(one, asked), conventions) for one in read.systems]
    return found, read.notices


def _grouped(run: Scorer, conventions: Mapping[str, Convention]) -> UnderPresets:
    numbers: dict[tuple[float, int], list[tuple[str, float | None]]] = {}
    refused: dict[str, list[str]] = {}
    for name, convention in conventions.items():
        found = run.scored(convention)
        if isinstance(found, Refused):
            refused.setdefault(found.why, []).append(name)
            continue
        key = math.inf if found.mean is None else round(found.mean, _DIGITS)
        numbers.setdefault((key, found.n), []).append((name, found.mean))
    groups: list[Group] = []
    before: list[str] = []
    for (_, n), members in sorted(numbers.items()):
        names = [name for name, _ in members]
        axes = _separating(run, conventions, before, names) if before else {}
        groups.append(Group(tuple(names), members[0][1], n, axes))
        before = names
    return UnderPresets(
        run.rankings.name,
        str(run.measure),
        groups,
        [Refusals(tuple(names), why) for why, names in refused.items()],
    )


def _separating(
    run: Scorer, conventions: Mapping[str, Convention], ones: Sequence[str], others: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """The fewest axes that lead from one group to the other: their values there and here."""
    pairs = [(conventions[one], conventions[other]) for one in ones for other in others]
    one, other = min(pairs, key=lambda pair: len(pair[0].diff(pair[1])))
    needed = one.diff(other)
    for axis in [*needed]:  # those that change nothing here are left out
        rest = {name: values for name, values in needed.items() if name != axis}
        without = one.but({name: here for name, (_, here) in rest.items()})
        if _alike(run.scored(without), run.scored(other)):
            needed = rest
    return needed


def _alike(one: Scored | Refused, other: Scored | Refused) -> bool:
    """Whether two results are the same number of the same number of queries."""
    if isinstance(one, Refused) or isinstance(other, Refused):
        return False
    return (one.mean, one.n) == (other.mean, other.n)
