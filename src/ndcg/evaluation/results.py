"""What an evaluation returns: plain values, with the dictionaries that JSON is made of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ndcg._version import VERSION
from ndcg.convention import Convention
from ndcg.errors import Notice, Problem, UsageError, did_you_mean
from ndcg.evaluation.reached import Reached
from ndcg.evaluation.trusted import Trust
from ndcg.evaluation.uncertainty import Uncertainty
from ndcg.formats.source import Input
from ndcg.measures.registry import parse
from ndcg.statistics.intervals import LEVEL, Interval
from ndcg.stores.given import Skipped


@dataclass(frozen=True, slots=True)
class MeasureResult:
    """One measure of one system: the mean, what it is over, and what it is."""

    mean: float | None  # None: no query is left to average, or one that counts is undefined
    n: int  # queries in the mean
    evaluated: int  # those of them that the run answered
    empty: tuple[str, ...]  # judged queries that the `empty` rule touched
    tie_moves: int | None  # queries whose value depends on the order of ties; None: not defined
    signature: str
    per_query: dict[str, float | None]  # None: undefined or left out
    groups: dict[str, float] = field(default_factory=dict)  # mean of each, if means are of groups
    over_queries: str = "mean"  # what `mean` is: mean, sum or geometric
    tie_range: tuple[float, float] | None = None  # means with ties against and for the system
    trust: Trust | None = None  # how far it could move, where that was asked for
    ceiling: Reached | None = None  # what its candidates could reach, where that was asked for
    uncertainty: Uncertainty | None = field(default=None, repr=False, compare=False)

    @property
    def interval(self) -> Interval | None:
        """Where the mean over all queries like these may lie.

        None where the summary is no mean, or of fewer than two queries. Another method or level:
        `Evaluation.with_intervals`.
        """
        return None if self.uncertainty is None else self.uncertainty.interval()

    def with_interval(self, method: str, *, level: float = LEVEL, seed: int = 0) -> MeasureResult:
        """The same with another interval: see `Evaluation.with_intervals`."""
        if self.uncertainty is None:
            return self
        how = self.uncertainty._replace(method=method, level=level, seed=seed)
        how.interval()  # which says now what does not fit
        return replace(self, uncertainty=how)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The result as JSON carries it, without the values of the queries."""
        other = {"over_queries": self.over_queries} if self.over_queries != "mean" else {}
        return {
            "mean": self.mean,
            "interval": None if (found := self.interval) is None else found.to_dict(),
            "n": self.n,
            "evaluated": self.evaluated,
            "empty": list(self.empty),
            "tie_moves": self.tie_moves,
            "tie_range": None if self.tie_range is None else [*self.tie_range],
            "signature": self.signature,
            **({"groups": self.groups} if self.groups else {}),
            **other,
            **({"trust": self.trust.to_dict(per_query=per_query)} if self.trust else {}),
            **({"ceiling": self.ceiling.to_dict(per_query=per_query)} if self.ceiling else {}),
        }


@dataclass(frozen=True, slots=True)
class Accounts:
    """What one system's numbers rest on: everything counted that is not simply scored."""

    judged_queries: int
    run_queries: int
    missing: tuple[str, ...]  # judged queries that the run does not answer
    extra: tuple[str, ...]  # run queries that nobody judged
    duplicates: int  # further occurrences of a document in judged queries of the run
    repeated_judgments: int  # judgments collapsed into another of the same pair
    self_matches: int  # listed documents whose id is the query's id
    negative_grades: int
    skipped_rows: tuple[Skipped, ...]  # left out because --lenient allowed it
    tied_queries: int  # queries where a judged document is tied with another document
    judged_share: dict[str, float | None]  # mean share of judged documents in the top k

    def to_dict(self) -> dict[str, Any]:
        """The accounts as JSON carries them."""
        return {
            "judged_queries": self.judged_queries,
            "run_queries": self.run_queries,
            "missing": list(self.missing),
            "extra": list(self.extra),
            "duplicates": self.duplicates,
            "repeated_judgments": self.repeated_judgments,
            "self_matches": self.self_matches,
            "negative_grades": self.negative_grades,
            "skipped_rows": [one._asdict() for one in self.skipped_rows],
            "tied_queries": self.tied_queries,
            "judged_share": self.judged_share,
        }


@dataclass(frozen=True, slots=True)
class SystemResult:
    """Everything about one system."""

    name: str
    measures: dict[str, MeasureResult]
    accounts: Accounts
    convention: Convention  # as asked, with what the run was really ordered by

    def __getitem__(self, measure: str) -> MeasureResult:
        """The result of a measure, under its own name or a foreign one."""
        if measure in self.measures:
            return self.measures[measure]
        name = str(parse(measure)[0])
        if name in self.measures:
            return self.measures[name]
        raise UsageError(
            Problem(
                "measure",
                f"{measure!r} was not evaluated{did_you_mean(name, self.measures)}",
                help=f"evaluated: {', '.join(self.measures)}",
            )
        )

    @property
    def per_query(self) -> dict[str, dict[str, float | None]]:
        """``{query: {measure: value}}`` in byte order of the query ids."""
        tables = {name: result.per_query for name, result in self.measures.items()}
        queries = sorted({query for table in tables.values() for query in table})
        return {q: {name: t[q] for name, t in tables.items() if q in t} for q in queries}

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The system as JSON carries it."""
        result = {
            "name": self.name,
            "measures": {n: m.to_dict(per_query=per_query) for n, m in self.measures.items()},
            "accounts": self.accounts.to_dict(),
        }
        return result | ({"per_query": self.per_query} if per_query else {})


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation:
    """What `evaluate` returns: one `SystemResult` per run, and how they were made.

    With a single run the results can be read from the evaluation itself: ``ev["nDCG@10"].mean``,
    ``ev.accounts``, ``ev.per_query``.
    """

    systems: dict[str, SystemResult]
    convention: Convention
    inputs: tuple[Input, ...]
    notices: tuple[Notice, ...] = field(default=())

    def __getitem__(self, name: str) -> Any:
        """A system by its name; with a single system, also a measure by its name."""
        if name in self.systems:
            return self.systems[name]
        return self._only(f"[{name!r}]")[str(name)]

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    @property
    def accounts(self) -> Accounts:
        """The accounts of the single system."""
        return self._only(".accounts").accounts

    @property
    def measures(self) -> dict[str, MeasureResult]:
        """The measures of the single system."""
        return self._only(".measures").measures

    @property
    def per_query(self) -> dict[str, dict[str, float | None]]:
        """The per-query values of the single system."""
        return self._only(".per_query").per_query

    @property
    def digest(self) -> str:
        """The digest of the convention that was asked for."""
        return self.convention.digest

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The evaluation as ``ndcg eval --json`` prints it."""
        return {
            "schema": 1,
            "version": VERSION,
            "convention": self.convention.to_dict(),
            "digest": self.digest,
            "inputs": [one.to_dict() for one in self.inputs],
            "systems": [s.to_dict(per_query=per_query) for s in self.systems.values()],
        }

    def report(self, format_name: str = "table", *, per_query: bool = False) -> str:
        """The evaluation as text in one of the command's formats."""
        from ndcg.reports import render  # upwards, once: a convenience for people at a prompt
        from ndcg.reports.model import Options

        return render(self, format_name, Options(per_query=per_query))

    def with_intervals(
        self, method: str = "auto", *, level: float = LEVEL, seed: int = 0
    ) -> Evaluation:
        """The same with other intervals: see `ndcg.statistics.intervals.METHODS`.

        Raises
        ------
        UsageError
            For a method or level that does not exist, or does not fit some scores.
        """
        systems = {}
        for name, system in self.systems.items():
            measures = {
                measure: one.with_interval(method, level=level, seed=seed)
                for measure, one in system.measures.items()
            }
            systems[name] = replace(system, measures=measures)
        return replace(self, systems=systems)

    def __str__(self) -> str:
        return "\n".join([self.report().rstrip("\n"), *map(str, self.notices)])

    def __repr__(self) -> str:
        parts = [
            f"{name}: " + ", ".join(f"{measure} {one.mean}" for measure, one in s.measures.items())
            for name, s in self.systems.items()
        ]
        return f"<Evaluation {'; '.join(parts)}>"

    def _only(self, what: str) -> SystemResult:
        if len(self.systems) == 1:
            return next(iter(self.systems.values()))
        names = list(self.systems)
        named = what.strip("[]'")
        if what.startswith("["):
            said = f"there is no system {named!r}{did_you_mean(named, names)}"
        else:
            said = f"there are {len(names)} systems, so {what} is not one thing"
        how = f"systems: {', '.join(names)}; name one first, as in ev[{names[0]!r}]"
        raise UsageError(Problem("system", said, help=how))
