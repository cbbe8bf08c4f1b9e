"""Judgments and runs as Python mappings: no copy, no interning, one pass a query."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from ndcg.align import Aligned, cut_at_depth
from ndcg.convention import Convention
from ndcg.errors import SHOWN, Problem, Problems, axis_help, listed
from ndcg.kernel import Floats, Ints
from ndcg.stores.given import Judged, Keys, Listing, Locate, Overlay, Rankings
from ndcg.stores.listed import ranked_rows, tie_order
from ndcg.stores.values import NotNumbers, fault, floats


class MappingRankings(Rankings):
    """A run as one `Listing` per query: dictionaries as they are, or columns of a small file."""

    def __init__(
        self, given: Mapping[str, Listing], name: str = "run", locate: Locate | None = None
    ) -> None:
        self.given = given
        self.name = name
        self.locate = locate

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
        overlay.problems.raise_if_any()
        return Overlay(
            overlay.columns.aligned(convention),
            overlay.missing,
            overlay.duplicates,
            overlay.repeated,
            overlay.self_matches,
        )


@dataclass(slots=True)
class _Columns:
    """The columns of `Aligned` while they are filled, query after query."""

    judged: Judged
    first: Ints
    size: Ints
    offset: Ints  # rank within the tie group, from 0
    returned: Ints
    distinct: Ints
    copies: list[tuple[int, int, int, int, int]] = field(default_factory=list)

    @classmethod
    def blank(cls, judged: Judged) -> _Columns:
        """Every judged document is missed."""
        n_docs, n_queries = int(judged.start[-1]), len(judged.queries)
        first, size, offset = np.zeros((3, n_docs), np.int64)
        returned, distinct = np.zeros((2, n_queries), np.int64)
        return cls(judged, first, size, offset, returned, distinct)

    def aligned(self, convention: Convention) -> Aligned:
        """The finished alignment: ranks given, the run cut at `depth`, rows in order."""
        n_queries = len(self.returned)
        judgment = np.arange(len(self.first))
        row = np.repeat(np.arange(n_queries), np.diff(self.judged.start))
        size, offset = self.size, self.offset
        first = np.where(size > 0, self.first, 0)  # not retrieved: no rank
        if self.copies:
            query, which, begin, extent, within = np.array(self.copies, np.int64).T
            row, judgment = np.append(row, query), np.append(judgment, which)
            first, size = np.append(first, begin), np.append(size, extent)
            offset = np.append(offset, within)
        aligned = Aligned(
            row=row,
            grade=self.judged.grades[judgment],
            rank=first + offset,
            first=first,
            size=size,
            copy=np.arange(len(row)) >= len(self.first),
            given=np.ones(len(row), bool),
            returned=self.returned,
            distinct=self.distinct,
            cut=np.zeros(n_queries, bool),
        )
        return cut_at_depth(aligned, convention).sorted()


class _Overlaying:
    """The pass over the queries: finds where each one's judged documents ended up."""

    def __init__(self, judged: Judged, rankings: MappingRankings, convention: Convention) -> None:
        self.judged, self.rankings, self.convention = judged, rankings, convention
        self.columns = _Columns.blank(judged)
        self.begins = judged.start.tolist()
        self.missing = np.zeros(len(judged.queries), bool)
        self.problems = Problems()
        self.duplicates = 0
        self.repeated: tuple[str, str, int] | None = None
        self.self_matches = 0

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
            self._explain_scores(query, listing)

    def _place(
        self, number: int, query: str, listing: Listing, raw: Floats, lookup: Mapping[str, float]
    ) -> bool:
        """Place the documents of a query; False if some score is not finite."""
        n = len(raw)
        itself = query in lookup
        self.self_matches += itself
        keys = _keys(raw, self.convention)
        rising = np.sort(keys)
        # NaN sorts last, so the ends tell about all.
        if not (-np.inf < rising[0] and rising[-1] < np.inf) and not np.isfinite(raw).all():
            return False
        if len(lookup) < n or (itself and self.convention.self_match == "drop"):
            self._place_listed(number, query, [*listing.documents], keys)
            return True
        documents = self.judged.documents[number]
        # None (not retrieved) becomes NaN, which lies beyond all keys: a group of size 0.
        found = np.array([*map(lookup.get, documents)], np.float64)
        key = _keys(found, self.convention)
        right = rising.searchsorted(key, "right")
        size = right - rising.searchsorted(key)
        first = n + 1 - right
        columns, begin = self.columns, self.begins[number]
        part = slice(begin, begin + len(documents))
        columns.first[part] = first
        columns.size[part] = size
        columns.returned[number] = columns.distinct[number] = n
        if len(documents) and size.max() > 1:
            names = [*lookup]
            columns.offset[part] = _offsets(
                names, keys, documents, first, size, self.convention.ties
            )
        return True

    def _place_listed(self, number: int, query: str, names: list[str], keys: Keys) -> None:
        begin = self.begins[number]
        place = {name: begin + i for i, name in enumerate(self.judged.documents[number])}
        rows = ranked_rows(query, names, keys, place, self.convention)
        self.duplicates += rows.repeats
        if rows.repeats and self.repeated is None:
            document, times = Counter(names).most_common(1)[0]
            self.repeated = (query, document, times)
        if rows.repeats and self.convention.duplicates == "error":
            self._explain_duplicates(query, [names[i] for i in rows.kept])
            return
        columns, kept = self.columns, keys[rows.kept]
        columns.returned[number] = len(kept)
        columns.distinct[number] = len({names[i] for i in rows.kept})
        first = np.searchsorted(-kept, -kept)
        size = np.searchsorted(-kept, -kept, side="right") - first
        seen: set[str] = set()
        for at, i in enumerate(rows.kept):
            which = place.get(names[i])
            if which is None:
                continue
            spot = (int(first[at]) + 1, int(size[at]), at - int(first[at]))
            if names[i] in seen:
                columns.copies.append((number, which, *spot))
            else:
                columns.first[which], columns.size[which], columns.offset[which] = spot
            seen.add(names[i])

    def _explain_scores(self, query: str, listing: Listing) -> None:
        given = listing.ranks if self.convention.order_by == "rank" else listing.scores
        for document, value in zip(listing.documents, given or (), strict=True):
            what = fault(value)
            if what is not None:
                # Scores of files were checked with their lines when they were read.
                self.problems.add(
                    Problem(
                        "score",
                        f"score of document {document!r} for query {query!r}: {what}",
                        help="scores are finite numbers",
                    )
                )

    def _explain_duplicates(self, query: str, names: list[str]) -> None:
        for document, times in Counter(names).items():
            if times == 1:
                continue
            if self.problems.total >= SHOWN:
                self.problems.total += 1  # counted, not looked up in the file
                continue
            places = self.rankings.locate(query, document) if self.rankings.locate else ()
            lines = f" (lines {listed(at.line for at in places)})" if places else ""
            self.problems.add(
                Problem(
                    "duplicate",
                    f"run {self.rankings.name!r} lists document {document!r} {times} times "
                    f"for query {query!r}{lines}: a duplicate",
                    places[-1] if places else None,
                    "remove it, or say which counts: "
                    + axis_help("duplicates", "first", "last", "last_listed", "count"),
                )
            )


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


def _keys(raw: Floats, convention: Convention) -> Keys:
    """Values as sort keys, where larger is better, in the precision they are compared in."""
    if convention.order_by != "score":
        return -raw
    if convention.score_type == "float32":
        raw = raw.astype(np.float32)
    return -raw if convention.score_order == "ascending" else raw


def _offsets(
    names: Sequence[str], keys: Keys, documents: Sequence[str], first: Ints, size: Ints, ties: str
) -> Ints:
    """The place of each judged document within its tie group, from 0."""
    order = np.argsort(-keys, kind="stable")  # tied rows stay as listed
    offset = np.zeros(len(documents), np.int64)
    groups: dict[int, dict[str, int]] = {}
    for i in np.flatnonzero(size > 1).tolist():
        begin = int(first[i]) - 1
        if begin not in groups:
            members = [names[j] for j in order[begin : begin + int(size[i])].tolist()]
            groups[begin] = {name: at for at, name in enumerate(tie_order(members, ties))}
        offset[i] = groups[begin][documents[i]]
    return offset
