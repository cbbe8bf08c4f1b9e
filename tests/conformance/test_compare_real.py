"""Comparisons of real runs: p-values as of SciPy, the same digits on any number of threads."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import scipy.stats

import ndcg
from shared import shared

PAIRS = {
    "cast2019": ["run.bert-raw.txt.gz", "run.bert-oracle.txt.gz"],
    "robust2003": [
        "run.uic0301.txt.gz",
        "run.MU03rob01-ties.txt.gz",
        "run.humR03dc-depth100.txt.gz",
    ],
}


def paths(collection: str) -> list[str]:
    folder = shared("data", "real", collection)
    return [str(folder / name) for name in ("qrels.txt.gz", *PAIRS[collection])]


def compared(collection: str, **how: Any) -> Any:
    qrels, *runs = paths(collection)
    return ndcg.compare(qrels, runs, ["nDCG@10", "AP"], all_pairs=True, **how)


@pytest.mark.parametrize("collection", PAIRS)
def test_p_values_are_those_of_scipy_but_for_drawing(collection: str) -> None:
    found = compared(collection)
    for result in found.results:
        values = {
            name: system.measures[result.measure].per_query
            for name, system in found.evaluation.systems.items()
        }
        for pair in result.pairs:
            one, other = values[pair.baseline], values[pair.system]
            both = [query for query in one if one[query] is not None and other[query] is not None]
            difference = np.array([other[query] - one[query] for query in both])
            theirs = scipy.stats.permutation_test(
                (difference,), lambda d, axis: d.mean(axis=axis), permutation_type="samples",
                n_resamples=5000, vectorized=True, batch=500, rng=1,
            ).pvalue  # fmt: skip
            error = np.hypot(pair.p.error, (max(theirs, 1e-4) / 5000) ** 0.5)
            assert abs(pair.p.p - theirs) < 4 * error + 1e-3
            t = scipy.stats.ttest_1samp(difference, 0)
            assert pair.p_t == pytest.approx(t.pvalue, rel=1e-6, abs=1e-12)
            assert pair.interval[:2] == pytest.approx([*t.confidence_interval()], rel=1e-9)
            assert pair.difference == pytest.approx(difference.mean(), rel=1e-12)


def test_means_of_a_comparison_are_those_of_the_evaluation() -> None:
    found = compared("robust2003")
    for result in found.results:
        for system in result.systems:
            whole = found.evaluation.systems[system.name].measures[result.measure]
            assert (system.mean, system.interval) == (whole.mean, whole.interval)


def test_any_number_of_threads_gives_the_same_digits() -> None:
    code = """
import json, sys, ndcg
qrels, *runs = sys.argv[1:]
found = ndcg.compare(qrels, runs, "AP", all_pairs=True, correction="tukey", draws=2000)
print(json.dumps([one.to_dict() for one in found.results]))
"""
    printed = [
        subprocess.run(
            [sys.executable, "-c", code, *paths("robust2003")],
            check=True, capture_output=True, text=True,
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
        ).stdout
        for threads in ("1", "2", "4")
    ]  # fmt: skip
    assert json.loads(printed[0])
    assert all(one == other for one, other in pairwise(printed))


def test_ties_of_thousands_of_queries_have_the_same_digits_on_any_number_of_threads() -> None:
    code = """
import ndcg
ranks = [9 if n % 250 == 0 else 8 for n in range(5000)]
changed = {n: 8 if n % 250 == 0 else 9 for n in range(0, 5000, 125) if n % 500}
other = [changed.get(n, rank) for n, rank in enumerate(ranks)]
def run(ranks):
    above = [f"x{n}" for n in range(9)]
    return {f"q{n}": [*above[: rank - 1], "a"] for n, rank in enumerate(ranks)}
qrels = {f"q{n}": {"a": 1} for n in range(5000)}
print(ndcg.compare(qrels, {"one": run(ranks), "other": run(other)}, "RR").pairs[0].p)
"""
    printed = [
        subprocess.run(
            [sys.executable, "-c", code], check=True, capture_output=True, text=True,
            env=os.environ | {"OPENBLAS_NUM_THREADS": threads, "OMP_NUM_THREADS": threads},
        ).stdout
        for threads in ("1", "2", "4")
    ]  # fmt: skip
    assert printed[0].startswith("Randomised(p=0.")
    assert all(one == other for one, other in pairwise(printed))
