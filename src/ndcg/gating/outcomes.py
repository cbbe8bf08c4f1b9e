"""What becomes of one rule: passed, failed, accepted or skipped, with its reason in words."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from ndcg.axes import number_text
from ndcg.errors import Problem, UsageError, count
from ndcg.gating.counts import Counted
from ndcg.gating.measured import NAMED, Measured, Moved
from ndcg.gating.results import FAILED, PASSED, SKIPPED, Outcome, Worst
from ndcg.gating.rules import Rule
from ndcg.kernel import Bools
from ndcg.statistics.sample import TOLERANCE

_SIGNS = {"drops": -1, "rises": 1, "changes": 0}
_TESTS: dict[str, tuple[Callable[[float, float], bool], str]] = {
    "<": (operator.lt, "below"),
    "<=": (operator.le, "at most"),
    ">": (operator.gt, "above"),
    ">=": (operator.ge, "at least"),
}
# Rules that may make the mean undefined because of a single query.
_RULES = ("empty", "missing", "listed_empty", "no_judgments", "nothing_found")
_NOTHING = "no query that it is about has a value"


def skipped(rule: Rule, reason: str, n: int = 0) -> Outcome:
    """A rule that nothing can be said of."""
    return Outcome(rule, SKIPPED, None, None, n, 0, None, reason)


def of_count(rule: Rule, counted: Counted) -> Outcome:
    """A limit for what the accounts count."""
    failed, reason = _against_limit(rule, counted.number)
    worst = tuple(Worst(query, None) for query in counted.queries[:NAMED])
    status = FAILED if failed else PASSED
    return Outcome(rule, status, counted.number, None, 0, 0, None, reason, worst)


def of_limit(rule: Rule, measured: Measured, part: Bools) -> Outcome:
    """A limit for the summary of a measure."""
    _refuse_undefined(rule, measured, part)
    value, n = measured.value(part)
    if math.isnan(value):
        return skipped(rule, _NOTHING, n)
    failed, reason = _against_limit(rule, value)
    worst = measured.outermost(part, -1 if "<" in rule.verb else 1)
    return Outcome(rule, FAILED if failed else PASSED, value, None, n, 0, None, reason, worst)


def _refuse_undefined(rule: Rule, measured: Measured, part: Bools) -> None:
    """Refuse to judge by the rest what the convention calls undefined as a whole."""
    if measured.values.undefined[part].any():
        raise _not_judged(rule, "its mean is undefined: a rule says nan for some of the queries")


def _not_judged(rule: Rule, why: str) -> UsageError:
    what = f"{rule.text!r} cannot be judged: {why}"
    return UsageError(Problem("rule", what, help="ndcg eval --per-query shows why"))


def _against_limit(rule: Rule, value: float) -> tuple[bool, str]:
    """Whether a value breaks a limit, which it is not off by rounding, and how that is said."""
    test, word = _TESTS[rule.verb]
    limit = rule.amount or 0.0
    near = limit if abs(value - limit) <= TOLERANCE else value
    failed = test(near, limit)
    shown = f"{value:,.0f}" if rule.measure is None else _told(near, limit)
    return failed, f"{shown} is {'' if failed else 'not '}{word} {number_text(limit)}"


def of_move(rule: Rule, measured: Measured, part: Bools, update_as: str = FAILED) -> Outcome:
    """A move of the summary of a measure against the baseline; `update_as` is what fails then.

    Queries that had a value and have none are a failure whatever the others did: what became of
    them cannot be told.
    """
    moved = measured.moved(part)
    _refuse_extra(rule, measured, moved)
    if not moved.lost:
        _refuse_undefined(rule, measured, part)
        if not moved.n:
            return skipped(rule, f"{_NOTHING} both now and in the baseline")
    if moved.gained and any(getattr(measured.values.convention, axis) == "nan" for axis in _RULES):
        raise _not_judged(rule, "its mean in the baseline is undefined: a rule says nan")
    if moved.n and not (math.isfinite(moved.value) and math.isfinite(moved.before)):
        raise _not_judged(rule, "its mean is not finite")
    failed, reason = _against_baseline(rule, moved)
    if moved.lost:
        lost = f"{count(moved.lost, 'query', 'queries')} with a value in the baseline and none now"
        failed, reason = True, f"{reason}; {lost}" if moved.n else lost
    if failed is None:
        return skipped(rule, reason, moved.n)
    by = moved.value - moved.before
    sign = _SIGNS[rule.verb] or (1 if by > 0 else -1)
    known = moved.n > 0
    return Outcome(
        rule, update_as if failed else PASSED, moved.value if known else None,
        moved.before if known else None, moved.n, moved.lost + moved.gained, moved.interval,
        reason, measured.furthest(part, sign),
    )  # fmt: skip


def _refuse_extra(rule: Rule, measured: Measured, moved: Moved) -> None:
    """Refuse to pair what extra:zero counts, which differs from run to run."""
    if measured.values.convention.extra == "zero" and (moved.lost or moved.gained):
        what = f"{rule.text!r} pairs queries, and extra:zero counts those that one run alone lists"
        raise UsageError(Problem("rule", what, help="a limit instead, or --extra ignore"))


def _against_baseline(rule: Rule, moved: Moved) -> tuple[bool | None, str]:
    """Whether it moved too far, None where that cannot be told, and why."""
    by, sign = moved.value - moved.before, _SIGNS[rule.verb]
    size = by * sign if sign else abs(by)
    if not size > TOLERANCE:
        return False, {-1: "did not drop", 1: "did not rise"}.get(sign, "did not change")
    told = _by(rule, moved, size)
    if rule.amount is not None:
        most = rule.amount * abs(moved.before) if rule.relative else rule.amount
        named = f"{100 * rule.amount:g}%" if rule.relative else number_text(rule.amount)
        if size < most - TOLERANCE:
            return False, f"{told}, less than {named}"
        told += f", and {named} is too much"
    if not rule.significant:
        return True, told
    if moved.interval is None:
        why = "of a single query" if moved.n == 1 else "as one query has all the weight"
        return None, f"{told}, but there is no interval {why}"
    low, high = moved.interval.low, moved.interval.high
    if low <= 0 <= high:
        return False, f"{told}, but its interval holds 0"
    return True, f"{told}; its interval excludes 0"


def _by(rule: Rule, moved: Moved, size: float) -> str:
    word = "dropped" if moved.value < moved.before else "rose"
    amount = None if rule.relative else rule.amount
    near = amount if amount is not None and abs(size - amount) <= TOLERANCE else size
    told = f"{word} {_told(near, amount)}"
    return f"{told} ({size / abs(moved.before):.1%})" if rule.relative and moved.before else told


def _told(value: float, limit: float | None) -> str:
    """A value with as many decimals as tell it from its limit, and on its side; four at least."""
    if value == limit:
        return max(number_text(value), f"{value:.4f}", key=len)
    for places in range(4, 17):
        shown = float(f"{value:.{places}f}")
        if limit is None or (shown != limit and (shown < limit) == (value < limit)):
            return f"{value:.{places}f}"
    return repr(value)
