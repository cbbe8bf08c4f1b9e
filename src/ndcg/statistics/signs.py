"""Signs that are drawn by counting: the same for a seed, a draw and a query, whoever asks when.

All pairs of a family share them, and no draw depends on the one before, so that neither the number
of threads nor the order of the pairs changes a digit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ndcg.errors import Problem, UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SEEDS = 2**64

_WORD = 64  # signs in a word of random bits
_COUNTED = 4  # words by which a counter of Philox moves on
_NUMBERS = 1 << 22  # of a block; it decides memory, never a value


def refuse_draws(draws: int, seed: int) -> None:
    """Refuse numbers of draws and seeds that nothing can be drawn with."""
    if draws < 1 or not 0 <= seed < _SEEDS:
        what = f"{draws} draws with seed {seed} cannot be made"
        raise UsageError(Problem("usage", what, help="1 draw or more, a seed from 0 to 2^64 - 1"))


class Flips(NamedTuple):
    """Draws of signs for queries, numbered in byte order of their ids."""

    seed: int
    draws: int
    queries: int

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """Some draws at a time: (n, queries), 1 where the sign of a query is changed, else 0."""
        step = max(1, _NUMBERS // max(self.queries, 1))
        for first in range(0, self.draws, step):
            yield self.block(first, min(step, self.draws - first))

    def block(self, first: int, number: int) -> NDArray[np.float64]:
        """The draws from `first` on."""
        words = -(-self.queries // _WORD)
        counters = -(-words // _COUNTED)  # each draw begins at a counter of its own
        bits = np.random.Philox(key=self.seed, counter=first * counters)
        raw = bits.random_raw(number * counters * _COUNTED).reshape(number, -1)[:, :words]
        little = np.ascontiguousarray(raw).astype("<u8", copy=False).view(np.uint8)
        single = np.unpackbits(little.reshape(number, -1), axis=1, bitorder="little")
        return single[:, : self.queries].astype(np.float64)
