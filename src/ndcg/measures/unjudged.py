"""What the judgments say nothing about: unjudged documents, and counts of the others."""

from __future__ import annotations

import numpy as np

from ndcg.kernel import Bools, Floats, Ints, per_row, place_in_row, ratio
from ndcg.measures.hits import hits, relevant_judged
from ndcg.measures.lists import Lists


def unjudged_value(lists: Lists, k: int | None, _rel: float) -> Floats:
    """The share of the top k without judgment; of all that is returned without k."""
    docs = lists.judged_in_ranking
    returned = lists.ranked.returned
    shown = returned if k is None else np.minimum(returned, k)
    here = (docs.rank > 0) & (docs.rank <= shown[docs.row])
    without = shown - per_row(docs.row[here], lists.n_queries)
    return without / k if k is not None else ratio(without, returned.astype(np.float64))


def judged_value(lists: Lists, k: int | None, _rel: float) -> Floats:
    """The share of what is shown in the top k that has a judgment."""
    row, credit, rank = lists.laid_out(lists.ranked.given, k)
    counted = rank > 0 if k is None else (rank > 0) & (rank <= k)
    judged = per_row(row[counted], lists.n_queries, credit[counted])
    shown = lists.ranked.returned if k is None else np.minimum(lists.ranked.returned, k)
    return ratio(judged, shown.astype(np.float64))


def unjudged_ranks(lists: Lists, shown: Ints) -> tuple[Ints, Ints]:
    """Query and rank of what has no judgment among the first ranks, so many of each query."""
    docs = lists.judged_in_ranking
    row = np.repeat(np.arange(lists.n_queries), shown)
    rank = place_in_row(row)
    free = np.ones(len(row), bool)
    start = np.cumsum(shown) - shown
    here = (docs.rank > 0) & (docs.rank <= shown[docs.row])
    free[start[docs.row[here]] + docs.rank[here] - 1] = False
    return row[free], rank[free]


def queries_value(lists: Lists, _k: int | None, _rel: float) -> Floats:
    """1 for each query."""
    return np.ones(lists.n_queries)


def returned_value(lists: Lists, k: int | None, _rel: float) -> Floats:
    """How many documents are in the ranking, in its top k if there is one."""
    returned = lists.ranked.returned
    return (returned if k is None else np.minimum(returned, k)).astype(np.float64)


def relevant_value(lists: Lists, _k: int | None, rel: float) -> Floats:
    """How many documents are judged relevant, retrieved or not."""
    return relevant_judged(lists, rel)


def found_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """How many relevant documents are in the top k."""
    return hits(lists, k, rel)


def nonrelevant_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """How many documents in the top k are judged and not relevant."""
    row, credit, rank = lists.laid_out(lists.below(rel), k)
    counted = rank > 0 if k is None else (rank > 0) & (rank <= k)
    return per_row(row[counted], lists.n_queries, credit[counted])


def nothing_needed(lists: Lists, _k: int | None, _rel: float) -> Bools:
    """No query: the measure needs nothing to find."""
    return np.zeros(lists.n_queries, bool)
