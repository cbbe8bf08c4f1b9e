"""Verdicts: what a comparison allows to say, and where it allows nothing, why."""

from __future__ import annotations

from typing import NamedTuple

from ndcg.errors import count
from ndcg.statistics.intervals import Interval
from ndcg.statistics.paired import Shape

BETTER, WORSE, EQUIVALENT = "better", "worse", "equivalent"
UNKNOWN, IDENTICAL = "cannot be told", "identical"


class Facts(NamedTuple):
    """What a verdict rests on."""

    baseline: str
    system: str
    n: int
    difference: float
    interval: Interval | None  # at level 1 - alpha
    narrow: Interval | None  # at level 1 - 2 alpha, for equivalence
    p: float  # corrected
    alone: float  # before that
    smallest: float  # that p could be at all
    pairs: int  # by which its smallest value is multiplied
    draws: int | None  # of signs; None: all were tried
    detectable: float
    needed: int | None
    shape: Shape


class Verdict(NamedTuple):
    """What can be said, in a word and in a sentence."""

    word: str
    sentence: str


def verdict_of(facts: Facts, alpha: float, min_effect: float | None) -> Verdict:
    """The verdict: from the corrected p, and with a smallest effect that matters, from intervals.

    The word never contradicts the p beside it: better and worse need p below alpha.
    """
    if facts.n < 2:
        return Verdict(UNKNOWN, f"cannot be told: {count(facts.n, 'query', 'queries')} to compare")
    if not facts.shape.wins and not facts.shape.losses:
        what = f"identical on all {count(facts.n, 'query', 'queries')}"
        return Verdict(IDENTICAL, what)
    if min_effect is not None and _within(facts.narrow, min_effect):
        return Verdict(EQUIVALENT, _equivalent(facts, min_effect, alpha))
    if facts.p >= alpha:
        what = f"cannot be told: {_why(facts, alpha)}"
        return Verdict(UNKNOWN, what + _beyond_margin(facts, alpha, min_effect))
    word = BETTER if facts.difference > 0 else WORSE
    if min_effect is not None and not _beyond(facts.interval, min_effect):
        what = f"cannot be told: {word}, but whether by {min_effect:g} or more is open"
        return Verdict(UNKNOWN, what)
    doubts = f"; but {', '.join(facts.shape.doubts)}" if facts.shape.doubts else ""
    return Verdict(word, f"{facts.system} is {word} than {facts.baseline}{doubts}")


def _beyond_margin(facts: Facts, alpha: float, margin: float | None) -> str:
    """Why it is not equivalent either."""
    if margin is None or facts.narrow is None:
        return ""
    level, (low, high) = 100 * (1 - 2 * alpha), facts.narrow[:2]
    return f"; the {level:g}% interval, {low:+.4f} to {high:+.4f}, reaches beyond {margin:g}"


def _within(interval: Interval | None, margin: float) -> bool:
    if interval is None or interval.low == interval.high:
        return False  # no spread was seen, which is no knowledge of it
    return -margin < interval.low and interval.high < margin


def _beyond(interval: Interval | None, margin: float) -> bool:
    return interval is not None and (interval.low >= margin or interval.high <= -margin)


def _equivalent(facts: Facts, margin: float, alpha: float) -> str:
    level = 100 * (1 - 2 * alpha)
    return (
        f"{facts.system} and {facts.baseline} are equivalent within {margin:g} "
        f"(their {level:g}% interval lies inside)"
    )


def _why(facts: Facts, alpha: float) -> str:
    """Why a difference cannot be told from none."""
    differing = facts.shape.wins + facts.shape.losses
    if facts.draws is not None and facts.pairs / (1 + facts.draws) >= alpha:
        least = min(1.0, facts.pairs / (1 + facts.draws))
        number = f", corrected for {facts.pairs:,} pairs," if facts.pairs > 1 else ""
        return f"the smallest p of {facts.draws:,} draws{number} is {least:.4g}: more are --draws N"
    if facts.smallest >= alpha:
        which = "1 query differs" if differing == 1 else f"{differing} queries differ"
        return f"{which}, and the smallest p that so few can reach is {facts.smallest:.4g}"
    if facts.alone < alpha:
        return "below the level alone, but not among so many comparisons"
    if abs(facts.difference) < facts.detectable:
        needed = "" if facts.needed is None else f"; it needs about {facts.needed:,} queries"
        return (
            f"{facts.n} queries show differences of {facts.detectable:.4f}, this one is "
            f"{abs(facts.difference):.4f}{needed}"
        )
    doubts = ", ".join(facts.shape.doubts)
    return f"the differences vary too much{f' ({doubts})' if doubts else ''}"
