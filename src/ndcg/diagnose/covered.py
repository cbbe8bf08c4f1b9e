"""How much of what a run shows was judged: by cutoff, by query, and by grade."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ndcg.axes import number_text
from ndcg.evaluation.coverage import coverage_at, judged_shares
from ndcg.evaluation.scoring import Scoring
from ndcg.measures.lists import Lists


class Depth(NamedTuple):
    """The coverage of the top k."""

    k: int | None  # None: of all that is listed
    judged: float | None  # mean share over the queries that list something
    by_grade: dict[str, float]  # the same, by grade; "unjudged" last
    per_query: dict[str, float | None]  # None: nothing is listed


class Coverage(NamedTuple):
    """The coverage of a run at every cutoff in use."""

    system: str
    depths: tuple[Depth, ...]

    def to_dict(self) -> dict[str, Any]:
        """The coverage as JSON carries it."""
        depths = [one._asdict() | {"k": "all" if one.k is None else one.k} for one in self.depths]
        return {"system": self.system, "depths": depths}


def coverage_of(scoring: Scoring) -> Coverage:
    """The coverage of a run at the cutoffs of its measures."""
    lists = scoring.lists()
    cutoffs = dict.fromkeys(one.k for one in scoring.measures)
    depths = [_depth(lists, scoring.judged.queries, k) for k in cutoffs]
    return Coverage(scoring.rankings.name, tuple(depths))


def _depth(lists: Lists, queries: list[str], k: int | None) -> Depth:
    share, answered = judged_shares(lists, k)
    per_query = {
        query: value if here else None
        for query, value, here in zip(queries, share.tolist(), answered.tolist(), strict=True)
    }
    return Depth(k, coverage_at(lists, k), _by_grade(lists, k), per_query)


def _by_grade(lists: Lists, k: int | None) -> dict[str, float]:
    docs = lists.listed
    limit = docs.returned if k is None else np.minimum(docs.returned, k)
    answered = int((limit > 0).sum())
    if not answered:
        return {}
    here = (docs.rank > 0) & (docs.rank <= limit[docs.row])
    grades, which = np.unique(docs.grade[here], return_inverse=True)
    part = np.bincount(which, 1 / (limit[docs.row[here]] * answered), len(grades))
    shares = dict(zip(map(number_text, grades.tolist()), part.tolist(), strict=True))
    return shares | {"unjudged": max(0.0, 1 - float(part.sum()))}
