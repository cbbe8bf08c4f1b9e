"""How measures that only weigh ranks credit documents, and what they divide by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ndcg.errors import UsageError
from ndcg.kernel import Floats, Ints, per_row
from ndcg.measures.cumulated import discounts_of, idcg_value, refuse_ideal
from ndcg.measures.hits import relevant_judged
from ndcg.measures.lists import Lists
from ndcg.measures.persistence import largest_gain, powers
from ndcg.measures.precisions import r_precision_cutoff
from ndcg.measures.registry import Measure

ENDLESS = np.iinfo(np.int64).max


class Weights(NamedTuple):
    """What a document earns at a rank: its credit over the rank's divisor, down to a limit.

    Attributes
    ----------
    credit : (n_docs,) the gain of each document, or whether it is relevant.
    divisor : (depth + 1,) inf at 0.
    limit, ideal_limit : (n_queries,) the last rank that counts, here and in the ideal ranking.
    scale : (n_queries,) what the sum of a query is divided by; 0 where its value is 0 anyway.
    fixed : whether `scale` stays as it is when a document more is listed.
    """

    credit: Floats
    divisor: Floats
    limit: Ints
    ideal_limit: Ints
    scale: Floats
    fixed: bool = True


def weights_of(lists: Lists, measure: Measure) -> Weights:
    """The weights of a measure of `WEIGHED`."""
    return WEIGHED[measure.name](lists, measure)


def settings_of(measure: Measure) -> dict[str, Any]:
    """The parameters of a measure by name, defaults included."""
    return {one.name: one.default for one in measure.record.parameters} | dict(measure.parameters)


def has_ideal(lists: Lists, measure: Measure) -> bool:
    """Whether the convention defines an ideal ranking for this measure and cutoff."""
    if not measure.record.ideal and measure.name != "DCG":  # the others read no ideal's axis
        return True
    try:
        refuse_ideal(lists, measure.name, measure.cutoff(lists.convention))
    except UsageError:  # DCG has a value without one, and then nothing to lose against
        return False
    return True


def depth_of(lists: Lists) -> int:
    """The last rank that a document can have, in the ranking, in an ideal, or moved up."""
    docs = lists.ranked
    return int((docs.returned + per_row(docs.row, lists.n_queries)).max(initial=0)) + 1


def within(lists: Lists, k: int | None) -> Ints:
    """The last rank of each query that a cutoff lets count."""
    returned = lists.ranked.returned
    return returned if k is None else np.minimum(returned, k)


def _cutoffs(lists: Lists, k: int | None) -> Ints:
    return np.full(lists.n_queries, ENDLESS if k is None else k)


def _cumulated(lists: Lists, measure: Measure) -> Weights:
    k = measure.cutoff(lists.convention)
    # Ranks are shared under mean_rank, and may then lie past the last document.
    shared = lists.convention.ties == "mean_rank"
    limit = _cutoffs(lists, k) if shared else within(lists, k)
    scale = np.ones(lists.n_queries)
    if measure.name == "nDCG":
        scale = idcg_value(lists, k, measure.threshold)
        if lists.convention.empty_test == "not_positive":
            scale = np.maximum(scale, 0.0)
    slots = k if lists.convention.ideal.startswith("slots") and k is not None else 0
    depth = np.array([max(depth_of(lists), slots)])
    return Weights(
        lists.gain, discounts_of(lists, depth, None), limit, _cutoffs(lists, k), scale,
        lists.convention.ideal_depth != "returned",
    )  # fmt: skip


def _counting(
    lists: Lists, measure: Measure, limit: Ints, ideal_limit: Ints, scale: Floats, *, fixed: bool
) -> Weights:
    """Every relevant document down to the limit counts 1."""
    divisor = np.ones(depth_of(lists) + 1)
    divisor[0] = np.inf
    credit = lists.relevant(measure.threshold).astype(np.float64)
    return Weights(credit, divisor, limit, ideal_limit, scale, fixed)


def _precision(lists: Lists, measure: Measure) -> Weights:
    k, limit = measure.k, within(lists, measure.k)
    shown = lists.ranked.returned.astype(np.float64) if k is None else _full(lists, k)
    ideal_limit = limit if k is None else _cutoffs(lists, k)
    return _counting(lists, measure, limit, ideal_limit, shown, fixed=k is not None)


def _recall(lists: Lists, measure: Measure) -> Weights:
    k, all_ = measure.k, relevant_judged(lists, measure.threshold)
    return _counting(lists, measure, within(lists, k), _cutoffs(lists, k), all_, fixed=True)


def _f(lists: Lists, measure: Measure) -> Weights:
    """(x + 1) P R / (R + x P) = (x + 1) hits / (k + x R): every relevant document adds as much."""
    settings = settings_of(measure)
    x = settings["beta"] ** 2 if settings["x"] == "beta" else settings["x"]
    found = _precision(lists, measure)
    scale = (found.scale + x * relevant_judged(lists, measure.threshold)) / (x + 1.0)
    return found._replace(scale=scale)


def _relative_precision(lists: Lists, measure: Measure) -> Weights:
    found = _precision(lists, measure)
    return found._replace(scale=np.minimum(found.scale, relevant_judged(lists, measure.threshold)))


def _r_precision(lists: Lists, measure: Measure) -> Weights:
    cutoff = r_precision_cutoff(lists, measure.threshold, settings_of(measure)["times"])
    last = cutoff.astype(np.int64)
    limit = np.minimum(lists.ranked.returned, last)
    return _counting(lists, measure, limit, last, cutoff, fixed=True)


def _rank_biased(lists: Lists, measure: Measure) -> Weights:
    k, settings = measure.cutoff(lists.convention), settings_of(measure)
    p, depth = settings["p"], depth_of(lists)
    weight = np.append(0.0, (1.0 - p) * powers(p, depth - 1)) if depth else np.zeros(1)
    with np.errstate(divide="ignore"):
        divisor = 1.0 / weight
    if measure.name == "RBP":
        credit, scale = lists.relevant(measure.threshold).astype(np.float64), _full(lists, 1)
    else:
        credit, largest = lists.gain, settings["largest"]
        scale = np.maximum(largest_gain(lists), 1.0) if largest == "query" else (
            _full(lists, largest))  # fmt: skip
    return Weights(credit, divisor, within(lists, k), _cutoffs(lists, k), scale)


def _full(lists: Lists, number: float) -> Floats:
    return np.full(lists.n_queries, float(number))


WEIGHED: dict[str, Callable[[Lists, Measure], Weights]] = {
    "nDCG": _cumulated,
    "DCG": _cumulated,
    "P": _precision,
    "R": _recall,
    "F": _f,
    "Rprec": _r_precision,
    "RelativeP": _relative_precision,
    "RBP": _rank_biased,
    "gRBP": _rank_biased,
}
