"""What the terminal can show: width and colour."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from typing import TextIO


def use_color(choice: str) -> bool:
    """Whether to colour: the flag, else NO_COLOR, else FORCE_COLOR, else what stdout is."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return _is_terminal(sys.stdout) and os.environ.get("TERM") != "dumb"


def width() -> int | None:
    """Columns of the terminal, or None when standard output is none."""
    return _width(sys.stdout)


def error_width() -> int | None:
    """The same for standard error."""
    return _width(sys.stderr)


def _width(stream: TextIO | None) -> int | None:
    if not _is_terminal(stream):
        return None
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(stream.fileno()).columns if stream else 80
    except OSError:  # a terminal that does not tell its size
        return 80


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and stream.isatty()
