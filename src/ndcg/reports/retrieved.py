"""Where values were lost: tables for people, rows for tools, all from the same plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ndcg.axes import number_text
from ndcg.errors import count, one_of
from ndcg.evaluation.reached import NOTHING
from ndcg.reports.delimited import written
from ndcg.reports.model import Cell, Options, Row, Sheet, grouped_signatures, signed
from ndcg.reports.names import MACHINE, OF_SUITES
from ndcg.reports.parts import CEILING_0, parts_cells, rounded, short_of_one
from ndcg.reports.retrieved_rows import document_rows, query_rows, stage_rows
from ndcg.statistics.sample import TOLERANCE

if TYPE_CHECKING:
    from ndcg.diagnose.retrieval.lost import Path, Retrieval, Stage
    from ndcg.diagnose.retrieval.stages import Fate


def render(
    found: Retrieval,
    format_name: str,
    options: Options | None = None,
    *,
    documents: bool = False,
) -> str:
    """What was found in one of the formats of suites, ending with a line end.

    `documents` says what became of every relevant document, too.
    """
    options = options or Options()
    one_of("usage", "a format", format_name, OF_SUITES)
    if format_name in MACHINE:
        rows = query_rows if options.per_query else stage_rows
        rows = document_rows if documents else rows
        every = options.per_query or documents
        return written(format_name, lambda: rows(found), lambda: found.to_dict(per_query=every))
    sheets = [*sheets_of(found, options)]
    if options.per_query:
        sheets.append(("every query", _query_sheet(found, options)))
    if documents and any(path.relevant for path in found.systems.values()):
        sheets.append(("every relevant document, and its rank", _document_sheet(found)))
    return (table if format_name == "table" else markdown)(found, sheets, options)


# -- tables ----------------------------------------------------------------------------------------


def sheets_of(found: Retrieval, options: Options) -> Iterator[tuple[str, Sheet]]:
    """The tables, each with what is to be said above it."""
    paths = [*found.systems.values()]
    queries = {path.n for path in paths}
    shared = count(paths[0].n, "query", "queries") if len(queries) == 1 else "mean over queries"
    yield f"{found.measure}: {shared}", _parts_sheet(found, options)
    stages = [stage for path in paths for stage in path.stages]
    pipeline = len(paths[0].stages) > 1
    if pipeline:
        yield "what each stage hands over", _stage_sheet(paths[0], options)
    yield (
        "the relevant documents",
        _fate_sheet(paths[0], found) if pipeline else _found_sheet(found),
    )
    if found.depths:
        title = f"{found.measure} if an ideal reranker were given the first documents"
        yield title, Sheet([_ideal_cells(stage, found, options) for stage in stages])


def _parts_sheet(found: Retrieval, options: Options) -> Sheet:
    """The value of each system, its ceiling, and where the rest was lost."""
    paths = [*found.systems.values()]
    told = any(short_of_one(path.reached.mean) for path in paths)
    low = any(path.reached.unordered for path in paths)
    several = len({path.n for path in paths}) > 1
    rows: list[Row] = [
        {
            "system": path.name,
            found.measure: rounded(path.reached.mean.value, options.places),
            **parts_cells(path.reached.mean, options.places, attainable=told),
            **({CEILING_0: path.reached.unordered} if low else {}),
            **({"queries": path.n} if several else {}),
        }
        for path in paths
    ]
    return Sheet(rows)


def _found_sheet(found: Retrieval) -> Sheet:
    """Where the relevant documents of each run are, and how many candidates there are."""
    rows: list[Row] = []
    for path in found.systems.values():
        (stage,) = path.stages
        cells: dict[str, Cell] = {"system": path.name, "relevant": path.relevant}
        cells[_kept(found)] = path.kept
        cells["ranked lower"] = path.below_cutoff
        cells["not listed"] = stage.not_listed
        if stage.below_depth:
            cells["below depth"] = stage.below_depth
        cells |= {"candidates": stage.documents, "unjudged": stage.documents - stage.judged}
        rows.append(cells)
    names = dict.fromkeys(name for row in rows for name in row)
    return Sheet([{name: row.get(name, 0) for name in names} for row in rows])


def _stage_sheet(path: Path, options: Options) -> Sheet:
    """What each stage hands over, and what that could still reach."""
    brought = any(stage.brought for stage in path.stages)
    rows: list[Row] = []
    for stage in path.stages:
        cells: dict[str, Cell] = {
            "stage": stage.name,
            "depth": "all" if stage.depth is None else stage.depth,
            "ceiling": rounded(stage.ceiling, options.places),
            "lost": rounded(stage.lost, options.places),
            "relevant": stage.relevant,
            "documents": stage.documents,
            "unjudged": stage.documents - stage.judged,
        }
        if brought:
            cells["brought in"] = stage.brought
        rows.append(cells)
    return Sheet(rows)


def _fate_sheet(path: Path, found: Retrieval) -> Sheet:
    """At which stage, and how, the relevant documents of a pipeline were lost."""
    rows: list[Row] = [
        {"lost at": stage.name, "not listed": stage.not_listed, "below depth": stage.below_depth}
        for stage in path.stages
    ]
    rows = [{**row, "below cutoff": 0, _kept(found): ""} for row in rows]
    rows[-1] = {**rows[-1], "below cutoff": path.below_cutoff, _kept(found): path.kept}
    return Sheet(rows)


def _kept(found: Retrieval) -> str:
    return "in the ranking" if found.k is None else f"in top {found.k}"


def _ideal_cells(stage: Stage, found: Retrieval, options: Options) -> Row:
    first: dict[str, Cell] = {"documents of": stage.name}
    first |= {
        f"first {depth:,}": rounded(stage.ideal[depth], options.places) for depth in found.depths
    }
    return first | {"all of them": rounded(stage.ceiling, options.places)}


def _query_sheet(found: Retrieval, options: Options) -> Sheet:
    """One row a query and system."""
    paths = [*found.systems.values()]
    told = any(short_of_one(path.reached.mean) for path in paths)
    several = len(paths) > 1
    rows: list[Row] = []
    for query in sorted({query for path in paths for query in path.reached.per_query}):
        for path in paths:
            one = path.reached.per_query.get(query, NOTHING)
            fates = [fate.fate for fate in path.documents.get(query, ())]
            rows.append(
                {
                    "query": query,
                    **({"system": path.name} if several else {}),
                    found.measure: rounded(one.value, options.places),
                    **parts_cells(one, options.places, attainable=told),
                    _kept(found): f"{fates.count('kept')} of {len(fates)}",
                }
            )
    return Sheet(rows, words=2 if several else 1)


def _document_sheet(found: Retrieval) -> Sheet:
    """One row a relevant document: where it stands in each run, and what became of it."""
    several = len(found.systems) > 1
    pipeline = any(len(path.stages) > 1 for path in found.systems.values())
    rows: list[Row] = []
    for query, path, one in _followed(found):
        rows.append(
            {
                "query": query,
                **({"system": path.name} if several else {}),
                "document": one.document,
                "grade": number_text(one.grade),
                **{f"in stage {at}" if pipeline else "rank": rank or "-"
                   for at, rank in enumerate(one.ranks, 1)},
                "fate": _kept(found) if one.fate == "kept" else one.fate,
            }
        )  # fmt: skip
    return Sheet(rows, words=3 if several else 2)


def _followed(found: Retrieval) -> Iterator[tuple[str, Path, Fate]]:
    """The relevant documents by query, then system."""
    paths = [*found.systems.values()]
    for query in sorted({query for path in paths for query in path.documents}):
        for path in paths:
            for one in path.documents.get(query, ()):
                yield query, path, one


def verdicts(found: Retrieval, options: Options) -> Iterator[tuple[str, str]]:
    """Each system, and what was lost of it and where."""
    for path in found.systems.values():
        mean = path.reached.mean
        retrieval, ranking = mean.lost_in_retrieval, mean.lost_in_ranking
        if retrieval is None or ranking is None:
            why = "its mean is undefined: a rule of the convention says nan"
            yield path.name, why if path.n else "no query is left to average"
        else:
            yield path.name, _verdict(retrieval, ranking, options.places)


def _verdict(retrieval: float, ranking: float, places: int) -> str:
    """How much is lost, and where; as shares where both are losses."""
    total = retrieval + ranking
    if max(abs(retrieval), abs(ranking)) <= TOLERANCE:
        return "nothing is lost"
    if min(retrieval, ranking) >= -TOLERANCE:
        return (
            f"{total:.{places}f} below what is attainable, {retrieval / total:.0%} lost in "
            f"retrieval and {ranking / total:.0%} in ranking"
        )
    parts = f"{signed(retrieval, places)} in retrieval and {signed(ranking, places)} in ranking"
    return f"{signed(total, places)} below what is attainable: {parts}"


# -- formats ---------------------------------------------------------------------------------------


def table(found: Retrieval, sheets: Sequence[tuple[str, Sheet]], options: Options) -> str:
    """Tables and sentences for a person."""
    from ndcg.reports.text import Page, shortened

    page = Page(options)
    for title, sheet in sheets:
        page.line(title, "bold")
        page.blank()
        page.sheet(sheet)
    for name, verdict in verdicts(found, options):
        # Nothing is cut in a pipe.
        who = name if options.width is None else shortened(name, options.width // 2)
        page.line(f"{who}: {verdict}")
    page.blank()
    page.signatures(_signatures(found))
    return page.text()


def markdown(found: Retrieval, sheets: Sequence[tuple[str, Sheet]], options: Options) -> str:
    """The same tables in the pipe form."""
    from ndcg.reports.markdown import literal, pipe_table

    parts: list[str] = []
    for title, sheet in sheets:
        parts += [f"**{literal(title)}**\n", pipe_table(sheet)]
    told = (f"- {literal(f'{name}: {verdict}')}\n" for name, verdict in verdicts(found, options))
    parts.append("".join(told))
    parts += [f"`{signature}`\n" for signature in _signatures(found)]
    return "\n".join(parts)


def _signatures(found: Retrieval) -> dict[str, list[str]]:
    return grouped_signatures((found.measure, one.signature) for one in found.systems.values())
