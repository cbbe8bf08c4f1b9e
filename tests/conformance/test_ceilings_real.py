"""Ceilings of the real pairs: the value is the evaluation's own, and the ceiling lies above it."""

from __future__ import annotations

import pytest

import ndcg
from pairs import PAIRS, files_of

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

CONVENTIONS: dict[str, dict[str, str]] = {
    "nDCG@10": {},
    "nDCG": {"gain": "linear", "ties": "expected"},
    "AP": {"preset": "trec_eval"},
    "RBP": {"unjudged": "drop"},
}


@pytest.mark.parametrize("measure", CONVENTIONS)
@pytest.mark.parametrize("pair", PAIRS)
def test_the_value_is_that_of_the_evaluation_and_lies_below_its_ceiling(
    pair: str, measure: str
) -> None:
    qrels, run = map(str, files_of(pair)[:2])
    own = ndcg.evaluate(qrels, run, measure, **CONVENTIONS[measure])[measure]
    found = ndcg.ceiling(qrels, run, measure, depths=[100], **CONVENTIONS[measure]).only
    assert (found.reached.mean.value, found.signature) == (own.mean, own.signature)
    assert {q: one.value for q, one in found.reached.per_query.items()} == own.per_query
    for one in found.reached.per_query.values():
        if one.value is not None and one.ceiling is not None and one.attainable is not None:
            assert one.value <= one.ceiling <= one.attainable
