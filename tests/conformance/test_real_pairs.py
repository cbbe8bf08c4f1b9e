"""Every value of the real pairs equals the double that trec_eval computed."""

from __future__ import annotations

from pathlib import Path

import pytest

from ndcg.evaluation import evaluate_quietly
from pairs import ONE_OF_EACH, PAIRS, files_of, rows_of
from shared import shared
from vocabulary import measure_of

FAMILIES = {"nDCG", "nDCG@", "P@", "R@", "AP", "AP@", "RR", "Success@"}


def printed_by_trec_eval(path: Path) -> dict[str, dict[str, float]]:
    """``{measure of ours: {query or "all": value}}`` for all that have a name here."""
    printed: dict[str, dict[str, float]] = {}
    for name, query, value in rows_of(path):
        measure = measure_of(name)
        if measure is not None:
            printed.setdefault(measure, {})[query] = float(value)
    return printed


def family(measure: str) -> str:
    return measure.rstrip("0123456789")


def test_every_pair_of_the_collection_is_scored_here() -> None:
    found = {
        f"{path.parent.name}/{path.name.removeprefix('run.').removesuffix('.txt.gz')}"
        for path in shared("data", "real").glob("*/run.*.txt.gz")
    }
    assert found == set(PAIRS)


@pytest.mark.parametrize("preset", ["trec_eval-10", "trec_eval-9"])
@pytest.mark.parametrize("pair", PAIRS)
def test_every_query_and_the_mean_equal_trec_evals_double(pair: str, preset: str) -> None:
    qrels, run, full = files_of(pair)
    printed = printed_by_trec_eval(full)
    assert {family(measure) for measure in printed} == FAMILIES
    ev = evaluate_quietly(qrels, run, [*printed], preset=preset, fingerprint=False)
    ours = {name: {**ev[name].per_query, "all": ev[name].mean} for name in printed}
    assert ours == printed


@pytest.mark.parametrize("pair", PAIRS)
def test_dictionaries_give_the_values_of_the_files(pair: str) -> None:
    qrels, run, _ = files_of(pair)
    grades: dict[str, dict[str, int]] = {}
    for query, _, document, grade in rows_of(qrels):
        grades.setdefault(query, {})[document] = int(grade)
    scores: dict[str, dict[str, float]] = {}
    for query, _, document, _, score, *_ in rows_of(run):
        scores.setdefault(query, {})[document] = float(score)
    by_path = evaluate_quietly(qrels, run, ONE_OF_EACH, fingerprint=False)
    by_value = evaluate_quietly(grades, scores, ONE_OF_EACH)
    assert by_value.per_query == by_path.per_query
    assert by_value.accounts == by_path.accounts
