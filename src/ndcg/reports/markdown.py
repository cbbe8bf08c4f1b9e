"""Markdown: the table of means, what it rests on, and the signatures."""

from __future__ import annotations

from collections.abc import Sequence

from ndcg.evaluation.results import Evaluation
from ndcg.reports.model import Options, Row, account_rows, number, signatures


def markdown(evaluation: Evaluation, options: Options) -> str:
    """Tables in the pipe form, numbers aligned right."""
    names = list(dict.fromkeys(m for s in evaluation.systems.values() for m in s.measures))
    rows: list[Row] = [
        {"system": system.name}
        | {name: number(system.measures[name].mean, options.places) for name in names}
        for system in evaluation.systems.values()
    ]
    parts = [_table(rows), _table(account_rows(evaluation))]
    if options.per_query:
        parts.append(_table(per_query_rows(evaluation, options)))
    for first, others in signatures(evaluation).items():
        also = f" (the same axes: {', '.join(others)})" if others else ""
        parts.append(f"`{first}`{also}\n")
    return "\n".join(parts)


def per_query_rows(evaluation: Evaluation, options: Options) -> list[Row]:
    """One row per query and system, one column per measure."""
    several = len(evaluation.systems) > 1
    rows: list[Row] = [
        {"query": query}
        | ({"system": system.name} if several else {})
        | {name: number(value, options.places) for name, value in values.items()}
        for system in evaluation.systems.values()
        for query, values in system.per_query.items()
    ]
    return sorted(rows, key=lambda row: str(row["query"]))


def _table(rows: Sequence[Row]) -> str:
    heads = [*rows[0]]
    ruler = ["---" if name in ("system", "query") else "---:" for name in heads]
    lines = [heads, ruler, *([_escaped(row[name]) for name in heads] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _escaped(value: object) -> str:
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")
