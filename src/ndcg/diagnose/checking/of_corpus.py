"""Rules about the collection: documents that are judged or retrieved, and are not in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ndcg.diagnose.checking.finding import Finding
from ndcg.diagnose.checking.inputs import Read
from ndcg.errors import Place, count, listed
from ndcg.formats.known_ids import known_ids
from ndcg.stores.given import Judged


def findings(
    corpus: str, judged: Judged, path: str | None, runs: Sequence[Read]
) -> Iterator[Finding]:
    """What the rules find.

    Raises
    ------
    DataError
        When the collection cannot be read.
    """
    known, unread = known_ids(corpus)
    also = f" ({count(unread, 'line')} of it without a readable id)" if unread else ""
    shown = f"; its ids are {listed(sorted(known)[:1000], 2)}"
    ids = {document for documents in judged.documents for document in documents}
    if absent := ids - known:
        what = f"{_share(absent, ids, 'judged document')} not in corpus {corpus}: {_some(absent)}"
        how = "they stay in the ideal and can never be found: leave them out of the judgments"
        also_known = shown if absent == ids else ""
        yield Finding("Q17", what + also + also_known, None if path is None else Place(path), how)
    for run in runs:
        listed_there = run.rankings.documents_of([*run.rankings.queries]).values()
        ids = {document for documents in listed_there for document in documents}
        if absent := ids - known:
            number = _share(absent, ids, "retrieved document")
            what = f"{number} not in corpus {corpus}: {_some(absent)}"
            how = "the run may be of another collection, or another version of it"
            place = None if run.path is None else Place(run.path)
            also_known = shown if absent == ids else ""
            yield Finding("R24", what + also + also_known, place, how, run.rankings.name)


def _share(absent: set[str], ids: set[str], noun: str) -> str:
    return f"{len(absent):,} of {count(len(ids), noun)}"


def _some(absent: set[str]) -> str:
    return listed(sorted(absent))
