"""Runs as tables: columns of Polars, or blocks of rows that are streamed from a file.

Nothing of a run is kept but where its judged documents stand, so memory does not grow with it. One
pass serves all; a query whose rows do not stand together is collected in a second one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import chain

import numpy as np

from ndcg.align import key_of
from ndcg.convention import Convention
from ndcg.errors import DataError
from ndcg.stores.blocks import Block, Blocks, grouped, joined, whole_queries
from ndcg.stores.given import Judged, Overlay, Rankings
from ndcg.stores.placing import BlockLaying

_SAMPLE = 500_000  # documents that a message about ids looks at


class TableRankings(Rankings):
    """A run as blocks of rows that can be read again.

    Parameters
    ----------
    blocks
        The rows. They are read once for everything if `prepare` foresees what `align` is asked.
    name
        What messages call the run.
    """

    def __init__(self, blocks: Blocks, name: str = "run") -> None:
        self.blocks, self.name = blocks, name
        self._rows: dict[str, int] | None = None  # of each query, in order of appearance
        self._scattered: set[str] = set()  # queries whose rows do not stand together
        self._first: tuple[str, list[float]] | None = None  # scores of the first judged query
        self._prepared: BlockLaying | None = None  # what was foreseen, finished when asked for

    @property
    def queries(self) -> Collection[str]:
        """The ids of the queries that the run lists."""
        return self._counted().keys()

    def has(self, column: str) -> bool:
        """Whether there are ``scores`` or ``ranks``."""
        if column == "ranks" and self.blocks.has("scores"):
            self._counted()  # only then it is known whether all ranks can be used
        return self.blocks.has(column)

    def check_order(self, order_by: str) -> None:
        """Refuse an order that the run has no column for, or a broken one."""
        self._counted()
        if order_by == "rank" and self.blocks.rank_fault is not None:
            raise DataError(self.blocks.rank_fault)
        super().check_order(order_by)

    def documents(self, query: str) -> Collection[str]:
        """The documents listed for a query; they are read when they are looked at."""
        return _Documents(self, query, self._counted().get(query, 0))

    def documents_of(self, queries: Collection[str]) -> dict[str, list[str]]:
        """The documents listed for some queries, in one pass that ends with the last of them."""
        found: dict[str, list[str]] = {query: [] for query in queries}
        left = sum(self._counted().get(query, 0) for query in found)
        for block in self.blocks if left else ():
            for at in (at for at, query in enumerate(block.queries) if query in found):
                rows = block.stretches(at, at + 1).documents.to_list()
                found[block.queries[at]] += rows
                left -= len(rows)
            if not left:
                break
        return found

    def scores(self, query: str) -> Iterable[float]:
        """The scores listed for a query."""
        if self._first is not None and self._first[0] == query:
            return self._first[1]
        parts = (block.scores for block in self.rows_of(query))
        return chain.from_iterable(part.tolist() for part in parts if part is not None)

    def sample(self, queries: Iterable[str]) -> set[str]:
        """The documents listed for some queries, those of the first rows if they are many."""
        chosen, found = {*queries}, set[str]()
        for block in self.blocks:
            keep = np.array([query in chosen for query in block.queries], bool)
            found.update(block.only(keep).documents.to_list())
            if len(found) > _SAMPLE:
                break
        return found

    def prepare(self, judged: Judged | None, convention: Convention) -> None:
        """Read the run, and lay it over the judgments on the way; see `Rankings.prepare`."""
        if self._rows is not None or judged is None:
            self._counted()
            return
        self._prepared = self._laying(judged, convention)
        self._first_pass(self._prepared)

    def align(self, judged: Judged, convention: Convention) -> Overlay:
        """Lay the run over the judgments; see `Rankings.align`."""
        self.check_order(convention.order_by)
        laying = self._prepared
        if self._scattered or laying is None or not _foreseen(laying, judged, convention):
            laying = self._laying(judged, convention)
            self._place(laying)
        laying.name, laying.spare = self.name, self.spare
        return laying.finished()

    def rows_of(self, query: str) -> Iterator[Block]:
        """The rows of one query, block by block."""
        left = self._counted().get(query, 0)
        for block in self.blocks if left else ():
            if query in block.queries:
                own = block.only(np.array([one == query for one in block.queries]))
                left -= len(own.documents)
                yield own
            if not left:
                return

    def _counted(self) -> dict[str, int]:
        if self._rows is None:
            self._first_pass(None)
        return self._rows or {}

    def _first_pass(self, laying: BlockLaying | None) -> None:
        """Count the rows of each query, and place them while every query stands together."""
        rows: dict[str, int] = {}
        with np.errstate(over="ignore"):  # past the largest float32 all scores tie, as in C
            for block in whole_queries(self.blocks):
                for query, length in zip(block.queries, block.lengths.tolist(), strict=True):
                    if query in rows:
                        self._scattered.add(query)
                    rows[query] = rows.get(query, 0) + length
                if laying is not None and not self._scattered and laying.can_order(block):
                    laying.place(block)
                    self._keep_scores(block, laying)
        self._rows = rows
        self.name = self.blocks.name or self.name
        if self._scattered:
            self._first = None
            self.blocks.scattered(len(self._scattered))

    def _keep_scores(self, block: Block, laying: BlockLaying) -> None:
        """Keep the scores that a notice will ask for, which would cost another pass."""
        judged = [query for query in block.queries if query in laying.number]
        first = min(judged, default=None)
        if first is not None and (self._first is None or first < self._first[0]):
            at = block.queries.index(first)
            scores = block.stretches(at, at + 1).scores
            self._first = (first, [] if scores is None else scores.tolist())

    def _laying(self, judged: Judged, convention: Convention) -> BlockLaying:
        return BlockLaying(judged, self.name, self.blocks.locate, convention)

    def _place(self, laying: BlockLaying) -> None:
        """The pass that places all queries; those that do not stand together come last."""
        aside: list[Block] = []
        with np.errstate(over="ignore"):
            for block in whole_queries(self.blocks):
                judged = np.array([query in laying.number for query in block.queries], bool)
                apart = np.array([query in self._scattered for query in block.queries], bool)
                laying.place(block.only(judged & ~apart))
                if (judged & apart).any():
                    aside.append(block.only(judged & apart))
            if aside:
                laying.place(grouped(joined(aside)))


def _foreseen(laying: BlockLaying, judged: Judged, convention: Convention) -> bool:
    """Whether the alignment that was prepared is the one that is asked for."""
    mine = laying.judged
    same = mine is judged or (
        mine.queries == judged.queries
        and [*mine.documents] == [*judged.documents]
        and np.array_equal(mine.grades, judged.grades)
    )
    return same and key_of(laying.convention) == key_of(convention)


class _Documents(Collection[str]):
    """The documents of a query, of which the number is known and the rest is read when needed."""

    def __init__(self, rankings: TableRankings, query: str, number: int) -> None:
        self.rankings, self.query, self.number = rankings, query, number

    def __len__(self) -> int:
        return self.number

    def __iter__(self) -> Iterator[str]:
        for block in self.rankings.rows_of(self.query):
            yield from block.documents.to_list()

    def __contains__(self, document: object) -> bool:
        return any(one == document for one in self)
