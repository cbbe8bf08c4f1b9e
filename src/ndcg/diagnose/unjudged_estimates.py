"""Estimates of a value had the unjudged documents been judged: grades drawn for them, many times.

After Fröbe, Gienapp, Potthast and Hagen, "Bootstrapped nDCG Estimation in the Presence of Unjudged
Documents", ECIR 2023. What the draws spread over is the doubt that missing judgments leave; how far
other queries would have given another mean is another doubt, and is not in it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ndcg.diagnose.labelling import Sheet, refuse_partial, refuse_unlabelled, spots_of
from ndcg.diagnose.ragged import Ragged
from ndcg.errors import Problem, UsageError, one_of
from ndcg.kernel import Bools, Floats, Ints, per_row
from ndcg.measures.lists import Lists
from ndcg.measures.registry import Measure
from ndcg.statistics import signs

if TYPE_CHECKING:
    from numpy.typing import NDArray

PRIORS = ("run", "pool")
_ENDS = (0.025, 0.975)  # the percentiles that are reported


class Estimates(NamedTuple):
    """What a measure would be if the unjudged documents had grades like the judged ones.

    Attributes
    ----------
    mean, low, high : (n_queries,) mean and 2.5 and 97.5 percentiles of the draws, or the value
        where there is nothing to draw; NaN where there is none.
    overall, overall_low, overall_high : the same of the means over queries, one for each draw.
    drawn : (n_queries,) for how many documents grades were drawn.
    from_pool : queries whose grades came from all their judgments, because the run's own top k
        holds no judged document.
    single : queries whose grades are drawn from a single one, so that all draws are the same.
    """

    mean: Floats
    low: Floats
    high: Floats
    overall: float
    overall_low: float
    overall_high: float
    drawn: Ints
    from_pool: int
    single: int


@np.errstate(over="ignore", invalid="ignore")  # of grades that `Scoring` refuses
def estimate_unjudged(
    lists: Lists,
    measure: Measure,
    names: Sequence[str],
    *,
    prior: str = "run",
    draws: int = 1000,
    seed: int = 0,
    settled: Floats | None = None,
    weight: Floats | None = None,
) -> Estimates:
    """Draw a grade for every unjudged document in the top k, compute the measure, and so on.

    The ideal and the number of relevant documents are those with the drawn grades; which queries
    have a value, the judgments that there are decide.

    Parameters
    ----------
    lists : the whole run under the convention in force for the measure (`Scoring`, whole=True).
    measure : any that reads gains or relevance; without a cutoff, all that is retrieved is drawn.
    names : the ids of the queries. The draws of a query depend on its id, its documents and the
        seed, and on nothing else.
    prior : what grades are drawn from: those of the judged documents in the ``run``'s own top k of
        the query, or of all judged documents of the query (``pool``).
    draws, seed : how many times, and a whole number from 0 up.
    settled : (n_queries,) the values by the rules for empty and missing queries, NaN where a query
        does not count; by default those of the measure, NaN where there is nothing to find.
    weight : (n_queries,) what each counts in the mean over queries; 1 by default.

    Raises
    ------
    UsageError
        For conventions under which an unjudged document cannot be given a grade.
    """
    _refuse(lists, measure, prior, draws, seed)
    if settled is None:
        settled = np.where(measure.empty(lists), np.nan, measure.value(lists))
    spots = spots_of(lists, measure.cutoff(lists.convention))
    grades, lacking = _priors(lists, measure, prior)
    some = (spots.number > 0) & ~measure.empty(lists) & ~np.isnan(settled)
    counts = np.where(np.isnan(settled), 0.0, 1.0 if weight is None else weight)
    total, ends = np.zeros(draws), np.empty((3, lists.n_queries))
    for queries, found in _drawn(Sheet(lists, measure, spots), grades, names, draws, seed):
        values = np.where(some[queries], found, settled[queries])
        ends[:, queries] = _mean_and_ends(values)
        total = _with(total, values, counts[queries])
    weights = _with(np.zeros(1), np.ones((1, len(counts))), counts)
    overall, overall_low, overall_high = _mean_and_ends((total / weights)[:, None])[:, 0]
    return Estimates(
        ends[0], ends[1], ends[2], float(overall), float(overall_low), float(overall_high),
        np.where(some, spots.number, 0), int((some & lacking).sum()),
        int((some & _single(grades)).sum()),
    )  # fmt: skip


def _single(grades: Ragged) -> Bools:
    """Which queries have one grade alone to draw from; grades rise in each."""
    start = np.cumsum(grades.number) - grades.number
    single: Bools = grades.value[start] == grades.value[start + grades.number - 1]
    return single


def _drawn(
    sheet: Sheet, grades: Ragged, names: Sequence[str], draws: int, seed: int
) -> Iterator[tuple[slice, Floats]]:
    """The values of all draws, some queries at a time: (n_draws, n)."""
    for queries, here in sheet.parts(draws):
        chances = _Chances(names[queries], sheet.spots.number[queries], seed)
        found = np.empty((draws, queries.stop - queries.start))
        step = sheet.most_copies(queries)
        for begin in range(0, draws, step):
            chance = chances.next(min(step, draws - begin))
            labels = _labels(chance, grades, sheet.spots.row[here])
            found[begin : begin + step] = sheet.values_of(queries, labels)
        yield queries, found


def refuse_draws(prior: str, draws: int, seed: int) -> None:
    """Refuse what no measure can be estimated by."""
    one_of("usage", "a prior of estimates", prior, PRIORS)
    signs.refuse_draws(draws, seed)


def _refuse(lists: Lists, measure: Measure, prior: str, draws: int, seed: int) -> None:
    """Refuse what cannot be asked for, or not under this convention."""
    refuse_draws(prior, draws, seed)
    if measure.record.reads == "places":
        what = f"{measure} reads no grades, so that drawing some changes nothing"
        raise UsageError(Problem("usage", what, help="a measure such as nDCG@10 or P@10"))
    refuse_unlabelled(lists, measure)
    refuse_partial(lists)


def _priors(lists: Lists, measure: Measure, prior: str) -> tuple[Ragged, Bools]:
    """The grades that each query draws from, and which queries had to take those of the pool."""
    docs, n, k = lists.ranked, lists.n_queries, measure.cutoff(lists.convention)
    seen = docs.retrieved & (docs.rank <= (k or docs.rank)) & ~docs.copy
    lacking = np.equal(per_row(docs.row[seen], n), 0) & (prior == "run")
    taken = seen | (lacking[docs.row] | (prior == "pool")) & ~docs.copy
    # Queries without a judgment have nothing to find, whatever is drawn for them.
    bare = np.flatnonzero(np.equal(per_row(docs.row[taken], n), 0))
    row = np.append(docs.row[taken], bare)
    grade = np.append(docs.grade[taken], np.zeros(len(bare)))
    order = np.lexsort((grade, row))  # so that the order of the judgments changes nothing
    return Ragged.of(row[order], grade[order], n), lacking


class _Chances:
    """Random bits for the unjudged documents of some queries, from a generator for each query."""

    def __init__(self, names: Sequence[str], number: Ints, seed: int) -> None:
        self._number = [int(one) for one in number if one]
        self._bits = [
            # Counter-based and specified bit by bit: the same on every machine and version.
            np.random.Philox(key=(_hashed(name) << 64) + seed)
            for name, one in zip(names, number.tolist(), strict=True)
            if one
        ]

    def next(self, copies: int) -> NDArray[np.uint64]:
        """The next so many draws: (copies, n_spots)."""
        drawn = [
            bits.random_raw(copies * number).reshape(copies, number)
            for bits, number in zip(self._bits, self._number, strict=True)
        ]
        return np.concatenate([np.zeros((copies, 0), np.uint64), *drawn], axis=1)


def _hashed(name: str) -> int:
    """64 bits of a query's id."""
    return int.from_bytes(sha256(name.encode("utf-8", "surrogatepass")).digest()[:8], "little")


def _labels(chance: NDArray[np.uint64], grades: Ragged, row: Ints) -> Floats:
    """One of the grades of its query for each document, all equally likely."""
    start = np.cumsum(grades.number) - grades.number
    number = grades.number[row].astype(np.uint64)
    # The upper half of the bits, as a fraction of 2^32.
    which = ((chance >> np.uint64(32)) * number) >> np.uint64(32)
    labels: Floats = grades.value[start[row] + which.astype(np.int64)]
    return labels


def _mean_and_ends(found: Floats) -> Floats:
    """Mean and percentiles along the draws: (n_draws, n) -> (3, n)."""
    # Added one after the other: np.mean adds in an order that depends on the shape.
    mean = np.add.accumulate(found, axis=0)[-1] / len(found)
    mean = np.clip(mean, found.min(axis=0), found.max(axis=0))  # of equal draws it is their value
    return np.array([mean, *np.quantile(found, _ENDS, axis=0)])


def _with(total: Floats, found: Floats, weight: Floats) -> Floats:
    """The totals of each draw with the values of more queries, one after the other."""
    some = weight != 0  # values that do not count may be NaN
    terms = np.concatenate([total[:, None], found[:, some] * weight[some]], axis=1)
    added: Floats = np.add.accumulate(terms, axis=1)[:, -1]
    return added
