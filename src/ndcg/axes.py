"""The axes of a convention: every choice that can move a number, described once.

`AXES` gives the accepted values of each axis, their meaning and default, and whether a signature
always prints it. The fields of `Convention`, the keywords, the command's flags and the docs are
made from it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple, TypedDict

from ndcg.errors import Problem, UsageError, did_you_mean

# The one number grammar of the project (DESIGN section 4).
NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)


# The end of a gain table that gives every other grade a gain.
OTHERS = ",other=linear"


class Axis(NamedTuple):
    """One choice: its words, its parametrised forms, its default and what it decides."""

    default: str
    words: dict[str, str]  # accepted word -> what it means
    summary: str
    form: str = ""  # how a value with a parameter is written
    form_means: str = ""
    parse: Callable[[str], str | None] = lambda _: None  # canonical text of a parametrised value
    always: bool = False  # printed in every signature, even at its default
    settable: bool = True  # by a flag or inside a measure; else it follows from what is given
    rare: bool = False  # without a flag of its own: --axis NAME=VALUE

    @property
    def accepted(self) -> list[str]:
        """Every way to write a value, for messages and help."""
        return [*self.words, *([self.form] if self.form else [])]


def number_text(value: float) -> str:
    """The shortest text that reads back as `value`: ``3``, ``0.25``, ``1e-07``."""
    text = repr(float(value) + 0.0)  # -0.0 is 0
    return text.removesuffix(".0")


def number_of(text: str) -> float | None:
    """The finite number written in `text` by the project's grammar, else None."""
    if NUMBER.fullmatch(text) is None:
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def _parametrised(name: str, accept: Callable[[float], bool]) -> Callable[[str], str | None]:
    """A parser for ``name:NUMBER`` where `accept` says which numbers make sense."""

    def parse(text: str) -> str | None:
        head, _, tail = text.partition(":")
        value = number_of(tail) if head == name else None
        return None if value is None or not accept(value) else f"{name}:{number_text(value)}"

    return parse


def _depth(text: str) -> str | None:
    return str(int(text)) if re.fullmatch(r"0*[1-9][0-9]{0,17}", text, re.ASCII) else None


def _average(text: str) -> str | None:
    return text if re.fullmatch(r"(?:weighted|group)@[0-9a-f]{8}", text, re.ASCII) else None


def _whole(text: str) -> str | None:
    head, _, tail = text.partition(":")
    number = number_of(tail) if head == "whole" else None
    return None if number is None or not number.is_integer() else f"whole:{number_text(number)}"


def _plain_number(text: str) -> str | None:
    number = number_of(text)
    return None if number is None else number_text(number)


def _rounding(text: str) -> str | None:
    return text if re.fullmatch(r"(?:terms|query|mean):(?:[0-9]|1[0-5])", text, re.ASCII) else None


def _set(text: str) -> str | None:
    return text if re.fullmatch(r"[1-9][0-9]*@[0-9a-f]{8}", text, re.ASCII) else None


def _gain_table(text: str) -> str | None:
    """Canonical ``grade=gain,...`` by rising grade, or None when `text` is not a table."""
    table: dict[float, float] = {}
    text, other, _ = text.partition(OTHERS) if text.endswith(OTHERS) else (text, "", "")
    for entry in text.split(","):
        left, _, right = entry.partition("=")
        grade, gain = number_of(left.strip()), number_of(right.strip())
        if grade is None or gain is None or grade in table:
            return None
        table[grade] = gain
    return ",".join(f"{number_text(g)}={number_text(table[g])}" for g in sorted(table)) + other


AXES: dict[str, Axis] = {
    "gain": Axis(
        "exp2",
        {
            "exp2": "2^grade - 1",
            "linear": "the grade itself",
            "binary": "1 for a grade above 0, else 0",
            "judged": "1 for every judged document, whatever its grade",
            "exp2_plus": "2^(grade + 1) - 1, so that a judged 0 is worth 1",
            "exp2_i32": "2^grade - 1 in 32 bits: the power starts again from grade 32 up",
        },
        "what a grade is worth",
        "GRADE=GAIN,...",
        "a table, such as 0=0,1=1,2=3; a grade that is not in it is an error, or worth itself "
        "with other=linear at the end",
        _gain_table,
        always=True,
    ),
    "discount": Axis(
        "log2",
        {
            "log2": "log2(rank + 1)",
            "reciprocal": "rank, so that a gain counts 1/rank",
            "none": "1 at every rank",
        },
        "what the gain at a rank is divided by",
        "jarvelin:B",
        "1 before rank B, then log_B(rank)",
        _parametrised("jarvelin", lambda b: b > 1),
        always=True,
    ),
    "ideal": Axis(
        "judged",
        {
            "judged": "every judged document of the query",
            "retrieved": "only documents the run lists: a missed document costs nothing",
            "top_k": "only the run's top k",
            "slots:max": "k documents of the largest grade that anybody gave",
        },
        "which documents the best possible ranking is made of",
        "slots:G",
        "k documents of grade G, whether they exist or not",
        _parametrised("slots", lambda _: True),
        always=True,
    ),
    "ideal_depth": Axis(
        "cutoff",
        {
            "cutoff": "k",
            "all": "never cut",
            "returned": "the smaller of k and the number returned",
        },
        "where the ideal ranking is cut",
        always=True,
    ),
    "ideal_order": Axis(
        "gain",
        {
            "gain": "by falling gain",
            "listed": "as the judgments list them, which need not be the best ranking",
        },
        "how the documents of the ideal ranking are ordered",
        rare=True,
    ),
    "default_cutoff": Axis(
        "all",
        {"all": "none: it reads every rank"},
        "the cutoff of nDCG, DCG or IDCG where the measure names none",
        "N",
        "the first N ranks, N from 1 up",
        _depth,
        rare=True,
    ),
    "order_by": Axis(
        "score",
        {
            "score": "the score (a run without scores falls to rank, else position)",
            "rank": "the rank column, smallest first",
            "position": "the order in which documents are listed",
        },
        "what orders a run",
    ),
    "score_order": Axis(
        "descending",
        {"descending": "a high score is good", "ascending": "a low score is good (distances)"},
        "which scores are good",
    ),
    "score_type": Axis(
        "float64",
        {
            "float64": "scores are compared in double precision",
            "float32": "scores are rounded to single precision first, which makes more ties",
        },
        "the precision scores are compared in",
    ),
    "ties": Axis(
        "docid_asc",
        {
            "docid_asc": "smallest document id first, in byte order",
            "docid_desc": "largest document id first, in byte order",
            "input": "as listed",
            "expected": "the mean over all orders of tied documents",
            "best": "the order that favours the system",
            "worst": "the order that favours it least",
            "reversed": "the last listed first",
            "mean_rank": "all at one rank, the mean of theirs without its fraction",
        },
        "how documents with equal scores are ordered",
        always=True,
    ),
    "depth": Axis(
        "all",
        {"all": "the whole run"},
        "where the run is cut after ordering, before everything else",
        "N",
        "the first N documents, N from 1 up",
        _depth,
    ),
    "duplicates": Axis(
        "error",
        {
            "error": "refuse the run",
            "first": "the best ranked occurrence stays, ranks close up",
            "last": "the worst ranked occurrence stays, ranks close up",
            "last_listed": "the last listed score holds, as in a dictionary",
            "count": "each occurrence counts",
            "once": "each occurrence keeps its rank, and the best ranked alone earns",
        },
        "a document that a run lists twice for one query",
    ),
    "judgments": Axis(
        "agree",
        {
            "agree": "identical ones collapse, different ones are an error",
            "max": "the highest grade",
            "min": "the lowest grade",
            "mean": "the mean grade",
            "median": "the middle grade, or the mean of the two in the middle",
            "majority": "the grade given most often, of several the lowest",
            "last": "the last grade listed",
        },
        "a document that is judged twice for one query",
    ),
    "grades": Axis(
        "any",
        {
            "any": "as they are",
            "truncate": "cut to whole numbers, toward 0",
            "whole": "refuse others than whole numbers",
        },
        "which grades are taken, and how",
        "whole:N",
        "the same, and refuse those above N",
        _whole,
        rare=True,
    ),
    "min_grade": Axis(
        "none",
        {"none": "all of them"},
        "which judgments count: lower ones are taken for unjudged",
        "N",
        "those with a grade of at least N",
        _plain_number,
        rare=True,
    ),
    "appended": Axis(
        "none",
        {
            "none": "nothing: a judged document that is not listed is missed",
            "judged": "the judged documents that are not listed, as the judgments list them",
        },
        "what is put behind the last document of a ranking",
        rare=True,
    ),
    "self_match": Axis(
        "keep",
        {"keep": "an ordinary document", "drop": "taken out of the ranking; its judgment stays"},
        "a retrieved document whose id is the query's id",
    ),
    "unjudged": Axis(
        "zero",
        {
            "zero": "keeps its rank and earns nothing",
            "drop": "leaves the ranking, ranks close up (condensed list)",
        },
        "a retrieved document without a judgment",
        "grade:G",
        "counts as judged with grade G, in ranking and ideal",
        _parametrised("grade", lambda _: True),
        always=True,
    ),
    "negative": Axis(
        "clamp",
        {
            "clamp": "counts as grade 0",
            "unjudged": "keeps its rank and counts as unjudged",
            "remove": "leaves ranking and ideal",
            "keep": "has a negative gain",
            "error": "refuse the judgments",
        },
        "a judgment with a negative grade",
        always=True,
    ),
    "negative_only": Axis(
        "empty",
        {
            "empty": "nothing relevant, like others without a positive grade",
            "refuse_first": "refuse to score if it is the first of the queries that are scored",
        },
        "a judged query whose grades are all negative",
        rare=True,
    ),
    "min_documents": Axis(
        "1",
        {"1": "any number"},
        "how many documents a query that is answered must list",
        "N",
        "at least N, or the run is refused",
        _depth,
        rare=True,
    ),
    "empty": Axis(
        "exclude",
        {
            "exclude": "undefined, left out of the mean",
            "zero": "counts 0",
            "one": "counts 1",
            "nan": "undefined, and with it the mean",
            "error": "refuse to score",
        },
        "a judged query with nothing relevant, decided from the judgments alone",
        always=True,
    ),
    "empty_from": Axis(
        "judged",
        {
            "judged": "all judgments of the query, whatever was retrieved",
            "ideal": "the documents that the ideal ranking is made of: nothing relevant among them",
        },
        "what decides that a query leaves a cumulated measure nothing to find",
        rare=True,
    ),
    "empty_test": Axis(
        "not_positive",
        {
            "not_positive": "the ideal DCG is not above 0",
            "zero": "the ideal DCG is 0; below 0 it divides",
            "sum": "the grades add up to 0",
            "no_grade": "the ideal DCG is 0, or no grade is above 0",
            "never": "never: what comes out counts",
        },
        "when a cumulated measure has nothing to find",
        rare=True,
    ),
    "no_judgments": Axis(
        "empty",
        {
            "empty": "an empty query",
            "exclude": "left out of the mean",
            "zero": "counts 0",
            "nan": "undefined, and with it the mean",
            "error": "refuse to score",
        },
        "a query that the judgments list without a document",
        rare=True,
    ),
    "nothing_found": Axis(
        "computed",
        {
            "computed": "the value that comes out",
            "zero": "counts 0, whatever is put behind the ranking",
            "nan": "undefined, and with it the mean",
        },
        "a query that lists none of its relevant documents",
        rare=True,
    ),
    "missing": Axis(
        "zero",
        {
            "zero": "counts 0",
            "exclude": "left out of the mean",
            "nan": "undefined, and with it the mean",
            "error": "refuse to score",
        },
        "a judged query that is absent from the run or listed empty",
        always=True,
    ),
    "listed_empty": Axis(
        "missing",
        {
            "missing": "a missing query",
            "zero": "counts 0",
            "exclude": "left out of the mean",
            "error": "refuse to score",
        },
        "a judged query that the run lists without a document",
        rare=True,
    ),
    "extra": Axis(
        "ignore",
        {"ignore": "left out", "zero": "counts 0", "error": "refuse to score"},
        "a run query that nobody judged",
    ),
    "average": Axis(
        "query",
        {
            "query": "every query counts the same",
            "weighted": "queries count by their weights",
            "group": "mean of the means of the query groups",
        },
        "how the values of the queries become one number",
        "weighted@DIGEST or group@DIGEST",
        "the same, with the weights or groups of this digest",
        _average,
    ),
    "none_left": Axis(
        "nan",
        {"nan": "nan", "zero": "0", "error": "refuse to score"},
        "the mean where no query is left",
        rare=True,
    ),
    "rounding": Axis(
        "none",
        {"none": "nothing"},
        "what is rounded",
        "terms:N, query:N or mean:N",
        "to N decimals: down each term of a DCG with a discount above 1, and the ratio of two; "
        "half up each query's value; half to even the mean",
        _rounding,
        rare=True,
    ),
    "set": Axis(
        "all",
        {"all": "all judged queries"},
        "which queries count",
        "N@DIGEST",
        "the N declared queries of this digest",
        _set,
        settable=False,
    ),
}


class Axes(TypedDict, total=False):
    """The axes as keywords; `AXES` and the fields of `Convention` say what each means."""

    gain: str | Mapping[float, float]
    discount: str
    ideal: str
    ideal_depth: str
    ideal_order: str
    default_cutoff: str | int
    order_by: str
    score_order: str
    score_type: str
    ties: str
    depth: str | int
    duplicates: str
    judgments: str
    grades: str
    min_grade: str | float
    appended: str
    self_match: str
    unjudged: str
    negative: str
    negative_only: str
    min_documents: str | int
    empty: str
    empty_from: str
    empty_test: str
    no_judgments: str
    nothing_found: str
    missing: str
    listed_empty: str
    extra: str
    average: str
    none_left: str
    rounding: str
    set: str


def canonical(name: str, value: object) -> str:
    """The one text of an axis value, or a `UsageError` that says what is accepted.

    >>> canonical("gain", {2: 3, 0: 0, 1: 1.0})
    '0=0,1=1,2=3'
    """
    axis = AXES[name]
    text = _as_text(value)
    if text is not None:
        if text in axis.words:
            return text
        parsed = axis.parse(text)
        if parsed is not None:
            return parsed
    given = value if text is None else text
    raise UsageError(
        Problem(
            "axis",
            f"{given!r} is not a value of {name}{did_you_mean(given, axis.words)}",
            help=f"{name} ({axis.summary}) accepts: {', '.join(axis.words)}"
            + (f", {axis.form} ({axis.form_means})" if axis.form else ""),
        )
    )


@lru_cache(maxsize=64)
def gain_table(gain: str) -> dict[float, float] | None:
    """The table that a `gain` value holds, or None when it is one of the words."""
    if gain in AXES["gain"].words:
        return None
    pairs = (entry.split("=") for entry in gain.removesuffix(OTHERS).split(","))
    return {float(grade): float(worth) for grade, worth in pairs}


def parameter(value: str) -> float:
    """The number in a parametrised value: ``grade:2`` -> 2.0."""
    return float(value.partition(":")[2])


def _as_text(value: object) -> str | None:
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        try:
            pairs = [(float(grade), float(gain)) for grade, gain in value.items()]
        except (TypeError, ValueError):
            return None
        return ",".join(f"{number_text(grade)}={number_text(gain)}" for grade, gain in pairs)
    if hasattr(value, "__index__") and not isinstance(value, bool):
        try:
            return str(value.__index__())
        except ValueError:  # more digits than Python writes
            return None
    return None
