"""How far the unjudged documents of a run could move a value: its lowest and its highest.

The ends are values of labellings that were found, not of formulas for them: whatever is wrong with
the search, both can occur. That no labelling lies outside is proved in
docs/decisions/0011-bounds.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from ndcg.axes import gain_table, number_text
from ndcg.diagnose.bounds_cumulated import ndcg_labels
from ndcg.diagnose.bounds_precision import precision_labels
from ndcg.diagnose.labelling import Sheet, Spots, refuse_unlabelled, spots_of, uncovered
from ndcg.errors import Problem, UsageError
from ndcg.kernel import Bools, Floats, Ints
from ndcg.measures.lists import Lists, gain_fault, gain_of, rises
from ndcg.measures.persistence import rbp_residual_value
from ndcg.measures.registry import Measure

Labels = tuple[Floats, Floats]  # of every spot: where the value is smallest, and largest


class Bounds(NamedTuple):
    """The smallest and largest value that labels for unjudged documents could give each query.

    Attributes
    ----------
    low, high : (n_queries,) NaN where the measure has no value by the judgments that there are.
    exact : (n_queries,) whether both ends are attained by a labelling; else they enclose all.
    labelled : (n_queries,) how many documents were labelled.
    """

    low: Floats
    high: Floats
    exact: Bools
    labelled: Ints


@np.errstate(over="ignore", invalid="ignore")  # labels that could are refused
def unjudged_bounds(
    lists: Lists, measure: Measure, highest: float, *, retrieved: bool = False
) -> Bounds:
    """How low and how high a measure could be if the unjudged documents were judged.

    Every unjudged document among the top k gets one of the grades 0, 1, ..., `highest` and counts
    like a judged one: in the ranking, the ideal and the number of relevant documents. All other
    unjudged documents are as if they were not there. Which queries have a value, the judgments that
    there are decide. For RBP the high end is RBP + RBPResidual, which also covers what could stand
    behind the end of the run.

    Parameters
    ----------
    lists : the run under the convention in force for the measure.
    measure : nDCG, DCG, P, R, AP, RR, Success, F or RBP.
    highest : the highest grade that a label may be, a whole number from 0 up.
    retrieved : label all retrieved documents, as is done for a measure without a cutoff. The lists
        must then hold the whole run (`Scoring`, whole=True).

    Raises
    ------
    UsageError
        For other measures, and for conventions under which the bounds are not proven.
    """
    highest = float(highest)
    _refuse_uncovered(lists, measure, highest)
    k = measure.cutoff(lists.convention)
    spots = spots_of(lists, None if retrieved else k)
    labels = _LABELS[measure.name](lists, measure, spots, highest)
    # What all labels 0 give lies between the two, also where they differ by rounding alone.
    value = Sheet(lists, measure, spots).values(np.array([np.zeros(len(spots.row)), *labels]))
    low, high = value.min(axis=0), value.max(axis=0)
    exact = np.ones(lists.n_queries, bool)
    if measure.name == "RBP" and highest >= measure.threshold:
        low, high = value[0], _with_residual(lists, measure, value[0])
        exact = low == high
    empty = measure.empty(lists)
    low, high = (np.where(empty, np.nan, end) for end in (low, high))
    return Bounds(low, high, exact, spots.number)


def _with_residual(lists: Lists, measure: Measure, value: Floats) -> Floats:
    """RBP if all that is not known were relevant; it is 1 at most."""
    settings = {one.name: one.default for one in measure.record.parameters}
    p = float((settings | dict(measure.parameters))["p"])
    k = measure.cutoff(lists.convention)
    residual = rbp_residual_value(lists, k, measure.threshold, p=p)
    here = lists.ranked.returned > 0
    return np.where(here, np.minimum(value + residual, 1.0), value)


def _of_ndcg(lists: Lists, measure: Measure, spots: Spots, highest: float) -> Labels:
    return ndcg_labels(lists, spots, measure.cutoff(lists.convention), highest)


def _of_ap(lists: Lists, measure: Measure, spots: Spots, highest: float) -> Labels:
    low, high = precision_labels(lists, spots, measure.k, measure.threshold)
    return np.where(low, highest, 0.0), np.where(high, highest, 0.0)


def _inside(lists: Lists, measure: Measure, spots: Spots, highest: float) -> Labels:
    """Worth within the cutoff raises the value; behind it, it is at best of no consequence."""
    k = measure.cutoff(lists.convention)
    inside = spots.rank <= (k or spots.rank)
    return np.where(inside, 0.0, highest), np.where(inside, highest, 0.0)


_LABELS: dict[str, Callable[[Lists, Measure, Spots, float], Labels]] = {
    "nDCG": _of_ndcg,
    "AP": _of_ap,
    **dict.fromkeys(("DCG", "P", "R", "RR", "Success", "F", "RBP"), _inside),
}


def _refuse_uncovered(lists: Lists, measure: Measure, highest: float) -> None:
    """Refuse what the proofs do not hold for."""
    if measure.name not in _LABELS:
        what = f"{measure} has no bounds for what unjudged documents could change"
        how = f"measures with bounds: {', '.join(_LABELS)}"
        raise UsageError(Problem("usage", what, help=how))
    refuse_unlabelled(lists, measure)
    if not (highest >= 0 and highest.is_integer()):
        what = f"the highest label {number_text(highest)} is not a whole number from 0 up"
        raise UsageError(Problem("usage", what, help="give the top of the scale of grades"))
    if measure.record.graded:
        _refuse_gain(lists, highest)
    if measure.name == "nDCG":
        _refuse_ideal(lists)


def _refuse_gain(lists: Lists, highest: float) -> None:
    """Refuse gains that fall, and labels without a finite gain."""
    gain = lists.convention.gain
    if not rises(gain):
        why = "gains must rise with the grade, from 0 or more at grade 0"
        raise uncovered(lists, "gain", ("exp2", "linear", "binary"), why)
    table = gain_table(gain)
    labels = [0.0, highest]
    if table is not None:  # no longer than the table, so that a huge label costs nothing
        labels = [float(grade) for grade in range(int(min(highest, len(table))) + 1)]
    fault = next((why for why in (gain_fault(gain, label) for label in labels) if why), None)
    documents = float(lists.ranked.returned.max(initial=0)) + len(lists.ranked.row)
    if fault is None and not np.isfinite(gain_of(gain)(highest) * documents):
        fault = f"gains of grade {number_text(highest)} add up to more than a double holds"
    if fault is not None:
        how = "a lower highest label, --gain linear, or a gain table with every grade up to it"
        raise UsageError(Problem("usage", fault, help=how))


def _refuse_ideal(lists: Lists) -> None:
    """Refuse ideals that labels change in another way than the proofs say."""
    why = "the ideal ranking must be the best one of all judged documents"
    for axis, value in (("ideal", "judged"), ("ideal_order", "gain")):
        if getattr(lists.convention, axis) != value:
            raise uncovered(lists, axis, (value,), why)
    if lists.convention.rounding.startswith("terms"):
        raise uncovered(lists, "rounding", ("none",), "terms that are cut off do not add up")
    if (lists.gain < 0).any():
        why = "there are negative gains"
        raise uncovered(lists, "negative", ("clamp", "unjudged", "remove"), why)
