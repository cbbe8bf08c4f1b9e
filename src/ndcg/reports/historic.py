"""How gated runs went over time: a table with intervals drawn in it, rows for tools, a picture."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ndcg._version import VERSION
from ndcg.errors import count, one_of
from ndcg.gating.history import Point
from ndcg.reports.delimited import written
from ndcg.reports.model import (
    Options,
    Row,
    Sheet,
    interval_columns,
    interval_head,
    interval_text,
    number,
    signed,
)
from ndcg.reports.names import MACHINE, OF_HISTORIES
from ndcg.statistics.intervals import LEVEL

Series = Mapping[str, Sequence[Point]]
_STRIP = 26  # places of the drawn interval


def render(series: Series, format_name: str, options: Options | None = None) -> str:
    """The series in one of `OF_HISTORIES`, ending with a line end."""
    one_of("usage", "a format of history", format_name, OF_HISTORIES)
    if format_name in MACHINE:
        return written(format_name, lambda: rows_of(series), lambda: whole_of(series))
    if format_name == "svg":
        from ndcg.reports.chart import chart

        return chart(series)
    write = table if format_name == "table" else markdown
    return write(series, options or Options())


def rows_of(series: Series) -> list[Row]:
    """One row for each measure and run, with full precision."""
    return [
        {
            "measure": name,
            "run": point.entry.number,
            "label": point.entry.label,
            "system": point.entry.system,
            "version": point.entry.version,
            "mean": point.value.mean,
            **interval_columns(point.value.interval),
            "n": point.value.n,
            "passed": point.entry.passed,
            "failed_rules": "; ".join(point.failed),
            "changed": " and ".join(point.broken),
            "judgments": point.entry.judgments,
            "signature": point.value.signature,
        }
        for name, points in series.items()
        for point in points
    ]


def whole_of(series: Series) -> dict[str, Any]:
    """Everything as JSON carries it."""
    return {"schema": 1, "version": VERSION, "runs": rows_of(series)}


def heading(name: str, points: Sequence[Point]) -> str:
    """What a table or a chart is of: the last value, and how it came about."""
    last = points[-1]
    named = last.entry.label or f"run {last.entry.number}"
    told = f"{name}: {number(last.value.mean, 4)} in {named}, the last of "
    moved = since(points)
    return told + count(len(points), "run") + (f", {moved}" if moved else "")


def since(points: Sequence[Point]) -> str:
    """By how much the last run differs from the one before, where the two can be compared."""
    before = _comparable(points)
    last = points[-1].value.mean
    if before is None or last is None or before.value.mean is None:
        return ""
    return f"{signed(last - before.value.mean, 4)} since the run before"


def _comparable(points: Sequence[Point]) -> Point | None:
    """The run before the last, where it can be compared."""
    return points[-2] if len(points) > 1 and not points[-1].broken else None


def sheet_of(points: Sequence[Point], options: Options) -> Sheet:
    """The runs of a measure, with their intervals drawn on one axis."""
    strip = Strip.over(points)
    interval = interval_head(strip.level)
    rows: list[Row] = []
    before: float | None = None
    for point in points:
        mean, own = point.value.mean, point.value.interval
        change = math.nan
        if mean is not None and before is not None:
            change = mean - before
        new = f"new {' and '.join(point.broken)}" if point.broken else None
        rows.append(
            {
                "run": point.entry.number,
                "label": point.entry.label or "-",
                **({} if _one_system(points) else {"system": point.entry.system}),
                "gate": verdict_on(point),
                "mean": number(mean, options.places),
                interval: interval_text(own, options),
                "change": new or signed(change, options.places),
                "queries": point.value.n,
                strip.head: strip.drawn(point),
            }
        )
        before = mean
    return Sheet(rows, words=2)


def verdict_on(point: Point) -> str:
    """What the gate said of a run, as far as it is about this measure."""
    if point.failed:
        return "failed"
    return {True: "passed", False: "other failed", None: ""}[point.entry.passed]


def _one_system(points: Sequence[Point]) -> bool:
    return len({point.entry.system for point in points}) == 1


class Strip:
    """One axis for the means and intervals of a series, drawn with characters."""

    def __init__(self, low: float, high: float, level: float) -> None:
        self.low, self.high, self.level = low, high, level
        left, right = f"{low:.3g}", f"{high:.3g}"
        self.head = left + right.rjust(max(_STRIP - len(left), len(right) + 1))

    @classmethod
    def over(cls, points: Sequence[Point]) -> Strip:
        """An axis that all of them fit on."""
        ends = [end for point in points for end in ends_of(point)]
        low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
        levels = [point.value.interval.level for point in points if point.value.interval]
        return cls(low, high, levels[0] if levels else LEVEL)

    def drawn(self, point: Point) -> str:
        """The interval as a line, the mean as a dot."""
        mean, own = point.value.mean, point.value.interval
        if mean is None:
            return "·" * _STRIP
        cells = ["·"] * _STRIP
        if own is not None:
            for at in range(self._place(own.low), self._place(own.high) + 1):
                cells[at] = "─"
        cells[self._place(mean)] = "●"
        return "".join(cells)

    def _place(self, value: float) -> int:
        room = self.high / 2 - self.low / 2  # halves: the ends may be as far apart as doubles are
        share = (value / 2 - self.low / 2) / room if room > 0 else 0.5
        return min(_STRIP - 1, max(0, round(share * (_STRIP - 1))))


def ends_of(point: Point) -> list[float]:
    """The numbers of a run that an axis has to reach."""
    own = point.value.interval
    found = [] if point.value.mean is None else [point.value.mean]
    return found + ([] if own is None else [own.low, own.high])


def table(series: Series, options: Options) -> str:
    """A table for each measure."""
    from ndcg.reports.text import Page

    page = Page(options)
    for name, points in series.items():
        page.line(heading(name, points), "bold")
        page.blank()
        page.sheet(sheet_of(points, options))
        page.dim(points[-1].value.signature)
        page.blank()
    return page.text().rstrip("\n") + "\n"


def markdown(series: Series, options: Options) -> str:
    """The same tables in the pipe form, without drawings."""
    from ndcg.reports.markdown import literal, pipe_table

    parts = []
    for name, points in series.items():
        sheet, drawn = sheet_of(points, options), Strip.over(points).head
        rows: list[Row] = [
            {key: literal(cell) if isinstance(cell, str) else cell
             for key, cell in row.items() if key != drawn}
            for row in sheet.rows
        ]  # fmt: skip
        parts += [f"**{literal(heading(name, points))}**\n", pipe_table(sheet._replace(rows=rows))]
        parts.append(f"`{points[-1].value.signature}`\n")
    return "\n".join(parts)
