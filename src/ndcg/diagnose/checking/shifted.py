"""Queries that find what is relevant to other queries: rows that were joined by position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from ndcg.errors import counted
from ndcg.evaluation.scoring import Scoring
from ndcg.stores.given import Judged

_LOOKED_AT = 1000  # queries of the run, in its order
_SEVERAL = 2  # queries, below which nothing is shifted
_SHARE = 0.1  # of them, which is no chance where several documents speak for it


def misplaced(scoring: Scoring) -> str | None:
    """What is to be said of queries that answer others; None where there are too few of them."""
    relevant = _relevant(scoring.judged)
    asked = [query for query in islice(scoring.rankings.queries, _LOOKED_AT) if query in relevant]
    found = dict(_answers(scoring.rankings.documents_of(asked), relevant))
    sure = [query for query, (_, hits) in found.items() if hits > 1]
    if len(sure) >= max(2.0, _SHARE * len(asked)):
        names = sure
    else:
        # Where each document is relevant to some query, every miss is of another query: single
        # hits tell something where most of them are of a query so many places away.
        place = {query: at for at, query in enumerate(relevant)}
        away = Counter(place[other] - place[query] for query, (other, _) in found.items())
        shift, number = away.most_common(1)[0] if away else (0, 0)
        if 2 * number <= len(asked) or len(asked) < _SEVERAL:
            return None
        names = [
            query for query, (other, _) in found.items() if place[other] - place[query] == shift
        ]
    other, hits = found[names[0]]
    return (
        f"nothing relevant is listed for {counted(names, 'query', 'queries')}, but what is "
        f"relevant to another query: {names[0]!r} lists {hits} of {len(relevant[other])} of "
        f"{other!r}"
    )


def _answers(
    listed: Mapping[str, Collection[str]], relevant: Mapping[str, set[str]]
) -> Iterator[tuple[str, tuple[str, int]]]:
    """Queries that find nothing relevant to them but at least half of another, and how much."""
    owner = _owners(relevant)
    for query, documents in listed.items():
        if not relevant[query].isdisjoint(documents):
            continue
        found = Counter(owner[one] for one in {*documents} if owner.get(one) is not None)
        for other, hits in found.most_common(1):
            if other is not None and 2 * hits >= len(relevant[other]):
                yield query, (other, hits)


def _relevant(judged: Judged) -> dict[str, set[str]]:
    """The relevant documents of the queries that have some."""
    found: dict[str, set[str]] = {}
    for at, query in enumerate(judged.queries):
        grades = judged.grades[judged.start[at] : judged.start[at + 1]].tolist()
        pairs = zip(judged.documents[at], grades, strict=True)
        found[query] = {document for document, grade in pairs if grade > 0}
    return {query: documents for query, documents in found.items() if documents}


def _owners(relevant: Mapping[str, set[str]]) -> dict[str, str | None]:
    """The query that a document is relevant to, None where there are several."""
    found: dict[str, str | None] = {}
    for query, documents in relevant.items():
        for document in documents:
            found[document] = None if document in found else query
    return found
