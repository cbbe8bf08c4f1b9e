"""The tables and sentences of explanations, contrasts and lists of queries."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from ndcg.axes import number_text
from ndcg.diagnose.explaining.contrast import Contrast, Move
from ndcg.diagnose.explaining.found import Explanation
from ndcg.diagnose.explaining.lines import COUNTED, MISSED, PAST, Line
from ndcg.diagnose.explaining.overview import CAUSES, Overview, QueryRow
from ndcg.errors import count, counted
from ndcg.reports.model import Cell, Options, Row, Sheet, number, signed
from ndcg.reports.parts import rounded
from ndcg.statistics.sample import TOLERANCE

_TOP = 20  # ranks from the first on that are shown
_TELLING = 10  # lines that cost most, shown wherever they stand; queries won and lost
_ARITHMETIC = 3  # decimals of sums, as far as fewer are asked for

# -- one query -------------------------------------------------------------------------------------

_SUMS = {
    "nDCG": ("DCG", "IDCG"), "DCG": ("DCG", ""), "AP": ("precisions", "R"), "RR": ("", ""),
    "R": ("relevant", "R"), "P": ("relevant", "k"), "Rprec": ("relevant", "c"),
    "RelativeP": ("relevant", "min(k, R)"), "F": ("relevant", "((k + x R) / (x + 1))"),
    "gRBP": ("weighted gains", "largest"),
}  # fmt: skip


def headed(found: Explanation, options: Options) -> Iterator[str]:
    """What stands above the table of a query: its value, its text, and the last division."""
    value = number(found.value, options.places)
    yield f"{found.query}: {found.measure} of {found.system} is {value}"
    if found.text is not None:
        yield found.text
    name = found.measure.partition("(")[0].partition("@")[0]
    total, scale = _SUMS.get(name, ("", ""))
    k = "" if found.k is None or name not in ("nDCG", "DCG") else f"@{found.k}"
    decided = found.decided is not None or found.value is None or abs(found.rounding) > TOLERANCE
    if not scale or not found.scale or decided:
        return
    scale = {"IDCG": f"IDCG{k}", "k": "k" if found.k else "returned"}.get(scale, scale)
    gains = name in ("nDCG", "DCG")
    both = [_short(one, options, always=gains) for one in (found.sum, found.scale)]
    yield f"{total}{k} {both[0]} / {scale} {both[1]} = {value}"


def _short(value: float, options: Options, *, always: bool) -> str:
    """A number of documents as it is; sums of gains with decimals always."""
    return (
        number_text(value) if value.is_integer() and not always else number(value, options.places)
    )


def explanation_sheet(found: Explanation, options: Options) -> Sheet | None:
    """The telling lines, and what the others come to."""
    shown = _telling(found)
    if not found.lines:
        return None
    several = any(line.title for line in shown)
    rows: list[Row] = []
    hidden: list[Line] = []
    status = COUNTED
    telling = {id(line) for line in shown}
    for line in found.lines:
        if line.status != status:
            rows += _gap(hidden, found, several, options)
            hidden, status = [], line.status
            rows.append(_cells(found, several, _DIVIDERS[status]))
        if id(line) not in telling:
            hidden.append(line)
            continue
        rows += _gap(hidden, found, several, options)
        hidden = []
        rows.append(_line_cells(found, line, several, options))
    rows += _gap(hidden, found, several, options)
    rows.append(_sum_cells(found, several, options))
    rows = _without_blanks(rows)
    words = sum(name in rows[0] for name in ("rank", "document", "title"))
    return Sheet(rows, words, prose=("title",))


# Short, for they stand in the column of documents, which narrow terminals cut.
_DIVIDERS = {PAST: "(too low)", MISSED: "(missed)", "slot": "(no document)"}


def _telling(found: Explanation) -> list[Line]:
    """The first ranks, and what costs or adds most wherever it stands."""
    if len(found.lines) <= _TOP:
        return [*found.lines]
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


def contrast_sheet(found: Contrast, options: Options) -> Sheet | None:
    """The documents that changed most, and what the others come to."""
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
    return Sheet(_without_blanks([*rows, cells]), 2 if several else 1, prose=("title",))


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


def overview_sheets(found: Overview, options: Options) -> Iterator[tuple[str, Sheet]]:
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
    return Sheet(_without_blanks(cells), 1 + named + grouped, prose=("text",))


# Heads of columns beside those of the runs, which may be called anything.
_HEADS = {"query", "text", "segment", "best", "lost", "difference", "of mean", *CAUSES}


def _one_query(found: Overview, row: QueryRow, named: bool, grouped: bool, options: Options) -> Row:
    cells: dict[str, Cell] = {"query": row.query}
    cells |= {"text": row.text or ""} if named else {}
    cells |= {"segment": ", ".join(row.segments)} if grouped else {}
    for name, value, axis in zip(found.systems, row.values, row.decided, strict=True):
        head = f"value of {name}" if name in _HEADS else name
        cells[head] = number(value, options.places) + ("*" if axis else "")
    if len(found.systems) > 1:
        cells["difference"] = signed(row.difference or 0.0, options.places)
    else:
        best = number(row.best, options.places)
        cells["best"] = "" if best == number(1.0, options.places) else best
        cells["lost"] = rounded(row.loss, options.places)  # a dash where it is not known
        for cause in CAUSES:
            part = row.causes.get(cause, 0.0)
            cells[cause] = signed(part, options.places) if abs(part) >= 1e-12 else ""
    cells["of mean"] = signed(row.adds, options.places)
    return cells


def overview_heading(found: Overview) -> str:
    """What all queries come to."""
    number_ = count(len(found.rows), "query", "queries")
    means = ", ".join(
        f"{name} {'-' if math.isnan(mean) else f'{mean:.4f}'}"
        for name, mean in zip(found.systems, found.means, strict=True)
    )
    what = "difference" if len(found.systems) > 1 else "lost"
    sign = f"{found.total:+.4f}" if len(found.systems) > 1 else rounded(found.total, 4)
    known = len(found.rows) if len(found.systems) > 1 else sum(
        row.loss is not None for row in found.rows)  # fmt: skip
    if not found.rows:
        sign = "-"
    elif not known:
        sign = "- (there is no ideal ranking to lose against)"
    elif known < len(found.rows):
        sign += f" (over {count(known, 'query', 'queries')} of which that is known)"
    return f"{found.measure}: {number_}; {means}; {what} {sign}"


def overview_told(found: Overview) -> Iterator[str]:
    """Queries whose values rules decided, those without one, and what is not told."""
    ruled: dict[str, list[str]] = {}
    for row in found.rows:
        for axis in dict.fromkeys(filter(None, row.decided)):
            ruled.setdefault(axis, []).append(row.query)
    for axis, queries in ruled.items():
        yield f"* decided by {axis}: {counted(sorted(queries), 'query', 'queries')}"
    for rule, left in found.left.items():
        word = "undefined, and the mean with them," if rule.endswith(":nan") else "left out"
        yield f"{word} by {rule}: {counted(left, 'query', 'queries')}"
    if len(found.systems) > 1:
        same = len(found.rows) - len(found.wins) - len(found.losses)
        yield f"{count(same, 'query has', 'queries have')} the same value"
    for why in dict.fromkeys(found.untold.values()):
        kinds = ", ".join(kind for kind, other in found.untold.items() if other == why)
        yield f"what would help is not told ({kinds}): {why}"
