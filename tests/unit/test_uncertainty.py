"""The interval beside a mean: of which scores it is, how it is asked for, where there is none."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg.reports import render
from ndcg.reports.model import Options
from ndcg.statistics.intervals import Bounds, interval_of

RANKS = [1, 2, 3, 1, 5, 2, 0, 1, 4, 2, 1, 3]


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        f"q{n:02} Q0 {'a' if at == rank else f'x{at}'} {at} {9 - at} t\n"
        for n, rank in enumerate(RANKS)
        for at in range(1, 6)
    ]
    put(q="".join(f"q{n:02} 0 a 1\n" for n in range(len(RANKS))), r="".join(rows))


def scores() -> np.ndarray:
    return np.array([1 / rank if rank else 0.0 for rank in RANKS])


def test_the_interval_is_of_the_values_in_the_mean() -> None:
    found = ndcg.evaluate("q", "r", ["RR", "P@1", "DCG@5", "NumRet", "GMAP"])
    assert found["RR"].interval == interval_of(scores(), bounds=Bounds(0.0, 1.0))
    assert found["RR"].interval.method == "augmented-t"
    assert found["P@1"].interval.method == "clopper-pearson"
    assert found["DCG@5"].interval.method == "t"
    assert (found["NumRet"].interval, found["GMAP"].interval) == (None, None)
    exclusive = ndcg.evaluate("q", "r", "RR", queries=["q00", "q01", "q04"])["RR"]
    assert exclusive.interval == interval_of(np.array([1.0, 0.5, 0.2]), bounds=Bounds(0.0, 1.0))


def test_weights_and_groups_have_their_effective_size() -> None:
    weights = {f"q{n:02}": float(n + 1) for n in range(len(RANKS))}
    found = ndcg.evaluate("q", "r", "RR", weights=weights)["RR"]
    expected = interval_of(scores(), np.arange(1.0, 13.0), bounds=Bounds(0.0, 1.0))
    assert found.interval == expected
    groups = {f"q{n:02}": "ab"[n > 1] for n in range(len(RANKS))}
    grouped = ndcg.evaluate("q", "r", "RR", groups=groups)["RR"]
    member = np.where(np.arange(len(RANKS)) > 1, 1 / 10, 1 / 2)
    assert grouped.interval == interval_of(scores(), member, bounds=Bounds(0.0, 1.0))


def test_another_method_level_and_seed() -> None:
    found = ndcg.evaluate("q", "r", "RR")
    other = found.with_intervals("bca", level=0.9, seed=3)["RR"].interval
    assert other == interval_of(scores(), bounds=Bounds(0.0, 1.0), method="bca", level=0.9, seed=3)
    assert found.with_intervals("none")["RR"].interval is None
    assert found.with_intervals("bca") == found  # an interval is no part of what was measured
    with pytest.raises(ndcg.UsageError, match="clopper-pearson is of scores that are all 0 or 1"):
        found.with_intervals("clopper-pearson")


def test_the_command_prints_the_interval_that_is_asked_for() -> None:
    given = ("eval", "q", "r", "-m", "RR")
    (row,) = json.loads(command(*given, "--json").out)["systems"]
    assert row["measures"]["RR"]["interval"]["level"] == 0.95
    done = command(*given, "--interval", "percentile", "--level", "0.8", "--seed", "4", "--json")
    interval = json.loads(done.out)["systems"][0]["measures"]["RR"]["interval"]
    expected = interval_of(
        scores(), bounds=Bounds(0.0, 1.0), method="percentile", level=0.8, seed=4
    )
    assert interval == expected.to_dict()
    assert "80% CI" in command(*given, "--level", "0.8").out
    assert "CI" not in command(*given, "--interval", "none").out
    two = command("eval", "q", "r", "-m", "RR", "-m", "P@1").out.splitlines()[0]
    assert "RR 95% CI" in two
    assert "P@1 95% CI" in two


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--interval", "wald"], "'wald' is not an interval"),
        (["--interval", "clopper-pearson"], "clopper-pearson is of scores that are all 0 or 1"),
        (["--level", "95"], "'95' is not a level between 0 and 1"),
    ],
)
def test_intervals_that_cannot_be_had_are_refused(options: list[str], said: str) -> None:
    done = command("eval", "q", "r", "-m", "RR", *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_measures_with_and_without_an_interval_stand_in_one_table() -> None:
    done = command("eval", "q", "r", "-m", "RR", "-m", "NumRet", "-m", "GMAP", "-m", "P@1")
    assert done.code == 0
    found = ndcg.evaluate("q", "r", ["RR", "AP", "P@5", "GMAP", "NumRet", "P@1"])
    for width in (40, 60, 80):
        assert "GMAP" in render(found, "table", Options(width=width))


def test_values_above_1_have_no_bounds() -> None:
    run = {"q1": [("a", 2.0), ("a", 1.0)], "q2": [("a", 1.0)]}
    qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    found = ndcg.evaluate(qrels, run, "nDCG@5", duplicates="count")["nDCG@5"]
    assert found.mean > 1
    assert found.interval.method == "t"


def test_nothing_slow_is_loaded_for_it() -> None:
    code = (
        "import sys, ndcg\n"
        "found = ndcg.evaluate({'q': {'a': 1}, 'r': {'b': 1}}, {'q': {'a': 1.0}, 'r': {}})\n"
        "found['nDCG@10'].interval, ndcg.compare\n"
        "print(*(name for name in ('scipy', 'statistics', 'statsmodels') if name in sys.modules))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""
