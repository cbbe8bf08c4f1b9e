"""Machine formats: JSON, JSON lines, CSV and TSV, all with full precision."""

from __future__ import annotations

import json as json_module
from collections.abc import Callable, Sequence
from typing import Any

from ndcg.evaluation.results import Evaluation
from ndcg.reports.model import Cell, Options, Row, escaped, query_rows, summary_rows


def json(evaluation: Evaluation, options: Options) -> str:
    """One object, as DESIGN section 5 describes it."""
    return one_object(evaluation.to_dict(per_query=options.per_query))


def one_object(value: Any) -> str:
    """A JSON object over several lines."""
    return _dumped(value, indent=1) + "\n"


def jsonl(evaluation: Evaluation, options: Options) -> str:
    """One object a row."""
    return json_lines(_rows(evaluation, options))


def csv(evaluation: Evaluation, options: Options) -> str:
    """Comma-separated, with a header; fields are quoted where they need it."""
    return comma_lines(_rows(evaluation, options))


def tsv(evaluation: Evaluation, options: Options) -> str:
    """Tab-separated, with a header; tabs and line ends inside ids are escaped."""
    return tab_lines(_rows(evaluation, options))


def written(
    name: str, rows: Callable[[], Sequence[Row]], whole: Callable[[], dict[str, Any]]
) -> str:
    """Rows, or the whole of it, in one of the formats `names.MACHINE`."""
    if name == "json":
        return one_object(whole())
    lines = {"jsonl": json_lines, "csv": comma_lines, "tsv": tab_lines}[name]
    return lines(rows())


def json_lines(rows: Sequence[Row]) -> str:
    """One object a row."""
    return "".join(_dumped(row) + "\n" for row in rows)


def comma_lines(rows: Sequence[Row]) -> str:
    """Comma-separated rows under their names; fields are quoted where they need it."""
    if not rows:  # whose columns are not known
        return ""
    lines = [",".join(rows[0])]
    lines += [",".join(_quoted(_cell(value)) for value in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def tab_lines(rows: Sequence[Row]) -> str:
    """Tab-separated rows under their names; tabs and line ends inside ids are escaped."""
    if not rows:
        return ""
    lines = ["\t".join(rows[0])]
    lines += ["\t".join(escaped(_cell(value)) for value in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def _rows(evaluation: Evaluation, options: Options) -> list[Row]:
    return query_rows(evaluation) if options.per_query else summary_rows(evaluation)


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def _quoted(text: str) -> str:
    # csv.writer leaves a lone CR unquoted when lines end with LF, and readers then split there.
    if not any(mark in text for mark in ',"\r\n'):
        return text
    return '"' + text.replace('"', '""') + '"'


def _dumped(value: Any, indent: int | None = None) -> str:
    return json_module.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
