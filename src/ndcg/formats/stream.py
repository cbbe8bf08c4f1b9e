"""Large TREC runs, read block by block: Polars takes the plain blocks, the row reader the others.

A block is plain if every line has exactly the columns, with single separators, and no line looks
like a comment; and if Polars reads its numbers as the number grammar has them. Everything else,
from quoted numbers to faults with their lines, is left to `trec.Table`, so both ways say the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcg.errors import DataError, Place, Problem, Problems, count
from ndcg.formats import chunks, detect, layouts, trec
from ndcg.formats.magic import is_binary
from ndcg.formats.rows import Lines, split_rows
from ndcg.formats.source import Input, decoded, long_line, text_source
from ndcg.formats.survey import Survey
from ndcg.formats.trec_layouts import RUN
from ndcg.formats.trec_width import width_of
from ndcg.kernel import Floats
from ndcg.stores.asked import Asked
from ndcg.stores.blocks import Block, Blocks, block_of
from ndcg.stores.table import TableRankings
from ndcg.stores.values import is_failure

if TYPE_CHECKING:
    from polars import DataFrame, Series

BLOCK = 6 << 20  # bytes; larger ones cost memory, smaller ones time
_HEAD = 1 << 18  # bytes that tell the layout
Bytes = NDArray[np.uint8]

_BOM = b"\xef\xbb\xbf"
# What Polars would unpack: gzip, zstd, and zlib, whose first bytes may begin an id.
_PACKED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd", b"x\x01", b"x\x5e", b"x\x9c", b"x\xda")


def run(
    path: str, *, fingerprint: bool, asked: Asked, size: int = BLOCK
) -> tuple[TableRankings, Input] | None:
    """A run that is streamed, or None for a file that has to be read whole.

    Its notices and its name are complete once it was read, which `Rankings.prepare` does.
    """
    if asked.lenient or asked.run_format not in (None, "trec"):
        return None
    found = Input(path, "run")
    head = chunks.head(path, _HEAD)
    if b"\n" not in head or b"\0" in head or not head.strip() or is_binary(head):
        return None
    source = text_source(head[: head.rindex(b"\n") + 1], found)
    if asked.run_format is None and detect.layout_of(source.text, "run") != "trec":
        return None
    layouts.refuse_layout(source, "run", asked)
    rows = [row for row in split_rows(source.text) if row]
    try:
        width = width_of(source, rows, RUN, "run")
    except DataError as error:
        if error.problems[0].word == "empty":  # comments: what follows them decides
            return None
        raise
    if fingerprint:
        found.sha256 = chunks.fingerprint(path)
    separator = "\t" if "\t" in source.text.partition("\n")[0] else " "
    blocks = TextBlocks(found, width, separator, size)
    return TableRankings(blocks, found.stem), found


class _Part(trec.Table):
    """The rows of one block, taken apart in Python; what is to be said is kept, not said."""

    def __init__(self, path: str, text: str, width: int, before: int) -> None:
        self.input = Input(path, "run")
        self.width, self.layout = width, RUN[width]
        self.lines = Lines(path, text, self._is_row, width, before)
        self.problems = Problems()
        kept = self._without_comments([row for row in split_rows(text) if row])
        self._columns = [*zip(*kept, strict=True)] or [()] * width


class _Rows(NamedTuple):
    """The rows of a block, however they were read."""

    block: Block
    tags: Series | None


class TextBlocks(Blocks):
    """The rows of a TREC run on disk, block by block; the first pass notes what is to be said."""

    def __init__(self, found: Input, width: int, separator: str, size: int) -> None:
        self.input, self.width, self.separator, self.size = found, width, separator, size
        self.layout = RUN[width]
        self.word = "score" if self.has("scores") else "rank"
        self.stamp = chunks.stamp(found.path)
        self.surveyed = False
        self.remarks = 0  # comments, quoted numbers and rows that look like comments

    def are_plain(self, width: int) -> bool:
        """Whether all rows have so many columns and nothing that is left out or unquoted."""
        return self.width == width and not self.remarks

    def has(self, column: str) -> bool:
        """Whether there is a column of ``scores``, or usable ``ranks``."""
        if column == "scores":
            return self.layout.number != self.layout.rank
        return self.rank_fault is None

    def __iter__(self) -> Iterator[Block]:
        """All rows; in the first pass the file is surveyed, its faults are raised at the end."""
        survey = None if self.surveyed else Survey(self.input, self.layout)
        before, texts = 0, self._texts()
        while data := self._next(texts, before):
            rows = self._plain(data)
            lines = data.count(b"\n") if rows is None else len(rows.block.documents)
            if rows is None:
                rows = self._parsed(data, before, survey)
            if survey is not None and rows.block.queries:
                survey.block(rows.block, rows.tags, partial(self._at, data, before))
            yield rows.block
            before += lines
        if survey is not None:
            self.name = survey.finish()
            self.surveyed = True
            self.remarks = survey.comments + survey.quoted + len(survey.marked)

    def _next(self, texts: Iterator[bytes], before: int) -> bytes:
        """The next piece of the file, empty at its end."""
        try:
            return next(texts, b"")
        except chunks.LongLine:
            raise long_line(self.input.path, before + 1) from None

    def _at(self, data: bytes, before: int, row: int) -> Place:
        """Where the tag of a row stands."""
        part = _Part(self.input.path, decoded(data, self.input.path), self.width, before)
        return part.lines.place(row, self.layout.tag)

    def _texts(self) -> Iterator[bytes]:
        """The file in pieces of whole lines, without its byte order mark."""
        self._check_unchanged()
        for number, data in enumerate(chunks.whole_lines(self.input.path, self.size)):
            text = data.removeprefix(_BOM) if number == 0 else data
            yield text if text.endswith(b"\n") else text + b"\n"  # the last line may have none
        self._check_unchanged()

    def _check_unchanged(self) -> None:
        if chunks.stamp(self.input.path) != self.stamp:
            what = f"{self.input.path} changed while it was read"
            raise DataError(Problem("file", what, Place(self.input.path), "read it again"))

    def _plain(self, data: bytes) -> _Rows | None:
        """The rows of a plain block; None for any other."""
        if b"\r" in data:
            data = data.replace(b"\r\n", b"\n")  # which is how the row reader has it
        if data.startswith((_BOM, *_PACKED)):
            return None
        frame = _read(data, self.separator, self._schema())
        byte = np.frombuffer(data, np.uint8)
        # Polars has seen to it that no row has more fields, so nulls and bytes tell the rest: that
        # no field is missing or empty, no line is blank, and nothing else separates fields.
        if frame is None or any(frame.null_count().row(0)):
            return None
        if np.count_nonzero(byte < 33) != frame.height * self.width:
            return None
        if "score" in frame.columns and not self._are_numbers(frame["score"], data, byte):
            return None
        rows = _rows(frame)
        return None if any(query[0] == "#" for query in rows.block.queries) else rows

    def _are_numbers(self, scores: Series, data: bytes, byte: Bytes) -> bool:
        """Whether scores that Polars has read are numbers in our grammar too."""
        if not np.isfinite(scores.to_numpy()).all():
            return False
        # Only numbers with a point that no digit follows are read there and not here.
        point = np.flatnonzero(byte == 46)
        after = byte[point + 1]
        if not ((after < 33) | (after == 69) | (after == 101)).any():
            return True
        texts = _read(data, self.separator, {**self._schema(), "score": None})
        return texts is not None and not texts["score"].str.contains(r"\.(?:$|[eE])").any()

    def _schema(self) -> dict[str, str | None]:
        """The columns in order, with the kind of number that they hold."""
        names: list[str] = ["query", *["ignored"] * (self.width - 1)]
        names[self.layout.document] = "document"
        if self.layout.tag is not None:
            names[self.layout.tag] = "tag"
        if self.has("scores"):
            names[self.layout.number] = "score"
        if self.layout.rank is not None:
            used = self.rank_fault is None or not self.has("scores")
            names[self.layout.rank] = "rank" if used else "unusable"
        kinds = {"score": "Float64", "rank": "Int64"}
        return {name: kinds.get(name) for name in names}

    def _parsed(self, data: bytes, before: int, survey: Survey | None) -> _Rows:
        """The rows of a block by the row reader."""
        import polars as pl

        text = decoded(data, self.input.path, before)
        part = _Part(self.input.path, text, self.width, before)
        widths, part.problems = part.problems, Problems()
        numbers, quoted = part.noted_numbers(self.word)
        if survey is not None:
            add(survey.widths, widths)
            add(survey.faults, part.problems)
            survey.part(part, quoted)
        columns: dict[str, Any] = {"query": part.column(0)}
        columns["document"] = part.column(self.layout.document)
        if self.layout.tag is not None:
            columns["tag"] = part.column(self.layout.tag)
        texts = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
        found = {"score": numbers} if self.has("scores") else {}
        ranks = self._ranks(part, numbers, survey)
        if ranks is not None:
            found["rank"] = ranks
        return _rows(texts.with_columns(pl.Series(name, one) for name, one in found.items()))

    def _ranks(self, part: _Part, numbers: Floats, survey: Survey | None) -> Floats | None:
        """The ranks of a block, None from the first one on that is no whole number."""
        if self.rank_fault is not None or not len(numbers):
            return None if self.rank_fault else numbers
        ranks = trec.ranks_of(part, numbers, trec.blocks_of(part.column(0)))
        if not isinstance(ranks, Problem):
            return ranks
        self.rank_fault = ranks
        if survey is not None:
            survey.rank_fault = ranks
        return None

    def locate(self, query: str, document: str) -> list[Place]:
        """Where a pair stands in the file."""
        needle, places, before = document.encode(), list[Place](), 0
        for data in self._texts():
            at, above, counted = data.find(needle), before, 0
            while at >= 0:
                begin, end = data.rfind(b"\n", 0, at) + 1, data.find(b"\n", at)
                above, counted = above + data.count(b"\n", counted, begin), begin
                text = data[begin:end].decode(errors="replace")
                lines = Lines(self.input.path, text, bool, self.width, above)
                places += lines.find(query, document, self.layout.document)
                at = data.find(needle, end)
            before += data.count(b"\n")
        return places

    def scattered(self, queries: int) -> None:
        """Say why memory is needed that other runs do without."""
        number = count(queries, "query", "queries")
        self.input.note(
            f"the rows of {number} do not stand together; they are held in memory",
            "sort the run by its first column",
        )


def _rows(frame: DataFrame) -> _Rows:
    return _Rows(block_of(frame), frame["tag"] if "tag" in frame.columns else None)


def _read(data: bytes, separator: str, schema: dict[str, str | None]) -> DataFrame | None:
    """A block as Polars reads it, numbers as doubles; None where it does not fit the columns."""
    import polars as pl

    kinds = {
        name: pl.String if kind is None else getattr(pl, kind) for name, kind in schema.items()
    }
    try:
        frame = pl.read_csv(
            data, has_header=False, separator=separator, quote_char=None, schema=kinds
        )
    except BaseException as error:
        if not is_failure(error):
            raise
        return None  # the row reader says what is wrong, if anything is
    wide = [name for name, kind in schema.items() if kind == "Int64"]
    return frame.with_columns(pl.col(wide).cast(pl.Float64)) if wide else frame


def add(problems: Problems, more: Problems) -> None:
    """Add the problems of a part to those of the whole."""
    for problem in more.first:
        problems.add(problem)
    problems.total += more.total - len(more.first)
