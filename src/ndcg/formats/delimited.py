"""CSV and TSV with a header (or columns named by number), quotes and all."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from functools import cached_property, partial
from operator import itemgetter

import numpy as np

from ndcg.axes import number_of
from ndcg.errors import DataError, Place, Problem, count
from ndcg.formats.rows import is_comment, number_fault, numbers, split_rows
from ndcg.formats.source import Source
from ndcg.formats.trec_layouts import LAYOUTS
from ndcg.kernel import Floats
from ndcg.stores.asked import Asked
from ndcg.stores.columns import OF_ROLE, WANTED, few, name_them
from ndcg.stores.names import NAMES, is_header, kind_of
from ndcg.stores.tabular import Columns, Fault, Table, number_help

DELIMITERS = {"\t": "tab", ",": "comma", ";": "semicolon"}
_LONGEST = 2**31 - 1  # characters of a cell
_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


class TextTable(Table):
    """A table whose cells are text, with the lines that its rows begin in."""

    unit = "line"

    def __init__(
        self, source: Source, names: list[str], rows: Sequence[Sequence[str]], lines: Sequence[int]
    ) -> None:
        # A wide table of short rows may not be filled up: its cells could fill the memory.
        columns = Columns(names, partial(_column, rows))
        super().__init__(source.input.path, names, columns, len(rows))
        self.file = Place(source.input.path)
        self.lines = lines
        self.delimiter, self.blanks = "\t", False  # whether blanks follow the delimiters
        self._text = source.text

    @cached_property
    def _lines(self) -> list[str]:
        return self._text.split("\n")

    def number_of(self, row: int) -> int:
        """The line in which a row begins."""
        return self.lines[row]

    def place(self, row: int, column: str | None) -> Place:
        """The line and the cell in it."""
        line = self.lines[row]
        text = self._lines[line - 1].rstrip("\r")
        if column is None or not self.columns[column][row]:
            return Place(self.origin, line, text)
        cells = text.split(self.delimiter)
        start = None
        if len(cells) == len(self.names):  # else quotes, or blanks, cut the line otherwise
            at = self.names.index(column)
            start = sum(len(cell) + 1 for cell in cells[:at])
            start += len(cells[at]) - len(cells[at].lstrip(" ")) if self.blanks else 0
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
        """Numbers by the project's grammar."""
        cells = [text.strip(" ") for text in self.columns[column]]
        self._refuse_commas(cells, column, part)
        found, faulty, _ = numbers(cells) if cells else (np.empty(0), [], [])
        for row in faulty:
            what = "is empty" if not cells[row] else number_fault(cells[row])
            self.fault(row, Fault(part, f"the {part} {what}", column, number_help(part, what)))
        return found

    def _refuse_commas(self, cells: list[str], column: str, part: str) -> None:
        """Decimal commas are one problem, however many there are: they mark a spreadsheet."""
        commas = [row for row, text in enumerate(cells) if _COMMA.fullmatch(text)]
        if self.delimiter == "," or len(commas) < 2:
            return
        number = count(len(commas), "number with a comma", "numbers with commas")
        what = (
            f"{self.origin} looks like an export of a spreadsheet with decimal commas: {number} in "
            f"column {column!r}, the first {cells[commas[0]]!r}"
        )
        how = "write them with points, as 1.5: 1,234 could be either"
        raise DataError(Problem(part, what, self.place(commas[0], column), how))


def table_of(source: Source, asked: Asked, delimiter: str | None = None) -> TextTable:
    """A delimited text as a table; ragged rows are noted as faults.

    Raises
    ------
    DataError
        When quotes do not close, or the first row is no header and columns are not named.
    """
    source, comments = _without_comments_above(source)
    delimiter = delimiter or delimiter_of(source.text)
    blanks = _is_padded(_first_line(source.text), delimiter)
    rows, lines = _parsed(source, delimiter, blanks)
    if not rows:
        what = f"{source.input.path} holds comments only: no rows, 0 queries"
        raise DataError(Problem("empty", what, Place(source.input.path), "give a file with rows"))
    if _numbered(rows[0], asked):
        names, body = [str(at) for at in range(1, len(rows[0]) + 1)], 0
    else:
        names, body = rows[0], 1
        _refuse_headless(source, rows[0], lines[0], asked)
    table = _even(source, names, rows[body:], lines[body:])
    table.delimiter, table.blanks = delimiter, blanks
    _note_comments(table, comments)
    if blanks:
        table.note("the blanks behind the delimiters were left out")
    return table


_RAGGED = "complete or remove the row; a cell that holds the delimiter stands in double quotes"


def delimiter_of(text: str) -> str:
    """The delimiter of the first line: the one that cuts it into most cells outside quotes."""
    first = re.sub(r'"[^"]*"', "", _first_line(text))
    return max(DELIMITERS, key=first.count)


def _first_line(text: str) -> str:
    """The first line that holds something and does not begin as comments do."""
    lines = (match[0] for match in re.finditer(r"[^\n]+", text))
    return next((line for line in lines if line.strip() and line.lstrip()[0] != "#"), text)


def _without_comments_above(source: Source) -> tuple[Source, int]:
    """The text with the comments above its first row emptied, and how many there were."""
    above, number = 0, 0
    for match in re.finditer(r"[^\n]*\n?", source.text):
        line = match[0].strip()
        if line and line[0] != "#":
            break
        above, number = match.end(), number + bool(line)
    emptied = "\n" * source.text.count("\n", 0, above)
    return Source(emptied + source.text[above:], source.input), number


def _is_padded(line: str, delimiter: str) -> bool:
    """Whether a blank follows each delimiter of a line, as in ``query_id, doc_id, score``."""
    cells = re.sub(r'"[^"]*"', "x", line).split(delimiter)[1:]
    return delimiter != "\t" and bool(cells) and all(cell.startswith(" ") for cell in cells)


def headless(source: Source, names: list[str], number: int | None) -> TextTable:
    """Blank-separated rows without a header as a table; column `number` holds numbers."""
    filled = [(at, row) for at, row in enumerate(split_rows(source.text), 1) if row]
    kept = [(at, row) for at, row in filled if not is_comment(row, len(names), number)]
    lines, rows = [at for at, _ in kept], [row for _, row in kept]
    table = _even(source, names, rows, lines)
    _note_comments(table, len(filled) - len(kept))
    return table


def _note_comments(table: TextTable, number: int) -> None:
    if number:
        table.note(f"{count(number, 'comment line')} left out")


def _even(
    source: Source, names: list[str], rows: Sequence[list[str]], lines: Sequence[int]
) -> TextTable:
    """Rows as a table; those of another width are noted as faults."""
    width = len(names)
    table = TextTable(source, names, rows, lines)
    expected = f"expected {count(width, 'column')} ({few(names)})"
    for at in [at for at, row in enumerate(rows) if len(row) != width]:
        table.fault(at, Fault("columns", f"{expected}, found {len(rows[at])}", None, _RAGGED))
    return table


def _column(rows: Sequence[Sequence[str]], at: int) -> list[str]:
    """One cell of each row, empty where a row has none there."""
    try:
        return [*map(itemgetter(at), rows)]
    except IndexError:
        return [row[at] if at < len(row) else "" for row in rows]


def _parsed(source: Source, delimiter: str, blanks: bool) -> tuple[list[list[str]], list[int]]:
    """The rows of a text and the lines in which they begin; empty lines are none."""
    # Lines end at \n alone: ids may hold what other splitters take for line ends.
    text = io.StringIO(source.text.replace("\r\n", "\n"), newline="\n")
    reader = csv.reader(text, delimiter=delimiter, strict=True, skipinitialspace=blanks)
    rows, lines, begin = list[list[str]](), list[int](), 1
    csv.field_size_limit(max(csv.field_size_limit(), _LONGEST))  # the whole interpreter's
    try:
        for row in reader:
            if len(row) > 1 or (row and row[0].strip()):
                rows.append(row)
                lines.append(begin)
            begin = reader.line_num + 1
    except csv.Error as error:
        raise _broken(source, begin, error) from None
    return rows, lines


def _broken(source: Source, begin: int, error: csv.Error) -> DataError:
    """The error for a row that is not written as CSV is."""
    path, line = source.input.path, source.text.split("\n")[begin - 1].rstrip("\r")
    if "\r" in line:
        what = f"{path}: the row in line {begin} has a carriage return inside"
        how = "end lines by LF or CRLF; a cell that holds a line end stands in double quotes"
        return DataError(Problem("syntax", what, Place(path, begin, line), how))
    return DataError(
        Problem(
            "syntax",
            f"{path}: the quotes of the row in line {begin} do not fit ({error})",
            Place(path, begin, line, '"'),
            'a cell with quotes stands in quotes, its own doubled: "boots, ""winter"""',
        )
    )


def _numbered(first: Sequence[str], asked: Asked) -> bool:
    """Whether the columns were named by number, as in a file without a header."""
    given = [*asked.columns.values()]
    return bool(given) and all(n.isdecimal() for n in given) and not {*given} <= {*first}


def _refuse_headless(source: Source, first: Sequence[str], at: int, asked: Asked) -> None:
    """Refuse a first row that is a record: taking it for a header would lose it."""
    known = is_header(first) or kind_of(first) or {*first} & {*asked.columns.values()}
    values = [cell for cell in first if number_of(cell.strip()) is not None]
    if known or not values:
        return
    path, role = source.input.path, source.input.role
    layout = LAYOUTS[role].get(len(first))
    document, number = (layout.document, layout.number) if layout else (1, 2)
    value = OF_ROLE[role][2]
    wanted = {"query": "1", "document": str(document + 1), value: str(number + 1)}
    line = source.text.split("\n")[at - 1].rstrip("\r")
    raise DataError(
        Problem(
            "not-a-run" if role == "run" else "not-qrels",
            f"{path} looks like a table of {count(len(first), 'column')} without a header, "
            f"not {WANTED[role]}: the first row is data",
            Place(path, at, line, values[-1], line.rfind(values[-1])),
            f"{name_them({**asked.columns, **wanted})}, or add a header such as "
            f"{','.join(NAMES[part][0] for part in OF_ROLE[role][:3])}",
        )
    )
