"""Intervals, tests and corrections: against SciPy and statsmodels, and by simulation."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
import scipy.stats
from numpy.typing import NDArray
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower

import ndcg
from ndcg.statistics import distributions, signs
from ndcg.statistics.families import benjamini_hochberg, holm, randomised_tukey
from ndcg.statistics.intervals import METHODS, Bounds, interval_of
from ndcg.statistics.paired import (
    detectable,
    queries_needed,
    randomised_p,
    shape_of,
    smallest_p,
    t_p,
)
from ndcg.statistics.sample import Sample

Floats = NDArray[np.float64]
SHARE = Bounds(0.0, 1.0)
PAIR = [(0, 1)]


def both(difference: Floats) -> Floats:
    """Two systems that differ by so much."""
    return np.array([np.zeros(len(difference)), difference])


# -- distributions ---------------------------------------------------------------------------------


@pytest.mark.parametrize("df", [1, 1.7, 2, 9, 49, 999, 6999])
def test_student_is_that_of_scipy(df: float) -> None:
    for p in (0.001, 0.3, 0.5, 0.8, 0.975, 0.9999):
        assert distributions.t_quantile(p, df) == pytest.approx(scipy.stats.t.ppf(p, df), rel=1e-9)
    for t in (-3.0, 0.0, 0.1, 2.5, 20.0):
        assert distributions.t_below(t, df) == pytest.approx(scipy.stats.t.cdf(t, df), rel=1e-9)
        two = 2 * scipy.stats.t.sf(abs(t), df)
        assert distributions.t_two_sided(t, df) == pytest.approx(two, rel=1e-9)
    assert distributions.t_below(math.inf, df) == 1
    assert distributions.t_two_sided(-math.inf, df) == 0


@pytest.mark.parametrize("df", [1, 9, 499, 7000])
def test_noncentral_student_is_that_of_scipy(df: int) -> None:
    for delta, t in itertools.product((-2.0, 0.0, 0.5, 2.8, 40.0), (-3.0, 0.0, 1.0, 5.0, 41.0)):
        expected = scipy.stats.nct.cdf(t, df, delta)
        if math.isnan(expected):  # SciPy does not know the far tail
            expected = 0.0
        assert distributions.noncentral_t_below(t, df, delta) == pytest.approx(expected, abs=1e-11)


def test_beta_and_normal_are_those_of_scipy() -> None:
    for hits, n in ((1, 5), (3, 50), (1500, 3000)):
        mine = distributions.beta_quantile(0.025, hits, n - hits + 1)
        assert mine == pytest.approx(scipy.stats.beta.ppf(0.025, hits, n - hits + 1), rel=1e-12)
    for z in (-3.0, 0.0, 1.96):
        assert distributions.normal_below(z) == pytest.approx(scipy.stats.norm.cdf(z), rel=1e-14)
    assert distributions.normal_quantile(0.975) == pytest.approx(scipy.stats.norm.ppf(0.975))


# -- intervals -------------------------------------------------------------------------------------


def test_student_and_the_bootstraps_are_those_of_scipy() -> None:
    score = np.random.default_rng(1).beta(2.2, 2, 300)
    t = interval_of(score, method="t")
    assert t is not None
    expected = scipy.stats.t.interval(0.95, 299, score.mean(), scipy.stats.sem(score))
    assert t[:2] == pytest.approx(expected, rel=1e-12)
    for method, name in (("percentile", "percentile"), ("bca", "BCa")):
        mine = interval_of(score, method=method)
        theirs = scipy.stats.bootstrap((score,), np.mean, method=name, rng=1, n_resamples=9999)
        assert mine is not None
        assert mine[:2] == pytest.approx([*theirs.confidence_interval], abs=0.004)


def test_the_augmented_interval_is_student_with_a_score_at_each_bound() -> None:
    score = np.array([1.0, 1.0, 0.9, 1.0])
    found, more = interval_of(score, bounds=SHARE), np.append(score, [0.0, 1.0])
    assert found is not None
    low, high = scipy.stats.t.interval(0.95, 5, more.mean(), scipy.stats.sem(more))
    assert found.method == "augmented-t"
    assert found[:2] == pytest.approx((max(low, 0), min(high, 1)), rel=1e-12)


@pytest.mark.parametrize(("hits", "n"), [(0, 8), (3, 8), (8, 8), (120, 400)])
def test_shares_of_successes_have_the_interval_of_clopper_and_pearson(hits: int, n: int) -> None:
    found = interval_of(np.append(np.ones(hits), np.zeros(n - hits)), bounds=SHARE)
    expected = scipy.stats.binomtest(hits, n).proportion_ci(method="exact")
    assert found is not None
    assert found.method == "clopper-pearson"
    assert found[:2] == pytest.approx([*expected], abs=1e-12)


def test_which_interval_is_chosen() -> None:
    rng = np.random.default_rng(2)
    middle = rng.beta(2, 2, 200)

    def method(score: Floats, bounds: Bounds | None = SHARE, weight: Floats | None = None) -> str:
        found = interval_of(score, weight, bounds=bounds)
        assert found is not None
        return found.method

    assert method(middle) == "t"
    assert method(middle[:99]) == "augmented-t"
    assert method(middle[:99], None) == "t"  # DCG and others have no bounds
    assert method(np.where(np.arange(200) < 100, 1.0, middle)) == "augmented-t"  # half at a bound
    assert method(1 - np.append(np.zeros(197), [0.3, 0.2, 0.4])) == "augmented-t"  # near a bound
    assert method(np.tile([0.2, 0.4, 0.6, 0.8], 50)) == "augmented-t"  # few different values
    binary = np.tile([0.0, 1.0], 100)
    assert method(binary) == "clopper-pearson"
    assert method(binary, weight=np.arange(1.0, 201.0)) == "augmented-t"


def test_equal_weights_are_no_weights_and_others_have_their_effective_size() -> None:
    score = np.random.default_rng(3).beta(2, 2, 30)
    for method in ("t", "augmented-t", "percentile", "bca"):
        plain = interval_of(score, bounds=SHARE, method=method)
        same = interval_of(score, np.full(30, 7.0), bounds=SHARE, method=method)
        assert plain is not None
        assert same is not None
        assert plain[:2] == pytest.approx(same[:2], rel=1e-12)
    twice = np.repeat(score, 2)
    weight = np.tile([1.0, 0.0], 30)  # every second score counts nothing
    assert interval_of(twice, weight, method="t") == interval_of(score, np.ones(30), method="t")
    sample = Sample.of(np.array([0.0, 1.0, 0.5]), np.array([1.0, 1.0, 2.0]))
    assert (sample.n_effective, sample.mean) == (16 / 6, 0.5)


def test_resampling_is_seeded_and_grows_with_the_level() -> None:
    score = np.random.default_rng(4).beta(2, 2, 40)
    for method in ("percentile", "bca"):
        one = interval_of(score, method=method, seed=5)
        assert one == interval_of(score, method=method, seed=5)
        assert one != interval_of(score, method=method, seed=6)
    for method in ("t", "augmented-t", "percentile", "bca", "betting"):
        widths = []
        for level in (0.8, 0.95, 0.99):
            found = interval_of(score, bounds=SHARE, method=method, level=level)
            assert found is not None
            widths.append(found.high - found.low)
        assert widths == sorted(widths)
        assert widths[0] < widths[-1]


def test_degenerate_scores_have_an_interval_or_none() -> None:
    assert interval_of(np.array([]), bounds=SHARE) is None
    assert interval_of(np.array([0.5]), bounds=SHARE) is None
    assert interval_of(np.array([0.5, 0.6]), method="none") is None
    assert interval_of(np.array([0.5, 0.6]), np.array([1.0, 0.0]), method="t") is None
    assert interval_of(np.array([1e308, -1e308, 1e308]), method="t") is None
    constant = interval_of(np.full(10, 0.5), bounds=SHARE)
    assert constant is not None
    assert constant.low < 0.5 < constant.high  # a point would promise what nobody knows
    for method in ("percentile", "bca", "t"):
        found = interval_of(np.full(10, 0.5), method=method)
        assert found is not None
        assert found[:2] == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize(
    ("method", "score", "bounds", "weight", "said"),
    [
        ("exact", [0.5, 0.6], SHARE, None, "'exact' is not an interval"),
        ("betting", [0.5, 0.6], None, None, "betting needs scores between two bounds"),
        ("augmented-t", [0.5, 9.0], None, None, "augmented-t needs scores between two bounds"),
        ("clopper-pearson", [0.5, 1.0], SHARE, None, "clopper-pearson is of scores that are all"),
        ("clopper-pearson", [0.0, 1.0], SHARE, [1.0, 2.0], "all 0 or 1, and count alike"),
        ("betting", [0.0, 1.0], SHARE, [1.0, 2.0], "betting is of scores that count alike"),
    ],
)
def test_an_interval_that_does_not_fit_is_refused(
    method: str, score: list[float], bounds: Bounds | None, weight: list[float] | None, said: str
) -> None:
    weights = None if weight is None else np.array(weight)
    with pytest.raises(ndcg.UsageError, match=said):
        interval_of(np.array(score), weights, bounds=bounds, method=method)


def test_a_level_is_between_0_and_1() -> None:
    for level in (0.0, 1.0, -1.0, math.nan):
        with pytest.raises(ndcg.UsageError, match="an interval cannot have the level"):
            interval_of(np.array([0.5, 0.6]), level=level)


# -- coverage, as it was measured before the defaults were chosen ----------------------------------

Draw = Callable[[np.random.Generator, int], Floats]
REACHED = 1 / np.log2(np.arange(2, 12))  # of one relevant document at ranks 1 to 10


def graded(rng: np.random.Generator, n: int) -> Floats:
    """A: values in the middle, as of graded nDCG."""
    return rng.beta(2.2, 2.0, n)


def one_relevant(rng: np.random.Generator, n: int) -> Floats:
    """B: one relevant document a query: 42 % at rank 1, 27 % not found."""
    values = np.concatenate([[0.0], REACHED])
    chance = np.concatenate([[0.27, 0.42], np.full(9, 0.31 / 9)])
    return rng.choice(values, size=n, p=chance)


def near_ceiling(rng: np.random.Generator, n: int) -> Floats:
    """C: 90 % ones."""
    return np.where(rng.random(n) < 0.9, 1.0, rng.choice(REACHED[1:], n))


def tied_differences(rng: np.random.Generator, n: int) -> Floats:
    """D: 60 % ties, small wins, heavier losses."""
    kind = rng.random(n)
    return np.where(kind < 0.6, 0.0, np.where(kind < 0.85, rng.beta(2, 8, n), -rng.beta(2, 5, n)))


@pytest.mark.parametrize("n", [20, 50, 200])
@pytest.mark.parametrize("draw", [graded, one_relevant, near_ceiling, tied_differences])
def test_default_intervals_hold_what_they_promise(draw: Draw, n: int) -> None:
    rng = np.random.default_rng(n)
    bounds = None if draw is tied_differences else SHARE
    mean = float(draw(np.random.default_rng(0), 2_000_000).mean())
    found = [interval_of(draw(rng, n), bounds=bounds) for _ in range(2000)]
    covered = np.mean([one is not None and one.low <= mean <= one.high for one in found])
    assert 0.935 <= covered <= 0.999


def test_the_betting_interval_covers_more_and_is_not_useless() -> None:
    rng = np.random.default_rng(7)
    found = [interval_of(graded(rng, 50), bounds=SHARE, method="betting") for _ in range(300)]
    covered = [one is not None and one.low <= 2.2 / 4.2 <= one.high for one in found]
    assert np.mean(covered) >= 0.98
    assert np.mean([one.high - one.low for one in found if one]) == pytest.approx(0.166, abs=0.02)


# -- paired tests ----------------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(2, 11))
def test_p_is_that_of_all_permutations(n: int) -> None:
    rng = np.random.default_rng(n)
    for difference in (rng.normal(0.1, 0.2, n), rng.choice([-0.5, 0.0, 0.25], n)):
        (mine,) = randomised_p(both(difference), PAIR)
        theirs = scipy.stats.permutation_test(
            (difference, np.zeros(n)), lambda a, b, axis: (a - b).mean(axis=axis),
            permutation_type="samples", n_resamples=np.inf, vectorized=True,
        )  # fmt: skip
        assert mine.exact
        assert mine.error == 0
        assert mine.p == pytest.approx(theirs.pvalue, rel=1e-12)


def test_p_by_drawing_is_near_that_of_all_signs_and_never_0() -> None:
    rng = np.random.default_rng(1)
    difference = rng.normal(0.05, 0.2, 16)
    (exact,) = randomised_p(both(difference), PAIR)
    beside = np.append(difference, [1e-9])  # one more, which moves nothing
    (drawn,) = randomised_p(both(beside), PAIR, draws=40_000)
    assert (exact.exact, drawn.exact) == (True, False)
    assert abs(exact.p - drawn.p) < 4 * drawn.error
    (certain,) = randomised_p(both(np.full(40, 0.5)), PAIR, draws=999)
    assert certain.p == 1 / 1000


def test_student_beside_it_is_that_of_scipy() -> None:
    difference = np.random.default_rng(1).normal(0.05, 0.2, 40)
    expected = scipy.stats.ttest_1samp(difference, 0).pvalue
    assert t_p(Sample.of(difference)) == pytest.approx(expected, rel=1e-9)
    assert t_p(Sample.of(np.full(5, 0.25))) is None
    assert t_p(Sample.of(np.array([0.25]))) is None


def test_differences_of_rounding_are_none() -> None:
    noise = np.array([0.1 + 0.2 - 0.3, 0.0, 1e-16])
    assert noise.any()
    base = np.array([0.3, 0.5, 0.2])
    assert randomised_p(np.array([base, base + noise]), PAIR)[0].p == 1


@pytest.mark.parametrize(
    ("draw", "n", "low"),
    [
        (lambda rng, n: rng.normal(0, 0.15, n), 50, 0.04),
        (lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.normal(0, 0.15, n)), 200, 0.04),
        (lambda rng, n: np.where(rng.random(n) < 0.8, 0.0, rng.normal(0, 0.15, n)), 25, 0.0),
    ],
)
def test_the_default_test_holds_its_level(draw: Draw, n: int, low: float) -> None:
    rng = np.random.default_rng(11)
    p = [randomised_p(both(draw(rng, n)), PAIR, draws=499)[0].p for _ in range(3000)]
    assert low <= np.mean(np.array(p) <= 0.05) <= 0.06


# -- signs -----------------------------------------------------------------------------------------


def test_signs_depend_on_seed_draw_and_query_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = np.concatenate([*signs.Flips(3, 100, 70).blocks()])
    assert whole.shape == (100, 70)
    assert {*whole.ravel().tolist()} == {0.0, 1.0}
    assert (signs.Flips(3, 1000, 70).block(40, 5) == whole[40:45]).all()
    assert (signs.Flips(4, 100, 70).block(0, 100) != whole).any()
    monkeypatch.setattr(signs, "_NUMBERS", 700)
    assert (np.concatenate([*signs.Flips(3, 100, 70).blocks()]) == whole).all()
    assert abs(whole.mean() - 0.5) < 0.03


def test_pairs_share_signs_so_that_neither_their_number_nor_their_order_changes_a_digit() -> None:
    scores = np.random.default_rng(5).beta(2, 2, (4, 90))
    pairs = [(0, 1), (0, 2), (3, 1)]
    together = randomised_p(scores, pairs, draws=500, seed=9)
    assert together == [randomised_p(scores, [one], draws=500, seed=9)[0] for one in pairs]
    assert together[::-1] == randomised_p(scores, pairs[::-1], draws=500, seed=9)


# -- families --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [1, 2, 7, 30])
def test_corrections_are_those_of_statsmodels(number: int) -> None:
    p = (np.random.default_rng(number).random(number) ** 3).round(2).tolist()
    assert holm(p) == pytest.approx(multipletests(p, method="holm")[1])
    assert benjamini_hochberg(p) == pytest.approx(multipletests(p, method="fdr_bh")[1])


def test_tukey_is_never_below_the_uncorrected_p_but_for_drawing() -> None:
    scores = np.random.default_rng(6).beta(2, 2, (4, 60))
    scores[3] += 0.03
    pairs = [*itertools.combinations(range(4), 2)]
    tukey = randomised_tukey(scores, pairs, draws=4000)
    alone = randomised_p(scores, pairs, draws=4000)
    assert all(one >= two.p - 4 * two.error for one, two in zip(tukey, alone, strict=True))
    two = randomised_tukey(scores[:2], PAIR, draws=20_000)[0]
    assert two == pytest.approx(randomised_p(scores[:2], PAIR, draws=20_000)[0].p, abs=0.02)


def test_tukey_holds_the_level_of_the_family() -> None:
    rng = np.random.default_rng(8)
    pairs = [*itertools.combinations(range(6), 2)]
    false = 0
    for _ in range(300):
        scores = rng.beta(1.5, 1.8, 50) + rng.normal(0, 0.1, (6, 50))
        false += min(randomised_tukey(scores, pairs, draws=200)) <= 0.05
    assert false / 300 <= 0.06


# -- sizes -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deviation", "needed"),
    [(0.15, (7066, 1768, 444, 73)), (0.25, (19625, 4908, 1229, 199)),
     (0.35, (38462, 9617, 2406, 387))],
)  # fmt: skip
def test_queries_needed_are_those_of_statsmodels(deviation: float, needed: tuple[int, ...]) -> None:
    for difference, number in zip((0.005, 0.01, 0.02, 0.05), needed, strict=True):
        assert queries_needed(difference, deviation) == number
        exact = TTestPower().solve_power(difference / deviation, alpha=0.05, power=0.8)
        assert number == math.ceil(exact)
        assert detectable(deviation, number) == pytest.approx(difference, rel=0.01)


def test_what_needs_no_queries_or_all_there_are() -> None:
    assert queries_needed(0.0, 0.1) is None
    assert queries_needed(0.1, math.nan) is None
    assert queries_needed(1e-9, 0.5) is None
    assert queries_needed(0.1, 0.0) == 2
    assert queries_needed(10.0, 0.1) == 2
    assert detectable(0.1, 1.0) == math.inf
    assert [smallest_p(n) for n in (0, 1, 5, 6)] == [1.0, 1.0, 0.0625, 0.03125]


def test_the_shape_of_differences() -> None:
    shape = shape_of(Sample.of(np.array([0.1] * 8 + [0.0] * 4 + [-1.0])))
    assert shape[:3] == (8, 4, 1)
    assert shape.most == pytest.approx(1 / 1.8)
    assert shape.top == pytest.approx(1.4 / 1.8)
    assert [one.split(" (")[0] for one in shape.doubts] == [
        "only 9 queries differ",
        "differences are skewed",
        "one query carries 56% of all differences",
    ]
    assert shape_of(Sample.of(np.zeros(5))).doubts == ()
    assert shape_of(Sample.of(np.tile([0.1, -0.1], 20))).doubts == ()


def test_every_method_is_named_once() -> None:
    assert len({*METHODS}) == len(METHODS)
    assert METHODS[0] == "auto"
