"""Rankings of arrays: whole ones by sorting, or the part that a cutoff can see without it.

A measure with a cutoff reads the first ranks and the best grades. Both are found by a threshold
that few candidates pass, so that a row of a thousand candidates is not sorted for the ten that
count. Tables are looked through in blocks of rows that fit the processor's cache.

A cell is the number of a candidate in such a table, row after row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ndcg.kernel import Bools, Ints, order_in_groups, place_in_row

# Some rows of a table, by number: doubles (or single precision), NaN where there is nothing.
Rows = Callable[[slice | Ints], Any]
Part = Callable[[slice | Ints, slice], Any]  # some rows and columns

_BLOCK = 1 << 17  # cells that are looked through at once
_ALL_BUT_SIGN = np.int32(0x7FFFFFFF)
_SINGLE = 4096  # columns up to which single precision tells most different scores apart


@dataclass(frozen=True, slots=True)
class Cells:
    """Cells in order of row and rank."""

    cell: Ints
    row: Ints
    rank: Ints
    first: Ints  # first rank of the tie group
    size: Ints  # members of that group
    leading: Bools | None = None  # whether a cell is among the best grades; None: not known

    def only(self, which: Bools) -> Cells:
        """Some of the cells, with the ranks they have."""
        return Cells(
            cell=self.cell[which],
            row=self.row[which],
            rank=self.rank[which],
            first=self.first[which],
            size=self.size[which],
            leading=None if self.leading is None else self.leading[which],
        )

    def followed_by(self, leading: Ints, n: int, m: int) -> Cells:
        """The same with the leading cells behind that are not among them, untied at any rank."""
        marks = np.zeros(n * m, np.uint8)
        marks[leading] = 2
        marks[self.cell] |= 1
        others = leading[marks[leading] == 2]
        row, cell = _merged(n, (self.row, self.cell), (others // m, others))
        mark = marks[cell]
        rank = place_in_row(row)
        own = (mark & 1).astype(bool)
        first, size = rank.copy(), np.ones_like(rank)
        first[own], size[own] = self.first, self.size
        return Cells(cell, row, rank, first, size, mark > 1)


def blocks(n: int, m: int) -> Iterator[slice]:
    """The rows of a table of `n` x `m` cells, a block at a time."""
    height = max(_BLOCK // m, 1)
    return (slice(begin, min(begin + height, n)) for begin in range(0, n, height))


def whole_ranking(keys: Any, number: Ints, *, descending: bool = False) -> Cells:
    """All candidates of each row, by falling key; tied ones by column.

    Parameters
    ----------
    keys : (n, m) sort keys, NaN where there is no candidate.
    number : (n,) how many candidates there are.
    descending : tied candidates come from the last column to the first.
    """
    n, m = keys.shape
    turned = -keys[:, ::-1] if descending else -keys
    order = turned.argsort(axis=1)  # NaN comes last
    ordered = np.take_along_axis(turned, order, axis=1)
    tied = np.flatnonzero((ordered[:, 1:] == ordered[:, :-1]).any(axis=1))
    # The fast sort leaves equal keys in any order.
    order[tied] = turned[tied].argsort(axis=1, kind="stable")
    begins = np.ones((n, m), bool)
    begins[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    column = m - 1 - order if descending else order
    cell = (column + np.arange(n)[:, None] * m).ravel()
    row, rank = np.repeat(np.arange(n), m), np.tile(np.arange(1, m + 1), n)
    cells = _grouped(cell, row, rank, begins.ravel())
    return cells if (number == m).all() else cells.only(rank <= number[row])


def ranked_cells(
    keys: Rows, n: int, m: int, reach: int, *, descending: bool, complete: bool = False
) -> tuple[Cells, Any]:
    """The first `reach` candidates of each row, with all that are tied with them.

    Also whether a row holds the same key twice at whatever rank: 1 or 0, or -1 where that is not
    known yet. `complete` says that there is a candidate in every cell.
    """
    found, repeats = [], np.full(n, -1, np.int8)
    sorting = complete and m <= _SINGLE and not any(_repeating(keys(slice(0, min(n, 8)))))
    for part in blocks(n, m):
        block = keys(part)
        if sorting:  # all is found by the sort that finds repeated keys
            codes = _codes(block)
            repeats[part] = _repeating(block, codes)
            floor = _value_below(codes[:, m - reach])
            sorting = 2 * int(np.count_nonzero(repeats[part])) < len(block)
        else:
            floor = _floor(block, reach)
        at = np.flatnonzero(block >= floor[:, None])
        found.append((floor, at + part.start * m, block.ravel()[at]))
    floor, cell, key = (np.concatenate(column) for column in zip(*found, strict=True))
    return _ranked(floor, cell, key, m, reach, descending=descending), repeats


def _ranked(floor: Any, cell: Ints, key: Any, m: int, reach: int, *, descending: bool) -> Cells:
    """Cells with keys of at least a floor that lets `reach` of each row pass, in rank order."""
    n, row = len(floor), cell // m
    # All candidates on the threshold are tied: they are not sorted, however many they are.
    level = key == floor[row]
    above = np.flatnonzero(~level)
    level &= (np.bincount(row[above], minlength=n) < reach)[row]
    at = np.flatnonzero(level)
    if descending:  # within each row from the last column to the first
        above, at = (part[::-1][np.argsort(row[part[::-1]], kind="stable")] for part in (above, at))
    above = above[order_in_groups(-key[above], np.bincount(row[above], minlength=n))]
    row, order = _merged(n, (row[above], above), (row[at], at))
    key = key[order]
    begins = np.ones(len(row), bool)
    begins[1:] = (row[1:] != row[:-1]) | (key[1:] != key[:-1])
    return _grouped(cell[order], row, place_in_row(row), begins)


def leading_cells(grades: Part, n: int, m: int, reach: int, highest: float | None) -> Ints:
    """The judged cells that hold the `reach` best grades of each row, and some more, by row.

    `highest` is the best grade of all, where every cell is judged: of labels, the first columns
    often hold enough of them.
    """
    found, width = [], min(16 * reach, m)
    for part in blocks(n, m):
        rows = np.arange(part.start, part.stop)
        if highest is not None:
            at, number = _first_few(
                grades(part, slice(width)) == highest, np.full(len(rows), reach)
            )
            enough = number == reach
            at = at[enough[at // width]]
            found.append((part.start + at // width) * m + at % width)
            rows = rows[~enough]
        if len(rows):
            found.append(_leading(grades(rows, slice(None)), rows, reach))
    return np.sort(np.concatenate(found))


def _leading(block: Any, rows: Ints, reach: int) -> Ints:
    m = block.shape[1]
    floor = _floor(block, reach)[:, None]
    above = np.flatnonzero(block > floor)
    number = np.bincount(above // m, minlength=len(rows))
    level, _ = _first_few(block == floor, np.maximum(reach - number, 0))
    at = np.concatenate([above, level])
    cells: Ints = (rows[at // m] - at // m) * m + at
    return cells


def _first_few(mask: Bools, wanted: Ints) -> tuple[Ints, Ints]:
    """The first so many marked cells of each row, and how many that are."""
    n, m = mask.shape
    at = np.flatnonzero(mask)
    start = np.searchsorted(at, np.arange(n + 1) * m)
    number = np.minimum(np.diff(start), wanted)
    few = np.arange(number.max(initial=0))
    return at[(start[:-1, None] + few)[few < number[:, None]]], number


def repeating(keys: Rows, which: Ints, m: int) -> Bools:
    """Which of some rows hold the same key twice."""
    found = [_repeating(keys(which[part])) for part in blocks(len(which), m)]
    return np.concatenate([np.zeros(0, bool), *found])


def _repeating(keys: Any, codes: Any = None) -> Bools:
    """`repeating` for a block, whose codes may be known."""
    if keys.shape[1] > _SINGLE:
        return _neighbours_equal(np.sort(keys, axis=1))
    # What differs in single precision differs; only the other rows need a closer look.
    found = _neighbours_equal(_codes(keys) if codes is None else codes)
    near = np.flatnonzero(found)
    found[near] = _neighbours_equal(np.sort(keys[near], axis=1))
    return found


def _neighbours_equal(ordered: Any) -> Bools:
    n, m = ordered.shape
    flat = ordered.ravel()
    at = np.flatnonzero(flat[1:] == flat[:-1])
    equal = np.zeros(n, bool)
    equal[at[at % m != m - 1] // m] = True  # the last of a row and the first of the next may be
    return equal


def _codes(keys: Any) -> Any:
    """The keys in single precision as whole numbers of the same order, which sort faster; sorted.

    NaN is a number here. -0.0, which equals 0.0, becomes it by the addition.
    """
    with np.errstate(over="ignore"):
        single = keys.astype(np.float32)
    single += np.float32(0)
    codes = single.view(np.int32)
    if codes.min(initial=0) < 0:
        codes ^= (codes >> 31) & _ALL_BUT_SIGN
    codes.sort(axis=1)
    return codes


def _value_below(codes: Any) -> Any:
    """The single precision number before the one with a code: all that round to it are larger."""
    single = (codes ^ ((codes >> 31) & _ALL_BUT_SIGN)).view(np.float32)
    return np.nextafter(single, np.float32(-np.inf)).astype(np.float64)


def _floor(values: Any, k: int) -> Any:
    """A lower bound of the k-th largest value of each row, a close one; NaN counts as nothing.

    It is the k-th largest of the largest values of strided parts of the row, or the smallest
    value where too few parts have any.
    """
    n, m = values.shape
    width = max(m // (8 * k), 1)
    parts = m // width
    largest = np.fmax.reduce(values[:, : parts * width].reshape(n, width, parts), axis=1)
    floor = -np.partition(-largest, k - 1, axis=1)[:, k - 1]  # NaN comes last
    few = np.flatnonzero(np.isnan(floor))
    floor[few] = np.fmin.reduce(values[few], axis=1)
    return floor


def _merged(n: int, *parts: tuple[Ints, Ints]) -> tuple[Ints, Ints]:
    """Rows and cells of several lists, each sorted by row, put one behind the other in each row."""
    numbers = [np.bincount(row, minlength=n) for row, _ in parts]
    total = np.sum(numbers, axis=0)
    begin = np.cumsum(total) - total
    merged = np.empty(int(total.sum()), np.int64)
    for (row, cell), number in zip(parts, numbers, strict=True):
        merged[begin[row] + place_in_row(row) - 1] = cell
        begin = begin + number
    return np.repeat(np.arange(n), total), merged


def _grouped(cell: Ints, row: Ints, rank: Ints, begins: Bools) -> Cells:
    head = np.flatnonzero(begins)
    number = np.diff(head, append=len(cell))
    return Cells(cell, row, rank, np.repeat(rank[head], number), np.repeat(number, number))
