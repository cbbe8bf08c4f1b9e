"""dcg() and ndcg() of grades that are in rank order already: no ids, no scores, no files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ndcg.align import Aligned
from ndcg.convention import Convention
from ndcg.errors import SHOWN, DataError, Problem, Problems, UsageError
from ndcg.evaluation import policy
from ndcg.evaluation.grades import fault_of, refuse_assumed
from ndcg.evaluation.scoring import not_finite
from ndcg.kernel import Bools, Floats, Ints, place_in_row
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure
from ndcg.stores.grids import is_single, read_grid, read_row
from ndcg.stores.values import shown

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import ArrayLike


def dcg(
    grades: ArrayLike,
    *,
    k: int | None = None,
    gain: str | Mapping[float, float] = "exp2",
    discount: str = "log2",
    negative: str = "clamp",
) -> float | Floats:
    """Discounted cumulative gain of documents in rank order.

    Parameters
    ----------
    grades
        The grades of one ranking, best rank first; or one row per query, as a 2-D array or as
        lists of any length.
    k
        The cutoff; by default all ranks count.
    gain, discount, negative
        As in `Convention`.

    Returns
    -------
    The DCG in units of gain, and for several queries an array of them.

    Raises
    ------
    UsageError, DataError
        When an argument is not accepted.

    Examples
    --------
    >>> dcg([2, 0, 3], k=3)  # 3 / log2(2) + 0 / log2(3) + 7 / log2(4)
    6.5
    >>> dcg([[2, 0, 3], [1]], gain="linear")
    array([3.5, 1. ])
    """
    convention = Convention().but({"gain": gain, "discount": discount, "negative": negative})
    ranked = _read(grades, "grades")
    _refuse_grades(ranked, "grades", convention)
    value, _ = _computed(Measure("DCG", _cutoff(k)), _aligned(ranked, None), convention)
    return float(value[0]) if ranked.single else value


def ndcg(
    grades: ArrayLike,
    *,
    judged: ArrayLike | None = None,
    k: int | None = None,
    ideal: str = "judged",
    ideal_depth: str = "cutoff",
    gain: str | Mapping[float, float] = "exp2",
    discount: str = "log2",
    negative: str = "clamp",
    empty: str = "exclude",
) -> float | Floats | None:
    """DCG over the DCG of the best possible ranking, of documents in rank order.

    Parameters
    ----------
    grades
        The grades of one ranking, best rank first; or one row per query, as a 2-D array or as
        lists of any length. A document without judgment has grade 0.
    judged
        The grades of all judged documents of the query in any order, whether they were ranked or
        not; rows for several queries. They make the ideal ranking unless `ideal` says otherwise,
        and they decide whether there was anything to find.
    k
        The cutoff; by default all ranks count.
    ideal, ideal_depth, gain, discount, negative, empty
        As in `Convention`. Without `judged`, the ideal can be ``"retrieved"``: the ranked
        documents in their best order.

    Returns
    -------
    The nDCG, None where it is undefined (nothing relevant was judged, and `empty` is
    ``"exclude"``). For several queries an array, NaN where it is undefined.

    Raises
    ------
    UsageError, DataError
        When an argument is not accepted, or is missing.

    Examples
    --------
    >>> round(ndcg([2, 0, 3], judged=[3, 2, 1, 0], k=3), 4)
    0.692

    A missed best document costs nothing against an ideal of the ranked documents alone:

    >>> round(ndcg([2, 1, 0], judged=[3, 2, 1, 0], k=3), 4)
    0.3866
    >>> ndcg([2, 1, 0], judged=[3, 2, 1, 0], k=3, ideal="retrieved")
    1.0
    >>> ndcg([[1, 0], [0, 0]], ideal="retrieved")
    array([ 1., nan])
    """
    convention = Convention().but(
        {"gain": gain, "discount": discount, "ideal": ideal, "ideal_depth": ideal_depth,
         "negative": negative, "empty": empty}
    )  # fmt: skip
    ranked = _read(grades, "grades")
    pool = None if judged is None else _read(judged, "judged")
    if pool is None and convention.ideal == "judged":
        what = "nDCG compares with all judged documents, and judged= is not given"
        how = 'give judged= (their grades), or ideal="retrieved" to compare with the ranked ones'
        raise UsageError(Problem("usage", what, help=how))
    for one, word in ((ranked, "grades"), (pool, "judged")):
        if one is not None:
            _refuse_grades(one, word, convention)
    if pool is not None:
        _refuse_strangers(ranked, pool)
    value, nothing = _computed(Measure("nDCG", _cutoff(k)), _aligned(ranked, pool), convention)
    queries = policy.Queries.answered(ranked.lengths)
    value = policy.settle(policy.rounded(value, convention), nothing, queries, convention).value
    if not ranked.single:
        return value
    return None if np.isnan(value[0]) else float(value[0])


class _Graded(NamedTuple):
    """Grades of several queries, one after the other; or of a single one."""

    grades: Floats
    lengths: Ints
    single: bool

    @property
    def row(self) -> Ints:
        """The number of each grade's query."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def place(self, at: int) -> str:
        """Where a grade stands, for messages."""
        row = self.row
        position = f"position {int(place_in_row(row)[at]) - 1}"
        return f"at {position}" if self.single else f"in row {int(row[at])}, at {position}"


def _read(given: Any, word: str) -> _Graded:
    if isinstance(given, Sequence) and not isinstance(given, str | bytes | list | tuple):
        given = list(given)
    if is_single(given):
        row = read_row(given, word)
        return _Graded(row, np.array([len(row)]), single=True)
    grid = read_grid(given, word)
    return _Graded(grid.flat, grid.lengths, single=False)


def _cutoff(k: Any) -> int | None:
    """The cutoff as a plain number."""
    if k is None:
        return None
    if hasattr(k, "__index__") and not isinstance(k, bool | np.bool_) and k.__index__() >= 1:
        return int(k.__index__())
    what = f"k is {shown(k)}, not a whole number from 1 up"
    raise UsageError(Problem("measure", what, help="such as k=10; leave k out to count all ranks"))


def _refuse_grades(graded: _Graded, word: str, convention: Convention) -> None:
    """Refuse grades that are not finite, have no gain, or are negative where that is an error."""
    refuse_assumed(convention)
    problems = Problems()
    infinite = ~np.isfinite(graded.grades)
    faults = {
        grade: fault
        for grade in set(graded.grades[~infinite].tolist())
        if (fault := fault_of(grade, convention, graded=True)) is not None
    }
    wrong = np.flatnonzero(infinite | np.isin(graded.grades, list(faults)))
    for at in wrong[:SHOWN].tolist():
        grade = float(graded.grades[at])
        kind, why, how = faults.get(grade) or (
            "grade",
            f"{shown(grade)} is not finite",
            "grades are finite numbers; a document without judgment has grade 0",
        )
        problems.add(Problem(kind, f"{word} {graded.place(at)}: {why}", help=how))
    problems.total = len(wrong)
    problems.raise_if_any()


def _refuse_strangers(ranked: _Graded, pool: _Graded) -> None:
    """Refuse a ranking with more documents of a positive grade than were judged with it."""
    if ranked.single != pool.single or len(ranked.lengths) != len(pool.lengths):
        rows = ["one list" if one.single else f"{len(one.lengths)} rows" for one in (ranked, pool)]
        what = f"grades are {rows[0]} and judged are {rows[1]}"
        raise DataError(Problem("type", what, help="give one list of judged grades per ranking"))
    row = np.append(ranked.row, pool.row)
    grade = np.append(ranked.grades, pool.grades)
    surplus = np.append(np.ones(len(ranked.grades)), -np.ones(len(pool.grades)))
    order = np.lexsort((grade, row))
    row, grade, surplus = row[order], grade[order], surplus[order]
    begins = np.append(True, (row[1:] != row[:-1]) | (grade[1:] != grade[:-1]))[: len(row)]
    more = np.bincount(np.cumsum(begins) - 1, surplus) if len(row) else surplus
    wrong = np.flatnonzero((more > 0) & (grade[begins] > 0))
    if len(wrong):
        at = int(wrong[0])
        whose = "" if ranked.single else f" in row {int(row[begins][at])}"
        what = f"{shown(float(grade[begins][at]))} is ranked more often than it is judged{whose}"
        how = "judged holds the grade of every judged document, the ranked ones among them"
        raise DataError(Problem("judgments", f"grade {what}", help=how))


def _aligned(ranked: _Graded, pool: _Graded | None) -> Aligned:
    """The ranking laid over the judged grades, or over its own where there are none.

    Which judged document a ranked grade belongs to does not matter, so each stands twice: once
    among the judged documents, and once as a further occurrence in the ranking.
    """
    own = place_in_row(ranked.row)
    judged = ranked.grades[:0] if pool is None else pool.grades
    missed = np.zeros(len(judged), np.int64)
    rank = np.append(missed, own)
    return Aligned(
        row=ranked.row if pool is None else np.append(pool.row, ranked.row),
        grade=np.append(judged, ranked.grades),
        rank=rank,
        first=rank,
        size=np.append(missed, np.ones_like(own)),
        copy=np.append(np.zeros(len(judged), bool), np.full(len(own), pool is not None)),
        given=np.ones(len(rank), bool),
        listed=np.arange(len(rank)),
        returned=ranked.lengths,
        distinct=ranked.lengths,
        cut=np.zeros(len(ranked.lengths), bool),
    ).sorted()


@np.errstate(over="ignore", invalid="ignore")  # what is not finite becomes an error below
def _computed(measure: Measure, aligned: Aligned, convention: Convention) -> tuple[Floats, Bools]:
    """The value of each query, and which have nothing to find."""
    lists = Lists(aligned, convention)
    value, empty = measure.value(lists), measure.empty(lists)
    if not (np.isfinite(value) | empty).all():
        raise not_finite(str(measure))
    return value, empty
