"""How much of a value was lost in retrieval, and how much in ranking: plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

Value = float | None  # None: undefined, or left out


class Parts(NamedTuple):
    """What a value could have been: attainable - value = lost in retrieval + lost in ranking."""

    value: Value
    attainable: Value  # by a ranking of all the relevant documents that there are; for nDCG 1
    ceiling: Value  # by the best order of the candidates
    ordering: Value  # value / ceiling; None where the ceiling is not above 0

    @property
    def lost_in_retrieval(self) -> Value:
        """What no order of the candidates brings back."""
        return less(self.attainable, self.ceiling)

    @property
    def lost_in_ranking(self) -> Value:
        """What the best order of the candidates would bring back."""
        return less(self.ceiling, self.value)

    def to_dict(self) -> dict[str, Value]:
        """The parts by their names."""
        return {
            "attainable": self.attainable,
            "ceiling": self.ceiling,
            "ordering": self.ordering,
            "lost_in_retrieval": self.lost_in_retrieval,
            "lost_in_ranking": self.lost_in_ranking,
        }


NOTHING = Parts(None, None, None, None)


class Reached(NamedTuple):
    """The parts of a mean, and of every query."""

    mean: Parts  # its ordering is the mean of those of the queries that have one
    ordered: int  # how many these are
    unordered: int  # queries in the mean whose ceiling is not above 0
    per_query: Mapping[str, Parts]

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """As JSON carries it."""
        facts: dict[str, Any] = self.mean.to_dict()
        facts |= {"ordered": self.ordered, "unordered": self.unordered}
        if per_query:
            facts["per_query"] = {query: one.to_dict() for query, one in self.per_query.items()}
        return facts


def less(one: Value, other: Value) -> Value:
    """The difference of two values; None where one of them is undefined."""
    return None if one is None or other is None else one - other
