"""Inputs as they are checked: what can be read is, and what cannot is a finding."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike, fspath
from typing import Any, NamedTuple

from ndcg.diagnose.checking.finding import Finding, are_findings, of_notice, of_problems
from ndcg.errors import NdcgError, Notice, Place, Problem
from ndcg.evaluation.given import Foreseen, distinct_names, named_runs, qrels_of, runs_of
from ndcg.formats.source import Input
from ndcg.stores.asked import Asked
from ndcg.stores.given import Judgments, Rankings

_BY_ROWS = {"columns", "score", "grade", "rank"}  # faults of rows, without which the others count


class Read(NamedTuple):
    """A run, or judgments without one, with its file."""

    path: str | None
    rankings: Rankings


class Inputs:
    """What was read, what was found on the way, and what could not be read at all."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.judgments: Judgments | None = None
        self.path: str | None = None  # of the judgments
        self.runs: list[Read] = []
        self.findings: list[Finding] = []
        self.unread: list[Problem] = []

    def read_judgments(self, given: Any) -> None:
        """Read the judgments, leniently where some rows cannot be used."""
        self.path = _path(given)
        for asked in self._ways():
            notices: list[Notice] = []
            try:
                judgments, found = qrels_of(given, notices, fingerprint=False, asked=asked)
            except NdcgError as error:
                if self._note(error, self.path, None):
                    continue
                return
            self.findings += [of_notice(one, self.path, None) for one in notices]
            if not self._spoilt(len(judgments.skipped), found, None):
                self.judgments = judgments
            return

    def read_runs(self, given: Any, foreseen: Foreseen) -> None:
        """Read each run by itself, so that one that cannot be read leaves the others."""
        inputs: list[Input] = []
        for name, run in named_runs(given):
            self._read_run(name, run, foreseen, inputs)
        distinct_names([one.rankings for one in self.runs], inputs)

    def _read_run(
        self, name: str | None, run: Any, foreseen: Foreseen, inputs: list[Input]
    ) -> None:
        path = _path(run)
        judgments = self.judgments or Judgments({})
        for asked in self._ways():
            notices: list[Notice] = []
            try:
                (rankings,), found = runs_of(
                    run if name is None else {name: run},
                    notices,
                    fingerprint=False,
                    asked=asked,
                    prepare=lambda one: foreseen.prepare(judgments, one),
                )
            except NdcgError as error:
                if self._note(error, path, name):
                    continue
                return
            self.findings += [of_notice(one, path, rankings.name) for one in notices]
            if not self._spoilt(len(rankings.skipped), found, rankings.name):
                self.runs.append(Read(path, rankings))
                inputs += found
            return

    def _ways(self) -> Sequence[Asked]:
        strict = self.asked._replace(lenient=False)
        return (strict, self.asked._replace(lenient=True))

    def _note(self, error: NdcgError, path: str | None, system: str | None) -> bool:
        """Note what is wrong; whether the file may be read without its bad rows."""
        if not are_findings(error.problems):
            self.unread += [one for one in error.problems if one not in self.unread]
            return False
        by_rows = {one.word for one in error.problems} <= _BY_ROWS
        level = "note" if by_rows and self.asked.lenient else "error"
        found = of_problems(error.problems, error.total, path, system, level)
        self.findings += [one for one in found if one not in self.findings]
        return by_rows

    def _spoilt(self, skipped: int, found: Sequence[Input], system: str | None) -> bool:
        """Whether so many rows are bad that what is left says nothing; then it is noted."""
        rows = sum(one.rows for one in found)
        if skipped <= rows:
            return False
        what = (
            f"{skipped:,} of {skipped + rows:,} rows cannot be used: the others are not looked at"
        )
        how = (
            "the file may be of another format: --qrels-format, --run-format or --columns names it"
        )
        self.findings.append(Finding("F07", what, Place(found[0].path), how, system))
        return True


def _path(given: Any) -> str | None:
    return fspath(given) if isinstance(given, str | PathLike) else None
