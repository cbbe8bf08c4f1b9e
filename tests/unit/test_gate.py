"""Gates: rules, what they are held against, baselines, and what becomes of them."""

from __future__ import annotations

import io
import json
import math
import signal
import subprocess
import sys
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg.errors import DataError, UsageError
from ndcg.gating import updating
from ndcg.gating.baselines import Baseline, digest_of, read_baseline
from ndcg.gating.history import append_line, read_history, series_of
from ndcg.gating.rules import parse_rule
from ndcg.reports.chart import Axis
from ndcg.reports.gated import SUMMARY, render
from ndcg.stores.adopt import judgments
from random_runs import data

# Four queries whose nDCG@10 is 1, 1, 1 and 1 before, and moves by hand below.
QRELS = {f"q{n}": {"a": 1} for n in range(4)}
GOOD = {query: {"a": 2.0, "x": 1.0} for query in QRELS}
SECOND = 1 / math.log2(3)  # the value of a query whose document stands at rank 2


def moved(*queries: str) -> dict[str, dict[str, float]]:
    """The good run, with the document of some queries at rank 2."""
    return {q: {"a": 1.0, "x": 2.0} if q in queries else row for q, row in GOOD.items()}


# -- rules -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("nDCG@10 drops", ("nDCG@10", "drops", None, False, False, None, False)),
        ("nDCG@10  drops\t0.01", ("nDCG@10", "drops", 0.01, False, False, None, False)),
        ("nDCG@10 drops 2%", ("nDCG@10", "drops", 0.02, True, False, None, False)),
        ("nDCG@10 drops 2 %", ("nDCG@10", "drops", 0.02, True, False, None, False)),
        ("AP rises significantly", ("AP", "rises", None, False, True, None, False)),
        ("P(rel=2)@5 changes 1e-3", ("P(rel=2)@5", "changes", 0.001, False, False, None, False)),
        ("nDCG@10<0.8", ("nDCG@10", "<", 0.8, False, False, None, False)),
        ("Judged@10 >= 80%", ("Judged@10", ">=", 0.8, False, False, None, False)),
        ("missing > 0", ("missing", ">", 0.0, False, False, None, False)),
        ("AP drops 0.02 in long tail", ("AP", "drops", 0.02, False, False, "long tail", False)),
        ("nDCG@10 < 0.5 per segment", ("nDCG@10", "<", 0.5, False, False, None, True)),
        ("nDCG@10 drops in in", ("nDCG@10", "drops", None, False, False, "in", False)),
        ("DCG(gain=linear) drops", ("DCG(gain=linear)", "drops", None, False, False, None, False)),
    ],
)  # fmt: skip
def test_a_rule_says_what_it_is_about(text: str, expected: tuple[object, ...]) -> None:
    rule, _ = parse_rule(text)
    found = (rule.subject, rule.verb, rule.amount, rule.relative, rule.significant, rule.segment)
    assert (*found, rule.each) == expected


def test_a_foreign_name_is_our_measure_and_is_said_to_be_foreign() -> None:
    found = ndcg.gate(QRELS, GOOD, "ndcg_cut_10 < 0.5")
    assert found.outcomes[0].rule.subject == "nDCG@10"
    assert "trec_eval's name" in " ".join(map(str, found.notices))


def outcome(run: Any, *rules: str, **how: Any) -> list[tuple[str, str]]:
    """The status and reason of each rule against the good run."""
    found = [ndcg.gate(QRELS, run, rule, baseline=GOOD, **how).outcomes[0] for rule in rules]
    return [(one.status, one.reason) for one in found]


def test_a_drop_is_held_against_the_amount_that_the_rule_names() -> None:
    drop = (1 - SECOND) / 4  # one query of four: 0.0923
    told = f"dropped {drop:.4f}"
    share = f"{told} ({drop:.1%})"
    assert outcome(
        moved("q1"),
        "nDCG@10 drops",
        "nDCG@10 drops 0.09",
        "nDCG@10 drops 0.1",
        "nDCG@10 drops 9%",
        "nDCG@10 drops 10%",
        "nDCG@10 rises",
        "nDCG@10 changes",
    ) == [
        ("failed", told),
        ("failed", f"{told}, and 0.09 is too much"),
        ("passed", f"{told}, less than 0.1"),
        ("failed", f"{share}, and 9% is too much"),
        ("passed", f"{share}, less than 10%"),
        ("passed", "did not rise"),
        ("failed", told),
    ]


def test_the_amount_itself_is_too_much_whatever_its_last_bit() -> None:
    # 0.3 - 0.2 and 0.1 differ in the last bit.
    qrels = {f"q{n}": {"a": 1} for n in range(10)}
    before = {q: {"a": 1.0} if n < 3 else {"x": 1.0} for n, q in enumerate(qrels)}
    after = {q: {"a": 1.0} if n < 2 else {"x": 1.0} for n, q in enumerate(qrels)}
    found = ndcg.gate(qrels, after, "nDCG@10 drops 0.1", baseline=before).outcomes[0]
    assert found.difference != -0.1
    assert found.status == "failed"


def test_a_limit_is_held_against_the_mean_that_eval_shows() -> None:
    mean = ndcg.evaluate(QRELS, moved("q1"))["nDCG@10"].mean
    rules = [f"nDCG@10 {verb} {mean!r}" for verb in ("<", "<=", ">", ">=")]
    found = [ndcg.gate(QRELS, moved("q1"), rule).outcomes[0] for rule in rules]
    assert [one.status for one in found] == ["passed", "failed", "passed", "failed"]
    assert {one.value for one in found} == {mean}


def test_a_limit_is_not_missed_by_the_last_bit() -> None:
    # Ten weights of a tenth add up to 1 less a bit.
    qrels = {f"q{n}": {"a": 1} for n in range(10)}
    run = {q: {"a": 1.0} if n < 7 else {"x": 1.0} for n, q in enumerate(qrels)}
    weights = dict.fromkeys(qrels, 0.1)
    found = ndcg.gate(qrels, run, ["P@1 < 0.7", "P@1 <= 70%"], weights=weights)
    assert [one.status for one in found.outcomes] == ["passed", "failed"]
    assert found.outcomes[0].reason == "0.7000 is not below 0.7"


def test_a_percentage_is_the_decimal_that_is_written() -> None:
    assert 0.7 / 100 != 0.007
    assert all(parse_rule(f"AP < {n / 10}%")[0].amount == float(f"{n}e-3") for n in range(1, 1000))


def test_a_value_is_shown_with_as_many_digits_as_tell_it_from_its_limit() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(3)}
    run = {q: {"a": 1.0} if n < 2 else {"x": 1.0} for n, q in enumerate(qrels)}
    (one,) = ndcg.gate(qrels, run, "nDCG@10 < 0.6667").outcomes
    assert one.reason == "0.66667 is below 0.6667"


def test_significance_asks_whether_the_paired_interval_holds_0() -> None:
    few, all_of_them = moved("q1"), moved(*QRELS)
    rule = "nDCG@10 drops significantly"
    assert outcome(few, rule)[0] == ("passed", "dropped 0.0923, but its interval holds 0")
    assert outcome(all_of_them, rule)[0] == ("failed", "dropped 0.3691; its interval excludes 0")
    by_option = outcome(few, "nDCG@10 drops 0.01", significant=True)[0]
    assert by_option == ("passed", "dropped 0.0923, and 0.01 is too much, but its interval holds 0")
    (pair,) = ndcg.compare(QRELS, {"before": GOOD, "after": few}).pairs
    (one,) = ndcg.gate(QRELS, few, rule, baseline=GOOD).outcomes
    assert (one.interval, one.value, one.before) == (pair.interval, pair.means[1], pair.means[0])


def test_limits_do_not_ask_for_significance() -> None:
    (one,) = ndcg.gate(QRELS, moved("q1"), "nDCG@10 < 0.99", significant=True).outcomes
    assert (one.status, one.rule.significant) == ("failed", False)


def test_the_worst_queries_are_five_and_those_of_the_rules_direction() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(9)}
    before = {q: {"a": 1.0} for q in qrels}
    before["q8"] = {"x": 2.0, "a": 1.0}
    after = {q: {f"x{m}": 9.0 - m for m in range(n)} | {"a": 0.0} for n, q in enumerate(qrels)}
    after["q8"] = {"a": 1.0}  # which rose
    down, up, either, low = ndcg.gate(
        qrels, after, ["nDCG drops", "nDCG rises", "nDCG changes", "nDCG < 0.9"], baseline=before
    ).outcomes
    assert [one.query for one in down.worst] == ["q7", "q6", "q5", "q4", "q3"]
    assert down.worst[0].difference == 1 / math.log2(9) - 1
    assert [one.query for one in up.worst] == ["q8"]
    assert [one.query for one in either.worst] == [one.query for one in down.worst]
    assert [one.query for one in low.worst] == ["q7", "q6", "q5", "q4", "q3"]


def test_what_is_counted_is_gated_with_the_queries_that_it_is() -> None:
    run = {"q0": {"a": 1.0}, "q9": {"a": 1.0}, "q2": {"x": 1.0, "a": 1.0}}
    rules = ["missing > 1", "extra > 0", "answered < 2", "tied > 0", "duplicates > 0", "empty > 0"]
    found = ndcg.gate(QRELS, run, rules)
    assert [(one.rule.subject, one.status, one.value) for one in found.outcomes] == [
        ("missing", "failed", 2),
        ("extra", "failed", 1),
        ("answered", "passed", 2),
        ("tied", "failed", 1),
        ("duplicates", "passed", 0),
        ("empty", "passed", 0),
    ]
    assert [one.query for one in found.outcomes[0].worst] == ["q1", "q3"]


def test_a_rule_that_stands_twice_counts_once_and_that_is_said() -> None:
    found = ndcg.gate(QRELS, GOOD, ["nDCG@10 < 0.5", "nDCG@10  <  0.5"])
    assert len(found.outcomes) == 1
    assert str(found.notices[0]) == "note: 1 rule given twice, and held once"


# -- parts of the queries --------------------------------------------------------------------------

KINDS = {"q0": "head", "q1": ["tail", "all"], "q2": "tail", "q9": "head"}


def test_a_rule_per_segment_is_one_for_each() -> None:
    found = ndcg.gate(
        QRELS, moved("q1"), "nDCG@10 drops 0.1 per segment", baseline=GOOD, segments=KINDS
    )
    assert [(one.rule.text, one.status, one.n) for one in found.outcomes] == [
        ("nDCG@10 drops 0.1 in all", "failed", 1),
        ("nDCG@10 drops 0.1 in head", "passed", 1),
        ("nDCG@10 drops 0.1 in tail", "failed", 2),
    ]
    assert found.outcomes[2].value == (1 + SECOND) / 2
    told = [str(one) for one in found.notices]
    assert "note: 1 query (q3) in no segment" in told
    assert "note: 1 query (q9) of the segments not judged" in told


def test_segments_of_one_query_or_none_that_counts_do_not_stop_the_others() -> None:
    qrels = {**QRELS, "q9": {"b": 0}}
    segments = {"q0": "one", "q1": "more", "q2": "more", "q9": "nothing relevant"}
    found = ndcg.gate(
        qrels, moved(*QRELS), "nDCG@10 drops significantly per segment", baseline=GOOD,
        segments=segments,
    )  # fmt: skip
    assert [(one.rule.segment, one.status, one.reason) for one in found.outcomes] == [
        ("more", "failed", "dropped 0.3691; its interval excludes 0"),
        (
            "nothing relevant",
            "skipped",
            "no query that it is about has a value both now and in the baseline",
        ),
        ("one", "skipped", "dropped 0.3691, but there is no interval of a single query"),
    ]
    assert "2 rules could not be held, or not in a segment" in str(found.notices[0])
    for name in ("text", "markdown", "junit"):
        assert "nothing relevant" in render(found, name)
    suite = ET.fromstring(render(found, "junit")).find("testsuite")
    assert suite is not None
    assert suite.get("skipped") == "2"


def test_a_rule_that_can_be_judged_in_no_segment_is_refused() -> None:
    each = {query: query for query in QRELS}
    rule = "nDCG@10 drops significantly per segment"
    with pytest.raises(UsageError, match="there is no interval of a single query"):
        ndcg.gate(QRELS, moved(*QRELS), rule, baseline=GOOD, segments=each)


def test_one_query_with_all_the_weight_has_no_interval_and_that_is_said() -> None:
    weights = dict.fromkeys(QRELS, 1e-300) | {"q0": 1.0}
    with pytest.raises(UsageError, match="as one query has all the weight"):
        ndcg.gate(QRELS, moved(*QRELS), "nDCG@10 drops significantly", baseline=GOOD,
                  weights=weights)  # fmt: skip


def test_a_segment_has_its_own_limit_and_its_own_worst() -> None:
    (one,) = ndcg.gate(QRELS, moved("q1", "q3"), "nDCG@10 < 0.99 in tail", segments=KINDS).outcomes
    assert (one.status, one.value) == ("failed", (1 + SECOND) / 2)
    assert [worst.query for worst in one.worst] == ["q1", "q2"]


def test_weights_count_in_the_drop_and_its_interval_as_they_do_in_a_comparison() -> None:
    weights = {"q0": 1.0, "q1": 3.0, "q2": 2.0, "q3": 0.5}
    run = moved("q1", "q3")
    (one,) = ndcg.gate(QRELS, run, "nDCG@10 drops", baseline=GOOD, weights=weights).outcomes
    (pair,) = ndcg.compare(QRELS, {"a": GOOD, "b": run}, weights=weights).pairs
    assert (one.value, one.interval) == (pair.means[1], pair.interval)
    ev = ndcg.evaluate(QRELS, run, weights=weights)
    assert one.value == ev["nDCG@10"].mean


def test_queries_that_lost_their_value_are_a_failure_and_are_counted() -> None:
    less = {q: row for q, row in GOOD.items() if q != "q3"}
    found = ndcg.gate(QRELS, less, "nDCG@10 drops", baseline=GOOD, missing="exclude")
    (one,) = found.outcomes
    assert (one.status, one.n, one.unpaired, one.before) == ("failed", 3, 1, 1.0)
    assert one.reason == "did not drop; 1 query with a value in the baseline and none now"
    assert "3 queries (1 on one side alone, left out)" in found.report()
    only = {"q9": {"a": 1.0}, "q3": {"a": 1.0}}
    (one,) = ndcg.gate(
        QRELS, only, "nDCG@10 drops", baseline={"q0": {"a": 1.0}}, missing="exclude"
    ).outcomes
    assert (one.status, one.n, one.value) == ("failed", 0, None)


def test_queries_that_are_new_are_counted_and_no_failure() -> None:
    less = {q: row for q, row in GOOD.items() if q != "q3"}
    (one,) = ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=less, missing="exclude").outcomes
    assert (one.status, one.n, one.unpaired) == ("passed", 3, 1)


def test_a_segment_that_vanished_fails(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    ndcg.gate(QRELS, GOOD, baseline=path, update=True, missing="exclude")
    found = ndcg.gate(
        QRELS, {"q0": GOOD["q0"]}, "nDCG@10 drops per segment", baseline=path, missing="exclude",
        segments={"q0": "a", "q1": "b", "q2": "b"},
    )  # fmt: skip
    assert [one.status for one in found.outcomes] == ["passed", "failed"]
    assert found.outcomes[1].reason == "2 queries with a value in the baseline and none now"


def test_a_mean_that_the_convention_leaves_undefined_is_not_judged_by_the_rest() -> None:
    some = {q: GOOD[q] for q in ("q0", "q1")}
    for rule, more in (
        ("nDCG@10 < 0.9", {}),
        ("nDCG@10 drops 0.01", {"baseline": some}),
        ("nDCG@10 < 0.9 in s", {"segments": {"q0": "s", "q2": "s"}}),
    ):
        with pytest.raises(UsageError, match="its mean is undefined"):
            ndcg.gate(QRELS, some, rule, missing="nan", **more)
    inside = {"q0": "s", "q1": "s"}
    assert ndcg.gate(QRELS, some, "nDCG@10 < 0.9 in s", missing="nan", segments=inside).passed


def test_a_part_that_is_undefined_is_not_skipped_beside_others(tmp_path: Path) -> None:
    kinds = {"q0": "h", "q1": "h", "q2": "t", "q3": "t"}
    less = {q: GOOD[q] for q in ("q0", "q1", "q2")}
    found = ndcg.gate(QRELS, less, "nDCG@10 drops per segment", baseline=GOOD, segments=kinds,
                      missing="nan")  # fmt: skip
    assert [one.status for one in found.outcomes] == ["passed", "failed"]
    with pytest.raises(UsageError, match="its mean is undefined"):
        ndcg.gate(QRELS, less, "nDCG@10 < 0.9 per segment", segments=kinds, missing="nan")
    with pytest.raises(UsageError, match="its mean in the baseline is undefined"):
        ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=less, missing="nan")
    path = tmp_path / "b.json"
    with pytest.raises(UsageError, match="its mean is undefined"):
        ndcg.gate(QRELS, less, "nDCG@10 < 0.9", baseline=path, update=True, missing="nan")
    assert not path.exists()


def test_queries_that_lost_their_value_are_named_first() -> None:
    less = {q: row for q, row in moved("q1").items() if q != "q3"}
    (one,) = ndcg.gate(QRELS, less, "nDCG@10 drops", baseline=GOOD, missing="exclude").outcomes
    assert [(worst.query, worst.value, worst.before) for worst in one.worst] == [
        ("q3", None, 1.0),
        ("q1", SECOND, 1.0),
    ]


def test_a_segment_that_counts_nothing_is_skipped() -> None:
    weights = {"q0": 1.0, "q1": 1.0, "q2": 0.0, "q3": 0.0}
    kinds = {"q0": "h", "q1": "h", "q2": "t", "q3": "t"}
    found = ndcg.gate(QRELS, GOOD, "nDCG@10 < 0.5 per segment", segments=kinds, weights=weights)
    assert [one.status for one in found.outcomes] == ["passed", "skipped"]


def test_a_segment_that_is_named_and_one_of_each_is_held_once() -> None:
    rules = ["nDCG@10 < 0.5 per segment", "nDCG@10 < 0.5 in tail"]
    found = ndcg.gate(QRELS, GOOD, rules, segments=KINDS)
    assert [one.rule.segment for one in found.outcomes] == ["all", "head", "tail"]


def test_a_segment_may_be_called_as_a_move_is() -> None:
    found = ndcg.gate(QRELS, GOOD, "AP < 0.5 in price drops", segments={"q0": "price drops"})
    assert found.outcomes[0].rule.segment == "price drops"


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ("P@1 < 0.66668", "0.66667 is below 0.66668"),
        ("P@1 > 0.66665", "0.6667 is above 0.66665"),
        ("P@1 <= 0.6666666666666", "0.6666666666666 is at most 0.6666666666666"),
        ("P@1 < 0.5", "0.6667 is not below 0.5"),
    ],
)
def test_a_reason_shows_the_side_on_which_a_value_is(rule: str, reason: str) -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(3)}
    run = {q: {"a": 1.0} if n < 2 else {"x": 1.0} for n, q in enumerate(qrels)}
    assert ndcg.gate(qrels, run, rule).outcomes[0].reason.startswith(reason)


def test_a_baseline_is_not_rewritten_beside_a_history_that_cannot_be(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ndcg.gating.judging.append_line", full)
    path = tmp_path / "b.json"
    with pytest.raises(OSError, match="No space"):
        ndcg.gate(QRELS, GOOD, "AP < 0.5", baseline=path, update=True, history=tmp_path / "h")
    assert not path.exists()


def test_a_baseline_is_one_with_its_keys_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    body = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps(body, sort_keys=True, indent=4), "utf-8")
    assert ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path).passed


def test_labels_are_shown_as_they_are_in_markdown(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    label = "<img src=x>\x1b[31m ![x](http://e/p.png) *"
    ndcg.gate(QRELS, GOOD, "AP < 0.5", history=path, label=label)
    text = command("history", str(path), "--format", "markdown").out
    assert not any(mark in text for mark in ("<img", "\x1b", "![x]"))


def test_means_are_rounded_as_the_convention_says_in_every_part() -> None:
    run, how = moved("q1"), {"rounding": "mean:0", "segments": {"q0": "s", "q1": "s"}}
    assert ndcg.evaluate(QRELS, run, rounding="mean:0")["nDCG@10"].mean == 1.0
    found = ndcg.gate(QRELS, run, ["nDCG@10 < 0.95", "nDCG@10 < 0.95 in s"], **how)
    assert [one.value for one in found.outcomes] == [1.0, 1.0]
    (one,) = ndcg.gate(QRELS, run, "nDCG@10 drops", baseline=GOOD, rounding="mean:0").outcomes
    assert (one.status, one.value, one.before) == ("passed", 1.0, 1.0)


def test_extra_queries_that_count_are_not_paired() -> None:
    more = {**GOOD, "z1": {"a": 1.0}}
    with pytest.raises(UsageError, match="extra:zero counts those that one run alone lists"):
        ndcg.gate(QRELS, more, "nDCG@10 drops", baseline=GOOD, extra="zero")
    assert not ndcg.gate(QRELS, more, "nDCG@10 < 0.9", extra="zero").passed


def test_a_sum_is_compared_by_its_summary_and_has_no_interval() -> None:
    (one,) = ndcg.gate(
        QRELS, {q: {"x": 1.0} for q in QRELS} | {"q0": {"a": 1.0}}, "NumRelRet drops 2",
        baseline=GOOD,
    ).outcomes  # fmt: skip
    assert (one.value, one.before, one.interval, one.status) == (1.0, 4.0, None, "failed")


@pytest.mark.parametrize("seed", range(5))
def test_a_gate_on_random_runs_says_what_a_comparison_says(seed: int) -> None:
    qrels, first = data(seed)
    second = data(seed + 100)[1]
    (pair,) = ndcg.compare(qrels, {"a": first, "b": second}, "nDCG@5", negative="clamp").pairs
    (one,) = ndcg.gate(qrels, second, "nDCG@5 drops", baseline=first).outcomes
    assert (one.n, one.interval, one.value) == (pair.n, pair.interval, pair.means[1])
    assert one.difference is not None
    assert math.isclose(one.difference, pair.difference, abs_tol=1e-15)


# -- the baseline ----------------------------------------------------------------------------------


def written(path: Path, run: Any = GOOD, **how: Any) -> Baseline:
    """A baseline file, of the good run unless said otherwise."""
    ndcg.gate(QRELS, run, baseline=path, update=True, **how)
    return read_baseline(path.read_text("utf-8"), str(path))


def test_a_baseline_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    found = written(path, moved("q1"), measures=["nDCG@10", "AP"])
    ev = ndcg.evaluate(QRELS, moved("q1"), ["nDCG@10", "AP"])
    assert found.per_query == ev.per_query
    assert found.text() == path.read_text("utf-8")
    assert set(found.signatures) == {"nDCG@10", "AP"}


def test_a_baseline_file_says_what_the_run_itself_says(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    by_file = ndcg.gate(QRELS, moved("q1"), "nDCG@10 drops 0.01", baseline=path)
    by_run = ndcg.gate(QRELS, moved("q1"), "nDCG@10 drops 0.01", baseline=GOOD)
    assert by_file.outcomes == by_run.outcomes


def test_the_same_values_give_the_same_bytes_wherever_they_were_computed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    paths = [tmp_path / "a.json", tmp_path / "elsewhere" / "b.json"]
    backwards = dict(reversed(QRELS.items()))
    ndcg.gate(QRELS, GOOD, baseline=paths[0], update=True)
    ndcg.gate(backwards, dict(reversed(GOOD.items())), baseline=paths[1], update=True)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_ids_that_hold_what_separates_ids_do_not_make_other_judgments_the_same() -> None:
    two: list[dict[str, dict[str, float]]] = [
        {"q": {"a": 1, "b": 1}},
        {"q": {"a\t1\nb": 1}},
        {"q": {'"a': 1, "b": 1}},
        {"q": {"a": 1}, "r": {"b": 1}},
        {"q\na\t1\n\nr": {"b": 1}},
    ]
    assert len({digest_of(judgments(one)[0].settled("agree")) for one in two}) == len(two)


@pytest.mark.parametrize("change", ["grade", "document", "query"])
def test_other_judgments_have_another_digest(change: str) -> None:
    qrels = {"q1": {"a": 1, "b": 2.5}, "q2": {"c": 0}}
    other = {
        "grade": {"q1": {"a": 1, "b": 2.25}, "q2": {"c": 0}},
        "document": {"q1": {"a": 1, "d": 2.5}, "q2": {"c": 0}},
        "query": {"q1": {"a": 1, "b": 2.5}, "q3": {"c": 0}},
    }[change]
    settled = [judgments(one)[0].settled("agree") for one in (qrels, other)]
    assert digest_of(settled[0]) != digest_of(settled[1])


def test_order_and_format_of_judgments_are_no_part_of_their_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(
        trec="q1 0 a 1\nq1 0 b 2\nq2 0 c 0\n",
        turned="q2 0 c 0\nq1 0 b 2\nq1 0 a 1\nq1 0 a 1\n",
        csv="query,document,grade\nq2,c,0.0\nq1,b,2\nq1,a,1\n",
        json='{"q2": {"c": 0}, "q1": {"b": 2, "a": 1}}',
        run="q1 Q0 a 1 1.0 t\n",
    )
    digests = {
        ndcg.gate(qrels, "run", "nDCG@10 < 0.1").judgments
        for qrels in ("trec", "turned", "csv", "json")
    }
    assert len(digests) == 1


def test_an_update_accepts_what_moved_and_is_then_the_baseline(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    found = ndcg.gate(QRELS, moved("q1"), "nDCG@10 drops", baseline=path, update=True)
    assert (found.outcomes[0].status, found.passed, found.updated) == ("accepted", True, str(path))
    assert ndcg.gate(QRELS, moved("q1"), "nDCG@10 changes", baseline=path).passed
    assert not ndcg.gate(QRELS, moved("q1", "q2"), "nDCG@10 changes", baseline=path).passed


def test_an_update_with_a_broken_limit_writes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    before = path.read_bytes()
    found = ndcg.gate(
        QRELS, moved("q1"), ["nDCG@10 drops", "nDCG@10 < 0.95"], baseline=path, update=True
    )
    assert (found.passed, found.updated, found.kept) == (False, None, str(path))
    assert path.read_bytes() == before
    assert [one.status for one in found.outcomes] == ["failed", "failed"]  # nothing is accepted
    assert f"{path} is not written, as a rule failed" in render(found, "text")


def test_an_update_says_what_is_not_comparable_and_replaces_it(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path, measures=["nDCG@10", "AP"])
    told = ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path, update=True, gain="linear")
    changed = "nDCG@10 was computed by other rules: gain exp2 -> linear"
    assert changed in " ".join(map(str, told.notices))
    assert (told.outcomes[0].status, changed in told.outcomes[0].reason) == ("skipped", True)
    told = ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path, update=True, gain="linear")
    assert (told.outcomes[0].status, told.notices) == ("passed", ())


def test_an_update_with_a_new_measure_still_compares_the_others(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    rules = ["nDCG@10 drops", "AP drops"]
    found = ndcg.gate(QRELS, moved("q1"), rules, baseline=path, update=True)
    assert [one.status for one in found.outcomes] == ["accepted", "skipped"]
    assert "AP is not in the baseline" in found.outcomes[1].reason
    assert render(found, "text").startswith("gate passed: 2 rules for run, 1 accepted, 1 skipped")


def test_a_measure_that_leaves_the_baseline_is_named(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path, measures=["nDCG@10", "AP"])
    told = ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path, update=True).notices
    assert "AP, in the baseline so far, will not be there" in str(told[0])


def test_a_damaged_baseline_is_replaced_by_an_update_which_says_so(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    path.write_bytes(path.read_bytes()[:200])
    found = ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path, update=True)
    assert "could not be read and is replaced" in str(found.notices[0])
    assert ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path).passed


def test_another_version_of_this_package_is_a_note(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    path.write_text(replace(written(path), version="0.0.9").text(), "utf-8")
    found = ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path)
    assert "the baseline is of version 0.0.9" in str(found.notices[0])


def test_an_update_while_another_one_wrote_writes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "b.json"
    written(path)
    original = updating._bytes_of

    def meanwhile(asked: str) -> bytes | None:
        path.write_text(path.read_text("utf-8") + "\n", "utf-8")  # somebody else was here
        return original(asked)

    monkeypatch.setattr(updating, "_bytes_of", meanwhile)
    before = path.read_bytes() + b"\n"
    with pytest.raises(DataError, match="was written by something else while this ran"):
        ndcg.gate(QRELS, moved("q1"), "nDCG@10 drops", baseline=path, update=True)
    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == ["b.json"]


UPDATE = """
import os, sys, time
import ndcg
from ndcg.gating import judging, updating
folder, n = sys.argv[1], sys.argv[2]
def together(previous, now, _own=judging.rewritten):
    # All have read the baseline before any of them writes.
    open(os.path.join(folder, n + ".ready"), "w").close()
    while len([name for name in os.listdir(folder) if name.endswith(".ready")]) < 4:
        time.sleep(0.01)
    return _own(previous, now)
def slow(path, _own=updating._bytes_of):
    found = _own(path)
    time.sleep(0.2)  # between looking and writing
    return found
judging.rewritten, updating._bytes_of = together, slow
qrels = {f"q{i}": {"a": 1} for i in range(int(n) + 10)}
run = {q: {"a": 1.0} for q in qrels}
try:
    ndcg.gate(qrels, run, "nDCG@10 drops", baseline=os.path.join(folder, "b.json"), update=True)
    print("wrote", n)
except ndcg.DataError as error:
    assert "was written by something else" in str(error), error
    print("late")
"""


def test_of_updates_at_the_same_time_one_writes_and_the_others_say_so(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", UPDATE, str(tmp_path), str(n)], stdout=subprocess.PIPE
        )
        for n in range(4)
    ]
    said = [process.communicate(timeout=60)[0].decode().split() for process in processes]
    assert [process.returncode for process in processes] == [0] * 4
    wrote = [words[1] for words in said if words[0] == "wrote"]
    assert len(wrote) == 1
    found = read_baseline(path.read_text("utf-8"), str(path))
    assert len(found.per_query) == int(wrote[0]) + 10
    assert not [one for one in tmp_path.iterdir() if one.suffix not in (".json", ".ready")]


SLOW = """
import sys, time
import ndcg
from ndcg.formats import writing
def slow(path, data, ready, _own=writing._write_beside):
    _own(path, data[: len(data) // 2], ready)  # half of it is there
    print("writing", flush=True)
    time.sleep(60)
writing._write_beside = slow
qrels = {"q0": {"a": 1}}
ndcg.gate(qrels, {"q0": {"a": 1.0}}, baseline=sys.argv[1], update=True, measures="AP")
"""


def test_a_killed_update_leaves_the_baseline_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    before = path.read_bytes()
    process = subprocess.Popen([sys.executable, "-c", SLOW, str(path)], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"writing\n"
    process.send_signal(signal.SIGKILL)
    process.wait(timeout=60)
    process.stdout.close()
    assert path.read_bytes() == before
    # Nothing stays locked behind it.
    assert ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path, update=True).updated


# -- what is printed -------------------------------------------------------------------------------


def test_markdown_stays_below_the_limit_of_a_step_summary_and_counts_the_rest() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(900)}
    segments = {query: f"a segment with a rather long name, {query} " * 3 for query in qrels}
    run = {q: {"x": 1.0} for q in qrels} | {"q0": {"a": 1.0}}
    found = ndcg.gate(qrels, run, "nDCG@10 < 0.5 per segment", segments=segments)
    text = render(found, "markdown")
    assert 50_000 < len(text.encode()) < SUMMARY + 4_000 < 64 * 1024
    shown = text.count("**failed**")
    assert f"{900 - shown} rules more" in text
    assert text.endswith("]`\n")


def test_junit_has_a_case_for_each_rule_and_a_failure_for_each_that_failed() -> None:
    found = ndcg.gate(
        QRELS, moved("q1"), ["nDCG@10 drops 0.01", "nDCG@10 < 0.5"], baseline=GOOD
    )  # fmt: skip
    suite = ET.fromstring(render(found, "junit")).find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("2", "1")
    failures = {case.get("name"): case.find("failure") for case in suite.iter("testcase")}
    failure = failures["nDCG@10 drops 0.01"]
    assert failure is not None
    assert failure.get("message") == found.outcomes[0].reason
    assert "q1 -0.369" in (failure.text or "")
    assert failures["nDCG@10 < 0.5"] is None


def test_annotations_are_ten_at_most_and_the_last_counts_the_others() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(30)}
    run = {q: {"x": 1.0} for q in qrels}
    segments = {q: f"s{n}" for n, q in enumerate(qrels)}
    for number, told in ((10, 10), (11, 10), (30, 10)):
        some = dict(list(qrels.items())[:number])
        found = ndcg.gate(some, run, "nDCG@10 < 0.5 per segment", segments=segments)
        lines = render(found, "github").splitlines()
        assert len(lines) == told
        assert all(line.startswith("::error title=ndcg gate::") for line in lines)
        if number > told:
            assert lines[-1].endswith(f"{number - 9} rules more failed; --json has all")


def test_json_holds_what_was_decided_by_what() -> None:
    found = ndcg.gate(QRELS, moved("q1"), ["nDCG@10 drops 0.01", "missing > 0"], baseline=GOOD)
    body = json.loads(render(found, "json"))
    first, second = body["rules"]
    assert (body["passed"], first["status"], second["status"]) == (False, "failed", "passed")
    assert first["difference"] == first["value"] - first["baseline"]
    assert first["worst"] == [
        {"query": "q1", "value": SECOND, "baseline": 1.0, "difference": SECOND - 1}
    ]
    assert body["measures"]["nDCG@10"]["mean"] == first["value"]
    assert second["value"] == 0


def test_what_looks_like_markup_is_shown_as_it_is_in_markdown() -> None:
    evil = "![x](http://e/p.png) <b>`*~"
    qrels = {evil: {"a": 1}}
    text = render(ndcg.gate(qrels, {evil: {"x": 1.0}}, "AP < 0.5"), "markdown")
    assert not any(mark in text for mark in ("![", "<b>", "](", "`*", "~ "))
    assert "&#60;b>" in text


def test_a_run_may_be_called_as_the_baseline_is() -> None:
    assert not ndcg.gate(QRELS, {"baseline": moved("q1")}, "AP drops", baseline=GOOD).passed
    assert not ndcg.gate(QRELS, moved("q1"), "AP drops", baseline={"old": GOOD}).passed


def test_a_baseline_run_may_be_ordered_by_something_else() -> None:
    lists = {query: ["a", "x"] for query in QRELS}
    assert not ndcg.gate(QRELS, moved("q1"), "AP drops", baseline=lists).passed


def test_a_baseline_in_other_white_space_or_with_a_byte_order_mark_is_one(tmp_path: Path) -> None:
    path = tmp_path / "b.json"
    written(path)
    path.write_text("\ufeff" + json.dumps(json.loads(path.read_text("utf-8"))), "utf-8")
    assert ndcg.gate(QRELS, GOOD, "nDCG@10 drops", baseline=path).passed


def test_a_gate_is_true_where_it_passed_and_prints_itself() -> None:
    found = ndcg.gate(QRELS, GOOD, "nDCG@10 < 0.5")
    assert found
    assert str(found).startswith("gate passed: 1 rule for run\n\npassed  nDCG@10 < 0.5: 1.0000")
    assert repr(found) == "<Gate passed: 1 rules>"


# -- the command -----------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    put(
        qrels="".join(f"{q} 0 a 1\n" for q in QRELS),
        good="".join(f"{q} Q0 a 1 1.0 good\n" for q in QRELS),
        bad="".join(f"{q} Q0 x 1 2.0 bad\n{q} Q0 a 2 1.0 bad\n" for q in QRELS),
    )
    return tmp_path


@pytest.mark.usefixtures("files")
def test_exit_codes_are_0_1_and_2() -> None:
    rule = ("--fail-if", "nDCG@10 drops 0.01", "--baseline", "b.json")
    assert command("gate", "qrels", "good", *rule).code == 2  # there is none yet
    assert command("gate", "qrels", "good", *rule, "--update").code == 0
    assert command("gate", "qrels", "good", *rule).code == 0
    assert command("gate", "qrels", "bad", *rule).code == 1
    assert command("gate", "qrels", "bad", *rule, "--gain", "linear").code == 2
    put(qrels="q0 0 a 1\n")
    assert command("gate", "qrels", "good", *rule).code == 2
    assert command("gate", "qrels", "bad", *rule, "--update").code == 0


@pytest.mark.usefixtures("files")
def test_outputs_are_written_beside_the_text() -> None:
    done = command(
        "gate", "qrels", "bad", "--fail-if", "nDCG@10 < 0.9", "-o", "g.md", "-o", "g.json",
        "-o", "g.xml",
    )  # fmt: skip
    assert done.code == 1
    assert done.out.startswith("gate failed: 1 of 1 rule for bad\n")
    assert Path("g.md").read_text("utf-8").startswith("**gate failed")
    assert json.loads(Path("g.json").read_text("utf-8"))["passed"] is False
    assert ET.parse("g.xml").getroot().tag == "testsuites"


RULES = """
qrels = "qrels"
run = "bad"
fail-if = ["nDCG@10 < 0.9", "missing > 0"]
axes = { gain = "linear", rounding = "none" }
"""


@pytest.mark.usefixtures("files")
def test_a_file_of_rules_is_all_that_has_to_be_given() -> None:
    put(rules_toml=RULES)
    done = command("gate", "--rules", "rules.toml")
    assert done.code == 1
    assert "gain:linear" in done.out
    assert "rules and settings of rules.toml are used" in done.err


def test_the_table_in_pyproject_is_found_from_a_folder_below(
    files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = "[tool.ndcg.gate]\n" + RULES
    Path("pyproject.toml").write_text('[project]\nname = "p"\n' + table, "utf-8")
    (files / "below").mkdir()
    monkeypatch.chdir(files / "below")
    done = command("gate")
    assert done.code == 1
    assert "rules and settings of ../pyproject.toml are used" in done.err
    assert command("gate", "--rules", "none").code == 2


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("asked", ["gate", "eval", "compare", "ceiling"])
def test_a_file_that_names_no_query_is_no_file_left_out(asked: str) -> None:
    put(none="# none yet\n")
    rule = ("--fail-if", "nDCG@10 < 0.5") if asked == "gate" else ()
    runs = ("good", "bad") if asked == "compare" else ("good",)
    done = command(asked, "qrels", *runs, *rule, "--queries-from", "none")
    assert done.code == 2
    assert done.err.startswith("error[E12 queries]: the set of queries is empty\n")
    assert command(asked, "qrels", *runs, *rule, "--queries-from", "none", "-q", "q1").code == 0


@pytest.mark.usefixtures("files")
def test_what_is_given_on_the_command_line_counts_and_that_is_said() -> None:
    put(r=RULES)
    done = command("gate", "qrels", "good", "--rules", "r", "--fail-if", "AP < 0.5", "-v")
    assert done.code == 0
    assert "the rules of r are not used: --fail-if is given" in done.err
    assert "passed  AP < 0.5" in done.out
    assert "missing >" not in done.out


# -- history ---------------------------------------------------------------------------------------


def history(*runs: tuple[Any, dict[str, Any]], path: Path) -> None:
    for number, (run, how) in enumerate(runs):
        ndcg.gate(QRELS, run, "nDCG@10 < 0.9", history=path, label=f"v{number}", **how)


def test_every_run_adds_one_line_and_the_series_says_what_is_comparable(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    history((GOOD, {}), (moved(*QRELS), {}), (GOOD, {"gain": "linear"}), (GOOD, {"gain": "linear"}),
            path=path)  # fmt: skip
    assert path.read_bytes().count(b"\n") == 4
    points = series_of(read_history(str(path)))["nDCG@10"]
    assert [point.value.mean for point in points] == [1.0, SECOND, 1.0, 1.0]
    assert [point.broken for point in points] == [(), (), ("convention",), ()]
    assert [point.failed for point in points] == [(), ("nDCG@10 < 0.9",), (), ()]
    assert [point.entry.passed for point in points] == [True, False, True, True]
    interval = ndcg.evaluate(QRELS, GOOD)["nDCG@10"].interval
    assert points[0].value.interval == interval
    ndcg.gate({"q0": {"a": 1}}, GOOD, "nDCG@10 < 0.9", history=path, gain="linear")
    assert series_of(read_history(str(path)))["nDCG@10"][-1].broken == ("judgments",)


def test_a_line_that_was_cut_short_stays_a_line_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    history((GOOD, {}), path=path)
    path.write_bytes(path.read_bytes()[:-30])
    history((GOOD, {}), path=path)
    assert path.read_bytes().count(b"\n") == 2
    with pytest.raises(DataError, match=r"h\.jsonl:1"):
        read_history(str(path))


def test_a_measure_is_marked_as_failed_by_the_rules_about_it_alone(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    ndcg.gate(QRELS, moved("q1"), ["nDCG@10 < 0.99", "Judged@1 < 0.1"], history=path)
    series = series_of(read_history(str(path)))
    assert series["nDCG@10"][0].failed == ("nDCG@10 < 0.99",)
    assert series["Judged@1"][0].failed == ()
    shown = command("history", str(path)).out
    assert ("failed" in shown, "other failed" in shown) == (True, True)


def test_the_last_runs_are_those_of_the_file_not_of_each_measure(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    for rule in ("AP < 0.1", "AP < 0.1", "P@1 < 0.1", "P@1 < 0.1"):
        ndcg.gate(QRELS, GOOD, rule, history=path)
    shown = command("history", str(path), "--last", "2").out
    assert ("P@1" in shown, "AP" in shown) == (True, False)


def test_a_line_of_which_the_disk_took_a_part_is_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "h.jsonl"
    history((GOOD, {}), path=path)
    before = path.read_bytes()

    class Full(io.FileIO):
        def write(self, data: Any) -> int:
            return super().write(data[:50])

    monkeypatch.setattr("builtins.open", lambda name, mode, **_: Full(name, mode.replace("b", "")))
    with pytest.raises(DataError, match="the disk took a part of the line"):
        append_line(str(path), ndcg.gate(QRELS, GOOD, "AP < 0.1"))
    monkeypatch.undo()
    assert path.read_bytes() == before


def test_histories_of_many_writers_hold_every_line(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    code = (
        "import ndcg, sys\n"
        "for n in range(20): ndcg.gate({'q': {'a': 1}}, {'q': {'a': 1.0}}, 'AP < 0.5',"
        " history=sys.argv[1], label=str(n))"
    )
    writers = [subprocess.Popen([sys.executable, "-c", code, str(path)]) for _ in range(3)]
    assert [writer.wait(timeout=60) for writer in writers] == [0, 0, 0]
    assert len(read_history(str(path))) == 60


def test_the_picture_is_xml_that_names_every_run_and_escapes_what_it_is_given(
    tmp_path: Path,
) -> None:
    path = tmp_path / "h.jsonl"
    history((GOOD, {}), (moved("q1", "q2"), {}), path=path)
    ndcg.gate(QRELS, GOOD, "nDCG@10 < 0.9", history=path, label="<b> & \x1b[31m", gain="linear")
    done = command("history", str(path), "--format", "svg")
    root = ET.fromstring(done.out)
    titles = [one.text or "" for one in root.iter("{http://www.w3.org/2000/svg}title")]
    assert titles[0].startswith(r"nDCG@10: 1.0000 in <b> & \x1b[31m, the last of 3 runs")
    assert [title.partition(":")[0] for title in titles[1:]] == ["v0", "v1", r"<b> & \x1b[31m"]
    assert titles[2].endswith("failed: nDCG@10 < 0.9")
    assert "other convention" in done.out


@pytest.mark.parametrize(
    "ends",
    [
        [0.5, 0.5],
        [0.0, 0.0],
        [1e-9, 2e-9],
        [-3.0, 40.0],
        [0.61, 0.64],
        [0.5, 0.5 + 1e-13],
        [1e-14, 1e-14],
        [1e308, 1e308],
        [-1e308, 1e308],
    ],
)
def test_an_axis_has_few_round_marks_and_holds_all_values(ends: list[float]) -> None:
    axis = Axis.over(ends)
    assert 2 <= len(axis.marks) <= 8
    assert axis.marks[0] <= min(ends) * (1 + 1e-6 * (1 if min(ends) > 0 else -1)) + 1e-300
    assert axis.marks[-1] * (1 + 1e-6) >= max(ends)
    assert all(0 <= axis.y(end) <= 280 for end in ends)


def test_machine_formats_of_a_history_hold_every_digit(tmp_path: Path) -> None:
    path = tmp_path / "h.jsonl"
    history((GOOD, {}), (moved("q1"), {}), path=path)
    rows = json.loads(command("history", str(path), "--json").out)["runs"]
    assert [row["mean"] for row in rows] == [1.0, (3 + SECOND) / 4]
    lines = command("history", str(path), "--format", "csv", "--last", "1").out.splitlines()
    assert len(lines) == 2
    assert str((3 + SECOND) / 4) in lines[1]
