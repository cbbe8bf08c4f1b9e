"""What reconcile found, as text for a person."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ndcg.errors import count, listed, printable

if TYPE_CHECKING:
    from ndcg.diagnose.between import Between, Moved, Part, Side
    from ndcg.diagnose.reconcile import Matches
    from ndcg.diagnose.search import Explanation, Setting

WIDTH = 80  # where no terminal says another
_SHOWN = 6  # explanations that a person reads
_MOVES = 3  # queries that move most
_OTHERS = 2  # settings of each that are no presets


def gap_table(found: Between, width: int = WIDTH, places: int = 4) -> str:
    """The two means, what stops, and the parts of the gap."""
    one, other = (
        f"{side.mean:.{places}f} under {_name(side)}" for side in (found.one, found.other)
    )
    head = f"{found.system}: {found.measure} is {one} and {other}: {found.gap:+.{places}f}"
    lines = [*_wrapped(head, width), ""]
    for side in (found.one, found.other):
        lines += _stops(side, width)
    for part in found.parts:
        lines += _part(part, width, places)
    if not found.parts:
        lines += ["no axis changes anything here"]
    total = sum(part.part for part in found.parts)
    if len(found.parts) > 1:
        lines += [f"{total:+.{places}f}  together"]
    if found.orders is not None:
        text = f"parts are means over {found.orders} orders of switching; they leave "
        lines += _wrapped(text + f"{found.remainder:.1g} of the gap", width)
    if found.parts:
        moves = ", ".join(map(_moved, found.moves[:_MOVES]))
        number = count(len(found.moves), "query differs", "queries differ")
        lines += ["", *_wrapped(f"{number}, most: {moves}", width, "  ")]
    if found.idle:
        idle = ", ".join(found.idle)
        lines += ["", *_wrapped(f"differ too, and change nothing here: {idle}", width, "  ")]
    return "\n".join(printable(line) for line in lines) + "\n"


def _name(side: Side) -> str:
    """The convention, and by which rules it counts where its own ones stop."""
    rules = ", ".join(f"{one.axis}:{one.instead}" for one in side.replaced)
    return f"{side.name} with {rules}" if rules else side.name


def _stops(side: Side, width: int) -> Iterator[str]:
    for one in side.replaced:
        text = (
            f"{side.name} stops here: {one.why} ({one.axis}:{one.rule}); "
            f"split with {one.axis}:{one.instead}"
        )
        yield from _wrapped(text, width, "  ")
    if side.replaced:
        yield ""


def _part(part: Part, width: int, places: int) -> Iterator[str]:
    axes = ", ".join(f"{axis} {one} -> {other}" for axis, (one, other) in part.axes.items())
    queries = count(part.queries, "query", "queries")
    yield from _wrapped(f"{part.part:+.{places}f}  {axes}  ({queries})", width, " " * 9)
    alone = "" if part.alone is None else f"alone {part.alone:+.{places}f}; "
    moves = ", ".join(_moved(one) for one in part.moves[:_MOVES])
    most = f"most: {moves}" if moves else ""
    text = (alone + most).removesuffix("; ")
    if text:
        yield from _wrapped(" " * 9 + text, width, " " * 9)


def _moved(one: Moved) -> str:
    return f"{one.query} {_short(one.before)} -> {_short(one.after)}"


def _short(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"


def matches_table(found: Matches, width: int = WIDTH, places: int = 4) -> str:
    """The explanations, or what comes nearest, and what chance would give."""
    lines = [*_wrapped(_asked(found), width), ""]
    explanations = found.search.explanations
    for number, one in enumerate(explanations[:_SHOWN], 1):
        lines += _explanation(found, f"{number}", one, width, places)
    if len(explanations) > _SHOWN:
        lines += [f"... and {count(len(explanations) - _SHOWN, 'more value')} that fit", ""]
    if found.faults:
        lines += ["a fault would explain it:"]
        for fault in found.faults:
            text = f"{fault.value:.{places}f}  {fault.preset}: {fault.what}"
            lines += _wrapped("  " + text, width, " " * 10)
        lines += [""]
    if not explanations:
        lines += ["nearest:"]
        for one in found.search.nearest:
            lines += _explanation(found, " ", one, width, places)
    lines += _chance(found, width)
    lines += _telling(found, width, places)
    return "\n".join(printable(line) for line in lines).rstrip("\n") + "\n"


def _asked(found: Matches) -> str:
    matching = count(len(found.search.explanations), "value fits", "values fit")
    if len(found.evidence) == 1:
        (one,) = found.evidence
        whose = f" of query {one.query}" if one.query is not None else ""
        what = f"{one.text} as {one.measure}{whose}"
    else:
        means = sum(one.query is None for one in found.evidence)
        parts = [count(means, "mean")] if means else []
        rest = len(found.evidence) - means
        parts += [count(rest, "value of a query", "values of queries")] if rest else []
        what = " and ".join(parts)
    tried = f"{found.search.tried:,} settings tried, {found.search.values:,} different values"
    fits = matching if found.search.explanations else "no value fits"
    return f"{found.system}: {what}: {fits} ({tried})"


def _explanation(
    found: Matches, lead: str, one: Explanation, width: int, places: int
) -> Iterator[str]:
    single = len(found.evidence) == 1
    number = one.value if single else one.mean
    value = "-" if number is None else f"{number:.{places}f}"
    query = found.evidence[0].query if single else None
    whose = count(one.n, "query", "queries") if query is None else f"query {query}"
    head = f"{lead}  {value}  {whose}"
    if not single:
        head += f", {one.fits} of {len(found.evidence)} fit"
        head += f" (not {listed(one.misfits, _MOVES)})" if one.misfits else ""
    yield head
    if one.presets:
        yield from _wrapped(" " * 3 + " ".join(one.presets), width, " " * 3)
    for at, setting in enumerate(one.others[:_OTHERS]):
        lead = "or " if one.presets or at else ""
        yield from _wrapped(" " * 3 + lead + _setting(setting), width, " " * 5)
    yield ""


def _setting(one: Setting) -> str:
    return f"{one.preset} with {_changes(one.changed)}"


def _changes(changed: Mapping[str, tuple[str, str]]) -> str:
    return ", ".join(f"{axis} {other} (not {own})" for axis, (own, other) in changed.items())


def _chance(found: Matches, width: int) -> Iterator[str]:
    chance = found.search.by_chance
    if len(found.search.explanations) and len(found.evidence) == 1 and chance >= 0.05:
        decimals = found.evidence[0].text
        text = (
            f"by chance alone, about {chance:.1f} of the values tried would fit a number with the "
            f"precision of {decimals}: give more decimals, or values of queries (--values)"
        )
        yield from _wrapped(text, width)


def _telling(found: Matches, width: int, places: int) -> Iterator[str]:
    telling = found.search.telling
    if telling is None:
        return
    values = ", ".join(
        f"{number}: {'none' if value is None else format(value, f'.{places}f')}"
        for number, value in enumerate(telling.values[:_SHOWN], 1)
    )
    shown = {None if value is None else round(value, places) for value in telling.values}
    every = "them" if len(shown) == len(telling.values) else f"{len(shown)} of them"
    text = f"the value of query {telling.query} tells {every} apart: {values}"
    yield from _wrapped(text, width)


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    lead = text[: len(text) - len(text.lstrip(" "))]
    return textwrap.wrap(
        text.lstrip(" "), width, initial_indent=lead, subsequent_indent=indent,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip
