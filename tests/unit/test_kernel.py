"""The arithmetic that everything else stands on."""

from __future__ import annotations

import hashlib
import math
from math import log2

import numpy as np
import pytest

from ndcg import kernel


def test_the_first_hundred_thousand_divisors_are_the_same_on_every_machine() -> None:
    table = kernel.divisors("log2", None, 100_000)
    digest = hashlib.sha256(table.astype("<f8").tobytes()).hexdigest()
    assert digest == "3f996610a00951468dbdefa36c6985a8318189833b608fd3ba8ea0d4006e9077"


def test_divisors_come_from_libm_and_end_at_the_cutoff() -> None:
    assert kernel.divisors("log2", None, 4, cutoff=3).tolist() == [
        math.inf, 1.0, log2(3), 2.0, math.inf,
    ]  # fmt: skip
    assert kernel.divisors("jarvelin", 2, 4).tolist() == [math.inf, 1.0, 1.0, log2(3), 2.0]
    assert kernel.divisors("jarvelin", 3, 3).tolist() == [math.inf, 1.0, 1.0, log2(3) / log2(3)]
    assert kernel.divisors("reciprocal", None, 3).tolist() == [math.inf, 1.0, 2.0, 3.0]
    assert kernel.divisors("none", None, 2).tolist() == [math.inf, 1.0, 1.0]


def test_an_unknown_discount_is_our_fault_and_says_so() -> None:
    with pytest.raises(ValueError, match="sqrt"):
        kernel.divisors("sqrt", None, 3)


def test_sums_are_taken_one_after_the_other() -> None:
    values = np.array([1.0, 1e16, -1e16] * 100)
    total = 0.0
    for value in values.tolist():
        total += value
    assert kernel.ordered_sum(values) == total != math.fsum(values)
    assert kernel.ordered_sum(np.zeros(0)) == 0.0


def test_sums_of_nothing_are_floats() -> None:
    none = np.zeros(0, np.int64)
    assert kernel.per_row(none, 2, np.zeros(0)).dtype == np.float64
    assert kernel.dcg(np.zeros(0), none, none, np.array([math.inf]), 2).tolist() == [0.0, 0.0]


def test_a_group_spreads_its_mean_credit_over_the_ranks_that_count() -> None:
    one = np.zeros(2, np.int64)
    row, credit, rank = kernel.expected_credit(
        np.array([7.0, 1.0]), one, one + 2, one + 4, np.array([4])
    )
    assert (row.tolist(), credit.tolist(), rank.tolist()) == ([0] * 3, [(7 + 1) / 4] * 3, [2, 3, 4])
