"""What explain() found: tables for people, rows for tools, all from the same plain data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ndcg.axes import number_text
from ndcg.diagnose.explaining.contrast import Contrast, Move
from ndcg.diagnose.explaining.found import Explanation
from ndcg.diagnose.explaining.lines import COUNTED, MISSED, PAST, Line
from ndcg.diagnose.explaining.overview import CAUSES, Overview, QueryRow
from ndcg.errors import count, counted, one_of
from ndcg.reports.compared import signed
from ndcg.reports.delimited import written
from ndcg.reports.model import Cell, Options, Row, Sheet, number
from ndcg.reports.names import MACHINE, OF_SUITES

if TYPE_CHECKING:
    from ndcg.diagnose.explaining.explained import Found

_TOP = 20  # ranks from the first on that are shown
_TELLING = 10  # lines that cost most, shown wherever they stand; queries won and lost
_ARITHMETIC = 3  # decimals of sums, as far as fewer are asked for
OF_EXPLANATIONS = OF_SUITES


def render(found: Found, format_name: str, options: Options | None = None) -> str:
    """An explanation, a contrast or a list of queries in one of `OF_EXPLANATIONS`."""
    one_of("usage", "a format", format_name, OF_EXPLANATIONS)
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


# -- one query -------------------------------------------------------------------------------------

_SUMS = {
    "nDCG": ("DCG", "IDCG"), "DCG": ("DCG", ""), "AP": ("precisions", "R"), "RR": ("", ""),
    "R": ("relevant", "R"), "P": ("relevant", "k"), "Rprec": ("relevant", "R"),
    "RelativeP": ("relevant", "min(k, R)"), "F": ("relevant", "(k + x R) / (x + 1)"),
    "gRBP": ("weighted gains", "largest"),
}  # fmt: skip


def _titled(found: Explanation) -> Iterator[str]:
    value = "-" if found.value is None else f"{found.value:.4f}"
    yield f"{found.query}: {found.measure} of {found.system} is {value}"
    if found.text is not None:
        yield found.text
    name = found.measure.partition("(")[0].partition("@")[0]
    total, scale = _SUMS.get(name, ("", ""))
    k = "" if found.k is None or name not in ("nDCG", "DCG") else f"@{found.k}"
    if scale and found.scale and found.decided is None and found.value is not None:
        if scale == "k" and found.k is None:
            scale = "returned"
        scale += k if scale == "IDCG" else ""
        yield (f"{total}{k} {_short(found.sum)} / {scale} {_short(found.scale)} = {value}")


def _short(value: float) -> str:
    return number_text(value) if value.is_integer() else f"{value:.4f}"


def _explanation_sheet(found: Explanation, options: Options) -> Sheet | None:
    """The telling lines, and what the others come to."""
    shown = _telling(found)
    if not found.lines:
        return None
    several = any(line.title for line in shown)
    rows: list[Row] = []
    hidden: list[Line] = []
    status = COUNTED
    for line in found.lines:
        if line not in shown:
            hidden.append(line)
            continue
        rows += _gap(hidden, found, several, options)
        hidden = []
        if line.status != status:
            status = line.status
            rows.append(_cells(found, several, _DIVIDERS[status]))
        rows.append(_line_cells(found, line, several, options))
    rows += _gap(hidden, found, several, options)
    rows.append(_sum_cells(found, several, options))
    return Sheet(_without_blanks(rows), words=3 if several else 2)


_DIVIDERS = {PAST: "(below: not counted)", MISSED: "(not retrieved)", "slot": "(no document)"}


def _telling(found: Explanation) -> list[Line]:
    """The first ranks, and what costs or adds most wherever it stands."""
    first = [line for line in found.lines if line.status == COUNTED][:_TOP]
    most = found.costs[:_TELLING]
    adding = sorted(found.lines, key=lambda line: -abs(line.part))[:_TELLING]
    own = {id(line) for line in (*first, *most, *(one for one in adding if one.part))}
    return [line for line in found.lines if id(line) in own]


def _gap(hidden: Sequence[Line], found: Explanation, several: bool, options: Options) -> list[Row]:
    if not hidden:
        return []
    cells = dict(_cells(found, several, f"({len(hidden):,} more)"))
    cells["rank"] = "..."
    totals = {"adds": "adds", "ideal": "ideal_adds", "costs": "cost"}
    for column, name in totals.items():
        total = math.fsum(getattr(line, name) for line in hidden)
        if column in cells and total:
            cells[column] = (
                signed(total, options.places) if name == "cost" else number(total, _ARITHMETIC)
            )
    return [cells]


def _cells(found: Explanation, several: bool, document: str) -> Row:
    """A row of blanks."""
    cells: dict[str, Cell] = {"rank": "", "document": document}
    cells |= {"title": ""} if several else {}
    cells |= dict.fromkeys(("grade", "gain", "÷", "adds", "sum"), "")
    return cells | (dict.fromkeys(("ideal", "costs"), "") if found.best is not None else {})


def _line_cells(found: Explanation, line: Line, several: bool, options: Options) -> Row:
    cells = dict(_cells(found, several, line.document or "-"))
    cells["rank"] = "" if line.rank is None else f"{line.rank}{'=' if line.tied else ''}"
    if several:
        cells["title"] = line.title or ""
    if line.status != "slot":
        cells["grade"] = _grade(line)
        cells["gain"] = number_text(round(line.credit, 4))
    cells["÷"] = "" if line.divisor is None else number(line.divisor, _ARITHMETIC)
    counted_ = line.status == COUNTED
    cells["adds"] = number(line.adds, _ARITHMETIC) if counted_ else ""
    cells["sum"] = number(line.running, _ARITHMETIC) if counted_ else ""
    if found.best is not None:
        if line.ideal_rank is not None:
            cells["ideal"] = f"{line.ideal_rank}: {line.ideal_adds:.{_ARITHMETIC}f}"
        cells["costs"] = signed(line.cost, options.places) if line.cost else ""
    return cells


def _grade(line: Line) -> str:
    if line.grade is None:
        return "unjudged"
    return number_text(line.grade) + ("" if line.judged else " (unjudged)")


def _sum_cells(found: Explanation, several: bool, options: Options) -> Row:
    cells = dict(_cells(found, several, "together"))
    cells["adds"] = number(found.sum, _ARITHMETIC)
    if found.best is not None:
        cells["ideal"] = number(found.ideal_sum, _ARITHMETIC)
        cells["costs"] = signed(math.fsum(line.cost for line in found.lines), options.places)
    return cells


def _without_blanks(rows: Sequence[Row]) -> list[Row]:
    """The rows without columns in which nothing stands."""
    kept = [name for name in rows[0] if any(row[name] != "" for row in rows)]
    return [{name: row[name] for name in kept} for row in rows]


# -- two runs --------------------------------------------------------------------------------------


def _contrast_sheet(found: Contrast, options: Options) -> Sheet | None:
    moves = found.moves
    if not moves:
        return None
    several = any(move.title for move in moves)
    shown = [move for at, move in enumerate(moves) if at < _TELLING or (move.change and at < _TOP)]
    rows = [_move_cells(found, move, several, options) for move in shown]
    rest = moves[len(shown) :]
    if rest:
        cells = dict(_move_cells(found, None, several, options))
        cells["document"] = f"({len(rest):,} more)"
        cells["change"] = signed(math.fsum(move.change for move in rest), options.places)
        rows.append(cells)
    cells = dict(_move_cells(found, None, several, options))
    cells["document"] = "together"
    for at, side in enumerate((found.one, found.other)):
        total = math.fsum(move.parts[at] for move in moves)
        cells[f"adds {side.system}"] = number(total, options.places)
    cells["change"] = signed(math.fsum(move.change for move in moves), options.places)
    return Sheet(_without_blanks([*rows, cells]), words=2 if several else 1)


def _move_cells(found: Contrast, move: Move | None, several: bool, options: Options) -> Row:
    cells: dict[str, Cell] = {"document": "" if move is None else move.document}
    if several:
        cells["title"] = "" if move is None else move.title or ""
    sides = found.one.system, found.other.system
    columns = [f"{what} {side}" for what in ("rank", "adds") for side in sides]
    cells |= dict.fromkeys(("change", "grade", *columns), "")
    if move is None:
        return cells
    cells["change"] = signed(move.change, options.places) if move.change else ""
    cells["grade"] = "unjudged" if move.grade is None else number_text(move.grade)
    for at, side in enumerate(sides):
        cells[f"rank {side}"] = move.ranks[at] or "-"
        if move.counted[at]:
            cells[f"adds {side}"] = number(move.parts[at], options.places)
    return cells


# -- all queries -----------------------------------------------------------------------------------


def _overview_sheets(found: Overview, options: Options) -> Iterator[tuple[str, Sheet]]:
    """Losses and wins of two runs, what is lost by one; segments; what would help."""
    if len(found.systems) > 1:
        for title, rows in (("losses", found.losses), ("wins", found.wins)):
            if rows:
                cells = _query_cells(found, rows, options)
                yield f"{title}: {count(len(rows), 'query', 'queries')}", cells
    elif found.rows:
        yield "what is lost", _query_cells(found, found.rows, options)
    if found.parts:
        head = "difference" if len(found.systems) > 1 else "loss"
        rows_: list[Row] = [{"segment": name, "queries": n, head: signed(total, options.places)}
                            for name, (n, total) in found.parts.items()]  # fmt: skip
        yield "by segment", Sheet(rows_)
    if found.help:
        rows_ = [
            {"change": f"the best {kind}" if kind != "missing" else "the best missing document",
             "mean rises by": signed(one.rise, options.places), "helps queries": one.queries,
             "helps most": one.most}
            for kind, one in found.help.items()
        ]  # fmt: skip
        yield f"what would help {found.systems[-1]}, one change a query", Sheet(rows_)


def _query_cells(found: Overview, rows: Sequence[QueryRow], options: Options) -> Sheet:
    shown, rest = rows[:_TELLING], rows[_TELLING:]
    named = any(row.text for row in shown)
    grouped = any(row.segments for row in shown)
    cells = [_one_query(found, row, named, grouped, options) for row in shown]
    if rest:
        last: dict[str, Cell] = dict.fromkeys(cells[0], "")
        last["query"] = f"({len(rest):,} more)"
        last["of mean"] = signed(math.fsum(row.adds for row in rest), options.places)
        cells.append(last)
    return Sheet(_without_blanks(cells), words=1 + named + grouped)


def _one_query(found: Overview, row: QueryRow, named: bool, grouped: bool, options: Options) -> Row:
    cells: dict[str, Cell] = {"query": row.query}
    cells |= {"text": row.text or ""} if named else {}
    cells |= {"segment": ", ".join(row.segments)} if grouped else {}
    for name, value, axis in zip(found.systems, row.values, row.decided, strict=True):
        cells[name] = number(value, options.places) + ("*" if axis else "")
    if len(found.systems) > 1:
        cells["difference"] = signed(row.difference or 0.0, options.places)
    else:
        best = number(row.best, options.places)
        cells["best"] = "" if best == number(1.0, options.places) else best
        cells["lost"] = number(row.loss, options.places)
        for cause in CAUSES:
            part = row.causes.get(cause, 0.0)
            cells[cause] = signed(part, options.places) if abs(part) >= 1e-12 else ""
    cells["of mean"] = signed(row.adds, options.places)
    return cells


def _overview_heading(found: Overview) -> str:
    number_ = count(len(found.rows), "query", "queries")
    means = ", ".join(f"{name} {mean:.4f}" for name, mean in
                      zip(found.systems, found.means, strict=True))  # fmt: skip
    what = "difference" if len(found.systems) > 1 else "lost"
    sign = f"{found.total:+.4f}" if len(found.systems) > 1 else f"{found.total:.4f}"
    return f"{found.measure}: {number_}; {means}; {what} {sign}"


def _overview_told(found: Overview) -> Iterator[str]:
    ruled: dict[str, list[str]] = {}
    for row in found.rows:
        for axis in dict.fromkeys(filter(None, row.decided)):
            ruled.setdefault(axis, []).append(row.query)
    for axis, queries in ruled.items():
        yield f"* decided by {axis}: {counted(sorted(queries), 'query', 'queries')}"
    for axis, left in found.left.items():
        yield f"left out by {axis}: {counted(left, 'query', 'queries')}"
    if len(found.systems) > 1:
        same = len(found.rows) - len(found.wins) - len(found.losses)
        yield f"{count(same, 'query has', 'queries have')} the same value"
    for kind, why in found.untold.items():
        yield f"what would help is not told ({kind}): {why}"


# -- formats ---------------------------------------------------------------------------------------


def _content(
    found: Found, options: Options
) -> tuple[list[str], list[tuple[str, Sheet]], list[str]]:
    """Heading lines, titled tables, and sentences."""
    if isinstance(found, Explanation):
        sheet = _explanation_sheet(found, options)
        return [*_titled(found)], [] if sheet is None else [("", sheet)], [*found.told]
    if isinstance(found, Contrast):
        difference = "-" if found.difference is None else f"{found.difference:+.4f}"
        values = ", ".join(f"{side.system} {number(side.value, 4)}"
                           for side in (found.one, found.other))  # fmt: skip
        lines = [f"{found.one.query}: {found.one.measure}: {values}; difference {difference}"]
        lines += [] if found.one.text is None else [found.one.text]
        moved = _contrast_sheet(found, options)
        return lines, [] if moved is None else [("", moved)], [*found.told]
    return [_overview_heading(found)], [*_overview_sheets(found, options)], [*_overview_told(found)]


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
    from ndcg.reports.markdown import pipe_table

    heading, sheets, told = _content(found, options)
    parts = [f"**{heading[0]}**\n", *(f"{line}\n" for line in heading[1:])]
    for title, sheet in sheets:
        parts += [f"{title}\n"] if title else []
        parts.append(pipe_table(sheet))
    parts.append("".join(f"- {sentence}\n" for sentence in told))
    parts.append(f"`{_signature(found)}`\n")
    return "\n".join(parts)
