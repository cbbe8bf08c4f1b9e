"""The same comparison under other rules: whether the winner changes, and the verdicts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from ndcg.comparison.family import Family, Groups, family_of
from ndcg.comparison.pairs import How, Pair, pairs_of
from ndcg.comparison.results import Variant
from ndcg.errors import NdcgError
from ndcg.evaluation.scoring import Scoring
from ndcg.measures.registry import Measure

_RULES: dict[str, tuple[str, ...]] = {
    "gain": ("exp2", "linear", "binary"),
    "discount": ("log2", "reciprocal", "none"),
    "ties": ("docid_asc", "docid_desc", "expected"),
    "missing": ("zero", "exclude"),
}
_OF_GAINS = ("gain", "discount")
_CUTOFFS = (5, 10, 20, 100)

Which = Sequence[tuple[int, int]]


def variants_of(
    scorings: Sequence[Scoring], measure: Measure, groups: Groups, which: Which, how: How
) -> Iterator[Variant]:
    """The comparison of a measure under each other gain, discount, cutoff and rule for ties."""
    for change, other, axes in _changes(scorings[0], measure):
        try:
            family = family_of(scorings, other, groups, axes)
        except NdcgError:
            yield Variant(change, None, ())  # the measure has no value by that rule
            continue
        yield Variant(change, winner_of(family), tuple(pairs_of(family, which, how)))


def _changes(
    scoring: Scoring, measure: Measure
) -> Iterator[tuple[str, Measure, Mapping[str, str]]]:
    """What is changed, in words, and the measure and axes that it makes."""
    convention = scoring.convention(measure)
    for axis, values in _RULES.items():
        if axis in _OF_GAINS and not measure.record.graded:
            continue
        for value in values:
            if value != getattr(convention, axis):
                yield f"{axis}:{value}", measure, {axis: value}
    for k in _CUTOFFS if measure.k is not None else ():
        if k != measure.k:
            yield f"cutoff {k}", replace(measure, k=k), {}


def winner_of(family: Family) -> str | None:
    """The system with the highest mean."""
    if not family.queries:
        return None
    means = [family.sample(at).mean for at in range(len(family.names))]
    return family.names[max(range(len(means)), key=means.__getitem__)]


def other_verdicts(before: Sequence[Pair], after: Sequence[Pair]) -> list[tuple[Pair, Pair]]:
    """The pairs whose verdict is another one."""
    both = zip(before, after, strict=True)
    return [(one, two) for one, two in both if one.verdict.word != two.verdict.word]
