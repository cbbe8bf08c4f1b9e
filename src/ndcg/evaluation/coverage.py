"""How much of what is shown was judged."""

from __future__ import annotations

import numpy as np

from ndcg.evaluation.policy import plain_mean
from ndcg.kernel import Bools, Floats, Ints, per_row
from ndcg.measures.lists import Lists


def coverage_at(lists: Lists, k: int | None) -> float | None:
    """Mean over the queries that retrieved something of the judged share of their top k."""
    share, answered = judged_shares(lists, k)
    return plain_mean(share[answered]) if answered.any() else None


def judged_shares(lists: Lists, k: int | None) -> tuple[Floats, Bools]:
    """The judged share of each query's top k, and which queries show anything.

    Divided by what is shown, so that a short list can be judged as a whole.
    """
    docs = lists.listed
    shown = docs.returned if k is None else np.minimum(docs.returned, k)
    judged = (docs.rank > 0) & (docs.rank <= shown[docs.row])
    share = per_row(docs.row, docs.n_queries, judged) / np.maximum(shown, 1)
    return share, shown > 0


def judged_possible(lists: Lists, judged: Ints, k: int) -> float:
    """The share that could be judged, were all judged documents on top."""
    shown = np.minimum(lists.listed.returned, k)
    answered = shown > 0
    if not answered.any():
        return 0.0
    return plain_mean(np.minimum(judged, shown)[answered] / shown[answered])
