"""DCG, ideal DCG and nDCG (Järvelin and Kekäläinen 2002; Burges et al. 2005 for 2^g - 1)."""

from __future__ import annotations

import numpy as np

from ndcg.align import Aligned, open_cut_error
from ndcg.axes import parameter
from ndcg.errors import Problem, UsageError
from ndcg.kernel import (
    Bools,
    Floats,
    Ints,
    by_falling,
    dcg,
    divisors,
    ordered_sum,
    per_row,
    ratio,
)
from ndcg.measures.lists import Lists, gain_of

_MOST_SLOTS = 1_000_000  # terms of an ideal that does not depend on the data


def dcg_value(lists: Lists, k: int | None, _rel: float) -> Floats:
    """DCG of each query: gains divided by the discounts of their ranks, added up."""
    row, gain, rank = lists.laid_out(lists.gain, k)
    return dcg(gain, row, rank, _divisors(lists, rank, k), lists.n_queries)


def idcg_value(lists: Lists, k: int | None, _rel: float) -> Floats:
    """DCG of the best possible ranking of each query, as the convention defines it."""
    if k not in lists.ideals:
        lists.ideals[k] = _ideal(lists, k)
    return lists.ideals[k]


def _ideal(lists: Lists, k: int | None) -> Floats:
    rule, depth = lists.convention.ideal, lists.convention.ideal_depth
    limit = np.full(lists.n_queries, np.iinfo(np.int64).max if k is None else k)
    if depth == "returned":
        limit = np.minimum(limit, lists.ranked.returned)
    if rule.startswith("slots"):
        return _slots(lists, k, limit)
    if depth == "all":
        limit = np.full(lists.n_queries, np.iinfo(np.int64).max)
    docs = lists.ranked
    if rule == "judged":
        pool, unjudged = _leading(docs, ~docs.copy), np.zeros(lists.n_queries, np.int64)
    else:
        shallow = rule == "top_k" and k is not None
        pool = _top(docs.rank, k or 0) if shallow else _leading(docs, docs.retrieved)
        shown = docs.returned if rule == "retrieved" or k is None else np.minimum(docs.returned, k)
        unjudged = shown - per_row(docs.row[pool], lists.n_queries).astype(np.int64)
    return _best_dcg(lists, lists.gain[pool], docs.row[pool], unjudged, limit)


def ndcg_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """DCG over ideal DCG; 0 where the pool of the ideal holds nothing of worth."""
    actual, ideal = dcg_value(lists, k, rel), idcg_value(lists, k, rel)
    # A ratio of overflowed sums would look like a value.
    return np.where(np.isfinite(actual) & np.isfinite(ideal), ratio(actual, ideal), np.nan)


def nothing_to_gain(lists: Lists, k: int | None, rel: float) -> Bools:
    """Queries without a positive ideal DCG: of all their judgments, or of the ideal's own pool."""
    if lists.convention.empty_from == "ideal":
        # A query that was not answered has no pool, and is the matter of another axis.
        return np.where(lists.answered, idcg_value(lists, k, rel) <= 0, _nothing_judged(lists, k))
    return _nothing_judged(lists, k)


def _nothing_judged(lists: Lists, k: int | None) -> Bools:
    """Queries whose judgments alone have no positive ideal DCG."""
    docs = lists.judged
    own = _leading(docs, ~docs.copy)
    cut = np.iinfo(np.int64).max if k is None or lists.convention.ideal_depth == "all" else k
    limit = np.full(lists.n_queries, cut)
    none = np.zeros(lists.n_queries, np.int64)
    return _best_dcg(lists, lists.judged_gain[own], docs.row[own], none, limit) <= 0


def refuse_ideal(lists: Lists, measure: str, k: int | None) -> None:
    """Refuse ideals that are not defined for this measure, cutoff or tie rule."""
    convention = lists.convention
    if convention.ideal.startswith("slots") and k is None:
        raise UsageError(
            Problem(
                "measure",
                f"{measure} under ideal:{convention.ideal} needs a cutoff",
                help=f"write {measure}@10, for example",
            )
        )
    if convention.ideal.startswith("slots") and k is not None and k > _MOST_SLOTS:
        what = f"{measure}@{k} under ideal:{convention.ideal} adds up {k:,} slots"
        raise UsageError(Problem("measure", what, help=f"use a cutoff of at most {_MOST_SLOTS:,}"))
    if lists.ties_open and convention.ideal == "top_k":
        raise UsageError(
            Problem(
                "ties",
                f"{measure} has no exact value under ties:{convention.ties} with ideal:top_k: "
                "which documents are in the top k is open",
                help="use ties docid_asc, docid_desc or input, or another ideal",
            )
        )
    if lists.ties_open and convention.ideal == "retrieved" and lists.ranked.cut.any():
        raise open_cut_error(int(lists.ranked.cut.sum()), convention, "ideal")


def _best_dcg(lists: Lists, gain: Floats, row: Ints, unjudged: Ints, limit: Ints) -> Floats:
    """DCG of the gains in falling order; `unjudged` documents of gain 0 stand among them."""
    order, place = by_falling(gain, row)
    gain, row = gain[order], row[order]
    place = np.where(gain < 0, place + unjudged[row], place)
    place = np.where(place > limit[row], 0, place)
    return dcg(gain, row, place, _divisors(lists, place, None), lists.n_queries)


def _slots(lists: Lists, k: int | None, limit: Ints) -> Floats:
    """DCG of as many documents of one grade as there are slots."""
    worth = gain_of(lists.convention.gain)(parameter(lists.convention.ideal))
    slots = np.minimum(limit, k or 0)
    divisor = _divisors(lists, slots, k)
    # One sum per number of slots, each added from rank 1 on.
    totals = {n: ordered_sum(worth / divisor[1 : n + 1]) for n in set(slots.tolist())}
    return np.array([totals[n] for n in slots.tolist()], np.float64)


def _divisors(lists: Lists, rank: Ints, k: int | None) -> Floats:
    name = lists.convention.discount
    base = parameter(name) if name.startswith("jarvelin") else None
    return divisors(name.partition(":")[0], base, int(rank.max(initial=0)), k)


def _leading(docs: Aligned, pool: Bools) -> Bools:
    """The documents of a pool without those that are known to stand too low in an ideal."""
    return pool if docs.leading is None else pool & docs.leading


def _top(rank: Ints, k: int) -> Bools:
    return (rank > 0) & (rank <= k)
