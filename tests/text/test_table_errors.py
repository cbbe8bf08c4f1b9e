"""Tables, JSON and folders that cannot be read, with the whole text that is printed."""

# ruff: noqa: E501 -- lines are as long as they are printed

from __future__ import annotations

import gzip
import io
import sys
import textwrap
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pytest

import ndcg as package
from command import QRELS, RUN, ndcg, put


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def says(text: str) -> str:
    """A text without the indentation of the test it stands in."""
    return textwrap.dedent(text).lstrip("\n")


def judging(text: str | bytes, *arguments: str) -> str:
    """What the command says about these judgments, beside a good run, when it refuses them."""
    put(q=text, r=RUN)
    done = ndcg("eval", "q", "r", *arguments)
    assert (done.code, done.out) == (2, ""), done
    return done.err


def running(text: str | bytes, *arguments: str) -> str:
    """What the command says about this run, beside good judgments, when it refuses it."""
    put(q=QRELS, r=text)
    done = ndcg("eval", "q", "r", *arguments)
    assert (done.code, done.out) == (2, ""), done
    return done.err


def notes(qrels: str | bytes, run: str | bytes = RUN, *arguments: str) -> list[str]:
    """What is said about files that are read."""
    put(q=qrels, r=run)
    done = ndcg("eval", "q", "r", "--format", "csv", *arguments)
    assert done.code == 0, done
    return done.err.splitlines()


# -- rows ------------------------------------------------------------------------------------------


def test_ragged_rows_are_all_named_with_the_lines_they_begin_in() -> None:
    assert judging('query,docid,rating\n"q\n1",a,1\nq1,b\n"q1",c,1,2\n') == says("""
        error[E24 columns]: q, line 4: expected 3 columns (query, docid, rating), found 2
         --> q:4
           | q1,b
        help: complete or remove the row; a cell that holds the delimiter stands in double quotes
        error[E24 columns]: q, line 5: expected 3 columns (query, docid, rating), found 4
         --> q:5
           | "q1",c,1,2
        help: complete or remove the row; a cell that holds the delimiter stands in double quotes
        """)


def test_ten_bad_rows_are_shown_and_the_rest_counted() -> None:
    text = judging("query,docid,rating\n" + "q1,a\n" * 25)
    assert text.count("error[E24 columns]: ") == 10
    assert text.endswith("... and 15 more like these\n")


def test_cells_that_are_no_numbers_or_empty() -> None:
    rows = "q1,a,nan\nq1,b,three\nq1,c,1_000\nq1,d,\nq1,,1\n,e,1\n"
    assert judging("query,docid,rating\n" + rows) == says("""
        error[E26 grade]: q, line 2: the grade 'nan' is not finite
         --> q:2
           | q1,a,nan
           |      ^^^
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        error[E26 grade]: q, line 3: the grade 'three' is not a number
         --> q:3
           | q1,b,three
           |      ^^^^^
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        error[E26 grade]: q, line 4: the grade '1_000' is not a plain decimal number
         --> q:4
           | q1,c,1_000
           |      ^^^^^
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        error[E26 grade]: q, line 5: the grade is empty
         --> q:5
           | q1,d,
        help: a document that was not judged has no row; some exports (Quepid) leave its rating blank: --lenient skips such rows (in Python: lenient=True)
        error[E24 columns]: q, line 6: the document is empty
         --> q:6
           | q1,,1
        help: complete or remove the row, or skip such rows: --lenient (in Python: lenient=True)
        error[E24 columns]: q, line 7: the query is empty
         --> q:7
           | ,e,1
        help: complete or remove the row, or skip such rows: --lenient (in Python: lenient=True)
        """)


def test_scores_and_ranks_that_are_no_numbers() -> None:
    assert running("query,docid,score\nq1,a,high\n") == says("""
        error[E25 score]: r, line 2: the score 'high' is not a number
         --> r:2
           | q1,a,high
           |      ^^^^
        help: scores are finite numbers such as 2, -0.25 or 1.1e1
        """)
    assert running("query,docid,rank\nq1,a,1\nq1,b,first\nq1,c,2.5\n") == says("""
        error[E27 rank]: r, line 3: the rank 'first' is not a number
         --> r:3
           | q1,b,first
           |      ^^^^^
        help: ranks are whole numbers such as 1, 2, 3
        error[E27 rank]: r, line 4: the rank '2.5' is not a whole number
         --> r:4
           | q1,c,2.5
           |      ^^^
        help: ranks are whole numbers such as 1, 2, 3
        """)


def test_decimal_commas_are_refused_one_by_one_or_as_those_of_a_spreadsheet() -> None:
    assert judging("query;docid;rating\nq1;a;1,5\nq1;b;0.5\n") == says("""
        error[E26 grade]: q, line 2: the grade '1,5' has a decimal comma
         --> q:2
           | q1;a;1,5
           |      ^^^
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        """)
    assert running("query;docid;score\nq1;a;1,234\nq1;b;0,5\n") == says("""
        error[E25 score]: r looks like an export of a spreadsheet with decimal commas: 2 numbers with commas in column 'score', the first '1,234'
         --> r:2
           | q1;a;1,234
           |      ^^^^^
        help: write them with points, as 1.5: 1,234 could be either
        """)


def test_quotes_that_do_not_close() -> None:
    assert judging('query,docid,rating\nq1,a,1\nq1,"b,1\nq1,c,0\n') == says("""
        error[E38 syntax]: q: the quotes of the row in line 3 do not fit (unexpected end of data)
         --> q:3
           | q1,"b,1
           |    ^
        help: a cell with quotes stands in quotes, its own doubled: "boots, ""winter""\"
        """)


def test_another_layout_inside_a_file() -> None:
    assert judging("query,docid,rating\nq1,a,1\nq1 0 b 1\n") == says("""
        error[E24 columns]: q, line 3: expected 3 columns (query, docid, rating), found 1
         --> q:3
           | q1 0 b 1
        help: complete or remove the row; a cell that holds the delimiter stands in double quotes
        """)
    assert judging("q1 0 a 1\nq1,0,b,1\nq1 0 c 1\n") == says("""
        error[E24 columns]: line 2: expected 4 columns (query iteration document grade), found 1
         --> q:2
           | q1,0,b,1
        help: complete or remove the line; an id cannot hold blanks
        """)


def test_a_table_without_rows() -> None:
    assert running("query,docid,score\n") == says("""
        error[E21 empty]: r: no rows, 0 queries
         --> r
        help: give a table with rows
        """)


# -- columns ---------------------------------------------------------------------------------------


def test_two_columns_for_one_thing() -> None:
    assert judging("user,query,item,rating\nu,q1,a,1\n") == says("""
        error[E24 columns]: q: columns 'user' and 'query' could each be the query
         --> q
        help: name the columns: --columns query=user (in Python: columns={'query': 'user'})
        """)
    assert judging("query,docid,docid,rating\nq1,a,b,1\n") == says("""
        error[E24 columns]: q has two columns called 'docid'
         --> q
        help: rename or remove one of them
        """)


def test_names_that_are_not_known() -> None:
    assert judging("search,product,points\nq1,a,1\n") == says("""
        error[E32 not-qrels]: q looks like a table without a column for query, document and grade, not judgments (columns: search, product, points)
         --> q
        help: name the columns: --columns query=NAME,document=product,grade=NAME (in Python: columns={'query': 'NAME', 'document': 'product', 'grade': 'NAME'})
        """)
    table = "query,docid,points,by\nq1,a,1,x\n"
    assert judging(table, "--columns", "grade=point") == says("""
        error[E32 not-qrels]: q looks like a table without a column for grade, not judgments (columns: query, docid, points, by); grade='point' is none of them; did you mean points?
         --> q
        help: name the columns: --columns query=query,document=docid,grade=NAME (in Python: columns={'query': 'query', 'document': 'docid', 'grade': 'NAME'})
        """)
    assert notes(table, RUN, "--columns", "grade=points") == []


def test_data_in_the_place_of_a_header() -> None:
    text = "q1,a,1\nq1,b,0\n"
    assert judging(text) == says("""
        error[E32 not-qrels]: q looks like a table of 3 columns without a header, not judgments: the first row is data
         --> q:1
           | q1,a,1
           |      ^
        help: name the columns: --columns query=1,document=2,grade=3 (in Python: columns={'query': '1', 'document': '2', 'grade': '3'}), or add a header such as query_id,doc_id,grade
        """)
    assert notes(text, RUN, "--columns", "query=1,document=2,grade=3") == []


def test_a_header_in_the_place_of_data() -> None:
    text = "query,docid,rating\nq1,a,1\n"
    assert judging(text, "--columns", "query=1,document=2,grade=3") == says("""
        error[E26 grade]: q, line 1: the grade 'rating' is not a number
         --> q:1
           | query,docid,rating
           |             ^^^^^^
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        """)


def test_tables_given_in_the_wrong_order() -> None:
    judged = "query,docid,rating\nq1,a,1\n"
    put(q="query,docid,rank,score\nq1,a,1,2.5\n", r=judged)
    assert ndcg("eval", "q", "r").err == says("""
        error[E32 not-qrels]: q looks like a run, not judgments (columns: query, docid, rank, score)
         --> q
        help: judgments come first, then runs; if 'score' is the grade: --columns grade=score
        """)
    assert running(judged) == says("""
        error[E31 not-a-run]: r looks like judgments, not a run (columns: query, docid, rating)
         --> r
        help: judgments come first, then runs; if 'rating' is the score: --columns score=rating
        """)


def test_distances_are_scores_once_that_is_said() -> None:
    table = "query,docid,distance\nq1,a,0.1\nq1,b,0.2\n"
    assert running(table) == says("""
        error[E31 not-a-run]: r looks like search results with distances, not a run (columns: query, docid, distance)
         --> r
        help: low distances are good: --columns score=distance --score-order ascending (in Python: columns={'score': 'distance'}, score_order='ascending')
        """)
    assert notes(QRELS, table, "--columns", "score=distance", "--score-order", "ascending") == []


def test_two_systems_in_one_table() -> None:
    assert running("query,docid,score,tag\nq1,a,1,x\nq1,b,2,y\n") == says("""
        error[E33 two-systems]: column 'tag' changes inside query 'q1': x, y look like 2 systems in one table
         --> r:3
           | q1,b,2,y
           |        ^
        help: split the table by that column and give each part as a run
        """)


def test_four_columns_of_numbers_that_could_be_either_order() -> None:
    text = "1\t701\t3\t0\n1\t702\t1\t0\n"
    assert judging(text) == says("""
        error[E24 columns]: q: columns 2 and 3 cannot be told apart: every last column is 0, so this may be query, document, grade, iteration
         --> q
        help: --qrels-format trec if column 4 is the grade; else name the columns: --columns query=1,document=2,grade=3 (in Python: columns={'query': '1', 'document': '2', 'grade': '3'})
        """)
    run = "1 Q0 701 1 2.0 t\n"
    assert notes(text, run, "--columns", "query=1,document=2,grade=3") == []
    assert notes(text, run, "--qrels-format", "trec", "--quiet") == []


def test_columns_that_are_asked_for_wrongly() -> None:
    assert judging(QRELS, "--columns", "querry=x") == says("""
        error[E01 usage]: 'querry' is not a role of a column; did you mean query?
        help: accepted: query, document, grade, score, rank
        """)
    assert judging(QRELS, "--columns", "query") == says("""
        error[E01 usage]: --columns: 'query' is not ROLE=NAME, each role once
        help: as in --columns query=user,document=item,grade=stars
        """)
    assert judging(QRELS, "--columns", "query=user") == says("""
        error[E24 columns]: columns: query=user names a column of no input
        help: tables with a header, JSON rows, Parquet and frames have columns
        """)


# -- formats ---------------------------------------------------------------------------------------


def test_a_format_that_is_not_known_or_not_true() -> None:
    assert judging(QRELS, "--qrels-format", "parqet") == says("""
        error[E01 usage]: 'parqet' is not a format of files (qrels_format); did you mean parquet?
        help: accepted: trec, csv, tsv, json, jsonl, beir, parquet, arrow
        """)
    assert judging(QRELS, "--qrels-format", "parquet") == says("""
        error[E38 syntax]: q is no Parquet file: it does not begin as one
         --> q
        help: leave out --qrels-format parquet, or name the right format
        """)
    assert running(RUN, "--run-format", "json") == says("""
        error[E38 syntax]: r is no JSON in line 1: Expecting value
         --> r:1
           | q1 Q0 a 1 2.0 t
           | ^
        help: the file may be cut short, or of another format
        """)
    with pytest.raises(package.UsageError) as error:
        package.evaluate({"q": {"a": 1}}, {"q": {"a": 1}}, qrels_format="csv")
    assert str(error.value) == says("""
        error[E01 usage]: qrels_format='csv' says how a file is read, and qrels is no file
        help: leave qrels_format out""")


def test_bytes_that_are_no_text() -> None:
    table = "query,docid,rating\nq1,caf\xe9,1\n"
    assert judging(table.encode("utf-16")) == says("""
        error[E22 encoding]: q is UTF-16, not UTF-8 text
         --> q
        help: save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE
        """)
    assert judging(table.encode("latin-1")) == says("""
        error[E22 encoding]: q is not UTF-8 text: byte 0xe9 in line 2
         --> q:2
           | q1,caf\xe9,1
           |       ^
        help: save it as UTF-8, for example: iconv -f LATIN1 -t UTF-8 FILE
        """)
    assert judging(gzip.compress(table.encode())[:-9]) == says("""
        error[E23 compression]: q is a damaged gzip file (Compressed file ended before the end-of-stream marker was reached)
         --> q
        help: the file may be cut short: copy or download it again
        """)


FRAME = {"query": ["q1", "q1"], "document": ["a", "b"], "grade": [1, 0]}


def packed(kind: str) -> bytes:
    """The frame as the bytes of a file."""
    file = io.BytesIO()
    getattr(pl.DataFrame(FRAME), f"write_{kind}")(file)
    return file.getvalue()


@pytest.mark.parametrize(
    ("kind", "name"), [("parquet", "Parquet"), ("ipc", "Arrow"), ("ipc_stream", "Arrow stream")]
)
@pytest.mark.parametrize("library", ["polars", "pyarrow"])
def test_a_binary_table_that_is_cut_short(
    kind: str, name: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if library == "pyarrow":
        monkeypatch.setitem(sys.modules, "polars", None)
    whole = packed(kind)
    first, *rest = judging(whole[: len(whole) // 2]).splitlines()
    assert first.startswith(f"error[E38 syntax]: q is a damaged {name} file (")
    assert rest == [" --> q", "help: the file may be cut short: make or copy it again"]
    assert notes(whole) == []


def test_a_panic_of_polars_is_damage_and_an_interruption_is_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class PanicException(BaseException):
        pass

    def fail(_: object) -> None:
        raise faults.pop()

    faults: list[BaseException] = [KeyboardInterrupt(), PanicException("unwrap on None\nmore")]
    monkeypatch.setattr(pl, "read_parquet", fail)
    assert judging(packed("parquet")) == says("""
        error[E38 syntax]: q is a damaged Parquet file (unwrap on None)
         --> q
        help: the file may be cut short: make or copy it again
        """)
    with pytest.raises(KeyboardInterrupt):
        package.evaluate("q", "r")


def test_a_binary_table_without_a_library_that_reads_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("polars", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, module, None)
    assert judging(packed("parquet")) == says("""
        error[E11 extra]: q is a Parquet file, which needs a package
         --> q
        help: pip install 'ndcg[polars]'
        """)


# -- JSON ------------------------------------------------------------------------------------------


def test_json_values_that_are_no_numbers() -> None:
    assert judging('{"q1": {"a": "1", "b": NaN, "c": null}}') == says("""
        error[E26 grade]: grade of document 'a' for query 'q1': '1' is text, not a number
         --> q
        help: grades are finite numbers
        error[E26 grade]: grade of document 'b' for query 'q1': nan is not finite
         --> q
        help: grades are finite numbers
        error[E26 grade]: grade of document 'c' for query 'q1': None (NoneType) is not a number
         --> q
        help: grades are finite numbers
        """)
    assert running('{"q1": {"a": "1"}}') == says("""
        error[E25 score]: score of document 'a' for query 'q1': '1' is text, not a number
         --> r
        help: scores are finite numbers
        """)


def test_a_key_that_stands_twice_is_a_repeated_document() -> None:
    assert judging('{"q1": {"a": 1, "a": 2}}').startswith(
        "error[E29 judgments]: document 'a' is judged 1 and 2 for query 'q1'\n"
    )
    assert running('{"q1": {"a": 1}, "q1": {"a": 1}}').startswith(
        "error[E28 duplicate]: run 'r' lists document 'a' 2 times for query 'q1': a duplicate\n"
    )
    assert notes('{"q1": {"a": 1}, "q1": {"b": 0}}') == [
        "warning: q: query 'q1' stands 2 times; its documents are put together"
    ]


def test_lines_of_json_that_do_not_fit() -> None:
    lines = [
        '{"query": "q1", "doc": "a", "rel": 1}',
        '{"query": "q1", "doc": "b"}',
        "[1]",
        '{"query": "q1", "doc": "c", "rel": 1, "rel": 0}',
        '{"query": 7.5, "doc": "d", "rel": "x"}',
    ]
    assert judging("\n".join(lines)) == says("""
        error[E26 grade]: q, line 2: the grade is empty
         --> q:2
           | {"query": "q1", "doc": "b"}
        help: a document that was not judged has no row; some exports (Quepid) leave its rating blank: --lenient skips such rows (in Python: lenient=True)
        error[E24 columns]: q, line 3: an array is no row: rows are objects
         --> q:3
           | [1]
        help: one object a row, all with the same keys
        error[E24 columns]: q, line 4: key 'rel' stands twice in one object
         --> q:4
           | {"query": "q1", "doc": "c", "rel": 1, "rel": 0}
        help: remove one of them
        error[E36 type]: q, line 5: the query 7.5 is no id
         --> q:5
           | {"query": 7.5, "doc": "d", "rel": "x"}
           |  ^^^^^^^
        help: ids are text or whole numbers
        error[E26 grade]: q, line 5: the grade 'x' is text, not a number
         --> q:5
           | {"query": 7.5, "doc": "d", "rel": "x"}
           |                            ^^^^^
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        """)
    assert judging('{"query": "q1", "doc": "a", "rel": 1}\n{"query": "q1", "doc":\n') == says("""
        error[E38 syntax]: q is no JSON in line 2: Expecting value
         --> q:2
           | {"query": "q1", "doc":
           |                       ^
        help: the file may be cut short, or of another format
        """)


def test_json_that_holds_nothing() -> None:
    assert judging("[]") == says("""
        error[E21 empty]: q is empty: 0 rows with nothing in them
         --> q
        help: accepted (JSON): {query: {document: number}}, {query: [document, ...]}, or rows as objects with the same keys, in an array or one a line
        """)


def test_json_nested_deeper_than_python_reads() -> None:
    assert "q is no JSON in line 1: it is nested too deeply" in judging("[" * 200_000)


# -- folders ---------------------------------------------------------------------------------------


def test_a_folder_that_is_none_of_beir_or_has_several_judgments() -> None:
    put(r=RUN)
    Path("d/qrels").mkdir(parents=True)
    assert ndcg("eval", "d", "r").err == says("""
        error[E20 file]: d is a directory without qrels/*.tsv, so no BEIR folder
         --> d
        help: name a file in it
        """)
    for name in ("dev", "train"):
        put(**{f"d/qrels/{name}_tsv": "query-id\tcorpus-id\tscore\nq1\ta\t1\n"})
    assert ndcg("eval", "d", "r").err == says("""
        error[E20 file]: d has 2 files of judgments and no test.tsv: dev.tsv, train.tsv
         --> d
        help: name one of them: d/qrels/dev.tsv
        """)
    put(**{"d/qrels/test_tsv": "query-id\tcorpus-id\tscore\nq1\ta\t1\n"})
    done = ndcg("eval", "d", "r")
    assert (done.code, done.err) == (
        0,
        "note: d/qrels/test.tsv: qrels/test.tsv was taken, not dev.tsv, train.tsv\n",
    )


def test_a_folder_is_no_run() -> None:
    put(q=QRELS)
    Path("d").mkdir()
    assert ndcg("eval", "q", "d").err == says("""
        error[E20 file]: d is a directory
         --> d
        help: name a file in it
        """)


# -- frames ----------------------------------------------------------------------------------------


def refusal(frame: Any, **keywords: Any) -> str:
    """What is said about judgments in a frame that is refused."""
    with pytest.raises(package.DataError) as error:
        package.evaluate(frame, {"q1": {"a": 1.0}}, **keywords)
    return f"{error.value}\n"


def test_frames_with_values_that_are_none() -> None:
    columns = {"user": [1.0, 2.5, None], "item": ["a", "b", None], "rating": [1, None, 2]}
    assert refusal(pd.DataFrame(columns)) == says("""
        error[E36 type]: qrels, row 2: the query 2.5 is no id
        help: ids are text or whole numbers
        error[E26 grade]: qrels, row 2: the grade is empty
        help: a document that was not judged has no row; some exports (Quepid) leave its rating blank: --lenient skips such rows (in Python: lenient=True)
        error[E24 columns]: qrels, row 3: the query is empty
        help: complete or remove the row, or skip such rows: --lenient (in Python: lenient=True)
        error[E24 columns]: qrels, row 3: the document is empty
        help: complete or remove the row, or skip such rows: --lenient (in Python: lenient=True)
        """)


def test_a_frame_whose_numbers_are_text() -> None:
    frame = pl.DataFrame({"user": ["q1"] * 3, "item": ["a", "b", "c"], "rating": ["3"] * 3})
    assert refusal(frame) == says("""
        error[E26 grade]: qrels: the grade column 'rating' has the dtype of text, not of numbers; first bad value '3' in row 1
        help: make column 'rating' numeric where the table is made
        """)


def test_a_frame_without_its_columns() -> None:
    assert refusal(pl.DataFrame({"user": ["q1"], "points": [2]})) == says("""
        error[E32 not-qrels]: qrels looks like a table without a column for document and grade, not judgments (columns: user, points)
        help: name the columns: --columns query=user,document=NAME,grade=NAME (in Python: columns={'query': 'user', 'document': 'NAME', 'grade': 'NAME'})
        """)


# -- lenient ---------------------------------------------------------------------------------------


def test_bad_lines_are_skipped_counted_and_listed_when_that_is_asked_for() -> None:
    run = "q1 Q0 a 1 2.0 t\nq1 Q0 b\n# said\nq1 Q0 my doc 2 1.0 t\nq1 Q0 c 3 high t\n"
    assert notes(QRELS, run, "--lenient") == [
        "note: r: 1 comment line left out",
        "warning: r: 3 lines skipped (line 2: expected 6 columns (query Q0 document rank score tag), found 3; line 4: expected 6 columns (query Q0 document rank score tag), found 7; line 5: score 'high' is not a number)",
    ]
    rows = "".join(f"q1,{document},\n" for document in "bcdef")
    assert notes(f"query,docid,rating\nq1,a,1\n{rows}", RUN, "--lenient") == [
        "warning: q: 5 lines skipped (line 3: the grade is empty; line 4: the grade is empty; line 5: the grade is empty; and 2 more)"
    ]


def test_nothing_is_left_when_every_line_is_bad() -> None:
    put(q="query,docid,rating\nq1,a,\n", r=RUN)
    assert ndcg("eval", "q", "r", "--lenient").err == says("""
        error[E21 empty]: q: no usable rows (1 row skipped)
         --> q
        help: give a table with rows
        """)


def test_skipped_rows_stand_in_the_accounts() -> None:
    put(q=QRELS, r="q1 Q0 a 1 2.0 t\nq1 Q0 b\n")
    with pytest.warns(package.NdcgWarning, match="r: 1 line skipped"):
        ev = package.evaluate("q", {"r": "r"}, lenient=True)
    assert ev.systems["r"].to_dict()["accounts"]["skipped_rows"] == [
        {
            "path": "r",
            "line": 2,
            "what": "expected 6 columns (query Q0 document rank score tag), found 3",
            "unit": "line",
        }
    ]
