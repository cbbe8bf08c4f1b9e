"""Paired differences: whether their mean is 0, how large they are, what could have been seen.

Sign-flip randomisation asks about the mean and holds its level where differences are tied, skewed
or few; Student's t stands beside it. Which tests do not, and why: docs/statistics.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ndcg.statistics.distributions import (
    noncentral_t_below,
    normal_quantile,
    t_quantile,
    t_two_sided,
)
from ndcg.statistics.sample import Floats, Sample
from ndcg.statistics.signs import Flips

DRAWS = 10_000
ALPHA, POWER = 0.05, 0.8
TOLERANCE = 1e-12  # by which sums and differences of the same values may differ
EXACT = 16  # differences that are not 0, all of whose signs are tried
_SKEWED, _FEW, _CARRIES = 1.5, 10, 0.25  # what makes a shape doubtful
_TOP = 5  # queries whose share is told
_MOST_QUERIES = 10**9
_CERTAIN = 100.0  # standard deviations that two queries show


class Randomised(NamedTuple):
    """A p-value by sign flips."""

    p: float
    exact: bool  # all signs were tried, else so many were drawn
    draws: int

    @property
    def error(self) -> float:
        """The standard error by drawing, 0 where all signs were tried."""
        return 0.0 if self.exact else math.sqrt(self.p * (1 - self.p) / self.draws)


def settled(difference: Floats) -> Floats:
    """Differences, those of rounding alone taken for none."""
    return np.where(np.abs(difference) <= TOLERANCE, 0.0, difference)


def randomised_p(
    scores: Floats,
    pairs: Sequence[tuple[int, int]],
    weight: Floats | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Randomised]:
    """Two-sided p-values of the mean differences of pairs of systems, by sign flips.

    Parameters
    ----------
    scores : (n_systems, n) of the same queries, in byte order of their ids.
    pairs : which two systems; the difference is that of the second less the first.
    weight : (n,) what each query counts.
    draws, seed : of the signs, which all pairs share. Where at most 16 differences are not 0 all
        signs are tried instead.
    """
    n = scores.shape[1]
    share = np.ones(n) if weight is None else weight
    found: dict[tuple[int, int], Randomised] = {}
    drawn = []
    for pair in pairs:
        terms = share * settled(scores[pair[1]] - scores[pair[0]])
        terms = terms[terms != 0]
        if len(terms) <= EXACT:
            found[pair] = _exact(terms)
        else:
            drawn.append(pair)
    if drawn:
        found |= zip(drawn, _drawn(scores * share, drawn, draws, seed), strict=True)
    return [found[pair] for pair in pairs]


def _exact(terms: Floats) -> Randomised:
    """The share of all signs by which the sum is as far from 0."""
    sums = np.zeros(1)
    for term in terms.tolist():
        sums = np.concatenate([sums + term, sums - term])
    least = abs(float(terms.sum())) - TOLERANCE * float(np.abs(terms).sum())
    return Randomised(float((np.abs(sums) >= least).mean()), exact=True, draws=len(sums))


def _drawn(
    scores: Floats, pairs: Sequence[tuple[int, int]], draws: int, seed: int
) -> list[Randomised]:
    """The share of drawn signs, counting the one that was seen: never 0 (Davison and Hinkley)."""
    first, second = (np.array([pair[end] for pair in pairs]) for end in (0, 1))
    total = scores.sum(axis=1)
    spread = np.abs(scores[second] - scores[first]).sum(axis=1)
    least = np.abs(total[second] - total[first]) - TOLERANCE * spread
    hits = np.zeros(len(pairs), np.int64)
    for flipped in Flips(seed, draws, scores.shape[1]).blocks():
        sums = total - 2 * (flipped @ scores.T)  # of systems: their differences are those of pairs
        hits += (np.abs(sums[:, second] - sums[:, first]) >= least).sum(axis=0)
    return [Randomised((1 + int(one)) / (1 + draws), exact=False, draws=draws) for one in hits]


def t_p(sample: Sample) -> float | None:
    """The two-sided p-value of Student's t; None where nothing varies or too few count."""
    size = sample.n_effective
    if size <= 1 or not sample.error > 0:
        return None
    return t_two_sided(sample.mean / sample.error, size - 1)


class Shape(NamedTuple):
    """How differences are distributed over queries."""

    wins: int
    ties: int
    losses: int
    skewness: float
    most: float  # share of the largest difference in the sum of their sizes
    top: float  # share of the five largest
    doubts: tuple[str, ...]  # why a test of the mean may promise too much


def shape_of(sample: Sample) -> Shape:
    """Wins, ties, losses, and what makes their mean doubtful."""
    score = sample.score
    size = np.sort(sample.share * np.abs(score))[::-1]
    total = float(size.sum())
    most, top = (float(size[:k].sum()) / total if total else 0.0 for k in (1, _TOP))
    wins, losses = int((score > 0).sum()), int((score < 0).sum())
    skewness = sample.skewness
    doubts = []
    if total:
        if wins + losses < _FEW:
            doubts.append(f"only {wins + losses} queries differ")
        if abs(skewness) > _SKEWED:
            doubts.append(f"differences are skewed ({skewness:+.1f})")
        if most > _CARRIES:
            doubts.append(f"one query carries {most:.0%} of all differences")
    return Shape(wins, len(score) - wins - losses, losses, skewness, most, top, tuple(doubts))


def smallest_p(differing: int) -> float:
    """The smallest two-sided p that signs of so many differences can reach.

    >>> smallest_p(5), smallest_p(6)
    (0.0625, 0.03125)
    """
    return 1.0 if differing == 0 else 2.0 ** (1 - differing)


def detectable(
    deviation: float, size: float, *, alpha: float = ALPHA, power: float = POWER
) -> float:
    """The smallest mean difference that a test of so many queries would find with this power.

    >>> round(detectable(0.15, 1768), 4)
    0.01
    """
    if size <= 1:
        return math.inf
    reach = t_quantile(1 - alpha / 2, size - 1) + t_quantile(power, size - 1)
    return reach * deviation / math.sqrt(size)


def queries_needed(
    difference: float, deviation: float, *, alpha: float = ALPHA, power: float = POWER
) -> int | None:
    """How many queries a paired t test needs to find a difference; None if there is none.

    >>> queries_needed(0.01, 0.15), queries_needed(0.05, 0.25)
    (1768, 199)
    """
    if not difference or not math.isfinite(deviation):
        return None
    if not deviation:
        return 2
    effect = abs(difference) / deviation
    if effect > _CERTAIN:
        return 2
    normal = ((normal_quantile(1 - alpha / 2) + normal_quantile(power)) / effect) ** 2
    if normal > _MOST_QUERIES:
        return None
    low, high = 1, max(4, int(normal) + 8)
    while high - low > 1:
        middle = (low + high) // 2
        if _power(effect, middle, alpha) < power:
            low = middle
        else:
            high = middle
    return high


def _power(effect: float, n: int, alpha: float) -> float:
    """The power of a two-sided paired t test."""
    critical, delta = t_quantile(1 - alpha / 2, n - 1), effect * math.sqrt(n)
    above = 1 - noncentral_t_below(critical, n - 1, delta)
    return above + noncentral_t_below(-critical, n - 1, delta)
