"""trust(): what unjudged documents and tied ones could make of every value."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ndcg.align import taken_grades
from ndcg.convention import Convention
from ndcg.diagnose.bounds import unjudged_bounds
from ndcg.diagnose.unjudged_estimates import estimate_unjudged, refuse_draws
from ndcg.errors import NdcgError, Notice, Problem, UsageError, note, one_of, warn
from ndcg.evaluation import scored
from ndcg.evaluation.results import Evaluation, SystemResult
from ndcg.evaluation.scoring import Scoring, Values
from ndcg.evaluation.trusted import Bounded, Estimated, Span, Tied, Trust
from ndcg.kernel import Floats
from ndcg.measures.registry import Measure

BOUNDS = ("top", "retrieved")
DRAWS = 1000


class Wanted(NamedTuple):
    """What is to be said about every measure."""

    bounds: str | None = None  # top or retrieved
    ties: bool = False
    estimate: str | None = None  # run or pool
    policies: bool = False
    highest: float | None = None  # the highest label; by default the highest grade
    draws: int = DRAWS
    seed: int = 0


def trust(
    qrels: Any,
    run: Any,
    measures: str | Sequence[str] | None = None,
    *,
    bounds: str | None = "top",
    tie_range: bool = True,
    estimate: str | None = None,
    policies: bool = True,
    highest: float | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    **how: Any,
) -> Evaluation:
    """Evaluate, and say how far what was not judged, or is tied, could move every value.

    Parameters
    ----------
    qrels, run, measures, **how
        As in `evaluate`.
    bounds
        ``"top"``: the lowest and the highest value that any grades of the unjudged documents in
        the top k could give; ``"retrieved"``: of all retrieved ones; None: nothing of the kind.
    tie_range
        The value under the worst and the best order of tied documents, and the mean over all.
    estimate
        ``"run"`` or ``"pool"``: the mean when grades are drawn for the unjudged documents as the
        judged ones of the run's top k, or of the query, are distributed (Fröbe et al. 2023).
    policies
        The mean with unjudged documents counted as nothing, and with them dropped.
    highest
        The highest grade that an unjudged document could have; by default the highest there is,
        rounded up to a whole one.
    draws, seed
        How often grades are drawn, and from which start.

    Returns
    -------
    Evaluation
        With `MeasureResult.trust`; what a measure has no bounds for is said in its notices.

    Examples
    --------
    >>> qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"x": 3.0, "a": 2.0, "b": 1.0}}
    >>> found = trust(qrels, run, "P@3")["P@3"].trust.bounds
    >>> found.span.low == 1 / 3, found.span.high == 2 / 3
    (True, True)
    """
    _refuse_other(highest, draws, seed)
    wanted = Wanted(bounds, tie_range, estimate, policies, highest, draws, seed)
    return trusted(*scored(qrels, run, measures, whole=True, **how), wanted)


def _refuse_other(highest: Any, draws: Any, seed: Any) -> None:
    """Refuse numbers that are none."""
    whole = {"draws": draws, "seed": seed}
    wrong = [f"{name}={value!r}" for name, value in whole.items()
             if isinstance(value, bool) or not isinstance(value, int | np.integer)]  # fmt: skip
    if highest is not None and not isinstance(highest, int | float | np.number):
        wrong.append(f"highest={highest!r}")
    if wrong:
        how = "draws and seed are whole numbers, highest is a grade"
        raise UsageError(Problem("type", f"{', '.join(wrong)} cannot be used", help=how))


def trusted(evaluation: Evaluation, scorings: Iterable[Scoring], wanted: Wanted) -> Evaluation:
    """An evaluation with what is to be said about every measure."""
    if wanted.bounds is not None:
        one_of("usage", "a choice of bounds", wanted.bounds, BOUNDS)
    if wanted.estimate is not None:
        refuse_draws(wanted.estimate, wanted.draws, wanted.seed)
    notices: list[Notice] = []
    systems = {
        name: _trusted_system(system, scoring, wanted, notices)
        for (name, system), scoring in zip(evaluation.systems.items(), scorings, strict=True)
    }
    told = (*evaluation.notices, *dict.fromkeys(notices))
    return replace(evaluation, systems=systems, notices=told)


def _trusted_system(
    system: SystemResult, scoring: Scoring, wanted: Wanted, notices: list[Notice]
) -> SystemResult:
    measures = {
        str(measure): replace(
            system.measures[str(measure)], trust=_trust(scoring, measure, wanted, notices)
        )
        for measure in scoring.measures
    }
    return replace(system, measures=measures)


def _trust(scoring: Scoring, measure: Measure, wanted: Wanted, notices: list[Notice]) -> Trust:
    values = scoring.values(measure)
    parts: dict[str, Any] = {}
    for name, asked, find in (
        ("bounds", wanted.bounds is not None, _bounds),
        ("ties", wanted.ties, _ties),
        ("estimate", wanted.estimate is not None, _estimate),
        ("policies", wanted.policies, _policies),
    ):
        if asked:
            parts[name] = _or_said(find, scoring, measure, values, wanted, notices)
    found = Trust(**parts)
    notices += _fixed(found.estimate, measure)
    return found


def _fixed(estimate: Estimated | None, measure: Measure) -> Iterator[Notice]:
    """An estimate that draws the same grade again and again."""
    if estimate is None or not estimate.single or 2 * estimate.single <= estimate.queries:
        return
    what = (
        f"{measure}: estimates of {estimate.single} of {estimate.queries} queries draw from a "
        f"single grade, so that their draws are all the same"
    )
    run = estimate.prior == "run"
    how = "--estimate pool draws from all judgments of a query" if run else (
        "judge some documents that are not relevant")  # fmt: skip
    yield warn(what, how)


_Find = Callable[[Scoring, Measure, Values, Wanted], Any]


def _or_said(
    find: _Find,
    scoring: Scoring,
    measure: Measure,
    values: Values,
    wanted: Wanted,
    notices: list[Notice],
) -> Any:
    """What is found, or None and a note why it cannot be."""
    try:
        return find(scoring, measure, values, wanted)
    except UsageError as error:
        problem = error.problems[0]
        who = "" if problem.what.startswith(str(measure)) else f"{measure}: "
        notices.append(note(who + problem.what, problem.help))
        return None


def _bounds(scoring: Scoring, measure: Measure, values: Values, wanted: Wanted) -> Bounded:
    retrieved = wanted.bounds == "retrieved"
    highest = wanted.highest
    if highest is None:
        best = np.array([max((scoring.judged.extent or (0.0, 0.0))[1], 0.0)])
        highest = float(math.ceil(taken_grades(best, values.convention.grades)[0]))
    lists = scoring.lists_of(measure)
    found = unjudged_bounds(lists, measure, highest, retrieved=retrieved)
    low, high = (_settled(scoring, values, end) for end in (found.low, found.high))
    counted = found.labelled[~np.isnan(found.low)]
    return Bounded(
        _span(scoring, measure, values, low, high),
        bool(found.exact[~np.isnan(found.low)].all()),
        int(counted.sum()),
        highest,
        retrieved,
    )


def _settled(scoring: Scoring, values: Values, found: Floats) -> Floats:
    """An end for every query that counts: those that were not simply scored keep their value."""
    of_query = dict(zip(scoring.judged.queries, found.tolist(), strict=True))
    ends = np.array([of_query.get(query, math.nan) for query in values.queries], np.float64)
    ends = np.where(np.isnan(ends) | ~values.answered, values.value, ends)
    return np.where(np.isnan(values.value), np.nan, ends)


def _span(scoring: Scoring, measure: Measure, values: Values, low: Floats, high: Floats) -> Span:
    ends = [_value(scoring.mean_of(measure, values, one)) for one in (low, high)]
    both = zip(map(_value, low.tolist()), map(_value, high.tolist()), strict=True)
    return Span(ends[0], ends[1], dict(zip(values.queries, both, strict=True)))


def _value(number: float) -> float | None:
    return None if math.isnan(number) else number


def _ties(scoring: Scoring, measure: Measure, values: Values, _: Wanted) -> Tied:
    """The values under the worst and the best order, and over all orders where that is known."""
    convention = values.convention
    worst, best = (
        scoring.values(measure, convention.but({"ties": rule})) for rule in ("worst", "best")
    )
    try:
        expected = scoring.values(measure, convention.but({"ties": "expected"}))
    except UsageError:
        expected = None
    middle = [None] * len(worst.queries) if expected is None else (
        [_value(one) for one in expected.value.tolist()])  # fmt: skip
    ends = zip(worst.queries, worst.value.tolist(), middle, best.value.tolist(), strict=True)
    moved = {
        query: (_value(low), mean, _value(high)) for query, low, mean, high in ends if low != high
        and not math.isnan(low)
    }  # fmt: skip
    return Tied(
        _value(worst.mean),
        None if expected is None else _value(expected.mean),
        _value(best.mean),
        len(moved),
        moved,
    )


def _estimate(scoring: Scoring, measure: Measure, values: Values, wanted: Wanted) -> Estimated:
    if values.queries != scoring.judged.queries or measure.record.over_queries != "mean":
        what = f"{measure} cannot be estimated where queries without judgments count, or as a sum"
        raise UsageError(Problem("usage", what, help="--extra ignore, and a measure with a mean"))
    found = estimate_unjudged(
        scoring.lists_of(measure),
        measure,
        scoring.judged.queries,
        prior=str(wanted.estimate),
        draws=wanted.draws,
        seed=wanted.seed,
        settled=values.value,
        weight=scoring.weights_of(values),
    )
    both = zip(map(_value, found.low.tolist()), map(_value, found.high.tolist()), strict=True)
    span = Span(
        _value(found.overall_low),
        _value(found.overall_high),
        dict(zip(values.queries, both, strict=True)),
    )
    return Estimated(
        _value(found.overall), span, str(wanted.estimate), wanted.draws, wanted.seed,
        int(found.drawn.sum()), found.from_pool, found.single, int((found.drawn > 0).sum()),
    )  # fmt: skip


def _policies(
    scoring: Scoring, measure: Measure, values: Values, _: Wanted
) -> Mapping[str, float | None]:
    """The mean by each rule for unjudged documents."""
    rules = dict.fromkeys((values.convention.unjudged, "zero", "drop"))
    return {rule: _mean_by(scoring, measure, values.convention, rule) for rule in rules}


def _mean_by(scoring: Scoring, measure: Measure, convention: Convention, rule: str) -> float | None:
    try:
        return _value(scoring.values(measure, convention.but({"unjudged": rule})).mean)
    except NdcgError:
        return None
