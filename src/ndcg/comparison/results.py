"""What compare() returns: plain values, with the dictionaries that JSON is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ndcg._version import VERSION
from ndcg.comparison.pairs import How, Pair
from ndcg.errors import Notice, Problem, UsageError, did_you_mean
from ndcg.evaluation.results import Evaluation
from ndcg.statistics.intervals import Interval


class System(NamedTuple):
    """A system's mean over the queries of a family."""

    name: str
    mean: float | None
    interval: Interval | None
    missing: int  # queries of the family that the run does not answer
    partial: int  # that only some of its runs answer
    runs: tuple[str, ...] = ()  # that it is the mean of, where there are several

    def to_dict(self) -> dict[str, Any]:
        """The system as JSON carries it."""
        found = self._asdict() | {"interval": self.interval and self.interval.to_dict()}
        several = {"partial": self.partial, "runs": [*self.runs]}
        del found["partial"], found["runs"]
        return found | (several if self.runs else {})


class Segment(NamedTuple):
    """The pairs of a measure over some of the queries."""

    name: str
    n: int
    pairs: tuple[Pair, ...]
    family: str  # what was corrected for


class Variant(NamedTuple):
    """The pairs of a measure by another rule; none where it has no value under it."""

    change: str  # axis:value, or the cutoff
    signature: str  # of the measure by that rule; empty where it has none
    winner: str | None  # the system with the highest mean
    pairs: tuple[Pair, ...]


class Result(NamedTuple):
    """A measure: its systems, the family of its pairs, and what was asked beside it."""

    measure: str
    signature: str
    n: int
    undefined: int  # queries left out because some system has no value for them
    weightless: int  # queries of weight 0, left out
    common: int  # queries that every run answers, or all where they answer the same
    systems: tuple[System, ...]
    pairs: tuple[Pair, ...]
    family: str  # what was corrected for, in words
    segments: tuple[Segment, ...] = ()
    parts: str = "segment"  # what these are: segments or collections
    variants: tuple[Variant, ...] = ()

    @property
    def winner(self) -> str | None:
        """The system with the highest mean, the first of equals."""
        means = [one for one in self.systems if one.mean is not None]
        return max(means, key=lambda one: one.mean or 0.0).name if means else None

    def to_dict(self) -> dict[str, Any]:
        """The measure as JSON carries it."""
        found: dict[str, Any] = {
            "measure": self.measure,
            "signature": self.signature,
            "n": self.n,
            **({"mean_of": "collection means"} if self.parts == "collection" else {}),
            "undefined": self.undefined,
            "common": self.common,
            "family": self.family,
            "winner": self.winner,
            "systems": [one.to_dict() for one in self.systems],
            "pairs": [one.to_dict() for one in self.pairs],
        }
        if self.segments:
            found[f"{self.parts}s"] = [
                {
                    self.parts: one.name,
                    "n": one.n,
                    "family": one.family,
                    "pairs": [pair.to_dict() for pair in one.pairs],
                }
                for one in self.segments
            ]
        if self.variants:
            found["sensitivity"] = [
                {"change": one.change, "signature": one.signature, "winner": one.winner,
                 "pairs": [pair.to_dict() for pair in one.pairs]}
                for one in self.variants
            ]  # fmt: skip
        return found


@dataclass(frozen=True, slots=True, repr=False)
class Comparison:
    """What `compare` returns: a result for each measure, and the evaluation behind them.

    With a single measure its result can be read from the comparison: ``found.pairs``.
    """

    results: tuple[Result, ...]
    how: How
    evaluation: Evaluation
    notices: tuple[Notice, ...] = ()
    asked: Mapping[str, Any] = field(default_factory=dict)  # which pairs and runs

    def __getitem__(self, measure: str) -> Result:
        """The result of a measure."""
        names = [one.measure for one in self.results]
        if measure not in names:
            what = f"{measure!r} was not compared{did_you_mean(measure, names)}"
            raise UsageError(Problem("measure", what, help=f"compared: {', '.join(names)}"))
        return self.results[names.index(measure)]

    @property
    def pairs(self) -> tuple[Pair, ...]:
        """The pairs of all measures."""
        return tuple(pair for one in self.results for pair in one.pairs)

    def to_dict(self) -> dict[str, Any]:
        """Everything as JSON carries it."""
        return {
            "schema": 1,
            "version": VERSION,
            "how": {**self.how._asdict(), **self.asked},
            "inputs": [one.to_dict() for one in self.evaluation.inputs],
            "measures": [one.to_dict() for one in self.results],
            "notices": [str(one) for one in self.notices],
        }

    def report(self, format_name: str = "table") -> str:
        """The comparison as text in one of the command's formats."""
        from ndcg.reports.compared import render  # upwards, once: for people at a prompt

        return render(self, format_name)

    def __str__(self) -> str:
        return "\n".join([self.report().rstrip("\n"), *map(str, self.notices)])

    def __repr__(self) -> str:
        return f"<Comparison {'; '.join(pair.verdict.sentence for pair in self.pairs)}>"
