"""From a path to text: opening, decompressing by magic bytes, decoding."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ndcg.errors import DataError, Notice, Place, Problem, did_you_mean, note
from ndcg.stores.columns import Roles
from ndcg.stores.tabular import Table

_SUFFIXES = (
    ".gz", ".bz2", ".xz", ".zst", ".txt", ".tsv", ".csv", ".json", ".jsonl", ".parquet", ".arrow",
    ".feather", ".trec", ".run", ".qrels",
)  # fmt: skip


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

    def note(self, what: str, help: str | None = None) -> None:  # noqa: A002 -- the field's word
        """Record something the user should know about the file."""
        self.notices.append(note(f"{self.path}: {what}", help))

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
    return _decompressed(raw, path), found


def text_source(data: bytes, found: Input) -> Source:
    """Decode the bytes of a file, one byte order mark stripped; refuse a file of blanks."""
    path, role = found.path, found.role
    text = decoded(data, path)
    if text.startswith("\ufeff"):
        text = text[1:]
        found.note("1 byte order mark was stripped")
    if "\r" in text and "\n" not in text:
        text = text.replace("\r", "\n")
        found.note("lines end with CR alone; each was read as a line")
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
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        raise unreadable(path, "not found", _neighbour(path)) from None
    except IsADirectoryError:
        raise unreadable(path, "is a directory", "name a file in it") from None
    except OSError as error:
        raise unreadable(path, f"cannot be read ({error.strerror})", _PERMISSIONS) from None
    except ValueError as error:  # a NUL byte in the path
        raise unreadable(repr(path), f"is no path ({error})", None) from None


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


_Decompress = Callable[[bytes], bytes]


def _gzip(raw: bytes) -> bytes:
    import gzip

    return gzip.decompress(raw)


def _bz2(raw: bytes) -> bytes:
    import bz2

    return bz2.decompress(raw)


def _xz(raw: bytes) -> bytes:
    import lzma

    return lzma.decompress(raw)


def _zst(raw: bytes) -> bytes:
    import zstandard

    parts = []
    while raw:
        frame = zstandard.ZstdDecompressor().decompressobj()
        parts.append(frame.decompress(raw))
        if not frame.eof:
            raise EOFError("it ends inside a frame")
        raw = frame.unused_data
    return b"".join(parts)


# The first bytes of each kind; those of bzip2 are text until its first block begins.
_KINDS: tuple[tuple[bytes, str, _Decompress | None], ...] = (
    (rb"\x1f\x8b", "gzip", _gzip),
    (rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", "bzip2", _bz2),
    (rb"\xfd7zXZ\x00", "xz", _xz),
    (rb"\x28\xb5\x2f\xfd", "zstd", _zst),
    (rb"\x04\x22\x4d\x18", "lz4", None),
    (rb"PK\x03\x04", "zip", None),
)
MAGIC = 10  # bytes that tell


def kind_of(raw: bytes, path: str) -> str | None:
    """How bytes are compressed, None if they are not; refuse what is not read here."""
    for magic, kind, decompress in _KINDS:
        if not re.match(magic, raw):
            continue
        if kind == "zip" and b"xl/" in raw:
            raise _damaged(path, "is an Excel workbook, which is not read here",
                           "save the sheet as CSV")  # fmt: skip
        if decompress is None:
            raise _damaged(path, f"is compressed with {kind}, which is not read here",
                           "unpack it first, or use gzip, bzip2, xz or zstd")  # fmt: skip
        return kind
    return None


def damage(path: str, kind: str, error: Exception) -> DataError:
    """The error for a file that cannot be decompressed."""
    if isinstance(error, ImportError):
        what = f"{path} is compressed with zstd, which needs a package"
        return DataError(Problem("extra", what, Place(path), "pip install 'ndcg[zst]'"))
    remedy = "the file may be cut short: copy or download it again"
    return _damaged(path, f"is a damaged {kind} file ({error})", remedy)


def _decompressed(raw: bytes, path: str) -> bytes:
    kind = kind_of(raw, path)
    if kind is None:
        return raw
    decompress = next(function for _, name, function in _KINDS if name == kind and function)
    try:
        return decompress(raw)
    except Exception as error:  # noqa: BLE001 -- each library has errors of its own for damage
        raise damage(path, kind, error) from None


def _damaged(path: str, what: str, help: str) -> DataError:  # noqa: A002 -- as in Problem
    return DataError(Problem("compression", f"{path} {what}", Place(path), help))


def decoded(data: bytes, path: str, before: int = 0) -> str:
    """A file's bytes as text, or those of a part with some lines `before` it."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _not_text(path, "UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE")
    if b"\x00" in data:
        raise _not_text(path, "binary data (it holds NUL bytes)", "give a text file")
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


def _not_text(path: str, what: str, help: str) -> DataError:  # noqa: A002 -- as in Problem
    return DataError(Problem("encoding", f"{path} is {what}, not UTF-8 text", Place(path), help))
