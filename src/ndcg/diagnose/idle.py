"""Which axes cannot touch the data at hand, so that conventions that differ in them are one.

Scores of integers do not become other ones by truncation, a run without ties has one order: a
convention is brought to a form in which every such axis has one fixed value.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import NamedTuple

import numpy as np

from ndcg.align import OPEN_TIES, Aligned, taken_grades
from ndcg.axes import AXES, gain_table, parameter
from ndcg.convention import Convention
from ndcg.errors import DataError, NdcgError
from ndcg.evaluation.scoring import Scoring
from ndcg.kernel import Bools, Floats, Ints, distinct, per_row
from ndcg.measures.lists import gain_fault, gain_of
from ndcg.measures.registry import Measure


class Facts(NamedTuple):
    """What there is in a run and its judgments that an axis could touch."""

    k: int | None
    graded: bool  # the measure reads gains
    defined: tuple[str, ...]  # the tie rules it has a value under
    grades: tuple[float, ...]  # the different ones, rising
    smallest: float  # the smallest grade above 0; 0 where there is none
    repeats: bool  # a document is listed twice
    rejudged: bool  # a document is judged twice
    self_matches: bool
    ties: bool  # a judged document is tied with another one
    ties_in_single: bool  # the same with scores in single precision
    same_in_single: bool  # single precision ties the same documents as double
    unjudged: bool  # a document without judgment is retrieved
    missed: bool  # a judged document is not retrieved, though the query is answered
    missing: bool
    listed_empty: bool
    never_judged: bool  # a query is judged without a document
    extra: bool
    fruitless: bool  # a query lists none of its documents with a grade above 0
    shortest: int  # documents listed for the answered query that lists fewest
    longest: int
    most_judged: int  # documents judged for one query
    order_by: str  # what orders the run by nature
    same_orders: tuple[str, ...]  # the other orders that place every judged document alike


def facts_of(scoring: Scoring, measure: Measure) -> Facts:
    """Look at the data once."""
    base = scoring.base
    overlay = scoring.overlay(base)
    single = scoring.overlay(base.but({"score_type": "float32"})).aligned
    docs, judged = overlay.aligned, scoring.judged
    returned = docs.returned[~overlay.missing]
    own = docs.rows(~docs.copy)
    retrieved = per_row(own.row, own.n_queries, own.retrieved)
    here = docs.retrieved
    worth = per_row(own.row, own.n_queries, own.grade > 0)
    found = per_row(own.row, own.n_queries, (own.grade > 0) & own.retrieved)
    numbers = np.diff(judged.start)
    grades = _grades_given(scoring)
    return Facts(
        k=measure.k,
        graded=measure.record.graded,
        defined=measure.record.ties,
        grades=grades,
        smallest=min((grade for grade in grades if grade > 0), default=0.0),
        repeats=overlay.duplicates > 0,
        rejudged=judged.repeated > 0,
        self_matches=overlay.self_matches > 0,
        ties=bool((docs.size > 1).any()),
        ties_in_single=bool((single.size > 1).any()),
        same_in_single=_same(docs.first[here], single.first[single.retrieved])
        and _same(docs.size[here], single.size[single.retrieved]),
        unjudged=bool((docs.distinct > retrieved).any()),
        missed=bool((~own.retrieved & ~overlay.missing[own.row]).any()),
        missing=bool(overlay.missing.any()),
        listed_empty=_any_listed(scoring, overlay.missing),
        never_judged=bool((numbers == 0).any()),
        extra=bool(scoring.extra),
        fruitless=judged.repeated > 0
        or bool(((worth > 0) & (found == 0) & ~overlay.missing).any()),
        shortest=int(returned.min(initial=np.iinfo(np.int64).max)),
        longest=int(returned.max(initial=0)),
        most_judged=int(numbers.max(initial=0)),
        order_by=base.order_by,
        same_orders=_same_orders(scoring, docs) if overlay.self_matches == 0 else (),
    )


def _same_orders(scoring: Scoring, docs: Aligned) -> tuple[str, ...]:
    """The orders that place every judged document as the run's own does."""
    found = []
    for order in AXES["order_by"].words:
        if order != scoring.base.order_by and _can(scoring, order):
            other = scoring.overlay(scoring.base.but({"order_by": order})).aligned
            parts = ("row", "grade", "rank", "first", "size")
            if all(_same(getattr(docs, part), getattr(other, part)) for part in parts):
                found.append(order)
    return tuple(found)


def _can(scoring: Scoring, order: str) -> bool:
    """Whether the run can be ordered so, each document once."""
    if scoring.overlay(scoring.base).duplicates:
        return False
    try:
        scoring.rankings.check_order(order)
    except NdcgError:
        return False
    return True


def _grades_given(scoring: Scoring) -> tuple[float, ...]:
    """The different grades, by every rule that repeated judgments may be settled by."""
    rules = [*AXES["judgments"].words] if scoring.judged.repeated else ["last"]
    found: set[float] = set()
    for rule in rules:
        with suppress(DataError):  # what a rule refuses is told when it is asked for
            found.update(distinct(scoring.judgments.settled(rule).grades).tolist())
    return tuple(sorted(found))


def _same(one: Ints | Floats, other: Ints | Floats) -> bool:
    return len(one) == len(other) and bool((one == other).all())


def _any_listed(scoring: Scoring, missing: Bools) -> bool:
    names = scoring.judged.queries
    return any(names[i] in scoring.rankings.queries for i in np.flatnonzero(missing).tolist())


def without_idle(convention: Convention, facts: Facts) -> Convention:
    """The convention with every axis that cannot touch the data at one fixed value."""
    if _clashes(convention):
        return convention  # it is refused whatever the data are
    order = _order_by(convention, facts)
    if order != convention.order_by:  # what orders the run decides about other axes
        convention = convention.but({"order_by": order})
    fixed: dict[str, str] = {}
    for axis, rule in _RULES.items():
        value = rule(convention, facts)
        if value != getattr(convention, axis):
            fixed[axis] = value
    return convention.but(fixed) if fixed else convention


def _clashes(convention: Convention) -> bool:
    """Whether two axes exclude each other."""
    return (
        (convention.duplicates == "once" and convention.unjudged.startswith("grade"))
        or (convention.appended != "none" and convention.depth != "all")
        or (convention.ideal == "top_k" and convention.ties in OPEN_TIES)
    )


Rule = Callable[[Convention, Facts], str]


def _unless(axis: str, touched: Callable[[Facts], bool]) -> Rule:
    """A rule for an axis that something in the data must be there for."""
    return lambda convention, facts: (
        getattr(convention, axis) if touched(facts) else AXES[axis].default
    )


def _appended(convention: Convention, facts: Facts) -> str:
    leaves = facts.self_matches and convention.self_match == "drop"  # and is appended again
    return convention.appended if facts.missed or leaves else AXES["appended"].default


def _unjudged(convention: Convention, facts: Facts) -> str:
    if convention.unjudged.startswith("grade"):
        return convention.unjudged  # it refuses grades without gain and cuts through open ties
    forgotten = convention.negative == "unjudged" and _lowest(convention, facts) < 0
    forgotten = forgotten or _min_grade(convention, facts) != AXES["min_grade"].default
    return convention.unjudged if facts.unjudged or forgotten else AXES["unjudged"].default


def _lowest(convention: Convention, facts: Facts) -> float:
    """The lowest grade as it is taken, 0 where there is none."""
    return float(taken_grades(_as_array(facts.grades[:1]), convention.grades).min(initial=0.0))


def _as_array(values: tuple[float, ...]) -> Floats:
    return np.array(values, np.float64)


def _grades(convention: Convention, facts: Facts) -> str:
    rule = convention.grades
    if any(not grade.is_integer() for grade in facts.grades):
        return rule
    fits = ":" not in rule or max(facts.grades, default=0.0) <= parameter(rule)
    return AXES["grades"].default if fits else rule


def _min_grade(convention: Convention, facts: Facts) -> str:
    least = convention.min_grade
    if least != "none" and facts.grades:
        taken = taken_grades(_as_array(facts.grades[:1]), convention.grades)
        return AXES["min_grade"].default if float(taken[0]) >= float(least) else least
    return AXES["min_grade"].default


def _negative(convention: Convention, facts: Facts) -> str:
    return convention.negative if _lowest(convention, facts) < 0 else AXES["negative"].default


def _negative_only(convention: Convention, facts: Facts) -> str:
    default = AXES["negative_only"].default
    return convention.negative_only if _lowest(convention, facts) < 0 else default


def _ties(convention: Convention, facts: Facts) -> str:
    if convention.ties == "mean_rank" or convention.ties not in facts.defined:
        return convention.ties  # it cuts the ideal without any tie, or it is refused
    if convention.order_by == "position":
        return AXES["ties"].default  # places differ
    leaves = facts.repeats or facts.self_matches  # which, `depth` may not be able to tell
    if convention.order_by != facts.order_by or (convention.depth != "all" and leaves):
        return convention.ties
    tied = facts.ties_in_single if convention.score_type == "float32" else facts.ties
    return convention.ties if tied else AXES["ties"].default


def _score_type(convention: Convention, facts: Facts) -> str:
    same = facts.same_in_single or convention.order_by != "score"
    leaves = facts.repeats or facts.self_matches  # which, `depth` may not be able to tell
    if convention.order_by == "score" and convention.depth != "all" and leaves:
        return convention.score_type
    return AXES["score_type"].default if same else convention.score_type


def _order_by(convention: Convention, facts: Facts) -> str:
    descends = convention.score_order == "descending"
    same = convention.order_by in facts.same_orders and descends
    return facts.order_by if same else convention.order_by


def _score_order(convention: Convention, _: Facts) -> str:
    ordered = convention.order_by == "score"
    return convention.score_order if ordered else AXES["score_order"].default


def _depth(convention: Convention, facts: Facts) -> str:
    if convention.depth == "all":
        return convention.depth
    depth = int(convention.depth)
    idle = depth >= facts.longest or (_stays_behind(convention, facts, depth))
    return AXES["depth"].default if idle else convention.depth


def _stays_behind(convention: Convention, facts: Facts, depth: int) -> bool:
    """Whether what a cut takes away stands behind the cutoff, and counts nowhere else."""
    leaves = facts.repeats or facts.self_matches or _negative(convention, facts) == "remove"
    return (
        facts.k is not None
        and depth >= facts.k
        and not leaves
        and convention.ties != "mean_rank"
        and (convention.ideal == "judged" or convention.ideal.startswith("slots"))
        and convention.unjudged == "zero"
        and convention.nothing_found == "computed"
        and convention.min_documents == "1"
    )


def _ideal_depth(convention: Convention, facts: Facts) -> str:
    rule, k = convention.ideal_depth, facts.k
    if convention.default_cutoff != "all" or convention.ties == "mean_rank":
        return rule
    cut = k is not None and not convention.ideal.startswith("slots")
    cut = cut and not convention.unjudged.startswith("grade")
    if rule == "all" and (k is None or (cut and k >= max(facts.most_judged, facts.longest))):
        return AXES["ideal_depth"].default
    plain = convention.depth == "all" and convention.negative != "remove"
    plain = plain and convention.unjudged == "zero" and convention.self_match == "keep"
    plain = plain and (not facts.repeats or convention.duplicates in ("count", "once"))
    enough = rule == "returned" and k is not None and facts.shortest >= k and not facts.missing
    return AXES["ideal_depth"].default if enough and plain else rule


def _default_cutoff(convention: Convention, facts: Facts) -> str:
    used = facts.k is None and facts.graded
    return convention.default_cutoff if used else AXES["default_cutoff"].default


def _min_documents(convention: Convention, facts: Facts) -> str:
    plain = convention.depth == "all" and convention.self_match == "keep"
    plain = plain and convention.duplicates in ("error", "count", "once")
    enough = plain and facts.shortest >= int(convention.min_documents)
    return AXES["min_documents"].default if enough else convention.min_documents


_SMALLEST = 1e-6  # a grade whose gains are surely above 0
_PLAIN_GAINS = ("exp2", "linear", "binary")  # 0 for grade 0, and above it for those above


def _empty_test(convention: Convention, facts: Facts) -> str:
    above = _lowest(convention, facts) >= 0 or convention.negative in (
        "clamp", "unjudged", "remove", "error")  # fmt: skip
    alike = above and convention.gain in _PLAIN_GAINS and convention.unjudged == "zero"
    alike = alike and convention.rounding.partition(":")[0] != "terms"
    alike = alike and convention.empty_test != "never"
    alike = alike and not 0 < facts.smallest < _SMALLEST and convention.ideal_order == "gain"
    alike = alike and not convention.ideal.startswith("slots")
    if convention.empty_from == "ideal":
        alike = alike and convention.ideal in ("judged", "retrieved")
        alike = alike and convention.ideal_depth != "returned"
    return AXES["empty_test"].default if alike else convention.empty_test


def _nothing_found(convention: Convention, facts: Facts) -> str:
    plain = facts.graded and convention.gain in _PLAIN_GAINS and convention.depth == "all"
    plain = plain and convention.grades != "truncate"
    plain = plain and (convention.self_match == "keep" or not facts.self_matches)
    plain = plain and _min_grade(convention, facts) == AXES["min_grade"].default
    if facts.fruitless or not plain:
        return convention.nothing_found
    return AXES["nothing_found"].default


def _gain(convention: Convention, facts: Facts) -> str:
    """The first of the named gains that is worth the same on every grade that counts."""
    if not facts.graded:
        return AXES["gain"].default
    grades = {*taken_grades(_as_array(facts.grades), convention.grades).tolist(), 0.0}
    if convention.negative != "keep":
        grades = {max(grade, 0.0) for grade in grades}
    grades |= {
        parameter(value)
        for value in (convention.unjudged, convention.ideal)
        if ":" in value and value != "slots:max"
    }
    own = convention.gain
    used = sorted(grades)
    if any(gain_fault(own, grade) for grade in used):
        return own
    worth = [gain_of(own)(grade) for grade in used]
    for word in AXES["gain"].words:
        if word == own:
            return own
        alike = not any(gain_fault(word, grade) for grade in used)
        if alike and [gain_of(word)(grade) for grade in used] == worth:
            return word
    table = gain_table(own)
    return own if table is None else AXES["gain"].parse(own) or own


_RULES: dict[str, Rule] = {
    "duplicates": _unless("duplicates", lambda facts: facts.repeats),
    "judgments": _unless("judgments", lambda facts: facts.rejudged),
    "self_match": _unless("self_match", lambda facts: facts.self_matches),
    "unjudged": _unjudged,
    "appended": _appended,
    "missing": _unless("missing", lambda facts: facts.missing),
    "listed_empty": _unless("listed_empty", lambda facts: facts.listed_empty),
    "no_judgments": _unless("no_judgments", lambda facts: facts.never_judged),
    "extra": _unless("extra", lambda facts: facts.extra),
    "empty_test": _empty_test,
    "nothing_found": _nothing_found,
    "grades": _grades,
    "min_grade": _min_grade,
    "negative": _negative,
    "negative_only": _negative_only,
    "ties": _ties,
    "score_type": _score_type,
    "score_order": _score_order,
    "depth": _depth,
    "ideal_depth": _ideal_depth,
    "default_cutoff": _default_cutoff,
    "min_documents": _min_documents,
    "gain": _gain,
}
