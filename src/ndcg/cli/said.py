"""How notes and warnings are said: a line each, wrapped and with colour on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from ndcg.cli import terminal
from ndcg.cli.main import say
from ndcg.errors import Notice, note, printable

_WIDEST = 100  # columns in which text is easily read
_COLORS = {"warning": "\x1b[1;33m", "note": "\x1b[36m"}
# Rules about what moves a number, the strongest first.
_FIRST = ("R05", "Q02", "R01", "R03", "R18", "R09", "R14", "Q01", "R04", "R02")
_RESET = "\x1b[0m"


def first_of(notices: Iterable[Notice], most: int = 5) -> list[Notice]:
    """The most telling notices, warnings before notes, and how many more there are."""
    every = [*dict.fromkeys(notices)]
    more = len(every) - most
    if more <= 0:
        return every
    kept = {*sorted(every, key=_weight)[:most]}
    what = f"{more} more like these; -v says all, ndcg check looks closer"
    return [*(one for one in every if one in kept), note(what)]


def _weight(notice: Notice) -> tuple[bool, int]:
    """What sorts warnings before notes, and those that move a number most before others."""
    told = _FIRST.index(notice.rule) if notice.rule in _FIRST else len(_FIRST)
    return notice.level != "warning", told


def say_notices(notices: Iterable[Notice], color: str) -> None:
    """Say each notice on standard error."""
    width = terminal.error_width()
    colored = width is not None and terminal.use_color(color)
    for notice in notices:
        text = printable(str(notice))
        if width is not None:
            text = textwrap.fill(
                text, min(width, _WIDEST), subsequent_indent="  ", break_long_words=False,
                break_on_hyphens=False,
            )  # fmt: skip
        mark = (_COLORS[notice.level], _RESET) if colored else None
        say(text, mark and (notice.level, *mark))
