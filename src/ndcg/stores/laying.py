"""What every store fills while it lays a run over the judgments, and the rows that need care."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable
from dataclasses import dataclass, field
from itertools import chain, islice
from typing import NamedTuple

import numpy as np

from ndcg.align import Aligned, cut_at_depth, taken_grades
from ndcg.convention import Convention
from ndcg.errors import SHOWN, DataError, Problem, UsageError, axis_help, listed
from ndcg.kernel import Bools, Floats, Ints
from ndcg.stores.given import Judged, Keys, Locate, Overlay
from ndcg.stores.listed import ranked_rows
from ndcg.stores.values import fault


@dataclass(slots=True)
class Columns:
    """The columns of `Aligned` while they are filled, query after query."""

    judged: Judged
    first: Ints
    size: Ints
    offset: Ints  # rank within the tie group, from 0
    returned: Ints
    distinct: Ints
    copies: list[tuple[int, int, int, int, int]] = field(default_factory=list)

    @classmethod
    def blank(cls, judged: Judged) -> Columns:
        """Every judged document is missed."""
        n_docs, n_queries = int(judged.start[-1]), len(judged.queries)
        first, size, offset = np.zeros((3, n_docs), np.int64)
        returned, distinct = np.zeros((2, n_queries), np.int64)
        return cls(judged, first, size, offset, returned, distinct)

    def aligned(self, convention: Convention) -> Aligned:
        """The finished alignment: ranks given, the run cut at `depth`, rows in order."""
        n_queries = len(self.returned)
        judgment = np.arange(len(self.first))
        row = np.repeat(np.arange(n_queries), np.diff(self.judged.start))
        size, offset = self.size, self.offset
        first = np.where(size > 0, self.first, 0)  # not retrieved: no rank
        if self.copies:
            query, which, begin, extent, within = np.array(self.copies, np.int64).T
            row, judgment = np.append(row, query), np.append(judgment, which)
            first, size = np.append(first, begin), np.append(size, extent)
            offset = np.append(offset, within)
        aligned = Aligned(
            row=row,
            grade=self.judged.grades[judgment],
            rank=first + offset,
            first=first,
            size=size,
            copy=np.arange(len(row)) >= len(self.first),
            given=np.ones(len(row), bool),
            listed=judgment,
            returned=self.returned,
            distinct=self.distinct,
            cut=np.zeros(n_queries, bool),
        )
        return cut_at_depth(aligned, convention).sorted()


def sort_keys(raw: Floats, convention: Convention) -> Keys:
    """Values as sort keys, where larger is better, in the precision they are compared in."""
    if convention.order_by != "score":
        return -raw
    if convention.score_type == "float32":
        raw = raw.astype(np.float32)
    return -raw if convention.score_order == "ascending" else raw


class _Wrong(NamedTuple):
    """What is wrong in one query: documents with a faulty score, or with their occurrences."""

    number: int
    repeats: bool
    documents: list[tuple[str, object]]  # the first few


class Laying:
    """One run being laid over the judgments: columns, counts, and what is wrong.

    Queries may be placed in any order: problems are told in the order of the judged queries.
    """

    def __init__(
        self, judged: Judged, name: str, locate: Locate | None, convention: Convention
    ) -> None:
        self.judged, self.name, self.locate, self.convention = judged, name, locate, convention
        self.columns = Columns.blank(judged)
        self.begins: list[int] = judged.start.tolist()
        self.spare: tuple[str, ...] = ()  # columns of the run that were not used
        self.missing: Bools = np.zeros(len(judged.queries), bool)
        self.self_matches = 0
        self.duplicates = 0
        self._repeated: tuple[int, str, int] | None = None
        self._refused: tuple[int, UsageError] | None = None
        self._wrong: list[_Wrong] = []
        self._wrong_total = 0

    def _counted(self, number: int, place: dict[str, int]) -> Container[str]:
        """The judged documents of a query, but for those whose grade is too low to count as one."""
        if self.convention.min_grade == "none":
            return place
        grades = self.judged.grades[self.begins[number] : self.begins[number] + len(place)]
        taken = taken_grades(grades, self.convention.grades).tolist()
        least = float(self.convention.min_grade)
        return {name for name, grade in zip(place, taken, strict=True) if grade >= least}

    def place_listed(self, number: int, names: list[str], keys: Keys) -> None:
        """Place a query's documents row by row: some leave the ranking, or stand there twice."""
        begin, query = self.begins[number], self.judged.queries[number]
        place = {name: begin + i for i, name in enumerate(self.judged.documents[number])}
        try:
            rows = ranked_rows(query, names, keys, self._counted(number, place), self.convention)
        except UsageError as refusal:  # that of the first judged query is told
            if self._refused is None or number < self._refused[0]:
                self._refused = (number, refusal)
            return
        self.duplicates += rows.repeats
        if rows.repeats and (self._repeated is None or number < self._repeated[0]):
            self._repeated = (number, *Counter(names).most_common(1)[0])
        if rows.repeats and self.convention.duplicates == "error":
            times = Counter(names[i] for i in rows.kept)
            self._note_wrong(number, ((d, n) for d, n in times.items() if n > 1), repeats=True)
            return
        columns, kept = self.columns, keys[rows.kept]
        columns.returned[number] = len(kept)
        columns.distinct[number] = len({names[i] for i in rows.kept})
        first = np.searchsorted(-kept, -kept)
        size = np.searchsorted(-kept, -kept, side="right") - first
        seen: set[str] = set()
        for at, i in enumerate(rows.kept):
            which = place.get(names[i])
            if which is None:
                continue
            spot = (int(first[at]) + 1, int(size[at]), at - int(first[at]))
            if names[i] in seen:
                columns.copies.append((number, which, *spot))
            else:
                columns.first[which], columns.size[which], columns.offset[which] = spot
            seen.add(names[i])

    def note_scores(self, number: int, documents: Iterable[str], values: Iterable[object]) -> None:
        """Note which values of a query are no finite numbers."""
        pairs = zip(documents, values, strict=True)
        faulty = ((document, value) for document, value in pairs if fault(value) is not None)
        self._note_wrong(number, faulty, repeats=False)

    def _note_wrong(
        self, number: int, found: Iterable[tuple[str, object]], *, repeats: bool
    ) -> None:
        documents = [*found]
        self._wrong_total += len(documents)
        self._wrong.append(_Wrong(number, repeats, documents[:SHOWN]))

    def finished(self) -> Overlay:
        """The overlay; a refusal or a `DataError` that names what is wrong, if anything is."""
        if self._refused is not None:
            raise self._refused[1]
        if self._wrong_total:
            # A query's place in the run decides nothing: stores that read in other orders agree.
            wrong = sorted(self._wrong, key=lambda one: one.number)
            problems = chain.from_iterable(map(self._problems, wrong))
            raise DataError([*islice(problems, SHOWN)], total=self._wrong_total)
        return Overlay(
            self.columns.aligned(self.convention),
            self.missing,
            self.duplicates,
            self._first_repeated(),
            self.self_matches,
        )

    def _first_repeated(self) -> tuple[str, str, int] | None:
        if self._repeated is None:
            return None
        number, document, times = self._repeated
        return self.judged.queries[number], document, times

    def _problems(self, wrong: _Wrong) -> Iterable[Problem]:
        query = self.judged.queries[wrong.number]
        for document, what in wrong.documents:
            if not wrong.repeats:
                # Scores of files were checked with their lines when they were read.
                yield score_problem(query, document, what)
                continue
            yield self._duplicate(query, document, what)

    def _duplicate(self, query: str, document: str, times: object) -> Problem:
        places = self.locate(query, document) if self.locate else ()
        lines = f" (lines {listed(at.line for at in places)})" if places else ""
        return Problem(
            "duplicate",
            f"run {self.name!r} lists document {document!r} {times} times "
            f"for query {query!r}{lines}: a duplicate",
            places[-1] if places else None,
            "remove it, or say which counts: "
            + axis_help("duplicates", "first", "last", "last_listed", "count", "once")
            + self._spare(),
        )

    def _spare(self) -> str:
        """Columns that may tell systems apart which stand in one table."""
        if not self.spare:
            return ""
        columns = listed(map(repr, self.spare), 3)
        return f"; or split the table, if column {columns} names different systems"


def score_problem(query: str, document: str, value: object) -> Problem:
    """The problem with a score that is no finite number."""
    return Problem(
        "score",
        f"score of document {document!r} for query {query!r}: {fault(value)}",
        help="scores are finite numbers",
    )
