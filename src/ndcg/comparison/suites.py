"""Several collections: a row each, and the mean of their means; queries are never pooled."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from ndcg._version import VERSION
from ndcg.comparison.comparing import pairs_to_test, refuse_how, remarks_on, result_of
from ndcg.comparison.family import Family, family_of
from ndcg.comparison.pairs import How
from ndcg.comparison.results import Comparison, Result
from ndcg.comparison.segments import parts_of
from ndcg.errors import DataError, NdcgError, Notice, Problem, UsageError, count, listed, note
from ndcg.evaluation import scored
from ndcg.evaluation.results import Evaluation
from ndcg.evaluation.scoring import Scoring
from ndcg.statistics.intervals import LEVEL, Bounds, Interval, stratified_interval
from ndcg.statistics.sample import Sample


class Member(NamedTuple):
    """A collection: its judgments, and a run of each system."""

    name: str
    qrels: Any
    runs: Mapping[str, Any]


class Overall(NamedTuple):
    """The mean of the collection means of a system; None where a collection lacks one."""

    mean: float | None
    interval: Interval | None


@dataclass(frozen=True, slots=True)
class Suite:
    """An evaluation of every collection, and what is over all of them."""

    collections: dict[str, Evaluation]
    overall: dict[str, dict[str, Overall]]  # measure -> system
    notices: tuple[Notice, ...] = ()

    @property
    def measures(self) -> list[str]:
        """The measures, in the order in which they were asked for."""
        return [*self.overall]

    @property
    def systems(self) -> list[str]:
        """The systems, in the order in which they first appear."""
        return [*next(iter(self.overall.values()))]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it."""
        return {
            "schema": 1,
            "version": VERSION,
            "collections": {name: one.to_dict() for name, one in self.collections.items()},
            "mean_of_collections": {
                measure: {
                    system: {"mean": one.mean, "interval": one.interval and one.interval.to_dict()}
                    for system, one in systems.items()
                }
                for measure, systems in self.overall.items()
            },
            "notices": [str(one) for one in self.notices],
        }


def evaluate_suite(
    members: Sequence[Member],
    measures: str | Sequence[str] | None = None,
    *,
    interval: str = "auto",
    level: float = LEVEL,
    **how: Any,
) -> Suite:
    """Evaluate every collection, and take the mean of the collection means.

    Parameters
    ----------
    members
        The collections; a system that lacks one has no mean over all.
    measures, **how
        As in `evaluate`.
    interval, level
        As in `Evaluation.with_intervals`; over all collections it is stratified.

    Raises
    ------
    UsageError, DataError
        As `evaluate` does, with the name of the collection.
    """
    found: dict[str, Evaluation] = {}
    notices: list[Notice] = []
    for member, evaluation, _ in _evaluated(members, measures, how):
        found[member.name] = evaluation.with_intervals(interval, level=level)
        notices += _named(member, evaluation)
    systems = [*dict.fromkeys(name for one in found.values() for name in one.systems)]
    for system in systems:
        lacking = [name for name, one in found.items() if system not in one.systems]
        if lacking:
            notices.append(note(f"{system} has no mean over all collections: {listed(lacking)}"))
    names = [*next(iter(next(iter(found.values())).systems.values())).measures]
    overall = {
        measure: {system: _overall(found, system, measure, level) for system in systems}
        for measure in names
    }
    return Suite(found, overall, tuple(dict.fromkeys(notices)))


def _evaluated(
    members: Sequence[Member], measures: str | Sequence[str] | None, how: Mapping[str, Any]
) -> list[tuple[Member, Evaluation, list[Scoring]]]:
    """Each collection scored; an error says which one it is of."""
    if not members:
        raise UsageError(Problem("usage", "a suite of no collection", help="give one or more"))
    found = []
    for member in members:
        try:
            evaluation, scorings = scored(member.qrels, dict(member.runs), measures, **how)
        except NdcgError as error:
            raise _in_collection(error, member) from None
        found.append((member, evaluation, scorings))
    return found


def _in_collection(error: NdcgError, member: Member) -> NdcgError:
    problems = [one._replace(what=f"{member.name}: {one.what}") for one in error.problems]
    return type(error)(problems, total=error.total)


def _named(member: Member, evaluation: Evaluation) -> list[Notice]:
    return [one._replace(what=f"{member.name}: {one.what}") for one in evaluation.notices]


def _overall(found: Mapping[str, Evaluation], system: str, measure: str, level: float) -> Overall:
    results = [one.systems[system].measures[measure] for one in found.values()
               if system in one.systems]  # fmt: skip
    means = [one.mean for one in results]
    known = [mean for mean in means if mean is not None]
    if len(known) < len(found):
        return Overall(None, None)
    parts, bounds = [], None
    for one in results:
        if one.uncertainty is None or one.uncertainty.method == "none":
            return Overall(sum(known) / len(known), None)
        parts.append(Sample.of(one.uncertainty.score, one.uncertainty.weight))
        bounds = one.uncertainty.bounds
    interval = stratified_interval(parts, bounds=bounds, level=level)
    return Overall(sum(known) / len(known), interval)


def combined(families: Mapping[str, Family]) -> Family:
    """The families of several collections as one, in which each collection counts alike."""
    for name, one in families.items():
        if len(one.queries) < 2:
            number = count(len(one.queries), "query", "queries")
            what = f"collection {name} has {number} with a value of {one.measure} for every system"
            raise DataError(Problem("queries", what, help="two or more are needed: leave it out"))
    first = next(iter(families.values()))
    names = first.names
    scores = np.concatenate([one.scores for one in families.values()], axis=1)
    weight = [
        (np.ones(len(one.queries)) if one.weight is None else one.weight / one.weight.sum())
        / (len(families) * (len(one.queries) if one.weight is None else 1))
        for one in families.values()
    ]
    parts = [np.full(len(one.queries), at) for at, one in enumerate(families.values())]
    within = [one.bounds for one in families.values()]
    bounds: Bounds | None = None if None in within else first.bounds
    return first._replace(
        queries=[f"{name}:{query}" for name, one in families.items() for query in one.queries],
        scores=scores,
        weight=np.concatenate(weight),
        undefined=sum(one.undefined for one in families.values()),
        weightless=sum(one.weightless for one in families.values()),
        missing={name: sum(one.missing[name] for one in families.values()) for name in names},
        partial={name: sum(one.partial[name] for one in families.values()) for name in names},
        bounds=bounds,
        common=sum(one.common for one in families.values()),
        parts=np.concatenate(parts),
    )


def compare_suite(
    members: Sequence[Member],
    measures: str | Sequence[str] | None,
    asked: How,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    **how: Any,
) -> Comparison:
    """Compare systems over several collections: a row each, and the mean of their differences.

    The test over all changes signs of queries, each collection counting alike: its p is of the mean
    of the collection means. The rows of collections are corrected together.

    Parameters
    ----------
    members : collections that have all systems.
    measures, **how : as in `evaluate`.
    asked : by which test.
    baseline, all_pairs : as in `compare`.
    """
    refuse_how(asked)
    if asked.interval not in ("auto", "none"):
        what = f"means of collection means have stratified intervals, not {asked.interval}"
        raise UsageError(Problem("usage", what, help="--interval auto or none"))
    scored_here = _evaluated(_alike(members), measures, how)
    notices = [one for member, evaluation, _ in scored_here for one in _named(member, evaluation)]
    results: list[Result] = []
    for at in range(len(scored_here[0][2][0].measures)):
        families = {
            member.name: family_of(scorings, scorings[0].measures[at], {})
            for member, _, scorings in scored_here
        }
        family = combined(families)
        which = pairs_to_test(family.names, baseline, all_pairs=all_pairs)
        result = result_of(family, which, asked, all_pairs=all_pairs)
        notices[:0] = remarks_on(result)
        words = f"{result.family}, mean of {len(families)} collection means"
        parts = tuple(parts_of(families, which, asked))
        results.append(result._replace(family=words, segments=parts, parts="collection"))
    inputs = tuple(one for _, evaluation, _ in scored_here for one in evaluation.inputs)
    first = replace(scored_here[0][1], inputs=inputs)
    pairs = {
        "baseline": None if all_pairs else results[0].pairs[0].baseline,
        "all_pairs": all_pairs,
        "collections": [member.name for member, _, _ in scored_here],
    }
    return Comparison(tuple(results), asked, first, tuple(dict.fromkeys(notices)), pairs)


def _alike(members: Sequence[Member]) -> list[Member]:
    """The collections with their systems in one order; each needs all, or means would differ."""
    systems = [*dict.fromkeys(name for one in members for name in one.runs)]
    for one in members:
        lacking = [name for name in systems if name not in one.runs]
        if lacking:
            what = f"collection {one.name} has no run of {listed(lacking)}"
            raise UsageError(Problem("usage", what, help="give every system a run of each"))
    return [one._replace(runs={name: one.runs[name] for name in systems}) for one in members]
