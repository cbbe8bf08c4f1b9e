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
        raise DataError(
            Problem(
                "output",
                f"cannot write {path} ({error.strerror}); "
                + (f"{done} of {len(texts)} files were written" if done else "nothing was written"),
                Place(path),
                "choose a folder that exists and can be written to",
            )
        ) from None
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
