"""Quantiles and probabilities of the distributions that intervals and tests need.

Plain Python: SciPy takes a second to load, and what is needed of it is short. Agreement with SciPy
is tested to 1e-9 relative over the range that is used.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

_TINY = 1e-300
_TERMS = 2000
_PRECISION = 1e-15
_BISECTIONS = 200


def normal_below(z: float) -> float:
    """The probability that a standard normal is below z."""
    return math.erfc(-z / math.sqrt(2)) / 2


def normal_quantile(p: float) -> float:
    """The value that a standard normal is below with probability p."""
    from statistics import NormalDist  # which is slow to load

    return NormalDist().inv_cdf(p)


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, the probability that a Beta(a, b) is below x.

    >>> incomplete_beta(1, 1, 0.25)
    0.25
    >>> round(incomplete_beta(2, 3, 0.5), 12)
    0.6875
    """
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):  # where the fraction converges fast
        return 1.0 - incomplete_beta(b, a, 1 - x)
    front = math.exp(
        a * math.log(x) + b * math.log1p(-x)
        - (math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b))
    )  # fmt: skip
    return front * _fraction(a, b, x) / a


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method (DLMF 8.17.22)."""
    c, d = 1.0, 1.0 / _away(1 - (a + b) * x / (a + 1))
    found = d
    for m in range(1, _TERMS):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1.0 / _away(1 + term * d)
            c = _away(1 + term / c)
            found *= c * d
        if abs(c * d - 1) < _PRECISION:
            break
    return found


def _away(number: float) -> float:
    """A number, or one next to it that can be divided by."""
    return number if abs(number) > _TINY else _TINY


def t_below(t: float, df: float) -> float:
    """The probability that Student's t with `df` degrees of freedom is below t.

    >>> t_below(0, 7), round(t_below(1, 1), 12)
    (0.5, 0.75)
    """
    if math.isinf(t):
        return float(t > 0)
    tail = incomplete_beta(df / 2, 0.5, df / (df + t * t)) / 2
    return 1 - tail if t > 0 else tail


def t_two_sided(t: float, df: float) -> float:
    """The probability that Student's t is at least as far from 0 as t.

    >>> round(t_two_sided(-1, 1), 12)
    0.5
    """
    return incomplete_beta(df / 2, 0.5, df / (df + t * t)) if math.isfinite(t) else 0.0


@lru_cache(maxsize=512)
def t_quantile(p: float, df: float) -> float:
    """The value that Student's t is below with probability p.

    >>> round(t_quantile(0.975, 10), 9)
    2.228138852
    """
    if p == 0.5:
        return 0.0
    if p < 0.5:
        return -t_quantile(1 - p, df)
    high = 1.0
    while t_below(high, df) < p:
        high *= 2
    return _root(lambda t: t_below(t, df) - p, 0.0, high)


def beta_quantile(p: float, a: float, b: float) -> float:
    """The value that a Beta(a, b) is below with probability p.

    >>> round(beta_quantile(0.5, 2, 2), 12)
    0.5
    """
    return _root(lambda x: incomplete_beta(a, b, x) - p, 0.0, 1.0)


def _root(of: Callable[[float], float], low: float, high: float) -> float:
    """Where a rising function is 0, by bisection to the last bit or nearly."""
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        if of(middle) < 0:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def noncentral_t_below(t: float, df: float, delta: float) -> float:
    """The probability that the noncentral t is below t, after Lenth (AS 243, 1989).

    >>> round(noncentral_t_below(2.0, 5, 0), 9) == round(t_below(2.0, 5), 9)
    True
    """
    if t < 0:
        return 1 - noncentral_t_below(-t, df, -delta)
    below = normal_below(-delta)
    if t == 0:
        return below
    x, half = t * t / (t * t + df), delta * delta / 2
    # The weights are those of a Poisson distribution: begin at their middle, so that none vanishes.
    middle = int(half)
    total = 0.0
    for step, first in ((1, middle), (-1, middle - 1)):
        j = first
        while j >= 0:
            term = _noncentral_term(j, x, df, delta, half)
            total += term
            if abs(term) < 1e-17:
                break
            j += step
    return min(1.0, max(0.0, below + total / 2))


def _noncentral_term(j: int, x: float, df: float, delta: float, half: float) -> float:
    logarithm = -half + (j * math.log(half) if half > 0 else (0.0 if j == 0 else -math.inf))
    p = math.exp(logarithm - math.lgamma(j + 1))
    odd = math.exp(logarithm - math.lgamma(j + 1.5)) * delta / math.sqrt(2)
    return p * incomplete_beta(j + 0.5, df / 2, x) + odd * incomplete_beta(j + 1, df / 2, x)
