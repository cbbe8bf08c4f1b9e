"""What would help where a document counts by what stands above it: AP, RR and Success.

The document goes to the first rank that holds none that is relevant: any higher rank gives the
same order of relevant and other documents, any lower one less.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ndcg.diagnose.explaining.weights import ENDLESS
from ndcg.kernel import Floats, Ints, per_row, place_in_row, running
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure

if TYPE_CHECKING:
    from ndcg.diagnose.explaining.parts import Parts

Raw = tuple[Floats, Ints, Ints, Ints]  # gain in the sum, rank moved, rank it gets, missing row


class _Hits(NamedTuple):
    """The relevant documents that are retrieved, in order of query and rank."""

    row: Ints
    rank: Ints
    number: Ints  # 1-based, among those of its query
    free: Ints  # (n_queries,) the first rank without one of them
    start: Ints  # (n_queries,) where a query's hits begin
    end: Ints  # (n_queries,) and where they end


def ascents(lists: Lists, measure: Measure, parts: Parts) -> dict[str, Raw]:
    """The best swap, promotion and missing document of each query."""
    hits = _hits(lists, parts)
    lost = _lost(lists, parts)
    if measure.name != "AP":
        return _to_the_top(lists, parts, hits, lost)
    k = ENDLESS if measure.k is None else measure.k
    if lists.convention.depth != "all":
        k = min(k, int(lists.convention.depth))  # what is pushed past it is out of the run
    return {
        "swap": _best(lists, hits, _swapped(hits, k), k),
        "promotion": _best(lists, hits, _promoted(hits, k), k),
        "missing": _inserted(lists, hits, lost, k),
    }


def _hits(lists: Lists, parts: Parts) -> _Hits:
    docs, n = lists.ranked, lists.n_queries
    hit = np.flatnonzero((parts.credit > 0) & (parts.seat > 0))
    hit = hit[np.lexsort((parts.seat[hit], docs.row[hit]))]
    row, rank = docs.row[hit], parts.seat[hit]
    number = place_in_row(row)
    free = per_row(row, n, number == rank).astype(np.int64) + 1
    end = np.cumsum(per_row(row, n).astype(np.int64))
    return _Hits(row, rank, number, free, np.append(0, end[:-1])[:n], end)


def _lost(lists: Lists, parts: Parts) -> Ints:
    """The first relevant document of each query that is not retrieved, -1 where there is none."""
    docs, found = lists.ranked, np.full(lists.n_queries, -1)
    lost = np.flatnonzero((parts.credit > 0) & (parts.seat == 0) & ~docs.copy)
    lost = lost[np.argsort(docs.listed[lost], kind="stable")][::-1]
    found[docs.row[lost]] = lost  # of several, the last one stays: the first that is listed
    return found


def _to_the_top(lists: Lists, parts: Parts, hits: _Hits, lost: Ints) -> dict[str, Raw]:
    """The first relevant document at rank 1 gives all there is to have."""
    n = lists.n_queries
    left = 1.0 - per_row(lists.ranked.row, n, parts.adds)
    some = hits.end > hits.start
    first = np.zeros(n, np.int64)
    first[some] = hits.rank[hits.start[some]]
    none, top = np.full(n, -1), np.ones(n, np.int64)
    moved: Raw = (np.where(some, left, 0.0), first, top, none)
    return {"swap": moved, "promotion": moved,
            "missing": (np.where(lost >= 0, left, 0.0), np.zeros_like(top), top, lost)}  # fmt: skip


def _before(hits: _Hits, term: Floats) -> Floats:
    """The sum of the terms of hits behind the free rank and above each hit."""
    behind = np.where(hits.rank > hits.free[hits.row], term, 0.0)
    return running(np.add, behind, hits.row) - behind


def _own(hits: _Hits, k: int) -> Floats:
    """What every hit adds now."""
    return np.where(hits.rank <= k, hits.number / hits.rank, 0.0)


def _swapped(hits: _Hits, k: int) -> Floats:
    """By changing places with the first one that is not relevant: those between count one more."""
    return _before(hits, np.where(hits.rank <= k, 1 / hits.rank, 0.0)) - _own(hits, k)


def _shift(hits: _Hits, k: int) -> Floats:
    """What a hit gains that moves one rank down behind one more relevant document."""
    lower = np.where(hits.rank + 1 <= k, (hits.number + 1) / (hits.rank + 1), 0.0)
    return lower - _own(hits, k)


def _promoted(hits: _Hits, k: int) -> Floats:
    """By going up to the first one that is not relevant: those between move down by one."""
    return _before(hits, _shift(hits, k)) - _own(hits, k)


def _best(lists: Lists, hits: _Hits, change: Floats, k: int) -> Raw:
    """The hit that gains most, at the free rank, where precision is 1 then."""
    n, free = lists.n_queries, hits.free
    gain = np.where((hits.rank > free[hits.row]) & (free[hits.row] <= k), 1.0 + change, 0.0)
    best, moved = np.zeros(n), np.zeros(n, np.int64)
    np.maximum.at(best, hits.row, gain)
    at = np.flatnonzero((gain == best[hits.row]) & (gain > 0))[::-1]
    moved[hits.row[at]] = hits.rank[at]  # of several, the first
    return best, moved, free, np.full(n, -1)


def _inserted(lists: Lists, hits: _Hits, lost: Ints, k: int) -> Raw:
    n = lists.n_queries
    behind = hits.rank > hits.free[hits.row]
    change = per_row(hits.row[behind], n, _shift(hits, k)[behind])
    gain = np.where((lost >= 0) & (hits.free <= k), 1.0 + change, 0.0)
    return gain, np.zeros(n, np.int64), hits.free, lost
