"""Small files beside the data: query weights, query groups, sets of queries."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from ndcg.axes import number_of
from ndcg.errors import Notice, Place, Problem, Problems, count, note
from ndcg.formats.rows import split_rows
from ndcg.formats.source import read_source
from ndcg.stores.names import role_of

_BLANKS = " \t\r\v\f"
_HEADERS = ("query", "weight", "group", "segment")  # what the columns of a header are called


def read_weights(path: str, notices: list[Notice]) -> dict[str, float]:
    """Lines of query and weight; what was left out is noted."""
    problems, weights = Problems(), dict[str, float]()
    for query, text, place in _pairs(path, "weights", problems, notices):
        weight = number_of(text)
        if weight is None or weight < 0:
            problems.add(
                Problem(
                    "weights",
                    f"weight {text!r} is not a number of at least 0",
                    place._replace(part=text),
                    "weights are finite numbers from 0 up",
                )
            )
            continue
        weights[query] = weight
    problems.raise_if_any()
    return weights


def read_groups(path: str, notices: list[Notice]) -> dict[str, str]:
    """Lines of query and group; what was left out is noted."""
    problems = Problems()
    groups = {query: group for query, group, _ in _pairs(path, "groups", problems, notices)}
    problems.raise_if_any()
    return groups


def read_segments(path: str, notices: list[Notice]) -> dict[str, list[str]]:
    """Lines of query and segment, of which a query may have several; what was left out is noted."""
    problems = Problems()
    segments: dict[str, list[str]] = {}
    for query, segment, place in _pairs(path, "segments", problems, notices, several=True):
        if not segment:
            problems.add(Problem("segments", "the segment is empty", place, "give it a name"))
        own = segments.setdefault(query, [])
        own += [] if segment in own else [segment]
    problems.raise_if_any()
    return segments


def read_queries(path: str, notices: list[Notice]) -> list[str]:
    """The ids of queries, one a line; what follows a tab is not read."""
    problems, queries = Problems(), list[str]()
    for number, line in _lines(path, "queries"):
        query, tab, _ = line.partition("\t")
        query = query.strip(_BLANKS)
        if " " in query and not tab:
            what = f"{query!r} may be one id, or an id and its text"
            how = "put a tab behind the id, one id a line"
            problems.add(Problem("queries", what, Place(path, number, line), how))
        elif not queries and role_of(query) == "query":
            notices.append(note(f"{path}: the header {query!r} was left out"))
        else:
            queries.append(query)
    problems.raise_if_any()
    return queries


def queries_of(arguments: argparse.Namespace, notices: list[Notice]) -> list[str] | None:
    """The declared set of queries, of ``--queries-from`` and ``-q`` together; None without them."""
    if arguments.queries_from is None:
        return arguments.query or None
    return read_queries(arguments.queries_from, notices) + (arguments.query or [])


def _lines(path: str, word: str) -> Iterator[tuple[int, str]]:
    """The lines that hold something and are no comments, with their numbers."""
    text = read_source(path, word, fingerprint=False).text
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip("\r\n")
        if line.strip(_BLANKS) not in ("", "#") and not line.startswith("# "):
            yield number, line


def _pairs(
    path: str, word: str, problems: Problems, notices: list[Notice], *, several: bool = False
) -> Iterator[tuple[str, str, Place]]:
    """The two fields of every line; a query has one line unless it may have several."""
    lines = [*_lines(path, word)]
    mark = _delimiter([line for _, line in lines])
    seen: dict[str, int] = {}
    for number, line in lines:
        place = Place(path, number, line)
        try:
            fields = [field.strip(_BLANKS) for field in _fields(line, mark)]
        except ValueError as error:
            how = "a line each, a field with the separator in it in double quotes"
            problems.add(Problem(word, f"no line of two fields ({error})", place, how))
            continue
        if len(fields) != 2:
            problems.add(
                Problem(
                    word,
                    f"expected 2 columns (query and {word[:-1]}), found {len(fields)}",
                    place,
                    "separate them by a tab or blanks; an id that holds blanks needs the tab",
                )
            )
            continue
        query, value = fields
        is_header = role_of(query) == "query" and value.casefold().rstrip("s") in _HEADERS
        if number == lines[0][0] and is_header:
            notices.append(note(f"{path}: the header {query!r}, {value!r} was left out"))
            continue
        if query in seen and not several:
            problems.add(
                Problem(
                    word,
                    f"query {query!r} has {count(2, word[:-1])} (lines {seen[query]} and {number})",
                    place,
                    "keep one of them",
                )
            )
            continue
        seen[query] = number
        yield query, value, place


def _delimiter(lines: list[str]) -> str | None:
    """A comma or semicolon that stands in every line without a tab, or None for blanks."""
    lines = [line for line in lines if "\t" not in line]
    return next((mark for mark in ";," if all(mark in line for line in lines)), None)


def _fields(line: str, mark: str | None) -> list[str]:
    if "\t" in line:
        return line.split("\t")
    if mark is not None:
        import csv  # which most evaluations do without

        try:
            return next(csv.reader([line], delimiter=mark))
        except csv.Error as error:
            raise ValueError(error) from None
    return split_rows(line)[0]
