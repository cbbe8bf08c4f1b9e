"""Tables in text: what is read, what is told, and what stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import put
from ndcg import DataError, UsageError
from ndcg.formats import Input, read_qrels, read_run
from ndcg.stores.asked import Asked, parse_columns
from ndcg.stores.names import NAMES, is_header, kind_of, role_of

ONE = {"q1": {"a": 1.0, "b": 0.0}}
ROWS = "q1,a,1\nq1,b,0\n"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def judged(text: str | bytes, **columns: str) -> tuple[object, Input]:
    """The judgments of a file with this text."""
    put(q=text)
    judgments, found = read_qrels("q", asked=Asked(columns, set()))
    return judgments.given, found


def said(found: Input) -> list[str]:
    return [str(one).replace(f"{found.path}: ", "") for one in found.notices]


@pytest.mark.parametrize(
    "text",
    [
        "query,docid,rating\n" + ROWS,
        "query;docid;rating\n" + ROWS.replace(",", ";"),
        "query\tdocid\trating\n" + ROWS.replace(",", "\t"),
        '"query","docid","rating"\n"q1","a","1"\nq1,b,"0"\n',
        "query,docid,rating\r\n" + ROWS.replace("\n", "\r\n"),
        "query,docid,rating\n\n" + ROWS.replace("\n", "\n\n").rstrip("\n"),
        "rating,title,docid,query\n1,x y,a,q1\n0,,b,q1\n",
        "QueryID,Doc-ID,Rel\n" + ROWS,
        "user,item,rating\n" + ROWS,
        "topic,document,label\nq1,a, 1 \nq1,b,0\n",
        '[{"qid": "q1", "docno": "a", "label": 1}, {"qid": "q1", "docno": "b", "label": 0}]',
        '{"qid": "q1", "docno": "a", "rel": 1}\n\n{"rel": 0, "qid": "q1", "docno": "b"}\n',
        '{"q1": {"a": 1, "b": 0}}',
        '{"q1": [["a", 1], ["b", 0]]}',
        "q1 a 1 0\nq1 b 0 0\n",
    ],
)
def test_the_same_judgments_in_many_layouts(text: str) -> None:
    given, found = judged(text)
    assert {q: dict(rows) for q, rows in given.items()} == ONE  # type: ignore[attr-defined]
    assert (found.rows, found.queries) == (2, 1)


def test_a_quoted_cell_may_hold_delimiters_quotes_and_lines() -> None:
    text = 'query,docid,rating\n"boots, ""winter""",a,1\n"two\nlines",b,0\n'
    assert judged(text)[0] == {'boots, "winter"': {"a": 1.0}, "two\nlines": {"b": 0.0}}


def test_ids_of_tables_stay_as_they_are() -> None:
    ids = ["007", "1e5", "NA", "null", "e\u0301", "a\u2028b", "#1", "a\x85"]
    text = "query,docid,rating\n" + "".join(f"q,{name},1\n" for name in ids)
    assert judged(text)[0] == {"q": dict.fromkeys(ids, 1.0)}


def test_blanks_around_ids_are_kept_and_told() -> None:
    given, found = judged('query,docid,rating\n" =1+1",a,1\n')
    assert given == {" =1+1": {"a": 1.0}}
    assert said(found) == ["note: blanks around 1 query id were kept (first in line 2)"]


def test_queries_need_not_be_neighbours() -> None:
    text = "query,docid,rating\nq1,a,1\nq2,c,1\nq1,b,0\n"
    assert judged(text)[0] == ONE | {"q2": {"c": 1.0}}


def test_the_grade_of_judgments_may_be_called_score_and_that_is_told() -> None:
    _, found = judged("query,docid,score\n" + ROWS)
    assert said(found) == ["note: column 'score' is read as the grade"]


def test_ids_alone_are_judgments_of_grade_1_and_runs_in_listed_order() -> None:
    text = "query,docid\nq1,b\nq1,a\n"
    given, found = judged(text)
    assert given == {"q1": {"b": 1.0, "a": 1.0}}
    assert said(found) == ["note: no grade column: every listed document has grade 1"]
    rankings, found = read_run("q")
    assert [*rankings.documents("q1")] == ["b", "a"]
    assert rankings.natural_order() == "position"
    assert said(found) == ["note: neither scores nor ranks: ordered as listed"]


def test_two_columns_without_a_header_are_relevant_documents() -> None:
    given, found = judged("# made by hand\n11 700\n12 800\n")
    assert given == {"11": {"700": 1.0}, "12": {"800": 1.0}}
    assert said(found) == [
        "note: 1 comment line left out",
        "note: 2 columns, read as query, document",
        "note: no grade column: every listed document has grade 1",
    ]


@pytest.mark.parametrize(
    ("text", "is_trec"),
    [
        ("q1 s1 3 0\nq1 s2 1 0\n", False),
        ("q1 0 700 1\nq1 0 701 0\n", True),
        ("q1 Q0 700 1\nq1 Q0 701 0\n", True),
        ("q1 poolA 700 1\nq1 poolA 701 0\n", True),  # an iteration that repeats
        ("q1 4.5 700 1\nq1 5 701 0\n", True),
        ("q1 s1 x3 0\nq1 s2 x1 0\n", True),
    ],
)
def test_the_second_column_tells_the_order_of_four(text: str, is_trec: bool) -> None:
    _, found = judged(text)
    assert found.format.startswith("trec qrels") is is_trec


def test_a_run_by_rank_and_one_with_both() -> None:
    put(r="query,docid,rank\nq1,b,1\nq1,a,2\n", s="query,docid,rank,score\nq1,b,1,5\nq1,a,x,6\n")
    rankings, found = read_run("r")
    assert rankings.natural_order() == "rank"
    assert said(found) == ["note: no scores: ordered by column 'rank'"]
    rankings, found = read_run("s")
    assert rankings.natural_order() == "score"
    assert said(found) == [
        "note: the rank column is not usable: line 3: the rank 'x' is not a number"
    ]


def test_a_stated_format_overrules_the_look() -> None:
    put(q='{a} 0 "b" 1\n', t="query\tdoc,id\tgrade\nq1\ta\t1\n")
    judgments, _ = read_qrels("q", asked=Asked({}, set(), qrels_format="trec"))
    assert judgments.given == {"{a}": {'"b"': 1.0}}
    asked = Asked({"document": "doc,id"}, set(), qrels_format="tsv")
    assert read_qrels("t", asked=asked)[0].given == {"q1": {"a": 1.0}}
    with pytest.raises(DataError, match="E38 syntax"):
        read_qrels("t", asked=Asked({}, set(), qrels_format="jsonl"))


def test_the_first_name_of_every_role_is_known_and_no_name_means_two_things() -> None:
    names = [name for names in NAMES.values() for name in names]
    assert len(set(names)) == len(names)
    assert all(role_of(names[0]) == role for role, names in NAMES.items())
    assert is_header(["Query ID", "x", "doc-id"])
    assert not is_header(["query", "topic"])
    assert kind_of(["query", "document", "grade"]) is None


def test_columns_are_named_as_role_and_name() -> None:
    assert parse_columns("query=Query Text,grade=a=b") == {"query": "Query Text", "grade": "a=b"}
    for wrong in ("", "query", "query=", "query=a,query=b", "tag=x"):
        with pytest.raises(UsageError, match="E01"):
            parse_columns(wrong)
