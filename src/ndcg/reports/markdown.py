"""Markdown: the table of means, what it rests on, and the signatures."""

from __future__ import annotations

import re

from ndcg.errors import printable
from ndcg.evaluation.results import Evaluation
from ndcg.reports.model import (
    Options,
    Sheet,
    account_sheet,
    signatures,
    value_sheet,
)
from ndcg.reports.parts import further_sheets, per_query_sheets


def markdown(evaluation: Evaluation, options: Options) -> str:
    """Tables in the pipe form, numbers aligned right."""
    parts = [pipe_table(value_sheet(evaluation, options))]
    parts += [pipe_table(sheet) for sheet in further_sheets(evaluation, options)]
    parts.append(pipe_table(account_sheet(evaluation)))
    if options.per_query:
        parts += [pipe_table(sheet) for sheet in per_query_sheets(evaluation, options)]
    for first, others in signatures(evaluation).items():
        also = f" (also by this convention: {', '.join(others)})" if others else ""
        parts.append(f"`{first}`{also}\n")
    return "\n".join(parts)


def pipe_table(sheet: Sheet) -> str:
    """A table in the pipe form, its numbers aligned right."""
    heads = [*sheet.rows[0]]
    ruler = ["---" if at < sheet.words else "---:" for at in range(len(heads))]
    lines = [[_escaped(head) for head in heads], ruler]
    lines += [[_escaped(row[name]) for name in heads] for row in sheet.rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


# What would be read as Markdown or HTML; ids and names of files may hold anything.
_MARKUP = {ord(mark): f"&#{ord(mark)};" for mark in "&<[]`*~!_\\"}


def literal(given: str) -> str:
    """A text that is shown as it is, whatever it holds."""
    return printable(given).translate(_MARKUP)


def _escaped(value: object) -> str:
    text = "" if value is None else re.sub(r"[\r\n\t]+", " ", str(value))
    return printable(text.replace("\\", "\\\\").replace("|", "\\|"))
