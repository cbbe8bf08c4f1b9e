"""The TREC family: judgments of four columns, runs of six, and their common variations."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from ndcg.errors import DataError, Place, Problem, Problems, count, listed
from ndcg.formats.detect import is_metric_printout, other_kind
from ndcg.formats.rows import (
    Lines,
    counting,
    field_counts,
    number_fault,
    numbers,
    split_columns,
    split_rows,
)
from ndcg.formats.source import Input, Source
from ndcg.kernel import Floats, place_in_row
from ndcg.stores.given import Judgments, Listing, Rankings

_Blocks = dict[str, list[slice]]


class _Layout(NamedTuple):
    """Which column holds what."""

    name: str
    columns: str  # as named in messages
    document: int
    number: int  # the column that must be a number: grade, score or rank
    rank: int | None = None
    tag: int | None = None
    notice: str | None = None


_QRELS = {
    4: _Layout("trec qrels", "query iteration document grade", document=2, number=3),
    3: _Layout("trec qrels, 3 columns", "query document grade", document=1, number=2,
               notice="3 columns, read as query, document, grade"),
    5: _Layout("trec sampled qrels", "query document grade algorithm probability",
               document=1, number=2,
               notice="5 columns, read as sampled judgments (query, document, grade, algorithm, "
                      "inclusion probability); the probabilities are not used"),
}  # fmt: skip
_RUN = {
    6: _Layout("trec run", "query Q0 document rank score tag", document=2, number=4, rank=3, tag=5),
    5: _Layout("trec run, no tag", "query Q0 document rank score", document=2, number=4, rank=3,
               notice="5 columns, read as query, Q0, document, rank, score; the tag is missing"),
    3: _Layout("ms marco run", "query document rank", document=1, number=2, rank=2,
               notice="3-column run (query, document, rank): no scores, ordered by rank"),
}  # fmt: skip


def qrels(source: Source) -> tuple[Judgments, Input]:
    """Read judgments: query, iteration, document, grade."""
    table = _Table(source, _QRELS, "qrels")
    grades = table.numbers("grade")
    repeated_at: Place | None = None
    given: dict[str, dict[str, float] | list[tuple[str, float]]] = {}
    documents = table.column(table.layout.document)
    for query, at in _blocks(table.column(0)).items():
        pairs = list(zip(_taken(documents, at), np.concatenate([grades[s] for s in at]).tolist(),
                         strict=True))  # fmt: skip
        unique = dict(pairs)
        given[query] = unique if len(unique) == len(pairs) else pairs
        if len(unique) < len(pairs) and repeated_at is None:
            repeated_at = _subtopic_row(table, at)
    table.describe(len(given))
    return Judgments(given, table.find, repeated_at), source.input


def run(source: Source) -> tuple[Rankings, Input]:
    """Read a run: query, Q0, document, rank, score, tag."""
    table = _Table(source, _RUN, "run")
    layout = table.layout
    has_scores = layout.number != layout.rank
    scores = table.numbers("score" if has_scores else "rank")
    name = table.single_tag()
    blocks = _blocks(table.column(0))
    ranks = _ranks(table, scores, blocks) if layout.rank is not None else None
    documents = table.column(layout.document)
    given = {}
    for query, at in blocks.items():
        given[query] = Listing(
            _taken(documents, at),
            np.concatenate([scores[s] for s in at]) if has_scores else None,
            None if ranks is None else np.concatenate([ranks[s] for s in at]),
        )
    if has_scores and ranks is not None:
        _note_ranks(table, ranks, scores, blocks)
    table.describe(len(given))
    return Rankings(given, name or source.input.stem, table.find), source.input


class _Table:
    """The rows of a file in one layout; what does not fit is reported, comments are counted."""

    def __init__(self, source: Source, layouts: dict[int, _Layout], role: str) -> None:
        self.input = source.input
        counts = field_counts(source.text.encode())
        widths = np.flatnonzero(np.bincount(counts)[1:]) + 1
        even = len(widths) == 1 and int(widths[0]) in layouts
        # The common file has one width and no comments: it is cut into columns at once.
        head = split_rows("\n".join(source.text.split("\n", 60)[:60])) if even else None
        rows = [row for row in head or split_rows(source.text) if row]
        self.width = _width(source, rows, layouts, role)
        self.layout = layouts[self.width]
        self.lines = Lines(source.input.path, source.text, self._is_row)
        self._columns: list[Sequence[str]] = []
        if even:
            self._columns = [*split_columns(source.text, self.width)]
            if any(query[0] == "#" for query in set(self._columns[0])):
                rows, even = [row for row in split_rows(source.text) if row], False
        if not even:
            self._columns = [*zip(*self._without_comments(rows), strict=True)]

    def column(self, at: int) -> Sequence[str]:
        """One column of all rows."""
        return self._columns[at]

    def numbers(self, word: str) -> Floats:
        """The layout's numeric column; every fault is reported with its place."""
        fields = self.column(self.layout.number)
        found, faulty, quoted = numbers(fields)
        problems = Problems()
        for row in faulty:
            problems.add(
                Problem(
                    word,
                    f"{word} {number_fault(fields[row])}",
                    self.lines.place(row, fields[row]) if problems.total < 10 else None,
                    f"{word}s are finite numbers such as 2, -0.25 or 1.1e1",
                )
            )
        problems.raise_if_any()
        if quoted:
            first = self.lines.place(quoted[0])
            self.input.note(
                f"{count(len(quoted), f'quoted {word}')} read without the quotes "
                f"(first in line {first.line})"
            )
        return found

    def find(self, query: str, document: str) -> list[Place]:
        """Where a pair stands in the file."""
        return self.lines.find(query, document, self.layout.document)

    def describe(self, queries: int) -> None:
        """Complete what is known about the file."""
        self.input.format = self.layout.name
        self.input.rows = len(self.column(0))
        self.input.queries = queries
        if self.layout.notice:
            self.input.note(self.layout.notice)

    def single_tag(self) -> str | None:
        """The run's tag; several tags for one query mean several systems in one file."""
        if self.layout.tag is None:
            return None
        tags = self.column(self.layout.tag)
        different = dict.fromkeys(tags)
        if len(different) == 1:
            return tags[0]
        of_query: dict[str, str] = {}
        for row, (query, tag) in enumerate(zip(self.column(0), tags, strict=True)):
            if of_query.setdefault(query, tag) != tag:
                raise DataError(
                    Problem(
                        "two-systems",
                        f"the tag changes inside query {query!r}: {listed(different)} look like "
                        f"{len(different)} systems in one file",
                        self.lines.place(row, tag),
                        "split the file by its last column and give each part as a run",
                    )
                )
        self.input.note(f"{len(different)} tags, one per query: {listed(different)}")
        return None

    def _is_row(self, fields: list[str]) -> bool:
        """Whether a line's fields are a record; a comment starts with # and is no record."""
        if not fields or fields[0] == "#":
            return False
        if fields[0][0] != "#":
            return True
        return len(fields) == self.width and not numbers([fields[self.layout.number]])[1]

    def _without_comments(self, rows: list[list[str]]) -> list[list[str]]:
        kept = [row for row in rows if self._is_row(row)]
        comments = len(rows) - len(kept)
        if comments:
            self.input.note(f"{count(comments, 'comment line')} left out")
        marked = dict.fromkeys(row[0] for row in kept if row[0][0] == "#")
        if marked:
            self.input.note(f"lines of query {listed(marked)} start with # and were read as rows")
        self._report_widths(kept)
        return kept

    def _report_widths(self, kept: list[list[str]]) -> None:
        problems = Problems()
        for at, row in enumerate(kept):
            if len(row) == self.width:
                continue
            place = self.lines.place(at) if problems.total < 10 else Place(self.input.path)
            problems.add(
                Problem(
                    "columns",
                    f"line {place.line}: expected {count(self.width, 'column')} "
                    f"({self.layout.columns}), found {len(row)}",
                    place,
                    "ids cannot hold blanks here; mend or remove the line",
                )
            )
        problems.raise_if_any()


def _width(source: Source, rows: list[list[str]], layouts: dict[int, _Layout], role: str) -> int:
    """The number of columns that most rows have, if it is a layout of this role."""
    path = source.input.path
    widths = Counter(len(row) for row in rows if row[0][0] != "#") or Counter(map(len, rows))
    if role == "run" and is_metric_printout(rows):
        raise _not(role, path, "a printout of trec_eval (measure, query, value), not a run",
                   "give the run that was scored; this file holds its results")  # fmt: skip
    common = max(widths, key=lambda width: (width in layouts, widths[width]))
    first = len(next((row for row in rows if row[0][0] != "#"), rows[0]))
    if 2 * widths[common] < sum(widths.values()):
        common = first  # no width prevails: the first row says what was meant
    if common in layouts:
        _check_role(rows, common, layouts[common], role, path)
        return common
    usual = widths.most_common(1)[0][0]
    if role == "qrels" and usual == 6:
        raise _not(
            role, path, "a run (6 columns), not judgments", "judgments come first, then runs"
        )
    if role == "run" and usual == 4:
        raise _not(
            role, path, "judgments (4 columns), not a run", "judgments come first, then runs"
        )
    kind = other_kind(source.text, rows)
    accepted = " or ".join(f"{n} columns ({layout.columns})" for n, layout in layouts.items())
    raise _not(
        role, path,
        f"{kind}, not TREC {'judgments' if role == 'qrels' else 'run'}" if kind
        else f"rows of {count(usual, 'column')} (line 1: {' '.join(rows[0])[:60]!r})",
        f"accepted: {accepted}, separated by blanks or tabs",
    )  # fmt: skip


def _check_role(rows: list[list[str]], width: int, layout: _Layout, role: str, path: str) -> None:
    """Refuse what has the right width but holds something else."""
    body = [row for row in rows if len(row) == width and row[0][0] != "#"][:50]
    if not body:
        return
    if role == "qrels" and width == 5:
        probabilities, bad, _ = numbers([row[4] for row in body])
        if bad or (probabilities < 0).any() or (probabilities > 1).any():
            raise _not(role, path, "rows of 5 columns whose last is no inclusion probability",
                       "judgments have 4 columns: query iteration document grade")  # fmt: skip
    is_number = [not numbers([row[layout.number]])[1] for row in body]
    header = other_kind("\t".join(body[0]), body)
    if header and not is_number[0] and len(body) > 1 and all(is_number[1:]):
        raise _not(role, path, header, "TREC files have no header: remove the first line")


def _not(role: str, path: str, what: str, help: str) -> DataError:  # noqa: A002 -- as in Problem
    word = "not-a-run" if role == "run" else "not-qrels"
    return DataError(Problem(word, f"{path} looks like {what}", Place(path), help))


def _blocks(queries: Sequence[str]) -> _Blocks:
    """Each query with the stretches of its rows, which need not be neighbours."""
    blocks: _Blocks = {}
    start = 0
    for query, group in groupby(queries):
        stop = start + len([*group])
        blocks.setdefault(query, []).append(slice(start, stop))
        start = stop
    return blocks


def _taken(column: Sequence[str], at: list[slice]) -> list[str]:
    """The fields of a column in some stretches of rows."""
    if len(at) == 1:
        return [*column[at[0]]]
    return [field for stretch in at for field in column[stretch]]


def _subtopic_row(table: _Table, at: list[slice]) -> Place | None:
    """A row that judges a document again under another value of column 2."""
    if table.width != 4:
        return None
    iterations, documents = table.column(1), table.column(table.layout.document)
    seen: dict[str, str] = {}
    for row in (row for stretch in at for row in range(stretch.start, stretch.stop)):
        mark = "0" if iterations[row] in ("Q0", "q0") else iterations[row]
        if seen.setdefault(documents[row], mark) != mark:
            return table.lines.place(row, iterations[row])
    return None


def _ranks(table: _Table, scores: Floats, blocks: _Blocks) -> Floats | None:
    """The rank column, or None with a notice where it is not made of whole numbers."""
    layout = table.layout
    if layout.rank is None:
        return None
    fields = table.column(layout.rank)
    faulty: list[int] = []
    if layout.number == layout.rank:
        ranks = scores
    elif all(len(at) == 1 for at in blocks.values()) and counting(
        fields, (at[0] for at in blocks.values()), 1
    ):
        # The usual column needs no parsing.
        lengths = np.array([at[0].stop - at[0].start for at in blocks.values()])
        return place_in_row(np.repeat(np.arange(len(lengths)), lengths)).astype(np.float64)
    else:
        ranks, faulty, _ = numbers(fields)
    odd = faulty or np.flatnonzero(ranks != np.floor(ranks)).tolist()
    if not odd:
        return ranks
    place = table.lines.place(odd[0], fields[odd[0]])
    if layout.number == layout.rank:
        raise DataError(
            Problem(
                "rank",
                f"rank {place.part!r} is not a whole number",
                place,
                "a run of 3 columns is query, document, rank; with scores it has 6",
            )
        )
    table.input.note(
        f"the rank column is not usable: {place.part!r} in line {place.line} is not a whole number"
    )
    return None


def _note_ranks(table: _Table, ranks: Floats, scores: Floats, blocks: _Blocks) -> None:
    """Tell how the rank column starts, and whether it contradicts the scores."""
    low, high = ranks.min(), ranks.max()
    if low == high and len(ranks) > 1:
        table.input.note(f"the rank column is all {low:.0f}; scores decide the order")
        return
    if low == 0:
        table.input.note("ranks start at 0; scores decide the order")
    against = np.append(False, np.diff(ranks) * np.diff(scores) > 0)
    if not against.any():
        return
    odd = [
        query
        for query, at in blocks.items()
        if any(against[stretch.start + 1 : stretch.stop].any() for stretch in at)
    ]
    if odd:
        table.input.note(
            f"rank order differs from score order in {count(len(odd), 'query', 'queries')} "
            f"({listed(odd)}); scores decide",
            "--order-by rank follows the rank column",
        )
