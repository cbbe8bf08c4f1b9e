"""The numbers of the founding documents through every door of the Python package.

`tests/conformance/test_worked_examples.py` has them as dictionaries of ids; here they are lists in
rank order, arrays of scores, and scikit-learn's own answers.
"""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import dcg_score, ndcg_score

import ndcg

A, B, C, D = 3, 2, 1, 0  # the chapter's catalogue, all judged
CATALOGUE = [A, B, C, D]
IDEAL = 7 + 3 / log2(3) + 1 / 2
LINEAR_IDEAL = 3 + 2 / log2(3) + 1 / 2
GAINS: list[Any] = ["exp2", "linear", "binary", {0: 0, 1: 0.25, 2: 0.5, 3: 1}]


# -- the chapter: order of graded results ----------------------------------------------------------


@pytest.mark.parametrize(("grade", "gain"), [(0, 0), (1, 1), (2, 3), (3, 7)])
def test_exponential_gains(grade: int, gain: int) -> None:
    assert ndcg.dcg([grade]) == gain == 2**grade - 1


@pytest.mark.parametrize(("rank", "discount"), [(1, 1), (2, 0.631), (3, 0.5)])
def test_discounts_of_the_first_ranks(rank: int, discount: float) -> None:
    value = ndcg.dcg([0] * (rank - 1) + [1])
    assert value == 1 / log2(rank + 1)
    assert round(float(value), 3) == discount  # type: ignore[arg-type]


def test_the_chapters_ranking_with_exponential_gain() -> None:
    assert ndcg.dcg([B, D, A], k=3) == 3 + 0 + 7 / 2 == 6.5
    assert ndcg.dcg([A, B, C], k=3) == IDEAL
    assert f"{IDEAL:.4f}" == "9.3928"
    assert ndcg.ndcg([B, D, A, C], judged=CATALOGUE, k=3) == 6.5 / IDEAL
    assert f"{6.5 / IDEAL:.4f}" == "0.6920"


def test_the_chapters_ranking_with_linear_gain() -> None:
    assert ndcg.dcg([B, D, A], k=3, gain="linear") == 2 + 3 / 2 == 3.5
    value = ndcg.ndcg([B, D, A, C], judged=CATALOGUE, k=3, gain="linear")
    assert value == 3.5 / LINEAR_IDEAL
    assert f"{value:.3f}" == "0.735"


def test_missing_the_best_document() -> None:
    missed = 3 + 1 / log2(3)
    assert ndcg.dcg([B, C, D], k=3) == missed
    assert f"{missed:.4f}" == "3.6309"
    assert ndcg.ndcg([B, C, D], judged=CATALOGUE, k=3) == missed / IDEAL
    assert f"{missed / IDEAL:.4f}" == "0.3866"
    assert ndcg.ndcg([B, C, D], judged=CATALOGUE, k=3, ideal="retrieved") == missed / missed == 1


@pytest.mark.parametrize("gain", GAINS, ids=str)
def test_the_best_order_is_1_with_any_gain(gain: Any) -> None:
    assert ndcg.ndcg([A, B, C, D], judged=CATALOGUE, k=3, gain=gain) == 1.0


def test_scikit_learn_takes_relevance_values_as_gains() -> None:
    scores = np.array([[2, 4, 1, 3]])  # of A, B, C, D
    grades = np.array([CATALOGUE])
    for gain, taken in (("exp2", 2.0**grades - 1), ("linear", grades)):
        ev = ndcg.evaluate(grades, scores, ["DCG@3", "nDCG@3"], gain=gain)
        assert ev["DCG@3"].mean == pytest.approx(dcg_score(taken, scores, k=3), rel=1e-15)
        assert ev["nDCG@3"].mean == pytest.approx(ndcg_score(taken, scores, k=3), rel=1e-15)
    assert ev["DCG@3"].mean == 3.5
    assert ev["nDCG@3"].mean == 3.5 / LINEAR_IDEAL


def test_scikit_learn_averages_over_the_orders_of_tied_documents() -> None:
    drawn = np.random.default_rng(11)
    grades = drawn.integers(0, 4, (20, 60))
    scores = drawn.integers(0, 9, grades.shape)
    ev = ndcg.evaluate(grades, scores, "nDCG@10", gain="linear", ties="expected")
    assert ev["nDCG@10"].mean == pytest.approx(ndcg_score(grades, scores, k=10), rel=1e-13)
    tied = ndcg.evaluate(grades, scores, "nDCG@10", gain="linear")
    assert tied["nDCG@10"].mean != ev["nDCG@10"].mean


def test_a_series_of_queries_gives_none_where_the_ideal_is_0_and_counts_it() -> None:
    values = np.asarray(ndcg.ndcg([[D, D], [A, D]], ideal="retrieved"))
    assert np.isnan(values[0])
    assert values[1] == 1.0
    assert ndcg.ndcg([D, D], judged=[D, D, D]) is None
    ev = ndcg.evaluate([[D, D], [A, D]], [[2.0, 1.0], [2.0, 1.0]], "nDCG@2")
    assert (ev["nDCG@2"].mean, ev["nDCG@2"].empty, ev["nDCG@2"].n) == (1.0, ("0",), 1)


# -- the recommender page --------------------------------------------------------------------------


def test_the_recommender_page() -> None:
    a, b, c = 3, 1, 0
    best, turned = 7 + 1 / log2(3), 1 / log2(3) + 7 / 2
    assert ndcg.dcg([a, b, c], k=3) == best
    assert ndcg.dcg([c, b, a], k=3) == turned
    assert ndcg.ndcg([a, b, c], judged=[a, b, c], k=3) == 1.0
    assert ndcg.ndcg([c, b, a], judged=[a, b, c], k=3) == turned / best
    assert [f"{x:.3f}" for x in (best, turned, turned / best)] == ["7.631", "4.131", "0.541"]
    assert ndcg.dcg([b], k=3) == 1.0  # only the positions that exist are summed
    assert ndcg.ndcg([c], judged=[c], k=3, empty="zero") == 0.0


def test_requests_are_scored_alone_and_then_averaged() -> None:
    best, turned = 7 + 1 / log2(3), 1 / log2(3) + 7 / 2
    ev = ndcg.evaluate([[3, 1, 0]] * 2, [[3.0, 2.0, 1.0], [1.0, 2.0, 3.0]], "nDCG@3")
    assert ev["nDCG@3"].mean == (1.0 + turned / best) / 2


def test_the_order_of_the_columns_breaks_ties() -> None:
    turned = 1 / log2(3) + 7 / 2
    ev = ndcg.evaluate([[0, 1, 3]], [[1.0, 1.0, 1.0]], "DCG@3")
    assert ev["DCG@3"].mean == turned


# -- the concept card ------------------------------------------------------------------------------


def test_the_concept_card() -> None:
    card = 3 + 2 / log2(3) + 1 / log2(4)
    assert ndcg.dcg([3, 2, 1], gain="linear") == card
    assert f"{card:.3f}" == "4.762"
    assert ndcg.ndcg([3, 2, 1], judged=[3, 2, 1], gain="linear") == 1.0
    other = ndcg.ndcg([2, 3, 1], judged=[3, 2, 1], gain="linear")
    assert other == (2 + 3 / log2(3) + 1 / log2(4)) / card
    assert other < 1
