"""What makes nDCG a share: bounds, the best order, better documents further up.

This holds for ideal judged or retrieved, the ideal cut at the cutoff, documents that count once
at their best rank, and gains that are not negative and do not fall with the grade. Each value
that is left out has a counterexample at the end.
"""

from __future__ import annotations

from math import log2
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ndcg

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

DOCUMENTS = list("abcdefgh")
# Whole grades: their sums are exact under every discount at the ranks that count alike, so no
# tolerance is needed. (Three documents of gain 0.1 add up to another last bit in another order.)
GRADES = [0, 0, 1, 2, 3, 4]


def ndcg_of(qrels: dict[str, float], run: Any, k: int | None, **axes: Any) -> float | None:
    """nDCG of one query."""
    name = "nDCG" if k is None else f"nDCG@{k}"
    value: float | None = ndcg.evaluate({"q": qrels}, {"q": run}, name, **axes)[name].mean
    return value


@st.composite
def rising_gains(draw: st.DrawFn) -> Any:
    """Gains that are not negative and do not fall with the grade."""
    word = draw(st.sampled_from(["exp2", "linear", "binary", "table"]))
    if word != "table":
        return word
    gains = sorted(draw(st.lists(st.integers(0, 9), min_size=5, max_size=5)))
    return dict(enumerate(gains))


@st.composite
def sound(draw: st.DrawFn) -> tuple[dict[str, float], list[str], int | None, dict[str, Any]]:
    """Judgments, a ranking, a cutoff and a convention for which the invariants hold."""
    judged = draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, unique=True))
    qrels: dict[str, float] = {document: draw(st.sampled_from(GRADES)) for document in judged}
    ranking = draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, unique=True))
    axes = {
        "gain": draw(rising_gains()),
        "discount": draw(
            st.sampled_from(["log2", "jarvelin:2", "jarvelin:3", "reciprocal", "none"])
        ),
        "ideal": draw(st.sampled_from(["judged", "retrieved"])),
        "duplicates": draw(st.sampled_from(["error", "first"])),
        "unjudged": draw(st.sampled_from(["zero", "drop", "grade:1"])),
    }
    return qrels, ranking, draw(st.sampled_from([None, 1, 2, 3, 5])), axes


Sound = tuple[dict[str, float], list[str], int | None, dict[str, Any]]


def order_of_gains(qrels: dict[str, float], documents: list[str], unjudged: str) -> list[str]:
    """The documents from the best grade to the worst."""
    otherwise = 1 if unjudged == "grade:1" else -1
    return sorted(documents, key=lambda document: -qrels.get(document, otherwise))


@given(sound(), st.sampled_from(["docid_asc", "expected", "best", "worst"]), st.booleans())
def test_ndcg_lies_between_0_and_1(drawn: Sound, ties: str, tied: bool) -> None:
    qrels, ranking, k, axes = drawn
    run = [(document, float(tied and place // 3)) for place, document in enumerate(ranking)]
    value = ndcg_of(qrels, run, k, ties=ties, **axes)
    # Three times a third of 10 is more than 10 in the last bit: a mean credit is rounded.
    rounding = 1e-12 if ties == "expected" else 0
    assert value is None or 0 <= value <= 1 + rounding


@given(sound())
def test_the_best_order_with_nothing_missed_is_1(drawn: Sound) -> None:
    qrels, ranking, k, axes = drawn
    every = list(dict.fromkeys([*ranking, *qrels]))
    value = ndcg_of(qrels, order_of_gains(qrels, every, axes["unjudged"]), k, **axes)
    assert value is None or value == 1.0


@given(sound(), st.data())
def test_moving_a_better_document_up_never_lowers_ndcg(drawn: Sound, data: st.DataObject) -> None:
    qrels, ranking, k, axes = drawn
    # A document that will be dropped is neither better nor worse than one that stays.
    ranked = [at for at, d in enumerate(ranking) if d in qrels or axes["unjudged"] != "drop"]
    assume(len(ranked) > 1)
    upper, lower = sorted(data.draw(st.permutations(ranked))[:2])
    better = order_of_gains(qrels, [ranking[upper], ranking[lower]], axes["unjudged"])
    changed = list(ranking)
    changed[upper], changed[lower] = better
    before, after = ndcg_of(qrels, ranking, k, **axes), ndcg_of(qrels, changed, k, **axes)
    assert (before is None) == (after is None)
    assert before is None or after is None or before <= after


# -- every excluded value has a counterexample ---------------------------------------------------


def test_ideal_top_k_lets_a_better_document_lower_the_value() -> None:
    qrels = {"a": 1.0, "b": 0.0, "c": 3.0}
    assert ndcg_of(qrels, ["a", "b", "c"], 2, ideal="top_k") == 1.0
    assert ndcg_of(qrels, ["a", "c", "b"], 2, ideal="top_k") == (1 + 7 / log2(3)) / (
        7 + 1 / log2(3)
    )


def test_ideal_slots_lets_ndcg_exceed_1_and_the_best_order_miss_1() -> None:
    assert ndcg_of({"a": 3.0}, ["a"], 1, ideal="slots:1") == 7 / 1
    assert ndcg_of({"a": 1.0}, ["a"], 2, ideal="slots:1") == 1 / (1 + 1 / log2(3))


def test_ideal_depth_all_keeps_the_best_order_below_1() -> None:
    qrels = {"a": 1.0, "b": 1.0}
    assert ndcg_of(qrels, ["a", "b"], 1, ideal_depth="all") == 1 / (1 + 1 / log2(3))


def test_ideal_depth_returned_lets_a_relevant_document_more_lower_the_value() -> None:
    qrels = {"a": 2.0, "b": 1.0}
    assert ndcg_of(qrels, ["a"], 5, ideal_depth="returned") == 1.0
    assert ndcg_of(qrels, ["a", "x", "b"], 5, ideal_depth="returned") == (3 + 1 / 2) / (
        3 + 1 / log2(3)
    )


def test_counted_duplicates_let_ndcg_exceed_1() -> None:
    assert ndcg_of({"a": 1.0}, ["a", "a"], 2, duplicates="count") == 1 + 1 / log2(3)


def test_duplicates_at_their_last_place_keep_the_best_order_below_1() -> None:
    qrels = {"a": 2.0, "b": 1.0}
    below = (1 + 3 / log2(3)) / (3 + 1 / log2(3))
    assert ndcg_of(qrels, ["a", "b", "a"], 2, duplicates="last") == below
    scored = [("a", 3.0), ("b", 2.0), ("a", 1.0)]
    assert ndcg_of(qrels, scored, 2, duplicates="last_listed") == below


def test_negative_gains_let_ndcg_fall_below_0() -> None:
    qrels = {"a": 1.0, "b": -2.0}
    assert ndcg_of(qrels, ["b"], 1, gain="linear", negative="keep") == -2 / 1


def test_gains_that_fall_with_the_grade_let_a_better_document_lower_the_value() -> None:
    qrels, table = {"a": 2.0, "b": 1.0}, {0: 0, 1: 3, 2: 1}
    assert ndcg_of(qrels, ["b", "a"], None, gain=table) == 1.0
    assert ndcg_of(qrels, ["a", "b"], None, gain=table) == (1 + 3 / log2(3)) / (3 + 1 / log2(3))
