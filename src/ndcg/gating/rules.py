"""Budgets as people write them: ``nDCG@10 drops 0.01``, ``Judged@10 < 0.8 in tail``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

from ndcg.axes import number_of, number_text
from ndcg.errors import Notice, Problem, UsageError, count, did_you_mean, listed, note
from ndcg.evaluation.uncertainty import SHARES
from ndcg.gating.counts import COUNTS
from ndcg.measures.names import Foreign
from ndcg.measures.registry import Measure, parse

MOVES = ("drops", "rises", "changes")  # against a baseline
LIMITS = ("<", "<=", ">", ">=")

_END = r"(?:\s+in\s+(?P<segment>\S.*)|\s+(?P<each>per\s+segment))?"
_MOVE = re.compile(
    rf"(?P<subject>\S.*?)\s+(?P<verb>{'|'.join(MOVES)})(?:\s+(?P<amount>[^\s%]*\d[^\s%]*)\s*"
    rf"(?P<percent>%)?)?(?P<surely>\s+significantly)?{_END}"
)
_LIMIT = re.compile(
    rf"(?P<subject>\S.*?)\s*(?P<verb><=|>=|<|>)\s*(?P<amount>[^\s%<>=]+)\s*(?P<percent>%)?{_END}"
)
_HOW = (
    "write MEASURE drops [AMOUNT or PERCENT%] [significantly], or rises or changes, or "
    "MEASURE < LIMIT; then [in SEGMENT] or [per segment], as in 'nDCG@10 drops 0.01'"
)

# What people gate beside rankings, and why it cannot be computed from judgments and a run.
_ELSEWHERE = (
    (("latency", "p50", "p90", "p95", "p99", "seconds", "time", "qps", "throughput", "ms"),
     "how fast a system answers stands in no run"),
    (("cost", "tokens", "price", "memory", "cpu"), "what an answer costs stands in no run"),
    (("loss", "perplexity", "rmse", "mse", "mae", "auc", "accuracy"),
     "it is a measure of predictions, not of a ranking with judgments"),
    (("bleu", "rouge", "faithfulness", "groundedness", "hallucination", "bertscore"),
     "it is about the text of answers, and a run holds ids alone"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Rule:
    """One budget: what makes a gate fail.

    Attributes
    ----------
    text : as it was written, blanks made one.
    subject : a measure in its full notation, or what an account counts (``missing``).
    verb : one of `MOVES` or `LIMITS`.
    amount : the limit, or how much of a move is too much; None: any.
    relative : the amount is a share of the baseline.
    significant : a move counts only if the interval of the paired differences excludes 0.
    segment : the segment that it is about; None: all queries.
    each : every segment has to hold it.
    """

    text: str
    subject: str
    verb: str
    amount: float | None
    relative: bool = False
    significant: bool = False
    segment: str | None = None
    each: bool = False
    measure: Measure | None = None  # None: an account
    part_of_many: bool = False  # one segment of a rule about each

    @property
    def moves(self) -> bool:
        """Whether it needs a baseline."""
        return self.verb in MOVES

    @property
    def parted(self) -> bool:
        """Whether it is about segments."""
        return self.each or self.segment is not None

    def of(self, segment: str) -> Rule:
        """The same for one segment alone."""
        text = f"{self.text.removesuffix('per segment').rstrip()} in {segment}"
        return replace(self, segment=segment, each=False, text=text, part_of_many=True)


def rules_of(
    given: str | Sequence[str], *, significant: bool = False
) -> tuple[list[Rule], list[Foreign], list[Notice]]:
    """The rules that texts stand for, each once, and the foreign names in them.

    Raises
    ------
    UsageError
        For texts that are no rules, and rules that contradict each other.
    """
    texts: Any = [given] if isinstance(given, str) else given
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        what = f"rules are {given!r}, not texts"
        raise UsageError(Problem("rule", what, help="such as ['nDCG@10 drops 0.01']"))
    parsed = [parse_rule(text) for text in texts]
    rules = [replace(rule, significant=rule.significant or (rule.moves and significant))
             for rule, _ in parsed]  # fmt: skip
    once = list({_key(rule): rule for rule in reversed(rules)}.values())[::-1]
    twice = len(rules) - len(once)
    notices = [note(f"{count(twice, 'rule')} given twice, and held once")] if twice else []
    refuse_contradictions(once)
    foreign = [name for _, name in parsed if name is not None]
    return once, foreign, notices


def parse_rule(text: str) -> tuple[Rule, Foreign | None]:
    """Read one rule; a foreign name of its measure comes with whose it is.

    >>> rule, _ = parse_rule("nDCG@10 drops 2% significantly in tail")
    >>> rule.subject, rule.verb, rule.amount, rule.relative, rule.significant, rule.segment
    ('nDCG@10', 'drops', 0.02, True, True, 'tail')
    """
    words = " ".join(text.split())
    match = _MOVE.fullmatch(words) or _LIMIT.fullmatch(words)
    if match is None:
        raise _no_rule(words)
    found = match.groupdict()
    verb = found["verb"]
    measure, foreign = _subject(found["subject"], words)
    amount = _amount(words, found["amount"], found["percent"])
    rule = Rule(
        words,
        found["subject"] if measure is None else str(measure),
        verb,
        amount,
        relative=verb in MOVES and found["percent"] is not None,
        significant=bool(found.get("surely")),
        segment=found["segment"],
        each=found["each"] is not None,
        measure=measure,
    )
    _refuse_impossible(rule)
    return rule, foreign


def _no_rule(words: str) -> UsageError:
    what = f"{words!r} is no rule of a gate"
    verbs = [word for word in words.split()[1:] if did_you_mean(word, MOVES)]
    if verbs and verbs[0] not in MOVES:
        what += did_you_mean(verbs[0], MOVES)
    if not words:
        what = "a rule is empty"
    return UsageError(Problem("rule", what, help=_HOW))


def _subject(name: str, words: str) -> tuple[Measure | None, Foreign | None]:
    """The measure, or None for what is counted."""
    if name in COUNTS:
        return None, None
    parts = {*re.split(r"[^a-z0-9]+", name.lower())}
    why = next((why for names, why in _ELSEWHERE if parts & {*names}), None)
    try:
        return parse(name)
    except UsageError as error:
        if why is not None:
            what = f"{name!r}, in {words!r}, is gated elsewhere: {why}"
            how = "gate it where it is measured; what can be gated: ndcg measures, and "
            raise UsageError(Problem("rule", what, help=how + listed(COUNTS, 9))) from None
        problem = error.problems[0]
        raise UsageError(problem._replace(what=f"in {words!r}: {problem.what}")) from None


def _amount(words: str, given: str | None, percent: str | None) -> float | None:
    if given is None:
        return None
    number = number_of(given)
    if number is None:
        raise UsageError(Problem("rule", f"{given!r}, in {words!r}, is no number", help=_HOW))
    return number / 100 if percent else number


def _refuse_impossible(rule: Rule) -> None:
    """Refuse rules that always or never fail, whatever is measured."""
    if rule.moves:
        if rule.measure is None:
            what = f"{rule.subject}, in {rule.text!r}, is counted and has no baseline"
            raise UsageError(Problem("rule", what, help=f"give a limit: {rule.subject} > 0"))
        if rule.amount is not None and not rule.amount > 0:
            what = f"in {rule.text!r} the amount is {number_text(rule.amount)}, not above 0"
            how = f"leave it out for any move, as in '{rule.subject} {rule.verb}'"
            raise UsageError(Problem("rule", what, help=how))
        return
    if rule.measure is None and rule.parted:
        part = "per segment" if rule.each else f"in {rule.segment}"
        what = f"{rule.subject}, in {rule.text!r}, is counted over all queries, not by segment"
        raise UsageError(Problem("rule", what, help=f"leave out {part!r}"))
    low, high = _range_of(rule)
    limit, some = rule.amount or 0.0, _some_pass(rule, low, high)
    if low <= limit <= high and some:
        return
    what = f"{rule.text!r} {'never' if some else 'always'} fails: {rule.subject} "
    between = f"lies between {number_text(low)} and {number_text(high)}"
    what += between if high < math.inf else f"is {number_text(low)} or more"
    near = f"; {number_text(limit / 100)} for {number_text(limit)}%?" if 1 < limit <= 100 else ""
    raise UsageError(
        Problem("rule", what + near, help="give a limit that some values pass and others do not")
    )


def _range_of(rule: Rule) -> tuple[float, float]:
    """What the values of a measure lie between, where that is known."""
    if rule.measure is None:
        return 0.0, math.inf
    # Rare conventions leave it (documents that count twice): nobody gates those so far outside.
    return (0.0, 1.0) if rule.measure.record.range in SHARES else (-math.inf, math.inf)


def _allowed(rule: Rule) -> tuple[float, float, bool]:
    """The values that pass a limit: from, to, and whether the limit itself does."""
    limit = rule.amount or 0.0
    closed = rule.verb in ("<", ">")
    return (limit, math.inf, closed) if "<" in rule.verb else (-math.inf, limit, closed)


def _some_pass(rule: Rule, low: float, high: float) -> bool:
    """Whether some values between the two pass."""
    start, end, closed = _allowed(rule)
    start, end = max(start, low), min(end, high)
    return start < end or (closed and start == end)


def refuse_contradictions(rules: Sequence[Rule]) -> None:
    """Refuse two rules that nothing can hold, or that give one move two amounts."""
    alike: dict[tuple[object, ...], list[Rule]] = {}
    for rule in rules:
        alike.setdefault((rule.subject, rule.segment, rule.each), []).append(rule)
    for own in alike.values():
        for first, second in combinations(own, 2):
            _refuse_both(first, second)


def _refuse_both(first: Rule, second: Rule) -> None:
    """Refuse two rules about one thing that contradict each other."""
    if first.moves and second.moves and _key(first)[:-1] == _key(second)[:-1]:
        what = f"{first.text!r} and {second.text!r} give one move two amounts"
        raise UsageError(Problem("rule", what, help="keep the smaller one"))
    if not first.moves and not second.moves and not _both_hold(first, second):
        what = f"{first.text!r} and {second.text!r} contradict each other: no value passes both"
        raise UsageError(Problem("rule", what, help="leave room between the two limits"))


def _both_hold(first: Rule, second: Rule) -> bool:
    one, other = _allowed(first), _allowed(second)
    start, end = max(one[0], other[0]), min(one[1], other[1])
    return start < end or (start == end and one[2] and other[2])


def _key(rule: Rule) -> tuple[object, ...]:
    """What makes two rules one, the amount last."""
    how = rule.verb, rule.relative, rule.significant
    return rule.subject, rule.segment, rule.each, *how, rule.amount
