"""What was lost in retrieval and what in ranking: of runs, of pipelines, beside every mean."""

from __future__ import annotations

import csv
import io
import json
from math import log2
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg.errors import UsageError
from ndcg.evaluation.reached import Parts
from ndcg.reports.model import Options
from ndcg.reports.retrieved import render

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"d": 1, "e": 1}, "q3": {"f": 0}, "q4": {"g": 1}}
RUN = {"q1": ["x", "b", "c"], "q2": ["e", "d"], "q3": ["f"]}

IDEAL = 3 + 1 / log2(3)  # of q1: gains 3 and 1
Q1 = (1 / log2(3)) / IDEAL
Q1_CEILING = 1 / IDEAL  # b first: a is not there


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        f"{query} Q0 {document} {rank} {9 - rank}"
        for query, own in RUN.items()
        for rank, document in enumerate(own, 1)
    ]
    put(
        q="".join(f"{q} 0 {d} {g}\n" for q, own in QRELS.items() for d, g in own.items()),
        first="".join(f"{line} first\n" for line in lines),
        second="q1 Q0 b 1 2 second\nq1 Q0 z 2 1 second\nq2 Q0 e 1 2 second\n",
    )


def path_of(*arguments: Any, **options: Any) -> Any:
    return ndcg.ceiling(*arguments, **options).only


# -- a run -----------------------------------------------------------------------------------------


def test_a_ceiling_is_of_every_query_and_of_the_mean() -> None:
    reached = path_of(QRELS, RUN).reached
    ceilings = {query: one.ceiling for query, one in reached.per_query.items()}
    assert ceilings == {"q1": Q1_CEILING, "q2": 1.0, "q3": None, "q4": 0.0}
    assert reached.mean.ceiling == (Q1_CEILING + 1.0 + 0.0) / 3
    assert reached.mean.value == ndcg.evaluate(QRELS, RUN)["nDCG@10"].mean
    assert reached.mean.attainable == 1.0


def test_the_loss_is_split_between_retrieval_and_ranking() -> None:
    reached = path_of(QRELS, RUN).reached
    one = reached.per_query["q1"]
    assert (one.lost_in_retrieval, one.lost_in_ranking) == (1 - Q1_CEILING, Q1_CEILING - Q1)
    assert (reached.mean.lost_in_retrieval, reached.mean.lost_in_ranking) == (
        1 - reached.mean.ceiling,
        reached.mean.ceiling - reached.mean.value,
    )


def test_the_mean_ordering_is_over_queries_with_a_ceiling_and_says_how_many() -> None:
    found = ndcg.ceiling(QRELS, RUN)
    reached = found.only.reached
    assert reached.per_query["q4"].ordering is None
    assert reached.mean.ordering == (Q1 / Q1_CEILING + 1.0) / 2
    assert (reached.ordered, reached.unordered) == (2, 1)
    assert any("1 query with a ceiling of 0" in str(one) for one in found.notices)


def test_missing_queries_follow_their_rule_and_keep_the_sum() -> None:
    left = path_of(QRELS, RUN, missing="exclude")
    assert left.n == 2
    assert left.reached.per_query["q4"].ceiling is None
    assert left.reached.mean.attainable == 1.0


def test_what_a_rule_makes_of_an_empty_query_is_no_loss() -> None:
    for word, value in (("zero", 0.0), ("one", 1.0)):
        one = path_of(QRELS, RUN, empty=word).reached.per_query["q3"]
        assert (one.value, one.ceiling, one.attainable) == (value, value, value)
        assert (one.lost_in_retrieval, one.lost_in_ranking) == (0.0, 0.0)


def test_extra_queries_that_count_are_no_loss_either() -> None:
    run = RUN | {"q9": ["a"]}
    reached = path_of(QRELS, run, extra="zero").reached
    assert reached.per_query["q9"].attainable == 0.0
    assert reached.mean.attainable == 3 / 4


def test_weights_and_groups_average_the_parts_as_they_average_the_value() -> None:
    weights = {"q1": 2.0, "q2": 1.0, "q4": 1.0}
    weighted = path_of(QRELS, RUN, weights=weights).reached.mean
    assert weighted.ceiling == (2 * Q1_CEILING + 1.0 + 0.0) / 4
    assert weighted.ordering == (2 * (Q1 / Q1_CEILING) + 1.0) / 3
    groups = {"q1": "one", "q2": "two", "q4": "two"}
    grouped = path_of(QRELS, RUN, groups=groups).reached.mean
    assert grouped.ceiling == (Q1_CEILING + (1.0 + 0.0) / 2) / 2
    assert grouped.ordering == (Q1 / Q1_CEILING + 1.0) / 2


def test_an_ordering_without_weight_is_undefined() -> None:
    weights = {"q1": 0.0, "q2": 0.0, "q4": 1.0}
    assert path_of(QRELS, RUN, weights=weights).reached.mean.ordering is None


def test_measures_whose_best_value_is_below_1_say_what_is_attainable() -> None:
    mean = path_of({"q": {"a": 1, "b": 1}}, {"q": ["x", "a"]}, "P@10").reached.mean
    assert (mean.value, mean.ceiling, mean.attainable) == (1 / 10, 1 / 10, 2 / 10)
    assert path_of({"q": {"a": 1, "b": 1}}, {"q": ["x", "a"]}, "DCG").reached.mean.attainable == (
        1 + 1 / log2(3)
    )


def test_documents_that_tie_are_candidates_whatever_the_rule() -> None:
    run = {"q1": {"x": 1.0, "a": 1.0, "b": 1.0}}
    for ties in ("docid_asc", "docid_desc", "input", "expected", "worst", "best"):
        assert path_of({"q1": QRELS["q1"]}, run, ties=ties).reached.mean.ceiling == 1.0


def test_unjudged_candidates_are_counted_and_count_nothing() -> None:
    found = ndcg.ceiling(QRELS, RUN)
    (stage,) = found.only.stages
    assert (stage.documents, stage.judged) == (6, 5)
    assert any("1 of 6 candidates (16.7%) without judgment" in str(one) for one in found.notices)


def test_unjudged_candidates_may_count_by_another_rule() -> None:
    found = ndcg.ceiling(QRELS, RUN, unjudged="grade:1")
    assert any(
        "in its ceiling these count by unjudged:grade:1" in str(one) for one in found.notices
    )


def test_the_documents_of_a_run_are_followed() -> None:
    path = path_of(QRELS, RUN, "nDCG@1")
    assert {one.document: one.fate for one in path.documents["q1"]} == {
        "a": "not listed", "b": "below cutoff"
    }  # fmt: skip
    assert (path.relevant, path.kept, path.below_cutoff) == (5, 1, 2)
    assert path.documents["q1"][1].ranks == (2,)


def test_an_ideal_reranker_of_few_documents_reaches_less() -> None:
    (stage,) = path_of({"q": {"a": 1, "b": 1}}, {"q": ["x", "a", "b"]}, depths=[1, 2, 50]).stages
    assert stage.ideal == {1: 0.0, 2: 1 / (1 + 1 / log2(3)), 50: 1.0}


def test_which_documents_an_open_tie_hands_on_is_not_known_and_said() -> None:
    found = ndcg.ceiling(QRELS, {"q1": {"a": 1.0, "b": 1.0}}, ties="expected", depths=[1, 5])
    assert found.only.stages[0].ideal[1] is None
    assert found.only.stages[0].ideal[5] is not None
    assert any("leaves open which documents are the first 1" in str(one) for one in found.notices)


def test_arrays_have_ceilings() -> None:
    grades = np.array([[2.0, 1.0, np.nan], [0.0, 1.0, 1.0]])
    scores = np.array([[1.0, 2.0, 3.0], [3.0, 2.0, 1.0]])
    mask = np.array([[True, True, True], [True, True, False]])
    found = ndcg.ceiling(grades, scores, mask=mask).only
    assert found.reached.per_query["0"].ceiling == 1.0
    assert [one.document for one in found.documents["0"]] == ["0", "1"]


def test_repeated_documents_that_count_are_candidates_each_time() -> None:
    run = {"q1": [("x", 3.0), ("b", 2.0), ("b", 1.0)]}
    found = path_of({"q1": QRELS["q1"]}, run, "DCG", duplicates="count")
    assert found.reached.mean.ceiling == 1 + 1 / log2(3)
    assert (found.stages[0].documents, found.stages[0].judged) == (3, 2)


def test_several_runs_are_looked_at_by_name() -> None:
    found = ndcg.ceiling(QRELS, {"one": RUN, "two": {"q1": ["a"]}})
    assert found["one"].reached.mean.ceiling == (Q1_CEILING + 1.0) / 3
    assert found["two"].reached.per_query["q1"].ceiling == 3 / IDEAL


def test_what_is_returned_prints_itself() -> None:
    text = str(ndcg.ceiling(QRELS, RUN))
    assert text.startswith("nDCG@10: 3 queries")
    assert "note: run: 1 query with a ceiling of 0" in text


# -- pipelines -------------------------------------------------------------------------------------

FIRST = {"q1": ["x", "b", "a"], "q2": ["d", "y", "e"]}
SECOND = {"q1": ["b", "x"], "q2": ["y", "d", "w"]}
JUDGED = {query: QRELS[query] for query in ("q1", "q2")}


def test_a_pipeline_says_where_each_relevant_document_was_lost() -> None:
    stages = {"first": 2, "second": 2}
    path = path_of(JUDGED, {"first": FIRST, "second": SECOND}, "nDCG@1", stages=stages)
    assert path.name == "first > second"
    fates = {one.document: (one.fate, one.stage) for own in path.documents.values() for one in own}
    assert fates == {
        "a": ("below depth", "first"), "b": ("kept", "second"),
        "d": ("below cutoff", "second"), "e": ("below depth", "first"),
    }  # fmt: skip
    first, second = path.stages
    assert (first.relevant, first.below_depth, first.not_listed) == (2, 2, 0)
    assert (second.relevant, second.below_depth, second.not_listed) == (2, 0, 0)
    assert (path.relevant, path.kept, path.below_cutoff) == (4, 1, 1)


def test_the_losses_of_the_stages_and_of_the_ranking_add_up() -> None:
    runs = {"first": FIRST, "second": SECOND}
    path = path_of(JUDGED, runs, stages={"first": 2, "second": None})
    first, second = path.stages
    assert first.lost == 1 - first.ceiling
    assert second.lost == first.ceiling - second.ceiling
    assert second.ceiling == path.reached.mean.ceiling
    assert path.reached.mean.value == ndcg.evaluate(JUDGED, SECOND)["nDCG@10"].mean


def test_the_value_of_a_pipeline_is_that_of_its_last_run_cut_at_its_depth() -> None:
    runs = {"first": FIRST, "second": SECOND}
    path = path_of(JUDGED, runs, stages={"first": None, "second": 1})
    cut = ndcg.evaluate(JUDGED, SECOND, depth="1")["nDCG@10"]
    assert (path.reached.mean.value, path.signature) == (cut.mean, cut.signature)


def test_what_a_stage_brings_in_is_counted_and_warned_about() -> None:
    runs = {"first": {"q1": ["x"], "q2": ["d"]}, "second": {"q1": ["a", "x"], "q2": ["d", "w"]}}
    found = ndcg.ceiling(JUDGED, runs, stages={"first": 10, "second": 10})
    first, second = found.only.stages
    assert (first.brought, second.brought, second.brought_relevant) == (0, 2, 1)
    assert second.lost < 0
    (warning,) = [one for one in found.notices if one.level == "warning" and "hands" in one.what]
    assert "second hands over 2 documents (1 relevant) that first does not, in 2 queries" in str(
        warning
    )


def test_stages_that_nest_are_not_warned_about() -> None:
    runs = {"first": FIRST, "second": {"q1": ["a", "b"]}}
    found = ndcg.ceiling(JUDGED, runs, stages={"first": None, "second": None})
    assert not any("hands over" in str(one) for one in found.notices)


# -- JSON and the command --------------------------------------------------------------------------


@pytest.mark.usefixtures("files")
def test_the_command_prints_what_the_function_finds() -> None:
    done = command("ceiling", "q", "first", "--json", "--per-query", "--order-by", "rank")
    assert done.code == 0
    whole = json.loads(done.out)
    own = ndcg.ceiling("q", "first", order_by="rank").to_dict(per_query=True)
    assert whole == json.loads(json.dumps(own))
    (system,) = whole["systems"]
    assert [*system] == [
        "name", "value", "n", "attainable", "ceiling", "ordering", "lost_in_retrieval",
        "lost_in_ranking", "ordered", "unordered", "relevant", "kept", "below_cutoff", "stages",
        "signature", "per_query",
    ]  # fmt: skip
    assert system["per_query"]["q1"]["documents"][0] == {
        "document": "a", "grade": 2.0, "ranks": [None], "fate": "not listed", "stage": "first"
    }  # fmt: skip
    assert whole["inputs"][0]["sha256"]


@pytest.mark.usefixtures("files")
def test_stages_of_the_command_are_files_with_depths() -> None:
    done = command("ceiling", "q", "--stages", "first=2", "second", "--json")
    (path,) = json.loads(done.out)["systems"]
    assert path["name"] == "first > second"
    assert [stage["depth"] for stage in path["stages"]] == [2, None]
    assert path["stages"][1]["brought"] == 1
    assert "warning: second hands over 1 document (0 relevant)" in done.err


@pytest.mark.usefixtures("files")
def test_a_stage_may_have_an_equals_sign_in_its_name() -> None:
    Path("first").rename("k=2")
    done = command("ceiling", "q", "--stages", "k=2", "second=all", "--json", "--quiet")
    assert [one["depth"] for one in json.loads(done.out)["systems"][0]["stages"]] == [None, None]
    done = command("ceiling", "q", "--stages", "k=2=2", "second", "--json", "--quiet")
    assert [one["depth"] for one in json.loads(done.out)["systems"][0]["stages"]] == [2, None]


@pytest.mark.usefixtures("files")
def test_rows_have_full_precision_one_a_stage_or_one_a_query() -> None:
    text = command("ceiling", "q", "--stages", "first=2", "second", "--format", "csv").out
    one, other = csv.DictReader(io.StringIO(text))
    assert (one["stage"], one["stage_name"], one["stage_depth"]) == ("1", "first", "2")
    assert one["ceiling"] == other["stage_ceiling"]
    text = command("ceiling", "q", "first", "--format", "csv", "--per-query").out
    rows = {row["query"]: row for row in csv.DictReader(io.StringIO(text))}
    assert float(rows["q1"]["ceiling"]) == Q1_CEILING
    assert (rows["q1"]["relevant"], rows["q1"]["kept"], rows["q1"]["not_listed"]) == ("2", "1", "1")
    assert rows["q3"]["ceiling"] == ""


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("name", ["table", "markdown", "tsv", "jsonl"])
def test_every_format_has_the_ceiling(name: str) -> None:
    for more in ([], ["--per-query"]):
        text = command("ceiling", "q", "first", "second", "--format", name, *more).out
        assert "ceiling" in text
        assert f"{Q1_CEILING:.4f}"[:5] in text or not more


@pytest.mark.usefixtures("files")
def test_documents_are_shown_with_their_ranks() -> None:
    stages = ["ceiling", "q", "--stages", "first=2", "second", "--documents"]
    rows = [*csv.DictReader(io.StringIO(command(*stages, "--format", "csv").out))]
    assert [(row["document"], row["fate"], row["stage"]) for row in rows] == [
        ("a", "not listed", "first"), ("b", "kept", "second"), ("d", "not listed", "second"),
        ("e", "kept", "second"), ("g", "not listed", "first"),
    ]  # fmt: skip
    assert [(row["rank_1"], row["rank_2"]) for row in rows[:3]] == [("", ""), ("2", "1"), ("2", "")]
    text = command(*stages).out
    assert "query  document  grade  in stage 1  in stage 2        fate\n" in text
    assert "q1     b             1           2           1   in top 10\n" in text
    both = command("ceiling", "q", "first", "second", "--documents").out
    assert "query  system  document  grade  rank        fate\n" in both
    assert (
        "documents" in json.loads(command(*stages, "--json").out)["systems"][0]["per_query"]["q1"]
    )


@pytest.mark.usefixtures("files")
def test_without_a_relevant_document_there_is_no_row_and_no_table_of_them() -> None:
    asked = ["ceiling", "q", "first", "-q", "q3", "--documents"]
    for name in ("csv", "tsv", "jsonl"):
        assert command(*asked, "--format", name).out == ""
    assert "every relevant document" not in command(*asked).out


def test_frames_files_and_dictionaries_agree(tmp_path: Path) -> None:
    polars = pytest.importorskip("polars")
    runs = {"first": FIRST, "second": SECOND}
    frames = {
        name: polars.DataFrame(
            [(q, d, -float(at)) for q, own in run.items() for at, d in enumerate(own)],
            schema=["query", "document", "score"], orient="row",
        )
        for name, run in runs.items()
    }  # fmt: skip
    judged = [(q, d, g) for q, own in JUDGED.items() for d, g in own.items()]
    qrels = polars.DataFrame(judged, schema=["query", "document", "grade"], orient="row")
    stages = {"first": 2, "second": 2}
    found = ndcg.ceiling(qrels, frames, stages=stages).to_dict(per_query=True)
    expected = ndcg.ceiling(JUDGED, runs, stages=stages, order_by="position").to_dict(
        per_query=True
    )
    for one in (found, expected):
        for system in one["systems"]:
            del system["signature"]
    assert found == expected
    for name, frame in frames.items():
        frame.write_parquet(tmp_path / f"{name}.parquet")
    qrels.write_parquet(tmp_path / "qrels.parquet")
    files = {name: str(tmp_path / f"{name}.parquet") for name in frames}
    again = ndcg.ceiling(str(tmp_path / "qrels.parquet"), files, stages=stages)
    assert again.only.documents == ndcg.ceiling(JUDGED, runs, stages=stages).only.documents


@pytest.mark.usefixtures("files")
def test_output_goes_to_files_that_are_no_inputs() -> None:
    assert command("ceiling", "q", "first", "-o", "lost.md").out == ""
    assert Path("lost.md").read_text().startswith("**nDCG@10: 3 queries**")
    Path("q").rename("q.json")
    done = command("ceiling", "q.json", "first", "-o", "q.json")
    assert "error[E08 output]: the output q.json is the input q.json" in done.err


# -- beside the means of eval ----------------------------------------------------------------------


@pytest.mark.usefixtures("files")
def test_eval_shows_ceilings_beside_means_in_every_format() -> None:
    asked = ["eval", "q", "first", "--ceiling", "-m", "nDCG@10", "-m", "Bpref"]
    done = command(*asked)
    assert "measure  system    mean  ceiling  ordering  retrieval loss  ranking loss" in done.out
    assert "warning: Bpref has no ceiling: which order of the candidates is its best" in done.err
    assert "| nDCG@10 | first |" in command(*asked, "--format", "markdown").out
    rows = [*csv.DictReader(io.StringIO(command(*asked, "--format", "csv").out))]
    assert float(rows[0]["ceiling"]) == (Q1_CEILING + 1.0) / 3
    assert (rows[1]["ceiling"], rows[0]["unordered"]) == ("", "1")
    measures = json.loads(command(*asked, "--json").out)["systems"][0]["measures"]
    assert measures["nDCG@10"]["ceiling"]["ceiling"] == (Q1_CEILING + 1.0) / 3
    assert "ceiling" not in measures["Bpref"]


@pytest.mark.usefixtures("files")
def test_eval_shows_the_ceilings_of_queries() -> None:
    asked = ["eval", "q", "first", "second", "--ceiling", "--per-query"]
    rows = [*csv.DictReader(io.StringIO(command(*asked, "--format", "csv").out))]
    assert float(rows[0]["ceiling"]) == Q1_CEILING
    assert f"q1     first   {Q1:.4f}   {Q1_CEILING:.4f}" in command(*asked).out
    first = json.loads(command(*asked, "--json").out)["systems"][0]["measures"]["nDCG@10"]
    assert first["ceiling"]["per_query"]["q1"]["ceiling"] == Q1_CEILING


@pytest.mark.usefixtures("files")
def test_eval_says_where_ceilings_have_no_place() -> None:
    done = command("eval", "q", "first", "--ceiling", "--format", "trec")
    assert "note: ceilings have no place in trec; --json holds all of them" in done.err
    both = command("eval", "q", "first", "--ceiling", "--bounds", "--format", "csv", "--per-query")
    assert "note: bounds, estimates and ranges have no place in csv of every query" in both.err
    assert "ceilings have no place" not in both.err


@pytest.mark.usefixtures("files")
def test_an_ideal_of_the_candidates_has_no_ceiling_and_that_is_said() -> None:
    done = command("eval", "q", "first", "--ceiling", "--ideal", "retrieved")
    assert done.code == 0
    assert "warning: under ideal:retrieved nDCG@10 is compared with its own candidates" in done.err


# -- where rules get in the way --------------------------------------------------------------------


def test_queries_that_one_stage_alone_lists_have_no_ceiling_at_the_other() -> None:
    found = ndcg.ceiling(
        {"q1": {"a": 1}}, {"A": {"q1": ["a"]}, "B": {"q1": ["a"], "x": ["a"]}},
        stages={"A": None, "B": 1}, extra="zero",
    )  # fmt: skip
    assert found.to_dict(per_query=True)["systems"][0]["per_query"]["x"]["ceilings"] == [None, 0.0]
    assert render(found, "csv", Options(per_query=True)).count("\n") == 3


def test_every_stage_is_averaged_over_the_queries_of_the_last() -> None:
    runs = {"A": {"q1": ["a"], "q2": ["z"]}, "B": {"q1": ["a"]}}
    path = ndcg.ceiling(
        {"q1": {"a": 1}, "q2": {"b": 1}}, runs, stages={"A": None, "B": 1}, missing="exclude"
    ).only
    assert [(stage.ceiling, stage.lost) for stage in path.stages] == [(1.0, 0.0), (1.0, 0.0)]


def test_a_mean_that_is_undefined_is_not_told_as_one_of_no_query() -> None:
    found = ndcg.ceiling({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": ["a"]}, missing="nan")
    assert found.only.reached.mean == Parts(None, None, None, None)
    assert "its mean is undefined" in found.report()


def test_losses_of_which_one_is_a_gain_are_not_told_as_shares() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    runs = {"q1": ["z", "z2", "z3", "a", "a"], "q2": ["z", "z2", "z3", "z4", "a"]}
    text = ndcg.ceiling(qrels, runs, duplicates="count").report()
    assert "% lost in retrieval" not in text or "-" not in text.split("% lost")[0].split()[-1]
    assert "nothing is lost" not in text


@pytest.mark.parametrize("measure", ["P@2", "RBP", "F@2", "nDCG@2", "gRBP"])
def test_what_is_attainable_is_never_below_the_ceiling(measure: str) -> None:
    found = ndcg.ceiling({"q1": {"b": 1}}, {"q1": ["z", "a", "g"]}, measure, unjudged="grade:2")
    mean = found.only.reached.mean
    assert mean.value is not None
    assert mean.attainable is not None
    assert mean.ceiling is not None
    assert mean.value <= mean.ceiling <= mean.attainable


def test_rules_that_change_the_ideal_with_what_is_handed_over_are_told() -> None:
    qrels, run = {"q1": {"e": 1}}, {"q1": ["z", "y", "x", "w"]}
    found = ndcg.ceiling(qrels, run, "nDCG@2", unjudged="grade:1", ideal_depth="all", depths=[1, 2])
    assert "unjudged:grade:1 lets the ideal change" in " ".join(map(str, found.notices))
    assert "lets the ideal change" not in " ".join(map(str, ndcg.ceiling(qrels, run).notices))


def test_documents_below_the_depth_of_the_convention_are_told_as_such() -> None:
    qrels, run = {"q1": {"a": 1, "b": 1, "c": 1}}, {"q1": ["a", "x", "b"]}
    path = ndcg.ceiling(qrels, run, depth="2").only
    fates = {one.document: (one.fate, one.ranks) for one in path.documents["q1"]}
    assert fates == {
        "a": ("kept", (1,)),
        "b": ("below depth", (3,)),
        "c": ("not listed", (None,)),
    }
    assert path.signature == ndcg.evaluate(qrels, run, depth="2")["nDCG@10"].signature


def test_candidates_are_counted_after_the_rules_that_take_documents_out() -> None:
    qrels, run = {"q1": {"a": 1, "b": 0}}, {"q1": ["a", "x", "y", "b"]}
    counts = {
        rule: (stage.documents, stage.judged)
        for rule in ("zero", "drop")
        for stage in ndcg.ceiling(qrels, run, unjudged=rule).only.stages
    }
    assert counts == {"zero": (4, 2), "drop": (2, 2)}


def test_depths_may_be_numbers_of_numpy() -> None:
    found = ndcg.ceiling({"q1": {"a": 1}}, {"q1": ["x", "a"]}, depths=[*np.array([1, 2])])
    assert found.only.stages[0].ideal == {1: 0.0, 2: 1.0}


def test_a_measure_of_the_judgments_and_a_pipeline_of_nothing_are_refused() -> None:
    with pytest.raises(UsageError, match="it is known from the judgments alone"):
        ndcg.ceiling({"q1": {"a": 1}}, {"q1": ["a"]}, "NumRel")
    with pytest.raises(UsageError, match="a pipeline has two stages or more, and 0 is given"):
        ndcg.ceiling({"q1": {"a": 1}}, {"q1": ["a"]}, stages={})


def test_what_is_found_names_itself_shortly() -> None:
    found = ndcg.ceiling({"q1": {"a": 1}}, {"q1": ["a"]})
    assert repr(found) == "<Retrieval run: nDCG@10 1.0, ceiling 1.0>"
    assert found.report("markdown").startswith("**nDCG@10: 1 query**")
    assert found.to_dict()["notices"] == [str(one) for one in found.notices]
