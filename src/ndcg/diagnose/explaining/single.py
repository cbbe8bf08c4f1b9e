"""One query of one run explained, from the run laid over the judgments."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ndcg._version import VERSION
from ndcg.diagnose.explaining.found import Counts, Explanation, Remedy
from ndcg.diagnose.explaining.lines import COUNTED, MISSED, PAST, Line, lines_of
from ndcg.diagnose.explaining.parts import CUMULATED, Parts, parts_of
from ndcg.diagnose.explaining.ranking import Ranking, lists_of_query, ranking_of
from ndcg.diagnose.explaining.remedies import KINDS, Remedies, remedies_of, without_own
from ndcg.diagnose.explaining.words import sentences
from ndcg.evaluation.scoring import Scoring, Values
from ndcg.measures.cumulated import dcg_value, idcg_value
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure
from ndcg.statistics.sample import TOLERANCE

Texts = Mapping[str, str]


def explained(
    scoring: Scoring, measure: Measure, query: str, titles: Texts, text: str | None
) -> Explanation:
    """The explanation of a judged query."""
    number = scoring.judgments.settled(scoring.convention(measure).judgments).queries.index(query)
    values = scoring.values(measure)
    lists = lists_of_query(scoring, measure, number)
    with np.errstate(over="ignore", invalid="ignore"):  # an ideal that is not finite is none
        parts = parts_of(lists, measure)
        if not np.isfinite(parts.best(lists.ranked.row)[0]):
            parts = parts.without_ideal()
    ranking = ranking_of(scoring, lists, number, parts.seat)
    found = _assembled(scoring, measure, values, query, ranking, parts, titles)
    found = replace(found, text=text)
    return replace(found, told=tuple(sentences(found)))


def _assembled(
    scoring: Scoring,
    measure: Measure,
    values: Values,
    query: str,
    ranking: Ranking,
    parts: Parts,
    titles: Texts,
) -> Explanation:
    lists, lines = ranking.lists, lines_of(ranking, parts, titles)
    remedies = remedies_of(lists, measure, parts)
    if lists.convention.self_match == "drop" and query in ranking.grades:
        remedies = without_own(remedies)
    decided = scoring.decided(measure).get(query)
    value = float(values.value[values.queries.index(query)])
    total, ideal = _sums(lists, measure, parts, lines)
    best = float(parts.best(lists.ranked.row)[0])
    share = math.fsum(line.part for line in lines)
    computed = decided is None and not math.isnan(value)
    summed = computed or abs(value - share) <= TOLERANCE
    if not summed:
        best = math.nan  # a rule gave the value: nothing is lost against an ideal
    return Explanation(
        query=query,
        text=None,
        system=scoring.rankings.name,
        measure=str(measure),
        signature=values.convention.signature(str(measure), VERSION),
        convention=values.convention,
        k=measure.cutoff(lists.convention),
        value=None if math.isnan(value) else value,
        decided=decided,
        sum=total,
        ideal_sum=ideal,
        scale=float(parts.scale[0]) if np.isfinite(parts.scale[0]) else None,
        best=None if math.isnan(best) else best,
        lines=lines,
        left=tuple((one.document, one.axis) for one in ranking.left),
        dropped=_dropped(scoring, ranking, query),
        counts=_counts(scoring, ranking, parts, lines, query),
        summed=summed,
        help=tuple(_remedies(remedies, ranking, titles)) if summed else (),
        untold=remedies.untold if summed else {},
        out=_out(scoring, ranking, lines, query),
        rounding=value - share if computed and lists.convention.rounding != "none" else 0.0,
    )


def _sums(
    lists: Lists, measure: Measure, parts: Parts, lines: tuple[Line, ...]
) -> tuple[float, float]:
    """The sum and the one of the ideal, as the measures have them where they are measures."""
    if measure.name in CUMULATED:
        k, rel = measure.cutoff(lists.convention), measure.threshold
        ideal = float(idcg_value(lists, k, rel)[0]) if parts.has_ideal else math.nan
        return float(dcg_value(lists, k, rel)[0]), ideal
    return math.fsum(line.adds for line in lines), math.fsum(line.ideal_adds for line in lines)


def _counts(
    scoring: Scoring, ranking: Ranking, parts: Parts, lines: tuple[Line, ...], query: str
) -> Counts:
    docs = ranking.lists.ranked
    worth = (parts.credit > 0) & ~docs.copy & docs.given
    inside = (parts.seat > 0) & (parts.seat <= parts.limit[docs.row])
    lost = ~docs.retrieved & ~docs.copy
    idle = lost & (parts.credit == 0) & (parts.ideal == 0)
    ranked = [line for line in lines if line.status in (COUNTED, PAST)]
    return Counts(
        listed=len(scoring.rankings.documents(query)),
        ranked=len(ranked),
        unjudged=sum(not line.judged for line in ranked),
        judged=len(ranking.grades),
        retrieved=len({line.document for line in ranked if line.grade is not None}),
        worth=int(worth.sum()),
        found=int((worth & inside).sum()),
        past=int((worth & docs.retrieved & ~inside).sum()),
        missed=int((worth & lost).sum()),
        idle=int(idle.sum()),
    )


def _dropped(scoring: Scoring, ranking: Ranking, query: str) -> dict[str, int]:
    """Rows of the run that never became ranks, by the rules that left them out."""
    convention, documents = ranking.lists.convention, [*scoring.rankings.documents(query)]
    rows = len(documents)
    kept = sum(one.rank <= rows for one in ranking.placed) + len(ranking.left)
    if convention.appended != "none":
        kept = min(kept, rows)
    gone = max(rows - kept, 0)
    cut = 0 if convention.depth == "all" else max(rows - int(convention.depth), 0)
    cut = min(cut, gone)
    rules = []
    if len({*documents}) < rows and convention.duplicates != "count":
        rules.append(f"duplicates:{convention.duplicates}")
    if convention.self_match == "drop" and query in documents:
        rules.append("self_match:drop")
    found = {f"depth:{convention.depth}": cut, " and ".join(rules) or "rules": gone - cut}
    return {rule: number for rule, number in found.items() if number}


def _out(scoring: Scoring, ranking: Ranking, lines: tuple[Line, ...], query: str) -> dict[str, str]:
    """The missed documents that the run lists all the same, and the rule that left each out."""
    convention, listed = ranking.lists.convention, {*scoring.rankings.documents(query)}
    left = {one.document: f"{one.axis}:{getattr(convention, one.axis)}" for one in ranking.left}
    found = {}
    for line in lines:
        if line.status == MISSED and line.document in listed:
            own = convention.self_match == "drop" and line.document == query
            rule = "self_match:drop" if own else f"depth:{convention.depth}"
            found[line.document] = left.get(line.document, rule)
    return found


def _remedies(remedies: Remedies, ranking: Ranking, titles: Texts) -> list[Remedy]:
    """The best change of each kind by name."""
    at = {one.rank: one.document for one in ranking.placed}
    found = []
    for kind in KINDS:
        if kind not in remedies.changes:
            continue
        one = remedies.changes[kind]
        moved, to, row = (int(column[0]) for column in (one.moved, one.to, one.row))
        gain = float(one.gain[0])
        if gain <= 0:
            continue
        document = at[moved] if moved else ranking.names[row]
        other = at[to] if kind == "swap" else None
        found.append(Remedy(kind, document, titles.get(document), moved or None, to, other, gain))
    return found
