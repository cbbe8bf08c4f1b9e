"""Where values were lost, as rows for tools: of stages, of queries, or of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ndcg.reports.model import Cell, Row

if TYPE_CHECKING:
    from ndcg.diagnose.retrieval.lost import Retrieval


def stage_rows(found: Retrieval) -> list[Row]:
    """One row a stage (a run by itself is one), with full precision."""
    rows: list[Row] = []
    for path in found.systems.values():
        mean = {"value": path.reached.mean.value, **path.reached.to_dict(), "n": path.n}
        for at, stage in enumerate(path.stages, 1):
            own = stage.to_dict()
            ideal, name = own.pop("ideal"), own.pop("name")
            rows.append(
                {
                    "system": path.name,
                    "measure": found.measure,
                    **mean,
                    "relevant": path.relevant,
                    "kept": path.kept,
                    "below_cutoff": path.below_cutoff,
                    "stage": at,
                    **{f"stage_{word}": cell for word, cell in {"name": name, **own}.items()},
                    **{f"ideal_{depth}": value for depth, value in ideal.items()},
                    "signature": path.signature,
                }
            )
    return rows


def query_rows(found: Retrieval) -> list[Row]:
    """One row a system and query, in byte order of the query ids, with full precision."""
    longest = max(len(path.stages) for path in found.systems.values())
    rows: list[Row] = []
    for path in found.systems.values():
        for query, one in path.reached.per_query.items():
            fates = [fate.fate for fate in path.documents.get(query, ())]
            ceilings: list[Cell] = [stage.per_query.get(query) for stage in path.stages]
            ceilings += [None] * (longest - len(ceilings))
            rows.append(
                {
                    "system": path.name,
                    "query": query,
                    "measure": found.measure,
                    "value": one.value,
                    **one.to_dict(),
                    **({f"ceiling_{at}": cell for at, cell in enumerate(ceilings, 1)}
                       if longest > 1 else {}),
                    "relevant": len(fates),
                    **{word.replace(" ", "_"): fates.count(word) for word in _FATES},
                    "signature": path.signature,
                }
            )  # fmt: skip
    return rows


def document_rows(found: Retrieval) -> list[Row]:
    """One row a system, query and relevant document, its rank in the run of each stage."""
    longest = max(len(path.stages) for path in found.systems.values())
    rows: list[Row] = [
        {
            "system": path.name,
            "query": query,
            "measure": found.measure,
            "document": one.document,
            "grade": one.grade,
            "fate": one.fate,
            "stage": one.stage,
            **{
                f"rank_{at + 1}" if longest > 1 else "rank": one.ranks[at]
                for at in range(len(path.stages))
            },
            "signature": path.signature,
        }
        for path in found.systems.values()
        for query, own in path.documents.items()
        for one in own
    ]
    return rows


_FATES = ("kept", "below cutoff", "below depth", "not listed")  # of relevant documents
