"""Paired differences: whether their mean is 0, how large they are, what could have been seen.

Sign-flip randomisation asks about the mean and holds its level where differences are tied, skewed
or few; Student's t stands beside it. Which tests do not, and why: docs/statistics.md.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcg.statistics.distributions import (
    noncentral_t_below,
    normal_quantile,
    t_quantile,
    t_two_sided,
)
from ndcg.statistics.sample import TOLERANCE, Floats, Sample
from ndcg.statistics.signs import Flips

Ints = NDArray[np.int64]
DRAWS = 10_000
ALPHA, POWER = 0.05, 0.8
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


def settled(first: Floats, second: Floats) -> Floats:
    """The second less the first, differences of rounding alone taken for none."""
    largest = max(np.abs(first).max(initial=0), np.abs(second).max(initial=0))
    difference = second - first
    return np.where(np.abs(difference) <= TOLERANCE * largest, 0.0, difference)


def randomised_p(
    scores: Floats,
    pairs: Sequence[tuple[int, int]],
    weight: Floats | None = None,
    *,
    parts: Ints | None = None,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[Randomised]:
    """Two-sided p-values of the mean differences of pairs of systems, by sign flips.

    Parameters
    ----------
    scores : (n_systems, n) of the same queries, in byte order of their ids.
    pairs : which two systems; the difference is that of the second less the first.
    weight : (n,) what each query counts.
    parts : (n,) of which part each query is, where the mean is one of part means: then differences
        are centred within their part before signs are flipped, so that what differs between parts
        is not taken for chance.
    draws, seed : of the signs, which all pairs share. Where at most 16 differences are not 0 all
        signs are tried instead, unless there are parts.
    """
    n = scores.shape[1]
    share = np.ones(n) if weight is None else weight
    terms = np.array([share * settled(scores[first], scores[second]) for first, second in pairs])
    total = terms.sum(axis=1)
    flipped = terms if parts is None else np.array([_centred(one, share, parts) for one in terms])
    few = (terms != 0).sum(axis=1) <= EXACT
    exact = (
        {} if parts is not None else {at: _exact(terms[at]) for at in np.flatnonzero(few).tolist()}
    )
    left = [at for at in range(len(pairs)) if at not in exact]
    drawn = dict(zip(left, _drawn(flipped[left], total[left], draws, seed), strict=True))
    return [(exact | drawn)[at] for at in range(len(pairs))]


def _centred(terms: Floats, share: Floats, parts: Ints) -> Floats:
    """Weighted differences less their part's mean, widened by what centring takes from them."""
    found = np.zeros(len(terms))
    for part in np.unique(parts):
        here = parts == part
        own, number = terms[here] / share[here], int(here.sum())
        widened = math.sqrt(number / max(number - 1, 1))
        found[here] = share[here] * (own - Sample.of(own, share[here]).mean) * widened
    return found


def _exact(terms: Floats) -> Randomised:
    """The share of all signs by which the sum is as far from 0."""
    terms = terms[terms != 0]
    sums = np.zeros(1)
    for term in terms.tolist():
        sums = np.concatenate([sums + term, sums - term])
    least = abs(float(terms.sum())) - TOLERANCE * float(np.abs(terms).sum())
    return Randomised(float((np.abs(sums) >= least).mean()), exact=True, draws=len(sums))


def _drawn(terms: Floats, total: Floats, draws: int, seed: int) -> list[Randomised]:
    """The share of drawn signs, counting the one that was seen: never 0 (Davison and Hinkley)."""
    if not len(terms):
        return []
    # Sums are of differences, so that those of the same size differ by rounding of their own alone.
    least = np.abs(total) - TOLERANCE * np.abs(terms).sum(axis=1)
    own = terms.sum(axis=1)
    hits = np.zeros(len(terms), np.int64)
    for flips in Flips(seed, draws, terms.shape[1]).blocks():
        hits += (np.abs(own - 2 * (flips @ terms.T)) >= least).sum(axis=0)
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
    if effect < 1 / _MOST_QUERIES:
        return None
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
