"""What explain() found: tables for people, rows for tools, all from the same plain data."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ndcg.diagnose.explaining.contrast import Contrast, Move
from ndcg.diagnose.explaining.found import Explanation
from ndcg.diagnose.explaining.lines import Line
from ndcg.diagnose.explaining.overview import CAUSES, Overview, QueryRow
from ndcg.errors import one_of
from ndcg.reports.delimited import written
from ndcg.reports.explained_tables import (
    contrast_sheet,
    explanation_sheet,
    headed,
    overview_heading,
    overview_sheets,
    overview_told,
)
from ndcg.reports.model import Cell, Options, Row, Sheet, number, signed
from ndcg.reports.names import MACHINE, OF_SUITES

if TYPE_CHECKING:
    from ndcg.diagnose.explaining.explained import Found


def render(found: Found, format_name: str, options: Options | None = None) -> str:
    """An explanation, a contrast or a list of queries in one of `OF_SUITES`."""
    one_of("usage", "a format", format_name, OF_SUITES)
    if format_name in MACHINE:
        return written(format_name, lambda: rows_of(found), found.to_dict)
    options = options or Options()
    write = _table if format_name == "table" else _markdown
    return write(found, options)


def rows_of(found: Found) -> list[Row]:
    """One row a document, or a query, with full precision."""
    if isinstance(found, Explanation):
        return [_line_row(found, line) for line in found.lines or (Line(status="none"),)]
    if isinstance(found, Contrast):
        return [_move_row(found, move) for move in found.moves or (Move(),)]
    return [_query_row(found, row) for row in found.rows or (QueryRow(),)]


def _line_row(found: Explanation, line: Line) -> Row:
    values = line._asdict()
    first, last = values.pop("tied") or (None, None)
    cells: dict[str, Cell] = {
        "query": found.query, "system": found.system, "measure": found.measure,
    }  # fmt: skip
    values["judged"] = int(line.judged)
    return cells | values | {"tied_from": first, "tied_to": last, "signature": found.signature}


def _move_row(found: Contrast, move: Move) -> Row:
    systems = {"one": found.one.system, "other": found.other.system}
    cells: dict[str, Cell] = {
        "query": found.one.query, "measure": found.one.measure, **systems,
        "document": move.document, "title": move.title, "grade": move.grade,
    }  # fmt: skip
    for at, side in enumerate(systems):
        cells[f"rank_{side}"], cells[f"part_{side}"] = move.ranks[at], move.parts[at]
    return cells | {"change": move.change, "signature": found.one.signature}


def _query_row(found: Overview, row: QueryRow) -> Row:
    cells: dict[str, Cell] = {"query": row.query, "text": row.text, "measure": found.measure,
                              "segments": ";".join(row.segments)}  # fmt: skip
    names = ("one", "other") if len(found.systems) > 1 else ("one",)
    for at, (side, name) in enumerate(zip(names, found.systems, strict=True)):
        cells[side] = name
        cells[f"value_{side}"] = row.values[at] if row.values else None
        cells[f"decided_{side}"] = row.decided[at] if row.decided else None
    cells |= {"difference": row.difference} if len(names) > 1 else {
        "best": row.best, "loss": row.loss, **{cause: row.causes.get(cause) for cause in CAUSES}
    }  # fmt: skip
    gains = {f"gain_{kind}": row.gains.get(kind) for kind in found.help}
    return cells | {"adds": row.adds, **gains, "signature": found.signature}


# -- formats ---------------------------------------------------------------------------------------


def _content(
    found: Found, options: Options
) -> tuple[list[str], list[tuple[str, Sheet]], list[str]]:
    """Heading lines, titled tables, and sentences."""
    if isinstance(found, Explanation):
        sheet = explanation_sheet(found, options)
        return [*headed(found, options)], [] if sheet is None else [("", sheet)], [*found.told]
    if isinstance(found, Contrast):
        by = found.difference
        difference = "-" if by is None else signed(by, options.places)
        values = ", ".join(f"{side.system} {number(side.value, options.places)}"
                           for side in (found.one, found.other))  # fmt: skip
        lines = [f"{found.one.query}: {found.one.measure}: {values}; difference {difference}"]
        lines += [] if found.one.text is None else [found.one.text]
        moved = contrast_sheet(found, options)
        return lines, [] if moved is None else [("", moved)], [*found.told]
    return [overview_heading(found)], [*overview_sheets(found, options)], [*overview_told(found)]


def _signature(found: Found) -> str:
    return found.one.signature if isinstance(found, Contrast) else found.signature


def _table(found: Found, options: Options) -> str:
    """Tables and sentences for a person."""
    from ndcg.reports.text import Page, squeezed

    page = Page(options)
    heading, sheets, told = _content(found, options)
    for at, line in enumerate(heading):
        page.line(line, "" if at else "bold")
    page.blank()
    for title, sheet in sheets:
        if title:
            page.line(title, "bold")
            page.blank()
        page.sheet(squeezed(sheet, options.width))
    for sentence in told:
        page.line(sentence)
    if told:
        page.blank()
    page.dim(_signature(found))
    return page.text()


def _markdown(found: Found, options: Options) -> str:
    """The same tables in the pipe form."""
    from ndcg.reports.markdown import literal, pipe_table

    heading, sheets, told = _content(found, options)
    parts = [f"**{literal(heading[0])}**\n", *(f"{literal(line)}\n" for line in heading[1:])]
    for title, sheet in sheets:
        parts += [f"{literal(title)}\n"] if title else []
        parts.append(pipe_table(sheet))
    parts.append("".join(f"- {literal(sentence)}\n" for sentence in told))
    parts.append(f"`{_signature(found)}`\n")
    return "\n".join(parts)
