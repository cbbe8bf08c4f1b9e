"""``ndcg trec-eval`` against the kit: bytes, exit codes and doubles of trec_eval 10.0 and 9.0.8.

What the kit marks as a bug or a crash is not imitated; those invocations stand in a table with what
is said instead, and each has a test of its own.
"""

from __future__ import annotations

import gzip
import io
import json
import math
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ndcg.cli.main import main
from ndcg.compat.command import Command, Stopped, command_of
from ndcg.compat.evaluated import evaluate
from ndcg.compat.trec_eval import summary
from pairs import PAIRS, files_of
from shared import shared

HOME = shared("conformance", "trec_eval", "cases")
PEER = shared("conformance", "trec_eval", "peer")
COMPAT = {"v10.0": "10", "v9.0.8": "9"}


class Invocation(NamedTuple):
    """One call of trec_eval that the kit recorded."""

    case: str
    variant: str
    version: str
    args: list[str]
    files: list[str]
    exit_code: int
    stdout: Path | None
    full: Path | None
    skipped: bool  # a crash, or not to be reproduced

    @property
    def arguments(self) -> list[str]:
        return ["--compat", COMPAT[self.version], *self.args, *self.files]


def invocations() -> Iterator[Invocation]:
    """All 311."""
    for one in json.loads((HOME / "manifest.json").read_text("utf-8"))["runs"]:
        folder = HOME / one["case"]
        printed, full = one.get("stdout"), one.get("full")
        yield Invocation(
            one["case"], one["variant"], one["version"], one["args"],
            [one["qrels"], one["run"]], one["exit_code"],
            folder / printed if printed else None, folder / full if full else None,
            one["exit_code"] > 128 or bool(one.get("do_not_reproduce")),
        )  # fmt: skip


@contextmanager
def inside(folder: Path) -> Iterator[None]:
    """Commands are run from inside the folder of the case."""
    before = os.getcwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def label(one: Invocation) -> str:
    return f"{one.case}-{one.variant}-{one.version}"


ALL = [*invocations()]
REPRODUCED = [one for one in ALL if not one.skipped]


@pytest.mark.parametrize("one", REPRODUCED, ids=label)
def test_the_same_bytes_and_exit_code(one: Invocation, capfdbinary: Any) -> None:
    with inside(HOME / one.case):
        code = main(["trec-eval", *one.arguments])
    captured = capfdbinary.readouterr()
    assert captured.out == (one.stdout.read_bytes() if one.stdout else b"")
    assert code == one.exit_code
    assert bool(captured.err) == bool(one.exit_code) or b"note: " in captured.err


@pytest.mark.parametrize("one", [one for one in REPRODUCED if one.full], ids=label)
def test_the_same_doubles(one: Invocation) -> None:
    assert one.full is not None
    with inside(HOME / one.case):
        ours = values_of(command_of(one.arguments))
    theirs = {
        (name, query): value
        for name, query, value in (
            line.split("\t") for line in one.full.read_text("utf-8").splitlines()
        )
    }
    assert {*theirs} == {*ours}
    different = {
        key: (ours[key], text)
        for key, text in theirs.items()
        if ours[key] != text and not same(ours[key], text)
    }
    assert different == {}


def same(ours: object, text: str) -> bool:
    if not isinstance(ours, float):
        return False
    return ours == float(text) or (math.isnan(ours) and "nan" in text)


def values_of(command: Command) -> dict[tuple[str, str], object]:
    """All that is printed, with all digits."""
    found = evaluate(command, lambda _: None)
    assert not isinstance(found.stop, Stopped)
    values: dict[tuple[str, str], object] = {}
    n = found.n_judged if command.complete else len(found.queries)
    for one in found.columns:
        if command.queries and one.family.shown != "summary":
            texts = one.text or one.value.tolist()
            values |= {(one.name, q): v for q, v in zip(found.queries, texts, strict=True)}
        if command.summary and one.name == "runid":
            values["runid", "all"] = found.tag
        elif command.summary and one.family.shown != "queries":
            values[one.name, "all"] = summary(one, found, command, n)
    return values


# -- the data of trec_eval's own tests -----------------------------------------------------------

RAG = ("data", "real", "trec-rag24")
PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 "
    "-m Rprec_mult.5.0,0.2,0.35 -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 "
    "-mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20"
)
# arguments, judgments, run, what 10.0 prints
PEER_TABLE = [
    ("", "qrels.test", "results.test", "out.test"),
    ("", "qrels.test.with-comments", "results.test", "out.test"),
    ("-m all_trec", "qrels.test", "results.test", "out.test.a"),
    ("-m all_trec -q", "qrels.test", "results.test", "out.test.aq"),
    ("-m all_trec -q -c", "qrels.test", "results.trunc", "out.test.aqc"),
    ("-m all_trec -q -c -M100", "qrels.test", "results.trunc", "out.test.aqcM"),
    ("-m all_trec -mrelstring.20 -q -l2", "qrels.rel_level", "results.test", "out.test.aql"),
    ("-m all_prefs -q -R prefs", "prefs.test", "prefs.results.test", "out.test.prefs"),
    ("-m all_prefs -q -R prefs", "prefs.comment.test", "prefs.results.test", "out.test.prefs"),
    ("-m all_prefs -q -R qrels_prefs", "qrels.test", "results.test", "out.test.qrels_prefs"),
    ("-m qrels_jg -q -R qrels_jg", "qrels.123.gz", "results.test", "out.test.qrels_jg"),
    ("-m qrels_jg -q -R qrels_jg", "qrels.comments.123.gz", "results.test", "out.test.qrels_jg"),
    (
        PARAMETERS,
        "qrels.test", "results.test", "out.test.meas_params",
    ),
    ("-q -m all_trec -Z zscores_file", "qrels.test", "results.test", "out.test.aqZ"),
    ("-q -m all_trec", "qrels-302.test", "results-302.test", "made.out.302.v10.0.aq"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("options", "qrels", "run", "printed"), PEER_TABLE, ids=[f"{t[3]} {t[1]}" for t in PEER_TABLE]
)
def test_the_expected_outputs_of_trec_evals_own_tests(
    options: str, qrels: str, run: str, printed: str, capfdbinary: Any
) -> None:
    with inside(PEER):
        code = main(["trec-eval", *options.split(), qrels, run])
    assert capfdbinary.readouterr().out == (PEER / printed).read_bytes()
    assert code == 0


def test_the_expected_output_with_comments(capfdbinary: Any) -> None:
    folder = shared(*RAG)
    with inside(folder):
        code = main(["trec-eval", "qrels.txt.gz", "run.comment-test.txt.gz"])
    assert capfdbinary.readouterr().out == (PEER / "out.comment.test").read_bytes()
    assert code == 0


def test_nine_refuses_comments_as_it_did(capfdbinary: Any) -> None:
    for arguments in (
        ["qrels.test.with-comments", "results.test"],
        ["-R", "prefs", "-m", "prefs", "prefs.comment.test", "prefs.results.test"],
        ["-R", "qrels_jg", "-m", "qrels_jg", "qrels.comments.123.gz", "results.test"],
    ):
        with inside(PEER):
            assert main(["trec-eval", "--compat", "9", *arguments]) == 2
        captured = capfdbinary.readouterr()
        assert captured.out == b""
        assert b"columns" in captured.err


# -- real judgments and runs -----------------------------------------------------------------------


def asked_for(*names: str) -> list[str]:
    """Each name after ``-m``."""
    return [part for name in names for part in ("-m", name)]


PRINTED = ["-q", *asked_for("ndcg", "ndcg_cut", "map", "recip_rank", "P", "recall")]
MORE = ("official", "relative_P", "map_cut", "success", "infAP", "set_F", "binG", "G", "Rndcg",
        "ndcg_rel")  # fmt: skip
FULL = [*PRINTED, *asked_for(*MORE)]


@pytest.mark.parametrize("compat", ["10", "9"])
@pytest.mark.parametrize("pair", PAIRS)
def test_the_printed_bytes_of_real_runs(pair: str, compat: str, capfdbinary: Any) -> None:
    qrels, run, full = files_of(pair)
    out = full.with_name(full.name.replace("full.", "out.").replace(".tsv.gz", ".txt.gz"))
    assert main(["trec-eval", "--compat", compat, *PRINTED, str(qrels), str(run)]) == 0
    assert capfdbinary.readouterr().out == gzip.decompress(out.read_bytes())


@pytest.mark.parametrize("pair", PAIRS)
def test_every_double_of_real_runs(pair: str) -> None:
    qrels, run, full = files_of(pair)
    theirs = {
        (name, query): value
        for name, query, value in (
            line.split("\t")
            for line in gzip.decompress(full.read_bytes()).decode("utf-8").splitlines()
        )
    }
    ours = values_of(command_of([*FULL, str(qrels), str(run)]))
    assert {*theirs} == {*ours}
    assert [
        key for key, text in theirs.items() if ours[key] != text and not same(ours[key], text)
    ] == []


# -- what is not imitated --------------------------------------------------------------------------

SAID = {
    # (case, variant) -> exit code, what is said
    ("05-nan-scores", "all"): (2, "score 'nan' is not a number"),
    ("05-nan-scores", "relstring"): (2, "score 'nan' is not a number"),
    ("10-stale-ideal", "dcg"): (0, ""),
    ("14-comments", "qrels-last"): (2, "the last line is a comment"),
    ("14-comments", "query-id-starts-with-hash"): (2, "the last line is a comment"),
    ("17-gains", "help-example"): (0, "note: G, ndcg, ndcg_rel, Rndcg: trec_eval may misorder"),
    ("17-gains", "err-style-fractions"): (0, "may misorder the gains 0 and 0.0625"),
    ("17-gains", "esci-fractions-with-label0"): (0, "may misorder the gains 0 and 0.01"),
    ("17-gains", "order-descending"): (0, "may misorder the gains 1 and 1.5"),
    ("24-preferences", "conflict-within-group"): (4, "prefers 'd2' to 'd1', and 'd1' to 'd2'"),
    ("25-command-line", "M-negative"): (2, "a ranking cannot be cut below 0"),
    ("25-command-line", "dcg-and-ndcg-params"): (2, "dcg and ndcg with gains"),
}
SKIPPED = [one for one in ALL if one.skipped]


def test_every_invocation_that_is_not_imitated_stands_in_the_table() -> None:
    assert {(one.case, one.variant) for one in SKIPPED} == {*SAID}


@pytest.mark.parametrize("one", SKIPPED, ids=label)
def test_what_is_said_instead(one: Invocation, capfdbinary: Any) -> None:
    code, words = SAID[one.case, one.variant]
    with inside(HOME / one.case):
        assert main(["trec-eval", *one.arguments]) == code
    captured = capfdbinary.readouterr()
    assert words in captured.err.decode()
    assert "Traceback" not in captured.err.decode()
    assert bool(captured.out) == (code == 0)
    assert code == 0 or "help: " in captured.err.decode()


def test_fractional_gains_give_the_right_values() -> None:
    """Gains that are only scaled give the same nDCG; the kit says what is right (17-gains)."""
    folder = HOME / "17-gains"
    files = [str(folder / "qrels.txt"), str(folder / "run.txt")]
    whole = values_of(command_of(["-q", "-m", "ndcg.1=1,2=3,3=7,4=15", *files]))
    small = values_of(command_of(["-q", "-m", "ndcg.1=0.0625,2=0.1875,3=0.4375,4=0.9375", *files]))
    assert [*small.values()] == [*whole.values()]
    example = values_of(command_of(["-q", "-m", "ndcg.1=3.5,2=9.0,4=7.0", *files]))
    assert round(float(str(example["ndcg_1=3.5,2=9.0,4=7.0", "q1"])), 6) == 0.831976


def test_the_ideal_of_a_query_is_not_that_of_the_one_before() -> None:
    folder = HOME / "10-stale-ideal"
    files = [str(folder / "qrels.txt"), str(folder / "run.txt")]
    values = values_of(command_of(["-q", "-m", "ideal_dcg", *files]))
    assert values["ideal_dcg", "q2"] == 0.0


# -- command lines ---------------------------------------------------------------------------------

LINES = [
    "-c -M 1000 -m ndcg_cut.10 -l 2",
    "-c -m recip_rank -M 10",
    "-m map -m P.30",
    "-q -c -m ndcg_cut.10,20 -m recall.100,1000",
    "-l 2 -m map -m recip_rank -c -M 1000",
    "-mndcg -mall_trec -l2 -M100 -q",
    "--measure=map --query_eval_wanted --level_for_rel=2",
    "--complete --max 100 --meas P.5".replace("--max", "--Max"),
    "-qcn -m map",
    "-q -o -m map",
]


@pytest.mark.parametrize("line", LINES)
def test_command_lines_from_papers_run_unchanged(line: str, capfdbinary: Any) -> None:
    qrels, run, _ = files_of("dl19-passage/bm25")
    assert main(["trec-eval", *line.split(), str(qrels), str(run)]) == 0
    captured = capfdbinary.readouterr()
    assert captured.err == b""
    rows = [row.split("\t") for row in captured.out.decode().splitlines()]
    assert rows
    assert all(len(row) == 3 for row in rows)


def test_options_may_follow_the_files_and_the_run_may_be_standard_input(
    capfdbinary: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = HOME / "01-graded-basic"
    files = [str(folder / "qrels.txt"), str(folder / "run.txt")]
    assert main(["trec-eval", *files, "-m", "map"]) == 0
    expected = capfdbinary.readouterr().out
    with open(files[1], "rb") as run:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(run))
        assert main(["trec-eval", "-m", "map", files[0], "-"]) == 0
    assert capfdbinary.readouterr().out == expected
