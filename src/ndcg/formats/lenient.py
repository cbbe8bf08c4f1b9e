"""Bad lines of the TREC family, left out when that was asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ndcg.errors import DataError, Place, Problem, count
from ndcg.formats.rows import number_fault, numbers, split_rows
from ndcg.formats.source import Source
from ndcg.stores.given import Skipped


def without_bad_lines(
    source: Source, width: int, names: str, number: int
) -> tuple[Source, tuple[Skipped, ...]]:
    """The text with its bad lines emptied, so that the others keep their numbers.

    `names` are those of the `width` columns; column `number` must be a number, whole for a rank.
    Lines that begin with # are rows or comments, whichever they are without this.
    """
    lines = source.text.split("\n")
    skipped = []
    for at, fields in enumerate(split_rows(source.text)):
        what = None
        if fields and fields[0][0] != "#":
            what = _fault(fields, width, names, number)
        if what is not None:
            skipped.append(Skipped(source.input.path, at + 1, what))
            lines[at] = ""
    text = "\n".join(lines)
    if not text.strip():
        what = f"{source.input.path}: no usable lines ({count(len(skipped), 'line')} skipped)"
        raise DataError(Problem("empty", what, Place(source.input.path), "give a file with rows"))
    return replace(source, text=text), tuple(skipped)


def _fault(fields: Sequence[str], width: int, names: str, number: int) -> str | None:
    """What is wrong with a line, or None."""
    if len(fields) != width:
        return f"expected {count(width, 'column')} ({names}), found {len(fields)}"
    word = names.split()[number]
    found, faulty, _ = numbers([fields[number]])
    if faulty:
        return f"{word} {number_fault(fields[number])}"
    if word == "rank" and not float(found[0]).is_integer():
        return f"rank {fields[number]!r} is not a whole number"
    return None
