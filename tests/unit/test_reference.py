"""The reference itself against worked numbers and against what the real trec_eval printed."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from math import log2
from pathlib import Path

import pytest

from reference import (
    Axes,
    Measure,
    Refused,
    Result,
    best_by_enumeration,
    evaluate,
    expected_by_enumeration,
    value,
    worst_by_enumeration,
)
from shared import shared

CATALOGUE = [("A", 3.0), ("B", 2.0), ("C", 1.0), ("D", 0.0)]


def listed(order: str) -> list[tuple[str, float | None, int | None]]:
    """A run that lists one-letter documents in this order."""
    return [(document, -place, None) for place, document in enumerate(order)]


def worked(order: str, name: str, judgments: list[tuple[str, float]], **axes: str) -> float | None:
    """A measure at cutoff 3 of documents in this order."""
    return value(judgments, listed(order), Measure(name, 3), axes, "q")


# -- reference/worked_examples.md --------------------------------------------------------------


def test_the_chapters_order_has_the_chapters_dcg_and_ndcg() -> None:
    ideal = 7 / log2(2) + 3 / log2(3) + 1 / log2(4)
    assert worked("BDAC", "DCG", CATALOGUE) == 3 + 7 / 2
    assert worked("BDAC", "IDCG", CATALOGUE) == ideal
    assert worked("BDAC", "nDCG", CATALOGUE) == (3 + 7 / 2) / ideal
    assert round(worked("BDAC", "nDCG", CATALOGUE) or 0, 4) == 0.6920


def test_linear_gain_gives_the_chapters_other_number() -> None:
    ideal = 3 + 2 / log2(3) + 1 / 2
    assert worked("BDAC", "DCG", CATALOGUE, gain="linear") == 2 + 3 / 2
    assert worked("BDAC", "nDCG", CATALOGUE, gain="linear") == (2 + 3 / 2) / ideal
    assert round((2 + 3 / 2) / ideal, 3) == 0.735


def test_a_missed_best_document_lowers_ndcg_only_against_the_full_ideal() -> None:
    found = 3 + 1 / log2(3)
    assert worked("BCD", "nDCG", CATALOGUE) == found / (7 + 3 / log2(3) + 1 / 2)
    assert worked("BCD", "nDCG", CATALOGUE, ideal="retrieved") == 1.0


@pytest.mark.parametrize("gain", ["exp2", "linear", "binary", "0=0,1=1,2=5,3=5.5"])
def test_the_best_order_is_1_under_any_gain(gain: str) -> None:
    assert worked("ABCD", "nDCG", CATALOGUE, gain=gain) == 1.0


def test_the_recommender_pages_orders() -> None:
    judged = [("A", 3.0), ("B", 1.0), ("C", 0.0)]
    ideal = 7 + 1 / log2(3)
    assert worked("ABC", "DCG", judged) == ideal
    assert worked("ABC", "nDCG", judged) == 1.0
    assert worked("CBA", "DCG", judged) == 1 / log2(3) + 7 / 2
    assert worked("CBA", "nDCG", judged) == (1 / log2(3) + 7 / 2) / ideal


def test_the_concept_cards_linear_dcg() -> None:
    judged = [("A", 3.0), ("B", 2.0), ("C", 1.0)]
    assert worked("ABC", "DCG", judged, gain="linear") == 3 + 2 / log2(3) + 1 / log2(4)
    assert worked("ABC", "nDCG", judged, gain="linear") == 1.0
    assert (worked("BAC", "nDCG", judged, gain="linear") or 1) < 1.0


# -- steps that trec_eval does not have, by hand -------------------------------------------------


def test_the_expected_gain_of_a_tie_group_is_its_mean_at_every_rank() -> None:
    run: list[tuple[str, float | None, int | None]] = [("A", 1.0, None), ("D", 1.0, None)]
    judged = [("A", 3.0), ("D", 0.0)]
    dcg = (7 + 0) / 2 / 1 + (7 + 0) / 2 / log2(3)
    assert value(judged, run, Measure("DCG"), {"ties": "expected"}, "q") == dcg
    assert value(judged, run, Measure("RR"), {"ties": "expected"}, "q") == 1 / 2 + 1 / 2 / 2
    assert value(judged, run, Measure("AP"), {"ties": "expected"}, "q") == 1 / 2 + 1 / 2 / 2
    assert value(judged, run, Measure("Success", 1), {"ties": "expected"}, "q") == 1 - 1 / 2
    assert value(judged, run, Measure("DCG"), {"ties": "best"}, "q") == 7
    assert value(judged, run, Measure("DCG"), {"ties": "worst"}, "q") == 7 / log2(3)


def test_the_closed_forms_are_the_mean_of_the_orders_written_out() -> None:
    judged = [("a", 2.0), ("b", 1.0), ("c", 0.0), ("d", 1.0)]
    run = [(d, s, None) for d, s in zip("xabcd", [2.0, 1.0, 1.0, 1.0, 0.0], strict=True)]
    for name in ("DCG", "nDCG", "P", "R", "AP", "RR", "Success"):
        for k in (None, 1, 2, 3, 9):
            measure = Measure(name, k)
            expected = value(judged, run, measure, {"ties": "expected"}, "q")
            assert expected == pytest.approx(
                expected_by_enumeration(judged, run, measure, {}, "q"), abs=1e-12, rel=0
            )
            assert value(judged, run, measure, {"ties": "best"}, "q") == best_by_enumeration(
                judged, run, measure, {}, "q"
            )
            assert value(judged, run, measure, {"ties": "worst"}, "q") == worst_by_enumeration(
                judged, run, measure, {}, "q"
            )


def test_depth_limits_the_ranks_of_an_open_tie_group_and_not_its_members() -> None:
    judged = [("a", 1.0), ("b", 0.0), ("c", 0.0)]
    run = [(document, 1.0, None) for document in "abc"]
    axes = {"ties": "expected", "depth": "2"}
    assert value(judged, run, Measure("Success"), axes, "q") == 1 - (2 / 3) * (1 / 2)
    with pytest.raises(Refused, match="ties"):
        value(judged, run, Measure("Success"), {**axes, "unjudged": "drop"}, "q")


def test_duplicates_keep_the_place_that_their_rule_says() -> None:
    run = [("a", 3.0, None), ("b", 2.0, None), ("a", 1.0, None)]
    judged = [("a", 1.0)]
    assert value(judged, run, Measure("RR"), {"duplicates": "first"}, "q") == 1
    assert value(judged, run, Measure("RR"), {"duplicates": "last"}, "q") == 1 / 2
    assert value(judged, run, Measure("RR"), {"duplicates": "last_listed"}, "q") == 1 / 2
    assert value(judged, run, Measure("P", 3), {"duplicates": "count"}, "q") == 2 / 3
    assert value(judged, run, Measure("R"), {"duplicates": "count"}, "q") == 2
    with pytest.raises(Refused, match="duplicate"):
        value(judged, run, Measure("RR"), {}, "q")


def test_repeated_judgments_follow_their_rule() -> None:
    run = [("a", 1.0, None)]
    judged = [("a", 1.0), ("a", 4.0), ("a", 2.0)]
    linear = {"gain": "linear"}
    assert value(judged, run, Measure("DCG"), {**linear, "judgments": "max"}, "q") == 4
    assert value(judged, run, Measure("DCG"), {**linear, "judgments": "mean"}, "q") == 7 / 3
    assert value(judged, run, Measure("DCG"), {**linear, "judgments": "last"}, "q") == 2
    with pytest.raises(Refused, match="judgments"):
        value(judged, run, Measure("DCG"), linear, "q")


def test_empty_leaves_before_missing_and_is_decided_by_the_judgments_alone() -> None:
    qrels = {"empty": [("a", 0.0)], "missing": [("a", 1.0)], "both": [("a", 0.0)]}
    run = {"empty": [("x", 1.0, None)]}
    measure = Measure("nDCG", 10)
    result = evaluate(qrels, run, [measure], {})[measure]
    assert result.per_query == {"both": None, "empty": None, "missing": 0.0}
    assert (result.mean, result.n, result.empty) == (0.0, 1, ["both", "empty"])
    result = evaluate(qrels, run, [measure], {"empty": "one"})[measure]
    assert result.per_query == {"both": 1.0, "empty": 1.0, "missing": 0.0}
    result = evaluate(qrels, run, [measure], {"empty": "one", "missing": "exclude"})[measure]
    assert result.per_query == {"both": None, "empty": 1.0, "missing": None}


def test_a_ranking_without_worth_is_0_where_only_the_run_makes_the_ideal() -> None:
    judged = [("a", 1.0)]
    run = [("x", 1.0, None)]
    assert value(judged, run, Measure("nDCG"), {"ideal": "retrieved"}, "q") == 0.0


# -- trec_eval, to the last bit --------------------------------------------------------------

TREC_EVAL: dict[str, str] = {
    "gain": "linear",
    "ties": "docid_desc",
    "negative": "unjudged",
    "empty": "zero",
}
NAMES = {
    "ndcg": "nDCG",
    "ndcg_cut": "nDCG",
    "dcg": "DCG",
    "ideal_dcg": "IDCG",
    "P": "P",
    "set_P": "P",
    "recall": "R",
    "set_recall": "R",
    "map": "AP",
    "map_cut": "AP",
    "recip_rank": "RR",
    "success": "Success",
}
SIMPLE_CASES = [
    "01-graded-basic",
    "02-ties",
    "03-float32-vs-float64",
    "06-missing-queries",
    "07-no-relevant",
    "08-negative-judgments",
    "09-negative-only-first",
    "15-query-order",
    "16-long-and-odd-ids",
    "18-iprec-rounding",
    "19-short-rankings",
    "20-bpref-infap",
    "21-large-grades",
    "26-deep-run",
]
UNDERSTOOD = {"-q", "-m", "-c", "-l", "-M", "-J"}


def ours(name: str, rel: float) -> Measure | None:
    """trec_eval's measure in our words, or None where we have none."""
    if name == "success":  # a nickname without a cutoff does not occur
        return None
    found = re.fullmatch(r"(\w+?)(?:_([0-9]+))?", name)
    if found is None or found[1] not in NAMES:
        return None
    return Measure(NAMES[found[1]], int(found[2]) if found[2] else None, rel)


def conventions_of(arguments: list[str], version: str) -> tuple[dict[str, str], float]:
    """The axes and the relevance threshold that a trec_eval command stands for."""
    axes = dict(TREC_EVAL)
    options = dict(zip(arguments, [*arguments[1:], ""], strict=True))
    if version.startswith("v9"):
        axes["score_type"] = "float32"
    axes["missing"] = "zero" if "-c" in options else "exclude"
    if "-J" in options:
        axes["unjudged"] = "drop"
    if "-M" in options:
        axes["depth"] = options["-M"]
    return axes, float(options.get("-l", 1))


def columns(path: Path, names: tuple[int, int, int]) -> list[tuple[str, str, str]]:
    """Three columns of a file whose columns are parted by blanks as C's isspace sees them."""
    lines = path.read_bytes().decode("utf-8").split("\n")
    rows = [re.findall(r"[^ \t\r\v\f]+", line) for line in lines]
    a, b, c = names
    return [(row[a], row[b], row[c]) for row in rows if row]


def trec_result(folder: Path, entry: dict[str, str], axes: Axes, measures: list[Measure]) -> Result:
    """What the reference makes of the two files of a case."""
    qrels: dict[str, list[tuple[str, float]]] = {}
    run: dict[str, list[tuple[str, float | None, int | None]]] = {}
    for query, document, grade in columns(folder / entry["qrels"], (0, 2, 3)):
        qrels.setdefault(query, []).append((document, float(grade)))
    for query, document, score in columns(folder / entry["run"], (0, 2, 4)):
        run.setdefault(query, []).append((document, float(score), None))
    return evaluate(qrels, run, measures, axes)


def cases() -> list[dict[str, str]]:
    """The invocations that the reference has words for."""
    manifest = shared("conformance", "trec_eval", "cases", "manifest.json")
    entries: list[dict[str, str]] = json.loads(manifest.read_text("utf-8"))["runs"]
    return [
        entry
        for entry in entries
        if entry["case"] in SIMPLE_CASES
        and "full" in entry
        and {word for word in entry["args"] if re.fullmatch("-[^0-9]", word)} <= UNDERSTOOD
        and "." not in "".join(entry["args"])  # parameters of measures
        and not ("-M" in entry["args"] and "0" in entry["args"])  # our depth is at least 1
    ]


def checked(entry: dict[str, str], computed: Callable[..., Result]) -> int:
    """Compare every value of one invocation; the number of values compared."""
    axes, rel = conventions_of(list(entry["args"]), entry["version"])
    folder = shared("conformance", "trec_eval", "cases", entry["case"])
    rows = [line.split("\t") for line in (folder / entry["full"]).read_text("utf-8").splitlines()]
    wanted = [(ours(row[0], rel), row[1], row[2]) for row in rows if len(row) == 3]
    measures = list(dict.fromkeys(measure for measure, _, _ in wanted if measure is not None))
    result = computed(folder, entry, axes, measures)
    compared = 0
    for measure, query, text in wanted:
        if measure is None:
            continue
        found = result[measure]
        mine = found.mean if query == "all" else found.per_query[query]
        assert mine == float(text), (entry["case"], entry["variant"], measure, query)
        compared += 1
    return compared


def test_the_reference_equals_trec_eval_to_the_last_bit() -> None:
    compared = {entry["case"]: 0 for entry in cases()}
    for entry in cases():
        compared[entry["case"]] += checked(entry, trec_result)
    assert list(compared) == SIMPLE_CASES
    assert min(compared.values()) > 0
