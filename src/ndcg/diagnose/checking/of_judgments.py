"""Rules about judgments: what their grades are, how many there are, and what they leave to find."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.align import taken_grades
from ndcg.axes import number_text
from ndcg.convention import Convention
from ndcg.diagnose.checking.finding import Finding, of_notice
from ndcg.errors import Place, count, counted, listed
from ndcg.evaluation.suspect_grades import are_gains, below_threshold, exponential
from ndcg.kernel import Bools, Floats, Ints, per_row
from ndcg.measures.lists import gains_of
from ndcg.measures.registry import Measure
from ndcg.stores.given import Judged, Judgments

_QUERY = ("query", "queries")
_COUNTS = 20.0  # no scale of grades reaches so far
_PERCENT = 100.0
_DECIDES = 0.9  # share of a query's gains that one document has
_STEPS = 3  # different grades, none of them 0, that look like a scale which begins at 1
_SHORT = 2  # ranks that a very short cutoff looks at


class Facts(NamedTuple):
    """Judgments with what several rules ask of them."""

    path: str | None
    judgments: Judgments
    judged: Judged
    convention: Convention
    measures: Sequence[Measure]
    grades: Floats  # as the convention takes them
    row: Ints  # of each grade, the number of its query
    number: Ints  # (n_queries,) documents judged
    refused: bool  # documents that are judged differently were found already

    def found(self, code: str, what: str, help: str | None = None) -> Finding:  # noqa: A002 -- the word of the field
        """A finding about the judgments as a whole."""
        return Finding(code, what, None if self.path is None else Place(self.path), help)

    def queries(self, which: Bools) -> str:
        """How many queries, and the first of them by name."""
        names = [self.judged.queries[at] for at in np.flatnonzero(which).tolist()]
        return counted(names, "query", "queries")

    def per_query(self, values: Floats | Bools) -> Floats:
        """The sum of something of each grade, by query."""
        return per_row(self.row, len(self.judged.queries), values)

    @property
    def gains(self) -> list[str]:
        """The different gains that measures take."""
        graded = [one for one in self.measures if one.record.graded]
        return [*dict.fromkeys(one.convention(self.convention).gain for one in graded)]

    @property
    def exponential(self) -> bool:
        """Whether some measure takes exponential gains."""
        return "exp2" in self.gains

    @property
    def thresholds(self) -> dict[float, list[Measure]]:
        """The grades from which a document counts for something, each with its measures."""
        found: dict[float, list[Measure]] = {}
        for one in self.measures:
            least = math.nextafter(0, 1) if one.record.reads == "gains" else one.threshold
            found.setdefault(least, []).append(one)
        return found


def facts_of(
    path: str | None,
    judgments: Judgments,
    judged: Judged,
    convention: Convention,
    measures: Sequence[Measure],
    *,
    refused: bool = False,
) -> Facts:
    """Judgments as the rules look at them."""
    number = np.diff(judged.start)
    row = np.repeat(np.arange(len(judged.queries)), number)
    grades = taken_grades(judged.grades, convention.grades)
    return Facts(path, judgments, judged, convention, measures, grades, row, number, refused)


def findings(facts: Facts) -> Iterator[Finding]:
    """What the rules find."""
    for rule in _RULES:
        yield from rule(facts)


def _repeated(facts: Facts) -> Iterator[Finding]:
    judged, rule = facts.judged, facts.convention.judgments
    if facts.judgments.judges is not None and judged.repeated:
        what = f"column {facts.judgments.judges!r} names several judges of the same documents"
        how = "say how they are merged: --judgments max, min, mean, median or majority"
        yield facts.found("Q07", what, how)
    if judged.differing and not facts.refused:
        first = judged.differing[0]
        ratings = ", ".join(map(number_text, first.grades))
        what = (
            f"{count(len(judged.differing), 'document is', 'documents are')} judged differently "
            f"(query {first.query}: {first.document}, ratings {ratings})"
        )
        yield facts.found("Q03", what, f"they were settled by judgments:{rule}")
    same = judged.repeated - len(judged.differing)
    if same > 0 and not judged.differing:
        yield facts.found("Q06", f"{count(same, 'judgment')} repeated with the same grade")


def _scale(facts: Facts) -> Iterator[Finding]:
    """Grades that are no steps of a scale."""
    raw = facts.judged.grades
    negative, fractional = raw < 0, raw != np.floor(raw)
    if negative.any():
        number = count(int(negative.sum()), "negative grade")
        what = f"{number} in {facts.queries(facts.per_query(negative) > 0)}"
        yield facts.found("Q01", what, "--negative says what they count: clamp, unjudged or remove")
    if fractional.any():
        first = number_text(float(raw[fractional][0]))
        number = count(int(fractional.sum()), "grade")
        what = f"{number} with a fraction, such as {first}"
        yield facts.found("Q04", what, "trec_eval and others cut them to whole numbers")
    grades = np.unique(facts.grades)
    notices = below_threshold(facts.grades, facts.measures)
    if len(grades):
        notices += exponential(grades) if facts.exponential else []
        yield from _numbers(facts, grades)
    yield from (of_notice(one, facts.path, None) for one in notices)


def _numbers(facts: Facts, grades: Floats) -> Iterator[Finding]:
    """Grades that are counts or percentages."""
    whole = bool((grades == np.floor(grades)).all())
    if grades[-1] <= _COUNTS or not whole or are_gains(grades):
        return
    percent = grades[-1] <= _PERCENT and _are_percentages(grades)
    kind = "percentages" if percent else "counts (clicks, views, plays)"
    best = number_text(float(grades[-1]))
    what = f"grade {best}: grades look like {kind}, not like steps of a scale"
    how = "--gain linear, or a table that maps them to steps" if facts.exponential else (
        "a table of gains maps them to steps")  # fmt: skip
    found = facts.found("Q09" if percent else "Q08", what, how)
    yield found if facts.exponential else found._replace(severity="note")


def _are_percentages(grades: Floats) -> bool:
    return bool((grades % 5 == 0).all()) or grades[-1] == _PERCENT


def _gains(facts: Facts) -> Iterator[Finding]:
    """What gains make of the grades."""
    grades = np.unique(facts.grades)
    if facts.exponential and len(grades) and grades[0] >= 0 and {*grades.tolist()} <= {0.0, 1.0}:
        what = "no grade but 0 and 1: exponential, linear and binary gain are the same"
        yield facts.found("Q13", what)
    for gain in facts.gains:
        try:
            with np.errstate(over="ignore"):
                gains = np.maximum(gains_of(gain, np.maximum(facts.grades, 0.0)), 0.0)
        except (KeyError, OverflowError):
            continue  # a grade without a gain, which is an error of its own
        yield from _dominant(facts, gain, gains)


def _dominant(facts: Facts, gain: str, gains: Floats) -> Iterator[Finding]:
    """Queries in which one document has nearly all there is to be had."""
    several = facts.per_query(gains > 0) > 1
    best = np.zeros(len(facts.number))
    np.maximum.at(best, facts.row, gains)
    with np.errstate(over="ignore", invalid="ignore"):
        decides = several & (best > _DECIDES * facts.per_query(gains))
    if several.any() and decides.sum() * 2 > several.sum():
        what = (
            f"one document has more than {_DECIDES:.0%} of all gain (gain:{gain}) in "
            f"{facts.queries(decides)}, so it alone decides"
        )
        how = "a flatter gain: --gain linear, or a table of gains" if gain == "exp2" else (
            "a table of gains that is flatter, or RR of the highest grade")  # fmt: skip
        yield facts.found("Q12", what, how)


def _queries(facts: Facts) -> Iterator[Finding]:
    """What each query has to be found."""
    none = facts.number == 0
    if none.any():
        yield facts.found("Q16", f"no document is judged in {facts.queries(none)}", _UNJUDGED)
    for least, measures in facts.thresholds.items():
        bare = (facts.per_query(facts.grades >= least) == 0) & ~none
        if bare.any():
            yield facts.found("Q02", _bare(facts, bare, least, measures), _EMPTY)
    relevant = facts.per_query(facts.grades >= min(facts.thresholds, default=1.0))
    if (relevant > 0).sum() > 1 and (relevant[relevant > 0] == 1).all():
        number = count(int((relevant > 0).sum()), *_QUERY)
        also = ", and none in the others" if (relevant == 0).any() else ""
        what = f"one relevant document in each of {number}{also}"
        yield facts.found("Q14", what, "RR says the same more plainly; nDCG@1 is P@1 there")
    lowest, highest = np.full(len(none), np.inf), np.full(len(none), -np.inf)
    np.minimum.at(lowest, facts.row, facts.grades)
    np.maximum.at(highest, facts.row, facts.grades)
    single = (facts.number > 1) & (lowest == highest) & (highest > 0)
    if single.any():
        what = f"a single grade for all judged documents of {facts.queries(single)}"
        how = "a list of these alone is always perfect: DCG, or --ideal slots:3, tells more"
        yield facts.found("Q15", what, how)
    yield from _all_relevant(facts)


def _bare(facts: Facts, bare: Bools, least: float, measures: Sequence[Measure]) -> str:
    """What is to be said of queries that leave measures nothing to find."""
    who = facts.queries(bare)
    if least <= 1:
        return f"nothing relevant in {who}"
    return f"no grade of {number_text(least)} or more, as {listed(measures)} asks for, in {who}"


_EMPTY = "--empty says what they count"


def _all_relevant(facts: Facts) -> Iterator[Finding]:
    """A scale that begins at 1, or judgments of what is relevant alone."""
    grades = np.unique(facts.grades)
    least = max(facts.thresholds, default=1.0)
    if not len(grades) or grades[0] < max(least, 1.0) or (facts.number <= 1).all():
        return  # or one relevant document in each query, which a rule of its own says
    scale = len(grades) >= _STEPS
    what = f"no grade is below {number_text(float(grades[0]))}: every judged document is relevant"
    how = (
        f"if {number_text(float(grades[0]))} means not relevant, map it to 0: --gain with a table"
        if scale
        else "what is not relevant was not judged, so it cannot be told from the unjudged"
    )
    found = facts.found("Q23", what, how)
    yield found if scale else found._replace(severity="note")


_UNJUDGED = "no_judgments says what they count"


def _cutoffs(facts: Facts) -> Iterator[Finding]:
    """Cutoffs that are deeper than the judgments, or hardly look at anything."""
    for k in sorted({one.k for one in facts.measures if one.k is not None}):
        shallow = (facts.number < k) & (facts.number > 0)
        if shallow.any():
            what = f"fewer than k={k} documents are judged in {facts.queries(shallow)}"
            yield facts.found("Q05", what)
    short = [str(one) for one in facts.measures if one.k is not None and one.k <= _SHORT]
    if short:
        yield facts.found("M01", f"{listed(short)} hardly looks at anything", "such as nDCG@10")


_RULES: tuple[Callable[[Facts], Iterator[Finding]], ...] = (
    _repeated, _scale, _gains, _queries, _cutoffs,
)  # fmt: skip
