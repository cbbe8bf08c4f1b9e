"""Machine formats: JSON, JSON lines, CSV and TSV, all with full precision."""

from __future__ import annotations

import io
import json as json_module
from typing import Any

from ndcg.evaluation.results import Evaluation
from ndcg.reports.model import Cell, Options, Row, query_rows, summary_rows


def json(evaluation: Evaluation, options: Options) -> str:
    """One object, as DESIGN section 5 describes it."""
    return _dumped(evaluation.to_dict(per_query=options.per_query), indent=1) + "\n"


def jsonl(evaluation: Evaluation, options: Options) -> str:
    """One object a row."""
    return "".join(_dumped(row) + "\n" for row in _rows(evaluation, options))


def csv(evaluation: Evaluation, options: Options) -> str:
    """Comma-separated, with a header."""
    import csv as csv_module  # only this format needs it

    rows = _rows(evaluation, options)
    text = io.StringIO()
    writer = csv_module.writer(text, lineterminator="\n")
    writer.writerow(rows[0])
    writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return text.getvalue()


def tsv(evaluation: Evaluation, options: Options) -> str:
    """Tab-separated, with a header; tabs and line ends inside ids are escaped."""
    rows = _rows(evaluation, options)
    lines = ["\t".join(rows[0])]
    lines += ["\t".join(_escaped(_cell(value)) for value in row.values()) for row in rows]
    return "\n".join(lines) + "\n"


def _rows(evaluation: Evaluation, options: Options) -> list[Row]:
    return query_rows(evaluation) if options.per_query else summary_rows(evaluation)


def _cell(value: Cell) -> str:
    if value is None:
        return ""
    return repr(value) if isinstance(value, float) else str(value)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\t", "\\t").replace("\n", "\\n").replace("\r", "\\r")


def _dumped(value: Any, indent: int | None = None) -> str:
    return json_module.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent)
