"""reconcile: parts of a gap that add up, and the convention behind a number."""

from __future__ import annotations

import json
import math
from pathlib import Path
from random import Random
from typing import Any

import pytest

import ndcg
from command import ndcg as command
from command import put
from ndcg import PRESETS, Convention, evaluate
from ndcg.cli.demo_command import folder
from ndcg.diagnose.between import Between, split
from ndcg.diagnose.reconcile import Gap, Matches, reconcile
from ndcg.diagnose.relaxed import relaxed
from ndcg.diagnose.scorer import Scored, Scorer, inputs
from ndcg.errors import UsageError

QRELS, RUN = (str(Path(folder()) / name) for name in ("qrels.txt", "bm25.run"))
OF_NDCG = [name for name, one in PRESETS.items() if one.measure == "nDCG"]
# Twenty tools that a user is likely to come from.
LISTED = (
    "trec_eval", "trec_eval-9", "ndcg", "sklearn", "ranx.make_comparable", "lightgbm", "catboost",
    "spark", "spark.graded", "recommenders", "rectools", "mlflow", "lenskit", "replay.pandas",
    "evidently", "elliot", "ignite", "beir", "sentence_transformers", "ir_measures.judged_only",
)  # fmt: skip


@pytest.fixture(scope="module")
def scorer() -> Scorer:
    measure, read = inputs(QRELS, RUN, "nDCG@10")
    return read.scorer(read.systems[0], measure)


def gap(one: Any, other: Any, qrels: Any = QRELS, run: Any = RUN, **more: Any) -> Between:
    found = reconcile(qrels, run, between=(one, other), **more)
    assert isinstance(found, Gap)
    return found.between


def matches(qrels: Any = QRELS, run: Any = RUN, measure: str = "nDCG@10", **more: Any) -> Matches:
    found = reconcile(qrels, run, measure, **more)
    assert isinstance(found, Matches)
    return found


# -- between ---------------------------------------------------------------------------------------


def test_the_parts_of_50_random_pairs_add_up(scorer: Scorer) -> None:
    draw = Random(20261130)  # noqa: S311 -- no secret
    for _ in range(50):
        one, other = draw.sample(OF_NDCG, 2)
        found = split(scorer, (one, PRESETS[one].convention), (other, PRESETS[other].convention))
        assert math.isclose(
            math.fsum(part.part for part in found.parts), found.gap, abs_tol=1e-12, rel_tol=0
        ), (one, other)
        assert abs(found.remainder) <= 1e-12
        assert found.gap == found.other.mean - found.one.mean
        for side, name in ((found.one, one), (found.other, other)):
            if not side.replaced:
                assert side.mean == evaluate(QRELS, RUN, preset=name)["nDCG@10"].mean


def test_the_order_of_the_two_turns_the_signs() -> None:
    there, back = gap("trec_eval", "lightgbm"), gap("lightgbm", "trec_eval")
    assert there.gap == -back.gap
    parts = {tuple(part.axes): part.part for part in back.parts}
    for part in there.parts:
        assert math.isclose(part.part, -parts[tuple(part.axes)], abs_tol=1e-12)


def test_one_axis_takes_the_whole_gap_and_two_share_what_they_do_together() -> None:
    base = Convention(ties="input")
    (part,) = gap(base, base.but({"gain": "linear"})).parts
    assert part.part == part.alone == gap(base, base.but({"gain": "linear"})).gap
    assert part.axes == {"gain": ("exp2", "linear")}
    # By hand: of two axes, each gets the mean of what it changes first and what it changes second.
    other = base.but({"gain": "linear", "ideal": "retrieved"})
    v = {
        name: evaluate(QRELS, RUN, convention=convention)["nDCG@10"].mean or 0.0
        for name, convention in {
            "": base, "g": base.but({"gain": "linear"}), "i": base.but({"ideal": "retrieved"}),
            "gi": other,
        }.items()
    }  # fmt: skip
    parts = {next(iter(part.axes)): part.part for part in gap(base, other).parts}
    assert math.isclose(parts["gain"], (v["g"] - v[""] + v["gi"] - v["i"]) / 2, abs_tol=1e-15)
    assert math.isclose(parts["ideal"], (v["i"] - v[""] + v["gi"] - v["g"]) / 2, abs_tol=1e-15)


def test_queries_that_an_axis_touches_are_counted_and_the_three_that_move_most_named() -> None:
    (part,) = gap(Convention(), Convention(gain="linear")).parts
    one, other = (
        evaluate(QRELS, RUN, gain=gain)["nDCG@10"].per_query for gain in ("exp2", "linear")
    )
    moved = {q: abs((one[q] or 0) - (other[q] or 0)) for q in one if one[q] != other[q]}
    assert part.queries == len(moved)
    assert [move.query for move in part.moves] == sorted(moved, key=lambda q: (-moved[q], q))
    assert all((move.before, move.after) == (one[move.query], other[move.query])
               for move in part.moves)  # fmt: skip
    (part,) = gap(Convention(), Convention(missing="exclude")).parts
    assert (part.queries, {move.after for move in part.moves}) == (5, {None})  # the sixth is empty


def test_axes_that_change_nothing_here_are_named_apart() -> None:
    found = gap(Convention(), Convention(gain="linear", negative="error", duplicates="count"))
    assert [tuple(part.axes) for part in found.parts] == [("gain",)]
    assert found.idle == {"duplicates": ("error", "count"), "negative": ("clamp", "error")}
    same = gap("trec_eval", "trec_eval")
    assert (same.gap, same.parts, same.idle) == (0.0, (), {})


def test_a_rule_that_stops_here_is_named_and_replaced() -> None:
    found = gap("trec_eval-10", "cornac")
    (stop,) = found.one.replaced
    assert (stop.axis, stop.rule, stop.instead) == ("missing", "error", "zero")
    assert stop.why.startswith("6 judged queries missing from the run: q02")
    (undefined,) = found.other.replaced
    assert (undefined.axis, undefined.rule, undefined.instead) == ("empty", "nan", "zero")
    assert undefined.why == "its mean is undefined"


@pytest.mark.parametrize(
    ("axis", "rule", "instead", "qrels", "run"),
    [
        ("missing", "error", "zero", {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}),
        ("missing", "nan", "zero", {"q": {"a": 1}, "r": {"a": 1}}, {"q": {"a": 1.0}}),
        ("listed_empty", "error", "missing", {"q": {"a": 1}, "r": {"a": 1}},
         {"q": {"a": 1.0}, "r": {}}),
        ("empty", "error", "zero", {"q": {"a": 1}, "r": {"a": 0}}, {"q": {"a": 1.0}}),
        ("no_judgments", "error", "empty", {"q": {"a": 1}, "r": {}}, {"q": {"a": 1.0}}),
        ("no_judgments", "nan", "empty", {"q": {"a": 1}, "r": {}}, {"q": {"a": 1.0}}),
        ("nothing_found", "nan", "computed", {"q": {"a": 1}, "r": {"a": 1}},
         {"q": {"a": 1.0}, "r": {"b": 1.0}}),
        ("extra", "error", "ignore", {"q": {"a": 1}}, {"q": {"a": 1.0}, "x": {"a": 1.0}}),
        ("negative", "error", "clamp", {"q": {"a": 1, "b": -1}}, {"q": {"a": 1.0}}),
        ("negative_only", "refuse_first", "empty", {"q": {"a": -1}, "r": {"a": 1}},
         {"q": {"a": 1.0}, "r": {"a": 1.0}}),
        ("grades", "whole", "truncate", {"q": {"a": 1.5}}, {"q": {"a": 1.0}}),
        ("grades", "whole:1", "any", {"q": {"a": 2}}, {"q": {"a": 1.0}}),
        ("duplicates", "error", "count", {"q": {"a": 1}}, {"q": [("a", 2.0), ("a", 1.0)]}),
        ("judgments", "agree", "last", {"q": [("a", 1), ("a", 2)]}, {"q": {"a": 1.0}}),
        ("min_documents", "2", "1", {"q": {"a": 1}}, {"q": {"a": 1.0}}),
        ("none_left", "error", "nan", {"q": {"a": 0}, "r": {"a": 1}}, {"q": {"a": 1.0}}),
    ],
)  # fmt: skip
def test_every_rule_that_stops_has_one_that_counts(
    axis: str, rule: str, instead: str, qrels: Any, run: Any
) -> None:
    measure, read = inputs(qrels, run, "nDCG@10")
    scorer = read.scorer(read.systems[0], measure)
    convention = Convention(**{axis: rule})
    if axis == "none_left":
        convention = convention.but({"missing": "exclude"})
        with pytest.raises(UsageError, match="no query is left"):
            relaxed(scorer, convention, "it")
        return
    found = relaxed(scorer, convention, "it")
    assert [(one.axis, one.rule, one.instead) for one in found.replaced] == [(axis, rule, instead)]
    assert found.scored.mean is not None


def test_axes_that_exclude_each_other_are_one_part() -> None:
    one = Convention(ideal="top_k", ties="docid_asc", gain="linear")
    found = gap(one, Convention(ideal="judged", ties="expected"))
    assert {tuple(part.axes) for part in found.parts} == {("ideal", "ties"), ("gain",)}
    assert abs(found.remainder) <= 1e-12


def test_more_than_ten_axes_are_split_by_drawn_orders_and_still_add_up() -> None:
    draw = Random(7)  # noqa: S311 -- no secret
    grades = [-1.0, 0.0, 0.5, 1.0, 2.0, 3.0]
    qrels: dict[str, list[tuple[str, float]]] = {
        f"q{i}": [(f"d{j}", draw.choice(grades)) for j in draw.sample(range(30), 12)]
        for i in range(20)
    }
    qrels["q0"].append(qrels["q0"][0])
    run = {
        f"q{i}": [(f"d{j}", float(draw.randrange(4))) for j in draw.sample(range(40), 20)]
        + [("d1", 0.5), (f"q{i}", 9.0)]
        for i in range(1, 22)
    }
    one = Convention(duplicates="first")
    other = Convention(
        gain="linear", discount="reciprocal", ideal="retrieved", ties="input", duplicates="count",
        grades="truncate", min_grade="1", self_match="drop", unjudged="drop", negative="keep",
        missing="exclude", extra="zero",
    )  # fmt: skip
    found = gap(one, other, qrels, run)
    assert found.orders is not None
    assert len(found.parts) > 10
    assert abs(found.remainder) <= 1e-12
    assert gap(one, other, qrels, run) == found  # the same draws


# -- value -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("places", [None, 4])
def test_a_preset_is_found_from_its_value_alone(scorer: Scorer, places: int | None) -> None:
    found, values = [], set()
    for name in LISTED:
        own = scorer.scored(PRESETS[name].convention)
        assert isinstance(own, Scored)
        assert own.mean is not None
        values.add(round(own.mean, 6))
        text = repr(own.mean) if places is None else f"{own.mean:.{places}f}"
        explanations = matches(value=text).search.explanations[:3]
        found += [name] if any(name in one.presets for one in explanations) else []
    assert len(values) >= 15
    assert len(found) >= 18, set(LISTED) - {*found}


def test_presets_come_before_settings_and_settings_say_what_they_change() -> None:
    explanations = matches(value="0.608").search.explanations
    assert explanations[0].presets[:1] == ("trec_eval",)
    assert [one.axes for one in explanations] == sorted(one.axes for one in explanations)
    assert {one.axes for one in explanations} == {0, 1}
    for one in explanations:
        assert one.mean is not None
        assert abs(one.mean - 0.608) <= 0.0005000001
        for setting in one.settings:
            convention = PRESETS[setting.preset].convention
            changed = {axis: new for axis, (_, new) in setting.changed.items()}
            assert all(
                getattr(convention, axis) == old for axis, (old, _) in setting.changed.items()
            )
            assert setting.convention == convention.but(changed)
            assert evaluate(QRELS, RUN, convention=setting.convention)["nDCG@10"].mean == (
                pytest.approx(one.mean, abs=1e-9)
            )


def test_a_value_of_a_query_and_several_values_tell_more_than_a_mean() -> None:
    ev = evaluate(QRELS, RUN, preset="trec_eval")["nDCG@10"]
    assert len(matches(value="0.61").search.explanations) > 5
    found = matches(value="0.61", values={"q07": ev.per_query["q07"], "q08": ev.per_query["q08"]})
    assert found.search.explanations[0].presets[0] == "trec_eval"
    one = matches(value=ev.per_query["q07"], query="q07").search.explanations[0]
    assert "trec_eval" in one.presets
    ev5 = evaluate(QRELS, RUN, "nDCG@5", preset="trec_eval")["nDCG@5"]
    both = matches(value={"nDCG@5": f"{ev5.mean:.4f}", "nDCG@10": f"{ev.mean:.4f}"})
    assert both.search.explanations[0].presets[0] == "trec_eval"
    none = matches(value={"nDCG@5": f"{ev5.mean:.4f}", "nDCG@10": "0.1234"})
    assert not none.search.explanations
    assert none.search.nearest[0].fits == 1


def test_chance_and_the_query_that_tells_explanations_apart_are_said() -> None:
    found = matches(value="0.61").search
    assert found.by_chance > 1
    assert found.by_chance > matches(value="0.6080").search.by_chance
    assert found.telling is not None
    assert len(found.telling.values) == len(found.explanations)
    for one, value in zip(found.explanations, found.telling.values, strict=True):
        assert value == one.per_query[found.telling.query]
    assert len({round(value or 0, 4) for value in found.telling.values}) > 2
    assert matches(value="0.8137328832").search.telling is None


def test_percentages_are_recognised() -> None:
    for value in ("60.80%", "60.80", 60.7952958241978):
        found = matches(value=value)
        assert found.search.explanations[0].presets[0] == "trec_eval"
        assert found.percent == (value != "60.80%")
    over = matches({"q": {"a": 1}}, {"q": [("a", 2.0), ("a", 1.0)]}, value=1.6309297535714575)
    assert not over.percent
    assert "quepid" in over.search.explanations[0].presets


def test_places_say_how_many_decimals_are_certain() -> None:
    ev = evaluate(QRELS, RUN, preset="trec_eval")["nDCG@10"].mean
    assert ev is not None
    wrong = ev + 0.0004
    assert "trec_eval" not in matches(value=wrong).search.explanations[:1]
    assert matches(value=wrong, places=3).search.explanations[0].presets[0] == "trec_eval"


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("trec_eval", "ndcg_cut_10\tq1\t0.6309\nmap\tq1\t0.5\nndcg_cut_10\tall\t0.6309\n"),
        ("table", "query,nDCG@10,AP\nq1,0.6309,0.5\n"),
        ("long", "query;measure;value\nq1;nDCG@10;0.6309\nq1;AP;0.5\n"),
        ("two columns", "q1 0.6309\nall 0.6309\n"),
        ("json", '{"q1": 0.6309}'),
        ("nested json", '{"q1": {"nDCG@10": 0.6309, "AP": 0.5}}'),
        ("ours", "system,query,nDCG@10\nrun,q1,0.6309\n"),
    ],
)
def test_values_of_queries_are_read_from_a_file(
    kind: str, text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(values=text)
    found = matches({"q1": {"a": 1}}, {"q1": {"b": 2.0, "a": 1.0}}, values="values")
    assert {(one.query, one.value) for one in found.evidence} - {(None, 0.6309)} == {
        ("q1", 0.6309)
    }, kind
    assert "trec_eval" in found.search.explanations[0].presets


def test_what_eval_prints_for_queries_can_be_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("csv", "tsv", "trec"):
        printed = command("eval", QRELS, RUN, "-p", "spark", "--per-query", "--format", name).out
        put(values=printed)
        found = matches(values="values")
        assert len([one for one in found.evidence if one.query is not None]) >= 28
        assert "spark" in found.search.explanations[0].presets


# -- faults ----------------------------------------------------------------------------------------


def faults(value: float, qrels: Any, run: Any, measure: str = "nDCG@10") -> list[tuple[str, str]]:
    found = matches(qrels, run, measure, value=repr(value))
    assert not found.search.explanations
    return [(one.kind, one.what) for one in found.faults]


PAIR = (
    {"q1": {"a": 3, "b": 2, "c": 1, "e": 2}, "q2": {"a": 1, "d": 3}, "q3": {"c": 2, "f": 3}},
    {
        "q1": {"x": 9.0, "b": 8.0, "a": 7.0, "y": 6.0},
        "q2": {"d": 5.0, "z": 4.0, "a": 3.0},
        "q3": {"w": 5.0, "v": 4.0, "c": 3.0},
    },
)


def test_another_cutoff_or_measure_is_recognised() -> None:
    value = evaluate(QRELS, RUN, "nDCG@3", preset="trec_eval")["nDCG@3"].mean or 0.0
    assert ("cutoff", "it is nDCG@3, not nDCG@10") in faults(value, QRELS, RUN)
    value = evaluate(*PAIR, "AP", preset="trec_eval")["AP"].mean or 0.0
    assert any(kind == "measure" and "it is AP" in what for kind, what in faults(value, *PAIR))


def test_ids_that_nearly_match_are_recognised() -> None:
    qrels = {query: {d.upper() if d == "a" else d: g for d, g in own.items()}
             for query, own in PAIR[0].items()}  # fmt: skip
    value = evaluate(*PAIR, preset="trec_eval")["nDCG@10"].mean or 0.0
    found = faults(value, qrels, PAIR[1])
    assert ("ids", "ids that differ by case are the same there (2 ids)") in found


def test_files_that_were_read_twice_are_recognised() -> None:
    qrels, run = PAIR
    doubled = {query: [*own.items(), *((f"{d} again", g) for d, g in own.items())]
               for query, own in qrels.items()}  # fmt: skip
    value = evaluate(doubled, run, preset="trec_eval")["nDCG@10"].mean or 0.0
    assert any(kind == "twice" and "judgments" in what for kind, what in faults(value, qrels, run))
    listed = {query: [*own.items(), *own.items()] for query, own in run.items()}
    value = evaluate(qrels, listed, preset="quepid")["nDCG@10"].mean or 0.0
    assert any(kind == "twice" and "the run" in what for kind, what in faults(value, qrels, run))


def test_repeated_judgments_in_the_ideal_are_recognised() -> None:
    qrels = {query: [*own.items()] for query, own in PAIR[0].items()}
    qrels["q2"].append(("d", 3))
    enlarged = {**PAIR[0], "q2": {**PAIR[0]["q2"], "again": 3}}
    value = evaluate(enlarged, PAIR[1], preset="trec_eval")["nDCG@10"].mean or 0.0
    found = faults(value, qrels, PAIR[1])
    assert ("judgments", "repeated judgments enlarge the ideal") in found


def test_a_set_of_queries_that_differs_is_recognised() -> None:
    qrels, run = PAIR
    per_query = evaluate(qrels, run, preset="trec_eval")["nDCG@10"].per_query
    values = [value or 0.0 for value in per_query.values()]
    extra = {**run, "q9": {"a": 1.0}, "q8": {"a": 1.0}}
    value = sum(values) / 5
    found = faults(value + 0.0, qrels, {**extra, "q7": {"a": 1.0}, "q6": {"a": 1.0}})
    assert found == []  # 7 queries in the run, 3 judged: a fifth is none of them
    assert any(
        kind == "queries" and "query 'q2' is left out" in what
        for kind, what in faults((values[0] + values[2]) / 2, qrels, run)
    )


def test_another_scale_is_recognised() -> None:
    value = (evaluate(*PAIR, preset="trec_eval")["nDCG@10"].mean or 0.0) / 3
    assert any(kind == "scale" and "a third" in what for kind, what in faults(value, *PAIR))


# -- the command -----------------------------------------------------------------------------------


def test_the_command_prints_what_the_function_finds() -> None:
    done = command("reconcile", QRELS, RUN, "--between", "trec_eval", "sklearn")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("bm25: nDCG@10 is 0.6080 under trec_eval and 0.7945 under sklearn")
    assert max(map(len, done.out.splitlines())) <= 80
    whole = json.loads(command("reconcile", QRELS, RUN, "--between", "trec_eval", "sklearn",
                               "--json").out)  # fmt: skip
    found = gap("trec_eval", "sklearn")
    assert whole["schema"] == 1
    assert whole["gap"] == found.gap
    assert [one["part"] for one in whole["parts"]] == [one.part for one in found.parts]
    done = command("reconcile", QRELS, RUN, "--value", "0.608")
    assert "1  0.6080  30 queries\n   trec_eval trec_eval-9.complete ir_measures\n" in done.out
    assert max(map(len, done.out.splitlines())) <= 80
    whole = json.loads(command("reconcile", QRELS, RUN, "--value", "0.608", "--json").out)
    assert whole["explanations"][0]["presets"][0] == "trec_eval"
    assert whole["matching"] == 5


def test_the_command_takes_several_values_files_and_an_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ev = evaluate(QRELS, RUN, ["nDCG@5", "nDCG@10"], preset="spark")
    several = [
        f"--value={name}={one.mean:.4f}" for name, one in ev.systems["bm25"].measures.items()
    ]
    done = command("reconcile", QRELS, RUN, *several)
    assert "bm25: 2 means: 1 value fits" in done.out
    put(values="".join(f"{q},{v}\n" for q, v in ev["nDCG@10"].per_query.items() if v is not None))
    done = command("reconcile", QRELS, RUN, "--values", "values", "-o", "found.json")
    assert (done.code, done.out) == (0, "")
    found = json.loads(Path("found.json").read_text("utf-8"))
    assert "spark" in found["explanations"][0]["presets"]
    mine = str(ev["nDCG@10"].per_query["q07"])
    done = command("reconcile", QRELS, RUN, "--value", mine, "-q", "q07", "--places", "4")
    assert f"bm25: {mine} as nDCG@10 of query q07: " in done.out


def test_an_answer_prints_itself() -> None:
    text = str(reconcile(QRELS, RUN, value="60.80"))
    assert text.startswith("bm25: 60.80 as nDCG@10: ")
    assert text.endswith("note: the numbers above 1 are taken for percentages")
    assert "together" in str(reconcile(QRELS, RUN, between=("trec_eval", "sklearn")))
    assert ndcg.reconcile is reconcile


# -- what others found -----------------------------------------------------------------------------

SMALL = ({"q": {"a": 3, "b": 1, "c": 2}}, {"q": {"b": 3.0, "a": 2.0, "c": 1.0}})


def test_axes_inside_the_measure_are_in_force() -> None:
    measure = "nDCG(gain=linear)@10"
    own = evaluate(*SMALL, measure, preset="ndcg")[measure].mean
    found = gap("ndcg", "trec_eval", *SMALL, measure=measure)
    assert (found.one.mean, found.gap) == (own, 0.0)
    presets = matches(*SMALL, measure, value=own).search.explanations[0].presets
    assert {"ndcg", "trec_eval"} <= {*presets}


def test_presets_that_contradict_one_of_several_numbers_are_not_listed() -> None:
    qrels, run = {"q": {"a": 2, "b": 1, "c": 2}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}}
    value = {"nDCG@1": "1.000000", "nDCG@10": "0.951443"}
    (first, *_) = matches(qrels, run, value=value).search.explanations
    assert "trec_eval" not in first.presets
    for name in first.presets:
        axes = PRESETS[name].convention.but({"missing": "exclude", "min_documents": "1"})
        mean = evaluate(qrels, run, convention=axes)["nDCG@10"].mean
        assert mean == pytest.approx(0.951443, abs=5e-7)


def test_presets_are_listed_by_the_precision_of_their_own_tool() -> None:
    own = evaluate(*SMALL, preset="ndcg")["nDCG@10"].mean or 0.0
    presets = matches(*SMALL, value=f"{own * (1 + 5e-7):.10f}").search.explanations[0].presets
    assert "rax" in presets
    assert "ndcg" not in presets


def test_measures_without_a_largest_value_are_no_percentages() -> None:
    value = evaluate(QRELS, RUN, "DCG@5", preset="ndcg")["DCG@5"].mean or 0.0
    found = matches(measure="DCG@10", value=value)
    assert not found.percent
    assert ("cutoff", "it is DCG@5, not DCG@10") in [(one.kind, one.what) for one in found.faults]
    assert any("presets state the rules of a tool's nDCG" in str(one) for one in found.notices)


def test_faults_are_those_of_the_measure_that_is_named_with_the_value() -> None:
    value = evaluate(QRELS, RUN, "nDCG@5", preset="trec_eval")["nDCG@5"].mean
    for found in (matches(value={"AP": value}), matches(measure="AP", value=value)):
        assert "it is nDCG@5, not AP" in [one.what for one in found.faults]


def test_whole_numbers_are_exact_and_text_has_its_decimals() -> None:
    assert {one.value for one in matches(*SMALL, value=1).search.explanations} == {1.0}
    assert matches(*SMALL, values={"q": 1}).evidence[0].tolerance < 1e-8
    assert matches(*SMALL, value="1").evidence[0].tolerance > 0.4
    single = pytest.importorskip("numpy").float32(0.3675)
    assert matches(*SMALL, value=single).evidence[0].tolerance == pytest.approx(3.675e-7)


def test_ids_that_are_whole_numbers_are_text_everywhere() -> None:
    qrels, run = {"301": {"a": 1}}, {"301": {"a": 1.0}}
    assert matches(qrels, run, value=1.0, query=301).search.explanations
    assert matches(qrels, run, values={301: 1.0}).search.explanations
    assert gap("ndcg", "trec_eval", qrels, run, query="301").gap == 0


def test_ids_that_become_one_are_no_match() -> None:
    qrels, run = {"q": {"a": 1, "A": 1, "b": 2}}, {"q": {"a": 3.0, "A": 2.0, "c": 1.0}}
    found = matches(qrels, run, value=0.38009376671593426)
    assert all(one.kind != "ids" for one in found.faults)


def test_decimals_that_were_cut_off_are_recognised() -> None:
    ev = evaluate(QRELS, RUN, preset="spark")["nDCG@10"]
    cut = {q: f"{math.floor(v * 1000) / 1000:.3f}" for q, v in ev.per_query.items() if v}
    found = matches(values=cut)
    assert "spark" in found.search.explanations[0].presets
    assert "note: the decimals are taken to be cut off, not rounded" in map(str, found.notices)


def test_queries_that_nobody_judged_do_not_count_and_those_that_do_not_fit_are_named() -> None:
    ev = evaluate(QRELS, RUN, preset="spark")["nDCG@10"]
    values = {query: value for query, value in ev.per_query.items() if value}
    found = matches(values={**values, "nobody": 0.5})
    assert "spark" in found.search.explanations[0].presets
    assert any("nobody" in str(one) for one in found.notices)
    wrong = matches(values={**values, "q07": 0.123456})
    assert not wrong.search.explanations
    assert "spark" in wrong.search.nearest[0].presets
    assert wrong.search.nearest[0].misfits == ("q07",)
    assert f"{len(values) - 1} of {len(values)} fit (not q07)" in str(wrong)


@pytest.mark.parametrize(
    "text",
    [
        '{"q": {"nDCG@3": 0.7, "nDCG@10": 0.8175}}',
        '{"nDCG@10": {"q": 0.8175}}',
        '[{"query": "q", "value": 0.8175}]',
        '{"qid": "q", "nDCG@10": 0.8175}\n{"qid": "r", "nDCG@10": null}\n',
        "query,value\nq,0.8175\nr,nan\ns,\n",
        "q 0.8175\nr n/a\n",
    ],
)
def test_more_shapes_of_values(text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(values=text)
    found = matches(*SMALL, values="values")
    assert [(one.query, one.value) for one in found.evidence] == [("q", 0.8175)]
    assert "trec_eval" in found.search.explanations[0].presets
    without = text.count("null") + text.count("nan") + text.count("n/a") + text.count("s,")
    told = [one for one in map(str, found.notices) if "listed without a value" in one]
    assert [one.split()[1] for one in told] == ([str(without)] if without else [])
    nested = matches(*SMALL, values={"q": {"nDCG@3": 0.7, "nDCG@10": "0.8175"}})
    assert [one.value for one in nested.evidence] == [0.8175]


def test_the_json_that_eval_prints_can_be_read_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("json", "jsonl"):
        put(values=command("eval", QRELS, RUN, "-p", "sklearn", "--per-query", "--format",
                           name).out)  # fmt: skip
        assert "sklearn" in matches(values="values").search.explanations[0].presets


def test_layouts_are_let_go_of_where_they_take_much_room(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ndcg.evaluation.scoring._KEPT", 1000)
    measure, read = inputs(QRELS, RUN, "nDCG@10")
    scorer = read.scorer(read.systems[0], measure)
    for ties in ("input", "docid_asc", "docid_desc", "expected", "best", "worst", "reversed"):
        for depth in ("all", "5", "6", "7", "8"):
            scorer.scored(Convention(ties=ties, depth=depth))
    assert len(scorer.scoring.shared.lists) == len(scorer.scoring.shared.overlays) == 8
