"""Intervals for a mean over queries: where the mean of all queries like these may lie.

Which one is chosen, and how often each holds what it promises, was measured: docs/statistics.md.
The unit of sampling is the query.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.errors import Problem, UsageError, one_of
from ndcg.statistics.distributions import (
    beta_quantile,
    normal_below,
    normal_quantile,
    t_quantile,
)
from ndcg.statistics.sample import Floats, Sample

LEVEL = 0.95
RESAMPLES = 2000
_MANY = 100  # queries from which Student's t is right unless the scores are odd
_NEAR = 2.0  # standard errors from a bound
_AT_BOUND = 0.5 - 1e-9  # share of the scores: a half, as weights add up
_FEW = 5  # different scores
FINEST = 1e-9  # levels nearer to 0 or 1 have no quantiles that doubles hold
_GRID = 400  # means that the betting interval looks at
_BLOCK = 1 << 20  # numbers that are drawn at a time


class Interval(NamedTuple):
    """Where the mean may lie, at which level, by which method."""

    low: float
    high: float
    level: float
    method: str

    def to_dict(self) -> dict[str, float | str]:
        """The interval as JSON carries it."""
        return {"level": self.level, "method": self.method, "low": self.low, "high": self.high}


class Bounds(NamedTuple):
    """What a score can be."""

    low: float
    high: float


def refuse_interval(method: str, level: float) -> None:
    """Refuse methods and levels that do not exist."""
    one_of("usage", "an interval", method, METHODS)
    if not FINEST <= level <= 1 - FINEST:
        what = f"an interval cannot have the level {level}"
        raise UsageError(Problem("usage", what, help="a level between 0 and 1, such as 0.95"))


@np.errstate(all="ignore")  # what is not finite is no interval
def interval_of(
    score: Floats,
    weight: Floats | None = None,
    *,
    bounds: Bounds | None = None,
    method: str = "auto",
    level: float = LEVEL,
    seed: int = 0,
) -> Interval | None:
    """The interval of a mean, None where there are fewer than two scores.

    Parameters
    ----------
    score : (n,) the scores of the queries, none of them NaN.
    weight : (n,) what each counts; by default all count alike.
    bounds : what a score can be; None where it has no bounds, as DCG.
    method : one of `METHODS`. ``auto`` takes Clopper-Pearson where every score is 0 or 1; the
        augmented t below 100 queries, or where the mean is within two standard errors of a bound,
        half of the scores are at one, or fewer than five are different; else Student's t.
    level : from 0 to 1, both excluded.
    seed : where resampling starts.

    Raises
    ------
    UsageError
        For a method that does not fit the scores.
    """
    refuse_interval(method, level)
    sample = Sample.of(score, weight)
    if sample.n < 2 or method == "none":
        return None
    name = _fitting(sample, bounds) if method == "auto" else method
    find = _FINDERS[name]
    low, high = find(sample, _needed(name, bounds), level, seed)
    if bounds is not None:
        low, high = max(low, bounds.low), min(high, bounds.high)
    if not math.isfinite(low) or not math.isfinite(high):
        return None  # one query has all the weight, or sums are too large
    return Interval(low, high, level, name)


def _fitting(sample: Sample, bounds: Bounds | None) -> str:
    if bounds is None:
        return "t"
    if _is_binary(sample) and _is_plain(sample):
        return "clopper-pearson"
    return "augmented-t" if sample.n < _MANY or _is_odd(sample, bounds) else "t"


def _is_odd(sample: Sample, bounds: Bounds) -> bool:
    """Whether scores are so near a bound, or so few different ones, that t promises too much."""
    outermost = (sample.score <= bounds.low) | (sample.score >= bounds.high)
    at_bound = float(sample.share[outermost].sum())
    away = min(sample.mean - bounds.low, bounds.high - sample.mean)
    different = len(np.unique(sample.score))
    return at_bound >= _AT_BOUND or away <= _NEAR * sample.error or different < _FEW


def _is_binary(sample: Sample) -> bool:
    return bool(((sample.score == 0) | (sample.score == 1)).all())


def _is_plain(sample: Sample) -> bool:
    return bool((sample.weight == sample.weight[0]).all())


def _needed(name: str, bounds: Bounds | None) -> Bounds:
    """The bounds, where a method cannot do without."""
    if bounds is None:
        if name in ("augmented-t", "betting", "clopper-pearson"):
            what = f"{name} needs scores between two bounds, and this measure has none"
            raise UsageError(Problem("usage", what, help="t, percentile or bca"))
        return Bounds(-math.inf, math.inf)
    return bounds


def student(sample: Sample, _: Bounds, level: float, __: int) -> tuple[float, float]:
    """Student's t with as many degrees of freedom as the effective size less 1."""
    size = sample.n_effective
    if size <= 1:
        return -math.inf, math.inf
    reach = t_quantile((1 + level) / 2, size - 1) * sample.error
    return sample.mean - reach, sample.mean + reach


class Stratified(NamedTuple):
    """A mean of part means: its standard error, and degrees of freedom after Satterthwaite."""

    mean: float
    error: float
    freedom: float  # infinite where nothing varies


def stratified(parts: Sequence[Sample]) -> Stratified | None:
    """The mean of means, each of queries of its own; None where a part has too few.

    What is drawn anew are the queries, never the parts.
    """
    if not parts or any(one.n_effective <= 1 for one in parts):
        return None
    squares = [one.error**2 / len(parts) ** 2 for one in parts]
    mean = math.fsum(one.mean for one in parts) / len(parts)
    total = math.fsum(squares)
    if not total > 0:
        return Stratified(mean, 0.0, math.inf)
    each = zip(squares, parts, strict=True)
    freedom = total**2 / math.fsum(square**2 / (one.n_effective - 1) for square, one in each)
    return Stratified(mean, math.sqrt(total), freedom)


def stratified_interval(
    parts: Sequence[Sample], *, bounds: Bounds | None = None, level: float = LEVEL
) -> Interval | None:
    """The interval of a mean of part means; None where a part has too few queries.

    Parts of bounded scores that are few or odd have one more score at each bound.
    """
    if bounds is not None:
        parts = [one if _fitting(one, bounds) == "t" else _with_bounds(one, bounds)
                 for one in parts]  # fmt: skip
    found = stratified(parts)
    if found is None:
        return None
    reach = 0.0
    if found.error:
        reach = t_quantile((1 + level) / 2, found.freedom) * found.error
    low, high = found.mean - reach, found.mean + reach
    if bounds is not None:
        low, high = max(low, bounds.low), min(high, bounds.high)
    return Interval(low, high, level, "stratified-t")


def _augmented(sample: Sample, bounds: Bounds, level: float, seed: int) -> tuple[float, float]:
    """Student's t with one more score at each bound, so that there is always some spread."""
    return student(_with_bounds(sample, bounds), bounds, level, seed)


def _with_bounds(sample: Sample, bounds: Bounds) -> Sample:
    share = sample.share
    weight = np.append(share, [share.mean()] * 2)
    return Sample.of(np.append(sample.score, [*bounds]), weight)


def _clopper_pearson(sample: Sample, _: Bounds, level: float, __: int) -> tuple[float, float]:
    """The exact interval of a share of successes."""
    if not _is_binary(sample) or not _is_plain(sample):
        what = "clopper-pearson is of scores that are all 0 or 1, and count alike"
        raise UsageError(Problem("usage", what, help="auto, augmented-t or t"))
    n, hits, tail = sample.n, int(sample.score.sum()), (1 - level) / 2
    low = beta_quantile(tail, hits, n - hits + 1) if hits else 0.0
    high = beta_quantile(1 - tail, hits + 1, n - hits) if hits < n else 1.0
    return low, high


def _percentile(sample: Sample, _: Bounds, level: float, seed: int) -> tuple[float, float]:
    """The percentiles of the means of resampled queries."""
    means = _resampled(sample, seed)
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


def _bca(sample: Sample, _: Bounds, level: float, seed: int) -> tuple[float, float]:
    """The same, corrected for bias and acceleration (Efron 1987)."""
    means = _resampled(sample, seed)
    share = float(((means < sample.mean).mean() + (means <= sample.mean).mean()) / 2)
    if not 0 < share < 1:
        return _percentile(sample, _, level, seed)  # nothing varies, so nothing is to be corrected
    bias = normal_quantile(share)
    left = (sample.mean - sample.share * sample.score) / (1 - sample.share)
    away = left.mean() - left
    largest = float(np.abs(away).max())
    away = away / largest if largest > 0 else away  # so that no power of it is too small
    spread = float(np.square(away).sum())
    acceleration = float((away**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    ends = []
    for tail in ((1 - level) / 2, (1 + level) / 2):
        z = bias + normal_quantile(tail)
        ends.append(normal_below(bias + z / (1 - acceleration * z)))
    low, high = np.quantile(means, ends)
    return float(low), float(high)


def _resampled(sample: Sample, seed: int) -> Floats:
    """Means of queries drawn with replacement, each with its weight."""
    means = np.empty(RESAMPLES)
    step = max(1, _BLOCK // sample.n)
    for number, begin in enumerate(range(0, RESAMPLES, step)):
        # A generator for each block: the draws depend on the seed and the number of queries alone.
        bits = np.random.Philox(key=(number << 64) + seed)
        rows = min(step, RESAMPLES - begin)
        drawn = bits.random_raw(rows * sample.n).reshape(rows, sample.n) >> np.uint64(32)
        which = ((drawn * np.uint64(sample.n)) >> np.uint64(32)).astype(np.int64)
        weight = sample.weight[which]
        means[begin : begin + rows] = (weight * sample.score[which]).sum(1) / weight.sum(1)
    return means


def _betting(sample: Sample, bounds: Bounds, level: float, _: int) -> tuple[float, float]:
    """The hedged capital interval: valid for any bounded scores, however often one looks.

    Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", JRSS-B 2024:
    predictable plug-in bets, both sides with half of the capital, in the order of the scores.
    """
    if not _is_plain(sample):
        what = "betting is of scores that count alike"
        raise UsageError(Problem("usage", what, help="auto, augmented-t or t"))
    x = (sample.score - bounds.low) / (bounds.high - bounds.low)
    n, alpha = len(x), 1 - level
    number = np.arange(1, n + 1)
    mean = (0.5 + np.cumsum(x)) / (number + 1)
    variance = (0.25 + np.cumsum(np.square(x - mean))) / (number + 1)
    before = np.append(0.25, variance[:-1])
    bet = np.sqrt(2 * math.log(2 / alpha) / (before * number * np.log1p(number)))
    grid = (np.arange(_GRID) + 0.5) / _GRID
    capital = np.full(_GRID, -math.inf)
    for side in (1.0, -1.0):
        most = 0.5 / (grid if side > 0 else 1 - grid)
        wager = np.minimum(bet[:, None], most[None, :])
        grown = np.cumsum(np.log1p(side * wager * (x[:, None] - grid[None, :])), axis=0)
        capital = np.maximum(capital, math.log(0.5) + grown.max(axis=0))
    left = grid[capital < math.log(1 / alpha)]
    if not len(left):
        return sample.mean, sample.mean
    width = bounds.high - bounds.low
    low, high = float(left[0]) - 0.5 / _GRID, float(left[-1]) + 0.5 / _GRID
    return bounds.low + low * width, bounds.low + high * width


_Finder = Callable[[Sample, Bounds, float, int], tuple[float, float]]
_FINDERS: dict[str, _Finder] = {
    "t": student,
    "augmented-t": _augmented,
    "clopper-pearson": _clopper_pearson,
    "percentile": _percentile,
    "bca": _bca,
    "betting": _betting,
}
METHODS = ("auto", *_FINDERS, "none")
