"""The TREC family: judgments of four columns, runs of six, and their common variations."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import groupby

import numpy as np

from ndcg.errors import SHOWN, DataError, Place, Problem, Problems, axis_help, count, listed
from ndcg.formats.lenient import without_bad_lines
from ndcg.formats.rows import (
    Lines,
    counting,
    field_counts,
    is_comment,
    number_fault,
    numbers,
    split_columns,
    split_rows,
)
from ndcg.formats.source import Input, Source
from ndcg.formats.trec_layouts import IF_SCORES, LAYOUTS, QRELS, RUN, Layout
from ndcg.formats.trec_width import width_of
from ndcg.kernel import Floats, place_in_row
from ndcg.stores.given import Judgments, Listing, Skipped
from ndcg.stores.mapping import MappingRankings
from ndcg.stores.ranks import rank_notes

_Blocks = dict[str, list[slice]]


def qrels(source: Source) -> tuple[Judgments, Input]:
    """Read judgments: query, iteration, document, grade."""
    table = Table(source, QRELS, "qrels")
    grades = table.numbers("grade")
    repeated_at: Place | None = None
    given: dict[str, dict[str, float] | list[tuple[str, float]]] = {}
    documents = table.column(table.layout.document)
    for query, at in blocks_of(table.column(0)).items():
        pairs = list(zip(_taken(documents, at), np.concatenate([grades[s] for s in at]).tolist(),
                         strict=True))  # fmt: skip
        unique = dict(pairs)
        given[query] = unique if len(unique) == len(pairs) else pairs
        if len(unique) < len(pairs) and repeated_at is None:
            repeated_at = _subtopic_row(table, at, grades)
    table.describe(len(given))
    return Judgments(given, table.find, repeated_at), source.input


def run(source: Source) -> tuple[MappingRankings, Input]:
    """Read a run: query, Q0, document, rank, score, tag."""
    table = Table(source, RUN, "run")
    layout = table.layout
    has_scores = layout.number != layout.rank
    scores = table.numbers("score" if has_scores else "rank")
    name = table.single_tag()
    blocks = blocks_of(table.column(0))
    found = ranks_of(table, scores, blocks)
    fault = found if isinstance(found, Problem) else None
    ranks = None if isinstance(found, Problem) else found
    if fault is not None and not has_scores:
        raise DataError(fault)
    if fault is not None:
        note_unusable_ranks(table.input, fault)
    documents = table.column(layout.document)
    given = {}
    for query, at in blocks.items():
        given[query] = Listing(
            _taken(documents, at),
            np.concatenate([scores[s] for s in at]) if has_scores else None,
            None if ranks is None else np.concatenate([ranks[s] for s in at]),
        )
    for notice in rank_notes(given):
        table.input.note(notice.what, notice.help, notice.rule or "F05")
    table.describe(len(given))
    return MappingRankings(given, name or source.input.stem, table.find, fault), source.input


def usable(source: Source, role: str, *, lenient: bool) -> tuple[Source, tuple[Skipped, ...]]:
    """The text as it is; asked to be lenient, without the lines that are bad, which are listed."""
    if not lenient:
        return source, ()
    layouts = LAYOUTS[role]
    rows = [row for row in split_rows(source.text) if row]
    width = width_of(source, rows, layouts, role)
    return without_bad_lines(source, width, layouts[width].columns, layouts[width].number)


class Table:
    """The rows of a file in one layout; what does not fit is reported, comments are counted."""

    def __init__(self, source: Source, layouts: dict[int, Layout], role: str) -> None:
        self.input = source.input
        counts = field_counts(source.text.encode())
        widths = np.flatnonzero(np.bincount(counts)[1:]) + 1
        even = len(widths) == 1 and int(widths[0]) in layouts
        # The common file has one width and no comments: it is cut into columns at once.
        head = split_rows("\n".join(source.text.split("\n", 60)[:60])) if even else None
        rows = [row for row in head or () if row]
        if all(row[0][0] == "#" for row in rows):  # nothing there to tell the layout by
            rows = [row for row in split_rows(source.text) if row]
        self.width = width_of(source, rows, layouts, role)
        self.layout = layouts[self.width]
        self.lines = Lines(source.input.path, source.text, self._is_row, self.width)
        self._columns: list[Sequence[str]] = []
        if even:
            self._columns = [*split_columns(source.text, self.width)]
            if any(query[0] == "#" for query in set(self._columns[0])):
                rows, even = [row for row in split_rows(source.text) if row], False
        self.problems = Problems()
        self.comments, self.marked = 0, dict[str, None]()
        if not even:
            kept = self._without_comments(rows)
            self._columns = [*zip(*kept, strict=True)]

    def column(self, at: int) -> Sequence[str]:
        """One column of all rows."""
        return self._columns[at]

    def numbers(self, word: str) -> Floats:
        """The layout's numeric column; every fault is reported with its place."""
        found, quoted = self.noted_numbers(word)
        self.problems.raise_if_any()
        if quoted:
            note_quoted(self.input, word, len(quoted), self.lines.place(quoted[0]).line)
        return found

    def noted_numbers(self, word: str) -> tuple[Floats, list[int]]:
        """The numeric column and its quoted rows; faults are noted and not yet raised."""
        fields = self.column(self.layout.number)
        found, faulty, quoted = numbers(fields)
        kind = "whole numbers" if word == "rank" else "finite numbers such as 2, -0.25 or 1.1e1"
        for row in faulty:
            self.problems.add(
                Problem(
                    word,
                    f"{word} {number_fault(fields[row])}",
                    self._place(row, self.layout.number),
                    f"{word}s are {kind}",
                )
            )
        return found, quoted

    def _place(self, row: int, at: int) -> Place | None:
        """Where a field stands, while there is room to show it."""
        return self.lines.place(row, at) if self.problems.total < SHOWN else None

    def find(self, query: str, document: str) -> list[Place]:
        """Where a pair stands in the file."""
        return self.lines.find(query, document, self.layout.document)

    def describe(self, queries: int) -> None:
        """Complete what is known about the file."""
        describe(self.input, self.layout, len(self.column(0)), queries)

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
                raise two_systems(query, different, self.lines.place(row, self.layout.tag))
        note_tags(self.input, different)
        return None

    def _is_row(self, fields: list[str]) -> bool:
        """Whether a line's fields are a record; a comment starts with # and is no record."""
        return bool(fields) and not is_comment(fields, self.width, self.layout.number)

    def _without_comments(self, rows: list[list[str]]) -> list[list[str]]:
        kept = [row for row in rows if self._is_row(row)]
        self.comments = len(rows) - len(kept)
        self.marked = dict.fromkeys(row[0] for row in kept if row[0][0] == "#")
        note_comments(self.input, self.comments, self.marked)
        self._report_widths(kept)
        return [row for row in kept if len(row) == self.width]

    def _report_widths(self, kept: list[list[str]]) -> None:
        """Note the rows of another width; they are left out while numbers are looked at."""
        for at, row in enumerate(kept):
            if len(row) == self.width:
                continue
            place = self.lines.place(at) if self.problems.total < SHOWN else Place("")
            self.problems.add(
                Problem(
                    "columns",
                    f"line {place.line}: expected {count(self.width, 'column')} "
                    f"({self.layout.columns}), found {len(row)}",
                    place,
                    "complete or remove the line; an id cannot hold blanks",
                )
            )


def describe(found: Input, layout: Layout, rows: int, queries: int) -> None:
    """Complete what is known about a file."""
    found.format, found.rows, found.queries = layout.name, rows, queries
    if layout.notice:
        found.note(layout.notice)


def note_comments(found: Input, comments: int, marked: Collection[str]) -> None:
    """Tell of comments, and of queries that look like some."""
    if comments:
        found.note(f"{count(comments, 'comment line')} left out", rule="F03")
    if marked:
        found.note(
            f"lines of query {listed(marked)} start with # and were read as rows", rule="F03"
        )


def note_quoted(found: Input, word: str, number: int, line: int | None) -> None:
    """Tell of numbers in double quotes."""
    quoted = count(number, f"quoted {word}")
    found.note(f"{quoted} read without the quotes (first in line {line})", rule="F04")


def note_tags(found: Input, tags: Collection[str]) -> None:
    """Tell of tags that differ from query to query."""
    found.note(f"{len(tags)} tags, one per query: {listed(tags)}", rule="R22")


def note_unusable_ranks(found: Input, fault: Problem) -> None:
    """Tell why the rank column is not looked at."""
    line = None if fault.place is None else fault.place.line
    found.note(f"the rank column is not usable: line {line}: {fault.what}", rule="R08")


def two_systems(query: str, tags: Collection[str], place: Place) -> DataError:
    """The error for a file in which a query has rows of several tags."""
    return DataError(
        Problem(
            "two-systems",
            f"the tag changes inside query {query!r}: {listed(tags)} look like "
            f"{len(tags)} systems in one file",
            place,
            "split the file by its last column and give each part as a run",
        )
    )


def blocks_of(queries: Sequence[str]) -> _Blocks:
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


def _subtopic_row(table: Table, at: list[slice], grades: Floats) -> Place | None:
    """A row that grades a document otherwise under another value of column 2."""
    if table.width != 4:
        return None
    iterations, documents = table.column(1), table.column(table.layout.document)
    seen: dict[str, tuple[str, float]] = {}
    for row in (row for stretch in at for row in range(stretch.start, stretch.stop)):
        mark = "0" if iterations[row] in ("Q0", "q0") else iterations[row]
        first = seen.setdefault(documents[row], (mark, float(grades[row])))
        if first[0] != mark and first[1] != grades[row]:
            return table.lines.place(row, 1)
    return None


def ranks_of(table: Table, scores: Floats, blocks: _Blocks) -> Floats | Problem:
    """The rank column, or why it cannot be used."""
    layout = table.layout
    at = 0 if layout.rank is None else layout.rank
    fields = table.column(at)
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
    odd = [*faulty[:1], *np.flatnonzero(ranks != np.floor(ranks))[:1].tolist()]
    if not odd:
        return ranks
    place = table.lines.place(min(odd), at)
    remedy = axis_help("order_by", "score")
    if layout.number == layout.rank:
        remedy = f"a run of 3 columns is query, document, rank; {IF_SCORES}"
    return Problem("rank", f"rank {place.part!r} is not a whole number", place, remedy)
