"""What values could have been, beside what they are: tables of ceilings for people."""

from __future__ import annotations

from ndcg.evaluation.reached import NOTHING, Parts
from ndcg.evaluation.results import Evaluation
from ndcg.reports.model import (
    Cell,
    Options,
    Row,
    Sheet,
    group_sheet,
    has_ceilings,
    number,
    per_query_sheet,
    shown,
    trust_sheet,
)

CEILING_0 = "ceiling 0"  # the head of a column: queries whose candidates hold nothing relevant
_NEARLY = 5e-5  # less from 1 shows as 1


def per_query_sheets(evaluation: Evaluation, options: Options) -> list[Sheet]:
    """The values of every query, and what they could have been where that was asked for."""
    return [
        per_query_sheet(evaluation, options),
        *([_parts_sheet(evaluation, options)] if has_ceilings(evaluation) else []),
    ]


def _parts_sheet(evaluation: Evaluation, options: Options) -> Sheet:
    """One row per query, measure and system with what the value could have been."""
    systems = list(evaluation.systems.values())
    found = [
        (query, name, system.name, one.ceiling.per_query[query])
        for query in sorted({query for system in systems for query in system.per_query})
        for name in systems[0].measures
        for system in systems
        if (one := system.measures[name]).ceiling is not None and query in one.ceiling.per_query
    ]
    told = any(map(short_of_one, (parts for *_, parts in found)))
    several = {"measure": len(systems[0].measures) > 1, "system": len(systems) > 1}
    rows: list[Row] = []
    for query, measure, system, parts in found:
        named = {"measure": measure, "system": system}
        row: dict[str, Cell] = {"query": query}
        row |= {word: name for word, name in named.items() if several[word]}
        row["value"] = rounded(parts.value, options.places)
        rows.append(row | dict(parts_cells(parts, options.places, attainable=told)))
    return Sheet(rows, words=1 + sum(several.values()))


def ceiling_sheet(evaluation: Evaluation, options: Options) -> Sheet | None:
    """One row per measure and system with its ceiling; None where none was asked for."""
    found = [
        (name, system.name, one)
        for system in evaluation.systems.values()
        for name, one in system.measures.items()
    ]
    reached = [one.ceiling for _, _, one in found if one.ceiling is not None]
    if not reached:
        return None
    told = any(short_of_one(one.mean) for one in reached)
    low = any(one.unordered for one in reached)
    rows: list[Row] = [
        {
            "measure": measure,
            "system": system,
            "mean": shown(one.mean, one, options),
            **parts_cells(
                one.ceiling.mean if one.ceiling else NOTHING, options.places, attainable=told
            ),
            **({CEILING_0: one.ceiling.unordered if one.ceiling else "-"} if low else {}),
        }
        for measure, system, one in found
    ]  # fmt: skip
    return Sheet(rows, words=2)


def short_of_one(mean: Parts) -> bool:
    """Whether what is attainable is not simply 1, as it is for nDCG, and has to be shown."""
    return mean.attainable is not None and abs(mean.attainable - 1) > _NEARLY


def parts_cells(parts: Parts, places: int, *, attainable: bool) -> Row:
    """What a value could have been, by the heads of columns."""
    top = {"attainable": rounded(parts.attainable, places)} if attainable else {}
    return {
        "ceiling": rounded(parts.ceiling, places),
        "ordering": rounded(parts.ordering, places),
        **top,
        "retrieval loss": rounded(parts.lost_in_retrieval, places),
        "ranking loss": rounded(parts.lost_in_ranking, places),
    }


def rounded(value: float | None, places: int) -> str:
    """A difference for people: what rounding has left of 0 is neither a loss nor a gain."""
    text = number(value, places)
    return text.removeprefix("-") if text != "-" and float(text) == 0 else text


def further_sheets(evaluation: Evaluation, options: Options) -> list[Sheet]:
    """The tables between the values and what they rest on: those that there are."""
    sheets = (group_sheet, trust_sheet, ceiling_sheet)
    return [one for one in (sheet(evaluation, options) for sheet in sheets) if one is not None]
