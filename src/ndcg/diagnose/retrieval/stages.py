"""A pipeline of stages: what each hands over, and where each relevant document was lost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from ndcg.align import Aligned
from ndcg.diagnose.pool import top_of
from ndcg.diagnose.retrieval.candidates import worth_of
from ndcg.errors import Problem, UsageError
from ndcg.evaluation.scoring import Scoring
from ndcg.kernel import Bools, Floats, Ints
from ndcg.measures.registry import Measure

_ALL = 2**62  # ranks

# What became of a relevant document, in the order in which it can be lost.
NOT_LISTED = "not listed"  # the stage does not list it
BELOW_DEPTH = "below depth"  # the stage lists it behind the depth at which it is cut
BELOW_CUTOFF = "below cutoff"  # it comes out of the last stage, behind the measure's cutoff
KEPT = "kept"  # it stands where the measure looks
FATES = (NOT_LISTED, BELOW_DEPTH, BELOW_CUTOFF, KEPT)


class Cut(NamedTuple):
    """A stage: its run, whole and as the stage hands it over."""

    name: str
    depth: int | None  # None: all of it
    whole: Scoring
    cut: Scoring


class Fate(NamedTuple):
    """What became of one relevant document of a query."""

    document: str
    grade: float
    ranks: tuple[int | None, ...]  # in the whole run of each stage
    fate: str
    stage: str  # that lost it; the last one if none did

    def to_dict(self) -> dict[str, Any]:
        """As JSON carries it."""
        return self._asdict() | {"ranks": list(self.ranks)}


class Fates(NamedTuple):
    """What became of all relevant documents, in order of query and of the judgments."""

    row: Ints  # number of the query
    fate: Ints  # number among `FATES`
    stage: Ints  # number of the stage that lost it
    handed: Bools  # (n_stages, n_docs) whether it was handed over by each stage
    rank: Ints  # (n_stages, n_docs) in the whole run; 0: not listed
    place: Ints  # of the document among all judged ones
    grade: Floats

    def number(self, fate: str, stage: int | None = None) -> int:
        """How many documents had this fate, at one stage or at any."""
        had = self.fate == FATES.index(fate)
        return int((had if stage is None else had & (self.stage == stage)).sum())


def cut_at(scoring: Scoring, measure: Measure, depth: int | None) -> Cut:
    """A stage that hands over the first `depth` documents of a run.

    Raises
    ------
    UsageError
        Where the convention cuts runs too.
    """
    name, convention = scoring.rankings.name, scoring.convention(measure)
    if depth is None:
        return Cut(name, None, scoring, scoring)
    if convention.depth != "all":
        what = f"depth:{convention.depth} cuts every run, and stage {name!r} is cut at {depth:,}"
        raise UsageError(Problem("usage", what, help="--depth all, or stages without depths"))
    return Cut(name, depth, scoring, _to_depth(scoring, measure, str(depth)))


def whole_run(scoring: Scoring, measure: Measure) -> Cut:
    """A run by itself; where the convention cuts it, what it lists below the depth is known too."""
    name, depth = scoring.rankings.name, scoring.convention(measure).depth
    if depth == "all":
        return Cut(name, None, scoring, scoring)
    return Cut(name, int(depth), _to_depth(scoring, measure, "all"), scoring)


def _to_depth(scoring: Scoring, measure: Measure, depth: str) -> Scoring:
    """The same run, cut elsewhere."""
    axes = tuple(pair for pair in measure.axes if pair[0] != "depth")
    return Scoring(
        scoring.judgments, scoring.rankings, scoring.base.but({"depth": depth}), scoring.tables,
        [replace(measure, axes=axes)], explicit_order=True, chosen=frozenset(scoring.queries),
        whole=True, shared=scoring.shared,
    )  # fmt: skip


def fates_of(stages: Sequence[Cut], measure: Measure) -> Fates:
    """What became of every relevant document in a pipeline, or in a single run."""
    whole = [_relevant(one.whole, measure) for one in stages]
    handed = np.array([_relevant(one.cut, measure).rank > 0 for one in stages])
    rank = np.array([one.rank for one in whole])
    # It is lost behind the last stage that handed it over: what an earlier one lost, a later one
    # that lists it all the same has put right.
    behind = (handed * np.arange(1, len(stages) + 1)[:, None]).max(axis=0)
    stage = np.minimum(behind, len(stages) - 1)
    listed = rank[stage, np.arange(rank.shape[1])] > 0
    lost = np.where(listed, FATES.index(BELOW_DEPTH), FATES.index(NOT_LISTED))
    seen = np.where(_shown(stages[-1].cut, measure), FATES.index(KEPT), FATES.index(BELOW_CUTOFF))
    fate = np.where(behind == len(stages), seen, lost)
    place = _place(stages[0].whole, measure, whole[0])
    return Fates(whole[0].row, fate, stage, handed, rank, place, whole[0].grade)


def _relevant(scoring: Scoring, measure: Measure, *, counted: bool = False) -> Aligned:
    """The relevant documents in the order of the judgments, as listed or as they are counted."""
    lists = scoring.lists_of(measure)
    docs = lists.ranked if counted else lists.listed
    docs = docs.rows(worth_of(lists, measure, docs) & docs.given & ~docs.copy)
    return docs.rows(np.lexsort((docs.listed, docs.row)))


def _shown(scoring: Scoring, measure: Measure) -> Bools:
    """Which relevant documents stand where the measure looks."""
    rank = _relevant(scoring, measure, counted=True).rank
    k = measure.cutoff(scoring.convention(measure))
    return (rank > 0) & (rank <= (k or rank))


def _place(scoring: Scoring, measure: Measure, docs: Aligned) -> Ints:
    """The place of documents among all judged ones, query after query."""
    aligned = scoring.overlay(scoring.lists_of(measure).convention).aligned
    every = aligned.rows(~aligned.copy)
    stride = int(every.listed.max(initial=0)) + 1
    keys = np.sort(every.row * stride + every.listed)
    return np.searchsorted(keys, docs.row * stride + docs.listed)


def documents_of(fates: Fates, stages: Sequence[Cut]) -> dict[str, tuple[Fate, ...]]:
    """What became of the relevant documents of each query, by their ids."""
    judged = stages[0].whole.judged
    start = judged.start.tolist()
    found: dict[str, list[Fate]] = {}
    columns = (fates.row, fates.place, fates.fate, fates.stage, fates.grade)
    rows = zip(*(one.tolist() for one in columns), fates.rank.T.tolist(), strict=True)
    for row, place, fate, stage, grade, ranks in rows:
        document = judged.documents[row][place - start[row]]
        seen = tuple(rank or None for rank in ranks)
        one = Fate(document, grade, seen, FATES[fate], stages[stage].name)
        found.setdefault(judged.queries[row], []).append(one)
    return {query: tuple(own) for query, own in found.items()}


class Brought(NamedTuple):
    """Documents that a stage hands over without having been given them."""

    documents: int
    queries: tuple[str, ...]  # those with such documents


def brought_in(stages: Sequence[Cut], measure: Measure) -> list[Brought]:
    """What each stage hands over that the one before did not; nothing for the first."""
    found = [Brought(0, ())]
    before = _handed(stages[0], measure) if len(stages) > 1 else {}
    for stage in stages[1:]:
        own = _handed(stage, measure)
        new = {query: len(ids - before.get(query, set())) for query, ids in own.items()}
        queries = tuple(query for query, number in new.items() if number)
        found.append(Brought(sum(new.values()), queries))
        before = own
    return found


def _handed(stage: Cut, measure: Measure) -> dict[str, set[str]]:
    """The documents that a stage hands over, of every judged query."""
    found: dict[str, set[str]] = {}
    convention, queries = stage.cut.convention(measure), stage.cut.judged.queries
    for query, document, _ in top_of(stage.cut.rankings, queries, convention, _ALL):
        found.setdefault(query, set()).add(document)
    return found
