"""Other tools, asked as the probes asked them: judgments and a run in, a value a query out.

Every adapter takes ``{query: {document: grade}}``, ``{query: {document: score}}`` and a cutoff or
None, and leaves out the queries that its tool does not answer. Each tool is imported when it is
asked, so that this module loads without any of them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

import ndcg
from ndcg.presets import Preset

Judgments = dict[str, dict[str, float]]
Run = dict[str, dict[str, float]]
Values = dict[str, float]
Adapter = Callable[[Judgments, Run, int | None], Values]

CUTOFFS = (1, 3, 5, 10, None)


# Random judgments and runs.


class Kind(NamedTuple):
    """What a tool can be given."""

    grades: tuple[float, ...]
    fewest: int = 1  # documents a query lists
    most: int = 24
    long: int = 60  # documents of one query in twenty
    near: tuple[float, ...] = (0.0, 3e-8, 1e-6)  # relative distance of scores that nearly tie
    seldom: float = 0.05  # how many queries are of each special kind
    first: float = 0  # the least grade of one document of each query, unless all grades are 0
    unjudged_queries: bool = False  # queries that the judgments list without a document
    unlisted: bool = True  # queries that the run lacks or lists without a document


@lru_cache(maxsize=8)
def random_queries(kind: Kind, seed: int, number: int) -> tuple[Judgments, Run]:
    """Judgments and a run with ties, unjudged and missed documents, and one-sided queries."""
    rng = np.random.default_rng(seed)
    qrels: Judgments = {}
    run: Run = {}
    for name in (f"q{n}" for n in range(number)):
        special = rng.random()
        most = kind.long if special > 1 - kind.seldom else kind.most
        listed = int(rng.integers(kind.fewest, most + 1))
        pool = [f"d{n}" for n in rng.permutation(listed + int(rng.integers(0, 8)))]
        run[name] = dict(zip(pool, _scores(rng, listed, kind), strict=False))
        judged = [one for one, kept in zip(pool, rng.random(len(pool)), strict=True) if kept < 0.7]
        qrels[name] = _grades(rng, judged or pool[:1], kind)
        if special < kind.seldom:
            qrels[name] = dict.fromkeys(qrels[name], 0)
        elif special < 2 * kind.seldom and kind.unlisted:
            run[name] = {}
        elif special < 3 * kind.seldom and kind.unlisted:
            del run[name]
        elif special < 4 * kind.seldom and kind.unjudged_queries:
            qrels[name] = {}
    return qrels, run


def _scores(rng: np.random.Generator, number: int, kind: Kind) -> list[float]:
    """Scores that are all different, or drawn from a few that tie or nearly tie."""
    if rng.random() < 0.3:
        return rng.normal(size=number).tolist()
    few = rng.normal(size=int(rng.integers(1, 6)))
    scores: list[float] = (rng.choice(few, number) * (1 + rng.choice(kind.near, number))).tolist()
    return scores


def _grades(rng: np.random.Generator, judged: list[str], kind: Kind) -> dict[str, float]:
    """A grade for each, one of them not negative: trec_eval's code hangs on nothing else."""
    drawn = [kind.grades[n] for n in rng.integers(0, len(kind.grades), len(judged))]
    drawn[0] = max(kind.first, drawn[0])
    return dict(zip(judged, drawn, strict=True))


# Ours beside theirs.


def preset_of(probe: str) -> Preset:
    """The preset that reproduces a configuration of the probes."""
    return next(one for one in ndcg.PRESETS.values() if one.probe == probe)


def ours(preset: Preset, qrels: Judgments, run: Run, k: int | None) -> Values:
    """Our values, NaN where there is none."""
    measure = preset.measure if k is None else f"{preset.measure}@{k}"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ndcg.evaluate(qrels, run, measure, preset=preset.name)[measure].per_query
    return {query: math.nan if value is None else value for query, value in found.items()}


def differences(
    mine: Values, theirs: Values, tolerance: float, absolute: float = 0.0
) -> dict[str, tuple[float, float]]:
    """``{query: (ours, theirs)}`` where they differ; a query that one leaves out is NaN there."""
    pairs = {
        query: (mine.get(query, math.nan), theirs.get(query, math.nan))
        for query in {**mine, **theirs}
    }
    return {query: pair for query, pair in pairs.items() if not same(*pair, tolerance, absolute)}


def same(one: float, other: float, tolerance: float, absolute: float) -> bool:
    """Equal but for a relative and an absolute tolerance, or both not a number."""
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    if one == other:  # infinities as well
        return True
    return abs(one - other) <= tolerance * max(abs(one), abs(other)) + absolute


# Array tools: the returned documents in run order, unjudged ones with grade 0.


def returned(qrels: Judgments, run: Run) -> Iterator[tuple[str, list[float], list[float]]]:
    """Each query that lists a document, with the grades and scores of what it lists."""
    for query, judged in qrels.items():
        listed = run.get(query)
        if listed:
            yield query, [judged.get(one, 0) for one in listed], [*listed.values()]


def appended(qrels: Judgments, run: Run) -> Run:
    """The run with the judged documents that it misses below all others, as judgments list them."""
    longer: Run = {}
    for query, scores in run.items():
        missed = [one for one in qrels[query] if one not in scores] if scores else []
        lowest = min(scores.values(), default=0.0)
        longer[query] = {**scores, **{one: lowest - 1 - n for n, one in enumerate(missed)}}
    return longer


def sklearn_ties(qrels: Judgments, run: Run, k: int | None) -> Values:
    """scikit-learn's ndcg_score, which averages over ties."""
    from sklearn.metrics import ndcg_score

    return {q: float(ndcg_score([g], [s], k=k)) for q, g, s in returned(qrels, run)}


def sklearn_exp(qrels: Judgments, run: Run, k: int | None) -> Values:
    """scikit-learn's ndcg_score given 2^grade - 1."""
    from sklearn.metrics import ndcg_score

    return {
        q: float(ndcg_score([2.0 ** np.asarray(g) - 1], [s], k=k))
        for q, g, s in returned(qrels, run)
    }


def sklearn_dcg(qrels: Judgments, run: Run, k: int | None) -> Values:
    """scikit-learn's dcg_score."""
    from sklearn.metrics import dcg_score

    return {q: float(dcg_score([g], [s], k=k)) for q, g, s in returned(qrels, run)}


def lightgbm_exp(qrels: Judgments, run: Run, k: int | None) -> Values:
    """LightGBM's ndcg as it is called by default."""
    return _lightgbm(qrels, run, k, {})


def lightgbm_linear(qrels: Judgments, run: Run, k: int | None) -> Values:
    """LightGBM's ndcg with a label_gain that makes gains of grades."""
    return _lightgbm(qrels, run, k, {"label_gain": [*range(100)]})


def _lightgbm(qrels: Judgments, run: Run, k: int | None, more: dict[str, Any]) -> Values:
    """The metric of a model without trees, started from the scores of the run."""
    import lightgbm

    quiet = {"verbose": -1, "num_threads": 1}
    asked = {"objective": "none", "metric": "ndcg", "eval_at": [k or 10_000], **quiet, **more}
    values = {}
    for query, grades, scores in returned(qrels, run):
        data = lightgbm.Dataset(
            np.zeros((len(grades), 1)), grades, group=[len(grades)], init_score=scores, params=quiet
        )
        values[query] = float(lightgbm.Booster(asked, data).eval_train()[0][2])
    return values


def xgboost_exp(qrels: Judgments, run: Run, k: int | None) -> Values:
    """XGBoost's ndcg@k; without a cutoff it reads 32 ranks."""
    return _xgboost(qrels, run, "ndcg" if k is None else f"ndcg@{k}", {})


def xgboost_minus(qrels: Judgments, run: Run, k: int | None) -> Values:
    """XGBoost's ndcg@k-, which gives 0 to a query with nothing relevant."""
    return _xgboost(qrels, run, "ndcg-" if k is None else f"ndcg@{k}-", {})


def xgboost_linear(qrels: Judgments, run: Run, k: int | None) -> Values:
    """XGBoost's ndcg@k with ndcg_exp_gain=False."""
    name = "ndcg" if k is None else f"ndcg@{k}"
    return _xgboost(qrels, run, name, {"ndcg_exp_gain": False})


def _xgboost(qrels: Judgments, run: Run, metric: str, more: dict[str, Any]) -> Values:
    """The metric of a model without trees, whose margins are the scores of the run."""
    from xgboost import Booster, DMatrix

    asked = [*returned(qrels, run)]
    data = [
        DMatrix(np.zeros((len(g), 1)), g, base_margin=s, group=[len(g)], nthread=1)
        for _, g, s in asked
    ]
    settings = {"objective": "rank:ndcg", "eval_metric": metric, "nthread": 1, **more}
    text = Booster(settings, data[:1]).eval_set([(one, "x") for one in data])
    numbers = [float(part.rpartition(":")[2]) for part in text.split("\t")[1:]]
    return {query: number for (query, *_), number in zip(asked, numbers, strict=True)}


def catboost_base(qrels: Judgments, run: Run, k: int | None) -> Values:
    """CatBoost's NDCG as it is called by default."""
    return _catboost(qrels, run, k, "NDCG", "type=Base;denominator=LogPosition")


def catboost_dcg(qrels: Judgments, run: Run, k: int | None) -> Values:
    """CatBoost's DCG."""
    return _catboost(qrels, run, k, "DCG", "type=Base;denominator=LogPosition")


def catboost_exp(qrels: Judgments, run: Run, k: int | None) -> Values:
    """CatBoost's NDCG with type=Exp."""
    return _catboost(qrels, run, k, "NDCG", "type=Exp;denominator=LogPosition")


def catboost_position(qrels: Judgments, run: Run, k: int | None) -> Values:
    """CatBoost's NDCG with denominator=Position."""
    return _catboost(qrels, run, k, "NDCG", "type=Base;denominator=Position")


def catboost_exp_position(qrels: Judgments, run: Run, k: int | None) -> Values:
    """CatBoost's NDCG with type=Exp and denominator=Position."""
    return _catboost(qrels, run, k, "NDCG", "type=Exp;denominator=Position")


def _catboost(qrels: Judgments, run: Run, k: int | None, metric: str, how: str) -> Values:
    from catboost.utils import eval_metric

    name = f"{metric}:top={-1 if k is None else k};{how}"
    return {
        q: float(eval_metric(g, s, name, group_id=[0] * len(g), thread_count=1)[0])
        for q, g, s in returned(qrels, run)
    }


# Tools that take judgments and a run as they are.


def pytrec_eval(qrels: Judgments, run: Run, k: int | None) -> Values:
    """pytrec_eval's ndcg_cut or ndcg."""
    return _pytrec_eval(qrels, run, k)


def pytrec_eval_judged(qrels: Judgments, run: Run, k: int | None) -> Values:
    """pytrec_eval with judged_docs_only_flag."""
    return _pytrec_eval(qrels, run, k, judged_docs_only_flag=True)


def _pytrec_eval(qrels: Judgments, run: Run, k: int | None, **how: bool) -> Values:
    import pytrec_eval as tool

    asked, printed = ("ndcg", "ndcg") if k is None else (f"ndcg_cut.{k}", f"ndcg_cut_{k}")
    answer = tool.RelevanceEvaluator(qrels, {asked}, **how).evaluate(run)
    return {query: values[printed] for query, values in answer.items()}


def ir_measures(qrels: Judgments, run: Run, k: int | None) -> Values:
    """ir-measures' nDCG as it is called by default."""
    import ir_measures as tool

    return _ir_measures(tool, tool.nDCG, qrels, run, k)


def ir_measures_judged(qrels: Judgments, run: Run, k: int | None) -> Values:
    """ir-measures' nDCG(judged_only=True) by its pytrec_eval provider."""
    import ir_measures as tool

    return _ir_measures(tool.pytrec_eval, tool.nDCG(judged_only=True), qrels, run, k)


def _ir_measures(provider: Any, ndcg: Any, qrels: Judgments, run: Run, k: int | None) -> Values:
    """Rows in, as from files: they cannot hold a query without a document."""
    from ir_measures import Qrel, ScoredDoc

    judged = [Qrel(q, d, grade) for q, grades in qrels.items() for d, grade in grades.items()]
    listed = [ScoredDoc(q, d, score) for q, scores in run.items() for d, score in scores.items()]
    asked = ndcg if k is None else ndcg @ k
    return {one.query_id: one.value for one in provider.calc([asked], judged, listed)[1]}
