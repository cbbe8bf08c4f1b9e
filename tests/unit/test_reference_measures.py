"""The reference's further measures, by hand and against what the real trec_eval computed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import exp, isnan, log, log2
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from reference import (
    EXTREMES,
    FORMULAS,
    GEOMETRIC,
    OPEN_TIES,
    SUMMED,
    TIES_OF,
    Judgments,
    Listing,
    Measure,
    MeasureResult,
    Refused,
    best_by_enumeration,
    evaluate,
    expected_by_enumeration,
    value,
    worst_by_enumeration,
)
from shared import shared

JUDGED = [("a", 2.0), ("b", 1.0), ("c", 0.0), ("d", 1.0), ("e", 0.0)]
FLOOR = 0.00001


def listed(order: str) -> Listing:
    """A run that lists one-letter documents in this order."""
    return [(document, -place, None) for place, document in enumerate(order)]


def of(
    order: str, name: str, k: int | None = None, judged: Judgments = JUDGED, **parameters: Any
) -> float | None:
    """A measure of documents in this order, with gain = grade."""
    measure = Measure(name, k, parameters=tuple(parameters.items()))
    return value(judged, listed(order), measure, {"gain": "linear"}, "q")


# -- by hand -----------------------------------------------------------------------------------


def test_a_measure_is_written_as_the_package_writes_it() -> None:
    assert str(Measure("P", 5, 2)) == "P(rel=2)@5"
    assert str(Measure("nDCG", 10)) == "nDCG@10"
    assert str(Measure("Rprec", None, 2, (("times", 0.5),))) == "Rprec(rel=2,times=0.5)"
    assert str(Measure("IPrec", parameters=(("recall", 0.1),))) == "IPrec(recall=0.1)"
    graded = Measure("gRBP", 10, parameters=(("p", 0.5), ("largest", "query")))
    assert str(graded) == "gRBP(p=0.5,largest=query)@10"


def test_counts_count() -> None:
    counts = ["NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"]
    assert [of("xacb", name) for name in counts] == [1, 4, 3, 2, 1]
    assert [of("xacb", name, 2) for name in counts] == [1, 2, 3, 1, 0]
    assert [of("xacb", name, 9) for name in counts] == [1, 4, 3, 2, 1]


def test_precision_in_other_words() -> None:
    assert of("xacb", "Rprec") == 1 / 3
    assert of("xacb", "Rprec", times=2.0) == 2 / 6
    assert of("xacb", "Rprec", times=0.01) == 0  # 0.03 + 0.9 is less than one rank
    assert of("xacb", "RelativeP", 2) == 1 / 2
    assert of("xacb", "RelativeP", 9) == 2 / 3
    assert of("ab", "RelativeP") == 2 / 2
    assert of("xacb", "SetAP") == 4 / 12
    assert of("xacb", "F") == 2 * (2 / 4) * (2 / 3) / (2 / 3 + 2 / 4)
    assert of("xacb", "F", beta=2.0) == 5 * (2 / 4) * (2 / 3) / (2 / 3 + 4 * (2 / 4))
    assert of("xacb", "F", x=4.0) == of("xacb", "F", beta=2.0)
    assert of("xacb", "F", 1) == 0
    assert of("xacb", "Utility") == 2 - 2
    weights = {"relret": 3.0, "nonrelret": 0.5, "relmissed": -1.0, "nonrelmissed": 0.25}
    assert of("xacb", "Utility", **weights, collection=10.0) == 3 * 2 + 0.5 * 2 - 1 + 0.25 * 5


def test_incomplete_judgments() -> None:
    assert of("caxdeb", "Bpref") == ((1 - 1 / 2) + (1 - 1 / 2) + (1 - 2 / 2)) / 3
    assert of("xacb", "GMBpref") == of("xacb", "Bpref")
    assert of("xyz", "GMBpref") == of("xyz", "GMAP") == FLOOR
    share = (1 + FLOOR) / (1 + 1 + 2 * FLOOR)
    second = 1 / 4 + 3 / 4 * (2 / 3) * share
    assert of("axcb", "infAP") == (1 + second) / 3
    assert of("xacb", "Unjudged") == 1 / 4
    assert of("xacb", "Unjudged", 8) == 1 / 8
    assert of("xacb", "Judged") == 3 / 4
    assert of("xacb", "Judged", 8) == 3 / 4


def test_a_negative_grade_is_pooled_and_unjudged_for_inferred_ap_under_two_axes_only() -> None:
    judged = [("a", 1.0), ("n", -1.0), ("c", 0.0)]
    measure, run = Measure("infAP"), listed("nxca")
    pooled = {"negative": "unjudged"}
    share = FLOOR / (1 + 2 * FLOOR)
    assert value(judged, run, measure, pooled, "q") == 1 / 4 + 3 / 4 * (2 / 3) * share
    dropped = {**pooled, "unjudged": "drop"}
    assert value(judged, run, measure, dropped, "q") == 1 / 2 + 1 / 2 * (1 / 1) * share
    share = FLOOR / (2 + 2 * FLOOR)
    assert value(judged, run, measure, {}, "q") == 1 / 4 + 3 / 4 * (2 / 3) * share
    unjudged = Measure("Unjudged", 2)
    assert value(judged, run, unjudged, pooled, "q") == 1
    assert value(judged, run, unjudged, {}, "q") == 1 / 2


def test_average_precision_in_other_words() -> None:
    found = 1 / 2 + 2 / 4
    assert of("xacb", "GMAP") == found / 3
    assert of("xacb", "GMAP", 2) == 1 / 2 / 3
    assert of("xacb", "YAAP") == log((1 + found) / (1 + 3 - found))
    assert of("xacb", "BinG") == (1 / log2(3) + 1 / log2(4)) / 3


def test_interpolated_precision() -> None:
    assert of("xacb", "IPrec", recall=0.0) == of("xacb", "IPrec", recall=0.4) == 1 / 2
    assert of("axyb", "IPrec", recall=0.1) == 1
    assert of("axyb", "IPrec", recall=0.5) == 2 / 4  # 1.5 is 2
    assert of("axyb", "IPrec", recall=0.4) == 1  # 1.2 is 1, but also 2
    assert of("axyb", "IPrec", recall=0.4, documents="nine_tenths") == 2 / 4
    assert of("axyb", "IPrec", recall=1.0) == 0
    assert of("axyb", "IPrecAvg", points="0.1+0.5+1") == (0 + 2 / 4 + 1) / 3
    assert of("axyb", "IPrecAvg") == (4 * 2 / 4 + 5 * 1.0) / 11
    assert value([("a", 1.0)], listed("x"), Measure("IPrec"), {"unjudged": "drop"}, "q") == 0


def test_measures_with_gains() -> None:
    ideal = [2, 2 + 1 / log2(3), 2 + 1 / log2(3) + 1 / 2]
    actual = [0, 2 / log2(3), 2 / log2(3), 2 / log2(3) + 1 / log2(5)]
    assert of("xacb", "nDCGRel") == pytest.approx(
        (actual[1] / ideal[1] + actual[3] / ideal[2] + actual[3] / ideal[2]) / 3, abs=1e-15
    )
    assert of("xacb", "RnDCG") == (actual[0] / ideal[0] + actual[2] / ideal[2]) / 2
    last = actual[3] / ideal[2]
    assert of("xacby", "RnDCG") == (actual[0] / ideal[0] + actual[2] / ideal[2] + last) / 3
    assert of("xacb", "G") == (2 / log2(2 + 3 - 2) + 1 / log2(2 + 5 - 3)) / 4
    for name in ("nDCGRel", "RnDCG", "G"):
        assert of("abdce", name) == 1


def test_persistence() -> None:
    assert of("xacb", "RBP", p=0.5) == 0.5 * (1 / 2 + 1 / 8)
    assert of("xacb", "RBP", 2, p=0.5) == 0.5 * (1 / 2)
    assert of("xacb", "gRBP", p=0.5) == 0.5 * (1 / 2 + 1 / 2 / 8)
    assert of("xacb", "gRBP", p=0.5, largest=4.0) == 0.5 * (2 / 4 / 2 + 1 / 4 / 8)
    assert of("xacb", "RBPResidual", p=0.5) == 1 / 16 + 0.5 * 1
    assert of("ac", "RBPResidual", 1, p=0.5) == 1 / 2
    halves = value(
        [("a", 0.5)], listed("a"), Measure("gRBP"), {"gain": "linear", "empty": "zero"}, "q"
    )
    assert halves == (1 - 0.9) * 0.5  # a largest gain of up to 1 divides nothing


def test_sums_and_geometric_means() -> None:
    qrels = {"1": JUDGED, "2": JUDGED, "3": [("a", 1.0)]}
    run = {"1": listed("xacb"), "2": listed("ab")}
    measures = [Measure(name) for name in ("NumRet", "NumRel", "GMAP", "GMBpref")]
    result = evaluate(qrels, run, measures, {"missing": "exclude"})
    assert [result[one].mean for one in measures[:2]] == [6, 6]
    logs = log(1 / 3) + log(2 / 3)
    assert result[measures[2]].mean == exp(logs / 2)
    result = evaluate(qrels, run, measures, {})  # a missing query counts 0, as small as nothing
    assert result[measures[2]].mean == exp((logs + log(FLOOR)) / 3)


def test_what_only_counts_is_never_empty() -> None:
    judged, run = [("c", 0.0)], listed("xc")
    counted = {"NumQ": 1, "NumRet": 2, "NumRel": 0, "NumRelRet": 0, "NumNonrelRet": 1}
    others = {
        "Judged": 1 / 2,
        "Unjudged": 1 / 2,
        "RBPResidual": 0.8 * 0.8 + (1 - 0.8),
        "Utility": -2,
    }
    worth = {**counted, **others}
    for name in TIES_OF:
        found = value(judged, run, Measure(name), {"nothing_found": "nan"}, "q")
        assert found == worth.get(name), name


def test_graded_rbp_is_empty_with_its_cutoff_as_ndcg_is() -> None:
    table = {"gain": "0=-1,1=1", "empty": "one"}
    judged = [("a", 1.0), ("c", 0.0), ("e", 0.0)]
    for name in ("nDCG", "gRBP"):
        assert value(judged, listed("a"), Measure(name), table, "q") == 1, name
    assert value(judged, listed("a"), Measure("gRBP", 1), table, "q") == pytest.approx(0.1)


def test_an_ideal_of_its_own_is_refused_where_the_measure_has_one() -> None:
    for name in ("nDCGRel", "RnDCG", "G"):
        for axes in ({"ideal": "retrieved"}, {"ideal_order": "listed"}):
            with pytest.raises(Refused, match="measure"):
                value(JUDGED, listed("a"), Measure(name), axes, "q")
    assert value(JUDGED, listed("a"), Measure("gRBP"), {"ideal": "retrieved"}, "q")


TIED = [(d, s, None) for d, s in zip("xabcdy", [2.0, 1.0, 1.0, 1.0, 0.0, 0.0], strict=True)]
ENUMERATED = {
    "expected": expected_by_enumeration,
    "best": best_by_enumeration,
    "worst": worst_by_enumeration,
}


@pytest.mark.parametrize("name", TIES_OF)
def test_open_ties_have_the_value_of_the_orders_written_out_or_none(name: str) -> None:
    more = {"IPrec": (("recall", 0.5),), "Rprec": (("times", 0.5),)}.get(name, ())
    uncut = ["nDCGRel", "RnDCG", "G", "Bpref", "GMBpref", "infAP", "Rprec", "Utility", "SetAP"]
    for k in (None, 1, 2, 3, 9):
        measure = Measure(name, None if name in uncut else k, parameters=more)
        for ties in OPEN_TIES:
            if ties not in TIES_OF[name]:
                with pytest.raises(Refused, match="ties"):
                    value(JUDGED, TIED, measure, {"ties": ties}, "q")
                continue
            ours = value(JUDGED, TIED, measure, {"ties": ties}, "q")
            if ties in EXTREMES:
                assert ours == ENUMERATED[ties](JUDGED, TIED, measure, {}, "q")
            else:
                all_orders = ENUMERATED[ties](JUDGED, TIED, measure, {}, "q")
                assert ours == pytest.approx(all_orders, abs=1e-12, rel=0)


def test_every_measure_has_a_formula_and_says_which_ties_it_takes() -> None:
    first = ["nDCG", "DCG", "IDCG", "P", "R", "AP", "RR", "Success"]
    assert {*FORMULAS} == {*first, *TIES_OF}


# -- trec_eval, to the last bit ----------------------------------------------------------------

TREC_EVAL: dict[str, str] = {
    "gain": "linear",
    "ties": "docid_desc",
    "negative": "unjudged",
    "empty": "zero",
    "missing": "exclude",
}
UNCUT = {
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "num_nonrel_judged_ret": "NumNonrelRet",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "binG": "BinG",
    "set_relative_P": "RelativeP",
    "set_map": "SetAP",
    "set_F": "F",
    "utility": "Utility",
    "11pt_avg": "IPrecAvg",
    "yaap": "YAAP",
    "ndcg_rel": "nDCGRel",
    "Rndcg": "RnDCG",
    "G": "G",
    "rbp": "gRBP",
    "rbp_resid": "RBPResidual",
}
CUT = {"relative_P": "RelativeP", "unj": "Unjudged"}
POINTS = {"iprec_at_recall": ("IPrec", "recall"), "Rprec_mult": ("Rprec", "times")}
SUMMARY = {"num_q": "NumQ", "gm_map": "GMAP", "gm_bpref": "GMBpref"}  # for all queries only
TEXT = ("relstring", "runid")
WITH_GAINS = ("ndcg", "ndcg_rel", "Rndcg", "G", "rbp")

# Invocations that are left out, each for its reason.
SCORES = "scores that are no plain numbers: what C makes of them is not the reference's business"
LEFT_OUT: dict[tuple[str, str], str] = {
    ("04-score-syntax", "*"): SCORES,
    ("08-negative-judgments", "unj-gain"): "a gain for documents without judgment",
    ("08-negative-judgments", "unj2-gain"): "a gain for documents without judgment",
    ("17-gains", "unjudged-gain"): "a gain for documents without judgment",
    ("17-gains", "duplicate-level"): "a gain given twice: no table of ours has that",
    ("23-judgment-groups", "*"): "judgment groups (-R)",
    ("24-preferences", "*"): "preferences (-R)",
}


class Invocation(NamedTuple):
    """One call of trec_eval and the file that holds what it computed."""

    case: str
    variant: str
    version: str
    args: list[str]
    qrels: Path
    run: Path
    printed: Path

    @property
    def complete(self) -> bool:
        return "-c" in self.args

    def option(self, name: str, default: str) -> str:
        return self.args[self.args.index(name) + 1] if name in self.args else default


class Printed(NamedTuple):
    """One value as trec_eval computed it; `gain` is the gain axis that its parameters mean."""

    name: str
    measure: Measure
    gain: str
    query: str
    number: float


def invocations() -> Iterator[Invocation]:
    home = shared("conformance", "trec_eval", "cases")
    for one in json.loads((home / "manifest.json").read_text("utf-8"))["runs"]:
        left_out = {(one["case"], one["variant"]), (one["case"], "*")} & {*LEFT_OUT}
        if one["exit_code"] or one.get("do_not_reproduce") or "full" not in one or left_out:
            continue
        folder = home / one["case"]
        yield Invocation(
            one["case"], one["variant"], one["version"], one["args"], folder / one["qrels"],
            folder / one["run"], folder / one["full"],
        )  # fmt: skip


def ours(name: str, call: Invocation) -> tuple[Measure, str] | None:
    """trec_eval's measure in our words, with the gain axis; None where it is not a new one."""
    rel = float(call.option("-l", "1"))
    whole = "nine_tenths" if call.version == "v9.0.8" else "nearest"
    stem, _, last = name.rpartition("_")
    if stem in CUT and last.isdigit():
        return Measure(CUT[stem], int(last), rel), "linear"
    if stem in POINTS:
        ours_, parameter = POINTS[stem]
        told: list[tuple[str, str | float]] = [(parameter, float(last))]
        if ours_ == "IPrec":
            told.append(("documents", whole))
        return Measure(ours_, None, rel, tuple(told)), "linear"
    if name in SUMMARY:
        return Measure(SUMMARY[name], None, rel), "linear"
    plain = name if name in UNCUT else stem
    if plain not in UNCUT:
        return None
    text = "" if plain == name else last
    told, gain = parameters_of(plain, text, call)
    if plain == "11pt_avg":
        told.append(("documents", whole))
    return Measure(UNCUT[plain], None, rel, tuple(told)), gain


def parameters_of(
    plain: str, text: str, call: Invocation
) -> tuple[list[tuple[str, str | float]], str]:
    """What the parameters of a measure mean, and the gain axis."""
    if plain in WITH_GAINS or plain == "rbp_resid":
        pairs = [pair for pair in text.split(",") if pair]
        gains = [pair for pair in pairs if not pair.startswith("p=")]
        told: list[tuple[str, str | float]] = []
        if plain.startswith("rbp"):
            told = [("p", float(pair[2:])) for pair in pairs if pair.startswith("p=")]
            told = told or [("p", 0.9)]
        return told, ",".join([*gains, "other=linear"]) if gains else "linear"
    if plain == "utility":
        names = ["relret", "nonrelret", "relmissed", "nonrelmissed"]
        worth = [float(part) for part in (text or "1,-1,0,0").split(",")]
        collection = float(call.option("-N", "0"))
        return [*zip(names, worth, strict=True), ("collection", collection)], "linear"
    if plain == "set_F":
        return [("x", float(text or "1.0"))], "linear"
    if plain == "11pt_avg" and text:
        return [("points", text.replace(",", "+"))], "linear"
    return [], "linear"


def printed_by(call: Invocation) -> list[Printed]:
    """The values of the new measures, for each query and for all."""
    found = []
    for line in call.printed.read_text("utf-8").splitlines():
        if line.startswith(TEXT):
            continue
        name, query, number = (part.strip() for part in line.split("\t"))
        said = ours(name, call)
        if said is not None:
            found.append(Printed(name, *said, query, float(number)))
    return found


def rows_of(path: Path) -> Iterator[list[str]]:
    """The columns of a file, parted by blanks and tabs."""
    for line in path.read_text("utf-8").split("\n"):
        if line.strip():
            yield line.replace("\t", " ").split()


def by_reference(
    call: Invocation, asked: list[Printed]
) -> dict[tuple[Measure, str], MeasureResult]:
    """What the reference makes of the two files, for each measure and gain."""
    qrels: dict[str, list[tuple[str, float]]] = {}
    run: dict[str, list[tuple[str, float | None, int | None]]] = {}
    for query, _, document, grade in rows_of(call.qrels):
        qrels.setdefault(query, []).append((document, float(grade)))
    for query, _, document, _, score, *_ in rows_of(call.run):
        run.setdefault(query, []).append((document, float(score), None))
    axes: dict[str, str] = {**TREC_EVAL, "depth": call.option("-M", "all")}
    axes["score_type"] = "float32" if call.version == "v9.0.8" else "float64"
    axes["missing"] = "zero" if call.complete else "exclude"
    if "-J" in call.args:
        axes["unjudged"] = "drop"
    if call.case == "11-duplicates":  # what trec_eval does not notice
        axes["duplicates"] = "first"
        axes["judgments"] = "last"
    found: dict[tuple[Measure, str], MeasureResult] = {}
    for gain in dict.fromkeys(one.gain for one in asked):
        measures = [*dict.fromkeys(one.measure for one in asked if one.gain == gain)]
        result = evaluate(qrels, run, measures, {**axes, "gain": gain})
        found |= {(measure, gain): result[measure] for measure in measures}
    return found


PLACEHOLDER = "10.0 with -c ranks a placeholder document for a query that the run lacks"
NO_NUMBER = "NaN of an empty ranking (iprec, 11pt_avg) or of gains that are all 0 (Rndcg)"
NO_TAIL = "rbp_resid is 0 there where every document is judged: the tail is forgotten"
BELOW_LEVEL = "Rndcg is 0 there where no judged document reaches -l, which is no matter of gains"


class Compared(NamedTuple):
    """The values of one call: what differs, what was compared, and why others were not."""

    wrong: list[str]
    equal: list[str]  # names of measures, one for each value
    left_out: list[str]  # reasons, one for each value


def why_not(one: Printed, missing: set[str], relevant: set[str]) -> str | None:
    """Why trec_eval computes something else for a query, where it does; `missing` counts 0."""
    if one.query in missing and one.measure.name in ("YAAP", "Utility"):
        return PLACEHOLDER
    if isnan(one.number):
        return NO_NUMBER
    if one.measure.name == "RBPResidual" and one.number == 0:
        return NO_TAIL
    if one.measure.name == "RnDCG" and one.query not in relevant:
        return BELOW_LEVEL
    return None


def compared(call: Invocation) -> Compared:
    """Every value of a query that one call of trec_eval computed, beside the reference's."""
    asked = [one for one in printed_by(call) if one.query != "all"]
    found = by_reference(call, asked)
    missing = {row[0] for row in rows_of(call.qrels)} - {row[0] for row in rows_of(call.run)}
    level = float(call.option("-l", "1"))
    relevant = {row[0] for row in rows_of(call.qrels) if float(row[3]) >= level}
    result = Compared([], [], [])
    for one in asked:
        reason = why_not(one, missing, relevant)
        mine = found[one.measure, one.gain].per_query[one.query]
        if reason is not None:
            result.left_out.append(reason)
        elif mine == one.number:
            result.equal.append(one.measure.name)
        else:
            result.wrong.append(f"{one.name} of {one.query}: {mine!r} is not {one.number!r}")
    return result


CALLS = [*invocations()]


@pytest.mark.parametrize("call", CALLS, ids=lambda c: f"{c.case}-{c.variant}-{c.version}")
def test_every_value_of_a_query_is_the_one_that_trec_eval_computed(call: Invocation) -> None:
    assert compared(call).wrong == []


@pytest.mark.parametrize("call", CALLS, ids=lambda c: f"{c.case}-{c.variant}-{c.version}")
def test_sums_and_geometric_means_are_those_of_trec_eval(call: Invocation) -> None:
    names = GEOMETRIC if call.complete else (*SUMMED, *GEOMETRIC)  # -c counts what is not listed
    asked = [one for one in printed_by(call) if one.query == "all" and one.measure.name in names]
    found = by_reference(call, asked)
    for one in asked:
        assert found[one.measure, one.gain].mean == one.number, one.name


def test_the_kit_compares_thousands_of_values_and_each_measure_that_has_one_for_a_query() -> None:
    together = [compared(call) for call in CALLS]
    equal = [name for one in together for name in one.equal]
    assert len(equal) > 10_000
    assert {*equal} == {*TIES_OF} - {"NumQ", "GMAP", "GMBpref", "RBP", "Judged"}
    reasons = {reason for one in together for reason in one.left_out}
    assert reasons == {PLACEHOLDER, NO_NUMBER, NO_TAIL, BELOW_LEVEL}
