"""A judging pool: what stands near the top of some run and was not judged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.align import OPEN_TIES
from ndcg.convention import Convention
from ndcg.evaluation.asked import settled_order
from ndcg.stores.given import Judged, Rankings


class Pooled(NamedTuple):
    """A document to be judged for a query."""

    query: str
    document: str
    systems: tuple[str, ...]  # in whose top it stands, in the order of the runs
    best_rank: int


def pool_of(
    judged: Judged, systems: Sequence[Rankings], convention: Convention, depth: int
) -> list[Pooled]:
    """The documents without judgment in the top `depth` of any run, for the judged queries.

    By query in byte order, then best rank, then document.
    """
    found: dict[tuple[str, str], list[tuple[int, str]]] = {}
    own = {query: {*judged.documents[at]} for at, query in enumerate(judged.queries)}
    for rankings in systems:
        for query, document, rank in top_of(rankings, judged.queries, convention, depth):
            if document not in own[query]:
                found.setdefault((query, document), []).append((rank, rankings.name))
    pooled = [
        Pooled(query, document, tuple(name for _, name in places), min(places)[0])
        for (query, document), places in found.items()
    ]
    return sorted(pooled, key=lambda one: (one.query, one.best_rank, one.document))


def top_of(
    rankings: Rankings, queries: Sequence[str], convention: Convention, depth: int
) -> Iterator[tuple[str, str, int]]:
    """Query, document and rank of the first documents of each query.

    The run is laid over itself: were all its documents judged, where would they stand?
    """
    answered = [query for query in queries if query in rankings.queries]
    milder = {"duplicates": "first"} if convention.duplicates == "error" else {}
    milder |= {"ties": "docid_asc"} if convention.ties in OPEN_TIES else {}
    order = settled_order(rankings, convention.but(milder), explicit_order=False)
    everything, aligned = rankings.over_itself(answered, order)
    documents = [document for own in everything.documents for document in own]
    here = np.flatnonzero(aligned.retrieved & (aligned.rank <= depth) & ~aligned.copy)
    for row, at, rank in zip(
        aligned.row[here].tolist(), aligned.listed[here].tolist(), aligned.rank[here].tolist(),
        strict=True,
    ):  # fmt: skip
        yield everything.queries[row], documents[at], rank
