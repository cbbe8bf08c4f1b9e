"""From a path to text: read, decompressed by magic bytes, decoded."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ndcg.errors import DataError, Notice, Place, Problem, note
from ndcg.formats.magic import is_binary, kind_of, refuse_binary
from ndcg.formats.opening import raw_bytes
from ndcg.formats.unpacking import unpacked
from ndcg.stores.columns import Roles
from ndcg.stores.tabular import Table

_SUFFIXES = (
    ".gz", ".bz2", ".xz", ".zst", ".txt", ".tsv", ".csv", ".json", ".jsonl", ".parquet", ".arrow",
    ".feather", ".trec", ".run", ".qrels",
)  # fmt: skip
LONGEST_LINE = 64 << 20  # bytes; the records of longer ones would take gigabytes


@dataclass(slots=True)
class Input:
    """What is known about a file that was read."""

    path: str
    role: str  # "qrels" or "run"
    sha256: str | None = None  # of the bytes as they lie on disk
    format: str = ""
    rows: int = 0
    queries: int = 0
    notices: list[Notice] = field(default_factory=list)

    @property
    def stem(self) -> str:
        """The file's name without the suffixes that say what it is."""
        name = os.path.basename(self.path)
        while name.endswith(_SUFFIXES):
            name = name[: name.rindex(".")] or name
            if name.startswith("."):
                break
        return name or self.path

    def to_dict(self) -> dict[str, Any]:
        """The input as JSON carries it."""
        return {
            "path": self.path,
            "sha256": self.sha256,
            "format": self.format,
            "rows": self.rows,
        }

    def note(self, what: str, help: str | None = None, rule: str = "F05") -> None:  # noqa: A002 -- the field's word
        """Record something the user should know about the file."""
        self.notices.append(note(f"{self.path}: {what}", help, rule))

    def took(self, kind: str, table: Table, roles: Roles) -> None:
        """Record that the file was read as a table, and by which columns."""
        self.format = f"{kind} ({roles})"
        self.rows = table.n - len(table.faults)
        self.notices += table.notices

    def took_nested(self, notices: Sequence[Notice], rows: int) -> None:
        """Record that the file was read as a dictionary by query."""
        self.format, self.rows = "json dictionary", rows
        self.notices += notices


@dataclass(frozen=True, slots=True)
class Source:
    """A file's text, ready to be taken apart."""

    text: str
    input: Input


def read_source(path: str, role: str, *, fingerprint: bool) -> Source:
    """Read a file whole: decompressed, decoded, one byte order mark stripped.

    Raises
    ------
    DataError
        For what cannot be opened, decompressed or decoded, and for a file with nothing in it.
    """
    return text_source(*read_bytes(path, role, fingerprint=fingerprint))


def read_bytes(path: str, role: str, *, fingerprint: bool) -> tuple[bytes, Input]:
    """Read a file whole and decompress it."""
    raw = raw_bytes(path)
    found = Input(path, role)
    if fingerprint:
        from hashlib import sha256

        found.sha256 = sha256(raw).hexdigest()
    kind = kind_of(raw, path)
    data = raw if kind is None else unpacked(raw, kind, path)
    if len(data) > LONGEST_LINE:
        _refuse_long_lines(data, path)
    return data, found


def _refuse_long_lines(data: bytes, path: str) -> None:
    """Refuse rows so long that they are none; JSON may stand in one line, and columns in none."""
    if is_binary(data) or data[:64].removeprefix(b"\xef\xbb\xbf").lstrip()[:1] in (b"{", b"["):
        return
    mark = b"\n" if b"\n" in data else b"\r"
    begin = 0
    while len(data) - begin > LONGEST_LINE:
        end = data.rfind(mark, begin, begin + LONGEST_LINE + 1)
        if end < 0:
            raise long_line(path, data.count(mark, 0, begin) + 1)
        begin = end + 1


def long_line(path: str, number: int) -> DataError:
    """The error for a line that is longer than lines may be."""
    what = f"{path}: line {number} is longer than {LONGEST_LINE >> 20} MiB, so it is no row"
    how = "the file may be of another format, or have no line ends: give one row a line"
    return DataError(Problem("syntax", what, Place(path, number), how))


def text_source(data: bytes, found: Input) -> Source:
    """Decode the bytes of a file, one byte order mark stripped; refuse a file of blanks."""
    path, role = found.path, found.role
    text = decoded(data, path)
    if text.startswith("\ufeff"):
        text = text[1:]
        found.note("1 byte order mark was stripped", rule="F01")
    if "\r" in text and "\n" not in text:
        text = text.replace("\r", "\n")
        found.note("lines end with CR alone; each was read as a line", rule="F01")
    if not text.strip():
        raise DataError(
            Problem(
                "empty",
                f"{_called(path)} is empty: no {_rows_of(role)}, 0 queries",
                Place(path),
                f"give a file with {_rows_of(role)}",
            )
        )
    return Source(text, found)


def _called(path: str) -> str:
    return "standard input" if path == "-" else path


def _rows_of(role: str) -> str:
    return {"qrels": "judgments", "run": "ranked documents"}.get(role, role)


def decoded(data: bytes, path: str, before: int = 0) -> str:
    """A file's bytes as text, or those of a part with some lines `before` it."""
    refuse_binary(data, path)
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = before + data.count(b"\n", 0, error.start) + 1
        begin = data.rfind(b"\n", 0, error.start) + 1
        text = data[begin : data.find(b"\n", begin) % (len(data) + 1)].decode("latin-1")
        raise DataError(
            Problem(
                "encoding",
                f"{path} is not UTF-8 text: byte 0x{data[error.start]:02x} in line {line}",
                Place(path, line, text, chr(data[error.start])),
                "save it as UTF-8, for example: iconv -f LATIN1 -t UTF-8 FILE",
            )
        ) from None
