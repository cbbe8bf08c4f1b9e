"""What unjudged and tied documents could change, beside every value."""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Iterable
from itertools import permutations
from math import log2
from pathlib import Path
from typing import Any

import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg.evaluation.trusted import Trust

QRELS = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1, "d": 0}, "q3": {"e": 0}, "q4": {"f": 1}}
RUN = {"q1": {"x": 3.0, "a": 2.0, "b": 1.0}, "q2": {"c": 2.0, "d": 2.0}, "q3": {"e": 1.0}}


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(
        q="".join(f"{q} 0 {d} {g}\n" for q, own in QRELS.items() for d, g in own.items()),
        r="".join(f"{q} Q0 {d} 0 {s} t\n" for q, own in RUN.items() for d, s in own.items()),
    )


def trust_of(measure: str, **options: Any) -> Trust:
    found: Trust = ndcg.trust(QRELS, RUN, measure, **options)[measure].trust
    return found


# -- bounds ----------------------------------------------------------------------------------------

# Of q1, where x at rank 1 could have grade 0, 1 or 2.
LOWEST = 3 / log2(3) / 3
HIGHEST = (3 + 3 / log2(3)) / (3 + 3 / log2(3))


def test_bounds_are_of_every_query_and_of_the_mean() -> None:
    bounds = trust_of("nDCG@10").bounds
    assert bounds is not None
    assert bounds.span.per_query == {
        "q1": (LOWEST, HIGHEST), "q2": (1.0, 1.0), "q3": (None, None), "q4": (0.0, 0.0)
    }  # fmt: skip
    assert bounds.span.low == (LOWEST + 1.0 + 0.0) / 3
    assert bounds.span.high == (HIGHEST + 1.0 + 0.0) / 3
    assert (bounds.exact, bounds.labelled, bounds.highest) == (True, 1, 2.0)


def test_the_highest_label_is_the_highest_grade_or_what_is_said() -> None:
    bounds = trust_of("DCG@1", highest=3).bounds
    assert bounds is not None
    assert bounds.span.per_query["q1"] == (0.0, 7.0)
    default = trust_of("DCG@1").bounds
    assert default is not None
    assert default.span.per_query["q1"] == (0.0, 3.0)


def test_all_retrieved_documents_can_be_labelled() -> None:
    run = {"q1": ["a", "x", "y"]}
    qrels = {"q1": {"a": 1}}
    top = ndcg.trust(qrels, run, "R@1")["R@1"].trust.bounds
    every = ndcg.trust(qrels, run, "R@1", bounds="retrieved")["R@1"].trust.bounds
    assert (top.span.low, top.labelled) == (1.0, 0)
    assert (every.span.low, every.labelled) == (1 / 3, 2)


def test_weights_weigh_bounds_as_they_do_values() -> None:
    weights = {"q1": 3.0, "q2": 1.0, "q4": 0.0}
    bounds = trust_of("nDCG@10", weights=weights).bounds
    assert bounds is not None
    assert bounds.span.low == (3 * LOWEST + 1.0) / 4


def test_groups_are_averaged_first() -> None:
    groups = {"q1": "x", "q2": "y", "q4": "y"}
    bounds = trust_of("nDCG@10", groups=groups).bounds
    assert bounds is not None
    assert bounds.span.high == (HIGHEST + (1.0 + 0.0) / 2) / 2


def test_queries_that_nobody_judged_stay_what_they_count() -> None:
    run = {**RUN, "q0": {"z": 1.0}}
    found = ndcg.trust(QRELS, run, "P@1", extra="zero", missing="exclude")["P@1"].trust.bounds
    assert found.span.per_query["q0"] == (0.0, 0.0)
    assert found.span.per_query["q4"] == (None, None)


def test_what_has_no_bounds_is_said_and_left_out() -> None:
    found = ndcg.trust(QRELS, RUN, ["Bpref", "P@1"])
    assert found["Bpref"].trust.bounds is None
    assert found["P@1"].trust.bounds is not None
    (said,) = [str(one) for one in found.notices if "has no bounds" in one.what]
    assert said.startswith("note: Bpref has no bounds for what unjudged documents could")
    with pytest.raises(ndcg.UsageError, match="'all' is not a choice of bounds"):
        trust_of("P@1", bounds="all")
    with pytest.raises(ndcg.UsageError, match="'guess' is not a prior of estimates"):
        trust_of("P@1", estimate="guess")
    with pytest.raises(ndcg.UsageError, match="0 draws with seed 0 cannot be made"):
        trust_of("P@1", estimate="run", draws=0)


def test_nothing_is_unjudged_and_nothing_can_change() -> None:
    found = ndcg.trust({"q": {"a": 1, "b": 0}}, {"q": ["b", "a"]}, "AP")["AP"]
    bounds = found.trust.bounds
    assert bounds.span[:2] == (found.mean, found.mean) == (1 / 2, 1 / 2)
    assert bounds.labelled == 0


# -- ties, estimates, rules ------------------------------------------------------------------------


def test_the_rule_for_ties_is_an_axis_here_too() -> None:
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"b": 1.0, "a": 1.0}}
    for rule, value in (("docid_asc", 1.0), ("docid_desc", 0.0), ("expected", 0.5)):
        assert ndcg.trust(qrels, run, "P@1", ties=rule)["P@1"].mean == value
    with pytest.raises(ndcg.UsageError, match="'nonsense' is not a value of ties"):
        ndcg.trust(qrels, run, "P@1", ties="nonsense")
    assert ndcg.trust(qrels, run, "P@1", tie_range=False)["P@1"].trust.ties is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"highest": "x"}, "highest='x' cannot be used"),
        ({"estimate": "run", "draws": 2.5}, "draws=2.5 cannot be used"),
        ({"estimate": "run", "seed": 1.5}, "seed=1.5 cannot be used"),
    ],
)
def test_numbers_that_are_none_are_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ndcg.UsageError, match=said):
        trust_of("P@1", **options)


def test_labels_are_not_above_the_grades_that_count() -> None:
    qrels, run = {"q": {"a": 2.7, "b": 1}}, {"q": {"x": 2.0, "a": 1.0}}
    bounds = ndcg.trust(qrels, run, grades="truncate")["nDCG@10"].trust.bounds
    assert bounds.highest == 2.0
    assert ndcg.trust(qrels, run)["nDCG@10"].trust.bounds.highest == 3.0


def test_formats_without_a_place_for_bounds_are_told() -> None:
    done = command("eval", "q", "r", "--bounds", "--format", "trec")
    assert "note: bounds, estimates and ranges have no place in trec; --json holds all" in done.err
    done = command("eval", "q", "r", "--bounds", "--per-query", "--format", "csv")
    assert "have no place in csv of every query; --json holds all" in done.err
    assert "no place" not in command("eval", "q", "r", "--bounds", "--format", "csv").err
    given = ("--unjudged", "grade:1", "--unjudged-policies", "--format", "csv")
    (row,) = csv.DictReader(command("eval", "q", "r", *given).out.splitlines())
    assert {"unjudged_zero", "unjudged_drop", "unjudged_grade:1"} <= {*row}


@pytest.mark.parametrize(
    ("prior", "how"),
    [
        ("run", "--estimate pool draws from all judgments of a query"),
        ("pool", "judge some documents that are not relevant"),
    ],
)
def test_estimates_that_draw_the_same_grade_again_and_again_are_told(prior: str, how: str) -> None:
    qrels = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1, "d": 0}}
    run = {query: {"x": 3.0, **dict.fromkeys(own, 2.0)} for query, own in qrels.items()}
    found = ndcg.trust(qrels, run, "P@3", estimate=prior)
    estimate = found["P@3"].trust.estimate
    assert (estimate.single, estimate.queries) == (2, 3)
    assert estimate.span.per_query["q1"] == (2 / 3, 2 / 3)
    (told,) = [one for one in found.notices if "single grade" in one.what]
    assert (told.level, told.help) == ("warning", how)
    assert told.what == (
        "P@3: estimates of 2 of 3 queries draw from a single grade, so that their draws are all "
        "the same"
    )
    del qrels["q1"]
    assert "single grade" not in str(ndcg.trust(qrels, run, "P@3", estimate=prior).notices)


def test_the_range_of_ties_is_that_of_the_orders() -> None:
    run = {**RUN, "q2": {"c": 1.0, "d": 1.0, "x": 1.0}}
    found = ndcg.trust(QRELS, run, "RR", bounds=None)["RR"]
    ties = found.trust.ties
    expected = 1 / 3 + 1 / 3 / 2 + 1 / 3 / 3
    assert ties.per_query == {"q2": (1 / 3, expected, 1.0)}
    assert ties.moved == found.tie_moves == 1
    assert (ties.worst, ties.best) == found.tie_range == ((1 / 2 + 1 / 3) / 3, (1 / 2 + 1) / 3)
    assert ties.expected == (1 / 2 + expected) / 3


def test_a_measure_without_a_mean_over_all_orders_has_its_ends() -> None:
    ties = trust_of("SetAP", bounds=None).ties
    assert ties is not None
    assert ties.expected is None
    assert ties.worst is not None


def test_estimates_are_seeded_and_say_how_they_were_made() -> None:
    first, again, other = (
        trust_of("nDCG@10", estimate="pool", draws=50, seed=seed).estimate for seed in (1, 1, 2)
    )
    assert first == again
    assert first is not None
    assert other is not None
    assert first.mean != other.mean
    low, high = first.span.per_query["q1"]
    assert LOWEST <= (low or 0.0) <= (high or 9.0) <= HIGHEST
    assert (first.prior, first.draws, first.seed, first.drawn) == ("pool", 50, 1, 1)


def test_rules_for_unjudged_documents_stand_side_by_side() -> None:
    policies = trust_of("nDCG@10").policies
    assert policies == {"zero": (LOWEST + 1.0) / 3, "drop": (1.0 + 1.0) / 3}


# -- the command -----------------------------------------------------------------------------------

EVERYTHING = [
    "--bounds",
    "--tie-range",
    "--unjudged-policies",
    "--estimate",
    "run",
    "--draws",
    "20",
]


def test_the_command_prints_a_table_of_what_could_change() -> None:
    done = command("eval", "q", "r", *EVERYTHING, "--quiet")
    heads, row = done.out.splitlines()[3:5]
    assert heads.split("  ")[0] == "measure"
    for word in (
        "bounds low",
        "bounds high",
        "estimate",
        "unjudged:drop",
        "ties worst",
        "ties move",
    ):
        assert word in heads
    assert f"{(LOWEST + 1) / 3:.4f}" in row
    assert f"{(HIGHEST + 1) / 3:.4f}" in row


def test_json_carries_everything_and_the_queries_on_request() -> None:
    whole = json.loads(command("eval", "q", "r", *EVERYTHING, "--json", "--per-query").out)
    trust = whole["systems"][0]["measures"]["nDCG@10"]["trust"]
    assert [*trust] == ["bounds", "ties", "estimate", "unjudged"]
    assert trust["bounds"]["per_query"]["q1"] == {"low": LOWEST, "high": HIGHEST}
    assert trust["bounds"]["documents"] == "top"
    assert trust["ties"]["per_query"]["q2"]["worst"] == 1 / log2(3)
    assert trust["estimate"]["prior"] == "run"
    means = json.loads(command("eval", "q", "r", *EVERYTHING, "--json").out)
    assert "per_query" not in means["systems"][0]["measures"]["nDCG@10"]["trust"]["bounds"]
    plain = json.loads(command("eval", "q", "r", "--json").out)
    assert "trust" not in plain["systems"][0]["measures"]["nDCG@10"]


def test_csv_and_markdown_have_the_means() -> None:
    text = command("eval", "q", "r", *EVERYTHING, "--format", "csv").out
    (row,) = csv.DictReader(text.splitlines())
    assert float(row["low"]) == (LOWEST + 1.0) / 3
    assert float(row["unjudged_drop"]) == 2 / 3
    shown = command("eval", "q", "r", "--bounds", "--format", "markdown").out
    assert "| measure | system | mean | bounds low | bounds high | labelled |" in shown


def test_bounds_stand_before_files_and_behind_them() -> None:
    one = command("eval", "--bounds", "q", "r", "--quiet")
    assert one == command("eval", "q", "r", "--quiet", "--bounds")
    assert one == command("eval", "q", "r", "--quiet", "--bounds", "top")
    assert one != command("eval", "--bounds", "retrieved", "q", "r", "--quiet", "-m", "nDCG@1")
    assert one.code == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--bounds=most"], "'most' is not a choice of bounds"),
        (["--estimate", "guess"], "'guess' is not a prior of estimates"),
        (["--bounds", "--highest", "x"], "'x' is not a grade from 0 to"),
        (["--estimate", "run", "--draws", "0"], "'0' is not a number of draws from 1 to 10000000"),
        (
            ["--estimate", "run", "--seed", "-1"],
            "'-1' is not a seed from 0 to 18446744073709551615",
        ),
        (["--tie-range", "--highest", "2"], "--highest is about --bounds, which is not asked for"),
        (["--draws", "9"], "--draws is about --estimate, which is not asked for"),
        (
            ["--bounds", "--seed", "9"],
            "--seed is about --estimate or --interval, which is not asked for",
        ),
        (["-p", "all", "--bounds"], "estimates and ranges are of one convention, and -p all asks"),
    ],
)
def test_what_cannot_be_asked_for_is_refused(options: list[str], said: str) -> None:
    done = command("eval", "q", "r", *options)
    assert (done.code, done.out) == (2, "")
    assert said in done.err


def test_without_any_bounds_the_reason_is_said() -> None:
    done = command("eval", "q", "r", "--bounds", "-m", "nDCG@10", "--ideal", "retrieved", "-v")
    assert done.code == 0
    assert "note: nDCG@10: " in done.err
    assert "ideal" in done.err


@pytest.mark.parametrize("measure", ["nDCG@3", "DCG@3", "P@2", "AP", "RR", "R@3", "Success@1"])
def test_the_range_of_ties_is_that_of_all_orders_one_by_one(measure: str) -> None:
    chance = random.Random(measure)  # noqa: S311 -- examples, not secrets
    qrels, run = {}, {}
    for number in range(12):
        documents = chance.sample("abcdef", 5)
        qrels[f"q{number}"] = {d: chance.randint(0, 3) for d in documents[:4]} | {"z": 1}
        scores = [chance.choice([1.0, 2.0]) for _ in documents]
        run[f"q{number}"] = [*zip(documents, scores, strict=True)]
    found = ndcg.trust(qrels, run, measure, bounds=None, policies=False)[measure]
    lowest, highest = {}, {}
    for query, rows in run.items():
        values = [
            ndcg.evaluate({query: qrels[query]}, {query: [*order]}, measure, ties="input")[measure]
            for order in permutations(rows)
        ]
        means = [one.mean for one in values]
        lowest[query], highest[query] = min(means), max(means)
    moved = {query for query in run if lowest[query] != highest[query]}
    assert {*found.trust.ties.per_query} == moved
    for query, (worst, _, best) in found.trust.ties.per_query.items():
        assert (worst, best) == (lowest[query], highest[query])
    queries = sorted(run)
    assert found.trust.ties.worst == sum_of(lowest[query] for query in queries) / len(run)
    assert found.tie_range == (found.trust.ties.worst, found.trust.ties.best)


def sum_of(values: Iterable[float]) -> float:
    """Added one after the other."""
    total = 0.0
    for value in values:
        total += value
    return total
