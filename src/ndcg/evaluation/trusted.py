"""How far a mean can be trusted: what unjudged documents and ties could make of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

Value = float | None  # None: undefined, or left out


class Span(NamedTuple):
    """A mean between two ends, and the ends of every query."""

    low: Value
    high: Value
    per_query: Mapping[str, tuple[Value, Value]]


class Bounded(NamedTuple):
    """What labels for the unjudged documents could give."""

    span: Span
    exact: bool  # every end is attained by a labelling; else some enclose what is possible
    labelled: int  # documents that were labelled
    highest: float  # the highest label
    retrieved: bool  # whether all retrieved documents were labelled, not those of the top k alone

    def to_dict(self, *, per_query: bool) -> dict[str, Any]:
        """As JSON carries it."""
        facts = {
            "low": self.span.low,
            "high": self.span.high,
            "exact": self.exact,
            "labelled": self.labelled,
            "highest": self.highest,
            "documents": "retrieved" if self.retrieved else "top",
        }
        return facts | _per_query(self.span.per_query, ("low", "high"), per_query)


class Tied(NamedTuple):
    """What the order of tied documents could give."""

    worst: Value
    expected: Value  # the mean over all orders; None where it has no closed form
    best: Value
    moved: int  # queries whose value depends on it
    per_query: Mapping[str, tuple[Value, Value, Value]]  # of those queries

    def to_dict(self, *, per_query: bool) -> dict[str, Any]:
        """As JSON carries it."""
        names = ("worst", "expected", "best")
        facts = {name: getattr(self, name) for name in names} | {"moved": self.moved}
        return facts | _per_query(self.per_query, names, per_query)


class Estimated(NamedTuple):
    """What grades drawn for the unjudged documents give: a mean, and where 95 % of draws lie."""

    mean: Value
    span: Span
    prior: str  # run or pool
    draws: int
    seed: int
    drawn: int  # documents that grades were drawn for
    from_pool: int  # queries without a judged document in the run's top, drawn from the pool
    single: int  # queries with a single grade to draw, so that all draws are the same
    queries: int  # for which grades were drawn

    def to_dict(self, *, per_query: bool) -> dict[str, Any]:
        """As JSON carries it."""
        facts = {"mean": self.mean, "low": self.span.low, "high": self.span.high}
        facts |= {name: getattr(self, name) for name in self._fields[2:]}
        return facts | _per_query(self.span.per_query, ("low", "high"), per_query)


@dataclass(frozen=True, slots=True)
class Trust:
    """What was asked for about one measure of one system; None is what was not, or cannot be."""

    bounds: Bounded | None = None
    ties: Tied | None = None
    estimate: Estimated | None = None
    policies: Mapping[str, Value] | None = None  # the mean by the rule for unjudged documents

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """As JSON carries it."""
        found: dict[str, Any] = {}
        for name in ("bounds", "ties", "estimate"):
            part = getattr(self, name)
            if part is not None:
                found[name] = part.to_dict(per_query=per_query)
        return found | ({"unjudged": dict(self.policies)} if self.policies is not None else {})


def _per_query(
    values: Mapping[str, tuple[Value, ...]], names: tuple[str, ...], wanted: bool
) -> dict[str, Any]:
    if not wanted:
        return {}
    rows = {query: dict(zip(names, row, strict=True)) for query, row in values.items()}
    return {"per_query": rows}
