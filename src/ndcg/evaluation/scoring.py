"""One run against the judgments: every measure, and the accounts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ndcg._version import VERSION
from ndcg.align import key_of, taken_grades
from ndcg.convention import Convention
from ndcg.errors import (
    DataError,
    Problem,
    UsageError,
    axis_help,
    count,
    listed,
)
from ndcg.evaluation import policy
from ndcg.evaluation.asked import Tables, averaged_by, leading_of, settled_order
from ndcg.evaluation.coverage import coverage_at
from ndcg.evaluation.grades import refuse_grades
from ndcg.evaluation.results import Accounts, MeasureResult, SystemResult
from ndcg.evaluation.uncertainty import Uncertainty, bounds_of
from ndcg.ids import nearest
from ndcg.kernel import Bools, Floats, Ints, per_row
from ndcg.measures.lists import Lists, laying
from ndcg.measures.registry import Measure, reach
from ndcg.stores.given import Judgments, Overlay, Rankings

_KEPT = 2_000_000  # judged documents, in all layouts of a run that are kept for other conventions
_FEWEST = 8  # layouts that are kept, however large they are


class Shared(NamedTuple):
    """What several conventions need to have worked out only once."""

    overlays: dict[tuple[object, ...], Overlay]
    lists: dict[tuple[object, ...], Lists]  # by what lays them out
    memory: dict[tuple[object, ...], Floats]  # see `Lists.remembered`


class Values(NamedTuple):
    """A measure of every query that may count, and their mean."""

    queries: list[str]
    value: Floats  # NaN: undefined or left out
    answered: Bools
    empty: Bools  # of the judged queries: nothing to find
    mean: float  # NaN where no query is left, or one that counts is undefined
    groups: dict[str, float]  # mean of each, if the mean is one of groups
    convention: Convention  # with the digest of what it averages by
    undefined: Bools  # which of the NaN make the mean undefined


class Scoring:
    """One run against the judgments: alignments and lists are shared by all measures.

    `whole` lays the whole run out, for conventions and cutoffs that are not known yet; such a
    scoring may share what it lays out with another one, of the same run and judgments.
    """

    def __init__(
        self,
        judgments: Judgments,
        rankings: Rankings,
        base: Convention,
        tables: Tables,
        measures: Sequence[Measure],
        *,
        explicit_order: bool,
        chosen: frozenset[str] | None = None,
        whole: bool = False,
        shared: Shared | None = None,
    ) -> None:
        self.judgments, self.rankings = judgments, rankings
        self.tables, self.measures = tables, measures
        self.base = settled_order(rankings, base, explicit_order=explicit_order)
        self.leading = leading_of(self.base, measures)
        self.judged = judgments.settled(self.leading.judgments)
        self.queries = [q for q in rankings.queries if chosen is None or q in chosen]
        self.extra = sorted(q for q in self.queries if q not in judgments.given)
        self.moved: dict[str, list[str]] = {}
        self.tie_ranges: dict[str, tuple[float, float]] = {}  # means under worst and best
        self.unmoved: set[str] = set()  # measures of which nobody knows how far ties move them
        self.shared = shared or Shared({}, {}, {})
        self._lists: dict[Convention, Lists] = {}
        self._open_lists: dict[Convention, Lists] = {}
        self._refuse_strangers()
        negatives = self.judged.negatives > 0
        reaches = [reach(one, self.convention(one), negatives=negatives) for one in measures]
        known = [k for k in reaches if k is not None]
        self._reach = max(known) if len(known) == len(reaches) and not whole else None

    def convention(self, measure: Measure) -> Convention:
        """The convention in force for a measure."""
        return measure.convention(self.base)

    def result(self) -> SystemResult:
        """All measures and the accounts."""
        results = {str(measure): self._measure(measure) for measure in self.measures}
        return SystemResult(self.rankings.name, results, self._accounts(), self.base)

    @np.errstate(over="ignore", invalid="ignore")  # what is not finite becomes an error below
    def values(self, measure: Measure, convention: Convention | None = None) -> Values:
        """The values of a measure and their mean, by the convention in force for it or another.

        Raises
        ------
        DataError, UsageError
            For what the convention refuses.
        """
        convention, averaging = averaged_by(convention or self.convention(measure), self.tables)
        policy.refuse_extra(self.extra, convention)
        refuse_grades(self.judgments, convention, graded=measure.record.graded)
        overlay, lists = self.overlay(convention), self._list(convention)
        value, empty = measure.value(lists), measure.empty(lists)
        asked_about = self._asked_about(lists, measure)
        if measure.record.of_judgments:
            asked_about = policy.known_without_run(asked_about, convention)
        replaced = empty | overlay.missing | asked_about.fruitless
        self._refuse_infinite(value, replaced, measure)
        value, undefined = policy.settle(
            policy.rounded(value, convention), empty, asked_about, convention
        )
        names, value, answered, undefined = self._with_extra(
            value, ~overlay.missing, undefined, convention
        )
        mean, groups = averaging.over(names, value, measure.record.over_queries)
        mean = policy.settled_mean(mean, undefined, convention)
        if math.isinf(mean):
            raise not_finite(f"the mean of {measure}")
        return Values(names, value, answered, empty, mean, groups, convention, undefined)

    def decided(self, measure: Measure) -> dict[str, str]:
        """The axis that decided about each query whose value is not simply computed."""
        convention, lists = self.convention(measure), self.lists_of(measure)
        asked_about = self._asked_about(lists, measure)
        if measure.record.of_judgments:
            asked_about = policy.known_without_run(asked_about, convention)
        found = policy.decided(measure.empty(lists), asked_about, convention)
        extra = dict.fromkeys(self.extra, "extra") if convention.extra == "zero" else {}
        return found | extra

    def lists(self) -> Lists:
        """The documents as the accounts count them."""
        return self._list(self.leading)

    def lists_of(self, measure: Measure) -> Lists:
        """The documents as a measure counts them."""
        return self._list(averaged_by(self.convention(measure), self.tables)[0])

    def mean_of(self, measure: Measure, values: Values, others: Floats) -> float:
        """The mean if the queries had other values; NaN where none is left."""
        averaging = averaged_by(values.convention, self.tables)[1]
        return averaging.over(values.queries, others, measure.record.over_queries)[0]

    def mean_within(self, measure: Measure, values: Values, others: Floats, part: Bools) -> float:
        """The mean of some of the queries if they had other values; NaN where none is left."""
        here = np.flatnonzero(part)
        names = [values.queries[at] for at in here.tolist()]
        averaging = averaged_by(values.convention, self.tables)[1]
        mean = averaging.over(names, others[here], measure.record.over_queries)[0]
        return policy.settled_mean(mean, values.undefined[here], values.convention)

    def weights_of(self, values: Values) -> Floats | None:
        """What each query counts in the mean; None where all count alike."""
        return averaged_by(values.convention, self.tables)[1].weight_of(
            values.queries, ~np.isnan(values.value)
        )

    def forget(self) -> None:
        """Let go of what single conventions needed, and of layouts where they take much room.

        Sums are kept: they are what takes long, and they take a number a query.
        """
        self._lists.clear()
        kept = max(_FEWEST, _KEPT // max(int(self.judged.start[-1]), 1))
        for laid in (self.shared.lists, self.shared.overlays):
            while len(laid) > kept:
                del laid[next(iter(laid))]

    def _measure(self, measure: Measure) -> MeasureResult:
        values = self.values(measure)
        counted = ~np.isnan(values.value)
        moves = self._tie_moves(measure, values)
        return MeasureResult(
            mean=None if math.isnan(values.mean) else values.mean,
            n=int(counted.sum()),
            evaluated=int((counted & values.answered).sum()),
            empty=tuple(self.judged.queries[i] for i in np.flatnonzero(values.empty).tolist()),
            tie_moves=moves,
            tie_range=self.tie_ranges.get(str(measure)),
            signature=values.convention.signature(str(measure), VERSION),
            per_query={
                name: None if math.isnan(v) else v
                for name, v in zip(values.queries, values.value.tolist(), strict=True)
            },
            groups=values.groups,
            over_queries=measure.record.over_queries,
            uncertainty=self._uncertainty(measure, values, counted),
        )

    def _uncertainty(self, measure: Measure, values: Values, counted: Bools) -> Uncertainty | None:
        """What the interval of a mean is found from; None where there is no mean."""
        if measure.record.over_queries != "mean" or math.isnan(values.mean):
            return None
        score, weight = values.value[counted], self.weights_of(values)
        weight = None if weight is None else weight[counted]
        return Uncertainty(score, weight, bounds_of(measure.record, score))

    def _asked_about(self, lists: Lists, measure: Measure) -> policy.Queries:
        """What the rules for queries ask about the judged ones."""
        missing, convention = ~lists.answered, lists.convention
        names, start = self.judged.queries, self.judged.start
        none = np.zeros(len(names), bool)
        listed = none
        if convention.listed_empty != "missing":
            listed = missing & np.array([name in self.rankings.queries for name in names], bool)
        negative = none
        judged = self.judgments.settled(convention.judgments)
        if convention.negative_only == "refuse_first" and judged.negatives:
            negative = all_negative(taken_grades(judged.grades, convention.grades), start)
            negative[int(np.argmax(lists.answered)) + 1 :] = False
            negative &= lists.answered
        fruitless = none if convention.nothing_found == "computed" else measure.fruitless(lists)
        return policy.Queries(
            names, missing, listed, np.diff(start) == 0, fruitless, negative,
            lists.length,
        )  # fmt: skip

    def _with_extra(
        self, value: Floats, answered: Bools, undefined: Bools, convention: Convention
    ) -> tuple[list[str], Floats, Bools, Bools]:
        """The queries with the extra ones among them, where they count."""
        if convention.extra != "zero" or not self.extra:
            return self.judged.queries, value, answered, undefined
        names = self.judged.queries + self.extra
        order = sorted(range(len(names)), key=names.__getitem__)
        values = np.append(value, np.zeros(len(self.extra)))[order]
        here = np.append(answered, np.ones(len(self.extra), bool))[order]
        spoilt = np.append(undefined, np.zeros(len(self.extra), bool))[order]
        return [names[i] for i in order], values, here, spoilt

    def overlay(self, convention: Convention | None = None) -> Overlay:
        """The run laid over the judgments by a convention, the leading one if none is given."""
        convention = convention or self.leading
        key = (*key_of(convention), convention.judgments, self._reach)
        overlays = self.shared.overlays
        if key not in overlays:
            judged = self.judgments.settled(convention.judgments)
            overlays[key] = self.rankings.align_within(judged, convention, self._reach)
        return overlays[key]

    def _list(self, convention: Convention) -> Lists:
        if convention not in self._lists:
            overlay, alike = self.overlay(convention), self.shared.lists
            key = laying(convention)
            if key not in alike:
                alike[key] = Lists(overlay.aligned, convention, ~overlay.missing)
                alike[key].memory = self.shared.memory
            self._lists[convention] = alike[key].seen_by(convention)
        return self._lists[convention]

    @np.errstate(over="ignore", invalid="ignore")
    def _tie_moves(self, measure: Measure, values: Values) -> int | None:
        """How many values depend on the order of ties; which ones is kept for the notices."""
        if not self.overlay(values.convention).tied.any():
            return 0
        try:
            best, worst = (
                measure.value(self._opened(values.convention, rule)) for rule in ("best", "worst")
            )
        except UsageError:  # this measure has no best and worst under this convention
            self.unmoved.add(str(measure))
            return None
        moved = np.flatnonzero(best != worst)
        self.moved[str(measure)] = [self.judged.queries[i] for i in moved.tolist()]
        if len(moved):
            place = {query: at for at, query in enumerate(values.queries)}
            at = np.array([place[query] for query in self.moved[str(measure)]], np.int64)
            low, high = (self._mean_with(measure, values, at, one[moved]) for one in (worst, best))
            self.tie_ranges[str(measure)] = low, high
        return len(moved)

    def _mean_with(self, measure: Measure, values: Values, at: Ints, others: Floats) -> float:
        """The mean with other values of some queries; those that do not count stay as they are."""
        value = values.value.copy()
        others = policy.rounded(others, values.convention)
        value[at] = np.where(np.isnan(value[at]), np.nan, others)
        return self.mean_of(measure, values, value)

    def _opened(self, convention: Convention, rule: str) -> Lists:
        """The queries that have ties, their ties opened; the others keep no rows."""
        opened = convention.but({"ties": rule})
        if opened not in self._open_lists:
            # Without a cut, tie groups are the same under every rule: no second alignment.
            cut = convention.depth != "all"
            aligned = self.overlay(opened if cut else convention).aligned
            tied = aligned.tied()
            if not tied.all():
                aligned = aligned.rows(tied[aligned.row])
            self._open_lists[opened] = Lists(aligned, opened)
            self._open_lists[opened].largest = self._list(convention).largest
            if not cut:
                self._open_lists[opened].against = self._list(convention)
        return self._open_lists[opened]

    def _refuse_infinite(self, value: Floats, unused: Bools, measure: Measure) -> None:
        wrong = np.flatnonzero(~np.isfinite(value) & ~unused).tolist()
        if wrong:
            what = f"{measure} of query {self.judged.queries[wrong[0]]!r}"
            raise no_logarithm(what) if measure.record.logarithm else not_finite(what)

    def _refuse_strangers(self) -> None:
        """Refuse a run that answers none of the judged queries."""
        ours, theirs = self.judgments.given, self.rankings.queries
        if any(query in theirs for query in ours):
            return
        near = nearest(ours, theirs)
        both = f"judged: {listed(sorted(ours), 3)}; in the run: {listed(sorted(theirs), 3)}"
        raise DataError(
            Problem(
                "no-common-query",
                f"run {self.rankings.name!r} answers 0 of "
                f"{count(len(ours), 'judged query', 'judged queries')} ({both})",
                help=f"{near} ({count(near.matches, 'id')} would match)" if near
                else "check that judgments and run belong together",
            )
        )  # fmt: skip

    def _negatives(self) -> int:
        """How many grades are negative as they are taken."""
        if not self.judged.negatives or self.leading.grades != "truncate":
            return self.judged.negatives
        return int((taken_grades(self.judged.grades, self.leading.grades) < 0).sum())

    def _accounts(self) -> Accounts:
        overlay, lists = self.overlay(), self._list(self.leading)
        cutoffs = dict.fromkeys(measure.k for measure in self.measures)
        return Accounts(
            judged_queries=len(self.judged.queries),
            run_queries=len(self.queries),
            missing=tuple(self.judged.queries[i] for i in np.flatnonzero(overlay.missing).tolist()),
            extra=tuple(self.extra),
            duplicates=overlay.duplicates,
            repeated_judgments=self.judged.repeated,
            self_matches=overlay.self_matches,
            negative_grades=self._negatives(),
            skipped_rows=(*self.judgments.skipped, *self.rankings.skipped),
            tied_queries=int(overlay.tied.sum()),
            judged_share={"all" if k is None else str(k): coverage_at(lists, k) for k in cutoffs},
        )


def no_logarithm(what: str) -> DataError:
    """The error for a formula that would take the logarithm of 0 or less."""
    return DataError(
        Problem(
            "gain",
            f"{what} has no value: its formula takes the logarithm of 0 or less",
            help="documents that count several times, or have assumed or huge grades, outdo the "
            "ideal: " + axis_help("duplicates", "first") + ", or another measure",
        )
    )


def not_finite(what: str) -> DataError:
    """The error for a sum that a double cannot hold."""
    return DataError(
        Problem(
            "gain",
            f"{what} is not finite: its gains add up to more than a double holds",
            help="--gain linear, or a gain table for grades this large",
        )
    )


def all_negative(grades: Floats, start: Ints) -> Bools:
    """Which queries have grades and none that is not negative."""
    row = np.repeat(np.arange(len(start) - 1), np.diff(start))
    return (np.diff(start) > 0) & np.equal(per_row(row, len(start) - 1, grades >= 0), 0)
