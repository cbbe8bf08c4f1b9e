"""What a run's rank column tells beside its scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ndcg.errors import Notice, count, listed, note
from ndcg.kernel import Floats, Ints
from ndcg.stores.given import Listing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ndcg.stores.blocks import Block


class RankLook:
    """How the ranks start, and in which queries they contradict the scores."""

    def __init__(self) -> None:
        self.low, self.high = np.inf, -np.inf
        self.several = False  # whether some query has more than one row
        self.odd: dict[str, None] = {}
        self._last: dict[str, tuple[float, float]] = {}  # rank and score of each query

    def listing(self, query: str, ranks: Floats, scores: Floats) -> None:
        """Look at all rows of a query."""
        self._rows([query], np.zeros(1, np.int64), ranks, scores)

    def block(self, block: Block) -> None:
        """Look at some rows, of queries that may come back; nothing without both columns."""
        if block.ranks is not None and block.scores is not None and block.queries:
            self._rows(block.queries, block.begins, block.ranks, block.scores)

    @np.errstate(over="ignore", invalid="ignore")
    def _rows(self, queries: Sequence[str], begins: Ints, ranks: Floats, scores: Floats) -> None:
        self.low, self.high = min(self.low, ranks.min()), max(self.high, ranks.max())
        against = np.append(False, np.diff(ranks) * np.diff(scores) > 0)
        against[begins] = False
        within = np.searchsorted(begins, np.flatnonzero(against), side="right") - 1
        odd = {*within.tolist()}
        odd |= self._out_of_order(begins, ranks, scores)
        ends = [*begins[1:].tolist(), len(ranks)]
        self.several |= len(queries) < len(ranks)
        for at, (query, begin, end) in enumerate(zip(queries, begins.tolist(), ends, strict=True)):
            before = self._last.get(query)
            if before is not None:
                self.several = True
                rank, score = before
                if (ranks[begin] - rank) * (scores[begin] - score) > 0:
                    odd.add(at)
            self._last[query] = float(ranks[end - 1]), float(scores[end - 1])
        self.odd.update((queries[at], None) for at in sorted(odd))

    @staticmethod
    def _out_of_order(begins: Ints, ranks: Floats, scores: Floats) -> set[int]:
        """Which stretches that are not listed by rank contradict the scores."""
        falling = np.append(False, np.diff(ranks) < 0)
        falling[begins] = False
        stretch = np.searchsorted(begins, np.flatnonzero(falling), side="right") - 1
        found = set()
        for at in dict.fromkeys(stretch.tolist()):
            end = begins[at + 1] if at + 1 < len(begins) else len(ranks)
            order = begins[at] + np.argsort(ranks[begins[at] : end], kind="stable")
            if (np.diff(ranks[order]) * np.diff(scores[order]) > 0).any():
                found.add(at)
        return found

    def notices(self) -> list[Notice]:
        """What is to be said; nothing where no query had both ranks and scores."""
        if not self._last:
            return []
        if self.low == self.high and self.several:
            return [
                note(f"the rank column is all {self.low:.0f}; scores decide the order", rule="R08")
            ]
        found = [note("ranks start at 0; scores decide the order")] if self.low == 0 else []
        if self.odd:
            odd = [query for query in self._last if query in self.odd]  # as the run lists them
            which = f"{count(len(odd), 'query', 'queries')} ({listed(odd)})"
            what = f"rank order differs from score order in {which}; scores decide"
            found.append(note(what, "--order-by rank follows the rank column", "R02"))
        return found


def rank_notes(given: Mapping[str, Listing]) -> list[Notice]:
    """What the ranks of a run tell, query by query."""
    look = RankLook()
    for query, one in given.items():
        if one.ranks is not None and one.scores is not None and len(one.documents):
            look.listing(query, np.asarray(one.ranks), np.asarray(one.scores))
    return look.notices()
