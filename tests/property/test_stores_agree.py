"""The table store equals the mapping store: same arrays, or the same refusal in the same words."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

import ndcg
import strategies
from ndcg.convention import Convention
from ndcg.stores import adopt, placing
from ndcg.stores.given import Judged, Listing, Overlay, Rankings
from ndcg.stores.mapping import MappingRankings
from ndcg.stores.polars_table import FrameBlocks
from ndcg.stores.table import TableRankings
from strategies import Example

ALIGNING = ["order_by", "score_order", "score_type", "ties", "depth", "duplicates", "self_match"]


def frame_of(example: Example, order: list[int] | None = None) -> pl.DataFrame:
    """The rows of the run, as listed or in another order."""
    rows = [(query, *row) for query, listed in example.run.items() for row in listed]
    if order is not None:
        rows = [rows[i] for i in order]
    schema = {"query": pl.String, "document": pl.String, "score": pl.Float64, "rank": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def mapping_of(frame: pl.DataFrame, columns: str) -> Rankings:
    """The same rows as one listing a query."""
    given = {}
    for (query,), rows in frame.group_by("query", maintain_order=True):
        given[query] = Listing(
            rows["document"].to_list(),
            rows["score"].to_list() if "scores" in columns else None,
            rows["rank"].to_list() if "ranks" in columns else None,
        )
    return MappingRankings(given)


def table_of(frame: pl.DataFrame, columns: str, rows: int) -> Rankings:
    """The rows as a table of small blocks."""
    left_out = [one for one in ("score", "rank") if f"{one}s" not in columns]
    return TableRankings(FrameBlocks(frame.drop(left_out), rows))


def laid(rankings: Rankings, judged: Judged, convention: Convention) -> Overlay | ndcg.NdcgError:
    """What a store says; a refusal is returned, not raised."""
    try:
        return rankings.align(judged, convention)
    except ndcg.NdcgError as refusal:
        return refusal


def same(one: Overlay, other: Overlay) -> None:
    """Compare everything, arrays to the last bit and type."""
    for field in fields(one.aligned):
        mine, wanted = getattr(one.aligned, field.name), getattr(other.aligned, field.name)
        np.testing.assert_array_equal(mine, wanted, err_msg=field.name, strict=True)
    np.testing.assert_array_equal(one.missing, other.missing, strict=True)
    for name in ("duplicates", "repeated", "self_matches"):
        assert getattr(one, name) == getattr(other, name), name


def compare(
    example: Example, convention: Convention, frame: pl.DataFrame, rows: int, foreseen: bool
) -> str:
    """Lay the same rows over the same judgments from both stores."""
    table = table_of(frame, example.columns, rows)
    mapping = mapping_of(frame, example.columns)
    judged = adopt.judgments(example.qrels)[0].settled("last")
    if foreseen:
        table.prepare(judged, convention)
    found, wanted = laid(table, judged, convention), laid(mapping, judged, convention)
    if isinstance(wanted, ndcg.NdcgError):
        assert isinstance(found, ndcg.NdcgError), f"the mapping store refuses it: {wanted}"
        assert type(found) is type(wanted)
        assert (str(found), found.total) == (str(wanted), wanted.total)
        return f"refused: {wanted.problems[0].word}"
    if isinstance(found, ndcg.NdcgError):
        raise found
    same(found, wanted)
    return "overlays"


@st.composite
def laid_out(draw: st.DrawFn) -> tuple[Example, Convention, pl.DataFrame, int, bool]:
    """An example, a convention, its rows in some order, a size of blocks."""
    example = draw(strategies.examples())
    axes = draw(strategies.conventions(example))
    convention = Convention(**{axis: axes[axis] for axis in ALIGNING if axis in axes})
    frame = frame_of(example)
    if draw(strategies.one_in(3)):  # queries that come back later
        frame = frame_of(example, draw(st.permutations(range(frame.height))))
    return (
        example,
        convention,
        frame,
        draw(st.sampled_from([1, 2, 3, 7, 1000])),
        draw(st.booleans()),
    )


@given(laid_out())
def test_a_table_equals_a_mapping(case: Any) -> None:
    event(compare(*case))


@settings(max_examples=50)
@given(laid_out())
def test_a_table_lists_what_a_mapping_lists(case: Any) -> None:
    example, _, frame, rows, _ = case
    table, mapping = table_of(frame, example.columns, rows), mapping_of(frame, example.columns)
    assert [*table.queries] == [*mapping.queries]
    assert [table.has(column) for column in ("scores", "ranks")] == [
        mapping.has(column) for column in ("scores", "ranks")
    ]
    for query in [*mapping.queries, "no such query"]:
        assert [*table.documents(query)] == [*mapping.documents(query)]
        assert len(table.documents(query)) == len(mapping.documents(query))
        assert [*table.scores(query)] == [*mapping.scores(query)]


@given(laid_out(), st.sampled_from([0, 1, 3]))
def test_a_table_equals_a_mapping_when_the_keys_of_ids_collide(case: Any, bits: int) -> None:
    whole = placing.hashes
    with pytest.MonkeyPatch.context() as patch:
        # Few different keys: what is found by them alone would nearly always be wrong.
        patch.setattr(placing, "hashes", lambda texts: whole(texts) & np.uint64(bits))
        event(compare(*case))


@given(laid_out(), st.sampled_from([float("nan"), float("inf"), float("-inf")]))
def test_scores_that_are_not_finite_are_refused_in_the_same_words(case: Any, value: float) -> None:
    example, convention, frame, rows, foreseen = case
    if "scores" in example.columns and convention.order_by == "score":
        bad = pl.when(pl.int_range(pl.len()) % 2 == 1).then(value).otherwise("score")
        frame = frame.with_columns(score=bad)
    event(compare(example, convention, frame, rows, foreseen))
