"""Where the relevant documents of each query stand, and how many there are."""

from __future__ import annotations

import numpy as np

from ndcg.kernel import Floats, Ints, per_row
from ndcg.measures.lists import Lists


def relevant_judged(lists: Lists, rel: float) -> Floats:
    """How many relevant documents each query has, retrieved or not."""
    return lists.against.kept(("relevant", rel), lambda one: _relevant_judged(one, rel))


def _relevant_judged(lists: Lists, rel: float) -> Floats:
    docs = lists.ranked
    return per_row(docs.row, lists.n_queries, ~docs.copy & lists.relevant(rel))


def hits(lists: Lists, k: int | None, rel: float) -> Floats:
    """How many relevant documents each query has in the top k, or in all."""
    row, credit, rank = _credit(lists, k, rel)
    counted = rank > 0 if k is None else (rank > 0) & (rank <= k)
    return per_row(row[counted], lists.n_queries, credit[counted])


def hits_within(lists: Lists, limit: Ints, rel: float) -> Floats:
    """How many relevant documents each query has up to a rank of its own."""
    row, credit, rank = _credit(lists, None, rel)
    counted = (rank > 0) & (rank <= limit[row])
    return per_row(row[counted], lists.n_queries, credit[counted])


def hit_ranks(lists: Lists, k: int | None, rel: float) -> tuple[Ints, Ints]:
    """Query and rank of the relevant documents in the top k, in rank order."""
    row, relevant, rank = _credit(lists, k, rel)
    hit = (rank > 0) & (relevant > 0)
    if k is not None:
        hit &= rank <= k
    return row[hit], rank[hit]


def _credit(lists: Lists, k: int | None, rel: float) -> tuple[Ints, Floats, Ints]:
    """What stands in the ranking and is credited for being relevant, in rank order."""
    if lists.ties_open:
        return lists.laid_out(lists.relevant(rel), k)
    return lists.kept(("hits", rel), lambda one: _found(one, rel))


def _found(lists: Lists, rel: float) -> tuple[Ints, Floats, Ints]:
    docs = lists.ranked
    hit = docs.retrieved & lists.relevant(rel)
    row, rank = docs.row[hit], docs.rank[hit]
    return row, np.ones(len(row)), rank
