"""What a careful reader of a system's numbers should know, each with what settles it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from ndcg.align import OPEN_TIES, taken_grades
from ndcg.axes import number_text
from ndcg.errors import Notice, axis_help, count, listed, note, warn
from ndcg.evaluation import strangers
from ndcg.evaluation.results import Accounts, SystemResult
from ndcg.evaluation.scoring import Scoring
from ndcg.stores.values import fault

_QUERY = ("query", "queries")
_LARGE_GRADE = 20  # whose gain is about a million
_DOMINATES = 0.5  # share of the weights above which one query is named


def all_notices(results: Mapping[Scoring, SystemResult]) -> list[Notice]:
    """The notices about every system; what holds for all of them is said once."""
    found = [_notices(scoring, result) for scoring, result in results.items()]
    shared = [one for one in found[0] if all(one in other for other in found)]
    notices = list(shared)
    for scoring, own in zip(results, found, strict=True):
        who = f"{scoring.rankings.name}: "
        notices += [one._replace(what=who + one.what) for one in own if one not in shared]
    return notices


def _notices(scoring: Scoring, result: SystemResult) -> list[Notice]:
    return [
        *strangers.of_documents(scoring),
        *strangers.of_queries(result.accounts),
        *_swapped(scoring),
        *_thresholds(scoring),
        *_large_grades(scoring),
        *_queries(scoring, result),
        *_empty(scoring, result),
        *_rows(scoring, result.accounts),
        *_ties(scoring),
        *_weights(scoring),
    ]


def _swapped(scoring: Scoring) -> list[Notice]:
    """Fractional grades and a run of small whole numbers: the arguments may have changed places."""
    query = next((q for q in scoring.judged.queries if q in scoring.rankings.queries), None)
    scores = [*scoring.rankings.scores(query)] if query is not None else []
    if not all(fault(score) is None and float(score) in range(-9, 10) for score in scores):
        return []
    grades = scoring.judged.grades
    if not scores or (grades == np.floor(grades)).all():
        return []
    return [
        warn(
            "grades are fractional and scores are small whole numbers",
            "judgments come first, then the run: check that they are not swapped",
        )
    ]


def _thresholds(scoring: Scoring) -> list[Notice]:
    """Positive grades below the default threshold count as not relevant."""
    names = [one for one in scoring.measures if not one.record.graded and one.rel is None]
    if not names:
        return []
    grades = taken_grades(scoring.judged.grades, scoring.leading.grades)
    below = int(((grades > 0) & (grades < 1)).sum())
    if not below:
        return []
    return [
        warn(
            f"{count(below, 'grade')} between 0 and 1 counted as not relevant "
            f"in {', '.join(map(str, names))}",
            f"set the threshold, as in {names[0].name}(rel=0.5)",
        )
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
        return note(f"{here}, excluded with nothing relevant: {listed(missing)}{also}")
    if left:
        also = f" and {len(left)} excluded with nothing relevant: {listed(left)}{also}"
    fate = _FATES[rule]
    rest = [query for query in missing if query not in gone]
    other = "exclude leaves them out" if counted else "zero counts them 0"
    return note(f"{here}, {fate}: {listed(rest)}{also}", f"--missing {other}")


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
    )


def _excluded(scoring: Scoring, result: SystemResult) -> set[str]:
    """The queries that are in no mean, since they have nothing relevant."""
    sets = [
        {*result.measures[str(one)].empty} if scoring.convention(one).empty == "exclude" else set()
        for one in scoring.measures
    ]
    return set.intersection(*sets)


def _large_grades(scoring: Scoring) -> list[Notice]:
    """Grades whose exponential gain leaves nothing to all others."""
    if scoring.judged.extent is None:
        return []
    highest = np.array([scoring.judged.extent[1]])
    conventions = [scoring.convention(one) for one in scoring.measures if one.record.graded]
    taken = [float(taken_grades(highest, one.grades)[0]) for one in conventions
             if one.gain == "exp2"]  # fmt: skip
    if max(taken, default=0.0) <= _LARGE_GRADE:
        return []
    best = number_text(max(taken))
    what = (
        f"grades up to {best} with gain:exp2: the best is worth 2^{best} - 1, others next to it 0"
    )
    return [warn(what, "counts and ratings of this size are meant linear: --gain linear")]


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
            )
        )
    return found


def _unjudged(scoring: Scoring, queries: Sequence[str]) -> list[Notice]:
    """Queries that are judged with no document, where they have a rule of their own."""
    rule = scoring.leading.no_judgments
    if rule == "empty" or not queries:
        return []
    what = f"{count(len(queries), *_QUERY)} judged with no documents, {_FATES[rule]}"
    return [note(f"{what}: {listed(queries)}", "--axis no_judgments=empty takes them for empty")]


def _low_grades(scoring: Scoring) -> list[Notice]:
    """Judgments whose grade is too low to count as one."""
    least = scoring.leading.min_grade
    if least == "none":
        return []
    low = int((taken_grades(scoring.judged.grades, scoring.leading.grades) < float(least)).sum())
    what = f"{count(low, 'judgment')} below {least} taken for unjudged (min_grade:{least})"
    return [note(what, "--axis min_grade=none takes them")] if low else []


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
            )
        )
    if accounts.repeated_judgments:
        found.append(
            note(
                f"{count(accounts.repeated_judgments, 'repeated judgment')} "
                f"settled by judgments:{base.judgments}{_differing(scoring)}"
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
            )
        )
    if accounts.self_matches:
        dropped = base.self_match == "drop"
        found.append(
            note(
                f"{count(accounts.self_matches, 'document')} with the same id as its query "
                + ("dropped from the ranking" if dropped else "kept in the ranking")
                + _judged_self_matches(scoring),
                "--self-match keep keeps them"
                if dropped
                else "if they are the queries themselves, --self-match drop takes them out",
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
    return [note(what, "--axis grades=any takes them as they are")]


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


def _ties(scoring: Scoring) -> list[Notice]:
    """Values that would change if tied documents were ordered otherwise."""
    if scoring.leading.ties in OPEN_TIES:
        return []
    moved = {name: queries for name, queries in scoring.moved.items() if queries}
    # Measures without a best and a worst order: how far ties move them is not known.
    unknown = [str(one) for one in scoring.measures if str(one) in scoring.unmoved]
    judged = count(len(scoring.judged.queries), *_QUERY)
    rule = f"tied scores: the order of tied documents (ties:{scoring.leading.ties})"
    notices = []
    if moved:
        number = ", ".join(f"{name} in {len(queries)}" for name, queries in moved.items())
        which = sorted({query for queries in moved.values() for query in queries})
        every = all("expected" in one.record.ties for one in scoring.measures)
        how = "--ties expected averages over all orders" if every else None
        notices.append(note(f"{rule} decides {number} of {judged}: {listed(which)}", how))
    if unknown:
        tied = int(scoring.overlay().tied.sum())
        what = f"{rule} may decide {listed(unknown)} in {tied} of {judged}"
        other = "docid_asc" if scoring.leading.ties == "docid_desc" else "docid_desc"
        notices.append(note(what, f"--ties {other} shows another order"))
    return notices


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
