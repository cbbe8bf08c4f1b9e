"""Measures of gains that trec_eval has beside nDCG: averaged nDCG, and normalised gain."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ndcg.kernel import Floats, Ints, map_distinct, per_row, place_in_row, ratio, running, terms
from ndcg.measures.cumulated import decimals_of, discounts_of, falling
from ndcg.measures.lists import Lists


class _Sums(NamedTuple):
    """What is gained along the ranking, and along the ideal one; only what has a gain."""

    row: Ints  # of the ranking
    gain: Floats
    rank: Ints
    ideal_row: Ints
    ideal_gain: Floats
    number: Ints  # (n_queries,) documents in the ideal
    start: Ints  # (n_queries,) where they begin


def ndcg_at_relevant_value(lists: Lists, _k: int | None, _rel: float) -> Floats:
    """NDCG averaged over the ranks of documents with a gain; missed ones count as at the end."""
    sums, dcg, ideal = _discounted(lists)
    good = sums.gain > 0
    row, rank = sums.row[good], sums.rank[good]
    worth = sums.number[row] > 0
    row, rank = row[worth], rank[worth]
    at = sums.start[row] + np.minimum(rank, sums.number[row]) - 1
    total = per_row(row, lists.n_queries, dcg[good][worth] / ideal[at])
    missed = sums.number - per_row(row, lists.n_queries)
    whole, best = _last(sums.row, dcg, lists), _last(sums.ideal_row, ideal, lists)
    total = total + ratio(missed * whole, best)
    return ratio(total, sums.number.astype(np.float64))


def ndcg_at_levels_value(lists: Lists, _k: int | None, _rel: float) -> Floats:
    """NDCG averaged over the ranks at which the gain of the ideal ranking falls."""
    sums, dcg, ideal = _discounted(lists)
    place = place_in_row(sums.ideal_row)
    ends = np.ones(len(place), bool)
    ends[:-1] = (sums.ideal_gain[1:] != sums.ideal_gain[:-1]) | (place[1:] == 1)
    row, b = sums.ideal_row[ends], place[ends]
    reached = _up_to(sums, dcg, row, b)
    total = per_row(row, lists.n_queries, reached / ideal[ends])
    number = per_row(row, lists.n_queries)
    whole, best = _last(sums.row, dcg, lists), _last(sums.ideal_row, ideal, lists)
    further = (sums.number > 0) & (lists.ranked.returned > sums.number + 1)
    total = np.where(further, total + ratio(whole, best), total)
    return ratio(total, number + further)


def normalised_gain_value(lists: Lists, _k: int | None, _rel: float) -> Floats:
    """Gains discounted by how far what was gained lags behind the ideal."""
    sums = _sums(lists)
    got = running(np.add, sums.gain, sums.row)
    lag = 2.0 + _ideal_cost(sums) - got
    with np.errstate(divide="ignore", invalid="ignore"):  # a lag of 1 or less is not finite
        term = sums.gain / map_distinct(_log2, lag)
    best = _last(sums.ideal_row, running(np.add, sums.ideal_gain, sums.ideal_row), lists)
    return ratio(per_row(sums.row, lists.n_queries, term), best)


def _log2(number: float) -> float:
    return math.log2(number) if number > 0 else math.nan


def _sums(lists: Lists) -> _Sums:
    docs, gain, pool = lists.ranked, lists.gain, lists.against
    earned = docs.retrieved & (gain != 0)
    row, best, _ = falling(pool, ("judged", None), pool.gain, pool.ranked.row, ~pool.ranked.copy)
    good = best > 0
    row, best = row[good], best[good]
    number = per_row(row, lists.n_queries).astype(np.int64)
    return _Sums(
        docs.row[earned], gain[earned], docs.rank[earned], row, best, number,
        np.cumsum(number) - number,
    )  # fmt: skip


def _discounted(lists: Lists) -> tuple[_Sums, Floats, Floats]:
    """The sums, with running DCG and ideal DCG."""
    sums = _sums(lists)
    place = place_in_row(sums.ideal_row)
    divisor, cut = discounts_of(lists, np.append(sums.rank, place), None), decimals_of(lists)
    dcg = running(np.add, terms(sums.gain, divisor[sums.rank], cut), sums.row)
    ideal = running(np.add, terms(sums.ideal_gain, divisor[place], cut), sums.ideal_row)
    return sums, dcg, ideal


def _last(row: Ints, along: Floats, lists: Lists) -> Floats:
    """The last running value of each query, 0 where there is none."""
    last = np.zeros(lists.n_queries)
    last[row] = along  # of several, the last one stays
    return last


def _up_to(sums: _Sums, dcg: Floats, row: Ints, rank: Ints) -> Floats:
    """The running DCG at some ranks."""
    stride = int(max(sums.rank.max(initial=0), rank.max(initial=0))) + 1
    keys = sums.row * stride + sums.rank
    at = np.searchsorted(keys, row * stride + rank, "right") - 1
    here = at >= np.searchsorted(keys, row * stride)
    return np.where(here, dcg[np.maximum(at, 0)], 0.0) if len(dcg) else np.zeros(len(row))


def _ideal_cost(sums: _Sums) -> Floats:
    """What the ideal ranking gained up to the rank of each document, at least 1 at each rank."""
    cost = np.maximum(sums.ideal_gain, 1.0)
    along = running(np.add, cost, sums.ideal_row)
    most = float(along.max(initial=0.0)) + float(sums.rank.max(initial=0))
    if most >= 2.0**53 or (cost != np.floor(cost)).any():
        return _fractional_cost(sums)
    # Sums of whole numbers are exact, so all ranks behind the ideal may be added at once.
    number = sums.number[sums.row]
    at = np.maximum(sums.start[sums.row] + np.minimum(sums.rank, number) - 1, 0)
    inside = along[at] if len(along) else np.zeros(len(at))
    total: Floats = np.where(number > 0, inside, 0.0) + np.maximum(sums.rank - number, 0)
    return total


def _fractional_cost(sums: _Sums) -> Floats:
    """The same where the order of additions shows: one after the other, rank by rank."""
    deepest = np.zeros(len(sums.number), np.int64)
    np.maximum.at(deepest, sums.row, sums.rank)
    row = np.repeat(np.arange(len(deepest)), deepest)
    place = place_in_row(row)
    cost = np.ones(len(row))
    inside = place <= sums.number[row]
    at = (sums.start[row] + place - 1)[inside]
    cost[inside] = np.maximum(sums.ideal_gain[at], 1.0)
    along = running(np.add, cost, row)
    begin = np.cumsum(deepest) - deepest
    reached: Floats = along[begin[sums.row] + sums.rank - 1]
    return reached
