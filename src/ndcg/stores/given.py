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


_MERGE = "keep one of them, or merge them: " + axis_help("judgments", "max", "mean", "last")


class Listing(NamedTuple):
    """One query's run: documents in listed order, with what may order them.

    `documents` is a mapping of document to score, or a sequence that may repeat documents;
    `scores` and `ranks` run along it.
    """

    documents: Mapping[str, float] | Sequence[str]
    scores: Iterable[float] | Floats | None
    ranks: Sequence[float] | Floats | None = None


class Judged(NamedTuple):
    """All judged queries in byte order of their ids, their documents side by side."""

    queries: list[str]
    documents: list[tuple[str, ...]]  # per query
    grades: Floats  # of all documents, query after query
    start: Ints  # (n_queries + 1,) where each query's documents begin
    repeated: int  # judgments that were collapsed into another


class Judgments:
    """What was judged: per query a mapping of document to grade, or pairs that may repeat."""

    def __init__(
        self,
        given: Mapping[str, Mapping[str, float] | Sequence[tuple[str, float]]],
        locate: Locate | None = None,
        subtopics: Place | None = None,
    ) -> None:
        self.given = given
        self.locate = locate
        self.subtopics = subtopics  # a row that shows the judgments to be per subtopic
        self._settled: dict[str, Judged] = {}

    def settled(self, rule: str) -> Judged:
        """The judgments after repeated ones became one by `rule` (a value of the axis)."""
        if rule not in self._settled:
            self._settled[rule] = self._settle(rule)
        return self._settled[rule]

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
        problems, repeated = Problems(), 0
        queries = sorted(self.given)
        per_query: list[Mapping[str, float]] = []
        for query in queries:
            pairs = self.given[query]
            if not isinstance(pairs, Mapping):
                merged = _merge(pairs, rule)
                for document, grades in merged.conflicts.items():
                    shown = problems.total < SHOWN
                    problems.add(self._conflict(query, document, grades, placed=shown))
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
        return Judged(queries, [tuple(pairs) for pairs in per_query], flat, start, repeated)

    def _conflict(
        self, query: str, document: str, grades: tuple[float, float], *, placed: bool
    ) -> Problem:
        places = self.locate(query, document) if self.locate and placed else ()
        lines = f" (lines {places[0].line} and {places[-1].line})" if len(places) > 1 else ""
        return Problem(
            "judgments",
            f"document {document!r} is judged {shown(grades[0])} and {shown(grades[1])} "
            f"for query {query!r}{lines}",
            places[-1] if places else None,
            _MERGE,
        )


class _Merged(NamedTuple):
    grades: dict[str, float]
    conflicts: dict[str, tuple[float, float]]


def _merge(pairs: Sequence[tuple[str, float]], rule: str) -> _Merged:
    """One grade per document, at the place where the document is first listed."""
    merged = dict(pairs)  # the last grade, in the place of the first
    conflicts: dict[str, tuple[float, float]] = {}
    if len(merged) == len(pairs) or rule == "last":
        return _Merged(merged, conflicts)
    every: dict[str, list[float]] = {document: [] for document in merged}
    for document, grade in pairs:
        every[document].append(float(grade))
    for document, grades in every.items():
        if rule == "max":
            merged[document] = max(grades)
        elif rule == "mean":
            total = 0.0
            for grade in grades:  # one after the other: sum() compensates in newer Pythons
                total += grade
            merged[document] = total / len(grades)
        elif len(set(grades)) > 1:
            conflicts[document] = (grades[0], next(g for g in grades if g != grades[0]))
    return _Merged(merged, conflicts)


@dataclass(frozen=True, slots=True)
class Overlay:
    """A run laid over the judgments, and what was counted on the way."""

    aligned: Aligned
    missing: Bools  # (n_queries,) judged queries that the run does not answer
    duplicates: int  # further occurrences of a document, in judged queries
    repeated: tuple[str, str, int] | None  # the first of them: query, document, occurrences
    self_matches: int  # listed documents whose id is the query's id


class Rankings(ABC):
    """One system's run, wherever it lies; each store has a class of its own."""

    name: str

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

    @abstractmethod
    def documents(self, query: str) -> Collection[str]:
        """The documents listed for a query, for messages; none for an unknown query."""

    @abstractmethod
    def scores(self, query: str) -> Iterable[float]:
        """The scores listed for a query, for messages; none without scores."""

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
