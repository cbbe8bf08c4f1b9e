"""The best that a measure can make of some documents, by the measure's own function.

A run whose documents are all tied has, under ties:best, the value of their best order. So a ceiling
takes no formula of its own, holds for every measure that knows a best order, and follows every
rule for queries, unjudged documents and negative grades that the value follows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

import numpy as np

from ndcg.align import OPEN_TIES, Aligned, cut_at_depth
from ndcg.convention import Convention
from ndcg.errors import Problem, UsageError, axis_help, count, listed
from ndcg.evaluation.scoring import Scoring, Values
from ndcg.kernel import Bools, per_row, place_in_row
from ndcg.measures.lists import Lists, gains_of
from ndcg.measures.records import MEASURES
from ndcg.measures.registry import Measure
from ndcg.stores.given import Judged, Overlay, Rankings


class Relaid(Rankings):
    """A run as it is, but for where its judged documents stand."""

    def __init__(self, scoring: Scoring, overlay: Overlay) -> None:
        self.rankings, self.overlay = scoring.rankings, overlay
        self.name = scoring.rankings.name
        self._queries = dict.fromkeys(scoring.queries)

    @property
    def queries(self) -> Collection[str]:
        """The queries of the run that count."""
        return self._queries.keys()

    def has(self, column: str) -> bool:
        """As the run."""
        return self.rankings.has(column)

    def documents(self, query: str) -> Collection[str]:
        """As the run."""
        return self.rankings.documents(query)

    def scores(self, query: str) -> Iterable[float]:
        """As the run."""
        return self.rankings.scores(query)

    def align(self, judged: Judged, convention: Convention) -> Overlay:  # noqa: ARG002 -- done
        """The places that were given."""
        return self.overlay


def best_of_candidates(
    scoring: Scoring, measure: Measure, convention: Convention, depth: int | None = None
) -> Values:
    """The values if the candidates (or the first `depth` of them) stood in their best order.

    Raises
    ------
    UsageError
        Where that is not defined, or known without looking: see `refuse_ceiling`.
    """
    refuse_ceiling(measure, convention)
    overlay = scoring.overlay(convention)
    aligned = overlay.aligned
    if depth is not None:
        aligned = cut_at_depth(aligned, convention.but({"depth": str(depth)}))
    if convention.ties in OPEN_TIES and aligned.cut.any():
        raise _open(convention, int(aligned.cut.sum()), depth or int(convention.depth))
    return _best(scoring, measure, convention, replace(overlay, aligned=all_tied(aligned)))


def best_of_all(scoring: Scoring, measure: Measure, convention: Convention) -> Values:
    """The values of a run that lists all relevant documents, the best ones first, and no other."""
    refuse_ceiling(measure, convention)
    lists = scoring.lists_of(measure)
    docs = lists.listed.rows(~lists.listed.copy)
    worth = worth_of(lists, measure, docs)
    rank = np.zeros(len(docs.row), np.int64)
    rank[worth] = place_in_row(docs.row[worth])
    number = per_row(docs.row, docs.n_queries, worth).astype(np.int64)
    found = replace(docs, rank=rank, returned=number, distinct=number).sorted()
    overlay = scoring.overlay(convention)
    answered = replace(overlay, aligned=all_tied(found), missing=np.zeros(docs.n_queries, bool))
    # Rules about what a run returns are not about this one.
    own = convention.but({"min_documents": "1", "negative_only": "empty"})
    return _best(scoring, measure, own, answered)


def worth_of(lists: Lists, measure: Measure, docs: Aligned) -> Bools:
    """Which documents a measure credits: for their gain, their grade, or that they are judged."""
    if measure.record.graded:
        return gains_of(lists.convention.gain, docs.grade) > 0
    if measure.record.reads == "places":
        return np.ones(len(docs.grade), bool)
    return docs.grade >= measure.threshold


def all_tied(aligned: Aligned) -> Aligned:
    """The same with the documents of each query in one tie group."""
    here = aligned.retrieved
    return replace(
        aligned,
        first=np.where(here, 1, 0),
        size=np.where(here, aligned.returned[aligned.row], 0),
        cut=np.zeros(aligned.n_queries, bool),
    )


def _best(scoring: Scoring, measure: Measure, convention: Convention, overlay: Overlay) -> Values:
    relaid = Scoring(
        scoring.judgments, Relaid(scoring, overlay), scoring.base, scoring.tables, [measure],
        explicit_order=True, whole=True,
    )  # fmt: skip
    return relaid.values(measure, convention.but({"ties": "best"}))


def refuse_ceiling(measure: Measure, convention: Convention) -> None:
    """Refuse measures without a best order, and conventions under which it tells nothing."""
    if "best" not in measure.record.ties:
        known = [name for name, one in MEASURES.items() if "best" in one.ties]
        what = f"{measure} has no ceiling: which order of the candidates is its best is not known"
        raise UsageError(Problem("measure", what, help=f"measures with one: {listed(known, 40)}"))
    if measure.record.of_judgments:
        what = f"{measure} has no ceiling: it is known from the judgments alone"
        raise UsageError(Problem("measure", what, help="a measure of the ranking, as nDCG@10"))
    if measure.record.ideal and convention.ideal in ("retrieved", "top_k"):
        what = (
            f"under ideal:{convention.ideal} {measure} is compared with its own candidates, so "
            "that its ceiling is 1 whatever they are"
        )
        raise UsageError(Problem("usage", what, help=axis_help("ideal", "judged")))
    if convention.ties == "mean_rank":
        what = f"{measure} has no ceiling under ties:mean_rank, where ranks are shared"
        raise UsageError(Problem("ties", what, help=axis_help("ties", "docid_asc", "expected")))


def _open(convention: Convention, queries: int, depth: int) -> UsageError:
    what = (
        f"ties:{convention.ties} leaves open which documents are the first {depth:,}, in "
        f"{count(queries, 'query', 'queries')}"
    )
    how = axis_help("ties", "docid_asc", "docid_desc", "input")
    return UsageError(Problem("ties", what, help=how))
