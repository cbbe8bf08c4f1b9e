"""Large frames as runs: columns that need no closer look are handed over in blocks of rows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ndcg.stores.blocks import Block, Blocks, block_of
from ndcg.stores.columns import are_grades
from ndcg.stores.ranks import RankLook
from ndcg.stores.table import TableRankings
from ndcg.stores.values import is_failure

if TYPE_CHECKING:
    from polars import DataFrame, Series

    from ndcg.stores.tabular import Table

ROWS = 1 << 18  # of a block: enough to make the cost of a block small, little enough for a cache
_IDS, _NUMBERS = ("query", "document", "tag"), ("score", "rank")


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


def run(table: Table, given: Any, roles: Mapping[str, str], name: str) -> TableRankings | None:
    """The run that a frame holds; None where some cell has to be looked at as a Python value.

    Parameters
    ----------
    table
        What is said about the run is noted there.
    given
        What Polars can make a frame of; its columns are those of `roles`, in that order.
    roles
        What each column holds.
    name
        What the run is called if it has no tag.
    """
    frame = _frame(given, roles)
    plain = None if frame is None else _plain(frame)
    if frame is None or plain is None:
        return None
    tag = _tag(plain)
    if tag is None or ("score" in roles and are_grades(table.names, plain["score"].to_numpy())):
        return None
    table.whole += [roles[part] for part in _IDS[:2] if frame[part].dtype.is_integer()]
    blocks = FrameBlocks(plain.drop("tag", strict=False))
    table.notices += _rank_notes(table.origin, blocks)
    return TableRankings(blocks, tag or name)


def _frame(given: Any, roles: Mapping[str, str]) -> DataFrame | None:
    """The columns as a Polars frame with the names of their roles."""
    import polars as pl

    try:
        frame = given if isinstance(given, pl.DataFrame) else pl.DataFrame(given)
    # Columns of mixed values or of rare types, texts that are no Unicode, no PyArrow: lists serve.
    except BaseException as error:
        if not is_failure(error):
            raise
        return None
    return frame.rename(dict(zip(frame.columns, roles, strict=True)))


def _plain(frame: DataFrame) -> DataFrame | None:
    """Ids as text and numbers as doubles, where nothing else stands in any row."""
    columns = []
    for column in frame:
        plain = _ids(column) if column.name in _IDS else _numbers(column)
        if plain is None:
            return None
        columns.append(plain)
    return frame.with_columns(columns)


def _ids(values: Series) -> Series | None:
    """A column of ids as text; None where an id is missing, empty or of another type."""
    import polars as pl

    kinds = (pl.String, pl.Categorical, pl.Enum)
    if values.null_count() or not (values.dtype in kinds or values.dtype.is_integer()):
        return None
    texts = values.cast(pl.String)
    return None if (texts == "").any() and values.name != "tag" else texts


def _numbers(values: Series) -> Series | None:
    """A column of finite numbers as doubles, ranks of whole ones; None for any other."""
    import polars as pl

    if values.null_count() or not (values.dtype.is_float() or values.dtype.is_integer()):
        return None
    numbers = values.cast(pl.Float64)
    array = numbers.to_numpy()
    usable = np.isfinite(array) if values.name == "score" else array == np.floor(array)
    return numbers if usable.all() and np.isfinite(array).all() else None


def _tag(frame: DataFrame) -> str | None:
    """The tag of all rows, empty if there is none; None where several stand in one query."""
    import polars as pl

    if "tag" not in frame.columns:
        return ""
    tags = frame["tag"]
    if (tags == "").any():
        return None
    if (tags == tags[0]).all():
        return str(tags[0])
    of_query = frame.select(pl.struct("query", "tag").n_unique()).item()
    return "" if of_query == frame["query"].n_unique() else None


def _rank_notes(origin: str, blocks: FrameBlocks) -> list[Any]:
    """What the ranks tell beside the scores."""
    if not (blocks.has("scores") and blocks.has("ranks")):
        return []
    look = RankLook()
    for block in blocks:
        look.block(block)
    return [one._replace(what=f"{origin}: {one.what}") for one in look.notices()]
