"""The worked numbers of the founding documents, each with its formula."""

from __future__ import annotations

from math import log2
from typing import Any, NamedTuple

import pytest

from ndcg.evaluation import evaluate_quietly

CATALOGUE = {"A": 3, "B": 2, "C": 1, "D": 0}
PAGE = {"A": 3, "B": 1, "C": 0}
CARD = {"A": 3, "B": 2, "C": 1}


class Example(NamedTuple):
    """A ranking of judged documents, a measure, and the number that must come out."""

    judged: dict[str, int]
    order: str
    measure: str
    value: float
    axes: dict[str, Any]


LINEAR = {"gain": "linear"}
RETURNED = {"ideal": "retrieved"}

ideal = 7 + 3 / log2(3) + 1 / 2
linear_ideal = 3 + 2 / log2(3) + 1 / 2
page_ideal = 7 + 1 / log2(3)
card = 3 + 2 / log2(3) + 1 / 2

EXAMPLES = {
    # 1. The chapter
    "DCG@3 of B, D, A": Example(CATALOGUE, "BDAC", "DCG@3", 3 + 0 + 7 / 2, {}),
    "IDCG@3 of the whole catalogue": Example(CATALOGUE, "BDAC", "IDCG@3", ideal, {}),
    "nDCG@3 with exponential gain": Example(CATALOGUE, "BDAC", "nDCG@3", 6.5 / ideal, {}),
    "DCG@3 with linear gain": Example(CATALOGUE, "BDAC", "DCG@3", 2 + 3 / 2, LINEAR),
    "IDCG@3 with linear gain": Example(CATALOGUE, "BDAC", "IDCG@3", linear_ideal, LINEAR),
    "nDCG@3 with linear gain": Example(CATALOGUE, "BDAC", "nDCG@3", 3.5 / linear_ideal, LINEAR),
    "DCG@3 without A": Example(CATALOGUE, "BCD", "DCG@3", 3 + 1 / log2(3), {}),
    "nDCG@3 without A against all judged": Example(
        CATALOGUE, "BCD", "nDCG@3", (3 + 1 / log2(3)) / ideal, {}
    ),
    "nDCG@3 without A against the returned only": Example(
        CATALOGUE, "BCD", "nDCG@3", (3 + 1 / log2(3)) / (3 + 1 / log2(3)), RETURNED
    ),
    "the best order is 1": Example(CATALOGUE, "ABCD", "nDCG@3", ideal / ideal, {}),
    "the best order is 1 with linear gain": Example(
        CATALOGUE, "ABCD", "nDCG@3", linear_ideal / linear_ideal, LINEAR
    ),
    "the best order is 1 with binary gain": Example(
        CATALOGUE, "ABCD", "nDCG@3", 1.0, {"gain": "binary"}
    ),
    "the best order is 1 with a table of gains": Example(
        CATALOGUE, "ABCD", "nDCG@3", 1.0, {"gain": {0: 0, 1: 0.25, 2: 0.5, 3: 1}}
    ),
    # 2. The recommender page
    "DCG@3 of A, B, C": Example(PAGE, "ABC", "DCG@3", 7 + 1 / log2(3), {}),
    "nDCG@3 of A, B, C": Example(PAGE, "ABC", "nDCG@3", page_ideal / page_ideal, {}),
    "DCG@3 of C, B, A": Example(PAGE, "CBA", "DCG@3", 0 + 1 / log2(3) + 7 / 2, {}),
    "nDCG@3 of C, B, A": Example(PAGE, "CBA", "nDCG@3", (0 + 1 / log2(3) + 7 / 2) / page_ideal, {}),
    "only the positions that exist are summed": Example(PAGE, "B", "DCG@3", 1 / log2(2), {}),
    "a zero ideal counts 0 where that is asked for": Example(
        {"A": 0}, "A", "nDCG@3", 0.0, {"empty": "zero"}
    ),
    # 3. The concept card
    "DCG of grades 3, 2, 1": Example(CARD, "ABC", "DCG", card, LINEAR),
    "IDCG of grades 3, 2, 1": Example(CARD, "ABC", "IDCG", card, LINEAR),
    "nDCG of grades 3, 2, 1": Example(CARD, "ABC", "nDCG", card / card, LINEAR),
    "nDCG of grades 2, 3, 1": Example(
        CARD, "BAC", "nDCG", (2 + 3 / log2(3) + 1 / log2(4)) / card, LINEAR
    ),
}


def mean_of(example: Example) -> float | None:
    scores = {doc: float(len(example.order) - place) for place, doc in enumerate(example.order)}
    ev = evaluate_quietly({"q": example.judged}, {"q": scores}, example.measure, **example.axes)
    mean: float | None = ev[example.measure].mean
    return mean


@pytest.mark.parametrize("name", EXAMPLES)
def test_a_worked_number_is_its_formula(name: str) -> None:
    assert mean_of(EXAMPLES[name]) == EXAMPLES[name].value


@pytest.mark.parametrize(
    ("name", "printed"),
    [
        ("IDCG@3 of the whole catalogue", "9.3928"),
        ("nDCG@3 with exponential gain", "0.6920"),
        ("nDCG@3 with linear gain", "0.7350"),
        ("DCG@3 without A", "3.6309"),
        ("nDCG@3 without A against all judged", "0.3866"),
        ("DCG@3 of A, B, C", "7.6309"),
        ("DCG@3 of C, B, A", "4.1309"),
        ("nDCG@3 of C, B, A", "0.5413"),
        ("DCG of grades 3, 2, 1", "4.7619"),
    ],
)
def test_the_formula_is_the_number_that_the_document_prints(name: str, printed: str) -> None:
    assert f"{EXAMPLES[name].value:.4f}" == printed


def test_another_order_than_the_best_gives_less_than_1() -> None:
    assert EXAMPLES["nDCG of grades 2, 3, 1"].value < 1


def test_dictionary_order_breaks_ties_where_the_input_order_is_asked_for() -> None:
    tied = {"q": dict.fromkeys("CBA", 1.0)}
    ev = evaluate_quietly({"q": PAGE}, tied, "nDCG@3", ties="input")
    assert ev["nDCG@3"].mean == (1 / log2(3) + 7 / 2) / page_ideal


def test_a_query_with_a_zero_ideal_is_undefined_and_counted_as_left_out() -> None:
    qrels = {"q": CATALOGUE, "nothing": {"A": 0}}
    run = {"q": {"A": 1.0}, "nothing": {"A": 1.0}}
    result = evaluate_quietly(qrels, run, "nDCG@1")["nDCG@1"]
    assert result.per_query == {"nothing": None, "q": 1.0}
    assert (result.mean, result.n, result.empty) == (1.0, 1, ("nothing",))


def test_each_request_is_scored_alone_and_then_averaged() -> None:
    qrels = {"first": PAGE, "second": PAGE}
    run = {"first": {"A": 3.0, "B": 2.0, "C": 1.0}, "second": {"C": 3.0, "B": 2.0, "A": 1.0}}
    second = (1 / log2(3) + 7 / 2) / page_ideal
    assert evaluate_quietly(qrels, run, "nDCG@3")["nDCG@3"].mean == (1.0 + second) / 2
