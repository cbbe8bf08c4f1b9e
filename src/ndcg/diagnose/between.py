"""The gap between two conventions on one run, split into parts of single axes that add up to it.

What an axis contributes depends on which others were switched before it. Its part is the mean of
that over all orders of switching (the Shapley value), so that no order is preferred and the parts
add up to the whole gap.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from random import Random
from typing import Any, NamedTuple

import numpy as np

from ndcg.convention import Convention
from ndcg.diagnose.milder import Replaced
from ndcg.diagnose.relaxed import Relaxed, relaxed
from ndcg.diagnose.scorer import Refused, Scored, Scorer

EXACTLY = 10  # axes up to which all orders are taken
_ORDERS = 256  # orders drawn where there are more
# Axes that may exclude each other's values: together where one alone has no number.
_BOUND = ("ideal", "ideal_order", "ties", "depth", "appended", "duplicates", "unjudged")

Axes = tuple[str, ...]


class Moved(NamedTuple):
    """A query and its value before and after; None where it has none."""

    query: str
    before: float | None
    after: float | None


@dataclass(frozen=True, slots=True)
class Part:
    """What one axis, or a few that exclude each other, contribute to the gap."""

    axes: dict[str, tuple[str, str]]  # its values under the one and the other convention
    part: float  # the parts add up to the gap
    alone: float | None  # what it changes if it alone is switched; None: it has no mean then
    queries: int  # how many queries get another value
    moves: tuple[Moved, ...]  # all of them, those that move most first


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two conventions, and what it gives."""

    name: str
    digest: str
    mean: float
    n: int
    replaced: tuple[Replaced, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """The gap between two conventions and its parts, the largest first."""

    system: str
    measure: str
    one: Side
    other: Side
    gap: float  # the other's mean less the one's
    parts: tuple[Part, ...]
    moves: tuple[Moved, ...]  # the queries that differ, those that differ most first
    idle: dict[str, tuple[str, str]]  # axes that differ and change nothing here
    orders: int | None  # how many orders were drawn; None: all of them were taken

    @property
    def remainder(self) -> float:
        """What the parts leave of the gap: rounding."""
        return self.gap - math.fsum(part.part for part in self.parts)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it."""
        return {**asdict(self), "remainder": self.remainder}


def split(scorer: Scorer, one: tuple[str, Convention], other: tuple[str, Convention]) -> Between:
    """Split the gap between two named conventions.

    Raises
    ------
    UsageError
        When one of them has no mean here that another rule could give it.
    """
    here, there = (
        relaxed(scorer, scorer.measure.convention(convention), name)
        for name, convention in (one, other)
    )
    differing = here.convention.diff(there.convention)
    active = scorer.canonical(here.convention).diff(scorer.canonical(there.convention))
    game = _game(scorer, here.convention, there.convention, [*differing], active)
    exact = len(game.players) <= EXACTLY
    shares = game.exact() if exact else game.drawn()
    parts = [_part(game, at, share, differing) for at, share in enumerate(shares)]
    shown = [part for part in parts if part.queries or part.part]
    split_axes = {axis for part in shown for axis in part.axes}
    return Between(
        system=scorer.rankings.name,
        measure=str(scorer.measure),
        one=_side(one[0], here),
        other=_side(other[0], there),
        gap=_mean(there.scored) - _mean(here.scored),
        parts=tuple(sorted(shown, key=lambda part: (-abs(part.part), -part.queries))),
        moves=_sorted(_moves(here.scored, there.scored)),
        idle={axis: pair for axis, pair in differing.items() if axis not in split_axes},
        orders=None if exact else _ORDERS,
    )


def _side(name: str, found: Relaxed) -> Side:
    mean, n = _mean(found.scored), found.scored.n
    return Side(name, found.convention.digest, mean, n, found.replaced)


def _mean(scored: Scored) -> float:
    return math.nan if scored.mean is None else scored.mean


class _Game:
    """The conventions between two: some axes at the values of the other one."""

    def __init__(
        self, scorer: Scorer, one: Convention, other: Convention, players: Sequence[Axes]
    ) -> None:
        self.scorer, self.one, self.other, self.players = scorer, one, other, players

    def scored(self, switched: Iterable[int]) -> Scored | None:
        """What comes out with some players switched; None where that has no mean."""
        axes = [axis for at in switched for axis in self.players[at]]
        mixed = self.one.but({axis: getattr(self.other, axis) for axis in axes})
        found = self.scorer.scored(mixed)
        return found if isinstance(found, Scored) and found.mean is not None else None

    def value(self, switched: Iterable[int]) -> float:
        """Its mean, NaN where there is none."""
        found = self.scored(switched)
        return math.nan if found is None else _mean(found)

    def reaches(self, end: Scored | Refused) -> bool:
        """Whether all players together lead to the other convention's values."""
        found = self.scored(range(len(self.players)))
        if found is None or isinstance(end, Refused):
            return False
        return (
            found.mean == end.mean
            and found.queries == end.queries
            and bool(np.array_equal(found.value, end.value, equal_nan=True))
        )

    def defined(self) -> bool:
        """Whether every mixture has a mean; of many axes, those with one or all but one."""
        n = len(self.players)
        sizes = range(n + 1) if n <= EXACTLY else (1, n - 1)
        subsets = (subset for size in sizes for subset in combinations(range(n), size))
        return all(self.scored(subset) is not None for subset in subsets)

    def exact(self) -> list[float]:
        """The mean contribution of each player over all orders."""
        n = len(self.players)
        values = {
            frozenset(subset): self.value(subset)
            for size in range(n + 1)
            for subset in combinations(range(n), size)
        }
        return [
            math.fsum(
                (values[subset | {player}] - value)
                * (
                    math.factorial(len(subset))
                    * math.factorial(n - len(subset) - 1)
                    / math.factorial(n)
                )
                for subset, value in values.items()
                if player not in subset
            )
            for player in range(n)
        ]

    def drawn(self) -> list[float]:
        """The same over orders drawn with a fixed seed, each of which adds up to the gap."""
        draw, n = Random(0), len(self.players)  # noqa: S311 -- no secret
        sums: list[list[float]] = [[] for _ in range(n)]
        for _ in range(_ORDERS):
            order, before = draw.sample(range(n), n), self.value(())
            for at, player in enumerate(order):
                after = self.value(order[: at + 1])
                sums[player].append(after - before)
                before = after
        return [math.fsum(each) / _ORDERS for each in sums]


def _game(
    scorer: Scorer, one: Convention, other: Convention, axes: Sequence[str], active: Container[str]
) -> _Game:
    """The axes as players; bound together where a mixture of them has no mean.

    Axes that are idle under both conventions stay as the one has them, unless one of them matters
    beside the others' values.
    """
    end = scorer.scored(other)
    for names in ([axis for axis in axes if axis in active], axes):
        single = [(axis,) for axis in names]
        bound = tuple(axis for axis in names if axis in _BOUND)
        rest = [(axis,) for axis in names if axis not in _BOUND]
        for players in (single, [bound, *rest]) if len(bound) > 1 else (single,):
            game = _Game(scorer, one, other, players)
            if game.reaches(end) and game.defined():
                return game
    return _Game(scorer, one, other, [tuple(axes)])


def _part(game: _Game, at: int, share: float, differing: dict[str, tuple[str, str]]) -> Part:
    n = len(game.players)
    before, after = game.scored(()), game.scored((at,))
    steps = [(before, after), (game.scored(i for i in range(n) if i != at), game.scored(range(n)))]
    moves: dict[str, Moved] = {}
    for start, end in steps:
        for move in _moves(start, end):
            moves.setdefault(move.query, move)
    most = _sorted(moves.values())
    return Part(
        axes={axis: differing[axis] for axis in game.players[at]},
        part=share,
        alone=None if before is None or after is None else _mean(after) - _mean(before),
        queries=len(moves),
        moves=most,
    )


def _moves(start: Scored | None, end: Scored | None) -> list[Moved]:
    """The queries whose value differs."""
    if start is None or end is None:
        return []
    one, other = start.per_query, end.per_query
    pairs = {query: (one.get(query), other.get(query)) for query in {**one, **other}}
    found = [Moved(query, _number(a), _number(b)) for query, (a, b) in pairs.items()]
    return [move for move in found if move.before != move.after]


def _sorted(moves: Iterable[Moved]) -> tuple[Moved, ...]:
    return tuple(sorted(moves, key=lambda move: (-_size(move), move.query)))


def _number(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _size(move: Moved) -> float:
    """How far a query moves; one that enters or leaves the mean moves by its whole value."""
    return abs((move.after or 0.0) - (move.before or 0.0))
