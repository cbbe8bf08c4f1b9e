"""Frames of Polars, pandas, Arrow and DuckDB, taken by what they can do: no library is imported.

A frame becomes plain lists here. A store that works on its columns as they lie (`stores/table.py`)
is plugged in at `judgments` and `rankings` below, for the frames that it knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ndcg.errors import DataError, Notice, Problem
from ndcg.stores import taking
from ndcg.stores.asked import Asked
from ndcg.stores.given import Judgments, Rankings
from ndcg.stores.tabular import Table

_Columns = tuple[list[Any], Callable[[int], Sequence[Any]]]  # names, and what fetches one


def is_frame(given: object) -> bool:
    """Whether a value is a table of a library that is known here."""
    return _library(given) is not None


def judgments(frame: object, asked: Asked) -> tuple[Judgments, list[Notice]]:
    """The judgments that a frame holds, and what is to be said about them."""
    table = Table("qrels", *columns(frame))
    taken, _ = taking.judgments(table, asked)
    return taken, table.notices


def rankings(frame: object, name: str | None, asked: Asked) -> tuple[Rankings, list[Notice]]:
    """The run that a frame holds, and what is to be said about it."""
    table = Table("run" if name is None else f"run {name!r}", *columns(frame))
    taken, _ = taking.rankings(table, name or "run", asked)
    taken.name = name or taken.name
    return taken, table.notices


def columns(frame: Any) -> tuple[list[str], list[Sequence[Any]]]:
    """The names and the columns of a frame as plain lists."""
    library = _library(frame)
    if library is None:
        what = f"a value of type {type(frame).__name__} is no frame"
        raise DataError(Problem("type", what, help="frames are of Polars, pandas, Arrow or DuckDB"))
    names, column = library(frame)
    return [str(name) for name in names], [column(at) for at in range(len(names))]


def _library(given: Any) -> Callable[[Any], _Columns] | None:
    """What takes a frame apart, told by its methods; None for anything that is no frame."""
    if isinstance(given, type):
        return None
    if hasattr(given, "collect_schema"):  # asked first: columns of a lazy frame warn
        return _polars
    if hasattr(given, "to_pylist") and hasattr(given, "schema"):
        return _arrow
    if not hasattr(given, "columns"):
        return None
    if hasattr(given, "fetchall"):
        return _duckdb
    return _pandas if hasattr(given, "iloc") else None


def _polars(frame: Any) -> _Columns:
    whole = frame if hasattr(frame, "get_columns") else frame.collect()
    series = whole.get_columns()
    return list(whole.columns), lambda at: series[at].to_list()


def _arrow(table: Any) -> _Columns:
    return list(table.schema.names), lambda at: table.column(at).to_pylist()


def _duckdb(relation: Any) -> _Columns:
    rows = relation.fetchall()
    return list(relation.columns), lambda at: [row[at] for row in rows]


def _pandas(frame: Any) -> _Columns:
    return list(frame.columns), lambda at: frame.iloc[:, at].tolist()
