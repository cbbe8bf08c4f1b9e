"""What a file is by its first bytes: compressed, columns in binary, or else text."""

from __future__ import annotations

import re

from ndcg.errors import DataError, Place, Problem

# The first bytes of each kind of compression; those of bzip2 are text until its first block begins.
_PACKED: tuple[tuple[bytes, str], ...] = (
    (rb"\x1f\x8b", "gzip"),
    (rb"BZh[1-9](1AY&SY|\x17rE8P\x90)", "bzip2"),
    (rb"\xfd7zXZ\x00", "xz"),
    (rb"\x28\xb5\x2f\xfd", "zstd"),
    (rb"\x04\x22\x4d\x18", "lz4"),
    (rb"PK\x03\x04", "zip"),
)
_NOT_READ = ("lz4", "zip")
MAGIC = 10  # bytes that tell

# The first bytes of files of columns; ids may begin with the same letters, text goes on after them.
_NO_TEXT = rb"(?:[^\t-\r -~]|\Z)"
_BINARY: tuple[tuple[bytes, str, str], ...] = (
    (b"PAR1" + _NO_TEXT, "parquet", "Parquet"),
    (b"ARROW1" + _NO_TEXT, "arrow", "Arrow"),
    (rb"\xff\xff\xff\xff", "arrow", "Arrow stream"),
    (b"FEA1" + _NO_TEXT, "arrow", "Feather"),
)


def packed_kind(raw: bytes) -> str | None:
    """How bytes are compressed, None if they are not."""
    return next((kind for magic, kind in _PACKED if re.match(magic, raw)), None)


def kind_of(raw: bytes, path: str) -> str | None:
    """How bytes are compressed, None if they are not; refuse what is not read here."""
    kind = packed_kind(raw)
    if kind == "zip" and b"xl/" in raw:
        raise damaged(path, "is an Excel workbook, which is not read here", "save the sheet as CSV")
    if kind in _NOT_READ:
        raise damaged(path, f"is compressed with {kind}, which is not read here",
                      "unpack it first, or use gzip, bzip2, xz or zstd")  # fmt: skip
    return kind


def is_binary(head: bytes) -> bool:
    """Whether a file begins like one of those that hold columns."""
    return binary_kind(head) is not None


def binary_kind(head: bytes) -> tuple[str, str] | None:
    """The format and the kind of a file of columns by its first bytes, or None."""
    found = (names for magic, *names in _BINARY if re.match(magic, head))
    return next(((name, kind) for name, kind in found), None)


def refuse_binary(data: bytes, path: str) -> None:
    """Refuse bytes that are no text in UTF-8 by the look of them."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise _not_text(path, "UTF-16", "save it as UTF-8: iconv -f UTF-16 -t UTF-8 FILE")
    if b"\x00" in data:
        raise _not_text(path, "binary data (it holds NUL bytes)", "give a text file")


def _not_text(path: str, what: str, help: str) -> DataError:  # noqa: A002 -- as in Problem
    return DataError(Problem("encoding", f"{path} is {what}, not UTF-8 text", Place(path), help))


def damaged(path: str, what: str, help: str) -> DataError:  # noqa: A002 -- as in Problem
    """The error for a compressed file that is not read."""
    return DataError(Problem("compression", f"{path} {what}", Place(path), help))
