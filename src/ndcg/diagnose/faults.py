"""What else could be behind a number that no convention gives: another measure, other data.

Every fault is tried, not guessed at: the data are changed as the fault would change them, or the
values of queries are averaged as it would average them, and the number must come out.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ndcg.diagnose.evidence import Evidence
from ndcg.diagnose.scorer import Scored, Scorer
from ndcg.errors import NdcgError, count
from ndcg.ids import changes
from ndcg.measures.records import MEASURES
from ndcg.measures.registry import Measure
from ndcg.presets import PRESETS
from ndcg.stores.given import Judgments, Listing, Rankings
from ndcg.stores.mapping import MappingRankings

_CUTOFFS = (None, 1, 3, 5, 10, 20, 50, 100)
# Factors between a sum of gains and an ideal that are on different scales.
_SCALES = {
    1 / 3: "a third", 1 / 2: "half", 2.0: "twice", 3.0: "three times",
    math.log(2): "ln 2 times (one logarithm natural, the other of base 2)",
    1 / math.log(2): "1 / ln 2 times (one logarithm natural, the other of base 2)",
}  # fmt: skip
_MOST = 8  # faults that are named


class Fault(NamedTuple):
    """What would explain the number, and under which preset."""

    kind: str  # measure, cutoff, queries, ids, twice, judgments, scale
    preset: str
    what: str
    value: float


class Case(NamedTuple):
    """What the faults are tried on."""

    judgments: Judgments
    rankings: Rankings
    measure: Measure
    scorer: Scorer
    on: Callable[[Judgments, Rankings], Scorer]  # other data
    of: Callable[[Measure], Scorer]  # another measure

    def scores(self, scorer: Scorer, duplicates: str = "") -> Iterator[tuple[str, Scored]]:
        """The presets that give different values, each with what it gives.

        `duplicates` picks those that treat repeated documents so.
        """
        seen: set[tuple[float, int]] = set()
        for name, one in PRESETS.items():
            if one.measure not in ("nDCG", scorer.measure.name):
                continue
            if duplicates and one.convention.duplicates != duplicates:
                continue
            found = scorer.scored(one.convention)
            if isinstance(found, Scored) and found.mean is not None:
                key = round(found.mean, 10), found.n
                if key not in seen:
                    seen.add(key)
                    yield name, found


def faults(case: Case, evidence: Sequence[Evidence]) -> list[Fault]:
    """The faults that give the number, the likeliest kinds first; none for several numbers."""
    if len(evidence) != 1:
        return []
    (wanted,) = evidence
    found: list[Fault] = []
    held = isinstance(case.rankings, MappingRankings)  # else each look reads a whole file again
    of_files = (_ids, _repeats, _twice) if held else ()
    for kind in (_measures, *of_files, _query_sets, _scales):
        found += [one for one in kind(case, wanted) if wanted.fits(one.value)]
        if len(found) >= _MOST:
            break
    return found[:_MOST]


def _asked(scored: Scored, wanted: Evidence) -> float:
    """The mean, or the value of the query asked about."""
    if wanted.query is not None:
        return scored.per_query.get(wanted.query, math.nan)
    return math.nan if scored.mean is None else scored.mean


def _measures(case: Case, wanted: Evidence) -> Iterator[Fault]:
    """The number is of another cutoff, or of another measure."""
    own = case.measure
    others = [Measure(own.name, k, own.rel, own.axes) for k in _CUTOFFS if k != own.k]
    others += [
        Measure(name, k)
        for k in dict.fromkeys([None, own.k, 5, 10])
        for name, record in MEASURES.items()
        if name != own.name and (k is None or record.cutoff) and record.over_queries == "mean"
    ]
    for other in others:
        scorer = case.of(other)
        for name, scored in case.scores(scorer):
            kind = "cutoff" if other.name == own.name else "measure"
            yield Fault(kind, name, f"it is {other}, not {own}", _asked(scored, wanted))


def _ids(case: Case, wanted: Evidence) -> Iterator[Fault]:
    """Ids that nearly match are the same in the other tool."""
    for why, change in changes():
        judgments, rankings, changed = _renamed(case, change)
        if changed <= 0:  # ids that meet may also become one
            continue
        try:
            scorer = case.on(judgments, rankings)
        except NdcgError:  # no query is common to both any more
            continue
        for name, scored in case.scores(scorer):
            what = f"ids that differ by {why} are the same there ({count(changed, 'id')})"
            yield Fault("ids", name, what, _asked(scored, wanted))


def _renamed(case: Case, change: Callable[[str], str]) -> tuple[Judgments, Rankings, int]:
    """Both sides with their ids changed, and how many ids meet for the first time."""
    given = _lists(case.judgments)
    listed = _listings(case.rankings)
    met = {*given} & {*listed}
    renamed = {change(q): [(change(d), g) for d, g in pairs] for q, pairs in given.items()}
    ranked = {
        change(q): Listing([change(d) for d in one.documents], one.scores, one.ranks)
        for q, one in listed.items()
    }
    new = len({*renamed} & {*ranked}) - len(met)
    for query in met:
        judged = {document for document, _ in given[query]}
        before = len(judged & {*listed[query].documents})
        new += len({change(d) for d in judged} & {*ranked[change(query)].documents}) - before
    return Judgments(renamed), MappingRankings(ranked, case.rankings.name), new


def _repeats(case: Case, wanted: Evidence) -> Iterator[Fault]:
    """Repeated judgments count as documents of their own."""
    given = _lists(case.judgments)
    if all(len({d for d, _ in pairs}) == len(pairs) for pairs in given.values()):
        return
    own: dict[str, list[tuple[str, float]]] = {}
    for query, pairs in given.items():
        times: Counter[str] = Counter()
        own[query] = []
        for document, grade in pairs:
            own[query].append((_further(document, times[document]), grade))
            times[document] += 1
    scorer = case.on(Judgments(own), case.rankings)
    for name, scored in case.scores(scorer):
        yield Fault("judgments", name, "repeated judgments enlarge the ideal",
                    _asked(scored, wanted))  # fmt: skip


def _twice(case: Case, wanted: Evidence) -> Iterator[Fault]:
    """One of the files was read twice."""
    given, listed = _lists(case.judgments), _listings(case.rankings)
    judged = {
        query: [*pairs, *((_further(document, 1), grade) for document, grade in pairs)]
        for query, pairs in given.items()
    }
    runs = {
        query: Listing([*one.documents] * 2, None if one.scores is None else [*one.scores] * 2)
        for query, one in listed.items()
    }
    what = "the judgments were read twice, so that the ideal holds everything twice"
    for name, scored in case.scores(case.on(Judgments(judged), case.rankings)):
        yield Fault("twice", name, what, _asked(scored, wanted))
    what = "the run was read twice, so that every document is credited twice"
    doubled = case.on(case.judgments, MappingRankings(runs, case.rankings.name))
    for name, scored in case.scores(doubled, duplicates="count"):
        yield Fault("twice", name, what, _asked(scored, wanted))


def _query_sets(case: Case, wanted: Evidence) -> Iterator[Fault]:
    """The values were added up and divided by another number of queries, or one is left out."""
    if wanted.query is not None:
        return
    judged, answered = len(case.judgments.given), len(case.rankings.queries)
    numbers = {
        judged: "all judged queries",
        answered: "all queries of the run",
        len({*case.judgments.given} | {*case.rankings.queries}): "all queries of both files",
    }
    for name, scored in case.scores(case.scorer):
        total = math.fsum(value for value in scored.per_query.values() if not math.isnan(value))
        for number, whose in numbers.items():
            if number != scored.n:
                what = f"the sum over {scored.n} queries was divided by {number}: {whose}"
                yield Fault("queries", name, what, total / number)
        yield from _left_out(name, scored, total, wanted)


def _left_out(name: str, scored: Scored, total: float, wanted: Evidence) -> Iterator[Fault]:
    """One query is not in the mean; only where few could be meant."""
    if scored.n < 2:
        return
    means = {
        query: (total - value) / (scored.n - 1)
        for query, value in scored.per_query.items()
        if not math.isnan(value)
    }
    fitting = [query for query, mean in means.items() if wanted.fits(mean)]
    if len(fitting) == 1:
        yield Fault("queries", name, f"query {fitting[0]!r} is left out", means[fitting[0]])


def _scales(case: Case, wanted: Evidence) -> Iterator[Fault]:
    """Gains of the run and of the ideal are on different scales."""
    for name, scored in case.scores(case.scorer):
        for factor, words in _SCALES.items():
            what = f"it is {words} the value: the run's gains and the ideal's differ in scale"
            yield Fault("scale", name, what, factor * _asked(scored, wanted))


def _further(document: str, times: int) -> str:
    """An id for a further occurrence that no document has."""
    return document if not times else f"{document}\0{times}"


def _lists(judgments: Judgments) -> dict[str, list[tuple[str, float]]]:
    return {
        query: [*pairs.items()] if isinstance(pairs, Mapping) else [*pairs]
        for query, pairs in judgments.given.items()
    }


def _listings(rankings: Rankings) -> dict[str, Listing]:
    """The run as lists that can be gone through again."""
    given = rankings.given if isinstance(rankings, MappingRankings) else {}
    return {
        query: Listing([*one.documents], None if one.scores is None else [*one.scores], one.ranks)
        for query, one in given.items()
    }
