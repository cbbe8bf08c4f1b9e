"""What a measure reads: one run's documents under one convention, with their credit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from ndcg.align import (
    OPEN_TIES,
    Aligned,
    append_missed,
    fill_unjudged,
    key_of,
    refuse_open_cut,
    settle_grades,
    settle_least,
    settle_negative,
)
from ndcg.axes import OTHERS, gain_table, number_text
from ndcg.convention import Convention
from ndcg.kernel import (
    Bools,
    Floats,
    Ints,
    expected_credit,
    group_credit,
    map_distinct,
    rearranged,
)

T = TypeVar("T")

# The axes that decide which documents there are, and with which grades.
_POOL = ("judgments", "duplicates", "depth", "self_match", "grades", "min_grade", "appended",
         "negative", "unjudged")  # fmt: skip
_LAYING = ("ties", "grades", "min_grade", "appended", "negative", "unjudged")


def laying(convention: Convention) -> tuple[str, ...]:
    """What conventions under which the documents are laid out alike have in common."""
    return (*key_of(convention), *(getattr(convention, axis) for axis in _LAYING))


def _documents(convention: Convention) -> tuple[str, ...]:
    """What conventions under which there are the same documents have in common."""
    if convention.depth != "all" or convention.ties == "mean_rank":
        return laying(convention)
    return tuple(getattr(convention, axis) for axis in _POOL)


class Lists:
    """A run laid over the judgments, seen through one convention.

    `judged` are the judgments with the rule for negative grades applied, `ranked` the documents
    that count in the ranking: they differ where unjudged documents are dropped or given a grade.
    """

    def __init__(
        self, aligned: Aligned, convention: Convention, answered: Bools | None = None
    ) -> None:
        self.convention = convention
        # (n_queries,) which of them the run lists anything for, even if it leaves the ranking
        self.answered = aligned.returned > 0 if answered is None else answered
        aligned = settle_grades(aligned, convention.grades)
        self.largest = float(aligned.grade.max(initial=0.0))
        aligned = settle_least(aligned, convention)
        refuse_open_cut(aligned, convention)
        # What the run lists itself, for the accounts: nothing is appended there.
        self.listed = settle_negative(aligned, convention.negative)
        self.judged, self.length = self.listed, aligned.returned  # (n_queries,) documents in all
        if convention.appended != "none":
            longer = append_missed(aligned, convention)
            self.judged = settle_negative(longer, convention.negative)
            self.length = longer.returned
        self.ranked = fill_unjudged(self.judged, convention)
        self._laid = aligned
        # What ideals are made of and relevant documents counted in; another one than this where
        # the ties of this one are open, or its documents count in the ranking alone.
        self.against = self
        self.memory: dict[tuple[object, ...], Floats] = {}
        self._parts: dict[tuple[object, ...], Any] = {}

    def seen_by(self, convention: Convention) -> Lists:
        """The same through a convention that lays the documents out alike (see `laying`)."""
        other = copy(self)
        other.convention = convention
        other.against = other
        for name in ("gain", "judged_gain"):
            other.__dict__.pop(name, None)
        return other

    def kept(self, what: tuple[object, ...], compute: Callable[[Lists], T]) -> T:
        """What follows from how the documents are laid out alone, worked out once."""
        if what not in self._parts:
            self._parts[what] = compute(self)
        found: T = self._parts[what]
        return found

    def remembered(
        self,
        what: str,
        k: int | None,
        axes: Sequence[str],
        compute: Callable[[], Floats],
        *,
        of_order: bool = True,
    ) -> Floats:
        """What was computed for a cutoff before, under a convention with the same axes.

        `of_order` says that it depends on the order of the documents, not only on which there are.
        """
        laid = laying(self.convention) if of_order else _documents(self.convention)
        key = (what, k, laid, *(getattr(self.convention, axis) for axis in axes))
        if key not in self.memory:
            self.memory[key] = compute()
        return self.memory[key]

    @property
    def n_queries(self) -> int:
        """How many queries were judged."""
        return self.ranked.n_queries

    @property
    def ties_open(self) -> bool:
        """Whether the order of tied documents is open."""
        return self.convention.ties in OPEN_TIES

    @cached_property
    def gain(self) -> Floats:
        """The gain of every ranked document."""
        gains: Floats = self._earned(gains_of(self.convention.gain, self.ranked.grade))
        return gains

    @cached_property
    def judged_gain(self) -> Floats:
        """The gain of every judged document."""
        if self.judged is self.ranked:
            return self.gain
        return gains_of(self.convention.gain, self.judged.grade)

    def _earned(self, credit: Any) -> Any:
        """The credit of ranked documents without what a further occurrence does not earn."""
        once = self.convention.duplicates == "once"
        return np.where(self.ranked.copy, np.zeros_like(credit), credit) if once else credit

    def relevant(self, rel: float) -> Bools:
        """Which ranked documents have a grade of at least `rel`."""
        relevant: Bools = self._earned(self.ranked.grade >= rel)
        return relevant

    def below(self, rel: float) -> Bools:
        """Which ranked documents are judged and have a grade below `rel`."""
        below: Bools = self._earned(self.ranked.grade < rel)
        return below

    @property
    def judged_in_ranking(self) -> Aligned:
        """The ranked documents with a judgment of their own, not an assumed one."""
        own = self.ranked.given
        return self.ranked if own.all() else self.ranked.rows(own)

    @property
    def pooled(self) -> Aligned:
        """Documents of the ranking whose judgment says that nobody judged them."""
        kept = self.convention.negative == "unjudged" and self.convention.unjudged == "zero"
        return self._laid.rows(self._laid.retrieved & (self._laid.grade < 0) & kept)

    def laid_out(self, credit: Floats | Bools, k: int | None) -> tuple[Ints, Floats, Ints]:
        """Query number, credit and rank of what earns credit, in rank order.

        Under closed ties these are the documents. Under ``best`` and ``worst`` they are the
        documents rearranged within their tie groups; under ``expected`` each rank inside a tie
        group holds the group's mean credit, and under ``mean_rank`` one rank of each group holds
        all its credit. Ranks past the run's end are 0.
        """
        docs, credit = self.ranked, credit.astype(np.float64, copy=False)
        if not self.ties_open:
            return docs.row, credit, docs.rank
        if self.convention.ties == "mean_rank":
            return group_credit(credit, docs.row, docs.first, docs.size)
        limit = docs.returned if k is None else np.minimum(docs.returned, k)
        if self.convention.ties == "expected":
            return expected_credit(credit, docs.row, docs.first, docs.size, limit)
        favour = self.convention.ties == "best"
        return rearranged(credit, docs.row, docs.first, docs.size, limit, favour=favour)


def gains_of(gain: str, grades: Floats) -> Floats:
    """The gain of each grade."""
    if gain in _EXACT:
        gains: Floats = _GAINS[gain](grades)
        return gains
    return map_distinct(gain_of(gain), grades)


def gain_of(gain: str) -> Callable[[float], float]:
    """The function from grade to gain that a value of the `gain` axis names.

    >>> gain_of("exp2")(3.0), gain_of("0=0,1=5")(1.0)
    (7.0, 5.0)
    """
    table = gain_table(gain)
    if table is None:
        return _GAINS[gain]
    if gain.endswith(OTHERS):
        return lambda grade: table.get(grade, grade)
    return table.__getitem__


def rises(gain: str) -> bool:
    """Whether a gain never falls with a grade from 0 up, and is never negative there."""
    table = gain_table(gain)
    if table is None:
        return gain != "exp2_i32"
    if gain.endswith(OTHERS):
        return False  # of grades that are not known here
    gains = [table[grade] for grade in sorted(table) if grade >= 0]
    return gains == sorted(gains) and min(gains, default=0.0) >= 0


def gain_fault(gain: str, grade: float) -> str | None:
    """Why a grade has no finite gain, or None when it has one."""
    try:
        worth = gain_of(gain)(grade)
    except KeyError:
        return f"grade {number_text(grade)} is not in the gain table {gain}"
    except OverflowError:
        worth = np.inf
    if np.isfinite(worth):
        return None
    return (
        f"grade {number_text(grade)} has no finite gain under gain:{gain} "
        "(2^1023 is the largest power a double holds)"
    )


_GAINS: dict[str, Callable[[Any], Any]] = {
    "exp2": lambda grade: 2.0**grade - 1.0,
    "linear": lambda grade: grade,
    "binary": lambda grade: (grade > 0) * 1.0,
    "judged": lambda grade: grade * 0.0 + 1.0,
    "exp2_plus": lambda grade: 2.0 ** (grade + 1.0) - 1.0,
    "exp2_i32": lambda grade: float((1 << int(grade) % 32) - 1),
}
_EXACT = ("linear", "binary", "judged")  # never rounded, so that they may be taken of whole arrays
