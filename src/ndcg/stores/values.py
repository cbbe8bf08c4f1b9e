"""Python values on their way into arrays: numbers are checked, ids become text."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Iterable

import numpy as np

from ndcg.axes import number_text
from ndcg.kernel import Floats


class NotNumbers(Exception):
    """Some value cannot be read as a number; the caller knows which and says so."""


def floats(given: Iterable[float], n: int) -> Floats:
    """`n` numbers as float64.

    Text, None and the like are refused: NumPy's own conversions would read ``"1.5"`` as a number
    and None as NaN. Whatever has ``__float__`` is a number (int, bool, NumPy and tensor scalars).
    """
    if isinstance(given, np.ndarray) and given.dtype == np.float64:
        return given
    try:
        # Packing checks the types and converts in one pass, faster than NumPy can do either.
        return np.frombuffer(struct.pack(f"{n}d", *given), np.float64)
    except (struct.error, OverflowError, TypeError, ValueError):
        raise NotNumbers from None


def fault(value: object) -> str | None:
    """What is wrong with a score or grade, or None for a finite number.

    >>> fault("1.5"), fault(float("nan")), fault(3)
    ("'1.5' is text, not a number", 'nan is not finite', None)
    """
    if isinstance(value, str):
        return f"{value!r} is text, not a number"
    if not hasattr(value, "__float__"):
        return f"{shown(value)} ({type(value).__name__}) is not a number"
    try:
        number = float(value)
    except OverflowError:
        return f"{shown(value)} is too large for a double"
    except (TypeError, ValueError):
        return f"{shown(value)} ({type(value).__name__}) is not a number"
    return None if math.isfinite(number) else f"{shown(value)} is not finite"


def shown(value: object) -> str:
    """A value as it stands in a message; numbers without a useless ``.0``."""
    if isinstance(value, float):
        return number_text(value) if math.isfinite(value) else str(value)
    try:
        text = repr(value)
    except ValueError:  # more digits than Python writes
        text = "a whole number of thousands of digits"
    except RecursionError:
        text = f"a deeply nested {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."


def are_text(ids: Iterable[str]) -> bool:
    """Whether every id is text.

    Joining checks all types at the speed of C. A last item that is no text makes it stop there,
    before it copies anything: then the refused item is the last one if all others are text.
    """
    items = [*ids, None]
    try:
        "".join(items)  # type: ignore[arg-type]
    except TypeError as refusal:
        if f"item {len(items) - 1}:" in str(refusal):
            return True
    return all(isinstance(item, str) for item in items[:-1])


def text_id(value: object) -> str | None:
    """An id as text: text stays, whole numbers are written in decimal, anything else is None.

    >>> text_id("007"), text_id(7), text_id(7.0), text_id(True)
    ('007', '7', None, None)
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return str(operator.index(value))  # type: ignore[arg-type]
    except (TypeError, ValueError):  # no whole number, or more digits than Python writes
        return None


def is_failure(error: BaseException) -> bool:
    """Whether a library failed: its exceptions, and Polars' panics, which are no Exception.

    All others that are none end the program.
    """
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"
