"""What reads Parquet, Arrow and Feather: Polars if it is installed, else PyArrow.

Neither may be asked for more than a file of its size can hold: a few bytes can stand for billions
of rows, and a length that is damaged for more memory than there is.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from ndcg.formats.arrow_layout import sizes
from ndcg.formats.unpacking import Expansion

# From the bytes of a file to a frame; what it expands to is counted before it does.
Reader = Callable[[bytes, Expansion], Any]
_CELL = 8  # bytes that a cell takes at least, once it is read


@contextmanager
def muted() -> Iterator[None]:
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


def reader_of(kind: str) -> Reader | None:
    """What reads a kind of file; None where no library for it is installed."""
    if kind == "Feather":
        return _first_feather()
    return _polars(kind) or _pyarrow(kind)


def _check_arrow(data: bytes, expansion: Expansion, kind: str) -> None:
    rows, held = sizes(data, is_stream=kind == "Arrow stream")
    expansion.add(max(_CELL * rows, held))


def _polars(kind: str) -> Reader | None:
    """What reads a kind of file in Polars."""
    try:
        polars = import_module("polars")
    except ImportError:
        return None
    names = {"Parquet": "read_parquet", "Arrow": "read_ipc", "Arrow stream": "read_ipc_stream"}
    whole = getattr(polars, names[kind])

    def read(data: bytes, expansion: Expansion) -> Any:
        if kind == "Parquet":
            lazy = polars.scan_parquet(io.BytesIO(data))
            rows = lazy.select(polars.len()).collect().item()
            expansion.add(_CELL * rows * len(lazy.collect_schema()))
        else:
            _check_arrow(data, expansion, kind)
        return whole(io.BytesIO(data))

    return read


def _pyarrow(kind: str) -> Reader | None:
    """What reads a kind of file in PyArrow."""
    try:
        ipc = import_module("pyarrow.ipc")
        module = import_module("pyarrow.parquet" if kind == "Parquet" else "pyarrow.feather")
    except ImportError:
        return None

    def read(data: bytes, expansion: Expansion) -> Any:
        file = io.BytesIO(data)
        if kind == "Parquet":
            known = module.read_metadata(file)
            expansion.add(_CELL * known.num_rows * known.num_columns)
        else:
            _check_arrow(data, expansion, kind)
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


def _first_feather() -> Reader | None:
    """What reads the first Feather format, which PyArrow alone knows."""
    read = _pyarrow("Arrow stream")
    if read is None:
        return None

    def converted(data: bytes, expansion: Expansion) -> Any:
        import subprocess

        done = subprocess.run(
            [sys.executable, "-c", _CONVERT], input=data, capture_output=True, check=False
        )
        if done.returncode:
            said = done.stderr.decode(errors="replace").strip().rpartition("\n")[2]
            raise ValueError(said or "PyArrow crashed on it")
        return read(done.stdout, expansion)

    return converted
