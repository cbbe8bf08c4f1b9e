"""The labels of unjudged documents that make average precision smallest and largest."""

from __future__ import annotations

import numpy as np

from ndcg.diagnose.labelling import Spots
from ndcg.diagnose.ragged import Ragged, alike
from ndcg.kernel import Bools, Floats, Ints, per_row, place_in_row, ratio, running
from ndcg.measures.hits import hit_ranks, relevant_judged
from ndcg.measures.lists import Lists

_ROOM = 1 << 19  # cells of the largest table of some queries


def precision_labels(lists: Lists, spots: Spots, k: int | None, rel: float) -> tuple[Bools, Bools]:
    """Which documents are relevant where the AP of each query is smallest, and largest.

    With a given number of relevant documents it is largest when they are the shallowest, and
    smallest when they are the deepest, so that only the number is to be found.
    """
    row, rank = hit_ranks(lists, k, rel)
    total = per_row(row, lists.n_queries, place_in_row(row) / rank)
    relevant = relevant_judged(lists, rel)
    alone, behind = _gained(spots, row, rank, k)
    share = np.where(spots.rank <= (k or spots.rank), 1.0 / spots.rank, 0.0)
    deepest, shallowest = np.zeros((2, lists.n_queries), np.int64)
    some = np.flatnonzero(spots.number)
    for part in alike(spots.number[some], _ROOM):
        which = some[part]
        deepest[which], shallowest[which] = _numbers(
            Ragged(alone, spots.number).table(which),
            Ragged(behind, spots.number).table(which),
            Ragged(share, spots.number).table(which),
            total[which], relevant[which], spots.number[which],
        )  # fmt: skip
    place, row = spots.place, spots.row
    return place > (spots.number - deepest)[row], place <= shallowest[row]


def _gained(spots: Spots, row: Ints, rank: Ints, k: int | None) -> tuple[Floats, Floats]:
    """What each document adds to the sum of precisions if it alone is made relevant.

    Its own precision, and what it adds to those of the relevant documents (of a query and rank)
    behind it.
    """
    stride = int(max(rank.max(initial=0), spots.rank.max(initial=0))) + 1
    keys, key = row * stride + rank, spots.row * stride + spots.rank
    at = np.searchsorted(keys, key)
    above = at - np.searchsorted(keys, spots.row * stride)
    shares = np.append(running(np.add, 1.0 / rank[::-1], row[::-1])[::-1], 0.0)
    here = np.append(row, -1)[at] == spots.row
    counts = spots.rank <= (k or spots.rank)
    return np.where(counts, (1 + above) / spots.rank, 0.0), np.where(here, shares[at], 0.0)


def _numbers(
    alone: Floats, behind: Floats, share: Floats, total: Floats, relevant: Floats, number: Ints
) -> tuple[Ints, Ints]:
    """How many of the deepest make the value of each query smallest, of the shallowest largest."""
    numbers = np.arange(alone.shape[1] + 1)
    every = relevant[:, None] + numbers
    beyond = numbers > number[:, None]
    # A document made relevant also profits from those above it, and those below it from it.
    rise = alone + behind + numbers[:-1] * share
    best = _running(total, rise)
    shallowest = np.where(beyond, -np.inf, ratio(best, every)).argmax(axis=1)
    # Turned round, so that the deepest come first.
    turn = np.maximum(number[:, None] - 1 - numbers[:-1], 0)
    below = np.take_along_axis(share, turn, axis=1)
    below = np.add.accumulate(below, axis=1) - below
    rise = np.take_along_axis(alone + behind, turn, axis=1) + below
    worst = _running(total, rise)
    deepest = np.where(beyond, np.inf, ratio(worst, every)).argmin(axis=1)
    return deepest, shallowest


def _running(start: Floats, rise: Floats) -> Floats:
    """The totals after 0, 1, ... steps."""
    return np.add.accumulate(np.concatenate([start[:, None], rise], axis=1), axis=1)
