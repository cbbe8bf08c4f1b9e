"""The ceiling of every value: what the candidates could reach, and how near the ranking came."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ndcg.diagnose.retrieval.candidates import best_of_all, best_of_candidates
from ndcg.errors import Notice, UsageError, count, note, warn
from ndcg.evaluation.asked import averaged_by
from ndcg.evaluation.reached import Parts, Reached
from ndcg.evaluation.results import Evaluation
from ndcg.evaluation.scoring import Scoring, Values
from ndcg.kernel import Floats
from ndcg.measures.registry import Measure


class Found(NamedTuple):
    """The values of a measure, and what they could have been."""

    values: Values
    attainable: Floats
    ceiling: Floats
    reached: Reached


def reached_by(scoring: Scoring, measure: Measure) -> Found:
    """What the candidates of a run could reach, and how near its ranking comes.

    `scoring` must hold the whole run (whole=True).

    Raises
    ------
    UsageError
        Where the measure has no ceiling under its convention.
    """
    values = scoring.values(measure)
    best = best_of_candidates(scoring, measure, values.convention)
    attainable = best_of_all(scoring, measure, values.convention).value
    # Documents that count without a judgment are among the candidates, and in no such run.
    attainable = np.fmax(attainable, best.value)
    attainable = np.where(np.isnan(values.value), np.nan, attainable)
    ordering = np.full(len(values.value), np.nan)
    np.divide(values.value, best.value, out=ordering, where=best.value > 0)
    everything = np.ones(len(values.value), bool)
    ordered_mean = _mean(scoring, values, ordering)
    if values.undefined.any():
        ordered_mean = math.nan
    mean = Parts(
        number_or_none(values.mean),
        number_or_none(scoring.mean_within(measure, values, attainable, everything)),
        number_or_none(best.mean),
        number_or_none(ordered_mean),
    )
    ordered = int((~np.isnan(ordering)).sum())
    unordered = int((~np.isnan(best.value)).sum()) - ordered
    columns = (values.value, attainable, best.value, ordering)
    rows = zip(*(map(number_or_none, one.tolist()) for one in columns), strict=True)
    per_query = {q: Parts(*row) for q, row in zip(values.queries, rows, strict=True)}
    return Found(values, attainable, best.value, Reached(mean, ordered, unordered, per_query))


def with_ceilings(evaluation: Evaluation, scorings: Iterable[Scoring]) -> Evaluation:
    """An evaluation with the ceiling of every value; where there is none, a note says why."""
    notices: list[Notice] = []
    systems = {}
    for (name, system), scoring in zip(evaluation.systems.items(), scorings, strict=True):
        measures = dict(system.measures)
        for measure in scoring.measures:
            try:
                found = reached_by(scoring, measure).reached
            except UsageError as error:
                notices.append(warn(error.problems[0].what, error.problems[0].help))
                continue
            measures[str(measure)] = replace(measures[str(measure)], ceiling=found)
            notices += no_ceiling_above(found, name, measure)
        systems[name] = replace(system, measures=measures)
    told = (*evaluation.notices, *dict.fromkeys(notices))
    return replace(evaluation, systems=systems, notices=told)


def no_ceiling_above(found: Reached, system: str, measure: Measure) -> Sequence[Notice]:
    """Queries without an ordering are said."""
    if not found.unordered:
        return []
    queries = count(found.unordered, "query", "queries")
    what = (
        f"{system}: {queries} with a ceiling of 0 (nothing relevant among the candidates) and no "
        f"ordering; the mean ordering of {measure} is over the other {found.ordered}"
    )
    return [note(what)]


def _mean(scoring: Scoring, values: Values, ordering: Floats) -> float:
    """The mean ordering of the queries that have one, weighted as the values are."""
    averaging = averaged_by(values.convention, scoring.tables)[1]
    weight = averaging.weight_of(values.queries, ~np.isnan(ordering))
    if weight is not None and not weight.any():
        return math.nan
    return averaging.over(values.queries, ordering, "mean")[0]


def number_or_none(number: float) -> float | None:
    """None for NaN."""
    return None if math.isnan(number) else number
