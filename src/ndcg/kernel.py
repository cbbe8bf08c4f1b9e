"""The arithmetic of ranking measures: ragged NumPy arrays in, one number a query out.

Nothing here knows an id, a file or a convention's name for itself. Arrays describe documents:
`row` is the number of the document's query, `rank` is 1-based, 0 for not retrieved. Sums are
taken in the order of the arrays, one term after the other, because the last bit depends on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Numbers = TypeVar("Numbers", Floats, Ints)


def distinct(values: Numbers) -> Numbers:
    """The different values, rising (np.unique would import numpy.ma, a tenth of our start)."""
    rising = np.sort(values)
    return rising[np.append(True, rising[1:] != rising[:-1])] if len(rising) else rising


def map_distinct(function: Callable[[float], float], values: Floats) -> Floats:
    """`function` of each value, called once per distinct value.

    Gains and discounts come from Python's `math`, whose last bit does not depend on the
    processor as NumPy's log2 and exp2 do.
    """
    codes = values.astype(np.uint8) if _are_labels(values) else None
    if codes is not None:  # the usual labels are looked up without sorting anything
        table = np.zeros(256)
        used = np.flatnonzero(np.bincount(codes))
        table[used] = [function(float(value)) for value in used.tolist()]
        return table[codes]
    different = distinct(values)
    worth = np.array([function(value) for value in different.tolist()], np.float64)
    return worth[np.searchsorted(different, values)]


def _are_labels(values: Floats) -> bool:
    """Whether all values are whole numbers from 0 to 255."""
    if not len(values) or not (values.min() >= 0 and values.max() < 256):
        return False
    return bool((values == np.floor(values)).all())


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


def cut_off(values: Floats, decimals: int | None) -> Floats:
    """The values rounded down to so many decimals; None leaves them as they are.

    >>> cut_off(np.array([1.269, 0.63]), 2)
    array([1.26, 0.63])
    """
    if decimals is None:
        return values
    cut: Floats = np.floor(values * 10.0**decimals) / 10.0**decimals
    return cut


def terms(gain: Floats, divisor: Floats, decimals: int | None = None) -> Floats:
    """What each gain adds to a sum; `decimals` is for those that are divided by more than 1."""
    term: Floats = gain / divisor
    return term if decimals is None else np.where(divisor == 1, term, cut_off(term, decimals))


def dcg(
    gain: Floats,
    row: Ints,
    rank: Ints,
    divisor: Floats,
    n_queries: int,
    decimals: int | None = None,
) -> Floats:
    """Discounted cumulative gain of each query, in gain units.

    Parameters
    ----------
    gain, row, rank : (n_docs,) gain, query number, 1-based rank (0 = not retrieved), in rank order.
    divisor : (depth + 1,) what the gain at each rank is divided by; inf at 0 and past the cutoff.
    n_queries : length of the result; a query that retrieved nothing gets 0.0.
    decimals : to how many of them terms are rounded down.

    >>> log2_cut3 = np.array([np.inf, 1.0, math.log2(3), 2.0, np.inf])
    >>> dcg(np.array([3.0, 0, 7, 1]), np.zeros(4, int), np.arange(1, 5), log2_cut3, 2)
    array([6.5, 0. ])
    """
    # bincount adds in rank order, and gain is divided, not multiplied by 1/log2:
    # both keep the sum equal to trec_eval's to the last bit.
    return per_row(row, n_queries, terms(gain, divisor[rank], decimals))


def by_falling(value: Floats, row: Ints) -> tuple[Ints, Ints]:
    """The order that sorts each query's documents by falling value, and the 1-based places.

    `row` must be sorted.

    >>> by_falling(np.array([1.0, 3, 2]), np.array([0, 0, 1]))
    (array([1, 0, 2]), array([1, 2, 1]))
    """
    head = _heads(row)
    order = order_in_groups(-value, np.diff(head, append=len(row)))
    return order, place_in_row(row)


def place_in_row(row: Ints) -> Ints:
    """The 1-based place of each element among those of its query; `row` must be sorted.

    >>> place_in_row(np.array([0, 0, 3, 3, 3]))
    array([1, 2, 1, 2, 3])
    """
    head = _heads(row)
    number = np.diff(head, append=len(row))
    return np.arange(1, len(row) + 1, dtype=np.int64) - np.repeat(head, number)


def _heads(row: Ints) -> Ints:
    """Where each query's elements begin; `row` is sorted."""
    return np.flatnonzero(np.append(True, row[1:] != row[:-1])) if len(row) else row


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


def ratio(top: Floats, bottom: Floats, *, signed: bool = False) -> Floats:
    """`top` / `bottom`, and 0 where `bottom` is not positive, or only where it is 0 if `signed`.

    >>> ratio(np.array([1.0, 5.0]), np.array([2.0, 0.0]))
    array([0.5, 0. ])
    """
    defined = bottom != 0 if signed else bottom > 0
    return np.divide(top, bottom, out=np.zeros_like(top), where=defined)


def running_product(factor: Floats, row: Ints) -> Floats:
    """The product of the factors before each element of its query; `row` is sorted.

    >>> running_product(np.array([0.5, 0.25, 0.5]), np.array([0, 0, 2]))
    array([1. , 0.5, 1. ])
    """
    before = np.ones(len(row))
    if len(row):
        product = running(np.multiply, factor, row)
        before[1:] = np.where(row[1:] == row[:-1], product[:-1], 1.0)
    return before


def running(step: np.ufunc, value: Floats, row: Ints) -> Floats:
    """What `step` makes of the values of a query up to and including each element.

    Elements of one query stand together. The steps run along a padded row, so that each is taken
    strictly from left to right.

    >>> running(np.add, np.array([1.0, 2, 5]), np.array([0, 0, 2]))
    array([1., 3., 5.])
    """
    result = np.empty(len(row))
    head = _heads(row)
    number = np.diff(head, append=len(row))
    for which, begin, padded in _tables(value, number):
        width = np.arange(padded.shape[1])
        inside = width < number[which, None]
        with np.errstate(invalid="ignore", over="ignore"):  # only among what pads
            along = step.accumulate(padded, axis=1)
        result[(begin[:, None] + width)[inside]] = along[inside]
    return result


def ordered_sum(values: Floats) -> float:
    """The sum of the values, added one after the other from the first."""
    # np.sum adds pairwise and Python 3.12's sum() compensates: both give other last digits.
    return float(np.add.accumulate(values)[-1]) if len(values) else 0.0


def groups(row: Ints, first: Ints | Floats) -> tuple[Ints, Ints]:
    """Number of each element's tie group, and where each group begins; elements are sorted.

    >>> groups(np.array([0, 0, 1]), np.array([1, 1, 1]))
    (array([0, 0, 1]), array([0, 2]))
    """
    begins = np.ones(len(row), bool)
    begins[1:] = (row[1:] != row[:-1]) | (first[1:] != first[:-1])
    return np.cumsum(begins) - 1, np.flatnonzero(begins)


def rearranged(
    credit: Floats, row: Ints, first: Ints, size: Ints, limit: Ints, *, favour: bool
) -> tuple[Ints, Floats, Ints]:
    """Query number, credit and rank after ordering each tie group by credit, up to a limit.

    Credit falls within a group if `favour`, else rises. Documents come in order of query and tie
    group, and so do the results. The members of a group that are not among the documents given
    have no credit. `limit` is the last rank that counts, per query.

    >>> rearranged(np.array([1.0, 0.0, 2.0]), np.zeros(3, int), np.ones(3, int), np.full(3, 4),
    ...            np.array([3]), favour=False)
    (array([0, 0]), array([0., 1.]), array([1, 3]))
    """
    here = (first > 0) & (first <= limit[row])
    credit, row, first, size = credit[here], row[here], first[here], size[here]
    _, head = groups(row, first)
    number = np.diff(head, append=len(row))
    row, first = row[head], first[head]
    # Later members stand past the limit, whatever stands between.
    kept = np.minimum(number, limit[row] - first + 1)
    others = np.repeat(size[head] - number, kept)
    if favour:
        credit = -smallest_in_groups(-credit, number, kept)
        behind = credit < 0
    else:
        credit = smallest_in_groups(credit, number, kept)
        behind = credit > 0
    row, rank = np.repeat(row, kept), np.repeat(first, kept) + _places_within(kept)
    rank = np.where(behind, rank + others, rank)
    counts = rank <= limit[row]
    return row[counts], credit[counts], rank[counts]


def smallest_in_groups(value: Floats, number: Ints, kept: Ints) -> Floats:
    """The smallest values of each group in rising order, group after group.

    Parameters
    ----------
    value : the values, group after group.
    number, kept : how many values each group has, and how many of them are wanted.

    >>> smallest_in_groups(np.array([3.0, 1, 2, 0]), np.array([3, 1]), np.array([2, 1]))
    array([1., 2., 0.])
    """
    result = np.empty(int(kept.sum()))
    target = np.cumsum(kept) - kept
    for which, _, padded in _tables(value, number):
        padded.sort(axis=1)
        wanted = np.arange(kept[which].max())
        inside = wanted < kept[which, None]
        result[(target[which, None] + wanted)[inside]] = padded[:, : len(wanted)][inside]
    return result


def order_in_groups(value: Floats, number: Ints) -> Ints:
    """The stable order that sorts the values of each group from smallest to largest.

    >>> order_in_groups(np.array([3.0, 1, 1, 0]), np.array([3, 1]))
    array([1, 2, 0, 3])
    """
    order = np.empty(len(value), np.int64)
    for which, begin, padded in _tables(value, number):
        place = begin[:, None] + np.arange(padded.shape[1])
        inside = np.arange(padded.shape[1]) < number[which, None]
        within = padded.argsort(axis=1, kind="stable")  # what pads is last, also among infinities
        order[place[inside]] = (begin[:, None] + within)[inside]
    return order


def _tables(value: Floats, number: Ints) -> Iterator[tuple[Ints, Ints, Floats]]:
    """The values of groups as rows of tables that are padded with inf at the end.

    Groups of similar size share a table, so that one large group does not widen all. Yields which
    groups they are, where their values begin, and the table. Short rows are sorted in a tenth of
    the time that sorting by two keys takes.
    """
    start = np.cumsum(number) - number
    power = np.ceil(np.log2(np.maximum(number, 1))).astype(np.int64)
    for p in range(int(power.max(initial=-1)) + 1):
        which = np.flatnonzero((power == p) & (number > 0))
        if not len(which):
            continue
        begin, width = start[which], np.arange(number[which].max())
        padded = value[np.minimum(begin[:, None] + width, len(value) - 1)]
        padded[width >= number[which, None]] = np.inf
        yield which, begin, padded


def expected_credit(
    credit: Floats, row: Ints, first: Ints, size: Ints, limit: Ints
) -> tuple[Ints, Floats, Ints]:
    """The mean credit at each rank that a tie group with documents covers, up to a limit.

    Documents come in order of query and tie group. Returns query number, mean credit of the group
    (added from largest to smallest) and rank of every such place, in rank order. `limit` is the
    last rank that counts, per query.

    >>> expected_credit(np.array([3.0, 1.0]), np.zeros(2, int), np.ones(2, int), np.full(2, 4),
    ...                 np.array([3]))
    (array([0, 0, 0]), array([1., 1., 1.]), array([1, 2, 3]))
    """
    here = (first > 0) & (first <= limit[row])
    credit, row, first, size = credit[here], row[here], first[here], size[here]
    group, head = groups(row, first)
    number = np.diff(head, append=len(credit))
    row, first, size = row[head], first[head], size[head]
    if _add_exactly(credit):
        mean = per_row(group, len(head), credit) / size
    else:
        credit = -smallest_in_groups(-credit, number, number)
        # The mean of equal credits is that credit, which their sum over their number may miss.
        equal = (number == size) & (credit[head] == credit[head + number - 1])
        mean = np.where(equal, credit[head], per_row(group, len(head), credit) / size)
    return places(row, first, size, limit, mean)


def group_credit(credit: Floats, row: Ints, first: Ints, size: Ints) -> tuple[Ints, Floats, Ints]:
    """Query number, credit (added from largest to smallest) and mean rank of each tie group.

    Documents come in order of query and tie group. The mean rank loses its fraction; groups of
    documents that are not retrieved are left out.

    >>> group_credit(np.array([3.0, 1.0]), np.zeros(2, int), np.ones(2, int), np.full(2, 4))
    (array([0]), array([4.]), array([2]))
    """
    here = first > 0
    credit, row, first, size = credit[here], row[here], first[here], size[here]
    group, head = groups(row, first)
    number = np.diff(head, append=len(credit))
    falling = -smallest_in_groups(-credit, number, number)
    return row[head], per_row(group, len(head), falling), mean_rank(first[head], size[head])


def mean_rank(first: Ints, size: Ints) -> Ints:
    """The mean of the ranks of a tie group, without its fraction."""
    return first + (size - 1) // 2


def _add_exactly(values: Floats) -> bool:
    """Whether sums of the values are exact, so that their order does not matter."""
    if not len(values):
        return True
    largest = max(abs(float(values.min())), abs(float(values.max())))
    return largest * len(values) < 2.0**53 and bool((values == np.floor(values)).all())


def places(
    row: Ints, first: Ints, size: Ints, limit: Ints, value: Floats
) -> tuple[Ints, Floats, Ints]:
    """One element per rank of each group, up to the query's limit: row, the group's value, rank."""
    number = np.clip(limit[row] - first + 1, 0, size)
    group = np.repeat(np.arange(len(row)), number)
    return row[group], value[group], first[group] + _places_within(number)


def _places_within(number: Ints) -> Ints:
    """0, 1, 2, ... for each group of so many elements, group after group."""
    begin = np.cumsum(number) - number
    return np.arange(int(number.sum())) - np.repeat(begin, number)
