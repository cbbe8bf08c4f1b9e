"""What becomes of one rule: passed, failed or accepted, with its reason in words."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from ndcg.axes import number_text
from ndcg.errors import Problem, UsageError, count
from ndcg.gating.counts import Counted
from ndcg.gating.measured import NAMED, Measured, Moved
from ndcg.gating.results import ACCEPTED, FAILED, PASSED, Outcome, Worst
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


def of_count(rule: Rule, counted: Counted) -> Outcome:
    """A limit for what the accounts count."""
    failed, reason = _against_limit(rule, counted.number, f"{counted.number:,}")
    worst = tuple(Worst(query, None) for query in counted.queries[:NAMED])
    status = FAILED if failed else PASSED
    return Outcome(rule, status, counted.number, None, 0, 0, None, reason, worst)


def of_limit(rule: Rule, measured: Measured, part: Bools) -> Outcome:
    """A limit for the summary of a measure."""
    value, n = measured.value(part)
    _refuse_nothing(rule, value)
    failed, reason = _against_limit(rule, value, _told(value, rule.amount))
    worst = measured.outermost(part, -1 if "<" in rule.verb else 1)
    return Outcome(rule, FAILED if failed else PASSED, value, None, n, 0, None, reason, worst)


def _against_limit(rule: Rule, value: float, shown: str) -> tuple[bool, str]:
    test, word = _TESTS[rule.verb]
    failed = test(value, rule.amount or 0.0)
    limit = number_text(rule.amount or 0.0)
    return failed, f"{shown} is {'' if failed else 'not '}{word} {limit}"


def of_move(rule: Rule, measured: Measured, part: Bools, *, accepted: bool) -> Outcome:
    """A move of the summary of a measure against the baseline."""
    moved = measured.moved(part)
    _refuse_nothing(rule, moved.value)
    if rule.significant and moved.interval is None and not rule.part_of_many:
        what = f"{rule.text!r} asks for significance, of {count(moved.n, 'query', 'queries')}"
        raise UsageError(Problem("rule", what, help="that takes two or more"))
    sign = _SIGNS[rule.verb]
    failed, reason = _against_baseline(rule, moved, sign)
    status = PASSED if not failed else ACCEPTED if accepted else FAILED
    return Outcome(
        rule, status, moved.value, moved.before, moved.n, moved.unpaired, moved.interval, reason,
        measured.furthest(part, sign),
    )  # fmt: skip


def _against_baseline(rule: Rule, moved: Moved, sign: int) -> tuple[bool, str]:
    """Whether it moved too far, and why that is said."""
    by = moved.value - moved.before
    size = by * sign if sign else abs(by)
    if size <= TOLERANCE:
        other = {-1: "did not drop", 1: "did not rise"}.get(sign, "did not change")
        return False, other
    word = "dropped" if by < 0 else "rose"
    told = f"{word} {_told(size, rule.amount, relative=rule.relative)}"
    if rule.relative and moved.before:
        told += f" ({size / abs(moved.before):.1%})"
    if rule.amount is not None:
        most = rule.amount * abs(moved.before) if rule.relative else rule.amount
        named = f"{100 * rule.amount:g}%" if rule.relative else number_text(rule.amount)
        if size < most - TOLERANCE:
            return False, f"{told}, less than {named}"
        told += f", and {named} is too much"
    if not rule.significant:
        return True, told
    if moved.interval is None:
        return False, f"{told}, but a single query has no interval"
    low, high = moved.interval.low, moved.interval.high
    if low <= 0 <= high:
        return False, f"{told}, but its interval holds 0"
    return True, f"{told}; its interval excludes 0"


def _told(value: float, limit: float | None, *, relative: bool = False) -> str:
    """A value with as many decimals as tell it from its limit, four at least."""
    places = 4
    while limit is not None and not relative and places < 17 and value != limit:
        if float(f"{value:.{places}f}") != limit:
            break
        places += 1
    return f"{value:.{places}f}"


def _refuse_nothing(rule: Rule, value: float) -> None:
    """Refuse to pass what could not be measured."""
    if math.isnan(value):
        where = "" if rule.segment is None else f"of segment {rule.segment!r}"
        raise nothing_measured(rule, where, moves=rule.moves)


def nothing_measured(rule: Rule, where: str, *, moves: bool) -> UsageError:
    """The error for a rule that no query has a value for."""
    has = "has a value both now and in the baseline" if moves else "has a value"
    what = f"{rule.text!r} cannot be judged: no query {where}{' ' if where else ''}{has}"
    return UsageError(Problem("rule", what, help="ndcg eval --per-query shows why"))
