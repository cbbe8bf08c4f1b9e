"""What a gate found: plain values, with the dictionaries that JSON is made of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from ndcg._version import VERSION
from ndcg.errors import Notice
from ndcg.evaluation.results import Evaluation
from ndcg.gating.baselines import Baseline
from ndcg.gating.rules import Rule
from ndcg.statistics.intervals import Interval

PASSED, FAILED, ACCEPTED, SKIPPED = "passed", "failed", "accepted", "skipped"


class Worst(NamedTuple):
    """A query that a rule owes most to: its value, and what it was."""

    query: str
    value: float | None  # None: an account names the query alone
    before: float | None = None

    @property
    def difference(self) -> float | None:
        """By how much the value moved."""
        if self.value is None or self.before is None:
            return None
        return self.value - self.before


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a rule.

    Attributes
    ----------
    status : passed, failed; accepted: what would have failed, but the baseline is rewritten;
        skipped: nothing can be said of it, and something of another part or rule.
    value, before, n : now and in the baseline, over n queries; of a limit there is no before.
    unpaired : queries with a value on one side alone, which are in neither mean.
    interval : of the paired differences, where there is one.
    reason : why, in words.
    worst : the queries that moved furthest in the rule's direction, or are nearest to its limit.
    """

    rule: Rule
    status: str
    value: float | None
    before: float | None
    n: int
    unpaired: int
    interval: Interval | None
    reason: str
    worst: tuple[Worst, ...] = ()

    @property
    def difference(self) -> float | None:
        """By how much the value moved."""
        if self.value is None or self.before is None:
            return None
        return self.value - self.before

    def to_dict(self) -> dict[str, Any]:
        """The outcome as JSON carries it."""
        return {
            "rule": self.rule.text,
            "measure": self.rule.subject,
            "segment": self.rule.segment,
            "status": self.status,
            "significant": self.rule.significant,
            "value": self.value,
            "baseline": self.before,
            "difference": self.difference,
            "interval": self.interval and self.interval.to_dict(),
            "n": self.n,
            "unpaired": self.unpaired,
            "reason": self.reason,
            "worst": [
                {"query": one.query, "value": one.value, "baseline": one.before,
                 "difference": one.difference}
                for one in self.worst
            ],
        }  # fmt: skip


class Against(NamedTuple):
    """What was compared with: a file, or a run where there is no path."""

    path: str
    system: str
    version: str
    judgments: str  # digest

    @classmethod
    def of(cls, baseline: Baseline) -> Against:
        """What is to be said of a baseline."""
        return cls(baseline.path, baseline.system, baseline.version, baseline.judgments)


@dataclass(frozen=True, slots=True, repr=False)
class Gate:
    """What `gate` returns: an outcome for each rule, and the evaluation behind them.

    Truth is whether it passed: ``assert ndcg.gate(...)``.
    """

    outcomes: tuple[Outcome, ...]
    evaluation: Evaluation
    system: str
    judgments: str  # digest
    against: Against | None = None
    updated: str | None = None  # the baseline that was written
    kept: str | None = None  # the baseline that was not, as something failed
    label: str | None = None
    notices: tuple[Notice, ...] = ()  # of the gate; those of the evaluation are with it

    @property
    def passed(self) -> bool:
        """Whether no rule failed."""
        return not self.failures

    @property
    def failures(self) -> tuple[Outcome, ...]:
        """The rules that failed."""
        return tuple(one for one in self.outcomes if one.status == FAILED)

    def __bool__(self) -> bool:
        return self.passed

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it."""
        measures = self.evaluation.systems[self.system].measures
        return {
            "schema": 1,
            "version": VERSION,
            "passed": self.passed,
            "system": self.system,
            "label": self.label,
            "judgments": self.judgments,
            "convention": self.evaluation.convention.to_dict(),
            "digest": self.evaluation.digest,
            "inputs": [one.to_dict() for one in self.evaluation.inputs],
            "baseline": self.against and self.against._asdict(),
            "updated": self.updated,
            "kept": self.kept,
            "measures": {name: one.to_dict() for name, one in measures.items()},
            "rules": [one.to_dict() for one in self.outcomes],
            "notices": [str(one) for one in (*self.notices, *self.evaluation.notices)],
        }

    def report(self, format_name: str = "text") -> str:
        """The gate as text in one of the command's formats."""
        from ndcg.reports.gated import render  # upwards, once: for people at a prompt

        return render(self, format_name)

    def __str__(self) -> str:
        notices = map(str, (*self.notices, *self.evaluation.notices))
        return "\n".join([self.report().rstrip("\n"), *notices])

    def __repr__(self) -> str:
        return f"<Gate {'passed' if self.passed else 'failed'}: {len(self.outcomes)} rules>"
