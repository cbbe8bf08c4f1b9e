"""Files read in pieces of whole lines, decompressed on the way."""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any, BinaryIO, cast

from ndcg.formats.source import MAGIC, damage, kind_of, unreadable

# Told of the path, the bytes read and the size while a file is read in pieces.
WATCHER: ContextVar[Callable[[str, int, int], None] | None] = ContextVar("watcher", default=None)
_READ = 1 << 17  # bytes of a compressed file that are read at a time


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
    """The first lines of a file, about so many bytes."""
    for piece in whole_lines(path, size):
        return piece
    return b""


def whole_lines(path: str, size: int) -> Iterator[bytes]:
    """The bytes of a file in pieces that end with a line; longer ones if a line is longer."""
    with _opened(path) as file:
        kind = kind_of(file.read(MAGIC), path)
        file.seek(0)
        watcher, total = WATCHER.get(), os.fstat(file.fileno()).st_size
        try:
            for piece in _cut(_decompressing(file, kind), size):
                if watcher is not None:
                    watcher(path, file.tell(), total)
                yield piece
        except Exception as error:
            if kind is None:
                raise
            # Each library has errors of its own for damage.
            raise damage(path, kind, error) from None


def _opened(path: str) -> BinaryIO:
    try:
        return open(path, "rb")
    except OSError as error:
        raise unreadable(path, f"cannot be read ({error.strerror})", None) from None


def _cut(file: BinaryIO, size: int) -> Iterator[bytes]:
    buffer, have = bytearray(size), 0
    while True:
        have, ended = _fill(file, buffer, have)
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


def _decompressing(file: BinaryIO, kind: str | None) -> BinaryIO:
    opened: Any = file
    if kind == "gzip":
        import gzip

        opened = gzip.GzipFile(fileobj=file)
    elif kind == "bzip2":
        import bz2

        opened = bz2.BZ2File(file)
    elif kind == "xz":
        import lzma

        opened = lzma.LZMAFile(file)  # noqa: SIM115 -- the file below is closed by its opener
    elif kind == "zstd":
        opened = io.BufferedReader(_Zstandard(file))
    return cast("BinaryIO", opened)


class _Zstandard(io.RawIOBase):
    """A zstd file of one or several frames; the library's own reader takes a cut one as ended."""

    def __init__(self, file: BinaryIO) -> None:
        import zstandard

        self.file, self.new = file, zstandard.ZstdDecompressor().decompressobj
        self.frame: Any = self.new()
        self.inside = False  # whether the frame has begun
        self.ready = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, as far as one step goes; 0 at the end."""
        left = b""
        while not self.ready:
            data = left or self.file.read(_READ)
            if not data and self.inside:
                raise EOFError("it ends inside a frame")
            if not data:
                return 0
            self.inside = True
            self.ready, left = self.frame.decompress(data), b""
            if self.frame.eof:
                left, self.frame, self.inside = self.frame.unused_data, self.new(), False
                if left and self.ready:
                    self.file.seek(-len(left), io.SEEK_CUR)
        taken = self.ready[: len(buffer)]
        buffer[: len(taken)] = taken
        self.ready = self.ready[len(taken) :]
        return len(taken)
