"""The tables that people read: values, what they rest on, and the signatures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import StringIO
from typing import Literal

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ndcg.errors import printable
from ndcg.evaluation.results import Evaluation
from ndcg.reports.model import (
    Options,
    Row,
    Sheet,
    account_sheet,
    long_sheet,
    signatures,
    value_sheet,
)
from ndcg.reports.parts import further_sheets, per_query_sheets

_GAP = 2
_SHORTEST = 8  # an id is not cut to less
_CUT = 12  # nor to less than this, to keep a table in one piece
_READABLE = 24  # nor, while there is room for one number beside it, to less than this


def table(evaluation: Evaluation, options: Options) -> str:
    """Values, accounts and signatures, fitted to the width; numbers are never cut."""
    width = options.width
    values, accounts = value_sheet(evaluation, options), account_sheet(evaluation)
    if width is not None and _width(values.rows) > width:
        values = long_sheet(evaluation, options)
    if width is not None and _width(accounts.rows) > width:
        accounts = _turned(accounts)
    sheets = [values, *further_sheets(evaluation, options), accounts]
    if options.per_query:
        sheets += per_query_sheets(evaluation, options)
    page = Page(options)
    for sheet in sheets:
        page.sheet(sheet)
    page.signatures(signatures(evaluation))
    return page.text()


class Page:
    """Tables and lines for a person, one below the other."""

    def __init__(self, options: Options) -> None:
        self.width = options.width
        self._out = StringIO()
        self._console = Console(
            file=self._out,
            width=options.width or 1_000_000,  # a pipe has no width, and nothing is cut in it
            force_terminal=options.color,
            color_system="standard" if options.color else None,
            highlight=False,
            emoji=False,
            markup=False,
            legacy_windows=False,
        )

    def sheet(self, sheet: Sheet) -> None:
        """A table, in blocks where it is too wide, and a blank line behind each."""
        for block in _fitted(sheet, self.width) if self.width is not None else [sheet]:
            self._console.print(_grid(block))
            self._console.print()

    def line(self, text: str, style: str = "") -> None:
        """A line that is broken between words where it is too long."""
        text = printable(text)
        if self.width is not None:
            text = broken(text, self.width)
        self._console.print(Text(text, style=style), soft_wrap=True)

    def dim(self, text: str) -> None:
        """A line that is there to be copied: in one piece, and less bright."""
        self._console.print(Text(printable(text), style="dim"), soft_wrap=True)

    def signatures(self, given: Mapping[str, Sequence[str]]) -> None:
        """Each signature, and the other measures that share it."""
        for first, others in given.items():
            self.dim(first)
            if others:
                self.dim(f"also by this convention: {', '.join(others)}")

    def blank(self) -> None:
        """A blank line."""
        self._console.print()

    def text(self) -> str:
        """Everything, without blanks at the ends of lines."""
        return "".join(line.rstrip() + "\n" for line in self._out.getvalue().split("\n")[:-1])


def squeezed(sheet: Sheet, width: int | None) -> Sheet:
    """The table with its ids cut so that all numbers fit beside them, if they stay readable."""
    over = 0 if width is None else _width(sheet.rows) - width
    names = [*sheet.rows[0]][: sheet.words]
    size = {name: max(cell_len(_text(row[name])) for row in sheet.rows) for name in names}
    while over > 0:
        longest = max(names, key=size.__getitem__)
        if size[longest] <= _CUT:
            return sheet
        size[longest] -= 1
        over -= 1
    rows: list[Row] = [
        {**row, **{name: _cut(sheet, name, row[name], size[name]) for name in names}}
        for row in sheet.rows
    ]
    return sheet._replace(rows=rows)


def _cut(sheet: Sheet, name: str, value: object, room: int) -> str:
    """An id without its middle, a text without its end."""
    text = _text(value)
    if name not in sheet.prose or cell_len(text) <= room:
        return shortened(text, room)
    return _fitting(text, room - 1).rstrip() + "…"


def _turned(sheet: Sheet) -> Sheet:
    """The table with its rows as columns; the corner stays blank."""
    first, *names = sheet.rows[0]
    return Sheet([{"": n} | {str(row[first]): row[n] for row in sheet.rows} for n in names])


def _fitted(sheet: Sheet, width: int) -> Iterator[Sheet]:
    """The table in blocks of columns that fit, each with its columns of words repeated.

    Numbers are never cut. Words are, in their middle, where they leave no room for a number.
    """
    names = [*sheet.rows[0]]
    words, numbers = names[: sheet.words], names[sheet.words :]
    widest = max(max(cell_len(_text(row[name])) for row in sheet.rows) for name in numbers) + _GAP
    # Ids leave room for all numbers, as long as they stay readable; at least for the widest.
    wished = width - sum(_column(sheet, name) for name in numbers) - _GAP * len(words)
    least = width - widest - _GAP * len(words)
    room = _shared([_column(sheet, name) - _GAP for name in words], wished, least)
    labels = [
        {name: _cut(sheet, name, row[name], most) for name, most in zip(words, room, strict=True)}
        for row in sheet.rows
    ]
    fixed = _width(labels)
    block: list[str] = []
    for name in numbers:
        if block and fixed + sum(_column(sheet, one) for one in [*block, name]) > width:
            yield _block(sheet, labels, block, width - fixed)
            block = []
        block.append(name)
    yield _block(sheet, labels, block, width - fixed)


def _shared(needed: Sequence[int], wished: int, least: int) -> list[int]:
    """Room for each column of words: what one does not need the others have.

    A column is cut to less than `_READABLE` only where even the widest number has no room else.

    >>> _shared([7, 60], 60, 90), _shared([40, 40], 20, 44), _shared([40, 40], 20, 90)
    ([7, 53], [22, 22], [24, 24])
    """
    room = [*needed]
    while sum(room) > wished and max(room) > _READABLE:
        room[room.index(max(room))] -= 1
    while sum(room) > max(least, _SHORTEST * len(room)) and max(room) > _SHORTEST:
        room[room.index(max(room))] -= 1
    return room


def _block(sheet: Sheet, labels: Sequence[Row], names: Sequence[str], room: int) -> Sheet:
    """Some columns of numbers behind the words; a head that is too long is cut."""
    heads = {name: shortened(name, max(_SHORTEST, room - _GAP)) for name in names}
    if len(set(heads.values())) < len(heads):
        heads = {name: name for name in names}
    rows: list[Row] = [
        dict(label) | {heads[name]: row[name] for name in names}
        for label, row in zip(labels, sheet.rows, strict=True)
    ]
    return Sheet(rows, sheet.words)


def _column(sheet: Sheet, name: str) -> int:
    return _width([{name: row[name]} for row in sheet.rows])


def _width(rows: Sequence[Row]) -> int:
    """Columns that the table takes, gaps included."""
    return sum(
        _GAP + max(cell_len(_text(name)), *(cell_len(_text(row[name])) for row in rows))
        for name in rows[0]
    )


def _grid(sheet: Sheet) -> Table:
    """A table without lines: words left, numbers right."""
    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    for at, name in enumerate(sheet.rows[0]):
        side: Literal["left", "right"] = "left" if at < sheet.words else "right"
        grid.add_column(Text(_text(name)), justify=side, no_wrap=True)
    for row in sheet.rows:
        grid.add_row(*(Text(_text(value)) for value in row.values()))
    return grid


def _text(value: object) -> str:
    return "" if value is None else printable(str(value))


def broken(text: str, width: int) -> str:
    """A text broken between words, its further lines indented; wide characters take two places.

    >>> print(broken("検索クエリ is worse than 検索", 14))
    検索クエリ is
      worse than
      検索
    """
    lines = [""]
    for at, word in enumerate(text.split(" ")):
        longer = lines[-1] + " " + word if at else word
        if cell_len(longer) <= width or not lines[-1].strip():
            lines[-1] = longer
        else:
            lines.append("  " + word)
    return "\n".join(lines)


def shortened(text: str, room: int) -> str:
    """A long id with its middle left out, so that both ends can still be told apart.

    >>> shortened("collection/part-0001/document-7", 15)
    'collect…ument-7'
    >>> shortened("検索クエリ-1234", 9)
    '検索…1234'
    """
    if cell_len(text) <= room:
        return text
    tail = _fitting(text[::-1], (room - 1) // 2)[::-1]
    return _fitting(text, room - 1 - cell_len(tail)) + "…" + tail


def _fitting(text: str, room: int) -> str:
    """As much of a text as fits, wide characters taking two places."""
    used = 0
    for at, character in enumerate(text):
        used += cell_len(character)
        if used > room:
            return text[:at]
    return text
