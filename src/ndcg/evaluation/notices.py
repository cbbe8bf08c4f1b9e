"""What a careful reader of a system's numbers should know, each with what settles it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ndcg.align import taken_grades
from ndcg.axes import number_text
from ndcg.errors import Notice, axis_help, count, listed, note, warn
from ndcg.evaluation import strangers
from ndcg.evaluation.results import Accounts, SystemResult
from ndcg.evaluation.scoring import Scoring
from ndcg.evaluation.suspect_grades import of_grades
from ndcg.evaluation.suspect_order import of_order

_QUERY = ("query", "queries")
_SELF = ("document with the same id as its query", "documents with the same ids as their queries")
_DOMINATES = 0.5  # share of the weights above which one query is named


def all_notices(results: Mapping[Scoring, SystemResult]) -> list[Notice]:
    """The notices about every system; what holds for all of them is said once."""
    found = [notices_of(scoring, result) for scoring, result in results.items()]
    shared = [one for one in found[0] if all(one in other for other in found)]
    notices = list(shared)
    for scoring, own in zip(results, found, strict=True):
        who = f"{scoring.rankings.name}: "
        notices += [one._replace(what=who + one.what) for one in own if one not in shared]
    return notices


def notices_of(scoring: Scoring, result: SystemResult) -> list[Notice]:
    """The notices about one system."""
    return [
        *strangers.of_documents(scoring),
        *strangers.of_queries(result.accounts),
        *of_grades(scoring),
        *_queries(scoring, result),
        *_empty(scoring, result),
        *_rows(scoring, result.accounts),
        *of_order(scoring),
        *_weights(scoring),
    ]


def _queries(scoring: Scoring, result: SystemResult) -> list[Notice]:
    """Queries that only one side knows."""
    accounts, base = result.accounts, scoring.leading
    found = [_missing(scoring, result)] if accounts.missing else []
    if accounts.extra:
        fate = "left out" if base.extra == "ignore" else "counted 0"
        other = "zero counts them 0" if base.extra == "ignore" else "ignore leaves them out"
        found.append(
            note(
                f"{count(len(accounts.extra), 'run query', 'run queries')} with no judgments, "
                f"{fate}: {listed(accounts.extra)}",
                f"--extra {other}",
                "R04",
            )
        )
    return found


def _missing(scoring: Scoring, result: SystemResult) -> Notice:
    """Judged queries that the run does not answer, and what became of them."""
    missing, judged = result.accounts.missing, result.accounts.judged_queries
    rule = scoring.leading.missing
    counted = rule == "zero"
    bare = [query for query in missing if query in scoring.rankings.queries]
    if bare and scoring.leading.listed_empty != "missing":
        return _listed_empty(scoring, missing, bare)
    also = f" ({listed(bare)}: listed with no documents, 0 results)" if bare else ""
    gone = _excluded(scoring, result) if counted else set()
    left = [query for query in missing if query in gone]
    here = f"{len(missing)} of {judged:,} judged queries missing from run"
    if len(left) == len(missing):
        return note(f"{here}, excluded with nothing relevant: {listed(missing)}{also}", rule="R05")
    if left:
        also = f" and {len(left)} excluded with nothing relevant: {listed(left)}{also}"
    fate = _FATES[rule]
    rest = [query for query in missing if query not in gone]
    other = "exclude leaves them out" if counted else "zero counts them 0"
    return note(f"{here}, {fate}: {listed(rest)}{also}", f"--missing {other}", "R05")


_FATES = {
    "zero": "counted 0",
    "one": "counted 1",
    "exclude": "left out of the mean",
    "nan": "undefined, and so is the mean",
    "error": "left out before they could be refused",  # by another rule: else it was an error
}


def _listed_empty(scoring: Scoring, missing: Sequence[str], bare: Sequence[str]) -> Notice:
    """Queries that the run lists without a document, where they have a rule of their own."""
    rest = [query for query in missing if query not in bare]
    fate = _FATES[scoring.leading.missing]
    also = f"; {count(len(rest), *_QUERY)} missing from run, {fate}: {listed(rest)}" if rest else ""
    own = _FATES[scoring.leading.listed_empty]
    return note(
        f"{count(len(bare), *_QUERY)} listed with no documents in run, {own}: {listed(bare)}{also}",
        "--axis listed_empty=missing treats them alike",
        "R05",
    )


def _excluded(scoring: Scoring, result: SystemResult) -> set[str]:
    """The queries that are in no mean, since they have nothing relevant."""
    sets = [
        {*result.measures[str(one)].empty} if scoring.convention(one).empty == "exclude" else set()
        for one in scoring.measures
    ]
    return set.intersection(*sets)


def _empty(scoring: Scoring, result: SystemResult) -> list[Notice]:
    """Judged queries that leave some measures nothing to find."""
    alike: dict[tuple[tuple[str, ...], str, bool], dict[str, str]] = {}  # to measures and why
    judged = scoring.judged
    unjudged = [judged.queries[i] for i in np.flatnonzero(np.diff(judged.start) == 0).tolist()]
    for measure in scoring.measures:
        graded, convention = measure.record.graded, scoring.convention(measure)
        empty = result.measures[str(measure)].empty
        if convention.no_judgments != "empty":
            empty = tuple(query for query in empty if query not in unjudged)
        if empty:
            of_ideal = graded and convention.empty_from == "ideal"
            why = (
                "positive gain" if graded else f"grade of {number_text(measure.threshold)} or more"
            )
            if of_ideal:
                why += f" among the documents of ideal:{convention.ideal}"
            alike.setdefault((empty, convention.empty, of_ideal), {})[str(measure)] = why
    found = _unjudged(scoring, unjudged)
    for (empty, rule, of_ideal), names in alike.items():
        fate = "excluded" if rule == "exclude" else _FATES[rule]
        other = "zero counts them 0" if rule == "exclude" else "exclude leaves them out"
        none = [query for query in empty if query in unjudged]
        also = f" ({listed(none)}: no judgments)" if none else ""
        why = " and no ".join(dict.fromkeys(names.values()))
        why = f"with no {why}" if of_ideal else f"with nothing relevant (no {why})"
        found.append(
            note(
                f"{count(len(empty), *_QUERY)} {why} {fate} "
                f"in {', '.join(names)}: {listed(empty)}{also}",
                f"--empty {other}",
                "Q02",
            )
        )
    return found


def _unjudged(scoring: Scoring, queries: Sequence[str]) -> list[Notice]:
    """Queries that are judged with no document, where they have a rule of their own."""
    rule = scoring.leading.no_judgments
    if rule == "empty" or not queries:
        return []
    what = f"{count(len(queries), *_QUERY)} judged with no documents, {_FATES[rule]}"
    how = "--axis no_judgments=empty takes them for empty"
    return [note(f"{what}: {listed(queries)}", how, "Q16")]


def _low_grades(scoring: Scoring) -> list[Notice]:
    """Judgments whose grade is too low to count as one."""
    least = scoring.leading.min_grade
    if least == "none":
        return []
    low = int((taken_grades(scoring.judged.grades, scoring.leading.grades) < float(least)).sum())
    what = f"{count(low, 'judgment')} below {least} taken for unjudged (min_grade:{least})"
    return [note(what, "--axis min_grade=none takes them", "Q22")] if low else []


def _rows(scoring: Scoring, accounts: Accounts) -> list[Notice]:
    """Rows that were collapsed, dropped, clamped or counted twice."""
    base = scoring.leading
    found = []
    if accounts.duplicates:
        found.append(
            note(
                f"{count(accounts.duplicates, 'repeated document')} in the run "
                f"settled by duplicates:{base.duplicates}{_first_repeated(scoring)}",
                "--duplicates error refuses them",
                "R01",
            )
        )
    if accounts.repeated_judgments:
        found.append(
            note(
                f"{count(accounts.repeated_judgments, 'repeated judgment')} "
                f"settled by judgments:{base.judgments}{_differing(scoring)}",
                rule="Q03" if scoring.judged.differing else "Q06",
            )
        )
    found += _cut_grades(scoring)
    found += _low_grades(scoring)
    if accounts.negative_grades:
        found.append(
            note(
                f"{count(accounts.negative_grades, 'negative grade')} "
                f"settled by negative:{base.negative}",
                _others("negative", base.negative, ["clamp", "unjudged", "remove", "keep"]),
                "Q01",
            )
        )
    if accounts.self_matches:
        dropped = base.self_match == "drop"
        found.append(
            note(
                f"{count(accounts.self_matches, *_SELF)} "
                + ("dropped from the ranking" if dropped else "kept in the ranking")
                + _judged_self_matches(scoring),
                "--self-match keep keeps them"
                if dropped
                else "if they are the queries themselves, --self-match drop takes them out",
                "R14",
            )
        )
    return found


def _cut_grades(scoring: Scoring) -> list[Notice]:
    """Fractional grades that some measure takes as whole ones."""
    truncating = [one for one in scoring.measures
                  if scoring.convention(one).grades == "truncate"]  # fmt: skip
    if not truncating or scoring.judged.extent is None:
        return []
    grades = scoring.judged.grades
    cut = int((grades != taken_grades(grades, "truncate")).sum())
    if not cut:
        return []
    where = "" if len(truncating) == len(scoring.measures) else (
        f" in {', '.join(map(str, truncating))}")  # fmt: skip
    what = f"{count(cut, 'fractional grade')} cut to whole numbers by grades:truncate{where}"
    return [note(what, "--axis grades=any takes them as they are", "Q04")]


def _others(axis: str, now: str, values: list[str]) -> str:
    return axis_help(axis, *[value for value in values if value != now])


def _differing(scoring: Scoring) -> str:
    """How many documents are judged differently, and the grades of the first."""
    found = scoring.judged.differing
    if not found:
        return ""
    query, document, grades = found[0]
    number = count(len(found), "document is", "documents are")
    ratings = ", ".join(map(number_text, grades))
    return f"; {number} judged differently (query {query}: {document}, ratings {ratings})"


def _first_repeated(scoring: Scoring) -> str:
    first = scoring.overlay().repeated
    return f" (query {first[0]}: {first[1]}, {first[2]} occurrences)" if first else ""


def _judged_self_matches(scoring: Scoring) -> str:
    judged, own = scoring.judged, 0
    for i, query in enumerate(judged.queries):
        if query in judged.documents[i]:
            at = int(judged.start[i]) + judged.documents[i].index(query)
            own += bool(judged.grades[at] > 0)
    return f" ({own} of them judged relevant)" if own else ""


def _weights(scoring: Scoring) -> list[Notice]:
    """Weights and groups that are not used, and a query that carries most of a weighted mean."""
    weights = scoring.tables.weights or {}
    table = weights or scoring.tables.groups or {}
    known = {*scoring.judged.queries, *scoring.extra}
    strangers = sorted(query for query in table if query not in known)
    unused = (
        [
            note(
                f"{count(len(strangers), 'entry', 'entries')} of weights or groups for queries "
                f"that are not averaged: {listed(strangers)}"
            )
        ]
        if strangers
        else []
    )
    here = {query: weights[query] for query in scoring.judged.queries if query in weights}
    total = math.fsum(here.values())
    if len(here) < 2 or not 0 < total < math.inf:
        return unused
    query, weight = max(here.items(), key=lambda item: item[1])
    share = weight / total
    if share <= _DOMINATES:
        return unused
    return [*unused, warn(f"query {query!r} carries {share:.0%} of the weights")]
