"""The arithmetic of ranking measures: ragged NumPy arrays in, one number a query out.

Nothing here knows an id, a file or a convention's name for itself. Arrays describe documents:
`row` is the number of the document's query, `rank` is 1-based, 0 for not retrieved. Sums are
taken in the order of the arrays, one term after the other, because the last bit depends on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


def distinct(values: Floats) -> Floats:
    """The different values, rising (np.unique would import numpy.ma, a tenth of our start)."""
    rising = np.sort(values)
    return rising[np.append(True, rising[1:] != rising[:-1])] if len(rising) else rising


def map_distinct(function: Callable[[float], float], values: Floats) -> Floats:
    """`function` of each value, called once per distinct value.

    Gains and discounts come from Python's `math`, whose last bit does not depend on the
    processor as NumPy's log2 and exp2 do.
    """
    different = distinct(values)
    worth = np.array([function(value) for value in different.tolist()], np.float64)
    return worth[np.searchsorted(different, values)]


@lru_cache(maxsize=32)
def _discounts(discount: str, base: float | None, depth: int) -> Floats:
    """What the gain at rank 0 (never retrieved: inf), 1, ..., depth is divided by."""
    ranks = range(1, depth + 1)
    if discount == "log2":
        table = [math.log2(rank + 1) for rank in ranks]
    elif discount == "reciprocal":
        table = [float(rank) for rank in ranks]
    elif discount == "none":
        table = [1.0] * depth
    elif base is not None:
        table = [1.0 if rank < base else math.log2(rank) / math.log2(base) for rank in ranks]
    else:
        raise ValueError(discount)
    divisors = np.array([math.inf, *table], np.float64)
    divisors.flags.writeable = False  # shared by every caller
    return divisors


def divisors(discount: str, base: float | None, depth: int, cutoff: int | None = None) -> Floats:
    """What the gain at each rank is divided by: ``(depth + 1,)``, inf at 0 and past the cutoff.

    Parameters
    ----------
    discount : ``log2``, ``reciprocal``, ``none`` or ``jarvelin``.
    base : the base of ``jarvelin``; None for the others.
    depth : the largest rank that will be looked up.
    cutoff : ranks past it earn nothing.

    >>> divisors("log2", None, 3, cutoff=1)
    array([inf,  1., inf, inf])
    """
    needed = depth if cutoff is None else min(depth, cutoff)
    # Tables are shared between calls of nearly the same depth.
    size = 1 << max(needed, 1).bit_length()
    table = np.full(depth + 1, math.inf)
    table[: needed + 1] = _discounts(discount, base, size)[: needed + 1]
    return table


def dcg(gain: Floats, row: Ints, rank: Ints, divisor: Floats, n_queries: int) -> Floats:
    """Discounted cumulative gain of each query, in gain units.

    Parameters
    ----------
    gain, row, rank : (n_docs,) gain, query number, 1-based rank (0 = not retrieved), in rank order.
    divisor : (depth + 1,) what the gain at each rank is divided by; inf at 0 and past the cutoff.
    n_queries : length of the result; a query that retrieved nothing gets 0.0.

    >>> log2_cut3 = np.array([np.inf, 1.0, math.log2(3), 2.0, np.inf])
    >>> dcg(np.array([3.0, 0, 7, 1]), np.zeros(4, int), np.arange(1, 5), log2_cut3, 2)
    array([6.5, 0. ])
    """
    # bincount adds in rank order, and gain is divided, not multiplied by 1/log2:
    # both keep the sum equal to trec_eval's to the last bit.
    return per_row(row, n_queries, gain / divisor[rank])


def by_falling(value: Floats, row: Ints) -> tuple[Ints, Ints]:
    """The order that sorts documents by query, then falling value, and each one's 1-based place.

    >>> by_falling(np.array([1.0, 3, 2]), np.array([0, 0, 1]))
    (array([1, 0, 2]), array([1, 2, 1]))
    """
    order = np.lexsort((-value, row))
    return order, place_in_row(row[order])


def place_in_row(row: Ints) -> Ints:
    """The 1-based place of each element among those of its query; `row` must be sorted.

    >>> place_in_row(np.array([0, 0, 3, 3, 3]))
    array([1, 2, 1, 2, 3])
    """
    return np.arange(1, len(row) + 1, dtype=np.int64) - np.searchsorted(row, row)


def per_row(row: Ints, n_queries: int, weight: Floats | Bools | None = None) -> Floats:
    """The sum of `weight` (or the number of elements) of each query, in array order."""
    # Of nothing, bincount gives whole numbers whatever the weights are.
    return np.bincount(row, weight, minlength=n_queries).astype(np.float64, copy=False)


def running_count(flag: Bools | Ints, row: Ints) -> Ints:
    """How many flags are set up to and including each element of its query; `row` is sorted.

    >>> running_count(np.array([True, False, True, True]), np.array([0, 0, 0, 1]))
    array([1, 1, 2, 1])
    """
    total = np.cumsum(flag, dtype=np.int64)
    start = np.searchsorted(row, row)
    return total - (total[start] - flag[start])


def ratio(top: Floats, bottom: Floats) -> Floats:
    """`top` / `bottom`, and 0 where `bottom` is not positive.

    >>> ratio(np.array([1.0, 5.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    defined = bottom > 0
    return np.divide(top, bottom, out=np.zeros_like(top), where=defined)


def running_product(factor: Floats, row: Ints) -> Floats:
    """The product of the factors before each element of its query; `row` is sorted.

    The products run along a padded row, so that each is taken strictly from left to right.

    >>> running_product(np.array([0.5, 0.25, 0.5]), np.array([0, 0, 2]))
    array([1. , 0.5, 1. ])
    """
    place = place_in_row(row)
    product = np.ones(len(row))
    number = np.searchsorted(row, row, side="right") - np.searchsorted(row, row)
    # Rows of similar length share a padded table, so that one long row does not widen all.
    size = np.ceil(np.log2(np.maximum(number, 1))).astype(np.int64)
    for power in range(int(size.max(initial=-1)) + 1):
        here = np.flatnonzero(size == power)
        if not len(here):
            continue
        line = np.cumsum(place[here] == 1) - 1
        padded = np.ones((int(line[-1]) + 1, (1 << power) + 1))
        padded[line, place[here]] = factor[here]
        product[here] = np.multiply.accumulate(padded, axis=1)[line, place[here] - 1]
    return product


def ordered_sum(values: Floats) -> float:
    """The sum of the values, added one after the other from the first."""
    # np.sum adds pairwise and Python 3.12's sum() compensates: both give other last digits.
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0


def groups(row: Ints, first: Ints) -> tuple[Ints, Ints]:
    """Number of each element's tie group, and where each group begins; elements are sorted.

    >>> groups(np.array([0, 0, 1]), np.array([1, 1, 1]))
    (array([0, 0, 1]), array([0, 2]))
    """
    begins = np.ones(len(row), bool)
    begins[1:] = (row[1:] != row[:-1]) | (first[1:] != first[:-1])
    return np.cumsum(begins) - 1, np.flatnonzero(begins)


def rearranged(credit: Floats, row: Ints, first: Ints, size: Ints, *, favour: bool) -> Ints:
    """Ranks after ordering each tie group by credit: falling if `favour`, else rising.

    The members of a group that are not among the documents given have no credit.

    >>> rearranged(np.array([0.0, 1.0]), np.zeros(2, int), np.ones(2, int), np.full(2, 3),
    ...            favour=False)
    array([1, 3])
    """
    order = np.lexsort((-credit if favour else credit, first, row))
    group, head = groups(row[order], first[order])
    others = size[order] - np.bincount(group, minlength=len(head))[group]
    behind = credit[order] < 0 if favour else credit[order] > 0
    within = np.arange(len(order)) - head[group]
    rank = np.zeros(len(order), np.int64)
    rank[order] = np.where(first[order] > 0, first[order] + within + np.where(behind, others, 0), 0)
    return rank


def expected_credit(
    credit: Floats, row: Ints, first: Ints, size: Ints, limit: Ints
) -> tuple[Ints, Floats, Ints]:
    """The mean credit at each rank that a tie group with documents covers, up to a limit.

    Returns query number, mean credit of the group (added from largest to smallest) and rank of
    every such place, in rank order. `limit` is the last rank that counts, per query.

    >>> expected_credit(np.array([3.0, 1.0]), np.zeros(2, int), np.ones(2, int), np.full(2, 4),
    ...                 np.array([3]))
    (array([0, 0, 0]), array([1., 1., 1.]), array([1, 2, 3]))
    """
    here = first > 0
    credit, row, first, size = credit[here], row[here], first[here], size[here]
    order = np.lexsort((-credit, first, row))
    row, first, size = row[order], first[order], size[order]
    group, head = groups(row, first)
    credit = credit[order]
    number = np.diff(head, append=len(credit))
    # The mean of equal credits is that credit, which their sum over their number may miss.
    equal = (number == size[head]) & (credit[head] == credit[head + number - 1])
    mean = np.where(equal, credit[head], per_row(group, len(head), credit) / size[head])
    return places(row[head], first[head], size[head], limit, mean)


def places(
    row: Ints, first: Ints, size: Ints, limit: Ints, value: Floats
) -> tuple[Ints, Floats, Ints]:
    """One element per rank of each group, up to the query's limit: row, the group's value, rank."""
    number = np.clip(limit[row] - first + 1, 0, size)
    group = np.repeat(np.arange(len(row)), number)
    within = np.arange(len(group)) - np.repeat(np.cumsum(number) - number, number)
    return row[group], value[group], first[group] + within
