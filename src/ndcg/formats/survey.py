"""What is to be said about a run that is read block by block, gathered in its first pass."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ndcg.errors import SHOWN, DataError, Place, Problem, Problems
from ndcg.formats import trec
from ndcg.formats.source import Input
from ndcg.formats.trec_layouts import Layout
from ndcg.stores.blocks import Block
from ndcg.stores.ranks import RankLook

if TYPE_CHECKING:
    from polars import Series


class Survey:
    """Counts and faults of the whole file; said in the order in which `trec.run` says them."""

    def __init__(self, found: Input, layout: Layout) -> None:
        self.input, self.layout = found, layout
        self.has_scores = layout.number != layout.rank
        self.word = "score" if self.has_scores else "rank"
        self.rows = self.comments = self.quoted = 0
        self.quoted_line: int | None = None
        self.marked: dict[str, None] = {}
        self.widths, self.faults = Problems(), Problems()
        self.rank_fault: Problem | None = None
        self.queries: dict[str, str] = {}  # with the tag of the first row
        self.tags: dict[str, None] = {}
        self.clash: tuple[str, Place] | None = None
        self.ranks = RankLook()

    def part(self, part: trec.Table, quoted: list[int]) -> None:
        """What the row reader found in a block."""
        self.comments += part.comments
        self.marked.update(part.marked)
        if quoted and not self.quoted:
            self.quoted_line = part.lines.place(quoted[0]).line
        self.quoted += len(quoted)

    def block(self, block: Block, tags: Series | None, place: Callable[[int], Place]) -> None:
        """What the rows of a block tell, however they were read."""
        self.rows += len(block.documents)
        if tags is None:
            self.queries.update(dict.fromkeys(block.queries, ""))
        else:
            self._note_tags(block, tags, place)
        if self.rank_fault is None:
            self.ranks.block(block)

    def finish(self) -> str | None:
        """Raise what is wrong; else say what is to be said, and tell the run's name."""
        both = [*self.widths.first, *self.faults.first][:SHOWN]
        if both:
            raise DataError(both, total=self.widths.total + self.faults.total)
        if self.clash is not None:
            raise trec.two_systems(self.clash[0], self.tags, self.clash[1])
        if self.rank_fault is not None and not self.has_scores:
            raise DataError(self.rank_fault)
        trec.note_comments(self.input, self.comments, self.marked)
        if self.quoted:
            trec.note_quoted(self.input, self.word, self.quoted, self.quoted_line)
        if len(self.tags) > 1:
            trec.note_tags(self.input, self.tags)
        self._say_ranks()
        trec.describe(self.input, self.layout, self.rows, len(self.queries))
        return next(iter(self.tags)) if len(self.tags) == 1 else None

    def _note_tags(self, block: Block, tags: Series, place: Callable[[int], Place]) -> None:
        """Note the tags, and the first row whose tag is not that of its query."""
        import polars as pl

        first = tags[0]
        one = bool((tags == first).all())
        self.tags.update(dict.fromkeys([first] if one else tags.unique(maintain_order=True)))
        firsts = [first] * len(block.queries) if one else tags.gather(block.begins).to_list()
        expected = [
            self.queries.setdefault(query, tag)
            for query, tag in zip(block.queries, firsts, strict=True)
        ]
        if self.clash is not None or (one and expected == firsts):
            return
        stretch = np.repeat(np.arange(len(block.begins)), block.lengths)
        differs = tags != pl.Series(expected, dtype=pl.String).gather(stretch)
        if differs.any():
            row = int(differs.arg_true()[0])
            self.clash = (block.queries[stretch[row]], place(row))

    def _say_ranks(self) -> None:
        if self.rank_fault is not None:
            trec.note_unusable_ranks(self.input, self.rank_fault)
        elif self.has_scores:
            for notice in self.ranks.notices():
                self.input.note(notice.what, notice.help, notice.rule or "F05")
