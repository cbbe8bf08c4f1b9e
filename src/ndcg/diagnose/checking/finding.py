"""Findings: what a rule found, where, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from ndcg.diagnose.checking.rules import RULES, Rule
from ndcg.errors import Notice, Place, Problem

# Words of errors that are findings; whatever else is wrong with a file leaves it unread.
_OF_WORDS = {
    "duplicate": "R01",
    "score": "R07",
    "rank": "R07",
    "no-common-query": "R11",
    "two-systems": "R15",
    "not-a-run": "R16",
    "judgments": "Q03",
    "subtopics": "Q19",
    "not-qrels": "Q20",
    "grade": "Q21",
    "gain": "Q24",
    "columns": "F07",
    "missing-query": "R05",
    "extra-query": "R04",
    "few-documents": "R06",
    "empty-ideal": "Q02",
    "no-query": "Q02",
    "negative-grade": "Q01",
}
_WHOLE = "is no whole number"  # as `evaluation.grades` says it
# Where a notice says which flag counts otherwise, a finding says how the files are mended.
_TO_MEND = ("R01", "R02", "R04", "R05", "R09", "R14", "R18", "Q22")


class Finding(NamedTuple):
    """What a rule found."""

    code: str
    what: str
    place: Place | None = None
    help: str | None = None
    system: str | None = None  # the run that it is about; None: the judgments
    severity: str | None = None  # another level than that of the rule

    @property
    def rule(self) -> Rule:
        """The rule, with its reason and its remedy."""
        return RULES[self.code]

    @property
    def level(self) -> str:
        """``error``, ``warning`` or ``note``."""
        return self.severity or self.rule.level

    def __str__(self) -> str:
        """The finding as it is printed, without colour."""
        lines = [f"{self.level}[{self.code}]: {self.what}"]
        if self.place is not None:
            lines += self.place.lines()
        elif self.system is not None:
            lines.append(f" --> run {self.system}")
        if self.help is not None:
            lines.append(f"help: {self.help}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The finding as JSON carries it."""
        place = self.place
        return {
            "code": self.code,
            "name": self.rule.name,
            "level": self.level,
            "what": self.what,
            "file": place and place.file,
            "line": place and place.line,
            "text": place and place.text,
            "help": self.help,
            "system": self.system,
        }


def of_notice(notice: Notice, path: str | None, system: str | None) -> Finding:
    """A notice of a file or an evaluation as a finding."""
    what = notice.what
    if path is not None:
        what = what.removeprefix(f"{path}: ")
    place = None if path is None else Place(path)
    code = notice.rule or "F05"
    how = RULES[code].remedy if code in _TO_MEND else notice.help
    return Finding(code, what, place, how, system)


def of_problems(
    problems: Iterable[Problem],
    total: int,
    path: str | None,
    system: str | None,
    severity: str = "error",
) -> list[Finding]:
    """The problems of a file as findings, how many more there are with the last one.

    None of them is left out: a problem that is no finding is for the caller to raise.
    """
    found = []
    for problem in problems:
        place = problem.place or (None if path is None else Place(path))
        code = _OF_WORDS[problem.word]
        if code == "Q21" and problem.what.endswith(_WHOLE):
            code = "Q04"  # finite, and refused by the convention
        found.append(Finding(code, problem.what, place, problem.help, system, severity))
    if total > len(found):
        last = found[-1]
        more = f"{last.what}; and {total - len(found):,} more like these"
        found[-1] = last._replace(what=more)
    return found


def are_findings(problems: Iterable[Problem]) -> bool:
    """Whether rules look for these problems, rather than that they leave a file unread."""
    return all(problem.word in _OF_WORDS for problem in problems)
