"""Small files beside the data: query weights, query groups, sets of queries."""

from __future__ import annotations

from collections.abc import Iterator

from ndcg.axes import number_of
from ndcg.errors import Place, Problem, Problems, count
from ndcg.formats.rows import split_rows
from ndcg.formats.source import read_source

_BLANKS = " \t\r\v\f"


def read_weights(path: str) -> dict[str, float]:
    """Lines of query and weight."""
    problems, weights = Problems(), dict[str, float]()
    for query, text, place in _pairs(path, "weights", problems):
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


def read_groups(path: str) -> dict[str, str]:
    """Lines of query and group."""
    problems = Problems()
    groups = {query: group for query, group, _ in _pairs(path, "groups", problems)}
    problems.raise_if_any()
    return groups


def read_queries(path: str) -> list[str]:
    """The ids of queries: the first field of every line."""
    text = read_source(path, "queries", fingerprint=False).text
    return [fields[0] for fields in split_rows(text) if fields and fields[0] != "#"]


def _pairs(path: str, word: str, problems: Problems) -> Iterator[tuple[str, str, Place]]:
    """The two fields of every line; tabs separate if there are any, else blanks."""
    lines: dict[str, int] = {}
    for number, raw in enumerate(read_source(path, word, fingerprint=False).text.split("\n"), 1):
        line = raw.strip("\r\n")
        if not line.strip(_BLANKS) or line.startswith("# "):
            continue
        fields = line.split("\t") if "\t" in line else split_rows(line)[0]
        place = Place(path, number, line)
        if len(fields) != 2:
            problems.add(
                Problem(
                    word,
                    f"expected 2 columns (query and {word[:-1]}), found {len(fields)}",
                    place,
                    "separate them by a tab or blanks",
                )
            )
            continue
        query, value = (field.strip(_BLANKS) for field in fields)
        if query in lines:
            problems.add(
                Problem(
                    word,
                    f"query {query!r} has {count(2, word[:-1])} "
                    f"(lines {lines[query]} and {number})",
                    place,
                    "keep one of them",
                )
            )
            continue
        lines[query] = number
        yield query, value, place
