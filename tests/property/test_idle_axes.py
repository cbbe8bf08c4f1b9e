"""A convention without its idle axes gives the same numbers: what reconcile and -p all rely on."""

from __future__ import annotations

import math
import warnings
from typing import Any

from hypothesis import event, given
from hypothesis import strategies as st

import ndcg
import strategies
from ndcg.diagnose.scorer import Refused, Scorer, inputs
from strategies import Case


def evaluated(case: Case) -> Any:
    """What the package says; a refusal is returned, not raised."""
    axes = strategies.differing(case.axes)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return ndcg.evaluate(case.qrels, case.run, str(case.measures[0]), **axes)
        except ndcg.NdcgError as refusal:
            return refusal


@given(strategies.cases(), st.booleans())
def test_scoring_without_idle_axes_is_scoring(case: Case, twice: bool) -> None:
    axes = strategies.differing(case.axes)
    convention = ndcg.Convention(**axes)
    try:
        measure, read = inputs(case.qrels, case.run, str(case.measures[0]), axes=axes)
        scorer = Scorer(
            read.judgments, read.systems[0], measure, read.chosen, explicit=read.explicit
        )
    except ndcg.NdcgError:
        assert isinstance(evaluated(case), ndcg.NdcgError)
        return
    if twice:  # what was worked out for another convention must not show
        scorer.scored(convention.but({"gain": "binary", "ties": "input", "duplicates": "count"}))
    found, expected = scorer.scored(convention), evaluated(case)
    if isinstance(expected, ndcg.NdcgError):
        event("refused")
        assert isinstance(found, Refused), str(expected)
        return
    assert not isinstance(found, Refused), found.why
    own = expected[str(case.measures[0])]
    assert found.mean == own.mean
    assert found.n == own.n
    values = {q: None if math.isnan(v) else v for q, v in found.per_query.items()}
    assert values == dict(own.per_query)
