"""The live pytrec_eval: every value of random judgments and runs is the same double."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import Any

import pytest

from ndcg.evaluation import evaluate_quietly
from random_runs import Grades, Scores, data
from vocabulary import measure_of

if find_spec("pytrec_eval") is None:
    absent = "pytrec_eval is not installed: pip install pytrec-eval-terrier"
    if os.environ.get("CI") == "true":
        pytest.fail(absent, pytrace=False)
    pytest.skip(absent, allow_module_level=True)

import pytrec_eval

CUTOFFS = "1,5,10,100"
ASKED = {"ndcg", "map", "recip_rank"} | {
    f"{name}.{CUTOFFS}" for name in ("ndcg_cut", "map_cut", "P", "recall", "success")
}
PRINTED = ["ndcg", "map", "recip_rank"] + [
    f"{name}_{k}"
    for name in ("ndcg_cut", "map_cut", "P", "recall", "success")
    for k in CUTOFFS.split(",")
]


def peer(qrels: Grades, run: Scores) -> dict[str, dict[str, float]]:
    """``{query: {measure of ours: value}}`` as pytrec_eval answers."""
    answer: dict[str, dict[str, Any]] = pytrec_eval.RelevanceEvaluator(qrels, ASKED).evaluate(run)
    assert {name for values in answer.values() for name in values} == set(PRINTED)
    return {
        query: {str(measure_of(name)): values[name] for name in PRINTED}
        for query, values in answer.items()
    }


@pytest.mark.parametrize("preset", ["pytrec_eval", "trec_eval-9"])
@pytest.mark.parametrize("seed", range(20))
def test_every_query_equals_the_double_of_pytrec_eval(seed: int, preset: str) -> None:
    qrels, run = data(seed)
    theirs = peer(qrels, run)
    ev = evaluate_quietly(qrels, run, [str(measure_of(name)) for name in PRINTED], preset=preset)
    ours = {
        query: values for query, values in ev.per_query.items() if query not in ev.accounts.missing
    }
    assert ours == theirs
    assert len(ev.accounts.missing) == 4
    assert all(set(ev.per_query[query].values()) == {None} for query in ev.accounts.missing)


def test_the_random_runs_hold_ties_that_only_single_precision_makes() -> None:
    qrels, run = data(0)
    names = ["nDCG"]
    single = evaluate_quietly(qrels, run, names, preset="pytrec_eval")
    double = evaluate_quietly(qrels, run, names, preset="pytrec_eval", score_type="float64")
    assert single.per_query != double.per_query
    assert single.accounts.tied_queries > double.accounts.tied_queries > 0
