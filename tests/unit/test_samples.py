"""The 60 authored files: which are read, as what, and why the others are refused."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path
from typing import Any

import pytest

from ndcg import DataError, evaluate
from ndcg.formats import Input, read_qrels, read_run
from ndcg.stores.asked import Asked
from shared import shared

Judged = dict[str, dict[str, float]]
Ranked = dict[str, list[tuple[str, float | None]]]


def sample(number: int) -> str:
    """The path of a sample."""
    return str(next(shared("formats").glob(f"{number:02}_*")))


def judged(number: int, asked: Asked | None = None) -> tuple[Judged, Input]:
    """The judgments of a sample as plain dictionaries, repeated ones settled."""
    judgments, found = read_qrels(sample(number), asked=asked or Asked({}, set()))
    settled = judgments.settled("agree")
    starts = settled.start.tolist()
    grades = settled.grades.tolist()
    return {
        query: dict(zip(documents, grades[begin:end], strict=True))
        for query, documents, begin, end in zip(
            settled.queries, settled.documents, starts, starts[1:], strict=False
        )
    }, found


def ranked(number: int, asked: Asked | None = None) -> tuple[Ranked, Input]:
    """The rows of a run as documents with scores (None without)."""
    rankings, found = read_run(sample(number), asked=asked or Asked({}, set()))
    rows: Ranked = {}
    for query in rankings.queries:
        documents = [*rankings.documents(query)]
        scores = [*map(float, rankings.scores(query))] or [None] * len(documents)
        rows[query] = [*zip(documents, scores, strict=True)]
    return rows, found


def said(found: Input) -> list[str]:
    """What is said about a file, without its name."""
    return [str(one).replace(f"{found.path}: ", "") for one in found.notices]


# -- read ------------------------------------------------------------------------------------------

FULL = {"q1": {"s1": 3, "s2": 1, "s3": 0}, "q2": {"k1": 2, "k2": 1}}
QRELS: dict[int, Judged] = {
    1: FULL,
    6: FULL,
    7: {"q1": {"s1": 0.95, "s2": 0.333, "s3": 0}, "q2": {"k1": 2.5, "k2": 1}},
    8: {"q1": {"s1": 3, "s2": -2, "s3": -1}, "q2": {"k1": -2}},
    10: {"q1": {"s1": 3, "s2": 1, "s3": 0}},
    11: {"q1": {"psg_00_17#3": 2, "psg_00_17#4_9": 0}},
    12: {"3001": {"700123": 1, "700124": 1}, "3002": {"700999": 1}},
    15: {"q1": {"s1": 3, "s2": 1}, "q2": {"k1": 2}},
    16: {"q1": {"s1": 1, "s2": 1}, "q2": {"k1": 1}},
    19: {"1": {"101": 1, "102": 0}, "2": {"101": 1}},
    43: {"q1": {"s1": 3, "s2": 1}, "q2": {"k1": 2}},
    45: {"q1": {"s1": 3, "s2": 1}},
    46: {"q1": {"s1": 3, "s2": 1}},
    52: {"red shoes": {"s1": 3, "s2": 1}},
}
RUNS: dict[int, Ranked] = {
    2: {"q1": [("s2", 12.804999), ("s1", 11.95), ("s9", 11)], "q2": [("k1", 7), ("k2", -0.25)]},
    3: {"q1": [("s2", 12.805), ("s1", 11.95), ("s9", 11)], "q2": [("k1", 7), ("k2", 6.5)]},
    4: {"q1": [("s2", 12.805), ("s1", 11.95)], "q2": [("k1", 7), ("k2", 6.5)]},
    5: {"q1": [("s2", 12.805), ("s1", 11.95)], "q2": [("k1", 7)]},
    13: {
        "3001": [("700124", None), ("555", None), ("700123", None)],
        "3002": [("42", None), ("700999", None)],
    },
    41: {"301": [("DOC-A-00012", 15.25), ("DOC-A-00340", 15.249999)], "302": [("DOC-B-7", 4.1)]},
    42: {"1": [("s2", 12.805), ("s1", 11.95)], "2": [("k1", 7)]},
    44: {"q1": [("s2", 0.9), ("s1", 0.8), ("s9", 0.1)], "q2": [("k1", 0.7)]},
    47: {"q1": [("s2", 12.805), ("s1", 11.95)]},
    59: {"q1": [("s2", 12.8), ("s1", 11.9)]},
}


@pytest.mark.parametrize("number", QRELS)
def test_judgments_are_read(number: int) -> None:
    assert judged(number)[0] == QRELS[number]


@pytest.mark.parametrize("number", RUNS)
def test_runs_are_read(number: int) -> None:
    assert ranked(number)[0] == RUNS[number]


@pytest.mark.parametrize(
    ("number", "layout", "notes"),
    [
        (15, "tsv (query=query-id, document=corpus-id, grade=score)", []),
        (
            19,
            "json lines (query=query-id, document=corpus-id, grade=score)",
            [
                (
                    "note: whole numbers in 'query-id' and 'corpus-id' are taken as text "
                    "(7 is '7', not '007')"
                )
            ],
        ),
        (43, "json dictionary", []),
        (45, "json lines (query=query_id, document=doc_id, grade=relevance)", []),
        (
            46,
            "columns without header (query=query, document=document, grade=grade)",
            [
                (
                    "note: 4 columns, read as query, document, grade, iteration, as ir_datasets "
                    "writes them"
                )
            ],
        ),
    ],
)
def test_what_judgments_were_taken_for_is_told(number: int, layout: str, notes: list[str]) -> None:
    found = judged(number)[1]
    assert (found.format, said(found)) == (layout, notes)
    assert (found.rows, found.queries) == (
        sum(map(len, QRELS[number].values())),
        len(QRELS[number]),
    )


def test_the_results_of_pyterrier_have_a_document_number_that_is_not_the_id() -> None:
    found = ranked(42)[1]
    assert found.format == "csv (query=qid, document=docno, score=score, rank=rank)"
    assert said(found) == [
        "note: column 'qid' is the query, not 'query'",
        "note: column 'docno' is the document, not 'docid'",
        "note: ranks start at 0; scores decide the order",
    ]


def test_scores_in_the_columns_of_beirs_judgments_are_read_with_a_doubt(tmp_path: Path) -> None:
    path = tmp_path / "run.tsv"
    path.write_text("query-id\tcorpus-id\tscore\nq1\ts1\t0.75\n")
    assert said(read_run(str(path))[1]) == [
        (
            "note: columns query-id, corpus-id, score are those of BEIR's judgments: "
            "check that judgments come first, then runs"
        )
    ]


# -- a BEIR folder of samples 15, 17 and 18 --------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A BEIR folder whose corpus and queries are the samples."""
    (tmp_path / "qrels").mkdir()
    for number, name in ((15, "qrels/test.tsv"), (17, "corpus.jsonl"), (18, "queries.jsonl")):
        shutil.copy(sample(number), tmp_path / name)
    return tmp_path


def test_the_samples_of_beir_make_a_folder(folder: Path) -> None:
    judgments, found = read_qrels(str(folder))
    assert judgments.given == QRELS[15]
    assert (found.path, found.notices) == (str(folder / "qrels" / "test.tsv"), [])


def test_a_folder_tells_what_its_corpus_and_its_queries_do_not_know(folder: Path) -> None:
    with (folder / "qrels" / "test.tsv").open("a") as file:
        file.write("q3\ts1\t1\nq2\tk7\t1\nq2\tk8\t1\n")
    _, found = read_qrels(str(folder))
    assert [str(one) for one in found.notices] == [
        f"warning: {folder}: 1 judged query not in queries.jsonl: q3; ndcg check --explain Q17",
        (
            f"warning: {folder}: 2 judged documents not in corpus.jsonl: k7, k8; "
            "ndcg check --explain Q17"
        ),
    ]


# -- refused ---------------------------------------------------------------------------------------

# what the file looks like, said under both roles
NEITHER = {
    14: "candidates with their texts, as in MS MARCO's top1000 files",
    17: "texts of a BEIR folder",
    18: "texts of a BEIR folder",
    20: "a dictionary nested deeper than query and document (as MTEB predictions are: "
    "subset, split, query, document)",
    21: "results of MTEB, values of measures",
    22: "a model card of Hugging Face (YAML)",
    23: "a request of Elasticsearch's rank_eval",
    24: "an answer of Elasticsearch's rank_eval",
    25: "an answer of Elasticsearch's rank_eval (version 6)",
    26: "an export of OpenSearch's search relevance tools",
    28: "an export of a Quepid case, ratings and ranking in one",
    29: "a snapshot of Quepid",
    30: "learning-to-rank data (grade qid:query feature:value ...)",
    31: "ratings of Quepid or RRE with a gain for each document",
    32: "ratings of RRE (Rated Ranking Evaluator)",
    33: "learning-to-rank data (grade qid:query feature:value ...)",
    34: "numbers, one a line: scores or group sizes of learning-to-rank data",
    35: "numbers, one a line: scores or group sizes of learning-to-rank data",
    36: "a log of ratings with times, as MovieLens has them",
    37: "ratings with times (user, item, rating, time), as MovieLens has them",
    38: "a table separated by double colons",
    39: "a file of interactions of RecBole",
    40: "recommendations with one column per rank",
    48: "a LlamaIndex data set of queries, corpus and relevant documents",
    49: "results of LlamaIndex, lists of ids in each row",
    50: "RAG data with texts in place of ids",
    51: "ESCI labels, letters without a grade",
    55: "a click log, whose counts are no grades",
    56: "search results, a list of hits in each row",
    57: "a printout of measures (measure, query, value)",
    60: "rows with several ids in one cell",
}


@pytest.mark.parametrize("number", NEITHER)
@pytest.mark.parametrize("role", ["qrels", "run"])
def test_what_is_neither_judgments_nor_a_run_is_called_by_its_name(number: int, role: str) -> None:
    with pytest.raises(DataError) as error:
        (read_qrels if role == "qrels" else read_run)(sample(number))
    word, wanted = ("not-qrels", "judgments") if role == "qrels" else ("not-a-run", "a run")
    (problem,) = error.value.problems
    expected = f"{sample(number)} looks like {NEITHER[number]}, not {wanted}"
    assert problem.word == word
    assert problem.what.partition(" (columns: ")[0] == expected
    assert problem.place is not None
    assert problem.help


@pytest.mark.parametrize(
    ("number", "role", "what"),
    [
        (9, "qrels", "E30 subtopics]: column 2 is a subtopic"),
        (9, "run", "E31 not-a-run]: FILE looks like judgments (4 columns), not a run"),
        (16, "run", "E31 not-a-run]: FILE looks like BEIR's judgments, not a run (columns: "),
        (15, "run", "E31 not-a-run]: FILE looks like BEIR's judgments, not a run (columns: "),
        (27, "qrels", "E26 grade]: FILE, line 4: the grade is empty"),
        (
            27,
            "run",
            "E31 not-a-run]: FILE looks like judgments, not a run (columns: query, docid, rating)",
        ),
        (42, "qrels", "E32 not-qrels]: FILE looks like a run, not judgments (columns: qid, docid,"),
        (45, "run", "E31 not-a-run]: FILE looks like judgments, not a run (columns: query_id,"),
        (46, "run", "E31 not-a-run]: FILE looks like judgments (4 columns), not a run"),
        (
            52,
            "run",
            "E25 score]: FILE looks like an export of a spreadsheet with decimal commas: 2 numbers",
        ),
        (53, "qrels", "E22 encoding]: FILE is UTF-16, not UTF-8 text"),
        (53, "run", "E22 encoding]: FILE is UTF-16, not UTF-8 text"),
        (54, "qrels", "E29 judgments]: document 's1' is judged 3 and 2 for query 'red shoes'"),
        (54, "run", "E31 not-a-run]: FILE looks like judgments, not a run (columns: query, docid,"),
        (58, "qrels", "E32 not-qrels]: FILE looks like a run (6 columns), not judgments"),
        (58, "run", "E33 two-systems]: the tag changes inside query 'q1': sysA, sysB look like 2"),
    ],
)
def test_why_the_others_are_refused(number: int, role: str, what: str) -> None:
    with pytest.raises(DataError) as error:
        (judged if role == "qrels" else ranked)(number)
    assert str(error.value).startswith(f"error[{what.replace('FILE', sample(number))}")


def test_a_judge_column_is_named_where_judges_differ() -> None:
    with pytest.raises(DataError, match="help: column 'judge' names several judges: "):
        judged(54)
    one = {"red shoes": {"s1": 2.0, "s2": 1.0}}
    ev = evaluate(sample(54), one, judgments="max", gain="linear")
    assert ev["nDCG@10"].mean == 1.0


def test_every_sample_has_its_place() -> None:
    numbers = {int(path.name[:2]) for path in shared("formats").iterdir()}
    assert numbers == {*range(1, 61)}
    assert numbers == {*QRELS, *RUNS, *NEITHER, 9, 27, 53, 54, 58}


# -- what is refused as it looks is read when its columns are named --------------------------------


@pytest.mark.parametrize(
    ("number", "columns", "grades"),
    [
        (
            36,
            {"query": "userId", "document": "movieId", "grade": "rating"},
            {"7": {"501": 2.5, "88": 4}, "9": {"501": 3}},
        ),
        (
            37,
            {"query": "1", "document": "2", "grade": "3"},
            {"7": {"501": 3, "88": 5}, "9": {"501": 1}},
        ),
        (
            39,
            {"query": "user_id:token", "document": "item_id:token", "grade": "rating:float"},
            {"u1": {"i9": 4, "i7": 2}, "u2": {"i9": 5}},
        ),
    ],
)
def test_ratings_are_grades_once_that_is_said(
    number: int, columns: dict[str, str], grades: Judged
) -> None:
    assert judged(number, Asked(columns, set()))[0] == grades


def test_a_quepid_export_is_both_once_its_columns_are_named() -> None:
    columns: dict[str, Any] = {"query": "Query Text", "document": "Doc ID", "grade": "Rating"}
    lenient = Asked(columns, set(), lenient=True)
    assert judged(28, lenient)[0] == {"red shoes": {"s2": 1, "s1": 3}}
    by_position = Asked(columns | {"rank": "Doc Position"}, set())
    assert ranked(28, by_position)[0] == {"red shoes": [("s2", None), ("s1", None), ("s9", None)]}
    assert ranked(29, by_position)[0] == {"red shoes": [("s2", None), ("s1", None)]}


def test_the_rated_rows_of_quepid_are_read_when_blank_ones_may_be_skipped() -> None:
    judgments, _ = read_qrels(sample(27), asked=Asked({}, set(), lenient=True))
    assert judgments.given["red shoes"] == {"s1": 3, "s2": 1}
    assert [(one.line, one.what) for one in judgments.skipped] == [
        (4, "the grade is empty"),
        (6, "the document is empty; the grade is empty"),
    ]


def test_a_sample_is_read_compressed_as_it_is_plain(tmp_path: Path) -> None:
    for number in (15, 19, 42, 43):
        packed = tmp_path / Path(sample(number)).name
        packed.write_bytes(gzip.compress(Path(sample(number)).read_bytes()))
        read: Any = read_run if number == 42 else read_qrels
        plain, _ = read(sample(number))
        again, _ = read(str(packed))
        assert [*again.given] == [*plain.given]
