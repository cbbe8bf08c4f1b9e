"""One run under every preset: which of them agree, and which axis separates those that do not."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ndcg.convention import Convention
from ndcg.errors import NdcgError, Notice
from ndcg.evaluation.asked import Tables, measures_of
from ndcg.evaluation.given import Foreseen, asked_of, inputs_of
from ndcg.evaluation.scoring import Overlays, Scoring
from ndcg.evaluation.subset import declared, restricted, with_subset
from ndcg.measures.registry import Measure
from ndcg.presets import PRESETS
from ndcg.stores.given import Judgments, Rankings

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
    (asked,), _ = measures_of(measure)
    chosen, notices = declared(queries), list[Notice]()
    foreseen = Foreseen(Convention(), [asked], explicit_order=False, chosen=chosen)
    how = asked_of(columns, qrels_format, run_format, lenient)
    judgments, systems, _ = inputs_of(
        qrels, run, None, notices, fingerprint=False, asked=how, foreseen=foreseen
    )
    judgments = restricted(judgments, chosen, notices)
    given = dict(axes or {})
    conventions = {
        name: with_subset(one.convention.but(given), chosen)
        for name, one in PRESETS.items()
        if one.measure in ("nDCG", asked.name)
    }
    found = [_Run(judgments, one, asked, "order_by" in given, chosen) for one in systems]
    return [_grouped(one, conventions) for one in found], notices


class _Run:
    """One run and one measure, scored again and again with the alignments shared."""

    def __init__(
        self,
        judgments: Judgments,
        rankings: Rankings,
        measure: Measure,
        explicit: bool,
        chosen: frozenset[str] | None,
    ) -> None:
        self.judgments, self.rankings, self.measure = judgments, rankings, measure
        self.explicit, self.chosen, self.overlays = explicit, chosen, Overlays()
        self.known: dict[Convention, tuple[float | None, int] | str] = {}

    def scored(self, convention: Convention) -> tuple[float | None, int] | str:
        """The mean and how many queries are in it, or why the run is refused."""
        if convention not in self.known:
            self.known[convention] = self._scored(convention)
        return self.known[convention]

    def _scored(self, convention: Convention) -> tuple[float | None, int] | str:
        try:
            scoring = Scoring(
                self.judgments, self.rankings, convention, Tables(), [self.measure],
                explicit_order=self.explicit, chosen=self.chosen, overlays=self.overlays,
            )  # fmt: skip
            values = scoring.values(self.measure)
        except NdcgError as refusal:
            return refusal.problems[0].what
        mean = None if math.isnan(values.mean) else values.mean
        return mean, int((~np.isnan(values.value)).sum())


def _grouped(run: _Run, conventions: Mapping[str, Convention]) -> UnderPresets:
    numbers: dict[tuple[float, int], list[tuple[str, float | None]]] = {}
    refused: dict[str, list[str]] = {}
    for name, convention in conventions.items():
        found = run.scored(convention)
        if isinstance(found, str):
            refused.setdefault(found, []).append(name)
            continue
        mean, n = found
        key = -math.inf if mean is None else round(mean, _DIGITS)
        numbers.setdefault((key, n), []).append((name, mean))
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
    run: _Run, conventions: Mapping[str, Convention], ones: Sequence[str], others: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """The fewest axes that lead from one group to the other: their values there and here."""
    pairs = [(conventions[one], conventions[other]) for one in ones for other in others]
    one, other = min(pairs, key=lambda pair: len(pair[0].diff(pair[1])))
    needed = one.diff(other)
    for axis in [*needed]:  # those that change nothing here are left out
        rest = {name: values for name, values in needed.items() if name != axis}
        without = one.but({name: here for name, (_, here) in rest.items()})
        if run.scored(without) == run.scored(other):
            needed = rest
    return needed
