"""Budgets as people write them: ``nDCG@10 drops 0.01``, ``Judged@10 < 0.8 in tail``."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal, DecimalException
from typing import Any, NamedTuple

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
    rf"(?P<subject>[^\s<>][^<>]*?)\s+(?P<verb>{'|'.join(MOVES)})(?:\s+(?P<amount>[^\s%]*\d[^\s%]*)\s*"
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

    def surely(self) -> Rule:
        """The same, only of what is significant; a limit is left as it is."""
        if not self.moves or self.significant:
            return self
        end = "per segment" if self.each else f"in {self.segment}" if self.segment else ""
        start = self.text.removesuffix(" ".join(end.split())).rstrip()
        text = " ".join([start, "significantly", *end.split()])
        return replace(self, significant=True, text=text)

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
    rules = [rule.surely() if significant else rule for rule, _ in parsed]
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
    match = _MOVE.fullmatch(text.strip()) or _LIMIT.fullmatch(text.strip())
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
    whole = amount is not None and amount.is_integer() and not found["percent"]
    if measure is None and not rule.moves and not whole:
        what = f"{rule.subject}, in {words!r}, is a number of queries or documents"
        raise UsageError(Problem("rule", what, help=f"give a whole number: {rule.subject} > 0"))
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
    if not percent:
        return number
    try:  # as the decimal that is meant: 0.7% is 0.007, and 0.7 / 100 is another double
        return float(Decimal(given) / 100)
    except DecimalException:  # of an exponent beyond all measure
        what = f"{given!r}, in {words!r}, is no percentage"
        raise UsageError(Problem("rule", what, help=_HOW)) from None


def _refuse_impossible(rule: Rule) -> None:
    """Refuse rules that always or never fail, whatever is measured."""
    if rule.moves:
        _refuse_move(rule)
        return
    if rule.measure is None and rule.parted:
        part = "per segment" if rule.each else f"in {rule.segment}"
        what = f"{rule.subject}, in {rule.text!r}, is counted over all queries, not by segment"
        raise UsageError(Problem("rule", what, help=f"leave out {part!r}"))
    lowest, highest = _range_of(rule)
    low, high = _allowed(rule)
    never = low <= lowest and high >= highest
    if not never and max(low, lowest) <= min(high, highest):
        return
    what = f"{rule.text!r} {'never' if never else 'always'} fails: {rule.subject} "
    between = f"lies between {number_text(lowest.value)} and {number_text(highest.value)}"
    what += between if highest.value < math.inf else f"is {number_text(lowest.value)} or more"
    raise UsageError(Problem("rule", what + _percent(rule), help=_LIMIT_HELP))


_LIMIT_HELP = "give a limit that some values pass and others do not"


def _percent(rule: Rule) -> str:
    """The question whether a percentage was meant."""
    amount = rule.amount or 0.0
    return (
        f"; did you mean {number_text(amount)}%?" if 1 < amount <= 100 and not rule.relative else ""
    )


def _refuse_move(rule: Rule) -> None:
    """Refuse moves that cannot be told, and those that no value can make."""
    if rule.measure is None:
        what = f"{rule.subject}, in {rule.text!r}, is counted and has no baseline"
        raise UsageError(Problem("rule", what, help=f"give a limit: {rule.subject} > 0"))
    if rule.amount is None:
        return
    if not rule.amount > 0:
        what = f"in {rule.text!r} the amount is {number_text(rule.amount)}, not above 0"
        how = f"leave it out for any move, as in '{rule.subject} {rule.verb}'"
        raise UsageError(Problem("rule", what, help=how))
    shared = rule.measure.record.range in SHARES
    falls = rule.relative and rule.verb == "drops"  # by all of the baseline at most
    if shared and rule.amount > 1 and (falls or not rule.relative):
        what = f"{rule.text!r} never fails: {rule.subject} lies between 0 and 1"
        raise UsageError(Problem("rule", what + _percent(rule), help="give a smaller amount"))


class _End(NamedTuple):
    """An end of a range of values, in the order of what it lets in; `beyond` moves it past them."""

    value: float
    beyond: int = 0  # -1: just below the value, 1: just above it


def _range_of(rule: Rule) -> tuple[_End, _End]:
    """What the values lie between, where that is known."""
    if rule.measure is None or rule.measure.record.over_queries == "sum":
        return _End(0.0), _End(math.inf)
    # Rare conventions leave it (documents that count twice), and nobody gates what they do there.
    low, high = (0.0, 1.0) if rule.measure.record.range in SHARES else (-math.inf, math.inf)
    return _End(low), _End(high)


def _allowed(rule: Rule) -> tuple[_End, _End]:
    """The first and the last value that passes a limit."""
    limit, closed = rule.amount or 0.0, rule.verb in ("<", ">")
    below = "<" in rule.verb  # fails below: what passes starts here
    if rule.measure is None:  # a whole number
        whole = math.ceil(limit) if below else math.floor(limit)
        if not closed and whole == limit:
            whole += 1 if below else -1
        limit, closed = float(whole), True
    if below:
        return _End(limit, 0 if closed else 1), _End(math.inf)
    return _End(-math.inf), _End(limit, 0 if closed else -1)


def refuse_contradictions(rules: Sequence[Rule]) -> None:
    """Refuse limits that no value holds, and moves that are given two amounts."""
    moves: dict[tuple[object, ...], Rule] = {}
    for rule in rules:
        if rule.moves:
            first = moves.setdefault(_key(rule)[:-1], rule)
            if first is not rule:
                what = f"{first.text!r} and {rule.text!r} give one move two amounts"
                raise UsageError(Problem("rule", what, help="keep the smaller one"))
    limits: dict[str, list[Rule]] = {}
    for rule in rules:
        if not rule.moves:
            limits.setdefault(rule.subject, []).append(rule)
    for own in limits.values():
        # What holds for each segment holds for every one that is named.
        for segment in dict.fromkeys((rule.segment, rule.each) for rule in own):
            _refuse_limits([rule for rule in own if (rule.segment, rule.each) == segment
                            or (rule.each and segment[0] is not None)])  # fmt: skip


def _refuse_limits(rules: Sequence[Rule]) -> None:
    """Refuse limits that no value passes all of."""
    lowest = max(rules, key=lambda rule: _allowed(rule)[0])
    highest = min(rules, key=lambda rule: _allowed(rule)[1])
    if _allowed(lowest)[0] > _allowed(highest)[1]:
        first, second = (rule for rule in rules if rule in (lowest, highest))
        what = f"{first.text!r} and {second.text!r} contradict each other: no value passes both"
        raise UsageError(Problem("rule", what, help="leave room between the two limits"))


def _key(rule: Rule) -> tuple[object, ...]:
    """What makes two rules one, the amount last."""
    how = rule.verb, rule.relative, rule.significant
    return rule.subject, rule.segment, rule.each, *how, rule.amount
