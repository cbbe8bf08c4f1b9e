"""Judgments and runs as arrays: one row per query, one column per candidate document.

Documents have no ids: rules that order ids follow the columns. Queries are named by their row in
decimal text. A cell that is padding is no document at all; one without a grade is unjudged.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, overload

import numpy as np

from ndcg.align import Aligned, concatenated, cut_at_depth
from ndcg.convention import Convention
from ndcg.errors import SHOWN, DataError, Notice, Problem, Problems, count, warn
from ndcg.kernel import Bools, Floats, Ints
from ndcg.stores.given import Judged, Judgments, Listing, Overlay, Rankings
from ndcg.stores.grids import Grid, is_grid, read_grid, read_mask, wrong_shape
from ndcg.stores.partial import (
    Cells,
    blocks,
    leading_cells,
    ranked_cells,
    repeating,
    whole_ranking,
)
from ndcg.stores.values import shown


class Candidates(NamedTuple):
    """What every system ranks: the candidates of each query and their grades."""

    grades: Any  # (n_queries, n_columns) of any kind of number; NaN: unjudged
    real: Bools | None  # (n_queries, n_columns) which cells are candidates; None: all
    extent: tuple[float, float] | None  # lowest and highest grade, if all cells are judged

    def number(self, which: Ints) -> Ints:
        """How many candidates some queries have."""
        if self.real is None:
            return np.full(len(which), self.grades.shape[1])
        number: Ints = np.count_nonzero(self.real[which], axis=1)
        return number

    def graded(self, which: Ints, columns: slice = slice(None)) -> Floats:
        """The grades of some queries' candidates, NaN where there is no judgment."""
        grades: Floats = self.grades[which, columns].astype(np.float64, copy=False)
        return grades if self.real is None else np.where(self.real[which, columns], grades, np.nan)

    def judged(self, which: Ints) -> Bools:
        """Which cells of some queries are judged candidates."""
        return ~np.isnan(self.graded(which))


class ArrayJudgments(Judgments):
    """The grades of candidates."""

    def __init__(self, candidates: Candidates, queries: Iterable[str] | None = None) -> None:
        self.candidates = candidates
        names = map(str, range(len(candidates.grades))) if queries is None else queries
        super().__init__(dict.fromkeys(names, ()))

    def only(self, queries: Iterable[str]) -> Judgments:
        """The judgments of some of the queries."""
        return ArrayJudgments(self.candidates, queries)

    def _settle(self, rule: str) -> Judged:  # noqa: ARG002 -- no document is judged twice
        queries = sorted(self.given)
        which, all_ = _numbers(queries), self.candidates
        documents = _Columns(all_, which)
        if all_.extent is not None:
            m = all_.grades.shape[1]
            # The table itself says enough for most evaluations: it is not put in order.
            return Judged(queries, documents, lambda: all_.graded(which).ravel(),
                          np.arange(len(which) + 1) * m, 0, all_.extent)  # fmt: skip
        judged = all_.judged(which)
        start = np.zeros(len(which) + 1, np.int64)
        np.cumsum(np.count_nonzero(judged, axis=1), out=start[1:])
        return Judged(queries, documents, all_.graded(which)[judged], start, 0)


class ArrayRankings(Rankings):
    """The scores of candidates."""

    def __init__(self, scores: Any, candidates: Candidates, name: str) -> None:
        self.given, self.candidates, self.name = scores, candidates, name
        self._names = dict.fromkeys(map(str, range(len(scores))))

    @property
    def queries(self) -> Collection[str]:
        """The numbers of the rows."""
        return self._names.keys()

    def has(self, column: str) -> bool:
        """Arrays have scores."""
        return column == "scores"

    def documents(self, query: str) -> Collection[str]:
        """The columns of the query's candidates."""
        return [*map(str, self._columns(query).tolist())]

    def scores(self, query: str) -> Iterable[float]:
        """The scores of the query's candidates."""
        if query not in self._names:
            return ()
        listed: list[float] = self.given[int(query)][self._columns(query)].tolist()
        return listed

    def align(self, judged: Judged, convention: Convention) -> Overlay:
        """Lay the run over the judgments; see `Rankings.align`."""
        return self.align_within(judged, convention, None)

    def align_within(self, judged: Judged, convention: Convention, reach: int | None) -> Overlay:
        """Lay the run over the judgments; see `Rankings.align_within`."""
        self.check_order(convention.order_by)
        which = _numbers(judged.queries)
        ordered = _Ordered(self.given, self.candidates, which, convention)
        deep = reach is None or self.given.shape[1] <= 2 * reach
        aligned = ordered.whole() if deep else ordered.within(reach or 0)
        known_ties = None if deep else ordered.tied(aligned)
        missing = aligned.returned == 0
        return Overlay(cut_at_depth(aligned, convention).sorted(), missing, 0, None, 0, known_ties)

    def over_itself(self, queries: Sequence[str], convention: Convention) -> tuple[Judged, Aligned]:
        """The candidates laid over themselves, those without a grade too: see `Rankings`."""
        from ndcg.stores.mapping import MappingRankings  # dictionaries, not arrays

        # Columns are listed in order, which is what rules about ids mean here.
        ties = {"docid_asc": "input", "docid_desc": "reversed"}.get(convention.ties)
        convention = convention if ties is None else convention.but({"ties": ties})
        if self.given.dtype == np.float32:
            convention = convention.but({"score_type": "float32"})
        given = {query: Listing([*self.documents(query)], [*self.scores(query)])
                 for query in queries}  # fmt: skip
        return MappingRankings(given, self.name).over_itself(queries, convention)

    def judged_ids(
        self,
        judged: Judged,  # noqa: ARG002 -- for stores whose documents have ids
        number: int,
        listed: Ints,
    ) -> list[str]:
        """The columns of judged candidates; see `Rankings`."""
        columns = listed - number * self.given.shape[1]
        return [*map(str, columns.tolist())]

    def _columns(self, query: str) -> Ints:
        if query not in self._names:
            return np.zeros(0, np.int64)
        real = self.candidates.real
        if real is None:
            return np.arange(self.given.shape[1])
        return np.flatnonzero(real[int(query)])


class _Ordered:
    """Scores of some queries under a convention, in the order of those queries."""

    def __init__(
        self, scores: Any, candidates: Candidates, which: Ints, convention: Convention
    ) -> None:
        self.scores, self.candidates, self.which = scores, candidates, which
        self.convention = convention
        self.descending = convention.ties in ("docid_desc", "reversed")
        self.n, self.m = len(which), scores.shape[1]
        self.repeats = np.zeros(0, np.int8)  # what `within` has found out for `tied`

    def whole(self) -> Aligned:
        """All candidates laid out."""
        parts = [self._whole(self.which[part]) for part in blocks(self.n, self.m)]
        begins = [part.start for part in blocks(self.n, self.m)]
        laid = [replace(one, row=one.row + begin) for one, begin in zip(parts, begins, strict=True)]
        return concatenated(laid)

    def within(self, reach: int) -> Aligned:
        """Those that count down to a rank laid out."""
        n, m, which = self.n, self.m, self.which
        first, self.repeats = ranked_cells(
            lambda part: self._keys(which[part]), n, m, reach,
            descending=self.descending, complete=self.candidates.real is None,
        )  # fmt: skip
        highest = self.candidates.extent[1] if self.candidates.extent else None
        best = leading_cells(
            lambda part, columns: self.candidates.graded(which[part], columns),
            n, m, reach, highest,
        )  # fmt: skip
        return self._aligned(first.followed_by(best, n, m), which)

    def tied(self, aligned: Aligned) -> Bools:
        """The queries where a judged document is tied, at whatever rank."""
        tied = aligned.tied()
        repeats = self.repeats
        unknown = np.flatnonzero(~tied & (repeats < 0))
        repeats[unknown] = repeating(self._keys, self.which[unknown], self.m)
        rest = np.flatnonzero(~tied & (repeats > 0))
        if self.candidates.extent is not None and self.candidates.real is None:
            tied[rest] = True  # all its documents are judged
        elif len(rest):
            tied[rest] = self._whole(self.which[rest]).tied()
        return tied

    def _whole(self, which: Ints) -> Aligned:
        number = self.candidates.number(which)
        cells = whole_ranking(self._keys(which), number, descending=self.descending)
        return self._aligned(cells, which)

    def _keys(self, which: Any) -> Any:
        """Sort keys, where larger is better; NaN where there is no candidate."""
        convention = self.convention
        if convention.order_by == "position":
            keys: Any = np.tile(-np.arange(self.m, dtype=np.float64), (len(which), 1))
        else:
            single = self.scores.dtype == np.float32 or convention.score_type == "float32"
            with np.errstate(over="ignore"):  # past the largest float32 all scores tie, as in C
                keys = self.scores[which].astype(np.float32 if single else np.float64, copy=False)
            if convention.score_order == "ascending":
                keys = -keys
        real = self.candidates.real
        return keys if real is None else np.where(real[which], keys, np.nan)

    def _aligned(self, cells: Cells, which: Ints) -> Aligned:
        """The judged ones of the cells as an alignment."""
        place = (which[cells.row] - cells.row) * self.m + cells.cell
        grade = self.candidates.grades.ravel()[place].astype(np.float64, copy=False)
        judged = ~np.isnan(grade)
        if not judged.all():
            cells, grade = cells.only(judged), grade[judged]
        number = self.candidates.number(which)
        return Aligned(
            row=cells.row,
            grade=grade,
            rank=cells.rank,
            first=cells.first,
            size=cells.size,
            copy=np.zeros(len(grade), bool),
            given=np.ones(len(grade), bool),
            listed=cells.cell,
            returned=number,
            distinct=number,
            cut=np.zeros(len(which), bool),
            leading=cells.leading,
        )


class _Columns(Sequence[Sequence[str]]):
    """The judged columns of each query as text, made when they are asked for."""

    def __init__(self, candidates: Candidates, which: Ints) -> None:
        self.candidates, self.which = candidates, which

    def __len__(self) -> int:
        return len(self.which)

    @overload
    def __getitem__(self, at: int) -> Sequence[str]: ...
    @overload
    def __getitem__(self, at: slice) -> Sequence[Sequence[str]]: ...
    def __getitem__(self, at: int | slice) -> Any:
        if isinstance(at, slice):
            return [self[i] for i in range(*at.indices(len(self)))]
        judged = self.candidates.judged(self.which[[at]])
        return tuple(map(str, np.flatnonzero(judged).tolist()))


def _numbers(queries: Sequence[str]) -> Ints:
    return np.array([*map(int, queries)], np.int64)


# -- taking over what the caller has ---------------------------------------------------------------


def from_arrays(
    grades: Any, runs: Any, mask: Any = None
) -> tuple[ArrayJudgments, list[ArrayRankings], list[Notice]]:
    """Grades with one array of scores, or several by name; see `Candidates`.

    Raises
    ------
    DataError
        For shapes that do not belong together, and for values that are no numbers.
    """
    graded = read_grid(grades, "grades")
    named = runs if isinstance(runs, dict) else {"run": runs}
    if len({*map(str, named)}) < len(named):
        names = [str(name) for name in named]
        twice = next(name for name in names if names.count(name) > 1)
        what = f"two runs are called {twice}, as text and as something else"
        raise DataError(Problem("type", what, help="name each run by a text of its own"))
    scored = {str(name): _scores(name, run, graded) for name, run in named.items()}
    if not scored or not graded.values.size:
        raise DataError(Problem("empty", "arrays without rows or columns", help="give candidates"))
    given = _real(graded, mask)
    paddings = {name: _padding(name, scores, given, mask) for name, scores in scored.items()}
    real = _shared(paddings)
    if real is not None and not real.any():
        what = f"run {next(iter(scored))!r} lists no documents for any of "
        what += count(len(real), "query", "queries")
        raise DataError(Problem("empty", what, help="all cells are padding: give scores"))
    notices = [*_triples(graded.values, scored), *_graded_padding(graded, given, real)]
    candidates = Candidates(graded.values, real, _extent(graded.values, real))
    rankings = [ArrayRankings(scores, candidates, name) for name, scores in scored.items()]
    return ArrayJudgments(candidates), rankings, notices


_HARDLY_A_GRADE = 10  # but the number of a query or of a document
_LOOKED_AT = 1000  # rows that tell whether a table is one


def _triples(grades: Any, scored: dict[str, Any]) -> list[Notice]:
    """A warning for what looks like rows of query, document and number instead of tables."""
    tables = [one[:_LOOKED_AT] for one in (grades, *scored.values())]
    if any(one.shape[1] != 3 or len(one) < 3 for one in tables):
        return []
    if not all((one[:, :2] == np.floor(one[:, :2])).all() for one in tables):
        return []
    if tables[0][:, :2].max() < _HARDLY_A_GRADE:
        return []
    pairs = [{*map(tuple, one[:, :2].tolist())} for one in tables]
    distinct = all(len(one) == len(grades[:_LOOKED_AT]) for one in pairs)
    if not distinct or any(len(one & pairs[0]) * 2 < len(one) for one in pairs):
        return []
    what = "the tables of 3 columns look like rows of query, document and number"
    return [warn(what, "give a frame with named columns, or {query: {document: number}}")]


def _scores(name: str, run: Any, graded: Grid) -> Any:
    if not is_grid(run):
        what = f"of type {type(run).__name__}, while the grades are an array"
        raise wrong_shape(f"scores of run {name!r}", what)
    scored = read_grid(run, "scores")
    _same_shape(scored, graded, "score")
    return scored.values


def _same_shape(other: Grid, graded: Grid, word: str) -> None:
    if len(other.values) != len(graded.values):
        rows = [count(len(one.values), "row") for one in (graded, other)]
        what = f"{rows[0]} of grades and {rows[1]} of {word}s"
        raise DataError(Problem("type", what, help="give both in the same shape"))
    unequal = np.flatnonzero(other.lengths != graded.lengths)
    if len(unequal):
        at = int(unequal[0])
        ours, theirs = int(graded.lengths[at]), int(other.lengths[at])
        what = f"row {at} has {count(ours, 'grade')} and {count(theirs, word)}"
        raise DataError(Problem("type", what, help="give both in the same shape"))


def _real(graded: Grid, mask: Any) -> Bools | None:
    """The candidates by the lengths of the rows and the mask."""
    inside = graded.inside()
    if mask is None:
        return inside
    marked, length = read_mask(mask)
    _same_shape(Grid(marked, length), graded, "mask value")
    return marked if inside is None else marked & inside


def _padding(name: str, scores: Any, real: Bools | None, mask: Any) -> Bools | None:
    """The candidates that have a score; None: every cell is one."""
    with np.errstate(over="ignore", invalid="ignore"):
        if real is None and np.isfinite(scores.sum(dtype=np.float64)):
            return None  # a NaN or an infinity would show
    here = np.ones(scores.shape, bool) if real is None else real
    wrong = here & (~np.isfinite(scores) if mask is not None else np.isinf(scores))
    _refuse("score", f"score of run {name!r}", scores, wrong)
    scored = here & ~np.isnan(scores)
    return None if scored.all() else scored


def _shared(paddings: dict[str, Bools | None]) -> Bools | None:
    """The candidates of all systems, which must be the same."""
    (first, real), *others = paddings.items()
    for name, other in others:
        if (real is None) != (other is None) or not np.array_equal(real, other):  # type: ignore[arg-type]
            what = f"runs {first!r} and {name!r} have scores for different candidates"
            help_ = "give all runs the same candidates, and mark padding by mask="
            raise DataError(Problem("score", what, help=help_))
    return real


def _graded_padding(graded: Grid, given: Bools | None, real: Bools | None) -> list[Notice]:
    """A warning where a score of NaN makes a relevant document vanish."""
    if real is None:
        return []
    lost = (graded.values > 0) & ~real
    if given is not None:
        lost &= given
    number = int(np.count_nonzero(lost))
    if not number:
        return []
    what = f"{count(number, 'document')} with a grade above 0 and a score of NaN taken as padding"
    return [warn(what, "mark padding by mask=, and NaN is refused elsewhere")]


def _extent(grades: Any, real: Bools | None) -> tuple[float, float] | None:
    """The lowest and the highest grade if every cell has one; infinite grades are refused."""
    span = _span(grades) if real is None else None
    if span is None:
        _refuse("grade", "grade", grades, np.isinf(grades) if real is None
                else np.isinf(grades) & real)  # fmt: skip
    return span


def _span(values: Any) -> tuple[float, float] | None:
    """The smallest and the largest value; None if there is an infinity or NaN, which would show."""
    parts = [values[part] for part in blocks(*values.shape)]
    low = float(np.min([part.min() for part in parts]))
    high = float(np.max([part.max() for part in parts]))
    return (low, high) if np.isfinite(low) and np.isfinite(high) else None


def _refuse(word: str, what: str, values: Any, wrong: Bools) -> None:
    problems = Problems()
    rows, columns = np.nonzero(wrong)
    for row, column in zip(rows[:SHOWN].tolist(), columns[:SHOWN].tolist(), strict=True):
        value = shown(float(values[row, column]))
        help_ = f"{word}s of candidates are finite numbers; "
        help_ += "NaN in grades is unjudged, NaN in scores or False in mask= is padding"
        place = f"{what} in row {row}, column {column}: {value} is not finite"
        problems.add(Problem(word, place, help=help_))
    problems.total = len(rows)
    problems.raise_if_any()
