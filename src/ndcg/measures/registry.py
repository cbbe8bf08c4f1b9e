"""Every measure as one record, and the notation that names it: ``nDCG@10``, ``P(rel=2)@5``."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from ndcg.axes import AXES, canonical, number_of, number_text
from ndcg.convention import Convention
from ndcg.errors import Problem, UsageError, did_you_mean
from ndcg.kernel import Bools, Floats
from ndcg.measures import binary, cumulated
from ndcg.measures.lists import Lists, gains_of, rises
from ndcg.measures.names import Foreign, foreign_name

Value = Callable[[Lists, int | None, float], Floats]
Empty = Callable[[Lists, int | None, float], Bools]


class Record(NamedTuple):
    """What there is to know about a measure."""

    name: str
    title: str
    formula: str
    range: str
    source: str
    value: Value
    empty: Empty  # queries whose judgments leave the measure nothing to find
    graded: bool  # reads gains (else: relevant or not)
    ideal: bool = False  # compares with an ideal ranking
    whole: bool = False  # reads every relevant document, whatever the cutoff


_JK = "Järvelin and Kekäläinen 2002"
_RECORDS = (
    Record("nDCG", "normalised discounted cumulative gain", "DCG@k / IDCG@k", "0 to 1",
           _JK, cumulated.ndcg_value, cumulated.nothing_to_gain, graded=True, ideal=True),
    Record("DCG", "discounted cumulative gain", "sum of gain(rank) / discount(rank), rank <= k",
           "0 to IDCG", _JK, cumulated.dcg_value, cumulated.nothing_to_gain, graded=True),
    Record("IDCG", "ideal discounted cumulative gain", "DCG@k of the best possible ranking",
           "above 0", _JK, cumulated.idcg_value, cumulated.nothing_to_gain, graded=True,
           ideal=True),
    Record("P", "precision", "relevant in the top k / k", "0 to 1", "trec_eval P, set_P",
           binary.precision_value, binary.nothing_relevant, graded=False),
    Record("R", "recall", "relevant in the top k / relevant judged", "0 to 1",
           "trec_eval recall, set_recall", binary.recall_value, binary.nothing_relevant,
           graded=False, whole=True),
    Record("AP", "average precision", "sum of P@rank at relevant ranks <= k / relevant judged",
           "0 to 1", "trec_eval map, map_cut", binary.average_precision_value,
           binary.nothing_relevant, graded=False, whole=True),
    Record("RR", "reciprocal rank", "1 / rank of the first relevant document, rank <= k",
           "0 to 1", "trec_eval recip_rank", binary.reciprocal_rank_value,
           binary.nothing_relevant, graded=False),
    Record("Success", "success", "1 if a relevant document is in the top k, else 0", "0 or 1",
           "trec_eval success", binary.success_value, binary.nothing_relevant, graded=False),
)  # fmt: skip

MEASURES: dict[str, Record] = {record.name: record for record in _RECORDS}


@dataclass(frozen=True, slots=True)
class Measure:
    """A measure with its parameters; `str` gives the notation that `parse` reads.

    >>> str(parse("P(rel=2)@5")[0]), parse("nDCG@10")[0].k
    ('P(rel=2)@5', 10)
    """

    name: str
    k: int | None = None
    rel: float | None = None  # None: 1, the default
    axes: tuple[tuple[str, str], ...] = ()  # overrides of the convention, in axis order

    def __str__(self) -> str:
        given = [] if self.rel is None else [f"rel={number_text(self.rel)}"]
        given += [f"{axis}={value}" for axis, value in self.axes]
        inside = f"({','.join(given)})" if given else ""
        return f"{self.name}{inside}" + ("" if self.k is None else f"@{self.k}")

    @property
    def record(self) -> Record:
        """The record of the measure without its parameters."""
        return MEASURES[self.name]

    @property
    def threshold(self) -> float:
        """The lowest grade that is relevant."""
        return 1.0 if self.rel is None else self.rel

    def convention(self, base: Convention) -> Convention:
        """The convention in force for this measure."""
        return base.but(dict(self.axes)) if self.axes else base

    def value(self, lists: Lists) -> Floats:
        """The measure's value for each query, as if none were empty or missing."""
        k = self.cutoff(lists.convention)
        if self.record.ideal:
            cumulated.refuse_ideal(lists, self.name, k)
        if not self.record.graded and lists.convention.ties == "mean_rank":
            what = f"{self.name} is not defined under ties:mean_rank, where ranks are shared"
            raise UsageError(Problem("ties", what, help="use ties expected, or nDCG or DCG"))
        return self.record.value(lists, k, self.threshold)

    def empty(self, lists: Lists) -> Bools:
        """The queries whose judgments leave this measure nothing to find."""
        return self.record.empty(lists, self.cutoff(lists.convention), self.threshold)

    def fruitless(self, lists: Lists) -> Bools:
        """The queries that list none of the documents which this measure is to find."""
        grade = lists.listed.grade
        graded = self.record.graded
        worth = gains_of(lists.convention.gain, grade) > 0 if graded else grade >= self.threshold
        return cumulated.none_found(lists, worth)

    def cutoff(self, convention: Convention) -> int | None:
        """The last rank that counts: the measure's own cutoff, else the convention's."""
        if self.k is None and self.record.graded and convention.default_cutoff != "all":
            return int(convention.default_cutoff)
        return self.k


def reach(measure: Measure, convention: Convention, *, negatives: bool) -> int | None:
    """How many of the first ranks and of the best grades decide a measure's value.

    None where all documents may count: there is no cutoff, or a rule looks further. `negatives`
    says whether there are negative grades, which may move ranks and stand last in an ideal.
    """
    shallow = convention.depth == "all" and convention.unjudged == "zero"
    shallow = (
        shallow
        and convention.appended == "none"
        and convention.ideal_depth != "all"
        and convention.ideal_order == "gain"
        and convention.empty_test in ("not_positive", "zero", "never")
        and convention.ties != "mean_rank"
        and rises(convention.gain)
    )
    if negatives and convention.negative not in ("clamp", "unjudged"):
        return None
    return measure.cutoff(convention) if shallow and not measure.record.whole else None


_NOTATION = re.compile(r"([A-Za-z_][\w.\-]*)(?:\((.*)\))?(?:@([^@()]*))?", re.ASCII)


def parse(text: str) -> tuple[Measure, Foreign | None]:
    """Read a measure's name; foreign names come with whose they are.

    Raises
    ------
    UsageError
        For names, parameters and cutoffs that are not known, with the nearest known one.
    """
    text = text.strip()
    if text in MEASURES:
        return Measure(text), None
    match = _NOTATION.fullmatch(text)
    name = match[1] if match else text
    if match and name in MEASURES:
        rel, axes = _parameters(text, match[2])
        if rel is not None and MEASURES[name].graded:
            why = f"{name} reads gains, not a threshold of relevance"
            raise _bad_parameter(text, why, f"grades below {number_text(rel)} count nothing with "
                                 "a gain table, as in nDCG(gain=0=0,1=0,2=3)@10")  # fmt: skip
        return Measure(name, _cutoff(text, match[3]), rel, axes), None
    foreign = foreign_name(text)
    if foreign is not None:
        return Measure(foreign.measure, foreign.k), foreign
    raise _unknown(text, name)


def _unknown(text: str, name: str) -> UsageError:
    near = did_you_mean(name, MEASURES)
    return UsageError(
        Problem(
            "measure",
            f"{text!r} is not a measure{near}",
            help=f"measures: {', '.join(MEASURES)}, with a cutoff as in nDCG@10 "
            "(see: ndcg measures)",
        )
    )


def _cutoff(text: str, given: str | None) -> int | None:
    if given is None:
        return None
    if re.fullmatch(r"0*[1-9][0-9]{0,17}", given, re.ASCII):
        return int(given)
    raise UsageError(
        Problem(
            "measure",
            f"cutoff {given!r} in {text!r} is not a whole number from 1 up",
            help="write the cutoff after @, as in nDCG@10; give -m once for each measure",
        )
    )


def _parameters(text: str, inside: str | None) -> tuple[float | None, tuple[tuple[str, str], ...]]:
    """The ``rel`` and the axes between the parentheses."""
    rel: float | None = None
    axes: dict[str, str] = {}
    for name, value in _pairs(text, inside or ""):
        if name in axes or (name == "rel" and rel is not None):
            raise _bad_parameter(text, f"{name} stands in it twice")
        if name == "rel":
            rel = number_of(value)
            if rel is None:
                raise _bad_parameter(text, f"rel={value} is not a number")
        elif name in AXES and AXES[name].settable:
            axes[name] = canonical(name, value)
        else:
            known = ["rel", *(axis for axis in AXES if AXES[axis].settable)]
            raise _bad_parameter(text, f"{name!r} is not a parameter{did_you_mean(name, known)}")
    return rel, tuple((axis, axes[axis]) for axis in AXES if axis in axes)


def _pairs(text: str, inside: str) -> list[tuple[str, str]]:
    """``a=b,c=d`` as pairs; a gain table's own commas belong to its value."""
    pairs: list[tuple[str, str]] = []
    for part in inside.split(",") if inside.strip() else ():
        name, equals, value = part.strip().partition("=")
        if pairs and number_of(name) is not None:
            pairs[-1] = (pairs[-1][0], f"{pairs[-1][1]},{part.strip()}")
        elif not equals:
            raise _bad_parameter(text, f"{part.strip()!r} is not name=value")
        else:
            pairs.append((name.strip(), value.strip()))
    return pairs


_PARAMETERS = "parameters: rel=GRADE and any axis of the convention, as in nDCG(gain=linear)@10"


def _bad_parameter(text: str, why: str, how: str = _PARAMETERS) -> UsageError:
    return UsageError(Problem("measure", f"in {text!r}: {why}", help=how))
