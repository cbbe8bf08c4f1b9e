"""check(): everything that is to be known about judgments and runs before they are believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, Unpack

import numpy as np

from ndcg.axes import AXES, Axes
from ndcg.convention import Convention
from ndcg.diagnose.checking import of_judgments, of_runs
from ndcg.diagnose.checking.finding import Finding, are_findings, of_notice, of_problems
from ndcg.diagnose.checking.inputs import Inputs, Read
from ndcg.diagnose.checking.rules import selected
from ndcg.diagnose.covered import Coverage, coverage_of
from ndcg.diagnose.milder import milder
from ndcg.diagnose.pool import Pooled, pool_of
from ndcg.errors import DataError, NdcgError, Notice, Place, Problem, UsageError, count
from ndcg.evaluation.asked import Tables, convention_of, measures_of
from ndcg.evaluation.given import Foreseen, asked_of, refuse_two_readers
from ndcg.evaluation.grades import refuse_grades
from ndcg.evaluation.scoring import Scoring
from ndcg.evaluation.subset import declared, restricted, with_subset
from ndcg.measures.registry import Measure
from ndcg.stores.given import Judged, Judgments

LEVELS = ("error", "warning", "note")


@dataclass(frozen=True, slots=True)
class Checked:
    """What a check found."""

    findings: tuple[Finding, ...]
    coverage: tuple[Coverage, ...]  # of each run that could be evaluated
    unread: tuple[Problem, ...]  # why files could not be read
    pool: tuple[Pooled, ...] = ()  # what is to be judged, if that was asked for

    def count(self, level: str) -> int:
        """How many findings have a level."""
        return sum(one.level == level for one in self.findings)

    def fails_on(self, level: str) -> int:
        """1 if there are findings of a level or a graver one, else 0."""
        return int(any(self.count(one) for one in LEVELS[: LEVELS.index(level) + 1]))

    @property
    def exit_code(self) -> int:
        """2 if a file could not be read, 1 for errors and warnings, 0 for none or notes alone."""
        return 2 if self.unread else self.fails_on("warning")

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it."""
        return {
            "schema": 1,
            "findings": [one.to_dict() for one in self.findings],
            "counts": {level: self.count(level) for level in LEVELS},
            "unread": [_unread(one) for one in self.unread],
            "coverage": [one.to_dict() for one in self.coverage],
        }

    @property
    def summary(self) -> str:
        """How many findings there are of each level."""
        number = [count(self.count(level), level) for level in LEVELS if self.count(level)]
        number += [f"{len(self.unread)} unreadable"] if self.unread else []
        return ", ".join(number) if number else "nothing found"

    def __str__(self) -> str:
        return "\n".join([*map(str, (*self.findings, *self.unread)), self.summary])


def _unread(problem: Problem) -> dict[str, Any]:
    """Why a file could not be read, as JSON carries it."""
    return {
        "code": problem.code,
        "name": problem.word,
        "what": problem.what,
        "file": problem.place and problem.place.file,
        "help": problem.help,
    }


def check(
    qrels: Any,
    run: Any = None,
    measures: str | Sequence[str] = "nDCG@10",
    *,
    preset: str | None = None,
    convention: Convention | str | None = None,
    queries: Iterable[str] | None = None,
    corpus: str | PathLike[str] | None = None,
    pool: int | None = None,
    select: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    lenient: bool = False,
    **axes: Unpack[Axes],
) -> Checked:
    """Look for what makes a number wrong, or another one than is meant.

    Parameters
    ----------
    qrels, run
        As in `evaluate`; without a run, the judgments alone are looked at.
    measures
        The measures that are to be computed: cutoffs and gains decide what matters.
    corpus
        A file with the ids of the collection: JSON lines with ``_id``, or an id first in each line.
    pool
        Gather what is not judged in the top so many documents of any run, in `Checked.pool`.
    select, ignore
        Codes, beginnings of codes, or names of the rules that are looked at, or not: ``"Q03"``,
        ``["R", "low-coverage"]``.
    lenient
        Take bad rows for notes: they are known, and left out.
    preset, convention, queries, columns, qrels_format, run_format, **axes
        As in `evaluate`. What an axis that is given here settles is a note.

    Raises
    ------
    UsageError
        When what is asked for does not exist. What is wrong with data is a finding, and a file
        that cannot be read stands in `Checked.unread`.

    Examples
    --------
    >>> qrels = {"q1": {"a": 2, "b": 0}, "q2": {"c": 1}}
    >>> found = check(qrels, {"q1": {"a": 2.0, "x": 1.0}})
    >>> [one.code for one in found.findings if one.level == "warning"]
    ['R05']
    """
    base = convention_of(preset, convention, axes)
    _refuse_other(corpus, pool)
    asked, _ = measures_of(measures)
    codes = selected(select, ignore)
    chosen = declared(queries)
    base = with_subset(base, chosen)
    refuse_two_readers(qrels, run if run is not None else {})
    inputs = Inputs(asked_of(columns, qrels_format, run_format, lenient=lenient))
    inputs.read_judgments(qrels)
    explicit = "order_by" in axes
    if run is not None:
        inputs.read_runs(run, Foreseen(base, asked, explicit, chosen))
    checking = _Checking(base, asked, chosen, inputs, explicit_order=explicit)
    checking.look(None if corpus is None else fspath(corpus))
    found = [_settled(one, _chosen(base, axes)) for one in dict.fromkeys(inputs.findings)]
    found = [one for one in found if one.code in codes]
    found.sort(key=lambda one: (LEVELS.index(one.level), one.code))
    pooled = () if pool is None else checking.pool(pool)
    return Checked(tuple(found), tuple(checking.coverage), tuple(inputs.unread), tuple(pooled))


def _refuse_other(corpus: Any, pool: Any) -> None:
    """Refuse what is no file and no depth."""
    if corpus is not None and not isinstance(corpus, str | PathLike):
        what = f"corpus={corpus!r} is no file"
        raise UsageError(Problem("type", what, help="the path of a file with ids"))
    whole = isinstance(pool, int | np.integer) and not isinstance(pool, bool)
    if pool is not None and not (whole and pool > 0):
        what = f"pool={pool!r} is not a number of ranks"
        raise UsageError(Problem("type", what, help="a whole number from 1 up"))


def _chosen(base: Convention, axes: Mapping[str, Any]) -> dict[str, str]:
    """The rules that were chosen: by themselves, or as another one than the usual by a preset."""
    usual = Convention()
    return {
        axis: value
        for axis in AXES
        if (value := getattr(base, axis)) != "error"
        and (axis in axes or value != getattr(usual, axis))
    }


def _settled(found: Finding, chosen: Mapping[str, str]) -> Finding:
    """A finding, a note where a rule that settles it was chosen; a refusal stays one."""
    settled = [f"{axis}:{chosen[axis]}" for axis in found.rule.settled_by if axis in chosen]
    if found.severity is not None or not settled:
        return found
    return found._replace(severity="note", help=f"settled by {', '.join(settled)}")


class _Checking:
    """A check under way: what is refused is noted, and the rest looked at by a milder rule."""

    def __init__(
        self,
        base: Convention,
        measures: Sequence[Measure],
        chosen: frozenset[str] | None,
        inputs: Inputs,
        *,
        explicit_order: bool,
    ) -> None:
        self.base = base
        self.measures, self.explicit_order = measures, explicit_order
        self.chosen, self.inputs = chosen, inputs
        self.coverage: list[Coverage] = []

    def look(self, corpus: str | None) -> None:
        """Look at everything that was read."""
        judgments = self.inputs.judgments
        if judgments is None:
            return
        try:
            notices: list[Notice] = []
            judgments = restricted(judgments, self.chosen, notices)
        except DataError as error:
            self.inputs.unread += error.problems
            return
        self.inputs.findings += [of_notice(one, self.inputs.path, None) for one in notices]
        asked = self.base.judgments
        judged = self._settled(judgments)
        facts = of_judgments.facts_of(
            self.inputs.path, judgments, judged, self.base, self.measures,
            refused=self.base.judgments != asked,
        )  # fmt: skip
        self._refused_grades(judgments)
        said = {one.code for one in self.inputs.findings if one.severity == "error"}
        found = of_judgments.findings(facts)
        self.inputs.findings += [one for one in found if one.code not in said]
        if corpus is not None:
            self._look_into(corpus, judged)
        for run in self.inputs.runs:
            self._look_at(run, judgments)

    def _refused_grades(self, judgments: Judgments) -> None:
        """Grades that the conventions of the measures refuse, whatever the runs."""
        for measure in self.measures:
            try:
                refuse_grades(
                    judgments, measure.convention(self.base), graded=measure.record.graded
                )
            except DataError as error:
                self._add(of_problems(error.problems, error.total, self.inputs.path, None))

    def _add(self, found: Iterable[Finding]) -> None:
        """Note findings that were not noted yet, of whatever file."""
        said = {(one.code, one.what) for one in self.inputs.findings}
        self.inputs.findings += [one for one in found if (one.code, one.what) not in said]

    def pool(self, depth: int) -> list[Pooled]:
        """What is not judged in the top of any run."""
        if self.inputs.judgments is None:
            return []
        judged = restricted(self.inputs.judgments, self.chosen, []).settled(self.base.judgments)
        systems = [one.rankings for one in self.inputs.runs]
        return pool_of(judged, systems, self.base, depth)

    def _settled(self, judgments: Judgments) -> Judged:
        """The judgments, different ones of a document merged after they were noted."""
        try:
            return judgments.settled(self.base.judgments)
        except DataError as error:
            self.inputs.findings += of_problems(error.problems, error.total, self.inputs.path, None)
            self.base = self.base.but({"judgments": "max"})
            return judgments.settled("max")

    def _look_into(self, corpus: str, judged: Judged) -> None:
        """Judged and retrieved documents that the collection does not have."""
        from ndcg.diagnose.checking.of_corpus import findings

        runs = self.inputs.runs
        try:
            self.inputs.findings += findings(corpus, judged, self.inputs.path, runs)
        except DataError as error:
            self.inputs.unread += error.problems

    def _look_at(self, run: Read, judgments: Judgments) -> None:
        """Look at a run; by a milder convention where the one asked for refuses it."""
        base: Convention | None = self.base
        refused: set[str] = set()  # codes of what was said already
        while base is not None:
            try:
                scoring = Scoring(
                    judgments, run.rankings, base, Tables(), self.measures,
                    explicit_order=self.explicit_order, chosen=self.chosen,
                )  # fmt: skip
                result = scoring.result()
            except NdcgError as error:
                base = self._noted(error, run, base, refused)
                continue
            found = of_runs.findings(scoring, result, run.path)
            self.inputs.findings += [one for one in found if one.code not in refused]
            self.coverage.append(coverage_of(scoring))
            return

    def _noted(
        self, error: NdcgError, run: Read, base: Convention, refused: set[str]
    ) -> Convention | None:
        """Note why a run is refused; a convention that does not refuse it, if there is one."""
        if not are_findings(error.problems):
            if isinstance(error, UsageError) and error.problems[0].word != "order":
                raise error  # of the call; without ranks it is of this run alone
            self.inputs.unread += error.problems
            return None
        instead = {"gain": "linear"} if base.gain != "linear" else {}
        for problem in error.problems:
            if problem.word != "gain":
                rule = milder(base, problem.word, problem.what)
                instead = {} if rule is None else {rule.axis: rule.instead}
        found = of_problems(error.problems, error.total, run.path, run.rankings.name)
        refused |= {one.code for one in found}
        self._add(found)
        if not instead:
            return None
        ((axis, value),) = instead.items()
        what = f"{run.rankings.name} is looked at by {axis}:{value}, since {axis}:"
        what += f"{getattr(base, axis)} refuses it"
        place = None if run.path is None else Place(run.path)
        self.inputs.findings.append(Finding("F08", what, place, None, run.rankings.name))
        return base.but(instead)
