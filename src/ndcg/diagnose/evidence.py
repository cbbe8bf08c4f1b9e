"""The number of another tool as evidence: what it is of, its value, and how exactly it is known."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NamedTuple

from ndcg.axes import NUMBER
from ndcg.errors import DataError, NdcgError, Place, Problem, UsageError
from ndcg.formats.source import read_source
from ndcg.measures.registry import parse
from ndcg.stores.values import shown

_EXACT_PLACES = 12  # a number with more is taken for a double as it was computed
_EXACT = 1e-9  # relative: other tools add up in another order
_UNBOUNDED = ("0 to IDCG", "above 0")  # ranges of measures that have no largest value
_LARGEST = 1e300
_MEAN = ("all", "mean", "average", "amean")


class Evidence(NamedTuple):
    """A value of a measure: of one query, or the mean."""

    measure: str
    query: str | None  # None: the mean
    value: float
    tolerance: float  # half a unit of its last decimal
    text: str

    def fits(self, value: float | None, slack: float = 0.0) -> bool:
        """Whether a value is this one within its precision; `slack` is relative, and more."""
        if value is None or math.isnan(value):
            return False
        return abs(value - self.value) <= max(self.tolerance, slack * abs(self.value))

    def divided(self, by: float) -> Evidence:
        """The same in another unit."""
        return self._replace(value=self.value / by, tolerance=self.tolerance / by)


def evidence_of(
    value: object, measure: str, *, query: str | None = None, places: int | None = None
) -> list[Evidence]:
    """What a value says, or several values of measures: ``{"nDCG@5": 0.7, "nDCG@10": 0.68}``.

    Raises
    ------
    UsageError
        For what is no finite number in reach of any measure.
    """
    if isinstance(value, Mapping):
        if not value:
            raise _unusable("no value is given", "such as 0.735")
        pairs = [(str(parse(str(name))[0]), each) for name, each in value.items()]
        return [_evidence(each, name, query, places) for name, each in pairs]
    return [_evidence(value, measure, query, places)]


def per_query_evidence(
    values: Mapping[Any, Any], measure: str, places: int | None = None
) -> list[Evidence]:
    """The values of queries, ``{query: value}``."""
    if not values:
        raise _unusable("no value of any query is given", "such as {'q1': 0.735}")
    return [_evidence(value, measure, str(query), places) for query, value in values.items()]


def _evidence(given: object, measure: str, query: str | None, places: int | None) -> Evidence:
    text = _text(given)
    if places is None and isinstance(given, float) and given.is_integer():
        places = _EXACT_PLACES + 1  # 1.0 as a number is 1; only as text has it one decimal
    percent = text.endswith("%")
    text = text.removesuffix("%").strip()
    whose = f" of query {query!r}" if query is not None else ""
    if NUMBER.fullmatch(text) is None:
        raise _unusable(f"{shown(given)}{whose} is not a number", "such as 0.735, or 73.5%")
    number = float(text)
    most = _LARGEST if parse(measure)[0].record.range in _UNBOUNDED else 100.0
    if not math.isfinite(number) or abs(number) > most:
        raise _unusable(
            f"{text}{whose} is no value of {measure}",
            "values lie between 0 and 1, in percent between 0 and 100",
        )
    found = Evidence(measure, query, number, _tolerance(text, number, places), text)
    return found.divided(100) if percent else found


def _text(given: object) -> str:
    if isinstance(given, str):
        return given.strip()
    if isinstance(given, bool) or not hasattr(given, "__float__"):
        return str(given)
    number = float(given)
    return repr(number)


def _tolerance(text: str, number: float, places: int | None) -> float:
    """Half a unit of the last decimal that is given, and a little for sums in another order."""
    try:
        exponent = Decimal(text).as_tuple().exponent
    except InvalidOperation:  # pragma: no cover -- the grammar has been checked
        exponent = 0
    decimals = -exponent if isinstance(exponent, int) else 0
    decimals = decimals if places is None else places
    if decimals > _EXACT_PLACES:
        return _EXACT * max(abs(number), _EXACT)
    return 0.5 * 10.0**-decimals * (1 + 1e-9)


def _unusable(what: str, how: str) -> UsageError:
    return UsageError(Problem("value", what, help=how))


# -- files -------------------------------------------------------------------------------------


def file_evidence(path: str, measure: str, places: int | None = None) -> list[Evidence]:
    """The values of queries in a file: a trec_eval printout, a table with a header, or JSON.

    Raises
    ------
    DataError
        When the file holds no values of the measure.
    """
    text = read_source(path, "values", fingerprint=False).text
    rows = _json_rows(text, path) if text.lstrip()[:1] == "{" else _text_rows(text, path)
    found: dict[str | None, Evidence] = {}
    others: dict[str, None] = {}
    for row in rows:
        if not _names(row.measure, measure):
            others[row.measure] = None
            continue
        query = None if row.query.casefold() in _MEAN else row.query
        try:
            found[query] = _evidence(row.value, measure, query, places)
        except UsageError as fault:
            raise _bad_file(path, fault.problems[0].what, row.line) from None
    if not found:
        has = f"; it has {', '.join(others)}" if others else ""
        raise _bad_file(path, f"no value of {measure} stands in {path}{has}")
    return [*found.values()]


class _Row(NamedTuple):
    query: str
    measure: str  # "": not said
    value: str
    line: int | None


def _names(given: str, measure: str) -> bool:
    """Whether a measure's name, ours or foreign, is that of the measure; no name is any."""
    if not given:
        return True
    try:
        return str(parse(given)[0]) == measure
    except NdcgError:
        return False


def _json_rows(text: str, path: str) -> list[_Row]:
    try:
        given = json.loads(text)
    except ValueError as error:
        raise _bad_file(path, f"{path} is not JSON: {error}") from None
    rows = []
    for query, value in given.items():
        each = value.items() if isinstance(value, dict) else [("", value)]
        rows += [_Row(query, name, _text(number), None) for name, number in each]
    return rows


def _text_rows(text: str, path: str) -> list[_Row]:
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise _bad_file(path, f"{path} is empty")
    delimiter = next((mark for mark in "\t,;" if mark in lines[0][1]), None)
    cells = [(at, _cells(line, delimiter)) for at, line in lines]
    first = cells[0][1]
    names = [name.casefold() for name in first]
    if any(name in names for name in _QUERY_NAMES):
        return _table_rows(names, first, cells[1:], path)
    if len(first) == 2 and _number(first[1]):
        wrong = next((at for at, row in cells if len(row) != 2), None)
        if wrong is not None:
            raise _bad_file(path, "not a query and a value, as the lines before", wrong)
        return [_Row(row[0], "", row[1], at) for at, row in cells]
    if any(len(row) == 3 and _number(row[2]) for _, row in cells):
        # Measure, query, value, as trec_eval prints them; the first line may name the run.
        return [_Row(row[1], row[0], row[2], at) for at, row in cells if len(row) == 3]
    what = f"{path}: no column names the queries: {', '.join(first)}"
    raise _bad_file(path, what)


_QUERY_NAMES = ("query", "query_id", "query-id", "qid", "topic", "topic_id", "user", "user_id", "q")


def _table_rows(
    names: Sequence[str], given: Sequence[str], cells: Iterable[tuple[int, list[str]]], path: str
) -> list[_Row]:
    query = next(names.index(name) for name in _QUERY_NAMES if name in names)
    rows: list[_Row] = []
    measure = names.index("measure") if "measure" in names else None
    value = next((names.index(name) for name in ("value", "score") if name in names), None)
    for at, row in cells:
        if len(row) != len(names):
            raise _bad_file(path, f"{len(row)} columns, where the header has {len(names)}", at)
        if value is not None:
            rows.append(_Row(row[query], "" if measure is None else row[measure], row[value], at))
            continue
        others = [i for i in range(len(row)) if i != query]
        rows += [_Row(row[query], given[i], row[i], at) for i in others]
    return [row for row in rows if row.value.strip()]  # an empty cell: no value


def _cells(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    return [cell.strip() for cell in next(csv.reader(io.StringIO(line), delimiter=delimiter))]


def _number(text: str) -> bool:
    return re.fullmatch(NUMBER, text.strip().removesuffix("%")) is not None


def _bad_file(path: str, what: str, line: int | None = None) -> DataError:
    how = "give a trec_eval printout (-q), a table with columns query and value, or JSON"
    return DataError(Problem("value", what, Place(path, line), how))
