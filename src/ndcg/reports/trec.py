"""The three columns that trec_eval prints: measure, query or ``all``, value."""

from __future__ import annotations

import math

from ndcg.evaluation.results import Evaluation, SystemResult
from ndcg.reports.model import Options, escaped


def trec(evaluation: Evaluation, options: Options) -> str:
    """Every system after a ``runid`` line; undefined queries are left out as trec_eval does."""
    return "".join(_system(system, options) for system in evaluation.systems.values())


def _system(system: SystemResult, options: Options) -> str:
    lines = [_line("runid", "all", system.name)]
    if options.per_query:
        for query, values in system.per_query.items():
            lines += [
                _line(name, query, _number(value, options))
                for name, value in values.items()
                if value is not None
            ]
    for name, one in system.measures.items():
        mean = math.nan if one.mean is None else one.mean
        lines.append(_line(name, "all", _number(mean, options)))
    return "".join(lines)


def _line(measure: str, query: str, value: str) -> str:
    return f"{measure:<22}\t{escaped(query)}\t{escaped(value)}\n"


def _number(value: float, options: Options) -> str:
    return f"{value:6.{options.places}f}"
