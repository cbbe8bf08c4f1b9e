"""The history of a gate: one line of JSON a run, appended; read back as series."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from ndcg._version import VERSION
from ndcg.errors import DataError, Place, Problem, Problems, did_you_mean, listed
from ndcg.formats.json_text import Broken, Pairs, parsed
from ndcg.formats.source import read_source
from ndcg.gating.results import Gate
from ndcg.statistics.intervals import Interval

SCHEMA = 1
_HOW = "a line for each run, as ndcg gate --history FILE appends them"


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
    failed: tuple[str, ...]  # rules
    values: Mapping[str, Value]


class Point(NamedTuple):
    """A run in the series of one measure; `broken` says what is not as it was before it."""

    entry: Entry
    value: Value
    broken: tuple[str, ...]


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
        "failed": [one.rule.text for one in found.failures],
        "measures": {
            name: {
                "mean": one.mean,
                "n": one.n,
                "interval": (own := one.interval) and own.to_dict(),
                "signature": one.signature.rpartition("|v:")[0],
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
        When the file cannot be written.
    """
    data = line_of(found).encode("utf-8", "backslashreplace")
    try:
        file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            size = os.fstat(file).st_size
            if size and os.pread(file, 1, size - 1) != b"\n":
                data = b"\n" + data
            os.write(file, data)
        finally:
            os.close(file)
    except OSError as error:
        what = f"cannot write {path} ({error.strerror}); nothing was written"
        how = "choose a folder that exists and can be written to"
        raise DataError(Problem("output", what, Place(path), how)) from None


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
    body = _plain(whole)
    if not isinstance(body, dict) or "measures" not in body:
        raise _BadLine("the line is no run of a history")
    if body.get("schema") != SCHEMA:
        raise _BadLine(
            f"the line has schema {body.get('schema')!r}, and this version reads {SCHEMA}"
        )
    try:
        values = {name: _value(one) for name, one in body["measures"].items()}
        return Entry(
            number, body["label"], str(body["system"]), str(body["version"]),
            str(body["judgments"]), body["passed"], tuple(map(str, body["failed"])), values,
        )  # fmt: skip
    except (KeyError, TypeError, AttributeError) as error:
        raise _BadLine(f"the line is no run of a history ({error})") from None


def _plain(value: Any) -> Any:
    return {name: _plain(one) for name, one in value} if isinstance(value, Pairs) else value


def _value(given: Mapping[str, Any]) -> Value:
    mean, own = given["mean"], given["interval"]
    if mean is not None and not (isinstance(mean, int | float) and math.isfinite(mean)):
        raise _BadLine(f"a mean is {mean!r}, no number")
    interval = None
    if own is not None:
        interval = Interval(own["low"], own["high"], own["level"], own["method"])
    return Value(mean, int(given["n"]), interval, str(given["signature"]))


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
        yield Point(one, one.values[name], tuple(broken))
        last = one
