"""The parameters that follow a measure's name in trec_eval: ``P.5,10``, ``ndcg.1=3,2=7``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from ndcg.compat.c_text import atof, atol

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
        return [f"{name}_{level:3.2f}" for level in given]
    stated = text is not None and kind in ("coefficients", "length", "pairs")
    return [f"{name}_{text}" if stated else name]


def _ranks(text: str, _: int) -> Given:
    ranks = sorted(atol(one) for one in text.split(","))
    if ranks[0] <= 0:
        raise BadParametersError(f"cutoffs are whole numbers from 1 up, not {text!r}")
    return _different(ranks, text)


def _levels(text: str, _: int) -> Given:
    return _different(sorted(atof(one) for one in text.split(",")), text)


def _different(cutoffs: list[Any], text: str) -> Given:
    if len(set(cutoffs)) < len(cutoffs):
        raise BadParametersError(f"a cutoff stands twice in {text!r}")
    return tuple(cutoffs)


def _coefficients(text: str, _: int) -> Given:
    return tuple(atof(one) for one in text.split(","))


def _length(text: str, _: int) -> Given:
    return tuple(atol(one) for one in text.split(","))


def _pairs(text: str, version: int) -> Given:
    if not re.fullmatch(r"[^,=]*=[^,=]*(?:,[^,=]*=[^,=]*)*", text):
        raise BadParametersError(f"{text!r} is not level=gain, with a comma between pairs")
    pairs = []
    for pair in text.split(","):
        name, _, gain = pair.partition("=")
        is_level = version == 9 or re.match(r"\s*[+-]?[0-9]", name, re.ASCII)
        pairs.append((atol(name) if is_level else name, atof(gain)))
    return tuple(pairs)


_READ: dict[str, Callable[[str, int], Given]] = {
    "ranks": _ranks,
    "levels": _levels,
    "coefficients": _coefficients,
    "length": _length,
    "pairs": _pairs,
    "": lambda _, __: (),
}
