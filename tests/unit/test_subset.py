"""A declared set of queries counts alone, and the signature remembers it."""

from __future__ import annotations

from pathlib import Path

import pytest

import ndcg
from command import ndcg as command
from ndcg.evaluation import evaluate_quietly

QRELS = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}
RUN = {"q1": {"a": 1.0}, "q3": {"x": 1.0}, "q4": {"a": 1.0}}


def test_a_declared_query_that_the_run_does_not_answer_is_missing() -> None:
    ev = ndcg.evaluate(QRELS, RUN, "nDCG@10", queries=["q1", "q2"])
    assert ev["nDCG@10"].per_query == {"q1": 1.0, "q2": 0.0}
    assert (ev.accounts.judged_queries, ev.accounts.missing) == (2, ("q2",))
    assert (ev.accounts.run_queries, ev.accounts.extra) == (1, ())


def test_the_order_and_repetition_of_the_set_change_nothing() -> None:
    one, other = (
        ndcg.evaluate(QRELS, RUN, "AP", queries=queries)["AP"]
        for queries in (["q1", "q3"], ["q3", "q1", "q3"])
    )
    assert one == other
    assert "|set:2@" in one.signature


def test_a_signature_with_a_set_is_refused_without_it_and_with_another() -> None:
    signature = ndcg.evaluate(QRELS, RUN, "AP", queries=["q1"])["AP"].signature
    again = ndcg.evaluate(QRELS, RUN, convention=signature, queries=["q1"])
    assert again["AP"].signature == signature
    for queries in (None, ["q2"], ["q1", "q2"]):
        with pytest.raises(ndcg.UsageError) as caught:
            ndcg.evaluate(QRELS, RUN, convention=signature, queries=queries)
        assert caught.value.problems[0].word == "queries"


def test_a_declared_query_that_nobody_judged_is_named() -> None:
    ev = ndcg.evaluate(QRELS, RUN, "AP", queries=["q1", "zz"])
    assert ev["AP"].n == 1
    assert [n.what for n in ev.notices if "zz" in n.what] == [
        "1 query of the set with no judgments, left out: zz"
    ]


def test_a_set_that_shares_no_query_with_the_judgments_is_an_error_with_the_nearest_ids() -> None:
    with pytest.raises(ndcg.DataError, match="'Q1' and 'q1' differ by case"):
        ndcg.evaluate(QRELS, RUN, queries=["Q1"])


@pytest.mark.parametrize("queries", [[], "q1", 3, [None]])
def test_what_is_no_set_of_ids_is_refused(queries: object) -> None:
    with pytest.raises(ndcg.UsageError) as caught:
        ndcg.evaluate(QRELS, RUN, queries=queries)
    assert caught.value.code == "E12"


def test_a_set_cannot_be_an_option_of_a_measure() -> None:
    with pytest.raises(ndcg.UsageError, match="'set' is not a parameter"):
        ndcg.evaluate(QRELS, RUN, "nDCG(set=all)@10")


def test_flags_and_a_file_declare_the_same_set(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("qrels.txt").write_text("q1 0 a 1\nq2 0 b 1\n")
    Path("run.txt").write_text("q1 Q0 a 1 2 t\nq2 Q0 x 1 2 t\n")
    Path("topics.txt").write_text("query_id\ttext\nq1\tred shoes\n\n# a comment\n")
    base = ["eval", "qrels.txt", "run.txt"]
    by_flag = command(*base, "-q", "q1")
    by_file = command(*base, "--queries-from", "topics.txt")
    assert by_flag.out == by_file.out
    assert "set:1@" in by_flag.out


def test_a_query_is_named_when_it_carries_more_than_half_of_the_weights() -> None:
    def warned(weight: float) -> bool:
        ev = evaluate_quietly(QRELS, RUN, "AP", weights={"q1": weight, "q2": 1, "q3": 1})
        return any("of the weights" in notice.what for notice in ev.notices)

    assert not warned(2)
    assert warned(2.5)
