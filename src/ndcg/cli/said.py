"""How notes and warnings are said: a line each, wrapped and with colour on a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable

from ndcg.cli import terminal
from ndcg.cli.main import say
from ndcg.errors import Notice, printable

_WIDEST = 100  # columns in which text is easily read
_COLORS = {"warning": "\x1b[1;33m", "note": "\x1b[36m"}
_RESET = "\x1b[0m"


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
