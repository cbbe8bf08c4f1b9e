"""From the values of queries to one number: empty, missing and extra queries, and the mean.

The only place where an undefined value becomes a number, and where queries leave the mean.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.axes import AXES
from ndcg.convention import Convention
from ndcg.errors import DataError, Problem, UsageError, axis_help, count, listed
from ndcg.kernel import Bools, Floats, Ints, map_distinct, ordered_sum
from ndcg.measures.pooled import LEAST
from ndcg.stores.values import shown

_WORTH = {"zero": 0.0, "one": 1.0}  # every other word leaves a query without a value


class Queries(NamedTuple):
    """The judged queries, in byte order of their ids, and what the rules ask about them."""

    names: Sequence[str]
    missing: Bools  # the run lists nothing for them
    listed_empty: Bools  # of these, the run lists them all the same
    unjudged: Bools  # the judgments list them without a document
    fruitless: Bools  # the run lists none of the documents that a gain is to be had for
    negative: Bools  # the first query that the run answers has negative grades only
    returned: Ints  # how many documents the run lists, and those put behind them

    @classmethod
    def answered(cls, returned: Ints) -> Queries:
        """Queries named by their numbers that nothing is to be said about."""
        none = np.zeros(len(returned), bool)
        names = [*map(str, range(len(returned)))]
        return cls(names, none, none, none, none, none, returned)


def known_without_run(query: Queries, convention: Convention) -> Queries:
    """The same for a measure of the judgments alone: known where a missing query counts."""
    own = query.listed_empty & (convention.listed_empty != "missing")  # by a rule of their own
    refused = np.where(own, convention.listed_empty != "zero", convention.missing != "zero")
    missing = query.missing & refused
    return query._replace(missing=missing, listed_empty=query.listed_empty & missing)


class Settled(NamedTuple):
    """The values after the rules; NaN where there is none."""

    value: Floats
    undefined: Bools  # which of the NaN make the mean undefined


class _Rule(NamedTuple):
    """An axis that decides about some queries, and how a refusal is told."""

    axis: str
    word: str
    what: str
    remedies: tuple[str, ...]


_RULES = {
    one.axis: one
    for one in (
        _Rule("empty", "empty-ideal", "with nothing relevant", ("exclude", "zero", "one")),
        _Rule("missing", "missing-query", "missing from the run", ("zero", "exclude")),
        _Rule("listed_empty", "missing-query", "listed without a document in the run",
              ("missing", "zero")),
        _Rule("no_judgments", "empty-ideal", "without a judged document", ("empty", "exclude")),
        _Rule("negative_only", "negative-grade", "with negative grades only, first", ("empty",)),
        _Rule("min_documents", "few-documents", "with fewer documents than min_documents asks for",
              ("1",)),
    )
}  # fmt: skip


def settle(value: Floats, empty: Bools, query: Queries, convention: Convention) -> Settled:
    """The values after the rules for empty, missing and similar queries.

    Parameters
    ----------
    value, empty : (n_queries,) the measure's value, and which judged queries have nothing to find.
    query : the same queries.
    convention : each of the axes below decides over those before it.

    Raises
    ------
    DataError
        Where a rule says ``error`` and there is a query that it concerns.
    """
    value, undefined = value.copy(), np.zeros(len(value), bool)
    for axis, which in _concerned(empty, query, convention):
        if not which.any():
            continue
        word = getattr(convention, axis)
        if word == "error" or axis in ("min_documents", "negative_only"):
            raise _refusal(query, which, _RULES[axis], convention)
        value[which] = _WORTH.get(word, math.nan)
        undefined[which] = word == "nan"
    return Settled(value, undefined)


def decided(empty: Bools, query: Queries, convention: Convention) -> dict[str, str]:
    """The axis that decided about each query that needed a rule; the others are not there."""
    found: dict[str, str] = {}
    for axis, which in _concerned(empty, query, convention):
        found |= dict.fromkeys((query.names[i] for i in np.flatnonzero(which).tolist()), axis)
    return found


def _concerned(empty: Bools, query: Queries, convention: Convention) -> Iterator[tuple[str, Bools]]:
    """The axes that decide about queries that need a rule, and about which of them each does."""
    none = np.zeros_like(empty)
    apart = none if convention.no_judgments == "empty" else query.unjudged
    listed = none if convention.listed_empty == "missing" else query.listed_empty & ~apart
    absent = query.missing & ~apart & ~listed
    empty = empty & ~apart
    # Under `exclude` an empty query has left before it is asked whether it was answered; under
    # the other words it keeps its value where a missing one would count 0.
    left = empty if convention.empty == "exclude" else none
    if convention.nothing_found != "computed":
        yield "nothing_found", query.fruitless & ~empty & ~apart
    if convention.negative_only == "refuse_first":
        yield "negative_only", query.negative
    if convention.min_documents != "1":
        answered = query.returned > 0
        yield "min_documents", answered & (query.returned < int(convention.min_documents))
    yield "empty", empty
    yield "missing", absent & ~(empty if convention.missing == "zero" else left)
    yield "listed_empty", listed & ~(empty if convention.listed_empty == "zero" else left)
    yield "no_judgments", apart


def refuse_extra(extra: Sequence[str], convention: Convention) -> None:
    """Raise when the run answers queries nobody judged and `extra` says ``error``."""
    if convention.extra == "error" and extra:
        raise DataError(
            Problem(
                "extra-query",
                f"{count(len(extra), 'run query', 'run queries')} without judgments: "
                f"{listed(extra)}",
                help=axis_help("extra", "ignore", "zero"),
            )
        )


def _refusal(query: Queries, which: Bools, rule: _Rule, convention: Convention) -> DataError:
    names = [query.names[i] for i in np.flatnonzero(which).tolist()]
    number = count(len(names), "judged query", "judged queries")
    what = rule.what
    if rule.axis == "empty":
        ideal = convention.empty_from == "ideal"
        what += f" among the documents of ideal:{convention.ideal}" if ideal else (
            " in the judgments")  # fmt: skip
    return DataError(
        Problem(
            rule.word,
            f"{number} {what}: {listed(names)}",
            help=axis_help(rule.axis, *rule.remedies, rare=AXES[rule.axis].rare),
        )
    )


def settled_mean(mean: float, undefined: Bools, convention: Convention) -> float:
    """The mean after the rules for queries that spoil it, for no query at all, and rounding."""
    if undefined.any():
        return math.nan
    if math.isnan(mean) and convention.none_left == "error":
        what = "no query is left to average"
        raise DataError(Problem("no-query", what, help=axis_help("none_left", "nan", "zero",
                                                                 rare=True)))  # fmt: skip
    if math.isnan(mean) and convention.none_left == "zero":
        return 0.0
    what, _, decimals = convention.rounding.partition(":")
    return round(mean, int(decimals)) if what == "mean" and math.isfinite(mean) else mean


def rounded(value: Floats, convention: Convention) -> Floats:
    """The values of queries, rounded half up where the convention says so."""
    what, _, decimals = convention.rounding.partition(":")
    if what != "query":
        return value
    half_up: Floats = np.floor(value * 10.0 ** int(decimals) + 0.5) / 10.0 ** int(decimals)
    return half_up


class Averaging(NamedTuple):
    """How values become one mean: plainly, by weights, or by groups."""

    weights: Mapping[str, float] | None = None
    groups: Mapping[str, str] | None = None

    def mean(self, names: Sequence[str], value: Floats, groups: Mapping[str, float]) -> float:
        """The mean of the values that are not NaN, queries in the order given; NaN of none.

        `groups` are the means that `group_means` gives for them.
        """
        here = np.flatnonzero(~np.isnan(value)).tolist()
        if not here:
            return math.nan
        values = value[here]
        if self.weights is not None:
            weight = np.array([self._weight(names[i]) for i in here], np.float64)
            with np.errstate(over="ignore"):
                total = ordered_sum(weight)
            if not 0 < total < math.inf:
                raise UsageError(
                    Problem(
                        "weights",
                        f"the weights of the averaged queries add up to {shown(total)}",
                        help="give at least one of them a weight above 0, and none too large",
                    )
                )
            return ordered_sum(weight * values) / total
        if self.groups is not None:
            return plain_mean(np.array([*groups.values()], np.float64))
        return plain_mean(values)

    def over(
        self, names: Sequence[str], value: Floats, over_queries: str
    ) -> tuple[float, dict[str, float]]:
        """What a measure comes to over queries, and over those of each group.

        `over_queries` is ``mean``, ``geometric`` (of values of at least `LEAST`) or ``sum``, the
        plain total that no weight or group changes.
        """
        if over_queries == "sum":
            values = value[~np.isnan(value)]
            return ordered_sum(values) if len(values) else math.nan, {}
        geometric = over_queries == "geometric"
        if geometric:
            value = map_distinct(lambda one: math.log(max(one, LEAST)), value)
        groups = self.group_means(names, value)
        mean = self.mean(names, value, groups)
        if not geometric:
            return mean, groups
        return math.exp(mean), {group: math.exp(one) for group, one in groups.items()}

    def weight_of(self, names: Sequence[str], counted: Bools) -> Floats | None:
        """What each query that counts weighs in the mean; None where all weigh the same."""
        if self.weights is None and self.groups is None:
            return None
        weight = np.zeros(len(names))
        here = np.flatnonzero(counted).tolist()
        if self.weights is not None:
            weight[here] = [self._weight(names[i]) for i in here]
        elif here:
            groups = [self._group(names[i]) for i in here]
            members = Counter(groups)
            weight[here] = [1 / members[group] for group in groups]
        return weight

    def group_means(self, names: Sequence[str], value: Floats) -> dict[str, float]:
        """The mean of each group, groups in byte order; none where there are no groups."""
        members: dict[str, list[int]] = {}
        for i in np.flatnonzero(~np.isnan(value)).tolist() if self.groups is not None else ():
            members.setdefault(self._group(names[i]), []).append(i)
        return {group: plain_mean(value[members[group]]) for group in sorted(members)}

    def _weight(self, query: str) -> float:
        weights = self.weights or {}
        if query not in weights:
            raise _absent("weights", query)
        return weights[query]

    def _group(self, query: str) -> str:
        groups = self.groups or {}
        if query not in groups:
            raise _absent("groups", query)
        return groups[query]


def plain_mean(values: Floats) -> float:
    """The sum, first to last, divided once."""
    return ordered_sum(values) / len(values)


def _absent(word: str, query: str) -> UsageError:
    return UsageError(
        Problem(
            word,
            f"missing {word[:-1]}: query {query!r} is averaged but has none",
            help=f"add it to the {word}",
        )
    )
