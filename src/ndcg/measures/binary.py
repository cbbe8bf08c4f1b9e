"""Precision, recall, average precision, reciprocal rank and success: relevant or not."""

from __future__ import annotations

import numpy as np

from ndcg.kernel import (
    Bools,
    Floats,
    Ints,
    groups,
    per_row,
    place_in_row,
    places,
    ratio,
    running_count,
    running_product,
)
from ndcg.measures.hits import hit_ranks, hits, relevant_judged
from ndcg.measures.lists import Lists


def precision_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """Relevant documents in the top k over k; without k, over the number returned."""
    found = hits(lists, k, rel)
    return found / k if k is not None else ratio(found, lists.ranked.returned.astype(np.float64))


def recall_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """Relevant documents in the top k over all relevant judged documents."""
    return ratio(hits(lists, k, rel), relevant_judged(lists, rel))


def average_precision_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """Precision at the rank of each relevant document in the top k, over all relevant ones."""
    if lists.convention.ties == "expected":
        row, _, term = expected_precisions(lists, k, rel)
    else:
        row, rank = hit_ranks(lists, k, rel)
        term = place_in_row(row) / rank
    return ratio(per_row(row, lists.n_queries, term), relevant_judged(lists, rel))


def reciprocal_rank_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """One over the rank of the first relevant document in the top k, else 0."""
    if lists.convention.ties == "expected":
        row, rank, chance = first_hit_chances(lists, k, rel)
        return per_row(row, lists.n_queries, chance / rank)
    row, rank = hit_ranks(lists, k, rel)
    head = place_in_row(row) == 1
    return per_row(row[head], lists.n_queries, 1 / rank[head])


def success_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """Whether a relevant document is in the top k."""
    if lists.convention.ties != "expected":
        return (hits(lists, k, rel) > 0).astype(np.float64)
    return _expected_success(lists, k, rel)


def nothing_relevant(lists: Lists, _k: int | None, rel: float) -> Bools:
    """Queries without a judged document of grade >= rel."""
    docs = lists.judged
    found = per_row(docs.row, lists.n_queries, ~docs.copy & (docs.grade >= rel))
    return np.equal(found, 0)


def _hit_groups(lists: Lists, rel: float) -> tuple[Ints, Ints, Ints, Ints]:
    """Row, first rank, size and number of relevant documents of the tie groups that have some."""
    docs = lists.ranked
    hit = docs.retrieved & lists.relevant(rel)
    order = np.lexsort((docs.first[hit], docs.row[hit]))
    row, first, size = (part[hit][order] for part in (docs.row, docs.first, docs.size))
    group, head = groups(row, first)
    return row[head], first[head], size[head], np.bincount(group, minlength=len(head))


def _limit(lists: Lists, k: int | None) -> Ints:
    returned = lists.ranked.returned
    return returned if k is None else np.minimum(returned, k)


def expected_precisions(lists: Lists, k: int | None, rel: float) -> tuple[Ints, Ints, Floats]:
    """Query, rank, and what it adds to the expected sum of precisions (McSherry, Najork 2008)."""
    row, first, size, hits = _hit_groups(lists, rel)
    above = running_count(hits, row) - hits
    number = np.arange(len(row)).astype(np.float64)
    at_row, group, rank = places(row, first, size, _limit(lists, k), number)
    at = group.astype(np.int64)
    n, r, within = size[at], hits[at], rank - first[at]
    among = np.divide(within * (r - 1), n - 1, out=np.zeros(len(at)), where=n > 1)
    return at_row, rank, r / n * (above[at] + 1 + among) / rank


def _first_groups(lists: Lists, rel: float) -> tuple[Ints, Ints, Ints, Ints]:
    row, first, size, hits = _hit_groups(lists, rel)
    head = place_in_row(row) == 1
    return row[head], first[head], size[head], hits[head]


def first_hit_chances(lists: Lists, k: int | None, rel: float) -> tuple[Ints, Ints, Floats]:
    """The chance that the first relevant document stands at a rank, for all ranks it can have."""
    row, first, size, hits = _first_groups(lists, rel)
    number = np.arange(len(row)).astype(np.float64)
    at_row, group, rank = places(row, first, size - hits + 1, _limit(lists, k), number)
    at = group.astype(np.int64)
    n, r, j = size[at], hits[at], rank - first[at]
    none_before = running_product((n - r - j) / (n - j), at_row)
    return at_row, rank, none_before * (r / (n - j))


def _expected_success(lists: Lists, k: int | None, rel: float) -> Floats:
    row, first, size, hits = _first_groups(lists, rel)
    number = np.arange(len(row)).astype(np.float64)
    at_row, group, rank = places(row, first, size, _limit(lists, k), number)
    at = group.astype(np.int64)
    n, r, j = size[at], hits[at], rank - first[at]
    factor = (n - r - j) / (n - j)
    none = running_product(factor, at_row) * factor
    success = np.zeros(lists.n_queries)
    success[at_row] = 1 - none  # the last rank of each query stands last
    return success
