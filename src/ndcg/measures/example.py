"""The small ranking on which the cards of measures work out an example."""

from __future__ import annotations

import numpy as np

from ndcg.align import Aligned
from ndcg.convention import Convention
from ndcg.measures.lists import Lists
from ndcg.measures.registry import parse


def value_of(name: str) -> float:
    """A measure of the ranking B D X A by linear gains; A, B, C, D are judged 3, 2, 1, 0."""
    place = np.array([0, 1, 2, 4])  # C, B, D, A: not retrieved ones come first
    aligned = Aligned(
        row=np.zeros(4, np.int64),
        grade=np.array([1.0, 2.0, 0.0, 3.0]),
        rank=place,
        first=place,
        size=(place > 0).astype(np.int64),
        copy=np.zeros(4, bool),
        given=np.ones(4, bool),
        listed=np.array([2, 1, 3, 0]),
        returned=np.array([4]),
        distinct=np.array([4]),
        cut=np.zeros(1, bool),
    )
    lists = Lists(aligned, Convention().but({"gain": "linear"}))
    return float(parse(name)[0].value(lists)[0])
