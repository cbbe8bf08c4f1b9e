"""Which ids a collection knows: the ``_id`` of JSON lines, or the first field of each line."""

from __future__ import annotations

from collections.abc import Iterator

from ndcg.errors import DataError, Problem
from ndcg.formats.beir import id_of
from ndcg.formats.source import read_bytes


def known_ids(path: str) -> tuple[set[str], int]:
    """The ids that the lines of a collection have, and how many lines show none.

    Raises
    ------
    DataError
        When the file cannot be read, or none of its lines shows an id.
    """
    data, _ = read_bytes(path, "corpus", fingerprint=False)
    known: set[str] = set()
    unread = 0
    for line in filter(bytes.strip, data.split(b"\n")):
        name = _named(line)
        if name is None:
            unread += 1
        else:
            known.add(name)
    if not known:
        what = f"{path} names no document"
        how = 'give JSON lines with "_id" (or "id"), or a line for each document, its id first'
        raise DataError(Problem("columns", what, help=how))
    return known, unread


def _named(line: bytes) -> str | None:
    if line.lstrip()[:1] == b"{":
        return id_of(line)
    return next(_fields(line), None)


def _fields(line: bytes) -> Iterator[str]:
    """The first field of a line, which a tab ends where there is one."""
    mark = b"\t" if b"\t" in line else None
    for field in line.split(mark, 1)[:1]:
        yield field.strip().decode("utf-8", "replace")
