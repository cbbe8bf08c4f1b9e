"""Compressed bytes into plain ones, step by step: what expands beyond all measure is refused."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, cast

from ndcg.errors import DataError, Place, Problem, count
from ndcg.formats.magic import damaged

# What may come out of a file: so many bytes, or so many times its own, whichever is more. Runs and
# judgments expand to 3 to 20 times their compressed bytes.
MOST, MOST_TIMES = 256 << 20, 100
_STEP = 1 << 20  # bytes that come out at a time
_READ = 1 << 17  # bytes of a compressed file that are read at a time
# Of zstd less is read: what 4 bytes hold, up to 128 KiB, comes out at once; so it is MOST at most.
_READ_ZSTD = 1 << 13
MEMORY = 1 << 30  # bytes that xz may take to unpack; files of `xz -9` take 65 MiB


class Expansion:
    """Counts what comes out of a compressed file of some size, and refuses too much of it."""

    def __init__(self, path: str, packed: int) -> None:
        self.path, self.packed, self.out = path, packed, 0

    def add(self, size: int) -> None:
        """So many more bytes came out."""
        self.out += size
        if self.out > MOST and self.out > MOST_TIMES * self.packed:
            times = f"over {MOST_TIMES} times its {count(self.packed, 'byte')}"
            raise damaged(
                self.path,
                f"expands to more than {self.out >> 20:,} MiB, {times}: it was read no further",
                f"what expands beyond both {MOST >> 20} MiB and {MOST_TIMES} times its size may be "
                "made to fill the memory; if it is meant, unpack it first and give what comes out",
            )


def unpacked(raw: bytes, kind: str, path: str) -> bytes:
    """The bytes that compressed ones hold.

    Raises
    ------
    DataError
        When they are damaged, or expand beyond all measure.
    """
    out, expansion = io.BytesIO(), Expansion(path, len(raw))
    try:
        for piece in _pieces(io.BytesIO(raw), kind):
            expansion.add(out.write(piece))
        return out.getvalue()
    except Exception as error:  # noqa: BLE001 -- each library has errors of its own for damage
        raise damage(path, kind, error) from None


def damage(path: str, kind: str, error: Exception) -> DataError:
    """The error for a file that cannot be decompressed."""
    if isinstance(error, DataError):
        return error
    if isinstance(error, MemoryError):
        return too_large(path)
    if isinstance(error, ImportError):
        what = f"{path} is compressed with zstd, which needs a package"
        return DataError(Problem("extra", what, Place(path), "pip install 'ndcg[zst]'"))
    if any(said in str(error) for said in _MEMORY_SAID):
        return damaged(path, f"is a {kind} file that takes too much memory to unpack ({error})",
                       "unpack it first and give what comes out")  # fmt: skip
    remedy = "the file may be cut short: copy or download it again"
    return damaged(path, f"is a damaged {kind} file ({error})", remedy)


# What xz and zstd say where a file asks for more memory than is allowed.
_MEMORY_SAID = ("Memory usage limit exceeded", "requires too much memory")


def too_large(path: str) -> DataError:
    """The error for a file that is larger than the memory."""
    how = "give a smaller file; large TREC runs are streamed with pip install 'ndcg[polars]'"
    return DataError(Problem("file", f"{path} does not fit into memory", Place(path), how))


def opened(file: BinaryIO, kind: str | None) -> BinaryIO:
    """What reads a file that may be compressed as if it were not."""
    return file if kind is None else cast("BinaryIO", _Unpacked(_pieces(file, kind)))


class _Unpacked(io.RawIOBase):
    """Pieces of any length as a file."""

    def __init__(self, pieces: Iterator[bytes]) -> None:
        self.pieces, self.ready = pieces, memoryview(b"")

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, as far as one piece goes; 0 at the end."""
        while not self.ready:
            piece = next(self.pieces, None)
            if piece is None:
                return 0
            self.ready = memoryview(piece)
        taken = self.ready[: len(buffer)]
        buffer[: len(taken)] = taken
        self.ready = self.ready[len(taken) :]
        return len(taken)


def _pieces(file: BinaryIO, kind: str) -> Iterator[bytes]:
    """What the streams of a compressed file hold, one after the other; zeros may follow each.

    Unlike the readers of the standard library and of zstandard this takes nothing else behind a
    stream, and no last one that is cut.
    """
    size = _READ_ZSTD if kind == "zstd" else _READ
    data = file.read(size)
    while data:
        stream = _STREAMS[kind]()
        while not stream.eof:
            if stream.needs_input and not data:
                data = file.read(size)
                if not data:
                    raise EOFError(_CUT[kind])
            yield stream.decompress(data, _STEP)
            data = b""
        data = stream.unused_data or file.read(size)
        while data and not (data := data.lstrip(b"\0")):
            data = file.read(size)


_CUT_DATA = "Compressed data ended before the end-of-stream marker was reached"
_CUT = {
    "gzip": _CUT_DATA.replace("data", "file"),
    "bzip2": _CUT_DATA,
    "xz": _CUT_DATA,
    "zstd": "it ends inside a frame",
}


class _Gzip:
    """A gzip member with the methods that Python's other decompressors have."""

    def __init__(self) -> None:
        import zlib

        self.member, self.full = zlib.decompressobj(16 + zlib.MAX_WBITS), False

    @property
    def needs_input(self) -> bool:
        """Whether nothing comes out before more is put in."""
        return not self.member.unconsumed_tail and not self.full

    def decompress(self, data: bytes, most: int) -> bytes:
        """What comes out of some bytes, and of those that were put in before."""
        out = self.member.decompress(self.member.unconsumed_tail or data, most)
        self.full = len(out) == most  # there may be more
        return out

    @property
    def eof(self) -> bool:
        """Whether the member has ended."""
        return self.member.eof

    @property
    def unused_data(self) -> bytes:
        """What stands behind the member."""
        return self.member.unused_data


def _bzip2() -> Any:
    import bz2

    return bz2.BZ2Decompressor()


def _xz() -> Any:
    import lzma

    return lzma.LZMADecompressor(memlimit=MEMORY)


class _Zstd:
    """A zstd frame with the methods that Python's own decompressors have."""

    needs_input = True

    def __init__(self) -> None:
        import zstandard

        self.frame: Any = zstandard.ZstdDecompressor().decompressobj()

    def decompress(self, data: bytes, _most: int) -> bytes:
        """All that comes out of some bytes: the library knows no bound."""
        out: bytes = self.frame.decompress(data)
        return out

    @property
    def eof(self) -> bool:
        """Whether the frame has ended."""
        return bool(self.frame.eof)

    @property
    def unused_data(self) -> bytes:
        """What stands behind the frame."""
        left: bytes = self.frame.unused_data
        return left


_STREAMS: dict[str, Callable[[], Any]] = {
    "gzip": _Gzip,
    "bzip2": _bzip2,
    "xz": _xz,
    "zstd": _Zstd,
}
