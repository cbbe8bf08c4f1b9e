"""Frames of other libraries: taken by what they can do, and the same as dictionaries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from command import python_process
from ndcg import UsageError, evaluate

QRELS = {"user": ["u", "u", "v"], "item": ["a", "b", "a"], "rating": [3, 0, 1]}
RUN = {"user": ["u", "u", "v"], "item": ["b", "a", "a"], "prediction": [0.9, 0.8, 0.1]}
JUDGED = {"u": {"a": 3, "b": 0}, "v": {"a": 1}}
RANKED = {"u": {"b": 0.9, "a": 0.8}, "v": {"a": 0.1}}

FRAMES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "polars": pl.DataFrame,
    "polars lazy": lambda columns: pl.DataFrame(columns).lazy(),
    "pandas": pd.DataFrame,
    "pandas with an index": lambda columns: pd.DataFrame(columns, index=[7, 3, 5]),
    "pandas categories": lambda columns: pd.DataFrame(columns).astype({"user": "category"}),
    "pandas on arrow": lambda columns: pd.DataFrame(columns).convert_dtypes(
        dtype_backend="pyarrow"
    ),
    "arrow": pa.table,
    "arrow batch": pa.RecordBatch.from_pydict,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


@pytest.mark.parametrize("kind", FRAMES)
def test_a_frame_is_scored_as_the_dictionary_that_it_stands_for(kind: str) -> None:
    frames = evaluate(FRAMES[kind](QRELS), FRAMES[kind](RUN), ["nDCG@10", "AP"])
    dictionaries = evaluate(JUDGED, RANKED, ["nDCG@10", "AP"])
    assert frames.to_dict(per_query=True) == dictionaries.to_dict(per_query=True)
    assert frames.notices == ()


def test_several_runs_in_frames_have_the_names_they_are_given() -> None:
    frame = pl.DataFrame(RUN)
    assert [*evaluate(JUDGED, {"a": frame, "b": pd.DataFrame(RUN)}).systems] == ["a", "b"]
    tagged = frame.with_columns(tag=pl.lit("bm25"))
    assert [*evaluate(JUDGED, tagged).systems] == ["bm25"]
    assert [*evaluate(JUDGED, {"mine": tagged}).systems] == ["mine"]


def test_columns_with_other_names_are_named() -> None:
    frame = pl.DataFrame(QRELS).rename({"rating": "stars", "item": "sku"})
    columns = {"document": "sku", "grade": "stars"}
    assert evaluate(frame, RANKED, columns=columns).accounts.judged_queries == 2


def test_whole_numbers_become_text_with_a_note_and_decimal_ones_with_a_warning() -> None:
    numbers = {"user": [1, 1], "item": [7, 8], "rating": [1, 0]}
    ev = evaluate(pd.DataFrame(numbers), {"1": {"7": 1.0}})
    assert [str(one) for one in ev.notices] == [
        "note: qrels: whole numbers in 'user' and 'item' are taken as text (7 is '7', not '007')"
    ]
    assert ev["nDCG@10"].mean == 1.0
    with pytest.warns(UserWarning, match=r"'user' are taken as whole ones: 1\.0 as '1'"):
        ev = evaluate(pd.DataFrame(numbers | {"user": [1.0, 1.0]}), {"1": {"7": 1.0}})
    assert ev["nDCG@10"].mean == 1.0


def test_leading_zeros_stay() -> None:
    frame = pl.DataFrame({"qid": ["007"], "docno": ["01"], "label": [1]})
    assert evaluate(frame, {"007": {"01": 1.0}})["nDCG@10"].mean == 1.0


def test_columns_that_no_table_has_are_refused_beside_dictionaries_and_arrays() -> None:
    for qrels, run in ((JUDGED, RANKED), ([[1, 0]], [[2.0, 1.0]])):
        with pytest.raises(UsageError, match="columns: query=user names a column of no input"):
            evaluate(qrels, run, columns={"query": "user"})


def test_no_library_of_frames_is_loaded_for_what_is_no_frame() -> None:
    code = (
        "import sys, ndcg; ndcg.evaluate({'q': {'a': 1}}, {'q': {'a': 1.0}}); "
        "print([m for m in ('polars', 'pandas', 'pyarrow', 'duckdb') if m in sys.modules])"
    )
    assert python_process(code) == "[]\n"
