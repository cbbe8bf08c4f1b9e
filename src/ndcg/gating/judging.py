"""gate(): rules held against a run, and against what a run was before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from ndcg._version import VERSION
from ndcg.errors import (
    DataError,
    Notice,
    Problem,
    UsageError,
    count,
    listed,
    note,
    warn,
)
from ndcg.evaluation import DEFAULT_MEASURE, scored
from ndcg.evaluation.asked import foreign_notice
from ndcg.evaluation.given import Path, named_runs
from ndcg.evaluation.results import Evaluation, SystemResult
from ndcg.evaluation.scoring import Scoring
from ndcg.gating.baselines import Baseline, digest_of
from ndcg.gating.counts import COUNTS
from ndcg.gating.history import append_line
from ndcg.gating.measured import Measured
from ndcg.gating.outcomes import nothing_measured, of_count, of_limit, of_move
from ndcg.gating.parts import Parts
from ndcg.gating.previous import Previous, previous_of
from ndcg.gating.results import Against, Gate, Outcome
from ndcg.gating.rules import Rule, rules_of
from ndcg.gating.updating import rewritten
from ndcg.measures.registry import Measure
from ndcg.statistics.intervals import LEVEL, refuse_interval


def gate(
    qrels: Any,
    run: Any,
    fail_if: str | Sequence[str] = (),
    *,
    baseline: Any = None,
    update: bool = False,
    measures: str | Sequence[str] = (),
    significant: bool = False,
    segments: Mapping[str, str | Sequence[str]] | None = None,
    level: float = LEVEL,
    history: Path | None = None,
    label: str | None = None,
    **how: Any,
) -> Gate:
    """Hold a run against budgets, and against what a run was before.

    Parameters
    ----------
    qrels, run, **how
        As in `evaluate`; one run.
    fail_if
        Rules: ``"nDCG@10 drops 0.01"`` (or more; ``2%``: of the baseline; nothing: at all),
        ``"nDCG@10 drops significantly"``, also ``rises`` and ``changes``; ``"Judged@10 < 0.8"``,
        also ``<=  >  >=``; what is counted, as in ``"missing > 0"``. Behind it may stand
        ``in SEGMENT`` or ``per segment``.
    baseline
        A file that `update` wrote, or another run, which is scored by the same judgments.
    update
        Write the file `baseline` anew, unless a limit fails: what it compares is accepted.
    measures
        More measures, to be kept in the baseline and the history.
    significant
        Moves fail only if the interval of the paired differences excludes 0.
    segments
        ``{query: segment}`` or ``{query: [segment, ...]}``.
    level
        Of the intervals.
    history, label
        A file that one line is added to, and what it calls this run.

    Raises
    ------
    UsageError
        For rules that cannot be read, contradict each other or need what is not given.
    DataError
        For input that cannot be scored, and a baseline of other judgments or another convention.

    Examples
    --------
    >>> qrels = {"q1": {"a": 1}, "q2": {"b": 1}}
    >>> before = {"q1": {"a": 2.0, "x": 1.0}, "q2": {"b": 1.0}}
    >>> after = {"q1": {"a": 1.0, "x": 2.0}, "q2": {"b": 1.0}}
    >>> found = gate(qrels, after, "nDCG@10 drops 0.01", baseline=before)
    >>> found.passed, found.outcomes[0].worst[0].query
    (False, 'q1')
    """
    rules, foreign, notices = rules_of(fail_if, significant=significant)
    refuse_interval("t", level)
    previous = previous_of(baseline, update=update)
    asked = _measures(rules, measures, update=update)
    _refuse_unmet(rules, previous, update=update)
    parts = Parts(segments)
    parts.refuse_unmet(rules)
    evaluation, scorings = scored(qrels, _runs(run, previous), asked, **how)
    digest = digest_of(scorings[0].judged)
    system = evaluation.systems[scorings[0].rankings.name]
    now = Baseline.of(system, digest, previous.path if previous else "")
    sides = _Sides(scorings[0], _before(previous, scorings, evaluation, digest), level)
    moving = [rule.subject for rule in rules if rule.moves]
    notices += sides.comparable(now, moving, update=update)
    unheld: list[str] = []
    outcomes = tuple(_outcomes(rules, system, sides, parts, unheld, update=update))
    if unheld:
        what = f"{count(len(unheld), 'segment')} without a query that counts, not held"
        notices.append(warn(f"{what}: {listed(unheld)}"))
    notices += [foreign_notice(one) for one in foreign]
    notices += [*(previous.notices if previous else ()), *_remarks(rules, outcomes, sides, parts)]
    found = Gate(
        outcomes, evaluation, system.name, digest,
        None if sides.before is None else Against.of(sides.before),
        label=label, notices=tuple(dict.fromkeys((*notices, *evaluation.notices))),
    )  # fmt: skip
    if update and found.passed and previous is not None:
        found = replace(found, updated=rewritten(previous, now))
    if history is not None:
        append_line(fspath(history), found)
    return found


class _Sides:
    """The run that is gated, and what it is compared with; each measure is worked out once."""

    def __init__(self, scoring: Scoring, before: Baseline | None, level: float) -> None:
        self.scoring, self.before, self.level = scoring, before, level
        self._measured: dict[Measure, Measured] = {}

    def comparable(self, now: Baseline, measures: Sequence[str], *, update: bool) -> list[Notice]:
        """Refuse a baseline of something else; where it is rewritten, only say so."""
        if self.before is None:
            return []
        try:
            self.before.refuse_other(now, measures)
        except DataError as error:
            if not update:
                raise
            self.before = None
            return [note(one.what) for one in error.problems]
        gone = [name for name in self.before.signatures if name not in now.signatures]
        if update and gone:
            what = f"{listed(gone)}, in the baseline so far, will not be there"
            return [note(what, "-m NAME keeps a measure that no rule is about")]
        return []

    def of(self, measure: Measure) -> Measured:
        """The values of a measure."""
        if measure not in self._measured:
            before = None if self.before is None else self.before.per_query
            self._measured[measure] = Measured(self.scoring, measure, before, self.level)
        return self._measured[measure]


def _measures(rules: Sequence[Rule], more: str | Sequence[str], *, update: bool) -> list[str]:
    """The measures to be evaluated, each once."""
    if not rules and not update:
        what = "no rule is given, and without one nothing can fail"
        raise UsageError(Problem("rule", what, help="--fail-if 'nDCG@10 drops 0.01'"))
    given = [more] if isinstance(more, str) else [*more]
    names = [rule.subject for rule in rules if rule.measure is not None] + given
    return list(dict.fromkeys(names)) or [DEFAULT_MEASURE]


def _refuse_unmet(rules: Sequence[Rule], previous: Previous | None, *, update: bool) -> None:
    """Refuse rules that need what was not given."""
    for rule in rules:
        if rule.moves and previous is None:
            what = f"{rule.text!r} needs a baseline"
            how = "--baseline FILE; with --update the file is written"
            raise UsageError(Problem("rule", what, help=how))
        kind = rule.measure.record.over_queries if rule.measure is not None else "mean"
        if rule.significant and kind != "mean":
            what = f"{rule.text!r}: {rule.subject} is no mean of queries, so it has no interval"
            raise UsageError(Problem("rule", what, help="leave out significance for it"))
    if update and (previous is None or not previous.path):
        what = "--update rewrites a file, and none is named as baseline"
        raise UsageError(Problem("baseline", what, help="--baseline FILE"))


def _runs(run: Any, previous: Previous | None) -> Any:
    """The run, and beside it the one that it is compared with."""
    if previous is None or previous.run is None:
        return run
    named = named_runs(run)
    if len(named) > 1:
        raise _several(len(named))
    ((name, one),) = named
    if isinstance(one, str | PathLike) and isinstance(previous.run, str | PathLike):
        return [one, previous.run]
    return {name or "run": one, "baseline": previous.run}


def _several(number: int) -> UsageError:
    what = f"a gate is for one run, and {number} are given"
    return UsageError(Problem("usage", what, help="gate each by itself"))


def _before(
    previous: Previous | None, scorings: Sequence[Scoring], evaluation: Evaluation, digest: str
) -> Baseline | None:
    """What is compared with, if anything."""
    compared = previous is not None and previous.run is not None
    if len(scorings) > 1 + compared:
        raise _several(len(scorings))
    if compared:
        return Baseline.of(evaluation.systems[scorings[1].rankings.name], digest)
    return None if previous is None else previous.baseline


def _outcomes(
    rules: Sequence[Rule], system: SystemResult, sides: _Sides, parts: Parts, unheld: list[str],
    *, update: bool,
) -> Iterator[Outcome]:  # fmt: skip
    """What becomes of each rule, and of each segment of those that are about all segments.

    Segments without a query that counts are left out, and added to `unheld`.
    """
    for rule in rules:
        if rule.measure is None:
            yield of_count(rule, COUNTS[rule.subject](system))
        elif sides.before is not None or not rule.moves:
            yield from _by_part(rule, sides.of(rule.measure), parts, unheld, update=update)


def _by_part(
    rule: Rule, measured: Measured, parts: Parts, unheld: list[str], *, update: bool
) -> Iterator[Outcome]:
    """What becomes of a rule about a measure, in each set of queries that it is about."""
    held = False
    for one, inside in parts.of(rule, measured.values.queries):
        part = measured.part(inside)
        if rule.each and not measured.number(part, paired=rule.moves):
            unheld.append(one.text)
            continue
        held = True
        if rule.moves:
            yield of_move(one, measured, part, accepted=update)
        else:
            yield of_limit(one, measured, part)
    if not held:
        raise nothing_measured(rule, "of any segment", moves=rule.moves)


def _remarks(
    rules: Sequence[Rule], outcomes: Sequence[Outcome], sides: _Sides, parts: Parts
) -> Iterator[Notice]:
    """What a reader of the outcomes should know."""
    left = [rule for rule in rules if rule.moves] if sides.before is None else []
    if left:
        what = f"{count(len(left), 'rule')} had nothing to compare with"
        yield note(f"{what}: {listed(rule.text for rule in left)}")
    for one in outcomes:
        if one.unpaired:
            what = f"{one.rule.text}: {count(one.unpaired, 'query', 'queries')} with a value on "
            yield note(what + "one side alone, left out of both means")
    if sides.before is not None and sides.before.version != VERSION:
        yield note(f"the baseline is of version {sides.before.version}, this is {VERSION}")
    yield from parts.remarks(rules, sides.scoring.judged.queries)
