"""Unjudged documents of a ranking: where they stand, and what labels for them would change."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ndcg.align import Aligned, joined
from ndcg.axes import AXES
from ndcg.errors import Problem, UsageError, axis_help, count
from ndcg.kernel import Floats, Ints, by_falling, per_row, place_in_row
from ndcg.measures.lists import Lists
from ndcg.measures.record import CLOSED
from ndcg.measures.registry import Measure, reach
from ndcg.measures.unjudged import unjudged_ranks

_ROOM = 1 << 16  # rows that are scored at once: more would not stay in the cache
_DOCUMENT = ("row", "grade", "rank", "first", "size", "copy", "given", "listed")
_QUERY = ("returned", "distinct", "cut")

# The values of axes under which every unjudged document has a rank of its own and takes a label
# like any judged one, and why others are refused.
_LABELS = {
    "ties": (CLOSED, "it leaves open at which rank a document stands"),
    "unjudged": (("zero",), "unjudged documents are taken care of already"),
    "appended": (("none",), "it puts documents behind the ranking"),
    "min_grade": (("none",), "judgments that do not count would be labelled anew"),
    "nothing_found": (("computed",), "the labels would decide whether a query counts"),
}
_GAINED = {"empty_from": (("judged",), "the labels would decide whether a query counts")}


class Spots(NamedTuple):
    """The unjudged documents that get a label, in order of query and rank."""

    row: Ints  # (n_spots,) number of the query
    rank: Ints  # (n_spots,) 1-based
    place: Ints  # (n_spots,) 1-based, among those of the query
    number: Ints  # (n_queries,) how many there are


def spots_of(lists: Lists, depth: int | None) -> Spots:
    """The unjudged documents among the first ranks; among all that are retrieved if None.

    A document whose judgment the convention takes for none (``negative: unjudged``) is one.
    """
    if depth is None:
        refuse_partial(lists)
    returned = lists.ranked.returned
    row, rank = unjudged_ranks(lists, returned if depth is None else np.minimum(returned, depth))
    return Spots(row, rank, place_in_row(row), per_row(row, lists.n_queries).astype(np.int64))


def refuse_partial(lists: Lists) -> None:
    """Refuse lists that were laid out for a cutoff alone: a mistake of the caller, not the user."""
    if lists.ranked.leading is not None:
        raise ValueError("the whole run is needed: see `Scoring`, whole=True")


class Sheet:
    """A run with a row for each unjudged document, to be filled in and scored again and again."""

    def __init__(self, lists: Lists, measure: Measure, spots: Spots) -> None:
        self.lists, self.measure, self.spots = lists, measure, spots
        n, docs = len(spots.row), replace(_felt(lists, measure), leading=None)
        blank = replace(
            docs, row=spots.row, grade=np.zeros(n), rank=spots.rank, first=spots.rank,
            size=np.ones(n, np.int64), copy=np.zeros(n, bool), given=np.zeros(n, bool),
            listed=int(docs.listed.max(initial=0)) + spots.place,
        )  # fmt: skip
        docs = joined(docs, blank)
        self._blank = ~docs.given  # as many as there are spots, and in their order
        self._docs = replace(docs, given=np.ones(len(docs.row), bool))
        self._start = np.searchsorted(docs.row, np.arange(docs.n_queries + 1))
        self._spot = np.append(0, np.cumsum(spots.number))

    def parts(self, copies: int) -> Iterator[tuple[slice, slice]]:
        """Neighbouring queries that may be scored at once in so many copies, and their spots."""
        first, n = 0, self.lists.n_queries
        while first < n:
            end = int(self._start[first]) + _ROOM // max(copies, 1)
            last = int(np.searchsorted(self._start, end, side="right")) - 1
            last = min(max(last, first + 1), n)
            yield slice(first, last), slice(int(self._spot[first]), int(self._spot[last]))
            first = last

    def most_copies(self, queries: slice) -> int:
        """How many copies of some queries may be scored at once, 1 at least."""
        rows = int(self._start[queries.stop] - self._start[queries.start])
        return max(_ROOM // max(rows, 1), 1)

    def values(self, labels: Floats) -> Floats:
        """The measure under several labellings: (n_labellings, n_spots) -> (.., n_queries)."""
        found = np.empty((len(labels), self.lists.n_queries))
        for queries, spots in self.parts(len(labels)):
            found[:, queries] = self.values_of(queries, labels[:, spots])
        return found

    def values_of(self, queries: slice, labels: Floats) -> Floats:
        """The same for some queries and the labels of their spots."""
        copies, n = len(labels), queries.stop - queries.start
        rows = slice(int(self._start[queries.start]), int(self._start[queries.stop]))
        docs = replace(
            self._docs,
            **{name: np.tile(getattr(self._docs, name)[rows], copies) for name in _DOCUMENT},
            **{name: np.tile(getattr(self._docs, name)[queries], copies) for name in _QUERY},
        )
        docs.grade.reshape(copies, -1)[:, self._blank[rows]] = labels
        # Each labelling is a run of its own: its queries stand behind those of the one before.
        behind = np.repeat(np.arange(copies) * n - queries.start, rows.stop - rows.start)
        answered = np.tile(self.lists.answered[queries], copies)
        labelled = Lists(replace(docs, row=docs.row + behind), self.lists.convention, answered)
        labelled.largest = self.lists.largest
        value = self.measure.value(labelled).reshape(copies, n)
        del labelled.against  # itself: the tables would stay until cycles are collected
        return value


def _felt(lists: Lists, measure: Measure) -> Aligned:
    """The judged documents without those that can stand in no top k, actual or ideal.

    A pool of a thousand documents is scored as fast as one of ten.
    """
    docs, convention = lists.ranked, lists.convention
    k = reach(measure, convention, negatives=bool((docs.grade < 0).any()))
    if k is None or convention.ideal != "judged":
        return docs
    order, place = by_falling(docs.grade, docs.row)
    best = np.empty(len(order), bool)
    best[order] = place <= k
    return docs.rows(best | (docs.retrieved & (docs.rank <= k)))


def refuse_unlabelled(lists: Lists, measure: Measure) -> None:
    """Refuse conventions under which a label for an unjudged document has no plain meaning.

    Raises
    ------
    UsageError
        Naming the axis and what is accepted.
    """
    rules = _LABELS | _GAINED if measure.record.graded else _LABELS
    for axis, (accepted, why) in rules.items():
        if getattr(lists.convention, axis) not in accepted:
            raise uncovered(lists, axis, accepted, why)
    repeats = lists.ranked.returned - lists.ranked.distinct
    if repeats.any():
        queries = count(int((repeats > 0).sum()), "query", "queries")
        why = f"documents are listed more than once ({queries}), and it is not known which"
        raise uncovered(lists, "duplicates", ("first", "last"), why)


def uncovered(lists: Lists, axis: str, accepted: tuple[str, ...], why: str) -> UsageError:
    """The error for the value of an axis under which unjudged documents cannot be labelled."""
    what = f"{axis}:{getattr(lists.convention, axis)} has no bounds or estimates for unjudged"
    word = "ties" if axis == "ties" else "usage"
    how = axis_help(axis, *accepted, rare=AXES[axis].rare)
    return UsageError(Problem(word, f"{what} documents: {why}", help=how))
