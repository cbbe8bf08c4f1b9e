"""The lines of a file of texts with their numbers; of a large one never all at once."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from ndcg.formats import chunks
from ndcg.formats.large import is_large
from ndcg.formats.magic import is_binary
from ndcg.formats.source import Input, Source, decoded, long_line, text_source

_BLOCK = 1 << 20  # bytes that are read at a time
_HEAD = 1 << 16  # bytes that tell the layout


def first_lines(path: str) -> Source | None:
    """The first lines of a large file; None for one that has to be read whole.

    That is a small one, one that cannot be read twice, and one whose lines do not end as ours do.
    """
    if not is_large(path):
        return None
    data = chunks.head(path, _HEAD)
    if b"\n" not in data or b"\0" in data or is_binary(data) or not data.strip():
        return None
    return text_source(data[: data.rindex(b"\n") + 1], Input(path, "texts"))


def numbered(source: Source) -> Iterator[tuple[int, str]]:
    """The lines of a text, from 1 on."""
    return enumerate(source.text.split("\n"), 1)


def streamed(path: str, *, endless: bool = False) -> Iterator[tuple[int, str]]:
    """The lines of a file on disk, compressed or not; `endless`: they may be as long as they like.

    Raises
    ------
    DataError
        For what cannot be read, decompressed or decoded, with its line, and a line that is no row.
    """
    number, longest = 0, sys.maxsize if endless else None
    try:
        for piece in chunks.whole_lines(path, _BLOCK, longest):
            text = decoded(piece, path, number).removesuffix("\n")
            for line in (text if number else text.removeprefix("\ufeff")).split("\n"):
                number += 1
                yield number, line
    except chunks.LongLine:
        raise long_line(path, number + 1) from None
