"""Text into rows of fields, and columns of text into numbers, with the place of every fault."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

import numpy as np

from ndcg.axes import number_of
from ndcg.errors import Place
from ndcg.kernel import Floats, Ints
from ndcg.stores.values import shown

# str.split() also splits at these, which are part of an id and separate nothing.
_OTHER_BLANKS = (
    "\x1c\x1d\x1e\x1f\x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008"
    "\u2009\u200a\u2028\u2029\u202f\u205f\u3000"
)


def field_counts(data: bytes) -> Ints:
    r"""How many blank-separated fields each line has.

    >>> field_counts(b"a b\n\n c\t d e")
    array([2, 0, 3])
    """
    byte = np.frombuffer(data, np.uint8)
    blank = (byte == 32) | (byte - np.uint8(9) <= 4)  # 9 to 13; smaller ones wrap round
    begins = ~blank
    begins[1:] &= blank[:-1]
    ends = np.append(np.flatnonzero(byte == 10), len(byte))
    return np.diff(np.searchsorted(np.flatnonzero(begins), ends), prepend=0)


def split_rows(text: str) -> list[list[str]]:
    """The fields of every line, separated by ASCII blanks only; an empty line has none."""
    if not _has_other_blanks(text):
        return [line.split() for line in text.split("\n")]
    # bytes.split() knows ASCII blanks only.
    return [[field.decode() for field in line.split()] for line in text.encode().split(b"\n")]


def is_comment(fields: Sequence[str], width: int, number: int | None) -> bool:
    """Whether a line that holds something is a comment: # begins ids too.

    A line that begins with # is a row if it has the `width` of one and a number in column
    `number`; rows without a column of numbers cannot be told from comments.

    >>> is_comment(["#1", "Q0", "d", "1"], 4, 3), is_comment(["#", "a", "b", "1"], 4, 3)
    (False, True)
    """
    if fields[0][0] != "#":
        return False
    if fields[0] == "#" or len(fields) != width or number is None:
        return True
    return number_of(fields[number].strip('"')) is None


def split_columns(text: str, width: int) -> list[list[str]]:
    """The columns of a text whose lines have `width` fields each, or none."""
    if not _has_other_blanks(text):
        fields = text.split()
    else:
        fields = [field.decode() for field in text.encode().split()]
    return [fields[at::width] for at in range(width)]


def _has_other_blanks(text: str) -> bool:
    possible = _OTHER_BLANKS[:4] if text.isascii() else _OTHER_BLANKS
    return any(blank in text for blank in possible)


def counting(fields: Sequence[str], stretches: Iterable[slice], first: int) -> bool:
    """Whether the fields of each stretch count up from `first`, compared as text.

    >>> counting(["1", "2", "1"], [slice(0, 2), slice(2, 3)], 1)
    True
    """
    stretches = list(stretches)
    longest = max(stretch.stop - stretch.start for stretch in stretches)
    expected = [str(number) for number in range(first, first + longest)]
    return all(fields[stretch] == expected[: stretch.stop - stretch.start] for stretch in stretches)


def numbers(fields: Sequence[str]) -> tuple[Floats, list[int], list[int]]:
    """A column as numbers, the indexes that are none, and those that stood in double quotes.

    Faulty places hold NaN. The number grammar is that of DESIGN section 4: no ``nan``, ``inf``,
    ``1_000``, ``1.``, no digits of other scripts, nothing too large for a double.
    """
    joined = " ".join(fields) + " "
    # Within this alphabet float() accepts the grammar and, beyond it, only a point at the end.
    plain = joined.isascii() and not joined.encode().translate(None, b"0123456789+-.eE ")
    if plain and not any(end in joined for end in (". ", ".e", ".E")):
        try:
            column = np.array([*map(float, fields)], np.float64)
        except ValueError:
            pass
        else:
            if np.isfinite(column).all():
                return column, [], []
    quoted = [i for i, text in enumerate(fields) if _is_quoted(text)]
    bare = [text[1:-1] if _is_quoted(text) else text for text in fields]
    found = [number_of(text) for text in bare]
    column = np.array([math.nan if value is None else value for value in found], np.float64)
    return column, [i for i, value in enumerate(found) if value is None], quoted


def number_fault(field: str) -> str:
    """Why a field is no number."""
    return f"{shown(field)} {_why_no_number(field)}"


def _why_no_number(field: str) -> str:
    if field.lower().lstrip("+-") in ("nan", "inf", "infinity"):
        return "is not finite"
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", field):
        return "has a decimal comma"
    try:
        value = float(field)
    except ValueError:
        return "is not a number"
    if re.search(r"\.($|[eE])", field):
        return "has no digit after the point"
    if math.isinf(value):
        return "is too large for a double"
    return "is not a plain decimal number"


def _is_quoted(text: str) -> bool:
    return len(text) > 1 and text[0] == text[-1] == '"'


class Lines:
    """The lines of a file, found again when a message needs them."""

    def __init__(
        self,
        path: str,
        text: str,
        is_row: Callable[[list[str]], bool],
        width: int,
        before: int = 0,  # lines of the file that stand before the text
    ) -> None:
        self.path, self.text, self.width, self.before = path, text, width, before
        self.is_row = is_row  # whether a line's fields are a record (and not blank or a comment)

    def place(self, row: int, field: int | None = None) -> Place:
        """Where the row of that number (from 0) stands, and one field in it.

        Without a field, rows of any width are counted, else only those of the right width.
        """
        for number, line, fields in self._lines:
            if not self.is_row(fields) or (field is not None and len(fields) != self.width):
                continue
            if row == 0:
                return self._marked(number, line, field)
            row -= 1
        return Place(self.path)

    def find(self, query: str, document: str, at: int) -> list[Place]:
        """All rows of a query that hold a document in column `at`."""
        return [
            self._marked(number, line, at)
            for number, line, fields in self._lines
            if len(fields) > at and fields[0] == query and fields[at] == document
        ]

    def _marked(self, number: int, line: str, field: int | None) -> Place:
        if field is None:
            return Place(self.path, number, line)
        spans = [match.span() for match in re.finditer(r"[^ \t\r\v\f]+", line)]
        begin, end = spans[field]
        return Place(self.path, number, line, line[begin:end], begin)

    @cached_property
    def _lines(self) -> list[tuple[int, str, list[str]]]:
        lines = self.text.split("\n")
        return [
            (number, line.rstrip("\r"), fields)
            for number, (line, fields) in enumerate(
                zip(lines, split_rows(self.text), strict=True), self.before + 1
            )
        ]
