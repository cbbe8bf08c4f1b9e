"""Runs as blocks of rows: what a stream hands over, and blocks cut so that queries are whole."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ndcg.errors import Place, Problem
from ndcg.kernel import Bools, Floats, Ints

if TYPE_CHECKING:
    from polars import DataFrame, Series


class Block(NamedTuple):
    """Some rows of a run, in listed order; neighbouring rows of one query are a stretch."""

    queries: list[str]  # of each stretch
    begins: Ints  # the first row of each stretch
    documents: Series  # (n_rows,) text without nulls
    scores: Floats | None
    ranks: Floats | None

    @property
    def lengths(self) -> Ints:
        """How many rows each stretch has."""
        return np.diff(self.begins, append=len(self.documents))

    def stretches(self, start: int, stop: int) -> Block:
        """Some neighbouring stretches, without a copy."""
        last = len(self.documents) if stop == len(self.queries) else int(self.begins[stop])
        first = last if start == stop else int(self.begins[start])
        rows = slice(first, last)
        return Block(
            self.queries[start:stop],
            self.begins[start:stop] - first,
            self.documents[rows],
            None if self.scores is None else self.scores[rows],
            None if self.ranks is None else self.ranks[rows],
        )

    def only(self, keep: Bools) -> Block:
        """The stretches that are kept."""
        if keep.all():
            return self
        lengths = self.lengths
        rows = np.repeat(keep, lengths)
        return Block(
            [query for query, kept in zip(self.queries, keep.tolist(), strict=True) if kept],
            _begins(lengths[keep]),
            self.documents.filter(rows),
            None if self.scores is None else self.scores[rows],
            None if self.ranks is None else self.ranks[rows],
        )


class Blocks(ABC):
    """A run that can be read again and again, a block of rows at a time."""

    # Known after the first pass:
    rank_fault: Problem | None = None  # why the ranks cannot be used
    name: str | None = None  # what the run calls itself

    @abstractmethod
    def __iter__(self) -> Iterator[Block]:
        """All rows, in the order in which they are listed."""

    @abstractmethod
    def has(self, column: str) -> bool:
        """Whether there are ``scores`` or ``ranks``; certain after the first pass."""

    def locate(self, query: str, document: str) -> Sequence[Place]:  # noqa: ARG002 -- for files
        """Where a pair stands in the file that the run came from."""
        return ()

    def are_plain(self, width: int) -> bool:  # noqa: ARG002 -- for files
        """Whether all rows have so many columns and nothing that is left out or unquoted."""
        return False

    def scattered(self, queries: int) -> None:  # noqa: B027 -- most need not say it
        """Some queries come back after others: their rows are held in memory."""


def block_of(frame: DataFrame) -> Block:
    """A frame with columns query and document, and score or rank or both, as a block."""
    queries = frame["query"]
    begins = np.flatnonzero((queries[1:] != queries[:-1]).to_numpy()) + 1
    begins = np.append(0, begins) if len(queries) else begins
    numbers = {
        name: frame[name].to_numpy() if name in frame.columns else None
        for name in ("score", "rank")
    }
    return Block(
        queries.gather(begins).to_list(), begins, frame["document"], numbers["score"],
        numbers["rank"],
    )  # fmt: skip


def whole_queries(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same rows in blocks that no stretch reaches across."""
    carried: list[Block] = []
    for given in blocks:
        block = given
        if not block.queries:
            continue
        if carried and carried[0].queries[0] == block.queries[0]:
            carried.append(block.stretches(0, 1))
            if len(block.queries) == 1:
                continue
            block = block.stretches(1, len(block.queries))
        if carried:
            yield joined(carried)
        last = len(block.queries) - 1
        if last:
            yield block.stretches(0, last)
        carried = [block.stretches(last, last + 1)]
    if carried:
        yield joined(carried)


def joined(parts: Sequence[Block]) -> Block:
    """The rows of all parts as one block; a stretch that goes on becomes one."""
    import polars as pl

    if len(parts) == 1:
        return parts[0]
    queries = [query for part in parts for query in part.queries]
    begins = _begins(np.concatenate([part.lengths for part in parts]))
    new = np.array([True, *(one != other for one, other in pairwise(queries))])
    return Block(
        [query for query, is_new in zip(queries, new.tolist(), strict=True) if is_new],
        begins[new],
        pl.concat([part.documents for part in parts]),
        _together([part.scores for part in parts]),
        _together([part.ranks for part in parts]),
    )


def grouped(block: Block) -> Block:
    """The same rows ordered by the first appearance of their query; rows of one stay in order."""
    number: dict[str, int] = {}
    of_stretch = [number.setdefault(query, len(number)) for query in block.queries]
    of_row = np.repeat(np.array(of_stretch, np.int64), block.lengths)
    order = np.argsort(of_row, kind="stable")
    return Block(
        [*number],
        _begins(np.bincount(of_row, minlength=len(number))),
        block.documents.gather(order),
        None if block.scores is None else block.scores[order],
        None if block.ranks is None else block.ranks[order],
    )


def _together(columns: Sequence[Floats | None]) -> Floats | None:
    """One column, or None where some part has none."""
    here = [column for column in columns if column is not None]
    return np.concatenate(here) if len(here) == len(columns) else None


def _begins(lengths: Ints) -> Ints:
    """Where each stretch begins when they lie side by side."""
    return np.cumsum(lengths) - lengths


def ranges(start: Ints, length: Ints) -> Ints:
    """The numbers from each start on, as many as each length says.

    >>> ranges(np.array([5, 0]), np.array([2, 3]))
    array([5, 6, 0, 1, 2])
    """
    ends = np.cumsum(length)
    total = int(ends[-1]) if len(ends) else 0
    numbers: Ints = np.arange(total) + np.repeat(start - (ends - length), length)
    return numbers
