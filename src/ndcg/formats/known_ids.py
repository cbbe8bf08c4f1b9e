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
    _refuse_other(data, path)
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
        raise DataError(Problem("columns", what, help=_HOW))
    return known, unread


_HEADS = {"id", "_id", "docid", "doc_id", "docno", "document", "document_id", "corpus-id", "pid"}


def _refuse_other(data: bytes, path: str) -> None:
    """Refuse tables and JSON lists, whose lines do not begin with ids."""
    first = data.lstrip()[:200].split(b"\n", 1)[0].decode("utf-8", "replace").strip()
    head = first.split(",")[0].split(";")[0].strip('"\ufeff ').lower()
    if first.startswith("["):
        what = f"{path} is a JSON list"
    elif head in _HEADS and head != first.lower():
        what = f"{path} is a table with a line of heads"
    else:
        return
    raise DataError(Problem("columns", what, help=_HOW))


_HOW = 'give JSON lines with "_id" (or "id"), or a line for each document, its id first'


def _named(line: bytes) -> str | None:
    if line.lstrip()[:1] == b"{":
        return id_of(line)
    return next(_fields(line), None)


def _fields(line: bytes) -> Iterator[str]:
    """The first field of a line, which a tab ends where there is one."""
    mark = b"\t" if b"\t" in line else None
    for field in line.split(mark, 1)[:1]:
        yield field.strip().decode("utf-8", "replace")
