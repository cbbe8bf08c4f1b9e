"""Judgments and runs as Python mappings: no copy, no interning, one pass a query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np

from ndcg.convention import Convention
from ndcg.errors import DataError, Problem
from ndcg.kernel import Floats, Ints
from ndcg.stores.given import Judged, Keys, Listing, Locate, Overlay, Rankings
from ndcg.stores.laying import Laying, sort_keys
from ndcg.stores.listed import tie_order
from ndcg.stores.values import NotNumbers, floats


class MappingRankings(Rankings):
    """A run as one `Listing` per query: dictionaries as they are, or columns of a small file."""

    def __init__(
        self,
        given: Mapping[str, Listing],
        name: str = "run",
        locate: Locate | None = None,
        rank_fault: Problem | None = None,
    ) -> None:
        self.given = given
        self.name = name
        self.locate = locate
        self.rank_fault = rank_fault  # why the ranks of the file cannot be used

    @property
    def queries(self) -> Collection[str]:
        """The ids of the queries that the run lists."""
        return self.given.keys()

    def has(self, column: str) -> bool:
        """Whether every query that lists a document has ``scores`` or ``ranks``."""
        return all(
            getattr(listing, column) is not None
            for listing in self.given.values()
            if listing.documents
        )

    def check_order(self, order_by: str) -> None:
        """Refuse an order that the run has no column for, or a broken one."""
        if order_by == "rank" and self.rank_fault is not None:
            raise DataError(self.rank_fault)
        super().check_order(order_by)

    def documents(self, query: str) -> Collection[str]:
        """The documents listed for a query."""
        return self.given[query].documents if query in self.given else ()

    def scores(self, query: str) -> Iterable[float]:
        """The scores listed for a query."""
        scores = self.given[query].scores if query in self.given else None
        return () if scores is None else scores

    def align(self, judged: Judged, convention: Convention) -> Overlay:
        """Lay the run over the judgments; see `Rankings.align`."""
        self.check_order(convention.order_by)
        overlay = _Overlaying(judged, self, convention)
        with np.errstate(over="ignore"):  # past the largest float32 all scores tie, as in C
            for number in range(len(judged.queries)):
                overlay.place(number)
        return overlay.finished()


class _Overlaying(Laying):
    """The pass over the queries: finds where each one's judged documents ended up."""

    def __init__(self, judged: Judged, rankings: MappingRankings, convention: Convention) -> None:
        super().__init__(judged, rankings.name, rankings.locate, convention)
        self.rankings, self.spare = rankings, rankings.spare

    def place(self, number: int) -> None:
        """Fill the rows of one query."""
        query = self.judged.queries[number]
        listing = self.rankings.given.get(query)
        if listing is None or not listing.documents:
            self.missing[number] = True
            return
        try:
            raw, lookup = _values(listing, self.convention.order_by)
        except NotNumbers:
            raw, lookup = None, {}
        if raw is None or not self._place(number, query, listing, raw, lookup):
            ordered_by_rank = self.convention.order_by == "rank"
            values = listing.ranks if ordered_by_rank else listing.scores
            self.note_scores(number, listing.documents, () if values is None else values)

    def _place(
        self, number: int, query: str, listing: Listing, raw: Floats, lookup: Mapping[str, float]
    ) -> bool:
        """Place the documents of a query; False if some score is not finite."""
        n = len(raw)
        itself = query in lookup
        self.self_matches += itself
        keys = sort_keys(raw, self.convention)
        rising = np.sort(keys)
        # NaN sorts last, so the ends tell about all.
        if not (-np.inf < rising[0] and rising[-1] < np.inf) and not np.isfinite(raw).all():
            return False
        if len(lookup) < n or (itself and self.convention.self_match == "drop"):
            self.place_listed(number, [*listing.documents], keys)
            return True
        documents, begin = self.judged.documents[number], self.begins[number]
        found, where = self._retrieved(number, documents, lookup)
        key = sort_keys(found, self.convention)
        right = rising.searchsorted(key, "right")
        size = right - rising.searchsorted(key)
        first = n + 1 - right
        columns = self.columns
        columns.first[where], columns.size[where] = first, size
        columns.returned[number] = columns.distinct[number] = n
        if len(size) and size.max() > 1:
            if isinstance(where, np.ndarray):
                documents = [documents[i - begin] for i in where.tolist()]
            columns.offset[where] = _offsets(
                [*lookup], keys, documents, first, size, self.convention.ties
            )
        return True

    def _retrieved(
        self, number: int, documents: Sequence[str], lookup: Mapping[str, float]
    ) -> tuple[Floats, Ints | slice]:
        """The values of judged documents, and which judgments they belong to.

        Where more is judged than listed, only the documents that are both.
        """
        begin = self.begins[number]
        if len(documents) <= len(lookup):
            # None (not retrieved) becomes NaN, which lies beyond all keys: a group of size 0.
            values = np.array([*map(lookup.get, documents)], np.float64)
            return values, slice(begin, begin + len(documents))
        place = self.judged.places(number)
        both = [document for document in lookup if document in place]
        which = np.array([*map(place.__getitem__, both)], np.int64) + begin
        return np.array([*map(lookup.__getitem__, both)], np.float64), which


def _values(listing: Listing, order_by: str) -> tuple[Floats, Mapping[str, float]]:
    """What orders each row, and the same by document."""
    documents = listing.documents
    n = len(documents)
    given: Iterable[float] | None = range(n)
    if order_by != "position":
        given = listing.scores if order_by == "score" else listing.ranks
    raw = floats(() if given is None else given, n)
    if order_by == "score" and isinstance(documents, Mapping):
        return raw, documents
    return raw, dict(zip(documents, raw.tolist(), strict=True))


def _offsets(
    names: Sequence[str], keys: Keys, documents: Sequence[str], first: Ints, size: Ints, ties: str
) -> Ints:
    """The place of each judged document within its tie group, from 0."""
    order = np.argsort(-keys, kind="stable").tolist()  # tied rows stay as listed
    tied = np.flatnonzero(size > 1)
    places: dict[int, Mapping[str, int]] = {}
    found = []
    spans = zip((first[tied] - 1).tolist(), size[tied].tolist(), strict=True)
    for i, (begin, extent) in zip(tied.tolist(), spans, strict=True):
        if begin not in places:
            members = [names[j] for j in order[begin : begin + extent]]
            places[begin] = dict(zip(tie_order(members, ties), range(extent), strict=True))
        found.append(places[begin][documents[i]])
    offset = np.zeros(len(size), np.int64)
    offset[tied] = found
    return offset
