"""explain: worked examples, every kind of document, what would help, lists, texts, the command."""

from __future__ import annotations

import gzip
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg.diagnose.explaining.contrast import Contrast
from ndcg.diagnose.explaining.found import Explanation
from ndcg.diagnose.explaining.lines import Line
from ndcg.diagnose.explaining.overview import Overview
from ndcg.diagnose.explaining.parts import EXPLAINED
from ndcg.formats.texts import read_texts
from ndcg.reports.explained import render, rows_of
from ndcg.reports.model import Options
from shared import PROJECT, shared

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

EXAMPLES = PROJECT / "examples"
QRELS, BM25, HYBRID = (str(EXAMPLES / name) for name in ("qrels.txt", "bm25.run", "hybrid.run"))
CATALOGUE = {"A": 3, "B": 2, "C": 1, "D": 0}
IDEAL = 7 + 3 / math.log2(3) + 1 / 2


def explained(
    judged: dict[str, float], ranking: Any, measure: str = "nDCG@3", **how: Any
) -> Explanation:
    """The explanation of one query called q."""
    found = ndcg.explain({"q": judged}, {"q": ranking}, query="q", measure=measure, **how)
    assert isinstance(found, Explanation)
    return found


def line(found: Explanation, document: str) -> Line:
    return next(one for one in found.lines if one.document == document)


def says(found: Explanation | Contrast, part: str) -> bool:
    return any(part in sentence for sentence in found.told)


# -- the worked examples ---------------------------------------------------------------------------


def test_the_chapter_comes_out_document_by_document() -> None:
    found = explained(CATALOGUE, ["B", "D", "A", "C"])
    assert (found.sum, found.ideal_sum, found.value) == (3 + 7 / 2, IDEAL, 6.5 / IDEAL)
    assert [one.adds for one in found.lines] == [3, 0, 7 / 2, 0]
    assert [one.running for one in found.lines] == [3, 3, 6.5, None]
    assert line(found, "A").cost == (7 - 7 / 2) / IDEAL
    assert line(found, "B").cost == (3 / math.log2(3) - 3) / IDEAL
    assert line(found, "C").cost == (1 / 2) / IDEAL
    assert found.told[0] == "A (grade 3) at rank 3 instead of 1 costs 0.3726"
    assert found.told[1] == "B (grade 2) at rank 1 instead of 2 gives back 0.1179"
    assert says(found, "C (grade 1) at rank 4, past the last one that counts, instead of 3 costs")


def test_the_chapter_with_linear_gain_loses_less() -> None:
    found = explained(CATALOGUE, ["B", "D", "A", "C"], gain="linear")
    assert found.sum == 2 + 3 / 2
    assert found.value == 3.5 / (3 + 2 / math.log2(3) + 1 / 2)


def test_a_missed_best_document_costs_against_all_that_is_judged_alone() -> None:
    found = explained(CATALOGUE, ["B", "C", "D"])
    b_c = 3 + 1 / math.log2(3)
    assert (found.sum, found.value) == (b_c, b_c / IDEAL)
    assert found.causes["missed"] == 7 / IDEAL
    assert says(found, "A (grade 3), best at rank 1, was not retrieved: costs 0.7453")
    listed = explained(CATALOGUE, ["B", "C", "D"], ideal="retrieved")
    assert (listed.value, listed.loss, listed.costs) == (1.0, 0.0, [])


@pytest.mark.parametrize(
    ("ranking", "total", "value"),
    [("ABC", 7 + 1 / math.log2(3), 1.0),
     ("CBA", 1 / math.log2(3) + 7 / 2, (1 / math.log2(3) + 7 / 2) / (7 + 1 / math.log2(3)))],
)  # fmt: skip
def test_the_recommender_page_comes_out(ranking: str, total: float, value: float) -> None:
    found = explained({"A": 3, "B": 1, "C": 0}, [*ranking])
    assert (found.sum, found.value) == (total, value)


def test_the_concept_card_comes_out() -> None:
    found = explained({"a": 3, "b": 2, "c": 1}, ["a", "b", "c"], gain="linear")
    assert (found.sum, found.value) == (3 + 2 / math.log2(3) + 1 / math.log2(4), 1.0)
    assert says(found, "no swap, promotion or missing document would raise the value") or (
        found.help == ()
    )


# -- what else stands in a ranking -----------------------------------------------------------------


def test_unjudged_documents_above_are_named_as_the_reason() -> None:
    found = explained({"a": 3}, ["x", "y", "a"], "nDCG")
    assert found.told[0] == (
        "a (grade 3) at rank 3 instead of 1 costs 0.5000, behind 2 unjudged documents"
    )
    assert (line(found, "x").judged, line(found, "x").grade) == (False, None)
    assert says(found, "2 documents without judgment among the ranks that count")


def test_another_rated_document_lowers_the_value_by_what_it_would_add() -> None:
    found = explained({"hit": 3, "other": 3, "third": 1, "bad": 0}, ["hit"])
    assert found.causes["missed"] == pytest.approx(1 - found.value, abs=1e-15)
    assert (found.counts.judged, found.counts.worth, found.counts.missed) == (4, 3, 2)
    assert found.counts.idle == 1
    assert says(found, "2 missed (1 of grade 3, 1 of grade 1)")


def test_what_leaves_the_ranking_is_counted_with_its_axis() -> None:
    judged = {"a": 2, "bad": -1}
    found = explained(judged, ["x", "bad", "a"], negative="remove")
    assert found.left == (("bad", "negative"),)
    assert [one.document for one in found.lines] == ["x", "a"]
    assert says(found, "out of the ranking by negative:remove: 1 document (bad)")
    found = explained(judged, ["x", "bad", "a"], unjudged="drop")
    assert found.left == (("x", "unjudged"),)
    found = explained(judged, ["a", "a", "q", "x", "y"], duplicates="first", self_match="drop",
                      depth="4")  # fmt: skip
    assert dict(found.dropped) == {"depth:4": 1, "duplicates:first and self_match:drop": 2}
    assert says(found, "depth:4 left out 1 row of the run")


def test_a_negative_grade_that_counts_as_none_is_shown_as_it_was_judged() -> None:
    found = explained({"a": 2, "bad": -1}, ["bad", "a"], negative="unjudged")
    assert (line(found, "bad").grade, line(found, "bad").judged) == (-1, False)
    assert "-1 (unjudged)" in found.report()


@pytest.mark.parametrize("ties", ["docid_asc", "docid_desc", "input", "expected", "best", "worst",
                                  "mean_rank"])  # fmt: skip
def test_ties_are_shown_and_how_they_were_ordered(ties: str) -> None:
    found = explained({"a": 1, "b": 3}, {"b": 1.0, "a": 1.0, "x": 1.0}, "nDCG", ties=ties)
    assert {one.tied for one in found.lines} == {(1, 3)}
    assert says(found, f"ties:{ties}")
    order = {"best": "bax", "docid_desc": "xba", "input": "bax", "worst": "xab"}.get(ties, "abx")
    assert "".join(one.document or "" for one in found.lines) == order
    assert math.fsum(one.part for one in found.lines) == pytest.approx(found.value, abs=1e-15)
    assert bool(found.help) == (ties in ("docid_asc", "docid_desc", "input") and found.value < 1)


def test_a_cutoff_through_tied_documents_is_said() -> None:
    found = explained({"a": 1}, {"b": 1.0, "a": 1.0, "x": 1.0}, "nDCG@1")
    assert says(found, "the cutoff 1 goes through ranks 1 to 3, all tied")


def test_under_expected_ties_a_document_adds_its_mean() -> None:
    found = explained({"a": 1, "b": 3}, {"a": 1.0, "b": 1.0}, "DCG", ties="expected")
    mean = (1 + 1 / math.log2(3)) / 2
    assert [one.adds for one in found.lines] == pytest.approx([mean, 7 * mean])
    assert says(found, "what would help is not told (swap, promotion, missing): ties:expected")


def test_slots_of_the_ideal_belong_to_ranks() -> None:
    found = explained({"a": 1}, ["x", "a"], "nDCG@3", ideal="slots:1")
    ideal = 1 + 1 / math.log2(3) + 1 / 2
    assert [one.status for one in found.lines] == ["counted", "counted", "slot"]
    assert [one.cost for one in found.lines] == pytest.approx([1 / ideal, 0, (1 / 2) / ideal])
    assert says(found, "the ideal assumes 3 documents of grade 1, whatever was judged")
    assert says(found, "no document at rank 3, where the ideal has one, costs")


def test_rounding_is_told_apart_from_the_parts() -> None:
    found = explained(CATALOGUE, ["B", "D", "A"], rounding="query:2")
    assert found.value == 0.69
    assert found.value == pytest.approx(math.fsum(o.part for o in found.lines) + found.rounding)


@pytest.mark.parametrize(
    ("measure", "adds", "total"),
    [("P@3", [0, 1, 1], 2 / 3), ("R", [0, 1, 1], 2 / 3), ("AP", [0, 1 / 2, 2 / 3], 7 / 18),
     ("RR", [0, 1 / 2, 0], 1 / 2), ("Success@2", [0, 1, 0], 1.0), ("F", [0, 1, 1], 2 / 3),
     ("Rprec", [0, 1, 1], 2 / 3), ("RelativeP@2", [0, 1, 0], 1 / 2),
     ("RBP(p=0.5)", [0, 0.25, 0.125], 0.375)],
)  # fmt: skip
def test_what_a_document_adds_to_a_measure_of_relevant_or_not(
    measure: str, adds: list[float], total: float
) -> None:
    found = explained({"a": 1, "b": 1, "c": 1}, ["x", "a", "b"], measure)
    assert [one.adds for one in found.lines[:3]] == pytest.approx(adds)
    assert found.value == pytest.approx(total)
    assert math.fsum(one.cost for one in found.lines) == pytest.approx(found.best - found.value)


def test_a_document_past_the_cutoff_of_a_binary_measure_costs_what_it_would_add() -> None:
    found = explained({"a": 1, "b": 1}, ["x", "y", "a", "b"], "P@3")
    assert line(found, "b").cost == 1 / 3
    assert found.loss == pytest.approx(1 / 3)


# -- queries with a value of their own -------------------------------------------------------------


def test_a_missing_query_says_which_rule_gave_its_value() -> None:
    found = ndcg.explain({"q": {"a": 1}, "r": {"a": 1}}, {"r": ["a"]}, query="q")
    assert (found.value, found.decided, found.causes["missed"]) == (0.0, "missing", 1.0)
    assert found.told[0] == "the run does not answer the query: it counts 0 (missing:zero)"
    left = ndcg.explain({"q": {"a": 1}, "r": {"a": 1}}, {"r": ["a"]}, query="q", missing="exclude")
    assert (left.value, left.help) == (None, ())
    assert left.to_dict()["decided"] == {"axis": "missing", "value": "exclude"}


def test_an_empty_query_says_which_rule_left_it_out() -> None:
    found = ndcg.explain({"q": {"a": 0}, "r": {"a": 1}}, {"q": ["a"], "r": ["a"]}, query="q")
    assert (found.value, found.decided) == (None, "empty")
    assert found.told[0] == (
        "nothing that earns anything was judged: it has no value (empty:exclude)"
    )
    assert "is -" in found.report()


def test_a_query_without_a_line_is_a_row_all_the_same() -> None:
    found = ndcg.explain({"q": {}, "r": {"a": 1}}, {"r": ["a"]}, query="q", empty="zero")
    assert found.lines == ()
    assert len(found.report("csv").splitlines()) == 2
    assert "none" in found.report("csv")


# -- inputs ----------------------------------------------------------------------------------------


def test_arrays_are_explained_by_column_numbers() -> None:
    grades = np.array([[1.0, 0.0, 3.0], [np.nan, 2.0, 0.0]])
    scores = np.array([[2.0, 1.0, 1.0], [3.0, 1.0, 2.0]])
    found = ndcg.explain(grades, scores, query=0, measure="nDCG")
    assert [one.document for one in found.lines] == ["0", "1", "2"]
    other = ndcg.explain(grades, scores.astype(np.float32), query="1", measure="nDCG")
    assert [(o.document, o.judged) for o in other.lines] == [
        ("0", False), ("2", True), ("1", True)
    ]  # fmt: skip


def test_frames_files_and_dictionaries_are_explained_alike() -> None:
    import polars as pl

    whole = ndcg.explain(QRELS, BM25, query="q07").plain()
    rows = [row.split() for row in Path(BM25).read_text().splitlines()]
    as_dict: dict[str, dict[str, float]] = {}
    for query, _, document, _, score, _ in rows:
        as_dict.setdefault(query, {})[document] = float(score)
    frame = pl.DataFrame(
        [(q, d, float(s)) for q, _, d, _, s, _ in rows], ["query", "document", "score"],
        orient="row",
    )  # fmt: skip
    for run in (as_dict, frame):
        found = ndcg.explain(QRELS, run, query="q07").plain()
        assert found | {"system": "bm25"} == whole


def test_a_whole_number_names_a_query() -> None:
    found = ndcg.explain({7: {"a": 1}}, {7: ["a"]}, query=7)
    assert (found.query, found.value) == ("7", 1.0)


# -- two runs --------------------------------------------------------------------------------------


def test_moves_add_up_to_the_difference_and_name_what_pushed_them() -> None:
    one, other = ["a", "b"], ["x", "y", "z", "b", "a"]
    found = ndcg.explain({"q": {"a": 3, "b": 1}}, {"q": one}, {"q": other}, query="q")
    assert isinstance(found, Contrast)
    assert math.fsum(move.change for move in found.moves) == pytest.approx(found.difference)
    assert found.told[0].startswith("a (grade 3) 1 -> 5 costs 0.")
    assert found.told[0].endswith("behind 3 unjudged documents")
    assert says(found, "without judgment among the ranks that count: 0 of run, 3 of other")
    moved = found.moves[0]
    assert (moved.ranks, moved.unjudged_above) == ((1, 5), (0, 3))


def test_runs_with_ideals_of_their_own_still_add_up() -> None:
    found = ndcg.explain(
        {"q": {"a": 3, "b": 1, "c": 1}}, {"one": {"q": ["b", "c"]}, "two": {"q": ["b", "a"]}},
        query="q", ideal="retrieved",
    )  # fmt: skip
    assert math.fsum(move.change for move in found.moves) == pytest.approx(found.difference)
    assert says(found, "parts are of each run's own")


def test_a_run_that_does_not_answer_is_said_in_a_contrast() -> None:
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    found = ndcg.explain(qrels, {"r": ["a"]}, {"q": ["a"], "r": ["a"]}, query="q")
    assert found.difference == 1.0
    assert found.told[0] == "run: the run does not answer the query: it counts 0 (missing:zero)"
    assert found.told[1] == "a (grade 1) not retrieved -> 1 gains 1.0000"
    left = ndcg.explain(qrels, {"r": ["a"]}, {"q": ["a"]}, query="q", missing="exclude")
    assert left.difference is None
    assert "difference -" in left.report()


# -- lists of queries ------------------------------------------------------------------------------


def test_contributions_add_up_to_the_difference_of_the_means() -> None:
    found = ndcg.explain(QRELS, BM25, HYBRID)
    assert isinstance(found, Overview)
    both = ndcg.compare(QRELS, [BM25, HYBRID]).pairs[0]
    assert found.total == pytest.approx(both.difference, abs=1e-12)
    assert math.fsum(row.adds for row in found.rows) == pytest.approx(found.total, abs=1e-12)
    assert (len(found.wins), len(found.losses)) == (both.shape.wins, both.shape.losses)
    assert {**found.left} == {"empty:exclude": ["q29"]}


@pytest.mark.parametrize("measure", ["nDCG@10", "nDCG", "DCG@5", "AP", "P@5", "R", "RR", "RBP"])
def test_the_list_of_one_run_says_of_each_query_what_its_explanation_says(measure: str) -> None:
    listed = ndcg.explain(QRELS, BM25, measure=measure)
    evaluation = ndcg.evaluate(QRELS, BM25, measure)
    for row in listed.rows:
        one = ndcg.explain(QRELS, BM25, query=row.query, measure=measure)
        assert row.values == (one.value,) == (evaluation[measure].per_query[row.query],)
        assert row.loss == pytest.approx(one.loss, abs=1e-12)
        assert {**row.causes} == pytest.approx(one.causes, abs=1e-12)
        gains = {kind: gain for kind, gain in row.gains.items() if gain}
        assert gains == pytest.approx({help_.kind: help_.gain for help_ in one.help}, abs=1e-12)
    assert listed.total == pytest.approx(math.fsum(row.loss or 0 for row in listed.rows)
                                         / len(listed.rows))  # fmt: skip
    for kind, one_ in listed.help.items():
        rises = [row.gains[kind] for row in listed.rows]
        assert one_.rise == pytest.approx(math.fsum(rises) / len(rises))
        assert one_.queries == sum(rise > 0 for rise in rises)


def test_causes_of_slots_are_told_apart_in_the_list_too() -> None:
    how = {"measure": "nDCG@4", "ideal": "slots:3"}
    for row in ndcg.explain(QRELS, BM25, **how).rows:
        one = ndcg.explain(QRELS, BM25, query=row.query, **how)
        assert {**row.causes} == pytest.approx(one.causes, abs=1e-12)


def test_weights_and_groups_move_contributions() -> None:
    qrels = {"q": {"a": 1}, "r": {"a": 1}}
    one, other = {"q": ["x"], "r": ["x"]}, {"q": ["a"], "r": ["a"]}
    found = ndcg.explain(qrels, one, other, weights={"q": 3.0, "r": 1.0})
    assert {row.query: row.adds for row in found.rows} == {"q": 0.75, "r": 0.25}


def test_segments_are_shown_and_chosen() -> None:
    segments = {"q01": "shoes", "q02": ["shoes", "women"], "q09": "tents"}
    found = ndcg.explain(QRELS, BM25, HYBRID, segments=segments)
    assert {name: n for name, (n, _) in found.parts.items()} == {
        "shoes": 2, "tents": 1, "women": 1
    }  # fmt: skip
    only = ndcg.explain(QRELS, BM25, HYBRID, segments=segments, segment="shoes")
    assert {row.query for row in only.rows} == {"q01", "q02"}
    assert "women" in found.report()


def test_a_query_that_a_rule_gave_its_value_is_marked() -> None:
    text = ndcg.explain(QRELS, BM25).report()
    assert "0.0000*" in text
    assert "* decided by missing: 5 queries (q02, q04, q06, q14, q16)" in text
    assert "left out by empty:exclude: 1 query (q29)" in text


def test_an_extra_query_has_a_value_in_the_list_where_it_counts() -> None:
    found = ndcg.explain({"q": {"a": 1}}, {"q": ["a"], "z": ["b"]}, extra="zero")
    (odd,) = [row for row in found.rows if row.query == "z"]
    assert (odd.values, odd.decided, odd.loss) == ((0.0,), ("extra",), None)


# -- texts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "content",
    [
        '{"_id": "a", "title": "Boots"}\n{"_id": "b", "title": "", "text": "Tea"}\n',
        '[{"docid": "a", "title": "Boots"}, {"docid": "b", "text": "Tea"}]',
        'id,title\na,Boots\nb,"Tea"\n',
        "doc_id\ttext\na\tBoots\nb\tTea\n",
        "a\tBoots\nb\tTea\nc\t\n",
        '{"id": 7, "text": "no"}\n{"id": "a", "contents": "Boots"}\n{"docno": "b", "body": "Tea"}',
    ],
)
def test_texts_are_read_from_every_layout(content: str, tmp_path: Path) -> None:
    for name, data in (("t", content.encode()), ("t.gz", gzip.compress(content.encode()))):
        (tmp_path / name).write_bytes(data)
        assert read_texts(str(tmp_path / name), {"a", "b"}) == {"a": "Boots", "b": "Tea"}


def test_a_long_text_is_cut_and_put_into_one_line(tmp_path: Path) -> None:
    (tmp_path / "t").write_text(json.dumps({"id": "a", "text": "word\n" * 1000}))
    (text,) = read_texts(str(tmp_path / "t"), {"a"}).values()
    assert len(text) == 200
    assert text.startswith("word word ")


def test_titles_stand_beside_ids() -> None:
    found = ndcg.explain(QRELS, BM25, query="q07", texts=str(EXAMPLES / "products.tsv"),
                         query_texts=str(EXAMPLES / "queries.tsv"))  # fmt: skip
    assert found.text == "warm coat men"
    assert line(found, "jacket-09").title == "Fennimore fleece vest men"
    given = ndcg.explain({"q": {"a": 1}}, {"q": ["a"]}, query="q", texts={"a": "Boots", "z": "no"})
    assert line(given, "a").title == "Boots"
    assert "Boots" in given.report()


# -- what is printed -------------------------------------------------------------------------------


def kinds() -> list[Explanation | Contrast | Overview]:
    return [ndcg.explain(QRELS, BM25, query="q07"),
            ndcg.explain(QRELS, BM25, HYBRID, query="q09"), ndcg.explain(QRELS, BM25),
            ndcg.explain(QRELS, BM25, HYBRID)]  # fmt: skip


@pytest.mark.parametrize("number", range(4))
def test_every_kind_is_written_in_every_format(number: int) -> None:
    found = kinds()[number]
    whole = json.loads(found.report("json"))
    assert whole["schema"] == 1
    assert whole["kind"] == ["query", "contrast", "queries", "queries"][number]
    assert whole == json.loads(json.dumps(found.to_dict()))
    rows = rows_of(found)
    assert found.report("csv").count("\n") == len(rows) + 1
    assert [json.loads(one) for one in found.report("jsonl").splitlines()] == [*map(dict, rows)]
    assert "| ---" in found.report("markdown")
    assert str(found).startswith(found.report().rstrip("\n"))
    assert repr(found).startswith(f"<{type(found).__name__} of nDCG@10")


def widths(text: str) -> list[int]:
    from rich.cells import cell_len

    return [cell_len(one) for one in text.splitlines() if "|gain:" not in one]


@pytest.mark.parametrize("number", range(4))
def test_tables_of_short_ids_fit_80_columns(number: int) -> None:
    assert max(widths(render(kinds()[number], "table", Options(width=80)))) <= 80


HARD = ["d/" + "x" * 118 + str(i) for i in range(400)] + [f"検索結果{i}" for i in range(300)] + [
    f"\x1b[31m{i}" for i in range(300)]  # fmt: skip


@pytest.mark.parametrize("width", [80, 120])
def test_a_thousand_documents_with_hard_ids_stay_readable(width: int) -> None:
    judged = {HARD[i]: i % 4 for i in range(0, 1000, 9)} | {"lost": 3}
    found = ndcg.explain({"q": judged}, {"q": HARD[::-1]}, query="q", measure="nDCG@10")
    text = render(found, "table", Options(width=width))
    assert max(widths(text)) <= width
    assert "\x1b" not in text
    assert len(text.splitlines()) < 80
    hidden = sum(int(one.partition(" more)")[0].rpartition("(")[2]) for one in text.splitlines()
                 if " more)" in one)  # fmt: skip
    shown = sum(one[:1].isdigit() for one in text.splitlines() if "(grade" not in one)
    assert hidden + shown >= 1000 - 10


def test_the_command_prints_what_python_prints(tmp_path: Path, monkeypatch: Any) -> None:
    done = command("explain", QRELS, BM25, "-q", "q07")
    assert (done.code, done.out) == (0, ndcg.explain(QRELS, BM25, query="q07").report())
    assert "tied" not in done.err
    assert "tied" in command("explain", QRELS, BM25, "-q", "q07", "-v").err
    monkeypatch.chdir(tmp_path)
    put(segments="q01 shoes\nq09 tents\n")
    done = command("explain", QRELS, BM25, HYBRID, "--segments", "segments", "--segment", "tents",
                   "-o", "found.json")  # fmt: skip
    assert done.code == 0, done.err
    whole = json.loads(Path("found.json").read_text())
    assert [one["query"] for one in whole["queries"]] == ["q09"]
    done = command("explain", QRELS, BM25, "-m", "AP", "--format", "csv", "-p", "trec_eval",
                   "--texts", str(EXAMPLES / "products.tsv"), "-q", "q01")  # fmt: skip
    assert done.code == 0, done.err
    assert "Torvik" in done.out


def test_what_cannot_be_explained_names_what_can() -> None:
    with pytest.raises(ndcg.UsageError) as error:
        ndcg.explain(QRELS, BM25, measure="Bpref")
    assert all(name in str(error.value) for name in EXPLAINED)


# -- real collections ------------------------------------------------------------------------------


def plain_ranking(path: Path) -> dict[str, list[str]]:
    """A run in plain Python: by falling score, then id."""
    found: dict[str, list[tuple[float, str]]] = {}
    with gzip.open(path, "rt") as lines:
        for row in map(str.split, lines):
            found.setdefault(row[0], []).append((-float(row[4]), row[2]))
    return {query: [document for _, document in sorted(rows)] for query, rows in found.items()}


def worst_and_best(found: Overview) -> Sequence[str]:
    return [row.query for row in (*found.losses[:5], *found.wins[:5])]


def test_ten_queries_of_cast_say_what_stands_in_the_files() -> None:
    folder = shared("data", "real", "cast2019")
    qrels = str(folder / "qrels.txt.gz")
    paths = [folder / f"run.bert-{kind}.txt.gz" for kind in ("raw", "oracle")]
    runs = [plain_ranking(path) for path in paths]
    grades: dict[tuple[str, str], int] = {}
    with gzip.open(qrels, "rt") as lines:
        for row in map(str.split, lines):
            grades[row[0], row[2]] = int(row[3])
    listed = ndcg.explain(qrels, [str(path) for path in paths])
    for query in worst_and_best(listed):
        found = ndcg.explain(qrels, str(paths[0]), str(paths[1]), query=query)
        assert math.fsum(move.change for move in found.moves) == pytest.approx(
            found.difference, abs=1e-12
        )
        for move in found.moves:
            ranks = [own[query].index(move.document) + 1 if move.document in own[query] else None
                     for own in runs]  # fmt: skip
            assert [*move.ranks] == ranks
            assert move.grade == grades.get((query, move.document))
