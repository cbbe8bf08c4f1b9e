"""Rank-biased precision (Moffat and Zobel 2008): a reader who goes on with probability p."""

from __future__ import annotations

import numpy as np

from ndcg.kernel import Floats, Ints, per_row
from ndcg.measures.lists import Lists
from ndcg.measures.unjudged import unjudged_ranks


def rbp_value(lists: Lists, k: int | None, rel: float, *, p: float) -> Floats:
    """(1 - p) times the sum of p^(rank - 1) over the relevant documents in the top k."""
    return rank_biased(*lists.laid_out(lists.relevant(rel), k), k, p, lists.n_queries)


def graded_rbp_value(
    lists: Lists, k: int | None, _rel: float, *, p: float, largest: float | str
) -> Floats:
    """The same with gains as credit, divided by the largest one of the query or by a number."""
    row, gain, rank = lists.laid_out(lists.gain, k)
    if largest == "query":
        scale = np.maximum(largest_gain(lists), 1.0)[row]
    else:
        scale = np.full(len(row), float(largest))
    return rank_biased(row, gain / scale, rank, k, p, lists.n_queries)


def largest_gain(lists: Lists) -> Floats:
    """The largest gain that is judged in each query; 0 where there is none above."""
    pool = lists.against
    most = np.zeros(lists.n_queries)
    np.maximum.at(most, pool.ranked.row, pool.gain)
    return most


def rbp_residual_value(lists: Lists, k: int | None, _rel: float, *, p: float) -> Floats:
    """What RBP could still gain: at ranks without judgment, and past the last rank."""
    docs, returned = lists.judged_in_ranking, lists.ranked.returned
    last = returned if k is None else np.minimum(returned, k)
    power = powers(p, int(last.max(initial=0)))
    # The first rank without judgment comes at the latest behind as many as are judged. A term that
    # is less than half a unit in the last place of the first one changes no digit of the sum.
    judged = per_row(docs.row[docs.retrieved], lists.n_queries).astype(np.int64)
    felt = np.count_nonzero(power >= 2.0**-56)
    row, rank = unjudged_ranks(lists, np.minimum(last, judged + 1 + felt))
    return power[last] + (1.0 - p) * per_row(row, lists.n_queries, power[rank - 1])


def rank_biased(
    row: Ints, credit: Floats, rank: Ints, k: int | None, p: float, n_queries: int
) -> Floats:
    """(1 - p) times the sum of credit times p^(rank - 1), in rank order."""
    counted = rank > 0 if k is None else (rank > 0) & (rank <= k)
    row, credit, rank = row[counted], credit[counted], rank[counted]
    power = powers(p, int(rank.max(initial=1)))
    return (1.0 - p) * per_row(row, n_queries, credit * power[rank - 1])


def powers(p: float, depth: int) -> Floats:
    """p^0, p^1, ..., p^depth as running products."""
    factors = np.full(depth + 1, p)
    factors[0] = 1.0
    return np.multiply.accumulate(factors)
