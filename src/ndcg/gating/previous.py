"""What was given as a baseline: a file of values, another run, or a file that is to be written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

from ndcg.errors import DataError, Notice, Place, Problem, note
from ndcg.formats.opening import raw_bytes
from ndcg.formats.source import decoded
from ndcg.gating.baselines import Baseline, looks_like_one, read_baseline

_HEAD = 4096  # bytes by which a baseline is known


@dataclass(frozen=True, slots=True)
class Previous:
    """What is compared with.

    Attributes
    ----------
    path : of the file, which may not exist yet; empty for a run.
    raw : the bytes of the file as they were read, None where there was none.
    baseline : what it holds; None where it is a run, does not exist, or cannot be read.
    run : a run instead.
    """

    path: str = ""
    raw: bytes | None = None
    baseline: Baseline | None = None
    run: Any = None
    notices: tuple[Notice, ...] = ()


def previous_of(given: Any, *, update: bool) -> Previous | None:
    """Find out what was given; with `update` a file may be missing or damaged.

    Raises
    ------
    DataError
        For a file that is not there, cannot be read, or is no baseline and would be overwritten.
    """
    if given is None:
        return None
    if isinstance(given, Baseline):
        return Previous(baseline=given)
    if not isinstance(given, str | PathLike):
        return Previous(run=given)
    path = fspath(given)
    if path != "-" and not os.path.exists(path):
        if update:
            return Previous(path)
        what = f"there is no baseline {path}"
        how = "--update writes it, from a run that is good enough; then commit it"
        raise DataError(Problem("baseline", what, Place(path), how))
    if path == "-" or not is_baseline(path):
        if update:
            what = f"{path} is no baseline, and --update would write over it"
            how = "name another file, or delete this one first"
            raise DataError(Problem("baseline", what, Place(path), how))
        return Previous(run=path)
    return _read(path, update=update)


def is_baseline(path: str) -> bool:
    """Whether a file says so; an empty one may be written over.

    What cannot be opened here is no baseline; whoever reads it then says what is wrong.
    """
    if not os.path.isfile(path):
        return False
    try:
        with open(path, "rb") as file:
            head = file.read(_HEAD).decode("utf-8", "replace").removeprefix("\ufeff")
    except OSError:
        return False
    return looks_like_one(head) or (path.endswith(".json") and not head)


def _read(path: str, *, update: bool) -> Previous:
    raw = raw_bytes(path)
    try:
        return Previous(path, raw, read_baseline(decoded(raw, path).removeprefix("\ufeff"), path))
    except DataError as error:
        if not update:
            raise
        what = f"{path} could not be read and is replaced: {error.problems[0].what}"
        return Previous(path, raw, notices=(note(what),))
