"""Ids that should match and do not: nothing is retrieved, or some ids are only nearly the same."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from ndcg.errors import Notice, count, listed, warn
from ndcg.evaluation.results import Accounts
from ndcg.evaluation.scoring import Scoring
from ndcg.ids import nearest

_COMPARED = 1000  # ids that are compared with all judged ones
_LOOKED_AT = 3  # queries whose documents are compared
_EARLY = 100  # queries of the run among which they are


def of_queries(accounts: Accounts) -> list[Notice]:
    """Judged queries that are missing beside run queries that nearly are them."""
    near = nearest(accounts.missing, accounts.extra, likely=True)
    if near is None:
        return []
    missing = count(len(accounts.missing), "missing query", "missing queries")
    what = f"{near.matches} of {missing} would match run queries without judgments: {near}"
    return [warn(what, near.how, "R11")]


def of_documents(scoring: Scoring) -> list[Notice]:
    """No judged document is retrieved at all, or some would be but for a small difference."""
    judged, rankings = scoring.judged, scoring.rankings
    if scoring.overlay().aligned.retrieved.any():
        return _nearly_retrieved(scoring)
    common = [(i, q) for i, q in enumerate(judged.queries) if q in rankings.queries]
    ours = {document for i, _ in common for document in judged.documents[i]}
    if not ours:
        return []  # nothing was judged there; the note on empty queries says so
    theirs = rankings.sample(query for _, query in common)
    what = f"0 judged documents are retrieved in {count(len(common), 'query', 'queries')}"
    if ours & theirs:
        queries = count(len(common), "query", "queries")
        what = f"0 of {queries} list a judged document; judged documents appear under other queries"
        how = "rows may have been joined by position: join judgments and run by the query's id"
        return [warn(what, how, "R13")]
    near = nearest(ours, theirs)
    if near is None:
        shown = f"judged are {listed(sorted(ours), 2)}; retrieved are {listed(sorted(theirs), 2)}"
        how = "judgments and run may be of different collections, or one side has other ids"
        return [warn(f"{what}: {shown}", how, "R12")]
    would = f"{near.matches} of {len(ours)} judged ids would match"
    begun = sum(any(one.startswith(short) for one in ours) for short in sorted(theirs)[:_COMPARED])
    if begun and len(theirs) <= _COMPARED:
        would += f"; {begun} of {len(theirs)} retrieved ids are prefixes of judged ones"
    return [warn(f"{what}: {near} ({would})", near.how, "R12")]


def _nearly_retrieved(scoring: Scoring) -> list[Notice]:
    for query, missed, unjudged in _apart(scoring):
        near = nearest(missed, unjudged, likely=True)
        if near is not None:
            documents = count(len(missed), "judged document")
            what = (
                f"{near.matches} of {documents} of query {query!r} that are not retrieved would "
                f"match listed ones without judgments: {near}"
            )
            return [warn(what, near.how, "R12")]
    return []


def _apart(scoring: Scoring) -> Iterator[tuple[str, set[str], set[str]]]:
    """Queries with judged documents that are not listed, and listed ones that are not judged.

    In the order of the run, of which a stream then reads the beginning only.
    """
    rankings, overlay = scoring.rankings, scoring.overlay()
    aligned = overlay.aligned
    lacking = {*aligned.row[aligned.rank == 0].tolist()}
    number = {scoring.judged.queries[at]: at for at in lacking if not overlay.missing[at]}
    early = [query for query in islice(rankings.queries, _EARLY) if query in number]
    for query, shown in rankings.documents_of(early[:_LOOKED_AT]).items():
        ours, theirs = {*scoring.judged.documents[number[query]]}, {*shown}
        yield query, ours - theirs, theirs - ours
