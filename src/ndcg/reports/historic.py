"""How gated runs went over time: a table with intervals drawn in it, rows for tools, a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ndcg._version import VERSION
from ndcg.errors import count, one_of
from ndcg.gating.history import Point
from ndcg.reports.delimited import written
from ndcg.reports.model import Options, Row, Sheet, interval_columns, interval_text, number, signed
from ndcg.reports.names import MACHINE

Series = Mapping[str, Sequence[Point]]
FORMATS = ("table", *MACHINE, "markdown", "svg")
_STRIP = 32  # places of the drawn interval
_GATE = {True: "passed", False: "failed", None: ""}


def render(series: Series, format_name: str, options: Options | None = None) -> str:
    """The series in one of `FORMATS`, ending with a line end."""
    one_of("usage", "a format of history", format_name, FORMATS)
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
            "passed": _GATE[point.entry.passed] or None,
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
    told = f"{name}: {number(last.value.mean, 4)} in the last of {count(len(points), 'run')}"
    before = _comparable(points)
    if before is not None and last.value.mean is not None and before.value.mean is not None:
        told += f", {signed(last.value.mean - before.value.mean, 4)} since the run before"
    return told


def _comparable(points: Sequence[Point]) -> Point | None:
    """The run before the last, where it can be compared."""
    return points[-2] if len(points) > 1 and not points[-1].broken else None


def sheet_of(points: Sequence[Point], options: Options) -> Sheet:
    """The runs of a measure, with their intervals drawn on one axis."""
    strip = Strip.over(points)
    rows: list[Row] = []
    last: Point | None = None
    for point in points:
        mean = point.value.mean
        before = None if last is None or point.broken else last.value.mean
        rows.append({
            "run": point.entry.number,
            "label": point.entry.label or "-",
            "gate": _GATE[point.entry.passed],
            "mean": number(mean, options.places),
            "95% CI" if strip.level is None else f"{100 * strip.level:g}% CI":
                interval_text(point.value.interval, options),
            "change": "-" if mean is None or before is None
                else signed(mean - before, options.places),
            "queries": point.value.n,
            strip.head: strip.drawn(point),
            "other than before": " and ".join(point.broken),
        })  # fmt: skip
        last = point
    if not any(point.broken for point in points):
        rows = [{name: cell for name, cell in row.items() if name != "other than before"}
                for row in rows]  # fmt: skip
    return Sheet(rows, words=3)


class Strip:
    """One axis for the means and intervals of a series, drawn with characters."""

    def __init__(self, low: float, high: float, level: float | None) -> None:
        self.low, self.high, self.level = low, high, level
        left, right = f"{low:.3g}", f"{high:.3g}"
        self.head = left + right.rjust(max(_STRIP - len(left), len(right) + 1))

    @classmethod
    def over(cls, points: Sequence[Point]) -> Strip:
        """An axis that all of them fit on."""
        ends = [end for point in points for end in ends_of(point)]
        low, high = (min(ends), max(ends)) if ends else (0.0, 1.0)
        levels = [point.value.interval.level for point in points if point.value.interval]
        return cls(low, high if high > low else low + 1.0, levels[0] if levels else None)

    def drawn(self, point: Point) -> str:
        """The interval as a line, the mean as a dot."""
        mean, own = point.value.mean, point.value.interval
        if mean is None:
            return ""
        cells = [" "] * _STRIP
        if own is not None:
            for at in range(self._place(own.low), self._place(own.high) + 1):
                cells[at] = "─"
        cells[self._place(mean)] = "●"
        return "".join(cells)

    def _place(self, value: float) -> int:
        share = (value - self.low) / (self.high - self.low)
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
    from ndcg.reports.markdown import pipe_table

    parts = []
    for name, points in series.items():
        sheet, drawn = sheet_of(points, options), Strip.over(points).head
        rows: list[Row] = [{key: cell for key, cell in row.items() if key != drawn}
                           for row in sheet.rows]  # fmt: skip
        parts += [f"**{heading(name, points)}**\n", pipe_table(sheet._replace(rows=rows))]
        parts.append(f"`{points[-1].value.signature}`\n")
    return "\n".join(parts)
