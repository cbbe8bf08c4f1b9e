"""The values of one measure for several systems, paired by query: what is tested together."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ndcg._version import VERSION
from ndcg.convention import Convention
from ndcg.errors import Problem, UsageError
from ndcg.evaluation.scoring import Scoring, Values
from ndcg.evaluation.uncertainty import bounds_of
from ndcg.kernel import Bools, Floats, Ints
from ndcg.measures.registry import Measure
from ndcg.statistics.distributions import t_two_sided
from ndcg.statistics.intervals import (
    Bounds,
    Interval,
    interval_of,
    stratified,
    stratified_interval,
)
from ndcg.statistics.paired import t_p
from ndcg.statistics.sample import Sample

Groups = Mapping[str, Sequence[str]]  # systems -> the runs they are averaged over


class Spread(NamedTuple):
    """The standard deviation of differences, the size its error is of, and the p of Student's t."""

    deviation: float
    size: float
    p: float | None


class Family(NamedTuple):
    """Systems and the queries that have a value for each of them.

    Attributes
    ----------
    measure, signature : what the values are.
    names : (n_systems,).
    queries : (n,) in byte order; only those defined for every system.
    scores : (n_systems, n).
    weight : (n,) what each counts; None where all count alike.
    undefined : queries that have no value for some system, and are left out for all.
    weightless : queries that count nothing, and are left out.
    missing : for each system, how many of the queries its run does not answer.
    common : queries that every run answers; all of them where the runs answer the same.
    weigh : what some of the queries count: groups have other members in a part.
    parts : the collection of each query, where the mean is one of collection means.
    partial : for each system of several runs, queries that only some of them answer.
    """

    measure: str
    signature: str
    names: list[str]
    queries: list[str]
    scores: Floats
    weight: Floats | None
    undefined: int
    weightless: int
    missing: dict[str, int]
    partial: dict[str, int]
    bounds: Bounds | None
    common: int
    weigh: Callable[[Sequence[str]], Floats | None]
    parts: Ints | None = None  # (n,) of which collection each query is; None where there is one

    def sample(self, at: int) -> Sample:
        """The scores of a system."""
        return Sample.of(self.scores[at], self.weight)

    def interval(self, at: int, method: str, level: float, seed: int) -> Interval | None:
        """The interval of a system's mean."""
        if self.parts is not None and method != "none":
            samples = self._samples(self.scores[at])
            return stratified_interval(samples, bounds=self.bounds, level=level)
        return interval_of(
            self.scores[at], self.weight, bounds=self.bounds, method=method, level=level, seed=seed
        )

    def spread_of(self, difference: Floats) -> Spread:
        """How far differences spread, and the p of Student's t.

        Over several collections what differs between them is no error: the deviation is that of a
        single sample whose mean has the same error.
        """
        if self.parts is None:
            sample = Sample.of(difference, self.weight)
            return Spread(sample.deviation, sample.n_effective, t_p(sample))
        found = stratified(self._samples(difference))
        if found is None:
            return Spread(math.nan, float(len(difference)), None)
        p = t_two_sided(found.mean / found.error, found.freedom) if found.error else None
        return Spread(found.error * math.sqrt(len(difference)), float(len(difference)), p)

    def interval_of_difference(self, difference: Floats, level: float) -> Interval | None:
        """Student's interval of the mean of differences between two systems."""
        if self.parts is not None:
            return stratified_interval(self._samples(difference), level=level)
        return interval_of(difference, self.weight, method="t", level=level)

    def _samples(self, value: Floats) -> list[Sample]:
        """Values by collection, each query with what it counts inside it."""
        weight = np.ones(len(value)) if self.weight is None else self.weight
        parts = np.zeros(len(value), np.int64) if self.parts is None else self.parts
        inside = (parts == part for part in np.unique(parts))
        return [Sample.of(value[here], weight[here]) for here in inside]

    def only(self, which: Bools) -> Family:
        """The family of some of the queries."""
        queries = [self.queries[at] for at in np.flatnonzero(which).tolist()]
        weight = None if self.weight is None else self.weigh(queries)
        return self._replace(queries=queries, scores=self.scores[:, which], weight=weight)


def family_of(
    scorings: Sequence[Scoring],
    measure: Measure,
    groups: Groups,
    changes: Mapping[str, str] | None = None,
) -> Family:
    """The family of a measure; `changes` are axes of its convention that are set otherwise.

    Raises
    ------
    UsageError
        For a measure whose summary is no mean of queries.
    DataError, UsageError
        For what a convention refuses.
    """
    if measure.record.over_queries != "mean":
        kind = {"geometric": "geometric mean"}.get(measure.record.over_queries, "sum")
        what = f"{measure} is not compared: over queries it is a {kind}"
        raise UsageError(Problem("usage", what, help="a measure with a mean, such as nDCG@10"))
    values = [_values(one, measure, changes) for one in scorings]
    queries = sorted({query for one in values for query in one.queries})
    score, answered = _laid(values, queries)
    names = [one.rankings.name for one in scorings]
    names, score, answered, partial = _grouped(names, score, answered, groups)
    known = ~np.isnan(score).all(axis=0)
    defined = ~np.isnan(score).any(axis=0)

    def weigh(kept: Sequence[str]) -> Floats | None:
        return weight_among(scorings[0], values[0], kept)

    counted = np.array(defined)
    weight = weigh([queries[at] for at in np.flatnonzero(defined).tolist()])
    if weight is not None:
        counted[np.flatnonzero(defined)[weight == 0]] = False
        weight = weight[weight != 0]
    score = np.ascontiguousarray(score[:, counted])
    answered = answered[:, counted]
    missing = (~answered).sum(axis=1).tolist()
    alike = bool((answered == answered[0]).all())
    return Family(
        str(measure),
        values[0].convention.signature(str(measure), VERSION),
        names,
        [queries[at] for at in np.flatnonzero(counted).tolist()],
        score,
        weight,
        int((known & ~defined).sum()),
        int((defined & ~counted).sum()),
        dict(zip(names, missing, strict=True)),
        dict(zip(names, partial[:, counted].sum(axis=1).tolist(), strict=True)),
        bounds_of(measure.record, score),
        int(counted.sum()) if alike else int(answered.all(axis=0).sum()),
        weigh,
    )


def _values(scoring: Scoring, measure: Measure, changes: Mapping[str, str] | None) -> Values:
    convention: Convention = scoring.convention(measure)
    return scoring.values(measure, convention.but(dict(changes or {})))


def _laid(values: Sequence[Values], queries: list[str]) -> tuple[Floats, Bools]:
    """The values and whether they were answered, in the order of the queries."""
    score = np.full((len(values), len(queries)), math.nan)
    answered = np.zeros((len(values), len(queries)), bool)
    place = {query: at for at, query in enumerate(queries)}
    for row, one in enumerate(values):
        here = slice(None) if one.queries == queries else [place[query] for query in one.queries]
        score[row, here], answered[row, here] = one.value, one.answered
    return score, answered


def _grouped(
    names: list[str], score: Floats, answered: Bools, groups: Groups
) -> tuple[list[str], Floats, Bools, Bools]:
    """Runs of one system averaged by query, over those that answer it; all if none does.

    Seeds answer the same queries, and each counts; folds answer different ones, and one counts.
    """
    if not groups:
        return names, score, answered, np.zeros_like(answered)
    inside = {run for runs in groups.values() for run in runs}
    found = {name: [names.index(run) for run in runs] for name, runs in groups.items()}
    found |= {name: [at] for at, name in enumerate(names) if name not in inside}
    found = dict(sorted(found.items(), key=lambda item: min(item[1])))  # where the first run stood
    rows, replies, parts = [], [], []
    for runs in found.values():
        here = answered[runs]
        some = here.any(axis=0)
        counted = here | ~some
        total = np.where(counted, score[runs], 0.0).sum(axis=0)
        rows.append(total / counted.sum(axis=0))
        replies.append(some)
        parts.append(some & ~here.all(axis=0))
    return [*found], np.array(rows), np.array(replies), np.array(parts)


def weight_among(scoring: Scoring, values: Values, kept: Collection[str]) -> Floats | None:
    """What the queries count: groups have other members where queries were left out."""
    if scoring.weights_of(values) is None:
        return None
    here = {*kept}
    value = np.array([0.0 if query in here else math.nan for query in values.queries])
    weight = scoring.weights_of(values._replace(value=value))
    return None if weight is None else weight[~np.isnan(value)]
