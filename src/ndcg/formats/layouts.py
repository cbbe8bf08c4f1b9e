"""From a path to the layout of its content: as stated, or by its first bytes and lines."""

from __future__ import annotations

import re
from typing import NamedTuple

from ndcg.errors import DataError, Place, Problem
from ndcg.formats import detect
from ndcg.formats.magic import binary_kind, is_binary
from ndcg.formats.source import Input, Source, read_bytes, text_source
from ndcg.formats.trec_layouts import IF_SCORES
from ndcg.stores.asked import Asked
from ndcg.stores.columns import WANTED, name_them
from ndcg.stores.tabular import Table

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
    if stated in ("parquet", "arrow") or (stated is None and is_binary(data)):
        from ndcg.formats import parquet  # which is loaded when one is seen

        kind = binary_kind(data)
        return Opened(kind[0] if kind else "", found, parquet.table_of(data, found, kind, stated))
    source = _without_separator_line(text_source(data, found))
    layout = _STATED.get(stated or "") or detect.layout_of(source.text, role)
    if layout == "delimited":
        return _delimited(source, asked, stated)
    numbered = layout != "json" and stated is None and _numbered(asked, role)
    if not numbered and layout not in _HEADLESS:
        return Opened(layout, found, source=source)
    names, said = (None, None) if numbered else _HEADLESS[layout]
    table = _headless(source, None if names is None else names.split(), asked)
    if said is not None:
        table.note(said)
    return Opened("columns without header", found, table)


def _without_separator_line(source: Source) -> Source:
    """The text without the line in which spreadsheets name their delimiter: ``sep=;``."""
    first, end, rest = source.text.partition("\n")
    if not end or not re.fullmatch(r'"?sep=[,;\t]"?\r?', first):
        return source
    source.input.note(f"the first line ({first.strip()}) was left out")
    return Source(end + rest, source.input)  # the empty line keeps the numbers of the others


def _headless(source: Source, names: list[str] | None, asked: Asked) -> Table:
    """Blank-separated rows as a table, its columns called by their numbers if not by names."""
    from ndcg.formats.delimited import headless

    rows = detect.head_of(source.text)
    if not rows:
        what = f"{source.input.path} holds comments only: no rows, 0 queries"
        raise DataError(Problem("empty", what, Place(source.input.path), "give a file with rows"))
    names = names or [str(at) for at in range(1, len(rows[0]) + 1)]
    known = ("grade",) if source.input.role == "qrels" else ("score", "rank")
    numbers = [asked.columns.get(part, part) for part in known]
    number = next((names.index(name) for name in numbers if name in names), None)
    return headless(source, names, number)


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
    if role == "run" and detect.has_no_first_rank(rows):
        what = f"{path}: no row of the first {len(rows)} has a rank of 0 or 1"
        how = f"{IF_SCORES}; if it is a rank, --run-format trec"
        raise DataError(Problem("rank", what, Place(path), how))
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
