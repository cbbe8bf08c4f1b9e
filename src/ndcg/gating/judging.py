"""gate(): rules held against a run, and against what a run was before."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from ndcg._version import VERSION
from ndcg.errors import DataError, Notice, Problem, UsageError, count, listed, note, warn
from ndcg.evaluation import DEFAULT_MEASURE, scored
from ndcg.evaluation.asked import foreign_notice
from ndcg.evaluation.given import Path
from ndcg.evaluation.results import Evaluation
from ndcg.evaluation.scoring import Scoring
from ndcg.formats.writing import refuse_inputs, refuse_unwritable
from ndcg.gating.baselines import digest_of
from ndcg.gating.counts import COUNTS
from ndcg.gating.history import append_line, refuse_other_lines
from ndcg.gating.outcomes import of_count, of_limit, of_move, skipped
from ndcg.gating.parts import Parts
from ndcg.gating.previous import Previous, previous_of
from ndcg.gating.results import ACCEPTED, FAILED, SKIPPED, Against, Gate, Outcome
from ndcg.gating.rules import Rule, rules_of
from ndcg.gating.sides import Sides, runs_of
from ndcg.gating.updating import rewritten
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
    _refuse_types(measures, significant, level)
    rules, foreign, notices = rules_of(fail_if, significant=significant)
    refuse_interval("t", level)
    parts = Parts(segments)
    parts.refuse_unmet(rules)
    previous = previous_of(baseline, update=update)
    asked = _measures(rules, measures, update=update)
    _refuse_unmet(rules, previous, update=update)
    _refuse_places(qrels, run, baseline, history, label, update=update)
    evaluation, scorings = _scored(qrels, run, previous, asked, how)
    digest = digest_of(scorings[0].judged)
    sides = Sides(scorings, evaluation, previous, digest, level)
    notices += [
        *(previous.notices if previous else ()),
        *sides.settle(rules, previous, update=update),
    ]
    outcomes = _outcomes(rules, sides, parts, update=update)
    notices += [*map(foreign_notice, foreign), *_remarks(rules, outcomes, sides, parts)]
    against = None if sides.before is None or None in sides.why_not else Against.of(sides.before)
    found = Gate(
        outcomes, evaluation, sides.system.name, digest, against, label=label,
        notices=tuple(dict.fromkeys(notices)),
    )  # fmt: skip
    if history is not None:  # first: a baseline is not rewritten beside a line that is not there
        append_line(fspath(history), found)
    if update and previous is not None:
        written = rewritten(previous, sides.now) if found.passed else None
        found = replace(found, updated=written, kept=None if written else previous.path)
    return found


def _refuse_types(measures: Any, significant: Any, level: Any) -> None:
    """Refuse arguments of other types."""
    if measures is not None and not isinstance(measures, str | Sequence):
        what = f"measures are of type {type(measures).__name__}"
        raise UsageError(Problem("usage", what, help="such as ['nDCG@10', 'AP']"))
    if not isinstance(significant, bool) or isinstance(level, bool | str):
        what = f"significant={significant!r}, level={level!r}: a truth and a number are asked for"
        raise UsageError(Problem("usage", what, help="significant=True, level=0.95"))


def _measures(rules: Sequence[Rule], more: Any, *, update: bool) -> list[str]:
    """The measures to be evaluated, each once."""
    if not rules and not update:
        what = "no rule is given, and without one nothing can fail"
        raise UsageError(Problem("rule", what, help="--fail-if 'nDCG@10 drops 0.01'"))
    given = [more] if isinstance(more, str) else [*(more or ())]
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


def _refuse_places(
    qrels: Any, run: Any, baseline: Any, history: Any, label: Any, *, update: bool
) -> None:
    """Refuse to write over what is read, or where nothing can be written, before all work."""
    if label is not None and (history is None or not isinstance(label, str)):
        what = "label is what the history calls a run, and "
        what += "there is none" if history is None else f"{label!r} is no text"
        raise UsageError(Problem("usage", what, help="--label TEXT, beside --history FILE"))
    refuse_unwritable([fspath(baseline)] if update else [])
    if isinstance(history, str | PathLike):
        refuse_unwritable([fspath(history)], appended=True)
    if history is not None:
        if not isinstance(history, str | PathLike):
            what = f"history is of type {type(history).__name__}"
            raise UsageError(Problem("usage", what, help="give the path of a file"))
        read = [fspath(one) for one in (qrels, run, baseline) if isinstance(one, str | PathLike)]
        refuse_inputs([fspath(history)], read)
        refuse_other_lines(fspath(history))


def _scored(
    qrels: Any, run: Any, previous: Previous | None, asked: list[str], how: dict[str, Any]
) -> tuple[Evaluation, list[Scoring]]:
    """The run scored, and the one that it is compared with."""
    try:
        return scored(qrels, runs_of(run, previous), asked, **how)
    except DataError as error:
        path = previous.run if previous and isinstance(previous.run, str) else None
        if path is None or all(
            one.place is None or one.place.file != path for one in error.problems
        ):
            raise
        more = "a baseline is a file that --update wrote, or another run"
        told = [one._replace(help=f"{one.help}; {more}" if one.help else more)
                for one in error.problems]  # fmt: skip
        raise DataError(told, total=error.total) from None


def _outcomes(
    rules: Sequence[Rule], sides: Sides, parts: Parts, *, update: bool
) -> tuple[Outcome, ...]:
    """What becomes of each rule, and of each segment of those that are about all segments."""
    found: dict[Rule, Outcome] = {}
    for rule in rules:
        own = [*_of_rule(rule, sides, parts, update=update)]
        if not (update and rule.moves) and all(one.status == SKIPPED for one in own):
            what = f"{rule.text!r} cannot be judged: {own[0].reason}"
            raise UsageError(Problem("rule", what, help="ndcg eval --per-query shows why"))
        # A segment that is named, and is one of each, is held once.
        found |= {replace(one.rule, part_of_many=False): one for one in own}
    every = [*found.values()]
    if any(one.status == FAILED for one in every):  # then nothing is written, and nothing accepted
        every = [replace(one, status=FAILED) if one.status == ACCEPTED else one for one in every]
    return tuple(every)


def _of_rule(rule: Rule, sides: Sides, parts: Parts, *, update: bool) -> Iterator[Outcome]:
    """What becomes of a rule, in each set of queries that it is about."""
    if rule.measure is None:
        yield of_count(rule, COUNTS[rule.subject](sides.system))
        return
    why_not = sides.why_not_compared(rule) if rule.moves else None
    if why_not is not None:
        yield skipped(rule, why_not)
        return
    measured = sides.of(rule)
    for one, inside in parts.of(rule, measured.values.queries):
        part = measured.part(inside)
        if rule.moves:
            yield of_move(one, measured, part, ACCEPTED if update else FAILED)
        else:
            yield of_limit(one, measured, part)


def _remarks(
    rules: Sequence[Rule], outcomes: Sequence[Outcome], sides: Sides, parts: Parts
) -> Iterator[Notice]:
    """What a reader of the outcomes should know."""
    left = [one.rule.text for one in outcomes if one.status == SKIPPED]
    if left:
        what = f"{count(len(left), 'rule')} could not be held, or not in a segment"
        yield warn(f"{what}: {listed(left)}")
    if sides.before is not None and sides.before.version != VERSION:
        yield note(f"the baseline is of version {sides.before.version}, this is {VERSION}")
    yield from parts.remarks(rules, sides.scoring.judged.queries)
