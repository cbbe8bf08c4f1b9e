"""One run scored by thousands of conventions, with everything that they share worked out once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from ndcg.convention import Convention
from ndcg.diagnose.idle import Facts, facts_of, without_idle
from ndcg.errors import NdcgError, Notice
from ndcg.evaluation.asked import Tables, measures_of
from ndcg.evaluation.given import Foreseen, asked_of, inputs_of, refuse_two_readers
from ndcg.evaluation.scoring import Scoring
from ndcg.evaluation.subset import declared, restricted, with_subset
from ndcg.kernel import Floats
from ndcg.measures.registry import Measure
from ndcg.stores.given import Judgments, Rankings

# Refuses nothing that a run or judgments may hold: what is laid out first.
_LENIENT = Convention(duplicates="count", judgments="last")


class Scored(NamedTuple):
    """What a convention makes of the run: its mean and the value of every query."""

    mean: float | None  # None where nothing is left to average, or one that counts is undefined
    queries: list[str]
    value: Floats  # (n_queries,) NaN: undefined or left out

    @property
    def n(self) -> int:
        """How many queries are in the mean."""
        return int((~np.isnan(self.value)).sum())

    @property
    def per_query(self) -> dict[str, float]:
        """The value of each query, NaN for those without."""
        return dict(zip(self.queries, self.value.tolist(), strict=True))


class Refused(NamedTuple):
    """Why a convention refuses the run: the code word and the text of its first problem."""

    word: str
    why: str


class Scorer:
    """One run and one measure, scored again and again."""

    def __init__(
        self,
        judgments: Judgments,
        rankings: Rankings,
        measure: Measure,
        chosen: frozenset[str] | None = None,
        *,
        explicit: bool = False,
        like: Scorer | None = None,
    ) -> None:
        """`like` scores the same run against the same judgments by another measure."""
        self.judgments, self.rankings, self.measure = judgments, rankings, measure
        self.chosen, self.explicit = chosen, explicit
        self.scoring: Scoring = Scoring(
            judgments, rankings, with_subset(_LENIENT, chosen), Tables(), [measure],
            explicit_order=False, chosen=chosen, whole=True,
            shared=None if like is None else like.scoring.shared,
        )  # fmt: skip
        self._order = rankings.natural_order()
        self._known: dict[Convention, Scored | Refused] = {}
        self._facts: Facts | None = None

    @property
    def facts(self) -> Facts:
        """What there is in the data that an axis could touch."""
        if self._facts is None:
            self._facts = facts_of(self.scoring, self.measure)
        return self._facts

    def canonical(self, convention: Convention) -> Convention:
        """The convention with every axis that cannot touch this data at one fixed value."""
        convention = self.measure.convention(convention)
        if convention.order_by == "score" and not self.explicit and self._order != "score":
            convention = convention.but({"order_by": self._order})
        return without_idle(convention, self.facts)

    def scored(self, convention: Convention) -> Scored | Refused:
        """What a convention makes of the run."""
        same = self.canonical(convention)
        if same not in self._known:
            self._known[same] = self._scored(with_subset(same, self.chosen))
        return self._known[same]

    def _scored(self, convention: Convention) -> Scored | Refused:
        try:
            found = self.scoring.values(self.measure, convention)
        except NdcgError as refusal:
            return Refused(refusal.problems[0].word, refusal.problems[0].what)
        mean = None if math.isnan(found.mean) else found.mean
        self.scoring.forget()
        return Scored(mean, found.queries, found.value)


@dataclass(frozen=True, slots=True)
class Inputs:
    """Judgments and runs as they are read for a diagnosis."""

    judgments: Judgments
    systems: list[Rankings]
    chosen: frozenset[str] | None
    explicit: bool
    notices: list[Notice]

    def scorer(self, rankings: Rankings, measure: Measure, like: Scorer | None = None) -> Scorer:
        """A scorer for one of the runs."""
        return Scorer(
            self.judgments, rankings, measure, self.chosen, explicit=self.explicit, like=like
        )


def inputs(
    qrels: Any,
    run: Any,
    measure: str,
    *,
    queries: Iterable[str] | None = None,
    columns: Mapping[str, str] | None = None,
    qrels_format: str | None = None,
    run_format: str | None = None,
    lenient: bool = False,
    axes: Mapping[str, Any] | None = None,
) -> tuple[Measure, Inputs]:
    """What was given, read, and the one measure; the parameters are those of `ndcg.evaluate`."""
    (asked,), _ = measures_of(measure)
    refuse_two_readers(qrels, run)
    chosen, notices = declared(queries), list[Notice]()
    explicit = "order_by" in (axes or {})
    foreseen = Foreseen(Convention(), [asked], explicit_order=False, chosen=chosen)
    how = asked_of(columns, qrels_format, run_format, lenient)
    judgments, systems, _ = inputs_of(
        qrels, run, None, notices, fingerprint=False, asked=how, foreseen=foreseen
    )
    judgments = restricted(judgments, chosen, notices)
    return asked, Inputs(judgments, [*systems], chosen, explicit, notices)
