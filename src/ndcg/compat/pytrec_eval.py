"""The API of pytrec_eval (and pytrec-eval-terrier), with the values of trec_eval 9.

``import ndcg.compat.pytrec_eval as pytrec_eval`` is the whole migration. Values are the same
doubles. Beyond it, grades may have fractions, numbers may be NumPy's, ``recip_rank_10`` and
``map_10`` are cut at 10, gains may be given (``ndcg.1=1,2=3``), and what is wrong is an exception.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ndcg.compat.asked import (
    CUT,
    VERSION,
    ArgumentError,
    Asked,
    asked_of,
    supported_measures,
    supported_nicknames,
)
from ndcg.compat.families import Options
from ndcg.compat.lines import DuplicateError, parse_qrel, parse_run
from ndcg.compat.seen import Seen, convention_of
from ndcg.errors import DataError, NdcgWarning, Notice, Problem
from ndcg.kernel import Floats
from ndcg.measures.registry import Measure
from ndcg.stores import adopt
from ndcg.stores.given import Judged, Judgments, Listing, Overlay
from ndcg.stores.mapping import MappingRankings

__all__ = [
    "ArgumentError",
    "DuplicateError",
    "InputError",
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

_HIGHEST = 2**53  # level: all whole numbers up to here are doubles
_CONSTANT = {"num_q": 1.0}  # of what has no value of its own; the others are 0


class InputError(DataError, TypeError):
    """Judgments or scores cannot be used; a TypeError as in pytrec_eval."""


class RelevanceEvaluator:
    """Evaluates runs against judgments.

    Parameters
    ----------
    query_relevance
        ``{query: {document: grade}}``; queries without a document are left out.
    measures
        Names such as ``map``, ``ndcg_cut_10``, ``ndcg_cut.5,10``, or nicknames.
    relevance_level
        The lowest grade that is relevant, at least 1.
    judged_docs_only_flag
        Whether documents without judgment leave the ranking.

    Raises
    ------
    ArgumentError, InputError
        For arguments of the wrong type. Both are a ``TypeError`` and a ``ValueError``.
    UsageError
        For measures that do not exist; a ``ValueError``.

    Examples
    --------
    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "recip_rank_1"})
    >>> evaluator.evaluate({"q1": {"d2": 2.0, "d1": 1.0}})
    {'q1': {'map': 0.5, 'recip_rank_1': 0.0}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, float]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,  # noqa: FBT002 -- the signature is theirs
    ) -> None:
        level: object = relevance_level
        if not isinstance(level, int | np.integer) or not 1 <= level <= _HIGHEST:
            what = f"relevance_level is {relevance_level!r}"
            how = "give a whole number from 1 up: the lowest grade that is relevant"
            raise ArgumentError(Problem("usage", what, help=how))
        self._level = int(level)
        self._asked = asked_of(measures)
        judged = _taken_over(adopt.judgments, query_relevance, "query_relevance")
        some = [query for query, pairs in judged.given.items() if pairs]
        self._judgments: Judgments = judged.only(some)
        self._judged = self._judgments.settled("last")
        self._convention = convention_of(
            VERSION, None, judged_only=bool(judged_docs_only_flag)
        ).but({"duplicates": "last_listed"})

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """The values of a run, ``{query: {measure: value}}``, in the order of the run.

        Parameters
        ----------
        scores
            ``{query: {document: score}}``. Queries that nobody judged are left out.
        """
        rankings = _taken_over(adopt.rankings, scores, "scores")
        common = [query for query in rankings.queries if query in self._judgments.given]
        if not common:
            return {}
        judged = self._judged
        if 2 * len(common) < len(judged.queries):  # few of them: the others cost nothing
            judged = self._judgments.only(common).settled("last")
        here = {query: number for number, query in enumerate(judged.queries)}
        seen = Seen(self._overlay(rankings, judged).aligned, self._convention, self._level)
        columns = [
            (name, value)
            for one in self._asked
            for name, value in zip(one.names, _values(one, seen), strict=True)
        ]
        names = [name for name, _ in columns]
        table = np.array([value for _, value in columns]).T if columns else np.zeros((len(here), 0))
        rows = table[[here[query] for query in common]].tolist()
        return {
            query: dict(zip(names, row, strict=True))
            for query, row in zip(common, rows, strict=True)
        }

    def _overlay(self, rankings: MappingRankings, judged: Judged) -> Overlay:
        try:
            return rankings.align(judged, self._convention)
        except DataError as error:
            finite = _without_infinities(rankings)
            if finite is None:
                raise InputError(error.problems, total=error.total) from None
            return finite.align(judged, self._convention)


def _without_infinities(rankings: MappingRankings) -> MappingRankings | None:
    """The same order of documents by finite scores; None if some are no numbers at all."""
    given: dict[str, Listing] = {}
    for query, listing in rankings.given.items():
        try:
            with np.errstate(over="ignore"):
                values = np.array([*map(_number, rankings.scores(query))], np.float32)
        except (OverflowError, TypeError, ValueError):
            return None
        if np.isnan(values).any():
            return None
        place = np.unique(values, return_inverse=True)[1].astype(np.float64)
        given[query] = Listing([*listing.documents], place)
    return MappingRankings(given, rankings.name)


def _number(value: Any) -> float:
    if isinstance(value, str):
        raise TypeError(value)
    return float(value)


def _values(one: Asked, seen: Seen) -> list[Floats]:
    """The values of a family for all judged queries."""
    family = one.family
    if family.compute is None:
        return [np.full(seen.n_queries, _CONSTANT.get(family.name, 0.0))]
    if family.name in CUT and one.given:
        return [seen.value(Measure(CUT[family.name], k)) for k in one.given]
    return [family.compute(seen, Options(VERSION), own) for own in family.split(one.given)]


def _taken_over(take: Any, given: object, name: str) -> Any:
    """Judgments or a run from dictionaries; ids that become text draw a warning."""
    try:
        found, notices = take(given, name)
    except DataError as error:
        raise InputError(error.problems, total=error.total) from None
    for notice in notices:
        _warn(notice)
    return found


def _warn(notice: Notice) -> None:
    warnings.warn(str(notice).removeprefix("warning: "), NdcgWarning, stacklevel=4)


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """What the values of queries come to: a sum for ``num_*``, else a mean.

    Values of ``gm_*`` are logarithms; theirs is exp of the mean. Means are NumPy's, whose last
    digit may differ from that of the trec_eval command.
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))
