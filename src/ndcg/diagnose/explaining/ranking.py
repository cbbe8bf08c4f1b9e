"""One query: its documents by name, at the ranks at which a measure counts them."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ndcg.align import OPEN_TIES, Aligned, append_missed, settle_grades, settle_least
from ndcg.convention import Convention
from ndcg.evaluation.scoring import Scoring
from ndcg.kernel import Ints
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure


class Placed(NamedTuple):
    """A document where it stands in the ranking."""

    document: str
    rank: int
    row: int | None  # in `Lists.ranked`; None: it has no judgment that counts
    first: int  # rank of its tie group
    size: int  # of that group


class Left(NamedTuple):
    """A listed document that has left the ranking, and the axis that took it out."""

    document: str
    axis: str


class Ranking(NamedTuple):
    """The documents of one query.

    Attributes
    ----------
    lists : of this query alone.
    names : the document of each row of `lists.ranked`.
    grades : what was judged, by document, as it stands in the judgments.
    placed : the ranking, from rank 1 on.
    left : listed documents that are not in it.
    """

    lists: Lists
    names: list[str]
    grades: dict[str, float]
    placed: list[Placed]
    left: list[Left]


def lists_of_query(scoring: Scoring, measure: Measure, number: int) -> Lists:
    """The lists of one judged query: every value of it is the same double as among all."""
    every = scoring.lists_of(measure)
    one = Lists(_rows_of(scoring, every.convention, number), every.convention,
                every.answered[[number]])  # fmt: skip
    one.largest = every.largest  # of all queries, which an ideal of slots may ask for
    return one


def _rows_of(scoring: Scoring, convention: Convention, number: int) -> Aligned:
    """A query's part of the run laid over the judgments."""
    aligned = scoring.overlay(convention).aligned
    rows = aligned.rows(aligned.row == number)
    parts = {name: getattr(rows, name)[[number]] for name in ("returned", "distinct", "cut")}
    return replace(rows, row=np.zeros_like(rows.row), leading=None, **parts)


def ranking_of(scoring: Scoring, lists: Lists, number: int, seat: Ints) -> Ranking:
    """The ranking of a query, given the rank at which each row of `lists.ranked` counts."""
    convention, judged = lists.convention, scoring.judgments.settled(lists.convention.judgments)
    query, rows = judged.queries[number], _rows_of(scoring, convention, number)
    docs = lists.ranked
    known = np.flatnonzero(docs.given)
    ids = scoring.rankings.judged_ids(judged, number, docs.listed[known])
    names = [""] * len(docs.row)
    for at, name in zip(known.tolist(), ids, strict=True):
        names[at] = name
    raw = scoring.rankings.judged_ids(judged, number, rows.listed)
    grades = dict(zip(raw, rows.grade.tolist(), strict=True))
    taken = settle_least(settle_grades(rows, convention.grades), convention)
    longer = append_missed(taken, convention)
    added = longer.rows(longer.rank > int(taken.returned[0])) if longer is not taken else None
    listed = [*_listed(scoring, convention, query, cut=bool(rows.cut[0]))]
    if added is not None:  # put behind the last document of the run
        own = scoring.rankings.judged_ids(judged, number, added.listed)
        listed += zip(own, added.rank.tolist(), strict=True)
    gone = longer.listed[(longer.grade < 0) & longer.retrieved & (convention.negative == "remove")]
    removed = {*scoring.rankings.judged_ids(judged, number, gone)}
    placed, left = _placed(lists, names, seat, listed, removed)
    return Ranking(lists, names, grades, placed, left)


def _listed(
    scoring: Scoring, convention: Convention, query: str, *, cut: bool
) -> Iterator[tuple[str, int]]:
    """What the run lists for a query, best first, each with the first rank of its tie group.

    Open ties are laid out by rising id, as they are everywhere. Where `depth` cuts a tie group
    with a judged document (`cut`), the group is whole.
    """
    if query not in scoring.rankings.queries:
        return
    milder = {"ties": "docid_asc"} if convention.ties in OPEN_TIES else {}
    milder |= {"depth": "all"} if cut else {}
    judged, aligned = scoring.rankings.over_itself([query], convention.but(milder))
    here = aligned.rows(aligned.retrieved).sorted()
    if cut:
        here = here.rows(here.first <= int(convention.depth))
    [own] = judged.documents
    yield from zip([own[at] for at in here.listed.tolist()], here.first.tolist(), strict=True)


def _placed(
    lists: Lists,
    names: list[str],
    seat: Ints,
    listed: Sequence[tuple[str, int]],
    removed: set[str],
) -> tuple[list[Placed], list[Left]]:
    """The ranking, and what has left it: documents without a row stand at the ranks left free."""
    docs, convention = lists.ranked, lists.convention
    shared = convention.ties == "mean_rank"
    own = docs.rank if shared else seat
    rows: dict[str, deque[int]] = defaultdict(deque)
    for at in np.flatnonzero(docs.retrieved & docs.given)[np.argsort(
            own[docs.retrieved & docs.given], kind="stable")].tolist():  # fmt: skip
        rows[names[at]].append(at)
    held = {int(own[at]) for queue in rows.values() for at in queue}
    assumed = {int(own[at]): at for at in np.flatnonzero(docs.retrieved & ~docs.given).tolist()}
    free = _free(held)
    groups: dict[int, list[tuple[str, int, int | None]]] = defaultdict(list)
    left: list[Left] = []
    for name, first in listed:
        if rows.get(name):
            at = rows[name].popleft()
            groups[first].append((name, int(own[at]), at))
        elif name in removed:
            left.append(Left(name, "negative"))
        elif convention.unjudged == "drop":
            left.append(Left(name, "unjudged"))
        else:
            rank = next(free)
            groups[first].append((name, rank, assumed.get(rank)))
    placed = sorted(_grouped(groups), key=lambda one: one.rank)
    for one in placed:
        if one.row is not None:
            names[one.row] = one.document
    return placed, left


def _free(held: set[int]) -> Iterator[int]:
    """The ranks that nobody holds, from 1 on."""
    rank = 0
    while True:
        rank += 1
        if rank not in held:
            yield rank


def _grouped(groups: dict[int, list[tuple[str, int, int | None]]]) -> Iterator[Placed]:
    """The members of tie groups, each with the group's first rank and size."""
    for members in groups.values():
        first = min(rank for _, rank, _ in members)
        for name, rank, row in members:
            yield Placed(name, rank, row, first, len(members))
