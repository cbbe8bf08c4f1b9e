"""explain where rules, rounding or names get in the way: what is said, and what is not claimed."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg.diagnose.explaining.contrast import Contrast
from ndcg.diagnose.explaining.found import Explanation
from ndcg.diagnose.explaining.overview import Overview
from ndcg.errors import UsageError


def one(judged: Mapping[str, float], run: Sequence[str], **how: Any) -> Explanation:
    """The explanation of a single query."""
    found = ndcg.explain({"q": judged}, {"q": [*run]}, query="q", **how)
    assert isinstance(found, Explanation)
    return found


def told(found: Explanation | Contrast) -> str:
    return "\n".join(found.told)


# -- what would help -------------------------------------------------------------------------------


def test_it_is_said_that_nothing_would_help_where_nothing_would() -> None:
    assert "no swap or promotion or missing document would raise the value" in told(
        one({"a": 1}, "a")
    )


def test_a_change_that_would_help_next_to_nothing_is_not_denied() -> None:
    judged = {**{f"t{n}": 10 for n in range(5)}, "z": 1, "y": 0}
    found = one(judged, [*(f"t{n}" for n in range(5)), "y", "z"], measure="nDCG")
    assert 0 < found.help[0].gain < 0.5e-4
    assert "would raise the value by 5e-05" in told(found)


@pytest.mark.parametrize(
    ("judged", "run", "how"),
    [
        ({"e": 1, "g": 0}, "cgda", {"measure": "nDCG@3", "unjudged": "grade:2",
                                    "nothing_found": "zero"}),
        ({"a": 0, "b": 0}, "xy", {"measure": "P@3", "unjudged": "grade:1", "empty": "one"}),
        ({"a": 0}, "a", {"empty": "one"}),
        ({"a": 3, "b": 0}, "b", {"preset": "xgboost"}),
    ],
)  # fmt: skip
def test_a_value_that_a_rule_gave_is_not_told_as_one_that_documents_make(
    judged: dict[str, float], run: str, how: dict[str, Any]
) -> None:
    found = one(judged, run, **how)
    assert found.decided is not None
    assert (found.summed, found.loss, found.causes, found.costs) == (False, None, {}, [])
    assert found.help == ()
    both = ndcg.explain({"q": judged}, {"q": [*run]}, {"q": [*run[::-1]]}, query="q", **how)
    assert isinstance(both, Contrast)
    assert both.moves == ()
    listed = ndcg.explain({"q": judged, "r": {"a": 1}}, {"q": [*run], "r": ["a"]}, **how)
    assert isinstance(listed, Overview)
    (row,) = (row for row in listed.rows if row.query == "q")
    assert (row.loss, row.adds, row.gains) == (None, 0.0, {})


def test_a_query_that_left_the_mean_has_no_costs() -> None:
    qrels, run = {"q": {"a": 1}, "r": {"a": 1}}, {"r": ["a"]}
    found = ndcg.explain(qrels, run, query="q", missing="exclude")
    assert isinstance(found, Explanation)
    assert (found.value, found.best, found.costs) == (None, None, [])
    assert "costs" not in found.report()


def test_the_kind_that_helps_most_helps_more_than_the_others() -> None:
    # Exchanging and moving up are the same for two neighbours, so that neither helps most.
    found = ndcg.explain({"q": {"a": 1}}, {"q": ["x", "a"]})
    assert isinstance(found, Overview)
    assert {kind: one.most for kind, one in found.help.items()} == {
        "swap": 0, "promotion": 0, "missing": 0,
    }  # fmt: skip


# -- what left the ranking -------------------------------------------------------------------------


def test_documents_that_a_rule_left_out_were_retrieved() -> None:
    found = one({"a": 3, "b": 2, "c": 1}, ["x", "b", "a"], depth="1")
    assert dict(found.out) == {"a": "depth:1", "b": "depth:1"}
    assert "a (grade 3), best at rank 1, was left out by depth:1: costs" in told(found)
    assert "putting a at rank 1 would gain" in told(found)
    assert "c (grade 1), best at rank 3, was not retrieved: costs" in told(found)
    own = one({"q": 2, "a": 1}, ["q", "a"], self_match="drop")
    assert "q (grade 2), best at rank 1, was left out by self_match:drop: costs" in told(own)


def test_what_is_hidden_stands_below_the_heading_of_its_kind() -> None:
    judged = {f"m{n}": 1 for n in range(30)}
    run = [f"u{n}" for n in range(40)]
    lines = [line.split() for line in one(judged, run).report().splitlines()]
    low, missed = lines.index(["(too", "low)"]), lines.index(["(missed)"])
    assert lines[low + 1][:3] == ["...", "(30", "more)"]
    assert low < missed


# -- rounding, and the last bit --------------------------------------------------------------------


def test_what_rounding_moves_is_said_and_no_division_is_claimed() -> None:
    found = one({"a": 3, "b": 1}, ["b", "a"], rounding="query:1")
    assert math.isclose(found.rounding, found.value - sum(line.part for line in found.lines))
    assert f"rounding:query:1 moves the value by {found.rounding:+.4f}" in told(found)
    assert " / " not in found.report().split("\n\n")[0]
    both = ndcg.explain({"q": {"a": 3, "b": 1}}, {"q": ["b", "a"]}, {"q": ["x", "a"]}, query="q",
                        rounding="query:1")  # fmt: skip
    assert "rounding moves the difference by" in told(both)


def test_the_best_ndcg_is_1_to_the_last_bit() -> None:
    for n in range(2, 40):
        judged = {f"d{at}": float(at % 5) for at in range(n)}
        assert one(judged, list(judged), measure="nDCG").best == 1.0


@pytest.mark.parametrize(
    "how", [{}, {"rounding": "mean:2"}, {"weights": {"q1": 1, "q2": 3, "q3": 2}}]
)
def test_means_are_those_of_the_evaluation(how: dict[str, Any]) -> None:
    qrels = {"q1": {"a": 2, "b": 1, "c": 1}, "q2": {"a": 1, "b": 1}, "q3": {"a": 1}}
    run = {"q1": ["b", "a"], "q2": ["x", "a"], "q3": ["x", "y", "a"]}
    found = ndcg.explain(qrels, run, **how)
    assert isinstance(found, Overview)
    assert found.means == (ndcg.evaluate(qrels, run, **how)["nDCG@10"].mean,)


def test_nothing_is_shown_as_less_than_nothing() -> None:
    judged = {"d1": 3, "d2": 2, "d3": 1}
    for found in (
        ndcg.explain({"q": judged}, {"q": list(judged)}, measure="RBP"),
        ndcg.explain({"q": judged}, {"q": list(judged)}, {"q": list(judged)}, query="q"),
    ):
        assert "-0.0000" not in found.report()


# -- lists of queries ------------------------------------------------------------------------------

HARD, EASY = {"q1": ["a"], "q2": ["x", "a"]}, {"q1": ["x", "a"], "q2": ["x", "y", "a"]}
TWO = {"q1": {"a": 1}, "q2": {"a": 1}}


@pytest.mark.parametrize(
    "how", [{"weights": {"q1": 1, "q2": 9}}, {"groups": {"q1": "g", "q2": "h"}}, {}]
)
def test_a_segment_of_all_queries_differs_as_all_of_them_do(how: dict[str, Any]) -> None:
    segments = {"q1": "s", "q2": "s"}
    found = ndcg.explain(TWO, HARD, EASY, segments=segments, **how)
    (pair,) = (
        ndcg.compare(TWO, {"a": HARD, "b": EASY}, segments=segments, **how)["nDCG@10"]
        .segments[0]
        .pairs
    )
    assert isinstance(found, Overview)
    n, total = found.parts["s"]
    assert n == 2
    assert math.isclose(total, pair.difference)
    assert math.isclose(found.total, pair.difference)


def test_what_is_lost_is_over_the_queries_of_which_that_is_known() -> None:
    found = ndcg.explain({"q1": {"a": 1}}, {"q1": ["x", "a"], "z": ["b"]}, extra="zero")
    assert isinstance(found, Overview)
    assert found.total == 1 - 1 / math.log2(3)
    assert "(over 1 query of which that is known)" in found.report()


def test_without_an_ideal_nothing_is_said_to_be_lost() -> None:
    found = ndcg.explain(TWO, HARD, measure="DCG", ideal="slots:3")
    assert "lost - (there is no ideal ranking to lose against)" in found.report()
    single = ndcg.explain(TWO, HARD, measure="DCG", ideal="slots:3", query="q1")
    assert "there is no ideal ranking to lose against under ideal:slots:3" in single.report()


@pytest.mark.parametrize("name", ["query", "text", "lost", "best", "missed", "of mean", "order"])
def test_a_run_may_be_called_as_a_column_is(name: str) -> None:
    found = ndcg.explain(TWO, {name: HARD, "b": EASY})
    lines = found.report().splitlines()
    head = next(line for line in lines if line.startswith("query"))
    assert f"value of {name}" in head
    assert any(line.split()[:3] == ["q1", "1.0000", "0.6309"] for line in lines)


def test_a_list_without_a_value_is_told_as_one() -> None:
    found = ndcg.explain({"q1": {"a": 0}}, {"q1": ["a"]})
    assert isinstance(found, Overview)
    assert found.to_dict()["means"] == [None]
    assert "null" in found.report("json")
    assert found.report().startswith("nDCG@10: 0 queries; run -; lost -\n")


def test_a_mean_that_is_undefined_is_undefined_in_the_list_too() -> None:
    segments = {"q1": "s", "q2": "t"}
    found = ndcg.explain(TWO, {"q1": ["a"]}, missing="nan", segments=segments)
    assert isinstance(found, Overview)
    assert found.to_dict()["means"] == [None]
    assert "undefined, and the mean with them, by missing:nan: 1 query (q2)" in found.report()


def test_the_querys_own_document_is_not_what_would_help() -> None:
    judged, run = {"q": {"q": 3, "b": 1}}, {"q": ["q", "f", "z"]}
    single = ndcg.explain(judged, run, query="q", self_match="drop")
    listed = ndcg.explain(judged, run, self_match="drop")
    assert isinstance(single, Explanation)
    assert isinstance(listed, Overview)
    for found in (single, listed):
        assert "missing" in found.untold
        assert "self_match:drop takes out the query's own document" in found.report()
    assert "missing" not in listed.help
    assert [one.kind for one in single.help] == []


def test_a_measure_that_reads_no_ideal_has_one_of_its_own() -> None:
    found = one({"a": 2, "b": 1}, ["b"], measure="gRBP", ideal="slots:3", gain="linear")
    assert found.best is not None
    assert found.loss is not None
    assert found.loss > 0


def test_a_query_outside_of_those_asked_for_is_not_called_unjudged() -> None:
    with pytest.raises(UsageError, match="query 'q2' is not among the 1 query asked for"):
        ndcg.explain(TWO, HARD, query="q2", queries=["q1"])


def test_several_measures_are_refused_by_the_name_that_was_used() -> None:
    with pytest.raises(UsageError, match="explain is about one measure, and measures= is given"):
        ndcg.explain(TWO, HARD, measures=["AP"])


# -- what is shown ---------------------------------------------------------------------------------


def test_ids_and_texts_steer_no_terminal_and_no_markdown() -> None:
    evil = "q\x1b[31m <b>*"
    found = ndcg.explain({evil: {"a": 1}}, {evil: ["x", "a"]}, query=evil,
                         query_texts={evil: "text \x07"})  # fmt: skip
    for name in ("table", "markdown"):
        assert "\x1b" not in found.report(name)
        assert "\x07" not in found.report(name)
    assert "<b>" not in found.report("markdown")


def test_a_file_without_a_text_for_any_document_is_told(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(q="q1 0 a 1\n", r="q1 Q0 a 1 1 t\n", t='{"_id": "zz", "title": "Z"}\n')
    done = command("explain", "q", "r", "-q", "q1", "--texts", "t", "--query-texts", "t")
    assert "warning: t has no text for any of the documents" in done.err
    assert "warning: t has no text for any of the queries" in done.err


# -- sentences that rare rules ask for -------------------------------------------------------------


@pytest.mark.parametrize(
    ("how", "sentence"),
    [
        ({"rounding": "query:2"}, "rounding:query:2 hides small changes"),
        ({"depth": "2"}, "depth"),
        ({"ideal_depth": "returned"}, "changes with the number of documents returned"),
        ({"ideal": "top_k"}, "changes with the documents in the top k"),
        ({"ties": "mean_rank"}, "counts them at their mean rank"),
    ],
)
def test_a_rule_that_hides_an_answer_is_named(how: dict[str, Any], sentence: str) -> None:
    judged = {"a": 3, "b": 2, "c": 1, "d": 1}
    run = {"q": {"x": 3.0, "b": 2.0, "a": 2.0, "y": 1.0}}
    found = ndcg.explain({"q": judged}, run, query="q", measure="nDCG@3", **how)
    assert sentence in told(found)


def test_a_document_without_a_place_in_the_ideal_is_told_so() -> None:
    found = one({"t": 2, "low": 1}, ["low"], measure="nDCG@1")
    assert "low (grade 1) at rank 1, without a place in the ideal, gives back" in told(found)


def test_runs_that_differ_in_nothing_that_counts_are_told_so() -> None:
    same = ndcg.explain(TWO, HARD, {"q1": ["a", "y"]}, query="q1", measure="nDCG@1")
    assert "no move changes the value" in told(same)


def test_a_document_that_stays_while_the_ideal_changes_is_told_so() -> None:
    judged = {"q": {"a": 3, "b": 1}}
    found = ndcg.explain(judged, {"q": ["a", "x"]}, {"q": ["a", "b"]}, query="q", ideal="retrieved")
    assert "a (grade 3) stays at 1 and costs" in told(found)
    assert "their sums are divided by 7.0000 and" in told(found)


def test_gains_of_a_list_are_those_of_its_explanations() -> None:
    rng = np.random.default_rng(5)
    qrels = {f"q{n}": {f"d{at}": int(rng.integers(0, 4)) for at in range(8)} for n in range(12)}
    run = {q: [f"d{at}" for at in rng.permutation(12)[:7]] for q in qrels}
    found = ndcg.explain(qrels, run, empty="one", nothing_found="zero")
    assert isinstance(found, Overview)
    for row in found.rows:
        single = ndcg.explain(qrels, run, query=row.query, empty="one", nothing_found="zero")
        assert isinstance(single, Explanation)
        assert {one.kind: one.gain for one in single.help} == {
            kind: gain for kind, gain in row.gains.items() if gain > 0
        }
