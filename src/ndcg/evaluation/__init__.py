"""evaluate(): from judgments and runs to means with their signatures."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Unpack

from ndcg.axes import Axes
from ndcg.convention import Convention
from ndcg.errors import NdcgWarning
from ndcg.evaluation.asked import (
    convention_of,
    foreign_notice,
    measure_of,
    measures_of,
    tables_of,
    with_tables,
)
from ndcg.evaluation.given import Foreseen, Path, asked_of, inputs_of, refuse_two_readers
from ndcg.evaluation.notices import all_notices
from ndcg.evaluation.results import Evaluation
from ndcg.evaluation.scoring import Scoring
from ndcg.evaluation.subset import declared, restricted, with_subset

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

DEFAULT_MEASURE = "nDCG@10"


def evaluate(
    qrels: Path | Mapping[Any, Any] | ArrayLike,
    run: Path | Mapping[Any, Any] | Sequence[Path] | ArrayLike,
    measures: str | Sequence[str] | None = None,
    *,
    preset: str | None = None,
    convention: Convention | str | None = None,
    weights: Mapping[str, float] | None = None,
    groups: Mapping[str, str] | None = None,
    queries: Iterable[str] | None = None,
    mask: Any = None,
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    lenient: bool = False,
    **axes: Unpack[Axes],
) -> Evaluation:
    """Score one or several runs against judgments.

    Parameters
    ----------
    qrels
        A file, a frame of Polars, pandas, Arrow or DuckDB, ``{query: {document: grade}}``, or
        ``{query: [document, ...]}`` (grade 1). Or an array of grades, one row per query and one
        column per candidate document (NaN: unjudged), or a list of such rows of any length.
    run
        A file, a frame, ``{query: {document: score}}``, ``{query: [document, ...]}``, or
        ``{query: [(document, score), ...]}``; or several: ``{name: run}``, a list of files.
        Beside an array of grades: scores in the same shape (NaN: padding, no document at all).
    measures
        Names such as ``"nDCG@10"``, ``"P(rel=2)@5"``, ``"AP"``; by default the measure of the
        signature that `convention` is, else nDCG@10.
    preset
        The name of a convention, see `ndcg.PRESETS`.
    convention
        A `Convention`, or the text of a signature. Axes given as keywords go on top.
    weights, groups
        Weight or group of each query: the mean is weighted, or the mean of the group means.
    queries
        The ids of the queries that count, all judged ones by default. A declared query that the
        run does not answer is missing; judged queries outside the set are not looked at.
        The queries of arrays are the numbers of the rows as text, from ``"0"`` on.
    mask
        For arrays, booleans in the same shape: True for a candidate, False for padding.
    columns
        The columns of tables (CSV, JSON rows, Parquet, frames) by what they hold, as in
        ``{"query": "user", "document": "movieId", "grade": "rating"}``; also score and rank.
        By default their names tell.
    qrels_format, run_format
        How files are read: trec, csv, tsv, json, jsonl, beir, parquet or arrow. By default their
        content tells.
    lenient
        Skip rows that cannot be used; they are listed in ``accounts.skipped_rows``.
    **axes
        Any axis of `Convention`.

    Raises
    ------
    UsageError
        When what is asked for does not exist or contradicts itself.
    DataError
        When the input cannot be scored; all its problems are named.

    Examples
    --------
    >>> qrels = {"q1": {"A": 3, "B": 2, "C": 1, "D": 0}}
    >>> ev = evaluate(qrels, {"q1": {"B": 4.0, "D": 3.0, "A": 2.0, "C": 1.0}}, "nDCG@3")
    >>> round(ev["nDCG@3"].mean, 4)
    0.692
    >>> ev["nDCG@3"].per_query == {"q1": ev["nDCG@3"].mean}
    True
    """
    evaluation = evaluate_quietly(
        qrels, run, measures, preset=preset, convention=convention,
        weights=weights, groups=groups, queries=queries, mask=mask, columns=columns,
        qrels_format=qrels_format, run_format=run_format, lenient=lenient, **axes,
    )  # fmt: skip
    for notice in evaluation.notices:
        if notice.level == "warning":
            warnings.warn(str(notice).removeprefix("warning: "), NdcgWarning, stacklevel=2)
    return evaluation


def evaluate_quietly(
    qrels: Any,
    run: Any,
    measures: str | Sequence[str] | None = None,
    *,
    preset: str | None = None,
    convention: Convention | str | None = None,
    weights: Mapping[str, float] | None = None,
    groups: Mapping[str, str] | None = None,
    queries: Iterable[str] | None = None,
    mask: Any = None,
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    lenient: bool = False,
    fingerprint: bool = True,
    **axes: Unpack[Axes],
) -> Evaluation:
    """`evaluate` without Python warnings; without `fingerprint`, inputs carry no SHA-256."""
    return scored(
        qrels, run, measures, preset=preset, convention=convention,
        weights=weights, groups=groups, queries=queries, mask=mask, columns=columns,
        qrels_format=qrels_format, run_format=run_format, lenient=lenient,
        fingerprint=fingerprint, **axes,
    )[0]  # fmt: skip


def scored(
    qrels: Any,
    run: Any,
    measures: str | Sequence[str] | None = None,
    *,
    preset: str | None = None,
    convention: Convention | str | None = None,
    weights: Mapping[str, float] | None = None,
    groups: Mapping[str, str] | None = None,
    queries: Iterable[str] | None = None,
    mask: Any = None,
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    lenient: bool = False,
    fingerprint: bool = True,
    whole: bool = False,
    **axes: Unpack[Axes],
) -> tuple[Evaluation, list[Scoring]]:
    """The evaluation, and what every run was scored by; `whole` lays out all of each run."""
    base = convention_of(preset, convention, axes)
    tables = tables_of(weights, groups)
    stated = "average" in axes or isinstance(convention, str)
    chosen = declared(queries)
    base = with_subset(with_tables(base, tables, stated=stated), chosen)
    if measures is None:
        measures = measure_of(convention) or DEFAULT_MEASURE
    asked, foreign = measures_of(measures)
    notices = [foreign_notice(name) for name in foreign if preset is None and convention is None]
    refuse_two_readers(qrels, run)
    how = asked_of(columns, qrels_format, run_format, lenient)
    foreseen = Foreseen(base, asked, "order_by" in axes, chosen)
    judgments, systems, inputs = inputs_of(qrels, run, mask, notices, fingerprint, how, foreseen)
    judgments = restricted(judgments, chosen, notices)
    scorings = [
        Scoring(
            judgments,
            rankings,
            base,
            tables,
            asked,
            explicit_order="order_by" in axes,
            chosen=chosen,
            whole=whole,
        )
        for rankings in systems
    ]
    results = {one.rankings.name: one.result() for one in scorings}
    notices += all_notices({one: results[one.rankings.name] for one in scorings})
    evaluation = Evaluation(results, base, tuple(inputs), tuple(dict.fromkeys(notices)))
    return evaluation, scorings
