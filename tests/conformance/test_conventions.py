"""Every preset against what its tool answered on 31 small cases: values, means and errors.

An answer that differs stands in the preset's `misses`, and its `deviations` say why. Answers that
the tool draws at random are not asserted. `tests/conftest.py` prints how many are reproduced.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import pytest

from ndcg import PRESETS, NdcgError
from ndcg.evaluation import evaluate_quietly
from ndcg.presets import Preset
from shared import shared

PROBED = [one for one in PRESETS.values() if one.probe]
CLOSE = 1e-12  # the same numbers, added up in another order
PROBES: dict[str, Any] = {}
LIVE = "; live on random data"  # test_live_peers.py holds which presets say so
# LinkPredNDCG answers with a mean alone, though the notes do not say that it was asked for each.
MEANS_ALONE = ("torch_geometric.binary", "torch_geometric.weighted")


def probes() -> dict[str, Any]:
    if not PROBES:
        text = shared("conformance", "conventions", "probes.json").read_text(encoding="utf-8")
        PROBES.update(json.loads(text))
    return PROBES


def tool_of(probe: str) -> dict[str, Any]:
    """What is known of a tool; some could not be run, and their values come from their source."""
    found: dict[str, Any] = (probes()["tools"] | probes()["derived_from_source"])[probe]
    return found


class Question(NamedTuple):
    """One case with a cutoff, and what the tool answered."""

    case: str
    cutoff: str
    answer: dict[str, Any]


def questions(probe: str) -> Iterator[Question]:
    """What a tool was asked and can be compared."""
    for case, answers in tool_of(probe)["values"].items():
        for cutoff, answer in (answers or {}).items():
            if answer is not None and not answer.get("nondeterministic"):
                yield Question(case, cutoff, answer)


def answered(preset: Preset, question: Question) -> tuple[float, dict[str, float]] | None:
    """Our mean and values, NaN for what is undefined; None where we refuse."""
    case = next(one for one in probes()["cases"] if one["id"] == question.case)
    run = case.get("run") or {q: [*map(tuple, rows)] for q, rows in case["ranked"].items()}
    measure = preset.measure + ("" if question.cutoff == "all" else f"@{question.cutoff}")
    try:
        ev = evaluate_quietly(case["qrels"], run, measure, preset=preset.name, fingerprint=False)
    except NdcgError:
        return None
    found = ev[measure]
    values = {q: math.nan if v is None else v for q, v in found.per_query.items()}
    return math.nan if found.mean is None else found.mean, values


def same(ours: float, theirs: Any, tolerance: float) -> bool:
    number = float(theirs)
    if math.isnan(ours) or math.isnan(number):
        return math.isnan(ours) and math.isnan(number)
    return abs(ours - number) <= tolerance * max(abs(ours), abs(number))


def agrees(preset: Preset, question: Question) -> bool:
    """Whether we answer as the tool does, query by query, errors included."""
    ours, theirs = answered(preset, question), question.answer
    if ours is None or "error" in theirs:
        return ours is None and "error" in theirs
    mean, values = ours
    if asked_one_by_one(preset.probe) and preset.axes.get("none_left") == "zero":
        values = {query: 0.0 if math.isnan(value) else value for query, value in values.items()}
        values = {**dict.fromkeys(theirs.get("per_query") or (), 0.0), **values}
    tolerance = preset.tolerance or CLOSE
    per_query = {q: v for q, v in (theirs.get("per_query") or {}).items() if v is not None}
    return same(mean, theirs["mean"], tolerance) and all(
        same(values.get(query, math.nan), value, tolerance) for query, value in per_query.items()
    )


def asked_one_by_one(probe: str) -> bool:
    """Whether a tool gives only means, so that one call was made for each query."""
    tool = tool_of(probe)
    how = f"{tool.get('per_query_by')} {tool.get('note')}"
    return "one call per query" in how or "one-query calls" in how or probe in MEANS_ALONE


@pytest.mark.parametrize("preset", PROBED, ids=[one.name for one in PROBED])
def test_a_preset_gives_the_answers_of_its_tool_but_for_the_misses_it_names(
    preset: Preset, record_property: Callable[[str, object], None]
) -> None:
    asked = [*questions(preset.probe)]
    right = [one for one in asked if agrees(preset, one)]
    if preset.probe in probes()["tools"]:
        record_property("answers", [preset.tool, len(right), len(asked)])
    else:
        assert preset.evidence == (
            f"its source, read; {len(right)} of {len(asked)} values worked out from it"
        )
    wrong = {one.case for one in asked if one not in right}
    assert wrong == {*preset.misses}
    assert bool(preset.misses) <= bool(preset.deviations)
    if preset.evidence[0].isdecimal():
        counts = f"{len(right)} of {len(asked)}"
        frozen = f"{counts} answers that the tool gave on small test cases"
        assert preset.evidence.removesuffix(LIVE) == frozen


def test_every_configuration_has_a_preset_and_what_is_missed_is_little() -> None:
    own, read = probes()["tools"], probes()["derived_from_source"]
    assert {one.probe for one in PROBED} == {*own, *read}
    asked = [
        (preset, one) for preset in PROBED if preset.probe in own for one in questions(preset.probe)
    ]
    missed = sum(not agrees(*pair) for pair in asked)
    assert len(asked) == 6307
    assert missed / len(asked) < 0.005


def test_every_tolerance_has_its_reason() -> None:
    for preset in PRESETS.values():
        if preset.tolerance:
            assert "single precision" in preset.deviations[0], preset.name
