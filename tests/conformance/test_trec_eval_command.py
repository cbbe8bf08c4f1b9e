"""``ndcg trec-eval`` against the kit: the bytes, exit codes and doubles of trec_eval 10.0 and 9.0.8.

What the kit marks as a bug or a crash is not imitated; those invocations stand in a table with what
is said instead, and each has a test of its own.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ndcg.cli.main import main
from ndcg.compat.command import Command, Stopped, command_of
from ndcg.compat.trec_eval import evaluate, summary
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
            line.split("\t") for line in one.full.read_text("latin-1").splitlines()
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
    return ours == float(text) or (ours != ours and "nan" in text)


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
        "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 "
        "-m Rprec_mult.5.0,0.2,0.35 -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 "
        "-mndcg.1=3,2=9,4=4.5 -mndcg_cut.10,20,23.4 -msuccess.2,5,20",
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

PRINTED = "-q -m ndcg -m ndcg_cut -m map -m recip_rank -m P -m recall".split()
FULL = [
    *PRINTED,
    *(
        "-m official -m relative_P -m map_cut -m success -m infAP -m set_F -m binG -m G -m Rndcg "
        "-m ndcg_rel"
    ).split(),
]


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
            for line in gzip.decompress(full.read_bytes()).decode("latin-1").splitlines()
        )
    }
    ours = values_of(command_of([*FULL, str(qrels), str(run)]))
    assert {*theirs} == {*ours}
    assert [
        key for key, text in theirs.items() if ours[key] != text and not same(ours[key], text)
    ] == []
