"""compare(): whether a difference is real, how large it is, and what could have been seen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from ndcg.comparison.family import Family, Groups, family_of
from ndcg.comparison.pairs import CORRECTED_BY, NAMES, How, Pair, pairs_of
from ndcg.comparison.results import Comparison, Result, System
from ndcg.comparison.segments import remarks, segments_of
from ndcg.comparison.variants import other_verdicts, variants_of
from ndcg.errors import (
    NdcgError,
    Notice,
    Problem,
    UsageError,
    count,
    did_you_mean,
    listed,
    note,
    one_of,
    warn,
)
from ndcg.evaluation import scored
from ndcg.evaluation.asked import segments_by_query
from ndcg.evaluation.scoring import Scoring
from ndcg.measures.registry import Measure
from ndcg.statistics.intervals import FINEST, LEVEL, refuse_interval
from ndcg.statistics.paired import ALPHA, DRAWS
from ndcg.statistics.signs import refuse_draws


def compare(
    qrels: Any,
    runs: Any,
    measures: str | Sequence[str] | None = None,
    *,
    baseline: str | None = None,
    all_pairs: bool = False,
    correction: str = "holm",
    alpha: float = ALPHA,
    min_effect: float | None = None,
    draws: int = DRAWS,
    seed: int = 0,
    level: float = LEVEL,
    interval: str = "auto",
    group_runs: Mapping[str, Sequence[str]] | None = None,
    segments: Mapping[str, str | Sequence[str]] | None = None,
    sensitivity: bool = False,
    **how: Any,
) -> Comparison:
    """Compare systems, paired by query.

    Parameters
    ----------
    qrels, runs, measures, **how
        As in `evaluate`; two runs or more. Each measure is a family of its own; the first is the
        one to decide by.
    baseline
        The system that the others are compared with; by default the first.
    all_pairs
        Compare every system with every other one instead.
    correction
        For the number of pairs: ``"holm"``, ``"bh"`` (Benjamini-Hochberg, for screening),
        ``"tukey"`` (randomised Tukey HSD, for all pairs) or ``"none"``.
    alpha
        The level of the tests.
    min_effect
        The smallest difference that matters: verdicts then are better, worse, equivalent or open.
    draws, seed
        Of the signs of the randomisation test. With 16 differences or fewer all are tried.
    level, interval
        Of the intervals; differences have Student's t, means what `interval` says.
    group_runs
        ``{system: [run, ...]}``: seeds or folds of one system, averaged by query first.
    segments
        ``{query: segment}`` or ``{query: [segment, ...]}``: rows for each, corrected together.
    sensitivity
        The same comparison under other gains, discounts, cutoffs and rules for ties.

    Raises
    ------
    UsageError
        When what is asked for does not exist or contradicts itself.
    DataError
        When the input cannot be scored.

    Examples
    --------
    >>> qrels = {f"q{n}": {"a": 1} for n in range(8)}
    >>> bad = {query: {"x": 2.0, "a": 1.0} for query in qrels}
    >>> good = {query: {"a": 2.0, "x": 1.0} for query in qrels}
    >>> (pair,) = compare(qrels, {"bad": bad, "good": good}).pairs
    >>> pair.verdict.word, pair.p.p
    ('better', 0.0078125)
    """
    asked = How(correction, alpha, min_effect, draws, seed, level, interval)
    refuse_how(asked)
    evaluation, scorings = scored(qrels, runs, measures, whole=sensitivity, **how)
    names = [one.rankings.name for one in scorings]
    groups = _groups(group_runs or {}, names)
    notices: list[Notice] = []
    results = []
    for measure in scorings[0].measures:
        family = family_of(scorings, measure, groups)
        which = pairs_to_test(family.names, baseline, groups, all_pairs=all_pairs)
        result = result_of(family, which, asked, groups, all_pairs=all_pairs)
        notices += remarks_on(result)
        notices += _otherwise_missing(scorings, measure, groups, which, asked, result)
        if segments is not None:
            given = segments_by_query(segments)
            parts = segments_of(family, given, which, asked)
            notices += remarks(family, result.pairs, parts, given)
            result = result._replace(segments=tuple(parts))
        if sensitivity:
            found = variants_of(scorings, measure, groups, which, asked, result.winner)
            variants = tuple(found)
            result = result._replace(variants=variants)
            notices += _sensitive(result)
        results.append(result)
    told = (*notices, *evaluation.notices)
    pairs = {
        "baseline": None if all_pairs else results[0].pairs[0].baseline,
        "all_pairs": all_pairs,
        "group_runs": {name: [*own] for name, own in groups.items()},
    }
    return Comparison(tuple(results), asked, evaluation, tuple(dict.fromkeys(told)), pairs)


def refuse_how(asked: How) -> None:
    """Refuse what cannot be asked for."""
    one_of("usage", "a correction", asked.correction, CORRECTED_BY)
    refuse_interval(asked.interval, asked.level)
    refuse_draws(asked.draws, asked.seed)
    if not FINEST <= asked.alpha < 0.5:
        what = f"alpha {asked.alpha} is no level of a test"
        raise UsageError(Problem("usage", what, help="between 0 and 0.5, such as 0.05"))
    if asked.min_effect is not None and not 0 < asked.min_effect < math.inf:
        what = f"the smallest effect {asked.min_effect} is no difference"
        raise UsageError(Problem("usage", what, help="a number above 0, such as 0.01"))


def _groups(given: Mapping[str, Sequence[str]], names: Sequence[str]) -> Groups:
    """The runs of each system, each of which exists and is in one system."""
    seen: set[str] = set()
    for system, runs in given.items():
        for run in runs:
            if run not in names:
                what = f"{run!r}, a run of {system}, is not there{did_you_mean(run, names)}"
                raise UsageError(Problem("usage", what, help=f"runs: {', '.join(names)}"))
            if run in seen:
                what = f"run {run!r} is in two systems"
                raise UsageError(Problem("usage", what, help="name each run once"))
            seen.add(run)
        if not runs:
            what = f"system {system!r} has no runs"
            raise UsageError(Problem("usage", what, help="as in dense=dense-1,dense-2"))
    clash = sorted({*given} & ({*names} - seen))
    if clash:
        what = f"{clash[0]!r} is a system of several runs, and a run"
        raise UsageError(Problem("usage", what, help="give the system another name"))
    return given


def pairs_to_test(
    names: list[str], baseline: str | None, groups: Groups | None = None, *, all_pairs: bool
) -> list[tuple[int, int]]:
    """Which pairs: every other system against the baseline, or all."""
    if len(names) < 2:
        what = f"one system is compared with another, and there is only {listed(names)}"
        raise UsageError(Problem("usage", what, help="give two runs or more"))
    if all_pairs and baseline is not None:
        what = "all pairs are compared, or those with a baseline"
        raise UsageError(Problem("usage", what, help="give one of them"))
    if all_pairs:
        return [*combinations(range(len(names)), 2)]
    if baseline is not None and baseline not in names:
        inside = [name for name, runs in (groups or {}).items() if baseline in runs]
        if inside:
            what = f"the baseline {baseline!r} is a run of {inside[0]}"
            raise UsageError(Problem("usage", what, help=f"--baseline {inside[0]}"))
        what = f"the baseline {baseline!r} is not there{did_you_mean(baseline, names)}"
        raise UsageError(Problem("usage", what, help=f"systems: {', '.join(names)}"))
    base = 0 if baseline is None else names.index(baseline)
    return [(base, other) for other in range(len(names)) if other != base]


def result_of(
    family: Family,
    which: list[tuple[int, int]],
    how: How,
    groups: Groups | None = None,
    *,
    all_pairs: bool,
) -> Result:
    """The systems of a family, its pairs, and what they were corrected for."""
    systems = []
    for at, name in enumerate(family.names):
        mean = family.sample(at).mean if family.queries else None
        found = family.interval(at, how.interval, how.level, how.seed)
        runs = tuple((groups or {}).get(name, ()))
        systems.append(System(name, mean, found, family.missing[name], family.partial[name], runs))
    pairs = tuple(pairs_of(family, which, how))
    kind = "all pairs" if all_pairs else f"pairs with {family.names[which[0][0]]}"
    number = f"{count(len(pairs), 'pair')} ({kind})" if len(pairs) > 1 else "1 pair"
    words = f"{NAMES[how.correction]} over {number} of {family.measure}"
    if how.correction == "none":
        words = f"no correction for {number} of {family.measure}"
    return Result(
        family.measure, family.signature, len(family.queries), family.undefined, family.weightless,
        family.common,
        tuple(systems), pairs, words,
    )  # fmt: skip


def remarks_on(result: Result) -> Iterator[Notice]:
    """What a reader of the pairs should know."""
    if result.undefined:
        what = f"{count(result.undefined, 'query', 'queries')} without a value for every system"
        yield note(f"{result.measure}: {what}, left out for all")
    if result.weightless:
        what = f"{count(result.weightless, 'query', 'queries')} of weight 0, left out"
        yield note(f"{result.measure}: {what}")
    if result.common < result.n:
        what = (
            f"{result.measure}: the systems answer different queries: "
            f"{count(result.common, 'common query', 'common queries')} of {result.n}"
        )
        yield note(what, "--missing exclude compares over these alone")
    for one in result.systems:
        if one.runs:
            yield note(f"{one.name} is the mean of {listed(one.runs)}, query by query")
        if one.partial:
            what = f"{count(one.partial, 'query', 'queries')} answered by some of its runs only"
            yield note(f"{result.measure}: {one.name}: {what}, averaged over those")
    for pair in result.pairs:
        if pair.shape.doubts and pair.p is not None:
            what = f"{result.measure}: {pair.system} and {pair.baseline}: "
            what += f"{', '.join(pair.shape.doubts)}: p may promise too much"
            yield warn(what, "look at the queries with the largest wins and losses")


def _otherwise_missing(
    scorings: Sequence[Scoring],
    measure: Measure,
    groups: Groups,
    which: list[tuple[int, int]],
    how: How,
    result: Result,
) -> Iterator[Notice]:
    """Where the other rule for missing queries gives another verdict, it is said."""
    rule = scorings[0].convention(measure).missing
    other = {"zero": "exclude", "exclude": "zero"}.get(rule)
    if other is None or not (any(one.missing for one in result.systems) or result.undefined):
        return
    try:
        family = family_of(scorings, measure, groups, {"missing": other})
    except NdcgError:
        return  # what is refused gives no other verdict
    for before, after in other_verdicts(result.pairs, pairs_of(family, which, how)):
        what = (
            f"{result.measure}: {_short(before)} with missing:{rule}, but {after.verdict.word} "
            f"({after.difference:+.4f}) with missing:{other}"
        )
        yield warn(what, "find out why queries are missing before either is believed")


def _short(pair: Pair) -> str:
    return f"{pair.system} less {pair.baseline} is {pair.verdict.word} ({pair.difference:+.4f})"


def _sensitive(result: Result) -> Iterator[Notice]:
    """Rules under which another system has the highest mean, or a verdict is another one."""
    known = [one for one in result.variants if one.winner is not None]
    others: dict[str, list[str]] = {}
    for one in known:
        if one.winner is not None and one.winner != result.winner:
            others.setdefault(one.winner, []).append(one.change)
    for winner, changes in others.items():
        what = (
            f"{result.measure}: the highest mean is that of {winner}, not of {result.winner}, "
            f"under {listed(changes, 8)}"
        )
        yield warn(what, "say which rules the question asks for, and why")
    if not others:
        number = count(len(known), "other rule")
        yield note(f"{result.measure}: {result.winner} has the highest mean under all {number} too")
    changed: dict[tuple[str, str, str, str], list[str]] = {}
    for one in known:
        for before, after in other_verdicts(result.pairs, one.pairs):
            words = (after.system, after.baseline, before.verdict.word, after.verdict.word)
            changed.setdefault(words, []).append(one.change)
    for (system, baseline, word, other), changes in changed.items():
        what = f"{result.measure}: {system} less {baseline} is {word}, but {other} under "
        yield warn(what + listed(changes, 8))
