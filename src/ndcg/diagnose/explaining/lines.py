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

    document: str | None  # None: the run is too short for this slot of the ideal
    title: str | None
    status: str  # counted, past (the last rank that counts), missed or slot
    rank: int | None  # as the measure counts; None: not retrieved
    tied: tuple[int, int] | None  # first and last rank of its tie group
    grade: float | None  # as judged; None: unjudged
    judged: bool  # whether the judgment counts as one
    credit: float  # its gain, or 1 for a relevant document
    divisor: float | None  # what the credit is divided by at this rank, where that is a number
    adds: float
    running: float | None  # the sum down to here
    ideal_rank: int | None
    ideal_adds: float
    part: float
    cost: float
    unjudged_above: int  # documents without a judgment that counts, at higher ranks

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
        return Line(document, title, MISSED, None, None, grade, False, 0.0, None, 0.0, None, None,
                    0.0, 0.0, 0.0, 0)  # fmt: skip
    adds, ideal = float(parts.adds[row]), float(parts.ideal[row])
    place = int(parts.place[row]) if ideal else 0  # where it earns nothing does not matter
    return Line(
        document, title, MISSED, None, None, grade, bool(ranking.lists.ranked.given[row]),
        float(parts.credit[row]), None, adds, None, place or None, ideal,
        _share(context, adds), _share(context, ideal - adds), 0,
    )  # fmt: skip


def _missed(context: _Context) -> list[Line]:
    """Judged documents of worth that were not retrieved; the others are only counted."""
    ranking, parts = context.ranking, context.parts
    docs = ranking.lists.ranked
    rows = np.flatnonzero(~docs.retrieved & ((parts.credit != 0) | (parts.ideal != 0)))
    found = [_line(context, ranking.names[row], row) for row in rows.tolist()]
    return sorted(found, key=lambda one: (one.ideal_rank is None, one.ideal_rank or 0, -one.credit))


def _slot(context: _Context, rank: int) -> Line:
    ideal = float(context.parts.slots[rank])
    return Line(None, None, SLOT, rank, None, None, False, 0.0, None, 0.0, None, rank, ideal,
                0.0, _share(context, ideal), 0)  # fmt: skip


def _share(context: _Context, part: float) -> float:
    return part / context.scale if context.scale else 0.0
