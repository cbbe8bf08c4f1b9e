"""What the terminal can show: width and colour."""

from __future__ import annotations

import os
import sys


def use_color(choice: str) -> bool:
    """Whether to colour: the flag, else NO_COLOR, else FORCE_COLOR, else what stdout is."""
    if choice != "auto":
        return choice == "always"
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    return _is_terminal() and os.environ.get("TERM") != "dumb"


def width() -> int | None:
    """Columns of the terminal, or None when standard output is none."""
    if not _is_terminal():
        return None
    columns = os.environ.get("COLUMNS", "")
    if columns.isascii() and columns.isdigit() and int(columns) > 0:
        return int(columns)
    try:
        return os.get_terminal_size(sys.stdout.fileno()).columns
    except OSError:  # a terminal that does not tell its size
        return 80


def _is_terminal() -> bool:
    return sys.stdout is not None and sys.stdout.isatty()
