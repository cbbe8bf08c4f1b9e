"""One call of one tool, after a warm one, in a process of its own: ``calls.py TASK TOOL SIZES``.

Prints the CPU time and the wall time of the call in seconds, then the value of every query. It is a
process of its own, because threads that a library leaves spinning would be charged to whoever comes
next.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import Any

import data

Call = Callable[[], Any]
Values = Callable[[Any], dict[str, float]]


def dictionaries(tool: str, queries: int, documents: int) -> tuple[Call, Values]:
    """nDCG@10 of dictionaries, linear gain."""
    qrels, run = data.dictionaries(queries, documents)
    if tool == "ndcg":
        import ndcg

        return (
            lambda: ndcg.evaluate(qrels, run, "nDCG@10", preset="pytrec_eval"),
            lambda ev: ev["nDCG@10"].per_query,
        )
    if tool == "pytrec_eval":
        import pytrec_eval

        def theirs() -> Any:
            found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run)
            _mean = sum(values["ndcg_cut_10"] for values in found.values()) / len(found)
            return found

        return theirs, lambda found: {q: v["ndcg_cut_10"] for q, v in found.items()}
    from ranx import Qrels, Run, evaluate

    def ranx() -> Any:
        given = Run(run)
        evaluate(Qrels(qrels), given, "ndcg@10")
        return given

    return ranx, lambda given: dict(given.scores["ndcg@10"])


def arrays(tool: str, queries: int, documents: int, levels: int) -> tuple[Call, Values]:
    """nDCG@10 of dense arrays, averaged over ties."""
    grades, scores = data.arrays(queries, documents, levels)
    if tool == "ndcg":
        import ndcg

        return (
            lambda: ndcg.evaluate(grades, scores, "nDCG@10", gain="linear", ties="expected"),
            lambda ev: {"mean": ev["nDCG@10"].mean},
        )
    if tool == "scikit-learn":
        from sklearn.metrics import ndcg_score

        return lambda: ndcg_score(grades, scores, k=10), lambda mean: {"mean": float(mean)}
    import torch
    from torchmetrics.functional.retrieval import retrieval_normalized_dcg

    rows = [*zip(torch.tensor(scores), torch.tensor(grades).long(), strict=True)]

    def torchmetrics() -> Any:
        return [float(retrieval_normalized_dcg(s, g, top_k=10)) for s, g in rows]

    return torchmetrics, lambda found: {"mean": sum(found) / len(found)}


def frames(tool: str, qrels: str, run: str) -> tuple[Call, Values]:
    """nDCG@10 of a large run in a file or in a frame."""
    import ndcg

    given: Any = run
    if tool != "file":
        import polars as pl

        names = ["query_id", "iteration", "doc_id", "rank", "score", "run_id"]
        text = {"query_id": pl.String, "doc_id": pl.String}
        frame = pl.read_csv(run, has_header=False, separator=" ", new_columns=names,
                            schema_overrides=text)  # fmt: skip
        given = {"polars": lambda: frame, "pandas": frame.to_pandas, "arrow": frame.to_arrow}[
            tool
        ]()
    return (
        lambda: ndcg.evaluate(qrels, given, "nDCG@10"),
        lambda ev: ev["nDCG@10"].per_query,
    )


def pytrec_eval(tool: str, queries: int, documents: int, measure: str) -> tuple[Call, Values]:
    """An evaluator of pytrec_eval's or of ours, made and asked once."""
    qrels, run = data.dictionaries(queries, documents)
    if tool == "ndcg.compat":
        import ndcg.compat.pytrec_eval as module
    else:
        import pytrec_eval as module

    def named(found: dict[str, dict[str, float]]) -> dict[str, float]:
        return {f"{q}:{name}": v for q, values in found.items() for name, v in values.items()}

    return lambda: module.RelevanceEvaluator(qrels, {measure}).evaluate(run), named


def pairs(tool: str, queries: int) -> tuple[Call, Values]:
    """The p-values of all pairs of five systems."""
    from itertools import combinations

    import numpy as np

    chance = np.random.default_rng(data.SEED)
    scores = chance.beta(2, 2, (5, queries)) + np.arange(5)[:, None] * 0.3 / queries**0.5
    which = [*combinations(range(5), 2)]
    if tool == "ndcg":
        from ndcg.statistics.paired import randomised_p

        def drawn() -> Any:
            return [one.p for one in randomised_p(scores, which, draws=10_000)]
    else:
        from scipy.stats import permutation_test

        def drawn() -> Any:
            return [
                permutation_test(
                    (scores[b] - scores[a],), lambda d, axis: d.mean(axis=axis), n_resamples=1_000,
                    permutation_type="samples", vectorized=True, batch=200, rng=1,
                ).pvalue
                for a, b in which
            ]  # fmt: skip

    def named(found: Any) -> dict[str, float]:
        return {f"{a}-{b}": p for (a, b), p in zip(which, found, strict=True)}

    return drawn, named


def main(task: str, tool: str, *sizes: str) -> None:
    """Prepare, call once, call and measure, print."""
    tasks: dict[str, Callable[..., tuple[Call, Values]]] = {
        "dictionaries": dictionaries, "arrays": arrays, "frames": frames,
        "pytrec_eval": pytrec_eval, "pairs": pairs,
    }  # fmt: skip
    name, _, cold = tool.partition(" ")
    call, values = tasks[task](name, *(int(one) if one.isdigit() else one for one in sizes))
    if not cold:
        call()
    wall, cpu = time.perf_counter(), time.process_time()
    found = call()
    print(time.process_time() - cpu)
    print(time.perf_counter() - wall)
    for query, value in sorted(values(found).items()):
        print(query, repr(float(value)))


if __name__ == "__main__":
    main(*sys.argv[1:])
