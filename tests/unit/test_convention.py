"""Conventions: every value of every axis, printed, read back, compared and digested."""

from __future__ import annotations

import dataclasses
import json
import pickle
import re
from hashlib import sha256
from typing import Any

import numpy as np
import pytest

from ndcg import AXES, PRESETS, Convention, UsageError, evaluate
from ndcg.axes import NUMBER, number_of, number_text
from ndcg.convention import FORMAT, read_signature

# A value of every parametrised form beside the words.
FORMS = {
    "gain": ["0=0", "0=0,1=1,2=3", "-1=0,0=0,0.5=0.25,3=1e-07", "1=1,2=3,other=linear"],
    "discount": ["jarvelin:2", "jarvelin:1.5", "jarvelin:10"],
    "ideal": ["slots:3", "slots:0.5", "slots:-1"],
    "depth": ["1", "10", "1000"],
    "default_cutoff": ["1", "32"],
    "min_grade": ["0", "1", "-1.5"],
    "min_documents": ["2", "10"],
    "rounding": ["terms:2", "query:0", "mean:15"],
    "grades": ["whole:4", "whole:31"],
    "unjudged": ["grade:0", "grade:-2", "grade:0.1"],
    "average": ["weighted@0123abcd", "group@ffffffff"],
    "set": ["1@0123abcd", "249@ffffffff"],
}
VALUES = [
    (name, value) for name, axis in AXES.items() for value in [*axis.words, *FORMS.get(name, [])]
]


def refused(call: Any) -> str:
    """What a call is refused with."""
    with pytest.raises(UsageError) as error:
        call()
    return str(error.value)


# -- every value -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_every_value_is_printed_and_read_back(name: str, value: str) -> None:
    convention = Convention(**{name: value})
    assert getattr(convention, name) == value
    signature = convention.signature("nDCG@10", "1.2.3")
    assert Convention.parse(signature) == convention
    assert signature.endswith(f"|v:1.2.3 [{convention.digest}]")
    printed = AXES[name].always or value != AXES[name].default
    assert (f"|{name}:{value}|" in signature) == printed


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_every_value_survives_json_and_pickle(name: str, value: str) -> None:
    convention = Convention(**{name: value})
    assert Convention.from_dict(json.loads(json.dumps(convention.to_dict()))) == convention
    assert pickle.loads(pickle.dumps(convention)) == convention  # noqa: S301 -- our own bytes
    assert convention.but({}) == convention
    assert hash(convention) == hash(Convention(**{name: value}))


@pytest.mark.parametrize(("name", "value"), VALUES)
def test_only_values_that_differ_from_the_default_change_the_digest(name: str, value: str) -> None:
    differs = value != AXES[name].default
    assert (Convention(**{name: value}).digest != Convention().digest) == differs


def test_every_value_has_a_digest_of_its_own() -> None:
    digests = {Convention(**{name: value}).digest for name, value in VALUES}
    defaults = sum(value == AXES[name].default for name, value in VALUES)
    assert len(digests) == len(VALUES) - defaults + 1


def test_the_defaults_are_those_of_the_design() -> None:
    assert Convention().to_dict() == {
        "gain": "exp2", "discount": "log2", "ideal": "judged", "ideal_depth": "cutoff",
        "ideal_order": "gain", "default_cutoff": "all",
        "order_by": "score", "score_order": "descending", "score_type": "float64",
        "ties": "docid_asc", "depth": "all", "duplicates": "error", "judgments": "agree",
        "grades": "any", "min_grade": "none", "appended": "none", "self_match": "keep",
        "unjudged": "zero", "negative": "clamp", "negative_only": "empty", "min_documents": "1",
        "empty": "exclude", "empty_from": "judged", "empty_test": "not_positive",
        "no_judgments": "empty", "nothing_found": "computed", "missing": "zero",
        "listed_empty": "missing", "extra": "ignore",
        "average": "query", "none_left": "nan", "rounding": "none",
        "set": "all",
    }  # fmt: skip


def test_axes_say_what_they_mean() -> None:
    for name, axis in AXES.items():
        assert axis.default in axis.words, name
        assert axis.summary
        assert all(axis.words.values())
        assert bool(axis.form) == bool(axis.form_means) == (name in FORMS)


# -- digests are kept forever ----------------------------------------------------------------------


def test_digests_never_change() -> None:
    assert FORMAT == 1
    assert Convention().digest == "6b86b273"
    trec_eval = Convention(
        gain="linear", ties="docid_desc", negative="unjudged", empty="zero", missing="zero"
    )
    assert trec_eval.digest == "99778942"
    table = Convention(gain={0: 0, 1: 1, 2: 3}, ties="expected", depth=100)
    assert table.digest == "d1fc746a"


def test_a_digest_is_of_the_axes_that_differ_by_name() -> None:
    convention = Convention(ties="input", gain="linear", average="group@00000000")
    text = "1|average:group@00000000|gain:linear|ties:input"
    assert convention.digest == sha256(text.encode()).hexdigest()[:8]
    assert Convention().digest == sha256(b"1").hexdigest()[:8]


def test_the_measure_and_the_version_are_no_part_of_the_digest() -> None:
    convention = Convention(gain="linear")
    one, other = (convention.signature(m, v) for m, v in (("AP", "1.0"), ("nDCG@10", "2.0")))
    assert one.split(" [")[1] == other.split(" [")[1]


# -- signatures ------------------------------------------------------------------------------------


def test_a_signature_begins_with_the_measure_and_always_prints_the_formula() -> None:
    assert Convention().signature("nDCG@10", "0.1.0") == (
        "nDCG@10|gain:exp2|discount:log2|ideal:judged|ideal_depth:cutoff|ties:docid_asc|"
        "unjudged:zero|negative:clamp|empty:exclude|missing:zero|v:0.1.0 [6b86b273]"
    )


def test_axes_may_be_left_out_and_stand_in_any_order() -> None:
    expected = Convention(gain="linear", ties="input")
    for text in (
        "nDCG@10|gain:linear|ties:input",
        "ties:input|gain:linear",
        "gain:linear|v:9.9|ties:input",
        f"P(rel=2)@5|gain:linear|ties:input|v:0.1.0 [{expected.digest}]",
        f"  nDCG@10|gain:linear|ties:input [{expected.digest}]\n",
        f"gain:linear|ties:input[{expected.digest}]",
    ):
        assert Convention.parse(text) == expected, text


def test_a_signature_is_taken_apart_into_measure_axes_and_version() -> None:
    taken = read_signature("nDCG(gain=0=0,1=1)@10|gain:0=0,1=1|v:0.1.0rc1")
    assert taken == ("nDCG(gain=0=0,1=1)@10", {"gain": "0=0,1=1"}, "0.1.0rc1")
    assert read_signature("gain:linear") == ("", {"gain": "linear"}, "")
    assert read_signature("v:1.0") == ("", {}, "1.0")
    assert read_signature("AP|v:1.0") == ("AP", {}, "1.0")


@pytest.mark.parametrize(
    "text", ["AP", "garbage", "[6b86b273]", "AP [6b86b273]", "nDCG@10 [00000000]"]
)
def test_a_text_without_axes_is_no_signature(text: str) -> None:
    message = refused(lambda: Convention.parse(text))
    what = f"cannot read the signature {text!r}: it has no axes"
    assert message.startswith(f"error[E05 signature]: {what}\nhelp: paste it whole, as printed: ")


@pytest.mark.parametrize("text", ["", " ", "\n\t", "``"])
def test_an_empty_text_is_no_signature(text: str) -> None:
    assert f"cannot read the signature {text!r}: it is empty\n" in refused(
        lambda: Convention.parse(text)
    )


@pytest.mark.parametrize("version", ["0.0.1", "0.1.0", "99.0", "1.0.dev3+g1234", ""])
def test_a_signature_of_any_version_is_read(version: str) -> None:
    text = Convention(gain="linear").signature("AP", version)
    assert Convention.parse(text) == Convention(gain="linear")


def test_bars_escaped_for_a_markdown_table_are_read() -> None:
    text = Convention(gain={0: 0, 3: 1}).signature("AP", "0.1.0").replace("|", "\\|")
    assert Convention.parse(text) == Convention(gain={0: 0, 3: 1})


@pytest.mark.parametrize(
    "text",
    [
        "nDCG@10|gain:linear [6b86b273]",
        "nDCG@10|gain:exp2|ties:input [6b86b273]",
        "nDCG@10|v:0.1.0 [00000000]",
    ],
)
def test_an_altered_signature_is_refused(text: str) -> None:
    assert "its axes have the digest" in refused(lambda: Convention.parse(text))


@pytest.mark.parametrize("digest", ["982f68c", "982f68c2f", "982F68C2", "", "........"])
def test_a_mangled_digest_is_refused(digest: str) -> None:
    message = refused(lambda: Convention.parse(f"nDCG@10|gain:linear|v:0.1.0 [{digest}]"))
    assert f"'0.1.0 [{digest}]' is not a version and a digest of 8 hex digits\n" in message


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("nDCG@10|gain:linear|gain:linear", "gain stands in it twice"),
        ("gain:linear|nDCG@10|gain:exp2", "'nDCG@10' is not axis:value"),
        ("nDCG@10|v:1|v:2", "v stands in it twice"),
        ("nDCG@10|linear", "'linear' is not axis:value"),
        ("nDCG@10||gain:linear", "'' is not axis:value"),
        ("nDCG@10|gain:linear|", "'' is not axis:value"),
        ("nDCG@10|gain", "'gain' is not axis:value"),
    ],
)
def test_what_cannot_be_read_is_refused_with_the_reason(text: str, why: str) -> None:
    message = refused(lambda: Convention.parse(text))
    assert message.startswith(f"error[E05 signature]: cannot read the signature {text!r}: {why}\n")


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("nDCG@10|gian:linear", "gain"),
        ("AP|tie:input", "ties"),
        ("AP|ideal-depth:all", "ideal_depth"),
    ],
)
def test_an_axis_that_is_not_known_names_the_nearest(text: str, meant: str) -> None:
    assert f"is not an axis of the convention; did you mean {meant}?" in refused(
        lambda: Convention.parse(text)
    )


# -- values ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "given", "canonical"),
    [
        ("gain", {2: 3, 0: 0, 1: 1.0}, "0=0,1=1,2=3"),
        ("gain", {0.5: 1, -1: 0, 0: -0.0}, "-1=0,0=0,0.5=1"),
        ("gain", {np.int64(1): np.float32(0.5)}, "1=0.5"),
        ("gain", "2=3, 0=0 ,1=+1.0", "0=0,1=1,2=3"),
        ("gain", "0=0,1=.5,2=1e1", "0=0,1=0.5,2=10"),
        ("gain", "00=0,-0.0001=1", "-0.0001=1,0=0"),
        ("discount", "jarvelin:2.0", "jarvelin:2"),
        ("discount", "jarvelin:1e1", "jarvelin:10"),
        ("ideal", "slots:3.0", "slots:3"),
        ("unjudged", "grade:+1", "grade:1"),
        ("unjudged", "grade:-0", "grade:0"),
        ("depth", 5, "5"),
        ("depth", np.int32(5), "5"),
        ("depth", "0010", "10"),
    ],
)
def test_values_have_one_canonical_text(name: str, given: Any, canonical: str) -> None:
    convention = Convention(**{name: given})
    assert getattr(convention, name) == canonical
    assert convention == Convention(**{name: canonical})
    assert convention.digest == Convention(**{name: canonical}).digest


@pytest.mark.parametrize(
    ("name", "given"),
    [
        *((name, value) for name in AXES for value in ("", "x", None, 1.5, True, [], "Exp2 ")),
        ("gain", "0=0,0.0=1"),
        ("gain", {}),
        ("gain", {0: float("nan")}),
        ("gain", {float("inf"): 1}),
        ("gain", {"x": 1}),
        ("gain", "0=1e999"),
        ("gain", "EXP2"),
        ("gain", 2),
        ("discount", "jarvelin"),
        ("discount", "jarvelin:"),
        ("discount", "jarvelin:1"),
        ("discount", "jarvelin:-2"),
        ("discount", "jarvelin:nan"),
        ("discount", "log2:3"),
        ("ideal", "slots"),
        ("ideal", "slots:x"),
        ("unjudged", "grade"),
        ("unjudged", "grade:inf"),
        ("unjudged", "grade:1_0"),
        ("depth", 0),
        ("depth", -1),
        ("depth", "1.0"),
        ("depth", "1e3"),
        ("depth", "\u0663"),
        ("average", "weighted@"),
        ("average", "weighted@0123ABCD"),
        ("average", "query@01234567"),
        ("set", "0@01234567"),
        ("set", "01@01234567"),
        ("set", "@01234567"),
        ("set", "3"),
        ("set", "3@0123ABCD"),
        ("set", "3@0123456"),
        ("set", "-3@01234567"),
    ],
)
def test_what_is_no_value_is_refused_with_what_is_accepted(name: str, given: Any) -> None:
    message = refused(lambda: Convention(**{name: given}))
    assert message.startswith("error[E04 axis]: ")
    assert f"is not a value of {name}" in message
    axis = AXES[name]
    form = f", {axis.form} ({axis.form_means})" if axis.form else ""
    accepted = f"{', '.join(axis.words)}{form}"
    assert message.endswith(f"\nhelp: {name} ({axis.summary}) accepts: {accepted}")


@pytest.mark.parametrize("depth", ["9" * 25, "9" * 5000])
def test_a_depth_past_64_bits_is_refused(depth: str) -> None:
    message = refused(lambda: evaluate({"q": {"a": 1}}, {"q": {"a": 1.0}}, depth=depth))
    named = r"error\[E04 axis\]: '9+(\.\.\. .* \.\.\.9+)?' is not a value of depth\n"
    assert re.match(named, message)


def test_an_unknown_axis_names_the_nearest_and_all() -> None:
    message = refused(lambda: Convention().but({"idael": "judged"}))
    assert "'idael' is not an axis of the convention; did you mean ideal?" in message
    assert message.endswith(f"axes: {', '.join(AXES)}")
    assert refused(lambda: Convention.from_dict({"idael": "judged"})) == message


# -- differences and immutability ------------------------------------------------------------------


def test_a_difference_names_both_values_of_each_axis() -> None:
    one, other = Convention(gain="linear", ties="input"), Convention(ties="input", depth=5)
    assert one.diff(other) == {"gain": ("linear", "exp2"), "depth": ("all", "5")}
    assert other.diff(one) == {"gain": ("exp2", "linear"), "depth": ("5", "all")}
    assert one.diff(one) == {}
    assert list(one.diff(other)) == [name for name in AXES if name in ("gain", "depth")]


def test_but_changes_what_is_named_and_leaves_the_old_one() -> None:
    one = Convention(gain="linear")
    other = one.but({"ties": "input"})
    assert (one.ties, other.ties, other.gain) == ("docid_asc", "input", "linear")


def test_a_convention_cannot_be_changed() -> None:
    convention = Convention()
    with pytest.raises(dataclasses.FrozenInstanceError):
        convention.gain = "linear"  # type: ignore[misc]
    with pytest.raises((AttributeError, TypeError)):
        convention.gian = "linear"  # type: ignore[attr-defined]


def test_fields_axes_and_keywords_are_one_list() -> None:
    from ndcg.axes import Axes

    names = [field.name for field in dataclasses.fields(Convention)]
    assert names == list(AXES) == list(Axes.__annotations__)


# -- keywords of evaluate --------------------------------------------------------------------------

QRELS = {"q1": {"a": 2, "b": 1, "c": 0}, "q2": {"a": 1}}
RUN = {"q1": [("a", 2.0, 1), ("b", 1.0, 2), ("x", 0.5, 3)], "q2": [("a", 1.0, 1)]}


TABLES = ["0=0", "-1=0,0=0,0.5=0.25,3=1e-07"]  # do not have all the grades


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, value)
        for name, value in VALUES
        if name not in ("average", "set", "min_documents") and value not in TABLES
    ],
)
def test_every_value_is_accepted_as_a_keyword(name: str, value: str) -> None:
    evaluation = evaluate(QRELS, RUN, **{name: value})  # type: ignore[arg-type]
    assert evaluation.convention == Convention(**{name: value})
    signature = evaluation["nDCG@10"].signature
    assert Convention.parse(signature) == Convention(**{name: value})


def test_a_convention_a_signature_and_keywords_are_the_same() -> None:
    convention = Convention(gain="linear", ties="input")
    expected = evaluate(QRELS, RUN, gain="linear", ties="input").to_dict(per_query=True)
    for given in (convention, convention.signature("nDCG@10", "1.0"), "ties:input|gain:linear"):
        assert evaluate(QRELS, RUN, convention=given).to_dict(per_query=True) == expected
    signature = convention.signature("AP", "1.0")
    by_name = evaluate(QRELS, RUN, "nDCG@10", convention=signature)
    assert by_name.to_dict(per_query=True) == expected
    assert list(evaluate(QRELS, RUN, convention=signature).measures) == ["AP"]
    on_top = evaluate(QRELS, RUN, convention="gain:binary", gain="linear", ties="input")
    assert on_top.to_dict(per_query=True) == expected


# -- the number grammar ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "3"), (3.0, "3"), (-0.0, "0"), (0.25, "0.25"), (1e-07, "1e-07"), (1e16, "1e+16"),
        (-2, "-2"), (0.1 + 0.2, "0.30000000000000004"), (1e308, "1e+308"), (100.0, "100"),
    ],
)  # fmt: skip
def test_numbers_are_written_as_short_as_they_read_back(value: float, text: str) -> None:
    assert number_text(value) == text
    assert number_of(text) == value
    assert NUMBER.fullmatch(text)


@pytest.mark.parametrize(
    "text", ["", "1.", "nan", "inf", "1e999", "1_0", "0x1", " 1", "1 ", "\u0661"]
)
def test_what_is_no_number(text: str) -> None:
    assert number_of(text) is None


# -- presets ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(PRESETS))
def test_every_preset_is_named_sourced_and_evidenced(name: str) -> None:
    preset = PRESETS[name]
    assert preset.name == name
    assert preset.use.startswith("use this ")
    assert Convention.parse(preset.convention.signature("AP", "1")) == preset.convention
    if name != "ndcg":
        assert preset.tool
        assert preset.versions
        assert preset.source
        assert preset.evidence


def test_the_presets_of_the_trec_eval_family_differ_where_the_tools_do() -> None:
    ten, nine = PRESETS["trec_eval-10"].convention, PRESETS["trec_eval-9"].convention
    assert nine.diff(ten) == {
        "score_type": ("float32", "float64"),
        "missing": ("exclude", "error"),
    }
    assert PRESETS["ndcg"].convention == Convention()
