"""What each document adds to a measure, and what it would add in the ideal ranking.

Sums are in the measure's own units: gains over discounts for nDCG and DCG, precisions for AP,
relevant documents for precision and recall. Divided by `scale` (the ideal DCG, the cutoff, the
number of relevant documents) they add up to the value. The value itself is never taken from here.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ndcg.diagnose.explaining.seats import over_group, seats_of
from ndcg.diagnose.explaining.weights import (
    ENDLESS,
    WEIGHED,
    Weights,
    has_ideal,
    weights_of,
    within,
)
from ndcg.errors import Problem, UsageError
from ndcg.kernel import Bools, Floats, Ints, per_row, place_in_row
from ndcg.measures.binary import expected_precisions, first_hit_chances
from ndcg.measures.cumulated import Pool, idcg_value, ideal_pool, slot_worth
from ndcg.measures.hits import relevant_judged
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure

CUMULATED = ("nDCG", "DCG")
STEPPED = ("AP", "RR", "Success")  # what a document adds depends on those above it
_FIRST = ("RR", "Success")  # only the first relevant document counts
EXPLAINED = (*WEIGHED, *STEPPED)


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts of a measure's value, an element for each row of `Lists.ranked`."""

    credit: Floats  # (n_docs,) the gain, or 1 for a relevant document
    seat: Ints  # (n_docs,) the rank at which it counts; 0 = not retrieved
    adds: Floats  # (n_docs,) to the sum
    place: Ints  # (n_docs,) its rank in the ideal; 0 = none
    ideal: Floats  # (n_docs,) what it adds to the sum of the ideal
    slots: Floats  # (n_slots + 1,) what each rank of an ideal of slots adds, from rank 0 on
    n_slots: Ints  # (n_queries,) how many of them count
    scale: Floats  # (n_queries,) what sums are divided by; 0: the value is 0 whatever they are
    limit: Ints  # (n_queries,) the last rank that counts
    divisor: Floats | None  # (depth + 1,) what credit is divided by at a rank
    has_ideal: bool = True  # whether there is an ideal to lose against
    own_ideal: Floats | None = None  # (n_queries,) the sum of the ideal as the measure has it

    def shares(self, row: Ints, part: Floats) -> Floats:
        """Parts of sums as parts of values."""
        scale = self.scale[row]
        return np.divide(part, scale, out=np.zeros(len(part)), where=scale != 0)

    def best(self, row: Ints) -> Floats:
        """The value of the ideal ranking of each query, NaN where there is none."""
        n = len(self.scale)
        total = self.own_ideal
        if total is None:
            total = per_row(row, n, self.ideal) + np.cumsum(self.slots)[self.n_slots]
        found = self.shares(np.arange(n), total)
        return found if self.has_ideal else np.full(n, np.nan)

    def without_ideal(self) -> Parts:
        """The same where there is no ideal ranking to compare with."""
        return replace(
            self, place=np.zeros_like(self.place), ideal=np.zeros_like(self.ideal),
            slots=np.zeros(1), n_slots=np.zeros_like(self.n_slots), has_ideal=False,
            own_ideal=None,
        )  # fmt: skip


def parts_of(lists: Lists, measure: Measure) -> Parts:
    """The parts of a measure for every query.

    Raises
    ------
    UsageError
        For a measure whose value is no sum over documents.
    """
    refuse_indivisible(measure)
    if measure.name in STEPPED:
        return _stepped(lists, measure)
    weights = weights_of(lists, measure)
    seat = seats_of(lists, weights.credit)
    pool, k = _pool(lists, measure, weights), measure.cutoff(lists.convention)
    ordered = measure.name in CUMULATED and lists.convention.ideal_order == "listed"
    place = _places(lists, weights.credit, seat, pool, as_listed=ordered)
    slots, n_slots = np.zeros(1), np.zeros(lists.n_queries, np.int64)
    own = None
    whole = lists.convention.rounding == "none"  # else its terms are rounded, and those here not
    if measure.name in CUMULATED and whole and has_ideal(lists, measure):
        own = idcg_value(lists, k, measure.threshold)
    in_slots = measure.name in CUMULATED and lists.convention.ideal.startswith("slots")
    if in_slots and k is not None and has_ideal(lists, measure):
        n_slots = np.minimum(pool.limit, k)
        slots = slot_worth(lists) / weights.divisor[: k + 1]
    return Parts(
        weights.credit, seat, _added(lists, weights, seat), place,
        weights.credit / weights.divisor[place], slots, n_slots, weights.scale, weights.limit,
        weights.divisor, has_ideal(lists, measure), own,
    )  # fmt: skip


def refuse_indivisible(measure: Measure) -> None:
    """Refuse a measure that has no parts."""
    if measure.name not in EXPLAINED:
        what = f"{measure} is not explained: it is no sum of what documents add"
        raise UsageError(Problem("measure", what, help=f"explained are {', '.join(EXPLAINED)}"))


def _pool(lists: Lists, measure: Measure, weights: Weights) -> Pool:
    """What the ideal ranking is made of."""
    docs = lists.ranked
    none = np.zeros(lists.n_queries, np.int64)
    if measure.name in CUMULATED:
        if not has_ideal(lists, measure):
            return Pool(np.zeros(len(docs.row), bool), none, none)
        return ideal_pool(lists, measure.cutoff(lists.convention))
    return Pool(~docs.copy & (weights.credit > 0), none, weights.ideal_limit)


def _added(lists: Lists, weights: Weights, seat: Ints) -> Floats:
    """What every document adds: its credit over the divisor of its rank, or of its tie group."""
    docs, divisor = lists.ranked, weights.divisor
    limit = weights.limit[docs.row]
    if lists.convention.ties != "expected":
        return weights.credit / divisor[np.where(seat <= limit, seat, 0)]
    along = np.cumsum(1 / divisor)
    last = np.clip(docs.first + docs.size - 1, 0, limit)
    before = np.minimum(np.maximum(docs.first - 1, 0), last)
    mean: Floats = (along[last] - along[before]) / np.maximum(docs.size, 1)
    return weights.credit * mean


def _places(
    lists: Lists, credit: Floats, seat: Ints, pool: Pool, *, as_listed: bool = False
) -> Ints:
    """The rank of every document in the ideal ranking; 0 = it is not in it, or past its limit."""
    docs, own = lists.ranked, np.flatnonzero(pool.own)
    row, gain, place = docs.row[own], credit[own], np.zeros(len(docs.row), np.int64)
    if as_listed:
        order = np.lexsort((docs.listed[own], row))
        at = place_in_row(row[order])
    else:
        # Of equal gains the higher one comes first: what is in its place already costs nothing.
        rank = np.where(seat[own] > 0, seat[own], ENDLESS)
        order = np.lexsort((docs.listed[own], rank, -gain, row))
        at = place_in_row(row[order])
        at = np.where(gain[order] < 0, at + pool.unjudged[row[order]], at)
    place[own[order]] = np.where(at <= pool.limit[row[order]], at, 0)
    return place


# -- measures in which a document counts by what stands above it -----------------------------------


def _stepped(lists: Lists, measure: Measure) -> Parts:
    docs, rel, k = lists.ranked, measure.threshold, measure.k
    relevant = lists.relevant(rel)
    credit = relevant.astype(np.float64)
    seat, limit = seats_of(lists, credit), within(lists, k)
    none = np.zeros(lists.n_queries, np.int64)
    deepest = np.full(lists.n_queries, ENDLESS if k is None else k)
    place = _places(lists, credit, seat, Pool(~docs.copy & relevant, none, deepest))
    scale = np.ones(lists.n_queries)
    if measure.name in _FIRST:
        place = np.where(place == 1, place, 0)
    else:
        scale = relevant_judged(lists, rel)
    return Parts(
        credit, seat, _steps(lists, measure, relevant, seat, limit), place,
        (place > 0).astype(np.float64), np.zeros(1), none, scale, limit, None,
    )  # fmt: skip


def _steps(lists: Lists, measure: Measure, relevant: Bools, seat: Ints, limit: Ints) -> Floats:
    """What every document adds to a sum of precisions, or as the first relevant one."""
    docs, rel, k = lists.ranked, measure.threshold, measure.k
    if lists.convention.ties == "expected":
        if measure.name == "AP":
            row, rank, term = expected_precisions(lists, k, rel)
        else:
            row, rank, term = first_hit_chances(lists, k, rel)
            term = term / rank if measure.name == "RR" else term
        return over_group(lists, row, rank, term, relevant)
    adds = np.zeros(len(docs.row))
    hit = np.flatnonzero(relevant & (seat > 0) & (seat <= limit[docs.row]))
    hit = hit[np.lexsort((seat[hit], docs.row[hit]))]
    number = place_in_row(docs.row[hit])
    if measure.name == "AP":
        adds[hit] = number / seat[hit]
    else:
        adds[hit] = (number == 1) / (seat[hit] if measure.name == "RR" else 1.0)
    return adds
