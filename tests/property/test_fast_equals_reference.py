"""The fast code equals the slow definition to the last bit, and refuses what it refuses."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import assume, event, given
from hypothesis import strategies as st

import ndcg
import reference
import strategies
from reference import Measure, Refused, Result
from strategies import Case, Example

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")


def reference_of(case: Case, **more: Any) -> Result | Refused:
    """What the definition says, value or refusal."""
    try:
        return reference.evaluate(
            case.example.qrels, case.example.run, case.measures, case.axes, **more
        )
    except Refused as reason:
        return reason


# What takes each reason to refuse away, so that the reasons behind it show.
LENIENT = {
    "judgments": {"judgments": "last"},
    "grade": {"judgments": "last", "grades": "any"},
    "usage": {"appended": "none", "duplicates": "count"},
    "order": {"order_by": "position"},
    "duplicate": {"duplicates": "first"},
    "negative-grade": {"negative": "clamp", "negative_only": "empty"},
    "measure": {"ideal": "judged", "ideal_order": "gain"},
    "few-documents": {"min_documents": "1"},
    "no-query": {"none_left": "zero"},
    "ties": {"ties": "docid_asc"},
    "gain": {"gain": "binary"},
    "empty-ideal": {"empty": "zero", "no_judgments": "empty"},
    "missing-query": {"missing": "zero", "listed_empty": "missing"},
    "extra-query": {"extra": "ignore"},
}


def reasons(case: Case, **more: Any) -> set[str]:
    """Every reason to refuse a case: where several things are wrong, either may be named."""
    words: set[str] = set()
    while isinstance(refused := reference_of(case, **more), Refused):
        words.update(refused.words)
        axes = dict(case.axes)
        for word in words:
            axes.update(LENIENT.get(word, {}))
        if axes == case.axes:
            break
        case = case._replace(axes=axes)
    return words


def package_of(case: Case, **more: Any) -> Any:
    """What the package says; a refusal is returned, not raised."""
    names = [str(measure) for measure in case.measures]
    axes = strategies.differing(case.axes)
    try:
        return ndcg.evaluate(case.qrels, case.run, names, **axes, **more)
    except ndcg.NdcgError as reason:
        return reason


def compare(case: Case, **more: Any) -> str:
    """Compare everything the definition says; `==` on doubles, None with None. What it was."""
    expected, found = reference_of(case, **more), package_of(case, **more)
    if isinstance(expected, Refused):
        assert isinstance(found, ndcg.NdcgError), f"the page refuses it: {expected.words}"
        assert found.problems[0].word in reasons(case, **more)
        return f"refused: {expected.word}"
    if isinstance(found, ndcg.NdcgError):
        raise found  # the page has a value for it
    for measure, wanted in expected.items():
        mine = found[str(measure)]
        assert dict(mine.per_query) == wanted.per_query
        assert list(mine.per_query) == list(wanted.per_query)
        assert (mine.mean, mine.n, list(mine.empty)) == (wanted.mean, wanted.n, wanted.empty)
    return "values"


def is_comparable(case: Case) -> bool:
    """Terms that are rounded are scaled first, and who notices what is too large then differs."""
    by_terms = case.axes.get("rounding", "").startswith("terms")
    return not by_terms or max(case.example.grades) <= 300


@given(strategies.cases())
def test_the_package_equals_the_reference_to_the_last_bit(case: Case) -> None:
    assume(is_comparable(case))
    event(compare(case))


@given(strategies.cases(ties=["expected", "best", "worst"]))
def test_the_package_equals_the_reference_when_ties_are_open(case: Case) -> None:
    assume(is_comparable(case))
    event(compare(case))


@given(strategies.cases(), st.data())
def test_weighted_and_grouped_means_equal_the_reference(case: Case, data: st.DataObject) -> None:
    assume(is_comparable(case))
    queries = {*case.qrels, *case.run}
    if data.draw(st.booleans()):
        weight = st.sampled_from([0.0, 0.1, 0.3, 1.0, 3.0])
        compare(case, weights={query: data.draw(weight) for query in sorted(queries)})
    else:
        group = st.sampled_from(["web", "", "\ue000", "\U00010000"])
        compare(case, groups={query: data.draw(group) for query in sorted(queries)})


def corner(
    judged: list[tuple[str, float]],
    listed: list[tuple[str, float]],
    measure: Measure,
    **axes: str,
) -> Case:
    """One query called q."""
    run: list[tuple[str, float | None, int | None]] = [(d, score, None) for d, score in listed]
    return Case(Example({"q": judged}, {"q": run}, [], "scores"), axes, [measure], as_lists=True)


HUGE = 2.0**1023
TIED = [("a", 1.0), ("b", 1.0), ("c", 1.0)]
# What went wrong once, or was about to.
CORNERS = {
    "nothing is judged at all": corner([], [("a", 1.0)], Measure("nDCG")),
    "a gain is missing that a binary measure does not read": corner(
        [("a", 1.0)], [("a", 1.0)], Measure("P", 5), gain="0=0"
    ),
    "the table has no gain for the 0 that clamping makes": corner(
        [("a", -1.0), ("b", 1.0)], [("a", 1.0)], Measure("nDCG"), gain="-1=0,1=1"
    ),
    "an assumed grade has no gain": corner(
        [("a", 1.0)], [("b", 1.0)], Measure("nDCG"), gain="0=0,1=1", unjudged="grade:2"
    ),
    "an ideal that is not finite must not become 0": corner(
        [("a", HUGE), ("b", HUGE), ("c", HUGE)], [("a", 1.0)], Measure("nDCG"), gain="linear"
    ),
    "neither a DCG nor its ideal is finite": corner(
        [("a", HUGE), ("b", HUGE), ("c", HUGE)], TIED, Measure("nDCG"), gain="linear"
    ),
    "the mean of two grades is not finite": corner(
        [("a", HUGE), ("a", HUGE)], [("a", 1.0)], Measure("P"), judgments="mean"
    ),
    "the last score holds in the first place of a list ordered by position": corner(
        [("a", 1.0)],
        [("a", 1.0), ("b", 1.0), ("a", 1.0)],
        Measure("RR"),
        duplicates="last_listed",
        order_by="position",
    ),
    "the last score holds in the first place of a tie ordered as listed": corner(
        [("a", 1.0)],
        [("a", 1.0), ("b", 1.0), ("a", 1.0)],
        Measure("RR"),
        duplicates="last_listed",
        ties="input",
    ),
    "a query whose rows all leave is not missing": corner(
        [("a", 1.0)], [("q", 1.0)], Measure("R"), self_match="drop", missing="exclude"
    ),
    "a query of unjudged rows that all leave is not missing": corner(
        [("a", 1.0)], [("b", 1.0)], Measure("R"), unjudged="drop", missing="exclude"
    ),
    "an error for empty queries that nothing is": corner(
        [("a", 1.0)], [("a", 1.0)], Measure("nDCG"), empty="error"
    ),
    "the mean credit of equal credits is the credit": corner(
        [("a", 0.1), ("b", 0.1), ("c", 0.1)], TIED, Measure("nDCG"), gain="linear", ties="expected"
    ),
    "the mean credit of equal assumed credits is the credit": corner(
        [("x", 1.0)], TIED, Measure("DCG"), gain="linear", ties="expected", unjudged="grade:0.1"
    ),
    "an open cut through unjudged documents of which one is the query": corner(
        [("a", 1.0)],
        [("a", 2.0), ("q", 1.0), ("b", 1.0)],
        Measure("P"),
        ties="expected",
        depth="2",
        self_match="drop",
    ),
    "an open cut through unjudged documents of which one repeats": corner(
        [("a", 1.0)],
        [("a", 2.0), ("b", 1.0), ("b", 1.0), ("c", 1.0)],
        Measure("P"),
        ties="expected",
        depth="3",
        duplicates="first",
    ),
    "an ideal that is not finite where the query is missing and counts 0 anyway": Case(
        Example(
            {"p": [("a", 1.0)], "q": [("a", HUGE), ("b", HUGE), ("c", HUGE)]},
            {"p": [("a", 1.0, None)]},
            [],
            "scores",
        ),
        {"gain": "linear"},
        [Measure("nDCG")],
        as_lists=False,
    ),
    "an open cut above the query itself": corner(
        [("a", 1.0)],
        [("a", 2.0), ("b", 2.0), ("q", 1.0)],
        Measure("P"),
        ties="expected",
        depth="1",
        self_match="drop",
    ),
    "an open cut below a document that repeats": corner(
        [("a", 1.0)],
        [("a", 3.0), ("a", 2.0), ("b", 1.0), ("c", 1.0)],
        Measure("P"),
        ties="best",
        depth="3",
        duplicates="first",
    ),
    "unjudged rows stand among negative gains in the ideal": corner(
        [("a", 3.0), ("b", -1.0)],
        [("b", 3.0), ("x", 2.0), ("a", 1.0)],
        Measure("nDCG"),
        gain="linear",
        negative="keep",
        ideal="retrieved",
    ),
    "a counted duplicate of an unjudged document is one judgment": corner(
        [("a", 1.0)],
        [("x", 3.0), ("x", 2.0), ("a", 1.0)],
        Measure("R"),
        duplicates="count",
        unjudged="grade:1",
    ),
    "scores beyond single precision tie": corner(
        [("a", 1.0)], [("a", 1e39), ("b", 3e39)], Measure("RR"), score_type="float32"
    ),
    "a zero with a sign ties with one without": corner(
        [("b", 1.0)], [("b", -0.0), ("a", 0.0)], Measure("RR"), score_order="ascending"
    ),
}


@pytest.mark.parametrize("case", CORNERS.values(), ids=CORNERS.keys())
def test_a_corner_equals_the_reference(case: Case) -> None:
    compare(case)


@pytest.mark.parametrize("ties", ["docid_asc", "docid_desc", "input", "expected", "best", "worst"])
@pytest.mark.parametrize("depth", ["all", "1000"])
def test_long_runs_equal_the_reference(ties: str, depth: str) -> None:
    drawn = Random(20)  # noqa: S311 -- not for secrets
    run: dict[str, list[tuple[str, float | None, int | None]]] = {}
    qrels: dict[str, list[tuple[str, float]]] = {}
    for query in ("q1", "q2", "q10"):
        documents = [f"d{number}" for number in range(2500)]
        drawn.shuffle(documents)
        run[query] = [(document, float(drawn.randrange(90)), None) for document in documents]
        judged = drawn.sample([f"d{number}" for number in range(3000)], 400)
        qrels[query] = [(document, float(drawn.randrange(-1, 4))) for document in judged]
    names = ["nDCG", "DCG", "IDCG", "P", "R", "AP", "RR", "Success"]
    measures = [Measure(name, k) for name in names for k in (None, 10, 999)]
    axes = {"ties": ties, "depth": depth}
    compare(Case(Example(qrels, run, [], "scores"), axes, measures, as_lists=False))
