"""One row a pair: means, their difference and its interval, tests, sizes, shape and verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from ndcg.comparison.family import Family, Spread
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
)
from ndcg.statistics.sample import Floats, Sample

TUKEY = "tukey"
NAMES = {
    "holm": "Holm", "bh": "Benjamini-Hochberg", "none": "no correction",
    TUKEY: "randomised Tukey HSD",
}  # fmt: skip
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
    """A system compared with a baseline over the same queries.

    Attributes
    ----------
    measure, baseline, system, n : of what, and over how many queries.
    means : of the baseline and of the system.
    difference, interval : the mean difference, system less baseline, and Student's interval of it.
    p, p_corrected, p_t : by sign flips (with `p.p`, `p.exact`, `p.error`), corrected for the number
        of pairs, and Student's; None for fewer than two queries.
    d_z : the difference by the standard deviation of the differences.
    shape : wins, ties, losses, skewness, shares of the largest, and what is doubtful about it.
    smallest_p, detectable : what could have been reached, and seen with 80 % power.
    needed, needed_small : queries for the difference seen, and for 0.01.
    verdict : a word and a sentence.
    wins, losses : the five largest, with their queries.
    facts : what the verdict rests on; `facts.narrow` is the interval for equivalence.
    """

    measure: str
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

    def corrected_by(self, p: float, how: How, number: int) -> Pair:
        """The same with a p corrected by Holm for so many, or otherwise, and its verdict."""
        facts = self.facts._replace(p=p, pairs=number)
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
            "d_z": _known(self.d_z),
            "equivalence_interval": self.facts.narrow and self.facts.narrow.to_dict(),
            "wins": self.shape.wins,
            "ties": self.shape.ties,
            "losses": self.shape.losses,
            "top_share": self.shape.top,
            "skewness": _known(self.shape.skewness),
            "doubts": [*self.shape.doubts],
            "smallest_p": self.smallest_p,
            "detectable": _known(self.detectable),
            "queries_needed": self.needed,
            "queries_needed_for_0.01": self.needed_small,
            "verdict": self.verdict.word,
            "sentence": self.verdict.sentence,
            "largest_wins": [{"query": query, "difference": by} for query, by in self.wins],
            "largest_losses": [{"query": query, "difference": by} for query, by in self.losses],
        }


def _known(number: float | None) -> float | None:
    return number if number is not None and math.isfinite(number) else None


def pairs_of(family: Family, which: Sequence[tuple[int, int]], how: How) -> list[Pair]:
    """The pairs of a family, their p-values corrected for how many there are."""
    one_of("usage", "a correction", how.correction, CORRECTED_BY)
    p: list[Randomised] | None = None
    corrected: list[float] = []
    if len(family.queries) > 1:
        p = randomised_p(
            family.scores, which, family.weight, parts=family.parts, draws=how.draws, seed=how.seed
        )
        corrected = _corrected(family, which, [one.p for one in p], how)
    return [
        _pair(
            family,
            pair,
            None if p is None else p[at],
            corrected[at] if corrected else None,
            how,
            len(which),
        )
        for at, pair in enumerate(which)
    ]


def _corrected(
    family: Family, which: Sequence[tuple[int, int]], p: Sequence[float], how: How
) -> list[float]:
    if how.correction != TUKEY:
        return CORRECTIONS[how.correction](p)
    found = randomised_tukey(family.scores, which, family.weight, draws=how.draws, seed=how.seed)
    # Systems that are near copies of each other would give less than a pair has alone.
    return [max(both) for both in zip(found, p, strict=True)]


@np.errstate(over="ignore", invalid="ignore")  # of values that are near what a double holds
def _pair(
    family: Family,
    pair: tuple[int, int],
    p: Randomised | None,
    corrected: float | None,
    how: How,
    number: int,
) -> Pair:
    base, other = pair
    difference = settled(family.scores[base], family.scores[other])
    sample, n = Sample.of(difference, family.weight), len(family.queries)
    shape, mean = shape_of(sample), sample.mean
    spread, size, by_t = family.spread_of(difference) if n else Spread(math.nan, 0.0, None)
    least = smallest_p(shape.wins + shape.losses)
    if p is not None and not p.exact:
        least = max(least, 1 / (1 + p.draws))
    seen = None if math.isnan(spread) else detectable(spread, size, alpha=how.alpha)
    needed = queries_needed(mean, spread, alpha=how.alpha) if n else None
    interval, beyond, narrow = (
        family.interval_of_difference(difference, level)
        for level in (how.level, 1 - how.alpha, 1 - 2 * how.alpha)
    )
    facts = Facts(
        family.names[base], family.names[other], n, mean, beyond, narrow,
        1.0 if corrected is None else corrected, 1.0 if p is None else p.p,
        least, number if how.correction == "holm" else 1,
        None if p is None or p.exact else p.draws,
        math.inf if seen is None else seen, needed, shape,
    )  # fmt: skip
    return Pair(
        measure=family.measure,
        baseline=family.names[base],
        system=family.names[other],
        n=n,
        means=(family.sample(base).mean, family.sample(other).mean),
        difference=mean,
        interval=interval,
        p=p,
        p_corrected=corrected,
        p_t=by_t,
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
