"""What there is to know about a measure, as one record."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ndcg.kernel import Bools, Floats
from ndcg.measures.lists import Lists

Value = Callable[..., Floats]  # (lists, k, rel, **parameters)
Empty = Callable[[Lists, int | None, float], Bools]

CLOSED = ("docid_asc", "docid_desc", "input", "reversed")
ORDERED = (*CLOSED, "best", "worst")  # the best order of a tie group is that by falling credit
LINEAR = (*ORDERED, "expected")  # the mean over all orders has a closed form
SHARED = (*LINEAR, "mean_rank")


class Parameter(NamedTuple):
    """What may stand in the parentheses of a measure's name, beside `rel` and the axes."""

    name: str
    default: float | str
    what: str
    words: tuple[str, ...] = ()  # what it accepts beside numbers
    least: float = 0.0
    most: float = float("inf")
    positive: bool = False  # 0 is too little
    listed: bool = False  # several numbers with + between them


class Record(NamedTuple):
    """What there is to know about a measure."""

    name: str
    title: str
    formula: str
    range: str
    source: str
    value: Value
    empty: Empty  # queries whose judgments leave the measure nothing to find
    example: tuple[str, str]  # a name in full, and its arithmetic on the ranking of the cards
    reads: str = "relevance"  # grade >= rel; or "gains"; or "places" alone
    ideal: bool = False  # compares with an ideal ranking
    whole: bool = False  # reads every relevant document, whatever the cutoff
    ties: tuple[str, ...] = LINEAR  # the tie rules it has a value under
    parameters: tuple[Parameter, ...] = ()
    aliases: tuple[str, ...] = ()  # what trec_eval calls it
    cutoff: bool = True  # may be cut, as in NAME@10
    over_queries: str = "mean"  # or sum, or geometric: what its summary is
    logarithm: bool = False  # its formula takes one, of what may not be positive
    of_judgments: bool = False  # known without a run: missing queries have their value too

    @property
    def graded(self) -> bool:
        """Whether it reads gains."""
        return self.reads == "gains"
