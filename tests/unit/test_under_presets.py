"""One run under all presets: every number is that of the preset, and axes explain the steps."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest

from command import ndcg as command
from command import put
from ndcg import PRESETS, NdcgError, evaluate
from ndcg.cli.demo_command import folder
from ndcg.diagnose.presets import UnderPresets, under_presets

QRELS, RUN = (str(Path(folder()) / name) for name in ("qrels.txt", "bm25.run"))


@pytest.fixture(scope="module")
def found() -> UnderPresets:
    ((one,), notices) = under_presets(QRELS, RUN)
    assert notices == []
    return one


def same(one: float | None, other: float | None) -> bool:
    """Equal but for the order of sums; None equals None."""
    if one is None or other is None:
        return one is other
    return math.isclose(one, other, abs_tol=1e-10)


def test_every_preset_stands_in_one_place_with_its_number(found: UnderPresets) -> None:
    places = [name for one in (*found.groups, *found.refusals) for name in one.presets]
    assert sorted(places) == sorted(name for name, one in PRESETS.items() if one.measure == "nDCG")
    for group in found.groups:
        for name in group.presets:
            own = evaluate(QRELS, RUN, preset=name)["nDCG@10"]
            assert own.n == group.n
            assert same(own.mean, group.mean)
    for refusal in found.refusals:
        for name in refusal.presets:
            with pytest.raises(NdcgError) as error:
                evaluate(QRELS, RUN, preset=name)
            assert error.value.problems[0].what == refusal.why


def test_the_numbers_rise_and_are_many(found: UnderPresets) -> None:
    means = [one.mean for one in found.groups if one.mean is not None]
    assert means == sorted(means)
    assert len(means) >= 25  # the field's disagreement, which the example shows
    assert len({round(mean, 4) for mean in means}) >= 25


def test_the_axes_lead_from_each_group_to_the_next_and_none_is_idle(found: UnderPresets) -> None:
    for before, here in zip(found.groups, found.groups[1:], strict=False):
        assert here.axes
        ways = 0
        for name in before.presets:
            start = PRESETS[name].convention
            if any(getattr(start, axis) != one for axis, (one, _) in here.axes.items()):
                continue
            end = start.but({axis: other for axis, (_, other) in here.axes.items()})
            mean = evaluate(QRELS, RUN, convention=end)["nDCG@10"].mean
            ways += same(mean, here.mean)
        assert ways, (before.presets, here)


def test_a_declared_set_of_queries_holds_under_every_preset() -> None:
    qrels, run = {"a": {"d": 1}, "b": {"d": 1}}, {"a": {"d": 1.0}, "b": {"d": 1.0}, "x": {"d": 1.0}}
    ((one,), _) = under_presets(qrels, run, queries=["a"])
    assert [(group.mean, group.n) for group in one.groups if "spark" in group.presets] == [(1.0, 1)]
    own = evaluate(qrels, run, preset="spark", queries=["a"])["nDCG@10"]
    assert (own.mean, own.n) == (1.0, 1)


def test_the_command_prints_a_line_a_number_and_json_all_digits(found: UnderPresets) -> None:
    done = command("eval", QRELS, RUN, "-p", "all")
    assert done.code == 0
    lines = done.out.split("\n")
    assert lines[0].startswith(f"bm25: nDCG@10 has {len(found.groups)} values under ")
    numbers = [line.split()[0] for line in lines[2:] if line[:1].strip()]
    shown = ["-" if one.mean is None else f"{one.mean:.4f}" for one in found.groups]
    assert [number for number in numbers if number != "refused"] == shown
    assert max(map(len, lines)) <= 80
    whole = json.loads(command("eval", QRELS, RUN, "-p", "all", "--json").out)
    assert [one["mean"] for one in whole["systems"][0]["groups"]] == [
        one.mean for one in found.groups
    ]


def test_axes_go_on_top_of_every_preset_and_several_runs_follow_each_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    put(q="q 0 a 1\nq 0 b 0\n", r="q Q0 b 1 2 one\nq Q0 a 2 1 one\n", s="q Q0 a 1 2 two\n")
    done = command("eval", "q", "r", "s", "-p", "all", "-m", "DCG@1", "--gain", "binary")
    first, second = done.out.split("\n\ntwo: ")
    assert first.startswith("one: DCG@1 has 1 value under ")
    assert second.startswith("DCG@1 has 1 value under ")
    means = [line for line in done.out.split("\n") if line[:1].isdigit()]
    assert [line[:9] for line in means] == ["0.0000  1", "1.0000  1"]


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (["-m", "nDCG", "-m", "AP"], "-p all shows one measure, its means alone"),
        (["--per-query"], "-p all shows one measure, its means alone"),
        (["--weights", "w"], "-p all averages as the presets do, without weights and groups"),
        (["--format", "csv"], "'csv' is not a format of -p all"),
    ],
)
def test_what_all_presets_cannot_show_is_refused(options: list[str], what: str) -> None:
    done = command("eval", QRELS, RUN, "-p", "all", *options)
    assert (done.code, done.out) == (2, "")
    assert what in done.err
