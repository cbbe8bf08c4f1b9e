"""From a path to text: opening, decompressing by magic bytes, decoding."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Thread
from typing import Any, BinaryIO

from ndcg.errors import DataError, Notice, Place, Problem, did_you_mean, note
from ndcg.formats.magic import is_binary, kind_of
from ndcg.formats.unpacking import too_large, unpacked
from ndcg.stores.columns import Roles
from ndcg.stores.tabular import Table

_SUFFIXES = (
    ".gz", ".bz2", ".xz", ".zst", ".txt", ".tsv", ".csv", ".json", ".jsonl", ".parquet", ".arrow",
    ".feather", ".trec", ".run", ".qrels",
)  # fmt: skip
LONGEST_LINE = 64 << 20  # bytes; the records of longer ones would take gigabytes
WRITER_SECONDS = 10.0  # that a FIFO is waited for
_SNIFFED = 1 << 16  # bytes by which what is no text is told before the rest is read


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
    raw = _raw_bytes(path)
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


def _raw_bytes(path: str) -> bytes:
    try:
        if path == "-":
            if sys.stdin is None:
                raise unreadable("standard input", "is closed", "pipe the file into it")
            return sys.stdin.buffer.read()
        with open(path, "rb", opener=_open) as file:
            return _whole(file, path)
    except FileNotFoundError:
        raise unreadable(path, "not found", _neighbour(path)) from None
    except IsADirectoryError:
        raise unreadable(path, "is a directory", "name a file in it") from None
    except OSError as error:
        raise unreadable(path, f"cannot be read ({error.strerror})", _PERMISSIONS) from None
    except ValueError as error:  # a NUL byte in the path
        if isinstance(error, DataError):
            raise
        raise unreadable(repr(path), f"is no path ({error})", None) from None
    except MemoryError:
        raise too_large(path) from None


def _whole(file: BinaryIO, path: str) -> bytes:
    """All bytes of a file; what shows by its first ones to be no text is not read on."""
    first = file.read(_SNIFFED)
    if len(first) < _SNIFFED:
        return first
    if kind_of(first, path) is None and not is_binary(first):
        refuse_binary(first, path)
    if not file.seekable():
        return first + file.read()
    file.seek(0)  # rather than to copy what was read
    return file.read()


def _open(path: str, flags: int) -> int:
    """Open a file; a FIFO is not waited for without end."""
    if not stat.S_ISFIFO(os.stat(path).st_mode):
        return os.open(path, flags)
    found: list[int | OSError] = []

    def wait() -> None:
        try:
            found.append(os.open(path, flags))
        except OSError as error:
            found.append(error)

    waiting = Thread(target=wait, daemon=True)
    waiting.start()
    waiting.join(WRITER_SECONDS)
    if not found:
        with suppress(OSError):  # a writer that comes and goes lets the thread end
            os.close(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        what = f"is a FIFO, and nothing opened it to write for {WRITER_SECONDS:g} seconds"
        raise unreadable(path, what, "start what writes to it first, or give a file")
    if isinstance(found[0], OSError):
        raise found[0]
    return found[0]


_PERMISSIONS = "check its permissions, and those of its folder"


def unreadable(path: str, why: str, help: str | None) -> DataError:  # noqa: A002 -- as in Problem
    """The error for a file that cannot be opened or read."""
    return DataError(Problem("file", f"{path} {why}", Place(path), help))


def _neighbour(path: str) -> str | None:
    """The file beside it whose name is nearest."""
    folder, name = os.path.split(path)
    if folder and not os.path.isdir(folder):
        return f"there is no folder {folder}"
    try:
        beside = sorted(os.listdir(folder or "."))
    except OSError:  # a folder that may be entered but not listed
        beside = []
    near = did_you_mean(name, beside)
    return near.removeprefix("; ") or "check the path"


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


def refuse_binary(data: bytes, path: str) -> None:
    """Refuse bytes that are no text in UTF-8 by the look of them."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _not_text(path, "UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE")
    if b"\x00" in data:
        raise _not_text(path, "binary data (it holds NUL bytes)", "give a text file")


def _not_text(path: str, what: str, help: str) -> DataError:  # noqa: A002 -- as in Problem
    return DataError(Problem("encoding", f"{path} is {what}, not UTF-8 text", Place(path), help))
