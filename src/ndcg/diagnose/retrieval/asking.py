"""ceiling(): what the candidates of a run, or the stages of a pipeline, could still reach."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

from ndcg.diagnose.retrieval.lost import Retrieval, path_of
from ndcg.diagnose.retrieval.stages import Cut, cut_at, whole_run
from ndcg.errors import Notice, Problem, UsageError, did_you_mean, listed
from ndcg.evaluation import scored
from ndcg.evaluation.results import Evaluation
from ndcg.evaluation.scoring import Scoring

DEPTHS = (10, 50, 100)


def ceiling(
    qrels: Any,
    run: Any,
    measure: str = "nDCG@10",
    *,
    stages: Mapping[str, int | None] | None = None,
    depths: Sequence[int] = DEPTHS,
    **how: Any,
) -> Retrieval:
    """Tell what was lost in retrieval from what was lost in ranking.

    The ceiling is the value if the documents that a run lists (its candidates) stood in their best
    order, with the same ideal; for nDCG, the ideal DCG of the candidates by that of all judged
    documents. 1 - nDCG = (1 - ceiling) + (ceiling - nDCG), of each query and of the mean: what no
    reranker brings back, and what a perfect one would.

    Parameters
    ----------
    qrels, run, **how
        As in `evaluate`; several runs are looked at side by side.
    measure
        One measure that has a best order (``best`` among its tie rules).
    stages
        ``{run: depth}`` in the order in which they are passed through: each run hands its first
        `depth` documents (None: all) to the next one, and the last is the value's.
    depths
        How many documents an ideal reranker is given.

    Returns
    -------
    Retrieval
        With a `Path` for every run, or one for the pipeline.

    Raises
    ------
    UsageError
        When what is asked for does not exist or has no ceiling.
    DataError
        When the input cannot be scored.

    Examples
    --------
    >>> found = ceiling({"q": {"a": 1, "b": 1}}, {"q": ["x", "a", "y"]}).only.reached.mean
    >>> round(found.value, 3), round(found.ceiling, 3), round(found.ordering, 3)
    (0.387, 0.613, 0.631)
    """
    if not isinstance(measure, str):
        what = f"measure is of type {type(measure).__name__}"
        raise UsageError(Problem("type", what, help="give one measure, such as 'nDCG@10'"))
    _refuse_depths(depths)
    if isinstance(stages, Mapping):
        refuse_short(len(stages))
    evaluation, scorings = scored(qrels, run, measure, whole=True, **how)
    if stages is None:
        return looked_at(evaluation, scorings, depths)
    by_name = {one.rankings.name: one for one in scorings}
    given = _stages(stages, by_name)
    return looked_at(evaluation, [by_name[name] for name in given], depths, [*given.values()])


def looked_at(
    evaluation: Evaluation,
    scorings: Sequence[Scoring],
    depths: Sequence[int],
    cuts: Sequence[int | None] | None = None,
) -> Retrieval:
    """Each run by itself, or all as the stages of a pipeline that are cut at `cuts`."""
    measure = scorings[0].measures[0]
    notices: list[Notice] = []
    if cuts is None:
        chains: list[list[Cut]] = [[whole_run(one, measure)] for one in scorings]
    else:
        refuse_short(len(cuts))
        _refuse_arrays(scorings[0])
        chains = [[cut_at(one, measure, cut) for one, cut in zip(scorings, cuts, strict=True)]]
    wanted = sorted({int(depth) for depth in depths})
    paths = [path_of(chain, measure, wanted, notices) for chain in chains]
    told = (*dict.fromkeys(notices), *evaluation.notices)
    k = measure.cutoff(scorings[-1].convention(measure))
    systems = {one.name: one for one in paths}
    return Retrieval(str(measure), k, systems, tuple(wanted), evaluation, told)


def _stages(given: Any, runs: Mapping[str, Scoring]) -> dict[str, int | None]:
    """The stages, each of which is a run, with depths that are some."""
    if not isinstance(given, Mapping):
        what = f"stages are of type {type(given).__name__}"
        raise UsageError(Problem("type", what, help="give {run: depth}, in their order"))
    for name, depth in given.items():
        if name not in runs:
            what = f"stage {name!r} is not among the runs{did_you_mean(name, runs)}"
            raise UsageError(Problem("usage", what, help=f"runs: {listed(runs)}"))
        if depth is not None:
            _refuse_depth(depth, f"stage {name!r}")
    return dict(given)


def refuse_short(stages: int) -> None:
    """Refuse a pipeline of one stage."""
    if stages < 2:
        what = f"a pipeline has two stages or more, and {stages} is given"
        raise UsageError(Problem("usage", what, help="a single run needs no stages: QRELS RUN"))


def _refuse_depths(given: Any) -> None:
    if not isinstance(given, Sequence) or isinstance(given, str):
        what = f"depths are of type {type(given).__name__}"
        raise UsageError(Problem("type", what, help="give a list, such as [10, 50, 100]"))
    for depth in given:
        _refuse_depth(depth, "an ideal reranker")


def _refuse_depth(depth: Any, who: str) -> None:
    if isinstance(depth, bool) or not isinstance(depth, Integral) or not 1 <= int(depth) < 10**18:
        what = f"the depth {depth!r} of {who} is not a whole number from 1 up"
        raise UsageError(Problem("usage", what, help="as in 10, or None for all of a stage"))


def _refuse_arrays(scoring: Scoring) -> None:
    """Refuse arrays, all of which hold the same candidates."""
    from ndcg.stores.arrays import ArrayJudgments

    if isinstance(scoring.judgments, ArrayJudgments):
        what = "arrays have one set of candidates, so nothing is lost between their stages"
        raise UsageError(Problem("usage", what, help="give files, frames or dictionaries"))
