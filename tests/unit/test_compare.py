"""Comparisons: pairs by id, verdicts, degenerate inputs, segments, groups, variants, suites."""

from __future__ import annotations

import csv
import json
import math
import shutil
import subprocess
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats

import ndcg
from command import ndcg as command
from command import put
from ndcg.comparison.pairs import CORRECTED_BY, How
from ndcg.comparison.suites import Member, compare_suite, evaluate_suite
from ndcg.statistics.families import randomised_tukey
from ndcg.statistics.intervals import Bounds, stratified_interval
from ndcg.statistics.paired import randomised_p
from ndcg.statistics.sample import Sample

Runs = dict[str, dict[str, dict[str, float]]]
RANKS = (1, 2, 3, 5, 8)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def ranked(ranks: list[int]) -> dict[str, dict[str, float]]:
    """A run whose only relevant document stands at the rank of each query; 0: not found."""
    run = {}
    for number, rank in enumerate(ranks):
        listed = [f"x{at}" for at in range(9)]
        if rank:
            listed.insert(rank - 1, "a")
        run[f"q{number:02}"] = {document: -float(at) for at, document in enumerate(listed)}
    return run


def judged(number: int) -> dict[str, dict[str, int]]:
    return {f"q{at:02}": {"a": 1} for at in range(number)}


def compared(one: list[int], other: list[int], **how: Any) -> Any:
    """The only pair of two runs of these ranks, by reciprocal rank."""
    runs = {"one": ranked(one), "other": ranked(other)}
    (pair,) = ndcg.compare(judged(len(one)), runs, "RR", **how).pairs
    return pair


def random_runs(systems: int, queries: int, seed: int = 1) -> Runs:
    rng = np.random.default_rng(seed)
    return {
        f"s{at}": ranked([int(one) for one in rng.integers(0, 6, queries)]) for at in range(systems)
    }


# -- pairs -----------------------------------------------------------------------------------------


def test_a_pair_says_what_there_is_to_say() -> None:
    one, other = [2, 2, 3, 1, 2, 3, 1, 2], [1, 1, 2, 1, 1, 2, 2, 1]  # as of a reported case
    pair = compared(one, other)
    difference = np.array([1 / b - 1 / a for a, b in zip(one, other, strict=True)])
    assert (pair.baseline, pair.system, pair.n) == ("one", "other", 8)
    assert pair.difference == pytest.approx(difference.mean())
    assert pair.means == pytest.approx((sum(1 / r for r in one) / 8, sum(1 / r for r in other) / 8))
    t = scipy.stats.ttest_1samp(difference, 0)
    assert pair.p_t == pytest.approx(t.pvalue)
    assert pair.interval[:2] == pytest.approx([*t.confidence_interval()])
    assert pair.d_z == pytest.approx(difference.mean() / difference.std(ddof=1))
    assert (pair.shape.wins, pair.shape.ties, pair.shape.losses) == (6, 1, 1)
    signs = np.array([*np.ndindex((2,) * 8)]) * 2 - 1
    sums = np.abs(signs @ difference)
    assert pair.p.exact
    assert pair.p.p == (sums >= abs(difference.sum()) - 1e-12).mean()
    assert pair.smallest_p == 2**-6
    assert pair.wins[0] == ("q00", 0.5)
    assert pair.losses == (("q06", -0.5),)
    assert pair.needed is not None
    assert pair.needed_small > pair.needed


def test_queries_are_joined_by_id() -> None:
    run = ranked([1, 2, 3])
    backwards = dict(reversed(run.items()))
    (pair,) = ndcg.compare(judged(3), {"one": run, "other": backwards}, "RR").pairs
    assert pair.verdict.word == "identical"


def test_only_queries_defined_for_every_system_are_paired() -> None:
    runs = {"one": ranked([1, 2, 3, 1]), "other": ranked([2, 3, 1, 1]), "third": ranked([1, 1, 1])}
    found = ndcg.compare(judged(4), runs, "RR", missing="exclude").results[0]
    assert (found.n, found.undefined) == (3, 1)
    assert {pair.n for pair in found.pairs} == {3}
    assert found.systems[0].mean == pytest.approx((1 + 1 / 2 + 1 / 3) / 3)
    whole = ndcg.compare(judged(4), runs, "RR")
    assert (whole.results[0].n, whole.results[0].systems[2].missing) == (4, 1)
    told = ndcg.compare(judged(4), runs, "RR", missing="exclude").notices
    assert "RR: 1 query without a value for every system, left out for all" in [
        one.what for one in told
    ]


def test_another_rule_for_missing_queries_that_changes_the_verdict_is_said() -> None:
    one = ranked([2, 3, 2, 3, 2, 3, 2, 3, 2, 2])
    other = {query: own for query, own in ranked([1] * 10).items() if query < "q07"}
    found = ndcg.compare(judged(10), {"one": one, "other": other}, "RR", missing="zero")
    said = [str(one) for one in found.notices if "missing:exclude" in one.what]
    (only,) = said
    assert only == (
        "warning: RR: other less one is cannot be told (+0.2667) with missing:zero, but better "
        "(+0.5714) with missing:exclude; find out why queries are missing before either is believed"
    )


def test_a_baseline_is_the_first_or_the_one_that_is_named_or_all_pairs() -> None:
    runs = random_runs(4, 12)
    star = ndcg.compare(judged(12), runs, "RR")
    assert [(one.baseline, one.system) for one in star.pairs] == [
        ("s0", "s1"), ("s0", "s2"), ("s0", "s3"),
    ]  # fmt: skip
    named = ndcg.compare(judged(12), runs, "RR", baseline="s2")
    assert {one.baseline for one in named.pairs} == {"s2"}
    every = ndcg.compare(judged(12), runs, "RR", all_pairs=True)
    assert [(one.baseline, one.system) for one in every.pairs] == [*combinations(runs, 2)]
    assert every.results[0].family == "Holm over 6 pairs (all pairs) of RR"


def test_corrections_are_over_the_pairs_of_a_measure() -> None:
    runs = random_runs(3, 12)
    alone = ndcg.compare(judged(12), runs, ["RR", "P@1"], all_pairs=True, correction="none")
    holm = ndcg.compare(judged(12), runs, ["RR", "P@1"], all_pairs=True)
    for before, after in zip(alone.results, holm.results, strict=True):
        p = sorted(pair.p.p for pair in before.pairs)
        assert min(one.p_corrected for one in after.pairs) == pytest.approx(min(1, 3 * p[0]))
    for correction in CORRECTED_BY:
        found = ndcg.compare(judged(12), runs, "RR", all_pairs=True, correction=correction)
        assert all(0 < one.p_corrected <= 1 for one in found.pairs)


def test_the_order_of_queries_changes_no_digit_and_the_seed_does() -> None:
    runs, qrels = random_runs(3, 40), judged(40)
    one = ndcg.compare(qrels, runs, "RR", draws=500)
    shuffled = {name: dict(reversed(run.items())) for name, run in runs.items()}
    assert one.pairs == ndcg.compare(dict(reversed(qrels.items())), shuffled, "RR", draws=500).pairs
    other = ndcg.compare(qrels, runs, "RR", draws=500, seed=1)
    assert [pair.p.p for pair in one.pairs] != [pair.p.p for pair in other.pairs]


def test_weights_weigh_differences() -> None:
    runs = {"one": ranked([1, 2, 2]), "other": ranked([2, 1, 1])}
    weights = {"q00": 2.0, "q01": 1.0, "q02": 1.0}
    (pair,) = ndcg.compare(judged(3), runs, "RR", weights=weights).pairs
    assert pair.difference == pytest.approx((2 * -0.5 + 0.5 + 0.5) / 4)
    assert pair.p.p == 1.0


# -- degenerate inputs -----------------------------------------------------------------------------


def test_identical_runs_are_identical() -> None:
    pair = compared([1, 2, 3], [1, 2, 3])
    assert (pair.p.p, pair.p_corrected, pair.interval[:2]) == (1.0, 1.0, (0.0, 0.0))
    assert pair.verdict == ("identical", "identical on all 3 queries")
    assert (pair.p_t, pair.d_z, pair.needed) == (None, None, None)


def test_constant_scores_and_constant_differences() -> None:
    pair = compared([2] * 8, [1] * 8)
    assert pair.difference == 0.5
    assert pair.p.p == 2 / 2**8
    assert pair.p_t is None
    found = ndcg.compare(judged(8), {"one": ranked([2] * 8), "other": ranked([1] * 8)}, "RR")
    low, high = found.results[0].systems[0].interval[:2]
    assert low < 0.5 < high  # no point: eight queries do not promise it


def test_few_differences_cannot_tell() -> None:
    pair = compared([2, 2, 2, 1, 1, 1, 1, 1], [1] * 8)
    assert pair.smallest_p == 0.25
    assert pair.verdict == (
        "cannot be told",
        "cannot be told: 3 queries differ, and the smallest p that so few can reach is 0.25",
    )


def test_one_query_has_no_test() -> None:
    pair = compared([2], [1])
    assert (pair.interval, pair.p, pair.p_corrected, pair.p_t) == (None, None, None, None)
    assert pair.verdict.sentence == "cannot be told: 1 query to compare"


def test_no_common_query_is_said() -> None:
    runs = {"one": {"q00": {"a": 1.0}}, "other": {"q01": {"a": 1.0}}}
    found = ndcg.compare(judged(2), runs, "RR", missing="exclude").results[0]
    assert (found.n, found.undefined) == (0, 2)
    assert found.pairs[0].verdict.sentence == "cannot be told: 0 queries to compare"
    assert math.isnan(found.pairs[0].difference)
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert "cannot be told" in ndcg.compare(judged(2), runs, "RR", missing="exclude").report()


def test_float_noise_is_a_tie() -> None:
    grades = {"q1": {"a": 1, "b": 2}, "q2": {"a": 1}}
    runs = {"one": {"q1": {"a": 2.0, "b": 1.0}, "q2": {"a": 1.0}}}
    runs["other"] = {
        query: {d: 3 * s for d, s in own.items()} for query, own in runs["one"].items()
    }
    (pair,) = ndcg.compare(grades, runs).pairs
    assert (pair.shape.wins, pair.shape.losses) == (0, 0)


def test_p_is_never_printed_as_0() -> None:
    runs = {"one": ranked([5] * 60), "other": ranked([1, 2] * 30)}
    found = ndcg.compare(judged(60), runs, "RR", draws=100_000)
    assert "<0.0001" in found.report()
    assert found.pairs[0].p.p == 1 / 100_001
    assert found.pairs[0].p.error > 0


# -- verdicts --------------------------------------------------------------------------------------


def test_verdicts_and_why() -> None:
    better = compared([2, 3] * 10, [1, 2] * 10)
    assert better.verdict == ("better", "other is better than one")
    assert compared([1, 2] * 10, [2, 3] * 10).verdict.sentence == "other is worse than one"
    rng = np.random.default_rng(3)
    one, other = ([int(r) for r in rng.integers(1, 9, 30)] for _ in range(2))
    open_ = compared(one, other)
    assert open_.verdict.word == "cannot be told"
    assert "30 queries show differences of 0." in open_.verdict.sentence
    assert f"it needs about {open_.needed:,} queries" in open_.verdict.sentence


def test_a_smallest_effect_asks_for_more_and_allows_equivalence() -> None:
    one, other = [1, 2] * 40, [2, 1] * 40
    equal = compared(one, other, min_effect=0.2)
    assert equal.verdict.word == "equivalent"
    assert "equivalent within 0.2 (their 90% interval lies inside)" in equal.verdict.sentence
    assert compared(one, other, min_effect=0.01).verdict.word == "cannot be told"
    large = ([2, 3] * 10, [1, 2] * 10)
    assert compared(*large, min_effect=0.1).verdict.word == "better"
    assert compared(*large, min_effect=0.3).verdict.sentence == (
        "cannot be told: better, but whether by 0.3 or more is open"
    )


def test_a_doubtful_shape_is_said_beside_the_verdict() -> None:
    found = ndcg.compare(
        judged(9), {"one": ranked([2] * 8 + [1]), "other": ranked([1] * 8 + [0])}, "RR"
    )
    (said,) = [one for one in found.notices if "p may promise too much" in one.what]
    assert "only 9 queries differ" in said.what
    assert said.level == "warning"


# -- groups, segments, variants --------------------------------------------------------------------


def test_seeds_of_a_system_are_averaged_by_query_and_folds_put_together() -> None:
    runs = {
        "base": ranked([2, 2, 2, 2]),
        "seed1": ranked([1, 2, 1, 2]),
        "seed2": ranked([2, 1, 1, 2]),
    }
    found = ndcg.compare(judged(4), runs, "RR", group_runs={"new": ["seed1", "seed2"]})
    result = found.results[0]
    assert [(one.name, one.runs) for one in result.systems] == [
        ("base", ()), ("new", ("seed1", "seed2")),
    ]  # fmt: skip
    assert found.pairs[0].baseline == "base"  # a group stands where its first run does
    assert found.to_dict()["how"]["group_runs"] == {"new": ["seed1", "seed2"]}
    assert result.systems[1].mean == pytest.approx((0.75 + 0.75 + 1 + 0.5) / 4)
    folds = {
        "base": ranked([2, 2, 2, 2]),
        "fold1": {q: own for q, own in ranked([1, 1, 1, 1]).items() if q < "q02"},
        "fold2": {q: own for q, own in ranked([1, 1, 1, 1]).items() if q >= "q02"},
    }
    whole = ndcg.compare(
        judged(4), folds, "RR", group_runs={"new": ["fold1", "fold2"]}, baseline="base"
    )
    assert whole.results[0].systems[1].mean == 1.0
    assert whole.results[0].systems[1].missing == 0
    with pytest.raises(ndcg.UsageError, match="the baseline 'fold1' is a run of new"):
        ndcg.compare(
            judged(4), folds, "RR", group_runs={"new": ["fold1", "fold2"]}, baseline="fold1"
        )
    assert "RR: new: 4 queries answered by some of its runs only, averaged over those" in [
        one.what for one in whole.notices
    ]


@pytest.mark.parametrize(
    ("groups", "said"),
    [
        ({"new": ["seed1", "sed2"]}, "'sed2', a run of new, is not there; did you mean seed2?"),
        ({"new": ["seed1"], "old": ["seed1"]}, "run 'seed1' is in two systems"),
        ({"new": []}, "system 'new' has no runs"),
        ({"base": ["seed1", "seed2"]}, "'base' is a system of several runs, and a run"),
    ],
)
def test_groups_that_do_not_fit_are_refused(groups: dict[str, list[str]], said: str) -> None:
    runs = {"base": ranked([2]), "seed1": ranked([1]), "seed2": ranked([2])}
    with pytest.raises(ndcg.UsageError) as caught:
        ndcg.compare(judged(1), runs, "RR", group_runs=groups)
    assert said in str(caught.value)


def test_segments_have_their_own_rows_and_correction() -> None:
    runs = {"one": ranked([2] * 12), "other": ranked([1] * 6 + [3] * 6)}
    segments: dict[str, Any] = {f"q{at:02}": "head" if at < 6 else ["tail", "rare"]
                                for at in range(11)}  # fmt: skip
    segments["q99"] = "head"
    found = ndcg.compare(judged(12), runs, "RR", segments=segments)
    parts = {one.name: one for one in found.results[0].segments}
    assert [(name, one.n) for name, one in parts.items()] == [("head", 6), ("rare", 5), ("tail", 5)]
    assert parts["head"].pairs[0].difference == 0.5
    assert parts["head"].pairs[0].p.p == 2**-5
    assert parts["head"].pairs[0].p_corrected == 3 * 2**-5
    told = [str(one) for one in found.notices]
    assert "note: 1 query in no segment: q11" in told
    assert "note: 1 query of the segments not compared: q99" in told
    (simpson,) = [one for one in told if "Simpson" in one]
    assert "has the other sign in 2 of 3 segments (rare, tail)" in simpson
    assert parts["head"].family == "Holm over 3 pairs"


def test_segments_that_contradict_each_other_are_told() -> None:
    runs = {"one": ranked([2] * 24), "other": ranked([1] * 16 + [5] * 8)}
    halves = {f"q{at:02}": "many" if at < 16 else "few" for at in range(24)}
    told = " ".join(map(str, ndcg.compare(judged(24), runs, "RR", segments=halves).notices))
    assert "RR: other is better than one in many and worse in few" in told
    assert "has the other sign in 1 of 2 segments (few)" in told


def test_segments_under_groups_are_averaged_by_their_own_members() -> None:
    runs = {"one": ranked([2, 2, 2, 2, 2]), "other": ranked([1, 5, 2, 2, 2])}
    groups = {"q00": "A"} | {f"q{at:02}": "B" for at in range(1, 5)}
    found = ndcg.compare(
        judged(5), runs, "RR", groups=groups, segments={"q00": "s", "q01": "s"}
    ).results[0]
    assert found.segments[0].pairs[0].difference == pytest.approx((0.5 - 0.3) / 2)


@pytest.mark.parametrize(
    ("segments", "said"),
    [
        ({"zz": "x"}, "no query of the segments is compared: zz"),
        ("file.csv", "segments are of type str"),
    ],
)
def test_segments_that_cannot_be_used_are_refused(segments: Any, said: str) -> None:
    with pytest.raises(ndcg.UsageError, match=said):
        ndcg.compare(judged(2), random_runs(2, 2), "RR", segments=segments)


def test_sensitivity_shows_other_rules_and_who_wins_there() -> None:
    qrels = {f"q{at}": {"a": 3, "b": 1, "c": 1} for at in range(8)}
    runs = {
        "top": {query: {"a": 3.0, "x": 2.0, "y": 1.0} for query in qrels},
        "many": {query: {"b": 3.0, "c": 2.0, "y": 1.0} for query in qrels},
    }
    found = ndcg.compare(qrels, runs, "nDCG@10", sensitivity=True)
    result = found.results[0]
    changes = {one.change: one.winner for one in result.variants}
    assert result.winner == "top"
    assert changes["gain:binary"] == "many"
    assert changes["gain:linear"] == "top"
    assert {"discount:none", "ties:expected", "cutoff 5"} <= {*changes}
    assert "missing:exclude" not in changes  # nothing is missing
    told = "\n".join(map(str, found.notices))
    assert "nDCG@10: the highest mean is that of many, not of top, under gain:binary" in told
    assert "nDCG@10: many less top is worse, but better under gain:binary" in told
    variants = {one.change: one for one in result.variants}
    assert "|gain:binary|" in variants["gain:binary"].signature
    assert variants["cutoff 5"].signature.startswith("nDCG@5|")
    alone = ndcg.compare(qrels, runs, "nDCG@10", gain="binary").pairs[0]
    (variant,) = [one for one in result.variants if one.change == "gain:binary"]
    assert variant.pairs[0].difference == alone.difference
    deeper = ndcg.compare(qrels, runs, "nDCG@5").pairs[0]
    (cut,) = [one for one in result.variants if one.change == "cutoff 5"]
    assert cut.pairs[0].p == deeper.p
    assert not {"gain:linear", "discount:none"} & {
        one.change for one in ndcg.compare(qrels, runs, "RR", sensitivity=True).results[0].variants
    }


# -- what a reviewer found -------------------------------------------------------------------------


def test_ties_of_small_differences_count_whatever_the_scores_are() -> None:
    rng = np.random.default_rng(4)
    base = rng.random(1000)
    step = np.zeros(1000)
    step[:40] = 0.001 * (np.arange(40) % 2 * 2 - 1)
    step[40:44] = 0.001
    alone = randomised_p(np.array([np.zeros(1000), step]), [(0, 1)])[0]
    beside = randomised_p(np.array([base, base + step]), [(0, 1)])[0]
    signs = scipy.stats.binom.sf(24 - 1, 44, 0.5) * 2
    assert alone.p == beside.p
    assert abs(alone.p - signs) < 4 * alone.error
    tukey = randomised_tukey(np.array([base, base + step]), [(0, 1)])[0]
    assert abs(tukey - signs) < 0.03


def test_tukey_is_never_less_than_a_pair_has_alone() -> None:
    runs = {"a": ranked([2] * 5), "b": ranked([1] * 5)}
    runs |= {f"a{at}": ranked([2] * 5) for at in range(4)}
    found = ndcg.compare(judged(5), runs, "RR", all_pairs=True, correction="tukey")
    assert all(one.p_corrected >= one.p.p for one in found.pairs)
    assert found.pairs[0].verdict.word == "cannot be told"


def test_a_constant_difference_with_rounding_has_no_spread() -> None:
    pair = compared([2] * 30, [3] * 30)
    assert (pair.d_z, pair.p_t, pair.shape.skewness) == (None, None, 0.0)


def test_queries_of_weight_0_are_left_out() -> None:
    runs = {"one": ranked([2] * 10), "other": ranked([1] * 5 + [2] * 5)}
    weights = {f"q{at:02}": float(at >= 5) for at in range(10)}
    found = ndcg.compare(judged(10), runs, "RR", weights=weights)
    assert (found.results[0].n, found.results[0].weightless) == (5, 5)
    assert found.pairs[0].verdict.sentence == "identical on all 5 queries"
    assert "RR: 5 queries of weight 0, left out" in [one.what for one in found.notices]


def test_too_few_draws_for_so_many_pairs_are_the_reason() -> None:
    pair = compared([2] * 40, [1] * 40, draws=10)
    assert pair.smallest_p == 1 / 11
    assert pair.verdict.sentence == (
        "cannot be told: the smallest p of 10 draws is 0.09091: more are --draws N"
    )
    runs = random_runs(1, 40) | {f"t{at}": ranked([1] * 40) for at in range(4)}
    runs["s0"] = ranked([2] * 40)
    for correction, told in (
        ("holm", "of 60 draws, corrected for 4 pairs, is 0.06557"),
        ("bh", ""),
    ):
        found = ndcg.compare(judged(40), runs, "RR", draws=60, correction=correction)
        words = {pair.verdict.word for pair in found.pairs}
        assert words == ({"cannot be told"} if told else {"better"})
        assert told in found.pairs[0].verdict.sentence


def test_the_level_that_is_shown_decides_nothing() -> None:
    one, other = [2, 3] * 10, [1, 2] * 10
    words = {
        compared(one, other, min_effect=0.25, level=level).verdict.word
        for level in (0.1, 0.95, 0.999999)
    }
    assert len(words) == 1
    strict = compared(one, other, min_effect=0.28, alpha=0.0005, draws=50_000)
    assert strict.verdict.word == "cannot be told"
    same = compared([3, 3], [4, 4], min_effect=0.2)
    assert same.verdict.word == "cannot be told"


def test_equal_means_change_no_winner() -> None:
    one, other = [1, 2, 3, 5, 8], [8, 5, 3, 2, 1]
    found = ndcg.compare(
        judged(5), {"a": ranked(one), "b": ranked(other)}, "nDCG@10", sensitivity=True
    )
    assert {variant.winner for variant in found.results[0].variants} == {"a"}


@pytest.mark.parametrize("scale", [1e-120, 1e110, 1e160, 1e200])
def test_very_large_and_very_small_values_end_in_words(scale: float) -> None:
    qrels = {f"q{n}": {"a": scale * (1 + n)} for n in range(6)}
    runs = {
        "one": {query: {"x": 2.0, "a": 1.0} for query in qrels},
        "other": {query: {"a": 1.0} for query in qrels},
    }
    found = ndcg.compare(qrels, runs, "DCG@10", gain="linear", interval="bca")
    assert json.dumps(found.to_dict(), allow_nan=False)
    assert found.pairs[0].p.p == 2**-5  # whatever the scale
    assert "other is better than one" in found.report()


def test_a_measure_that_was_not_compared() -> None:
    found = ndcg.compare(judged(3), random_runs(2, 3), "RR")
    with pytest.raises(ndcg.UsageError, match="'AP' was not compared"):
        found["AP"]


# -- several collections ---------------------------------------------------------------------------


def members() -> list[Member]:
    small = {"one": ranked([2, 2, 2, 1]), "other": ranked([1, 1, 2, 1])}
    large = {"other": ranked([1, 3] * 8), "one": ranked([2, 2] * 8)}
    return [Member("small", judged(4), small), Member("large", judged(16), large)]


def test_a_suite_is_the_mean_of_collection_means() -> None:
    suite = evaluate_suite(members(), ["RR", "P@1"])
    means = [suite.collections[name].systems["other"]["RR"].mean for name in ("small", "large")]
    assert suite.overall["RR"]["other"].mean == sum(means) / 2
    assert suite.systems == ["one", "other"]
    lacking = [*members(), Member("third", judged(2), {"one": ranked([1, 1])})]
    found = evaluate_suite(lacking, "RR")
    assert found.overall["RR"]["other"] == (None, None)
    assert "other has no mean over all collections: third" in [one.what for one in found.notices]


def test_systems_are_compared_over_collections_that_count_alike() -> None:
    found = compare_suite(members(), "RR", How())
    (pair,) = found.pairs
    differences = [np.array([0.5, 0.5, 0, 0]), np.tile([0.5, 1 / 3 - 1 / 2], 8)]
    assert pair.difference == pytest.approx(np.mean([one.mean() for one in differences]))
    parts = [Sample.of(one) for one in differences]
    assert pair.interval[:2] == pytest.approx(stratified_interval(parts)[:2], rel=1e-12)
    square = sum(one.var(ddof=1) / len(one) / 4 for one in differences)
    middle = (pair.interval.low + pair.interval.high) / 2
    assert middle == pytest.approx(pair.difference)
    assert pair.interval.high - middle > 1.96 * math.sqrt(square)
    rows = {one.name: one.pairs[0] for one in found.results[0].segments}
    alone = ndcg.compare(members()[1].qrels, dict(sorted(members()[1].runs.items())), "RR").pairs[0]
    assert (rows["large"].difference, rows["large"].p) == (alone.difference, alone.p)
    assert [*rows] == ["small", "large"]
    assert found.results[0].segments[0].family == "Holm over 2 pairs"
    assert found.to_dict()["how"]["collections"] == ["small", "large"]
    assert "mean of 2 collection means" in found.report()
    assert "2 collection means (queries: small: 4, large: 16)" in found.report("latex")
    with pytest.raises(ndcg.UsageError, match="collection third has no run of other"):
        compare_suite([*members(), Member("third", judged(1), {"one": ranked([1])})], "RR", How())


def test_what_differs_between_collections_is_no_chance() -> None:
    up = {"one": ranked([2, 3] * 10), "other": ranked([1, 2] * 10)}
    down = {"one": ranked([4, 5] * 10), "other": ranked([5, 6] * 10)}
    both = [Member("up", judged(20), up), Member("down", judged(20), down)]
    (pair,) = compare_suite(both, "RR", How()).pairs
    assert pair.interval.low > 0
    assert pair.p.p < 0.01
    assert pair.p_t < 0.01
    assert pair.detectable < pair.difference


def test_weights_count_inside_each_collection() -> None:
    runs = {"one": ranked([2, 2, 2, 3]), "other": ranked([1, 2, 3, 2])}
    weights = {"q00": 5.0, "q01": 1.0, "q02": 1.0, "q03": 3.0}
    both = [Member("a", judged(4), runs), Member("b", judged(4), runs)]
    (pair,) = compare_suite(both, "RR", How(), weights=weights).pairs
    (alone,) = ndcg.compare(judged(4), runs, "RR", weights=weights).pairs
    assert pair.difference == pytest.approx(alone.difference)
    middle = (pair.interval.low + pair.interval.high) / 2
    assert middle == pytest.approx(alone.difference)


def test_a_collection_without_common_queries_is_refused() -> None:
    apart = Member("apart", judged(2), {"one": ranked([1]), "other": {"q01": {"a": 1.0}}})
    with pytest.raises(ndcg.DataError, match="collection apart has 0 queries with a value of RR"):
        compare_suite([*members(), apart], "RR", How(), missing="exclude")
    with pytest.raises(ndcg.UsageError, match="have stratified intervals, not betting"):
        compare_suite(members(), "RR", How(interval="betting"))


def test_stratified_intervals_hold_near_a_bound() -> None:
    rng = np.random.default_rng(2)
    covered = 0
    for _ in range(1000):
        parts = [Sample.of(np.where(rng.random(10) < 0.9, 1.0, 0.5)) for _ in range(2)]
        found = stratified_interval(parts, bounds=Bounds(0.0, 1.0))
        assert found is not None
        covered += found.low <= 0.95 <= found.high
    assert 0.935 <= covered / 1000 <= 0.9999
    sure = stratified_interval([Sample.of(np.ones(9))] * 2, bounds=Bounds(0.0, 1.0))
    assert sure is not None
    assert sure.low < 1


def suite_files() -> None:
    for member in members():
        for name, run in member.runs.items():
            rows = [
                f"{query} Q0 {document} {1 - score:.0f} {score} {name}\n"
                for query, own in run.items()
                for document, score in own.items()
            ]
            put(**{f"{member.name}-{name}.run": "".join(rows)})
        rows = [f"{query} 0 a 1\n" for query in member.qrels]
        put(**{f"{member.name}.qrels": "".join(rows)})
    lines = [f"{one.name},{one.name}.qrels,{name},{one.name}-{name}.run\n"
             for one in members() for name in sorted(one.runs)]  # fmt: skip
    put(suite="collection,qrels,system,run\n" + "".join(lines))


def test_the_command_reads_a_suite() -> None:
    suite_files()
    done = command("eval", "--suite", "suite", "-m", "RR")
    assert (done.code, done.err) == (0, "")
    lines = [line.split() for line in done.out.splitlines()]
    assert lines[2] == ["collection", "one", "other", "queries"]
    assert lines[3] == ["small", "0.6250", "0.8750", "4"]
    assert lines[5] == ["mean", "of", "collections", "0.5625", "0.7708"]
    rows = [*csv.DictReader(
        command("eval", "--suite", "suite", "-m", "RR", "--format", "csv").out.splitlines()
    )]  # fmt: skip
    assert rows[-1]["collection"] == "mean of collections"
    assert float(rows[-1]["mean"]) == pytest.approx((0.875 + 2 / 3) / 2)
    assert json.loads(command("eval", "--suite", "suite", "--json").out)["schema"] == 1
    for name in ("markdown", "tsv", "jsonl"):
        assert command("eval", "--suite", "suite", "--format", name).code == 0
    compared_ = command("compare", "--suite", "suite", "-m", "RR")
    assert "mean of 2 collection means" in compared_.out
    assert "small" in compared_.out
    assert command("compare", "--suite", "suite", "-o", "suite").code == 2
    assert command("eval", "--suite", "suite", "-o", "small-one.run.csv").code == 0


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("# none\n", "suite names no run"),
        ("a,b,c,d\n", "the first line of a suite names its columns, not 'a,b,c,d'"),
        ("collection,qrels,system,run\nx,q,s\n", "expected 4 fields, found 3\n --> suite:2"),
        ("collection,qrels,system,run\nx,q,s,r\nx,q,s,r2\n", "'x' has two runs of 's'"),
        ("collection,qrels,system,run\nx,q,s,r\nx,q2,t,r2\n", "'x' has other judgments in a line"),
        ("collection,qrels,system,run\nx,q,s,r\n", "x: q not found"),
    ],
)
def test_suites_that_cannot_be_read_are_refused(text: str, said: str) -> None:
    put(suite=text)
    done = command("eval", "--suite", "suite")
    assert (done.code, done.out) == (2, "")
    assert said in done.err


# -- the command and its formats -------------------------------------------------------------------


def files() -> None:
    for name, ranks in (("one", [2, 3] * 10), ("other", [1, 2] * 10), ("third", [2, 2] * 10)):
        rows = [f"{q} Q0 {d} 0 {s} {name}\n"
                for q, own in ranked(ranks).items() for d, s in own.items()]  # fmt: skip
        put(**{f"{name}.run": "".join(rows)})
    put(q="".join(f"{query} 0 a 1\n" for query in judged(20)))


GIVEN = ("compare", "q", "one.run", "other.run", "third.run", "-m", "RR")


def test_the_table_has_the_baseline_first_and_verdicts_last() -> None:
    files()
    done = command(*GIVEN)
    assert done.code == 0
    lines = done.out.splitlines()
    assert lines[0] == "RR: 20 queries; Holm over 2 pairs (pairs with one) of RR"
    assert lines[2].split("  ")[0] == "system"
    assert "less one" in lines[2]
    assert "95% CI of it" in lines[2]
    assert lines[3].split()[:2] == ["one", "0.4167"]
    assert "  better  " in lines[4]
    assert "other is better than one" in done.out
    assert "largest wins: q00 +0.500" in done.out
    every = command(*GIVEN, "--all-pairs").out
    assert "less" in every
    assert every.count("better") + every.count("worse") >= 3


def test_machines_get_every_digit() -> None:
    files()
    found = json.loads(command(*GIVEN, "--json").out)
    (measure,) = found["measures"]
    assert measure["winner"] == "other"
    assert [one["name"] for one in measure["systems"]] == ["one", "other", "third"]
    assert measure["pairs"][0]["largest_wins"][0] == {"query": "q00", "difference": 0.5}
    assert found["how"]["correction"] == "holm"
    assert found["inputs"][0]["sha256"]
    rows = [*csv.DictReader(command(*GIVEN, "--format", "csv").out.splitlines())]
    assert [row["system"] for row in rows] == ["other", "third"]
    assert float(rows[0]["difference"]) == measure["pairs"][0]["difference"]
    tabs = command(*GIVEN, "--format", "tsv").out.splitlines()
    assert tabs[0].split("\t") == [*rows[0]]
    lines = [json.loads(line) for line in command(*GIVEN, "--format", "jsonl").out.splitlines()]
    assert lines[0]["p"] == measure["pairs"][0]["p"]
    assert (
        "| system | mean | less one | 95% CI of it |" in command(*GIVEN, "--format", "markdown").out
    )


def test_rows_of_segments_and_variants_stand_in_every_format() -> None:
    files()
    put(kinds="query,segment\n" + "".join(f"q{at:02},{'ab'[at % 2]}\n" for at in range(20)))
    more = ("--segments", "kinds", "--sensitivity")
    done = command(*GIVEN, *more)
    assert done.code == 0
    assert "segment" in done.out
    assert "as asked" in done.out
    rows = [*csv.DictReader(command(*GIVEN, *more, "--format", "csv").out.splitlines())]
    assert {row["segment"] for row in rows} == {"", "a", "b"}
    assert "ties:expected" in {row["change"] for row in rows}
    found = json.loads(command(*GIVEN, *more, "--json").out)["measures"][0]
    assert [one["segment"] for one in found["segments"]] == ["a", "b"]
    assert found["sensitivity"]


def test_latex_marks_what_is_better_and_says_by_which_test() -> None:
    files()
    shutil.copy("other.run", "a_b&c.run")
    text = Path("a_b&c.run").read_text().replace(" other\n", " a_b&c\n")
    Path("a_b&c.run").write_text(text)
    done = command("compare", "q", "one.run", "a_b&c.run", "-m", "RR", "-m", "P@1", "-o", "t.tex")
    assert done.code == 0
    assert done.out == ""
    written = Path("t.tex").read_text()
    assert "a\\_b\\&c & \\textbf{0.7500}\\rlap{\\textsuperscript{a}}" in written
    assert "sign-flip randomisation test" in written
    assert "Holm-corrected" in written
    assert "\\toprule" in written
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex here")
    page = "\\documentclass{article}\\usepackage{booktabs}\\begin{document}\\input{t.tex}"
    Path("page.tex").write_text(page + "\\end{document}\n")
    subprocess.run(["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"],
                   check=True, capture_output=True)  # fmt: skip


def test_one_measure_against_a_baseline_has_its_differences_in_latex() -> None:
    files()
    text = command(*GIVEN, "--format", "latex").out
    assert "System & RR & less one & 95\\% CI & $p$ & $d_z$" in text
    assert "other & 0.7500 & $+0.3333$ & " in text
    tukey = command(*GIVEN, "--format", "latex", "--all-pairs", "--correction", "tukey").out
    assert "randomised Tukey HSD of labels exchanged within queries, 10,000 draws" in tukey
    assert "sign-flip" not in tukey
    told = command(*GIVEN, "--sensitivity", "-o", "t.tex").err
    assert "parts and other rules have no place in the table of latex" in told
    assert "other is better than one\n" in told


def test_any_number_of_systems_has_marks() -> None:
    runs = random_runs(30, 12)
    text = ndcg.compare(judged(12), runs, "RR", all_pairs=True, draws=50).report("latex")
    assert "\n    ad & s29 & " in text


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--baseline", "onee"], "the baseline 'onee' is not there; did you mean one?"),
        (["--baseline", "one", "--all-pairs"], "all pairs are compared, or those with a baseline"),
        (["--correction", "dunnett"], "'dunnett' is not a correction"),
        (["--min-effect", "0"], "'0' is not a difference above 0"),
        (["--alpha", "2"], "'2' is no level of a test: 0.05, or up to 0.5"),
        (["--alpha", "1e-17"], "alpha 1e-17 is no level of a test"),
        (["--draws", "0"], "'0' is not a number of draws from 1 to"),
        (["--group-runs", "new"], "--group-runs 'new' is not SYSTEM=RUN,RUN"),
        (["--group-runs", "n=one", "--group-runs", "n=other"], "--group-runs names 'n' twice"),
        (["-m", "NumRet"], "NumRet is not compared: over queries it is a sum"),
        (["-m", "GMAP"], "GMAP is not compared: over queries it is a geometric mean"),
        (["--segments", "q"], "expected 2 columns (query and segment), found 4"),
        (["--segments", "blank"], "the segment is empty"),
        (["--level", "0.9999999999999999"], "an interval cannot have the level"),
        (["--format", "html"], "'html' is not a format of compare"),
        (["-o", "q"], "the suffix of 'q' names no format"),
        (["--interval", "wilson"], "'wilson' is not an interval"),
    ],
)
def test_what_cannot_be_compared_is_refused(options: list[str], said: str) -> None:
    files()
    put(blank="q00,\n")
    done = command(*GIVEN, *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_systems_with_the_same_tag_are_called_by_their_files_and_that_is_said() -> None:
    files()
    Path("again.run").write_text(Path("one.run").read_text())
    done = command("compare", "q", "one.run", "again.run", "-m", "RR")
    assert "again, one: identical on all 20 queries" in done.out
    assert "note: several runs have the tag 'one': systems are called by their files" in done.err
    assert "have the tag" not in command(*GIVEN).err


def test_one_system_is_not_compared() -> None:
    files()
    done = command("compare", "q", "one.run")
    assert done.code == 2
    assert "one system is compared with another, and there is only one" in done.err


def test_a_comparison_prints_itself() -> None:
    found = ndcg.compare(judged(8), {"one": ranked([2] * 8), "other": ranked([1] * 8)}, "RR")
    assert repr(found) == "<Comparison other is better than one; but only 8 queries differ>"
    assert str(found).startswith("RR: 8 queries; Holm over 1 pair of RR\n")
    assert found["RR"] is found.results[0]
