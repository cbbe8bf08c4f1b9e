"""Rankings as stretches of ranks with the same credit, one after the other, query after query.

A document of credit is a stretch of its own; documents between without any are two, the last of
them and those before it, however many they are. So long runs with few judgments are short.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ndcg.diagnose.explaining.parts import Parts
from ndcg.diagnose.explaining.weights import Weights, weights_of
from ndcg.kernel import Bools, Floats, Ints, distinct, per_row, running
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure

_ROOM = 1 << 20  # documents that are looked at at once, or those of one query


class Stretches(NamedTuple):
    """The stretches of some queries; behind those of each stands one for the rank below all.

    Attributes
    ----------
    row : (n,) query, rising, from 0 on.
    rank : (n,) the first rank of the stretch.
    credit : (n,) of each of its documents.
    weight : (n,) of its first rank; never rising within a query.
    passed : (n,) the credit of all ranks above, each times the fall of the weight to the next.
    here : (n,) whether it is one of documents: not the rank below all.
    start : (n_queries,) where the stretches of a query begin.
    missing : (n_queries,) the best credit that is not retrieved; 0 if there is none.
    lost : (n_queries,) the row of its document in `Lists.ranked`; -1 if there is none.
    """

    row: Ints
    rank: Ints
    credit: Floats
    weight: Floats
    passed: Floats
    here: Bools
    start: Ints
    missing: Floats
    lost: Ints


def stretches(lists: Lists, measure: Measure, parts: Parts) -> Iterator[Stretches]:
    """All queries, some at a time."""
    weights, docs = weights_of(lists, measure), lists.ranked
    limit = weights.ideal_limit
    if lists.convention.depth != "all":
        limit = np.minimum(limit, int(lists.convention.depth))
    missing, lost = _lost(lists, parts, weights)
    number = per_row(docs.row, lists.n_queries).astype(np.int64)
    start = np.append(0, np.cumsum(number))
    share = (start[1:] + np.arange(lists.n_queries)) // _ROOM
    begins = np.flatnonzero(np.append(True, share[1:] != share[:-1])[: len(share)])
    for begin, end in pairwise([*begins.tolist(), lists.n_queries]):
        which = slice(begin, end)
        rows = slice(int(start[which.start]), int(start[which.stop]))
        yield _cut(docs.row[rows] - begin, parts.seat[rows], weights, rows, limit[which],
                   docs.returned[which], missing[which], lost[which])  # fmt: skip


def _cut(
    row: Ints, rank: Ints, weights: Weights, rows: slice, limit: Ints, returned: Ints,
    missing: Floats, lost: Ints,
) -> Stretches:  # fmt: skip
    """The ranking of each query, cut where credit changes and where ranks cease to count."""
    n, seen = len(returned), rank > 0
    own, place = _cuts(row[seen], rank[seen], limit, returned)
    stride, credit = int(place.max()) + 1, np.zeros(len(own))
    at = np.searchsorted(own * stride + place, row[seen] * stride + rank[seen])
    credit[at] = weights.credit[rows][seen]
    divisor = weights.divisor[np.minimum(place, len(weights.divisor) - 1)]
    weight = np.where(place <= limit[own], 1 / divisor, 0.0)
    here, start = place <= returned[own], np.searchsorted(own, np.arange(n))
    fall = np.where(here, weight - np.append(weight[1:], 0.0), 0.0)
    passed = np.append(0.0, running(np.add, credit * fall, own)[:-1])
    passed[start] = 0.0
    return Stretches(own, place, credit, weight, passed, here, start, missing, lost)


def _cuts(row: Ints, rank: Ints, limit: Ints, returned: Ints) -> tuple[Ints, Ints]:
    """Query and first rank of every stretch, given the ranks of the documents of each query.

    One begins at each document, before it and behind it; at the first rank, the first that does
    not count, the last, and below it.
    """
    stride = int(returned.max()) + 2
    query = np.arange(len(returned)) * stride
    last, document = np.minimum(limit, returned), row * stride
    key: Ints = distinct(np.concatenate([
        document + np.maximum(rank - 1, 1), document + rank, document + rank + 1,
        query + 1, query + np.minimum(last + 1, returned), query + returned, query + returned + 1,
    ]))  # fmt: skip
    key = key[key % stride > 0]  # the last rank of those that return nothing
    return key // stride, key % stride


def _lost(lists: Lists, parts: Parts, weights: Weights) -> tuple[Floats, Ints]:
    """The best credit of each query that is not retrieved, and the first row that has it."""
    docs, n = lists.ranked, lists.n_queries
    gone = np.flatnonzero((parts.seat == 0) & ~docs.copy)
    row, credit = docs.row[gone], weights.credit[gone]
    best, found = np.full(n, -np.inf), np.full(n, -1)
    np.maximum.at(best, row, credit)
    first = gone[credit == best[row]][::-1]
    found[docs.row[first]] = first
    return np.where(found >= 0, best, 0.0), found
