"""Rules of a convention that stop at data, and the nearest ones that count instead."""

from __future__ import annotations

from typing import NamedTuple

from ndcg.convention import Convention

# What stands for a rule that stops, or leaves the mean undefined: the nearest one that counts.
NEAREST = {
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


class Replaced(NamedTuple):
    """A rule of a convention that stops here, the rule taken for it, and what it said."""

    axis: str
    rule: str
    instead: str
    why: str


def milder(convention: Convention, word: str, why: str) -> Replaced | None:
    """The rule behind a refusal, by its code word, and the nearest one that does not stop.

    >>> milder(Convention().but({"extra": "error"}), "extra-query", "1 run query").instead
    'ignore'
    >>> milder(Convention(), "extra-query", "1 run query") is None
    True
    """
    for axis in _BEHIND.get(word, ()):
        rule = getattr(convention, axis)
        if rule in _STOPS or rule.startswith("whole") or axis == "min_documents":
            instead = "any" if rule.startswith("whole:") else NEAREST[axis]
            return Replaced(axis, rule, instead, why)
    return None
