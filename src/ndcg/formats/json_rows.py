"""JSON: nested dictionaries, and rows as an array or one a line; repeated keys are seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ndcg.errors import DataError, Place, Problem, count, listed, warn
from ndcg.formats.json_text import (
    Broken,
    Pairs,
    Row,
    kind_of_object,
    kind_shown,
    lines_of,
    parsed,
)
from ndcg.formats.source import Source
from ndcg.stores import adopt, taking
from ndcg.stores.asked import Asked
from ndcg.stores.columns import WANTED
from ndcg.stores.given import Judgments, Rankings
from ndcg.stores.names import is_header, kind_of, repeated
from ndcg.stores.tabular import Columns, Fault, Table

T = TypeVar("T")


def qrels(source: Source, asked: Asked) -> Judgments:
    """Judgments in JSON, as a nested dictionary or as rows."""
    found, known = _opened(source, "qrels", asked), source.input
    if isinstance(found, RowTable):
        judgments, roles = taking.judgments(found, asked)
        known.took("json rows" if found.unit == "row" else "json lines", found, roles)
        return judgments
    judgments, notices = _adopted(source, lambda: adopt.judgments(found, known.path))
    known.took_nested(notices, sum(map(len, judgments.given.values())))
    return judgments


def run(source: Source, asked: Asked) -> Rankings:
    """A run in JSON, as a nested dictionary or as rows."""
    found, known = _opened(source, "run", asked), source.input
    if isinstance(found, RowTable):
        rankings, roles = taking.rankings(found, known.stem, asked)
        known.took("json rows" if found.unit == "row" else "json lines", found, roles)
        return rankings
    rankings, notices = _adopted(source, lambda: adopt.rankings(found, known.stem, known.path))
    known.took_nested(notices, sum(len(one.documents) for one in rankings.given.values()))
    return rankings


class RowTable(Table):
    """Objects of a file as a table; one a line they are known by their lines."""

    typed = False

    def __init__(self, source: Source, rows: Sequence[Row], *, by_line: bool) -> None:
        objects = [dict(row.value) if isinstance(row.value, Pairs) else {} for row in rows]
        names = list(dict.fromkeys(key for one in objects for key in one))
        # Each row may have keys of its own: all columns of all of them could fill the memory.
        columns = Columns(names, lambda at: [one.get(names[at]) for one in objects])
        super().__init__(source.input.path, names, columns, len(rows))
        self.file = Place(source.input.path)
        self.unit = "line" if by_line else "row"
        self._numbers = [row.number for row in rows]
        self._lines = source.text.split("\n") if by_line else None
        for at, row in enumerate(rows):
            self._check(at, row.value)

    def number_of(self, row: int) -> int:
        """The line, or the place in the array from 1."""
        return self._numbers[row]

    def place(self, row: int, column: str | None) -> Place:
        """The line; in an array, the file alone."""
        if self._lines is None:
            return Place(self.origin)
        line = self._numbers[row]
        text = self._lines[line - 1].strip()
        part = None if column is None else f'"{column}"'
        return Place(self.origin, line, text, part if part and part in text else None)

    def _check(self, at: int, value: Any) -> None:
        """Note rows that are no objects, and keys that stand twice in one."""
        if not isinstance(value, Pairs):
            what = f"{kind_shown(value)} is no row: rows are objects"
            self.fault(at, Fault("columns", what, None, "one object a row, all with the same keys"))
            return
        twice = repeated(value.names)
        if twice is not None:
            what = f"key {twice!r} stands twice in one object"
            self.fault(at, Fault("columns", what, None, "remove one of them"))


def _opened(source: Source, role: str, asked: Asked) -> dict[str, Any] | RowTable:
    """A nested dictionary, or a table of rows."""
    text, path = source.text, source.input.path
    stated = asked.format(role)
    whole = parsed(text) if stated != "jsonl" else Broken(1, 1, "")
    if isinstance(whole, Broken):
        table = RowTable(source, lines_of(source, whole, stated), by_line=True)
    elif isinstance(whole, Pairs):
        kind = kind_of_object(whole)
        if kind is not None:
            word = "not-a-run" if role == "run" else "not-qrels"
            what = f"{path} looks like {kind}, not {WANTED[role]}"
            raise DataError(Problem(word, what, Place(path), _SHAPES))
        if not _is_row(whole):
            return _nested(source, whole)
        above = text[: len(text) - len(text.lstrip())].count("\n")
        table = RowTable(source, [Row(above + 1, whole)], by_line="\n" not in text.strip())
    elif isinstance(whole, list):
        table = RowTable(source, [Row(i, v) for i, v in enumerate(whole, 1)], by_line=False)
    else:
        what = f"{path} holds {kind_shown(whole)}, no rows and no dictionary"
        raise DataError(Problem("syntax", what, Place(path), _SHAPES))
    if not table.names and table.faults:
        taking.settle_faults(table, asked._replace(lenient=False))
    if not table.names:
        what = f"{path} is empty: {count(table.n, 'row')} with nothing in them"
        raise DataError(Problem("empty", what, Place(path), _SHAPES))
    return table


_SHAPES = (
    "accepted (JSON): {query: {document: number}}, {query: [document, ...]}, or rows as objects "
    "with the same keys, in an array or one a line"
)


def _is_row(whole: Pairs) -> bool:
    """Whether a single object is a row of its own and no dictionary by query."""
    if is_header(whole.names) or kind_of(whole.names):
        return True
    values = [value for _, value in whole]
    bare = not any(isinstance(value, Pairs) for value in values)
    return bare and any(not isinstance(value, list) for value in values)


def _nested(source: Source, whole: Pairs) -> dict[str, Any]:
    """``{query: {document: number}}`` with repeated keys as repeated pairs."""
    by_query: dict[str, list[Any]] = {}
    for query, value in whole:
        by_query.setdefault(query, []).append(value)
    several = {query: len(values) for query, values in by_query.items() if len(values) > 1}
    if several:
        query, times = next(iter(several.items()))
        what = f"query {query!r} stands {times} times; its documents are put together"
        if len(several) > 1:
            what = (
                f"queries stand several times, their documents are put together: {listed(several)}"
            )
        source.input.notices.append(warn(f"{source.input.path}: {what}"))
    return {query: _together(values, source.input.role) for query, values in by_query.items()}


def _together(values: list[Any], role: str) -> Any:
    """The documents of a query: a dictionary where none repeats, else pairs."""
    if not all(isinstance(value, list) for value in values):
        return next(value for value in values if not isinstance(value, list))
    pairs = [row for value in values for row in value]
    if not all(isinstance(value, Pairs) for value in values):
        return pairs
    unique = dict(pairs)
    # Scores of pairs are checked as they are taken over, those of dictionaries when they are used.
    return unique if role == "qrels" and len(unique) == len(pairs) else pairs


def _adopted(source: Source, adopt_it: Callable[[], T]) -> T:
    """What a nested dictionary gives; its problems carry the file's name."""
    try:
        return adopt_it()
    except DataError as error:
        place = Place(source.input.path)
        placed = [one._replace(place=one.place or place) for one in error.problems]
        raise DataError(placed, total=error.total) from None
