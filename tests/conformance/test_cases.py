"""The field cases: values, errors and notices of small inputs that went wrong elsewhere."""

from __future__ import annotations

import ast
import json
import shutil
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import ndcg
from ndcg.errors import NdcgError
from shared import shared
from vocabulary import NotOursError, axes_of, case_measure

CLOSE = 1e-15  # relative: the cases were computed with 60 digits and rounded once


def _cases() -> dict[str, dict[str, Any]]:
    lines = shared("cases", "cases.jsonl").read_text("utf-8").splitlines()
    return {case["id"]: case for case in map(json.loads, lines)}


CASES = _cases()


def file_of(case: str, name: str) -> str:
    return str(shared("cases", CASES[case]["input"]["files"][name]))


def pairs(run: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """A run of the cases as lists of pairs (or of documents, where there are no scores)."""
    return {
        query: [tuple(row) if isinstance(row, list) else row for row in rows]
        for query, rows in run.items()
    }


FOLDERS = TemporaryDirectory()


def beir_folder(case: str) -> str:
    """A case's files as a BEIR folder."""
    folder = Path(FOLDERS.name) / case
    (folder / "qrels").mkdir(parents=True)
    for name, place in (("test.tsv", "qrels"), ("corpus.jsonl", "."), ("queries.jsonl", ".")):
        shutil.copy(file_of(case, name), folder / place / name)
    return str(folder)


class Call(NamedTuple):
    """One evaluation, as the arguments of `ndcg.evaluate`."""

    qrels: Any
    run: Any
    measures: list[str]
    axes: dict[str, Any]  # and weights

    def evaluate(self) -> ndcg.Evaluation:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ndcg.NdcgWarning)  # they are among the notices
            return ndcg.evaluate(self.qrels, self.run, self.measures, **self.axes)


def given(case: str, measures: str | list[str] = "nDCG@10", **axes: Any) -> Call:
    """The case's own input; only the axes named here differ from the defaults."""
    names = [measures] if isinstance(measures, str) else measures
    here = CASES[case]["input"]
    return Call(here["qrels"], pairs(here["run"]), names, axes)


def by_path(
    case: str, measure: str, qrels: str = "qrels.txt", run: str = "run.txt", **axes: Any
) -> Call:
    """The case's files; nDCG with linear gain unless said otherwise, as in its checks."""
    axes = {"gain": "linear"} | axes
    return Call(file_of(case, qrels), file_of(case, run), [measure], axes)


# -- values ------------------------------------------------------------------------------------


def is_close(ours: float | None, theirs: float | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return abs(ours - theirs) <= CLOSE * abs(theirs)


def number(given: dict[str, Any] | None) -> float | None:
    return None if given is None else given["value"]


class Check(NamedTuple):
    """What a case says is right."""

    case: str
    name: str
    given: dict[str, Any]

    @property
    def key(self) -> tuple[str, str]:
        return self.case, self.name

    def call(self) -> Call:
        """The evaluation that should give the value; checks are self-contained."""
        here, axes = self.given, axes_of(self.given["conventions"], self.given["metric"])
        if "weights" in here["conventions"]:
            axes = axes | {"weights": here["conventions"]["weights"]}
        measure = case_measure(here["metric"], here["k"])
        return Call(here["qrels"], pairs(here["run"]), [measure], axes)

    def differences(self, call: Call) -> list[str]:
        """Where the values of a call are not the right ones."""
        ev = call.evaluate()
        found = []
        for measure in call.measures:
            ours = {**ev[measure].per_query, "mean": ev[measure].mean}
            right = {q: number(value) for q, value in self.given.get("per_query", {}).items()}
            right["mean"] = number(self.given["mean"])
            # Queries that left the mean have no entry there, and None here.
            queries = set(right) | {q for q, value in ours.items() if value is not None}
            if "per_query" not in self.given:
                queries = {"mean"}
            found += [
                f"{measure} of {query}: {ours.get(query)} is not {right.get(query)}"
                for query in sorted(queries)
                if not is_close(ours.get(query), right.get(query))
            ]
        return found


def _checks() -> Iterator[Check]:
    for case in CASES.values():
        for one in case["correct"].get("checks", []):
            name = one.get("label") or case_measure(one["metric"], one["k"])
            yield Check(case["id"], name, one)


CHECKS = {check.key: check for check in _checks()}

# Checks that state a number and no convention: the call that gives it.
BY_HAND: dict[tuple[str, str], Call] = {
    ("bc-021", "normalised by three grade-3 documents"): given(
        "bc-021", "nDCG@10", ideal="slots:3", ideal_depth="returned"
    ),
    ("bc-046", "AP = RR, docid_desc (order a,c,b)"): given(
        "bc-046", ["AP", "RR"], ties="docid_desc"
    ),
    ("bc-046", "AP = RR, docid_asc (order a,b,c)"): given("bc-046", ["AP", "RR"], ties="docid_asc"),
    ("bc-046", "RR expected over ties"): given("bc-046", ["AP", "RR"], ties="expected"),
    ("bc-109", "recall@1000 = recall@3"): given("bc-109", ["R@1000", "R@3"]),
}

# Checks that are not met, and why.
NOT_YET: dict[tuple[str, str], str] = {
    ("bc-085", "exponential"): "refused on purpose: 2^2000 is no finite gain",
    ("bc-088", "DCG ln"): "there is no discount by the natural logarithm",
}


def is_met(check: Check) -> bool:
    if check.key not in BY_HAND and "metric" not in check.given:
        return False
    try:
        return not check.differences(BY_HAND.get(check.key) or check.call())
    except (NotOursError, NdcgError):
        return False


COMPARED = {
    ("bc-038", "mean difference B-A"): lambda pair: pair.difference,
    ("bc-038", "exact sign-flip p-value (two-sided, |sum| >= observed)"): lambda pair: pair.p.p,
}


def bc_038(other: dict[str, Any]) -> Any:
    """The comparison of the case, of its run A and another one."""
    here = CASES["bc-038"]["input"]
    axes = axes_of(CHECKS["bc-038", "run B"].given["conventions"], "ndcg")
    return ndcg.compare(
        here["qrels"], {"A": pairs(here["run"]), "B": pairs(other)}, "nDCG@10", **axes
    )


@pytest.mark.parametrize("key", COMPARED, ids=": ".join)
def test_every_check_of_a_comparison_is_met(key: tuple[str, str]) -> None:
    (pair,) = bc_038(CASES["bc-038"]["input"]["run_b"]).pairs
    assert is_close(COMPARED[key](pair), number(CHECKS[key].given["mean"]))
    shape = pair.shape
    told = f"wins {shape.wins}, ties {shape.ties}, losses {shape.losses} for B"
    assert told == CASES["bc-038"]["great_tool"]["result"]


def test_runs_of_different_queries_are_told_how_many_are_common() -> None:
    other = CASES["bc-038"]["input"]["run_b"]
    told = bc_038({query: rows for query, rows in other.items() if query < "q6"}).notices
    text = " ".join(map(str, told))
    assert "5 common queries of 8" in text
    assert [part for part in fragments("bc-038") if part not in text] == []


def parts_of(label: str) -> Any:
    """What a ranking of bc-012 could have been."""
    check = CHECKS["bc-012", label].given
    axes = axes_of(check["conventions"], check["metric"])
    return ndcg.ceiling(check["qrels"], pairs(check["run"]), "nDCG@10", **axes).only.reached.mean


def test_a_reranker_does_not_exceed_the_ceiling_of_its_candidates() -> None:
    """bc-012: value = ceiling x ordering, for the base ranking and for the perfect reranker."""
    qualities = {
        "base": "base re-ranking quality",
        "re-ranked": "re-ranking quality (candidate ideal)",
    }
    top = number(CHECKS["bc-012", "re-ranked"].given["mean"])
    for label, quality in qualities.items():
        parts = parts_of(label)
        assert is_close(parts.value, number(CHECKS["bc-012", label].given["mean"]))
        assert is_close(parts.ceiling, top)
        assert is_close(parts.ordering, number(CHECKS["bc-012", quality].given["mean"]))
        assert is_close(parts.ceiling * parts.ordering, parts.value)


SINGLE = [key for key in CHECKS if key not in {**NOT_YET, **COMPARED}]


@pytest.mark.parametrize("key", SINGLE, ids=": ".join)
def test_every_check_of_a_case_is_met(key: tuple[str, str]) -> None:
    check = CHECKS[key]
    assert check.differences(BY_HAND.get(key) or check.call()) == []


def test_what_is_listed_by_hand_or_as_not_met_exists_and_is_needed() -> None:
    assert set(BY_HAND) | set(NOT_YET) | set(COMPARED) <= set(CHECKS)
    assert all("metric" not in CHECKS[key].given for key in BY_HAND)
    assert [key for key in NOT_YET if is_met(CHECKS[key])] == []


# -- values of files ---------------------------------------------------------------------------

FILES: dict[tuple[str, str], Call] = {
    ("bc-043", "docid_desc"): by_path("bc-043", "nDCG@1", ties="docid_desc"),
    ("bc-043", "rank column (= input order here)"): by_path("bc-043", "nDCG@1", order_by="rank"),
    ("bc-043", "expected"): by_path("bc-043", "nDCG@1", ties="expected"),
    ("bc-051", "nDCG@10"): by_path("bc-051", "nDCG@10"),
    ("bc-059", "nDCG@10"): by_path("bc-059", "nDCG@10"),
    ("bc-061", "nDCG@10"): by_path("bc-061", "nDCG@10"),
    ("bc-062", "lenient: valid lines only"): by_path("bc-062", "nDCG@10", lenient=True),
    ("bc-063", "nDCG@10"): by_path("bc-063", "nDCG@10", "qrels4.tsv", "run.tsv"),
    ("bc-066", "nDCG@10"): by_path("bc-066", "nDCG@10"),
    ("bc-067", "by score"): by_path("bc-067", "nDCG@5"),
    ("bc-067", "by rank"): by_path("bc-067", "nDCG@5", order_by="rank"),
    ("bc-068", "nDCG@10"): by_path("bc-068", "nDCG@10"),
    ("bc-070", "nDCG@10"): by_path("bc-070", "nDCG@10", "qrels.csv", "run.csv", gain="exp2"),
    ("bc-072", "identical repeats collapsed"): by_path("bc-072", "nDCG@10", "same.qrels.txt"),
    ("bc-072", "conflict rule max (c: 1 and 3)"): by_path(
        "bc-072", "nDCG@10", "conflict.qrels.txt", judgments="max"
    ),
    ("bc-072", "conflict rule mean"): by_path(
        "bc-072", "nDCG@10", "conflict.qrels.txt", judgments="mean"
    ),
    ("bc-076", "max over subtopics"): by_path("bc-076", "nDCG@3", judgments="max"),
    ("bc-077", "nDCG@10"): by_path("bc-077", "nDCG@10", "test.tsv"),
    ("bc-072", "conflict rule min"): by_path(
        "bc-072", "nDCG@10", "conflict.qrels.txt", judgments="min"
    ),
    ("bc-108", "min"): by_path("bc-108", "nDCG@10", "judgments.csv", judgments="min"),
    ("bc-108", "majority / median"): by_path(
        "bc-108", "nDCG@10", "judgments.csv", judgments="majority"
    ),
    ("bc-108", "mean"): by_path("bc-108", "nDCG@10", "judgments.csv", judgments="mean"),
    ("bc-108", "max"): by_path("bc-108", "nDCG@10", "judgments.csv", judgments="max"),
    ("bc-110", "negative-only query"): by_path("bc-110", "nDCG@10", "neg.qrels.txt", "neg.run.txt"),
    ("bc-110", "huge grade"): by_path("bc-110", "nDCG@10", "huge.qrels.txt", "huge.run.txt"),
}

# Files that are not read yet, with the call that should give the check's value.
FILES_NOT_YET: dict[tuple[str, str], tuple[str, Call]] = {
    ("bc-071", "nDCG@10"): (
        "blank ratings of Quepid are refused, or skipped as bad rows",
        by_path("bc-071", "nDCG@10", "ratings.csv", "run.csv", gain="exp2"),
    ),
    ("bc-107", "nDCG@10"): (
        "learning-to-rank data are not read",
        by_path("bc-107", "nDCG@10", "letor.txt", "scores.txt", gain="exp2"),
    ),
}


@pytest.mark.parametrize("key", FILES, ids=": ".join)
def test_the_files_of_a_case_give_the_value_of_its_check(key: tuple[str, str]) -> None:
    assert CHECKS[key].differences(FILES[key]) == []


def test_judgments_of_two_columns_are_read_as_those_of_four() -> None:
    call = by_path("bc-063", "nDCG@10", "qrels2.tsv", "run.tsv")
    assert CHECKS["bc-063", "nDCG@10"].differences(call) == []
    assert any("every listed document has grade 1" in str(one) for one in call.evaluate().notices)


@pytest.mark.parametrize("key", FILES_NOT_YET, ids=": ".join)
def test_files_listed_as_not_read_are_refused_with_an_error(key: tuple[str, str]) -> None:
    _, call = FILES_NOT_YET[key]
    with pytest.raises(NdcgError):
        call.evaluate()


def test_every_check_on_files_has_its_place_in_a_table() -> None:
    on_files = {key for key in CHECKS if "files" in CASES[key[0]]["input"]}
    assert on_files == {*FILES, *FILES_NOT_YET}


# -- values of other Python inputs -------------------------------------------------------------


def test_integer_ids_match_their_text_from_a_json_file() -> None:
    here = CASES["bc-050"]["input"]
    qrels, run = ast.literal_eval(here["qrels_python"]), json.loads(here["run_json"])
    call = Call(qrels, run, ["nDCG@10"], {"gain": "linear"})
    assert CHECKS["bc-050", "nDCG@10"].differences(call) == []


@pytest.mark.parametrize("kind", [int, float, np.int8, np.float32, np.float64])
def test_the_type_of_the_grades_does_not_move_the_value(kind: type) -> None:
    here = CASES["bc-090"]["input"]
    qrels = {q: {doc: kind(g) for doc, g in docs.items()} for q, docs in here["qrels"].items()}
    call = Call(qrels, pairs(here["run"]), ["nDCG"], {"gain": "linear"})
    assert CHECKS["bc-090", "nDCG"].differences(call) == []


def test_two_lists_of_item_numbers_are_binary_judgments_and_a_ranking() -> None:
    here = CASES["bc-099"]["input"]
    call = Call({"u": here["truth_ids"]}, {"u": here["predicted_ids"]}, ["nDCG@5"], {})
    assert call.evaluate()["nDCG@5"].mean == number(CHECKS["bc-099", "nDCG@5"].given["mean"])


@pytest.mark.parametrize("frame", [pl.DataFrame, pd.DataFrame, pa.table])
def test_a_frame_of_another_library_is_taken_whatever_the_type_of_its_text(frame: Any) -> None:
    here = frame(CASES["bc-048"]["input"]["dataframe"])
    call = Call(here, here, ["nDCG@10"], {"gain": "linear"})
    assert CHECKS["bc-048", "nDCG@10"].differences(call) == []


def test_a_text_that_is_returned_twice_earns_once() -> None:
    assert CASES["bc-074"]["input"]["run"] == {"q1": ["A", "A"]}
    assert given("bc-074", "nDCG", duplicates="first").evaluate()["nDCG"].mean == 1.0


def test_a_second_call_on_the_same_judgments_gives_the_same() -> None:
    call = CHECKS["bc-103", "nDCG@10"].call()
    assert call.evaluate() == call.evaluate()


# -- errors ------------------------------------------------------------------------------------

ERRORS: dict[str, Call] = {
    "bc-002": given("bc-002"),
    "bc-022": given("bc-022", "nDCG", empty="error"),
    "bc-027": given("bc-027"),
    "bc-034": given("bc-034"),
    "bc-037": given("bc-037", weights={"head": 900, "mid": 90}),
    "bc-048": Call(
        pl.DataFrame({"q_id": ["1"], "doc_id": ["1"], "score": ["1"]}), {}, ["nDCG"], {}
    ),
    "bc-062": by_path("bc-062", "nDCG@10"),
    "bc-072": by_path("bc-072", "nDCG@10", "conflict.qrels.txt"),
    "bc-076": by_path("bc-076", "nDCG@3"),
    "bc-078": Call({"q": {"a": 1}}, str(shared("cases", "files") / "missing.run"), ["nDCG"], {}),
    "bc-085": given("bc-085", "nDCG@6"),
}
TOLD = {"bc-038"}  # no error here: a note of the comparison


def fragments(case: str) -> list[str]:
    return list(CASES[case]["great_tool"]["error"]["must_mention"])


@pytest.mark.parametrize("case", ERRORS)
def test_an_error_mentions_what_its_reader_needs(case: str) -> None:
    with pytest.raises(NdcgError) as caught:
        ERRORS[case].evaluate()
    text = str(caught.value)
    assert [part for part in fragments(case) if part not in text] == [], text


def test_every_error_of_a_case_has_its_place_in_a_table() -> None:
    asked = {case for case, one in CASES.items() if "error" in one["great_tool"]}
    assert asked == {*ERRORS, *TOLD}


# -- notices -----------------------------------------------------------------------------------

# Words of sketches -> ours
# A notice is about one file: bc-068 has one comment line in each of its two.
OUR_FLAGS = {"--order rank": "--order-by rank", "2 comment lines": "1 comment line"}

# The call that should draw a case's notices.
NOTICES: dict[str, Call] = {
    "bc-002": given("bc-002", duplicates="first"),
    "bc-017": given("bc-017"),
    "bc-020": given("bc-020", ["nDCG", "nDCG@10"]),
    "bc-022": given("bc-022", "nDCG"),
    "bc-026": given("bc-026"),
    "bc-030": given("bc-030"),
    "bc-031": given("bc-031"),
    "bc-035": given("bc-035"),
    "bc-037": given("bc-037", weights=CASES["bc-037"]["input"]["weights"]),
    "bc-039": given("bc-039", "nDCG"),
    "bc-041": given("bc-041", "nDCG"),
    "bc-050": Call({1: {10: 2, 11: 1}}, {"1": {"11": 0.9, "10": 0.4}}, ["nDCG@10"], {}),
    "bc-053": given("bc-053", self_match="drop"),
    "bc-055": given("bc-055", "nDCG@20"),
    "bc-057": given("bc-057"),
    "bc-058": given("bc-058", "nDCG@5"),
    "bc-061": by_path("bc-061", "nDCG@10"),
    "bc-062": by_path("bc-062", "nDCG@10", lenient=True),
    "bc-063": by_path("bc-063", "nDCG@10", "qrels4.tsv", "run.tsv"),
    "bc-066": by_path("bc-066", "nDCG@10"),
    "bc-067": by_path("bc-067", "nDCG@5"),
    "bc-068": by_path("bc-068", "nDCG@10"),
    "bc-072": by_path("bc-072", "nDCG@10", "same.qrels.txt"),
    "bc-074": given("bc-074", "nDCG", duplicates="first"),
    "bc-077": Call(beir_folder("bc-077"), file_of("bc-077", "run.txt"), ["nDCG@10"], {}),
    "bc-084": given("bc-084"),
    "bc-095": given("bc-095", "nDCG@5"),
    "bc-109": given("bc-109", ["R@2", "R@3", "R@1000"]),
    "bc-112": given("bc-112"),
    "bc-108": by_path("bc-108", "nDCG@10", "judgments.csv", judgments="median"),
}
# Findings of `ndcg check`, which looks closer than an evaluation does.
CHECKS_OF: dict[str, Call] = {
    "bc-005": Call({"q1": {"a": 1, "b": 1, "c": 1}}, {"q1": [("a", 3.0)]}, ["nDCG@3"], {}),
    "bc-018": given("bc-018"),
    "bc-019": Call(
        {"q1": {"p1": 1, "n1": 0, "n2": 0}},
        {"q1": [("p1", 4.0), ("n1", 3.0), ("n2", 1.0)]}, ["nDCG@10"], {},
    ),
    "bc-021": given("bc-021"),
    "bc-044": given("bc-044", "nDCG"),
    "bc-047": given("bc-047", "nDCG@3", ties="input"),
    "bc-085": given("bc-085", "nDCG@6"),
    "bc-100": given("bc-100", "nDCG@5"),
    "bc-102": given("bc-102", ["nDCG", "nDCG@2", "nDCG@5", "nDCG@10"]),
}  # fmt: skip
WARN_NOT_YET: dict[str, str] = {
    "bc-071": "blank ratings of Quepid are refused",
    "bc-107": "learning-to-rank data are not read",
}


def checked(case: str, folder: Path) -> list[str]:
    """What a check finds in a case's input, its collection beside it."""
    call, corpus = CHECKS_OF[case], CASES[case]["input"].get("corpus_ids")
    if corpus is not None:
        (folder / "corpus").write_text("\n".join(corpus) + "\n")
    found = ndcg.check(
        call.qrels, call.run, call.measures,
        corpus=None if corpus is None else str(folder / "corpus"), **call.axes,
    )  # fmt: skip
    return [str(one) for one in found.findings]


def unmentioned(case: str, notices: Sequence[object]) -> list[list[str]]:
    """The groups of fragments that no single notice mentions, whatever their case."""
    said = [str(one).lower() for one in notices]
    groups = [
        [OUR_FLAGS.get(part, part) for part in one["must_mention"]]
        for one in CASES[case]["great_tool"]["warn"]
    ]
    return [
        group for group in groups if not any(all(p.lower() in one for p in group) for one in said)
    ]


@pytest.mark.parametrize("case", NOTICES)
def test_a_notice_mentions_what_its_reader_needs(case: str) -> None:
    notices = NOTICES[case].evaluate().notices
    assert unmentioned(case, notices) == [], [*map(str, notices)]


@pytest.mark.parametrize("case", CHECKS_OF)
def test_a_check_finds_what_its_reader_needs(case: str, tmp_path: Path) -> None:
    found = checked(case, tmp_path)
    assert unmentioned(case, found) == [], found


def test_every_warning_of_a_case_has_its_place_in_a_table() -> None:
    asked = {case for case, one in CASES.items() if "warn" in one["great_tool"]}
    assert sorted(asked) == sorted([*NOTICES, *CHECKS_OF, *WARN_NOT_YET])


# -- what an explanation says ----------------------------------------------------------------------

# Cases that say what is to be explained: held here, or what else than `explain` they are about.
EXPLANATIONS = {
    "bc-008": "here",
    "bc-015": "here",
    "bc-101": "here",
    "bc-111": "here",
    "bc-012": "the ceiling of retrieval",
    "bc-016": "reconcile",
    "bc-019": "a warning",
    "bc-028": "strict JSON",
    "bc-033": "query sets",
    "bc-043": "one ordering for all measures",
    "bc-044": "a warning",
    "bc-046": "an invariant of measures",
    "bc-053": "inputs stay as they are",
    "bc-088": "an invariant of measures",
    "bc-096": "an invariant of measures",
    "bc-106": "parameters that are not known",
    "bc-112": "a warning",
}


def test_every_explanation_of_a_case_has_its_place_in_a_table() -> None:
    asked = {case for case, one in CASES.items() if "explain" in one["great_tool"]}
    assert sorted(asked) == sorted(EXPLANATIONS)


def explained(check: Check, **more: Any) -> Any:
    """The explanation of the first query of a check."""
    here = check.given
    axes = axes_of(here["conventions"], here["metric"]) | more
    measure = case_measure(here["metric"], here["k"])
    return ndcg.explain(here["qrels"], pairs(here["run"]), query="q1", measure=measure, **axes)


def test_why_another_rated_document_lowers_a_score_is_explained() -> None:
    for check in (one for one in CHECKS.values() if one.case == "bc-008"):
        found, judged = explained(check), check.given["qrels"]["q1"]
        assert is_close(found.value, number(check.given["mean"]))
        others = len(judged) - 1
        assert (found.counts.judged, found.counts.worth) == (len(judged), len(judged))
        assert found.counts.missed == others
        grade = max(judged.values())
        missed = f"{others} missed ({others} of grade {grade})"
        assert any(missed in sentence for sentence in found.told) == (others > 0)
        assert is_close(found.sum / found.ideal_sum, found.value)


def test_an_ideal_that_assumes_k_documents_is_explained() -> None:
    (check,) = (one for one in CHECKS.values() if one.case == "bc-015")
    found = explained(check, ideal="slots:1")
    assert any("the ideal assumes 3 documents of grade 1" in sentence for sentence in found.told)


def test_dcg_and_its_ideal_are_shown_for_every_query_with_what_was_judged_and_retrieved() -> None:
    dcg, ideal = CHECKS["bc-111", "DCG"], CHECKS["bc-111", "IDCG"]
    found = explained(CHECKS["bc-111", "nDCG"])
    assert is_close(found.sum, number(dcg.given["per_query"]["q1"]))
    assert is_close(found.ideal_sum, number(ideal.given["per_query"]["q1"]))
    assert (found.counts.judged, found.counts.retrieved, found.counts.listed) == (2, 2, 2)


def test_the_sum_along_the_ranking_is_the_curve_over_cutoffs() -> None:
    call = given("bc-102", ["DCG@2", "DCG"])
    query = next(iter(call.qrels))
    found = ndcg.explain(call.qrels, call.run, query=query, measure="DCG", **call.axes)
    running = [line.running for line in found.lines if line.running is not None]
    values = call.evaluate()
    assert is_close(running[1], values["DCG@2"].per_query[query])
    assert is_close(running[-1], values["DCG"].per_query[query])
