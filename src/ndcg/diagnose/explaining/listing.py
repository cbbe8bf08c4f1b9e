"""All queries at once: what each adds to the difference of two runs, or loses in one."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ndcg._version import VERSION
from ndcg.diagnose.explaining.overview import Helped, Overview, QueryRow
from ndcg.diagnose.explaining.parts import Parts, parts_of
from ndcg.diagnose.explaining.remedies import KINDS, Remedies, best_kind, remedies_of, without_own
from ndcg.evaluation.scoring import Scoring, Values
from ndcg.kernel import Bools, Floats, per_row
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure
from ndcg.statistics.sample import TOLERANCE


class Asked(NamedTuple):
    """Which queries are listed, and what is said beside them."""

    texts: Mapping[str, str]
    segments: Mapping[str, Sequence[str]]
    segment: str | None


class _Side(NamedTuple):
    """One run: its values by query, and what decided some of them."""

    scoring: Scoring
    values: Values
    at: dict[str, int]
    decided: dict[str, str]

    def has(self, query: str) -> bool:
        """Whether a query has a value."""
        return query in self.at and not np.isnan(self.values.value[self.at[query]])


def overview(scorings: Sequence[Scoring], measure: Measure, asked: Asked) -> Overview:
    """All queries of one run or of two."""
    sides = [_side(one, measure) for one in scorings]
    known, left = _listed(sides, asked)
    value = np.array([[side.values.value[side.at[query]] for query in known] for side in sides])
    value = value.reshape(len(sides), len(known))
    lost = _Lost.of(scorings[-1], measure)
    number = np.array([lost.at.get(query, -1) for query in known], np.int64)
    summed = lost.summed(sides[-1], known, number, value[-1])
    two = len(sides) > 1
    measured = value[1] - value[0] if two else lost.losses(number, value[0], summed)
    counted = ~np.isnan(measured)
    adds = np.where(counted, measured, 0.0) * _weights(sides[0], known, counted)
    order = np.lexsort((np.arange(len(known)), -np.abs(adds)))
    rows = [
        _row(sides, asked, known[i], value[:, i], float(measured[i]), float(adds[i]),
             lost, int(number[i]) if summed[i] else -1)
        for i in order.tolist()
    ]  # fmt: skip
    first = sides[0].values
    without = [query for queries in left.values() for query in queries]
    return Overview(
        str(measure),
        first.convention.signature(str(measure), VERSION),
        tuple(side.scoring.rankings.name for side in sides),
        tuple(
            _mean(side, measure, known, one, without)
            for side, one in zip(sides, value, strict=True)
        ),
        math.fsum(adds.tolist()),
        tuple(rows),
        _helped(lost, np.where(summed, number, -1), _weights(sides[0], known)),
        lost.remedies.untold,
        left,
        _parts(sides[0], measure, known, asked, measured, without),
    )


def _mean(
    side: _Side, measure: Measure, known: Sequence[str], value: Floats, without: Sequence[str]
) -> float:
    """The mean of some queries, as an evaluation takes it; NaN where that has none.

    Queries `without` a value may make it undefined.
    """
    others = np.full(len(side.values.queries), np.nan)
    others[[side.at[query] for query in known]] = value
    part = ~np.isnan(others)
    part[[side.at[query] for query in without if query in side.at]] = True
    return side.scoring.mean_within(measure, side.values, others, part)


def _side(scoring: Scoring, measure: Measure) -> _Side:
    values = scoring.values(measure)
    at = {query: number for number, query in enumerate(values.queries)}
    return _Side(scoring, values, at, scoring.decided(measure))


def _listed(sides: Sequence[_Side], asked: Asked) -> tuple[list[str], dict[str, list[str]]]:
    """The queries with a value for every run; the others by the rule that left them out."""
    every = sorted({query for side in sides for query in side.values.queries})
    if asked.segment is not None:
        every = [query for query in every if asked.segment in asked.segments.get(query, ())]
    known, left = [], dict[str, list[str]]()
    for query in every:
        lacking = [side for side in sides if not side.has(query)]
        if lacking:
            axis = lacking[0].decided.get(query, "extra")
            rule = f"{axis}:{getattr(lacking[0].values.convention, axis)}"
            left.setdefault(rule, []).append(query)
        else:
            known.append(query)
    return known, left


def _weights(side: _Side, known: Sequence[str], counted: Bools | None = None) -> Floats:
    """What each query weighs in the mean of those that count; all together 1."""
    counted = np.ones(len(known), bool) if counted is None else counted
    here = {query for query, one in zip(known, counted.tolist(), strict=True) if one}
    value = np.array([0.0 if query in here else np.nan for query in side.values.queries])
    weight = side.scoring.weights_of(side.values._replace(value=value))
    own = np.ones(len(known)) if weight is None else weight[[side.at[query] for query in known]]
    own = np.where(counted, own, 0.0)
    total = own.sum()
    return own / total if total else own


def _row(
    sides: Sequence[_Side],
    asked: Asked,
    query: str,
    value: Floats,
    measured: float,
    adds: float,
    lost: _Lost,
    number: int,
) -> QueryRow:
    two = len(sides) > 1
    known = not two and not math.isnan(measured)
    gains = {
        kind: float(one.gain[number])
        for kind, one in lost.remedies.changes.items() if number >= 0
    }  # fmt: skip
    return QueryRow(
        query,
        asked.texts.get(query),
        tuple(asked.segments.get(query, ())),
        tuple(value.tolist()),
        tuple(side.decided.get(query) for side in sides),
        measured if two else None,
        float(lost.best[number]) if known else None,
        measured if known else None,
        {cause: float(one[number]) for cause, one in lost.causes.items()} if known else {},
        adds,
        gains,
    )


class _Lost(NamedTuple):
    """What every judged query of a run loses, by cause, and what would help it."""

    at: dict[str, int]
    total: Floats  # of the parts
    best: Floats
    causes: dict[str, Floats]
    remedies: Remedies

    @classmethod
    @np.errstate(over="ignore", invalid="ignore")  # what is not finite is not known
    def of(cls, scoring: Scoring, measure: Measure) -> _Lost:
        """What is lost, for all queries at once."""
        lists = scoring.lists_of(measure)
        parts, row, n = parts_of(lists, measure), lists.ranked.row, lists.n_queries
        total = parts.shares(np.arange(n), per_row(row, n, parts.adds))
        at = {query: number for number, query in enumerate(scoring.judged.queries)}
        found = remedies_of(lists, measure, parts)
        if lists.convention.self_match == "drop" and _judges_itself(scoring):
            found = without_own(found)
        return cls(at, total, parts.best(row), _causes(lists, parts), found)

    def summed(self, side: _Side, known: Sequence[str], number: Any, value: Floats) -> Bools:
        """Which values are made of what documents add, and not given by a rule."""
        ruled: Bools = np.array([query in side.decided for query in known], bool)
        near = np.abs(value - self.total[number]) <= TOLERANCE
        found: Bools = (number >= 0) & (~ruled | near)
        return found

    def losses(self, number: Any, value: Floats, summed: Bools) -> Floats:
        """The best value less the value; NaN where that is not known."""
        loss = np.where(summed, self.best[number] - value, np.nan)
        return np.where(np.isfinite(loss), loss, np.nan)


def _judges_itself(scoring: Scoring) -> bool:
    """Whether some query has a judged document of its own id."""
    judged = scoring.judged
    return any(
        query in documents
        for query, documents in zip(judged.queries, judged.documents, strict=True)
    )


def _causes(lists: Lists, parts: Parts) -> dict[str, Floats]:
    """The loss of each query by cause."""
    row, n = lists.ranked.row, lists.n_queries
    cost = parts.ideal - parts.adds
    missed = parts.seat == 0
    past = ~missed & (parts.seat > parts.limit[row])
    along = np.cumsum(parts.slots)
    filled = np.minimum(parts.n_slots, lists.ranked.returned)  # slots that some document takes
    more = {"missed": along[parts.n_slots] - along[filled], "order": along[filled]}
    which = {"missed": missed, "past": past, "order": ~missed & ~past}
    return {
        cause: parts.shares(np.arange(n), per_row(row, n, np.where(own, cost, 0.0))
                            + more.get(cause, 0.0))
        for cause, own in which.items()
    }  # fmt: skip


def _helped(lost: _Lost, number: Any, weight: Floats) -> dict[str, Helped]:
    """What each kind of change would do to the mean, and which helps most queries most."""
    known = number >= 0
    most = best_kind(lost.remedies)
    tops = [most[at] for at in number[known].tolist()] if most else []
    return {
        kind: Helped(
            math.fsum((one.gain[number[known]] * weight[known]).tolist()),
            int((one.gain[number[known]] > 0).sum()),
            tops.count(kind),
        )
        for kind in KINDS
        if (one := lost.remedies.changes.get(kind)) is not None
    }


def _parts(
    side: _Side, measure: Measure, known: Sequence[str], asked: Asked, measured: Floats,
    without: Sequence[str],
) -> dict[str, tuple[int, float]]:  # fmt: skip
    """The queries of each segment, and the mean of what they differ or lose."""
    inside: dict[str, list[int]] = {}
    for at, query in enumerate(known):
        for name in asked.segments.get(query, ()):
            if not math.isnan(measured[at]):
                inside.setdefault(name, []).append(at)
    found = {}
    for name, own in sorted(inside.items()):
        lacking = [query for query in without if name in asked.segments.get(query, ())]
        total = _mean(side, measure, [known[at] for at in own], measured[own], lacking)
        found[name] = len(own), total
    return found
