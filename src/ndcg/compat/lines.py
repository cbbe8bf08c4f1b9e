"""Lines of judgments and runs as dictionaries, as pytrec_eval parses them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from ndcg.compat.asked import ArgumentError
from ndcg.errors import DataError, Problem


class DuplicateError(DataError, AssertionError):
    """A document stands twice in the lines of a query; an AssertionError as in pytrec_eval."""


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The scores in the lines of a run: query, Q0, document, rank, score, tag.

    Raises
    ------
    DuplicateError
        When a document stands twice in the lines of a query.
    DataError
        For lines that are no such rows; a ``ValueError``.
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for number, (query, _, document, _, score, _) in _rows(
        f_run, "query Q0 document rank score tag"
    ):
        _put(run[query], query, document, number, _parsed(float, score, "score", number))
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The grades in the lines of judgments: query, iteration, document, grade.

    Raises
    ------
    DuplicateError
        When a document stands twice in the lines of a query.
    DataError
        For lines that are no such rows; a ``ValueError``.
    """
    qrel: dict[str, dict[str, int]] = defaultdict(dict)
    for number, (query, _, document, grade) in _rows(f_qrel, "query iteration document grade"):
        _put(qrel[query], query, document, number, _parsed(int, grade, "grade", number))
    return qrel


def _rows(lines: Iterable[str], columns: str) -> Iterable[tuple[int, list[str]]]:
    if isinstance(lines, str | bytes) or not isinstance(lines, Iterable):
        what = f"{str(lines)[:60]!r} is not lines of a file"
        raise ArgumentError(Problem("type", what, help="give an open file, or a list of lines"))
    width = len(columns.split())
    given: Iterable[object] = lines
    for number, line in enumerate(given, 1):
        if not isinstance(line, str):
            what = f"line {number} is of type {type(line).__name__}, not text"
            raise ArgumentError(Problem("type", what, help="open the file as text"))
        fields = line.split()
        if len(fields) != width:
            what = f"line {number}: {len(fields)} columns, not {width} ({columns})"
            how = f"complete or remove the line: {line.rstrip()!r}"
            raise DataError(Problem("columns", what, help=how))
        yield number, fields


def _parsed(kind: type[Any], text: str, word: str, number: int) -> Any:
    try:
        return kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        what = f"line {number}: {word} {text!r} is not {wanted}"
        raise DataError(Problem(word, what, help=f"give {wanted}")) from None


def _put(own: dict[str, Any], query: str, document: str, number: int, value: Any) -> None:
    if document in own:
        what = f"line {number}: document {document!r} stands twice for query {query!r}"
        raise DuplicateError(Problem("duplicate", what, help="remove one of the lines"))
    own[document] = value
