"""Parquet, Arrow and Feather files as tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ndcg.errors import DataError, Place, Problem
from ndcg.formats.frame_readers import muted, reader_of
from ndcg.formats.source import Input
from ndcg.formats.unpacking import Expansion
from ndcg.stores.frames import FrameTable
from ndcg.stores.values import is_failure


class FileTable(FrameTable):
    """A table of a file that has rows and no lines."""

    def __init__(self, path: str, frame: Any) -> None:
        super().__init__(path, frame)
        self.file = Place(path)

    def place(self, row: int, column: str | None) -> Place:  # noqa: ARG002 -- rows have no lines
        """The file."""
        return Place(self.origin)

    def lists(self, chosen: Any) -> list[Sequence[Any]]:
        """The columns of what was fetched, as Python values, which not all of them can become."""
        try:
            with muted():
                return super().lists(chosen)
        except BaseException as error:
            if isinstance(error, MemoryError) or not is_failure(error):
                raise
            why = str(error).partition("\n")[0]
            what = f"{self.origin} holds values that cannot be read ({why})"
            how = "ids are text or whole numbers, scores and grades are numbers: no dates"
            raise DataError(Problem("type", what, self.file, how)) from None


def table_of(
    data: bytes, found: Input, kind: tuple[str, str] | None, stated: str | None
) -> FileTable:
    """The columns of a file as a table; `kind` is what its first bytes tell.

    Raises
    ------
    DataError
        When the file is damaged or of another kind, or no library to read it is installed.
    """
    if kind is None or (stated is not None and kind[0] != stated):
        name = "Parquet" if stated == "parquet" else "Arrow"
        what = f"{found.path} is no {name} file: it does not begin as one"
        how = f"leave out --{found.role}-format {stated}, or name the right format"
        raise DataError(Problem("syntax", what, Place(found.path), how))
    return FileTable(found.path, _read(data, kind[1], found.path))


def _read(data: bytes, kind: str, path: str) -> Any:
    """The file as a frame of the library that is there."""
    read = reader_of(kind)
    if read is None:
        what = f"{path} is {_an(kind)} file, which needs a package"
        raise DataError(Problem("extra", what, Place(path), "pip install 'ndcg[polars]'"))
    try:
        with muted():
            return read(data, Expansion(path, len(data)))
    except (DataError, MemoryError):
        raise
    except BaseException as error:
        if not is_failure(error):
            raise
        why = str(error).partition("\n")[0]
        what = f"{path} is a damaged {kind} file ({why})"
        raise DataError(
            Problem("syntax", what, Place(path), "the file may be cut short: make or copy it again")
        ) from None


def _an(kind: str) -> str:
    return f"an {kind}" if kind[0] == "A" else f"a {kind}"
