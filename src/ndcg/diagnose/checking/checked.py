"""check(): everything that is to be known about judgments and runs before they are believed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Unpack

from ndcg.axes import Axes
from ndcg.convention import Convention
from ndcg.diagnose.checking import of_judgments, of_runs
from ndcg.diagnose.checking.finding import Finding, are_findings, of_problems
from ndcg.diagnose.checking.inputs import Inputs, Read
from ndcg.diagnose.checking.rules import selected
from ndcg.diagnose.covered import Coverage, coverage_of
from ndcg.diagnose.pool import Pooled, pool_of
from ndcg.errors import DataError, NdcgError, Place, Problem, UsageError, count, listed
from ndcg.evaluation.asked import Tables, convention_of, measures_of
from ndcg.evaluation.given import Foreseen, asked_of, refuse_two_readers
from ndcg.evaluation.scoring import Scoring
from ndcg.evaluation.subset import declared, restricted, with_subset
from ndcg.measures.registry import Measure
from ndcg.stores.given import Judged, Judgments

# What refuses a query or a row somewhere, and what a check does instead, to see the rest.
_MILDER = {
    "empty": "exclude", "missing": "zero", "listed_empty": "zero", "extra": "ignore",
    "negative": "clamp", "no_judgments": "empty", "none_left": "null",
}  # fmt: skip
_MILDEST = 3  # conventions that a run is looked at by: as asked, then without two of its rules
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

    @property
    def exit_code(self) -> int:
        """2 if a file could not be read, 1 for errors and warnings, 0 for none or notes alone."""
        if self.unread:
            return 2
        return 1 if self.count("error") or self.count("warning") else 0

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it."""
        return {
            "schema": 1,
            "findings": [one.to_dict() for one in self.findings],
            "counts": {level: self.count(level) for level in LEVELS},
            "unread": [str(one) for one in self.unread],
            "coverage": [one.to_dict() for one in self.coverage],
        }

    def __str__(self) -> str:
        return "\n".join(map(str, (*self.findings, *self.unread)))


def check(
    qrels: Any,
    run: Any = None,
    measures: str | Sequence[str] = "nDCG@10",
    *,
    preset: str | None = None,
    convention: Convention | str | None = None,
    queries: Iterable[str] | None = None,
    corpus: str | None = None,
    pool: int | None = None,
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
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
        Codes, or beginnings of codes, of the rules that are looked at, or not: ``["R", "Q03"]``.
    preset, convention, queries, columns, qrels_format, run_format, **axes
        As in `evaluate`.

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
    asked, _ = measures_of(measures)
    codes = selected(select, ignore)
    chosen = declared(queries)
    base = with_subset(base, chosen)
    refuse_two_readers(qrels, run if run is not None else {})
    inputs = Inputs(asked_of(columns, qrels_format, run_format, lenient=False))
    inputs.read_judgments(qrels)
    explicit = "order_by" in axes
    if run is not None:
        inputs.read_runs(run, Foreseen(base, asked, explicit, chosen))
    checking = _Checking(base, asked, chosen, inputs, explicit_order=explicit)
    checking.look(corpus)
    order = {level: at for at, level in enumerate(LEVELS)}
    found = [one for one in dict.fromkeys(inputs.findings) if one.code in codes]
    found.sort(key=lambda one: (order[one.level], one.code))
    pooled = () if pool is None else checking.pool(pool)
    return Checked(tuple(found), tuple(checking.coverage), tuple(inputs.unread), tuple(pooled))


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
        milder = {axis: other for axis, other in _MILDER.items() if getattr(base, axis) == "error"}
        self.base = base.but(milder)
        self.measures, self.explicit_order = measures, explicit_order
        self.chosen, self.inputs = chosen, inputs
        self.coverage: list[Coverage] = []

    def look(self, corpus: str | None) -> None:
        """Look at everything that was read."""
        judgments = self.inputs.judgments
        if judgments is None:
            return
        try:
            judgments = restricted(judgments, self.chosen, [])
        except DataError as error:
            self.inputs.unread += error.problems
            return
        asked = self.base.judgments
        judged = self._settled(judgments)
        facts = of_judgments.facts_of(
            self.inputs.path, judgments, judged, self.base, self.measures,
            refused=self.base.judgments != asked,
        )  # fmt: skip
        self.inputs.findings += of_judgments.findings(facts)
        if corpus is not None:
            self._absent(corpus, judged)
        for run in self.inputs.runs:
            self._look_at(run, judgments)

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

    def _absent(self, corpus: str, judged: Judged) -> None:
        """Judged documents that the collection does not have."""
        from ndcg.formats.known_ids import absent_from

        ids = {document for documents in judged.documents for document in documents}
        try:
            absent, unread = absent_from(corpus, ids)
        except DataError as error:
            self.inputs.unread += error.problems
            return
        if absent:
            what = (
                f"{len(absent):,} of {count(len(ids), 'judged document')} not in corpus "
                f"{corpus}: {listed(sorted(absent))}"
            )
            place = None if self.inputs.path is None else Place(self.inputs.path)
            how = "they stay in the ideal and can never be found: leave them out of the judgments"
            also = f" ({count(unread, 'line')} of it without a readable id)" if unread else ""
            self.inputs.findings.append(Finding("Q17", what + also, place, how))

    def _look_at(self, run: Read, judgments: Judgments) -> None:
        """Look at a run; by a milder convention where the one asked for refuses it."""
        base = self.base
        for _ in range(_MILDEST):
            try:
                scoring = Scoring(
                    judgments, run.rankings, base, Tables(), self.measures,
                    explicit_order=self.explicit_order, chosen=self.chosen,
                )  # fmt: skip
                result = scoring.result()
            except NdcgError as error:
                milder = self._noted(error, run, base)
                if milder is None:
                    return
                base = milder
                continue
            self.inputs.findings += of_runs.findings(scoring, result, run.path)
            self.coverage.append(coverage_of(scoring))
            return

    def _noted(self, error: NdcgError, run: Read, base: Convention) -> Convention | None:
        """Note why a run is refused; a convention that does not refuse it, if there is one."""
        if not are_findings(error.problems):
            if isinstance(error, UsageError):
                raise error
            self.inputs.unread += error.problems
            return None
        found = of_problems(error.problems, error.total, run.path, run.rankings.name)
        self.inputs.findings += found
        words = {one.word for one in error.problems}
        if words == {"duplicate"} and base.duplicates == "error":
            return base.but({"duplicates": "first"})
        if words == {"gain"} and base.gain != "linear":
            return base.but({"gain": "linear"})
        return None
