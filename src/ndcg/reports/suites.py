"""Several collections: systems across, collections down, and the mean of their means."""

from __future__ import annotations

from ndcg.comparison.suites import Suite
from ndcg.errors import one_of
from ndcg.reports.delimited import written
from ndcg.reports.model import (
    Options,
    Row,
    Sheet,
    grouped_signatures,
    interval_columns,
    interval_head,
    interval_text,
    number,
)
from ndcg.reports.names import MACHINE, OF_SUITES

OVERALL = "mean of collections"


def render(suite: Suite, format_name: str, options: Options | None = None) -> str:
    """The suite in one of `OF_SUITES`, ending with a line end."""
    one_of("usage", "a format", format_name, OF_SUITES)
    if format_name in MACHINE:
        return written(format_name, lambda: suite_rows(suite), suite.to_dict)
    write = table if format_name == "table" else markdown
    return write(suite, options or Options())


def suite_rows(suite: Suite) -> list[Row]:
    """One row for each collection, measure and system, with full precision; then the means."""
    rows: list[Row] = [
        {
            "collection": name,
            "measure": measure,
            "system": system.name,
            "mean": one.mean,
            **interval_columns(one.interval),
            "n": one.n,
            "signature": one.signature,
        }
        for name, evaluation in suite.collections.items()
        for system in evaluation.systems.values()
        for measure, one in system.measures.items()
    ]
    rows += [
        {
            "collection": OVERALL,
            "measure": measure,
            "system": system,
            "mean": one.mean,
            **interval_columns(one.interval),
            "n": len(suite.collections),
            "signature": "",
        }
        for measure, systems in suite.overall.items()
        for system, one in systems.items()
    ]
    return rows


def sheet_of(suite: Suite, measure: str, options: Options) -> Sheet:
    """The means of a measure: collections down, systems across."""
    rows: list[Row] = []
    for name, evaluation in suite.collections.items():
        queries = {one.measures[measure].n for one in evaluation.systems.values()}
        means = {
            system: number(evaluation.systems[system].measures[measure].mean, options.places)
            if system in evaluation.systems
            else "-"
            for system in suite.systems
        }
        shown = str(queries.pop()) if len(queries) == 1 else f"{min(queries)} to {max(queries)}"
        rows.append({"collection": name, **means, "queries": shown})
    overall = suite.overall[measure]
    means = {system: number(overall[system].mean, options.places) for system in suite.systems}
    rows.append({"collection": OVERALL, **means, "queries": ""})
    if any(one.interval is not None for one in overall.values()):
        ends = {name: interval_text(overall[name].interval, options) for name in suite.systems}
        found = next(one.interval for one in overall.values() if one.interval is not None)
        rows.append({"collection": f"its {interval_head(found.level)}", **ends, "queries": ""})
    return Sheet(rows)


def table(suite: Suite, options: Options) -> str:
    """A table for each measure."""
    from ndcg.reports.text import Page

    page = Page(options)
    for measure in suite.measures:
        page.line(measure, "bold")
        page.blank()
        page.sheet(sheet_of(suite, measure, options))
    page.signatures(_signatures(suite))
    return page.text()


def markdown(suite: Suite, options: Options) -> str:
    """The same tables in the pipe form."""
    from ndcg.reports.markdown import pipe_table

    parts = []
    for measure in suite.measures:
        parts += [f"**{measure}**\n", pipe_table(sheet_of(suite, measure, options))]
    parts += [f"`{signature}`\n" for signature in _signatures(suite)]
    return "\n".join(parts)


def _signatures(suite: Suite) -> dict[str, list[str]]:
    return grouped_signatures(
        (measure, one.signature)
        for evaluation in suite.collections.values()
        for system in evaluation.systems.values()
        for measure, one in system.measures.items()
    )
