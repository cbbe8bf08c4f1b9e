"""What a rule is held against: values now and before, paired by query, over some of the queries."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from ndcg.evaluation.scoring import Scoring, Values
from ndcg.gating.results import Worst
from ndcg.kernel import Bools, Floats
from ndcg.measures.registry import Measure
from ndcg.statistics.intervals import Interval, interval_of
from ndcg.statistics.paired import settled

NAMED = 5  # queries that a rule names


class Moved(NamedTuple):
    """A measure now and before, over the n queries that have a value on both sides."""

    value: float
    before: float
    n: int
    lost: int  # with a value in the baseline and none now
    gained: int  # the other way round
    interval: Interval | None  # of the differences; None where there is no mean, or one query


class Measured:
    """One measure of the run that is gated, and of the baseline where there is one.

    Parts are sets of queries, as masks along `Values.queries`.
    """

    def __init__(
        self,
        scoring: Scoring,
        measure: Measure,
        before: Mapping[str, Mapping[str, float | None]] | None,
        level: float,
    ) -> None:
        self.scoring, self.measure, self.level = scoring, measure, level
        self.values: Values = scoring.values(measure)
        self.now: Floats = self.values.value
        self.is_mean = measure.record.over_queries == "mean"
        own = {} if before is None else {q: row.get(str(measure)) for q, row in before.items()}
        found = [own.get(query) for query in self.values.queries]
        self.before: Floats = np.array(
            [math.nan if one is None else one for one in found], np.float64
        )
        self._place = {query: at for at, query in enumerate(self.values.queries)}
        self._gone = sum(one is not None and q not in self._place for q, one in own.items())

    def part(self, queries: Iterable[str] | None) -> Bools:
        """Some of the queries; None: all."""
        if queries is None:
            return np.ones(len(self.now), bool)
        part = np.zeros(len(self.now), bool)
        part[[self._place[query] for query in queries if query in self._place]] = True
        return part

    def value(self, part: Bools) -> tuple[float, int]:
        """The summary over a part, NaN where no query of it counts; and how many do."""
        return self._summary(self.now, part), int((~np.isnan(self.now) & part).sum())

    def moved(self, part: Bools) -> Moved:
        """The summaries on both sides, and the interval of the paired differences."""
        now, before = ~np.isnan(self.now) & part, ~np.isnan(self.before) & part
        paired = now & before
        lost = int((before & ~now).sum()) + (self._gone if part.all() else 0)
        value, was = (self._summary(one, paired) for one in (self.now, self.before))
        n, gained = int(paired.sum()), int((now & ~before).sum())
        return Moved(value, was, n, lost, gained, self._interval(paired))

    def furthest(self, part: Bools, sign: int) -> tuple[Worst, ...]:
        """The queries that lost their value, and those that moved most: down for -1, up for 1."""
        difference = settled(np.nan_to_num(self.before), np.nan_to_num(self.now))
        difference[np.isnan(self.now) | np.isnan(self.before) | ~part] = 0.0
        far = -sign * difference
        order = np.argsort(far, kind="stable")[:NAMED].tolist()
        gone = np.flatnonzero(np.isnan(self.now) & ~np.isnan(self.before) & part).tolist()
        lost = [Worst(self.values.queries[at], None, float(self.before[at])) for at in gone]
        moved = [
            Worst(self.values.queries[at], float(self.now[at]), float(self.before[at]))
            for at in order
            if far[at] < 0
        ]
        return tuple([*lost, *moved][:NAMED])

    def outermost(self, part: Bools, sign: int) -> tuple[Worst, ...]:
        """The queries with the lowest values for -1, the highest for 1."""
        known = np.flatnonzero(part & ~np.isnan(self.now))
        order = known[np.argsort(-sign * self.now[known], kind="stable")][:NAMED].tolist()
        return tuple(Worst(self.values.queries[at], float(self.now[at])) for at in order)

    def _summary(self, value: Floats, part: Bools) -> float:
        weight = self._weight(part)
        if not part.any() or (weight is not None and not weight.any()):
            return math.nan
        return self.scoring.mean_within(self.measure, self.values, value, part)

    def _interval(self, paired: Bools) -> Interval | None:
        if not self.is_mean or not paired.any():
            return None
        difference = settled(self.before[paired], self.now[paired])
        return interval_of(difference, self._weight(paired), method="t", level=self.level)

    def _weight(self, paired: Bools) -> Floats | None:
        """What the paired queries count."""
        here = np.flatnonzero(paired)
        queries = [self.values.queries[at] for at in here.tolist()]
        return self.scoring.weights_of(
            self.values._replace(queries=queries, value=self.values.value[here])
        )
