"""Arrays and lists of numbers as the caller has them, read into one table of doubles.

A table has one row per query and one column per candidate. Anything that NumPy can take over is
read (NumPy, CPU tensors, other array libraries by ``__array__`` or DLPack), and lists of rows of
different lengths, which are padded at their ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ndcg.errors import DataError, Problem
from ndcg.kernel import Bools, Floats, Ints
from ndcg.stores.values import NotNumbers, fault, floats, shown

SHAPES = "one row per query: a 2-D array, or a list of rows of numbers"


class Grid(NamedTuple):
    """Numbers in rows; `length` says how many of each row are no padding (None: all of them)."""

    values: Any  # (n_rows, n_columns) of any kind of real number, as the caller has it
    length: Ints | None = None

    @property
    def flat(self) -> Floats:
        """The numbers without padding, row after row."""
        inside = self.inside()
        flat = self.values.ravel() if inside is None else self.values[inside]
        numbers: Floats = flat.astype(np.float64)
        return numbers

    @property
    def lengths(self) -> Ints:
        """How many numbers each row has."""
        rows, columns = self.values.shape
        return np.full(rows, columns) if self.length is None else self.length

    def inside(self) -> Bools | None:
        """Which cells are no padding; None: all of them."""
        if self.length is None:
            return None
        return np.arange(self.values.shape[1]) < self.length[:, None]


def is_grid(value: object) -> bool:
    """Whether a value can only be meant as an array, or as a list of numbers or of rows."""
    if _is_array(value):
        return True
    return isinstance(value, list | tuple) and any(_is_row(x) or _is_number(x) for x in value[:1])


def is_single(value: object) -> bool:
    """Whether a value is one row of numbers and not rows of them."""
    if _is_array(value):
        return bool(np.ndim(_taken(value, "grades")) == 1)
    return isinstance(value, list | tuple) and not any(map(_is_row, value))


def read_grid(given: Any, word: str) -> Grid:
    """Rows of numbers; `word` is what they are, for messages.

    Raises
    ------
    DataError
        For another shape, and for values that are no numbers.
    """
    if _is_array(given):
        return Grid(_numbers(_taken(given, word), word, 2))
    if not isinstance(given, list | tuple):
        raise wrong_shape(word, f"of type {type(given).__name__}")
    if not any(map(_is_row, given)):
        raise wrong_shape(word, "a list of single values" if given else "an empty list")
    for at, row in enumerate(given):
        if not _is_row(row):
            raise wrong_shape(word, f"a list with {shown(row)} as row {at}")
    return _padded([read_row(row, word, at) for at, row in enumerate(given)])


def read_row(given: Any, word: str, number: int | None = None) -> Floats:
    """One row of numbers; its number is for messages."""
    if _is_array(given):
        row: Floats = _numbers(_taken(given, word), word, 1).astype(np.float64, copy=False)
        return row
    try:
        return floats(given, len(given))
    except NotNumbers:
        at, value = next(
            (at, value) for at, value in enumerate(given) if _is_row(value) or not _fits(value)
        )
    where = "at" if number is None else f"in row {number}, at"
    why = "a row of its own" if _is_row(value) else fault(value) or f"{shown(value)} is no number"
    raise DataError(
        Problem("type", f"{word} {where} position {at}: {why}", help=f"{word} are numbers")
    )


def _fits(value: Any) -> bool:
    """Whether a value is a number that a double can hold."""
    try:
        floats([value], 1)
    except NotNumbers:
        return False
    return True


def read_mask(given: Any) -> tuple[Bools, Ints | None]:
    """A table of booleans, and the lengths of its rows where they differ."""
    try:
        rows = given if _is_array(given) else [*map(np.asarray, given)] if is_grid(given) else None
    except ValueError:  # rows of rows
        rows = None
    arrays = [np.asarray(row) for row in ([rows] if _is_array(rows) else rows or [])]
    kinds = {row.dtype.kind for row in arrays if row.size}
    if rows is None or kinds != {"b"}:
        what = f"of type {type(given).__name__}" if rows is None else "not boolean"
        help_ = "give booleans in the shape of the grades, True for a real candidate (mask != 0)"
        raise DataError(Problem("type", f"mask is {what}", help=help_))
    grid = read_grid(rows, "mask")
    return grid.values > 0, grid.length


def wrong_shape(word: str, what: str) -> DataError:
    """The error for something that is no table."""
    return DataError(Problem("type", f"{word} are {what}", help=f"give {SHAPES}"))


def _padded(rows: Sequence[Floats]) -> Grid:
    """Rows side by side, the shorter ones filled up with NaN."""
    length = np.fromiter(map(len, rows), np.int64, len(rows))
    flat = np.concatenate(rows)
    width = int(length.max())
    if len(flat) == width * len(rows):
        return Grid(flat.reshape(len(rows), width))
    values = np.full((len(rows), width), np.nan)
    values[np.arange(width) < length[:, None]] = flat
    return Grid(values, length)


def _taken(given: Any, word: str) -> Any:
    """An array of any library as NumPy's, without a copy where that is possible."""
    if hasattr(given, "filled") and hasattr(given, "mask") and given.dtype.kind in "biuf":
        # A masked array's hidden values must not come to light again.
        return given.astype(np.float64).filled(np.nan)
    try:
        return np.asarray(given) if hasattr(given, "__array__") else np.from_dlpack(given)
    except (TypeError, RuntimeError, ValueError, BufferError) as refusal:
        what = f"{word} of type {type(given).__name__} cannot be read by NumPy: {refusal}"
        help_ = "give it as an array in the computer's memory, of a type that NumPy knows"
        raise DataError(Problem("type", what, help=help_)) from None


def _numbers(array: Any, word: str, dimensions: int) -> Any:
    if array.ndim != dimensions:
        shape = "x".join(map(str, array.shape))
        what = f"an array of {array.ndim} dimensions" + (f" ({shape})" if shape else "")
        raise wrong_shape(word, what)
    if array.dtype.kind not in "biuf":
        what = f"an array of {array.dtype}, not of numbers"
        if array.dtype.kind == "O":
            odd = [x for x in array.ravel().tolist() if not _is_float(x)]
            what += f" ({shown(odd[0])} stands in it)" if odd else ""
        raise DataError(Problem("type", f"{word} are {what}", help="convert it to numbers first"))
    return np.ascontiguousarray(array)


def _is_array(value: object) -> bool:
    """Whether it is an array: tables with named columns have other readers."""
    if isinstance(value, type) or hasattr(value, "columns") or not hasattr(value, "shape"):
        return False
    return hasattr(value, "__array__") or hasattr(value, "__dlpack__")


def _is_row(value: object) -> bool:
    if isinstance(value, str | bytes | Mapping):
        return False
    return isinstance(value, Sequence) or (_is_array(value) and np.ndim(value) > 0)  # type: ignore[arg-type]


def _is_number(value: object) -> bool:
    return hasattr(value, "__float__") and not _is_row(value)


def _is_float(value: object) -> bool:
    return hasattr(value, "__float__") and not isinstance(value, str)
