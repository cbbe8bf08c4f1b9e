"""Bounds of what unjudged documents could change: worked examples, all labellings, refusals."""

from __future__ import annotations

from itertools import product
from math import log2
from random import Random
from typing import Any

import numpy as np
import pytest

from labellings import (
    DISCOUNTS,
    SCALES,
    Query,
    dcgs,
    every_labelling,
    gain,
    lists_of,
    ndcg_ends,
    ndcgs,
    random_query,
    table_for,
)
from ndcg import Convention, UsageError, evaluate
from ndcg.diagnose.bounds import Bounds, unjudged_bounds
from ndcg.diagnose.bounds_cumulated import _Queries, _Sums
from ndcg.diagnose.labelling import spots_of
from ndcg.diagnose.scorer import inputs
from ndcg.evaluation.asked import Tables
from ndcg.evaluation.scoring import Scoring
from ndcg.kernel import Floats
from ndcg.measures.registry import parse

# What a sum of a dozen terms, divided by another one, may differ by if it is added otherwise.
ROUNDING = 4e-16

# Ranks: B 1, X 2, A 3; C and D are missed. X is not judged.
CARDS = Query((2, 3, 1, 0), (1, 3, 0, 0), 3)


def bounds(
    queries: list[Query], name: str, highest: int, *, retrieved: bool = False, **axes: Any
) -> Bounds:
    return unjudged_bounds(
        lists_of(queries, Convention(**axes)), parse(name)[0], highest, retrieved=retrieved
    )


def ends(query: Query, name: str, highest: int, **how: Any) -> tuple[float, float]:
    found = bounds([query], name, highest, **how)
    return float(found.low[0]), float(found.high[0])


# -- worked examples -------------------------------------------------------------------------------


def test_a_document_above_the_best_one_raises_the_ideal_less_than_it_raises_the_ranking() -> None:
    low, high = ends(CARDS, "nDCG@3", 3)
    assert low == pytest.approx((3 + 7 / 2) / (7 + 3 / log2(3) + 1 / 2), abs=ROUNDING)
    assert high == pytest.approx(
        (3 + 7 / log2(3) + 7 / 2) / (7 + 7 / log2(3) + 3 / 2), abs=ROUNDING
    )


def test_a_better_document_below_a_worse_one_lowers_ndcg() -> None:
    only_the_first_is_judged = Query((1,), (1,), 2)
    low, high = ends(only_the_first_is_judged, "nDCG@2", 3)
    assert high == 1
    assert low == pytest.approx((1 + 7 / log2(3)) / (7 + 1 / log2(3)), abs=ROUNDING)


def test_the_best_label_may_be_neither_0_nor_the_highest() -> None:
    a_first_and_b_missed = Query((0, 1, 1), (0, 1, 0), 2)
    one = (1 + 1 / log2(3)) / (1 + 1 / log2(3))
    three = (1 + 7 / log2(3)) / (7 + 1 / log2(3))
    none = 1 / (1 + 1 / log2(3))
    assert none < three < one
    low, high = ends(a_first_and_b_missed, "nDCG@2", 3)
    assert (low, high) == (pytest.approx(none, abs=ROUNDING), one)


def test_documents_below_the_cutoff_only_raise_the_ideal() -> None:
    two_below = Query((2,), (1,), 3)
    assert ends(two_below, "nDCG@1", 2) == (1, 1)
    assert ends(two_below, "nDCG@1", 3, retrieved=True) == (pytest.approx(3 / 7, abs=ROUNDING), 1)
    low, high = ends(two_below, "R(rel=2)@1", 2, retrieved=True)
    assert (low, high) == (1 / 3, 1)


def test_each_document_at_its_best_is_not_the_best_of_all() -> None:
    # The ideal holds two documents: the second label costs it nothing once the first is there.
    query = Query((1, 1), (0, 0), 3)
    low, high = ends(query, "nDCG@2", 1)
    assert (low, high) == (0, 1)
    assert bounds([query], "nDCG@2", 1).labelled.tolist() == [2]


def test_average_precision_counts_a_further_relevant_document_above_and_below() -> None:
    query = Query((1, 1), (2, 0), 3)  # X, relevant, Y; one is missed
    values = {
        (0, 0): (1 / 2) / 2,
        (1, 0): (1 / 1 + 2 / 2) / 3,
        (0, 1): (1 / 2 + 2 / 3) / 3,
        (1, 1): (1 / 1 + 2 / 2 + 3 / 3) / 4,
    }
    assert ends(query, "AP", 1) == (min(values.values()), max(values.values()))


def test_precision_success_and_reciprocal_rank_rise_with_every_label() -> None:
    query = Query((1,), (3,), 5)
    assert ends(query, "P@4", 1) == (1 / 4, 4 / 4)
    assert ends(query, "Success@2", 1) == (0, 1)
    assert ends(query, "RR@4", 1) == (1 / 3, 1)
    assert ends(query, "DCG@3", 2) == (1 / 2, pytest.approx(3 + 3 / log2(3) + 1 / 2))


def test_f_is_lowest_when_what_lies_below_the_cutoff_is_relevant() -> None:
    query = Query((1,), (1,), 3)
    precision = 1 / 2
    low = 2 * precision * (1 / 2) / (precision + 1 / 2)  # the third is relevant, and missed
    assert ends(query, "F@2", 1, retrieved=True) == (low, 1)
    assert ends(query, "F@2", 1) == (pytest.approx(2 * precision / (precision + 1)), 1)


def test_rbp_lies_between_its_value_and_the_value_with_its_residual() -> None:
    query = Query((1,), (1,), 3)
    low, high = ends(query, "RBP(p=0.5)", 1)
    assert low == 0.5
    assert high == 0.5 + 0.5 * (0.5 + 0.25) + 0.5**3 == 1.0
    assert not bounds([query], "RBP(p=0.5)", 1).exact[0]
    assert ends(Query((1, 0), (1, 2), 2), "RBP(p=0.5)", 1) == (0.5, 0.5 + 0.5**2)


# -- which queries have bounds, and which documents count ------------------------------------------

NAMES = ["nDCG@5", "nDCG", "DCG@5", "P@5", "R@5", "AP", "RR", "Success@5", "F@5", "RBP@5"]


@pytest.mark.parametrize("name", NAMES)
def test_a_query_with_nothing_to_find_has_no_bounds_and_an_unanswered_one_its_value(
    name: str,
) -> None:
    found = bounds([Query((0, 0), (1, 0), 4), Query((1, 2), (0, 0), 0)], name, 3)
    assert np.isnan([found.low[0], found.high[0]]).all()
    assert (found.low[1], found.high[1], found.exact[1], found.labelled[1]) == (0, 0, True, 0)


@pytest.mark.parametrize("name", NAMES)
def test_without_unjudged_documents_both_ends_are_the_value(name: str) -> None:
    queries = [Query((3, 0, 1), (1, 2, 0), 2)]
    lists, measure = lists_of(queries, Convention()), parse(name)[0]
    found = unjudged_bounds(lists, measure, 3)
    assert found.low.tolist() == measure.value(lists).tolist()
    if name != "RBP@5":  # what may follow is not judged either
        assert found.high.tolist() == found.low.tolist()
        assert found.exact.all()


@pytest.mark.parametrize("name", [*NAMES, "nDCG(discount=none)@5", "nDCG(gain=linear)@7"])
def test_the_value_lies_between_its_bounds_to_the_last_bit(name: str) -> None:
    chance = Random(20261131)  # noqa: S311 -- examples, not secrets
    queries = [random_query(chance, 9, [0, 1, 2, 3], 12) for _ in range(300)]
    measure = parse(name)[0]
    lists = lists_of(queries, measure.convention(Convention()))
    found, value = unjudged_bounds(lists, measure, 3), measure.value(lists)
    some = ~measure.empty(lists)
    assert ((found.low <= value) & (value <= found.high))[some].all()
    assert (found.high > found.low)[some].any()


@pytest.mark.parametrize("name", ["nDCG@5", "AP", "R(rel=2)@3", "RBP@5"])
def test_the_bounds_of_a_query_do_not_depend_on_the_others(name: str) -> None:
    chance = Random(7)  # noqa: S311 -- examples, not secrets
    queries = [random_query(chance, 8, [0, 0.5, 2, 3], 12) for _ in range(40)]
    found = bounds(queries, name, 4, retrieved=True)
    for at, query in enumerate(queries):
        alone = bounds([query], name, 4, retrieved=True)
        for one, many in zip(alone, found, strict=True):
            np.testing.assert_array_equal(one[0], many[at])


def test_labels_below_the_threshold_change_nothing_about_relevance() -> None:
    query = Query((3, 3), (2, 0), 4)
    for name in (
        "P(rel=3)@4",
        "AP(rel=3)",
        "RR(rel=3)",
        "R(rel=3)@4",
        "F(rel=3)@4",
        "RBP(rel=3)@4",
    ):
        low, high = ends(query, name, 2)
        assert low == high
        assert ends(query, name, 3) > (low, high)


def test_a_document_judged_negatively_is_judged_unless_the_convention_says_otherwise() -> None:
    query = Query((-1, 1), (1, 2), 2)
    assert bounds([query], "P@2", 1).labelled.tolist() == [0]
    assert ends(query, "P@2", 1, negative="unjudged") == (1 / 2, 2 / 2)
    assert ends(query, "P@2", 1, negative="remove") == (1 / 2, 1 / 2)


def test_a_run_cut_by_the_convention_has_no_documents_to_label_below() -> None:
    queries = {"q": {"a": 1}}
    run = {"q": ["a", "x", "y", "z"]}
    (measure,), given = [parse("P@4")[0]], inputs(queries, run, "P@4")[1]
    scoring = Scoring(
        given.judgments, given.systems[0], Convention(depth=2, order_by="position"), Tables(),
        [measure], explicit_order=True, whole=True,
    )  # fmt: skip
    found = unjudged_bounds(scoring._list(scoring.convention(measure)), measure, 1)
    assert (found.low[0], found.high[0], found.labelled[0]) == (1 / 4, 2 / 4, 1)


def test_bounds_of_the_top_k_need_no_more_of_a_run_than_the_top_k() -> None:
    chance = np.random.default_rng(5)
    grades = np.where(chance.random((20, 60)) < 0.4, chance.integers(0, 4, (20, 60)), np.nan)
    scores = chance.random((20, 60))
    measure, given = inputs(grades, scores, "nDCG@5")
    part, whole = (
        Scoring(
            given.judgments, given.systems[0], Convention(), Tables(), [measure],
            explicit_order=False, whole=all_of_it,
        )._list(Convention())
        for all_of_it in (False, True)
    )  # fmt: skip
    assert part.ranked.leading is not None
    for one, other in zip(
        unjudged_bounds(part, measure, 4), unjudged_bounds(whole, measure, 4), strict=True
    ):
        np.testing.assert_array_equal(one, other)
    with pytest.raises(ValueError, match="the whole run is needed"):
        unjudged_bounds(part, measure, 4, retrieved=True)


def test_both_ends_are_values_that_judging_the_documents_would_give() -> None:
    qrels = {"q": {"a": 1.0, "b": 2.0, "m": 1.0}}
    run = {"q": ["x", "a", "y", "b", "z"]}
    measure, given = inputs(qrels, run, "nDCG@5")
    scoring = Scoring(
        given.judgments, given.systems[0], Convention(order_by="position"), Tables(), [measure],
        explicit_order=True, whole=True,
    )  # fmt: skip
    found = unjudged_bounds(scoring._list(scoring.convention(measure)), measure, 3)
    values = []
    for x, y, z in product(range(4), repeat=3):
        labelled = {"q": {**qrels["q"], "x": x, "y": y, "z": z}}
        values.append(evaluate(labelled, run, "nDCG@5")["nDCG@5"].mean)
    assert (found.low[0], found.high[0]) == (min(values), max(values))


# -- all labellings --------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["exp2", "linear", "binary", "exp2_plus", "judged", "table"])
def test_ndcg_lies_between_the_bounds_for_every_labelling_and_reaches_them(how: str) -> None:
    chance = Random(f"bounds {how}")  # noqa: S311 -- examples, not secrets
    for _ in range(20):
        highest, scale = chance.randint(1, 4), chance.choice(SCALES)
        k, retrieved = chance.choice([None, *range(3, 11)]), chance.random() < 0.3
        convention = Convention(
            gain=table_for(chance, scale, highest) if how == "table" else how,
            discount=chance.choice(DISCOUNTS),
            ideal_depth=chance.choice(["cutoff", "cutoff", "all", "returned"]),
        )
        queries = [random_query(chance, 6 if highest < 4 else 5, scale) for _ in range(10)]
        name = "nDCG" if k is None else f"nDCG@{k}"
        found = unjudged_bounds(
            lists_of(queries, convention), parse(name)[0], highest, retrieved=retrieved
        )
        assert found.exact.all()
        depth = None if retrieved else k
        for at, query in enumerate(queries):
            low, high = ndcg_ends(query, k, depth, highest, convention)
            assert found.low[at] == pytest.approx(low, abs=ROUNDING, nan_ok=True)
            assert found.high[at] == pytest.approx(high, abs=ROUNDING, nan_ok=True)
            assert found.labelled[at] == len(query.free(depth))


def relevance(name: str, query: Query, extra: list[int], rel: float, k: int | None) -> float:
    """A measure's formula, with further relevant documents at some ranks."""
    own = [rank for rank, grade in zip(query.ranks, query.grades, strict=True) if grade >= rel]
    R = len(own) + len(extra)  # noqa: N806 -- its name in every formula
    hits = sorted(rank for rank in [*own, *extra] if rank and rank <= (k or rank))
    precision = len(hits) / (k or query.returned or 1)
    recall = len(hits) / R if R else 0.0
    return {
        "P": precision,
        "R": recall,
        "RR": 1 / hits[0] if hits else 0.0,
        "AP": sum(n / rank for n, rank in enumerate(hits, 1)) / R if R else 0.0,
        "Success": float(bool(hits)),
        "F": 2 * precision * recall / (precision + recall) if hits else 0.0,
        "RBP": sum(0.2 * 0.8 ** (rank - 1) for rank in hits),
    }[name]


@pytest.mark.parametrize("name", ["P", "R", "RR", "AP", "Success", "F", "RBP"])
def test_measures_of_relevance_lie_between_the_bounds_for_every_labelling(name: str) -> None:
    chance = Random(f"bounds {name}")  # noqa: S311 -- examples, not secrets
    for _ in range(20):
        highest, scale, rel = chance.randint(1, 4), chance.choice(SCALES), chance.randint(1, 3)
        k, retrieved = chance.choice([None, *range(3, 11)]), chance.random() < 0.3
        queries = [random_query(chance, 6, scale) for _ in range(10)]
        notation = f"{name}(rel={rel})" + ("" if k is None else f"@{k}")
        found = bounds(queries, notation, highest, retrieved=retrieved)
        for at, query in enumerate(queries):
            if not any(grade >= rel for grade in query.grades):
                assert np.isnan(found.low[at])
                continue
            free = query.free(None if retrieved else k)
            if highest < rel:
                free = []
            values = [
                relevance(name, query, [rank for rank, hit in zip(free, which, strict=True) if hit],
                          rel, k)
                for which in product([0, 1], repeat=len(free))
            ]  # fmt: skip
            assert found.low[at] == pytest.approx(min(values), abs=ROUNDING)
            if name != "RBP":
                assert found.high[at] == pytest.approx(max(values), abs=ROUNDING)
                assert found.exact[at]
            else:
                assert found.high[at] >= max(values) - ROUNDING


@pytest.mark.parametrize("how", ["exp2", "linear", "exp2_plus"])
def test_dcg_lies_between_no_label_and_the_highest_for_all(how: str) -> None:
    chance = Random(f"bounds of dcg {how}")  # noqa: S311 -- examples, not secrets
    queries = [random_query(chance, 5, [0, 1, 2]) for _ in range(50)]
    found = bounds(queries, "DCG@6", 3, gain=how)
    for at, query in enumerate(queries):
        free = query.free(6)
        labels = every_labelling(3, len(free))
        worth = np.array([gain(label, how) for label in range(4)])[labels.astype(int)]
        judged = np.array([[gain(grade, how) for grade in query.grades]]).repeat(len(labels), 0)
        gains = np.concatenate([judged.reshape(len(labels), -1), worth], axis=1)
        values = dcgs(gains, [*query.ranks, *free], "log2", 6)
        if any(gain(grade, how) > 0 for grade in query.grades):
            assert found.low[at] == pytest.approx(values.min(), rel=ROUNDING)
            assert found.high[at] == pytest.approx(values.max(), rel=ROUNDING)


def random_labels_do_not_pass(queries: list[Query], found: Bounds, k: int | None) -> None:
    """Of documents too many to try all labellings, some random ones, most of them falling."""
    chance = np.random.default_rng(3)
    for at, query in enumerate(queries):
        free = query.free(None)
        labels = chance.integers(0, 4, (200, len(free))).astype(np.float64)
        labels[::2] = -np.sort(-labels[::2], axis=1)
        values = ndcgs(query, free, labels, k, Convention())
        assert (found.low[at] - ROUNDING <= values).all()
        assert (values <= found.high[at] + ROUNDING).all()


@pytest.mark.parametrize("k", [None, 20])
def test_no_labelling_of_many_documents_passes_the_bounds(k: int | None) -> None:
    chance = Random(13)  # noqa: S311 -- examples, not secrets
    queries = [random_query(chance, 60, [0, 1, 2, 3], 80) for _ in range(20)]
    queries = [query for query in queries if any(query.grades)]
    found = bounds(queries, "nDCG" if k is None else f"nDCG@{k}", 3, retrieved=True)
    assert found.labelled.max() > 20
    random_labels_do_not_pass(queries, found, k)


def test_no_cost_grows_with_the_highest_label() -> None:
    query = Query((1, 0.25, 3), (1, 3, 0), 6)
    low, high = ends(query, "nDCG@5", 10**9, gain="linear")
    assert 0 < low < high < 1
    lists = lists_of([query], Convention(gain="linear"))
    sums = _Sums(_Queries(lists, spots_of(lists, 5), 5, 1e9), np.zeros(1, np.int64))
    assert sums.label.tolist() == [[1e9, 3, 1, 0]]


# -- refusals --------------------------------------------------------------------------------------


def refusal(name: str, highest: float = 3, queries: list[Query] | None = None, **axes: Any) -> str:
    lists = lists_of(queries or [CARDS], Convention(**axes))
    with pytest.raises(UsageError) as error:
        unjudged_bounds(lists, parse(name)[0], highest)
    return str(error.value)


def test_other_measures_have_no_bounds() -> None:
    assert refusal("Rprec") == (
        "error[E01 usage]: Rprec has no bounds for what unjudged documents could change\n"
        "help: measures with bounds: nDCG, AP, DCG, P, R, RR, Success, F, RBP"
    )


NO_BOUNDS = "has no bounds or estimates for unjudged documents"


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("ties", ["expected", "best", "worst"])
def test_open_ties_are_refused(name: str, ties: str) -> None:
    assert refusal(name, ties=ties) == (
        f"error[E06 ties]: ties:{ties} {NO_BOUNDS}: "
        "it leaves open at which rank a document stands\n"
        "help: --ties docid_asc, docid_desc, input or reversed (in Python: ties='docid_asc')"
    )


CARED_FOR = "unjudged documents are taken care of already"
DECIDED = "the labels would decide whether a query counts"
RISING = "gains must rise with the grade, from 0 or more at grade 0"
BEST = "the ideal ranking must be the best one of all judged documents"
GAINS = "--gain exp2, linear or binary (in Python: gain='exp2')"
REFUSED = {
    "unjudged:drop": ("P@3", CARED_FOR, "--unjudged zero (in Python: unjudged='zero')"),
    "unjudged:grade:1": ("P@3", CARED_FOR, "--unjudged zero (in Python: unjudged='zero')"),
    "appended:judged": (
        "AP",
        "it puts documents behind the ranking",
        "--axis appended=none (in Python: appended='none')",
    ),
    "min_grade:1": (
        "AP",
        "judgments that do not count would be labelled anew",
        "--axis min_grade=none (in Python: min_grade='none')",
    ),
    "nothing_found:zero": (
        "RR",
        DECIDED,
        "--axis nothing_found=computed (in Python: nothing_found='computed')",
    ),
    "empty_from:ideal": (
        "DCG@3",
        DECIDED,
        "--axis empty_from=judged (in Python: empty_from='judged')",
    ),
    "gain:exp2_i32": ("DCG@3", RISING, GAINS),
    "gain:0=2,1=1,2=3,3=4": ("nDCG@3", RISING, GAINS),
    "ideal:retrieved": ("nDCG@3", BEST, "--ideal judged (in Python: ideal='judged')"),
    "ideal_order:listed": (
        "nDCG@3",
        BEST,
        "--axis ideal_order=gain (in Python: ideal_order='gain')",
    ),
    "rounding:terms:2": (
        "nDCG@3",
        "terms that are cut off do not add up",
        "--axis rounding=none (in Python: rounding='none')",
    ),
}


@pytest.mark.parametrize("setting", REFUSED)
def test_conventions_that_the_proofs_do_not_cover_are_refused(setting: str) -> None:
    name, why, remedy = REFUSED[setting]
    axis, _, value = setting.partition(":")
    assert refusal(name, **{axis: value}) == (
        f"error[E01 usage]: {setting} {NO_BOUNDS}: {why}\nhelp: {remedy}"
    )


@pytest.mark.parametrize("setting", ["ideal:retrieved", "ideal_order:listed", "rounding:terms:2"])
def test_rules_for_the_ideal_do_not_matter_without_one(setting: str) -> None:
    axis, _, value = setting.partition(":")
    for name in ("P@3", "DCG@3"):
        assert bounds([CARDS], name, 3, **{axis: value}).labelled.tolist() == [1]


def test_negative_gains_are_refused() -> None:
    assert refusal("nDCG@3", queries=[Query((-1, 2), (1, 2), 3)], negative="keep") == (
        f"error[E01 usage]: negative:keep {NO_BOUNDS}: there are negative gains\n"
        "help: --negative clamp, unjudged or remove (in Python: negative='clamp')"
    )
    assert bounds([CARDS], "nDCG@3", 3, negative="keep").labelled.tolist() == [1]


def test_a_run_that_lists_documents_twice_is_refused() -> None:
    given = inputs({"q": {"a": 1}}, {"q": ["a", "x", "x"]}, "P@3")[1]
    counted = Convention(duplicates="count", order_by="position")
    measure = parse("P@3")[0]
    scoring = Scoring(
        given.judgments, given.systems[0], counted, Tables(), [measure], explicit_order=True
    )
    with pytest.raises(UsageError) as error:
        unjudged_bounds(scoring._list(counted), measure, 1)
    assert str(error.value) == (
        f"error[E01 usage]: duplicates:count {NO_BOUNDS}: documents are listed more than once "
        "(1 query), and it is not known which\n"
        "help: --duplicates first or last (in Python: duplicates='first')"
    )
    assert bounds([CARDS], "P@3", 3, duplicates="count").labelled.tolist() == [1]


@pytest.mark.parametrize("highest", [-1, 0.5, float("nan"), float("inf")])
def test_the_highest_label_is_a_whole_number(highest: float) -> None:
    text = {-1: "-1", 0.5: "0.5"}.get(highest, str(highest))
    assert refusal("P@3", highest) == (
        f"error[E01 usage]: the highest label {text} is not a whole number from 0 up\n"
        "help: give the top of the scale of grades"
    )


def test_labels_need_a_gain_that_is_finite() -> None:
    help_ = "help: a lower highest label, --gain linear, or a gain table with every grade up to it"
    assert refusal("nDCG@3", 2000) == (
        "error[E01 usage]: grade 2000 has no finite gain under gain:exp2 "
        f"(2^1023 is the largest power a double holds)\n{help_}"
    )
    assert refusal("nDCG@3", 1023) == (
        f"error[E01 usage]: gains of grade 1023 add up to more than a double holds\n{help_}"
    )
    assert refusal("DCG@3", 3, gain="0=0,1=1,3=7") == (
        f"error[E01 usage]: grade 2 is not in the gain table 0=0,1=1,3=7\n{help_}"
    )
    assert refusal("nDCG@3", 10**15, gain="0=0,1=1,2=2,3=7").startswith(
        "error[E01 usage]: grade 4 is not in the gain table"
    )


def test_every_end_of_a_labelling_is_found_by_a_table_of_more_than_one_query() -> None:
    chance = Random(29)  # noqa: S311 -- examples, not secrets
    queries = [random_query(chance, 4, [0, 1, 2]) for _ in range(30)]
    found = bounds(queries, "nDCG@10", 2)
    expected: Floats = np.array([ndcg_ends(query, 10, 10, 2, Convention()) for query in queries])
    np.testing.assert_allclose(np.array([found.low, found.high]).T, expected, rtol=0, atol=ROUNDING)
