"""What reports show, as plain rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ndcg.evaluation.results import Evaluation, SystemResult


class Options(NamedTuple):
    """How a report is written."""

    per_query: bool = False
    places: int = 4  # decimals, where numbers are rounded for people
    width: int | None = None  # of the terminal; None: as wide as it needs to be
    color: bool = False


Cell = str | int | float | None
Row = Mapping[str, Cell]


def summary_rows(evaluation: Evaluation) -> list[dict[str, Cell]]:
    """One row per system and measure."""
    return [
        {
            "system": system.name,
            "measure": name,
            "mean": one.mean,
            "n": one.n,
            "evaluated": one.evaluated,
            "empty": len(one.empty),
            "missing": len(system.accounts.missing),
            "tie_moves": one.tie_moves,
            "signature": one.signature,
        }
        for system in evaluation.systems.values()
        for name, one in system.measures.items()
    ]


def query_rows(evaluation: Evaluation) -> list[dict[str, Cell]]:
    """One row per system, query and measure, in byte order of the query ids."""
    return [
        {
            "system": system.name,
            "query": query,
            "measure": name,
            "value": value,
            "signature": system.measures[name].signature,
        }
        for system in evaluation.systems.values()
        for query, values in system.per_query.items()
        for name, value in values.items()
    ]


def signatures(evaluation: Evaluation) -> dict[str, list[str]]:
    """Each different signature with the measures that share all but the name.

    The key is the signature of the first of them, the value the names of the others.
    """
    shared: dict[str, tuple[str, list[str]]] = {}
    for system in evaluation.systems.values():
        for name, one in system.measures.items():
            axes = one.signature.removeprefix(name)
            first, others = shared.setdefault(axes, (one.signature, []))
            if not first.startswith(name + axes) and name not in others:
                others.append(name)
    return dict(shared.values())


def number(value: float | None, places: int) -> str:
    """A value for people: rounded, or a dash where it is undefined."""
    return "-" if value is None else f"{value:.{places}f}"


def account_rows(evaluation: Evaluation) -> list[Row]:
    """What each system's numbers rest on; columns of zeros are left out, but for the first ones."""
    rows = [_accounts(system) for system in evaluation.systems.values()]
    kept = [
        name
        for name in rows[0]
        if name in ("system", "judged", "answered")
        or any(row[name] not in (0, None) for row in rows)
    ]
    return [{name: row[name] for name in kept} for row in rows]


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
        row[f"judged@{k}"] = None if share is None else f"{share:.0%}"
    return row
