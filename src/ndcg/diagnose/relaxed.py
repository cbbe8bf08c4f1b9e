"""Conventions that stop at this data, made to count: which rule was replaced, and by what."""

from __future__ import annotations

from typing import NamedTuple

from ndcg.convention import Convention
from ndcg.diagnose.scorer import Refused, Scored, Scorer
from ndcg.errors import Problem, UsageError

# What stands for a rule that stops, or leaves the mean undefined: the nearest one that counts.
_NEAREST = {
    "missing": "zero",
    "listed_empty": "missing",
    "empty": "zero",
    "no_judgments": "empty",
    "nothing_found": "computed",
    "extra": "ignore",
    "negative": "clamp",
    "negative_only": "empty",
    "grades": "truncate",
    "duplicates": "count",
    "judgments": "last",
    "min_documents": "1",
    "none_left": "nan",
}
# The axes whose value may be behind a refusal, by its code word.
_BEHIND = {
    "missing-query": ("missing", "listed_empty"),
    "empty-ideal": ("empty", "no_judgments"),
    "extra-query": ("extra",),
    "negative-grade": ("negative", "negative_only"),
    "grade": ("grades",),
    "few-documents": ("min_documents",),
    "no-query": ("none_left",),
    "duplicate": ("duplicates",),
    "judgments": ("judgments",),
}
_STOPS = ("error", "refuse_first", "agree")
_UNDEFINED = ("nothing_found", "empty", "no_judgments", "missing")


class Replaced(NamedTuple):
    """A rule of a convention that stops here, the rule taken for it, and what it said."""

    axis: str
    rule: str
    instead: str
    why: str


class Relaxed(NamedTuple):
    """A convention that has a mean here, with the rules that had to be replaced for it."""

    convention: Convention
    scored: Scored
    replaced: tuple[Replaced, ...]


def relaxed(scorer: Scorer, convention: Convention, name: str) -> Relaxed:
    """The nearest convention that gives the run a mean.

    Raises
    ------
    UsageError
        When it refuses the run for a reason that no other rule takes away.
    """
    replaced: list[Replaced] = []
    while True:
        found = scorer.scored(convention)
        if isinstance(found, Scored) and found.mean is not None:
            return Relaxed(convention, found, tuple(replaced))
        before = len(replaced)
        if isinstance(found, Refused):
            replaced += _of_refusal(found, convention)
        else:
            replaced += _of_undefined(scorer, convention)
        if len(replaced) == before:
            why = found.why if isinstance(found, Refused) else "no query is left to average"
            how = "choose another preset or convention, or change the axis that refuses"
            raise UsageError(Problem("usage", f"{name} has no mean here: {why}", help=how))
        convention = convention.but({one.axis: one.instead for one in replaced[before:]})


def _of_refusal(found: Refused, convention: Convention) -> list[Replaced]:
    for axis in _BEHIND.get(found.word, ()):
        rule = getattr(convention, axis)
        if rule in _STOPS or rule.startswith("whole") or axis == "min_documents":
            instead = "any" if rule.startswith("whole:") else _NEAREST[axis]
            return [Replaced(axis, rule, instead, found.why)]
    return []


def _of_undefined(scorer: Scorer, convention: Convention) -> list[Replaced]:
    """The rules by which a query without a value leaves the mean undefined."""
    active = scorer.canonical(convention)
    return [
        Replaced(axis, "nan", _NEAREST[axis], "its mean is undefined")
        for axis in _UNDEFINED
        if getattr(active, axis) == "nan"
    ]
