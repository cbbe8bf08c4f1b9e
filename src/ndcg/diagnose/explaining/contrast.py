"""One query of two runs: which documents moved, and what each move did to the value."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from ndcg._version import VERSION
from ndcg.axes import number_text
from ndcg.diagnose.explaining.found import Explanation
from ndcg.diagnose.explaining.lines import COUNTED, SLOT, Line
from ndcg.diagnose.explaining.words import PLACES, brief, decided, more_documents
from ndcg.errors import Notice, count
from ndcg.statistics.sample import TOLERANCE

_TOLD = 3  # moves that are told
_SLIGHT = 0.5 * 10**-PLACES


class Move(NamedTuple):
    """A document in both rankings. Ranks are None where it is not retrieved."""

    document: str = ""
    title: str | None = None
    grade: float | None = None
    judged: bool = False
    ranks: tuple[int | None, int | None] = (None, None)
    counted: tuple[bool, bool] = (False, False)  # whether it stands above the last that counts
    parts: tuple[float, float] = (0.0, 0.0)  # of the values
    change: float = 0.0  # the second part less the first
    unjudged_above: tuple[int, int] = (0, 0)

    def to_dict(self) -> dict[str, Any]:
        """The move as JSON carries it."""
        pairs = ("ranks", "counted", "parts", "unjudged_above")
        return self._asdict() | {name: [*getattr(self, name)] for name in pairs}


@dataclass(frozen=True, slots=True)
class Contrast:
    """One query of two runs. Changes of all moves add up to the difference of the values.

    Attributes
    ----------
    one, other : the explanations of the two runs; `difference` is other less one.
    moves : documents that either run lists or both missed, the largest change first.
    rounding : what rounding did to the difference.
    """

    one: Explanation
    other: Explanation
    moves: tuple[Move, ...]
    rounding: float
    told: tuple[str, ...]
    notices: tuple[Notice, ...] = ()

    @property
    def difference(self) -> float | None:
        """The value of the second run less that of the first."""
        if self.one.value is None or self.other.value is None:
            return None
        return self.other.value - self.one.value

    def to_dict(self) -> dict[str, Any]:
        """The contrast as JSON carries it: see docs/explain.md."""
        return {
            "schema": 1,
            "version": VERSION,
            "kind": "contrast",
            "query": self.one.query,
            "text": self.one.text,
            "measure": self.one.measure,
            "difference": self.difference,
            "rounding": self.rounding,
            "moves": [move.to_dict() for move in self.moves],
            "told": [*self.told],
            "systems": [self.one.plain(), self.other.plain()],
            "notices": [*map(str, self.notices)],
        }

    def report(self, format_name: str = "table") -> str:
        """The contrast as text in one of the command's formats."""
        from ndcg.reports.explained import render  # upwards, once: for people at a prompt

        return render(self, format_name)

    def __str__(self) -> str:
        return "\n".join([self.report().rstrip("\n"), *map(str, self.notices)])

    def __repr__(self) -> str:
        return f"<Contrast of {self.one.measure} of {self.one.query!r}: {self.difference}>"


def contrasted(one: Explanation, other: Explanation) -> Contrast:
    """Two explanations of the same query side by side."""
    # Moves add up to the difference of values that documents make, and not to what a rule gives.
    moves = tuple(_moves(one, other)) if one.summed and other.summed else ()
    found = Contrast(one, other, moves, other.rounding - one.rounding, ())
    told = tuple(_sentences(found))
    return Contrast(one, other, found.moves, found.rounding, told)


class _Side(NamedTuple):
    """What one run makes of a document, all its occurrences together."""

    line: Line  # the first of them
    part: float


def _sides(found: Explanation) -> Mapping[str, _Side]:
    sides: dict[str, _Side] = {}
    for line in found.lines:
        if line.status == SLOT or line.document is None:
            continue
        before = sides.get(line.document)
        part = line.part + (before.part if before else 0.0)
        sides[line.document] = _Side(before.line if before else line, part)
    return sides


def _moves(one: Explanation, other: Explanation) -> list[Move]:
    sides = _sides(one), _sides(other)
    moves = []
    for document in dict.fromkeys((*sides[0], *sides[1])):
        here = tuple(side.get(document) for side in sides)
        line = next(side.line for side in here if side is not None)
        parts = tuple(0.0 if side is None else side.part for side in here)
        moves.append(Move(
            document, line.title, line.grade, line.judged,
            (_rank(here[0]), _rank(here[1])),
            (_counts(here[0]), _counts(here[1])),
            (parts[0], parts[1]),
            parts[1] - parts[0],
            (_above(here[0]), _above(here[1])),
        ))  # fmt: skip
    return sorted(moves, key=lambda move: (-abs(move.change), *map(_late, move.ranks)))


def _rank(side: _Side | None) -> int | None:
    return None if side is None else side.line.rank


def _counts(side: _Side | None) -> bool:
    return side is not None and side.line.status == COUNTED


def _above(side: _Side | None) -> int:
    return 0 if side is None else side.line.unjudged_above


def _late(rank: int | None) -> float:
    return math.inf if rank is None else rank


# -- sentences -------------------------------------------------------------------------------------


def _sentences(found: Contrast) -> Iterator[str]:
    for side in (found.one, found.other):
        if side.decided is not None:
            yield f"{side.system}: {decided(side)}"
    moved = [move for move in found.moves if abs(move.change) >= _SLIGHT]
    for move in moved[:_TOLD]:
        yield _moved(move)
    if len(moved) > _TOLD:
        rest = math.fsum(move.change for move in moved[_TOLD:])
        yield f"{more_documents(len(moved) - _TOLD)} {_sign(rest)}"
    if not moved and found.moves:
        yield "no move changes the value"
    if found.one.scale != found.other.scale and found.one.scale and found.other.scale:
        yield (
            f"their sums are divided by {found.one.scale:.{PLACES}f} and "
            f"{found.other.scale:.{PLACES}f}: parts are of each run's own"
        )
    if abs(found.rounding) > TOLERANCE:
        by = f"{found.rounding:+.{PLACES}f}"
        yield f"rounding moves the difference by {by} from what the changes add up to"
    yield from _unjudged(found)


def _moved(move: Move) -> str:
    before, after = (_place(rank, counts) for rank, counts in
                     zip(move.ranks, move.counted, strict=True))  # fmt: skip
    graded = "unjudged" if move.grade is None else f"grade {number_text(move.grade)}"
    path = f"stays at {after} and" if before == after else f"{before} -> {after}"
    text = f"{brief(move.document)} ({graded}) {path} {_sign(move.change)}"
    above = move.unjudged_above[1]
    if move.change < 0 and move.ranks[1] is not None and above > move.unjudged_above[0]:
        text += f", behind {count(above, 'unjudged document')}"
    return text


def _place(rank: int | None, counts: bool) -> str:
    if rank is None:
        return "not retrieved"
    return f"{rank}" if counts else f"{rank} (does not count)"


def _sign(change: float) -> str:
    return f"{'gains' if change > 0 else 'costs'} {abs(change):.{PLACES}f}"


def _unjudged(found: Contrast) -> Iterator[str]:
    """Documents without judgment among the ranks that count, where the runs differ in them."""
    one, other = (sum(line.status == COUNTED and not line.judged for line in side.lines)
                  for side in (found.one, found.other))  # fmt: skip
    if one != other:
        yield (
            f"without judgment among the ranks that count: {one} of {found.one.system}, "
            f"{other} of {found.other.system}"
        )
