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
from ndcg.statistics.sample import TOLERANCE

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
    scorings: Sequence[Scoring],
    measure: Measure,
    groups: Groups,
    which: Which,
    how: How,
    asked: str | None,
) -> Iterator[Variant]:
    """The comparison of a measure under each other gain, discount, cutoff and rule for ties.

    `asked` is the system with the highest mean as things are, which stays it among equals.
    """
    for change, other, axes in _changes(scorings, measure):
        try:
            family = family_of(scorings, other, groups, axes)
        except NdcgError:
            yield Variant(change, "", None, ())  # the measure has no value by that rule
            continue
        pairs = tuple(pairs_of(family, which, how))
        yield Variant(change, family.signature, winner_of(family, asked), pairs)


def _changes(
    scorings: Sequence[Scoring], measure: Measure
) -> Iterator[tuple[str, Measure, Mapping[str, str]]]:
    """What is changed, in words, and the measure and axes that it makes."""
    convention = scorings[0].convention(measure)
    for axis, values in _RULES.items():
        if axis in _OF_GAINS and not measure.record.graded:
            continue
        if axis == "missing" and not any(one.overlay().missing.any() for one in scorings):
            continue  # nothing is missing
        for value in values:
            if value != getattr(convention, axis):
                yield f"{axis}:{value}", measure, {axis: value}
    for k in _CUTOFFS if measure.k is not None else ():
        if k != measure.k:
            yield f"cutoff {k}", replace(measure, k=k), {}


def winner_of(family: Family, asked: str | None) -> str | None:
    """The system with the highest mean, `asked` among those that differ by rounding alone."""
    if not family.queries:
        return None
    means = {name: family.sample(at).mean for at, name in enumerate(family.names)}
    best = max(means, key=means.__getitem__)
    if asked in means and means[best] - means[asked] <= TOLERANCE * abs(means[best]):
        return asked
    return best


def other_verdicts(before: Sequence[Pair], after: Sequence[Pair]) -> list[tuple[Pair, Pair]]:
    """The pairs whose verdict is another one."""
    both = zip(before, after, strict=True)
    return [(one, two) for one, two in both if one.verdict.word != two.verdict.word]
