"""What would help each query most: one swap, one promotion, one missing document.

Found exactly, for all queries at once. Where credit is weighed by ranks whose weights never rise,
moving a document of credit b up past one of credit c at rank t changes the sum by
(b - c) * (w(t) - w(t + 1)); the best promotion is therefore the largest sum of neighbouring terms
that end at the document, and of equal documents only those at the ends can make the best swap.
Tests compare both with trying every pair.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ndcg.diagnose.explaining.ascents import Raw, ascents
from ndcg.diagnose.explaining.parts import CUMULATED, STEPPED, Parts
from ndcg.diagnose.explaining.weights import weights_of
from ndcg.kernel import Bools, Floats, Ints
from ndcg.measures.lists import Lists
from ndcg.measures.record import CLOSED
from ndcg.measures.registry import Measure
from ndcg.statistics.sample import TOLERANCE

KINDS = ("swap", "promotion", "missing")
_ROOM = 1 << 21  # cells that are looked at at once


@dataclass(frozen=True, slots=True)
class Changes:
    """The best change of a kind for each query; a gain of 0 where none helps.

    Attributes
    ----------
    gain : (n_queries,) in the measure, never negative.
    moved : (n_queries,) rank of the document that goes up; 0: it is missing, or none helps.
    to : (n_queries,) the rank that it gets.
    row : (n_queries,) of the missing document in `Lists.ranked`; -1: none.
    """

    gain: Floats
    moved: Ints
    to: Ints
    row: Ints


class Remedies(NamedTuple):
    """The best change of each kind, and for those that cannot be told, why."""

    changes: dict[str, Changes]
    untold: dict[str, str]


def remedies_of(lists: Lists, measure: Measure, parts: Parts) -> Remedies:
    """What would help each query most."""
    untold = _untold(lists, measure)
    told = [kind for kind in KINDS if kind not in untold]
    if not told:
        return Remedies({}, untold)
    if measure.name in STEPPED:
        found = ascents(lists, measure, parts)
    else:
        found = _weighed(lists, measure, parts)
    return Remedies({kind: _shared(found[kind], parts) for kind in told}, untold)


def _shared(raw: Raw, parts: Parts) -> Changes:
    """Changes of sums as changes of values; what does not help is none."""
    gain, moved, to, row = raw
    value = parts.shares(np.arange(len(gain)), np.maximum(gain, 0.0))
    helps = value > 0
    return Changes(
        value, np.where(helps, moved, 0), np.where(helps, to, 0), np.where(helps, row, -1)
    )


def _untold(lists: Lists, measure: Measure) -> dict[str, str]:
    """The kinds that have no single answer under a convention, and why."""
    convention, docs = lists.convention, lists.ranked
    cumulated = measure.name in CUMULATED
    if convention.ties not in CLOSED:
        why = f"ties:{convention.ties} leaves open where tied documents stand"
    elif convention.rounding.partition(":")[0] in ("terms", "query"):
        why = f"rounding:{convention.rounding} hides small changes"
    elif convention.duplicates == "once" and docs.copy.any():
        why = "documents are listed more than once, and the first one counts"
    elif measure.name == "nDCG" and convention.ideal == "top_k":
        why = "ideal:top_k changes with the documents in the top k"
    else:
        why = ""
    if why:
        return dict.fromkeys(KINDS, why)
    if measure.name == "nDCG" and convention.ideal == "retrieved":
        return {"missing": "ideal:retrieved changes with what is retrieved"}
    if convention.depth != "all" and convention.unjudged.startswith("grade"):
        return {"missing": f"unjudged:{convention.unjudged} counts what depth would cut off then"}
    if measure.name not in STEPPED and not weights_of(lists, measure).fixed:
        longer = "ideal_depth:returned" if cumulated else f"{measure.name} without a cutoff"
        return {"missing": f"{longer} changes with the number of documents returned"}
    return {}


class _Table(NamedTuple):
    """Some queries as a table with a column a rank, and one for all that count nothing."""

    credit: Floats  # (n, depth + 1) of rank 1, 2, ...; last, the best past the last of them
    there: Bools  # (n, depth + 1) whether a document stands there
    weight: Floats  # (n, depth + 2) of rank 1, 2, ..., depth + 2; never rising
    beyond: Ints  # (n,) rank of the document in the last column
    returned: Ints  # (n,)
    missing: Floats  # (n,) the best credit that is not retrieved; 0 if there is none
    row: Ints  # (n,) its row, -1 if there is none


def _weighed(lists: Lists, measure: Measure, parts: Parts) -> dict[str, Raw]:
    """The best changes for a measure that weighs ranks, in its sum."""
    found: dict[str, list[Raw]] = {kind: [] for kind in KINDS}
    for table in _tables(lists, measure, parts):
        found["swap"].append(_swap(table))
        found["promotion"].append(_promotion(table))
        found["missing"].append(_insertion(table))
    return {kind: _joined(parts_) for kind, parts_ in found.items()}


def _joined(parts: list[Raw]) -> Raw:
    """The changes of neighbouring queries one after the other."""
    gain, moved, to, row = zip(*parts, strict=True)
    return np.concatenate(gain), np.concatenate(moved), np.concatenate(to), np.concatenate(row)


def _tables(lists: Lists, measure: Measure, parts: Parts) -> Iterator[_Table]:
    """The queries as tables, as many at a time as there is room for."""
    weights, docs = weights_of(lists, measure), lists.ranked
    limit = weights.ideal_limit
    if lists.convention.depth != "all":
        limit = np.minimum(limit, int(lists.convention.depth))
    depth = int(np.minimum(limit, docs.returned).max(initial=0))
    start = np.searchsorted(docs.row, np.arange(lists.n_queries + 1))
    step = max(_ROOM // (depth + 2), 1)
    weight = np.append(1 / weights.divisor[1:], np.zeros(depth + 2))[: depth + 2]
    for begin in range(0, lists.n_queries, step):
        which = slice(begin, min(begin + step, lists.n_queries))
        rows = slice(int(start[which.start]), int(start[which.stop]))
        counted = np.arange(1, depth + 3) <= limit[which, None]
        yield _table(docs.row[rows] - begin, parts.seat[rows], weights.credit[rows],
                            np.where(counted, weight, 0.0), docs.returned[which],
                            docs.copy[rows], rows.start)  # fmt: skip


def _table(
    row: Ints, rank: Ints, credit: Floats, weight: Floats, returned: Ints, copy: Bools, begin: int
) -> _Table:
    n, depth = len(weight), weight.shape[1] - 2
    cells, there = np.zeros((n, depth + 1)), np.arange(1, depth + 2) <= returned[:, None]
    inside = (rank > 0) & (rank <= depth)
    cells[row[inside], rank[inside] - 1] = credit[inside]
    # Of what lies behind all ranks that count, one document is enough: the best, the first of it.
    tail, beyond = np.zeros(n), np.full(n, depth + 1)
    behind = np.flatnonzero(rank > depth)
    full = np.bincount(row[behind], minlength=n) >= np.maximum(returned - depth, 1)
    tail[full] = -np.inf
    order = behind[np.lexsort((rank[behind], -credit[behind], row[behind]))]
    head = np.append(True, row[order][1:] != row[order][:-1])[: len(order)]
    best = order[head]
    better = best[credit[best] > tail[row[best]]]
    tail[row[better]], beyond[row[better]] = credit[better], rank[better]
    cells[:, -1] = np.where(there[:, -1], tail, 0.0)
    lost = np.flatnonzero((rank == 0) & ~copy)
    order = lost[np.lexsort((-credit[lost], row[lost]))]
    best = order[np.append(True, row[order][1:] != row[order][:-1])[: len(order)]]
    missing, missing_row = np.zeros(n), np.full(n, -1)
    missing[row[best]], missing_row[row[best]] = credit[best], best + begin
    return _Table(cells, there, weight, beyond, returned, missing, missing_row)


def _credits(table: _Table) -> Iterator[Floats]:
    """One of the different credits of each query after the other; NaN when it has no more."""
    rising = np.sort(np.where(table.there, table.credit, np.inf), axis=1)
    new = np.ones_like(rising, bool)
    new[:, 1:] = rising[:, 1:] != rising[:, :-1]
    new &= rising < np.inf
    for number in range(1, int(new.sum(axis=1).max(initial=0)) + 1):
        at = (new.cumsum(axis=1) == number) & new
        has = at.any(axis=1)
        yield np.where(has, rising[np.arange(len(rising)), at.argmax(axis=1)], np.nan)


def _rank(table: _Table, column: Ints) -> Ints:
    """The rank of a column."""
    return np.where(column == table.credit.shape[1] - 1, table.beyond, column + 1)


def _swap(table: _Table) -> Raw:
    """The best exchange of two documents: of equal ones, only the last can go up."""
    n = len(table.credit)
    every, weight = np.arange(n), table.weight[:, :-1]
    best, moved, to = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for credit in _credits(table):
        own = (table.credit == credit[:, None]) & table.there
        least = np.where(own, weight, np.inf)
        last = least.argmin(axis=1)  # the first of those with the smallest weight
        gain = (credit[:, None] - table.credit) * (weight - weight[every, last][:, None])
        gain = np.where(table.there & ~np.isnan(credit)[:, None], gain, 0.0)
        first = gain.argmax(axis=1)
        better = gain[every, first] > best
        best = np.where(better, gain[every, first], best)
        moved = np.where(better, np.maximum(_rank(table, first), _rank(table, last)), moved)
        to = np.where(better, np.minimum(_rank(table, first), _rank(table, last)), to)
    return best, moved, to, np.full(n, -1)


def _passed(table: _Table, credit: Floats) -> Floats:
    """What is gained by passing the documents of rank 1, 2, ..., added up from rank 1 on."""
    fall = table.weight[:, :-1] - table.weight[:, 1:]
    term = np.where(table.there, (credit[:, None] - table.credit) * fall, 0.0)
    return np.concatenate([np.zeros((len(term), 1)), term.cumsum(axis=1)], axis=1)


def _promotion(table: _Table) -> Raw:
    """The best move of one document up to where it gains most; the others make room."""
    n = len(table.credit)
    every = np.arange(n)
    best, moved, to = np.zeros(n), np.zeros(n, np.int64), np.zeros(n, np.int64)
    for credit in _credits(table):
        along = _passed(table, np.nan_to_num(credit))[:, :-1]  # before each rank
        lowest = np.minimum.accumulate(along, axis=1)
        gain = np.where((table.credit == credit[:, None]) & table.there, along - lowest, 0.0)
        at = gain.argmax(axis=1)
        better = gain[every, at] > best
        target = (along == lowest[every, at][:, None]).argmax(axis=1)  # the first such rank
        best = np.where(better, gain[every, at], best)
        moved, to = np.where(better, _rank(table, at), moved), np.where(better, target + 1, to)
    return best, moved, to, np.full(n, -1)


def _insertion(table: _Table) -> Raw:
    """The best document that is missing, put where it gains most; the others make room."""
    n, width = len(table.credit), table.weight.shape[1]
    along = _passed(table, table.missing)
    end = np.minimum(table.returned, width - 1)
    behind = np.where(table.returned < width, table.weight[np.arange(n), end], 0.0)
    reachable = np.arange(along.shape[1]) <= table.returned[:, None]
    total = along[np.arange(n), np.minimum(table.returned, along.shape[1] - 1)]
    gain = np.where(reachable, total[:, None] - along, -np.inf)
    at = gain.argmax(axis=1)
    gain = gain[np.arange(n), at] + table.missing * behind
    gain = np.where(table.row >= 0, gain, 0.0)
    return gain, np.zeros(n, np.int64), at + 1, table.row


def best_kind(remedies: Remedies) -> list[str]:
    """For each query the kind of change that gains more than all others; empty where none does."""
    kinds = [kind for kind in KINDS if kind in remedies.changes]
    if not kinds:
        return []
    gains = np.array([remedies.changes[kind].gain for kind in kinds])
    top, largest = gains.argmax(axis=0), gains.max(axis=0)
    near = (gains >= largest - TOLERANCE).sum(axis=0)  # of kinds that gain the same none is first
    alone = (largest > TOLERANCE) & (near == 1)
    return [kinds[at] if alone[number] else "" for number, at in enumerate(top.tolist())]
