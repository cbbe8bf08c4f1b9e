"""The best column of each row where the best ones never go back: all queries at once.

A table is so if for rows i < j and columns s < t the sum of its cells (i, s) and (j, t) is never
less than that of (i, t) and (j, s). The best column of a row in the middle then bounds those of
the rows on both sides, so rows are halved and all columns are looked at once a halving: n log n
for a table of n rows and n columns that is never made.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ndcg.kernel import Floats, Ints, place_in_row

Value = Callable[[Ints, Ints], Floats]


def best_columns(value: Value, row: Ints, low: Ints, high: Ints) -> Ints:
    """The first of the best columns of each row; of rounded values, one as good but for rounding.

    Parameters
    ----------
    value : of some rows and the columns in question, both by number.
    row : (n_rows,) the query of each row; those of a query stand together.
    low, high : (n_rows,) the first and the last column of each row, neither ever going back.

    A row for each of 3 people and a column for each of 3 tasks: skill times worth.

    >>> skill, worth = np.array([1.0, 2.0, 4.0]), np.array([1.0, 3.0, 4.0])
    >>> effort = np.array([0.0, 3.0, 6.0])
    >>> best_columns(lambda one, task: skill[one] * worth[task] - effort[task],
    ...              np.zeros(3, int), np.zeros(3, int), np.full(3, 2))
    array([0, 1, 2])
    """
    found, number = low.copy(), place_in_row(row)
    count = np.bincount(row)[row] if len(row) else row
    step = 1 << int(count.max(initial=1)).bit_length()
    while step := step >> 1:
        at = np.flatnonzero(number & (2 * step - 1) == step)
        begin, end = low[at], high[at]
        above, below = number[at] > step, number[at] + step <= count[at]
        begin[above] = np.maximum(begin[above], found[at[above] - step])
        end[below] = np.minimum(end[below], found[at[below] + step])
        found[at] = _best(value, at, begin, end)
    return found


def _best(value: Value, at: Ints, begin: Ints, end: Ints) -> Ints:
    """The first of the best columns from one to another, for each of some rows."""
    which, column = spans(begin, end + 1)
    cell = value(at[which], column)
    head = np.searchsorted(which, np.arange(len(at)))
    best = np.flatnonzero(cell == np.maximum.reduceat(cell, head)[which])[::-1]
    found = begin.copy()  # which stays where a value is no number
    found[which[best]] = column[best]  # of several, the first
    return found


def spans(begin: Ints, end: Ints) -> tuple[Ints, Ints]:
    """The numbers from each `begin` up to, without, its `end`; first of which span each is.

    >>> spans(np.array([3, 7, 5]), np.array([5, 7, 6]))
    (array([0, 0, 2]), array([3, 4, 5]))
    """
    number = end - begin
    which = np.repeat(np.arange(len(number)), number)
    return which, np.arange(len(which)) + (begin - np.cumsum(number) + number)[which]
