"""Parquet, Arrow and Feather files: through Polars if it is installed, else through PyArrow."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ndcg.errors import DataError, Place, Problem
from ndcg.formats.source import Input
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
            with _muted():
                return super().lists(chosen)
        except BaseException as error:
            if not is_failure(error):
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
    read = _first_feather() if kind == "Feather" else _polars(kind) or _pyarrow(kind)
    if read is None:
        what = f"{path} is {_an(kind)} file, which needs a package"
        raise DataError(Problem("extra", what, Place(path), "pip install 'ndcg[polars]'"))
    try:
        with _muted():
            return read(io.BytesIO(data))
    except BaseException as error:
        if not is_failure(error):
            raise
        why = str(error).partition("\n")[0]
        what = f"{path} is a damaged {kind} file ({why})"
        raise DataError(
            Problem("syntax", what, Place(path), "the file may be cut short: make or copy it again")
        ) from None


@contextmanager
def _muted() -> Iterator[None]:
    """Keep what libraries write to standard error away from it: panics of Polars are told by us."""
    try:
        kept = os.dup(2)
    except OSError:  # it is closed
        yield
        return
    try:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def _an(kind: str) -> str:
    return f"an {kind}" if kind[0] == "A" else f"a {kind}"


_Reader = Callable[[io.BytesIO], Any]


def _polars(kind: str) -> _Reader | None:
    """What reads a kind of file in Polars."""
    try:
        polars = import_module("polars")
    except ImportError:
        return None
    names = {"Parquet": "read_parquet", "Arrow": "read_ipc", "Arrow stream": "read_ipc_stream"}
    reader: _Reader = getattr(polars, names[kind])
    return reader


def _pyarrow(kind: str) -> _Reader | None:
    """What reads a kind of file in PyArrow."""
    try:
        ipc = import_module("pyarrow.ipc")
        module = import_module("pyarrow.parquet" if kind == "Parquet" else "pyarrow.feather")
    except ImportError:
        return None

    def read(file: io.BytesIO) -> Any:
        is_stream = kind == "Arrow stream"
        table = ipc.open_stream(file).read_all() if is_stream else module.read_table(file)
        table.validate(full=True)  # damaged offsets would end the process when values are fetched
        return table

    return read


# PyArrow follows what a file of the first Feather format says without checking it, which ends the
# process where the file is damaged. So the process is another one, whose answer is checked.
_CONVERT = """
import sys
from pyarrow import BufferReader, feather, ipc
table = feather.read_table(BufferReader(sys.stdin.buffer.read()), use_threads=False)
table.validate(full=True)
with ipc.new_stream(sys.stdout.buffer, table.schema) as stream:
    stream.write_table(table)
"""


def _first_feather() -> _Reader | None:
    """What reads the first Feather format, which PyArrow alone knows."""
    read = _pyarrow("Arrow stream")
    if read is None:
        return None

    def converted(file: io.BytesIO) -> Any:
        import subprocess

        done = subprocess.run(
            [sys.executable, "-c", _CONVERT], input=file.read(), capture_output=True, check=False
        )
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise ValueError(said or "PyArrow crashed on it")
        return read(io.BytesIO(done.stdout))

    return converted
