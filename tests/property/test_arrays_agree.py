"""Arrays give what dictionaries give whose document ids are the zero-padded columns."""

from __future__ import annotations

import math
import warnings
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ndcg.errors import NdcgError
from ndcg.evaluation import evaluate_quietly
from strategies import CUTOFFS, GRADES, SCORES, WORDS, one_in

NAMES = ["nDCG", "DCG", "IDCG", "P", "R", "AP", "RR", "Success"]
AXES = [axis for axis in WORDS if axis not in ("order_by", "duplicates", "judgments")]


class Case(NamedTuple):
    """Rows of (grade or None, score or None for padding), scored as they are handed over."""

    rows: list[list[tuple[float | None, float | None]]]
    axes: dict[str, Any]
    measures: list[str]
    layout: str  # "nan", "mask" or "ragged"


@st.composite
def cases(draw: st.DrawFn) -> Case:
    grades, scores = draw(st.sampled_from(GRADES)), draw(st.sampled_from(SCORES))
    holes = draw(st.sampled_from([0, 4, 2]))
    layout = draw(st.sampled_from(["nan", "mask", "ragged"]))
    width = draw(st.sampled_from([1, 3, 8, 8, 30, 60]))

    def cell() -> tuple[float | None, float | None]:
        unjudged = bool(holes) and draw(one_in(holes))
        padding = layout != "ragged" and bool(holes) and draw(one_in(holes))
        return (
            None if unjudged else draw(st.sampled_from(grades)),
            None if padding else draw(st.sampled_from(scores)),
        )

    number = draw(st.sampled_from([1, 2, 3, 12]))
    lengths = [draw(st.integers(0, width)) if layout == "ragged" else width for _ in range(number)]
    rows = [[cell() for _ in range(length)] for length in lengths]
    axes = {axis: draw(st.sampled_from(WORDS[axis])) for axis in AXES if draw(st.booleans())}
    axes["gain"] = draw(st.sampled_from(["exp2", "linear", "binary", "judged"]))
    if draw(one_in(4)):
        axes["order_by"] = "position"
    if draw(one_in(6)):
        axes["unjudged"] = draw(st.sampled_from(["grade:0", "grade:1", "grade:0.1"]))
    if draw(one_in(6)):
        axes["ideal"] = "slots:2"
    deep = draw(st.booleans())  # where all measures have a cutoff, rankings are not sorted whole
    cutoffs = CUTOFFS if deep else [1, 2, 3, 10]
    names = NAMES if deep else ["nDCG", "DCG", "IDCG", "P", "RR", "Success"]
    measures = [
        name if k is None else f"{name}@{k}"
        for name in draw(st.lists(st.sampled_from(names), min_size=1, max_size=3, unique=True))
        for k in [draw(st.sampled_from(cutoffs))]
    ]
    return Case(rows, axes, measures, layout)


def as_dictionaries(case: Case) -> tuple[dict[str, Any], dict[str, Any]]:
    qrels: dict[str, Any] = {str(at): {} for at in range(len(case.rows))}
    run: dict[str, Any] = {str(at): {} for at in range(len(case.rows))}
    for at, row in enumerate(case.rows):
        for column, (grade, score) in enumerate(row):
            if score is None:
                continue
            run[str(at)][f"{column:05}"] = score
            if grade is not None:
                qrels[str(at)][f"{column:05}"] = grade
    return qrels, run


def as_arrays(case: Case) -> dict[str, Any]:
    grades = [[math.nan if grade is None else grade for grade, _ in row] for row in case.rows]
    if case.layout == "mask":
        mask = np.array([[score is not None for _, score in row] for row in case.rows])
        scores = [[-1.0 if score is None else score for _, score in row] for row in case.rows]
        return {"qrels": np.array(grades), "run": np.array(scores), "mask": mask}
    scores = [[math.nan if score is None else score for _, score in row] for row in case.rows]
    if case.layout == "ragged":
        return {"qrels": grades, "run": scores}
    return {"qrels": np.array(grades), "run": np.array(scores)}


def outcome(given: dict[str, Any], case: Case) -> Any:
    """All that an evaluation says, or the code of its error."""
    try:
        ev = evaluate_quietly(given["qrels"], given["run"], case.measures, mask=given.get("mask"),
                              **case.axes)  # fmt: skip
    except NdcgError as error:
        return error.code
    padding = "score of NaN taken as padding"
    notices = [str(one) for one in ev.notices if padding not in one.what]
    return ev.to_dict(per_query=True), notices, str(ev.report(per_query=True))


def compare(case: Case) -> None:
    qrels, run = as_dictionaries(case)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        expected = outcome({"qrels": qrels, "run": run}, case)
        found = outcome(as_arrays(case), case)
    if isinstance(expected, tuple) and isinstance(found, tuple):
        assert repr(found[0]) == repr(expected[0])
    assert found == expected


# Scores of one size that all differ: single precision, by which they are looked through first, has
# no room for most of them.
SCALES = [1.0, 1e-60, -1e-60, 1e300, -1e300, -1e-320]


@st.composite
def different_scores(draw: st.DrawFn) -> Case:
    width = draw(st.integers(2, 40))
    grade, scale = st.sampled_from(draw(st.sampled_from(GRADES))), draw(st.sampled_from(SCALES))
    rows: list[list[tuple[float | None, float | None]]] = [
        [(draw(grade), scale * (1 + place / 100)) for place in draw(st.permutations(range(width)))]
        for _ in range(draw(st.integers(1, 4)))
    ]
    axes = {"gain": "linear", "score_order": draw(st.sampled_from(WORDS["score_order"]))}
    return Case(rows, axes, [f"nDCG@{draw(st.integers(1, 3))}"], "nan")


@given(different_scores())
def test_scores_that_all_differ_are_ordered_alike(case: Case) -> None:
    compare(case)


@given(cases())
@example(Case([[(1.0, None)], [(1.0, 2.0)]], {}, ["nDCG@1"], "nan"))
@example(Case([[]], {}, ["nDCG@1"], "ragged"))
def test_arrays_equal_dictionaries(case: Case) -> None:
    compare(case)


@pytest.mark.parametrize("ties", ["docid_asc", "docid_desc", "input", "expected", "best", "worst"])
@pytest.mark.parametrize("levels", [2, 40, 10**9])
@pytest.mark.parametrize("judged", [1.0, 0.5])
def test_long_rows_equal_dictionaries(ties: str, levels: int, judged: float) -> None:
    drawn = np.random.default_rng(20)
    grades = drawn.integers(-1, 4, (12, 700)).astype(float)
    grades[drawn.random(grades.shape) > judged] = math.nan
    scores = drawn.integers(0, levels, grades.shape) / 8
    scores[drawn.random(grades.shape) > 0.9] = math.nan
    rows = [
        [
            (None if math.isnan(g) else g, None if math.isnan(s) else s)
            for g, s in zip(*pair, strict=False)
        ]
        for pair in zip(grades.tolist(), scores.tolist(), strict=True)
    ]
    shallow = ["nDCG@10", "DCG@3", "P@5", "RR@10", "Success@1"]
    for measures in (shallow, ["nDCG@3", "IDCG@3"], [*shallow, "AP", "nDCG"]):
        for axes in ({"ties": ties}, {"ties": ties, "gain": "linear", "ideal": "retrieved",
                                      "negative": "keep"}):  # fmt: skip
            compare(Case(rows, axes, measures, "nan"))
