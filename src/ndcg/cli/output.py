"""Output files: written whole, all of them, or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from pathlib import Path

from ndcg.errors import DataError, Place, Problem


def write_files(texts: Mapping[str, str]) -> None:
    """Write every file beside its place first, then move all into place.

    Raises
    ------
    DataError
        When one cannot be written; then none of them has changed.
    """
    ready: list[tuple[str, str]] = []
    try:
        for path, text in texts.items():
            ready.append((_beside(path, text), path))
        for temporary, path in ready:
            os.replace(temporary, path)
    except OSError as error:
        path = list(texts)[min(len(ready), len(texts) - 1)]
        raise DataError(
            Problem(
                "output",
                f"cannot write {path} ({error.strerror}); nothing was written",
                Place(path),
                "choose a folder that exists and can be written to",
            )
        ) from None
    finally:
        for temporary, _ in ready:
            Path(temporary).unlink(missing_ok=True)


def _beside(path: str, text: str) -> str:
    """A temporary file in the same folder, so that moving it is one step."""
    if Path(path).is_dir():
        raise IsADirectoryError(21, "it is a directory")
    handle, temporary = tempfile.mkstemp(dir=Path(path).parent, prefix=f".{Path(path).name}.")
    with os.fdopen(handle, "wb") as file:
        file.write(text.encode("utf-8", "backslashreplace"))
    Path(temporary).chmod(0o666 & ~_umask())
    return temporary


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
