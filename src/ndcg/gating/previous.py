"""What was given as a baseline: a file of values, another run, or a file that is to be written."""

from __future__ import annotations

import os
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any

from ndcg.errors import DataError, Notice, Place, Problem, note
from ndcg.formats.opening import raw_bytes
from ndcg.formats.source import decoded
from ndcg.gating.baselines import Baseline, looks_like_one, no_baseline, read_baseline

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
    if path == "-" or not _is_baseline(path):
        if update:
            what = f"{path} is no baseline, and --update would write over it"
            how = "name another file, or delete this one first"
            raise DataError(Problem("baseline", what, Place(path), how))
        if path.endswith(".json") and path != "-" and _is_results(path):
            raise no_baseline(path, "results of ndcg eval --json")
        return Previous(run=path)
    return _read(path, update=update)


def _head(path: str) -> str:
    with open(path, "rb") as file:
        return file.read(_HEAD).decode("utf-8", "replace")


def _is_baseline(path: str) -> bool:
    """Whether a file says so; an empty one may be written over."""
    if not os.path.isfile(path):
        return False
    return looks_like_one(_head(path)) or (path.endswith(".json") and not os.path.getsize(path))


def _is_results(path: str) -> bool:
    return '"schema"' in _head(path)


def _read(path: str, *, update: bool) -> Previous:
    raw = raw_bytes(path)
    try:
        return Previous(path, raw, read_baseline(decoded(raw, path), path))
    except DataError as error:
        if not update:
            raise
        what = f"{path} could not be read and is replaced: {error.problems[0].what}"
        return Previous(path, raw, notices=(note(what),))
