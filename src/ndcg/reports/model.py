"""What reports show, as plain rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from ndcg.evaluation.reached import NOTHING, Parts
from ndcg.evaluation.results import Evaluation, MeasureResult, SystemResult
from ndcg.statistics.intervals import Interval


class Options(NamedTuple):
    """How a report is written."""

    per_query: bool = False
    places: int = 4  # decimals, where numbers are rounded for people
    width: int | None = None  # of the terminal; None: as wide as it needs to be
    color: bool = False


_MOST_PLACES = 4  # decimals of an interval
Cell = str | int | float | None
Row = Mapping[str, Cell]


class Sheet(NamedTuple):
    """A table for people: the first columns hold words, the others numbers."""

    rows: list[Row]
    words: int = 1
    prose: tuple[str, ...] = ()  # columns of texts, which are cut at their end


def summary_rows(evaluation: Evaluation) -> list[Row]:
    """One row per system and measure, with full precision."""
    ceilings = has_ceilings(evaluation)
    return [
        {
            "system": system.name,
            "measure": name,
            "mean": one.mean,
            **interval_columns(one.interval),
            "n": one.n,
            "evaluated": one.evaluated,
            "empty": len(one.empty),
            "missing": len(system.accounts.missing),
            "tie_moves": one.tie_moves,
            **_trust_columns(one),
            **(_ceiling_columns(one) if ceilings else {}),
            "signature": one.signature,
        }
        for system in evaluation.systems.values()
        for name, one in system.measures.items()
    ]


def interval_columns(found: Interval | None) -> Row:
    """An interval with full precision."""
    return {
        "interval_low": found and found.low,
        "interval_high": found and found.high,
        "interval_method": found and found.method,
    }


def _trust_columns(one: MeasureResult) -> Row:
    """What could move a mean, with full precision; nothing where it was not asked for."""
    trust = one.trust
    if trust is None:
        return {}
    bounds, ties, estimate = trust.bounds, trust.ties, trust.estimate
    return {
        "low": bounds and bounds.span.low,
        "high": bounds and bounds.span.high,
        "labelled": bounds and bounds.labelled,
        "ties_worst": ties and ties.worst,
        "ties_expected": ties and ties.expected,
        "ties_best": ties and ties.best,
        "estimate": estimate and estimate.mean,
        "estimate_low": estimate and estimate.span.low,
        "estimate_high": estimate and estimate.span.high,
        **{f"unjudged_{rule}": mean for rule, mean in (trust.policies or {}).items()},
    }


def has_ceilings(evaluation: Evaluation) -> bool:
    """Whether some measure has a ceiling, so that there are columns for it."""
    systems = evaluation.systems.values()
    return any(one.ceiling is not None for system in systems for one in system.measures.values())


def _ceiling_columns(one: MeasureResult) -> Row:
    """The parts of a mean, with full precision."""
    reached = one.ceiling
    if reached is None:
        return {**NOTHING.to_dict(), "ordered": None, "unordered": None}
    return reached.to_dict()


def query_rows(evaluation: Evaluation) -> list[Row]:
    """One row per system, query and measure, in byte order of the query ids."""
    rows: list[Row] = []
    ceilings = has_ceilings(evaluation)
    for system in evaluation.systems.values():
        status = {name: _statuses(system, name) for name in system.measures}
        rows += [
            {
                "system": system.name,
                "query": query,
                "measure": name,
                "value": value,
                "status": status[name].get(query, "scored"),
                **(parts_of(system.measures[name], query).to_dict() if ceilings else {}),
                "signature": system.measures[name].signature,
            }
            for query, values in system.per_query.items()
            for name, value in values.items()
        ]
    return rows


def parts_of(one: MeasureResult, query: str) -> Parts:
    """What the value of a query could have been; nothing where that is not known."""
    return NOTHING if one.ceiling is None else one.ceiling.per_query.get(query, NOTHING)


def _statuses(system: SystemResult, measure: str) -> dict[str, str]:
    """The rule that decided a query's value, for the queries that were not simply scored."""
    accounts = system.accounts
    return (
        dict.fromkeys(accounts.extra, "extra")
        | dict.fromkeys(accounts.missing, "missing")
        | dict.fromkeys(system.measures[measure].empty, "empty")
    )


def value_sheet(evaluation: Evaluation, options: Options) -> Sheet:
    """Systems down and measures across, with the queries they average.

    Where the measures of a system average different numbers of queries, one row per measure.
    """
    systems = list(evaluation.systems.values())
    if all(len({one.n for one in system.measures.values()}) == 1 for system in systems):
        return Sheet(
            [
                {
                    "system": system.name,
                    **_means(system, options),
                    "queries": next(iter(system.measures.values())).n,
                }
                for system in systems
            ]
        )
    return long_sheet(evaluation, options)


def _means(system: SystemResult, options: Options) -> Row:
    """The mean of each measure, and its interval beside it."""
    cells: dict[str, Cell] = {}
    several = len(system.measures) > 1
    for name, one in system.measures.items():
        cells[name] = shown(one.mean, one, options)
        if one.uncertainty is not None and _has_interval(one):
            head = interval_head(one.uncertainty.level)
            cells[f"{name} {head}" if several else head] = interval_text(one.interval, options)
    return cells


def interval_head(level: float) -> str:
    """The head of a column of intervals."""
    return f"{100 * level:g}% CI"


def interval_text(found: Interval | None, options: Options, sign: str = "") -> str:
    """An interval as people read it."""
    if found is None:
        return "-"
    places = min(options.places, _MOST_PLACES)  # more would be about nothing
    low, high = (f"{end:{sign}.{places}f}" for end in (found.low, found.high))
    return f"{low} to {high}"


def long_sheet(evaluation: Evaluation, options: Options) -> Sheet:
    """One row per measure and system: never wide."""
    results = [one for system in evaluation.systems.values() for one in system.measures.values()]
    heading = "mean" if {one.over_queries for one in results} == {"mean"} else "value"
    levels = [one.uncertainty.level for one in results if _has_interval(one) and one.uncertainty]
    rows: list[Row] = []
    for name in next(iter(evaluation.systems.values())).measures:
        for system in evaluation.systems.values():
            one = system.measures[name]
            row: dict[str, Cell] = {"measure": name, "system": system.name}
            row[heading] = shown(one.mean, one, options)
            if levels:  # a column of all measures, though some are no means
                text = interval_text(one.interval, options) if _has_interval(one) else None
                row[interval_head(levels[0])] = text
            rows.append(row | {"queries": one.n})
    return Sheet(rows, words=2)


def _has_interval(one: MeasureResult) -> bool:
    return one.uncertainty is not None and one.uncertainty.method != "none"


def per_query_sheet(evaluation: Evaluation, options: Options) -> Sheet:
    """One row per query, one column per measure and system, systems side by side."""
    systems = list(evaluation.systems.values())
    queries = sorted({query for system in systems for query in system.per_query})
    tables = {system.name: system.per_query for system in systems}
    several = len(systems) > 1
    rows: list[Row] = [
        {"query": query}
        | {
            f"{name} {system.name}" if several else name: shown(
                tables[system.name].get(query, {}).get(name), system.measures[name], options
            )
            for name in systems[0].measures
            for system in systems
        }
        for query in queries
    ]
    return Sheet(rows)


def group_sheet(evaluation: Evaluation, options: Options) -> Sheet | None:
    """One row per group of queries with its means; None where means are not of groups."""
    systems = list(evaluation.systems.values())
    several = len(systems) > 1
    columns = {
        f"{name} {system.name}" if several else name: one.groups
        for name in systems[0].measures
        for system in systems
        if (one := system.measures[name]).groups
    }
    groups = sorted({group for means in columns.values() for group in means})
    rows: list[Row] = [
        {"group": group}
        | {name: number(means.get(group), options.places) for name, means in columns.items()}
        for group in groups
    ]
    return Sheet(rows) if rows else None


def trust_sheet(evaluation: Evaluation, options: Options) -> Sheet | None:
    """One row per measure and system with what could move it; None where nothing was asked for."""
    rows: list[Row] = [
        {
            "measure": name,
            "system": system.name,
            "mean": shown(one.mean, one, options),
            **trust_cells(one, options),
        }
        for system in evaluation.systems.values()
        for name, one in system.measures.items()
        if one.trust is not None and one.trust.to_dict()
    ]
    if not rows:
        return None
    columns = dict.fromkeys(name for row in rows for name in row)
    return Sheet([{name: row.get(name, "-") for name in columns} for row in rows], words=2)


def trust_cells(one: MeasureResult, options: Options) -> Row:
    """What could move a measure, by the heads of columns."""
    cells: dict[str, Cell] = {}
    trust = one.trust
    if trust is None:
        return cells
    if trust.bounds is not None:
        cells["bounds low"] = shown(trust.bounds.span.low, one, options)
        cells["bounds high"] = shown(trust.bounds.span.high, one, options)
        cells["labelled"] = trust.bounds.labelled
    if trust.estimate is not None:
        cells["estimate"] = shown(trust.estimate.mean, one, options)
        cells["estimate low"] = shown(trust.estimate.span.low, one, options)
        cells["estimate high"] = shown(trust.estimate.span.high, one, options)
    for rule, mean in (trust.policies or {}).items():
        cells[f"unjudged:{rule}"] = shown(mean, one, options)
    if trust.ties is not None:
        cells["ties worst"] = shown(trust.ties.worst, one, options)
        cells["ties mean"] = shown(trust.ties.expected, one, options)
        cells["ties best"] = shown(trust.ties.best, one, options)
        cells["ties move"] = trust.ties.moved
    return cells


def signatures(evaluation: Evaluation) -> dict[str, list[str]]:
    """Each different signature of an evaluation, see `grouped_signatures`."""
    return grouped_signatures(
        (name, one.signature)
        for system in evaluation.systems.values()
        for name, one in system.measures.items()
    )


def grouped_signatures(given: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Each different signature with the measures that share all but the name.

    The key is the signature of the first of them, the value the names of the others.
    """
    shared: dict[str, tuple[str, list[str]]] = {}
    for name, signature in given:
        axes = signature.removeprefix(name)
        first, others = shared.setdefault(axes, (signature, []))
        if first != signature and name not in others:
            others.append(name)
    return dict(shared.values())


def shown(value: float | None, one: MeasureResult, options: Options) -> str:
    """A value as people read it; counts without decimals."""
    return number(value, 0 if one.over_queries == "sum" else options.places)


def number(value: float | None, places: int) -> str:
    """A value for people: rounded, or a dash where it is undefined."""
    return "-" if value is None else f"{value:.{places}f}"


def signed(value: float, places: int) -> str:
    """A difference with its sign, or a dash."""
    if math.isnan(value):
        return "-"
    text = f"{value:+.{places}f}"
    return text.replace("-", "+") if float(text) == 0 else text  # -0.0000 is no loss


def account_sheet(evaluation: Evaluation) -> Sheet:
    """What each system's numbers rest on; columns of zeros are left out, but for the first ones."""
    rows = [_accounts(system) for system in evaluation.systems.values()]
    always = ("system", "judged", "answered")
    kept = [
        name
        for name in rows[0]
        if name in always or any(row[name] not in (0, None) for row in rows)
    ]
    return Sheet([{name: row[name] for name in kept} for row in rows])


def escaped(text: str) -> str:
    """Text for a field that tabs and line ends separate: with backslash escapes for these."""
    for mark, escape in (("\\", "\\\\"), ("\t", "\\t"), ("\n", "\\n"), ("\r", "\\r")):
        text = text.replace(mark, escape)
    return text


def _accounts(system: SystemResult) -> dict[str, Cell]:
    accounts = system.accounts
    empty = {query for one in system.measures.values() for query in one.empty}
    row: dict[str, Cell] = {
        "system": system.name,
        "judged": accounts.judged_queries,
        "answered": accounts.judged_queries - len(accounts.missing),
        "missing": len(accounts.missing),
        "extra": len(accounts.extra),
        "empty": len(empty),
        "duplicates": accounts.duplicates,
        "negative": accounts.negative_grades,
        "self-match": accounts.self_matches,
        "tied": accounts.tied_queries,
    }
    for k, share in accounts.judged_share.items():
        row[f"judged@{k}"] = None if share is None else f"{share:.1%}"
    return row
