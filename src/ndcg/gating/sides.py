"""The two sides of a gate: the run that is held, and what it is compared with."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from ndcg.errors import DataError, Notice, Problem, UsageError, listed, note, warn
from ndcg.evaluation.given import named_runs
from ndcg.evaluation.results import Evaluation
from ndcg.evaluation.scoring import Scoring
from ndcg.gating.baselines import Baseline
from ndcg.gating.measured import Measured
from ndcg.gating.previous import Previous
from ndcg.gating.rules import Rule


def runs_of(run: Any, previous: Previous | None) -> Any:
    """The run, and behind it the one that it is compared with."""
    if previous is None or previous.run is None:
        return run
    name, one = _only(run)
    other_name, other = _only(previous.run)
    if isinstance(one, str | PathLike) and isinstance(other, str | PathLike):
        if os.path.realpath(one) == os.path.realpath(other):
            what = f"{fspath(one)} is the run and the baseline, and nothing moves"
            raise UsageError(Problem("baseline", what, help="give the run of another day"))
        return [one, other]
    name = name or "run"
    other_name = other_name or "baseline"
    return {name: one, other_name + "'" * (other_name == name): other}


def _only(given: Any) -> tuple[str | None, Any]:
    named = named_runs(given)
    if len(named) != 1:
        raise several(len(named))
    return named[0]


def several(number: int) -> UsageError:
    """The error for more runs than one."""
    what = f"a gate is for one run, and {number} are given"
    return UsageError(Problem("usage", what, help="gate each by itself"))


class Sides:
    """The run that is held and what it is compared with; each measure is worked out once.

    `why_not` says by measure why it cannot be compared; under None why nothing can.
    """

    def __init__(
        self, scorings: Sequence[Scoring], evaluation: Evaluation, previous: Previous | None,
        digest: str, level: float,
    ) -> None:  # fmt: skip
        with_run = previous is not None and previous.run is not None
        if len(scorings) > 1 + with_run:
            raise several(len(scorings))
        self.scoring, self.level = scorings[0], level
        self.system = evaluation.systems[self.scoring.rankings.name]
        self.now = Baseline.of(self.system, digest, previous.path if previous else "")
        self.before = None if previous is None else previous.baseline
        if with_run:
            self.before = Baseline.of(evaluation.systems[scorings[1].rankings.name], digest)
        self.why_not: Mapping[str | None, Problem] = {}
        self._measured: dict[str, Measured] = {}

    def settle(self, rules: Sequence[Rule], previous: Previous | None, *, update: bool
               ) -> list[Notice]:  # fmt: skip
        """Refuse a file of something else; where it is rewritten, only say what that is."""
        if self.before is None or previous is None or previous.baseline is None:
            return []  # a run is scored by the same rules and judgments
        moving = list(dict.fromkeys(rule.subject for rule in rules if rule.moves))
        self.why_not = self.before.differences(self.now, moving)
        if self.why_not and not update:
            raise DataError(self.why_not.values())
        found = [warn(one.what) for one in self.why_not.values()]
        gone = [name for name in self.before.signatures if name not in self.now.signatures]
        if update and gone:
            what = f"{listed(gone)}, in the baseline so far, will not be there"
            found.append(note(what, "-m NAME keeps a measure that no rule is about"))
        return found

    def why_not_compared(self, rule: Rule) -> str | None:
        """Why the measure of a rule cannot be compared."""
        if self.before is None:
            return "there is nothing to compare with"
        problem = self.why_not.get(None) or self.why_not.get(rule.subject)
        return None if problem is None else f"nothing to compare with: {problem.what}"

    def of(self, rule: Rule) -> Measured:
        """The values of the measure of a rule."""
        if rule.measure is None:
            raise KeyError(rule.subject)
        if rule.subject not in self._measured:
            before = None if self.before is None else self.before.per_query
            self._measured[rule.subject] = Measured(self.scoring, rule.measure, before, self.level)
        return self._measured[rule.subject]
