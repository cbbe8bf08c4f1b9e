"""What a run's rank column tells beside its scores."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np

from ndcg.errors import Notice, count, listed, note
from ndcg.kernel import Floats
from ndcg.stores.given import Listing


def rank_notes(given: Mapping[str, Listing]) -> list[Notice]:
    """How the ranks start, and whether they contradict the scores; nothing without both."""
    both = [
        (query, np.asarray(one.ranks), np.asarray(one.scores))
        for query, one in given.items()
        if one.ranks is not None and one.scores is not None and len(one.documents)
    ]
    if not both:
        return []
    low = min(ranks.min() for _, ranks, _ in both)
    high = max(ranks.max() for _, ranks, _ in both)
    several = sum(len(ranks) for _, ranks, _ in both) > len(both)
    odd = [query for query, ranks, scores in both if _contradict(ranks, scores)]
    return notes_of(low, high, several, odd)


def notes_of(low: float, high: float, several: bool, odd: Collection[str]) -> list[Notice]:
    """The same for the lowest and highest rank, and the queries in which ranks contradict scores.

    `several` says whether some query has more than one row.
    """
    if low == high and several:
        return [note(f"the rank column is all {low:.0f}; scores decide the order")]
    found = [note("ranks start at 0; scores decide the order")] if low == 0 else []
    if odd:
        queries = count(len(odd), "query", "queries")
        what = f"rank order differs from score order in {queries} ({listed(odd)}); scores decide"
        found.append(note(what, "--order-by rank follows the rank column"))
    return found


def _contradict(ranks: Floats, scores: Floats) -> bool:
    """Whether somewhere the next row has both a larger rank and a larger score."""
    return bool((np.diff(ranks) * np.diff(scores) > 0).any())
