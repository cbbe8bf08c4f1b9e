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
from ndcg import NdcgError, UsageError, evaluate
from ndcg.stores import frames, polars_table

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


GRADED = {"q1": {"a": 3, "b": 0}, "q2": {"a": 1}, "7": {"3": 1}}
LISTED = {
    "query_id": ["q2", "q1", "q1", "q1", "q2"],
    "doc_id": ["b", "b", "a", "c", "a"],
    "score": [0.5, 0.9, 0.8, 0.8, 0.5],
    "rank": [1, 1, 2, 3, 2],
}
# Columns that change the run, and whether it can still be taken without a look at its cells.
LARGE: dict[str, tuple[dict[str, Any], bool]] = {
    "as it is": ({}, True),
    "ranks from 0 that contradict": ({"rank": [1, 0, 1, 2, 0]}, True),
    "ranks that are all the same": ({"rank": [1] * 5}, True),
    "queries apart": ({"query_id": ["q1", "q2", "q1", "q2", "q1"]}, True),
    "queries apart with ranks that contradict": (
        {"query_id": ["q1", "q2", "q1", "q2", "q1"], "score": [0.1, 0.2, 0.3, 0.1, 0.4]},
        True,
    ),
    "ranks alone": ({"score": None}, True),
    "no ranks": ({"rank": None}, True),
    "as listed": ({"rank": None, "score": None}, True),
    "one tag": ({"tag": ["bm25"] * 5}, True),
    "a tag for each query": ({"tag": ["t2", "t1", "t1", "t1", "t2"]}, True),
    "two systems": ({"tag": ["A", "A", "A", "B", "B"]}, False),
    "a tag missing": ({"tag": ["A", None, "A", "A", "A"]}, False),
    "whole numbers as ids": ({"query_id": [7] * 5, "doc_id": [1, 2, 3, 4, 5]}, True),
    "scores of whole numbers": ({"score": [3, 2**53 + 1, 2**53, 1, 9]}, True),
    "a document twice": ({"doc_id": ["b", "b", "b", "c", "a"]}, True),
    "an empty id": ({"doc_id": ["b", "", "a", "c", "a"]}, False),
    "an id missing": ({"doc_id": ["b", None, "a", "c", "a"]}, False),
    "ids that are decimal": ({"query_id": [1.0, 1.0, 1.0, 1.0, 1.0]}, False),
    "a score missing": ({"score": [0.5, None, 0.8, 0.8, 0.5]}, False),
    "a score that is not finite": ({"score": [0.5, float("inf"), 0.8, 0.8, 0.5]}, False),
    "scores of text": ({"score": ["0.5", "0.9", "0.8", "0.8", "0.5"]}, False),
    "ranks that are decimal": ({"rank": [1, 1.5, 2, 3, 2]}, False),
    "ids with half a surrogate": ({"doc_id": ["b", "b", "a\ud800", "c", "a"]}, False),
}
AS_FRAME: dict[str, Callable[[dict[str, Any]], Any]] = {
    "polars": lambda columns: pl.DataFrame(columns, strict=False),
    "pandas": pd.DataFrame,
    "pandas of objects": lambda columns: pd.DataFrame(columns, dtype=object),
    "arrow": pa.table,
    "duckdb": lambda columns: duckdb.from_arrow(pa.table(columns)),
}


def said(run: Any, **options: Any) -> Any:
    """All that an evaluation says; a refusal is returned as its text."""
    try:
        found = evaluate(GRADED, run, ["nDCG@10", "AP", "P@2"], **options)
    except NdcgError as refusal:
        return str(refusal), refusal.total
    return found.to_dict(per_query=True), [str(notice) for notice in found.notices]


@pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")
@pytest.mark.parametrize("library", AS_FRAME)
@pytest.mark.parametrize("case", LARGE)
def test_a_large_frame_says_what_a_small_one_says(
    case: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    change, plain = LARGE[case]
    columns = {name: values for name, values in (LISTED | change).items() if values is not None}
    if {"score", "rank"} & columns.keys():
        columns["text"] = ["not needed"] * 5
    if "surrogate" in case and library != "pandas of objects":
        with pytest.raises(UnicodeEncodeError):
            AS_FRAME[library](columns)
        return
    taken: list[bool] = []
    run = polars_table.run

    def noted(*given: Any) -> Any:
        found = run(*given)
        taken.append(found is not None)
        return found

    monkeypatch.setattr(polars_table, "run", noted)
    for options in ({}, {"lenient": True}, {"ties": "input", "duplicates": "first"}):
        frame = AS_FRAME[library](columns)
        monkeypatch.setattr(frames, "LARGE", 100)
        small = said(frame, **options)
        monkeypatch.setattr(frames, "LARGE", 0)
        assert said(frame, **options) == small
    assert taken == [plain] * 3


def test_only_the_columns_that_are_needed_are_fetched() -> None:
    lazy = pl.LazyFrame(LISTED).with_columns(
        text=pl.col("doc_id").map_elements(lambda _: 1 / 0, return_dtype=pl.Float64)
    )
    assert evaluate(GRADED, lazy)["nDCG@10"].evaluated == 2
    relation = duckdb.from_arrow(pa.table(LISTED)).project('*, error(\'fetched\') as "te""xt"')
    assert evaluate(GRADED, relation)["nDCG@10"].evaluated == 2
