"""The rank at which each document earns its credit, whatever the rule for ties."""

from __future__ import annotations

import numpy as np

from ndcg.kernel import Bools, Floats, Ints, groups, mean_rank, per_row, place_in_row
from ndcg.measures.lists import Lists


def seats_of(lists: Lists, credit: Floats) -> Ints:
    """The rank at which every ranked document is counted; 0 = not retrieved.

    Under ``best`` and ``worst`` documents are rearranged within their tie groups as
    `Lists.laid_out` does it, equal credits in the order of their ranks; under ``expected`` they
    stand as laid out, though each counts at all ranks of its group.
    """
    docs, ties = lists.ranked, lists.convention.ties
    if ties == "mean_rank":
        return np.where(docs.retrieved, mean_rank(docs.first, docs.size), 0)
    if ties not in ("best", "worst"):
        return docs.rank
    seat = docs.rank.copy()
    here = np.flatnonzero(docs.retrieved)
    order = np.lexsort((-credit[here] if ties == "best" else credit[here],
                        docs.first[here], docs.row[here]))  # fmt: skip
    at = here[order]
    group, head = groups(docs.row[at], docs.first[at])
    number = np.diff(head, append=len(at))
    # Members that are not judged have no credit: they stand between what is above 0 and below.
    others = (docs.size[at[head]] - number)[group]
    behind = credit[at] < 0 if ties == "best" else credit[at] > 0
    place = place_in_row(group)
    seat[at] = docs.first[at] + place - 1 + np.where(behind, others, 0)
    return seat


def over_group(lists: Lists, row: Ints, rank: Ints, term: Floats, credited: Bools) -> Floats:
    """What each rank adds, shared by the documents of its tie group that have credit.

    Parameters
    ----------
    row, rank, term : query, rank and what it adds, one element a rank.
    credited : (n_docs,) which ranked documents have credit.
    """
    docs = lists.ranked
    stride = int(max(docs.first.max(initial=0), rank.max(initial=0))) + 2
    key = docs.row * stride + docs.first
    starts, group = np.unique(key, return_inverse=True)
    at = np.searchsorted(starts, row * stride + rank, side="right") - 1
    total = per_row(at, len(starts), term)
    members = per_row(group, len(starts), credited)
    share = np.divide(total, members, out=np.zeros(len(starts)), where=members > 0)
    return np.where(credited & docs.retrieved, share[group], 0.0)
