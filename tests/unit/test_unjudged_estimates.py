"""Values with grades drawn for unjudged documents: from what, and from nothing else."""

from __future__ import annotations

from hashlib import sha256
from math import log2
from random import Random
from typing import Any

import numpy as np
import pytest

from labellings import Query, lists_of, random_query
from ndcg import Convention, UsageError
from ndcg.diagnose import labelling
from ndcg.diagnose.bounds import unjudged_bounds
from ndcg.diagnose.ragged import Ragged
from ndcg.diagnose.scorer import inputs
from ndcg.diagnose.unjudged_estimates import Estimates, _Chances, _labels, estimate_unjudged
from ndcg.evaluation.asked import Tables
from ndcg.evaluation.scoring import Scoring
from ndcg.measures.registry import parse

MEASURES = ["nDCG@5", "nDCG", "DCG@5", "P@5", "R@5", "AP", "RR@5", "Success@3", "F@5", "RBP@5"]


def estimates(queries: list[Query], name: str, **how: Any) -> Estimates:
    names = how.pop("names", [f"q{at}" for at in range(len(queries))])
    measure = parse(name)[0]
    lists = lists_of(queries, measure.convention(Convention(**how.pop("axes", {}))))
    return estimate_unjudged(lists, measure, names, **how)


def some_queries(number: int = 30) -> list[Query]:
    chance = Random(20261201)  # noqa: S311 -- examples, not secrets
    return [random_query(chance, 9, [0, 0, 1, 2, 3], 12) for _ in range(number)]


def the_same(one: Estimates, other: Estimates) -> bool:
    return all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


# -- what grades are drawn from --------------------------------------------------------------------


def test_where_all_judged_documents_have_one_grade_every_draw_has_it() -> None:
    # Ranks: A 1 (grade 2), X 2; B (grade 2) is missed.
    found = estimates([Query((2, 2), (0, 1), 2)], "nDCG@2", draws=50)
    assert found.mean[0] == found.low[0] == found.high[0] == 1
    found = estimates([Query((2, 2), (0, 1), 2)], "DCG@2", draws=50)
    assert found.mean[0] == found.low[0] == found.high[0] == 3 + 3 / log2(3)


def test_the_run_prior_is_what_the_top_k_holds_and_the_pool_prior_all_that_is_judged() -> None:
    # In the top 2, A of grade 1; below it, and missed, only grade 0.
    query = Query((0, 0, 1, 0), (0, 0, 1, 3), 4)
    run = estimates([query], "P@2", draws=2000)
    assert run.mean[0] == run.low[0] == run.high[0] == 1
    pool = estimates([query], "P@2", draws=2000, prior="pool")
    assert (pool.low[0], pool.high[0]) == (1 / 2, 1)
    assert pool.mean[0] == pytest.approx(1 / 2 + 1 / 4 / 2, abs=0.02)
    assert run.from_pool == pool.from_pool == 0


def test_all_grades_are_drawn_as_often_as_they_were_given() -> None:
    query = Query((0, 1, 1, 3), (1, 2, 3, 4), 5)
    found = estimates([query], "DCG(gain=linear,discount=none)@5", draws=20_000)
    assert found.mean[0] == pytest.approx(0 + 1 + 1 + 3 + (0 + 1 + 1 + 3) / 4, abs=0.03)
    assert (found.low[0], found.high[0]) == (5 + 0, 5 + 3)


def test_a_top_k_without_judged_documents_draws_from_the_pool_and_is_counted() -> None:
    queries = [
        Query((2, 2), (0, 3), 3),
        Query((1,), (1,), 3),
        Query((1,), (3,), 2),
        Query((0,), (9,), 9),
    ]
    found = estimates(queries[:2], "P@2", draws=20)
    assert found.from_pool == 1
    assert found.mean.tolist() == [1, 1]
    # Nothing to find, or nothing to draw, is no falling back.
    assert estimates(queries[3:], "P@2", draws=20).from_pool == 0
    assert estimates([Query((1,), (0,), 0)], "P@2", draws=20).from_pool == 0


def test_relevant_documents_that_are_drawn_count_in_recall_and_the_ideal() -> None:
    query = Query((1, 1), (0, 1), 3)
    assert estimates([query], "R@3", draws=9).mean[0] == 3 / 4
    found = estimates([query], "nDCG@3", draws=9)
    assert found.mean[0] == 1
    assert estimates([query], "AP", draws=9).mean[0] == (1 + 1 + 1) / 4


# -- what comes back -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MEASURES)
def test_what_is_drawn_lies_between_the_bounds(name: str) -> None:
    lists, measure = lists_of(some_queries(), Convention()), parse(name)[0]
    names = [str(at) for at in range(lists.n_queries)]
    limits = unjudged_bounds(lists, measure, 3)
    found = estimate_unjudged(lists, measure, names, draws=200, prior="pool")
    some = ~np.isnan(limits.low)
    assert (limits.low <= found.low)[some].all()
    assert (found.low <= found.mean)[some].all()
    assert (found.mean <= found.high)[some].all()
    assert (found.high <= limits.high + 4e-16)[some].all()
    assert np.isnan(found.mean[~some]).all()
    assert not some.all()
    assert (found.low < found.high)[some].any()


@pytest.mark.parametrize("name", MEASURES)
def test_without_unjudged_documents_the_value_comes_back(name: str) -> None:
    queries = [Query((0, 2, 1), (0, 1, 2), 2), Query((1, 0.5), (0, 0), 0)]
    lists, measure = lists_of(queries, Convention()), parse(name)[0]
    found = estimate_unjudged(lists, measure, ["a", "b"], draws=7)
    value = measure.value(lists)
    for one in (found.mean, found.low, found.high):
        assert one.tolist() == value.tolist()
    assert found.drawn.tolist() == [0, 0]
    mean = (value[0] + value[1]) / 2
    assert (found.overall, found.overall_low, found.overall_high) == (mean, mean, mean)


def test_the_mean_over_queries_spreads_less_than_a_query() -> None:
    found = estimates([Query((0, 1), (1, 2), 4)] * 50, "P@4", draws=400)
    assert found.overall == pytest.approx(found.mean.mean(), abs=1e-12)
    assert found.overall_high - found.overall_low < (found.high - found.low).min() / 4
    assert found.overall_low < found.overall < found.overall_high


def test_queries_that_do_not_count_are_not_in_the_mean() -> None:
    counts, nothing_to_find = Query((1, 0), (1, 2), 2), Query((0, 0), (1, 2), 3)
    queries = [counts, nothing_to_find]
    assert estimates(queries, "P@2", draws=5).overall == 1 / 2
    as_zero = estimates(queries, "P@2", draws=5, settled=np.array([0.5, 0.0]))
    assert as_zero.mean.tolist() == [1 / 2, 0]
    assert as_zero.overall == 1 / 4
    weighted = estimates(
        queries, "P@2", draws=5, settled=np.array([0.5, 0.0]), weight=np.array([3.0, 1.0])
    )
    assert weighted.overall == 3 / 8
    none = estimates(queries, "P@2", draws=5, settled=np.full(2, np.nan))
    assert np.isnan([none.overall, *none.mean]).all()


# -- what draws depend on --------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_numbers_and_another_one_others() -> None:
    queries = some_queries()
    found = estimates(queries, "nDCG@5", draws=50, seed=3)
    assert the_same(found, estimates(queries, "nDCG@5", draws=50, seed=3))
    assert not the_same(found, estimates(queries, "nDCG@5", draws=50, seed=4))


def test_the_draws_are_the_same_on_every_machine() -> None:
    # Philox of four 64-bit words, ten rounds; its key is the seed and the hash of the query's id.
    assert _Chances(["q1"], np.array([2]), 7).next(2).tolist() == [
        [5872696345697652144, 15767862808294130990],
        [13939376014812272463, 1505388223670171281],
    ]
    key = np.array([7, int.from_bytes(sha256(b"q1").digest()[:8], "little")], np.uint64)
    assert np.random.Philox(key=key).random_raw() == 5872696345697652144
    # Three grades share the 2^64 numbers: 0 up to a third, 1 up to two thirds, then 5.
    bits = np.array([[2**64 // 3 - 2**32, 2**64 // 3 + 2**32, 2**64 - 1]], np.uint64)
    grades = Ragged(np.array([0.0, 1, 5]), np.array([3]))
    assert _labels(bits, grades, np.zeros(3, np.int64)).tolist() == [[0, 1, 5]]


def test_a_query_draws_the_same_whoever_else_is_there() -> None:
    queries = some_queries()
    names = [f"query {at}" for at in range(len(queries))]
    found = estimates(queries, "AP", draws=30, names=names)
    for at, query in enumerate(queries):
        alone = estimates([query], "AP", draws=30, names=[names[at]])
        for name in ("mean", "low", "high", "drawn"):
            np.testing.assert_array_equal(getattr(alone, name)[0], getattr(found, name)[at])


def test_the_order_of_the_judgments_changes_nothing() -> None:
    one, other = Query((3, 0, 1, 2), (0, 0, 1, 3), 6), Query((0, 3, 1, 2), (0, 0, 1, 3), 6)
    assert the_same(
        estimates([one], "nDCG@6", draws=40, prior="pool"),
        estimates([other], "nDCG@6", draws=40, prior="pool"),
    )


@pytest.mark.parametrize("room", [1, 50, 1000])
def test_how_much_is_scored_at_once_changes_nothing(
    room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries = some_queries()
    whole = estimates(queries, "nDCG@8", draws=25)
    monkeypatch.setattr(labelling, "_ROOM", room)
    assert the_same(whole, estimates(queries, "nDCG@8", draws=25))


def test_the_largest_grade_that_anybody_gave_is_that_of_all_queries(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queries = [Query((3,), (1,), 2), Query((1,), (1,), 2)]
    monkeypatch.setattr(labelling, "_ROOM", 1)
    found = estimates(queries, "nDCG@2", draws=3, axes={"ideal": "slots:max"})
    assert found.mean.tolist() == pytest.approx([1, 1 / 7], abs=4e-16)


# -- refusals --------------------------------------------------------------------------------------


def refusal(name: str, **how: Any) -> str:
    with pytest.raises(UsageError) as error:
        estimates([Query((1,), (1,), 3)], name, **how)
    return str(error.value)


def test_priors_are_run_and_pool() -> None:
    assert refusal("P@3", prior="rum") == (
        "error[E01 usage]: 'rum' is not a prior of estimates; did you mean run?\n"
        "help: accepted: run, pool"
    )


def test_measures_that_read_no_grades_are_refused() -> None:
    assert refusal("Unjudged@3") == (
        "error[E01 usage]: Unjudged@3 reads no grades, so that drawing some changes nothing\n"
        "help: a measure such as nDCG@10 or P@10"
    )


@pytest.mark.parametrize(("draws", "seed"), [(0, 0), (5, -1), (5, 2**64)])
def test_draws_and_seeds_that_cannot_be_are_refused(draws: int, seed: int) -> None:
    assert refusal("P@3", draws=draws, seed=seed) == (
        f"error[E01 usage]: {draws} draws with seed {seed} cannot be made\n"
        "help: 1 draw or more, a seed from 0 to 2^64 - 1"
    )


def test_conventions_under_which_unjudged_documents_take_no_grade_are_refused() -> None:
    assert refusal("P@3", axes={"ties": "expected"}).startswith(
        "error[E06 ties]: ties:expected has no bounds or estimates for unjudged documents: "
    )
    assert refusal("P@3", axes={"unjudged": "drop"}).startswith(
        "error[E01 usage]: unjudged:drop has no bounds or estimates for unjudged documents: "
    )
    # Unlike bounds, what is drawn is scored by any ideal.
    found = estimates([Query((1,), (1,), 3)], "nDCG@3", draws=3, axes={"ideal": "retrieved"})
    assert found.mean[0] == 1


def test_the_whole_run_is_needed() -> None:
    chance = np.random.default_rng(5)
    grades = np.where(chance.random((9, 60)) < 0.4, chance.integers(0, 4, (9, 60)), np.nan)
    measure, given = inputs(grades, chance.random((9, 60)), "nDCG@5")
    part = Scoring(
        given.judgments, given.systems[0], Convention(), Tables(), [measure], explicit_order=False
    )._list(Convention())
    with pytest.raises(ValueError, match="the whole run is needed"):
        estimate_unjudged(part, measure, [*map(str, range(9))])
