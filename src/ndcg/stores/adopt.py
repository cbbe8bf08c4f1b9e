"""Dictionaries and lists of the caller, checked and taken over as judgments and runs."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from typing import Any, TypeVar

import numpy as np

from ndcg.errors import DataError, Notice, Problem, Problems, listed, warn
from ndcg.stores.given import Judgments, Listing
from ndcg.stores.mapping import MappingRankings
from ndcg.stores.values import NotNumbers, are_text, fault, floats, shown, text_id

T = TypeVar("T")
_Pairs = Mapping[str, float] | list[tuple[str, float]]

QRELS_SHAPES = (
    "{query: {document: grade}}, {query: [(document, grade), ...]} or {query: [document, ...]}"
)
RUN_SHAPES = (
    "{query: {document: score}}, {query: [document, ...]}, {query: [(document, score), ...]} "
    "or {query: [(document, score, rank), ...]}"
)


def judgments(given: object, origin: str = "qrels") -> tuple[Judgments, list[Notice]]:
    """Take over ``{query: {document: grade}}`` or its list forms; messages name `origin`.

    Raises
    ------
    DataError
        Naming every place where a value has the wrong type or a grade is not finite.
    """
    adopter = _Adopter(origin, QRELS_SHAPES)
    taken: dict[str, _Pairs] = adopter.queries(given, adopter.judged)
    adopter.check_grades(taken)
    return Judgments(taken), adopter.notices()


def rankings(
    given: object, name: str, origin: str | None = None
) -> tuple[MappingRankings, list[Notice]]:
    """Take over ``{query: {document: score}}`` or its list forms; messages name `origin`.

    Scores of dictionaries are checked when they are read, not here.
    """
    adopter = _Adopter(origin or f"run {name!r}", RUN_SHAPES)
    taken = adopter.queries(given, adopter.listing)
    adopter.check_columns(taken)
    return MappingRankings(taken, name), adopter.notices()


class _Adopter:
    """Checks one input, collects its problems, and counts ids that became text."""

    def __init__(self, role: str, shapes: str) -> None:
        self.role, self.shapes = role, shapes
        self.problems = Problems()
        self.converted = 0

    def queries(self, given: object, take: Callable[[str, Any], T | None]) -> dict[str, T]:
        """Every query with what `take` makes of its value."""
        if not isinstance(given, Mapping):
            raise DataError(
                Problem(
                    "type", f"{self.role}: {_kind(given)} is no mapping", help=f"give {self.shapes}"
                )
            )
        taken: dict[str, T] = {}
        for key, value in given.items():
            query = self._id(key, "query id")
            if query is None:
                continue
            if query in taken:
                self._wrong(f"query {query!r} is given twice, as text and as a whole number")
                continue
            what = take(query, value)
            if what is not None:
                taken[query] = what
        self.problems.raise_if_any()
        return taken

    def notices(self) -> list[Notice]:
        """What the caller should know about the conversion."""
        if not self.converted:
            return []
        return [
            warn(
                f"{self.role}: integer ids converted to text ({self.converted:,} of them); "
                "ids are compared as text, so 7 is not 007",
                "give ids as text",
            )
        ]

    def judged(self, query: str, given: Any) -> _Pairs | None:
        """One query's judgments."""
        if isinstance(given, Mapping):
            return self._text_keys(query, given)
        if isinstance(given, AbstractSet) or (_is_list(given) and not any(map(_is_list, given))):
            return [(doc, 1) for doc in self._documents(query, given)]
        if _is_list(given):
            return [(document, grade) for document, grade in self._rows(query, given, (2,))]
        self._wrong(f"query {query!r} holds {_kind(given)}")
        return None

    def check_grades(self, taken: Mapping[str, _Pairs]) -> None:
        """Report every grade that is not a finite number."""
        columns = [_grades(pairs) for pairs in taken.values()]
        number = sum(map(len, columns))
        try:
            if np.isfinite(floats(chain.from_iterable(columns), number)).all():
                return
        except NotNumbers:
            pass  # which of them is found out below
        for query, pairs in taken.items():
            for document, grade in zip(_documents(pairs), _grades(pairs), strict=True):
                what = fault(grade)
                if what is not None:
                    self.problems.add(
                        Problem(
                            "grade",
                            f"grade of document {document!r} for query {query!r}: {what}",
                            help="grades are finite numbers",
                        )
                    )
        self.problems.raise_if_any()

    def listing(self, query: str, given: Any) -> Listing | None:
        """One query's ranking."""
        if isinstance(given, Mapping):
            scores = self._text_keys(query, given)
            if isinstance(scores, Mapping):
                return Listing(scores, scores.values())
            return Listing([doc for doc, _ in scores], [score for _, score in scores])
        if not _is_list(given):
            self._wrong(f"query {query!r} holds {_kind(given)}")
            return None
        if not any(map(_is_list, given)):
            return Listing(self._documents(query, given), None)
        columns = [*zip(*self._rows(query, given, (2, 3)), strict=False)]
        if not columns:
            return Listing([], None)
        ranks = self._finite(query, columns, 2, "rank")
        return Listing([*columns[0]], self._finite(query, columns, 1, "score"), ranks)

    def check_columns(self, taken: Mapping[str, Listing]) -> None:
        """Refuse a run in which some queries have scores (or ranks) and others have none."""
        filled = {query: one for query, one in taken.items() if one.documents}
        for at, column in ((1, "scores"), (2, "ranks")):
            bare = [query for query, one in filled.items() if one[at] is None]
            if bare and len(bare) < len(filled):
                self._wrong(f"queries without {column} among others that have them: {listed(bare)}")
        self.problems.raise_if_any()

    def _finite(self, query: str, columns: list[tuple[Any, ...]], at: int, word: str) -> Any:
        """The column, reported where it holds no finite number; None where there is none."""
        if len(columns) <= at:
            return None
        for document, value in zip(columns[0], columns[at], strict=True):
            what, kind = fault(value), "finite"
            if word == "rank" and what is None and float(value) != int(value):
                what, kind = f"{shown(value)} is not a whole number", "whole"
            if what is not None:
                self.problems.add(
                    Problem(
                        word,
                        f"{word} of document {document!r} for query {query!r}: {what}",
                        help=f"{word}s are {kind} numbers",
                    )
                )
        return columns[at]

    def _rows(self, query: str, given: Sequence[Any], lengths: tuple[int, ...]) -> list[Any]:
        """Tuples of one length, their first item a document id."""
        rows = []
        length = len(given[0]) if _is_list(given[0]) else lengths[0]
        for item in given:
            if not _is_list(item) or len(item) != length or length not in lengths:
                self._wrong(f"query {query!r} lists {shown(item)}")
                continue
            document = self._id(item[0], f"document id of query {query!r}")
            if document is not None:
                rows.append((document, *item[1:]))
        return rows

    def _documents(self, query: str, given: Any) -> list[str]:
        if are_text(given):
            return [*given]
        ids = [self._id(item, f"document id of query {query!r}") for item in given]
        return [text for text in ids if text is not None]

    def _text_keys(
        self, query: str, given: Mapping[Any, float]
    ) -> Mapping[str, float] | list[tuple[str, float]]:
        if are_text(given):
            return given
        pairs = [(self._id(key, f"document id of query {query!r}"), given[key]) for key in given]
        named = [(text, value) for text, value in pairs if text is not None]
        as_text = dict(named)
        return as_text if len(as_text) == len(named) else named

    def _id(self, value: object, what: str) -> str | None:
        text = text_id(value)
        if text is None:
            self.problems.add(
                Problem(
                    "type",
                    f"{self.role}: {what} {shown(value)} is {_kind(value)}, not text",
                    help="ids are text; whole numbers are taken as their decimal text",
                )
            )
        elif not isinstance(value, str):
            self.converted += 1
        return text

    def _wrong(self, what: str) -> None:
        self.problems.add(Problem("type", f"{self.role}: {what}", help=f"give {self.shapes}"))


def _documents(pairs: _Pairs) -> Collection[str]:
    return pairs.keys() if isinstance(pairs, Mapping) else [document for document, _ in pairs]


def _grades(pairs: _Pairs) -> Collection[float]:
    return pairs.values() if isinstance(pairs, Mapping) else [grade for _, grade in pairs]


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str | bytes)


def _kind(value: object) -> str:
    return "None" if value is None else f"a value of type {type(value).__name__}"
