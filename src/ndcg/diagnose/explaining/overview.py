"""What explain() returns without a query: all of them, by what they lose or differ by."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from ndcg._version import VERSION
from ndcg.errors import Notice

CAUSES = ("missed", "past", "order")


class QueryRow(NamedTuple):
    """A query of the list. What is not asked for, or not known, is None."""

    query: str = ""
    text: str | None = None
    segments: tuple[str, ...] = ()
    values: tuple[float, ...] = ()  # of each run
    decided: tuple[str | None, ...] = ()  # the axis that decided each value, if one did
    difference: float | None = None  # of two runs: the second value less the first
    best: float | None = None  # of one run: the value of the ideal ranking
    loss: float | None = None  # and how much it is above the value
    causes: Mapping[str, float] = MappingProxyType({})  # the loss by cause
    adds: float = 0.0  # to the mean difference, or the mean loss
    gains: Mapping[str, float] = MappingProxyType({})  # of the best change of each kind

    def to_dict(self) -> dict[str, Any]:
        """The row as JSON carries it."""
        lists = {name: [*getattr(self, name)] for name in ("segments", "values", "decided")}
        return self._asdict() | lists | {"causes": {**self.causes}, "gains": {**self.gains}}


class Helped(NamedTuple):
    """What a kind of change would do if each query had its best one."""

    rise: float  # of the mean
    queries: int  # that it would help at all
    most: int  # that it would help most, of all kinds


@dataclass(frozen=True, slots=True)
class Overview:
    """All queries: of two runs by their share of the difference, of one by what they lose.

    Attributes
    ----------
    systems : the names of the runs.
    means : of each run, over the queries listed.
    total : the mean difference, or the mean loss (of the queries of which it is known): what
        `adds` of all rows add up to.
    rows : the largest share first.
    help : what would help (of two runs, the second), summed over queries.
    left : queries without a value, by the rule that says so, such as ``missing:exclude``.
    parts : queries and mean of each segment: (queries, total).
    """

    measure: str
    signature: str
    systems: tuple[str, ...]
    means: tuple[float, ...]
    total: float
    rows: tuple[QueryRow, ...]
    help: Mapping[str, Helped]
    untold: Mapping[str, str]
    left: Mapping[str, Sequence[str]]
    parts: Mapping[str, tuple[int, float]]
    notices: tuple[Notice, ...] = ()

    @property
    def wins(self) -> list[QueryRow]:
        """Queries for which the second run is better."""
        return [row for row in self.rows if (row.difference or 0) > 0]

    @property
    def losses(self) -> list[QueryRow]:
        """Queries for which the second run is worse."""
        return [row for row in self.rows if (row.difference or 0) < 0]

    def to_dict(self) -> dict[str, Any]:
        """The list as JSON carries it: see docs/explain.md."""
        return {
            "schema": 1,
            "version": VERSION,
            "kind": "queries",
            "measure": self.measure,
            "signature": self.signature,
            "systems": [*self.systems],
            "means": [None if math.isnan(mean) else mean for mean in self.means],
            "total": self.total,
            "queries": [row.to_dict() for row in self.rows],
            "help": {kind: one._asdict() for kind, one in self.help.items()},
            "untold": {**self.untold},
            "left": {axis: [*queries] for axis, queries in self.left.items()},
            "segments": {name: {"queries": n, "total": None if math.isnan(total) else total}
                         for name, (n, total) in self.parts.items()},
            "notices": [*map(str, self.notices)],
        }  # fmt: skip

    def report(self, format_name: str = "table") -> str:
        """The list as text in one of the command's formats."""
        from ndcg.reports.explained import render  # upwards, once: for people at a prompt

        return render(self, format_name)

    def __str__(self) -> str:
        return "\n".join([self.report().rstrip("\n"), *map(str, self.notices)])

    def __repr__(self) -> str:
        kind = "difference" if len(self.systems) > 1 else "loss"
        return f"<Overview of {self.measure}: {len(self.rows)} queries, {kind} {self.total}>"
