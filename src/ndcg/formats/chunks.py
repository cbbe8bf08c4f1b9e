"""Files read in pieces of whole lines, decompressed on the way."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, BinaryIO, cast

from ndcg.formats.magic import MAGIC, kind_of
from ndcg.formats.opening import unreadable
from ndcg.formats.source import LONGEST_LINE
from ndcg.formats.unpacking import Expansion, damage, opened

# Told of the path, the bytes read and the size while a file is read in pieces.
WATCHER: ContextVar[Callable[[str, int, int], None] | None] = ContextVar("watcher", default=None)
_LONGEST_FIRST = 8 << 20  # bytes of a first line; a file with a longer one is read whole


def stamp(path: str) -> tuple[int, int]:
    """What changes when a file is written to."""
    with _opened(path) as file:
        found = os.fstat(file.fileno())
    return found.st_size, found.st_mtime_ns


def fingerprint(path: str) -> str:
    """The SHA-256 of a file as it lies on disk."""
    from hashlib import file_digest

    with _opened(path) as file:
        return file_digest(cast("Any", file), "sha256").hexdigest()


def head(path: str, size: int) -> bytes:
    """The first lines of a file, about so many bytes; empty if the first line is very long."""
    try:
        return next(whole_lines(path, size, _LONGEST_FIRST), b"")
    except LongLine:
        return b""


class LongLine(Exception):
    """A line is longer than lines may be; whoever counts lines says which."""


def whole_lines(path: str, size: int, longest: int | None = None) -> Iterator[bytes]:
    """The bytes of a file in pieces that end with a line; longer ones if a line is longer.

    Raises
    ------
    LongLine
        For a line of more than `longest` bytes, by default `LONGEST_LINE`.
    """
    longest = LONGEST_LINE if longest is None else longest
    with _opened(path) as file:
        kind = kind_of(file.read(MAGIC), path)
        file.seek(0)
        watcher, total = WATCHER.get(), os.fstat(file.fileno()).st_size
        expansion = Expansion(path, total)
        try:
            for piece in _cut(opened(file, kind), size, longest):
                if kind is not None:
                    expansion.add(len(piece))
                if watcher is not None:
                    watcher(path, file.tell(), total)
                yield piece
        except LongLine:
            raise
        except Exception as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise unreadable(path, f"cannot be read ({error.strerror})", None) from None
            if kind is None:
                raise
            # Each library has errors of its own for damage.
            raise damage(path, kind, error) from None


def _opened(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        raise unreadable(path, f"cannot be read ({error.strerror})", None) from None


def _cut(file: BinaryIO, size: int, longest: int) -> Iterator[bytes]:
    buffer, have = bytearray(size), 0
    while True:
        have, ended = _fill(file, buffer, have)
        if have > longest and buffer.find(b"\n", 0, longest + 1) < 0:
            raise LongLine
        cut = buffer.rfind(b"\n", 0, have) + 1
        if cut:
            yield bytes(memoryview(buffer)[:cut])
            buffer[: have - cut] = buffer[cut:have]
            have -= cut
        elif not ended:  # no line ends in it
            buffer.extend(bytes(len(buffer)))
        if ended:
            break
    if have:
        yield bytes(memoryview(buffer)[:have])


def _fill(file: BinaryIO, buffer: bytearray, have: int) -> tuple[int, bool]:
    """Read until the buffer is full; how much it holds, and whether the file has ended."""
    with memoryview(buffer) as view:
        while have < len(buffer):
            got = cast("Any", file).readinto(view[have:])
            if not got:
                return have, True
            have += got
    return have, False
