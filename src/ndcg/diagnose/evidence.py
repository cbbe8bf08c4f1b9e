"""The number of another tool as evidence: what it is of, its value, and how exactly it is known."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from ndcg.axes import NUMBER
from ndcg.errors import DataError, NdcgError, Place, Problem, UsageError
from ndcg.formats.source import read_source
from ndcg.measures.registry import parse
from ndcg.stores.values import shown

_EXACT_PLACES = 12  # a number with more is taken for a double as it was computed
_MOST_PLACES = 17
_SINGLE = 1e-6  # relative: what sums in single precision are good for
_EXACT = 1e-9  # relative: other tools add up in another order
_UNBOUNDED = ("0 to IDCG", "above 0")  # ranges of measures that have no largest value
_LARGEST = 1e300
_NONE = ("", "nan", "none", "null", "n/a", "na", "-")  # what stands for no value
_SHOWN = 5
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

    @property
    def bounded(self) -> bool:
        """Whether the measure lies between 0 and 1."""
        return parse(self.measure)[0].record.range not in _UNBOUNDED

    def divided(self, by: float) -> Evidence:
        """The same in another unit."""
        return self._replace(value=self.value / by, tolerance=self.tolerance / by)

    def cut_off(self) -> Evidence:
        """The same with its decimals cut off instead of rounded."""
        return self._replace(value=self.value + math.copysign(self.tolerance, self.value))


def evidence_of(
    value: object, measure: str, *, query: str | None = None, places: int | None = None
) -> list[Evidence]:
    """What a value says, or several values of measures: ``{"nDCG@5": 0.7, "nDCG@10": 0.68}``.

    Raises
    ------
    UsageError
        For what is no finite number in reach of any measure.
    """
    _refuse_places(places)
    if isinstance(value, Mapping):
        if not value:
            raise _unusable("no value is given", "such as 0.735")
        pairs = [(str(parse(str(name))[0]), each) for name, each in value.items()]
        return [_evidence(each, name, query, places) for name, each in pairs]
    return [_evidence(value, measure, query, places)]


class Gathered(NamedTuple):
    """The values of many queries, and the queries that are listed without one."""

    evidence: list[Evidence]
    without: tuple[str, ...]


def per_query_evidence(
    values: Mapping[Any, Any], measure: str, places: int | None = None
) -> Gathered:
    """The values of queries, ``{query: value}`` or ``{query: {measure: value}}``."""
    _refuse_places(places)
    if not values:
        raise _unusable("no value of any query is given", "such as {'q1': 0.735}")
    rows = _rows_of({str(query): value for query, value in values.items()})
    try:
        return _gathered(rows, measure, places)
    except _BadRowError as fault:
        raise _unusable(fault.what, "give each query one number") from None


def _refuse_places(places: object) -> None:
    if places is not None and not (
        isinstance(places, int) and not isinstance(places, bool) and 0 <= places <= _MOST_PLACES
    ):
        what = f"places is {shown(places)}"
        raise _unusable(what, f"a whole number of decimals from 0 to {_MOST_PLACES}")


def _evidence(given: object, measure: str, query: str | None, places: int | None) -> Evidence:
    text = _text(given)
    if places is None and isinstance(given, int | float) and text == _whole(given):
        places = _EXACT_PLACES + 1  # 1.0 as a number is 1; only as text has it one decimal
    percent = text.endswith("%")
    text = text.removesuffix("%").strip()
    whose = f" of query {query!r}" if query is not None else ""
    if NUMBER.fullmatch(text) is None:
        point = text.replace(",", ".", 1)
        how = f"such as {point}" if NUMBER.fullmatch(point) else "such as 0.735, or 73.5%"
        raise _unusable(f"{shown(given)}{whose} is not a number", how)
    number = float(text)
    most = _LARGEST if parse(measure)[0].record.range in _UNBOUNDED else 100.0
    if not math.isfinite(number) or abs(number) > most:
        raise _unusable(
            f"{text}{whose} is no value of {measure}",
            "values lie between 0 and 1, in percent between 0 and 100",
        )
    tolerance = _tolerance(text, number, places)
    if str(getattr(given, "dtype", "")) == "float32" and places is None:
        tolerance = _SINGLE * abs(number)
    found = Evidence(measure, query, number, tolerance, text)
    return found.divided(100) if percent else found


def _whole(given: float) -> str:
    """A whole number as `_text` writes it."""
    return f"{int(given)}.0" if isinstance(given, int) or math.isfinite(given) else ""


def _text(given: object) -> str:
    if isinstance(given, str):
        return given.strip()
    if isinstance(given, bool) or not hasattr(given, "__float__"):
        return str(given)
    try:
        return repr(float(given))
    except OverflowError:
        return str(given)[:_SHOWN] + "..."


def _tolerance(text: str, number: float, places: int | None) -> float:
    """Half a unit of the last decimal that is given, and a little for sums in another order."""
    exponent = Decimal(text).as_tuple().exponent
    decimals = -exponent if isinstance(exponent, int) else 0
    decimals = decimals if places is None else places
    if decimals > _EXACT_PLACES:
        return _EXACT * max(abs(number), _EXACT)
    return 0.5 * 10.0**-decimals * (1 + 1e-9)


def _unusable(what: str, how: str) -> UsageError:
    return UsageError(Problem("value", what, help=how))


# -- files -------------------------------------------------------------------------------------


def file_evidence(path: str, measure: str, places: int | None = None) -> Gathered:
    """The values of queries in a file: a trec_eval printout, a table with a header, or JSON.

    Raises
    ------
    DataError
        When the file holds no values of the measure.
    """
    _refuse_places(places)
    text = read_source(path, "values", fingerprint=False).text
    rows = _json_rows(text, path) if text.lstrip()[:1] in ("{", "[") else _text_rows(text, path)
    try:
        return _gathered(rows, measure, places)
    except _BadRowError as fault:
        raise _bad_file(path, fault.what, fault.line) from None


class _Row(NamedTuple):
    query: str
    measure: str  # "": not said
    value: object
    line: int | None = None


class _BadRowError(Exception):
    """A row that cannot be used, to be told with where it is from."""

    def __init__(self, what: str, line: int | None = None) -> None:
        super().__init__(what)
        self.what, self.line = what, line


def _gathered(rows: Iterable[_Row], measure: str, places: int | None) -> Gathered:
    """The rows that are of the measure; those without a value are passed over."""
    found: dict[str | None, Evidence] = {}
    others: dict[str, None] = {}
    without: list[str] = []
    for row in rows:
        if not _names(row.measure, measure):
            others[row.measure] = None
            continue
        if row.value is None or str(row.value).strip().casefold() in _NONE:
            without.append(row.query)
            continue
        query = None if row.query.casefold() in _MEAN else row.query
        try:
            one = _evidence(row.value, measure, query, places)
        except UsageError as fault:
            raise _BadRowError(fault.problems[0].what, row.line) from None
        if found.setdefault(query, one).value != one.value:
            whose = "the mean" if query is None else f"query {query!r}"
            what = f"{whose} has two values, {found[query].text} and {one.text}"
            raise _BadRowError(what, row.line)
    if not found:
        has = f"; there are values of {', '.join([*others][:_SHOWN])}" if others else ""
        raise _BadRowError(f"there is no value of {measure}{has}")
    return Gathered([*found.values()], tuple(without))


def _names(given: str, measure: str) -> bool:
    """Whether a measure's name, ours or foreign, is that of the measure; no name is any."""
    if not given:
        return True
    try:
        return str(parse(given)[0]) == measure
    except NdcgError:
        return False


def _json_rows(text: str, path: str) -> Iterator[_Row]:
    """Queries with their values, measures with theirs, rows, or what `ndcg eval --json` prints."""
    try:
        given: Any = json.loads(text)
    except (ValueError, RecursionError) as error:
        lines = text.splitlines()
        try:
            given = [json.loads(line) for line in lines if line.strip()]
        except (ValueError, RecursionError):
            raise _bad_file(path, f"{path} is not JSON: {error}") from None
    if isinstance(given, dict) and isinstance(given.get("systems"), list):
        given = given["systems"][0].get("per_query", {})
    if isinstance(given, dict):
        yield from _rows_of(given)
        return
    for row in given:
        names = {str(name).casefold(): name for name in row} if isinstance(row, dict) else {}
        query = next((names[name] for name in _QUERY_NAMES if name in names), None)
        if query is None:
            raise _bad_file(path, f"a row names no query: {shown(row)[:80]}")
        yield from _cells_of(str(row[query]), {n: v for n, v in row.items() if n != query})


def _rows_of(given: Mapping[str, Any]) -> Iterator[_Row]:
    """``{query: value}``, ``{query: {measure: value}}`` or ``{measure: {query: value}}``."""
    for name, value in given.items():
        if not isinstance(value, Mapping):
            yield _Row(str(name), "", value)
        elif _is_measure(str(name)):
            yield from (_Row(str(query), str(name), each) for query, each in value.items())
        else:
            yield from (_Row(str(name), str(measure), each) for measure, each in value.items())


def _cells_of(query: str, cells: Mapping[str, Any]) -> Iterator[_Row]:
    """The values of a row: under the names of measures, or under ``value``."""
    by_name = {str(name).casefold(): value for name, value in cells.items()}
    for name in _VALUE_NAMES:
        if name in by_name:
            yield _Row(query, str(by_name.get("measure", "")), by_name[name])
            return
    yield from (_Row(query, str(name), value) for name, value in cells.items())


def _is_measure(name: str) -> bool:
    try:
        parse(name)
    except NdcgError:
        return False
    return True


def _text_rows(text: str, path: str) -> list[_Row]:
    lines = [(at, line) for at, line in enumerate(text.splitlines(), 1) if line.strip()]
    if not lines:
        raise _bad_file(path, f"{path} is empty")
    delimiter = next((mark for mark in "\t,;" if mark in lines[0][1]), None)
    try:
        cells = [(at, _cells(line, delimiter)) for at, line in lines]
    except csv.Error as error:
        raise _bad_file(path, f"{path} is no table: {error}") from None
    first = cells[0][1]
    names = [name.casefold() for name in first]
    if any(name in names for name in _QUERY_NAMES) and not any(map(_number, first)):
        return _table_rows(names, first, cells[1:], path)
    if len(first) == 2 and _number(first[1]):
        wrong = next((at for at, row in cells if len(row) != 2), None)
        if wrong is not None:
            raise _bad_file(path, "not a query and a value, as the lines before", wrong)
        return [_Row(row[0], "", row[1], at) for at, row in cells]
    if any(len(row) == 3 and _number(row[2]) for _, row in cells):
        # Measure, query, value, as trec_eval prints them; the first line may name the run.
        wrong = next((at for at, row in cells if len(row) != 3), None)
        if wrong is not None:
            raise _bad_file(path, "not measure, query and value, as other lines", wrong)
        return [_Row(row[1], row[0], row[2], at) for at, row in cells]
    what = f"{path}: no column names the queries: {', '.join(first)}"
    raise _bad_file(path, what)


_VALUE_NAMES = ("value", "score")
_QUERY_NAMES = ("query", "query_id", "query-id", "qid", "topic", "topic_id", "user", "user_id", "q")


def _table_rows(
    names: Sequence[str], given: Sequence[str], cells: Iterable[tuple[int, list[str]]], path: str
) -> list[_Row]:
    query = next(names.index(name) for name in _QUERY_NAMES if name in names)
    rows: list[_Row] = []
    measure = names.index("measure") if "measure" in names else None
    value = next((names.index(name) for name in _VALUE_NAMES if name in names), None)
    for at, row in cells:
        if len(row) != len(names):
            raise _bad_file(path, f"{len(row)} columns, where the header has {len(names)}", at)
        if value is not None:
            rows.append(_Row(row[query], "" if measure is None else row[measure], row[value], at))
            continue
        others = [i for i in range(len(row)) if i != query]
        rows += [_Row(row[query], given[i], row[i], at) for i in others]
    return rows


def _cells(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    return [cell.strip() for cell in next(csv.reader(io.StringIO(line), delimiter=delimiter))]


def _number(text: str) -> bool:
    return re.fullmatch(NUMBER, text.strip().removesuffix("%")) is not None


def _bad_file(path: str, what: str, line: int | None = None) -> DataError:
    how = "give a trec_eval printout (-q), a table with columns query and value, or JSON"
    return DataError(Problem("value", what, Place(path, line), how))
