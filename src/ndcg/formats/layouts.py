"""From a path to the layout of its content: as stated, or by its first bytes and lines."""

from __future__ import annotations

from typing import NamedTuple

from ndcg.errors import DataError, Place, Problem
from ndcg.formats import detect
from ndcg.formats.source import Input, Source, read_bytes, text_source
from ndcg.stores.asked import Asked
from ndcg.stores.columns import WANTED, name_them
from ndcg.stores.tabular import Table

# First bytes of Parquet, Arrow and Feather files; the reader itself is loaded when they are seen.
_BINARY = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"FEA1")
# Headerless layouts of blank-separated rows, and what is said about them.
_HEADLESS = {
    "pairs": (
        "query document",
        "2 columns, read as query, document",
    ),
    "ir_datasets": (
        "query document grade iteration",
        "4 columns, read as query, document, grade, iteration, as ir_datasets writes them",
    ),
}

_STATED = {"trec": "trec", "csv": "delimited", "tsv": "delimited", "beir": "delimited",
           "json": "json", "jsonl": "json"}  # fmt: skip


def is_binary(head: bytes) -> bool:
    """Whether a file begins like one of those that hold columns."""
    return head.startswith(_BINARY)


class Opened(NamedTuple):
    """A file with its layout: a table, or text for the readers of TREC and JSON."""

    layout: str
    input: Input
    table: Table | None = None
    source: Source | None = None

    @property
    def text(self) -> Source:
        """The text of a layout that is no table."""
        if self.source is None:
            raise TypeError
        return self.source


def opened(path: str, role: str, fingerprint: bool, asked: Asked) -> Opened:
    """Read a file and tell its layout, which a stated format overrules."""
    data, found = read_bytes(path, role, fingerprint=fingerprint)
    stated = asked.format(role)
    if stated in ("parquet", "arrow") or (stated is None and data.startswith(_BINARY)):
        from ndcg.formats import parquet

        return Opened(parquet.format_of(data) or "", found, parquet.table_of(data, found, stated))
    source = text_source(data, found)
    layout = _STATED.get(stated or "") or detect.layout_of(source.text, role)
    if layout == "delimited":
        return _delimited(source, asked, stated)
    numbered = layout != "json" and stated is None and _numbered(asked, role)
    if not numbered and layout not in _HEADLESS:
        return Opened(layout, found, source=source)
    names, said = (None, None) if numbered else _HEADLESS[layout]
    table = _headless(source, None if names is None else names.split())
    if said is not None:
        table.note(said)
    return Opened("columns without header", found, table)


def _headless(source: Source, names: list[str] | None) -> Table:
    """Blank-separated rows as a table, its columns called by their numbers if not by names."""
    from ndcg.formats.delimited import headless

    width = len(detect.head_of(source.text)[0])
    return headless(source, names or [str(at) for at in range(1, width + 1)])


def _numbered(asked: Asked, role: str) -> bool:
    """Whether columns were named by number, as far as this role needs it."""
    value = "grade" in asked.columns if role == "qrels" else {"score", "rank"} & {*asked.columns}
    return bool(value) and all(name.isdecimal() for name in asked.columns.values())


def _delimited(source: Source, asked: Asked, stated: str | None) -> Opened:
    from ndcg.formats import delimited

    delimiter = "\t" if stated in ("tsv", "beir") else None
    table = delimited.table_of(source, asked, delimiter)
    kind = "tsv" if table.delimiter == "\t" else "csv"
    return Opened(kind, source.input, table)


def refuse_layout(source: Source, role: str, asked: Asked) -> None:
    """Refuse rows of the right width whose content shows that they are something else."""
    if asked.format(role) == "trec":
        return
    path = source.input.path
    rows = detect.head_of(source.text)
    if rows and detect.is_timed(rows):
        what = "ratings with times (user, item, rating, time), as MovieLens has them"
        how = name_them({"query": "1", "document": "2", "grade": "3"})
        word = "not-a-run" if role == "run" else "not-qrels"
        raise DataError(
            Problem(word, f"{path} looks like {what}, not {WANTED[role]}", Place(path),
                    f"if the rating is the grade, {how}")
        )  # fmt: skip
    undecided = role == "qrels" and rows and detect.is_undecided(rows)
    if undecided and detect.is_undecided(detect.records(source.text)):
        what = (
            f"{path}: columns 2 and 3 cannot be told apart: every last column is 0, so this may be "
            "query, document, grade, iteration"
        )
        how = name_them({"query": "1", "document": "2", "grade": "3"})
        raise DataError(
            Problem("columns", what, Place(path), f"--qrels-format trec if column 4 is the grade; "
                    f"else {how}")
        )  # fmt: skip
