"""The history of measures as a picture: SVG by hand, for light and dark pages, without scripts."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import NamedTuple

from ndcg.errors import printable
from ndcg.gating.history import Point
from ndcg.reports.historic import ends_of, heading, since

_WIDTH, _HEIGHT = 760, 280  # of the chart of one measure
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 24, 84, 44
_LABELS = 10  # runs that are named below the axis
_LONGEST = 12  # characters of a label

_STYLE = """\
<style>
  svg { color-scheme: light dark; background: #fff; font-family: system-ui, sans-serif }
  text { fill: #1f2328; font-size: 12px }
  .title { font-size: 15px; font-weight: 600 }
  .axis { stroke: #8c959f; stroke-width: 1 }
  .grid { stroke: #d1d9e0; stroke-width: 1 }
  .line { fill: none; stroke: #0550ae; stroke-width: 2 }
  .interval { stroke: #0550ae; stroke-width: 6; stroke-opacity: 0.25; stroke-linecap: round }
  .mean { fill: #0550ae }
  .failed { fill: #fff; stroke: #bc4c00; stroke-width: 3 }
  .break { stroke: #59636e; stroke-width: 1; stroke-dasharray: 4 3 }
  .small { font-size: 11px; fill: #59636e }
  @media (max-width: 480px) {
    .title { font-size: 26px }
    .small { font-size: 22px }
    .inner { display: none }
  }
  @media (prefers-color-scheme: dark) {
    svg { background: #0d1117 }
    text { fill: #f0f6fc }
    .axis { stroke: #656c76 }
    .grid { stroke: #2f3742 }
    .line { stroke: #79c0ff }
    .interval { stroke: #79c0ff }
    .mean { fill: #79c0ff }
    .failed { fill: #0d1117; stroke: #ffa657 }
    .break { stroke: #9198a1 }
    .small { fill: #9198a1 }
  }
</style>
"""


class Axis(NamedTuple):
    """From values to places: marks at whole multiples of a step, from the first to the last."""

    first: int
    last: int
    step: float

    @classmethod
    def over(cls, ends: Sequence[float]) -> Axis:
        """An axis with two to seven round marks that all values fit on.

        >>> Axis.over([0.52, 0.79])
        Axis(first=5, last=8, step=0.1)
        """
        low, high = min(ends), max(ends)
        near = max(abs(low), abs(high)) * 1e-9  # ends that differ by less are one value
        room = high / 2 - low / 2 if high - low > near else abs(high) / 2 or 0.5
        raw = max(room / 2.5, sys.float_info.min)
        power = 10.0 ** math.floor(math.log10(raw))
        step = next(size * power for size in (1, 2, 5, 10) if size * power >= raw * 0.999)
        start, end = math.floor(low / step + 1e-6), math.ceil(high / step - 1e-6)
        return cls(start, max(end, start + 1), step)

    @property
    def marks(self) -> list[float]:
        """The values that are named."""
        return [at * self.step for at in range(self.first, self.last + 1)]

    def y(self, value: float) -> float:
        """The height at which a value stands."""
        share = (value / self.step - self.first) / (self.last - self.first)
        return round(_HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM), 1)


def chart(series: Mapping[str, Sequence[Point]]) -> str:
    """One chart below the other, each with a sentence for who cannot see it."""
    total = _HEIGHT * len(series)
    told = ". ".join(heading(name, points) for name, points in series.items())
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {total}"',
        f'  width="100%" style="max-width: {_WIDTH}px" role="img" aria-labelledby="told">',
        f'<title id="told">{_text(told)}</title>',
        _STYLE.rstrip("\n"),
    ]
    for at, (name, points) in enumerate(series.items()):
        lines.append(f'<g transform="translate(0 {at * _HEIGHT})">')
        lines += _panel(name, points)
        lines.append("</g>")
    return "\n".join([*lines, "</svg>"]) + "\n"


def _panel(name: str, points: Sequence[Point]) -> Iterator[str]:
    title, moved = heading(name, points), since(points)
    title = title.removesuffix(f", {moved}")
    yield f'<text class="title" x="{_LEFT}" y="24">{_text(title)}</text>'
    failed = any(point.failed for point in points)
    more = [*([moved] if moved else []), *(["rings: a rule about it failed"] if failed else [])]
    yield f'<text class="small" x="{_LEFT}" y="50">{_text("; ".join(more))}</text>'
    ends = [end for point in points for end in ends_of(point)]
    if not ends:
        yield f'<text x="{_LEFT}" y="{_TOP}">no run has a value</text>'
        return
    axis, places = Axis.over(ends), [_x(at, len(points)) for at in range(len(points))]
    yield from _scale(axis)
    yield from _runs(points, places)
    yield from _line(points, places, axis)
    for point, x in zip(points, places, strict=True):
        yield from _run(point, x, axis)


def _x(at: int, number: int) -> float:
    room = _WIDTH - _LEFT - _RIGHT
    return round(_LEFT + room * (at + 0.5) / number, 1)


def _scale(axis: Axis) -> Iterator[str]:
    decimals = max(0, -math.floor(math.log10(axis.step) + 1e-9))
    for at, value in enumerate(axis.marks):
        y = axis.y(value)
        kind = "grid" if at else "axis"
        yield f'<line class="{kind}" x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y}" y2="{y}"/>'
        told = f"{value:.{decimals}f}" if decimals < 7 and abs(value) < 1e7 else f"{value:.3g}"
        yield f'<text class="small" x="{_LEFT - 8}" y="{y + 4}" text-anchor="end">{told}</text>'


def _runs(points: Sequence[Point], places: Sequence[float]) -> Iterator[str]:
    """The names of runs, of some where they are many, and where series break."""
    every = math.ceil(len(points) / _LABELS)
    for at, (point, x) in enumerate(zip(points, places, strict=True)):
        # Counted from the last, which is looked for first.
        if (len(points) - 1 - at) % every == 0:
            y = _HEIGHT - _BOTTOM + 18
            kind = "small" if at in (0, len(points) - 1) else "small inner"
            told = _named(point)
            yield f'<text class="{kind}" x="{x}" y="{y}" text-anchor="middle">{told}</text>'
        if point.broken:
            middle = round((places[at - 1] + x) / 2, 1)
            yield (f'<line class="break" x1="{middle}" x2="{middle}" y1="{_TOP - 10}" '
                   f'y2="{_HEIGHT - _BOTTOM}"/>')  # fmt: skip
            told = f"other {' and '.join(point.broken)}"
            side = "end" if middle > 0.8 * _WIDTH else "start"
            x_of = middle - 4 if side == "end" else middle + 4
            yield (f'<text class="small" x="{x_of}" y="{_TOP - 4}" text-anchor="{side}">'
                   f"{told}</text>")  # fmt: skip


def _line(points: Sequence[Point], places: Sequence[float], axis: Axis) -> Iterator[str]:
    """Lines between runs that can be compared."""
    parts: list[list[str]] = [[]]
    for point, x in zip(points, places, strict=True):
        if point.broken or point.value.mean is None:
            parts.append([])
        if point.value.mean is not None:
            parts[-1].append(f"{x},{axis.y(point.value.mean)}")
    for part in parts:
        if len(part) > 1:
            yield f'<polyline class="line" points="{" ".join(part)}"/>'


def _run(point: Point, x: float, axis: Axis) -> Iterator[str]:
    mean, own = point.value.mean, point.value.interval
    if mean is None:
        return
    failed = bool(point.failed)
    told = f"{_named(point, whole=True)}: {mean:.4f}"
    told += f", {100 * own.level:g}% CI {own.low:.4f} to {own.high:.4f}" if own is not None else ""
    told += f", {point.value.n} queries" + "".join(f", failed: {rule}" for rule in point.failed)
    yield f"<g><title>{_text(told)}</title>"
    if own is not None:
        yield (f'<line class="interval" x1="{x}" x2="{x}" y1="{axis.y(own.low)}" '
               f'y2="{axis.y(own.high)}"/>')  # fmt: skip
    yield f'<circle class="{"failed" if failed else "mean"}" cx="{x}" cy="{axis.y(mean)}" r="4"/>'
    yield "</g>"


def _named(point: Point, *, whole: bool = False) -> str:
    label = point.entry.label or f"run {point.entry.number}"
    if not whole and len(label) > _LONGEST:
        label = label[: _LONGEST - 1] + "…"
    return label if whole else _text(label)


def _text(given: str) -> str:
    return escape(printable(given))
