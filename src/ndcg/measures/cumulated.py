"""DCG, ideal DCG and nDCG (Järvelin and Kekäläinen 2002; Burges et al. 2005 for 2^g - 1)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ndcg.align import Aligned, open_cut_error
from ndcg.axes import parameter
from ndcg.errors import Problem, UsageError
from ndcg.kernel import (
    Bools,
    Floats,
    Ints,
    by_falling,
    cut_off,
    dcg,
    divisors,
    mean_rank,
    ordered_sum,
    per_row,
    place_in_row,
    ratio,
    terms,
)
from ndcg.measures.lists import Lists, gain_of

# The axes that decide about a sum, beside those that lay the documents out.
_OF_DCG = ("gain", "discount", "rounding")
_OF_BEST = (*_OF_DCG, "ideal_depth")
_OF_IDEAL = (*_OF_BEST, "ideal", "ideal_order")
_MOST_SLOTS = 1_000_000  # terms of an ideal that does not depend on the data


def dcg_value(lists: Lists, k: int | None, _rel: float) -> Floats:
    """DCG of each query: gains divided by the discounts of their ranks, added up."""
    return lists.remembered("dcg", k, _OF_DCG, lambda: _dcg(lists, k))


def _dcg(lists: Lists, k: int | None) -> Floats:
    row, gain, rank = lists.laid_out(lists.gain, k)
    return dcg(gain, row, rank, discounts_of(lists, rank, k), lists.n_queries, decimals_of(lists))


def idcg_value(lists: Lists, k: int | None, _rel: float) -> Floats:
    """DCG of the best possible ranking of each query, as the convention defines it."""
    if lists.against is not lists:  # the ideal does not depend on how ties are ordered
        return idcg_value(lists.against, k, _rel)
    top = lists.convention.ideal == "top_k"
    return lists.remembered("ideal", k, _OF_IDEAL, lambda: _ideal(lists, k), of_order=top)


def _ideal(lists: Lists, k: int | None) -> Floats:
    pool = ideal_pool(lists, k)
    if lists.convention.ideal.startswith("slots"):
        return _slots(lists, k, pool.limit)
    if lists.convention.ideal_order == "listed":
        return _listed_dcg(lists, lists.ranked, pool.own, pool.limit)
    rule = lists.convention.ideal
    name = (rule, k if rule == "top_k" else None)
    ordered = falling(lists, name, lists.gain, lists.ranked.row, pool.own)
    return _best_dcg(lists, ordered, pool.unjudged, pool.limit)


class Pool(NamedTuple):
    """What the ideal ranking of each query is made of, and how deep it is."""

    own: Bools  # (n_docs,) which ranked documents; none of them under slots
    unjudged: Ints  # (n_queries,) documents without judgment among them, of gain 0
    limit: Ints  # (n_queries,) the last rank that counts


def ideal_pool(lists: Lists, k: int | None) -> Pool:
    """The documents of the ideal rankings for a cutoff, as the convention defines them."""
    rule, depth = lists.convention.ideal, lists.convention.ideal_depth
    docs, none = lists.ranked, np.zeros(lists.n_queries, np.int64)
    limit = np.full(lists.n_queries, np.iinfo(np.int64).max if k is None else k)
    if depth == "returned":
        limit = np.minimum(limit, docs.returned)
    if lists.convention.ties == "mean_rank":
        limit = np.minimum(limit, _last_mean_rank(lists))
    if rule.startswith("slots"):
        return Pool(np.zeros(len(docs.row), bool), none, limit)
    if depth == "all":
        limit = np.full(lists.n_queries, np.iinfo(np.int64).max)
    if rule == "judged":
        return Pool(_leading(docs, ~docs.copy), none, limit)
    shallow = rule == "top_k" and k is not None
    own = _top(docs.rank, k or 0) if shallow else _leading(docs, docs.retrieved)
    shown = docs.returned if rule == "retrieved" or k is None else np.minimum(docs.returned, k)
    unjudged = shown - per_row(docs.row[own], lists.n_queries).astype(np.int64)
    return Pool(own, unjudged, limit)


def _last_mean_rank(lists: Lists) -> Ints:
    """The rank that the last documents of each query share; if none is judged, the last one."""
    docs, last = lists.ranked, lists.ranked.returned.copy()
    at_end = docs.retrieved & (docs.first + docs.size - 1 >= last[docs.row])
    last[docs.row[at_end]] = mean_rank(docs.first[at_end], docs.size[at_end])
    return last


def ndcg_value(lists: Lists, k: int | None, rel: float) -> Floats:
    """DCG over ideal DCG; 0 where the pool of the ideal holds nothing of worth."""
    actual, ideal = dcg_value(lists, k, rel), idcg_value(lists, k, rel)
    signed = lists.convention.empty_test != "not_positive"
    value = cut_off(ratio(actual, ideal, signed=signed), decimals_of(lists))
    # A ratio of overflowed sums would look like a value.
    return np.where(np.isfinite(actual) & np.isfinite(ideal), value, np.nan)


def nothing_judged_to_gain(lists: Lists, k: int | None, _rel: float) -> Bools:
    """Queries whose judgments have an ideal DCG that fails the test."""
    best = lists.remembered("best", k, _OF_BEST, lambda: _best_of_judged(lists, k), of_order=False)
    return _fails(lists, best, lists.judged)


def nothing_to_gain(lists: Lists, k: int | None, rel: float) -> Bools:
    """Queries whose ideal DCG fails the test: that of all judgments, or of the ideal's pool."""
    own = nothing_judged_to_gain(lists, k, rel)
    if lists.convention.empty_from == "judged":
        return own
    # A query that was not answered has no pool, and is the matter of another axis.
    pool = lists.judged
    if lists.convention.ideal != "judged":
        pool = pool.rows(pool.retrieved)
    return np.where(lists.answered, _fails(lists, idcg_value(lists, k, rel), pool), own)


def _fails(lists: Lists, ideal: Floats, docs: Aligned) -> Bools:
    """Which queries have nothing to find, by the test for the ideal DCG and its documents."""
    test = lists.convention.empty_test
    if test == "not_positive":
        return ideal <= 0
    if test == "zero":
        return np.equal(ideal, 0)
    if test == "never":
        return np.zeros(lists.n_queries, bool)
    docs = docs.rows(~docs.copy)
    if test == "sum":
        return np.equal(per_row(docs.row, docs.n_queries, docs.grade), 0)
    positive = per_row(docs.row, docs.n_queries, docs.grade > 0)
    return np.equal(ideal, 0) | np.equal(positive, 0)


def none_found(lists: Lists, worth: Bools) -> Bools:
    """Queries that list none of their judged documents of worth, though there are some."""
    docs = lists.listed
    some = per_row(docs.row, docs.n_queries, worth)
    found = per_row(docs.row, docs.n_queries, worth & docs.retrieved)
    return lists.answered & (some > 0) & np.equal(found, 0)


def _best_of_judged(lists: Lists, k: int | None) -> Floats:
    """The largest DCG that the judgments of each query allow."""
    docs = lists.judged
    own = _leading(docs, ~docs.copy)
    cut = np.iinfo(np.int64).max if k is None or lists.convention.ideal_depth == "all" else k
    limit = np.full(lists.n_queries, cut)
    none = np.zeros(lists.n_queries, np.int64)
    ordered = falling(lists, ("own",), lists.judged_gain, docs.row, own)
    return _best_dcg(lists, ordered, none, limit)


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
    if convention.ideal_order == "listed" and convention.ideal != "judged":
        raise UsageError(
            Problem(
                "measure",
                f"ideal_order:listed takes the judgments as they are listed, not "
                f"ideal:{convention.ideal}",
                help="use it with ideal judged",
            )
        )
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


def falling(
    lists: Lists, pool: tuple[object, ...], gain: Floats, row: Ints, own: Bools
) -> tuple[Ints, Floats, Ints]:
    """Query, gain and 1-based place of the documents of a pool (which has a name), best first."""

    def ordered(_: Lists) -> tuple[Ints, Floats, Ints]:
        order, place = by_falling(gain[own], row[own])
        return row[own][order], gain[own][order], place

    return lists.kept(("falling", lists.convention.gain, *pool), ordered)


def _best_dcg(
    lists: Lists, ordered: tuple[Ints, Floats, Ints], unjudged: Ints, limit: Ints
) -> Floats:
    """DCG of gains in falling order; `unjudged` documents of gain 0 stand among them."""
    row, gain, place = ordered
    place = np.where(gain < 0, place + unjudged[row], place)
    place = np.where(place > limit[row], 0, place)
    divisor = discounts_of(lists, place, None)
    return dcg(gain, row, place, divisor, lists.n_queries, decimals_of(lists))


def _listed_dcg(lists: Lists, docs: Aligned, pool: Bools, limit: Ints) -> Floats:
    """DCG of the documents of a pool as the judgments list them."""
    order = np.lexsort((docs.listed[pool], docs.row[pool]))
    row, gain = docs.row[pool][order], lists.gain[pool][order]
    place = place_in_row(row)
    place = np.where(place > limit[row], 0, place)
    divisor = discounts_of(lists, place, None)
    return dcg(gain, row, place, divisor, lists.n_queries, decimals_of(lists))


def _slots(lists: Lists, k: int | None, limit: Ints) -> Floats:
    """DCG of as many documents of one grade as there are slots."""
    worth, slots = slot_worth(lists), np.minimum(limit, k or 0)
    divisor = discounts_of(lists, slots, k)
    # One sum per number of slots, each added from rank 1 on.
    each = terms(np.full(len(divisor) - 1, worth), divisor[1:], decimals_of(lists))
    totals = {n: ordered_sum(each[:n]) for n in set(slots.tolist())}
    return np.array([totals[n] for n in slots.tolist()], np.float64)


def slot_worth(lists: Lists) -> float:
    """The gain of each document of an ideal of slots."""
    grade = lists.convention.ideal.partition(":")[2]
    return gain_of(lists.convention.gain)(lists.largest if grade == "max" else float(grade))


def discounts_of(lists: Lists, rank: Ints, k: int | None) -> Floats:
    """What the gain at each rank up to the largest is divided by; see `kernel.divisors`."""
    name = lists.convention.discount
    base = parameter(name) if name.startswith("jarvelin") else None
    return divisors(name.partition(":")[0], base, int(rank.max(initial=0)), k)


def decimals_of(lists: Lists) -> int | None:
    """To how many decimals the terms of a DCG are rounded down, if they are."""
    what, _, decimals = lists.convention.rounding.partition(":")
    return int(decimals) if what == "terms" else None


def _leading(docs: Aligned, pool: Bools) -> Bools:
    """The documents of a pool without those that are known to stand too low in an ideal."""
    return pool if docs.leading is None else pool & docs.leading


def _top(rank: Ints, k: int) -> Bools:
    return (rank > 0) & (rank <= k)
