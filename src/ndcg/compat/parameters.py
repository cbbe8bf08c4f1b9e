"""The parameters that follow a measure's name in trec_eval: ``P.5,10``, ``ndcg.1=3,2=7``."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

from ndcg.compat.c_text import atof, atol

_LEVEL_WIDTH = 8  # characters that trec_eval has room for
_OVERFLOWS = 1e15  # beyond, trec_eval counts documents in a number that overflows

Given = tuple[Any, ...]  # numbers, or pairs of a level (or the name p) and a number


class BadParametersError(Exception):
    """Parameters that trec_eval refuses too; says why."""


def parameters_of(kind: str, text: str, version: int) -> Given:
    """The parameters that a text states.

    Raises
    ------
    BadParametersError
        For what trec_eval refuses.
    """
    return _READ[kind](text, version)


def names_of(name: str, kind: str, given: Given, text: str | None) -> list[str]:
    """What the values of a family are called."""
    if kind == "ranks":
        return [f"{name}_{k}" for k in given]
    if kind == "levels":
        return [f"{name}_{level:3.2f}"[: len(name) + 1 + _LEVEL_WIDTH] for level in given]
    stated = text is not None and kind in ("coefficients", "length", "pairs", "points")
    return [f"{name}_{text}" if stated else name]


def ignored(given: Given) -> list[str]:
    """What does not count among pairs: levels that are no whole numbers, or stand twice."""
    levels = [level for level, _ in given]
    odd = [f"{level!r} is no level" for level in levels if isinstance(level, str) and level != "p"]
    twice = {level for level in levels if isinstance(level, int) and levels.count(level) > 1}
    return odd + [f"level {level} stands twice, the first gain counts" for level in sorted(twice)]


def _ranks(text: str, _: int) -> Given:
    ranks = sorted(atol(one) for one in text.split(","))
    if ranks[0] <= 0:
        raise BadParametersError(f"cutoffs are whole numbers from 1 up, not {text!r}")
    return _different(ranks, text)


def _levels(text: str, version: int) -> Given:
    return _different(sorted(_points(text, version)), text)


def _points(text: str, _: int) -> Given:
    points = tuple(atof(one) for one in text.split(","))
    if not all(abs(point) < _OVERFLOWS for point in points):
        raise BadParametersError(f"these are finite numbers below 10^15, not {text!r}")
    return points


def _different(cutoffs: list[Any], text: str) -> Given:
    if len(set(cutoffs)) < len(cutoffs):
        raise BadParametersError(f"a cutoff stands twice in {text!r}")
    return tuple(cutoffs)


def _coefficients(text: str, _: int) -> Given:
    return tuple(atof(one) for one in text.split(","))


def _length(text: str, _: int) -> Given:
    lengths = [atof(one) for one in text.split(",")]
    return tuple(int(one) if math.isfinite(one) else 0 for one in lengths)


def _pairs(text: str, version: int) -> Given:
    if not re.fullmatch(r"[^,=]*=[^,=]*(?:,[^,=]*=[^,=]*)*", text):
        raise BadParametersError(f"{text!r} is not level=gain, with a comma between pairs")
    pairs = []
    for pair in text.split(","):
        name, _, gain = pair.partition("=")
        is_level = version == 9 or re.fullmatch(r"[+-]?[0-9]+", name, re.ASCII)
        if not math.isfinite(atof(gain)):
            raise BadParametersError(f"{pair!r} has no finite gain")
        pairs.append((atol(name) if is_level else name, atof(gain)))
    return tuple(pairs)


_READ: dict[str, Callable[[str, int], Given]] = {
    "ranks": _ranks,
    "levels": _levels,
    "points": _points,
    "coefficients": _coefficients,
    "length": _length,
    "pairs": _pairs,
    "": lambda _, __: (),
}
