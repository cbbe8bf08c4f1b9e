"""More measures of relevant or not: precision at other places, and set measures."""

from __future__ import annotations

import math

import numpy as np

from ndcg.kernel import Floats, Ints, divisors, map_distinct, per_row, place_in_row, ratio, running
from ndcg.measures.binary import average_precision_value, precision_value, recall_value
from ndcg.measures.hits import hit_ranks, hits, hits_within, relevant_judged
from ndcg.measures.lists import Lists
from ndcg.measures.pooled import floored

_NINE_TENTHS = 0.9  # what is added before the fraction is dropped


def r_precision_value(lists: Lists, _k: int | None, rel: float, *, times: float) -> Floats:
    """Precision at a multiple of the number of relevant documents."""
    cutoff = r_precision_cutoff(lists, rel, times)
    return ratio(hits_within(lists, cutoff.astype(np.int64), rel), cutoff)


def r_precision_cutoff(lists: Lists, rel: float, times: float) -> Floats:
    """The rank of each query that R-precision looks down to."""
    cutoff: Floats = np.floor(relevant_judged(lists, rel) * times + _NINE_TENTHS)
    return cutoff


def relative_precision_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """Relevant documents in the top k over as many as could be there."""
    shown = lists.ranked.returned if k is None else k
    return ratio(hits(lists, k, rel), np.minimum(shown, relevant_judged(lists, rel)))


def set_ap_value(lists: Lists, _k: int | None, rel: float) -> Floats:
    """Precision times recall of all that is returned."""
    found = hits(lists, None, rel)
    return ratio(found * found, lists.ranked.returned * relevant_judged(lists, rel))


def f_value(lists: Lists, k: int | None, rel: float, *, beta: float, x: float | str) -> Floats:
    """The weighted harmonic mean of precision and recall (van Rijsbergen 1979)."""
    weight = beta * beta if isinstance(x, str) else x
    precision, recall = precision_value(lists, k, rel), recall_value(lists, k, rel)
    divisor = recall + weight * precision
    return ratio((weight + 1.0) * precision * recall, divisor, signed=True)


def utility_value(
    lists: Lists,
    _k: int | None,
    rel: float,
    *,
    relret: float,
    nonrelret: float,
    relmissed: float,
    nonrelmissed: float,
    collection: float,
) -> Floats:
    """What the documents of each kind are worth, retrieved and missed."""
    found, relevant = hits(lists, None, rel), relevant_judged(lists, rel)
    returned = lists.ranked.returned
    with np.errstate(invalid="ignore", over="ignore"):  # what is not finite is refused, or printed
        value: Floats = (
            relret * found
            + nonrelret * (returned - found)
            + relmissed * (relevant - found)
            + nonrelmissed * (collection + found - returned - relevant)
        )
    return value


def floored_ap_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """AP, at least 0.00001."""
    return floored(average_precision_value(lists, k, rel))


def yaap_value(lists: Lists, _k: int | None, rel: float) -> Floats:
    """The log odds of average precision, with 1 added to both sides."""
    row, rank = hit_ranks(lists, None, rel)
    total = per_row(row, lists.n_queries, place_in_row(row) / rank)
    relevant = relevant_judged(lists, rel)
    with np.errstate(divide="ignore"):
        odds = (1.0 + total) / (1.0 + relevant - total)
    return np.where(relevant > 0, map_distinct(_log, odds), 0.0)


def _log(number: float) -> float:
    return math.log(number) if number > 0 else math.nan


def binary_g_value(lists: Lists, _k: int | None, rel: float) -> Floats:
    """Relevant documents discounted by those above them that are not."""
    row, rank = hit_ranks(lists, None, rel)
    others = rank - place_in_row(row)
    divisor = divisors("log2", None, int(others.max(initial=0)) + 1)
    return ratio(
        per_row(row, lists.n_queries, 1.0 / divisor[others + 1]), relevant_judged(lists, rel)
    )


def interpolated_precision_value(
    lists: Lists, _k: int | None, rel: float, *, recall: float, documents: str
) -> Floats:
    """The best precision at or past a level of recall."""
    best = lists.kept(("interpolated", rel), lambda one: _interpolated(one, rel))
    return _at_recall(lists, rel, best, recall, documents)


def mean_interpolated_precision_value(
    lists: Lists, _k: int | None, rel: float, *, points: str, documents: str
) -> Floats:
    """The mean of interpolated precision over several levels of recall."""
    levels = [float(point) for point in points.split("+")]
    total = np.zeros(lists.n_queries)
    for recall in reversed(levels):  # from the last one on, as trec_eval adds them
        total = total + interpolated_precision_value(
            lists, None, rel, recall=recall, documents=documents
        )
    return total / len(levels)


def recall_cutoffs(relevant: Floats, recall: float, documents: str) -> Ints:
    """How many relevant documents make up a level of recall."""
    share = np.minimum(relevant * recall, 2.0**62)
    if documents == "nine_tenths":
        return np.trunc(share + _NINE_TENTHS).astype(np.int64)
    whole = np.trunc(share)
    return (whole + (share - whole >= 0.5)).astype(np.int64)


def _interpolated(lists: Lists, rel: float) -> tuple[Floats, Ints, Ints]:
    """The best precision at or below each relevant document, where each query's begin, how many."""
    row, rank = hit_ranks(lists, None, rel)
    precision = place_in_row(row) / rank
    number = per_row(row, lists.n_queries).astype(np.int64)
    best = running(np.maximum, precision[::-1], row[::-1])[::-1]
    return best, np.cumsum(number) - number, number


def _at_recall(
    lists: Lists, rel: float, best: tuple[Floats, Ints, Ints], recall: float, documents: str
) -> Floats:
    precision, start, number = best
    wanted = np.maximum(recall_cutoffs(relevant_judged(lists, rel), recall, documents), 1)
    reached = wanted <= number
    value = np.zeros(lists.n_queries)
    value[reached] = precision[(start + wanted - 1)[reached]]
    return value
