"""Markdown: the table of means, what it rests on, and the signatures."""

from __future__ import annotations

from collections.abc import Sequence

from ndcg.evaluation.results import Evaluation
from ndcg.reports.model import (
    Options,
    Row,
    account_rows,
    per_query_table,
    signatures,
    value_rows,
)


def markdown(evaluation: Evaluation, options: Options) -> str:
    """Tables in the pipe form, numbers aligned right."""
    parts = [_table(value_rows(evaluation, options)), _table(account_rows(evaluation))]
    if options.per_query:
        parts.append(_table(per_query_table(evaluation, options)))
    for first, others in signatures(evaluation).items():
        also = f" (the same convention: {', '.join(others)})" if others else ""
        parts.append(f"`{first}`{also}\n")
    return "\n".join(parts)


def _table(rows: Sequence[Row]) -> str:
    heads = [*rows[0]]
    ruler = ["---" if name in ("system", "query", "measure") else "---:" for name in heads]
    lines = [heads, ruler, *([_escaped(row[name]) for name in heads] for row in rows)]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def _escaped(value: object) -> str:
    return "" if value is None else str(value).replace("|", "\\|").replace("\n", " ")
