"""Conventions that stop at this data, made to count: which rule was replaced, and by what."""

from __future__ import annotations

from typing import NamedTuple

from ndcg.convention import Convention
from ndcg.diagnose.milder import NEAREST, Replaced, milder
from ndcg.diagnose.scorer import Refused, Scored, Scorer
from ndcg.errors import Problem, UsageError

_UNDEFINED = ("nothing_found", "empty", "no_judgments", "missing")


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
            instead = milder(convention, found.word, found.why)
            replaced += [] if instead is None else [instead]
        else:
            replaced += _of_undefined(scorer, convention)
        if len(replaced) == before:
            why = found.why if isinstance(found, Refused) else "no query is left to average"
            how = "choose another preset or convention, or change the axis that refuses"
            raise UsageError(Problem("usage", f"{name} has no mean here: {why}", help=how))
        convention = convention.but({one.axis: one.instead for one in replaced[before:]})


def _of_undefined(scorer: Scorer, convention: Convention) -> list[Replaced]:
    """The rules by which a query without a value leaves the mean undefined."""
    active = scorer.canonical(convention)
    return [
        Replaced(axis, "nan", NEAREST[axis], "its mean is undefined")
        for axis in _UNDEFINED
        if getattr(active, axis) == "nan"
    ]
