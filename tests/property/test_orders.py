"""The closed forms of open ties are what they claim to be: the mean, the best, the worst."""

from __future__ import annotations

import math
from collections import Counter

import pytest
from hypothesis import assume, given, reject
from hypothesis import strategies as st

import reference
import strategies
from reference import Measure, Refused

# Sums of a few hundred terms of size 1; the closed form and the long sum round differently.
ROUNDING = 1e-12
# Larger gains would need a larger tolerance, and prove nothing more.
SMALL_GRADES = [grades for grades in strategies.GRADES if max(map(abs, grades)) <= 3]


@st.composite
def tied_queries(draw: st.DrawFn) -> tuple[strategies.Example, str, dict[str, str], Measure]:
    """A judged query with rows in few enough orders, a convention and a measure."""
    repeats = draw(strategies.one_in(4))
    example = draw(strategies.examples(grades=SMALL_GRADES, repeats=repeats))
    query = draw(st.sampled_from(sorted(set(example.qrels) & set(example.run))))
    documents = [document for document, _, _ in example.run[query]] or ["d1"]
    judged = draw(st.sampled_from(documents))
    if judged not in dict(example.qrels[query]):  # few queries without anything to find
        example.qrels[query].append((judged, max(example.grades)))
    axes = draw(strategies.conventions(example))
    axes.update(empty="exclude", missing="exclude", ties="expected")
    for axis in ("rounding", "nothing_found", "min_documents", "default_cutoff"):
        axes.pop(axis, None)  # what is rounded or replaced is no mean over orders
    if axes.get("ideal") == "slots:max":  # of one query alone nothing is known about the others
        del axes["ideal"]
    if repeats and axes.get("duplicates", "error") == "error":
        axes["duplicates"] = "count"
    return example, query, axes, draw(strategies.measures())


def all_values(
    example: strategies.Example, query: str, axes: dict[str, str], measure: Measure
) -> list[float]:
    """The value under every order of the tie groups; examples that have none are passed over."""
    judgments, listing = example.qrels[query], example.run[query]
    try:
        assume(reference.value(judgments, listing, measure, axes, query) is not None)
        orders = reference.what_orders({query: listing}, axes.get("order_by", "score"))
    except Refused:
        reject()
    groups = reference.keyed(listing, orders, reference.with_defaults(axes))
    assume(math.prod(math.factorial(len(group)) for group in groups) <= 720)
    # What the page means by all orders is those of the rows that are left.
    assume(
        axes.get("duplicates") not in ("first", "last", "once")
        or all(max(Counter(row.document for row in group).values()) == 1 for group in groups)
    )
    return reference.values_of_all_orders(judgments, listing, measure, axes, query)


@given(tied_queries())
def test_expected_is_the_mean_over_all_orders(
    drawn: tuple[strategies.Example, str, dict[str, str], Measure],
) -> None:
    example, query, axes, measure = drawn
    values = all_values(example, query, axes, measure)
    expected = reference.value(example.qrels[query], example.run[query], measure, axes, query)
    mean = reference.added(values) / len(values)
    assert expected == pytest.approx(mean, rel=ROUNDING, abs=ROUNDING)


@given(tied_queries())
def test_best_and_worst_are_the_largest_and_the_smallest_value_of_any_order(
    drawn: tuple[strategies.Example, str, dict[str, str], Measure],
) -> None:
    example, query, axes, measure = drawn
    assume(axes.get("ideal") != "top_k")  # a better order also makes a harder ideal
    assume("best" in reference.TIES_OF.get(measure.name, ["best"]))
    assume(axes.get("empty_test") in (None, "not_positive"))  # over a negative ideal, worse is more
    values = all_values(example, query, axes, measure)
    for ties, extreme in (("best", max), ("worst", min)):
        found = reference.value(
            example.qrels[query], example.run[query], measure, {**axes, "ties": ties}, query
        )
        assert found == pytest.approx(extreme(values), rel=ROUNDING, abs=ROUNDING)
