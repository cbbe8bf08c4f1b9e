"""What new users and a second reader ran into: read as it is meant, or refused with a way out."""

from __future__ import annotations

from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg import DataError, NdcgWarning, UsageError, evaluate
from ndcg.formats import read_qrels, read_run
from ndcg.stores.asked import Asked

AS_IT_LOOKS = Asked({}, set())
QRELS = "q1 0 a 3\nq1 0 b 0\nq2 0 a 1\n"
RUN = "q1 Q0 a 1 2.0 t\nq2 Q0 a 1 2.0 t\n"
BEFORE = "# said above\n" * 60


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def judged(text: str | bytes, **columns: str) -> Any:
    put(q=text)
    return read_qrels("q", asked=Asked(columns, set()))[0].given


def listed(text: str, **columns: str) -> Any:
    put(r=text)
    rankings = read_run("r", asked=Asked(columns, set()))[0]
    return {query: [*rankings.documents(query)] for query in rankings.queries}


def refusal(given: Any, run: Any = None, **options: Any) -> str:
    """The text of the error, the judgments being a value or the text of a file."""
    if isinstance(given, str):
        put(q=given)
        given = "q"
    with pytest.raises(ndcg.NdcgError) as error:
        evaluate(given, {"q1": {"a": 1.0}} if run is None else run, **options)
    return str(error.value)


def refused_run(text: str | bytes, **options: Any) -> str:
    put(r=text)
    return refusal({"q1": {"a": 1}}, "r", **options)


def printed(*arguments: str) -> str:
    """Standard output of a command that succeeds."""
    done = command(*arguments)
    assert done.code == 0, done.err
    return done.out


def notes(qrels: Any, run: Any, *measures: str, **options: Any) -> list[str]:
    with pytest.warns(NdcgWarning) if options.pop("warns", False) else nullcontext():
        found = evaluate(qrels, run, measures or None, **options)
    return [str(one) for one in found.notices]


# -- missing values --------------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", ["Int64", "Float64", "boolean", "int64[pyarrow]", "object"])
@pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")
def test_missing_values_of_pandas_are_empty_cells(dtype: str) -> None:
    grades = pd.array([1, pd.NA], dtype=dtype)
    frame = pd.DataFrame({"user_id": ["q1", "q1"], "item_id": ["a", "b"], "rating": grades})
    assert refusal(frame).startswith("error[E26 grade]: qrels, row 2: the grade is empty")
    ev = evaluate(frame, {"q1": {"a": 1.0}}, lenient=True)
    assert ev["nDCG@10"].mean == 1.0
    assert "qrels: 1 row skipped (row 2: the grade is empty)" in str(ev.notices)


def test_a_score_of_nan_in_json_is_no_empty_cell() -> None:
    assert "the score nan is not finite" in refused_run(
        '{"query_id": "q", "doc_id": "a", "score": NaN}\n' * 2
    )


# -- ids -------------------------------------------------------------------------------------------


def test_documents_that_nearly_match_are_said_although_others_are_retrieved() -> None:
    qrels = {"q1": {"0010": 3, "ABC": 1}}
    (said, *_) = notes(qrels, {"q1": {"10": 2.0, "ABC": 1.0}}, warns=True)
    assert said == (
        "warning: 1 of 1 judged document of query 'q1' that are not retrieved would match listed "
        "ones without judgments: '0010' and '10' differ by leading zeros; a spreadsheet or a "
        "column of numbers drops zeros: write the ids as text there"
    )
    # One is judged as well: these are two documents.
    both = {"q1": {"0010": 3, "10": 1}}
    assert notes(both, {"q1": {"10": 2.0}}) == []


def test_queries_that_nearly_match_are_said_although_others_do() -> None:
    qrels = {"01": {"a": 1}, "10": {"a": 1}}
    said = notes(qrels, {"1": {"a": 2.0}, "10": {"a": 1.0}}, warns=True)
    assert said[0].startswith(
        "warning: 1 of 1 missing query would match run queries without judgments: '01' and '1'"
    )


def test_a_query_that_is_missing_and_empty_did_not_count_0() -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 0}, "q3": {"c": 1}}
    run = {"q1": {"a": 1.0}}
    assert notes(qrels, run)[0] == (
        "note: 2 of 3 judged queries missing from run, counted 0: q3 and 1 excluded with nothing "
        "relevant: q2; --missing exclude leaves them out"
    )
    del qrels["q3"]
    assert notes(qrels, run)[0] == (
        "note: 1 of 2 judged queries missing from run, excluded with nothing relevant: q2"
    )
    assert "counted 0: q2;" in notes(qrels, run, empty="zero")[0]


def test_ids_with_blanks_between_tabs_are_not_cut() -> None:
    text = "wireless mouse\tB001\t3\nwireless mouse\tB002\t0\n"
    by_number = {"query": "1", "document": "2", "grade": "3", "score": "3"}
    assert judged(text, **by_number) == {"wireless mouse": {"B001": 3.0, "B002": 0.0}}
    assert listed(text, **by_number) == {"wireless mouse": ["B001", "B002"]}
    assert "--columns query=1,document=2,grade=3" in refusal(text)
    six = "wireless mouse\tQ0\tB001\t1\t0.5\tt\n"
    assert "--columns query=1,document=3,score=5" in refused_run(six)
    assert judged("q1 0\ta\t1\nq2 0\tb\t1\n") == {"q1": {"a": 1.0}, "q2": {"b": 1.0}}


def test_blanks_behind_all_commas_are_left_out() -> None:
    put(q='query_id, doc_id, relevance\nq1, a, 3\nq1, "b, c", 0\n')
    judgments, found = read_qrels("q", asked=AS_IT_LOOKS)
    assert judgments.given == {"q1": {"a": 3.0, "b, c": 0.0}}
    assert "the blanks behind the delimiters were left out" in str(found.notices[-1])
    assert refusal("query_id, doc_id, relevance\nq1, a, x\n").split("\n")[2:4] == [
        "   | q1, a, x",
        "   |        ^",
    ]


# -- what stands above the rows --------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    ["q1 a 3 0\nq1 b 0 0\nq2 a 1 0\n", "q1,a,3\nq1,b,0\nq2,a,1\n", QRELS],
    ids=["ir_datasets", "csv", "trec"],
)
def test_comments_above_do_not_hide_the_layout(rows: str) -> None:
    header = "query,docid,rating\n" if "," in rows else ""
    found = judged(BEFORE + header + rows)
    assert {query: dict(pairs) for query, pairs in found.items()} == {
        "q1": {"a": 3.0, "b": 0.0},
        "q2": {"a": 1.0},
    }


def test_comments_alone_hold_nothing_however_they_are_read() -> None:
    for options in ({}, {"columns": {"query": "1", "document": "2", "grade": "3"}}):
        assert "q holds comments only: no rows, 0 queries" in refusal("# a\n# b\n", **options)
    assert "comments only" in refusal("# a\n", qrels_format="csv")


def test_a_header_behind_a_comment_sign_is_no_query() -> None:
    assert judged("#query doc\nq1 a\n") == {"q1": {"a": 1.0}}


@pytest.mark.parametrize("above", ["\n", "  \n", "\r\n", "sep=,\n", "sep=,\r\n"])
def test_what_spreadsheets_put_above_a_header_is_left_out(above: str) -> None:
    assert judged(above + "query,docid,rating\nq1,a,1\n") == {"q1": {"a": 1.0}}


def test_lines_keep_their_numbers_below_what_is_left_out() -> None:
    assert " --> q:4\n" in refusal("sep=,\n\nquery,docid,rating\nq1,a,x\n")
    assert " --> r:3\n" in refused_run('\n\n{"query_id": "q", "doc_id": "a", "score": "x"}')


# -- what a file is --------------------------------------------------------------------------------


def test_three_columns_without_a_first_rank_are_hardly_ranks() -> None:
    said = refused_run("q1\ta\t950\nq1\tb\t420\n")
    assert "no row of the first 2 has a rank of 0 or 1" in said
    assert "--columns query=1,document=2,score=3" in said
    assert listed("q1\ta\t1\nq1\tb\t950\n") == {"q1": ["a", "b"]}
    put(r="q1\ta\t950\nq1\tb\t420\n")
    ev = evaluate({"q1": {"b": 1}}, "r", "RR", run_format="trec")
    assert ev["RR"].mean == 1.0


def test_judgments_that_agree_in_number_are_no_subtopics() -> None:
    put(q="q 1 d1 1\nq 2 d1 1.0\n")
    assert evaluate("q", {"q": {"d1": 1.0}})["nDCG@10"].mean == 1.0


def test_ids_may_begin_as_files_of_other_kinds_do() -> None:
    assert [*judged("PAR1 0 a 1\n")] == ["PAR1"]
    assert [*judged("BZh1 0 a 1\n")] == ["BZh1"]


def test_a_workbook_is_to_be_saved_as_csv() -> None:
    assert "is an Excel workbook, which is not read here" in refused_run(b"PK\x03\x04..xl/sheet")
    assert "save the sheet as CSV" in refused_run(b"PK\x03\x04..xl/sheet")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("a|b|c\n", "a table separated by pipes"),
        ('{"q1": [{"doc_id": "a", "score": 1}]}', "a dictionary of lists of objects"),
        ('{"bm25": {"q1": ["a", "b"]}}', "a dictionary nested deeper than query and document"),
        ('user_id,recommendations\nu,"a,b"\n', "rows with several ids in one cell"),
        ("query-id\tcorpus-id\tscore\nq1\ta\t1\n", "BEIR's judgments"),
    ],
)
def test_more_of_what_is_no_run_has_a_name(text: str, what: str) -> None:
    assert f"looks like {what}" in refused_run(text)


def test_scores_under_the_header_of_beir_are_read_when_that_is_said() -> None:
    text = "query-id\tcorpus-id\tscore\nq1\ta\t1\n"
    assert listed(text, score="score") == {"q1": ["a"]}


def test_rows_that_are_no_objects_are_named() -> None:
    assert "1 is no row: rows are objects" in refused_run("[1, 2]")


def test_an_empty_dictionary_holds_no_judgments() -> None:
    assert "q is empty: no judgments, 0 queries" in refusal("{}")


def test_what_breaks_a_row_is_named() -> None:
    assert "has a carriage return inside" in refusal("query,docid,rating\nq1,a,1\rq1,b,2\n")
    long = "x" * 200_000
    assert judged(f"query,docid,rating,text\nq1,a,1,{long}\n") == {"q1": {"a": 1.0}}


# -- columns ---------------------------------------------------------------------------------------


def test_names_that_differ_in_case_alone_are_not_chosen_between() -> None:
    text = "query_id,doc_id,score,Score\nq,d1,9,1\n"
    assert "columns 'score' and 'Score' could each be the score" in refused_run(text)


def test_columns_of_numbers_are_named_for_both_files_by_following_the_help() -> None:
    put(q="q1,a,3\n", r="q1,a,0.5\n")
    done = command("eval", "q", "r")
    tried: list[str] = []
    while done.code and len(tried) < 3:
        tried.append(done.err.partition("--columns ")[2].partition(" ")[0])
        done = command("eval", "q", "r", "--columns", tried[-1])
    assert tried[-1] == "query=1,document=2,grade=3,score=3"
    assert done.code == 0, done.err


def test_a_tag_that_is_missing_or_in_a_bad_row_is_no_system() -> None:
    text = "query_id,doc_id,score,tag\nq1,a,2,bm25\nq1,b,1\n"
    assert refused_run(text).startswith("error[E24 columns]")
    rows = pl.DataFrame({"query": ["q1", "q1"], "doc": ["a", "b"], "score": [2, 1],
                         "tag": [None, "bm25"]})  # fmt: skip
    assert [*evaluate({"q1": {"a": 1}}, rows).systems] == ["bm25"]
    without = rows.with_columns(tag=pl.lit(None, pl.String))
    assert [*evaluate({"q1": {"a": 1}}, without).systems] == ["run"]


def test_duplicates_name_the_columns_that_may_tell_systems_apart() -> None:
    text = "query_id,doc_id,score,model\nq1,a,2,A\nq1,a,1,B\n"
    assert "or split the table, if column 'model' names different systems" in refused_run(text)


def test_ranks_of_text_beside_scores_are_left_out_in_frames_too() -> None:
    frame = pl.DataFrame({"query": ["q1"], "doc": ["a"], "score": [1.0], "rank": ["first"]})
    assert "the rank column is not usable" in str(evaluate({"q1": {"a": 1}}, frame).notices)
    assert "has the dtype of text" in refusal({"q1": {"a": 1}}, frame, order_by="rank")


def test_ranks_are_whole_numbers_in_lists_too() -> None:
    said = refusal({"q": {"a": 1}}, {"q": [("a", 1.0, 1.5)]}, order_by="rank")
    assert "rank of document 'a' for query 'q': 1.5 is not a whole number" in said


# -- numbers ---------------------------------------------------------------------------------------

HUGE = 10**400


def test_numbers_that_are_too_large_are_refused_as_numbers_are() -> None:
    assert "is too large for a double" in refusal([[1, 0]], [[HUGE, 1]])
    assert "is too large" in refusal({"q": {"a": 10**5000}})
    with pytest.raises(DataError, match="is too large for a double"):
        ndcg.ndcg([HUGE, 1], ideal="retrieved")
    assert "inf is not finite" in refused_run('{"q1": {"a": 1' + "0" * 5000 + "}}")


@pytest.mark.parametrize("scale", [1e-60, -1e300, 1e300, -1e-60, -1e-320])
def test_scores_that_single_precision_cannot_tell_apart_are_ordered_by_their_doubles(
    scale: float,
) -> None:
    scores = scale * (1 + np.arange(6.0)[None] / 100)
    grades = np.array([[0, 0, 3, 0, 0, 2]])
    for order in ("ascending", "descending"):
        arrays = evaluate(grades, scores, "nDCG@2", score_order=order)
        named = [
            {"0": {str(at): float(v) for at, v in enumerate(one[0])}} for one in (grades, scores)
        ]
        assert arrays.per_query == evaluate(*named, "nDCG@2", score_order=order).per_query


def test_large_grades_with_an_exponential_gain_are_said() -> None:
    qrels = {"q": {"a": 500, "b": 1}}
    said = notes(qrels, {"q": {"b": 1.0}}, warns=True)
    assert "; ".join(said) == (
        "warning: grade 500 with exponential gain (gain:exp2) dominates: it is worth 2^500 - 1, "
        "and others next to nothing; counts and ratings of this size are meant linear: "
        "--gain linear"
    )
    assert notes(qrels, {"q": {"b": 1.0}}, gain="linear") == []
    assert notes(qrels, {"q": {"b": 1.0}}, "P@1") == []


# -- arrays ----------------------------------------------------------------------------------------


def test_rows_of_query_document_and_number_are_hardly_tables() -> None:
    qrels = [(1, 10, 5), (1, 11, 3), (2, 12, 4)]
    run = [(1, 11, 4.1), (1, 10, 3.9), (2, 12, 4.7)]
    assert "look like rows of query, document and number" in notes(qrels, run, warns=True)[0]
    assert notes([[3, 1, 0], [1, 2, 0]], [[0.3, 0.2, 0.1], [0.5, 0.1, 0.7]]) == []


def test_masks_and_masked_arrays_of_something_else_are_refused() -> None:
    grades, scores = [[1, 0], []], [[0.1, 0.2], []]
    assert evaluate(grades, scores, "nDCG", mask=[[True, True], []])["nDCG"].n == 1
    for mask in ([[[True], [True, False]]], [["yes", "no"], []]):
        assert "give booleans in the shape of the grades" in refusal(grades, scores, mask=mask)
    table = np.array([[0.1, 0.2]])
    assert "complex128" in refusal(np.ma.array(table), np.ma.array(table + 1j))
    objects = np.array([[1, 0]], dtype=object)
    assert "an array of object, not of numbers\n" in refusal(objects, table)
    assert "two runs are called 1" in refusal(table, {1: table, "1": -table})


# -- what is asked for -----------------------------------------------------------------------------


def test_a_cutoff_belongs_to_the_measure() -> None:
    with pytest.raises(UsageError, match="belong to the measure: 'nDCG@10'"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, k=10)  # type: ignore[call-arg]
    with pytest.raises(UsageError, match=r"grades below 2 count nothing with a gain table"):
        evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, "nDCG(rel=2)@10")


def test_several_measures_may_stand_behind_one_flag() -> None:
    put(q=QRELS, r=RUN)
    out = printed(
        "eval", "q", "r", "-m", "nDCG(gain=0=0,1=1,3=3)@5,P@1,hit@3", "--interval", "none"
    )
    assert out.split("\n")[0].split() == [
        "system", "nDCG(gain=0=0,1=1,3=3)@5", "P@1", "Success@3", "queries",
    ]  # fmt: skip


def test_small_files_beside_the_data_are_read_in_the_forms_that_people_have() -> None:
    put(q=QRELS, r=RUN)
    for text in ("q1 3\nq2 1\n", "q1\t3\nq2\t1\n", 'query_id,weight\n"q1",3\nq2,1\n', "q1;3\nq2;1"):
        put(w=text)
        assert "weighted@" in printed("eval", "q", "r", "--weights", "w")
    put(topics="qid\ttext\nq1\tred shoes\n")
    done = command("eval", "q", "r", "--queries-from", "topics")
    assert "set:1@" in done.out
    assert "note: topics: the header 'qid' was left out\n" in done.err
    put(topics="q1\nusb c cable\n")
    assert command("eval", "q", "r", "--queries-from", "topics").err == (
        "error[E12 queries]: 'usb c cable' may be one id, or an id and its text\n"
        " --> topics:2\n   | usb c cable\nhelp: put a tab behind the id, one id a line\n"
    )


def test_the_means_of_groups_are_shown() -> None:
    put(q=QRELS, r=RUN.replace("q1 Q0 a", "q1 Q0 b"), g="q1 long\nq2 short\n")
    lines = printed("eval", "q", "r", "-m", "P@1", "--groups", "g").split("\n")
    assert [line.split() for line in lines[3:6]] == [
        ["group", "P@1"],
        ["long", "0.0000"],
        ["short", "1.0000"],
    ]
    markdown = printed("eval", "q", "r", "-m", "P@1", "--groups", "g", "--format", "markdown")
    assert "| short | 1.0000 |" in markdown
    ev = evaluate("q", "r", "P@1", groups={"q1": "long", "q2": "short"})
    (system,) = ev.to_dict()["systems"]
    assert system["measures"]["P@1"]["groups"] == {"long": 0.0, "short": 1.0}
    assert ev["P@1"].mean == 0.5


# -- what a reviewer found -------------------------------------------------------------------------


def test_judgments_of_beir_are_no_run_however_many_they_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ndcg.stores import frames

    monkeypatch.setattr(frames, "LARGE", 0)
    rows = {"query-id": ["q1"], "corpus-id": ["a"], "score": [1]}
    assert "looks like BEIR's judgments" in refusal({"q1": {"a": 1}}, pl.DataFrame(rows))
    tagged = pl.DataFrame({"query": ["q1", "q2"], "doc": ["a", "a"], "score": [2.0, 1.0],
                           "tag": ["", "A"]})  # fmt: skip
    judged_both = {"q1": {"a": 1}, "q2": {"a": 1}}
    assert [*evaluate(judged_both, tagged).systems] == ["A"]
    scores = np.array([2.0], np.longdouble)
    frame = pd.DataFrame({"query": ["q1"], "doc": ["a"], "score": scores})
    assert evaluate({"q1": {"a": 1}}, frame)["nDCG@10"].mean == 1.0


def test_lines_that_are_no_csv_are_named() -> None:
    put(q=QRELS, r=RUN, g="q1,a\rb\nq2,b\n")
    done = command("eval", "q", "r", "--groups", "g")
    assert done.code == 2
    assert done.err.startswith("error[E10 groups]: no line of two fields (new-line character")
    put(w="q1;1.5\nq2;2,5\n")
    assert "weight '2,5' is not a number" in command("eval", "q", "r", "--weights", "w").err


QRELS_2 = {"a": {"d1": 1}, "b": {"d2": 2}}
RUN_2 = {"a": {"x": 1.0, "y": 0.5}, "b": {"d2": 1.0, "z": 0.2}}


@pytest.mark.parametrize("unjudged", ["zero", "drop", "grade:0"])
def test_a_query_whose_documents_all_left_was_answered(unjudged: str) -> None:
    found = evaluate(QRELS_2, RUN_2, ideal="retrieved", empty_from="ideal", empty="one",
                     unjudged=unjudged)["nDCG@10"]  # fmt: skip
    assert (found.mean, found.empty) == (1.0, ("a",))


def test_what_is_empty_by_its_ideal_is_not_said_to_have_nothing_relevant() -> None:
    axes = {"ideal": "retrieved", "empty_from": "ideal"}
    assert notes(QRELS_2, RUN_2, empty="one", **axes)[0] == (
        "note: 1 query with no positive gain among the documents of ideal:retrieved counted 1 in "
        "nDCG@10: a; --empty exclude leaves them out"
    )
    assert "nothing relevant among the documents of ideal:retrieved: a" in refusal(
        QRELS_2, RUN_2, empty="error", **axes
    )


def test_notices_are_about_grades_as_they_are_taken() -> None:
    half, run = {"q": {"a": 0.5, "b": 1}}, {"q": {"a": 0.25}}
    assert "; ".join(notes(half, run, "P@1", grades="truncate")) == (
        "note: 1 fractional grade cut to whole numbers by grades:truncate; --axis grades=any takes "
        "them as they are"
    )
    mixed = notes(half, run, "nDCG(grades=truncate)@10", "nDCG@5")
    assert "in nDCG(grades=truncate)@10" in mixed[0]
    ev = evaluate({"q": {"a": -0.5, "b": 1}}, run, grades="truncate")
    assert ev.accounts.negative_grades == 0
    assert "grade 20 with" in str(notes({"q": {"a": 20.9}}, run, warns=True, grades="truncate"))


def test_grades_that_are_not_taken_are_refused_by_name() -> None:
    qrels = {"q": {"a": 0.5, "b": 3}}
    assert "document 'a' of query 'q': 0.5 is no whole number" in refusal(
        qrels, {"q": {"a": 1.0}}, grades="whole"
    )
    assert "document 'b' of query 'q': 3 is above 2" in refusal(
        {"q": {"b": 3}}, {"q": {"a": 1.0}}, grades="whole:2"
    )


def test_appended_documents_follow_the_last_one_as_the_judgments_list_them() -> None:
    qrels = {"q": {"a": 0, "b": 1, "c": 3}}
    with pytest.warns(NdcgWarning, match="0 judged documents are retrieved"):
        ev = evaluate(qrels, {"q": {"x": 1.0}}, "RR", appended="judged")
    assert ev["RR"].mean == 1 / 3  # x, a, b, c
    assert ev.accounts.judged_share == {"all": 0.0}
    assert "appended:judged puts documents behind the whole run" in refusal(
        qrels, {"q": {"x": 1.0}}, appended="judged", depth=5
    )


def test_small_tables_of_three_columns_are_tables() -> None:
    chance = np.random.default_rng(1)
    for _ in range(50):
        grades = chance.integers(0, 4, (4, 3))
        scores = np.array([chance.permutation([1.0, 2.0, 3.0]) for _ in range(4)])
        assert "look like rows" not in str(notes_of(grades, scores))


def notes_of(qrels: Any, run: Any) -> Any:
    from ndcg.evaluation import evaluate_quietly

    return evaluate_quietly(qrels, run).notices


def test_ranks_that_contradict_scores_are_seen_in_rows_of_any_order() -> None:
    put(r="query,doc,score,rank\nq,a,10,2\nq,b,1,5\nq,c,5,1\n")
    assert "rank order differs from score order in 1 query (q)" in str(
        notes_of({"q": {"a": 1}}, "r")
    )


def test_comments_above_a_header_may_hold_commas_and_blanks() -> None:
    text = "# made by X, on Monday\n  # and by Y\nquery,docid,rating\nq1,a,x\n"
    assert " --> q:4\n" in refusal(text)
    assert judged(text.replace("x", "1")) == {"q1": {"a": 1.0}}


def test_arguments_that_nobody_asked_for_are_called_what_they_are() -> None:
    put(q=QRELS, r=RUN)
    assert "'x' is one argument too many" in command("demo", "x").err
    rare = command("eval", "q", "r", "--grades", "truncate").err
    assert "--grades is a rare axis without an option of its own" in rare
    assert "help: --axis grades=VALUE" in rare
    assert "did you mean --per-query?" in command("eval", "q", "r", "--per-qery").err


def test_judgments_that_do_not_count_leave_nothing_open_at_the_cut() -> None:
    run = {"q1": [("d1", 3.0), ("d2", 3.0), ("q1", 1.0)]}
    how: dict[str, Any] = {"ties": "expected", "depth": "1", "self_match": "drop"}
    with pytest.raises(UsageError, match="self_match:drop depends on it"):
        evaluate({"q1": {"d1": 0, "x": 1}}, run, "nDCG", **how)
    found = evaluate({"q1": {"d1": 0, "x": 1}}, run, "nDCG", min_grade="1", **how)
    assert found["nDCG"].mean == 0


def test_shared_ranks_of_unjudged_documents_are_not_known() -> None:
    with pytest.raises(UsageError, match="which unjudged documents share a rank is not kept"):
        evaluate({"q": {"a": 1}}, {"q": {"x": 1.0}}, "nDCG", ties="mean_rank", unjudged="grade:1")
