"""The lines of an explanation: one a document, with what it adds and what it costs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np

from ndcg.diagnose.explaining.parts import Parts
from ndcg.diagnose.explaining.ranking import Placed, Ranking

COUNTED, PAST, MISSED, SLOT = "counted", "past", "missed", "slot"


class Line(NamedTuple):
    """A document of the ranking, a missed one, or a place of the ideal that no document takes.

    `adds` and `ideal_adds` are in the units of the sum (gain over discount, for nDCG), `part` and
    `cost` in those of the value: parts add up to the value, costs to what is lost of the best one.
    """

    document: str | None = None  # None: the run is too short for this slot of the ideal
    title: str | None = None
    status: str = MISSED  # counted, past (the last rank that counts), missed or slot
    rank: int | None = None  # as the measure counts; None: not retrieved
    tied: tuple[int, int] | None = None  # first and last rank of its tie group
    grade: float | None = None  # as judged; None: unjudged
    judged: bool = False  # whether the judgment counts as one
    credit: float = 0.0  # its gain, or 1 for a relevant document
    divisor: float | None = None  # what credit is divided by at this rank, where that is a number
    adds: float = 0.0
    running: float | None = None  # the sum down to here
    ideal_rank: int | None = None
    ideal_adds: float = 0.0
    part: float = 0.0
    cost: float = 0.0
    unjudged_above: int = 0  # documents without a judgment that counts, at higher ranks

    def to_dict(self) -> dict[str, Any]:
        """The line as JSON carries it."""
        return self._asdict() | {"tied": None if self.tied is None else [*self.tied]}


class _Context(NamedTuple):
    """What all lines of a query share."""

    ranking: Ranking
    parts: Parts
    titles: Mapping[str, str]
    scale: float
    limit: int
    slots: int


def lines_of(ranking: Ranking, parts: Parts, titles: Mapping[str, str]) -> tuple[Line, ...]:
    """The lines of a query: its ranking, then what was missed, best first."""
    scale, limit, slots = (one.tolist()[0] for one in (parts.scale, parts.limit, parts.n_slots))
    context = _Context(ranking, parts, titles, float(scale), int(limit), int(slots))
    ranked = [*_ranked(context)]
    taken = {line.rank for line in ranked}
    empty = [_slot(context, rank) for rank in range(1, context.slots + 1) if rank not in taken]
    return (*ranked, *_missed(context), *empty)


def _ranked(context: _Context) -> Iterator[Line]:
    running, unjudged = 0.0, 0
    for one in context.ranking.placed:
        line = _placed(context, one, unjudged)
        running += line.adds
        yield line._replace(running=running if line.status == COUNTED else None)
        unjudged += not line.judged


def _placed(context: _Context, one: Placed, unjudged: int) -> Line:
    """A document of the ranking."""
    parts, row = context.parts, one.row
    seat = one.rank if row is None else int(parts.seat[row])
    counts = seat <= context.limit
    alone = context.ranking.lists.convention.ties != "expected" or one.size == 1
    divisor = None
    if parts.divisor is not None and counts and alone and seat < len(parts.divisor):
        divisor = float(parts.divisor[seat])
    line = _line(context, one.document, row)
    # Slots belong to ranks, not to documents.
    slot = one.rank <= context.slots
    ideal = float(parts.slots[one.rank]) if slot else line.ideal_adds
    return line._replace(
        status=COUNTED if counts else PAST,
        rank=one.rank,
        tied=(one.first, one.first + one.size - 1) if one.size > 1 else None,
        divisor=divisor if divisor is not None and np.isfinite(divisor) else None,
        ideal_rank=one.rank if slot else line.ideal_rank,
        ideal_adds=ideal,
        cost=_share(context, ideal - line.adds),
        unjudged_above=unjudged,
    )


def _line(context: _Context, document: str, row: int | None) -> Line:
    """What is known of a document wherever it stands."""
    ranking, parts = context.ranking, context.parts
    grade = ranking.grades.get(document)
    title = context.titles.get(document)
    if row is None:
        return Line(document, title, grade=grade)
    adds, ideal = float(parts.adds[row]), float(parts.ideal[row])
    place = int(parts.place[row]) if ideal else 0  # where it earns nothing does not matter
    return Line(
        document,
        title,
        grade=grade,
        judged=bool(ranking.lists.ranked.given[row]),
        credit=float(parts.credit[row]),
        adds=adds,
        ideal_rank=place or None,
        ideal_adds=ideal,
        part=_share(context, adds),
        cost=_share(context, ideal - adds),
    )


def _missed(context: _Context) -> list[Line]:
    """Judged documents of worth that were not retrieved; the others are only counted."""
    ranking, parts = context.ranking, context.parts
    docs = ranking.lists.ranked
    rows = np.flatnonzero(~docs.retrieved & ((parts.credit != 0) | (parts.ideal != 0)))
    found = [_line(context, ranking.names[row], row) for row in rows.tolist()]
    return sorted(found, key=lambda one: (one.ideal_rank is None, one.ideal_rank or 0, -one.credit))


def _slot(context: _Context, rank: int) -> Line:
    ideal = float(context.parts.slots[rank])
    return Line(
        status=SLOT, rank=rank, ideal_rank=rank, ideal_adds=ideal, cost=_share(context, ideal)
    )


def _share(context: _Context, part: float) -> float:
    return part / context.scale if context.scale else 0.0
