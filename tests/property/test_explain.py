"""The parts that an explanation shows add up, and what it says would help is what would."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import pytest
from hypothesis import assume, event, given, reject
from hypothesis import strategies as st

import ndcg
import strategies
from ndcg.diagnose.explaining.contrast import contrasted
from ndcg.diagnose.explaining.listing import Asked, overview
from ndcg.diagnose.explaining.parts import EXPLAINED
from ndcg.diagnose.explaining.single import explained
from ndcg.evaluation import scored
from strategies import Case

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

ROUNDING = 1e-12


@st.composite
def cases(draw: st.DrawFn) -> Case:
    """A case whose measure has parts."""
    case = draw(strategies.cases())
    measure = draw(strategies.measures([*EXPLAINED]))
    if case.axes.get("ideal", "").startswith("slots"):
        measure = measure._replace(k=measure.k or 4) if "DCG" in measure.name else measure
    return case._replace(measures=[measure])


def scoring_of(case: Case) -> Any:
    """The evaluation and the scoring of a case; what is refused is passed over."""
    try:
        return scored(
            case.qrels, case.run, str(case.measures[0]), whole=True,
            **strategies.differing(case.axes),
        )  # fmt: skip
    except ndcg.NdcgError:
        reject()


@given(cases())
def test_parts_add_up_to_the_value_and_costs_to_what_is_lost(case: Case) -> None:
    evaluation, (scoring,) = scoring_of(case)
    (measure,) = scoring.measures
    per_query = evaluation[str(measure)].per_query
    for query in scoring.judged.queries:
        found = explained(scoring, measure, query, {}, None)
        event(f"{measure.name} {scoring.base.ties} {found.decided}")
        assert found.value == per_query[query]
        total = math.fsum(line.part for line in found.lines)
        size = max(1.0, *(abs(line.part) for line in found.lines), 0.0)
        if found.decided is None and found.value is not None:
            if scoring.base.rounding.startswith(("none", "mean")):
                assert abs(total - found.value) <= ROUNDING * size * 10
            else:
                assert math.isclose(total + found.rounding, found.value, rel_tol=1e-9)
        if found.best is not None:
            costs = math.fsum(line.cost for line in found.lines)
            largest = max(size, *(abs(line.cost) for line in found.lines), 0.0)
            assert abs(costs - (found.best - total)) <= ROUNDING * largest * 10
            assert math.isclose(sum(found.causes.values()), costs, abs_tol=ROUNDING * largest * 10)


@given(cases())
def test_the_ranking_that_is_shown_is_the_one_that_is_scored(case: Case) -> None:
    _, (scoring,) = scoring_of(case)
    (measure,) = scoring.measures
    for query in scoring.judged.queries:
        found = explained(scoring, measure, query, {}, None)
        ranks = [line.rank for line in found.lines if line.status in ("counted", "past")]
        assert ranks == [*range(1, len(ranks) + 1)]
        listed = [row[0] for row in case.example.run.get(query, ())]
        shown = [line.document for line in found.lines if line.status in ("counted", "past")]
        if scoring.base.appended == "none":
            assert {*shown} <= {*listed}
        gone = sum(found.dropped.values()) + len(found.left)
        if scoring.base.appended == "none":
            assert found.counts.listed == len([one for one in ranks if one <= len(listed)]) + gone
        for line in found.lines:
            if line.grade is not None:
                assert (line.document, line.grade) in [
                    (document, pytest.approx(grade))
                    for document, grade in case.example.qrels[query]
                ] or scoring.base.judgments in ("mean", "median")


# The axes about queries that are not simply computed: they may stop at other ones.
RULES = ("empty", "missing", "listed_empty", "no_judgments", "nothing_found", "extra", "none_left",
         "min_documents", "negative_only")  # fmt: skip


def valued(case: Case, query: str, ranking: list[str]) -> float:
    """The value of a query whose documents stand in this order."""
    axes = strategies.differing(case.axes) | {"order_by": "position", "appended": "none"}
    for axis in ("ties", "score_order", "score_type", "self_match", *RULES):
        axes.pop(axis, None)
    axes["duplicates"] = "count"
    found = ndcg.evaluate(case.qrels, {query: ranking}, str(case.measures[0]), **axes)
    return found[str(case.measures[0])].per_query[query] or 0.0


def moved(ranking: list[str], start: int, end: int) -> list[str]:
    """The ranking with one document moved up."""
    left = [*ranking]
    left.insert(end, left.pop(start))
    return left


def exchanged(ranking: list[str], one: int, other: int) -> list[str]:
    """The ranking with two documents exchanged."""
    left = [*ranking]
    left[one], left[other] = left[other], left[one]
    return left


@given(cases())
def test_no_other_swap_promotion_or_missing_document_helps_more(case: Case) -> None:
    assume(case.axes.get("ties", "docid_asc") in ("docid_asc", "docid_desc", "input", "reversed"))
    _, (scoring,) = scoring_of(case)
    (measure,) = scoring.measures
    for query in scoring.judged.queries:
        found = explained(scoring, measure, query, {}, None)
        ranking = [line.document for line in found.lines if line.rank is not None
                   and line.status != "slot"]  # fmt: skip
        if found.decided is not None or found.value is None or not ranking:
            continue
        gains = {one.kind: one.gain for one in found.help}
        n = len(ranking)
        lost = {line.document for line in found.lines if line.status == "missed"}
        tried = {
            "swap": [exchanged(ranking, i, j) for i in range(n) for j in range(i + 1, n)],
            "promotion": [moved(ranking, j, i) for j in range(n) for i in range(j)],
            "missing": [
                [*ranking[:i], one, *ranking[i:]] for one in sorted(lost) for i in range(n + 1)
            ],
        }
        for kind, orders in tried.items():
            if kind in found.untold:
                assert kind not in gains
                continue
            event(f"{kind} {kind in gains}")
            best = max((valued(case, query, order) for order in orders), default=0.0)
            rise = max(best - found.value, 0.0)
            size = max(1.0, abs(best), abs(found.value))
            assert gains.get(kind, 0.0) == pytest.approx(rise, abs=1e-9 * size)


@given(cases())
def test_the_list_of_queries_says_what_the_explanation_of_each_says(case: Case) -> None:
    _, (scoring,) = scoring_of(case)
    (measure,) = scoring.measures
    listed = overview([scoring], measure, Asked({}, {}, None))
    judged = {*scoring.judged.queries}
    for row in listed.rows:
        if row.query not in judged:
            continue
        one = explained(scoring, measure, row.query, {}, None)
        assert row.values == (one.value,)
        assert row.decided == (one.decided,)
        size = max(1.0, *(abs(line.part) + abs(line.cost) for line in one.lines), 0.0)
        if row.loss is not None:
            assert row.loss == pytest.approx(one.loss, abs=1e-9 * size)
            assert {**row.causes} == pytest.approx(one.causes, abs=1e-9 * size)
        gains = {help_.kind: help_.gain for help_ in one.help}
        told = {kind: gain for kind, gain in row.gains.items() if gain > 1e-9 * size}
        for kind in {*gains, *told} - {*listed.untold}:  # one query may keep it from all
            assert told.get(kind, 0.0) == pytest.approx(gains.get(kind, 0.0), abs=1e-9 * size)


@given(cases(), st.randoms(use_true_random=False))
def test_moves_of_two_runs_add_up_to_the_difference(case: Case, random: Random) -> None:
    other = {query: [*rows] for query, rows in case.run.items()} if case.as_lists else None
    assume(other is not None and case.axes.get("rounding", "none") in ("none", "mean:4"))
    for rows in other.values():
        random.shuffle(rows)
        del rows[len(rows) // 2 :]
    assume(any(other.values()))
    try:
        _, scorings = scored(
            case.qrels, {"one": case.run, "other": other}, str(case.measures[0]), whole=True,
            **strategies.differing(case.axes),
        )  # fmt: skip
    except ndcg.NdcgError:
        reject()
    (measure,) = scorings[0].measures
    for query in scorings[0].judged.queries:
        sides = [explained(one, measure, query, {}, None) for one in scorings]
        found = contrasted(*sides)
        if found.difference is None or {side.decided for side in sides} - {None, "missing"}:
            continue
        size = max(1.0, *(abs(move.change) for move in found.moves), 0.0)
        changes = math.fsum(move.change for move in found.moves)
        assert abs(changes - found.difference) <= ROUNDING * size * 10
