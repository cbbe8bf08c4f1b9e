"""Averages over judgment groups: worked examples, a literal definition, trec_eval's answers."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from ndcg.kernel import Floats
from ndcg.measures.judgment_groups import (
    Groups,
    average_precision_of_groups,
    precision_of_groups,
    r_precision_of_groups,
)
from shared import shared

CUTOFFS = [5, 10, 15, 20, 30, 100, 200, 500, 1000]
TIMES = [0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0]

Judged = dict[str, dict[str, dict[str, int]]]  # query, group, document, grade
Ranked = dict[str, list[str]]


def found(judged: Judged, ranked: Ranked, level: int = 1, *, only_judged: bool = False) -> Groups:
    """The columns of some queries, from ids."""
    row, rank, relevant, query = [], [], [], []
    for number, (name, groups) in enumerate(sorted(judged.items())):
        for _, grades in sorted(groups.items()):
            ranking = [d for d in ranked[name] if grades.get(d, -1) >= 0 or not only_judged]
            here = [i for i, d in enumerate(ranking, 1) if grades.get(d, level - 1) >= level]
            row += [len(relevant)] * len(here)
            rank += here
            relevant.append(sum(grade >= level for grade in grades.values()))
            query.append(number)
    columns = (np.array(column, np.int64) for column in (row, rank, relevant, query))
    return Groups(*columns, n_queries=len(judged))


def one_query(*groups: str, ranking: str = "abcdefgh") -> Groups:
    """A group for each string: its relevant documents, one letter each."""
    grades = {str(i): dict.fromkeys(group, 1) for i, group in enumerate(groups)}
    return found({"q": grades}, {"q": list(ranking)})


# -- worked examples -------------------------------------------------------------------------------


def test_each_group_of_a_query_weighs_the_same():
    groups = one_query("ad", "b")
    assert average_precision_of_groups(groups).tolist() == [((1 / 1 + 2 / 4) / 2 + 1 / 2) / 2]
    assert precision_of_groups(groups, 2).tolist() == [(1 / 2 + 1 / 2) / 2]
    assert r_precision_of_groups(groups, 1.0).tolist() == [(1 / 2 + 0 / 1) / 2]


def test_a_group_without_relevant_documents_counts_as_0():
    groups = one_query("a", "", "")
    for value in (average_precision_of_groups(groups), r_precision_of_groups(groups, 1.0)):
        assert value.tolist() == [(1 + 0 + 0) / 3]


def test_relevant_documents_that_are_not_retrieved_lower_all_but_precision():
    groups = one_query("ayz")
    assert average_precision_of_groups(groups).tolist() == [1 / 3]
    assert r_precision_of_groups(groups, 1.0).tolist() == [1 / 3]
    assert precision_of_groups(groups, 1).tolist() == [1]


def test_the_ranks_past_the_last_document_hold_nothing_relevant():
    groups = one_query("ab", ranking="ab")
    assert precision_of_groups(groups, 5).tolist() == [2 / 5]
    assert r_precision_of_groups(groups, 2.0).tolist() == [2 / 4]


@pytest.mark.parametrize(("times", "cutoff"), [(0.03, 0), (0.1, 1), (0.3, 1), (0.7, 3), (1.5, 5)])
def test_a_multiple_of_the_relevant_documents_is_rounded_up(times: float, cutoff: int):
    # 3 relevant documents: cutoff is the whole part of 3 * times + 0.9.
    expected = min(cutoff, 3) / cutoff if cutoff else 0
    assert r_precision_of_groups(one_query("abc"), times).tolist() == [expected]


def test_queries_do_not_touch_each_other_and_one_without_groups_is_0():
    groups = Groups(
        row=np.array([0, 1, 1, 2]), rank=np.array([2, 1, 2, 1]), relevant=np.array([1, 2, 4, 0]),
        query=np.array([0, 0, 2, 2]), n_queries=4,
    )  # fmt: skip
    assert average_precision_of_groups(groups).tolist() == [(1 / 2 + 1) / 2, 0, (1 / 4) / 2, 0]


def test_nothing_at_all_is_no_error():
    none = np.zeros(0, np.int64)
    assert precision_of_groups(Groups(none, none, none, none, 2), 5).tolist() == [0, 0]


# -- the literal definition ------------------------------------------------------------------------


def ap(ranking: list[str], relevant: set[str]) -> float:
    total, hits = 0.0, 0
    for i, document in enumerate(ranking, 1):
        if document in relevant:
            hits += 1
            total += hits / i
    return total / len(relevant) if hits else 0.0


def precision(ranking: list[str], relevant: set[str], k: int) -> float:
    return len(relevant.intersection(ranking[:k])) / k if k else 0.0


def literal(
    judged: Judged, ranked: Ranked, one_group: Callable[[list[str], set[str]], float]
) -> list[float]:
    means = []
    for query in sorted(judged):
        total = 0.0
        for _, grades in sorted(judged[query].items()):
            total += one_group(ranked[query], {d for d, grade in grades.items() if grade >= 1})
        means.append(total / len(judged[query]))
    return means


def drawn(draw: np.random.Generator, n_queries: int) -> tuple[Judged, Ranked]:
    judged: Judged = {}
    ranked: Ranked = {}
    for number in range(n_queries):
        documents = [f"d{i}" for i in range(draw.integers(1, 15))]
        judged[f"q{number}"] = {
            group: {d: int(draw.integers(0, 3)) for d in documents if draw.random() < 0.6}
            for group in draw.permutation(list("yxzw"))[: draw.integers(1, 5)].tolist()
        }
        ranked[f"q{number}"] = draw.permutation(documents)[: draw.integers(0, 15)].tolist()
    return judged, ranked


def test_3000_random_queries_have_the_values_of_the_literal_definition():
    draw = np.random.default_rng(8)
    for _ in range(30):
        judged, ranked = drawn(draw, 100)
        groups = found(judged, ranked)
        assert average_precision_of_groups(groups).tolist() == literal(judged, ranked, ap)
        for k in (1, 3, 10, 20):
            expected = literal(judged, ranked, lambda run, good, k=k: precision(run, good, k))
            assert precision_of_groups(groups, k).tolist() == expected
        for times in (0.01, 0.35, 1.0, 1.9, 4.0):
            expected = literal(
                judged, ranked,
                lambda run, good, t=times: precision(run, good, int(t * len(good) + 0.9)),
            )  # fmt: skip
            assert r_precision_of_groups(groups, times).tolist() == expected


# -- trec_eval's answers ---------------------------------------------------------------------------


def text_of(path: Path) -> str:
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()


def judged_in(path: Path) -> Judged:
    judged: Judged = {}
    for line in text_of(path).splitlines():
        if not line.startswith("#"):
            query, group, document, grade = line.split()
            judged.setdefault(query, {}).setdefault(group, {})[document] = int(grade)
    return judged


def ranked_in(path: Path) -> Ranked:
    """Documents by falling score, then by falling id."""
    scores: dict[str, list[tuple[float, str]]] = {}
    for line in text_of(path).splitlines():
        query, _, document, _, score, *_ = line.split()
        scores.setdefault(query, []).append((float(score), document))
    return {q: [d for _, d in sorted(rows, reverse=True)] for q, rows in scores.items()}


def evaluated(
    judged: Judged, ranked: Ranked, cutoffs: list[int], multiples: list[float], args: list[str]
) -> dict[tuple[str, str], float]:
    """``{(measure, query or "all"): value}`` under the options ``-J`` and ``-l``."""
    level = int(args[args.index("-l") + 1]) if "-l" in args else 1
    judged = {query: judged[query] for query in judged if query in ranked}
    groups = found(judged, ranked, level, only_judged="-J" in args)
    values: dict[str, Floats] = {"map_avgjg": average_precision_of_groups(groups)}
    values |= {f"P_avgjg_{k}": precision_of_groups(groups, k) for k in cutoffs}
    values |= {f"Rprec_mult_avgjg_{t:.2f}": r_precision_of_groups(groups, t) for t in multiples}
    of: dict[tuple[str, str], float] = {}
    for name, column in values.items():
        of |= {(name, q): v for q, v in zip(sorted(judged), column.tolist(), strict=True)}
        of[name, "all"] = float(np.add.accumulate(column)[-1]) / len(column)
    return of


def printed(path: Path) -> dict[tuple[str, str], str]:
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return {(name.strip(), query): text for name, query, text in rows if "_avgjg" in name}


def test_every_value_of_the_conformance_kit_is_the_same():
    home = shared("conformance", "trec_eval", "cases")
    runs = json.loads((home / "manifest.json").read_text("utf-8"))["runs"]
    calls = [r for r in runs if r["case"] == "23-judgment-groups" and "full" in r]
    assert {call["variant"] for call in calls} == {"jg", "jg-level2", "jg-judged"}
    for call in calls:
        case = home / call["case"]
        short = call["variant"] == "jg-level2"
        cutoffs, multiples = ([1, 2], [0.5, 1.0]) if short else (CUTOFFS, TIMES)
        judged, ranked = judged_in(case / call["qrels"]), ranked_in(case / call["run"])
        ours = evaluated(judged, ranked, cutoffs, multiples, call["args"])
        assert ours == {key: float(text) for key, text in printed(case / call["full"]).items()}


@pytest.mark.parametrize("qrels", ["qrels.123.gz", "qrels.comments.123.gz"])
def test_every_value_of_the_peer_is_printed_the_same(qrels: str):
    peer = shared("conformance", "trec_eval", "peer")
    judged, ranked = judged_in(peer / qrels), ranked_in(peer / "results.test")
    ours = evaluated(judged, ranked, CUTOFFS, TIMES, [])
    assert printed(peer / "out.test.qrels_jg") == {k: f"{v:6.4f}" for k, v in ours.items()}
