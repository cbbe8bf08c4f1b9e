"""The labels of unjudged documents that make nDCG smallest and largest.

The proofs stand in docs/decisions/0011-bounds.md. An ideal DCG is an integral over gains: of V, the
sum of the first 1/discounts, at the number of documents that gain more. So DCG - c * IDCG is a sum
with one summand for each label, which depends only on how many documents have it or a higher one.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ndcg.diagnose.labelling import Spots
from ndcg.diagnose.ragged import Ragged, alike
from ndcg.kernel import Floats, Ints, ratio
from ndcg.measures.cumulated import dcg_value, discounts_of, falling
from ndcg.measures.lists import Lists, gains_of

_ROOM = 1 << 19  # cells of the largest table of some queries


def ndcg_labels(lists: Lists, spots: Spots, k: int | None, highest: float) -> tuple[Floats, Floats]:
    """The labels of all spots that make the nDCG of each query smallest, and largest."""
    queries = _Queries(lists, spots, k, highest)
    low, high = np.zeros(len(spots.row)), np.zeros(len(spots.row))
    some = np.flatnonzero(spots.number)
    levels = int(queries.label.number.max(initial=0)) + 1
    for part in alike((spots.number[some] + 1) * levels, _ROOM):
        place, inside = queries.weight.places(some[part])
        sums = _Sums(queries, some[part])
        low[place[inside]] = sums.lowest()[inside]
        high[place[inside]] = sums.highest()[inside]
    return low, high


class _Queries:
    """What the sums of all queries are made of."""

    def __init__(self, lists: Lists, spots: Spots, k: int | None, highest: float) -> None:
        docs, n, own = lists.ranked, lists.n_queries, ~lists.ranked.copy
        self.gain = lists.convention.gain
        self.base = dcg_value(lists, k, 0.0)  # of the judged documents
        self.weight = Ragged(1.0 / discounts_of(lists, spots.rank, k)[spots.rank], spots.number)
        self.limit = _ideal_limit(lists, k)
        self.label = _useful_labels(docs.row[own], docs.grade[own], n, highest)
        row, gain, place = falling(lists, ("labelling",), lists.gain, docs.row, own)
        within = place <= self.limit[row]  # the others sink further when there are labels
        row, gain, place = row[within], gain[within], place[within]
        last = np.ones(len(row), bool)
        last[:-1] = (row[1:] != row[:-1]) | (gain[1:] != gain[:-1])
        self.judged = Ragged.of(row[last], gain[last], n)  # the different gains, falling
        self.above = Ragged.of(row[last], place[last].astype(np.float64), n)  # with it or more
        deepest = int(place.max(initial=0)) + int(spots.number.max(initial=0))
        divisor = discounts_of(lists, np.array([deepest]), None)
        self.running = np.append(0.0, np.add.accumulate(1.0 / divisor[1:]))


def _ideal_limit(lists: Lists, k: int | None) -> Ints:
    """The last rank of each query's ideal ranking."""
    depth = lists.convention.ideal_depth
    never = k is None or depth == "all"
    limit = np.full(lists.n_queries, np.iinfo(np.int64).max if never else k)
    return np.minimum(limit, lists.ranked.returned) if depth == "returned" else limit


def _useful_labels(row: Ints, grade: Floats, n: int, highest: float) -> Ragged:
    """Labels that may make a value largest, falling: the ends, and those next to judged grades."""
    query = np.arange(n)
    near = [np.clip(whole, 0.0, highest) for whole in (np.floor(grade), np.ceil(grade))]
    row = np.concatenate([query, query, row, row])
    label = np.concatenate([np.full(n, highest), np.zeros(n), *near])
    order = np.lexsort((-label, row))
    row, label = row[order], label[order]
    first = np.ones(len(row), bool)
    first[1:] = (row[1:] != row[:-1]) | (label[1:] != label[:-1])
    return Ragged.of(row[first], label[first], n)


class _Sums:
    """DCG and ideal DCG of some queries, by how many documents have a label or a higher one.

    Level 0 is what gains more than the highest label, level i the i-th label from the highest down,
    the last one 0. All documents have at least that, and none is above the highest.
    """

    def __init__(self, queries: _Queries, which: Ints) -> None:
        self.base, self.number = queries.base[which], queries.weight.number[which]
        self.label = queries.label.table(which)  # filled up with label 0
        gain = gains_of(queries.gain, self.label.ravel()).reshape(self.label.shape)
        self.rise = gain[:, :1] - gain[:, -1:]  # from label 0 to the highest one
        judged, none = queries.judged.table(which), np.zeros((len(which), 1))
        top = np.maximum(gain[:, :1], judged.max(axis=1, initial=0.0)[:, None])
        edges = np.concatenate([top, gain, none], axis=1)
        # (n_queries, n_levels) what a document with such a label gains more than with the next one
        self.step = np.concatenate([none, gain - edges[:, 2:]], axis=1)
        weight = np.add.accumulate(queries.weight.table(which), axis=1)
        self.weight = np.concatenate([none, weight], axis=1)  # of the first 0, 1, ... documents
        above, width = queries.above.table(which).astype(np.int64), self.weight.shape[1]
        self.ideal = np.zeros((*self.step.shape, width))
        place = _places(above, queries.limit[which], width)
        for part, at in zip(_parts(edges, judged), place, strict=True):
            self.ideal += part[:, :, None] * queries.running[at][:, None, :]

    def lowest(self) -> Floats:
        """Labels of the smallest value: the highest one for some of the deepest, 0 for others."""
        every, numbers = self.number[:, None], np.arange(self.weight.shape[1])
        ideal = np.broadcast_to(self.ideal[:, 0, :1], self.weight.shape)
        for level in range(1, self.ideal.shape[1]):
            part = self.ideal[:, level]
            all_of_them = np.take_along_axis(part, every, axis=1)
            ideal = ideal + np.where(self.label[:, level - 1, None] > 0, part, all_of_them)
        others = np.take_along_axis(self.weight, np.maximum(every - numbers, 0), axis=1)
        total, least = self.weight[:, -1:], self.step[:, -1:]
        value = ratio(self.base[:, None] + least * total + self.rise * (total - others), ideal)
        chosen = np.where(numbers <= every, value, np.inf).argmin(axis=1)
        return np.where(numbers[1:] > every - chosen[:, None], self.label[:, :1], 0.0)

    def highest(self) -> Floats:
        """Labels of the largest value, which fall with rank (Dinkelbach 1967)."""
        beyond = np.arange(self.weight.shape[1]) > self.number[:, None]
        gain = self.step[:, :, None] * self.weight[:, None, :]
        gain = np.where(beyond[:, None, :], -np.inf, gain)
        value = np.full(len(self.base), -1.0)
        best = np.zeros(self.step.shape, np.int64)
        while True:
            price = np.maximum(value, 0.0)[:, None, None]
            counts = self._counts((gain - price * self.ideal).argmax(axis=2))
            found = self._value(counts)
            better = found > value
            if not better.any():
                return self._labels(best)
            best[better], value = counts[better], np.maximum(value, found)

    def _counts(self, free: Ints) -> Ints:
        """How many documents have each label or a higher one, if levels could choose freely."""
        free[:, 0] = 0
        forced = np.where(self.label == 0, self.number[:, None], free[:, 1:])
        counts: Ints = np.maximum.accumulate(np.append(free[:, :1], forced, axis=1), axis=1)
        return counts

    def _value(self, counts: Ints) -> Floats:
        """The value of each query with so many documents of each label or a higher one."""
        total, ideal = self.base, np.zeros(len(self.base))
        query = np.arange(len(self.base))
        for level in range(self.step.shape[1]):
            at = counts[:, level]
            total = total + self.step[:, level] * self.weight[query, at]
            ideal = ideal + self.ideal[query, level, at]
        return ratio(total, ideal)

    def _labels(self, counts: Ints) -> Floats:
        """The label of each document, the shallowest first."""
        place = np.arange(1, self.weight.shape[1])
        level = np.zeros((len(counts), len(place)), np.int64)
        for at in range(1, counts.shape[1] - 1):  # behind the last one, all have label 0
            level += counts[:, at, None] < place
        return np.take_along_axis(self.label, level, axis=1)


def _parts(edges: Floats, judged: Floats) -> Iterator[Floats]:
    """How much of each level lies above the best judged gain, between that and the next, ..."""
    upper, lower = edges[:, :-1], edges[:, 1:]
    above = upper
    for at in range(judged.shape[1]):
        below = np.clip(judged[:, at, None], lower, upper)
        yield above - below
        above = below
    yield above - lower


def _places(above: Ints, limit: Ints, width: int) -> Iterator[Ints]:
    """The last ideal rank with such a gain when 0, 1, ... labelled documents have it too."""
    numbers = np.arange(width)
    for more in [np.zeros(len(above), np.int64), *above.T]:
        yield np.minimum(more[:, None] + numbers, limit[:, None])
