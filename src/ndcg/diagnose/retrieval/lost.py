"""Where a value was lost: what a run's candidates, or every stage of a pipeline, could reach."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ndcg._version import VERSION
from ndcg.convention import Convention
from ndcg.diagnose.retrieval.candidates import best_of_candidates
from ndcg.diagnose.retrieval.reaching import no_ceiling_above, number_or_none, reached_by
from ndcg.diagnose.retrieval.stages import (
    BELOW_CUTOFF,
    BELOW_DEPTH,
    KEPT,
    NOT_LISTED,
    Brought,
    Cut,
    Fate,
    Fates,
    brought_in,
    documents_of,
    fates_of,
)
from ndcg.errors import Notice, Problem, UsageError, count, did_you_mean, listed, note, warn
from ndcg.evaluation.reached import Reached, Value, less
from ndcg.evaluation.results import Evaluation
from ndcg.evaluation.scoring import Scoring, Values
from ndcg.measures.registry import Measure


class Stage(NamedTuple):
    """What one stage hands over, and what was lost at it."""

    name: str
    depth: int | None  # None: all of its run
    documents: int  # handed over, over all judged queries
    judged: int  # of these
    relevant: int  # of these
    not_listed: int  # relevant documents that were lost here because its run does not list them
    below_depth: int  # or because they stand behind its depth
    brought: int  # documents handed over that the stage before did not
    brought_relevant: int
    ceiling: Value  # the mean if what it hands over stood in its best order
    lost: Value  # the ceiling of the stage before (what is attainable, for the first) less that
    ideal: Mapping[int, Value]  # the same of its first documents alone, by their number
    per_query: Mapping[str, Value]  # the ceiling of every query

    def to_dict(self) -> dict[str, Any]:
        """As JSON carries it, without the queries."""
        facts = self._asdict() | {"ideal": {str(depth): one for depth, one in self.ideal.items()}}
        del facts["per_query"]
        return facts


class Path(NamedTuple):
    """A run, or a pipeline of runs: what it could have reached and where it lost."""

    name: str
    n: int  # queries in the mean
    reached: Reached
    kept: int  # relevant documents where the measure looks
    below_cutoff: int  # and behind its cutoff
    stages: tuple[Stage, ...]
    documents: Mapping[str, tuple[Fate, ...]]  # what became of the relevant ones of each query
    signature: str

    @property
    def relevant(self) -> int:
        """The relevant documents that there are."""
        lost = sum(stage.not_listed + stage.below_depth for stage in self.stages)
        return self.kept + self.below_cutoff + lost

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """As JSON carries it."""
        facts: dict[str, Any] = {"name": self.name, "value": self.reached.mean.value, "n": self.n}
        facts |= self.reached.to_dict()
        facts |= {"relevant": self.relevant, "kept": self.kept, "below_cutoff": self.below_cutoff}
        facts["stages"] = [stage.to_dict() for stage in self.stages]
        facts["signature"] = self.signature
        if per_query:
            facts["per_query"] = {query: self._query(query) for query in self.reached.per_query}
        return facts

    def _query(self, query: str) -> dict[str, Any]:
        one = self.reached.per_query[query]
        return {
            "value": one.value,
            **one.to_dict(),
            "ceilings": [stage.per_query.get(query) for stage in self.stages],
            "documents": [fate.to_dict() for fate in self.documents.get(query, ())],
        }


@dataclass(frozen=True, slots=True, repr=False)
class Retrieval:
    """What `ceiling` returns: every run, or the pipeline, by its name."""

    measure: str
    k: int | None
    systems: Mapping[str, Path]
    depths: tuple[int, ...]
    evaluation: Evaluation  # of the runs, whole
    notices: tuple[Notice, ...]

    def __getitem__(self, name: str) -> Path:
        """A run by its name."""
        if name in self.systems:
            return self.systems[name]
        raise self._no(f"there is no system {name!r}{did_you_mean(name, self.systems)}")

    @property
    def only(self) -> Path:
        """The single run, or the pipeline."""
        if len(self.systems) > 1:
            raise self._no(f"there are {len(self.systems)} systems, so .only is not one thing")
        return next(iter(self.systems.values()))

    def _no(self, what: str) -> UsageError:
        return UsageError(Problem("system", what, help=f"systems: {', '.join(self.systems)}"))

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Everything as ``ndcg ceiling --json`` prints it."""
        return {
            "schema": 1,
            "version": VERSION,
            "kind": "ceiling",
            "measure": self.measure,
            "inputs": [one.to_dict() for one in self.evaluation.inputs],
            "systems": [one.to_dict(per_query=per_query) for one in self.systems.values()],
            "notices": [*map(str, self.notices)],
        }

    def report(self, format_name: str = "table") -> str:
        """What was found as text in one of the command's formats."""
        from ndcg.reports.retrieved import render  # upwards, once: for people at a prompt

        return render(self, format_name)

    def __str__(self) -> str:
        return "\n".join([self.report().rstrip("\n"), *map(str, self.notices)])

    def __repr__(self) -> str:
        parts = [
            f"{name}: {self.measure} {one.reached.mean.value}, ceiling {one.reached.mean.ceiling}"
            for name, one in self.systems.items()
        ]
        return f"<Retrieval {'; '.join(parts)}>"


def path_of(
    stages: Sequence[Cut], measure: Measure, depths: Sequence[int], notices: list[Notice]
) -> Path:
    """A run, or a pipeline of stages, looked at."""
    last = stages[-1].cut
    found = reached_by(last, measure)
    name = " > ".join(stage.name for stage in stages)
    fates, brought = fates_of(stages, measure), brought_in(stages, measure)
    parts: list[Stage] = []
    for at, stage in enumerate(stages):
        before = parts[-1].ceiling if parts else found.reached.mean.attainable
        mean = partial(_mean_over, last, measure, found.values)
        parts.append(_stage(at, stage, measure, depths, fates, brought[at], before, mean, notices))
    notices += no_ceiling_above(found.reached, name, measure)
    notices += _not_judged(parts[-1], found.values.convention.unjudged)
    notices += _not_nested(stages, parts, brought)
    notices += _other_ideals(found.values.convention) if depths or len(stages) > 1 else ()
    values = found.values
    return Path(
        name, int((~np.isnan(values.value)).sum()), found.reached,
        fates.number(KEPT), fates.number(BELOW_CUTOFF), tuple(parts), documents_of(fates, stages),
        values.convention.signature(str(measure), VERSION),
    )  # fmt: skip


def _stage(
    at: int, stage: Cut, measure: Measure, depths: Sequence[int], fates: Fates, brought: Brought,
    before: Value, mean_of: Callable[[Values], Value], notices: list[Notice],
) -> Stage:  # fmt: skip
    """One stage: what it hands over, what it lost, and what it could reach."""
    lists = stage.cut.lists_of(measure)
    best = best_of_candidates(stage.cut, measure, lists.convention)
    mean = mean_of(best)
    new = fates.handed[at] & ~fates.handed[at - 1] if at else np.zeros(0, bool)
    docs = lists.ranked  # after every rule that takes documents out
    return Stage(
        name=stage.name,
        depth=stage.depth,
        documents=int(docs.returned.sum()),
        judged=int((docs.retrieved & docs.given).sum()),
        relevant=int(fates.handed[at].sum()),
        not_listed=fates.number(NOT_LISTED, at),
        below_depth=fates.number(BELOW_DEPTH, at),
        brought=brought.documents,
        brought_relevant=int(new.sum()),
        ceiling=mean,
        lost=less(before, mean),
        ideal={depth: _ideal(stage, measure, depth, mean_of, notices) for depth in depths},
        per_query=dict(zip(best.queries, map(number_or_none, best.value.tolist()), strict=True)),
    )


def _mean_over(last: Scoring, measure: Measure, values: Values, best: Values) -> Value:
    """The mean over the queries of the last stage; a stage that hands nothing over reaches 0."""
    others = best.value
    if best.queries != values.queries:
        found = dict(zip(best.queries, best.value.tolist(), strict=True))
        others = np.array([found.get(query, math.nan) for query in values.queries])
    others = np.where(np.isnan(others), 0.0, others)
    others = np.where(np.isnan(values.value), math.nan, others)
    everything = np.ones(len(others), bool)
    return number_or_none(last.mean_within(measure, values, others, everything))


def _ideal(
    stage: Cut, measure: Measure, depth: int, mean_of: Callable[[Values], Value],
    notices: list[Notice],
) -> Value:  # fmt: skip
    """The mean if the first documents of a stage stood in their best order."""
    convention = stage.cut.lists_of(measure).convention
    try:
        return mean_of(best_of_candidates(stage.cut, measure, convention, depth))
    except UsageError as error:  # which documents are the first ones is open
        notices.append(note(f"{stage.name}: {error.problems[0].what}", error.problems[0].help))
        return None


def _not_judged(stage: Stage, rule: str) -> Iterator[Notice]:
    """Candidates without judgment are said: what they are worth, a rule decides."""
    unjudged = stage.documents - stage.judged
    if unjudged > 0:
        share = f"{unjudged:,} of {count(stage.documents, 'candidate')}"
        what = f"{stage.name}: {share} ({unjudged / stage.documents:.1%}) without judgment"
        effect = "count nothing" if rule == "zero" else f"count by unjudged:{rule}"
        yield note(f"{what}; in its ceiling these {effect}")


def _other_ideals(convention: Convention) -> Iterator[Notice]:
    """Rules under which an ideal depends on how much is handed over are said."""
    rules = {
        "ideal_depth": convention.ideal_depth == "returned",
        "appended": convention.appended != "none",
        "unjudged": convention.unjudged.startswith("grade") and convention.ideal_depth == "all",
    }
    for axis in (name for name, here in rules.items() if here):
        what = f"{axis}:{getattr(convention, axis)} lets the ideal change with what is handed over"
        yield warn(f"{what}, so that fewer documents may seem to reach more")


def _not_nested(
    stages: Sequence[Cut], parts: Sequence[Stage], brought: Sequence[Brought]
) -> Iterator[Notice]:
    """Stages that hand over what they were not given."""
    for at, (part, new) in enumerate(zip(parts, brought, strict=True)):
        if new.documents:
            queries = count(len(new.queries), "query", "queries")
            what = (
                f"{part.name} hands over {count(new.documents, 'document')} "
                f"({part.brought_relevant:,} relevant) that {stages[at - 1].name} does not, in "
                f"{queries} ({listed(new.queries, 3)}): what a stage brings in makes up for what "
                "was lost before"
            )
            yield warn(what, "check that the stages are in order, and their depths")
