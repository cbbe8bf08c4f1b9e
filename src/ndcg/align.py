"""One run laid over the judgments, and the rules that need nothing but that.

A measure needs only where the judged documents ended up, so `Aligned` is sparse: one row per
judged document of a query, retrieved or missed. A thousand ranked documents with twenty judged
ones are twenty rows. No ids: stores make it, measures read it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ndcg.axes import parameter
from ndcg.convention import Convention
from ndcg.errors import Problem, UsageError, axis_help, count
from ndcg.kernel import Bools, Floats, Ints, by_falling, per_row, place_in_row

# Rules that leave the order of tied documents open.
OPEN_TIES = ("expected", "best", "worst", "mean_rank")
LISTED_TIES = ("input", "reversed")  # rules that do not look at ids
# The axes that act when a run is laid over the judgments.
_ALIGNING = (
    "order_by", "score_order", "score_type", "ties", "depth", "duplicates", "judgments",
    "self_match",
)  # fmt: skip


def key_of(convention: Convention) -> tuple[str, ...]:
    """What conventions under which a run is laid over the judgments alike have in common."""
    alike = tuple(
        "open" if axis == "ties" and convention.ties in OPEN_TIES else getattr(convention, axis)
        for axis in _ALIGNING
    )
    if convention.ties not in OPEN_TIES or convention.depth == "all":
        return alike
    # Which of the tied documents stay matters for the judged ones alone.
    return (*alike, convention.min_grade, convention.grades)


# One element a document.
_PARTS = ("row", "grade", "rank", "first", "size", "copy", "given", "listed")


@dataclass(frozen=True, slots=True)
class Aligned:
    """Where the judged documents of each query ended up.

    Rows are ordered by query, then rank. Under an open tie rule `rank` is that of `docid_asc`,
    and rows of a tie group that `depth` cuts have ranks past `returned`.
    """

    row: Ints  # (n_docs,) number of the query
    grade: Floats  # (n_docs,) raw grade
    rank: Ints  # (n_docs,) 1-based; 0 = not retrieved
    first: Ints  # (n_docs,) first rank of the document's tie group; 0 = not retrieved
    size: Ints  # (n_docs,) members of that group, unjudged ones included
    copy: Bools  # (n_docs,) a further occurrence of a document that has a row already
    given: Bools  # (n_docs,) the grade stands in the judgments (else it was assumed)
    listed: Ints  # (n_docs,) rises as the judgments of a query list them, assumed ones last
    returned: Ints  # (n_queries,) documents in the ranking
    distinct: Ints  # (n_queries,) different documents in the ranking
    cut: Bools  # (n_queries,) depth cuts a tie group that holds a judged document
    # (n_docs,) whether a document can stand in an ideal ranking as deep as the measures read;
    # None: all of them can. A store that lays out only what counts says so to save their sorting.
    leading: Bools | None = None

    @property
    def n_queries(self) -> int:
        """How many queries there are, with or without judged documents."""
        return len(self.returned)

    @property
    def retrieved(self) -> Bools:
        """Which rows are in the ranking."""
        return self.rank > 0

    def rows(self, keep: Bools | Ints) -> Aligned:
        """The same with the rows that are kept, or chosen; ranks are as before."""
        return self._taken(keep)

    def sorted(self) -> Aligned:
        """The same with rows in order of query and rank."""
        step = np.diff(self.row)
        if ((step > 0) | ((step == 0) & (np.diff(self.rank) >= 0))).all():
            return self
        if (step >= 0).all():
            return self._taken(by_falling(-self.rank.astype(np.float64), self.row)[0])
        return self._taken(np.lexsort((self.rank, self.row)))

    def tied(self) -> Bools:
        """The queries where a judged document is tied with another document."""
        return per_row(self.row, self.n_queries, self.size > 1) > 0

    def _taken(self, which: Bools | Ints) -> Aligned:
        parts = {name: getattr(self, name)[which] for name in _PARTS}
        leading = None if self.leading is None else self.leading[which]
        return replace(self, **parts, leading=leading)


def taken_grades(grades: Floats, rule: str) -> Floats:
    """Grades as they are, or cut to whole numbers; others were refused by who knows their ids."""
    if rule != "truncate":
        return grades
    whole: Floats = np.trunc(grades)
    return whole


def settle_grades(aligned: Aligned, rule: str) -> Aligned:
    """The same with the grades that are taken."""
    grades = taken_grades(aligned.grade, rule)
    return aligned if grades is aligned.grade else replace(aligned, grade=grades)


def settle_least(aligned: Aligned, convention: Convention) -> Aligned:
    """The same without the judgments that have too low a grade to count as one."""
    if convention.min_grade == "none":
        return aligned
    left = aligned.rows(aligned.grade >= float(convention.min_grade))
    if not aligned.cut.any():
        return left
    across = left.first + left.size - 1 > int(convention.depth)
    return replace(left, cut=per_row(left.row[across], left.n_queries) > 0)


def append_missed(aligned: Aligned, convention: Convention) -> Aligned:
    """The judged documents that are not listed, put behind the last one where that is asked for.

    A query that lists nothing stays as it is.
    """
    if convention.appended == "none":
        return aligned
    if convention.depth != "all":
        what = f"appended:{convention.appended} puts documents behind the whole run"
        how = f"leave out depth:{convention.depth}, or appended:{convention.appended}"
        raise UsageError(Problem("usage", what, help=how))
    missed = ~aligned.retrieved & (aligned.returned[aligned.row] > 0)
    behind = aligned.returned[aligned.row[missed]] + place_in_row(aligned.row[missed])
    rank, first, size = aligned.rank.copy(), aligned.first.copy(), aligned.size.copy()
    rank[missed] = first[missed] = behind
    size[missed] = 1
    more = per_row(aligned.row[missed], aligned.n_queries).astype(np.int64)
    return replace(
        aligned, rank=rank, first=first, size=size,
        returned=aligned.returned + more, distinct=aligned.distinct + more,
    ).sorted()  # fmt: skip


def settle_negative(aligned: Aligned, rule: str) -> Aligned:
    """Judgments with a grade below 0: clamped, forgotten, removed or kept.

    Under ``error`` there are none: the caller, who knows their ids, has refused them.
    """
    negative = aligned.grade < 0
    if rule == "keep" or not negative.any():
        return aligned
    if rule == "clamp":
        return replace(aligned, grade=np.where(negative, 0.0, aligned.grade))
    if rule == "remove":
        aligned = close_ranks(aligned, negative & aligned.retrieved)
    return aligned.rows(~negative)


def fill_unjudged(aligned: Aligned, convention: Convention) -> Aligned:
    """Retrieved documents without judgment: nothing, taken out, or given a grade."""
    rule = convention.unjudged
    if rule == "zero":
        return aligned
    if rule == "drop":
        return _condense(aligned)
    if convention.duplicates == "once":
        what = f"duplicates:once and unjudged:{rule}: it is not known which unjudged ones repeat"
        raise UsageError(Problem("usage", what, help=axis_help("duplicates", "count", "first")))
    return _grade_unjudged(aligned, parameter(rule))


def close_ranks(aligned: Aligned, leaving: Bools) -> Aligned:
    """The ranks after some retrieved rows left the ranking; the rows themselves stay."""
    if not leaving.any():
        return aligned
    gone = aligned.rows(leaving)
    left_before = _counter(gone.row, gone.rank)
    above = left_before(aligned.row, aligned.rank)
    before_group = left_before(aligned.row, aligned.first)
    in_group = left_before(aligned.row, aligned.first + aligned.size) - before_group
    here = aligned.retrieved
    lost = per_row(gone.row, aligned.n_queries).astype(np.int64)
    lost_distinct = per_row(gone.row[~gone.copy], aligned.n_queries).astype(np.int64)
    return replace(
        aligned,
        rank=np.where(here, aligned.rank - above, 0),
        first=np.where(here, aligned.first - before_group, 0),
        size=np.where(here, aligned.size - in_group, 0),
        returned=aligned.returned - lost,
        distinct=aligned.distinct - lost_distinct,
    )


def _counter(row: Ints, rank: Ints) -> Callable[[Ints, Ints], Ints]:
    """A function counting, for (row, rank) pairs, the given rows of lower rank in that query."""
    stride = int(rank.max(initial=0)) + 2
    keys = np.sort(row * stride + rank)

    def before(in_row: Ints, below: Ints) -> Ints:
        capped = np.minimum(below, stride - 1)
        start = np.searchsorted(keys, in_row * stride)
        return np.searchsorted(keys, in_row * stride + capped) - start

    return before


def _condense(aligned: Aligned) -> Aligned:
    """The ranking of judged documents alone."""
    here = aligned.rows(aligned.retrieved).sorted()
    rank = place_in_row(here.row)
    group = here.row * (int(here.first.max(initial=0)) + 1) + here.first
    head = np.searchsorted(group, group)  # rows are in rank order, so groups are runs
    size = np.searchsorted(group, group, side="right") - head
    missed = aligned.rows(~aligned.retrieved)
    returned = per_row(here.row, aligned.n_queries).astype(np.int64)
    condensed = replace(here, rank=rank, first=rank[head] if len(rank) else rank, size=size)
    return replace(
        joined(condensed, missed),
        returned=returned,
        distinct=per_row(here.row[~here.copy], aligned.n_queries).astype(np.int64),
    )


def _grade_unjudged(aligned: Aligned, grade: float) -> Aligned:
    """A row with an assumed grade for every rank that no judged document holds."""
    here = aligned.rows(aligned.retrieved)
    row = np.repeat(np.arange(aligned.n_queries), aligned.returned)
    rank = place_in_row(row)
    stride = int(aligned.returned.max(initial=0)) + 1
    free = ~np.isin(row * stride + rank, here.row * stride + here.rank)
    row, rank = row[free], rank[free]
    first, size = _groups_around(here, row, rank, stride)
    judged = per_row(here.row[~here.copy], aligned.n_queries).astype(np.int64)
    unjudged_documents = (aligned.distinct - judged)[row]
    filled = replace(
        aligned,
        row=row,
        grade=np.full(len(row), grade),
        rank=rank,
        first=first,
        size=size,
        copy=place_in_row(row) > unjudged_documents,
        given=np.zeros(len(row), bool),
        listed=int(aligned.listed.max(initial=0)) + 1 + np.arange(len(row)),
    )
    return joined(aligned, filled)


def _groups_around(here: Aligned, row: Ints, rank: Ints, stride: int) -> tuple[Ints, Ints]:
    """First rank and size of the tie groups that ranks lie in.

    Ranks outside the groups of judged documents are groups of one: all their documents have the
    same assumed grade, so their order cannot matter.
    """
    starts, index = np.unique(here.row * stride + here.first, return_index=True)
    if not len(starts):
        return rank, np.ones_like(rank)
    at = np.searchsorted(starts, row * stride + rank, side="right") - 1
    nearest = index[np.maximum(at, 0)]
    inside = (at >= 0) & (here.row[nearest] == row) & (rank < (here.first + here.size)[nearest])
    return np.where(inside, here.first[nearest], rank), np.where(inside, here.size[nearest], 1)


def joined(one: Aligned, other: Aligned) -> Aligned:
    """The rows of both, in order; what belongs to queries is taken from the first."""
    both = {name: np.concatenate([getattr(one, name), getattr(other, name)]) for name in _PARTS}
    return replace(one, **both).sorted()


def concatenated(parts: Sequence[Aligned]) -> Aligned:
    """The queries of several alignments side by side; their rows are numbered through already."""
    columns = (*_PARTS, "returned", "distinct", "cut")
    return Aligned(
        **{name: np.concatenate([getattr(one, name) for one in parts]) for name in columns}
    )


def cut_at_depth(aligned: Aligned, convention: Convention) -> Aligned:
    """Take out what lies past `depth`; under open ties a group across it stays whole."""
    if convention.depth == "all":
        return aligned
    depth, first, size = int(convention.depth), aligned.first, aligned.size
    across = (first <= depth) & (first + size - 1 > depth)
    if convention.ties in OPEN_TIES:
        keep, cut = first <= depth, per_row(aligned.row[across], aligned.n_queries) > 0
    else:
        keep, cut = aligned.rank <= depth, aligned.cut
        size = np.where(across, depth + 1 - first, size)
    return replace(
        aligned,
        rank=np.where(keep, aligned.rank, 0),
        first=np.where(keep, first, 0),
        size=np.where(keep, size, 0),
        returned=np.minimum(aligned.returned, depth),
        distinct=np.minimum(aligned.distinct, depth),
        cut=cut,
    )


def refuse_open_cut(aligned: Aligned, convention: Convention) -> None:
    """Which of the documents tied across `depth` stay is open: refuse what depends on it."""
    if convention.ties not in OPEN_TIES or not aligned.cut.any():
        return
    negative = aligned.cut[aligned.row] & (aligned.grade < 0)
    if convention.negative == "remove" and negative.any():
        raise open_cut_error(int(aligned.cut.sum()), convention, "negative")
    if convention.unjudged != "zero":
        raise open_cut_error(int(aligned.cut.sum()), convention, "unjudged")


def open_cut_error(queries: int, convention: Convention, rule: str) -> UsageError:
    """The error for a rule that needs to know which of the documents tied at `depth` stay."""
    return UsageError(
        Problem(
            "ties",
            f"ties:{convention.ties} leaves open which documents depth:{convention.depth} keeps, "
            f"and {rule}:{getattr(convention, rule)} depends on it "
            f"({count(queries, 'query', 'queries')})",
            help="--ties docid_asc, docid_desc or input, or --depth all",
        )
    )
