"""Measures that are averaged over the judgment groups of a query (trec_eval -R qrels_jg).

Each group of a query is one set of judgments of its own, by one judge, say. A pair is a query with
one of its groups; every pair counts alike, also one without relevant documents, whose value is 0.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ndcg.kernel import Floats, Ints, per_row, place_in_row, ratio


class Groups(NamedTuple):
    """The relevant retrieved documents of all (query, group) pairs.

    Attributes
    ----------
    row, rank : (n_found,) number of the pair and 1-based rank, in order of pair and rank. Where
        only judged documents count, ranks are those among the documents that the group judges.
    relevant : (n_pairs,) relevant documents of the group, retrieved or not.
    query : (n_pairs,) number of the pair's query. The groups of a query stand in byte order of
        their ids: values are added in this order.
    n_queries : the number of queries; one without groups gets 0.
    """

    row: Ints
    rank: Ints
    relevant: Ints
    query: Ints
    n_queries: int


def average_precision_of_groups(groups: Groups) -> Floats:
    """Average precision, averaged over groups: ``map_avgjg`` of each query.

    >>> row, rank = np.array([0, 0, 1]), np.array([1, 4, 2])
    >>> two = Groups(row, rank, relevant=np.array([2, 1]), query=np.zeros(2, int), n_queries=1)
    >>> average_precision_of_groups(two) == ((1 / 1 + 2 / 4) / 2 + (1 / 2) / 1) / 2
    array([ True])
    """
    terms = place_in_row(groups.row) / groups.rank
    total = per_row(groups.row, len(groups.relevant), terms)
    return _mean(groups, ratio(total, groups.relevant.astype(np.float64)))


def precision_of_groups(groups: Groups, k: int) -> Floats:
    """Precision in the top k, averaged over groups: ``P_avgjg_k`` of each query."""
    return _mean(groups, per_row(groups.row, len(groups.relevant), groups.rank <= k) / k)


def r_precision_of_groups(groups: Groups, times: float) -> Floats:
    """Precision at so many times the number of relevant documents, averaged over groups.

    ``Rprec_mult_avgjg`` of each query. The cutoff is rounded up, but for the smallest fractions,
    and may lie below the last document retrieved; at a cutoff of 0 the value is 0.
    """
    cutoff = np.floor(times * groups.relevant + 0.9)
    hits = per_row(groups.row, len(groups.relevant), groups.rank <= cutoff[groups.row])
    return _mean(groups, ratio(hits, cutoff))


def _mean(groups: Groups, value: Floats) -> Floats:
    total = per_row(groups.query, groups.n_queries, value)
    return ratio(total, per_row(groups.query, groups.n_queries))
