"""Tables with named columns: cells into ids and numbers, and what is wrong with which row."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ndcg.errors import DataError, Notice, Place, Problem, note, warn
from ndcg.kernel import Floats
from ndcg.stores.values import NotNumbers, are_text, fault, floats, shown, text_id

if TYPE_CHECKING:
    from ndcg.stores.given import Rankings

_EXACT = 2.0**53  # larger whole numbers are not all doubles


class Fault(NamedTuple):
    """What is wrong with one cell, or with a row as a whole."""

    word: str
    what: str
    column: str | None = None
    help: str | None = None


class Columns(Mapping[str, Sequence[Any]]):
    """Columns by name, each made when it is first asked for: few of many are looked at."""

    def __init__(self, names: Sequence[str], make: Callable[[int], Sequence[Any]]) -> None:
        self._at = {name: at for at, name in enumerate(names)}
        self._make = make
        self._made: dict[str, Sequence[Any]] = {}

    def __getitem__(self, name: str) -> Sequence[Any]:
        if name not in self._made:
            self._made[name] = self._make(self._at[name])
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)


class Table:
    """Columns of Python values by name; subclasses know the lines of a file and read text."""

    unit = "row"
    typed = True  # whether a column has one type for all of its values
    file: Place | None = None  # what the table was read from

    def __init__(
        self, origin: str, names: list[str], columns: Mapping[str, Sequence[Any]], n: int
    ) -> None:
        self.origin = origin  # the file, or what the caller's value is
        self.names = names
        self.columns, self.n = columns, n  # of n values each
        self.faults: dict[int, list[Fault]] = {}  # rows that cannot be used, and why
        self.notices: list[Notice] = []
        self.whole: list[str] = []  # columns of ids that are numbers

    def fetch(self, names: Sequence[str]) -> None:
        """Make some columns ready, the only ones that will be looked at."""

    def large_run(self, roles: Mapping[str, str], name: str) -> Rankings | None:  # noqa: ARG002
        """The run that the table holds without a look at its cells, where that can be had."""
        return None

    def number_of(self, row: int) -> int:
        """The number by which a row is known to the user."""
        return row + 1

    def place(self, row: int, column: str | None) -> Place | None:  # noqa: ARG002 -- lines only
        """Where a cell stands in a file, or None for a value of the caller."""
        return None

    def where(self, row: int) -> str:
        """``row 3``, as messages name it."""
        return f"{self.unit} {self.number_of(row)}"

    def ids(self, column: str, part: str) -> list[str]:
        """A column of ids as text; what is none is noted as a fault."""
        values = self.columns[column]
        if not are_text(values):
            values = self._as_text(column, values, part)
        for row in [row for row, value in enumerate(values) if value == ""]:
            self.fault(row, Fault("columns", f"the {part} is empty", column, _EMPTY))
        return [*values]

    def numbers(self, column: str, part: str) -> Floats:
        """A column of finite numbers; what is none is noted as a fault."""
        values = self.columns[column]
        self._refuse_text(column, part)
        try:
            found = floats(values, len(values))
        except NotNumbers:
            found = np.array([math.nan if fault(v) else float(v) for v in values], np.float64)
        for row in np.flatnonzero(~np.isfinite(found)).tolist():
            # A number that is none stands for a missing value where a column has one type only.
            empty = is_blank(values[row]) and (self.typed or not isinstance(values[row], float))
            what = "is empty" if empty else str(fault(values[row]))
            self.fault(row, Fault(part, f"the {part} {what}", column, number_help(part, what)))
        return found

    def fault(self, row: int, what: Fault) -> None:
        """Note what is wrong with a row; of a row that is wrong as a whole no cell is looked at."""
        found = self.faults.setdefault(row, [])
        if not any(one.column is None for one in found):
            found.append(what)

    def note(self, what: str) -> None:
        """Record something the user should know."""
        self.notices.append(note(f"{self.origin}: {what}"))

    def _refuse_text(self, column: str, part: str) -> None:
        """A typed column of text is one problem, however many rows it has."""
        values = self.columns[column]
        if self.typed and self.n and isinstance(values[0], str) and are_text(values):
            what = (
                f"{self.origin}: the {part} column {column!r} has the dtype of text, not of "
                f"numbers; first bad value {values[0]!r} in row 1"
            )
            how = f"make column {column!r} numeric where the table is made"
            raise DataError(Problem(part, what, self.file, how))

    def _as_text(self, column: str, values: Sequence[Any], part: str) -> list[str]:
        """Ids that are no text: whole numbers are written in decimal, which is said."""
        ids: list[str] = []
        points = []
        for row, value in enumerate(values):
            text = text_id(value)
            if text is None and _is_whole(value):
                text = str(int(value))
                points.append(f"{value!r} as {text!r}")
            elif text is None:
                if is_blank(value):
                    found = Fault("columns", f"the {part} is empty", column, _EMPTY)
                else:
                    how = _ONE_EACH if isinstance(value, list | tuple) else _IDS
                    found = Fault("type", f"the {part} {shown(value)} is no id", column, how)
                self.fault(row, found)
            elif not isinstance(value, str) and column not in self.whole:
                self.whole.append(column)
            ids.append(" " if text is None else text)
        if points:
            what = f"decimal numbers in column {column!r} are taken as whole ones: {points[0]}"
            self.notices.append(warn(f"{self.origin}: {what}", "make the column text or integer"))
        return ids


_EMPTY = "complete or remove the row, or skip such rows: --lenient (in Python: lenient=True)"
_IDS = "ids are text or whole numbers"
_ONE_EACH = "give one row for each document, or a dictionary {query: [document, ...]}"


def number_help(part: str, what: str) -> str:
    """What to do about a cell that holds no number."""
    if part == "rank":
        return "ranks are whole numbers such as 1, 2, 3"
    if what != "is empty":
        return f"{part}s are finite numbers such as 2, -0.25 or 1.1e1"
    if part == "grade":
        return (
            "a document that was not judged has no row; some exports (Quepid) leave its rating "
            "blank: --lenient skips such rows (in Python: lenient=True)"
        )
    return _EMPTY


def is_blank(value: object) -> bool:
    """Whether a cell is empty: None, NaN, or the missing value of a library.

    That of pandas cannot be compared with anything.
    """
    if isinstance(value, float):
        return math.isnan(value)
    empty_text = isinstance(value, str) and not value
    return value is None or empty_text or type(value).__name__ in ("NAType", "NaTType")


def _is_whole(value: object) -> bool:
    return isinstance(value, float) and value.is_integer() and abs(value) <= _EXACT
