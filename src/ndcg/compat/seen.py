"""A run as trec_eval sees it: which documents count in the ranking, and which in the ideal.

trec_eval gives a ranked document the level -1 if nobody judged it and -2 if its judgment is
negative. Both earn nothing, but where the lowest relevant level or a gain says otherwise; and even
then they count in the ranking alone, neither among the relevant documents nor in an ideal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property

import numpy as np

from ndcg.align import Aligned
from ndcg.axes import number_text
from ndcg.convention import Convention
from ndcg.kernel import Bools, Floats, per_row
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure

UNJUDGED, NEGATIVE = -1, -2  # the levels of documents that nobody judged, or negatively

# What looks at each rank, where a level below 0 makes unjudged documents relevant; the others look
# at judged ones, and so do these sets where they have no cutoff.
_ALONG_RANKS = ("AP", "RR", "Success", "P", "R", "RelativeP", "Rprec", "BinG", "YAAP")
_SETS = ("P", "R", "RelativeP")


def convention_of(version: int, depth: int | None, *, judged_only: bool) -> Convention:
    """How trec_eval ranks; duplicates are kept, for whoever looks for them."""
    return Convention().but({
        "gain": "linear",
        "ties": "docid_desc",
        "score_type": "float32" if version == 9 else "float64",
        "depth": "all" if depth is None else str(depth),
        "duplicates": "count",
        "judgments": "last",
        "negative": "unjudged",
        "unjudged": "drop" if judged_only else "zero",
    })  # fmt: skip


class Seen:
    """The ranked documents of the evaluated queries, for the measures of trec_eval.

    Parameters
    ----------
    aligned
        The evaluated queries.
    convention
        As `convention_of` gives it.
    level
        The lowest grade that is relevant.
    """

    def __init__(self, aligned: Aligned, convention: Convention, level: int) -> None:
        self.aligned, self.convention, self.level = aligned, convention, level
        self.plain = Lists(aligned, convention)

    @property
    def n_queries(self) -> int:
        """How many queries are evaluated."""
        return self.aligned.n_queries

    @property
    def returned(self) -> Floats:
        """How many documents each ranking holds."""
        return self.plain.ranked.returned.astype(np.float64)

    def value(self, measure: Measure) -> Floats:
        """A measure of ours, with what is relevant by the level."""
        measure = replace(measure, rel=float(self.level))
        along = measure.name in _ALONG_RANKS and (
            measure.k is not None or measure.name not in _SETS
        )
        return measure.value(self._everything if self.level < 0 and along else self.plain)

    def ranked_levels(self) -> Aligned:
        """The judged documents of the ranking, negatively judged ones too where they stay."""
        return self.aligned if self._all_levels else self.plain.ranked

    def plain_value(self, measure: Measure) -> Floats:
        """A measure of ours that does not ask what is relevant."""
        return measure.value(self.plain)

    def gained(self, gains: Mapping[int, float]) -> Lists:
        """The documents with other gains than their grades.

        Gains of unjudged and negatively judged documents, and negative ones, count in the ranking
        alone.
        """
        if not gains:
            return self.plain
        worth = {level: max(gain, 0.0) for level, gain in gains.items() if level >= 0}
        if self._all_levels and (gains.get(UNJUDGED) or gains.get(NEGATIVE)):
            levels = {UNJUDGED: 0.0, NEGATIVE: 0.0, **gains}
            found = self._everything.seen_by(self._with(levels, self._everything.convention))
            found.against = self._stale.seen_by(self._with(worth))
            return found
        found = self.plain.seen_by(self._with(gains))
        if min(gains.values()) < 0:
            found.against = self.plain.seen_by(self._with(worth))
        return found

    @property
    def _all_levels(self) -> bool:
        """Whether documents without judgment stay in the ranking."""
        return self.convention.unjudged == "zero"

    @cached_property
    def _everything(self) -> Lists:
        """The same with a level for each ranked document."""
        if not self._all_levels:
            return self.plain
        grade = np.where(self.aligned.grade < 0, float(NEGATIVE), self.aligned.grade)
        ranked = self.convention.but({"negative": "keep", "unjudged": f"grade:{UNJUDGED}"})
        found = Lists(replace(self.aligned, grade=grade), ranked)
        found.against = self.plain
        return found

    @cached_property
    def _stale(self) -> Lists:
        """The same where queries with negative judgments alone have those of the query before.

        trec_eval does not clear what it counted for the query before; with a gain for negative
        judgments this shows.
        """
        aligned, n = self.aligned, self.n_queries
        good = aligned.grade >= 0
        judged, ours = per_row(aligned.row, n) > 0, per_row(aligned.row[good], n) > 0
        evaluated = aligned.returned > 0
        bare = judged & ~ours & evaluated
        if not bare.any():
            return self.plain
        # The last query before, itself excluded, that is evaluated and has grades of its own.
        lender = np.maximum.accumulate(np.where(evaluated & ~bare, np.arange(n), -1))
        parts = [np.flatnonzero(good)]
        rows = [aligned.row[good]]
        for at in np.flatnonzero(bare & (lender >= 0)).tolist():
            begin, end = np.searchsorted(aligned.row, [lender[at], lender[at] + 1]).tolist()
            lent = begin + np.flatnonzero(good[begin:end])
            parts.append(lent)
            rows.append(np.full(len(lent), at))
        row = np.concatenate(rows)
        order = np.argsort(row, kind="stable")
        which = np.concatenate(parts)[order]
        return Lists(replace(aligned.rows(which), row=row[order]), self.convention)

    def _with(self, gains: Mapping[int, float], base: Convention | None = None) -> Convention:
        table = [f"{level}={number_text(gain)}" for level, gain in gains.items()]
        base = base or self.convention
        return base.but({"gain": ",".join([*table, "other=linear"])}) if table else base

    def largest_judged(self) -> Floats:
        """The largest level judged in each query, 0 at least."""
        docs = self.plain.judged
        most = np.zeros(self.n_queries)
        np.maximum.at(most, docs.row, docs.grade)
        return most


def with_placeholders(aligned: Aligned, missing: Bools) -> Aligned:
    """The same where missing queries rank one document that nobody judged, as trec_eval 10 does."""
    returned = np.where(missing, 1, aligned.returned)
    return replace(aligned, returned=returned, distinct=np.where(missing, 1, aligned.distinct))


def emptied(aligned: Aligned) -> Aligned:
    """The same with nothing in any ranking."""
    none = np.zeros_like(aligned.rank)
    nothing = np.zeros_like(aligned.returned)
    own = aligned.rows(~aligned.copy)
    none = none[~aligned.copy]
    return replace(own, rank=none, first=none, size=none, returned=nothing, distinct=nothing)
