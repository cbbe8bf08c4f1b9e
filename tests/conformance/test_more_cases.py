"""Two more cases of every kind of the field cases: the kind is mended, not the single case."""

from __future__ import annotations

import json
import math
import warnings
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import ndcg
from command import ndcg as command
from command import put
from shared import shared


def log2(number: float) -> float:
    return math.log2(number)


class Case(NamedTuple):
    """An input with what is right about it."""

    kind: str
    name: str
    qrels: Any
    run: Any
    measure: str = "nDCG@10"
    axes: dict[str, Any] = {}  # noqa: RUF012 -- never changed
    values: dict[str, float | None] | None = None  # by query
    mean: float | None = None
    finds: tuple[str, ...] = ()  # codes that a check finds
    not_finds: tuple[str, ...] = ()
    error: tuple[str, ...] = ()  # parts of the text of the error


GRADED = {"q1": {"a": 3, "b": 2, "c": 1}}
FOUR = {query: {"a": 1} for query in ("1", "2", "3", "4")}
IDEAL = 7 + 3 / log2(3) + 1 / 2

CASES = [
    # values above 1
    Case("scale", "a document three times, counted each time", {"q1": {"a": 1}},
         {"q1": [("a", 3.0), ("a", 2.0), ("a", 1.0)]}, "nDCG@3", {"duplicates": "count"},
         values={"q1": 1 + 1 / log2(3) + 1 / 2}, finds=("R01",)),
    Case("scale", "the same once refused", {"q1": {"a": 1, "b": 1}},
         {"q1": [("a", 3.0), ("b", 2.0), ("b", 1.0)]}, error=("'b'", "2 times", "q1")),
    # what the ideal is made of
    Case("ideal-scope", "a missed best document", GRADED, {"q1": ["b", "c"]}, "nDCG@3",
         values={"q1": (3 + 1 / log2(3)) / IDEAL}),
    Case("ideal-scope", "the same by an ideal of what is listed", GRADED, {"q1": ["b", "c"]},
         "nDCG@3", {"ideal": "retrieved"}, values={"q1": 1.0}),
    Case("ideal-scope", "a list of one, cut at ten", {"q1": {"a": 1, "b": 1}}, {"q1": ["a"]},
         values={"q1": 1 / (1 + 1 / log2(3))}, finds=("R06",)),
    # gains
    Case("gain", "a table of gains in both sums", {"q1": {"a": 2, "b": 1}}, {"q1": ["b", "a"]},
         "nDCG", {"gain": "0=0,1=1,2=10"}, values={"q1": (1 + 10 / log2(3)) / (10 + 1 / log2(3))}),
    Case("gain", "grades 1, 2, 4 and 8 that are gains", {"q1": {"a": 8, "b": 4, "c": 2, "d": 1}},
         {"q1": ["a", "b", "c", "d"]}, values={"q1": 1.0}, finds=("Q10",)),
    Case("gain", "the same taken as they are", {"q1": {"a": 8, "b": 4, "c": 2, "d": 1}},
         {"q1": ["a", "b", "c", "d"]}, "nDCG@10", {"gain": "linear"}, values={"q1": 1.0},
         not_finds=("Q10", "Q11")),
    # which queries are averaged
    Case("averaging", "half of the queries not answered", FOUR,
         {"1": ["a"], "2": ["a"]}, mean=1 / 2, finds=("R05",)),
    Case("averaging", "left out on request", FOUR,
         {"1": ["a"], "2": ["x", "a"]}, "nDCG@10", {"missing": "exclude"},
         mean=(1 + 1 / log2(3)) / 2, finds=("R05",)),
    Case("averaging", "queries that nobody judged", {"1": {"a": 1}}, {"1": ["a"], "2": ["a"]},
         mean=1.0, finds=("R04",)),
    # what nobody judged
    Case("unjudged", "half of the top without judgment", {"q1": {"a": 1, "b": 1, "c": 0, "d": 0}},
         {"q1": ["x", "y", "z", "a"]}, "nDCG@4", {}, finds=("R18",),
         values={"q1": 1 / log2(5) / (1 + 1 / log2(3))}),
    Case("unjudged", "the same condensed", {"q1": {"a": 1, "b": 1, "c": 0, "d": 0}},
         {"q1": ["x", "y", "z", "a"]}, "nDCG@4", {"unjudged": "drop"},
         values={"q1": 1 / (1 + 1 / log2(3))}),
    # what a reader needs beside a number
    Case("ux", "one relevant document a query", {"1": {"a": 1, "b": 0}, "2": {"c": 1, "d": 0}},
         {"1": ["a", "b"], "2": ["d", "c"]}, mean=(1 + 1 / log2(3)) / 2, finds=("Q14",)),
    Case("ux", "every result is fair, and the value perfect", {"q1": {"a": 1, "b": 1}},
         {"q1": ["a", "b"]}, values={"q1": 1.0}, finds=("Q15",)),
    # nothing to find
    Case("empty-ideal", "negative grades alone", {"1": {"a": -1, "b": -2}, "2": {"a": 1}},
         {"1": ["a"], "2": ["a"]}, values={"1": None, "2": 1.0}, finds=("Q01", "Q02")),
    Case("empty-ideal", "a threshold that nothing reaches", {"1": {"a": 1}, "2": {"a": 2}},
         {"1": ["a"], "2": ["a"]}, "P(rel=2)@1", values={"1": None, "2": 1.0}),
    # ids of one thing, written in two ways
    Case("id-mismatch", "capitals", {"Q1": {"a": 1}}, {"q1": ["a"]}, error=("0 of 1", "case")),
    Case("id-mismatch", "zeros in front of documents", {"q1": {"7": 1, "8": 1}},
         {"q1": ["007", "008"]}, values={"q1": 0.0}, finds=("R12",)),
    Case("id-mismatch", "everything one query further", {f"q{n}": {f"d{n}": 1} for n in range(5)},
         {f"q{n}": [f"d{(n + 1) % 5}"] for n in range(5)}, mean=0.0, finds=("R13",)),
    # ties
    Case("ties", "three tied, the relevant one last by id", {"q1": {"c": 1, "a": 0}},
         {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}, "RR", values={"q1": 1 / 3}, finds=("R03", "R09")),
    Case("ties", "the same over all orders", {"q1": {"c": 1, "a": 0}},
         {"q1": {"a": 1.0, "b": 1.0, "c": 1.0}}, "RR", {"ties": "expected"},
         values={"q1": (1 + 1 / 2 + 1 / 3) / 3}),
    # calls that mean something else
    Case("api-misuse", "judgments in the place of the run", {"q1": {"a": 1.5, "b": 0.25}},
         {"q1": {"a": 1, "b": 0}}, finds=("R21", "Q04")),
    Case("api-misuse", "scores that are all 1", {"q1": {"d2": 1, "d1": 0}},
         {"q1": {"d1": 1, "d2": 1}}, values={"q1": 1 / log2(3)}, finds=("R09",)),
    # numbers
    Case("numeric", "scores that differ in the ninth digit", {"q1": {"z": 1, "a": 0}},
         {"q1": {"z": 16777217.0, "a": 16777216.0}}, values={"q1": 1.0}, finds=("R10",)),
    Case("numeric", "the same in single precision", {"q1": {"z": 1, "a": 0}},
         {"q1": {"z": 16777217.0, "a": 16777216.0}}, "nDCG@10", {"score_type": "float32"},
         values={"q1": 1 / log2(3)}),
    # types of ids
    Case("id-dtype", "whole numbers of NumPy", {np.int64(1): {np.int32(10): 1}}, {"1": ["10"]},
         values={"1": 1.0}),
    Case("id-dtype", "ids that look like numbers stay text", {"q": {"1e5": 1, "NA": 1}},
         {"q": ["100000", "NA"]}, values={"q": 1 / log2(3) / (1 + 1 / log2(3))}),
    # duplicates
    Case("duplicates", "the worse occurrence is dropped", {"q1": {"a": 1}},
         {"q1": [("x", 3.0), ("a", 2.0), ("a", 1.0)]}, "nDCG@10", {"duplicates": "first"},
         values={"q1": 1 / log2(3)}, finds=("R01",)),
    Case("duplicates", "judged twice, differently", {"q1": [("a", 1), ("a", 2)]}, {"q1": ["a"]},
         error=("'a'", "1 and 2", "--judgments")),
    Case("duplicates", "judged twice, alike", {"q1": [("a", 1), ("a", 1), ("b", 0)]},
         {"q1": ["a"]}, values={"q1": 1.0}, finds=("Q06",)),
    # discounts
    Case("discount", "no discount before rank 3", {"q1": {"a": 1}}, {"q1": ["x", "y", "a"]}, "nDCG",
         {"discount": "jarvelin:3"}, values={"q1": 1.0}),
    Case("discount", "one over the rank", {"q1": {"a": 1}}, {"q1": ["x", "y", "a"]}, "nDCG",
         {"discount": "reciprocal"}, values={"q1": 1 / 3}),
]  # fmt: skip


def is_close(ours: float | None, right: float | None) -> bool:
    if ours is None or right is None:
        return ours is right
    return abs(ours - right) <= 1e-15 * abs(right)


def named(case: Case) -> str:
    return f"{case.kind}: {case.name}"


@pytest.mark.parametrize("case", CASES, ids=named)
def test_the_kind_is_right(case: Case) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ndcg.NdcgWarning)
        if case.error:
            with pytest.raises(ndcg.NdcgError) as caught:
                ndcg.evaluate(case.qrels, case.run, case.measure, **case.axes)
            assert [part for part in case.error if part not in str(caught.value)] == []
            return
        found = ndcg.evaluate(case.qrels, case.run, case.measure, **case.axes)[case.measure]
    if case.values is not None:
        assert found.per_query.keys() == case.values.keys()
        assert all(is_close(found.per_query[query], one) for query, one in case.values.items())
    if case.mean is not None:
        assert is_close(found.mean, case.mean)
    codes = {
        one.code for one in ndcg.check(case.qrels, case.run, case.measure, **case.axes).findings
    }
    assert {*case.finds} <= codes
    assert not {*case.not_finds} & codes


# -- files -----------------------------------------------------------------------------------------

QRELS = "q1 0 a 2\nq1 0 b 0\nq2 0 c 1\n"
RUN = "q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\nq2 Q0 c 1 1.0 t\n"

FILES: dict[str, Callable[[], None]] = {
    "a blank at the end of every line": lambda: put(
        q=QRELS.replace("\n", " \n"), r=RUN.replace("\n", "\t\n")
    ),
    "Windows line ends and a byte order mark": lambda: put(
        q="\ufeff" + QRELS.replace("\n", "\r\n"), r="\ufeff" + RUN.replace("\n", "\r\n")
    ),
    "rows in any order": lambda: put(
        q="".join(sorted(QRELS.splitlines(keepends=True), reverse=True)),
        r="".join(sorted(RUN.splitlines(keepends=True), reverse=True)),
    ),
    "no line end at the end": lambda: put(q=QRELS.rstrip("\n"), r=RUN.rstrip("\n")),
}


@pytest.mark.parametrize("name", FILES)
def test_files_that_say_the_same_give_the_same(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    FILES[name]()
    assert ndcg.evaluate("q", "r", "nDCG@10")["nDCG@10"].mean == 1.0


def test_every_kind_of_case_has_two_more() -> None:
    lines = shared("cases", "cases.jsonl").read_text("utf-8").splitlines()
    kinds = {json.loads(line)["kind"] for line in lines}
    number = Counter(case.kind for case in CASES)
    number["file-format"] += len(FILES)
    assert {kind for kind in kinds if number[kind] < 2} == {"performance"}


def test_the_command_says_what_the_function_finds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(q=QRELS, r=RUN)
    by_command = json.loads(command("check", "q", "r", "--json").out)["findings"]
    assert [one["code"] for one in by_command] == [
        one.code for one in ndcg.check("q", "r").findings
    ]
