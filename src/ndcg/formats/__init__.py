"""Files into judgments and runs: the role comes from the caller, the layout is detected."""

from __future__ import annotations

import os

from ndcg.errors import DataError, Place, Problem
from ndcg.formats import large, trec
from ndcg.formats.layouts import Opened, opened, refuse_layout
from ndcg.formats.source import Input
from ndcg.formats.unpacking import too_large
from ndcg.stores import taking
from ndcg.stores.asked import Asked
from ndcg.stores.given import Judgments, Rankings

__all__ = ["FORMATS", "Input", "read_qrels", "read_run"]

# Names of `--qrels-format` and `--run-format`; without one the content tells.
FORMATS = ("trec", "csv", "tsv", "json", "jsonl", "beir", "parquet", "arrow")
_AS_IT_LOOKS = Asked({}, set())


def read_qrels(
    path: str, *, fingerprint: bool = False, asked: Asked = _AS_IT_LOOKS
) -> tuple[Judgments, Input]:
    """Read judgments; ``-`` is standard input, a directory a BEIR folder.

    Raises
    ------
    DataError
        When the file cannot be read or is not what it should be; up to ten problems are named
        with their lines, the others are counted.
    """
    if os.path.isdir(path):
        return _read_folder(path, fingerprint, asked)
    try:
        judgments, found = _qrels(opened(path, "qrels", fingerprint, asked), asked)
    except MemoryError:
        raise too_large(path) from None
    found.queries = len(judgments.given)
    if not judgments.given:
        what = f"{path} is empty: no judgments, 0 queries"
        raise DataError(Problem("empty", what, Place(path), "give a file with judgments"))
    return judgments, found


def read_run(
    path: str, *, fingerprint: bool = False, asked: Asked = _AS_IT_LOOKS
) -> tuple[Rankings, Input]:
    """Read one system's run; ``-`` is standard input. Raises as `read_qrels` does."""
    is_large = large.is_large(path)
    streamed = large.run(path, fingerprint=fingerprint, asked=asked) if is_large else None
    if streamed is not None:
        return streamed
    try:
        rankings, found = _run(opened(path, "run", fingerprint, asked), asked)
    except MemoryError:
        raise too_large(path) from None
    found.queries = len(rankings.queries)
    if is_large:
        large.note_held(found)
    return rankings, found


def _qrels(file: Opened, asked: Asked) -> tuple[Judgments, Input]:
    """Judgments by the layout that was found."""
    if file.table is not None:
        judgments, roles = taking.judgments(file.table, asked)
        file.input.took(file.layout, file.table, roles)
    elif file.layout == "json":
        from ndcg.formats import json_rows

        judgments = json_rows.qrels(file.text, asked)
    else:
        refuse_layout(file.text, "qrels", asked)
        source, skipped = trec.usable(file.text, "qrels", lenient=asked.lenient)
        judgments, _ = trec.qrels(source)
        judgments.skipped = skipped
    return judgments, file.input


def _run(file: Opened, asked: Asked) -> tuple[Rankings, Input]:
    """A run by the layout that was found."""
    rankings: Rankings
    if file.table is not None:
        rankings, roles = taking.rankings(file.table, file.input.stem, asked)
        file.input.took(file.layout, file.table, roles)
    elif file.layout == "json":
        from ndcg.formats import json_rows

        rankings = json_rows.run(file.text, asked)
    else:
        refuse_layout(file.text, "run", asked)
        source, skipped = trec.usable(file.text, "run", lenient=asked.lenient)
        rankings, _ = trec.run(source)
        rankings.skipped = skipped
    return rankings, file.input


def _read_folder(folder: str, fingerprint: bool, asked: Asked) -> tuple[Judgments, Input]:
    """The judgments of a BEIR folder, compared with its corpus and its queries."""
    from ndcg.formats import beir

    path, choice = beir.qrels_file(folder)
    judgments, found = read_qrels(path, fingerprint=fingerprint, asked=asked)
    if choice is not None:
        found.note(choice)
    beir.note_strangers(folder, judgments, found)
    return judgments, found
