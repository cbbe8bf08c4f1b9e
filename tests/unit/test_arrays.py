"""Grades and scores as arrays: what is read, what it means, and what is refused."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np
import pytest

import ndcg
from command import python_process
from ndcg import DataError, NdcgError, NdcgWarning, UsageError
from ndcg.evaluation import evaluate_quietly
from ndcg.stores.partial import leading_cells, ranked_cells, repeating

nan = math.nan
GRADES = [[3, 2, 1, 0], [0, 1, 0, 2]]
SCORES = [[0.2, 0.9, 0.1, 0.5], [0.3, 0.2, 0.8, 0.1]]
AS_DICTIONARIES = (
    {"0": {"a": 3, "b": 2, "c": 1, "d": 0}, "1": {"a": 0, "b": 1, "c": 0, "d": 2}},
    {"0": {"a": 0.2, "b": 0.9, "c": 0.1, "d": 0.5}, "1": {"a": 0.3, "b": 0.2, "c": 0.8, "d": 0.1}},
)
MEASURES = ["nDCG@3", "AP", "DCG"]


class Tensor:
    """An array of another library, as far as NumPy can see: ``__array__`` and a shape."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)
        self.shape, self.ndim = self.values.shape, self.values.ndim

    def __len__(self) -> int:
        return len(self.values)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.values.astype(dtype) if dtype else self.values


class Exchanged:
    """An array that can only be taken over by DLPack."""

    def __init__(self, values: Any) -> None:
        self.values = np.array(values)
        self.shape, self.ndim = self.values.shape, self.values.ndim
        self.__dlpack__ = self.values.__dlpack__
        self.__dlpack_device__ = self.values.__dlpack_device__


class OnADevice(Tensor):
    """A tensor that the computer's memory does not hold."""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        raise TypeError("can't convert cuda:0 device type tensor to numpy")


def result(grades: Any, scores: Any, measures: Any = MEASURES, **options: Any) -> Any:
    return evaluate_quietly(grades, scores, measures, **options)


# -- what is read ----------------------------------------------------------------------------------


TAKEN = {
    "lists": (GRADES, SCORES),
    "tuples": (tuple(map(tuple, GRADES)), tuple(map(tuple, SCORES))),
    "arrays": (np.array(GRADES), np.array(SCORES)),
    "an array and lists": (np.array(GRADES, np.int8), SCORES),
    "a list of arrays": ([*map(np.array, GRADES)], [*map(np.array, SCORES)]),
    "columns first": (np.asfortranarray(GRADES), np.asfortranarray(SCORES)),
    "every other cell": (np.repeat(GRADES, 2, axis=1)[:, ::2], np.array(SCORES)),
    "tensors": (Tensor(GRADES), Tensor(SCORES)),
    "a list of tensors": ([*map(Tensor, GRADES)], [*map(Tensor, SCORES)]),
    "arrays by DLPack": (Exchanged(GRADES), Exchanged(SCORES)),
    "a masked array with nothing masked": (np.ma.masked_array(GRADES), np.array(SCORES)),
}


@pytest.mark.parametrize("name", TAKEN)
def test_arrays_of_many_kinds_are_the_dictionaries_they_stand_for(name: str) -> None:
    expected = result(*AS_DICTIONARIES)
    assert result(*TAKEN[name]).to_dict(per_query=True) == expected.to_dict(per_query=True)


def test_single_precision_and_whole_scores_are_taken_as_they_are() -> None:
    halves = np.array(SCORES) * 8 // 1
    expected = result(GRADES, halves)
    for kind in (np.float32, np.float16, np.int64, np.uint8, np.longdouble):
        found = result(GRADES, halves.astype(kind))
        assert found.to_dict(per_query=True) == expected.to_dict(per_query=True)


def test_truth_values_are_grades() -> None:
    assert result(np.array([[True, False]]), [[1.0, 2.0]], "RR").per_query == {"0": {"RR": 0.5}}


def test_the_input_is_not_changed() -> None:
    grades, scores = np.array(GRADES, float), np.array(SCORES)
    grades[0, 0], scores[1, 1] = nan, nan
    before = grades.copy(), scores.copy()
    for ties in ("docid_desc", "expected"):
        result(grades, scores, ["nDCG@1", "AP"], ties=ties, score_order="ascending")
        result(grades, scores, "nDCG@1", ties=ties, score_type="float32")
    np.testing.assert_array_equal(grades, before[0])
    np.testing.assert_array_equal(scores, before[1])


def test_arrays_that_must_not_be_written_are_read() -> None:
    grades, scores = np.array(GRADES, float), np.array(SCORES)
    grades.flags.writeable = scores.flags.writeable = False
    assert result(grades, scores, "nDCG@1").per_query["0"]["nDCG@1"] == 3 / 7


def test_several_systems_have_names() -> None:
    both = result(np.array(GRADES), {"one": np.array(SCORES), "two": -np.array(SCORES)}, "RR")
    assert list(both) == ["one", "two"]
    assert both["two"]["RR"].per_query == {"0": 1.0, "1": 1.0}


def test_a_tensor_of_torch_is_read_without_loading_it_for_others() -> None:
    torch = pytest.importorskip("torch")
    found = result(torch.tensor(GRADES), torch.tensor(SCORES, dtype=torch.float64))
    assert found.to_dict(per_query=True) == result(GRADES, SCORES).to_dict(per_query=True)


def test_arrays_load_numpy_alone() -> None:
    code = """
import sys, ndcg, numpy
before = set(sys.modules)
ndcg.evaluate(numpy.array([[1, 0]]), numpy.array([[2.0, 1.0]]))
print(sorted({name.partition(".")[0] for name in set(sys.modules) - before}))
"""
    loaded = python_process(code)
    others = set(eval(loaded.splitlines()[-1])) - set(sys.stdlib_module_names)  # noqa: S307
    assert others <= {"ndcg", "numpy"}


# -- what it means ---------------------------------------------------------------------------------


def test_queries_are_numbers_as_text_in_byte_order() -> None:
    ev = result([[1]] * 12, [[1.0]] * 12, "RR")
    assert [*ev["RR"].per_query] == sorted(map(str, range(12)))


def test_the_mean_adds_queries_in_byte_order() -> None:
    drawn = np.random.default_rng(5)
    grades = drawn.integers(0, 4, (30, 8))
    ev = result(grades, drawn.random(grades.shape), "nDCG@5")
    total = 0.0
    for name in sorted(ev["nDCG@5"].per_query):
        total += ev["nDCG@5"].per_query[name] or 0.0
    assert ev["nDCG@5"].mean == total / ev["nDCG@5"].n


def test_rules_of_ids_follow_the_columns() -> None:
    grades, tied = [[1, 0, 0]], [[0.5, 0.5, 0.5]]
    ranks = {ties: result(grades, tied, "RR", ties=ties)["RR"].mean
             for ties in ("docid_asc", "input", "docid_desc")}  # fmt: skip
    assert ranks == {"docid_asc": 1.0, "input": 1.0, "docid_desc": 1 / 3}
    third = (1 + 1 / 2 + 1 / 3) / 3
    assert result(grades, tied, "RR", ties="expected")["RR"].mean == pytest.approx(third)


def test_positions_are_columns_and_there_are_no_ranks() -> None:
    assert result([[0, 1]], [[1.0, 2.0]], "RR", order_by="position")["RR"].mean == 1 / 2
    with pytest.raises(UsageError, match="no usable ranks"):
        result([[0, 1]], [[1.0, 2.0]], "RR", order_by="rank")


def test_a_grade_of_nan_is_an_unjudged_document() -> None:
    ev = result([[nan, 1]], [[2.0, 1.0]], ["RR", "nDCG@1"])
    assert ev["RR"].mean == 1 / 2
    assert ev.accounts.judged_share == {"all": 1 / 2, "1": 0.0}
    assert result([[nan, 1]], [[2.0, 1.0]], "RR", unjudged="drop")["RR"].mean == 1.0


PADDED = {
    "a score of nan": {"scores": [[2.0, nan, 1.0]], "mask": None},
    "a mask": {"scores": [[2.0, 9.0, 1.0]], "mask": [[True, False, True]]},
    "a mask over an infinity": {
        "scores": np.array([[2.0, -math.inf, 1.0]]), "mask": np.array([[True, False, True]]),
    },
}  # fmt: skip


@pytest.mark.parametrize("name", PADDED)
def test_padding_is_not_there_at_all(name: str) -> None:
    given = PADDED[name]
    grades = [[0, 0, 1]]
    ev = result(grades, given["scores"], ["RR", "P"], mask=given["mask"])
    assert ev["RR"].mean == 1 / 2
    assert ev["P"].mean == 1 / 2
    assert ev.notices == ()


def test_a_row_of_padding_is_a_missing_query() -> None:
    ev = result([[1, 0], [1, 0]], [[nan, nan], [2.0, 1.0]], "RR")
    assert ev.accounts.missing == ("0",)
    assert ev["RR"].empty == ("0",)


def test_rows_of_different_lengths_are_padded_at_their_ends() -> None:
    ev = result([[1], [], [0, 0, 1]], [[1.0], [], [1.0, 2.0, 3.0]], ["RR", "P"], empty="zero")
    assert ev["RR"].per_query == {"0": 1.0, "1": 0.0, "2": 1.0}
    assert ev["P"].per_query == {"0": 1.0, "1": 0.0, "2": 1 / 3}
    assert ev.accounts.missing == ("1",)


def test_a_mask_may_have_rows_of_different_lengths() -> None:
    ev = result([[1], [0, 0, 1]], [[1.0], [3.0, 2.0, 1.0]], "RR",
                mask=[[True], [True, False, True]])  # fmt: skip
    assert ev["RR"].per_query == {"0": 1.0, "1": 1 / 2}


def test_hidden_cells_of_masked_arrays_stay_hidden() -> None:
    hidden = [[True, False, False]]
    grades = np.ma.masked_array([[3, 0, 1]], mask=hidden)
    assert result(grades, [[3.0, 2.0, 1.0]], "RR")["RR"].mean == 1 / 3  # unjudged
    scores = np.ma.masked_array([[3.0, 2.0, 1.0]], mask=hidden)
    assert result([[0, 0, 1]], scores, "RR")["RR"].mean == 1 / 2  # padding


def test_a_relevant_document_that_vanishes_for_a_score_of_nan_is_said() -> None:
    with pytest.warns(NdcgWarning, match="1 document with a grade above 0 and a score of NaN"):
        ndcg.evaluate([[1, 2]], [[1.0, nan]], "RR")


def test_a_subset_of_the_rows_is_scored() -> None:
    grades, scores = [[1, 0], [0, 1], [1, 0]], [[2.0, 1.0]] * 3
    ev = result(grades, scores, ["RR", "nDCG@1"], queries=["1", "2"])
    assert ev["RR"].per_query == {"1": 1 / 2, "2": 1.0}
    assert ev.accounts.run_queries == 2


def test_weights_and_groups_go_by_the_numbers_of_the_rows() -> None:
    grades, scores = [[1, 0], [0, 1]], [[2.0, 1.0]] * 2
    assert result(grades, scores, "RR", weights={"0": 3, "1": 1})["RR"].mean == (3 + 1 / 2) / 4


def test_a_negative_grade_is_named_by_row_and_column() -> None:
    with pytest.raises(DataError, match="document '2' of query '1': has a negative grade"):
        result([[1, 0, 0], [1, nan, -1]], [[1.0, 2.0, 3.0]] * 2, negative="error")


@pytest.mark.parametrize("kind", [np.float64, np.float32, np.int64])
def test_large_tables_say_what_small_ones_say(kind: Any) -> None:
    """Tables are looked through in blocks of rows, whose seams must not show."""
    drawn = np.random.default_rng(8)
    grades = drawn.integers(0, 3, (700, 400))
    scores = (drawn.random(grades.shape) * 1000).astype(kind)
    ev = result(grades, scores, ["nDCG@5", "RR@3"], ties="expected")
    whole = result(grades, scores, ["nDCG@5", "RR@3", "AP"], ties="expected")
    for name in ("nDCG@5", "RR@3"):
        assert ev[name] == whole[name]
    assert ev.accounts.tied_queries == whole.accounts.tied_queries
    for at in (0, 13, 326, 327, 328, 655, 699):
        alone = result(grades[[at]], scores[[at]], "nDCG@5", ties="expected")
        assert alone["nDCG@5"].mean == ev["nDCG@5"].per_query[str(at)]


def test_ties_below_the_cutoff_are_counted() -> None:
    scores = np.arange(40.0, 0.0, -1.0)[None, :].repeat(3, axis=0)
    scores[1, 39] = scores[1, 38]  # the last two
    grades = np.ones_like(scores)
    ev = result(grades, scores, "nDCG@1")
    assert (ev.accounts.tied_queries, ev["nDCG@1"].tie_moves) == (1, 0)
    grades[1, 38:] = nan
    assert result(grades, scores, "nDCG@1").accounts.tied_queries == 0
    grades[1, 38] = 0
    assert result(grades, scores, "nDCG@1").accounts.tied_queries == 1


# -- the part that a cutoff sees -------------------------------------------------------------------


@pytest.mark.parametrize("levels", [1, 3, 50, 10**9])
@pytest.mark.parametrize("reach", [1, 3, 10])
@pytest.mark.parametrize("descending", [False, True])
def test_the_first_ranks_are_those_of_a_sort(levels: int, reach: int, descending: bool) -> None:
    drawn = np.random.default_rng(levels + reach)
    keys = drawn.integers(0, levels, (60, 300)).astype(float)
    keys[drawn.random(keys.shape) < 0.2] = nan
    keys[:5, :295] = nan
    keys[5] = nan
    cells, _ = ranked_cells(lambda part: keys[part], 60, 300, reach, descending=descending)
    for row, line in enumerate(keys):
        columns = np.flatnonzero(~np.isnan(line)).tolist()
        columns.sort(reverse=descending)
        columns.sort(key=lambda column: -line[column])  # stable
        inside = [at for at, c in enumerate(columns) if at < reach
                  or line[c] == line[columns[reach - 1]]]  # fmt: skip
        mine = cells.row == row
        found = (cells.cell[mine] - row * 300).tolist()
        assert found[: len(inside)] == columns[: len(inside)]
        assert found == columns[: len(found)]
        assert cells.rank[mine].tolist() == [*range(1, len(found) + 1)]


@pytest.mark.parametrize("levels", [1, 3, 50, 10**9])
def test_the_best_grades_are_among_the_leading_cells(levels: int) -> None:
    drawn = np.random.default_rng(levels)
    grades = drawn.integers(0, levels, (60, 300)).astype(float)
    grades[drawn.random(grades.shape) < 0.2] = nan
    grades[:5, :295] = nan
    grades[5] = nan
    cells = leading_cells(lambda part, columns: grades[part, columns], 60, 300, 10, None)
    assert (np.diff(cells) > 0).all()
    for row, line in enumerate(grades):
        best = sorted(line[~np.isnan(line)], reverse=True)[:10]
        found = sorted(line[cells[cells // 300 == row] - row * 300], reverse=True)
        assert found[:10] == best
        assert len(found) < 60


def test_repeated_keys_are_found_whatever_their_last_bits() -> None:
    keys = np.array([[1.0, 1.0 + 1e-15], [1.0, 1.0], [0.0, -0.0], [nan, nan], [1e300, 2e300]])
    which = np.arange(5)
    assert repeating(lambda part: keys[part], which, 2).tolist() == [
        False, True, True, False, False,
    ]  # fmt: skip
    wide = np.full((2, 5000), nan)
    wide[:, :4000] = np.arange(4000)
    wide[1, 7] = 8
    assert repeating(lambda part: wide[part], np.arange(2), 5000).tolist() == [False, True]


# -- what is refused -------------------------------------------------------------------------------


WRONG: dict[str, tuple[Any, Any, dict[str, Any], str]] = {
    "one dimension": (np.array([1, 0]), np.array([2.0, 1.0]), {}, "array of 1 dimensions (2)"),
    "a list of numbers": ([1, 0], [2.0, 1.0], {}, "grades are a list of single values"),
    "three dimensions": (np.zeros((1, 2, 3)), np.zeros((1, 2, 3)), {}, "3 dimensions (1x2x3)"),
    "other rows": ([[1]], [[1.0], [2.0]], {}, "1 row of grades and 2 rows of scores"),
    "other columns": (np.ones((1, 2)), np.ones((1, 3)), {}, "row 0 has 2 grades and 3 scores"),
    "a shorter row": ([[1, 0], [1]], [[1.0, 2.0], [1.0, 2.0]], {}, "row 1 has 1 grade and 2"),
    "no rows": (np.ones((0, 3)), np.ones((0, 3)), {}, "arrays without rows or columns"),
    "no columns": (np.ones((3, 0)), np.ones((3, 0)), {}, "arrays without rows or columns"),
    "empty rows": ([[], []], [[], []], {}, "arrays without rows or columns"),
    "scores as a dictionary": ([[1]], {"q": {"a": 1.0}}, {}, "scores of run 'q' are of type dict"),
    "no systems": ([[1]], {}, {}, "arrays without rows or columns"),
    "scores as a path": ([[1]], "run.txt", {}, "scores of run 'run' are of type str"),
    "text grades": ([["1"]], [[1.0]], {}, "grades in row 0, at position 0: '1' is text"),
    "None": ([[None]], [[1.0]], {}, "grades in row 0, at position 0: None"),
    "text scores": ([[1]], [["1"]], {}, "scores in row 0, at position 0: '1' is text"),
    "arrays of text": (np.array([["1"]]), [[1.0]], {}, "not of numbers"),
    "complex numbers": (np.array([[1j]]), [[1.0]], {}, "array of complex128, not of numbers"),
    "a device": (OnADevice([[1]]), [[1.0]], {}, "cannot be read by NumPy: can't convert cuda"),
    "an infinite score": (
        [[1, 0]], [[1.0, math.inf]], {}, "score of run 'run' in row 0, column 1: inf is not finite",
    ),
    "an infinite score beside nan": ([[1, 0]], [[nan, math.inf]], {}, "column 1: inf"),
    "an infinite grade": ([[1, -math.inf]], [[1.0, 2.0]], {}, "grade in row 0, column 1: -inf"),
    "an infinite grade beside padding": ([[1, math.inf]], [[nan, 1.0]], {}, "column 1: inf"),
    "nan where the mask says candidate": (
        [[1, 0]], [[1.0, nan]], {"mask": [[True, True]]}, "row 0, column 1: nan is not finite",
    ),
    "a mask of numbers": ([[1, 0]], [[1.0, 2.0]], {"mask": [[1, 0]]}, "mask is not boolean"),
    "a mask of another shape": (
        [[1, 0]], [[1.0, 2.0]], {"mask": [[True]]}, "row 0 has 2 grades and 1 mask value",
    ),
    "no mask at all": ([[1]], [[1.0]], {"mask": True}, "mask is of type bool"),
    "a mask beside dictionaries": (*AS_DICTIONARIES, {"mask": [[True]]}, "qrels are of type dict"),
    "only padding": ([[1, 0]], [[nan, nan]], {}, "lists no documents for any of 1 query"),
    "other padding in each system": (
        [[1, 0]], {"a": [[1.0, 2.0]], "b": [[nan, 2.0]]}, {},
        "runs 'a' and 'b' have scores for different candidates",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_cannot_be_scored_is_said(name: str) -> None:
    grades, scores, options, message = WRONG[name]
    with pytest.raises(NdcgError) as caught:
        result(grades, scores, "nDCG@10", **options)
    assert message in str(caught.value)
    assert "\nhelp: " in str(caught.value)


def test_all_wrong_cells_are_counted() -> None:
    with pytest.raises(DataError) as caught:
        result(np.ones((5, 5)), np.full((5, 5), math.inf))
    assert caught.value.total == 25
