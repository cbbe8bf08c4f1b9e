"""Preferences between the documents of one query, counted as trec_eval does.

A judgment group (one judge, usually) gives levels to documents. With one subgroup, every document
is preferred to every document of a lower level. With several, only documents that share a
subgroup are compared, and preferences pass on: a over b and b over c give a over c.

Documents have a place: the retrieved ones in rank order, then the others by number. Numbers of
documents, groups and subgroups must rise with the byte order of their ids, because the last bit
of a sum depends on the order in which trec_eval walks them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ndcg.kernel import Bools, Floats, Ints, ordered_sum

Int32s = NDArray[np.int32]


class Contradiction(Exception):
    """A group prefers each of two documents, by number, to the other.

    They are the same where the only subgroup of a group gives one document two levels.
    """

    def __init__(self, group: int, first: int, second: int) -> None:
        super().__init__(group, first, second)
        self.group, self.first, self.second = group, first, second

    def __str__(self) -> str:
        return f"group {self.group} prefers documents {self.first} and {self.second} to each other"


class MixedLevels(Exception):
    """The subgroups of a group call one document both relevant and not (a level of 0)."""

    def __init__(self, group: int, document: int) -> None:
        super().__init__(group, document)
        self.group, self.document = group, document

    def __str__(self) -> str:
        return f"group {self.group} gives document {self.document} both 0 and another level"


class Counts(NamedTuple):
    """What became of the preferences of one query.

    Attributes
    ----------
    returned : (n_groups, 2) preferences fulfilled and possible, both documents retrieved.
    implied : (n_groups, 2) the same of those with one document retrieved.
    neither : (n_groups,) preferences between documents that are not retrieved.
    balanced, balanced_returned : (n_groups, 2) fulfilled and possible with as many non-relevant as
        relevant documents; possible can be 0.
    pairs, pairs_implied : share of the preferences about each pair of documents that is fulfilled;
        both retrieved, and one retrieved.
    pairs_neither : number of pairs with a preference of which no document is retrieved.
    """

    returned: Ints
    implied: Ints
    neither: Ints
    balanced: Ints
    balanced_returned: Ints
    pairs: Floats
    pairs_implied: Floats
    pairs_neither: int


class _Group(NamedTuple):
    """The documents of one group by place: how often and how they are judged, what beats what."""

    place: Ints
    times: Ints
    level: Floats
    better: Bools
    partial: bool


def count_preferences(
    group: Ints, subgroup: Ints, document: Ints, level: Floats, rank: Ints
) -> Counts:
    """The preferences of one query, fulfilled and possible.

    Parameters
    ----------
    group, subgroup, document, level : (n_judgments,) columns of the judgments, in any order.
    rank : (n_documents,) 1-based rank of each document; 0 = not retrieved.

    Raises
    ------
    Contradiction, MixedLevels : the first group that trec_eval refuses.

    >>> judge, levels = np.zeros(3, int), np.array([2.0, 1.0, 0.0])
    >>> counts = count_preferences(judge, judge, np.arange(3), levels, np.array([2, 1, 0]))
    >>> counts.returned, counts.implied
    (array([[0, 1]]), array([[2, 2]]))
    """
    place, shown = _places(rank), int(np.count_nonzero(rank > 0))
    agreeing = np.zeros((len(rank), len(rank)), np.int32)
    rows = []
    for here in _parts(group):
        number, judged = int(group[here[0]]), document[here]
        one = _judged(number, subgroup[here], judged, place[judged], level[here])
        agreeing[np.ix_(one.place, one.place)] += _repeated(one)
        rows.append(_tally(one, int(np.searchsorted(one.place, shown))))
    table = np.array(rows, np.int64).reshape(-1, 9)
    return Counts(
        table[:, :2], table[:, 2:4], table[:, 4], table[:, 5:7], table[:, 7:],
        *_pair_shares(agreeing, shown),
    )  # fmt: skip


def preference_values(counts: Counts) -> dict[str, float]:
    """The 14 preference measures of trec_eval for one query, by name and in its order."""
    returned, both = counts.returned, counts.returned + counts.implied
    every = both + np.stack([np.zeros_like(counts.neither), counts.neither], axis=1)
    pairs = np.append(counts.pairs, counts.pairs_implied)
    return {
        "prefs_num_prefs_poss": float(every[:, 1].sum()),
        "prefs_num_prefs_ful": float(every[:, 0].sum()),
        "prefs_num_prefs_ful_ret": float(returned[:, 0].sum()),
        "prefs_simp": _share(every),
        "prefs_pair": _mean(pairs, len(pairs) + counts.pairs_neither),
        "prefs_avgjg": _group_mean(every),
        "prefs_avgjg_Rnonrel": _group_mean(counts.balanced, undefined=math.nan),
        "prefs_simp_ret": _share(returned),
        "prefs_pair_ret": _mean(counts.pairs, len(counts.pairs)),
        "prefs_avgjg_ret": _group_mean(returned),
        "prefs_avgjg_Rnonrel_ret": _group_mean(counts.balanced_returned, undefined=math.nan),
        "prefs_simp_imp": _share(both),
        "prefs_pair_imp": _mean(pairs, len(pairs)),
        "prefs_avgjg_imp": _group_mean(both),
    }


def _share(counted: Ints) -> float:
    fulfilled, possible = (int(number) for number in counted.sum(axis=0))
    return fulfilled / possible if possible else 0.0


def _group_mean(counted: Ints, undefined: float = 0.0) -> float:
    """The mean over groups of fulfilled / possible; `undefined` stands for 0 / 0."""
    fulfilled, possible = counted.T
    share = np.full(len(counted), undefined)
    np.divide(fulfilled, possible, out=share, where=possible > 0)
    return _mean(share, len(share))


def _mean(share: Floats, number: int) -> float:
    total = ordered_sum(share)
    # trec_eval keeps its 0 where the sum is not above 0, and so where one group is undefined.
    return total / number if total > 0 else 0.0


def _places(rank: Ints) -> Ints:
    """The place of each document: retrieved ones in rank order, then the others by number."""
    place = np.empty(len(rank), np.int64)
    place[np.lexsort((rank, rank == 0))] = np.arange(len(rank))
    return place


def _parts(group: Ints) -> Iterator[Ints]:
    """The numbers of the judgments of each group, group after group."""
    order = np.argsort(group, kind="stable")
    begins = np.flatnonzero(np.diff(group[order])) + 1
    yield from np.split(order, begins) if len(order) else ()


def _judged(number: int, subgroup: Ints, document: Ints, place: Ints, level: Floats) -> _Group:
    # The order in which trec_eval walks the judgments decides which one it complains about.
    order = np.lexsort((place, -level, subgroup))
    subgroup, document, place = subgroup[order], document[order], place[order]
    level = level[order]
    if subgroup[0] == subgroup[-1]:
        return _complete(number, document, place, level)
    return _partial(number, subgroup, document, place, level)


def _complete(number: int, document: Ints, place: Ints, level: Floats) -> _Group:
    """One subgroup: each document has one level, and all different levels are preferences."""
    order = np.argsort(place, kind="stable")
    document, place, level = document[order], place[order], level[order]
    again = place[1:] == place[:-1]
    clash = np.flatnonzero(again & (level[1:] != level[:-1]))
    if len(clash):
        worst = np.lexsort((place[clash], -level[clash + 1], -level[clash]))[0]
        it = int(document[clash[worst]])
        raise Contradiction(number, it, it)
    head = np.flatnonzero(np.append(True, ~again))
    times, level = np.diff(head, append=len(place)), level[head]
    return _Group(place[head], times, level, level[:, None] > level, partial=False)


def _partial(number: int, subgroup: Ints, document: Ints, place: Ints, level: Floats) -> _Group:
    """Several subgroups: preferences within each, passed on from one to the next."""
    order = np.argsort(place, kind="stable")
    again = place[order][1:] == place[order][:-1]
    _refuse_mixed(number, document, level, order, again)
    # A document's last level says whether it is relevant.
    last = order[np.flatnonzero(np.append(~again, True))]
    here = place[last]
    at = np.searchsorted(here, place)
    above, below = np.nonzero((subgroup[:, None] == subgroup) & (level[:, None] > level))
    better = np.zeros((len(here), len(here)), bool)
    better[at[above], at[below]] = True
    for through in range(len(here)):  # Warshall 1962
        better[better[:, through]] |= better[through]
    np.fill_diagonal(better, val=False)
    circle = np.argwhere(better & better.T)
    if len(circle):
        i, j = (int(index) for index in circle[0])
        first, second = int(document[last[i]]), int(document[last[j]])
        raise Contradiction(number, first, second)
    return _Group(here, np.ones(len(here), np.int64), level[last], better, partial=True)


def _refuse_mixed(number: int, document: Ints, level: Floats, order: Ints, again: Bools) -> None:
    """Raise if a document has a level of 0 right before or after one above 0."""
    before, after = level[order][:-1], level[order][1:]
    mixed = again & (((before > 0) & (after == 0)) | ((before == 0) & (after > 0)))
    if mixed.any():
        raise MixedLevels(number, int(document[order[1:][mixed].min()]))


def _repeated(one: _Group) -> Ints | Bools:
    """How many preferences of each document to each other: a repeated judgment repeats them."""
    if one.times.max() == 1:
        return one.better
    return one.better * np.outer(one.times, one.times)


def _tally(one: _Group, shown: int) -> tuple[int, ...]:
    """A row of the counts of a group, whose first `shown` documents are retrieved."""
    kept, left = slice(shown), slice(shown, None)
    returned = _fulfilled_of(one.better, one.times, one.times, shown, shown)
    implied = _weigh(one.better[kept, left], one.times[kept], one.times[left])
    missed = _weigh(one.better[left, kept], one.times[left], one.times[kept])
    neither = _weigh(one.better[left, left], one.times[left], one.times[left])
    every = (returned[0] + implied, returned[1] + implied + missed + neither)
    balanced = _balanced(one, every, shown, len(one.place))
    return (*returned, implied, implied + missed, neither, *balanced,
            *_balanced(one, returned, shown, shown))  # fmt: skip


def _balanced(one: _Group, counted: tuple[int, int], shown: int, size: int) -> tuple[int, int]:
    """Fulfilled and possible among the first `size` documents, the non-relevant ones balanced."""
    relevant = one.level > 0
    # A level below 0 is non-relevant to one half of trec_eval and nothing to the other.
    other = one.level == 0 if one.partial else ~relevant
    in_all, among, retrieved = (
        int(one.times[:end][relevant[:end]].sum()) for end in (None, size, shown)
    )
    spare = among - int(one.times[:size][other[:size]].sum())
    if spare >= 0:  # the missing non-relevant documents count as if below all others
        return counted[0] + retrieved * spare, counted[1] + in_all * spare
    limit = in_all if one.partial else among
    lowest = other if one.partial else one.level == one.level.min()
    used = np.where(lowest, one.times, 0)
    used = np.clip(limit - (np.cumsum(used) - used), 0, one.times)
    column = np.where(lowest, used, one.times)
    if one.partial:
        return _fulfilled_of(one.better, column, column, shown, size)
    # trec_eval compares each document with those that are left, non-relevant ones included, even
    # with itself; none of that can be fulfilled except by the order of the non-relevant ones.
    return _fulfilled_of(one.better | lowest, one.times, column, shown, size)


def _fulfilled_of(better: Bools, row: Ints, column: Ints, shown: int, size: int) -> tuple[int, int]:
    """Fulfilled and possible among the first `size` documents, each with its weights."""
    better, row, column = better[:size, :size], row[:size], column[:size]
    fulfilled = _weigh(np.triu(better[:shown], 1), row[:shown], column)
    return fulfilled, _weigh(better, row, column)


def _weigh(better: Bools, row: Ints, column: Ints) -> int:
    # Unlike a product with @, einsum does not copy the matrix as whole numbers.
    return int(row @ np.einsum("ij,j->i", better, column))


def _pair_shares(agreeing: Int32s, shown: int) -> tuple[Floats, Floats, int]:
    """Share of each pair's preferences that is fulfilled, and the number of pairs out of sight."""
    kept, left = slice(shown), slice(shown, None)
    seen, unseen = agreeing[kept, kept], agreeing[left, left]
    upper = np.triu(np.ones(seen.shape, bool), 1)
    returned = _share_of_both(np.where(upper, seen, 0), np.where(upper, seen.T, 0))
    implied = _share_of_both(agreeing[kept, left], agreeing[left, kept].T)
    return returned, implied, int(np.count_nonzero(np.triu(unseen + unseen.T)))


def _share_of_both(agreeing: Int32s, against: Int32s) -> Floats:
    both = agreeing + against
    return agreeing[both > 0] / both[both > 0]
