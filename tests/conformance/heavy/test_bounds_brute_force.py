"""Bounds of nDCG against every labelling of seven unjudged documents: minutes of trying."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from labellings import DISCOUNTS, SCALES, Query, lists_of, ndcg_ends, table_for
from ndcg.convention import Convention
from ndcg.diagnose.bounds import unjudged_bounds
from ndcg.measures.registry import parse

UNJUDGED = 7
QUERIES = 500  # for each gain


def seven_unjudged(chance: Random, scale: list[float], depth: int) -> Query:
    """A query with seven unjudged documents among the first ones."""
    returned = chance.randint(UNJUDGED, depth)
    free = chance.sample(range(1, returned + 1), UNJUDGED)
    ranks = [rank for rank in range(1, returned + 1) if rank not in free]
    ranks = [0] * chance.randint(1, 6) + ranks
    return Query(tuple(chance.choice(scale) for _ in ranks), tuple(ranks), returned)


@pytest.mark.parametrize("how", ["exp2", "linear", "binary", "exp2_plus", "table"])
def test_ndcg_reaches_its_bounds_and_passes_them_by_no_labelling(how: str) -> None:
    chance = Random(f"heavy bounds {how}")  # noqa: S311 -- examples, not secrets
    worst = 0.0
    for number in range(QUERIES):
        highest, scale = 1 + number % 4, chance.choice(SCALES)
        k = chance.choice([None, *range(3, 11)])
        convention = Convention(
            gain=table_for(chance, scale, highest) if how == "table" else how,
            discount=chance.choice(DISCOUNTS),
            ideal_depth=chance.choice(["cutoff", "cutoff", "all", "returned"]),
        )
        query = seven_unjudged(chance, scale, depth=13)
        found = unjudged_bounds(
            lists_of([query], convention),
            parse("nDCG" if k is None else f"nDCG@{k}")[0],
            highest,
            retrieved=True,
        )
        assert found.labelled[0] == UNJUDGED
        ours = np.array([found.low[0], found.high[0]])
        theirs = ndcg_ends(query, k, None, highest, convention)
        np.testing.assert_array_equal(np.isnan(ours), np.isnan(theirs))
        worst = max(worst, *np.nan_to_num(abs(ours - theirs)).tolist())
    print(f"\n{how}: at most {worst:.1e} apart")
    assert worst < 1e-15
