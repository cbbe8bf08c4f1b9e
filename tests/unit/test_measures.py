"""Measures: their notation, the names that others give them, and what their parameters do."""

from __future__ import annotations

import math
import re
from math import log2
from pathlib import Path
from typing import Any

import pytest

from ndcg import AXES, MEASURES, Convention, DataError, UsageError, evaluate
from ndcg.compat.command import command_of
from ndcg.compat.evaluated import evaluate as trec_eval
from ndcg.measures.example import value_of
from ndcg.measures.grouped import GROUPED
from ndcg.measures.names import foreign_name
from ndcg.measures.registry import Measure, parse

QRELS = {"q1": {"a": 3, "b": 2, "c": 0, "m": 1}, "q2": {"d": 1, "e": 2}}
# Ranks: b 1, x 2, a 3, c 4 in q1; d and e tied in q2.
RUN = {"q1": {"b": 4.0, "x": 3.0, "a": 2.0, "c": 1.0}, "q2": {"d": 1.0, "e": 1.0}}


def value(measure: str, query: str = "q1", **axes: Any) -> float | None:
    """A measure's value for one query."""
    return evaluate(QRELS, RUN, measure, **axes).per_query[query][str(parse(measure)[0])]


def refused(text: str) -> str:
    """What a measure's name is refused with."""
    with pytest.raises(UsageError) as error:
        parse(text)
    return str(error.value)


# -- notation --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, record in MEASURES.items() if record.cutoff])
@pytest.mark.parametrize("cutoff", ["", "@1", "@10", "@1000", "@999999999999999999"])
@pytest.mark.parametrize("inside", ["", "(gain=linear)", "(ties=expected,missing=exclude)"])
def test_every_notation_is_read_and_printed_back(name: str, cutoff: str, inside: str) -> None:
    text = f"{name}{inside}{cutoff}"
    measure, foreign = parse(text)
    assert (str(measure), foreign) == (text, None)
    assert parse(str(measure)) == (measure, None)
    assert measure.name == name
    assert measure.k == (int(cutoff[1:]) if cutoff else None)


WHOLE = [name for name, record in MEASURES.items() if not record.cutoff and name != "IPrec"]


@pytest.mark.parametrize("name", WHOLE)
def test_a_measure_of_the_whole_ranking_has_no_cutoff(name: str) -> None:
    assert str(parse(f"{name}(missing=exclude)")[0]) == f"{name}(missing=exclude)"
    assert refused(f"{name}@10") == (
        f"error[E02 measure]: {name} has no cutoff, in '{name}@10'\n"
        f"help: write {name}; {name}(depth=10) cuts the run there"
    )


@pytest.mark.parametrize(
    ("given", "printed"),
    [
        ("IPrec@0.10", "IPrec@0.1"),
        ("IPrec(recall=.5,rel=2)", "IPrec(rel=2)@0.5"),
        ("IPrec@0", "IPrec"),
        ("IPrec(documents=nine_tenths)@.2", "IPrec(documents=nine_tenths)@0.2"),
        ("IPrecAvg(points=0.20+.5)", "IPrecAvg(points=0.2+0.5)"),
        ("RBP(p=0.8)@10", "RBP@10"),
        ("RBP(p=0.5,rel=2)@10", "RBP(rel=2,p=0.5)@10"),
        ("gRBP(largest=query)", "gRBP"),
        ("gRBP(largest=3,gain=linear)", "gRBP(largest=3,gain=linear)"),
        ("F(beta=2)@5", "F(beta=2)@5"),
        ("Utility(nonrelret=-2,relret=1)", "Utility(nonrelret=-2)"),
        ("Rprec(times=.5)", "Rprec(times=0.5)"),
        (" nDCG@10 ", "nDCG@10"),
        ("nDCG@010", "nDCG@10"),
        ("nDCG()@10", "nDCG@10"),
        ("P( rel = 2 )@5", "P(rel=2)@5"),
        ("P(rel=2.0)@5", "P(rel=2)@5"),
        ("P(rel=.5)@5", "P(rel=0.5)@5"),
        ("P(rel=-1)@5", "P(rel=-1)@5"),
        ("nDCG(ties=input, gain=linear)@3", "nDCG(gain=linear,ties=input)@3"),
        ("nDCG(gain=2=3,0=0,1=1)@3", "nDCG(gain=0=0,1=1,2=3)@3"),
        ("DCG(gain=0=0,3=2,discount=jarvelin:2)", "DCG(gain=0=0,3=2,discount=jarvelin:2)"),
        ("AP(rel=2,gain=1=1,0=0)", "AP(rel=2,gain=0=0,1=1)"),
        ("nDCG(depth=10,unjudged=grade:0.5)", "nDCG(depth=10,unjudged=grade:0.5)"),
    ],
)  # fmt: skip
def test_notations_have_one_canonical_text(given: str, printed: str) -> None:
    measure, _ = parse(given)
    assert str(measure) == printed
    assert parse(printed)[0] == measure


@pytest.mark.parametrize(
    ("text", "meant"),
    [("nDGC@10", "nDCG"), ("ncdg", "nDCG"), ("IDGC@3", "IDCG"), ("succes@5", "Success")],
)
def test_a_name_that_is_nearly_one_names_it(text: str, meant: str) -> None:
    message = refused(text)
    assert message.startswith(
        f"error[E02 measure]: {text!r} is not a measure; did you mean {meant}?"
    )
    few = f"nDCG, DCG, IDCG, P, R, AP, RR, Success, ... ({len(MEASURES)} in all)"
    assert message.endswith(f"measures: {few}, with a cutoff as in nDCG@10 (see: ndcg measures)")


@pytest.mark.parametrize(
    "text",
    ["", " ", "@10", "clicks", "nDCG 10", "nDCG@10@5", "nDCG@10(gain=linear)", "nDCG(gain=linear",
     "nDCG)@10", "\N{GREEK SMALL LETTER NU}DCG@10", "nDCG@10\n@5", "nDCG,AP"],
)  # fmt: skip
def test_what_is_no_notation_is_refused(text: str) -> None:
    assert refused(text).startswith("error[E02 measure]: ")


@pytest.mark.parametrize(
    "cutoff", ["0", "00", "-1", "+1", "1.0", "1e1", "ten", "", "\u0661", "1_0"]
)
def test_what_is_no_cutoff_is_refused(cutoff: str) -> None:
    text = f"AP@{cutoff}"
    what = f"cutoff {cutoff!r} in {text!r} is not a whole number from 1 up"
    assert refused(text).startswith(f"error[E02 measure]: {what}\n")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("P(rel=high)@5", "rel=high is not a number"),
        ("P(rel=nan)@5", "rel=nan is not a number"),
        ("P(rel=)@5", "rel= is not a number"),
        ("P(k=5)", "'k' is not a parameter"),
        ("P(Rel=1)@5", "'Rel' is not a parameter; did you mean rel?"),
        ("nDCG(linear)@5", "'linear' is not name=value"),
        ("nDCG(gain=linear,)@5", "'' is not name=value"),
        ("nDCG(0=0,1=1)@5", "'0' is not a parameter"),
    ],
)
def test_what_is_no_parameter_is_refused(text: str, why: str) -> None:
    assert refused(text).startswith(f"error[E02 measure]: in {text!r}: {why}\n")


def test_a_value_that_an_axis_does_not_take_is_refused() -> None:
    assert "error[E04 axis]: 'cube' is not a value of gain" in refused("nDCG(gain=cube)@5")


@pytest.mark.parametrize("text", ["nDCG(gain=linear,gain=exp2)@5", "P(rel=1,rel=2)@5"])
def test_a_parameter_given_twice_is_refused(text: str) -> None:
    name = "rel" if "rel" in text else "gain"
    assert refused(text).startswith(f"error[E02 measure]: in {text!r}: {name} stands in it twice\n")


@pytest.mark.parametrize("name", [name for name, record in MEASURES.items() if record.graded])
def test_a_threshold_for_a_measure_of_gains_is_refused(name: str) -> None:
    what = f"in '{name}(rel=2)@5': {name} reads gains, not a threshold of relevance"
    assert refused(f"{name}(rel=2)@5").startswith(f"error[E02 measure]: {what}\n")


def test_the_threshold_is_1_where_none_is_given_and_printed_only_where_it_is() -> None:
    assert parse("P@5")[0].threshold == 1.0
    assert parse("P(rel=1)@5")[0].threshold == 1.0
    assert str(parse("P(rel=1)@5")[0]) == "P(rel=1)@5"
    assert parse("P@5")[0] != parse("P(rel=1)@5")[0]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("RBP(p=1.5)", "p=1.5 is not a number from 0 to 1\nhelp: a number from 0 to 1"),
        ("RBP(p=x)", "p=x is not a number from 0 to 1\nhelp: a number from 0 to 1"),
        ("IPrec@1.2", "recall=1.2 is not a number from 0 to 1\nhelp: a number from 0 to 1"),
        ("IPrec(documents=most)", "documents=most is not nearest or nine_tenths"),
        ("IPrecAvg(points=0.5+2)", "points=0.5+2 is not numbers from 0 to 1 with + between them"),
        ("gRBP(largest=0)", "largest=0 is not query or a number above 0"),
        ("F(beta=-1)", "beta=-1 is not a number from 0 up"),
        ("F(x=nan)", "x=nan is not beta or a number from 0 up"),
        ("Utility(relret=)", "relret= is not a number"),
        ("RBP(q=0.5)", "'q' is not a parameter\nhelp: parameters: rel=GRADE, p= and any axis"),
        ("RBP(p=0.5,p=0.6)", "p stands in it twice"),
        ("IPrec(recall=0.5)@0.1", "recall stands in it twice"),
        ("F(beta=2,x=3)@5", "x is beta squared, and both are given\nhelp: give one of them"),
        ("NumRet(rel=2)", "NumRet does not ask what is relevant\nhelp: leave out rel"),
        ("G(rel=2)", "G reads gains, not a threshold of relevance"),
    ],
)
def test_parameters_of_a_measure_are_checked(text: str, why: str) -> None:
    assert refused(text).startswith(f"error[E02 measure]: in {text!r}: {why}")


@pytest.mark.parametrize(
    ("text", "needs", "how"),
    [
        ("map_avgjg", "judgments by group", "-R qrels_jg -m map_avgjg"),
        ("P_avgjg_5", "judgments by group", "-R qrels_jg -m P_avgjg"),
        ("prefs_simp", "preferences between documents", "-R prefs (or qrels_prefs) -m prefs_simp"),
    ],
)
def test_measures_of_judgments_with_groups_name_the_command(
    text: str, needs: str, how: str
) -> None:
    assert refused(text) == (
        f"error[E02 measure]: {text!r} is a measure of trec_eval that needs {needs}\n"
        f"help: ndcg trec-eval {how} QRELS RUN"
    )


def test_measures_are_values() -> None:
    assert Measure("nDCG", 10) == parse("nDCG@10")[0]
    assert len({parse("nDCG@10")[0], parse("nDCG@010")[0], parse("ndcg_cut_10")[0]}) == 1


# -- names of others -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "ours", "owner", "preset"),
    [
        ("ndcg", "nDCG", "trec_eval's name", "trec_eval"),
        ("iprec_at_recall_0.10", "IPrec@0.1", "trec_eval's name", "trec_eval"),
        ("iprec_at_recall.0.5", "IPrec@0.5", "trec_eval's name", "trec_eval"),
        ("Rprec_mult_0.20", "Rprec(times=0.2)", "trec_eval's name", "trec_eval"),
        ("set_F_.5", "F(x=0.5)", "trec_eval's name", "trec_eval"),
        ("relative_P_10", "RelativeP@10", "trec_eval's name", "trec_eval"),
        ("unj_5", "Unjudged@5", "trec_eval's name", "trec_eval"),
        ("11pt_avg", "IPrecAvg", "trec_eval's name", "trec_eval"),
        ("rbp", "gRBP", "trec_eval's name", "trec_eval"),
        ("rbp_resid", "RBPResidual(p=0.9)", "trec_eval's name", "trec_eval"),
        ("num_rel_ret", "NumRelRet", "trec_eval's name", "trec_eval"),
        ("f1@5", "F@5", "ranx's name", None),
        ("ndcg_cut_10", "nDCG@10", "trec_eval's name", "trec_eval"),
        ("ndcg_cut.10", "nDCG@10", "trec_eval's name", "trec_eval"),
        ("map", "AP", "trec_eval's name", "trec_eval"),
        ("map_cut_100", "AP@100", "trec_eval's name", "trec_eval"),
        ("P_5", "P@5", "trec_eval's name", "trec_eval"),
        ("P.5", "P@5", "trec_eval's name", "trec_eval"),
        ("recall_1000", "R@1000", "trec_eval's name", "trec_eval"),
        ("recip_rank", "RR", "trec_eval's name", "trec_eval"),
        ("success_1", "Success@1", "trec_eval's name", "trec_eval"),
        ("set_P", "P", "trec_eval's name", "trec_eval"),
        ("set_recall", "R", "trec_eval's name", "trec_eval"),
        ("NDCG@10", "nDCG@10", "BEIR's name", "pytrec_eval"),
        ("MAP@100", "AP@100", "BEIR's name", "pytrec_eval"),
        ("Recall@5", "R@5", "BEIR's name", "pytrec_eval"),
        ("MRR@10", "RR@10", "BEIR's name", "pytrec_eval"),
        ("ndcg_at_10", "nDCG@10", "MTEB's name", "pytrec_eval"),
        ("mrr_at_1", "RR@1", "MTEB's name", "pytrec_eval"),
        ("precision_at_3", "P@3", "MTEB's name", "pytrec_eval"),
        ("ndcg@10", "nDCG@10", "ranx's name", None),
        ("ndcg_burges@10", "nDCG@10", "ranx's name", None),
        ("hit_rate@5", "Success@5", "ranx's name", None),
        ("MRR", "RR", "a name used by many tools", None),
        ("HitRate@5", "Success@5", "a name used by many tools", None),
        ("NDCG", "nDCG", "a name used by many tools", None),
    ],
)
def test_foreign_names_are_read_and_their_owner_named(
    given: str, ours: str, owner: str, preset: str | None
) -> None:
    measure, foreign = parse(given)
    assert foreign is not None
    assert str(measure) == ours
    assert (foreign.given, foreign.owner, foreign.preset) == (given, owner, preset)


@pytest.mark.parametrize(
    "text",
    [
        "ndcg_cut_0",
        "P_0",
        "ndcg@0",
        "ndcg_cut_",
        "ndcg_cut_x",
        "P_-5",
        "map_10",
        "ndcg_cut_10_",
        "iprec_at_recall_",
        "set_F_",
    ],
)
def test_foreign_names_with_no_cutoff_are_refused(text: str) -> None:
    assert foreign_name(text) is None
    assert refused(text).startswith("error[E02 measure]: ")


@pytest.mark.parametrize("digits", [19, 25, 5000])
def test_foreign_cutoffs_have_the_limit_of_ours(digits: int) -> None:
    text = "ndcg_cut_" + "9" * digits
    told = refused(text)
    assert re.match(r"error\[E02 measure\]: 'ndcg_cut_9+(' is not a measure|\.\.\. \(\d,)", told)


@pytest.mark.parametrize(
    ("text", "title", "ours", "example"),
    [
        ("recall", "recall", "R", "R"),
        ("ndcg_cut", "normalised discounted cumulative gain", "nDCG", "nDCG@3"),
        ("11pt_avg.0.1", "mean interpolated precision", "IPrecAvg", "IPrecAvg"),
        ("rbp.p=0.8", "graded rank-biased precision", "gRBP", "gRBP(p=0.5)"),
        ("utility.1", "utility", "Utility", "Utility"),
    ],
)
def test_the_parameters_of_trec_eval_belong_to_its_command(
    text: str, title: str, ours: str, example: str
) -> None:
    assert refused(text) == (
        f"error[E02 measure]: {text!r} is how trec_eval asks for {title}, which here is {ours}\n"
        f"help: ndcg trec-eval -m {text} QRELS RUN; or {example} here"
    )


def test_our_own_names_are_nobody_elses() -> None:
    for name, record in MEASURES.items():
        assert parse(name)[1] is None
        assert parse(f"{name}@1")[1] is None if record.cutoff else True


def test_a_foreign_name_never_sets_a_convention() -> None:
    with pytest.warns(match="ndcg_cut_3 is trec_eval's name"):
        theirs = evaluate(QRELS, RUN, "ndcg_cut_3")
    assert theirs["ndcg_cut_3"] == theirs["nDCG@3"] == evaluate(QRELS, RUN, "nDCG@3")["nDCG@3"]
    one, other = (evaluate(QRELS, RUN, m, preset="trec_eval") for m in ("ndcg_cut_3", "nDCG@3"))
    assert one == other


# -- values ----------------------------------------------------------------------------------------


def test_each_measure_by_hand() -> None:
    dcg = 3 + 7 / 2
    ideal = 7 + 3 / log2(3) + 1 / 2
    assert value("DCG@3") == dcg
    assert value("IDCG@3") == ideal
    assert value("nDCG@3") == dcg / ideal
    assert value("nDCG@2") == 3 / (7 + 3 / log2(3))
    assert value("P@3") == 2 / 3
    assert value("P") == 2 / 4
    assert value("P@10") == 2 / 10
    assert value("R@3") == 2 / 3
    assert value("R(rel=2)@3") == 2 / 2
    assert value("AP") == (1 / 1 + 2 / 3) / 3
    assert value("AP@1") == 1 / 3
    assert value("RR(rel=3)") == 1 / 3
    assert value("RR(rel=3)@2") == 0.0
    assert value("Success(rel=3)@2") == 0.0
    assert value("Success(rel=3)@3") == 1.0
    assert value("P(rel=0)@4") == 3 / 4


def test_a_parameter_is_the_same_as_the_keyword() -> None:
    for axes in (
        {"gain": "linear"},
        {"gain": "0=0,1=1,2=1,3=5"},
        {"discount": "reciprocal"},
        {"discount": "jarvelin:2"},
        {"ideal": "retrieved"},
        {"ideal": "slots:3"},
        {"ideal_depth": "all"},
        {"ties": "docid_desc"},
        {"ties": "expected"},
        {"score_order": "ascending"},
        {"order_by": "position"},
        {"depth": "1"},
        {"unjudged": "drop"},
        {"unjudged": "grade:2"},
        {"empty": "one"},
        {"missing": "exclude"},
        {"extra": "zero"},
        {"gain": "linear", "ties": "worst", "depth": "3"},
    ):
        inside = ",".join(f"{name}={word}" for name, word in axes.items())
        for query in ("q1", "q2"):
            assert value(f"nDCG({inside})@3", query) == value("nDCG@3", query, **axes), axes


def test_a_parameter_overrides_preset_and_keyword_for_its_measure_alone() -> None:
    measures = ["nDCG@3", "nDCG(gain=binary)@3"]
    evaluation = evaluate(QRELS, RUN, measures, preset="trec_eval", gain="linear")
    base = Convention.parse(evaluation["nDCG@3"].signature)
    assert base.gain == "linear"
    inside = evaluation["nDCG(gain=binary)@3"]
    assert Convention.parse(inside.signature) == base.but({"gain": "binary"})
    assert inside.signature.startswith("nDCG(gain=binary)@3|gain:binary|")
    binary = (1 + 1 / 2) / (1 + 1 / log2(3) + 1 / 2)
    assert evaluation.per_query["q1"]["nDCG(gain=binary)@3"] == binary


@pytest.mark.parametrize("average", ["group", "weighted", "weighted@12345678"])
def test_an_average_inside_a_measure_needs_its_weights_or_groups(average: str) -> None:
    needs = "groups" if average == "group" else "weights"
    with pytest.raises(UsageError, match=f"average:{average} needs the {needs} of the queries"):
        evaluate(QRELS, RUN, f"nDCG(average={average})@3")


WEIGHING = pytest.mark.filterwarnings("ignore:query .* carries:ndcg.NdcgWarning")


@WEIGHING
def test_an_average_inside_a_measure_is_of_that_measure_alone() -> None:
    weights, groups = {"q1": 3, "q2": 1}, {"q1": "x", "q2": "x", "q3": "y"}
    qrels, run = QRELS | {"q3": {"a": 1}}, RUN | {"q3": {"a": 1.0}}
    plain = evaluate(qrels, run, "nDCG@3")
    one, two, three = (plain.per_query[q]["nDCG@3"] or 0.0 for q in ("q1", "q2", "q3"))
    found = evaluate(
        qrels, run, ["nDCG(average=query)@3", "nDCG@3"], groups=groups, average="group"
    )
    assert found["nDCG(average=query)@3"].mean == plain["nDCG@3"].mean
    assert found["nDCG@3"].mean == ((one + two) / 2 + three) / 2
    assert "|average:group@" in found["nDCG@3"].signature
    assert "|average:" not in found["nDCG(average=query)@3"].signature
    weighted = evaluate(QRELS, RUN, "nDCG(average=weighted)@3", weights=weights)
    assert weighted["nDCG(average=weighted)@3"].mean == (3 * one + two) / 4


@WEIGHING
def test_an_average_inside_a_measure_takes_the_digest_of_the_tables() -> None:
    weights = {"q1": 3, "q2": 1}
    signature = evaluate(QRELS, RUN, "nDCG@3", weights=weights)["nDCG@3"].signature
    (average,) = [part for part in signature.split("|") if part.startswith("average:")]
    name = f"nDCG({average.replace(':', '=')})@3"
    assert evaluate(QRELS, RUN, name, weights=weights)[name].signature.endswith(
        signature.removeprefix("nDCG@3")
    )
    with pytest.raises(
        UsageError, match=r"these weights have the digest [0-9a-f]{8}, not 00000000"
    ):
        evaluate(QRELS, RUN, "nDCG(average=weighted@00000000)@3", weights=weights)


@WEIGHING
def test_a_plain_average_inside_a_measure_is_plain_though_weights_are_given() -> None:
    measures = ["nDCG(average=query)@3", "nDCG@3"]
    evaluation = evaluate(QRELS, RUN, measures, weights={"q1": 3, "q2": 1})
    values = [evaluation.per_query[query]["nDCG@3"] or 0 for query in ("q1", "q2")]
    assert evaluation["nDCG@3"].mean == (3 * values[0] + values[1]) / 4
    assert evaluation["nDCG(average=query)@3"].mean == sum(values) / 2


def test_extra_error_inside_a_measure_is_an_error() -> None:
    qrels = {"q1": QRELS["q1"]}
    for names in (["nDCG(extra=error)@3"], ["nDCG@3", "AP", "nDCG(extra=error)@3"]):
        with pytest.raises(DataError, match=r"E41 extra-query\]: 1 run query without.*: q2\n"):
            evaluate(qrels, RUN, names)
    inside = evaluate(qrels, RUN, "nDCG(extra=ignore)@3", extra="error")
    assert inside["nDCG(extra=ignore)@3"].n == 1
    assert evaluate(QRELS, RUN, "nDCG(extra=error)@3")["nDCG(extra=error)@3"].n == 2


@pytest.mark.parametrize("axis", ["duplicates=first", "judgments=max"])
def test_rules_for_repeated_rows_inside_a_measure_are_in_force(axis: str) -> None:
    qrels = {"q1": [("a", 1), ("a", 2)] if axis.startswith("judg") else [("a", 1)]}
    run = {"q1": ["a", "b", "a"] if axis.startswith("dup") else ["a", "b"]}
    assert evaluate(qrels, run, f"P({axis})@1")[f"P({axis})@1"].mean == 1.0
    with pytest.raises(DataError, match=r"E28 duplicate|E29 judgments"):
        evaluate(qrels, run, [f"P({axis})@1", "P@1"])  # the call's own rule holds for the other


def test_judgments_inside_a_measure_settle_repeated_ones_for_it_alone() -> None:
    qrels = {"q1": [("a", 1), ("a", 3), ("b", 2)]}
    run = {"q1": {"b": 2.0, "a": 1.0}}
    names = ["nDCG(judgments=max)@2", "nDCG(judgments=mean)@2", "nDCG@2"]
    found = evaluate(qrels, run, names, judgments="last")
    highest = (3 + 7 / log2(3)) / (7 + 3 / log2(3))
    assert found["nDCG(judgments=max)@2"].mean == found["nDCG@2"].mean == highest
    assert found["nDCG(judgments=mean)@2"].mean == 1.0
    assert "|judgments:mean|" in found["nDCG(judgments=mean)@2"].signature


def test_cutoffs_past_the_end_of_a_run_cost_nothing() -> None:
    for name in ("nDCG", "DCG", "R", "AP", "RR", "Success"):
        assert value(f"{name}@999999999999999999") == value(name)
    assert value("P@999999999999999999") == 2 / 999999999999999999


# -- records ---------------------------------------------------------------------------------------


def test_every_record_says_what_there_is_to_know() -> None:
    for name, record in MEASURES.items():
        assert record.name == name
        assert all((record.title, record.formula, record.range, record.source, record.ties))
        assert name not in AXES
        assert not {one.name for one in record.parameters} & {*AXES, "rel"}


@pytest.mark.parametrize("name", list(MEASURES))
def test_the_example_of_a_card_is_what_its_arithmetic_comes_to(name: str) -> None:
    measure, arithmetic = MEASURES[name].example
    names = {"log2": log2, "log": math.log}
    assert value_of(measure) == eval(arithmetic, names)  # noqa: S307 -- our own text
    qrels = {"q": {"A": 3, "B": 2, "C": 1, "D": 0}}
    run = {"q": {"B": 4.0, "D": 3.0, "X": 2.0, "A": 1.0}}
    found = evaluate(qrels, run, measure, gain="linear")[measure]
    assert found.per_query == {"q": value_of(measure)}


@pytest.mark.parametrize("name", list(GROUPED))
def test_the_example_of_judgments_with_groups_is_what_the_command_prints(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / "q").write_text(
        "q g1 A 3\nq g1 B 2\nq g1 C 1\nq g1 D 0\nq g2 X 1\nq g2 B 0\n", "utf-8"
    )
    (tmp_path / "r").write_text("q Q0 B 1 4 t\nq Q0 D 2 3 t\nq Q0 X 3 2 t\nq Q0 A 4 1 t\n", "utf-8")
    form = "qrels_jg" if name.endswith("avgjg") and "prefs" not in name else "qrels_prefs"
    files = [str(tmp_path / "q"), str(tmp_path / "r")]
    found = trec_eval(command_of(["-R", form, "-m", name, *files]), print)
    values = {one.name: float(one.value[0]) for one in found.columns}
    measure, arithmetic = GROUPED[name].example
    assert values[measure] == eval(arithmetic)  # noqa: S307 -- our own text


ALL_TIES = ["docid_asc", "docid_desc", "input", "reversed", "best", "worst", "expected"]


@pytest.mark.parametrize("ties", [*ALL_TIES, "mean_rank"])
@pytest.mark.parametrize("name", list(MEASURES))
def test_a_measure_has_a_value_under_the_tie_rules_of_its_record_alone(
    name: str, ties: str
) -> None:
    qrels = {"q": {"A": 3, "B": 2, "C": 1, "D": 0}}
    run = {"q": {"B": 4.0, "D": 4.0, "X": 2.0, "A": 2.0}}
    if ties in MEASURES[name].ties:
        assert evaluate(qrels, run, name, ties=ties)[name].per_query["q"] is not None
        return
    with pytest.raises(UsageError, match=f"E06 ties.*{name} .*under ties:{ties}"):
        evaluate(qrels, run, name, ties=ties)


@pytest.mark.parametrize("name", ["G", "nDCGRel", "RnDCG"])
@pytest.mark.parametrize("axes", [{"ideal": "retrieved"}, {"ideal_order": "listed"}])
def test_measures_along_the_ideal_need_the_one_of_all_judgments(
    name: str, axes: dict[str, Any]
) -> None:
    with pytest.raises(UsageError) as refusal:
        evaluate(QRELS, RUN, name, **axes)
    assert str(refusal.value) == (
        f"error[E02 measure]: {name} is defined with all judged documents as its ideal\n"
        "help: --ideal judged (in Python: ideal='judged'); "
        "--axis ideal_order=gain (in Python: ideal_order='gain')"
    )


def test_ties_that_nobody_knows_the_effect_of_are_said() -> None:
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}
    found = evaluate(qrels, run, ["Bpref", "AP"])
    assert [found[name].tie_moves for name in ("Bpref", "AP")] == [None, 1]
    said = [str(one) for one in found.notices if "tied scores" in one.what]
    rule = "note: tied scores: the order of tied documents (ties:docid_asc)"
    assert said == [
        f"{rule} decides AP in 1 of 1 query: q; means: AP from 0.5000 to 1.0000",
        f"{rule} may decide Bpref in 1 of 1 query; --ties docid_desc shows another order",
    ]
    (alone,) = [str(n) for n in evaluate(qrels, run, "AP").notices if "tied scores" in n.what]
    assert alone.endswith("; --ties expected averages over all orders")
    untied = evaluate(qrels, {"q": {"a": 1.0, "b": 2.0}}, "Bpref")
    assert untied["Bpref"].tie_moves == 0
    assert not [one for one in untied.notices if "tied scores" in one.what]


def test_sums_and_geometric_means_over_queries() -> None:
    qrels = {"a": {"A": 1}, "b": {"A": 1, "B": 1}, "c": {"A": 1}}
    run = {"a": {"A": 1.0}, "b": {"X": 2.0, "A": 1.0}, "c": {"X": 1.0}}
    found = evaluate(qrels, run, ["NumQ", "NumRet", "NumRel", "NumRelRet", "GMAP", "GMBpref"])
    assert [found[name].mean for name in ("NumQ", "NumRet", "NumRel", "NumRelRet")] == [3, 4, 4, 2]
    assert found["GMAP"].per_query == {"a": 1.0, "b": 1 / 4, "c": 0.00001}
    logs = (math.log(1.0) + math.log(1 / 4) + math.log(0.00001)) / 3
    assert found["GMAP"].mean == math.exp(logs)
    kinds = {name: one.to_dict().get("over_queries") for name, one in found.measures.items()}
    assert kinds["NumRet"] == "sum"
    assert kinds["GMAP"] == "geometric"
    assert "over_queries" not in evaluate(qrels, run, "AP")["AP"].to_dict()
    weights = {"a": 2.0, "b": 1.0, "c": 0.0}
    with pytest.warns(match="of the weights"):
        weighted = evaluate(qrels, run, ["NumRet", "GMAP"], weights=weights)
    assert weighted["NumRet"].mean == 4
    assert weighted["GMAP"].mean == math.exp((0.0 + math.log(1 / 4) + 0.0) / 3)
    groups = {"a": "x", "b": "x", "c": "y"}
    grouped = evaluate(qrels, run, ["GMAP"], groups=groups)["GMAP"]
    assert grouped.groups["x"] == math.exp(math.log(1 / 4) / 2)


def test_what_is_known_without_a_run_is_counted_of_missing_queries_too() -> None:
    qrels = {"a": {"A": 1}, "b": {"A": 1, "B": 2}}
    run = {"a": {"A": 1.0}}
    found = evaluate(qrels, run, ["NumQ", "NumRel", "NumRel(rel=2)", "NumRet"], missing="zero")
    assert [one.mean for one in found.measures.values()] == [2, 3, 1, 1]
    left = evaluate(qrels, run, ["NumQ", "NumRel"], missing="exclude")
    assert [one.mean for one in left.measures.values()] == [1, 1]


def test_what_a_listed_query_counts_its_own_rule_says_for_measures_of_judgments_too() -> None:
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 1}, "q3": {"c": 1}}, {"q1": {"a": 1.0}, "q2": {}}
    for missing, listed_empty, counted in (
        ("exclude", "zero", {"q1": 1.0, "q2": 1.0, "q3": None}),
        ("zero", "exclude", {"q1": 1.0, "q2": None, "q3": 1.0}),
        ("exclude", "missing", {"q1": 1.0, "q2": None, "q3": None}),
    ):
        found = evaluate(qrels, run, "NumQ", missing=missing, listed_empty=listed_empty)
        assert found["NumQ"].per_query == counted


@pytest.mark.parametrize("name", ["YAAP", "G"])
def test_a_logarithm_of_less_than_nothing_is_an_error_that_says_so(name: str) -> None:
    run = {"q": [("A", 2.0)] * 9}
    with pytest.raises(DataError) as caught:
        evaluate({"q": {"A": 5}}, run, name, duplicates="count")
    said = str(caught.value)
    assert f"{name} of query 'q' has no value: its formula takes the logarithm of 0 or less" in said
    assert "--duplicates first" in said


def test_results_are_found_by_every_name_they_have() -> None:
    evaluation = evaluate(QRELS, RUN, ["nDCG@3", "P(rel=2)@5"])
    assert evaluation["nDCG@03"] is evaluation["nDCG@3"] is evaluation.measures["nDCG@3"]
    assert evaluation["ndcg_cut_3"] is evaluation["nDCG@3"]
    assert evaluation["P(rel=2.0)@5"] is evaluation["P(rel=2)@5"]
    with pytest.raises(UsageError, match=r"'P@5' was not evaluated\nhelp: evaluated: nDCG@3, P"):
        _ = evaluation["P@5"]
