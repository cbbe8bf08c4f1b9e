"""A progress bar while large files are read: on a terminal, after a second."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from typing import Any

from ndcg.cli import terminal
from ndcg.formats.chunks import WATCHER

_PATIENCE = 1.0  # seconds before a bar is shown


@contextlib.contextmanager
def shown_progress(*, wanted: bool) -> Iterator[None]:
    """Show how far the reading of files has come."""
    if not wanted or terminal.error_width() is None or os.environ.get("CI"):
        yield
        return
    bar = _Bar()
    token = WATCHER.set(bar.advanced)
    try:
        yield
    finally:
        WATCHER.reset(token)
        bar.close()


class _Bar:
    """One bar, for one file after the other."""

    def __init__(self) -> None:
        self.begin = time.monotonic()
        self.shown: Any = None
        self.tasks: dict[str, Any] = {}

    def advanced(self, path: str, done: int, size: int) -> None:
        """So many bytes of a file were read."""
        if time.monotonic() - self.begin < _PATIENCE:
            return
        if self.shown is None:
            self.shown = _progress()
            self.shown.start()
        if path not in self.tasks:
            self.tasks[path] = self.shown.add_task(os.path.basename(path), total=size)
        self.shown.update(self.tasks[path], completed=done)

    def close(self) -> None:
        """Take the bar away."""
        if self.shown is not None:
            self.shown.stop()


def _progress() -> Any:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    return Progress(
        TextColumn("reading {task.description}", markup=False),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    )
