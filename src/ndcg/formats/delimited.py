"""CSV and TSV with a header (or columns named by number), quotes and all."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

import numpy as np

from ndcg.axes import number_of
from ndcg.errors import DataError, Place, Problem, count
from ndcg.formats.rows import number_fault, numbers, split_rows
from ndcg.formats.source import Source
from ndcg.kernel import Floats
from ndcg.stores.asked import Asked
from ndcg.stores.columns import OF_ROLE, WANTED, name_them
from ndcg.stores.names import NAMES, is_header, kind_of
from ndcg.stores.tabular import Fault, Table, number_help

DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon"}
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


class TextTable(Table):
    """A table whose cells are text, with the lines that its rows begin in."""

    unit = "line"

    def __init__(
        self, source: Source, names: list[str], rows: Sequence[Sequence[str]], lines: Sequence[int]
    ) -> None:
        columns = [*zip(*rows, strict=True)] or [()] * len(names)
        super().__init__(
            source.input.path, names, dict(zip(names, columns, strict=True)), len(rows)
        )
        self.file = Place(source.input.path)
        self.lines = lines
        self.delimiter = "\t"
        self._text = source.text

    def number_of(self, row: int) -> int:
        """The line in which a row begins."""
        return self.lines[row]

    def place(self, row: int, column: str | None) -> Place:
        """The line and the cell in it."""
        line = self.lines[row]
        text = self._text.split("\n")[line - 1].rstrip("\r")
        if column is None or not self.columns[column][row]:
            return Place(self.origin, line, text)
        cells = text.split(self.delimiter)
        start = None
        if len(cells) == len(self.names):  # else quotes, or blanks, cut the line otherwise
            start = sum(len(cell) + 1 for cell in cells[: self.names.index(column)])
        return Place(self.origin, line, text, self.columns[column][row], start)

    def ids(self, column: str, part: str) -> list[str]:
        """Ids as they stand; blanks around them are part of them, which is said."""
        ids = super().ids(column, part)
        padded = [row for row, text in enumerate(ids) if text != text.strip()]
        if padded:
            where = f"(first in {self.where(padded[0])})"
            self.note(f"blanks around {count(len(padded), f'{part} id')} were kept {where}")
        return ids

    def numbers(self, column: str, part: str) -> Floats:
        """Numbers by the project's grammar; decimal commas are read where nothing else is meant."""
        cells = [text.strip(" ") for text in self.columns[column]]
        if self.delimiter != ",":
            cells = self._with_points(cells, column)
        found, faulty, _ = numbers(cells) if cells else (np.empty(0), [], [])
        for row in faulty:
            what = "is empty" if not cells[row] else number_fault(cells[row])
            self.fault(row, Fault(part, f"the {part} {what}", column, number_help(part, what)))
        return found

    def _with_points(self, cells: list[str], column: str) -> list[str]:
        """Decimal commas as points, unless the column has points too."""
        commas = sum(_COMMA.fullmatch(text) is not None for text in cells)
        if not commas or any("." in text and number_of(text) is not None for text in cells):
            return cells
        self.note(f"{count(commas, 'decimal comma')} in column {column!r} read as points")
        return [text.replace(",", ".") if _COMMA.fullmatch(text) else text for text in cells]


def table_of(source: Source, asked: Asked, delimiter: str | None = None) -> TextTable:
    """A delimited text as a table; ragged rows are noted as faults.

    Raises
    ------
    DataError
        When quotes do not close, or the first row is no header and columns are not named.
    """
    delimiter = delimiter or delimiter_of(source.text)
    rows, lines = _parsed(source, delimiter)
    if _numbered(rows[0], asked):
        names, body = [str(at) for at in range(1, len(rows[0]) + 1)], 0
    else:
        names, body = rows[0], 1
        _refuse_headless(source, rows[0], asked)
    table = _even(source, names, rows[body:], lines[body:])
    table.delimiter = delimiter
    return table


_RAGGED = "complete or remove the row; a cell that holds the delimiter stands in double quotes"


def delimiter_of(text: str) -> str:
    """The delimiter of the first line: the one that cuts it into most cells outside quotes."""
    first = re.sub(r'"[^"]*"', "", text.lstrip("\n").partition("\n")[0])
    return max(DELIMITERS, key=first.count)


def headless(source: Source, names: list[str]) -> TextTable:
    """Blank-separated rows without a header as a table; comments are told as in TREC files."""
    filled = [(at, row) for at, row in enumerate(split_rows(source.text), 1) if row]
    kept = [(at, row) for at, row in filled
            if row[0][0] != "#" or (row[0] != "#" and len(row) == len(names))]  # fmt: skip
    lines, rows = [at for at, _ in kept], [row for _, row in kept]
    table = _even(source, names, rows, lines)
    if len(kept) < len(filled):
        table.note(f"{count(len(filled) - len(kept), 'comment line')} left out")
    return table


def _even(
    source: Source, names: list[str], rows: Sequence[list[str]], lines: Sequence[int]
) -> TextTable:
    """Rows as a table; those of another width are noted as faults."""
    width = len(names)
    ragged = [at for at, row in enumerate(rows) if len(row) != width]
    fitting = [*rows]
    for at in ragged:
        fitting[at] = [*rows[at][:width], *[""] * (width - len(rows[at]))]
    table = TextTable(source, names, fitting, lines)
    for at in ragged:
        what = f"expected {count(width, 'column')} ({', '.join(names)}), found {len(rows[at])}"
        table.fault(at, Fault("columns", what, None, _RAGGED))
    return table


def _parsed(source: Source, delimiter: str) -> tuple[list[list[str]], list[int]]:
    """The rows of a text and the lines in which they begin; empty lines are none."""
    # Lines end at \n alone: ids may hold what other splitters take for line ends.
    text = io.StringIO(source.text.replace("\r\n", "\n"), newline="\n")
    reader = csv.reader(text, delimiter=delimiter, strict=True)
    rows, lines = [], []
    begin = 1
    try:
        for row in reader:
            if row:
                rows.append(row)
                lines.append(begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        line = source.text.split("\n")[begin - 1].rstrip("\r")
        raise DataError(
            Problem(
                "syntax",
                f"{source.input.path}: the quotes of the row in line {begin} do not fit ({error})",
                Place(source.input.path, begin, line, '"'),
                'a cell with quotes stands in quotes, its own doubled: "boots, ""winter"""',
            )
        ) from None
    return rows, lines


def _numbered(first: Sequence[str], asked: Asked) -> bool:
    """Whether the columns were named by number, as in a file without a header."""
    given = [*asked.columns.values()]
    return bool(given) and all(n.isdecimal() for n in given) and not {*given} <= {*first}


def _refuse_headless(source: Source, first: Sequence[str], asked: Asked) -> None:
    """Refuse a first row that is a record: taking it for a header would lose it."""
    known = is_header(first) or kind_of(first) or {*first} & {*asked.columns.values()}
    values = [cell for cell in first if number_of(cell.strip()) is not None]
    if known or not values:
        return
    path, role = source.input.path, source.input.role
    wanted = {part: str(at) for at, part in enumerate(OF_ROLE[role][:3], 1)}
    line = source.text.split("\n")[0].rstrip("\r")
    raise DataError(
        Problem(
            "not-a-run" if role == "run" else "not-qrels",
            f"{path} looks like a table of {count(len(first), 'column')} without a header, "
            f"not {WANTED[role]}: the first row is data",
            Place(path, 1, line, values[-1], line.rfind(values[-1])),
            f"{name_them(wanted)}, or add a header such as "
            f"{','.join(NAMES[part][0] for part in OF_ROLE[role][:3])}",
        )
    )
