"""Whether a run is so large that it is streamed, told without loading what streams it."""

from __future__ import annotations

import os
from importlib.util import find_spec
from typing import TYPE_CHECKING

from ndcg.formats.magic import MAGIC, kind_of
from ndcg.formats.source import Input
from ndcg.stores.asked import Asked

if TYPE_CHECKING:
    from ndcg.stores.table import TableRankings

LARGE, LARGE_COMPRESSED = 32 << 20, 8 << 20  # bytes on disk from which a run is streamed


def is_large(path: str) -> bool:
    """Whether a file can be read twice, and is so large that it should not be held."""
    if path == "-" or not os.path.isfile(path):
        return False
    size = os.path.getsize(path)
    if size <= LARGE_COMPRESSED or size > LARGE:
        return size > LARGE
    try:
        with open(path, "rb") as file:
            return kind_of(file.read(MAGIC), path) is not None
    except OSError:  # who reads it says so
        return False


def run(path: str, *, fingerprint: bool, asked: Asked) -> tuple[TableRankings, Input] | None:
    """A large run as a stream, or None where it has to be read whole."""
    if not _has_polars():
        return None
    from ndcg.formats import stream  # brings Polars, which takes longer to load than small files

    return stream.run(path, fingerprint=fingerprint, asked=asked)


def note_held(found: Input) -> None:
    """Say of a large run that was read whole what would have read it in less time and memory."""
    if not _has_polars():
        found.note(
            "large, and read whole", "with Polars it is streamed: pip install 'ndcg[polars]'"
        )


def _has_polars() -> bool:
    return find_spec("polars") is not None
