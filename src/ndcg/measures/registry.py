"""Every measure as one record, and the notation that names it: ``nDCG@10``, ``P(rel=2)@5``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ndcg.axes import AXES, canonical, number_of, number_text
from ndcg.convention import Convention
from ndcg.errors import Problem, UsageError, axis_help, did_you_mean, listed
from ndcg.kernel import Bools, Floats
from ndcg.measures import cumulated
from ndcg.measures.grouped import GROUPED
from ndcg.measures.lists import Lists, gains_of, rises
from ndcg.measures.names import Foreign, foreign_name
from ndcg.measures.record import Parameter, Record
from ndcg.measures.records import MEASURES
from ndcg.measures.unjudged import nothing_needed

Parameters = tuple[tuple[str, float | str], ...]


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
    parameters: Parameters = ()  # of its own, as its record lists them; those that are not default

    def __str__(self) -> str:
        given = [] if self.rel is None else [f"rel={number_text(self.rel)}"]
        given += [f"{name}={_shown(value)}" for name, value in self.parameters if name != "recall"]
        given += [f"{axis}={value}" for axis, value in self.axes]
        inside = f"({','.join(given)})" if given else ""
        at = dict(self.parameters).get("recall", self.k)  # a level of recall stands for a cutoff
        return f"{self.name}{inside}" + ("" if at is None else f"@{_shown(at)}")

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
        k, record = self.cutoff(lists.convention), self.record
        self._refuse(lists.convention)
        if record.ideal:
            cumulated.refuse_ideal(lists, self.name, k)
        settings = {one.name: one.default for one in record.parameters}
        return record.value(lists, k, self.threshold, **(settings | dict(self.parameters)))

    def _refuse(self, convention: Convention) -> None:
        """Refuse tie rules and ideals that the measure has no value under."""
        record, ties = self.record, convention.ties
        if ties == "mean_rank" and ties not in record.ties:
            what = f"{self.name} is not defined under ties:mean_rank, where ranks are shared"
            raise UsageError(Problem("ties", what, help="use ties expected, or nDCG or DCG"))
        if ties == "mean_rank" and convention.unjudged.startswith("grade"):
            what = f"{self.name} has no value under ties:mean_rank and unjudged:"
            what += f"{convention.unjudged}: which unjudged documents share a rank is not kept"
            how = axis_help("unjudged", "zero", "drop")
            raise UsageError(Problem("ties", what, help=how))
        if ties not in record.ties:
            what = f"{self.name} has no exact value under ties:{ties}"
            raise UsageError(Problem("ties", what, help=axis_help("ties", *record.ties)))
        judged = convention.ideal == "judged" and convention.ideal_order == "gain"
        if record.ideal and record.whole and not judged:
            what = f"{self.name} is defined with all judged documents as its ideal"
            how = axis_help("ideal", "judged") + "; " + axis_help("ideal_order", "gain", rare=True)
            raise UsageError(Problem("measure", what, help=how))

    def empty(self, lists: Lists) -> Bools:
        """The queries whose judgments leave this measure nothing to find."""
        return self.record.empty(lists, self.cutoff(lists.convention), self.threshold)

    def fruitless(self, lists: Lists) -> Bools:
        """The queries that list none of the documents which this measure is to find."""
        if self.record.empty is nothing_needed:
            return nothing_needed(lists, self.k, self.threshold)
        grade = lists.listed.grade
        graded = self.record.graded
        worth = gains_of(lists.convention.gain, grade) > 0 if graded else grade >= self.threshold
        return cumulated.none_found(lists, worth)

    def cutoff(self, convention: Convention) -> int | None:
        """The last rank that counts: the measure's own cutoff, else the convention's."""
        cut = self.record.graded and self.record.cutoff
        if self.k is None and cut and convention.default_cutoff != "all":
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
    # A cutoff of the convention does not bound what the accounts say about all ranks.
    return measure.k if shallow and not measure.record.whole else None


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
        record = MEASURES[name]
        rel, own, axes = _parameters(text, match[2], record)
        if rel is not None and record.reads != "relevance":
            raise _no_threshold(text, record, rel)
        level = _level(text, record, match[3])
        if level and "recall" in own:
            raise _bad_parameter(text, "recall stands in it twice")
        if "x" in own and "beta" in own:
            raise _bad_parameter(text, "x is beta squared, and both are given", "give one of them")
        own = {**own, **level}
        settings = [(one.name, own[one.name]) for one in record.parameters if one.name in own]
        kept = tuple(pair for pair in settings if pair[1] != _defaults(record)[pair[0]])
        k = None if level else _cutoff(text, record, match[3])
        return Measure(name, k, rel, axes, kept), None
    foreign = foreign_name(text)
    if foreign is not None:
        return parse(foreign.measure)[0], foreign
    if re.split(r"_\d", name)[0] in GROUPED:
        grouped = GROUPED[re.split(r"_\d", name)[0]]
        what = f"{text!r} is a measure of trec_eval that needs {grouped.needs.partition(':')[0]}"
        how = f"{grouped.needs.partition(': ')[2]} -m {grouped.name} QRELS RUN"
        raise UsageError(Problem("measure", what, help=how))
    raise _unknown(text, name)


def _defaults(record: Record) -> dict[str, float | str]:
    return {one.name: one.default for one in record.parameters}


def _no_threshold(text: str, record: Record, rel: float) -> UsageError:
    if record.reads == "places":
        return _bad_parameter(text, f"{record.name} does not ask what is relevant", "leave out rel")
    return _bad_parameter(
        text,
        f"{record.name} reads gains, not a threshold of relevance",
        f"grades below {number_text(rel)} count nothing with "
        "a gain table, as in nDCG(gain=0=0,1=0,2=3)@10",
    )


def _unknown(text: str, name: str) -> UsageError:
    family = text.partition(".")[0]
    ours = next((one for one in MEASURES.values() if family in one.aliases), None)
    if ours is not None:
        what = f"{text!r} is how trec_eval asks for {ours.title}, which here is {ours.name}"
        how = f"ndcg trec-eval -m {text} QRELS RUN; or {ours.example[0]} here"
        return UsageError(Problem("measure", what, help=how))
    near = did_you_mean(name, MEASURES)
    return UsageError(
        Problem(
            "measure",
            f"{text!r} is not a measure{near}",
            help=f"measures: {listed(MEASURES, 8)}, with a cutoff as in nDCG@10 "
            "(see: ndcg measures)",
        )
    )


def _level(text: str, record: Record, given: str | None) -> dict[str, float | str]:
    """The level of recall that stands where other measures have a cutoff, as in IPrec@0.1."""
    level = next((one for one in record.parameters if one.name == "recall"), None)
    if given is None or level is None:
        return {}
    return {"recall": _setting(text, level, given)}


def _cutoff(text: str, record: Record, given: str | None) -> int | None:
    if given is None:
        return None
    if not record.cutoff:
        what = f"{record.name} has no cutoff, in {text!r}"
        how = f"write {record.name}; {record.name}(depth={given}) cuts the run there"
        raise UsageError(Problem("measure", what, help=how))
    if re.fullmatch(r"0*[1-9][0-9]{0,17}", given, re.ASCII):
        return int(given)
    raise UsageError(
        Problem(
            "measure",
            f"cutoff {given!r} in {text!r} is not a whole number from 1 up",
            help="write the cutoff after @, as in nDCG@10; give -m once for each measure",
        )
    )


def _parameters(
    text: str, inside: str | None, record: Record
) -> tuple[float | None, dict[str, float | str], tuple[tuple[str, str], ...]]:
    """The ``rel``, the measure's own parameters and the axes between the parentheses."""
    rel: float | None = None
    own: dict[str, float | str] = {}
    axes: dict[str, str] = {}
    known = {one.name: one for one in record.parameters}
    for name, value in _pairs(text, inside or ""):
        if name in axes or name in own or (name == "rel" and rel is not None):
            raise _bad_parameter(text, f"{name} stands in it twice")
        if name == "rel":
            rel = number_of(value)
            if rel is None:
                raise _bad_parameter(text, f"rel={value} is not a number")
        elif name in known:
            own[name] = _setting(text, known[name], value)
        elif name in AXES and AXES[name].settable:
            axes[name] = canonical(name, value)
        else:
            names = ["rel", *known, *(axis for axis in AXES if AXES[axis].settable)]
            what = f"{name!r} is not a parameter{did_you_mean(name, names)}"
            raise _bad_parameter(text, what, _parameters_help(record))
    return rel, own, tuple((axis, axes[axis]) for axis in AXES if axis in axes)


def _setting(text: str, parameter: Parameter, given: str) -> float | str:
    """The value of a measure's own parameter."""
    if given in parameter.words:
        return given
    numbers = [number_of(part) for part in given.split("+")] if parameter.listed else []
    number = number_of(given)
    accepted = _accepted(parameter)
    if parameter.listed and all(one is not None and _inside(parameter, one) for one in numbers):
        return "+".join(number_text(one) for one in numbers if one is not None)
    if number is None or parameter.listed or not _inside(parameter, number):
        raise _bad_parameter(text, f"{parameter.name}={given} is not {accepted}", accepted)
    return number


def _inside(parameter: Parameter, number: float) -> bool:
    return parameter.least <= number <= parameter.most and (number > 0 or not parameter.positive)


def _accepted(parameter: Parameter) -> str:
    """What a parameter accepts, in words."""
    low, high = number_text(parameter.least), number_text(parameter.most)
    if parameter.positive:
        numbers = "a number above 0"
    elif parameter.most < float("inf"):
        numbers = f"a number from {low} to {high}"
    else:
        numbers = "a number" if parameter.least < 0 else "a number from 0 up"
    if parameter.listed:
        return f"numbers from {low} to {high} with + between them"
    if isinstance(parameter.default, str) and len(parameter.words) > 1:
        return " or ".join(parameter.words)
    return " or ".join([*parameter.words, numbers])


def _shown(value: float | str) -> str:
    return number_text(value) if isinstance(value, float) else str(value)


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


def _parameters_help(record: Record) -> str:
    """What may stand in the parentheses of a measure."""
    own = ", ".join(f"{one.name}=" for one in record.parameters)
    return _PARAMETERS.replace("rel=GRADE", f"rel=GRADE, {own}") if own else _PARAMETERS


def _bad_parameter(text: str, why: str, how: str = _PARAMETERS) -> UsageError:
    return UsageError(Problem("measure", f"in {text!r}: {why}", help=how))
