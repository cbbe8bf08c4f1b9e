"""``ndcg eval -p all``: one run by the rules of every tool, grouped where they agree."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator

from ndcg.cli import terminal
from ndcg.diagnose.presets import Group, UnderPresets
from ndcg.errors import count

_WIDTH = 80  # of the lines that are wrapped where there is no terminal


def table(found: UnderPresets, places: int) -> str:
    """A line for each number: the mean, its queries, who gives it, and what separates it."""
    groups, refused = len(found.groups), sum(len(one.presets) for one in found.refusals)
    scored = sum(len(one.presets) for one in found.groups)
    head = f"{found.system}: {found.measure} has {count(groups, 'value')} under {scored} presets"
    lines = [head + (f"; {refused} refuse the run" if refused else ""), ""]
    width = terminal.width() or _WIDTH
    for one in found.groups:
        lines += _group(one, places, width)
    for refusal in found.refusals:
        lines += _wrapped("refused", " ".join(refusal.presets), width)
        lines += _wrapped("", f"| {refusal.why}", width)
    return "\n".join(lines) + "\n"


def _group(one: Group, places: int, width: int) -> Iterator[str]:
    mean = "-" if one.mean is None else f"{one.mean:.{places}f}"
    if one.axes:
        axes = ", ".join(f"{axis} {above} -> {here}" for axis, (above, here) in one.axes.items())
        yield from _wrapped("", f"| {axes}", width)
    yield from _wrapped(f"{mean}  {one.n}", " ".join(one.presets), width)


def _wrapped(first: str, text: str, width: int) -> list[str]:
    """Text beside a column of 14 places, wrapped."""
    lead = f"{first:<14}"
    return textwrap.wrap(
        text, width, initial_indent=lead, subsequent_indent=" " * 14, break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def as_json(found: list[UnderPresets]) -> str:
    """Everything, with full precision."""
    systems = [one.to_dict() for one in found]
    return json.dumps({"schema": 1, "systems": systems}, ensure_ascii=False, indent=1) + "\n"
