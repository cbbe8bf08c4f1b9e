"""The fast code equals the slow definition to the last bit, and refuses what it refuses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given

import ndcg
import reference
import strategies
from reference import Refused, Result
from strategies import Case

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")


def reference_of(case: Case) -> Result | Refused:
    """What the definition says, value or refusal."""
    try:
        return reference.evaluate(case.example.qrels, case.example.run, case.measures, case.axes)
    except Refused as reason:
        return reason


def package_of(case: Case, **more: Any) -> Any:
    """What the package says; a refusal is returned, not raised."""
    names = [str(measure) for measure in case.measures]
    axes = strategies.differing(case.axes)
    try:
        return ndcg.evaluate(case.qrels, case.run, names, **axes, **more)
    except ndcg.NdcgError as reason:
        return reason


def compare(case: Case) -> None:
    """Compare everything the definition says; `==` on doubles, None with None."""
    expected, found = reference_of(case), package_of(case)
    if isinstance(expected, Refused):
        event(f"refused: {expected.word}")
        assert isinstance(found, ndcg.NdcgError), f"the page refuses it: {expected.words}"
        # Where several things are wrong, either may be named first.
        assert found.problems[0].word in expected.words
        return
    if isinstance(found, ndcg.NdcgError):
        raise found  # the page has a value for it
    for measure, wanted in expected.items():
        mine = found[str(measure)]
        event(f"{measure.name} of {min(wanted.n, 2)} queries")
        assert dict(mine.per_query) == wanted.per_query
        assert list(mine.per_query) == list(wanted.per_query)
        assert (mine.mean, mine.n, list(mine.empty)) == (wanted.mean, wanted.n, wanted.empty)


@given(strategies.cases())
def test_the_package_equals_the_reference_to_the_last_bit(case: Case) -> None:
    compare(case)


@given(strategies.cases(ties=["expected", "best", "worst"]))
def test_the_package_equals_the_reference_when_ties_are_open(case: Case) -> None:
    compare(case)
