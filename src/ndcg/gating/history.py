"""The history of a gate: one line of JSON a run, appended; read back as series."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from ndcg._version import VERSION
from ndcg.convention import without_version
from ndcg.errors import DataError, Place, Problem, Problems, did_you_mean, listed
from ndcg.formats.json_text import Broken, is_finite, parsed, plain
from ndcg.formats.source import read_source
from ndcg.formats.writing import unwritable
from ndcg.gating.results import Gate
from ndcg.statistics.intervals import Interval

SCHEMA = 1
_HOW = "delete the line, or take back what was edited: ndcg gate --history FILE writes such lines"


class Value(NamedTuple):
    """A measure of one run."""

    mean: float | None
    n: int
    interval: Interval | None
    signature: str  # without the version


class Entry(NamedTuple):
    """One line: a run, what it was measured by, and its values.

    `passed` is None where no rule was held against it.
    """

    number: int  # its line, from 1
    label: str | None
    system: str
    version: str
    judgments: str
    passed: bool | None
    failed: tuple[tuple[str, str], ...]  # each rule, and what it is about
    values: Mapping[str, Value]


class Point(NamedTuple):
    """A run in the series of one measure; `broken` says what is not as it was before it."""

    entry: Entry
    value: Value
    broken: tuple[str, ...]
    failed: tuple[str, ...]  # the rules about this measure that failed


def line_of(found: Gate) -> str:
    """The line of a gate, ending with a line end."""
    measures = found.evaluation.systems[found.system].measures
    body = {
        "schema": SCHEMA,
        "version": VERSION,
        "label": found.label,
        "system": found.system,
        "judgments": found.judgments,
        "digest": found.evaluation.digest,
        "passed": found.passed if found.outcomes else None,
        "failed": [{"rule": one.rule.text, "measure": one.rule.subject} for one in found.failures],
        "measures": {
            name: {
                "mean": one.mean,
                "n": one.n,
                "interval": (own := one.interval) and own.to_dict(),
                "signature": without_version(one.signature),
            }
            for name, one in measures.items()
        },
    }
    return json.dumps(body, ensure_ascii=False, allow_nan=False) + "\n"


def append_line(path: str, found: Gate) -> None:
    """Append one line, in one step; a last line that was cut short stays a line of its own.

    Raises
    ------
    DataError
        When the file cannot be written; then it is as it was.
    """
    data = line_of(found).encode("utf-8", "backslashreplace")
    try:
        with open(path, "ab+", buffering=0) as file:
            size = file.seek(0, os.SEEK_END)
            if size:
                file.seek(-1, os.SEEK_END)
                data = data if file.read(1) == b"\n" else b"\n" + data
            if file.write(data) != len(data):
                file.truncate(size)
                raise unwritable(path, "the disk took a part of the line", "it is as it was")
    except OSError as error:
        raise unwritable(path, str(error.strerror)) from None


def refuse_other_lines(path: str) -> None:
    """Refuse to append to a file that holds something else."""
    if not os.path.isfile(path) or not os.access(path, os.R_OK):
        return  # who writes to it says what is wrong
    with open(path, "rb") as file:
        first = file.readline(1 << 20)
    if first.strip() and not (first.lstrip().startswith(b"{") and b'"measures"' in first):
        what = f"{path} holds something else than a history, and nothing is appended to it"
        raise DataError(Problem("history", what, Place(path), "name another file"))


def read_history(path: str) -> list[Entry]:
    """All runs of a history, the oldest first.

    Raises
    ------
    DataError
        For lines that are no runs; all of them are named.
    """
    text = read_source(path, "history", fingerprint=False).text
    problems, entries = Problems(), list[Entry]()
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        place = Place(path, number, line)
        try:
            entries.append(_entry(number, parsed(line)))
        except _BadLine as error:
            problems.add(Problem("history", str(error), place, _HOW))
    problems.raise_if_any()
    return entries


class _BadLine(ValueError):
    """What is wrong with a line."""


def _entry(number: int, whole: Any) -> Entry:
    if isinstance(whole, Broken):
        raise _BadLine(f"no JSON: {whole.why}; the line may be cut short")
    try:
        body = plain(whole)
    except RecursionError:
        raise _BadLine("the line is nested too deeply") from None
    except KeyError as error:
        raise _BadLine(f"{error} stands twice in one object") from None
    if not isinstance(body, dict) or not isinstance(body.get("measures"), dict):
        raise _BadLine("the line is no run of a history")
    if body.get("schema") != SCHEMA:
        told = f"the line has schema {body.get('schema')!r}, and this version reads {SCHEMA}"
        raise _BadLine(told)
    _refuse_types(body, _ENTRY)
    values = {name: _value(name, one) for name, one in body["measures"].items()}
    return Entry(
        number, body["label"], body["system"], body["version"], body["judgments"],
        body["passed"], tuple((one["rule"], one["measure"]) for one in body["failed"]), values,
    )  # fmt: skip


def _is_failure(given: object) -> bool:
    names = ("rule", "measure")
    return isinstance(given, dict) and all(isinstance(given.get(name), str) for name in names)


_ENTRY: dict[str, Callable[[Any], bool]] = {
    "label": lambda one: one is None or isinstance(one, str),
    "system": lambda one: isinstance(one, str),
    "version": lambda one: isinstance(one, str),
    "judgments": lambda one: isinstance(one, str),
    "passed": lambda one: one is None or isinstance(one, bool),
    "failed": lambda one: isinstance(one, list) and all(map(_is_failure, one)),
}
_VALUE: dict[str, Callable[[Any], bool]] = {
    "mean": lambda one: one is None or is_finite(one),
    "n": lambda one: isinstance(one, int) and not isinstance(one, bool) and one >= 0,
    "interval": lambda one: one is None or isinstance(one, dict),
    "signature": lambda one: isinstance(one, str),
}
_INTERVAL: dict[str, Callable[[Any], bool]] = {
    "low": is_finite,
    "high": is_finite,
    "level": lambda one: is_finite(one) and 0 < one < 1,
    "method": lambda one: isinstance(one, str),
}


def _refuse_types(
    given: Mapping[str, Any], keys: Mapping[str, Callable[[Any], bool]], of: str = ""
) -> None:
    """Refuse what is not there, or of another type."""
    for name, fits in keys.items():
        if name not in given:
            raise _BadLine(f"the line has no {name}{of}")
        if not fits(given[name]):
            raise _BadLine(f"{name}{of} is {given[name]!r}, of another type")


def _value(name: str, given: Any) -> Value:
    if not isinstance(given, dict):
        raise _BadLine(f"{name} is {given!r}, no values")
    _refuse_types(given, _VALUE, f" of {name}")
    own, interval = given["interval"], None
    if own is not None:
        _refuse_types(own, _INTERVAL, f" of the interval of {name}")
        interval = Interval(own["low"], own["high"], own["level"], own["method"])
    return Value(given["mean"], given["n"], interval, given["signature"])


def series_of(entries: list[Entry], measure: str | None = None) -> dict[str, list[Point]]:
    """The series of each measure, or of one.

    Values of other judgments or another convention than those before are not comparable; such a
    point says what changed.

    Raises
    ------
    DataError
        For a measure that no run has.
    """
    names = list(dict.fromkeys(name for one in entries for name in one.values))
    if measure is not None and measure not in names:
        what = f"{measure!r} is not in the history{did_you_mean(measure, names)}"
        raise DataError(Problem("history", what, help=f"it has {listed(names, 9)}"))
    return {name: [*_points(entries, name)] for name in (names if measure is None else [measure])}


def _points(entries: list[Entry], name: str) -> Iterator[Point]:
    last: Entry | None = None
    for one in entries:
        if name not in one.values:
            continue
        broken: list[str] = []
        if last is not None:
            broken += ["judgments"] if one.judgments != last.judgments else []
            changed = one.values[name].signature != last.values[name].signature
            broken += ["convention"] if changed else []
        failed = tuple(rule for rule, measure in one.failed if measure == name)
        yield Point(one, one.values[name], tuple(broken), failed)
        last = one
