"""Spoilt files through every reader; `make fuzz` tries many more of them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from fuzz import drive, trial
from ndcg import DataError
from ndcg.errors import Notice, Problem
from shared import shared

FAILED_ONCE = sorted(map(str, (drive.TESTS / "data" / "fuzz").iterdir()))


@pytest.mark.parametrize("first", [0, 500, 1000, 1500])
def test_spoilt_files_are_read_or_refused_in_words(first: int) -> None:
    shared("formats")
    tried = [*drive.failures(range(first, first + 500))]
    assert [str(failure) for failure in tried if failure is not None] == []
    assert len(tried) == 500


def test_files_that_failed_once_are_read_or_refused_in_words() -> None:
    tried = [*drive.failures(FAILED_ONCE)]
    assert [str(failure) for failure in tried if failure is not None] == []
    assert len(tried) == len(FAILED_ONCE) > 5


def test_an_input_that_ends_its_process_is_known_and_the_others_are_tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    code = "import os, sys, runpy; from fuzz import trial; one = trial.try_input\n"
    code += "def end(*given): return os.abort() if b'end' in given[1] else one(*given)\n"
    code += "trial.try_input = end; runpy.run_module('fuzz.worker', run_name='__main__')"
    paths = [tmp_path / name for name in ("a", "b", "c")]
    for path in paths:
        path.write_text("end\n" if path.name == "b" else "q1 0 a 1\n", encoding="utf-8")
    monkeypatch.setattr(drive, "WORKER", ["-c", code])
    tried = [*drive.failures([*map(str, paths)])]
    assert [failure and failure[:3] for failure in tried] == [
        None, (str(paths[1]), "some step", "the process ended with SIGABRT"), None,
    ]  # fmt: skip


def fault(run: Callable[[], object]) -> str:
    """The kind of fault that the fuzzer finds in a step, empty if none."""
    one = trial.Trial("input", Random(0))  # noqa: S311 -- no secret
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one.step("a step", run)
    return "; ".join(found.key for found in one.faults)


def raised(error: BaseException) -> Callable[[], object]:
    def run() -> object:
        raise error

    return run


def test_what_the_fuzzer_takes_for_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Problem("grade", "the grade 'x' is no number", help="grades are numbers")
    assert fault(raised(DataError(told))) == ""
    assert fault(lambda: 1) == ""
    assert fault(raised(DataError([]))) == "no problems"
    assert fault(raised(KeyError("x"))) == "KeyError in ?"
    assert fault(raised(SystemExit(1))) == "SystemExit in ?"
    assert fault(lambda: warnings.warn("overflow", RuntimeWarning, stacklevel=1)).startswith(
        "RuntimeWarning"
    )
    long = Problem("grade", "no", help="line\n" * 2000)
    monkeypatch.setattr("ndcg.errors.told", lambda text: text)
    assert fault(raised(DataError(long))) == "long grade problem; odd grade problem"
    assert fault(raised(DataError(told._replace(what="\x1b[31m")))) == "unprintable grade problem"
    one = trial.Trial("input", Random(0))  # noqa: S311 -- no secret
    one.look_at("a step", Notice("note", "x" * 5000))
    assert [found.key for found in one.faults] == ["long notice"]


def test_the_fuzzer_notices_noise_on_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    assert fault(lambda: print("panicked", file=sys.stderr, flush=True)) == "noise"
    capfd.readouterr()
