"""The tables that people read: values, what they rest on, and the signatures."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from ndcg.errors import printable
from ndcg.evaluation.results import Evaluation
from ndcg.reports.markdown import per_query_rows
from ndcg.reports.model import Options, Row, account_rows, number, signatures

_UNLIMITED = 10_000  # columns: a pipe has no width, and nothing may be cut in it


def table(evaluation: Evaluation, options: Options) -> str:
    """Values, accounts and signatures; never wider than `width` where that can be helped."""
    out = StringIO()
    console = Console(
        file=out,
        width=options.width or _UNLIMITED,
        force_terminal=options.color,
        color_system="standard" if options.color else None,
        highlight=False,
        emoji=False,
        markup=False,
        legacy_windows=False,
    )
    _print(console, _values(evaluation, options), options)
    console.print()
    _print(console, account_rows(evaluation), options)
    if options.per_query:
        console.print()
        _print(console, per_query_rows(evaluation, options), options)
    console.print()
    for first, others in signatures(evaluation).items():
        console.print(Text(first, style="dim"), soft_wrap=True)
        if others:
            console.print(Text(f"the same axes: {', '.join(others)}", style="dim"), soft_wrap=True)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().split("\n")[:-1])


def _values(evaluation: Evaluation, options: Options) -> list[Row]:
    """Systems down and measures across, or turned round where that would be too wide."""
    systems = list(evaluation.systems.values())
    names = list(dict.fromkeys(name for system in systems for name in system.measures))
    down: list[Row] = [
        {"system": system.name}
        | {name: number(system.measures[name].mean, options.places) for name in names}
        | {"queries": system.measures[names[0]].n}
        for system in systems
    ]
    sets = {one.n for system in systems for one in system.measures.values()}
    fits = options.width is None or _width(down) <= options.width
    if fits and (len(sets) == 1 or len(names) == 1):
        return down
    across: list[Row] = [
        {"measure": name}
        | {s.name: number(s.measures[name].mean, options.places) for s in systems}
        | {"queries": "/".join(dict.fromkeys(str(s.measures[name].n) for s in systems))}
        for name in names
    ]
    return across


def _width(rows: Sequence[Row]) -> int:
    return sum(2 + max(len(name), *(len(str(row[name])) for row in rows)) for name in rows[0])


def _print(console: Console, rows: Sequence[Row], options: Options) -> None:
    """A table without lines: the first column and ids left, numbers right."""
    grid = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    others = [{name: row[name] for name in [*row][1:]} for row in rows]
    room = max(8, (options.width or _UNLIMITED) - _width(others) - 2)
    for at, name in enumerate(rows[0]):
        left = at == 0 or name == "system"
        grid.add_column(printable(name), justify="left" if left else "right", no_wrap=True)
    for row in rows:
        cells = ["" if value is None else printable(str(value)) for value in row.values()]
        grid.add_row(shortened(cells[0], room), *cells[1:])
    console.print(grid)


def shortened(text: str, room: int) -> str:
    """A long id with its middle left out, so that both ends can still be told apart."""
    if len(text) <= room:
        return text
    tail = (room - 1) // 2
    return text[: room - 1 - tail] + "…" + text[-tail:]
