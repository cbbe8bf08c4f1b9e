"""What explain() returns for one query of one run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ndcg._version import VERSION
from ndcg.convention import Convention
from ndcg.diagnose.explaining.lines import MISSED, PAST, SLOT, Line
from ndcg.errors import Notice


class Counts(NamedTuple):
    """How many documents there are of each kind."""

    listed: int  # rows of the run for the query
    ranked: int  # documents in the ranking
    unjudged: int  # of them without a judgment that counts
    judged: int  # documents that were judged for the query
    retrieved: int  # of these in the ranking
    worth: int  # judged documents that earn credit: a gain, or relevant
    found: int  # of these in the ranking, down to the last rank that counts
    past: int  # below it
    missed: int  # not retrieved
    idle: int  # judged, without credit, and not retrieved: they have no line


class Remedy(NamedTuple):
    """A change that would help: which document goes where, and how much the value would rise."""

    kind: str  # swap, promotion or missing
    document: str
    title: str | None
    rank: int | None  # None: it is not retrieved
    to: int
    other: str | None  # what it changes places with, in a swap
    gain: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """One query of one run: every document, what it adds, what it costs, and what would help.

    Attributes
    ----------
    value : as `evaluate` gives it; None where a rule leaves the query without one.
    decided : the axis that decided the value in place of the formula, if one did.
    sum, scale : the value is `sum` / `scale`: DCG and ideal DCG, relevant documents and k, ...
        A scale of 0 makes the value 0; None: it is not finite.
    best : the value of the ideal ranking; None where there is none to compare with.
    lines : the ranking, then missed documents, then empty slots of the ideal.
    left : listed documents that are not in the ranking: (document, axis that took it out).
    out : judged documents that the run lists and a rule left out, with the rule.
    dropped : rows of the run that rules left out before it was ranked, by axis.
    help : the best change of each kind; `untold` says why a kind has none.
    rounding : what rounding changed: the value less that of the parts.
    summed : whether the value is made of the parts of documents, and no rule gave another one.
    """

    query: str
    text: str | None
    system: str
    measure: str
    signature: str
    convention: Convention
    k: int | None
    value: float | None
    decided: str | None
    sum: float
    ideal_sum: float
    scale: float | None
    best: float | None
    lines: tuple[Line, ...]
    left: tuple[tuple[str, str], ...]
    dropped: Mapping[str, int]
    counts: Counts
    help: tuple[Remedy, ...]
    untold: Mapping[str, str]
    rounding: float
    out: Mapping[str, str] = field(default_factory=dict)
    summed: bool = True
    told: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()

    @property
    def loss(self) -> float | None:
        """How much the value of the ideal ranking is above that of this one."""
        if self.best is None or self.value is None:
            return None
        return self.best - self.value

    @property
    def causes(self) -> dict[str, float]:
        """The loss by cause: documents missed, past the last rank that counts, and their order."""
        if self.best is None:
            return {}
        costs: dict[str, list[float]] = {"missed": [], "past": [], "order": []}
        for line in self.lines:
            cause = {MISSED: "missed", SLOT: "missed", PAST: "past"}.get(line.status, "order")
            costs[cause].append(line.cost)
        return {cause: math.fsum(own) for cause, own in costs.items()}

    @property
    def costs(self) -> list[Line]:
        """The lines that cost something or give it back, the largest first."""
        moved = [line for line in self.lines if line.cost != 0] if self.best is not None else []
        return sorted(moved, key=lambda line: -abs(line.cost))

    def to_dict(self) -> dict[str, Any]:
        """The explanation as JSON carries it: see docs/explain.md."""
        return {"schema": 1, "version": VERSION, "kind": "query", **self.plain(),
                "notices": [*map(str, self.notices)]}  # fmt: skip

    def plain(self) -> dict[str, Any]:
        """The same without what belongs to a whole answer."""
        return {
            "query": self.query,
            "text": self.text,
            "system": self.system,
            "measure": self.measure,
            "signature": self.signature,
            "value": self.value,
            "decided": self.decided and {
                "axis": self.decided, "value": getattr(self.convention, self.decided)},
            "summed": self.summed,
            "sum": self.sum,
            "ideal_sum": None if self.best is None else self.ideal_sum,
            "scale": self.scale,
            "best": self.best,
            "loss": self.loss,
            "causes": self.causes,
            "rounding": self.rounding,
            "counts": self.counts._asdict(),
            "lines": [line.to_dict() for line in self.lines],
            "left": [{"document": document, "axis": axis} for document, axis in self.left],
            "dropped": dict(self.dropped),
            "out": dict(self.out),
            "help": {one.kind: {name: part for name, part in one._asdict().items()
                                if name != "kind"} for one in self.help},
            "untold": dict(self.untold),
            "told": [*self.told],
        }  # fmt: skip

    def report(self, format_name: str = "table") -> str:
        """The explanation as text in one of the command's formats."""
        from ndcg.reports.explained import render  # upwards, once: for people at a prompt

        return render(self, format_name)

    def __str__(self) -> str:
        return "\n".join([self.report().rstrip("\n"), *map(str, self.notices)])

    def __repr__(self) -> str:
        return f"<Explanation of {self.measure} of {self.query!r}: {self.value}>"
