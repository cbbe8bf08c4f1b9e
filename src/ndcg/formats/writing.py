"""Output files: written whole, all of them, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from ndcg.errors import DataError, Place, Problem, UsageError


def refuse_inputs(outputs: Iterable[str], inputs: Iterable[str]) -> None:
    """Refuse to write over a file that is read, whatever it is called."""
    read = {os.path.realpath(path): path for path in inputs if path != "-"}
    for path in outputs:
        if os.path.realpath(path) in read:
            what = f"the output {path} is the input {read[os.path.realpath(path)]}"
            raise UsageError(Problem("output", what, help="choose another name"))


def refuse_unwritable(paths: Iterable[str], *, appended: bool = False) -> None:
    """Refuse places that nothing can be written to, before anything is computed or written.

    What is `appended` to a file needs no room beside it.
    """
    for path in paths:
        try:
            real = os.path.realpath(path)
            if os.path.exists(real) and not os.path.isfile(real):
                os.close(os.open(real, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0)))
                continue
            if os.path.exists(real) and not os.access(real, os.W_OK):
                raise unwritable(path, "it is read-only")
            if appended and os.path.exists(real):
                continue
            with tempfile.NamedTemporaryFile(dir=os.path.dirname(real), prefix=".ndcg-"):
                pass
        except OSError as error:
            raise unwritable(path, str(error.strerror)) from None
        except ValueError as error:  # a name with a null character
            raise unwritable(path, str(error)) from None


def unwritable(path: str, why: str, done: str = "nothing was written") -> DataError:
    """The error for a file that cannot be written."""
    what = f"cannot write {path} ({why}); {done}"
    how = "choose a folder that exists and can be written to"
    return DataError(Problem("output", what, Place(path), how))


def write_files(texts: Mapping[str, str]) -> None:
    """Write every file beside its place first, then move all into place.

    Links are followed. What is no regular file (a device, a pipe) is written to as it is.

    Raises
    ------
    DataError
        When one cannot be written; then none of them has changed.
    """
    ready: dict[str, str] = {}  # temporary file -> its place
    path, done = "", 0
    try:
        for path, text in texts.items():
            data = text.encode("utf-8", "backslashreplace")
            if Path(path).exists() and not Path(path).is_file():
                Path(path).write_bytes(data)  # refused by the system for a folder
            else:
                _write_beside(os.path.realpath(path), data, ready)
        for temporary, path in ready.items():
            Path(temporary).replace(path)
            done += 1
    except OSError as error:
        told = f"{done} of {len(texts)} files were written" if done else "nothing was written"
        raise unwritable(path, str(error.strerror), told) from None
    finally:
        for temporary in ready:
            Path(temporary).unlink(missing_ok=True)


def _write_beside(path: str, data: bytes, ready: dict[str, str]) -> None:
    """A temporary file in the same folder, so that moving it is one step."""
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".ndcg-")
    ready[temporary] = path
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    if Path(path).exists():
        Path(temporary).chmod(Path(path).stat().st_mode & 0o777)
    else:
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
