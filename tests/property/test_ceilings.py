"""A ceiling is the best value over all orders of the candidates; no document vanishes on its way.

Against brute force: every order is evaluated, and every document is followed from stage to stage
by hand.
"""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ndcg

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

DOCUMENTS = list("abcdefg")
GRADES = [-1, 0, 0, 1, 2, 3]
MEASURES = [
    "nDCG", "nDCG@1", "nDCG@2", "nDCG@3", "DCG@2", "P@3", "P", "R@2", "AP", "AP@2", "RR",
    "Success@1", "F@3", "Rprec", "RelativeP@2", "SetAP", "IPrec@0.5", "IPrecAvg", "BinG", "GMAP",
    "RBP@3", "gRBP", "YAAP", "Judged@2", "NumRelRet@2", "P(rel=2)@2", "nDCG(gain=linear)@2",
]  # fmt: skip


@st.composite
def judgments(draw: st.DrawFn) -> dict[str, float]:
    judged = draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, unique=True))
    return {document: draw(st.sampled_from(GRADES)) for document in judged}


rankings = st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=5, unique=True)


@st.composite
def conventions(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "gain": draw(st.sampled_from(["exp2", "linear", "binary"])),
        "discount": draw(st.sampled_from(["log2", "jarvelin:2", "reciprocal", "none"])),
        "ideal": draw(st.sampled_from(["judged", "judged", "slots:2"])),
        "ideal_depth": draw(st.sampled_from(["cutoff", "cutoff", "returned", "all"])),
        "unjudged": draw(st.sampled_from(["zero", "zero", "drop", "grade:1"])),
        "negative": draw(st.sampled_from(["clamp", "unjudged", "remove", "keep"])),
        "empty": draw(st.sampled_from(["exclude", "zero", "one"])),
    }


def ceiling_of(qrels: Any, run: Any, measure: str, **axes: Any) -> Any:
    """The parts of the mean, and what was refused in their place."""
    try:
        return ndcg.ceiling({"q": qrels}, {"q": run}, measure, **axes).only.reached
    except ndcg.UsageError as error:
        return error


def best_of(qrels: Any, candidates: Any, measure: str, **axes: Any) -> float | None:
    """The best value over all orders of the candidates."""
    orders = [
        ndcg.evaluate({"q": qrels}, {"q": [*order]}, measure, **axes)[measure].mean
        for order in permutations(candidates)
    ]
    values = [value for value in orders if value is not None]
    return max(values) if values else None


def near(value: float | None) -> Any:
    return None if value is None else pytest.approx(value, rel=1e-12, abs=1e-12)


@given(judgments(), rankings, st.sampled_from(MEASURES), conventions())
def test_the_ceiling_is_the_best_value_over_all_orders(
    qrels: dict[str, float], run: list[str], measure: str, axes: dict[str, Any]
) -> None:
    found = ceiling_of(qrels, run, measure, **axes)
    if isinstance(found, ndcg.UsageError):
        with pytest.raises(ndcg.UsageError):
            best_of(qrels, run, measure, **axes)
        return
    own = ndcg.evaluate({"q": qrels}, {"q": run}, measure, **axes)[measure].mean
    assert found.mean.value == own  # bit for bit
    assert found.mean.ceiling == near(best_of(qrels, run, measure, **axes))


@given(judgments(), rankings, st.integers(1, 5), st.sampled_from(["nDCG@3", "AP", "P@2"]))
def test_the_ceiling_of_a_cut_run_is_that_of_what_the_cut_leaves(
    qrels: dict[str, float], run: list[str], depth: int, measure: str
) -> None:
    found = ceiling_of(qrels, run, measure, depth=str(depth))
    left = ceiling_of(qrels, run[:depth], measure)
    assert found == left


@given(judgments(), rankings, st.sampled_from(MEASURES))
def test_the_parts_add_up_and_are_not_negative(
    qrels: dict[str, float], run: list[str], measure: str
) -> None:
    parts = ceiling_of(qrels, run, measure).per_query["q"]
    if parts.value is None:
        assert (parts.ceiling, parts.ordering, parts.lost_in_retrieval) == (None, None, None)
        return
    total = parts.lost_in_retrieval + parts.lost_in_ranking
    assert total == pytest.approx(parts.attainable - parts.value, abs=1e-12)
    assert parts.lost_in_retrieval >= -1e-12
    assert parts.lost_in_ranking >= -1e-12
    if measure.startswith("nDCG"):
        assert parts.attainable == 1.0
    if parts.ceiling > 0:
        assert parts.ordering == parts.value / parts.ceiling
    else:
        assert parts.ordering is None


# -- pipelines -------------------------------------------------------------------------------------

QUERIES = ["q1", "q2", "q3"]


@st.composite
def pipelines(draw: st.DrawFn) -> tuple[Any, dict[str, Any], dict[str, int | None]]:
    """Judgments, runs of two or three stages, and their depths; stages need not nest."""
    qrels = {query: draw(judgments()) for query in QUERIES}
    names = ["first", "second", "third"][: draw(st.integers(2, 3))]
    depths = {name: draw(st.sampled_from([None, 1, 2, 3])) for name in names}
    runs = {}
    for name in names:
        answered = draw(st.lists(st.sampled_from(QUERIES), min_size=1, unique=True))
        runs[name] = {query: draw(rankings) for query in answered}
    return qrels, runs, depths


def followed(
    document: str, lists: list[list[str]], depths: list[int | None], k: int
) -> tuple[str, int]:
    """What became of a relevant document, stage after stage."""
    handed = [document in own[:depth] for own, depth in zip(lists, depths, strict=True)]
    if handed[-1]:
        return "kept" if lists[-1].index(document) < k else "below cutoff", len(lists) - 1
    stage = max((at + 1 for at, here in enumerate(handed) if here), default=0)
    return "below depth" if document in lists[stage] else "not listed", stage


@given(pipelines(), st.sampled_from([("nDCG@2", 2, 1), ("P(rel=2)@1", 1, 2), ("AP", 99, 1)]))
def test_every_relevant_document_of_a_pipeline_is_followed(
    pipeline: Any, asked: tuple[str, int, int]
) -> None:
    (qrels, runs, depths), (measure, k, least) = pipeline, asked
    path = ndcg.ceiling(qrels, runs, measure, stages=depths).only
    names = [*depths]
    for query in QUERIES:
        lists = [runs[name].get(query, []) for name in names]
        relevant = [document for document, grade in qrels[query].items() if grade >= least]
        expected = {one: followed(one, lists, [*depths.values()], k) for one in relevant}
        found = path.documents.get(query, ())
        assert {one.document: (one.fate, names.index(one.stage)) for one in found} == expected
        for one in found:
            places = [own.index(one.document) + 1 if one.document in own else None for own in lists]
            assert one.ranks == tuple(places)
    assert path.relevant == sum(len(own) for own in path.documents.values())


@given(pipelines(), st.sampled_from(["nDCG@2", "AP", "DCG@3"]))
def test_a_stage_is_worth_the_best_order_of_what_it_hands_over(pipeline: Any, measure: str) -> None:
    qrels, runs, depths = pipeline
    path = ndcg.ceiling(qrels, runs, measure, stages=depths, depths=[1, 2]).only
    for stage in path.stages:
        for first, found in [(None, stage.ceiling), *stage.ideal.items()]:
            given_to = {
                query: own[: stage.depth][:first] for query, own in runs[stage.name].items()
            }
            expected = ndcg.ceiling(qrels, given_to, measure).only.reached.mean.ceiling
            assert found == expected
    mean = path.reached.mean
    if mean.value is not None:
        lost = sum(stage.lost for stage in path.stages)
        assert lost + mean.lost_in_ranking == pytest.approx(mean.attainable - mean.value, abs=1e-12)


@given(pipelines())
def test_what_stages_bring_in_is_counted(pipeline: Any) -> None:
    qrels, runs, depths = pipeline
    path = ndcg.ceiling(qrels, runs, stages=depths).only
    before: dict[str, list[str]] | None = None
    for stage in path.stages:
        own = {query: runs[stage.name].get(query, [])[: stage.depth] for query in QUERIES}
        new = [
            (query, one) for query in QUERIES for one in own[query]
            if before is not None and one not in before[query]
        ]  # fmt: skip
        assert stage.brought == len(new)
        assert stage.brought_relevant == sum(qrels[q].get(one, 0) > 0 for q, one in new)
        assert stage.documents == sum(map(len, own.values()))
        before = own
