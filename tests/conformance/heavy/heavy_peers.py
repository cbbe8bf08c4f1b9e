"""Adapters, as in `conformance.peers`, of tools that take long to install."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from conformance.peers import Judgments, Run, Values, returned

ALL = 10_000  # the cutoff where a tool wants one and none is meant


def ranked(scores: dict[str, float] | None) -> list[str]:
    """Documents by falling score, tied ones as listed."""
    scores = scores or {}
    return sorted(scores, key=lambda one: -scores[one])


def relevant(grades: dict[str, float]) -> list[str]:
    """The documents with a grade above 0, which is all that binary tools are told."""
    return [one for one, grade in grades.items() if grade > 0]


def lists(qrels: Judgments, run: Run) -> Iterator[tuple[str, list[str], list[str]]]:
    """Each judged query with its relevant documents and its ranking, either perhaps empty."""
    for query, grades in qrels.items():
        yield query, relevant(grades), ranked(run.get(query))


# Array tools.


def torchmetrics_functional(qrels: Judgments, run: Run, k: int | None) -> Values:
    """torchmetrics' retrieval_normalized_dcg."""
    from torchmetrics.functional.retrieval import retrieval_normalized_dcg

    return {
        query: float(retrieval_normalized_dcg(scores, grades, top_k=k))
        for query, grades, scores in _tensors(qrels, run)
    }


def torchmetrics_neg(qrels: Judgments, run: Run, k: int | None) -> Values:
    """torchmetrics' RetrievalNormalizedDCG as it is called by default."""
    return _torchmetrics(qrels, run, k, "neg")


def torchmetrics_pos(qrels: Judgments, run: Run, k: int | None) -> Values:
    """torchmetrics' RetrievalNormalizedDCG with empty_target_action="pos"."""
    return _torchmetrics(qrels, run, k, "pos")


def torchmetrics_skip(qrels: Judgments, run: Run, k: int | None) -> Values:
    """torchmetrics' RetrievalNormalizedDCG with empty_target_action="skip"."""
    return _torchmetrics(qrels, run, k, "skip")


def _torchmetrics(qrels: Judgments, run: Run, k: int | None, empty: str) -> Values:
    """The values that are averaged: of a query that is skipped there is none."""
    import torch
    from torchmetrics.retrieval import RetrievalNormalizedDCG

    values: Values = {}
    for query, grades, scores in _tensors(qrels, run):
        averaged: list[float] = []

        def mean(values: Any, averaged: list[float] = averaged, **_: Any) -> Any:
            averaged.extend(values.tolist())
            return values.mean()

        metric = RetrievalNormalizedDCG(empty_target_action=empty, top_k=k, aggregation=mean)
        metric.update(scores, grades, indexes=torch.zeros(len(grades), dtype=torch.long))
        metric.compute()
        values.update((query, value) for value in averaged)
    return values


def _tensors(qrels: Judgments, run: Run) -> Iterator[tuple[str, Any, Any]]:
    import torch

    for query, grades, scores in returned(qrels, run):
        whole = all(isinstance(grade, int) for grade in grades)
        kind = torch.int64 if whole else torch.float32
        yield query, torch.tensor(grades, dtype=kind), torch.tensor(scores, dtype=torch.float32)


# ranx.


def ranx_ndcg(qrels: Judgments, run: Run, k: int | None) -> Values:
    """ranx's ndcg."""
    return _ranx(qrels, run, k, "ndcg", comparable=False)


def ranx_comparable(qrels: Judgments, run: Run, k: int | None) -> Values:
    """ranx's ndcg with make_comparable=True."""
    return _ranx(qrels, run, k, "ndcg", comparable=True)


def ranx_burges(qrels: Judgments, run: Run, k: int | None) -> Values:
    """ranx's ndcg_burges."""
    return _ranx(qrels, run, k, "ndcg_burges", comparable=False)


def _ranx(qrels: Judgments, run: Run, k: int | None, metric: str, *, comparable: bool) -> Values:
    from ranx import Qrels, evaluate
    from ranx import Run as Listed

    name = metric if k is None else f"{metric}@{k}"
    listed = Listed(run)
    evaluate(Qrels(qrels), listed, name, make_comparable=comparable)
    return {query: float(value) for query, value in listed.scores[name].items()}


# Tools that take ranked lists.


def cornac(qrels: Judgments, run: Run, k: int | None) -> Values:
    """Cornac's NDCG."""
    import numpy as np
    from cornac.metrics import NDCG

    metric = NDCG(k=k or -1)
    return {
        query: float(metric.compute(np.asarray(good, dtype=str), np.asarray(listed, dtype=str)))
        for query, good, listed in lists(qrels, run)
    }


def mlflow(qrels: Judgments, run: Run, k: int | None) -> Values:
    """MLflow's ndcg_at_k."""
    import pandas as pd
    from mlflow.metrics import ndcg_at_k

    queries, good, listed = zip(*lists(qrels, run), strict=True)
    answer = ndcg_at_k(k or ALL).eval_fn(pd.Series(listed), pd.Series(good))
    return dict(zip(queries, map(float, answer.scores), strict=True))


def llama_index(qrels: Judgments, run: Run, k: int | None) -> Values:
    """LlamaIndex's NDCG, whose list is cut before."""
    from llama_index.core.evaluation.retrieval.metrics import NDCG

    return {
        query: NDCG().compute(expected_ids=good, retrieved_ids=listed[:k]).score
        for query, good, listed in lists(qrels, run)
    }


def haystack_binary(qrels: Judgments, run: Run, k: int | None) -> Values:
    """Haystack's DocumentNDCGEvaluator, told which documents are relevant."""
    from haystack import Document

    truth = [[Document(content=one) for one in relevant(grades)] for grades in qrels.values()]
    return _haystack(truth, qrels, run, k)


def haystack_graded(qrels: Judgments, run: Run, k: int | None) -> Values:
    """Haystack's DocumentNDCGEvaluator, told the grades as scores."""
    from haystack import Document

    truth = [
        [Document(content=one, score=grade) for one, grade in grades.items()]
        for grades in qrels.values()
    ]
    return _haystack(truth, qrels, run, k)


def _haystack(truth: list[list[Any]], qrels: Judgments, run: Run, k: int | None) -> Values:
    """The list is cut before: the tool has no cutoff."""
    from haystack import Document
    from haystack.components.evaluators import DocumentNDCGEvaluator

    listed = [[Document(content=one) for one in ranked(run.get(query))[:k]] for query in qrels]
    answer = DocumentNDCGEvaluator().run(truth, listed)
    return dict(zip(qrels, answer["individual_scores"], strict=True))


def replay_dict(qrels: Judgments, run: Run, k: int | None) -> Values:
    """RePlay's NDCG on dictionaries."""
    return _replay(
        {query: [(one, scores[one]) for one in ranked(scores)] for query, scores in run.items()},
        {query: relevant(grades) for query, grades in qrels.items()},
        k,
    )


def replay_pandas(qrels: Judgments, run: Run, k: int | None) -> Values:
    """RePlay's NDCG on pandas tables."""
    import pandas as pd

    return _replay_tables(pd.DataFrame, qrels, run, k)


def replay_polars(qrels: Judgments, run: Run, k: int | None) -> Values:
    """RePlay's NDCG on polars tables."""
    import polars as pl

    return _replay_tables(pl.DataFrame, qrels, run, k)


def _replay_tables(
    table: Callable[[dict[str, list[Any]]], Any], qrels: Judgments, run: Run, k: int | None
) -> Values:
    rows = [(q, one, score) for q, scores in run.items() for one, score in scores.items()]
    queries, items, ratings = (list(column) for column in zip(*rows, strict=True))
    good = [(query, one) for query, grades in qrels.items() for one in relevant(grades)]
    wanted, wanted_items = (list(column) for column in zip(*good, strict=True))
    return _replay(
        table({"query_id": queries, "item_id": items, "rating": ratings}),
        table({"query_id": wanted, "item_id": wanted_items}),
        k,
    )


def _replay(listed: Any, truth: Any, k: int | None) -> Values:
    from replay.metrics import NDCG, PerUser

    (values,) = NDCG(k or ALL, mode=PerUser())(listed, truth).values()
    return {query: float(value) for query, value in values.items()}


def lenskit_gain(qrels: Judgments, run: Run, k: int | None) -> Values:
    """LensKit's NDCG with grades as gains."""
    return _lenskit(qrels, run, k)


def lenskit_gain_offset(qrels: Judgments, run: Run, k: int | None) -> Values:
    """LensKit's NDCG with grades as gains and log2(rank + 1)."""
    from lenskit.metrics import LogRankWeight

    return _lenskit(qrels, run, k, weight=LogRankWeight(offset=1))


def _lenskit(qrels: Judgments, run: Run, k: int | None, **how: Any) -> Values:
    from lenskit.data import ItemList
    from lenskit.metrics import NDCG

    metric = NDCG(n=k, gain="rating", **how)
    return {
        query: float(
            metric.measure_list(
                ItemList(item_ids=ranked(run.get(query)), ordered=True),
                ItemList(item_ids=[*grades], rating=[*map(float, grades.values())]),
            )
        )
        for query, grades in qrels.items()
    }
