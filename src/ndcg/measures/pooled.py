"""Measures for incomplete judgments: they look at judged documents alone."""

from __future__ import annotations

import numpy as np

from ndcg.kernel import Floats, Ints, per_row, ratio, running_count
from ndcg.measures.hits import relevant_judged
from ndcg.measures.lists import Lists

LEAST = 0.00001  # what a value counts at least in a geometric mean
_EPSILON = 0.00001  # of infAP


def bpref_value(lists: Lists, _k: int | None, rel: float) -> Floats:
    """How seldom documents judged not relevant stand above relevant ones (Buckley, Voorhees)."""
    docs = lists.ranked
    here = docs.retrieved
    row, hit = docs.row[here], lists.relevant(rel)[here]
    above = running_count(lists.below(rel)[here], row)[hit]
    row = row[hit]
    relevant = relevant_judged(lists, rel)
    judged = per_row(docs.row[~docs.copy], lists.n_queries) - relevant
    most = np.minimum(judged, relevant)[row]
    worse = np.minimum(above, relevant[row])
    term = np.where(above > 0, 1.0 - worse / np.maximum(most, 1.0), 1.0)
    return ratio(per_row(row, lists.n_queries, term), relevant)


def floored_bpref_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """Bpref, at least 0.00001."""
    return floored(bpref_value(lists, k, rel))


def floored(value: Floats) -> Floats:
    """Values that a geometric mean can be taken of."""
    return np.maximum(value, LEAST)


def inferred_ap_value(lists: Lists, _k: int | None, rel: float) -> Floats:
    """AP as a sample of judgments lets expect it (Yilmaz and Aslam 2006)."""
    docs, pooled = lists.ranked, lists.pooled
    here = docs.retrieved
    row, rank, hit = docs.row[here], docs.rank[here], lists.relevant(rel)[here]
    relevant_above = running_count(hit, row) - hit
    others_above = running_count(lists.below(rel)[here], row)
    a, b = relevant_above[hit], others_above[hit]
    row, rank = row[hit], rank[hit]
    u = _below(pooled.row, pooled.rank, row, rank)
    j = np.maximum(rank - 1, 1).astype(np.float64)
    term = 1.0 / (j + 1.0) + j / (j + 1.0) * ((a + b + u) / j) * (
        (a + _EPSILON) / (a + b + 2 * _EPSILON)
    )
    term = np.where(rank == 1, 1.0, term)
    return ratio(per_row(row, lists.n_queries, term), relevant_judged(lists, rel))


def _below(of_row: Ints, of_rank: Ints, row: Ints, rank: Ints) -> Ints:
    """How many of some documents stand above each place."""
    stride = int(max(of_rank.max(initial=0), rank.max(initial=0))) + 1
    keys = np.sort(of_row * stride + of_rank)
    return np.searchsorted(keys, row * stride + rank) - np.searchsorted(keys, row * stride)
