"""From the values of queries to one number: empty, missing and extra queries, and the mean.

The only place where an undefined value becomes a number, and where queries leave the mean.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.convention import Convention
from ndcg.errors import DataError, Problem, UsageError, axis_help, count, listed
from ndcg.kernel import Bools, Floats, ordered_sum
from ndcg.stores.values import shown

_WORTH = {"zero": 0.0, "one": 1.0, "exclude": math.nan}


class Queries(NamedTuple):
    """The judged queries, in byte order of their ids, and which of them the run answers not."""

    names: Sequence[str]
    missing: Bools


def settle(value: Floats, empty: Bools, query: Queries, convention: Convention) -> Floats:
    """The values after the rules for empty and missing queries; NaN leaves the mean.

    Parameters
    ----------
    value, empty : (n_queries,) the measure's value, and which judged queries have nothing to find.
    query : the same queries.
    convention : its axes `empty` and `missing` decide.
    """
    refuse(query, empty, convention)
    value = np.where(empty, _WORTH.get(convention.empty, math.nan), value)
    if convention.missing == "exclude":
        return np.where(query.missing, math.nan, value)
    # An empty query keeps what `empty` gave it: that was decided without looking at the run.
    return np.where(query.missing & ~empty, 0.0, value)


def refuse(query: Queries, empty: Bools, convention: Convention) -> None:
    """Raise where a rule says ``error`` and there is a query it concerns."""
    if convention.empty == "error" and empty.any():
        where = "in the judgments"
        if convention.empty_from == "ideal":
            where = f"among the documents of ideal:{convention.ideal}"
        raise _refusal(query, empty, "empty-ideal", f"with nothing relevant {where}",
                       axis_help("empty", "exclude", "zero", "one"))  # fmt: skip
    absent = query.missing & ~(empty if convention.empty == "exclude" else np.zeros_like(empty))
    if convention.missing == "error" and absent.any():
        raise _refusal(query, absent, "missing-query", "missing from the run",
                       axis_help("missing", "zero", "exclude"))  # fmt: skip


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


def _refusal(query: Queries, which: Bools, word: str, what: str, accepted: str) -> DataError:
    names = [query.names[i] for i in np.flatnonzero(which).tolist()]
    number = count(len(names), "judged query", "judged queries")
    return DataError(
        Problem(
            word,
            f"{number} {what}: {listed(names)}",
            help=accepted,
        )
    )


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
