"""JSON text into values that show its repeated keys; what a JSON object is by its keys."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from ndcg.errors import SHOWN, DataError, Place, Problem
from ndcg.formats.source import Source
from ndcg.stores.names import kind_of


class Pairs(list[tuple[str, Any]]):
    """A JSON object as it stands, its repeated keys included."""

    @property
    def names(self) -> list[str]:  # not keys: dict() would take this for a mapping
        """The keys, in order."""
        return [key for key, _ in self]


class Row(NamedTuple):
    """One object of a file of rows, and the line or the number by which it is known."""

    number: int
    value: Any


class Broken(NamedTuple):
    """Where and why a text is no JSON."""

    line: int
    column: int
    why: str


def _whole(digits: str) -> int | float:
    """A whole number, as a double where Python reads no number of so many digits."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


_DECODER = json.JSONDecoder(
    object_pairs_hook=Pairs, parse_int=_whole
)  # made once: json.loads would for each line


def parsed(text: str) -> Any:
    """A text as JSON, or where it breaks."""
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        return Broken(error.lineno, error.colno, error.msg)
    except RecursionError:
        return Broken(1, 1, "it is nested too deeply")


def plain(value: Any) -> Any:
    """A value with its objects as dictionaries.

    Raises
    ------
    KeyError
        For a key that stands twice in one object.
    """
    if isinstance(value, list) and not isinstance(value, Pairs):
        return [plain(one) for one in value]
    if not isinstance(value, Pairs):
        return value
    found = {name: plain(one) for name, one in value}
    if len(found) < len(value):
        names = value.names
        raise KeyError(next(name for name in names if names.count(name) > 1))
    return found


def is_finite(value: Any) -> bool:
    """Whether a value is a finite number; JSON's true and false are none."""
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and math.isfinite(float(str(value)))


def lines_of(source: Source, whole: Broken, stated: str | None) -> list[Row]:
    """One object a line; a first line that is none means that the file is broken JSON."""
    lines = source.text.split("\n")
    filled = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    rows = [Row(number, parsed(line)) for number, line in filled]
    if stated == "json" or (stated is None and isinstance(rows[0].value, Broken)):
        raise _no_json(source, [whole])
    broken = [row.value._replace(line=row.number) for row in rows if isinstance(row.value, Broken)]
    if broken:
        raise _no_json(source, broken)
    return rows


def _no_json(source: Source, broken: Sequence[Broken]) -> DataError:
    """The places where a text is no JSON."""
    problems = []
    lines = source.text.split("\n")
    for one in broken[:SHOWN]:
        text = lines[one.line - 1].rstrip("\r")
        at = min(one.column - 1, len(text))
        place = Place(source.input.path, one.line, text, text[at : at + 1], at)
        what = f"{source.input.path} is no JSON in line {one.line}: {one.why}"
        problems.append(
            Problem("syntax", what, place, "the file may be cut short, or of another format")
        )
    return DataError(problems, total=len(broken))


# Keys by which a JSON object is known that is neither judgments nor a run as it stands.
_KINDS: tuple[tuple[str, str], ...] = (
    ("mteb_version", "results of MTEB, values of measures"),
    ("requests", "a request of Elasticsearch's rank_eval"),
    ("metric_score", "an answer of Elasticsearch's rank_eval"),
    ("rank_eval", "an answer of Elasticsearch's rank_eval (version 6)"),
    ("judgmentRatings", "an export of OpenSearch's search relevance tools"),
    ("relevant_docs", "a LlamaIndex data set of queries, corpus and relevant documents"),
    ("topics", "ratings of RRE (Rated Ranking Evaluator)"),
    ("id_field", "ratings of Quepid or RRE with a gain for each document"),
    ("systems", "results of ndcg eval --json"),
)


_DEEPER = (
    "a dictionary nested deeper than query and document (as MTEB predictions are: subset, split, "
    "query, document)"
)


def kind_of_object(whole: Pairs) -> str | None:
    """What a JSON object is, if it is known to be no dictionary by query."""
    values = [value for _, value in whole]
    if all(map(_is_ranking, values)):
        return None  # ids may be any words
    found = next((kind for key, kind in _KINDS if key in whole.names), None)
    inner = [one for value in values if isinstance(value, Pairs) for _, one in value]
    if found is None and any(isinstance(one, list) for one in inner):  # objects among them
        found = _DEEPER
    listed = [one for value in values if isinstance(value, list) for one in value]
    if any(isinstance(one, Pairs) for one in listed) and kind_of(whole.names) is None:
        return found or "a dictionary of lists of objects"
    return found


def _is_ranking(value: Any) -> bool:
    """Whether a value could be what is listed for a query."""
    if isinstance(value, Pairs):
        return all(isinstance(number, int | float) for _, number in value)
    return isinstance(value, list) and not any(isinstance(one, Pairs) for one in value)


def kind_shown(value: Any) -> str:
    """A JSON value's kind, as messages name it."""
    if isinstance(value, list):
        return "an array"
    return "null" if value is None else repr(value)
