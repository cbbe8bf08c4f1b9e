"""Judgments and runs as they were given: checked, never changed."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcg.align import Aligned
from ndcg.convention import Convention
from ndcg.errors import (
    SHOWN,
    DataError,
    Place,
    Problem,
    Problems,
    UsageError,
    axis_help,
)
from ndcg.kernel import Bools, Floats, Ints
from ndcg.stores.values import floats, shown

# Sort keys of a query's rows, where larger is better, in the precision they are compared in.
Keys = NDArray[np.float64] | NDArray[np.float32]

# Finds the rows of (query, document) in the file they came from, for messages.
Locate = Callable[[str, str], Sequence[Place]]


_MERGE = "keep one of them, or merge them: " + axis_help(
    "judgments", "max", "min", "mean", "median", "majority", "last"
)


class Listing(NamedTuple):
    """One query's run: documents in listed order, with what may order them.

    `documents` is a mapping of document to score, or a sequence that may repeat documents;
    `scores` and `ranks` run along it.
    """

    documents: Mapping[str, float] | Sequence[str]
    scores: Iterable[float] | Floats | None
    ranks: Sequence[float] | Floats | None = None


class Skipped(NamedTuple):
    """A row that was left out because it could not be used and was allowed to be."""

    path: str
    line: int  # or the number of the row, where there are no lines
    what: str
    unit: str = "line"


class Judged:
    """All judged queries in byte order of their ids, their documents side by side.

    `grades`, of all documents, query after query, may be given as a function: few evaluations
    look at all of them. `extent` is the lowest and highest grade, None where there are none.
    """

    def __init__(
        self,
        queries: list[str],
        documents: Sequence[Sequence[str]],
        grades: Floats | Callable[[], Floats],
        start: Ints,
        repeated: int,
        extent: tuple[float, float] | None = None,
        differing: Sequence[Differing] = (),
    ) -> None:
        self.queries = queries
        self.documents = documents  # per query
        self.start = start  # (n_queries + 1,) where each query's documents begin
        self.repeated = repeated  # judgments that were collapsed into another
        self.differing = differing  # those among them that did not say the same
        self._grades, self._extent = grades, extent
        self._places: dict[int, Mapping[str, int]] = {}

    @property
    def grades(self) -> Floats:
        """The grades of all documents."""
        if callable(self._grades):
            self._grades = self._grades()
        return self._grades

    @property
    def extent(self) -> tuple[float, float] | None:
        """The lowest and the highest grade."""
        if self._extent is None and self.start[-1] > 0:
            self._extent = float(self.grades.min()), float(self.grades.max())
        return self._extent

    def places(self, number: int) -> Mapping[str, int]:
        """The place of each document among the judged ones of a query; kept for the next run."""
        if number not in self._places:
            documents = self.documents[number]
            self._places[number] = dict(zip(documents, range(len(documents)), strict=True))
        return self._places[number]

    @property
    def negatives(self) -> int:
        """How many grades are below 0."""
        if self.extent is None or self.extent[0] >= 0:
            return 0
        return int((self.grades < 0).sum())


class Judgments:
    """What was judged: per query a mapping of document to grade, or pairs that may repeat."""

    def __init__(
        self,
        given: Mapping[str, Mapping[str, float] | Sequence[tuple[str, float]]],
        locate: Locate | None = None,
        subtopics: Place | None = None,
        skipped: tuple[Skipped, ...] = (),
        judges: str | None = None,
    ) -> None:
        self.given = given
        self.locate = locate
        self.subtopics = subtopics  # a row that shows the judgments to be per subtopic
        self.skipped = skipped
        self.judges = judges  # the column that tells several judges apart, in a table
        self._settled: dict[str, Judged] = {}

    def settled(self, rule: str) -> Judged:
        """The judgments after repeated ones became one by `rule` (a value of the axis)."""
        if rule not in self._settled:
            self._settled[rule] = self._settle(rule)
        return self._settled[rule]

    def only(self, queries: Iterable[str]) -> Judgments:
        """The judgments of some of the judged queries."""
        given = {query: self.given[query] for query in queries}
        return Judgments(given, self.locate, self.subtopics, self.skipped, self.judges)

    def _settle(self, rule: str) -> Judged:
        if self.subtopics is not None and rule == "agree":
            raise DataError(
                Problem(
                    "subtopics",
                    "column 2 is a subtopic: a document is judged once per subtopic, so it has "
                    "no single grade",
                    self.subtopics,
                    "take the highest grade over subtopics: " + axis_help("judgments", "max"),
                )
            )
        problems, repeated, differing = Problems(), 0, list[Differing]()
        queries = sorted(self.given)
        per_query: list[Mapping[str, float]] = []
        for query in queries:
            pairs = self.given[query]
            if not isinstance(pairs, Mapping):
                merged = _merge(pairs, rule)
                for document, grades in merged.differing.items():
                    differing.append(Differing(query, document, tuple(grades)))
                    if rule == "agree":
                        shown = problems.total < SHOWN
                        problems.add(self._conflict(differing[-1], placed=shown))
                for document, grade in merged.grades.items():
                    if not math.isfinite(grade):
                        what = f"the mean grade of document {document!r} for query {query!r}"
                        problems.add(Problem("grade", f"{what} is not finite", help=_MERGE))
                repeated += len(pairs) - len(merged.grades)
                pairs = merged.grades
            per_query.append(pairs)
        problems.raise_if_any()
        start = np.zeros(len(queries) + 1, np.int64)
        np.cumsum([len(pairs) for pairs in per_query], out=start[1:])
        flat = floats(chain.from_iterable(p.values() for p in per_query), int(start[-1]))
        documents = [tuple(pairs) for pairs in per_query]
        return Judged(queries, documents, flat, start, repeated, differing=differing)

    def _conflict(self, found: Differing, *, placed: bool) -> Problem:
        query, document, grades = found
        other = next(grade for grade in grades if grade != grades[0])
        places = self.locate(query, document) if self.locate and placed else ()
        numbered = len(places) > 1 and places[0].line is not None
        lines = f" (lines {places[0].line} and {places[-1].line})" if numbered else ""
        many = f"column {self.judges!r} names several judges: " if self.judges else ""
        return Problem(
            "judgments",
            f"document {document!r} is judged {shown(grades[0])} and {shown(other)} "
            f"for query {query!r}{lines}",
            places[-1] if places else None,
            many + _MERGE,
        )


class Differing(NamedTuple):
    """A document that was judged differently for one query, with its grades as listed."""

    query: str
    document: str
    grades: tuple[float, ...]


class _Merged(NamedTuple):
    grades: dict[str, float]
    differing: dict[str, list[float]]  # documents whose grades differ, with all of them


def _mean(grades: Sequence[float]) -> float:
    total = 0.0
    for grade in grades:  # one after the other: sum() compensates in newer Pythons
        total += grade
    return total / len(grades)


def _median(grades: Sequence[float]) -> float:
    rising, half = sorted(grades), len(grades) // 2
    return rising[half] if len(grades) % 2 else _mean(rising[half - 1 : half + 1])


def _majority(grades: Sequence[float]) -> float:
    return max(sorted(set(grades)), key=[*grades].count)


_ONE_GRADE: dict[str, Callable[[Sequence[float]], float]] = {
    "agree": lambda grades: grades[-1],  # where they differ it is an error
    "last": lambda grades: grades[-1],
    "max": max,
    "min": min,
    "mean": _mean,
    "median": _median,
    "majority": _majority,
}


def _merge(pairs: Sequence[tuple[str, float]], rule: str) -> _Merged:
    """One grade per document, at the place where the document is first listed."""
    merged = dict(pairs)
    if len(merged) == len(pairs):
        return _Merged(merged, {})
    every: dict[str, list[float]] = {document: [] for document in merged}
    for document, grade in pairs:
        every[document].append(float(grade))
    one = _ONE_GRADE[rule]
    return _Merged(
        {d: one(grades) if len(grades) > 1 else grades[0] for d, grades in every.items()},
        {d: grades for d, grades in every.items() if len(set(grades)) > 1},
    )


@dataclass(frozen=True, slots=True)
class Overlay:
    """A run laid over the judgments, and what was counted on the way."""

    aligned: Aligned
    missing: Bools  # (n_queries,) judged queries that the run does not answer
    duplicates: int  # further occurrences of a document, in judged queries
    repeated: tuple[str, str, int] | None  # the first of them: query, document, occurrences
    self_matches: int  # listed documents whose id is the query's id
    known_ties: Bools | None = None  # what `tied` says, where `aligned` leaves out ties

    @property
    def tied(self) -> Bools:
        """The queries where a judged document is tied with another document."""
        return self.aligned.tied() if self.known_ties is None else self.known_ties


class Rankings(ABC):
    """One system's run, wherever it lies; each store has a class of its own."""

    name: str
    skipped: tuple[Skipped, ...] = ()
    spare: tuple[str, ...] = ()  # columns of its table that were not used

    @property
    @abstractmethod
    def queries(self) -> Collection[str]:
        """The ids of the queries that the run lists, answered or empty."""

    @abstractmethod
    def has(self, column: str) -> bool:
        """Whether there are ``scores``, or ``ranks``, for every listed document."""

    @abstractmethod
    def align(self, judged: Judged, convention: Convention) -> Overlay:
        """Lay the run over the judgments by the rules of order, ties, depth and duplicates.

        Raises
        ------
        DataError
            For scores that are not finite numbers, and duplicates under ``duplicates: error``.
        UsageError
            When the run does not have what `order_by` asks for, or `depth` cuts a tie group whose
            order is open while duplicates or a self-match depend on it.
        """

    def prepare(self, judged: Judged | None, convention: Convention) -> None:  # noqa: B027
        """Read what was not read yet, knowing what `align` will be asked first.

        For stores that read a run only once; before this, their `name` and the notices of their
        file are not complete.
        """

    def align_within(
        self,
        judged: Judged,
        convention: Convention,
        reach: int | None,  # noqa: ARG002 -- for stores that gain by it
    ) -> Overlay:
        """`align` for measures that read no deeper than `reach`; None: to the end.

        A store may then leave out documents that can stand neither among the first `reach` ranks
        nor among the `reach` best grades, and give those that stand past `reach` any rank there.
        """
        return self.align(judged, convention)

    @abstractmethod
    def documents(self, query: str) -> Collection[str]:
        """The documents listed for a query, for messages; none for an unknown query."""

    def documents_of(self, queries: Collection[str]) -> dict[str, list[str]]:
        """The documents listed for some queries, for messages."""
        return {query: [*self.documents(query)] for query in queries}

    @abstractmethod
    def scores(self, query: str) -> Iterable[float]:
        """The scores listed for a query, for messages; none without scores."""

    def sample(self, queries: Iterable[str]) -> set[str]:
        """The documents listed for some queries, for messages; not all where they are many."""
        return {document for query in queries for document in self.documents(query)}

    def over_itself(self, queries: Sequence[str], convention: Convention) -> tuple[Judged, Aligned]:
        """The run laid over its own documents: where every listed one of some queries stands.

        Returns the documents as if all were judged, in byte order of the queries, and the
        alignment, whose rows `judged_ids` names.
        """
        listed = self.documents_of(queries)
        itself = Judgments({query: dict.fromkeys(listed[query], 0.0) for query in queries})
        everything = itself.settled("last")
        return everything, self.align(everything, convention).aligned

    def judged_ids(self, judged: Judged, number: int, listed: Ints) -> list[str]:
        """The ids of judged documents of one query, given the `listed` of their rows."""
        own, begin = judged.documents[number], int(judged.start[number])
        return [own[at - begin] for at in listed.tolist()]

    def natural_order(self) -> str:
        """What orders this run when nothing is asked for: score, else rank, else position."""
        return "score" if self.has("scores") else "rank" if self.has("ranks") else "position"

    def check_order(self, order_by: str) -> None:
        """Refuse an order that the run has no column for."""
        column = {"score": "scores", "rank": "ranks"}.get(order_by)
        if column and not self.has(column):
            raise UsageError(
                Problem(
                    "order",
                    f"run {self.name!r} has no usable {column} to be ordered by",
                    help=axis_help("order_by", self.natural_order()),
                )
            )
