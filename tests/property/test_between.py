"""The parts of a gap add up, whatever the conventions and the data."""

from __future__ import annotations

import math
import warnings

from hypothesis import assume, event, given
from hypothesis import strategies as st

import ndcg
import strategies
from ndcg.diagnose.between import split
from ndcg.diagnose.scorer import Scorer, inputs
from strategies import Case


@st.composite
def pairs(draw: st.DrawFn) -> tuple[Case, dict[str, str]]:
    """A case, and another convention for the same data."""
    case = draw(strategies.cases())
    return case, draw(strategies.conventions(case.example))


@given(pairs())
def test_parts_are_numbers_and_add_up_to_the_gap(pair: tuple[Case, dict[str, str]]) -> None:
    case, more = pair
    one, other = (ndcg.Convention(**strategies.differing(axes)) for axes in (case.axes, more))
    assume(len(one.diff(other)) <= 8)  # each mixture is scored
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            measure, read = inputs(case.qrels, case.run, str(case.measures[0]))
            scorer = Scorer(read.judgments, read.systems[0], measure, read.chosen)
            found = split(scorer, ("one", one), ("other", other))
    except ndcg.NdcgError:
        event("refused")
        return
    event(f"{len(found.parts)} parts")
    scale = max(1.0, *(abs(part.part) for part in found.parts), abs(found.gap))
    assert abs(math.fsum(part.part for part in found.parts) - found.gap) <= 1e-12 * scale
    assert {axis for part in found.parts for axis in part.axes}.isdisjoint(found.idle)
