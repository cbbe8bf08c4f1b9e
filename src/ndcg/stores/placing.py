"""Blocks of rows laid over the judgments, all queries of a block at once.

Documents are compared as 64-bit keys of query and id. What is found by them is verified by the ids
themselves, and queries in which two keys are equal are worked out row by row, so a collision of
two ids costs time and never a number.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcg.align import LISTED_TIES
from ndcg.convention import Convention
from ndcg.kernel import Bools, Floats, Ints
from ndcg.stores.blocks import Block, ranges
from ndcg.stores.given import Judged, Keys, Locate
from ndcg.stores.laying import Laying, sort_keys

_Hashes = NDArray[np.uint64]
_Rows = NDArray[np.int32]

_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, so that different queries shift by different amounts
_ROOM = 8  # places per row in tables addressed by keys: few rows share a place
_SEED = 20260501


def hashes(texts: object) -> _Hashes:
    """A 64-bit hash of each text of a Polars column."""
    found: _Hashes = texts.hash(_SEED).to_numpy()  # type: ignore[attr-defined]
    return found


class Hits(NamedTuple):
    """Listed documents that were looked for."""

    sought: Ints  # number of the judgment
    row: Ints
    stretch: Ints


class BlockLaying(Laying):
    """Lays whole queries over the judgments, a block at a time, in any order of the queries."""

    def __init__(
        self, judged: Judged, name: str, locate: Locate | None, convention: Convention
    ) -> None:
        import polars as pl

        super().__init__(judged, name, locate, convention)
        self.missing[:] = True
        self.table = np.zeros(0, np.int32)  # used again and again: a new one would cost more
        self.number = {query: number for number, query in enumerate(judged.queries)}
        flat = [document for documents in judged.documents for document in documents]
        self.documents = pl.Series(flat, dtype=pl.String)
        self.ids = pl.Series(judged.queries, dtype=pl.String)
        self.document_hash, self.query_hash = hashes(self.documents), hashes(self.ids)

    def can_order(self, block: Block) -> bool:
        """Whether the block has the column that orders its rows."""
        column = {"score": block.scores, "rank": block.ranks}
        return column.get(self.convention.order_by, block.begins) is not None

    def place(self, block: Block) -> None:
        """Place the rows of some queries, each of which stands here with all its rows."""
        numbers = np.array([self.number.get(query, -1) for query in block.queries], np.int64)
        block, numbers = block.only(numbers >= 0), numbers[numbers >= 0]
        self.missing[numbers] = False
        raw = self._raw(block)
        if not np.isfinite(raw).all():
            block, numbers, raw = self._without_faulty(block, numbers, raw)
        if not len(numbers):
            return
        keys = sort_keys(raw, self.convention)
        lengths, stretch = block.lengths, _stretch(block)
        hashed = hashes(block.documents) + stretch.astype(np.uint64) * _SPREAD
        if len(self.table) < _ROOM * len(hashed):
            self.table = np.zeros(_size(len(hashed)), np.int32)
        odd = _repeated(hashed, stretch, len(numbers), self.table)
        hits, itself = self._found(block, numbers, hashed)
        if self.convention.self_match == "drop":
            odd[itself] = True
        self.self_matches += int((~odd[itself]).sum())
        self.columns.returned[numbers] = self.columns.distinct[numbers] = lengths
        self._rank(block, stretch, keys, Hits(*(part[~odd[hits.stretch]] for part in hits)))
        for at in np.flatnonzero(odd).tolist():
            self._place_odd(block, int(numbers[at]), at, keys)

    def _raw(self, block: Block) -> Floats:
        """What orders each row."""
        found = {"score": block.scores, "rank": block.ranks}.get(self.convention.order_by)
        if found is not None:
            return found
        position = np.arange(len(block.documents)) - np.repeat(block.begins, block.lengths)
        return position.astype(np.float64)

    def _without_faulty(
        self, block: Block, numbers: Ints, raw: Floats
    ) -> tuple[Block, Ints, Floats]:
        """Note the queries with values that are no finite numbers, and leave them out."""
        faulty = np.zeros(len(numbers), bool)
        faulty[_stretch(block)[~np.isfinite(raw)]] = True
        for at in np.flatnonzero(faulty).tolist():
            one = block.stretches(at, at + 1)
            self.note_scores(int(numbers[at]), one.documents.to_list(), self._raw(one).tolist())
        block = block.only(~faulty)
        return block, numbers[~faulty], self._raw(block)

    def _place_odd(self, block: Block, number: int, at: int, keys: Keys) -> None:
        """Place one query row by row."""
        first = int(block.begins[at])
        names = block.stretches(at, at + 1).documents.to_list()
        self.self_matches += self.judged.queries[number] in names
        self.columns.returned[number] = self.columns.distinct[number] = 0
        self.place_listed(number, names, keys[first : first + len(names)])

    def _found(self, block: Block, numbers: Ints, hashed: _Hashes) -> tuple[Hits, Ints]:
        """The rows that hold judged documents, and the stretches that list their own query."""
        start, n_judged = self.judged.start[numbers], np.diff(self.judged.start)[numbers]
        judgment = ranges(start, n_judged)
        stretches = np.arange(len(numbers))
        of_judgment = np.repeat(stretches, n_judged)
        stretch = np.concatenate([of_judgment, stretches])
        sought = np.concatenate([self.document_hash[judgment], self.query_hash[numbers]])
        row = _rows_of(sought + stretch.astype(np.uint64) * _SPREAD, hashed)
        wanted = self.documents.gather(judgment).append(self.ids.gather(numbers))
        here = np.flatnonzero(row >= 0)
        same = (block.documents.gather(row[here]) == wanted.gather(here)).to_numpy()
        here = here[same]
        of_document = here[here < len(judgment)]
        hits = Hits(judgment[of_document], row[of_document], stretch[of_document])
        return hits, stretch[here[here >= len(judgment)]]

    def _rank(self, block: Block, stretch: Ints, keys: Keys, hits: Hits) -> None:
        """Fill in first rank, size and offset of the judged documents that were found."""
        order = _order(keys, block.begins, stretch)
        at, sorted_keys = hits.row, keys
        if order is not None:
            place = np.empty(len(order), np.int64)
            place[order] = np.arange(len(order))
            at, sorted_keys = place[hits.row], keys[order]
        new = np.append(True, sorted_keys[1:] != sorted_keys[:-1])
        new[block.begins] = True
        heads = np.flatnonzero(new)
        group = np.searchsorted(heads, at, side="right") - 1
        size = np.diff(heads, append=len(keys))
        columns = self.columns
        columns.first[hits.sought] = heads[group] - block.begins[hits.stretch] + 1
        columns.size[hits.sought] = size[group]
        tied = size[group] > 1
        if not tied.any():
            return
        if self.convention.ties in LISTED_TIES:
            within = (at - heads[group])[tied]
            if self.convention.ties == "reversed":
                within = size[group][tied] - 1 - within
        else:
            within = self._within(block, order, heads, size, at[tied], group[tied])
        columns.offset[hits.sought[tied]] = within

    def _within(
        self, block: Block, order: Ints | None, heads: Ints, size: Ints, at: Ints, group: Ints
    ) -> Ints:
        """The place of rows within their tie groups, by byte order of the ids."""
        import polars as pl

        used = np.zeros(len(heads), bool)
        used[group] = True
        of_used = np.cumsum(used) - 1
        begin, length = heads[used], size[used]
        member = ranges(begin, length)
        rows = member if order is None else order[member]
        number = np.repeat(np.arange(len(begin)), length)
        frame = pl.DataFrame({"group": number, "document": block.documents.gather(rows)})
        rising = frame.select(pl.arg_sort_by("group", "document")).to_series().to_numpy()
        mine = np.cumsum(length) - length  # where the members of each group begin
        place = np.empty(len(rows), np.int64)
        place[rising] = np.arange(len(rows)) - mine[number]
        within: Ints = place[mine[of_used[group]] + at - heads[group]]
        return size[group] - 1 - within if self.convention.ties == "docid_desc" else within


def _stretch(block: Block) -> Ints:
    """The number of each row's stretch."""
    return np.repeat(np.arange(len(block.begins)), block.lengths)


def _order(keys: Keys, begins: Ints, stretch: Ints) -> Ints | None:
    """The rows by stretch and falling key, tied ones as listed; None if they lie so already."""
    rising = np.append(False, keys[1:] > keys[:-1])
    rising[begins] = False
    if not rising.any():
        return None
    unsorted = np.zeros(len(begins), bool)
    unsorted[stretch[rising]] = True
    order = np.arange(len(keys))
    rows = np.flatnonzero(unsorted[stretch])
    order[rows] = rows[np.lexsort((-keys[rows], stretch[rows]))]
    return order


def _repeated(hashed: _Hashes, stretch: Ints, n_stretches: int, table: _Rows) -> Bools:
    """The stretches in which two rows have the same key.

    Every row writes its number into the place that its key addresses. Rows that read another's
    number there are few, and only they and those others are sorted.
    """
    odd = np.zeros(n_stretches, bool)
    place = _places(hashed, len(table))
    rows = np.arange(len(hashed), dtype=np.int32)
    table[place] = rows
    there = table[place]
    displaced = np.flatnonzero(there != rows)
    suspected = np.zeros(len(hashed), bool)
    suspected[displaced] = suspected[there[displaced]] = True
    suspects = np.flatnonzero(suspected)
    suspects = suspects[np.argsort(hashed[suspects])]
    equal = hashed[suspects[1:]] == hashed[suspects[:-1]]
    odd[stretch[suspects[1:][equal]]] = True
    odd[stretch[suspects[:-1][equal]]] = True
    return odd


def _size(number: int) -> int:
    """The size of a table for so many keys."""
    return 1 << (number * _ROOM).bit_length()


def _places(hashed: _Hashes, size: int) -> Ints:
    """The place of each key in a table whose size is a power of two: its first bits."""
    return (hashed >> np.uint64(65 - size.bit_length())).view(np.int64)


def _rows_of(sought: _Hashes, hashed: _Hashes) -> Ints:
    """The row that has each key, or -1."""
    marked = np.zeros(_size(len(sought)), bool)
    marked[_places(sought, len(marked))] = True
    candidates = np.flatnonzero(marked[_places(hashed, len(marked))])
    if not len(candidates):
        return np.full(len(sought), -1)
    candidates = candidates[np.argsort(hashed[candidates])]
    keys = hashed[candidates]
    at = np.minimum(np.searchsorted(keys, sought), len(keys) - 1)
    return np.where(keys[at] == sought, candidates[at], -1)
