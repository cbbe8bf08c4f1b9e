"""Judgments and runs as trec_eval reads them: its rows, its numbers, its comments.

Ids are bytes there. They are decoded as UTF-8 where all files are, else as Latin-1: both order text
as its bytes are ordered and give the same bytes back.
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from ndcg.axes import number_text
from ndcg.compat.c_text import atof, atol
from ndcg.convention import Convention
from ndcg.errors import DataError, NdcgError, Place, Problem, count, listed
from ndcg.formats import chunks, large
from ndcg.formats.magic import MAGIC, kind_of
from ndcg.formats.rows import field_counts, numbers
from ndcg.formats.source import Input, read_bytes
from ndcg.formats.trec import blocks_of
from ndcg.kernel import Floats
from ndcg.stores.asked import Asked
from ndcg.stores.given import Judged, Judgments, Listing, Locate, Rankings
from ndcg.stores.mapping import MappingRankings

_BOM_READ = "trec_eval takes the byte order mark for a part of the first query's id"
_TAIL = 1 << 16  # bytes at the end of a file that hold its last row
_WHOLE = partial(re.fullmatch, r"[+-]?[0-9]+", flags=re.ASCII)
_BLANKS = b" \t\n\r\v\f"
_SPLITS = re.compile(rb"[\x1c-\x1f]")  # bytes that str.split() takes for blanks
_MARK = re.compile(rb"^[ \t\r\v\f]*#", re.MULTILINE)


class Layout(NamedTuple):
    """The rows of a kind of file."""

    columns: str
    role: str
    exact: bool = True  # no further columns
    blank: bool = False  # blank lines are left out
    comments: bool = True  # trec_eval 10 knows them

    @property
    def width(self) -> int:
        """How many columns a row has."""
        return len(self.columns.split())


QRELS = Layout("query iteration document grade", "qrels")
GROUPS = Layout("query group document grade", "qrels")
PREFERENCES = Layout("query group subgroup document level", "qrels")
RUN = Layout("query Q0 document rank score tag", "run", exact=False, blank=True)
ZSCORES = Layout("query measure mean deviation", "z-scores", comments=False)


class Row(NamedTuple):
    """The fields of a row, and where it stands."""

    fields: list[str]
    number: int  # of the line, from 1
    line: str


class Table(NamedTuple):
    """The columns of a file; the rows can be found again."""

    path: str
    columns: list[list[str]]
    rows: Callable[[], Iterator[Row]]
    notes: list[str]  # what was read otherwise than it looks

    def place(self, row: int, field: int) -> Place:
        """Where a field of the row of that number (from 0) stands."""
        return self._marked(next(islice(self.rows(), row, None)), field)

    def locate(self, query: str, document: str) -> Sequence[Place]:
        """Where a pair stands; documents are in the third column."""
        return [
            self._marked(row, 2)
            for row in self.rows()
            if row.fields[0] == query and row.fields[2] == document
        ]

    def _marked(self, row: Row, field: int) -> Place:
        start = [found.start() for found in re.finditer(r"[^ \t\r\v\f]+", row.line)][field]
        return Place(self.path, row.number, row.line, row.fields[field], start)


def _nowhere(_query: str, _document: str) -> Sequence[Place]:
    return ()


class Qrels(NamedTuple):
    """Judgments, and what trec_eval says of them query by query."""

    judgments: Judgments
    repeated: dict[str, str]  # query -> a document that it judges twice
    relevant: int  # rows with a grade above 0
    notes: list[str]  # what was read otherwise than it looks
    locate: Locate = _nowhere


class Run(NamedTuple):
    """A run, and the tag of its last row."""

    rankings: Rankings
    tag: str
    notes: list[str]  # what was read otherwise than it looks
    locate: Locate = _nowhere


class Reading(NamedTuple):
    """How files are read: the version of trec_eval, and the encoding of ids."""

    version: int
    encoding: str = "utf-8"
    held: Mapping[str, bytes] = MappingProxyType({})  # what cannot be read twice


def table_of(path: str, layout: Layout, how: Reading) -> Table:
    """The rows of a file, taken apart as trec_eval does.

    Raises
    ------
    DataError
        For rows without the columns, and for a file that holds nothing.
    UnicodeDecodeError
        For a file in another encoding.
    """
    data = how.held.get(path)
    if data is None:
        data, _ = read_bytes(path, layout.role, fingerprint=False)
    if not data:
        raise _empty(path, layout)
    if b"\0" in data:
        what = f"{path} holds NUL bytes"
        raise DataError(Problem("encoding", what, Place(path), "give a text file"))
    width = layout.width
    counts = field_counts(data)
    body = counts[:-1] if data.endswith(b"\n") else counts
    marked = how.version == 10 and layout.comments and _MARK.search(data)

    def rows() -> Iterator[Row]:
        return _rows(path, data, layout, how)

    notes = [f"note: {path}: {_BOM_READ}"] if data.startswith(b"\xef\xbb\xbf") else []
    if not marked and (body == width).all():
        fields = _fields(data, how.encoding)
        return Table(path, [fields[at::width] for at in range(width)], rows, notes)
    found = [row.fields for row in rows()]
    return Table(path, [[row[at] for row in found] for at in range(width)], rows, notes)


def _fields(data: bytes, encoding: str) -> list[str]:
    if _SPLITS.search(data) or not data.isascii():  # str.split() takes more for blanks
        return b"\n".join(data.split()).decode(encoding).split("\n")
    return data.decode("ascii").split()


def _rows(path: str, data: bytes, layout: Layout, how: Reading) -> Iterator[Row]:
    lines = (data[:-1] if data.endswith(b"\n") else data).split(b"\n")
    comments = how.version == 10 and layout.comments
    skipped = False  # of comments that follow each other, a file of judgments may have one
    for number, line in enumerate(lines, 1):
        start = line.lstrip(_BLANKS) if layout.blank else line
        if layout.blank and not start:
            continue
        if comments and start.startswith(b"#") and (layout.blank or not skipped):
            skipped = True
            continue
        skipped = False
        fields = line.split()
        if len(fields) < layout.width or (layout.exact and len(fields) > layout.width):
            raise _malformed(path, layout, number, line)
        named = [one.decode(how.encoding) for one in fields[: layout.width]]
        yield Row(named, number, _shown(line))
    if skipped and not layout.blank:
        raise DataError(
            Problem(
                "columns",
                "the last line is a comment, and trec_eval crashes on that",
                Place(path, len(lines), _shown(lines[-1])),
                "remove the comment, or put it before a row",
            )
        )


def _shown(line: bytes) -> str:
    """A line as messages show it."""
    return line.decode("utf-8", "backslashreplace")


def _empty(path: str, layout: Layout) -> DataError:
    what = f"{path} is empty: no {layout.role}"
    return DataError(Problem("empty", what, Place(path), f"rows are: {layout.columns}"))


def _malformed(path: str, layout: Layout, number: int, line: bytes) -> DataError:
    found = count(len(line.split()), "column")
    exactly = "exactly" if layout.exact else "at least"
    how = "complete or remove the line" + ("; blank lines are no rows" if layout.exact else "")
    other = {(QRELS, RUN.width): "a run", (RUN, QRELS.width): "judgments"}
    looks = other.get((layout, len(line.split())))
    if looks is not None and number == 1:
        how = f"it looks like {looks}: the judgments come first, then the run"
    return DataError(
        Problem(
            "columns",
            f"line {number}: {found}, where trec_eval reads {exactly} {layout.width} "
            f"({layout.columns})",
            Place(path, number, _shown(line)),
            how,
        )
    )


def qrels_of(path: str, how: Reading) -> Qrels:
    """Judgments by query; of several of one document the last grade is kept."""
    table = table_of(path, QRELS, how)
    grades, notes = whole_grades(path, table.columns[3])
    notes = [*table.notes, *notes]
    documents, values = table.columns[2], grades.tolist()
    given: dict[str, dict[str, float]] = {}
    repeated: dict[str, str] = {}
    for query, at in blocks_of(table.columns[0]).items():
        pairs = [(documents[i], values[i]) for part in at for i in range(part.start, part.stop)]
        own = dict(pairs)
        if len(own) < len(pairs):
            repeated[query] = _first_repeated(document for document, _ in pairs)
        given[query] = own
    return Qrels(Judgments(given), repeated, int((grades > 0).sum()), notes, table.locate)


def _first_repeated(documents: Iterable[str]) -> str:
    seen = set[str]()
    for document in documents:
        if document in seen:
            return document
        seen.add(document)
    raise ValueError("nothing is repeated")


def whole_grades(path: str, fields: list[str]) -> tuple[Floats, list[str]]:
    """Grades as whole numbers, and a note where they are none."""
    found = {field: float(atol(field)) for field in set(fields)}
    odd = {one: number_text(grade) for one, grade in sorted(found.items()) if not _WHOLE(one)}
    return np.array([found[field] for field in fields], np.float64), as_c(path, "grade", odd)


def as_c(path: str, word: str, read: Mapping[str, str]) -> list[str]:
    """A note on fields that C reads as another number than they look like, or as one at all."""
    if not read:
        return []
    few = listed((f"{field!r} as {number}" for field, number in read.items()), 3)
    return [f"note: {path}: {word}s that are no plain numbers were read as trec_eval does: {few}"]


def run_of(path: str, how: Reading, judged: Judged, convention: Convention) -> Run:
    """A run; a large one is streamed while it has nothing that is read otherwise here."""
    held = []
    if large.is_large(path):
        streamed = _streamed(path, judged, convention) if how.encoding == "utf-8" else None
        if streamed is not None:
            return streamed
        found = Input(path, "run")
        large.note_held(found)
        held = [*map(str, found.notices)]
    table = table_of(path, RUN, how)
    queries, _, documents, _, scores, tags = table.columns
    values, notes = _scores(table, scores, how.version)
    given = {
        query: Listing(
            [documents[i] for part in at for i in range(part.start, part.stop)],
            np.concatenate([values[part] for part in at]),
        )
        for query, at in blocks_of(queries).items()
    }
    tag = tags[-1] if tags else "(null)"
    return Run(MappingRankings(given), tag, [*held, *table.notes, *notes], table.locate)


def _streamed(path: str, judged: Judged, convention: Convention) -> Run | None:
    """A large run as a stream, already laid over the judgments; None where it is no plain one."""
    try:
        found = large.run(path, fingerprint=False, asked=Asked({}, set(), run_format="trec"))
        if found is None:
            return None
        rankings = found[0]
        rankings.prepare(judged, convention)
    except NdcgError:  # the other reader finds the fault, or none
        return None
    marked = chunks.head(path, 3).startswith(b"\xef\xbb\xbf")
    if marked or not rankings.blocks.are_plain(RUN.width):
        return None
    return Run(rankings, _last_tag(path), [], rankings.blocks.locate)


def _last_tag(path: str) -> str:
    """The tag of the last row; a file that is not compressed is read from its end."""
    with open(path, "rb") as file:
        if kind_of(file.read(MAGIC), path) is None:
            file.seek(-min(os.path.getsize(path), _TAIL), os.SEEK_END)
            fields = file.read().rstrip().rpartition(b"\n")[2].split()
            if len(fields) == RUN.width:
                return fields[-1].decode("utf-8")
    last = b""
    for piece in chunks.whole_lines(path, 1 << 22):
        last = piece if piece.strip() else last
    return last.split()[-1].decode("utf-8")


def _scores(table: Table, fields: list[str], version: int) -> tuple[Floats, list[str]]:
    """Scores as C reads them, in an order that has no infinity, and a note on odd ones."""
    values, faulty, quoted = numbers(fields)
    odd: dict[str, str] = {}
    for at in sorted({*faulty, *quoted}):
        values[at] = atof(fields[at])
        odd[fields[at]] = f"{values[at]:g}"
        if math.isnan(values[at]):
            raise DataError(
                Problem(
                    "score",
                    f"score {fields[at]!r} is not a number, and trec_eval's order of documents "
                    "with such scores depends on the C library",
                    table.place(at, 4),
                    "give every document a score that is a number",
                )
            )
    notes = as_c(table.path, "score", odd)
    if np.isfinite(values).all():
        return values, notes
    if version == 9:
        with np.errstate(over="ignore"):
            values = values.astype(np.float32).astype(np.float64)
    _, place = np.unique(values, return_inverse=True)
    return place.astype(np.float64), notes
