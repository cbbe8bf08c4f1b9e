"""One row a pair: means, their difference and its interval, tests, sizes, shape and verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ndcg.comparison.family import Family
from ndcg.comparison.verdicts import Facts, Verdict, verdict_of
from ndcg.errors import one_of
from ndcg.statistics.families import CORRECTIONS, randomised_tukey
from ndcg.statistics.intervals import LEVEL, Interval
from ndcg.statistics.paired import (
    ALPHA,
    DRAWS,
    Randomised,
    Shape,
    detectable,
    queries_needed,
    randomised_p,
    settled,
    shape_of,
    smallest_p,
    t_p,
)
from ndcg.statistics.sample import Floats, Sample

TUKEY = "tukey"
CORRECTED_BY = (*CORRECTIONS, TUKEY)
_SMALL = 0.01  # a difference that people plan for
_NAMED = 5  # wins and losses that are named


class How(NamedTuple):
    """How pairs are compared."""

    correction: str = "holm"
    alpha: float = ALPHA
    min_effect: float | None = None
    draws: int = DRAWS
    seed: int = 0
    level: float = LEVEL
    interval: str = "auto"  # of the mean of each system; differences have Student's t


class Pair(NamedTuple):
    """A system compared with a baseline over the same queries."""

    baseline: str
    system: str
    n: int
    means: tuple[float, float]  # of the baseline and the system
    difference: float
    interval: Interval | None
    p: Randomised | None
    p_corrected: float | None
    p_t: float | None
    d_z: float | None
    shape: Shape
    smallest_p: float
    detectable: float | None
    needed: int | None  # queries for the difference that was seen
    needed_small: int | None  # and for 0.01
    verdict: Verdict
    wins: tuple[tuple[str, float], ...]  # the largest, with their queries
    losses: tuple[tuple[str, float], ...]
    facts: Facts  # behind the verdict

    def corrected_by(self, p: float, how: How) -> Pair:
        """The same with another corrected p, and the verdict that it allows."""
        facts = self.facts._replace(p=p)
        verdict = verdict_of(facts, how.alpha, how.min_effect)
        return self._replace(p_corrected=p, facts=facts, verdict=verdict)

    def to_dict(self) -> dict[str, Any]:
        """The pair as JSON carries it."""
        return {
            "baseline": self.baseline,
            "system": self.system,
            "n": self.n,
            "mean_baseline": _known(self.means[0]),
            "mean": _known(self.means[1]),
            "difference": _known(self.difference),
            "interval": self.interval and self.interval.to_dict(),
            "p": self.p and self.p.p,
            "p_exact": self.p and self.p.exact,
            "p_error": self.p and self.p.error,
            "p_corrected": self.p_corrected,
            "p_t": self.p_t,
            "d_z": self.d_z,
            "wins": self.shape.wins,
            "ties": self.shape.ties,
            "losses": self.shape.losses,
            "top_share": self.shape.top,
            "skewness": self.shape.skewness,
            "doubts": [*self.shape.doubts],
            "smallest_p": self.smallest_p,
            "detectable": self.detectable,
            "queries_needed": self.needed,
            "queries_needed_for_0.01": self.needed_small,
            "verdict": self.verdict.word,
            "sentence": self.verdict.sentence,
            "largest_wins": [{"query": query, "difference": by} for query, by in self.wins],
            "largest_losses": [{"query": query, "difference": by} for query, by in self.losses],
        }


def _known(number: float) -> float | None:
    return None if math.isnan(number) else number


def pairs_of(family: Family, which: Sequence[tuple[int, int]], how: How) -> list[Pair]:
    """The pairs of a family, their p-values corrected for how many there are."""
    one_of("usage", "a correction", how.correction, CORRECTED_BY)
    p: list[Randomised] | None = None
    corrected: list[float] = []
    if len(family.queries) > 1:
        p = randomised_p(family.scores, which, family.weight, draws=how.draws, seed=how.seed)
        if how.correction == TUKEY:
            corrected = randomised_tukey(
                family.scores, which, family.weight, draws=how.draws, seed=how.seed
            )
        else:
            corrected = CORRECTIONS[how.correction]([one.p for one in p])
    return [
        _pair(
            family,
            pair,
            None if p is None else p[at],
            corrected[at] if corrected else None,
            how,
        )
        for at, pair in enumerate(which)
    ]


def _pair(
    family: Family, pair: tuple[int, int], p: Randomised | None, corrected: float | None, how: How
) -> Pair:
    base, other = pair
    difference = settled(family.scores[other] - family.scores[base])
    sample, n = Sample.of(difference, family.weight), len(family.queries)
    shape, spread = shape_of(sample), sample.deviation
    mean = sample.mean
    seen = None if math.isnan(spread) else detectable(spread, sample.n_effective, alpha=how.alpha)
    needed = queries_needed(mean, spread, alpha=how.alpha) if n else None
    least = smallest_p(shape.wins + shape.losses)
    interval, narrow = (
        family.interval_of_difference(difference, level) for level in (how.level, 1 - 2 * how.alpha)
    )
    facts = Facts(
        family.names[base], family.names[other], n, mean, interval, narrow,
        1.0 if corrected is None else corrected, 1.0 if p is None else p.p,
        least, math.inf if seen is None else seen, needed, shape,
    )  # fmt: skip
    return Pair(
        baseline=family.names[base],
        system=family.names[other],
        n=n,
        means=(family.sample(base).mean, family.sample(other).mean),
        difference=mean,
        interval=interval,
        p=p,
        p_corrected=corrected,
        p_t=t_p(sample),
        d_z=mean / spread if spread > 0 else None,
        shape=shape,
        smallest_p=least,
        detectable=seen,
        needed=needed,
        needed_small=queries_needed(_SMALL, spread, alpha=how.alpha) if spread > 0 else None,
        verdict=verdict_of(facts, how.alpha, how.min_effect),
        wins=_largest(family, difference, 1),
        losses=_largest(family, difference, -1),
        facts=facts,
    )


def _largest(family: Family, difference: Floats, sign: int) -> tuple[tuple[str, float], ...]:
    """The queries with the largest differences of a sign, the largest first."""
    order = np.argsort(-sign * difference, kind="stable")[:_NAMED].tolist()
    return tuple(
        (family.queries[at], float(difference[at])) for at in order if sign * difference[at] > 0
    )
