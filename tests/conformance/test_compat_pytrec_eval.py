"""``ndcg.compat.pytrec_eval`` against the live pytrec_eval, and where it is better on purpose."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from importlib.util import find_spec
from random import Random
from typing import Any

import numpy as np
import pytest

import ndcg
import ndcg.compat.pytrec_eval as ours
from random_runs import data

if find_spec("pytrec_eval") is None:
    absent = "pytrec_eval is not installed: pip install pytrec-eval-terrier"
    if os.environ.get("CI") == "true":
        pytest.fail(absent, pytrace=False)
    pytest.skip(absent, allow_module_level=True)

import pytrec_eval as theirs

ALL = theirs.supported_measures
CUT = {
    "ndcg_cut.1,3,10", "P_7", "recall.2,50", "map_cut_4", "success_2", "relative_P.3",
    "iprec_at_recall.0.25,0.5", "Rprec_mult.0.3,1.5", "set_F_0.5", "11pt_avg_0.2,0.5,0.8",
}  # fmt: skip


def both(
    qrels: Any, run: Any, measures: Any = ALL, level: int = 1, *, judged_only: bool = False
) -> tuple[Any, Any]:
    """What both evaluators answer."""
    answers = [
        module.RelevanceEvaluator(qrels, measures, level, judged_only).evaluate(run)
        for module in (ours, theirs)
    ]
    return answers[0], answers[1]


def differences(one: Any, other: Any) -> list[Any]:
    """Where two answers are not the same doubles; NaN is the same as NaN."""
    assert list(one) == list(other)
    found = []
    for query, values in other.items():
        assert list(one[query]) == list(values)
        for name, value in values.items():
            mine = one[query][name]
            if mine != value and not (math.isnan(mine) and math.isnan(value)):
                found.append((query, name, mine, value))
    return found


# -- the same ------------------------------------------------------------------------------------


def test_the_same_names() -> None:
    assert ours.supported_measures == theirs.supported_measures
    assert ours.supported_nicknames == theirs.supported_nicknames
    assert {*theirs.__all__} <= {*ours.__all__}


@pytest.mark.parametrize("judged_only", [False, True])
@pytest.mark.parametrize("level", [1, 2, 40])
@pytest.mark.parametrize("seed", range(12))
def test_every_measure_of_every_query_is_the_same_double(
    seed: int, level: int, judged_only: bool
) -> None:
    qrels, run = data(seed)
    for measures in (ALL, CUT):
        assert differences(*both(qrels, run, measures, level, judged_only=judged_only)) == []


@pytest.mark.parametrize("nickname", ["official", "set", "all_trec"])
def test_nicknames(nickname: str) -> None:
    assert differences(*both(*data(3), {nickname})) == []


def test_the_cutoffs_of_a_measure_are_put_together() -> None:
    qrels, run = data(1)
    one, other = both(qrels, run, ["P.5,10", "P_15", "P", "map"])
    assert differences(one, other) == []
    assert {*next(iter(one.values()))} == {"P_5", "P_10", "P_15", "map"}


def test_queries_come_in_the_order_of_the_run_and_only_those_of_both() -> None:
    qrels = {"b": {"d": 1}, "a": {"d": 1}, "none": {}, "missing": {"d": 1}}
    run = {"b": {"d": 1.0}, "c": {"d": 1.0}, "none": {"d": 1.0}, "a": {"d": 1.0}}
    one, other = both(qrels, run)
    assert list(one) == ["b", "a"]
    assert differences(one, other) == []


def test_an_evaluator_answers_the_same_again() -> None:
    qrels, run = data(5)
    evaluator = ours.RelevanceEvaluator(qrels, ALL)
    first = evaluator.evaluate(run)
    evaluator.evaluate(data(6)[1])
    assert differences(evaluator.evaluate(run), first) == []


def test_a_query_that_lists_nothing_has_no_interpolated_precision() -> None:
    qrels = {"a": {"d": 1}, "b": {"d": 1}}
    one, other = both(qrels, {"a": {"d": 1.0}, "b": {}}, ALL - {"bpref", "gm_bpref"})
    assert differences(one, other) == []
    assert math.isnan(one["b"]["iprec_at_recall_0.00"])


def test_infinite_scores_are_ranked() -> None:
    qrels = {"a": {"d": 1, "e": 2, "f": 0, "g": 1}}
    scores = {"d": math.inf, "e": -math.inf, "f": 1e39, "g": 1.0, "h": 3e38}
    assert differences(*both(qrels, {"a": scores})) == []


@pytest.mark.parametrize("text", ["", "q 0 d", "q 0 d 1 2", "# q 0 d 1\n", "q 0 d 0x1"])
def test_lines_that_both_refuse(text: str) -> None:
    for module in (ours, theirs):
        with pytest.raises(ValueError, match=r"."):
            module.parse_qrel([text])


def test_parsers_give_the_same() -> None:
    lines = ["q1 Q0 d1 1 2.5 tag", "q1 Q0 d2 2 -1e3 tag\n", "q2\tQ0\td1\t1\t1_000\ttag"]
    assert ours.parse_run(lines) == theirs.parse_run(lines)
    grades = ["q1 0 d1 1", "q1 0 d2 -1\n", "q2 x 007 +3"]
    assert ours.parse_qrel(grades) == theirs.parse_qrel(grades)
    assert ours.parse_qrel(grades)["no such query"] == {}


@pytest.mark.parametrize("parse", ["parse_run", "parse_qrel"])
def test_a_document_that_stands_twice_is_an_assertion_error(parse: str) -> None:
    row = "q Q0 d 1 2.0 tag" if parse == "parse_run" else "q 0 d 1"
    for module in (ours, theirs):
        with pytest.raises(AssertionError):
            getattr(module, parse)([row, row])
    with pytest.raises(ours.DuplicateError, match="line 2: document 'd' stands twice") as caught:
        getattr(ours, parse)([row, row])
    assert isinstance(caught.value, ndcg.DataError)


@pytest.mark.parametrize("measure", ["num_q", "num_rel_ret", "gm_map", "gm_bpref", "map", "P_5"])
def test_aggregation_gives_the_same_double(measure: str) -> None:
    random = Random(7)  # noqa: S311 -- examples, not secrets
    values = [random.random() - 0.5 for _ in range(1000)]
    mine = ours.compute_aggregated_measure(measure, values)
    assert mine == theirs.compute_aggregated_measure(measure, values)


def test_the_mean_of_nothing_is_nan_with_a_warning() -> None:
    with pytest.warns(RuntimeWarning):
        assert math.isnan(ours.compute_aggregated_measure("map", []))


@pytest.mark.parametrize("grade", [True, False, 3])
def test_booleans_are_grades(grade: int) -> None:
    assert differences(*both({"q": {"d": grade}}, {"q": {"d": 1.0}})) == []


@pytest.mark.parametrize(
    "wrong",
    [
        lambda m: m.RelevanceEvaluator({"q": {"d": 1}}, {"map"}, 0),
        lambda m: m.RelevanceEvaluator({"q": {"d": 1}}, {"map"}, 1.5),
        lambda m: m.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({"q": {"d": None}}),
        lambda m: m.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({"q": {"d": "1"}}),
        lambda m: m.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate([1]),
        lambda m: m.RelevanceEvaluator({"q": {"d": "1"}}, {"map"}),
    ],
)
def test_wrong_types_are_a_type_error_in_both(wrong: Any) -> None:
    for module in (ours, theirs):
        with pytest.raises(TypeError):
            wrong(module)


def test_an_unknown_measure_is_a_value_error_in_both() -> None:
    for module in (ours, theirs):
        for name in ("foo", "prefs", "map_avgjg", "rbp"):
            with pytest.raises(ValueError, match="unsupported measure"):
                module.RelevanceEvaluator({"q": {"d": 1}}, {name})


# -- better --------------------------------------------------------------------------------------

QRELS = {"q": {"a": 0, "b": 2, "c": 1}}
RUN = {"q": {"a": 3.0, "x": 2.5, "b": 2.0, "c": 1.0}}


def one_value(*measures: str, qrels: Any = QRELS, run: Any = RUN, **options: Any) -> dict[str, Any]:
    found = ours.RelevanceEvaluator(qrels, {*measures}, **options).evaluate(run)
    return dict(found["q"])


def test_recip_rank_and_map_are_really_cut() -> None:
    assert one_value("recip_rank_2") == {"recip_rank_2": 0.0}
    assert one_value("recip_rank.3,10") == {"recip_rank_3": 1 / 3, "recip_rank_10": 1 / 3}
    assert one_value("recip_rank") == {"recip_rank": 1 / 3}
    assert one_value("map_3") == {"map_3": (1 / 3) / 2}
    assert theirs.RelevanceEvaluator(QRELS, {"recip_rank_2"}).evaluate(RUN) == {
        "q": {"recip_rank": 1 / 3}
    }


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("ndcg_10", "for a cutoff: ndcg_cut_10"),
        ("ndcg.10", "for a cutoff: ndcg_cut_10"),
        ("P_0", "cutoffs are whole numbers from 1 up"),
        ("bpref_5", "bpref takes no parameters"),
        ("Rprec_5", "Rprec takes no parameters"),
        ("set_P_5", "set_P takes no parameters"),
        ("utility_1,2", "utility takes 4 coefficients"),
        ("ndcg_cut_ten", "did you mean ndcg_cut"),
    ],
)
def test_what_kills_or_misleads_there_is_an_error_here(name: str, said: str) -> None:
    with pytest.raises(ndcg.UsageError, match="unsupported measure") as caught:
        one_value(name)
    assert said in str(caught.value)


def test_equal_cutoffs_are_one() -> None:
    assert one_value("P_5", "P.5") == {"P_5": 2 / 5}
    assert one_value("P.5,5") == {"P_5": 2 / 5}


def test_gains_can_be_given() -> None:
    log3 = math.log2(3)
    wanted = (7 / math.log2(4) + 3 / math.log2(5)) / (7 + 3 / log3)
    assert one_value("ndcg.1=3,2=7") == {"ndcg_1=3,2=7": wanted}
    assert one_value("utility.1,-1,0,0") == {"utility": 0.0}


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.int32, int, float])
def test_numbers_of_numpy_are_numbers(kind: Any) -> None:
    run = {"q": {document: kind(score) for document, score in RUN["q"].items()}}
    qrels = {"q": {document: kind(grade) for document, grade in QRELS["q"].items()}}
    plain = {"q": {document: float(kind(score)) for document, score in RUN["q"].items()}}
    assert one_value("ndcg", "map", qrels=qrels, run=run) == one_value("ndcg", "map", run=plain)


def test_grades_may_have_fractions() -> None:
    qrels = {"q": {"a": 0.5, "b": 2.5}}
    wanted = (0.5 + 2.5 / math.log2(4)) / (2.5 + 0.5 / math.log2(3))
    assert one_value("ndcg", qrels=qrels) == {"ndcg": wanted}
    assert one_value("num_rel", qrels=qrels) == {"num_rel": 1.0}


def test_a_measure_as_it_is_beside_the_cut_one() -> None:
    assert set(one_value("map", "map_3", "recip_rank", "recip_rank_3")) == {
        "map", "map_3", "recip_rank", "recip_rank_3"
    }  # fmt: skip


@pytest.mark.parametrize("flag", [True, 1, np.True_, np.array(1)])
def test_the_flag_may_be_anything_that_is_true(flag: Any) -> None:
    run = {"q": {"unjudged": 9.0, "c": 1.0}}
    one = {"judged_docs_only_flag": flag}
    assert one_value("num_ret", run=run, **one) == {"num_ret": 1.0}


@pytest.mark.parametrize("level", [0, -1, 2**53 + 1, 1.5, "1", None])
def test_a_relevance_level_is_a_whole_number(level: Any) -> None:
    with pytest.raises(ours.ArgumentError, match="give a whole number from 1 up"):
        one_value("map", relevance_level=level)


def test_a_score_beyond_all_doubles_is_an_error() -> None:
    with pytest.raises(ndcg.NdcgError, match=r"is not finite|not a number"):
        one_value("map", run={"q": {"a": 10**400, "b": math.inf}})


@pytest.mark.parametrize("lines", [None, 5, "q 0 a 1", b"q 0 a 1", [b"q 0 a 1"], [None]])
def test_what_is_no_text_cannot_be_parsed(lines: Any) -> None:
    with pytest.raises(ours.ArgumentError, match=r"lines of a file|not text"):
        ours.parse_qrel(lines)


def test_a_grade_beyond_all_integers() -> None:
    assert one_value("ndcg", "num_rel", qrels={"q": {"a": 10**20}}) == {"ndcg": 1.0, "num_rel": 1.0}


def test_ids_are_compared_whole() -> None:
    qrels = {"q": {"a\0b": 1, "a\0c": 0}}
    assert one_value("P_1", qrels=qrels, run={"q": {"a\0c": 2.0, "a\0b": 1.0}}) == {"P_1": 0.0}
    odd = "\ud800"
    assert one_value("P_1", qrels={"q": {odd: 1}}, run={"q": {odd: 1.0}}) == {"P_1": 1.0}


@pytest.mark.parametrize("score", [math.nan, np.float64("nan")])
def test_scores_that_are_no_number_are_refused(score: float) -> None:
    with pytest.raises(ours.InputError, match="nan is not finite"):
        one_value("map", run={"q": {"a": score, "b": math.inf}})


def test_whole_number_ids_become_text_with_a_warning() -> None:
    with pytest.warns(ndcg.NdcgWarning, match="integer ids converted to text"):
        found = ours.RelevanceEvaluator({1: {"a": 1}}, {"map"}).evaluate({"1": {"a": 1.0}})
    assert found == {"1": {"map": 1.0}}


@pytest.mark.parametrize("measures", ["map", None, 5, [1]])
def test_measures_are_names(measures: Any) -> None:
    with pytest.raises(ours.ArgumentError, match="measure"):
        ours.RelevanceEvaluator(QRELS, measures)


@pytest.mark.parametrize("measures", [ALL, {"bpref"}, {"map", "ndcg", "bpref"}])
@pytest.mark.parametrize("first", ["a", "z"])
def test_a_query_with_negative_grades_alone_counts_nothing(first: str, measures: Any) -> None:
    qrels = {first: {"d1": -1, "d2": -2}, "m": {"d1": 2, "d2": 0}}
    run = {query: {"d1": 2.0, "d2": 1.0, "d3": 0.5} for query in (first, "m")}
    evaluator = ours.RelevanceEvaluator(qrels, measures)
    alone = ours.RelevanceEvaluator({"m": qrels["m"]}, measures).evaluate(run)
    for _ in range(3):  # theirs hangs in a second call
        found = evaluator.evaluate(run)
        assert found["m"] == alone["m"]
        worth = {
            name: value
            for name, value in found[first].items()
            if name not in ("num_q", "num_ret", "utility") and not name.startswith("gm_")
        }
        assert set(worth.values()) == {0.0}


KILLERS = [
    "RelevanceEvaluator({'q': {'d': 1}}, {'ndcg_10'})",
    "RelevanceEvaluator({'q': {'d': 1}}, {'P.5,5.0'})",
    "RelevanceEvaluator({'q': {}}, {'bpref'}).evaluate({'q': {}})",
    "RelevanceEvaluator({'q': {'d': -1}}, {'bpref'}).evaluate({'q': {'d': 1.0}})",
    "RelevanceEvaluator({'q': {'d': 10**20}}, {'all_trec'}).evaluate({'q': {'d': 1.0}})",
    "RelevanceEvaluator({'q': {'d': 2**70}}, {'all_trec'}).evaluate({'q': {'d': 1.0}})",
    "RelevanceEvaluator({'q': {'\\ud800': 1}}, {'map'}).evaluate({'q': {'\\ud800': 1.0}})",
    "RelevanceEvaluator({'q': {'d': 1}}, {'P.' + '9' * 400}).evaluate({'q': {'d': 1.0}})",
    "RelevanceEvaluator({'q': {'d': 1}}, {'bpref', 'map'}).evaluate({'q': {}})",
]


@pytest.mark.parametrize("call", KILLERS)
def test_nothing_kills_the_interpreter(call: str) -> None:
    code = (
        "from ndcg.compat.pytrec_eval import RelevanceEvaluator\n"
        f"try:\n    {call}\nexcept ValueError: pass\nprint('alive')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.stdout, done.returncode) == ("alive\n", 0), done.stderr
