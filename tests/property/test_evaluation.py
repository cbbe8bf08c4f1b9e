"""What holds for every evaluation: neighbours, order of insertion, tie bounds, signatures."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import ndcg
import strategies
from reference import Measure
from strategies import Case

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

ROUNDING = 1e-12  # a closed form and a sum in another order differ in the last bit


def evaluated(qrels: Any, run: Any, measures: list[Measure], axes: dict[str, str]) -> Any:
    """The evaluation; examples that are refused are passed over."""
    names = [str(measure) for measure in measures]
    try:
        return ndcg.evaluate(qrels, run, names, **strategies.differing(axes))
    except ndcg.NdcgError:
        reject()


def values_of(evaluation: Any, measure: Measure) -> dict[str, float | None]:
    """The values per query."""
    return dict(evaluation[str(measure)].per_query)


@given(strategies.cases())
def test_adding_a_query_leaves_the_others_bit_identical(case: Case) -> None:
    both = [query for query in case.qrels if query in case.run]
    assume(len(both) > 1)
    assume(case.axes.get("ideal") != "slots:max")  # which asks for the best grade of any query
    added = both[0]
    qrels = {query: given for query, given in case.qrels.items() if query != added}
    run = {query: given for query, given in case.run.items() if query != added}
    after = evaluated(case.qrels, case.run, case.measures, case.axes)
    before = evaluated(qrels, run, case.measures, case.axes)
    for measure in case.measures:
        without = {q: value for q, value in values_of(after, measure).items() if q != added}
        assert without == values_of(before, measure)


@given(st.data())
def test_the_order_of_insertion_changes_nothing_unless_ties_ask_for_it(data: st.DataObject) -> None:
    example = data.draw(strategies.examples(columns=["scores"], repeats=False))
    axes = data.draw(strategies.conventions(example))
    assume(axes.get("ties") not in ("input", "reversed") and axes.get("order_by") != "position")
    # These follow the order of the judgments.
    assume(axes.get("appended", "none") == "none" and axes.get("ideal_order") != "listed")
    measures = [data.draw(strategies.measures())]

    def shuffled(given: dict[str, Any]) -> dict[str, Any]:
        return {
            query: dict(data.draw(st.permutations(list(given[query].items()))))
            for query in data.draw(st.permutations(list(given)))
        }

    case = Case(example, axes, measures, as_lists=False)
    one = evaluated(case.qrels, case.run, measures, axes)
    other = evaluated(shuffled(case.qrels), shuffled(case.run), measures, axes)
    assert one[str(measures[0])].mean == other[str(measures[0])].mean
    assert list(values_of(one, measures[0]).items()) == list(values_of(other, measures[0]).items())


@given(strategies.cases(ties=["expected"]))
def test_expected_lies_between_worst_and_best(case: Case) -> None:
    assume(max(map(abs, case.example.grades)) <= 3)
    # Over a negative ideal a better order is worse.
    assume(case.axes.get("negative") != "keep" and "=-" not in case.axes.get("gain", ""))
    assume(not case.axes.get("rounding", "none").startswith("terms"))  # of means of unrounded gains
    values = {
        ties: evaluated(case.qrels, case.run, case.measures, {**case.axes, "ties": ties})
        for ties in ("worst", "expected", "best")
    }
    for measure in case.measures:
        worst, expected, best = (values_of(found, measure) for found in values.values())
        for query, value in expected.items():
            low, high = worst[query], best[query]
            if value is None or low is None or high is None:
                assert value is low is high is None
            else:
                assert low - ROUNDING <= value <= high + ROUNDING


@given(
    strategies.examples().flatmap(strategies.conventions),
    strategies.measures(),
    st.sampled_from(["query", "weighted@0123abcd", "group@00000000"]),
)
def test_a_printed_signature_reads_back_as_the_same_convention(
    axes: dict[str, str], measure: Measure, average: str
) -> None:
    convention = ndcg.Convention(**axes, average=average)
    assert ndcg.Convention.parse(convention.signature(str(measure), "1")) == convention
    assert ndcg.Convention.from_dict(convention.to_dict()) == convention


def test_a_run_without_scores_falls_to_its_order_but_refuses_to_be_asked_for_scores() -> None:
    qrels, run = {"q": {"a": 1}}, {"q": ["b", "a"]}
    found = ndcg.evaluate(qrels, run, "RR")
    assert found["RR"].mean == 1 / 2
    assert "order_by:position" in found["RR"].signature
    with pytest.raises(ndcg.UsageError) as refused:
        ndcg.evaluate(qrels, run, "RR", order_by="score")
    assert refused.value.problems[0].word == "order"
