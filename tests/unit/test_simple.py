"""ndcg.dcg and ndcg.ndcg: grades in rank order, one list or several."""

from __future__ import annotations

import math
from math import log2
from typing import Any

import numpy as np
import pytest

import ndcg
from ndcg import DataError, UsageError

nan = math.nan


def test_a_list_gives_a_plain_number() -> None:
    assert ndcg.dcg([2, 0, 3], k=3) == 3 + 0 + 7 / 2
    assert isinstance(ndcg.dcg([2, 0, 3]), float)
    assert isinstance(ndcg.ndcg([2, 0, 3], judged=[3, 2, 1, 0]), float)


def test_the_ideal_is_made_of_all_judged_documents() -> None:
    ideal = 7 + 3 / log2(3) + 1 / 2
    assert ndcg.ndcg([2, 0, 3], judged=[3, 2, 1, 0], k=3) == 6.5 / ideal
    b_c_d = 3 + 1 / log2(3)
    assert ndcg.ndcg([2, 1, 0], judged=[3, 2, 1, 0], k=3) == b_c_d / ideal
    assert ndcg.ndcg([2, 1, 0], judged=[3, 2, 1, 0], k=3, ideal="retrieved") == b_c_d / b_c_d


def test_an_ideal_of_the_ranked_documents_needs_no_judged_ones() -> None:
    assert ndcg.ndcg([0, 3], ideal="retrieved") == (7 / log2(3)) / 7
    assert ndcg.ndcg([0, 1, 3], k=2, ideal="top_k") == (1 / log2(3)) / 1
    assert ndcg.ndcg([1, 3], k=2, ideal="slots:3") == (1 + 7 / log2(3)) / (7 + 7 / log2(3))


def test_without_judged_documents_or_another_ideal_it_is_an_error() -> None:
    with pytest.raises(UsageError) as caught:
        ndcg.ndcg([2, 0, 3], k=3)
    assert str(caught.value) == (
        "error[E01 usage]: nDCG compares with all judged documents, and judged= is not given\n"
        'help: give judged= (their grades), or ideal="retrieved" to compare with the ranked ones'
    )


BATCHES = [
    [[3, 1], [0, 2]],
    [(3.0, 1.0), (0.0, 2.0)],
    np.array([[3, 1], [0, 2]]),
    np.array([[3, 1], [0, 2]], np.uint8),
    np.array([[3, 1], [0, 2]], np.float32),
    [np.array([3, 1]), np.array([0, 2])],
]


@pytest.mark.parametrize("grades", BATCHES, ids=repr)
def test_rows_give_an_array(grades: Any) -> None:
    value = ndcg.dcg(grades)
    assert isinstance(value, np.ndarray)
    assert value.dtype == np.float64
    assert value.tolist() == [7 + 1 / log2(3), 3 / log2(3)]


def test_rows_may_have_different_lengths() -> None:
    value = ndcg.ndcg([[2], [], [0, 1, 3]], judged=[[1, 2], [1], [3, 1, 0]], k=2)
    assert np.asarray(value).tolist() == [
        3 / (3 + 1 / log2(3)), 0.0, (1 / log2(3)) / (7 + 1 / log2(3)),
    ]  # fmt: skip


def test_a_batch_of_one_is_an_array_of_one() -> None:
    assert np.asarray(ndcg.dcg([[1]])).shape == (1,)


def test_what_is_undefined_is_none_in_a_list_and_nan_in_an_array() -> None:
    assert ndcg.ndcg([0, 0], judged=[0, 0, 0]) is None
    assert ndcg.ndcg([0, 0], judged=[0, 0], empty="zero") == 0.0
    assert ndcg.ndcg([0, 0], judged=[0, 0], empty="one") == 1.0
    assert ndcg.ndcg([], judged=[]) is None
    both = np.asarray(ndcg.ndcg([[0], [1]], judged=[[0], [1]]))
    assert np.isnan(both[0])
    assert both[1] == 1.0
    with pytest.raises(DataError, match="E42 empty-ideal"):
        ndcg.ndcg([0], judged=[0], empty="error")


def test_nothing_retrieved_is_0_and_not_undefined() -> None:
    assert ndcg.ndcg([], judged=[1]) == 0.0
    assert ndcg.ndcg([0, 0], judged=[1, 0, 0]) == 0.0
    assert ndcg.dcg([]) == 0.0


@pytest.mark.parametrize(
    ("axes", "value"),
    [
        ({"gain": "linear"}, 2 + 3 / 2),
        ({"gain": "binary"}, 1 + 1 / 2),
        ({"gain": {0: 0, 2: 1, 3: 10}}, 1 + 10 / 2),
        ({"discount": "reciprocal"}, 3 + 7 / 3),
        ({"discount": "none"}, 3 + 7),
        ({"discount": "jarvelin:2"}, 3 + 7 / (log2(3) / log2(2))),
    ],
)
def test_gain_and_discount_are_axes_of_the_convention(axes: Any, value: float) -> None:
    assert ndcg.dcg([2, 0, 3], **axes) == value


def test_negative_grades_follow_their_axis() -> None:
    assert ndcg.dcg([-1, 2], gain="linear") == 2 / log2(3)
    assert ndcg.dcg([-1, 2], gain="linear", negative="keep") == -1 + 2 / log2(3)
    assert ndcg.dcg([-1, 2], gain="linear", negative="remove") == 2
    assert ndcg.dcg([-1, 2], gain="linear", negative="unjudged") == 2 / log2(3)
    with pytest.raises(
        DataError, match=r"E43 negative-grade.*grades at position 0: has a negative"
    ):
        ndcg.dcg([-1, 2], negative="error")


def test_the_depth_of_the_ideal_is_an_axis() -> None:
    one = ndcg.ndcg([3], judged=[3, 2], k=2, gain="linear", ideal_depth="returned")
    assert one == 1.0
    assert ndcg.ndcg([3], judged=[3, 2], k=1, gain="linear", ideal_depth="all") == 3 / (
        3 + 2 / log2(3)
    )


def test_it_is_the_value_that_evaluate_gives() -> None:
    drawn = np.random.default_rng(3)
    for _ in range(50):
        judged = drawn.integers(-1, 4, drawn.integers(1, 40)).astype(float)
        order = drawn.permutation(len(judged))[: drawn.integers(1, len(judged) + 1)]
        k = int(drawn.integers(1, 12))
        qrels = {"q": {f"{at:03}": grade for at, grade in enumerate(judged.tolist())}}
        run = {"q": [f"{at:03}" for at in order.tolist()]}
        ev = ndcg.evaluate(qrels, run, [f"nDCG@{k}", f"DCG@{k}"])
        found = ndcg.ndcg(judged[order], judged=judged, k=k)
        assert found == ev[f"nDCG@{k}"].mean
        if found is not None:
            assert ndcg.dcg(judged[order], k=k) == ev[f"DCG@{k}"].mean


WRONG: dict[str, tuple[Any, dict[str, Any], str]] = {
    "k of 0": ([1], {"k": 0}, "E02 measure]: k is 0, not a whole number from 1 up"),
    "a negative k": ([1], {"k": -1}, "E02 measure]: k is -1"),
    "a k with a fraction": ([1], {"k": 2.5}, "E02 measure]: k is 2.5"),
    "k as text": ([1], {"k": "10"}, "E02 measure]: k is '10'"),
    "k as a truth value": ([1], {"k": True}, "E02 measure]: k is True"),
    "text among the grades": ([1, "2"], {}, "position 1: '2' is text, not a number"),
    "None among the grades": ([None], {}, "position 0: None (NoneType) is not a number"),
    "text in a row": ([[1], [1, "2"]], {}, "in row 1, at position 1: '2' is text"),
    "NaN": ([1, nan], {}, "E26 grade]: grades at position 1: nan is not finite"),
    "NaN in a row": ([[1], [nan]], {}, "grades in row 1, at position 0: nan is not finite"),
    "infinity": (np.array([[1, math.inf]]), {}, "in row 0, at position 1: inf is not finite"),
    "a number": (3, {}, "grades are of type int"),
    "text": ("3210", {}, "grades are of type str"),
    "a dictionary": ({"a": 1}, {}, "grades are of type dict"),
    "numbers and rows": ([1, [2]], {}, "grades are a list with 1 as row 0"),
    "rows of rows": ([[[1]]], {}, "position 0: a row of its own"),
    "three dimensions": (np.zeros((1, 2, 3)), {}, "3 dimensions (1x2x3)"),
    "no dimension": (np.float64(1), {}, "0 dimensions"),
    "an array of text": (np.array(["a"]), {}, "not of numbers"),
    "an array of objects": (np.array([[1, None]], object), {}, "(None stands in it)"),
    "an unknown gain": ([1], {"gain": "exponential"}, "'exponential' is not a value of gain"),
    "an unknown discount": ([1], {"discount": "log"}, "'log' is not a value of discount"),
    "a grade that is not in the table": ([1, 4], {"gain": {1: 1}}, "position 1: grade 4 is not in"),
    "a grade without gain": ([2000], {}, "grade 2000 has no finite gain"),
    "sums that overflow": ([1e308, 1e308], {"gain": "linear", "discount": "none"}, "E35 gain]"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_scored_is_said(name: str) -> None:
    grades, options, message = WRONG[name]
    with pytest.raises(ndcg.NdcgError) as caught:
        ndcg.dcg(grades, **options)
    assert message in str(caught.value)
    assert "\nhelp: " in str(caught.value)
    with pytest.raises(ndcg.NdcgError) as caught:
        ndcg.ndcg(grades, ideal="retrieved", **options)
    assert str(caught.value).partition("]")[2]


def test_all_wrong_grades_are_counted() -> None:
    with pytest.raises(DataError) as caught:
        ndcg.dcg([nan] * 25)
    assert caught.value.total == 25
    assert str(caught.value).endswith("... and 15 more like these")


@pytest.mark.parametrize(
    ("grades", "judged", "message"),
    [
        ([3], [2, 1], "grade 3 is ranked more often than it is judged\n"),
        ([2, 2], [2, 1], "grade 2 is ranked more often than it is judged\n"),
        ([[1], [2, 2]], [[1], [2]], "is ranked more often than it is judged in row 1\n"),
        ([1], [[1]], "grades are one list and judged are 1 rows"),
        ([[1], [1]], [[1]], "grades are 2 rows and judged are 1 rows"),
        ([1], [nan], "judged at position 0: nan is not finite"),
        ([1], ["1"], "judged at position 0: '1' is text"),
        ([1], 1, "judged are of type int"),
    ],
)
def test_judged_grades_belong_to_the_ranking(grades: Any, judged: Any, message: str) -> None:
    with pytest.raises(DataError) as caught:
        ndcg.ndcg(grades, judged=judged)
    assert message in str(caught.value)


def test_unjudged_documents_are_ranked_with_grade_0() -> None:
    assert ndcg.ndcg([0, 0, 2], judged=[2]) == (3 / 2) / 3


def test_slots_need_a_cutoff() -> None:
    with pytest.raises(UsageError, match="needs a cutoff"):
        ndcg.ndcg([1], judged=[1], ideal="slots:3")


def test_an_unknown_axis_is_pythons_error() -> None:
    with pytest.raises(TypeError, match="ties"):
        ndcg.ndcg([1], judged=[1], ties="expected")  # type: ignore[call-arg]
