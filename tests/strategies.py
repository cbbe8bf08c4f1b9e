"""Hypothesis strategies: small judgments, runs, conventions and measures that provoke everything.

Documents, scores and grades are drawn from few values, so that ties, repeated rows, unjudged
documents and missed ones are the rule and not the exception.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

from reference import CUMULATED, DEFAULTS, OPEN_TIES, Measure

# U+E000 to U+FFFF come before U+10000 in UTF-8 and in code points, but after it in UTF-16.
DOCUMENTS = [
    "d1",
    "d01",
    "d001",
    "D1",
    "10",
    "9",
    "#d",
    "a b",
    "d1\0",
    "é",
    "e\u0301",
    "\ue000",
    "\uffff",
    "\U00010000",
    "\U0001f600",
]
QUERIES = ["q1", "q01", "9", "10", "#q", "\uff5e", "\U00010001"]

GRADES: list[list[float]] = [
    [0, 1],
    [0, 1],
    [0, 1, 2, 3],
    [0, 1, 2, 3],
    [-1, 0, 1, 2],
    [-2, -0.5, 0, 0.1, 1],
    [0.1, 0.3, 0.7, 1.5],
    [-0.0, 0.2, 1, 60],
    [-3, 1, 52.5, 1000],
    [0, 1, 1023, 1024],
    [-1e308, 0, 1, 1e308],
]
SCORES: list[list[float]] = [
    [1.0],
    [1.0, 2.0],
    [-0.0, 0.0, 1.0],
    [0.5, 1.0, 1.5, 2.0],
    [1.0, 1.0 + 1e-9, 1.0 - 1e-9, 2.0],
    [16777216, 16777217, 16777218, 1],
    [-1e39, 1e38, 1e39, 3e39],
    [1e-300, 0.0, -1e-300, 5e-324],
]
CUTOFFS = [None, None, 1, 2, 3, 5, 10]
RELEVANT_FROM = [1.0, 1.0, 1.0, 2.0, 0.5, 0.0, -1.0]
GAINS = [0.0, 0.0, 1.0, 3.0, 0.1, 0.5, 7.0, -1.0]

# Each value of each axis that has no parameter; defaults and values that refuse nothing are
# drawn more often, so that most examples have a value.
WORDS: dict[str, list[str]] = {
    "discount": ["log2", "log2", "jarvelin:2", "jarvelin:3", "jarvelin:1.5", "reciprocal", "none"],
    "ideal": ["judged", "judged", "judged", "retrieved", "retrieved", "top_k"],
    "ideal_depth": ["cutoff", "cutoff", "all", "returned"],
    "ideal_order": ["gain", "gain", "gain", "listed"],
    "default_cutoff": ["all", "all", "1", "3"],
    "order_by": ["score", "score", "rank", "position"],
    "score_order": ["descending", "descending", "ascending"],
    "score_type": ["float64", "float64", "float32"],
    "ties": [
        "docid_asc",
        "docid_desc",
        "input",
        "reversed",
        "expected",
        "expected",
        "best",
        "worst",
        "mean_rank",
    ],
    "depth": ["all", "all", "all", "1", "2", "3", "5"],
    "duplicates": ["error", "first", "last", "last_listed", "count", "once"],
    "judgments": ["agree", "max", "mean", "last", "min", "median", "majority"],
    "grades": ["any", "any", "truncate"],
    "min_grade": ["none", "none", "0", "1", "-1"],
    "appended": ["none", "none", "none", "judged"],
    "self_match": ["keep", "keep", "drop"],
    "unjudged": ["zero", "zero", "drop"],
    "negative": ["clamp", "clamp", "unjudged", "remove", "keep"],
    "min_documents": ["1", "1", "1", "2"],
    "empty": ["exclude", "zero", "one", "nan"],
    "empty_from": ["judged", "judged", "ideal"],
    "empty_test": ["not_positive", "not_positive", "zero", "sum", "no_grade", "never"],
    "no_judgments": ["empty", "empty", "exclude", "zero", "nan"],
    "nothing_found": ["computed", "computed", "zero", "nan"],
    "missing": ["zero", "zero", "exclude", "nan"],
    "listed_empty": ["missing", "missing", "zero", "exclude"],
    "extra": ["ignore", "ignore", "zero"],
    "none_left": ["nan", "nan", "zero"],
    "rounding": ["none", "none", "none", "terms:2", "query:3", "mean:4"],
}
REFUSING = [
    "negative",
    "empty",
    "missing",
    "extra",
    "negative_only",
    "no_judgments",
    "listed_empty",
    "none_left",
]


class Example(NamedTuple):
    """Judgments, a run, and what both were drawn from."""

    qrels: dict[str, list[tuple[str, float]]]
    run: dict[str, list[tuple[str, float | None, int | None]]]
    grades: list[float]
    columns: str  # what the run has: "scores", "scores and ranks" or "documents"


def one_in(n: int) -> st.SearchStrategy[bool]:
    """True once in n draws. (Of whole numbers, Hypothesis prefers the smallest and largest.)"""
    return st.sampled_from([False] * (n - 1) + [True])


def documents_of(query: str, most: int, repeats: bool) -> st.SearchStrategy[list[str]]:
    """Documents that are listed or judged; half of the lists share few, so that they meet."""
    few = st.lists(st.sampled_from([*DOCUMENTS[:6], query]), max_size=most, unique=not repeats)
    all_ = st.lists(st.sampled_from([*DOCUMENTS, query]), max_size=most, unique=not repeats)
    return few | all_


@st.composite
def listings(
    draw: st.DrawFn, query: str, columns: str, scores: list[float], repeats: bool
) -> list[tuple[str, float | None, int | None]]:
    """The rows of one query; the query itself may be among the documents."""
    documents = draw(st.lists(st.sampled_from([*DOCUMENTS, query]), max_size=7, unique=not repeats))
    rows: list[tuple[str, float | None, int | None]] = []
    for document in documents:
        score = draw(st.sampled_from(scores)) if "scores" in columns else None
        rank = draw(st.integers(0, 6)) if "ranks" in columns else None
        rows.append((document, score, rank))
    return rows


@st.composite
def judgments(
    draw: st.DrawFn, query: str, grades: list[float], repeats: bool
) -> list[tuple[str, float]]:
    """The judgments of one query, possibly none."""
    documents = draw(st.lists(st.sampled_from([*DOCUMENTS, query]), max_size=6, unique=not repeats))
    return [(document, draw(st.sampled_from(grades))) for document in documents]


@st.composite
def examples(
    draw: st.DrawFn,
    columns: list[str] | None = None,
    repeats: bool | None = None,
    grades: list[list[float]] | None = None,
) -> Example:
    """Judgments and a run that share at least one query."""
    drawn_columns = draw(
        st.sampled_from(columns or ["scores"] * 5 + ["scores and ranks", "documents"])
    )
    palette = draw(st.sampled_from(grades or GRADES))
    scores = draw(st.sampled_from(SCORES))
    doubled = draw(st.booleans()) if repeats is None else repeats
    both = draw(st.lists(st.sampled_from(QUERIES), min_size=1, max_size=3, unique=True))
    others = [query for query in QUERIES if query not in both]
    missing = draw(st.lists(st.sampled_from(others), max_size=1))
    extra = draw(st.lists(st.sampled_from(others), max_size=1))
    judged = draw(st.permutations(both + missing))
    answered = draw(st.permutations(both + extra))
    run = {query: draw(listings(query, drawn_columns, scores, doubled)) for query in answered}
    if not any(run.values()):  # a run without a row is no run
        score = scores[0] if "scores" in drawn_columns else None
        run[both[0]].append((DOCUMENTS[0], score, 1 if "ranks" in drawn_columns else None))
    return Example(
        {query: draw(judgments(query, palette, doubled)) for query in judged},
        run,
        palette,
        drawn_columns,
    )


@st.composite
def gain_tables(draw: st.DrawFn, grades: list[float]) -> str:
    """A gain for every grade that was drawn, and for 0, which `clamp` makes."""
    covered = sorted({float(grade) + 0.0 for grade in [*grades, 0.0, 1.0]})
    if draw(one_in(10)):
        covered.remove(draw(st.sampled_from(covered)))  # a grade without a gain
    table = ",".join(f"{grade!r}={draw(st.sampled_from(GAINS))!r}" for grade in covered)
    return table + (",other=linear" if draw(one_in(6)) else "")


@st.composite
def conventions(draw: st.DrawFn, example: Example) -> dict[str, str]:
    """Axes with their values, those that would refuse the example only now and then."""
    axes: dict[str, str] = {}
    for axis, words in WORDS.items():
        if draw(st.booleans()):
            axes[axis] = draw(st.sampled_from(words))
    words = ["exp2", "linear", "binary", "judged", "table"]
    gain = draw(st.sampled_from([*words, *words, "exp2_plus", "exp2_i32"]))
    axes["gain"] = draw(gain_tables(example.grades)) if gain == "table" else gain
    assumed = draw(st.sampled_from([*example.grades, 0.1]))
    if draw(one_in(6)):
        axes["unjudged"] = f"grade:{assumed!r}"
    if draw(one_in(6)):
        axes["ideal"] = draw(st.sampled_from([f"slots:{assumed!r}", "slots:max"]))
    if draw(one_in(8)):
        axis = draw(st.sampled_from(REFUSING))
        axes[axis] = "refuse_first" if axis == "negative_only" else "error"
    if draw(one_in(12)):
        axes["grades"] = draw(st.sampled_from(["whole", "whole:2", "whole:1"]))
    if not draw(one_in(16)):
        axes.update(draw(sparing(example, axes)))
    return axes


@st.composite
def sparing(draw: st.DrawFn, example: Example, axes: dict[str, str]) -> dict[str, str]:
    """Other values for axes whose value would refuse the example."""
    better: dict[str, str] = {}
    if repeats(example.run) and axes.get("duplicates", "error") == "error":
        better["duplicates"] = draw(st.sampled_from(WORDS["duplicates"][1:]))
    if repeats(example.qrels) and axes.get("judgments", "agree") == "agree":
        better["judgments"] = draw(st.sampled_from(WORDS["judgments"][1:]))
    if "ranks" not in example.columns and axes.get("order_by") == "rank":
        better["order_by"] = "score"
    if axes.get("appended") == "judged" and axes.get("depth", "all") != "all":
        better["depth"] = "all"
    if axes.get("ideal") == "top_k" and axes.get("ties") in OPEN_TIES:
        better["ideal"] = "retrieved"
    if axes.get("ideal_order") == "listed":
        better["ideal"] = "judged"
    return better


def repeats(listed: dict[str, Any]) -> bool:
    """Whether some query lists or judges a document twice."""
    return any(len({row[0] for row in rows}) < len(rows) for rows in listed.values())


@st.composite
def measures(draw: st.DrawFn, names: list[str] | None = None) -> Measure:
    """A measure with or without a cutoff; only the binary ones know a threshold."""
    usual = ["nDCG", "nDCG", "DCG", "IDCG", "P", "R", "AP", "RR", "Success"]
    name = draw(st.sampled_from(names or usual) if names else st.sampled_from([*usual, *OTHERS]))
    settings, cut, graded = OTHERS.get(name, ({}, True, "DCG" in name))
    rel = 1.0 if graded else draw(st.sampled_from(RELEVANT_FROM))
    k = draw(st.sampled_from(CUTOFFS)) if cut else None
    drawn = {key: draw(st.sampled_from(values)) for key, values in settings.items()}
    given = tuple((key, value) for key, value in drawn.items() if value is not None)
    return Measure(name, k, rel, given)


Settings = dict[str, list[Any]]
_P: Settings = {"p": [None, 0.5, 0.95, 0.0, 1.0]}
_SHARE: Settings = {"documents": [None, "nine_tenths"]}
# name -> parameters with values (None: not given), whether it may be cut, whether it takes no `rel`
OTHERS: dict[str, tuple[Settings, bool, bool]] = {
    "NumQ": ({}, False, True),
    "NumRet": ({}, True, True),
    "NumRel": ({}, False, False),
    "NumRelRet": ({}, True, False),
    "NumNonrelRet": ({}, True, False),
    "Rprec": ({"times": [None, 0.2, 0.5, 1.4, 3.0]}, False, False),
    "Bpref": ({}, False, False),
    "GMBpref": ({}, False, False),
    "infAP": ({}, False, False),
    "BinG": ({}, False, False),
    "RelativeP": ({}, True, False),
    "SetAP": ({}, False, False),
    "F": ({"beta": [None, 2.0, 0.5]}, True, False),
    "Utility": (
        {"relret": [None, 2.0, -0.1], "nonrelret": [None, 0.3], "relmissed": [None, -1.0],
         "nonrelmissed": [None, 0.1], "collection": [None, 50.0]},
        False, False,
    ),
    "GMAP": ({}, True, False),
    "IPrec": ({"recall": [None, 0.1, 0.33, 0.5, 1.0], **_SHARE}, False, False),
    "IPrecAvg": ({"points": [None, "0.2+0.5+0.8", "1"], **_SHARE}, False, False),
    "YAAP": ({}, False, False),
    "nDCGRel": ({}, False, True),
    "RnDCG": ({}, False, True),
    "G": ({}, False, True),
    "RBP": (_P, True, False),
    "gRBP": ({**_P, "largest": [None, 3.0, 0.5]}, True, True),
    "RBPResidual": (_P, True, True),
    "Judged": ({}, True, True),
    "Unjudged": ({}, True, True),
}  # fmt: skip


def judgments_for_the_package(example: Example, as_lists: bool) -> dict[str, Any]:
    """The judgments as the package takes them: a dictionary a query, or pairs that may repeat."""
    if as_lists or repeats(example.qrels):
        return dict(example.qrels)
    return {query: dict(pairs) for query, pairs in example.qrels.items()}


def run_for_the_package(example: Example, as_lists: bool) -> dict[str, Any]:
    """The run as the package takes it: documents, pairs, triples, or a dictionary a query."""
    run: dict[str, Any] = {}
    for query, rows in example.run.items():
        if example.columns == "documents":
            run[query] = [document for document, _, _ in rows]
        elif "ranks" in example.columns:
            run[query] = list(rows)
        elif as_lists or repeats({query: rows}):
            run[query] = [(document, score) for document, score, _ in rows]
        else:
            run[query] = {document: score for document, score, _ in rows}
    return run


def differing(axes: dict[str, str]) -> dict[str, Any]:
    """The axes that are not at their default."""
    return {axis: value for axis, value in axes.items() if value != DEFAULTS[axis]}


class Case(NamedTuple):
    """What is evaluated, and in which form it is handed over."""

    example: Example
    axes: dict[str, str]
    measures: list[Measure]
    as_lists: bool

    @property
    def qrels(self) -> dict[str, Any]:
        """The judgments as the package takes them."""
        return judgments_for_the_package(self.example, self.as_lists)

    @property
    def run(self) -> dict[str, Any]:
        """The run as the package takes it."""
        return run_for_the_package(self.example, self.as_lists)


@st.composite
def cases(draw: st.DrawFn, ties: list[str] | None = None) -> Case:
    """An example with a convention and up to three measures."""
    example = draw(examples())
    axes = draw(conventions(example))
    if "scores" not in example.columns and axes.get("order_by") == "score":
        del axes["order_by"]  # asked for, it is refused; left out, the run decides
    if ties is not None:
        axes["ties"] = draw(st.sampled_from(ties))
    drawn = draw(st.lists(measures(), min_size=1, max_size=3, unique=True))
    if axes.get("ideal", "").startswith("slots") and not draw(one_in(8)):
        drawn = [one._replace(k=one.k or 4) if one.name in CUMULATED else one for one in drawn]
    return Case(example, axes, drawn, draw(st.booleans()))
