"""Values that come in different numbers a query, as tables of some queries."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from ndcg.kernel import Bools, Floats, Ints, per_row


class Ragged(NamedTuple):
    """Values query after query, and how many each has."""

    value: Floats
    number: Ints  # (n_queries,)

    @classmethod
    def of(cls, row: Ints, value: Floats, n_queries: int) -> Ragged:
        """Values with the numbers of their queries, which do not fall."""
        return cls(value, per_row(row, n_queries).astype(np.int64))

    def places(self, which: Ints) -> tuple[Ints, Bools]:
        """Where the values of some queries lie, as a table, and which cells of it hold one."""
        start, number = (np.cumsum(self.number) - self.number)[which], self.number[which]
        width = np.arange(int(number.max(initial=0)))
        return start[:, None] + width, width < number[:, None]

    def table(self, which: Ints, fill: float = 0.0) -> Floats:
        """The values of some queries as rows, filled up at their ends."""
        place, inside = self.places(which)
        table = np.full(place.shape, fill)
        table[inside] = self.value[place[inside]]
        return table


def alike(number: Ints, room: int) -> Iterator[Ints]:
    """Queries of similar size together, so many that a table of them has `room` for their cells.

    >>> [part.tolist() for part in alike(np.array([3, 1, 9, 2]), 6)]
    [[1, 3], [0], [2]]
    """
    order = np.argsort(number, kind="stable")
    while len(order):
        cells = np.arange(1, len(order) + 1) * number[order]
        fitting = max(int(np.count_nonzero(cells <= room)), 1)
        yield order[:fitting]
        order = order[fitting:]
