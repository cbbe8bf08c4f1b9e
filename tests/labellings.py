"""Random rankings with unjudged documents, and every labelling of them, by literal definitions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import log2
from random import Random
from typing import NamedTuple

import numpy as np

from ndcg.align import Aligned
from ndcg.axes import gain_table
from ndcg.convention import Convention
from ndcg.kernel import Floats
from ndcg.measures.lists import Lists

SCALES: list[list[float]] = [
    [0, 1],
    [0, 0, 0, 1],
    [0, 1, 2, 3],
    [0, 1, 2, 3, 4, 5, 6],  # above the highest label
    [0, 3, 7],
    [0, 0.3, 0.7, 1.5, 2.5],
    [0.1, 0.2, 5.5],
]
DISCOUNTS = ["log2", "jarvelin:2", "jarvelin:3", "reciprocal"]


class Query(NamedTuple):
    """A query that returned so many documents; its judged ones have a grade and a rank (0: no)."""

    grades: tuple[float, ...]
    ranks: tuple[int, ...]
    returned: int

    def free(self, depth: int | None) -> list[int]:
        """The ranks of unjudged documents, among the first ones."""
        shown = self.returned if depth is None else min(depth, self.returned)
        return [rank for rank in range(1, shown + 1) if rank not in self.ranks]


def random_query(chance: Random, most: int, scale: Sequence[float], depth: int = 10) -> Query:
    """A query with so many unjudged documents at most; some judged ones are missed, or deep."""
    returned = chance.choice([0, *(chance.randint(1, depth + 6) for _ in range(12))])
    free = chance.sample(range(1, returned + 1), min(returned, chance.randint(0, most)))
    ranks = [rank for rank in range(1, returned + 1) if rank not in free]
    ranks = [0] * chance.randint(0, 6) + ranks
    return Query(tuple(chance.choice(scale) for _ in ranks), tuple(ranks), returned)


def table_for(chance: Random, scale: Sequence[float], highest: int) -> dict[float, float]:
    """A gain for every grade of a scale and every label, that does not fall."""
    grades = sorted({*scale, *range(highest + 1)})
    return dict(
        zip(grades, sorted(chance.choices([0, 0.5, 1, 3, 9.5], k=len(grades))), strict=True)
    )


def lists_of(queries: Sequence[Query], convention: Convention) -> Lists:
    """The queries as a measure reads them."""
    row = np.repeat(np.arange(len(queries)), [len(query.ranks) for query in queries])
    rank = np.array([rank for query in queries for rank in query.ranks], np.int64)
    returned = np.array([query.returned for query in queries])
    aligned = Aligned(
        row=row,
        grade=np.array([grade for query in queries for grade in query.grades], np.float64),
        rank=rank,
        first=rank,
        size=(rank > 0).astype(np.int64),
        copy=np.zeros(len(row), bool),
        given=np.ones(len(row), bool),
        listed=np.arange(len(row)),
        returned=returned,
        distinct=returned,
        cut=np.zeros(len(queries), bool),
    )
    return Lists(aligned, convention)


def every_labelling(highest: int, documents: int) -> Floats:
    """All labels from 0 to the highest for so many documents: (n_labellings, n_documents)."""
    labels = [*product(range(highest + 1), repeat=documents)]
    return np.array(labels, np.float64).reshape(len(labels), documents)


def gain(grade: float, how: str) -> float:
    """What a grade is worth."""
    table = gain_table(how)
    if table is not None:
        return table[grade]
    worth = {"exp2": 2**grade - 1, "linear": grade, "binary": float(grade > 0), "judged": 1.0}
    return {**worth, "exp2_plus": 2 ** (grade + 1) - 1}[how]


def discount(rank: int, how: str) -> float:
    """What a gain at a rank is divided by."""
    if how == "log2":
        return log2(rank + 1)
    if how == "reciprocal":
        return float(rank)
    base = int(how.partition(":")[2])
    return 1.0 if rank < base else log2(rank) / log2(base)


def dcgs(gains: Floats, ranks: Sequence[int], how: str, k: int | None) -> Floats:
    """DCG of several rankings (rows) whose documents stand at the same ranks."""
    total = np.zeros(len(gains))
    for column, rank in enumerate(ranks):
        if rank and (k is None or rank <= k):
            total += gains[:, column] / discount(rank, how)
    return total


def ndcgs(query: Query, free: list[int], labels: Floats, k: int | None, c: Convention) -> Floats:
    """NDCG of a query under every labelling of the documents at some ranks."""
    judged = np.array([[gain(grade, c.gain) for grade in query.grades]]).repeat(len(labels), 0)
    worth = {label: gain(label, c.gain) for label in np.unique(labels).tolist()}
    labelled = np.vectorize(worth.get, otypes=[float])(labels) if labels.size else labels
    gains = np.concatenate([judged.reshape(len(labels), -1), labelled], axis=1)
    best = -np.sort(-gains, axis=1)
    depth = {"all": None, "cutoff": k, "returned": min(k or 10**9, query.returned)}[c.ideal_depth]
    ideal = dcgs(best, range(1, best.shape[1] + 1), c.discount, depth)
    actual = dcgs(gains, [*query.ranks, *free], c.discount, k)
    return np.divide(actual, ideal, out=np.zeros(len(labels)), where=ideal > 0)


def ndcg_ends(
    query: Query, k: int | None, depth: int | None, highest: int, c: Convention
) -> Floats:
    """The smallest and the largest nDCG of all labellings; NaN without a gain to be had."""
    free = query.free(depth)
    if not any(gain(grade, c.gain) > 0 for grade in query.grades):
        return np.full(2, np.nan)
    values = ndcgs(query, free, every_labelling(highest, len(free)), k, c)
    return np.array([values.min(), values.max()])
