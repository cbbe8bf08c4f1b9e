"""Rewriting a baseline: whole or not at all, and never over what somebody else wrote meanwhile."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator

from ndcg.errors import DataError, Place, Problem
from ndcg.formats.writing import write_files
from ndcg.gating.baselines import Baseline
from ndcg.gating.previous import Previous


def rewritten(previous: Previous, now: Baseline) -> str:
    """Write the baseline in the place of what was read; returns its path.

    A process that is killed leaves the file as it was: the new one is written beside it and moved
    into place in one step. A file that is what it would become is left alone.

    Raises
    ------
    DataError
        When it cannot be written, or is no longer what was read.
    """
    path, text = previous.path, now.text()
    with _alone_in(os.path.dirname(os.path.realpath(path)), path):
        found = _bytes_of(path)
        if found != previous.raw:
            what = f"{path} was written by something else while this ran, and is left as it is"
            how = "look at it, and run --update again"
            raise DataError(Problem("baseline", what, Place(path), how))
        if found != text.encode("utf-8", "backslashreplace"):
            write_files({path: text})
    return path


def _bytes_of(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


@contextlib.contextmanager
def _alone_in(folder: str, path: str) -> Iterator[None]:
    """Hold the folder for the moment between looking and writing.

    The system lets go of it when a process ends, however it ends. Systems without such locks do
    without: there a writer of the same moment may win.
    """
    try:
        import fcntl
    except ImportError:  # Windows
        yield
        return
    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError as error:
        what = f"cannot write {path} ({error.strerror}); nothing was written"
        how = "choose a folder that exists and can be written to"
        raise DataError(Problem("output", what, Place(path), how)) from None
    try:
        with contextlib.suppress(OSError):  # some network folders know no locks
            fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
