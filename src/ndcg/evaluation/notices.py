"""What a careful reader of a system's numbers should know, each with what settles it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ndcg.errors import Notice, count, listed, note, warn
from ndcg.evaluation.results import Accounts, SystemResult
from ndcg.evaluation.scoring import Scoring
from ndcg.ids import nearest
from ndcg.measures.registry import Measure

_QUERY = ("query", "queries")
_DOMINATES = 0.5  # share of the weights that one query may carry unnoticed


def notices_of(
    scoring: Scoring, result: SystemResult, measures: Sequence[Measure], *, several: bool
) -> list[Notice]:
    """The notices about one system; its name stands before each if there are several."""
    found = [
        *_documents(scoring),
        *_thresholds(scoring, measures),
        *_queries(scoring, result.accounts),
        *_empty(scoring, result, measures),
        *_rows(scoring, result.accounts),
        *_ties(scoring, result),
        *_weights(scoring),
    ]
    who = f"{scoring.rankings.name}: " if several else ""
    return [one._replace(what=who + one.what) for one in found]


def _documents(scoring: Scoring) -> list[Notice]:
    """No judged document is retrieved at all."""
    if scoring.overlay().aligned.retrieved.any():
        return []
    judged, given = scoring.judged, scoring.rankings.given
    common = [(i, q) for i, q in enumerate(judged.queries) if q in given]
    ours = {document for i, _ in common for document in judged.documents[i]}
    theirs = {document for _, query in common for document in given[query].documents}
    near = nearest(ours, theirs)
    what = f"0 judged documents are retrieved in {count(len(common), *_QUERY)}"
    if near:
        what += f": {near} ({near.matches} of {len(ours)} judged ids would match)"
    return [warn(what, "check that the ids belong together")]


def _thresholds(scoring: Scoring, measures: Sequence[Measure]) -> list[Notice]:
    """Positive grades below the default threshold count as not relevant."""
    names = [measure for measure in measures if not measure.record.graded and measure.rel is None]
    grades = scoring.judged.grades
    below = int(((grades > 0) & (grades < 1)).sum())
    if not (names and below):
        return []
    return [
        warn(
            f"{count(below, 'grade')} between 0 and 1 counted as not relevant "
            f"in {', '.join(map(str, names))}",
            f"set the threshold, as in {names[0].name}(rel=0.5)",
        )
    ]


def _queries(scoring: Scoring, accounts: Accounts) -> list[Notice]:
    """Queries that only one side knows."""
    found = []
    base = scoring.base
    if accounts.missing:
        fate = "counted 0" if base.missing == "zero" else "left out of the mean"
        other = "exclude leaves them out" if base.missing == "zero" else "zero counts them 0"
        bare = [query for query in accounts.missing if query in scoring.rankings.given]
        also = f" ({listed(bare)}: listed with no documents, 0 results)" if bare else ""
        found.append(
            note(
                f"{len(accounts.missing)} of {accounts.judged_queries:,} judged queries "
                f"missing from run, {fate}: {listed(accounts.missing)}{also}",
                f"--missing {other}",
            )
        )
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


def _empty(scoring: Scoring, result: SystemResult, measures: Sequence[Measure]) -> list[Notice]:
    """Judged queries that leave some measures nothing to find."""
    alike: dict[tuple[tuple[str, ...], str], list[str]] = {}
    for measure in measures:
        empty = result.measures[str(measure)].empty
        if empty:
            rule = measure.convention(scoring.base).empty
            alike.setdefault((empty, rule), []).append(str(measure))
    pairs = zip(scoring.judged.queries, scoring.judged.documents, strict=True)
    unjudged = {query for query, documents in pairs if not documents}
    found = []
    for (empty, rule), names in alike.items():
        fate = {"exclude": "excluded", "zero": "counted 0", "one": "counted 1"}[rule]
        other = "zero counts them 0" if rule == "exclude" else "exclude leaves them out"
        none = [query for query in empty if query in unjudged]
        also = f" ({listed(none)}: no judgments)" if none else ""
        found.append(
            note(
                f"{count(len(empty), *_QUERY)} with nothing relevant (no positive gain) {fate} "
                f"in {', '.join(names)}: {listed(empty)}{also}",
                f"--empty {other}",
            )
        )
    return found


def _rows(scoring: Scoring, accounts: Accounts) -> list[Notice]:
    """Rows that were collapsed, dropped, clamped or counted twice."""
    base = scoring.base
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
                f"settled by judgments:{base.judgments}"
            )
        )
    if accounts.negative_grades:
        found.append(
            note(
                f"{count(accounts.negative_grades, 'negative grade')} "
                f"settled by negative:{base.negative}",
                "--negative unjudged, remove or keep",
            )
        )
    if accounts.self_matches:
        dropped = base.self_match == "drop"
        found.append(
            note(
                f"{count(accounts.self_matches, 'document')} with the same id as its query "
                + ("dropped from the ranking" if dropped else "kept in the ranking")
                + _judged_self_matches(scoring),
                "--self-match " + ("keep keeps them" if dropped else "drop takes them out"),
            )
        )
    return found


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


def _ties(scoring: Scoring, result: SystemResult) -> list[Notice]:
    """Values that would change if tied documents were ordered otherwise."""
    if scoring.base.ties in ("expected", "best", "worst"):
        return []
    moved = {name: one.tie_moves for name, one in result.measures.items() if one.tie_moves}
    if not moved:
        return []
    shown = ", ".join(f"{name} in {count(n, *_QUERY)}" for name, n in moved.items())
    return [
        note(
            f"tied scores: the order of tied documents (ties:{scoring.base.ties}) decides {shown}",
            "--ties expected averages over all orders",
        )
    ]


def _weights(scoring: Scoring) -> list[Notice]:
    """One query that carries most of a weighted mean."""
    weights = scoring.averaging.weights
    if not weights:
        return []
    here = {query: weights[query] for query in scoring.judged.queries if query in weights}
    query, weight = max(here.items(), key=lambda item: item[1])
    share = weight / float(np.sum([*here.values()]))
    if share < _DOMINATES:
        return []
    return [warn(f"query {query!r} carries {share:.0%} of the weights")]
