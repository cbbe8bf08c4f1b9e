"""From a path to bytes: files, FIFOs, devices and standard input, and why one cannot be read."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from threading import Thread
from typing import BinaryIO

from ndcg.errors import DataError, Place, Problem, did_you_mean
from ndcg.formats.magic import is_binary, packed_kind, refuse_binary
from ndcg.formats.unpacking import too_large

WRITER_SECONDS = 10.0  # that a FIFO is waited for
_SNIFFED = 1 << 16  # bytes by which what is no text is told before the rest is read
_PERMISSIONS = "check its permissions, and those of its folder"


def raw_bytes(path: str) -> bytes:
    """The bytes of a file as they lie on disk.

    Raises
    ------
    DataError
        When the file cannot be opened or read, or shows by its first bytes to be no text.
    """
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
    if packed_kind(first) is None and not is_binary(first):
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
            waiting.join(1.0)
            for opened in found:
                if isinstance(opened, int):
                    os.close(opened)
        what = f"is a FIFO, and nothing opened it to write for {WRITER_SECONDS:g} seconds"
        raise unreadable(path, what, "start what writes to it first, or give a file")
    if isinstance(found[0], OSError):
        raise found[0]
    return found[0]


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
