"""The tables that people read: values, what they rest on, and the signatures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import StringIO

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ndcg.errors import printable
from ndcg.evaluation.results import Evaluation
from ndcg.reports.model import (
    Options,
    Row,
    account_rows,
    long_rows,
    per_query_table,
    signatures,
    value_rows,
)

_UNLIMITED = 10_000  # columns: a pipe has no width, and nothing may be cut in it
_GAP = 2
_LEFT = ("system", "query", "measure", "account")  # columns of words; the others are numbers
_SHORTEST = 12  # an id is not cut to less


def table(evaluation: Evaluation, options: Options) -> str:
    """Values, accounts and signatures, fitted to the width; numbers are never cut."""
    width = options.width or _UNLIMITED
    out = StringIO()
    console = Console(
        file=out,
        width=max(width, 40),
        force_terminal=options.color,
        color_system="standard" if options.color else None,
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )
    values = value_rows(evaluation, options)
    if _width(values) > width:
        values = long_rows(evaluation, options)
    accounts = account_rows(evaluation)
    if _width(accounts) > width:
        accounts = _turned(accounts)
    parts = [values, accounts]
    if options.per_query:
        parts.append(per_query_table(evaluation, options))
    for rows in parts:
        for block in _fitted(rows, width):
            console.print(_grid(block))
            console.print()
    for first, others in signatures(evaluation).items():
        console.print(Text(first, style="dim"), soft_wrap=True)
        if others:
            also = f"the same convention: {', '.join(others)}"
            console.print(Text(also, style="dim"), soft_wrap=True)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().split("\n")[:-1])


def _turned(rows: Sequence[Row]) -> list[Row]:
    """The table with its rows as columns."""
    first, *names = rows[0]
    return [{"account": name} | {str(row[first]): row[name] for row in rows} for name in names]


def _fitted(rows: Sequence[Row], width: int) -> Iterator[list[Row]]:
    """The table in blocks of columns that fit, each with the columns of words repeated."""
    words = [name for name in rows[0] if name in _LEFT]
    room = width - _width([{name: row[name] for name in rows[0] if name not in _LEFT}
                           for row in rows])  # fmt: skip
    rows = [_shortened_row(row, words, max(_SHORTEST, (room // max(1, len(words))) - _GAP))
            for row in rows]  # fmt: skip
    numbers = [name for name in rows[0] if name not in _LEFT]
    fixed = _width([{name: row[name] for name in words} for row in rows])
    block: list[str] = []
    used = fixed
    for name in numbers:
        needs = _width([{name: row[name]} for row in rows])
        if block and used + needs > width:
            yield [{column: row[column] for column in [*words, *block]} for row in rows]
            block, used = [], fixed
        block.append(name)
        used += needs
    yield [{column: row[column] for column in [*words, *block]} for row in rows]


def _shortened_row(row: Row, words: Sequence[str], room: int) -> Row:
    return {
        name: shortened(printable(str(value)), room) if name in words else value
        for name, value in row.items()
    }


def _width(rows: Sequence[Row]) -> int:
    """Columns that the table takes, gaps included."""
    return sum(
        _GAP + max(cell_len(name), *(cell_len(_text(row[name])) for row in rows))
        for name in rows[0]
    )


def _grid(rows: Sequence[Row]) -> Table:
    """A table without lines: words left, numbers right."""
    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, _GAP, 0, 0))
    for name in rows[0]:
        grid.add_column(
            Text(printable(name)), justify="left" if name in _LEFT else "right", no_wrap=True
        )
    for row in rows:
        grid.add_row(*(Text(_text(value)) for value in row.values()))
    return grid


def _text(value: object) -> str:
    return "" if value is None else printable(str(value))


def shortened(text: str, room: int) -> str:
    """A long id with its middle left out, so that both ends can still be told apart.

    >>> shortened("collection/part-0001/document-7", 15)
    'collect…ument-7'
    """
    if cell_len(text) <= room:
        return text
    tail = (room - 1) // 2
    return text[: room - 1 - tail] + "…" + text[-tail:]
