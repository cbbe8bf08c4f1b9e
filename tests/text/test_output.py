"""What `ndcg eval` prints, as snapshots beside this file, compared byte for byte.

``NDCG_UPDATE_SNAPSHOTS=1 pytest tests/text`` writes them anew (never with ``CI=true``); the
difference is then read in review. The version is written ``VERSION`` in them.

The small pair in ``tests/data``: q1 has a tie, an unjudged document and a negative grade, q2 a
tie, q3 nothing relevant, q4 is missing from the run and q9 is extra; other.run also lacks q10.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from math import log2
from pathlib import Path
from typing import Any

import pytest

from command import ndcg, on_terminal, plain_environment
from ndcg._version import VERSION
from ndcg.errors import UsageError
from ndcg.evaluation import evaluate_quietly
from ndcg.evaluation.results import Evaluation
from ndcg.reports import render
from ndcg.reports.model import Options

DATA = Path(__file__).parent.parent / "data"
SNAPSHOTS = Path(__file__).parent / "snapshots"
PAIR = ["eval", "small.qrels", "small.run"]
TWO = [*PAIR, "other.run", "-m", "nDCG@10", "-m", "P(rel=2)@5", "-m", "AP"]
FORMATS = ["table", "json", "jsonl", "csv", "tsv", "markdown", "trec"]
SUFFIXES = {"table": "txt", "markdown": "md", "trec": "trec"}


@pytest.fixture(autouse=True)
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(DATA)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)


def fault(reason: str) -> pytest.MarkDecorator:
    """What is wrong today: the test says what should be, and fails once it is."""
    return pytest.mark.xfail(strict=True, reason=reason)


def check(text: str, name: str) -> None:
    """Compare with the snapshot of that name, or write it where that was asked for."""
    path = SNAPSHOTS / name
    given = text.replace(VERSION, "VERSION").encode()
    if os.environ.get("NDCG_UPDATE_SNAPSHOTS") == "1":
        assert os.environ.get("CI") != "true", "snapshots are not rewritten in CI"
        path.write_bytes(given)
    assert path.exists(), f"there is no snapshot {name}: NDCG_UPDATE_SNAPSHOTS=1 writes it"
    assert given.decode() == path.read_bytes().decode()


def printed(*arguments: str) -> str:
    """Standard output of a command that succeeds."""
    done = ndcg(*arguments)
    assert done.code == 0, done.err
    return done.out


# -- snapshots -------------------------------------------------------------------------------------


def intervals(name: str) -> tuple[str, ...]:
    """None for machines: they get all digits, and the last of them are the libm's."""
    return () if name in ("table", "markdown", "trec") else ("--interval", "none")


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_of_two_systems_and_three_measures(name: str) -> None:
    check(printed(*TWO, "--format", name, *intervals(name)), f"two.{SUFFIXES.get(name, name)}")


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_with_the_values_of_every_query(name: str) -> None:
    text = printed(*TWO, "--format", name, "--per-query", *intervals(name))
    check(text, f"two-per-query.{SUFFIXES.get(name, name)}")


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_of_one_system_and_the_default_measure(name: str) -> None:
    check(printed(*PAIR, "--format", name, *intervals(name)), f"one.{SUFFIXES.get(name, name)}")


def test_what_is_said_beside_the_numbers() -> None:
    check(ndcg(*TWO).err, "two.err")
    check(ndcg(*PAIR, "-v").err, "one-verbose.err")


def test_the_trec_format_says_the_signatures_on_standard_error() -> None:
    check(ndcg(*TWO, "-m", "nDCG(gain=linear)@10", "--format", "trec", "--quiet").err, "trec.err")


def test_several_conventions_at_once() -> None:
    measures = ["-m", "nDCG@10", "-m", "nDCG(gain=linear)@10", "-m", "RR", "-m", "DCG@5"]
    check(printed(*PAIR, *measures, "-p", "trec_eval"), "conventions.txt")
    check(printed(*PAIR, *measures, "-p", "trec_eval", "--format", "markdown"), "conventions.md")


def test_no_query_is_left_to_average() -> None:
    arguments = [*PAIR, "-m", "P(rel=9)@5", "--per-query"]
    for name in FORMATS:
        check(printed(*arguments, "--format", name), f"undefined.{SUFFIXES.get(name, name)}")


@pytest.mark.parametrize("width", [60, 80, 200])
def test_tables_of_a_terminal(width: int) -> None:
    options = Options(per_query=True, width=width)
    check(render(evaluated(2), "table", options), f"terminal-{width}-two.txt")
    check(render(evaluated(1), "table", options), f"terminal-{width}-one.txt")


def test_coloured_tables() -> None:
    check(printed(*TWO, "--per-query", "--color", "always"), "colour.txt")


def test_snapshots_are_not_rewritten_in_continuous_integration(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NDCG_UPDATE_SNAPSHOTS", "1")
    monkeypatch.setenv("CI", "true")
    before = (SNAPSHOTS / "one.txt").read_bytes()
    with pytest.raises(AssertionError, match="not rewritten in CI"):
        check("other", "one.txt")
    assert (SNAPSHOTS / "one.txt").read_bytes() == before


# -- rules that every table keeps ------------------------------------------------------------------


def evaluated(systems: int, *measures: str) -> Any:
    """The small pair, or the pair with the other run."""
    names = measures or ("nDCG@10", "P(rel=2)@5", "AP")
    return evaluate_quietly("small.qrels", ["small.run", "other.run"][:systems], names)


LONG = {f"{'long-' * 20}{i}": {"a": 1, "b": 0} for i in range(3)}
WIDE = {f"\u7d22\u5f15{i}": {"\u6587\u66f8": 1} for i in range(3)}
MANY = [f"nDCG@{k}" for k in (1, 3, 5, 10, 20, 100, 1000)] + ["P@5", "R@100", "AP", "RR"]


def drawn(width: int | None, *, color: bool = False) -> Iterator[str]:
    """Tables that are hard to draw."""
    options = Options(per_query=True, width=width, color=color)
    runs = {name: {q: {"a": 2.0, "b": 1.0} for q in LONG} for name in ("bm25", "dense")}
    yield render(evaluated(2), "table", options)
    yield render(evaluated(1), "table", options)
    yield render(evaluated(2, *MANY), "table", options)
    yield render(evaluate_quietly(LONG, runs), "table", options)
    yield render(evaluate_quietly(LONG, {"s" * 90: runs["bm25"]}), "table", options)
    yield render(evaluate_quietly(LONG, {"s" * 90: runs["bm25"], "s" * 91: runs["dense"]}), "table", options)  # fmt: skip  # noqa: E501
    yield render(evaluate_quietly(WIDE, {q: {"\u6587\u66f8": 1.0} for q in WIDE}), "table", options)


def tables(text: str) -> list[str]:
    """The lines of tables: all but the signatures and the measures that share one."""
    return [
        line
        for line in text.splitlines()
        if "|" not in line and "also by this convention" not in line
    ]


def test_every_line_ends_where_its_text_ends() -> None:
    for text in drawn(None):
        assert text.endswith("\n")
        assert not re.search(r"[ \t]\n", text)
        assert not text.startswith("\n")


@pytest.mark.parametrize("width", [60, 80, 200])
def test_no_table_is_wider_than_the_terminal(width: int) -> None:
    for text in drawn(width):
        assert all(len(line) <= width for line in tables(text)), text


@pytest.mark.parametrize("width", [60, 80])
def test_no_number_and_no_heading_is_cut(width: int) -> None:
    for text in drawn(width):
        for word in ("[0-9]…", "judg…", "quer…", "ans…", "mis…", "neg…"):
            assert not re.search(word, text), text


@pytest.mark.parametrize("width", [200, None])
def test_nothing_is_cut_where_there_is_room(width: int | None) -> None:
    assert "…" not in render(evaluated(2), "table", Options(per_query=True, width=width))
    if width is None:
        assert all("…" not in text for text in drawn(None))


def test_a_signature_is_never_broken() -> None:
    for width in (20, 60, 80, 200, None):
        for text in drawn(width):
            lines = [line for line in text.splitlines() if "|" in line]
            assert lines
            assert all(re.search(r"\|v:\S+ \[[0-9a-f]{8}\]$", line) for line in lines)


def test_colour_changes_nothing_but_the_colour() -> None:
    for plain, coloured in zip(drawn(80), drawn(80, color=True), strict=True):
        assert "\x1b[" in coloured
        assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == plain


def test_the_first_and_last_characters_of_a_long_id_can_be_told_apart() -> None:
    run = {query: {"a": 1.0} for query in LONG}
    text = render(evaluate_quietly(LONG, run), "table", Options(per_query=True, width=60))
    ids = [line.split()[0] for line in text.splitlines() if line.startswith("long-")]
    assert len(set(ids)) == 3
    assert all("…" in one and one[-1] in "012" for one in ids)


# Eight measures of three systems, all ids at least as long as they come.
EIGHT = ["nDCG@10", "nDCG@1000", "P(rel=2)@5", "AP", "RR@10", "R@100", "DCG@10"]
EIGHT += ["nDCG(gain=linear,ties=expected)@100"]
NAMES = [f"{'name-of-forty-characters'.ljust(38, '-')}-{i}" for i in range(3)]
QUERIES = [f"query-number-{i}" for i in range(5)]


def crowded() -> Evaluation:
    """Eight measures of three systems with names of 40 characters; no two values are alike."""
    qrels = {
        query: {f"d{i}": (i * 7 + at) % 4 for i in range(9)} for at, query in enumerate(QUERIES)
    }
    runs = {
        name: {
            query: {f"d{i}": float((i * 31 + one * 17 + at * 13) % 97) for i in range(9)}
            for at, query in enumerate(QUERIES)
        }
        for one, name in enumerate(NAMES)
    }
    assert {len(name) for name in NAMES} == {40}
    return evaluate_quietly(qrels, runs, EIGHT)


@pytest.mark.parametrize("per_query", [False, True])
@pytest.mark.parametrize("places", [4, 16])
@pytest.mark.parametrize("width", [40, 60, 80, 120, None])
def test_every_value_stands_whole_in_the_narrowest_terminal(
    width: int | None, places: int, per_query: bool
) -> None:
    evaluation = crowded()
    options = Options(width=width, places=places, per_query=per_query)
    text = render(evaluation, "table", options)
    shown = Counter(word for line in tables(text) for word in line.split())
    expected = Counter(
        f"{one.mean:.{places}f}"
        for system in evaluation.systems.values()
        for one in system.measures.values()
    )
    expected += Counter(
        f"{end:.{min(places, 4)}f}"
        for system in evaluation.systems.values()
        for one in system.measures.values()
        for end in one.interval[:2]
    )
    if per_query:
        expected += Counter(
            f"{value:.{places}f}"
            for system in evaluation.systems.values()
            for values in system.per_query.values()
            for value in values.values()
        )
    assert {word: shown[word] for word in expected} == dict(expected)
    assert not re.search(r"[0-9]…", "".join(word for word in shown if word[0].isdigit()))
    assert all(len(line) <= (width or 10_000) for line in tables(text))


def blocks_of(text: str, first: str) -> list[list[str]]:
    """The blocks of a table whose first row begins so, each as lines with the heading first."""
    blocks = [block.splitlines() for block in text.split("\n\n")]
    return [block for block in blocks if len(block) > 1 and block[1].startswith(first)]


# At 120 columns the accounts need not be turned: systems are rows there.
NARROW = [("query", width) for width in (40, 60, 80, 120)]
NARROW += [("judged", width) for width in (40, 60, 80)]


@pytest.mark.parametrize(("first", "width"), NARROW)
def test_rows_are_told_apart_in_the_narrowest_terminal(first: str, width: int) -> None:
    rows = len(QUERIES) if first == "query" else 7
    text = render(crowded(), "table", Options(width=width, per_query=True))
    blocks = blocks_of(text, first)
    assert len(blocks) > 1
    for block in blocks:
        assert len({line.split("  ")[0] for line in block[1:]}) == rows, text


@pytest.mark.parametrize(("first", "width"), NARROW)
def test_systems_are_told_apart_in_the_narrowest_terminal(first: str, width: int) -> None:
    text = render(crowded(), "table", Options(width=width, per_query=True))
    heads = [head for block in blocks_of(text, first) for head in re.split("  +", block[0])[1:]]
    assert len(heads) == len(set(heads)) == len(NAMES) * (len(EIGHT) if first == "query" else 1)
    assert {head[-2:] for head in heads} == {"-0", "-1", "-2"}


def test_one_row_a_measure_where_measures_average_different_numbers_of_queries() -> None:
    plain = ("--interval", "none")
    assert [line.split() for line in printed(*TWO, *plain).splitlines()[:7]] == [
        ["measure", "system", "mean", "queries"],
        ["nDCG@10", "bm25", "0.5626", "4"],
        ["nDCG@10", "dense", "0.4323", "4"],
        ["P(rel=2)@5", "bm25", "0.2667", "3"],
        ["P(rel=2)@5", "dense", "0.2000", "3"],
        ["AP", "bm25", "0.5000", "4"],
        ["AP", "dense", "0.4375", "4"],
    ]
    assert printed(*PAIR, "-m", "nDCG@10", "-m", "AP", *plain).splitlines()[:2] == [
        "system  nDCG@10      AP  queries",
        "bm25     0.5626  0.5000        4",
    ]


def test_one_row_a_system_though_systems_average_different_numbers_of_queries() -> None:
    arguments = ("-m", "nDCG@10", "-m", "AP", "--missing", "exclude", "--interval", "none")
    assert printed(*PAIR, "other.run", *arguments).splitlines()[:3] == [
        "system  nDCG@10      AP  queries",
        "bm25     0.7501  0.6667        3",
        "dense    0.8646  0.8750        2",
    ]


# -- Python prompt ---------------------------------------------------------------------------------


def test_an_evaluation_prints_as_its_table_with_its_notes() -> None:
    evaluation = evaluated(2)
    done = ndcg(*TWO, "-v")  # which says all notes, and what was read
    said = [line for line in done.err.splitlines() if not line.startswith("read ")]
    assert str(evaluation) == "\n".join([done.out.rstrip("\n"), *said])
    assert f"{evaluation}" == str(evaluation)
    quiet = evaluate_quietly({"q": {"a": 1}}, {"q": {"a": 1.0}})
    assert str(quiet) == quiet.report().rstrip("\n")


def test_the_repr_of_an_evaluation_is_one_line_with_every_mean() -> None:
    assert repr(evaluated(1, "nDCG@10")) == "<Evaluation bm25: nDCG@10 0.5626119497654976>"
    assert repr(evaluated(2, "AP", "P(rel=9)@5")) == (
        "<Evaluation bm25: AP 0.5, P(rel=9)@5 None; dense: AP 0.4375, P(rel=9)@5 None>"
    )


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("per_query", [False, True])
def test_a_report_is_what_the_command_prints(name: str, per_query: bool) -> None:
    more = ["--per-query"] if per_query else []
    report = evaluated(2).report(name, per_query=per_query)
    assert report == printed(*TWO, "--format", name, *more)


def test_a_report_is_a_table_unless_another_format_is_asked_for() -> None:
    evaluation = evaluated(1, "nDCG@10")
    assert evaluation.report() == evaluation.report("table") == printed(*PAIR)


def test_a_report_in_a_format_that_is_not_known_is_refused_with_those_that_are() -> None:
    with pytest.raises(UsageError, match=r"'html' is not a format.*\n.*accepted: table, tsv, csv"):
        evaluated(1).report("html")


# -- colour follows the environment ----------------------------------------------------------------


def test_pipes_are_not_coloured() -> None:
    assert "\x1b" not in printed(*TWO)


def test_never_beats_force_color(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b[" in printed(*TWO)
    assert "\x1b" not in printed(*TWO, "--color", "never")


def test_no_color_beats_force_color_and_always_beats_no_color(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in printed(*TWO)
    assert "\x1b[" in printed(*TWO, "--color", "always")


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "table"])
def test_machine_formats_are_never_coloured(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "\x1b" not in printed(*TWO, "--format", name, "--color", "always")


def on_a_terminal(columns: int, *arguments: str, **environment: str) -> str:
    """What the command prints on a real terminal of that many columns."""
    variables = plain_environment({"TERM": "xterm-256color", **environment})
    return on_terminal("-m", "ndcg", *arguments, columns=columns, environment=variables, both=False)


def test_a_terminal_is_coloured_and_its_width_is_kept() -> None:
    options = Options(width=80, color=True)
    assert on_a_terminal(80, *PAIR, "--quiet") == render(evaluated(1, "nDCG@10"), "table", options)


def test_a_terminal_with_no_color_is_not_coloured() -> None:
    options = Options(width=200)
    shown = on_a_terminal(200, *PAIR, "--quiet", NO_COLOR="1")
    assert shown == render(evaluated(1, "nDCG@10"), "table", options)


# -- JSON ------------------------------------------------------------------------------------------

# DESIGN section 5: keys in this order, each with the type of its value.
NUMBER = (float, type(None))
MEASURE = {
    "mean": NUMBER,
    "interval": dict,
    "n": int,
    "evaluated": int,
    "empty": list,
    "tie_moves": (int, type(None)),
    "tie_range": (list, type(None)),
    "signature": str,
}
ACCOUNTS = {
    "judged_queries": int,
    "run_queries": int,
    "missing": list,
    "extra": list,
    "duplicates": int,
    "repeated_judgments": int,
    "self_matches": int,
    "negative_grades": int,
    "skipped_rows": list,
    "tied_queries": int,
    "judged_share": dict,
}
SYSTEM = {"name": str, "measures": dict, "accounts": dict}
INPUT = {"path": str, "sha256": str, "format": str, "rows": int}
WHOLE = {
    "schema": int,
    "version": str,
    "convention": dict,
    "digest": str,
    "inputs": list,
    "systems": list,
}


def has_shape(value: dict[str, Any], shape: dict[str, Any]) -> None:
    """The keys in order, and the type of each value."""
    assert list(value) == list(shape)
    for name, kind in shape.items():
        assert isinstance(value[name], kind), (name, value[name])
        assert not isinstance(value[name], bool)


@pytest.mark.parametrize("per_query", [False, True])
def test_json_has_the_keys_and_types_of_the_design(per_query: bool) -> None:
    given = json.loads(printed(*TWO, "--json", *(["--per-query"] if per_query else [])))
    has_shape(given, WHOLE)
    assert (given["schema"], given["version"]) == (1, VERSION)
    for one in given["inputs"]:
        has_shape(one, INPUT)
        assert re.fullmatch("[0-9a-f]{64}", one["sha256"])
    for system in given["systems"]:
        has_shape(system, SYSTEM | ({"per_query": dict} if per_query else {}))
        has_shape(system["accounts"], ACCOUNTS)
        assert list(system["measures"]) == ["nDCG@10", "P(rel=2)@5", "AP"]
        for one in system["measures"].values():
            has_shape(one, MEASURE)
        assert list(system["accounts"]["judged_share"]) == ["10", "5", "all"]
        for values in system.get("per_query", {}).values():
            has_shape(values, dict.fromkeys(system["measures"], NUMBER))


def test_json_carries_every_axis_of_the_convention() -> None:
    from ndcg import AXES, Convention

    given = json.loads(printed(*PAIR, "--json", "--gain", "linear"))
    assert list(given["convention"]) == list(AXES)
    assert Convention.from_dict(given["convention"]) == Convention(gain="linear")
    assert given["digest"] == Convention(gain="linear").digest


def test_json_has_an_entry_for_every_judged_query_in_byte_order() -> None:
    given = json.loads(printed(*TWO, "--json", "--per-query"))
    for system in given["systems"]:
        assert list(system["per_query"]) == ["q1", "q10", "q2", "q3", "q4"]
        assert system["per_query"]["q3"] == {"nDCG@10": None, "P(rel=2)@5": None, "AP": None}
        assert system["per_query"]["q4"] == {"nDCG@10": 0.0, "P(rel=2)@5": None, "AP": 0.0}


def test_numbers_are_the_formulas_at_full_precision() -> None:
    given = json.loads(printed(*TWO, "--json", "--per-query"))["systems"][0]
    q1 = (7 + 3 / log2(5)) / (7 + 3 / log2(3))  # a, c (tied), x, b
    q10 = 3 / log2(3) / (3 + 1 / log2(3))  # h at rank 2, a missed
    q2 = (1 + 3 / log2(3)) / (3 + 1 / log2(3))  # a before e: tied, smaller id first
    values = {query: value["nDCG@10"] for query, value in given["per_query"].items()}
    assert values == {"q1": q1, "q10": q10, "q2": q2, "q3": None, "q4": 0.0}
    assert given["measures"]["nDCG@10"]["mean"] == (q1 + q10 + q2 + 0.0) / 4
    assert given["measures"]["AP"]["mean"] == ((1 + 2 / 4) / 2 + 1 / 2 / 2 + 1.0 + 0.0) / 4
    assert given["measures"]["P(rel=2)@5"]["mean"] == (2 / 5 + 1 / 5 + 1 / 5) / 3


def test_accounts_say_what_the_numbers_rest_on() -> None:
    bm25, dense = json.loads(printed(*TWO, "--json"))["systems"]
    assert bm25["accounts"] == {
        "judged_queries": 5,
        "run_queries": 5,
        "missing": ["q4"],
        "extra": ["q9"],
        "duplicates": 0,
        "repeated_judgments": 0,
        "self_matches": 0,
        "negative_grades": 1,
        "skipped_rows": [],
        "tied_queries": 2,
        "judged_share": dict.fromkeys(["10", "5", "all"], (4 / 5 + 1 / 2 + 1 + 1) / 4),
    }
    assert dense["accounts"]["missing"] == ["q10", "q4"]
    measure = bm25["measures"]["P(rel=2)@5"]
    assert (measure["n"], measure["evaluated"], measure["empty"]) == (3, 3, ["q3", "q4"])
    assert dense["measures"]["P(rel=2)@5"]["evaluated"] == 2
    assert bm25["measures"]["nDCG@10"]["tie_moves"] == 2


# -- the same numbers in every format --------------------------------------------------------------


def test_rows_of_csv_tsv_and_json_lines_are_those_of_json() -> None:
    whole = json.loads(printed(*TWO, "--json"))
    expected = [
        {
            "system": system["name"],
            "measure": name,
            "mean": one["mean"],
            "interval_low": one["interval"]["low"],
            "interval_high": one["interval"]["high"],
            "interval_method": one["interval"]["method"],
            "n": one["n"],
            "evaluated": one["evaluated"],
            "empty": len(one["empty"]),
            "missing": len(system["accounts"]["missing"]),
            "tie_moves": one["tie_moves"],
            "signature": one["signature"],
        }
        for system in whole["systems"]
        for name, one in system["measures"].items()
    ]
    lines = printed(*TWO, "--format", "jsonl").splitlines()
    assert [json.loads(line) for line in lines] == expected
    text = [{name: str(value) for name, value in row.items()} for row in expected]
    assert rows(printed(*TWO, "--format", "csv"), ",") == text
    assert rows(printed(*TWO, "--format", "tsv"), "\t") == text


def test_rows_of_queries_are_those_of_json() -> None:
    whole = json.loads(printed(*TWO, "--json", "--per-query"))
    expected = [
        {
            "system": system["name"],
            "query": query,
            "measure": name,
            "value": value,
            "status": status(system, name, query),
            "signature": system["measures"][name]["signature"],
        }
        for system in whole["systems"]
        for query, values in system["per_query"].items()
        for name, value in values.items()
    ]
    lines = printed(*TWO, "--format", "jsonl", "--per-query").splitlines()
    assert [json.loads(line) for line in lines] == expected
    text = [{n: "" if v is None else str(v) for n, v in row.items()} for row in expected]
    assert rows(printed(*TWO, "--format", "csv", "--per-query"), ",") == text
    assert rows(printed(*TWO, "--format", "tsv", "--per-query"), "\t") == text


def status(system: dict[str, Any], measure: str, query: str) -> str:
    """Why a query has its value, told from the accounts that JSON carries."""
    if query in system["measures"][measure]["empty"]:
        return "empty"
    if query in system["accounts"]["missing"]:
        return "missing"
    return "extra" if query in system["accounts"]["extra"] else "scored"


def rows(text: str, mark: str) -> list[dict[str, str]]:
    """A delimited table with its header."""
    return list(csv.DictReader(io.StringIO(text), delimiter=mark))


def statuses(*arguments: str) -> dict[tuple[str, str], tuple[str, str]]:
    """Value and status of every query and measure of small.run, as CSV shows them."""
    text = printed(*PAIR, *arguments, "--format", "csv", "--per-query")
    return {(r["query"], r["measure"]): (r["value"], r["status"]) for r in rows(text, ",")}


def test_the_status_says_why_a_query_has_its_value() -> None:
    both = ("-m", "nDCG@10", "-m", "P(rel=2)@5")
    found = statuses(*both)
    assert found["q1", "nDCG@10"][1] == found["q10", "P(rel=2)@5"][1] == "scored"
    assert found["q3", "nDCG@10"] == ("", "empty")
    assert found["q4", "nDCG@10"] == ("0.0", "missing")
    assert found["q4", "P(rel=2)@5"] == ("", "empty")  # decided without looking at the run
    assert all(query != "q9" for query, _ in found)
    found = statuses(*both, "--empty", "one", "--missing", "exclude", "--extra", "zero")
    assert found["q3", "nDCG@10"] == ("1.0", "empty")
    assert found["q4", "nDCG@10"] == ("", "missing")
    assert found["q9", "nDCG@10"] == ("0.0", "extra")
    assert {status for _, status in found.values()} == {"scored", "empty", "missing", "extra"}


class Looked(tuple[str, ...]):
    """Ids that count how often one is looked for among them, each from the first on."""

    __slots__ = ()
    times = 0

    def __contains__(self, one: object) -> bool:
        type(self).times += 1
        return super().__contains__(one)


def test_statuses_are_found_in_time_that_grows_with_the_queries() -> None:
    evaluation = evaluate_quietly("small.qrels", "small.run")
    system = evaluation.systems["bm25"]
    accounts = replace(system.accounts, missing=Looked(system.accounts.missing))
    many = replace(evaluation, systems={"bm25": replace(system, accounts=accounts)})
    assert render(many, "csv", Options(per_query=True)) == printed(
        *PAIR, "--format", "csv", "--per-query"
    )
    assert Looked.times == 0


def test_the_trec_format_is_trec_evals_columns() -> None:
    for line in printed(*TWO, "--format", "trec", "--per-query").splitlines():
        measure, query, value = line.split("\t")
        assert len(measure) == 22
        assert query in ("all", "q1", "q10", "q2", "q3", "q4")
        assert re.fullmatch(r"[01]\.[0-9]{4}|bm25|dense", value)


def test_places_round_tables_and_never_what_machines_read() -> None:
    for name in ("json", "jsonl", "csv", "tsv"):
        assert printed(*TWO, "--format", name, "--places", "1") == printed(*TWO, "--format", name)
    lines = printed(*TWO, "--places", "1", "--interval", "none").splitlines()
    assert lines[1:3] == [
        "nDCG@10     bm25     0.6        4",
        "nDCG@10     dense    0.4        4",
    ]
    assert "0.5626119497654976" in printed(*PAIR, "--places", "16")
    assert "\t0.56\n" in printed(*PAIR, "--places", "2", "--format", "trec").replace("  ", "")


def test_ids_with_marks_of_the_formats_stay_whole() -> None:
    odd = {'a,"b"': {"d": 1}, "a|b": {"d": 1}, "a\tb": {"d": 1}, "a\\b": {"d": 1}, "a\nb": {"d": 1}}
    evaluation = evaluate_quietly(odd, {'r|"1"': {query: {"d": 1.0} for query in odd}})
    options = Options(per_query=True)
    queries = sorted(odd)
    read = rows(render(evaluation, "csv", options), ",")
    assert [row["query"] for row in read] == queries
    read = [json.loads(line) for line in render(evaluation, "jsonl", options).splitlines()]
    assert [row["query"] for row in read] == queries
    assert [row["system"] for row in read] == ['r|"1"'] * 5
    lines = render(evaluation, "tsv", options).splitlines()
    escapes = {"\\\\": "\\", "\\t": "\t", "\\n": "\n"}
    read_back = [
        re.sub(r"\\[\\tn]", lambda found: escapes[found[0]], line.split("\t")[1])
        for line in lines[1:]
    ]
    assert read_back == queries
    markdown = render(evaluation, "markdown", options)
    blocks = [block.splitlines() for block in markdown.split("\n\n") if block.startswith("| ")]
    assert len(blocks) == 3
    for block in blocks:
        assert len({len(re.split(r"(?<!\\)\|", line)) for line in block}) == 1, block


def test_markdown_says_how_many_queries_a_mean_is_over() -> None:
    for arguments in (PAIR, TWO):
        lines = printed(*arguments, "--format", "markdown").splitlines()
        assert lines[0].endswith(" | queries |")
        assert lines[2].endswith(" | 4 |")


def test_several_output_files_are_what_standard_output_would_be(tmp_path: Path) -> None:
    names = {"a.json": "json", "b.csv": "csv", "c.md": "markdown", "d.txt": "table", "e.tsv": "tsv"}
    arguments = [part for name in names for part in ("-o", str(tmp_path / name))]
    assert printed(*TWO, *arguments) == ""
    for name, kind in names.items():
        assert (tmp_path / name).read_text("utf-8") == printed(*TWO, "--format", kind)
