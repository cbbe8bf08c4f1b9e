"""What would help where credit is weighed by ranks whose weights never rise: all queries at once.

Exchanging documents of credits c, d at ranks of weights v, w changes the sum by (d - c) * (v - w).
The one that goes up is best if none of at least its credit has less weight, the one that goes down
if none of at most its credit has more: from the top down the first kind falls in credit, and so
does the second. For i < j of the first kind and s < t of the second the sum of the changes of
(i, s) and (j, t) less that of (i, t) and (j, s) is then

    (c_s - c_t) * (w_i - w_j) + (v_s - v_t) * (d_i - d_j) >= 0,

so the best partners never go back (see `steps`). Moving a document of credit d up from rank r to t
lets it pass those between: the sum over their ranks s of (d - c_s) * (w(s) - w(s + 1)), which is

    d * (w(t) - w(r)) - (passed(r) - passed(t)), passed(t) being the sum above t of c * its fall.

The same documents are best; for i < j of them and ranks t < u the difference is
(d_i - d_j) * (w(t) - w(u)) >= 0, and ranks below r would be no way up whatever the others are.
"""

from __future__ import annotations

import numpy as np

from ndcg.diagnose.explaining.ascents import Raw
from ndcg.diagnose.explaining.parts import Parts
from ndcg.diagnose.explaining.steps import best_columns, spans
from ndcg.diagnose.explaining.stretches import Stretches, stretches
from ndcg.kernel import Floats, Ints, groups, per_row, running
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure


def weighed(lists: Lists, measure: Measure, parts: Parts) -> dict[str, Raw]:
    """The best swap, promotion and missing document of each query, in the sum of the measure."""
    found: dict[str, list[Raw]] = {"swap": [], "promotion": [], "missing": []}
    for some in stretches(lists, measure, parts):
        rising = _ends(some, falls=False)
        found["swap"].append(_swap(some, rising))
        found["promotion"].append(_promotion(some, rising))
        found["missing"].append(_insertion(some))
    return {kind: _joined(raws) for kind, raws in found.items()}


def _joined(raws: list[Raw]) -> Raw:
    """The changes of neighbouring queries one after the other."""
    if not raws:
        none = np.zeros(0, np.int64)
        return np.zeros(0), none, none, none
    gain, moved, to, row = zip(*raws, strict=True)
    return np.concatenate(gain), np.concatenate(moved), np.concatenate(to), np.concatenate(row)


def _ends(some: Stretches, *, falls: bool) -> Ints:
    """The stretches that can be the best to go up, or the best to go down, by rank.

    Of those of one weight only the first with the most credit, and of these only those with more
    than all below; to go down, the least credit, and less than all above.
    """
    here = np.flatnonzero(some.here)
    if not len(here):
        return here
    row, credit = some.row[here], some.credit[here]
    credit = -credit if falls else credit
    group, head = groups(row, some.weight[here])
    most = np.maximum.reduceat(credit, head)
    first = np.flatnonzero(credit == most[group])
    first = first[np.append(True, group[first][1:] != group[first][:-1])]
    row, credit, turn = row[first], credit[first], 1 if falls else -1
    along = running(np.maximum, credit[::turn], row[::turn])[::turn]
    beyond, next_ = (along[:-1], slice(1, None)) if falls else (along[1:], slice(None, -1))
    beats = np.ones(len(first), bool)
    beats[next_] = (credit[next_] > beyond) | (row[1:] != row[:-1])
    found: Ints = here[first[beats]]
    return found


def _swap(some: Stretches, rising: Ints) -> Raw:
    """The best exchange of two documents."""
    falling = _ends(some, falls=True)

    def change(up: Ints, down: Ints) -> Floats:
        one, other = rising[up], falling[down]
        return (some.credit[one] - some.credit[other]) * (some.weight[other] - some.weight[one])

    own, n = some.row[rising], len(some.start)
    begin = np.searchsorted(some.row[falling], np.arange(n + 1))
    down = best_columns(change, own, begin[own], begin[own + 1] - 1)
    gain, at = _largest(change(np.arange(len(rising)), down), own, n)
    one, other = some.rank[rising[at]], some.rank[falling[down[at]]]
    return _told(gain, own[at], np.maximum(one, other), np.minimum(one, other))


def _promotion(some: Stretches, rising: Ints) -> Raw:
    """The best move of one document up to where it gains most; the others make room."""

    def change(up: Ints, to: Ints) -> Floats:
        one = rising[up]
        above = some.weight[to] - some.weight[one]
        return some.credit[one] * above - (some.passed[one] - some.passed[to])

    own, n = some.row[rising], len(some.start)
    to = best_columns(change, own, some.start[own], rising)
    gain, at = _largest(change(np.arange(len(rising)), to), own, n)
    one = rising[at]
    gain[own[at]] = _passing(some, some.credit[one], to[at], one)
    return _told(gain, own[at], some.rank[one], some.rank[to[at]])


def _insertion(some: Stretches) -> Raw:
    """The best document that is missing, put where it gains most; the others make room."""
    n, end = len(some.start), np.append(some.start[1:], len(some.row)) - 1
    pushed = some.passed[end][some.row] - some.passed
    change = some.missing[some.row] * some.weight - pushed
    change = np.where(some.lost[some.row] >= 0, change, 0.0)
    gain, at = _largest(change, some.row, n)
    row, own = some.row[at], some.missing[some.row[at]]
    gain[row] = own * some.weight[end[row]] + _passing(some, own, at, end[row])
    gain, moved, to, _ = _told(gain, row, np.zeros(len(at), np.int64), some.rank[at])
    return gain, moved, to, some.lost


def _passing(some: Stretches, credit: Floats, begin: Ints, end: Ints) -> Floats:
    """What documents of some credit gain by passing the stretches from one to before another.

    Added up term by term: to pass what earns as much is then 0 and no difference of roundings.
    """
    which, at = spans(begin, end)
    term = (credit[which] - some.credit[at]) * (some.weight[at] - some.weight[at + 1])
    return per_row(which, len(credit), term)


def _largest(change: Floats, row: Ints, n: int) -> tuple[Floats, Ints]:
    """The largest change of each query, never below 0, and the first that gives it if it is above.

    Changes that are no numbers are none.
    """
    gain = np.zeros(n)
    np.maximum.at(gain, row, np.where(change > 0, change, 0.0))
    at = np.flatnonzero((change == gain[row]) & (change > 0))
    return gain, at[np.append(True, row[at][1:] != row[at][:-1])[: len(at)]]


def _told(gain: Floats, row: Ints, moved: Ints, to: Ints) -> Raw:
    """What goes where, for the queries that something helps."""
    n = len(gain)
    every, targets = np.zeros(n, np.int64), np.zeros(n, np.int64)
    every[row], targets[row] = moved, to
    return gain, every, targets, np.full(n, -1)
