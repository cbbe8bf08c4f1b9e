"""reconcile(): why two numbers differ, and which convention is behind a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import Any, NamedTuple

from ndcg.convention import Convention
from ndcg.diagnose.between import Between, split
from ndcg.diagnose.evidence import (
    Evidence,
    Gathered,
    evidence_of,
    file_evidence,
    per_query_evidence,
)
from ndcg.diagnose.faults import Case, Fault, faults
from ndcg.diagnose.scorer import Inputs, Scorer, inputs
from ndcg.diagnose.search import Explanation, Search, Setting, search
from ndcg.errors import Notice, Problem, UsageError, count, listed, note
from ndcg.ids import nearest
from ndcg.measures.registry import Measure, parse
from ndcg.presets import preset
from ndcg.stores.given import Rankings
from ndcg.stores.mapping import MappingRankings
from ndcg.stores.values import text_id

_SHOWN = 10  # explanations that JSON holds
_PERCENT = 2  # numbers above it are percentages before anything else


@dataclass(frozen=True, slots=True)
class Matches:
    """What could be behind a number: explanations, or what comes nearest, and faults."""

    system: str
    measure: str
    evidence: tuple[Evidence, ...]
    search: Search
    faults: tuple[Fault, ...]
    percent: bool  # the number was taken for a percentage
    notices: tuple[Notice, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it, the first explanations alone."""
        found = self.search
        return {
            "system": self.system,
            "measure": self.measure,
            "evidence": [one._asdict() for one in self.evidence],
            "percent": self.percent,
            "matching": len(found.explanations),
            "explanations": [_plain(one) for one in found.explanations[:_SHOWN]],
            "nearest": [_plain(one) for one in found.nearest],
            "faults": [one._asdict() for one in self.faults],
            "tried": found.tried,
            "values": found.values,
            "by_chance": found.by_chance,
            "telling": None if found.telling is None else found.telling._asdict(),
        }

    def __str__(self) -> str:
        from ndcg.reports.reconciled import matches_table

        return "\n".join([matches_table(self).rstrip("\n"), *map(str, self.notices)])


def _plain(one: Explanation) -> dict[str, Any]:
    return {
        "axes": one.axes,
        "presets": list(one.presets),
        "settings": [_setting(setting) for setting in one.others[:_SHOWN]],
        "value": one.value,
        "mean": one.mean,
        "n": one.n,
        "fits": one.fits,
        "misfits": list(one.misfits[:_SHOWN]),
    }


def _setting(one: Setting) -> dict[str, Any]:
    return {"preset": one.preset, "changed": one.changed, "digest": one.convention.digest}


@dataclass(frozen=True, slots=True)
class Gap:
    """The gap between two conventions, with the notices of the files."""

    between: Between
    notices: tuple[Notice, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it."""
        return self.between.to_dict()

    def __str__(self) -> str:
        from ndcg.reports.reconciled import gap_table

        return "\n".join([gap_table(self.between).rstrip("\n"), *map(str, self.notices)])


def reconcile(
    qrels: Any,
    run: Any,
    measure: str = "nDCG@10",
    *,
    between: Sequence[str | Convention] | None = None,
    value: float | str | Mapping[str, float | str] | None = None,
    values: Mapping[Any, float | str] | str | PathLike[str] | None = None,
    query: str | int | None = None,
    places: int | None = None,
    queries: Iterable[str] | None = None,
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    lenient: bool = False,
) -> Gap | Matches:
    """Explain the gap between two conventions, or find the convention behind a number.

    Parameters
    ----------
    qrels, run, queries, columns, qrels_format, run_format, lenient
        As for `ndcg.evaluate`; one run.
    measure
        What the numbers are of.
    between
        Two presets, signatures or conventions: the gap is split into parts of single axes that
        add up to it.
    value
        A number of another tool, best as text with the decimals that it has: ``"0.735"`` stands
        for anything that rounds to it. Or several: ``{"nDCG@5": 0.71, "nDCG@10": 0.735}``.
    values
        Its values of single queries, ``{query: value}``, or a file of them.
    query
        The query that `value` is of; without it, `value` is the mean.
    places
        How many decimals of the numbers are certain, where they show more.

    Returns
    -------
    A `Gap` or a `Matches`; both print themselves and have `to_dict()`.

    Raises
    ------
    UsageError, DataError
        For what cannot be read, names that are not known, and numbers that no measure has.

    >>> qrels, run = {"q": {"A": 3, "B": 1}}, {"q": {"B": 2.0, "A": 1.0}}
    >>> found = reconcile(qrels, run, value="0.7098")
    >>> found.search.explanations[0].presets[0]
    'ndcg'
    >>> gap = reconcile(qrels, run, between=("trec_eval", "ndcg")).between
    >>> [(part.axes, round(part.part, 4)) for part in gap.parts]
    [({'gain': ('linear', 'exp2')}, -0.0869)]
    """
    _refuse_conflicts(between, value, values, query)
    _refuse_types(measure, values, query)
    query = None if query is None else text_id(query)
    if between is not None and query is not None:
        queries, query = [query], None
    asked, read = inputs(
        qrels, run, measure, queries=queries, columns=columns, qrels_format=qrels_format,
        run_format=run_format, lenient=lenient,
    )  # fmt: skip
    rankings = _only(read.systems)
    if between is not None:
        one, other = (_named(each) for each in between)
        return Gap(split(read.scorer(rankings, asked), one, other), tuple(read.notices))
    found = _evidence(value, values, str(asked), query, places)
    if found.without:
        number = count(len(found.without), "query", "queries")
        read.notices.append(note(f"{number} listed without a value: {listed(found.without)}"))
    return _matches(read, rankings, asked, found.evidence)


def _refuse_conflicts(between: Any, value: object, values: object, query: object) -> None:
    given = [name for name, each in (("between", between), ("value", value), ("values", values))
             if each is not None]  # fmt: skip
    if not given or ("between" in given and len(given) > 1):
        what = "nothing is to be reconciled" if not given else f"{' and '.join(given)} are given"
        how = "give two presets (--between), or numbers of another tool (--value, --values)"
        raise UsageError(Problem("usage", what, help=how))
    if query is not None and value is None and between is None:
        what = "a query is named, and no value of it is given"
        raise UsageError(Problem("usage", what, help="give its --value, or leave --query out"))
    if between is not None and not _is_pair(between):
        what = "between takes two presets, signatures or conventions"
        raise UsageError(Problem("usage", what, help="such as ('trec_eval', 'sklearn')"))


def _is_pair(given: Any) -> bool:
    """Whether two conventions are given, or names of them."""
    kinds = isinstance(given, Sequence) and not isinstance(given, str)
    return kinds and len(given) == 2 and all(isinstance(one, str | Convention) for one in given)


def _refuse_types(measure: object, values: object, query: object) -> None:
    for word, given, kinds, how in (
        ("measure", measure, str, "the name of one measure, such as 'nDCG@10'"),
        ("query", query, str | int | None, "the id of one query, as text"),
        ("values", values, Mapping | str | PathLike | None, "{query: value}, or a file"),
    ):
        if not isinstance(given, kinds):
            what = f"{word} is of type {type(given).__name__}"
            raise UsageError(Problem("type", what, help=f"give {how}"))


def _only(systems: Sequence[Rankings]) -> Rankings:
    if len(systems) > 1:
        names = listed(one.name for one in systems)
        what = f"{count(len(systems), 'run')} are given: {names}"
        raise UsageError(Problem("usage", what, help="reconcile one at a time"))
    return systems[0]


def _named(given: str | Convention) -> tuple[str, Convention]:
    """A preset by its name, a signature, or a convention, and what to call it."""
    if isinstance(given, Convention):
        return f"[{given.digest}]", given
    if "|" in given or ":" in given:
        convention = Convention.parse(given)
        return f"[{convention.digest}]", convention
    return given, preset(given).convention


def _evidence(
    value: Any, values: Any, measure: str, query: str | None, places: int | None
) -> Gathered:
    found = Gathered([], ())
    if isinstance(values, Mapping):
        found = per_query_evidence(values, measure, places)
    elif values is not None:
        found = file_evidence(fspath(values), measure, places)
    if value is not None:
        found.evidence.extend(evidence_of(value, measure, query=query, places=places))
    return found


def _matches(
    read: Inputs, rankings: Rankings, measure: Measure, evidence: list[Evidence]
) -> Matches:
    notices = [*read.notices, *_strangers(read, evidence)]
    evidence = [one for one in evidence if one.query is None or one.query in read.judgments.given]
    own = parse(evidence[0].measure)[0]
    first = read.scorer(rankings, own)
    scorers = {
        name: read.scorer(rankings, parse(name)[0], first)
        for name in dict.fromkeys(one.measure for one in evidence)
    }
    _refuse_negative(evidence, first)
    if own.name != "nDCG":
        notices.append(
            note(f"presets state the rules of a tool's nDCG; whether it has {own.name} is not said")
        )
    reading = _read_as(evidence, scorers)
    notices += reading.notices
    case = Case(
        read.judgments, rankings, own, first,
        lambda judgments, ranked: Scorer(judgments, ranked, own, read.chosen),
        lambda other: read.scorer(rankings, other, first),
    )  # fmt: skip
    found, others = reading.search, list[Fault]()
    if not found.explanations or found.explanations[0].axes > 1:
        others = faults(case, reading.evidence)
        if not isinstance(rankings, MappingRankings):
            notices.append(note("faults of the files were not tried: the run is not held whole"))
    return Matches(
        system=rankings.name,
        measure=str(measure),
        evidence=tuple(reading.evidence),
        search=found,
        faults=tuple(others),
        percent=reading.percent,
        notices=tuple(notices),
    )


class _Reading(NamedTuple):
    """The numbers as they were taken, and what was found for them."""

    evidence: list[Evidence]
    search: Search
    percent: bool = False
    notices: tuple[Notice, ...] = ()


def _read_as(evidence: list[Evidence], scorers: Mapping[str, Scorer]) -> _Reading:
    """As they stand, as percentages, or with decimals cut off: the first reading that fits.

    Settings two axes away from a preset are looked at for the first reading alone.
    """
    percent = [one.divided(100) if one.bounded and one.value > 1 else one for one in evidence]
    plain = (evidence, False, ())
    readings: list[tuple[list[Evidence], bool, tuple[Notice, ...]]] = [plain]
    if percent != evidence:
        told = note("the numbers above 1 are taken for percentages")
        first = any(one.value > _PERCENT for one in evidence if one.bounded)
        readings.insert(0 if first else 1, (percent, True, (told,)))
    told = note("the decimals are taken to be cut off, not rounded")
    readings.append(([one.cut_off() for one in readings[0][0]], readings[0][1], (told,)))
    for given, as_percent, notices in readings:
        found = search(scorers, given, pairs=False)
        if found.explanations:
            return _Reading(given, found, as_percent, notices)
    given, as_percent, notices = readings[0]
    return _Reading(given, search(scorers, given), as_percent, notices)


def _refuse_negative(evidence: Sequence[Evidence], scorer: Scorer) -> None:
    """Refuse numbers below 0 where no grade is below 0."""
    low = [one for one in evidence if one.value < 0]
    if low and min(scorer.facts.grades, default=0.0) >= 0:
        what = f"{low[0].text} is no value of {low[0].measure}: no grade here is negative"
        raise UsageError(Problem("value", what, help="check the sign"))


def _strangers(read: Inputs, evidence: Sequence[Evidence]) -> list[Notice]:
    """Queries with a value that nobody judged; an error if that is all of them."""
    asked = [one.query for one in evidence if one.query is not None]
    known = read.judgments.given
    strange = [query for query in asked if query not in known]
    if not strange:
        return []
    near = nearest(known, strange)
    why = f"; {near}" if near else ""
    if len(strange) == len(asked):
        what = f"none of the queries with a value is judged: {listed(strange)}{why}"
        how = near.how if near else "check that the values belong to these judgments"
        raise UsageError(Problem("value", what, help=how))
    number = count(len(strange), "query", "queries")
    return [note(f"{number} with a value that nobody judged: {listed(strange)}{why}")]
