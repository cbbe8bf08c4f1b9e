"""Frames of Polars as runs: ids checked and made text, then handed over in blocks of rows."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ndcg.errors import DataError, Notice, Problem, note
from ndcg.stores.blocks import Block, Blocks, block_of
from ndcg.stores.table import TableRankings

if TYPE_CHECKING:
    from polars import DataFrame, LazyFrame, Series

ROWS = 1 << 18  # of a block: enough to make the cost of a block small, little enough for a cache


class FrameBlocks(Blocks):
    """A frame in memory with columns query, document, and score or rank or both."""

    def __init__(self, frame: DataFrame, rows: int = ROWS) -> None:
        self.frame, self.rows = frame, rows

    def __iter__(self) -> Iterator[Block]:
        """The frame's rows, some at a time."""
        return map(block_of, self.frame.iter_slices(self.rows))

    def has(self, column: str) -> bool:
        """Whether there is a column of ``scores`` or ``ranks``."""
        return column.removesuffix("s") in self.frame.columns


def from_frame(
    frame: DataFrame | LazyFrame,
    *,
    query: str = "query",
    document: str = "document",
    score: str | None = None,
    rank: str | None = None,
    name: str = "run",
    rows: int = ROWS,
) -> tuple[TableRankings, list[Notice]]:
    """Take a Polars frame over as a run; without scores and ranks its rows are as listed.

    Parameters
    ----------
    frame
        One row per listed document; a lazy one is collected, of which only the columns named.
    query, document, score, rank
        The names of the columns. Ids are text; whole numbers are taken as decimal text, with a
        notice. Scores and ranks are numbers.
    name
        What messages call the run.
    rows
        How many rows are looked at together.

    Raises
    ------
    DataError
        For columns of other types, and for the first row in which one of them is empty.
    """
    import polars as pl

    named = {"query": query, "document": document, "score": score, "rank": rank}
    columns = {part: column for part, column in named.items() if column is not None}
    chosen = frame.lazy().select(pl.col(column).alias(part) for part, column in columns.items())
    taken, notices = chosen.collect(), list[Notice]()
    for part, column in columns.items():
        values, origin = taken[part], f"run {name!r}, column {column!r}"
        if values.null_count():
            row = int(values.is_null().arg_true()[0]) + 1
            raise DataError(Problem(_WORD[part], f"{origin}: the {part} of row {row} is empty",
                                    help="complete or remove the row"))  # fmt: skip
        text = part in ("query", "document")
        values = _ids(values, origin, notices) if text else _numbers(values, part, origin)
        taken = taken.with_columns(values.alias(part))
    return TableRankings(FrameBlocks(taken, rows), name), notices


_WORD = {"query": "columns", "document": "columns", "score": "score", "rank": "rank"}


def _ids(values: Series, origin: str, notices: list[Notice]) -> Series:
    """A column of ids as text."""
    import polars as pl

    if values.dtype == pl.String:
        return values
    if values.dtype.is_integer():
        what = "whole numbers are taken as text (7 is '7', not '007')"
        notices.append(note(f"{origin}: {what}"))
    elif values.dtype not in (pl.Categorical, pl.Enum):
        what = f"{origin} holds {values.dtype}, and ids are text"
        raise DataError(Problem("type", what, help="make it a column of text"))
    return values.cast(pl.String)


def _numbers(values: Series, part: str, origin: str) -> Series:
    """A column of numbers as doubles."""
    import polars as pl

    if not values.dtype.is_numeric():
        what = f"{origin} holds {values.dtype}, and a {part} is a number"
        raise DataError(Problem("type", what, help="make it a column of numbers"))
    return values.cast(pl.Float64)
