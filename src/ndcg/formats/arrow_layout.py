"""What an Arrow file says of its own sizes, looked at before a library believes it.

Libraries allocate what a file asks for; where that is more than there is, Polars ends the process.
Only the sizes are read here, out of the tables (FlatBuffers) that describe the batches of rows.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import NamedTuple

_DICTIONARY, _ROWS = 2, 3  # kinds of messages that have a body
_GOES_ON = 0xFFFFFFFF
_END = 10  # bytes behind the footer: its length, and ARROW1


class Batch(NamedTuple):
    """A message about rows: where its table and its body lie."""

    table: _Table
    body: int
    size: int  # of the body


class _Table(NamedTuple):
    """A table of FlatBuffers: numbered fields, any of which may be absent."""

    data: bytes
    at: int

    def field(self, number: int) -> int | None:
        """Where a field lies."""
        fields = self.at - _number("i", self.data, self.at)
        place = 4 + 2 * number
        if place >= _number("H", self.data, fields):
            return None
        offset = _number("H", self.data, fields + place)
        return self.at + offset if offset else None

    def table(self, number: int) -> _Table | None:
        """A field that is a table."""
        at = self.field(number)
        return None if at is None else _Table(self.data, at + _number("I", self.data, at))

    def structs(self, number: int, kind: str) -> Iterator[tuple[int, ...]]:
        """A field that is a list of structures."""
        at = self.field(number)
        if at is not None:
            at += _number("I", self.data, at)
            end = at + 4 + _number("I", self.data, at) * struct.calcsize(kind)
            if end > len(self.data):
                raise ValueError("a list goes beyond its end")
            yield from struct.iter_unpack(kind, self.data[at + 4 : end])


def _number(kind: str, data: bytes, at: int) -> int:
    if at < 0:
        raise ValueError("an offset is negative")
    number: int = struct.unpack_from(f"<{kind}", data, at)[0]
    return number


def sizes(data: bytes, *, is_stream: bool) -> tuple[int, int]:
    """How many rows an Arrow file or stream has, and how many bytes its compressed buffers hold.

    Raises
    ------
    ValueError
        When what it says cannot be.
    """
    rows = held = 0
    try:
        for batch in _of_stream(data) if is_stream else _of_file(data):
            length, own = _sizes_of(data, batch)
            rows, held = rows + length, held + own
    except (struct.error, IndexError):
        raise ValueError("it is cut short") from None
    return rows, held


def _sizes_of(data: bytes, batch: Batch) -> tuple[int, int]:
    """The rows of a batch, and the bytes that its compressed buffers say they hold."""
    at, held = batch.table.field(0), 0
    lengths = [0 if at is None else _number("q", data, at)]
    lengths += [length for length, _ in batch.table.structs(1, "<qq")]
    compressed = batch.table.field(3) is not None
    for offset, size in batch.table.structs(2, "<qq"):
        if offset < 0 or size < 0 or offset + size > batch.size:
            raise ValueError("a buffer goes beyond its batch")
        if compressed and size >= 8:
            held += max(0, _number("q", data, batch.body + offset))
    return max(lengths), held


def _of_file(data: bytes) -> Iterator[Batch]:
    """The batches that the footer names."""
    footer = len(data) - _END - _number("i", data, len(data) - _END)
    table = _Table(data, footer + _number("I", data, footer))
    for blocks in (2, 3):  # dictionaries, rows
        for offset, told, size in table.structs(blocks, "<qi4xq"):
            goes_on = _number("I", data, offset) == _GOES_ON
            batch = _batch(data, offset + (8 if goes_on else 4), offset + told, size)
            if batch is None:
                raise ValueError("the footer names something else than rows")
            yield batch


def _of_stream(data: bytes) -> Iterator[Batch]:
    """The batches one after the other."""
    at = 0
    while at + 8 <= len(data):
        goes_on = _number("I", data, at) == _GOES_ON
        at += 4 * goes_on
        told = _number("i", data, at)
        if told == 0:
            return
        at += 4
        message = _Table(data, at + _number("I", data, at))
        size = message.field(3)
        body = at + told
        batch = _batch(data, at, body, 0 if size is None else _number("q", data, size))
        at = body + (0 if size is None else _number("q", data, size))
        if batch is not None:
            yield batch


def _batch(data: bytes, message: int, body: int, size: int) -> Batch | None:
    """The batch of a message, None for a message of another kind."""
    if body < message or size < 0 or body + size > len(data):
        raise ValueError("a batch goes beyond the end of the file")
    table = _Table(data, message + _number("I", data, message))
    kind = table.field(1)
    found = table.table(2)
    if kind is None or found is None or data[kind] not in (_DICTIONARY, _ROWS):
        return None
    if data[kind] == _DICTIONARY:
        found = found.table(1)
    return None if found is None else Batch(found, body, size)
