"""The real pairs in every layout give the same JSON, but for the inputs and the systems' names."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from ndcg.evaluation import evaluate_quietly
from pairs import ONE_OF_EACH, PAIRS, files_of, rows_of

Columns = dict[str, list[Any]]


def judged(path: Path) -> Columns:
    """The judgments of a pair as columns."""
    queries, _, documents, grades = zip(*rows_of(path), strict=True)
    return {"query": [*queries], "document": [*documents], "grade": [*map(int, grades)]}


def ranked(path: Path) -> Columns:
    """The run of a pair as columns."""
    queries, _, documents, ranks, scores, _ = zip(*rows_of(path), strict=True)
    return {
        "query": [*queries],
        "document": [*documents],
        "score": [*map(float, scores)],
        "rank": [*map(int, ranks)],
    }


def delimited(delimiter: str) -> Callable[[Columns, Path], str]:
    """What writes a table with this delimiter."""

    def write(columns: Columns, path: Path) -> str:
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter=delimiter)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))
        return str(path)

    return write


def rows_as_json(columns: Columns, path: Path) -> str:
    """One object a line."""
    rows = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def nested(columns: Columns, _: Path | None = None) -> dict[str, dict[str, float]]:
    """A dictionary by query."""
    value = "grade" if "grade" in columns else "score"
    given: dict[str, dict[str, float]] = {}
    for query, document, number in zip(
        columns["query"], columns["document"], columns[value], strict=True
    ):
        given.setdefault(query, {})[document] = number
    return given


def nested_json(columns: Columns, path: Path) -> str:
    path.write_text(json.dumps(nested(columns)), encoding="utf-8")
    return str(path)


def beir(columns: Columns, path: Path) -> Any:
    """Judgments as a BEIR folder; a run as a dictionary."""
    if "score" in columns:
        return nested(columns)
    named = {"query-id": columns["query"], "corpus-id": columns["document"]}
    (path / "qrels").mkdir(parents=True)
    delimited("\t")(named | {"score": columns["grade"]}, path / "qrels" / "test.tsv")
    return str(path)


def parquet(columns: Columns, path: Path) -> str:
    pl.DataFrame(columns).write_parquet(path)
    return str(path)


def arrow(columns: Columns, path: Path) -> str:
    pl.DataFrame(columns).write_ipc(path)
    return str(path)


LAYOUTS: Mapping[str, Callable[[Columns, Path], Any]] = {
    "csv": delimited(","),
    "semicolons": delimited(";"),
    "tsv": delimited("\t"),
    "json lines": rows_as_json,
    "json": nested_json,
    "beir": beir,
    "parquet": parquet,
    "arrow": arrow,
    "dictionaries": nested,
    "polars": lambda columns, _: pl.DataFrame(columns),
    "pandas": lambda columns, _: pd.DataFrame(columns),
    "arrow table": lambda columns, _: pa.table(columns),
    "duckdb": lambda columns, _: duckdb.from_arrow(pa.table(columns)),
}


def scored(qrels: Any, run: Any) -> str:
    """The JSON of an evaluation without its inputs and the name of its system."""
    found = evaluate_quietly(qrels, run, ONE_OF_EACH).to_dict(per_query=True)
    del found["inputs"], found["systems"][0]["name"]
    return json.dumps(found)


@cache
def pair_of(pair: str) -> tuple[tuple[Columns, Columns], str]:
    """The columns of a pair, and what its TREC files give."""
    qrels, run, _ = files_of(pair)
    return (judged(qrels), ranked(run)), scored(qrels, run)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("pair", PAIRS)
def test_a_pair_gives_the_same_in_every_layout(pair: str, layout: str, tmp_path: Path) -> None:
    (qrels, run), expected = pair_of(pair)
    write = LAYOUTS[layout]
    given = write(qrels, tmp_path / "qrels"), write(run, tmp_path / "run")
    assert scored(*given) == expected
