"""What would help: every swap, promotion and missing document tried, by the formula."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ndcg
from ndcg.diagnose.explaining import stretches
from ndcg.diagnose.explaining.found import Explanation
from ndcg.diagnose.explaining.overview import Overview
from ndcg.diagnose.explaining.steps import best_columns

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

WEIGHTS: dict[str, Callable[[int], float]] = {
    "DCG": lambda rank: 1 / math.log2(rank + 1),
    "DCG@7": lambda rank: 1 / math.log2(rank + 1) if rank <= 7 else 0.0,
    "gRBP(p=0.9,largest=1)": lambda rank: 0.1 * 0.9 ** (rank - 1),
}
GRADES: dict[str, Callable[[Random], float]] = {
    "few": lambda random: float(random.randint(0, 3)),
    "many": lambda random: random.uniform(0, 5),
    "signed": lambda random: random.uniform(-3, 5),
    "far apart": lambda random: random.choice([1.0, 1e-3, 1e3]) * random.random(),
}
ORDERS: dict[str, Callable[[float], float]] = {
    "as it comes": lambda _: 0.0,
    "best first": lambda grade: -grade,
    "worst first": lambda grade: grade,
}


def tried(ranking: list[str], missed: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Every order that one change makes, and the kind of change."""
    n = len(ranking)
    for low in range(n):
        for high in range(low):
            order = [*ranking]
            order[low], order[high] = order[high], order[low]
            yield "swap", order
            left = [*ranking]
            left.insert(high, left.pop(low))
            yield "promotion", left
    for one in missed:
        for at in range(n + 1):
            yield "missing", [*ranking[:at], one, *ranking[at:]]


def query_of(grade: Callable[[Random], float], n: int, random: Random) -> tuple[
    list[str], dict[str, float]
]:  # fmt: skip
    """A ranking of n documents, half of them without judgment, and three that are missed."""
    ranking = [f"d{at:03}" for at in range(n)]
    judged = {one: grade(random) for one in ranking if random.random() < random.choice([0.2, 0.9])}
    return ranking, judged | {f"m{at}": grade(random) for at in range(3)}


@pytest.mark.parametrize("measure", [*WEIGHTS])
@pytest.mark.parametrize("grade", [*GRADES])
@pytest.mark.parametrize("order", [*ORDERS])
def test_no_change_of_a_list_of_ragged_queries_helps_more(
    measure: str, grade: str, order: str
) -> None:
    random, weight = Random(f"{measure} {grade} {order}"), WEIGHTS[measure]  # noqa: S311 -- examples, not secrets
    run, qrels = {}, {}
    for number, n in enumerate([1, 30, 0, 2, 9, 3, 24]):
        run[f"q{number}"], qrels[f"q{number}"] = query_of(GRADES[grade], n, random)
        judged = qrels[f"q{number}"]
        run[f"q{number}"].sort(key=lambda one: ORDERS[order](judged.get(one, 0.0)))
    how = {"measure": measure, "gain": "linear", "empty": "zero", "negative": "keep"}
    found = ndcg.explain(qrels, run, **how)
    assert isinstance(found, Overview)
    for row in found.rows:
        ranking, judged = run[row.query], qrels[row.query]
        if not row.gains:  # no positive ideal: a rule gives the value, whatever is changed
            assert row.decided == ("empty",)
            continue

        def total(order: list[str], judged: dict[str, float] = judged) -> float:
            return math.fsum(judged.get(one, 0.0) * weight(at) for at, one in enumerate(order, 1))

        missed = [one for one in judged if one not in ranking]
        best, size = dict.fromkeys(("swap", "promotion", "missing"), 0.0), 1.0
        for kind, changed in tried(ranking, missed):
            best[kind] = max(best[kind], total(changed) - total(ranking))
            size = max(size, abs(total(changed)))
        assert {**row.gains} == pytest.approx(best, abs=1e-12 * size)
        told = ndcg.explain(qrels, run, query=row.query, **how)
        assert isinstance(told, Explanation)
        for one in told.help:
            changed = [*ranking]
            if one.kind == "missing":
                changed.insert(one.to - 1, one.document)
            elif one.kind == "promotion":
                changed.insert(one.to - 1, changed.pop(one.rank - 1))
            else:
                at, to = one.rank - 1, one.to - 1
                changed[at], changed[to] = changed[to], changed[at]
            assert total(changed) - total(ranking) == pytest.approx(one.gain, abs=1e-12 * size)


def test_of_documents_that_help_as_much_the_first_is_told() -> None:
    found = ndcg.explain(
        {"q": {"a": 1, "b": 1, "c": 1}}, {"q": ["x", "y", "a", "z", "b"]}, query="q", measure="P@2"
    )
    assert isinstance(found, Explanation)
    changes = {one.kind: (one.document, one.to) for one in found.help}
    assert changes == {"swap": ("a", 1), "promotion": ("a", 1), "missing": ("c", 1)}


@given(st.data())
def test_the_best_columns_are_found_without_a_look_at_most_cells(data: st.DataObject) -> None:
    """Tables of products of what falls: rows of several queries, some of them without any."""
    random = Random(data.draw(st.integers(0, 2**32)))  # noqa: S311 -- examples, not secrets
    row, low, high, falls = list[int](), list[int](), list[int](), list[int]()
    columns = 0
    for query in range(random.randint(0, 4)):
        rows, width = random.randint(0, 20), random.randint(1, 30)
        row += [query] * rows
        low += [columns] * rows
        ends = sorted(random.randint(0, width - 1) for _ in range(rows))
        high += [columns + (end if random.random() < 0.5 else width - 1) for end in ends]
        high[len(high) - rows :] = sorted(high[len(high) - rows :])
        falls += sorted((random.randint(0, 9) for _ in range(rows)), reverse=True)
        columns += width
    worth = np.array([random.randint(0, 99) for _ in range(columns)], float)
    place, looked = np.cumsum(np.ones(columns)), list[int]()

    def value(one: np.ndarray, column: np.ndarray) -> np.ndarray:
        looked.append(len(column))
        found: np.ndarray = worth[column] - np.array(falls, float)[one] * place[column]
        return found

    numbers = [np.array(part, np.int64) for part in (row, low, high)]
    found = best_columns(value, *numbers)
    for at, column in enumerate(found.tolist()):
        cells = [worth[c] - falls[at] * place[c] for c in range(low[at], high[at] + 1)]
        assert column == low[at] + cells.index(max(cells))
    halvings = max((row.count(query) for query in row), default=1).bit_length()
    assert sum(looked) <= halvings * (columns + len(row))


def test_queries_looked_at_in_parts_are_as_they_are_at_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    random = Random("parts")  # noqa: S311 -- examples, not secrets
    made = {f"q{at}": query_of(GRADES["many"], at % 7, random) for at in range(40)}
    run, qrels = ({query: one[side] for query, one in made.items()} for side in (0, 1))
    whole = ndcg.explain(qrels, run, measure="DCG", gain="linear")
    monkeypatch.setattr(stretches, "_ROOM", 10)
    parts = ndcg.explain(qrels, run, measure="DCG", gain="linear")
    assert (whole.to_dict(), len(made)) == (parts.to_dict(), 40)


@pytest.mark.parametrize("measure", ["nDCG", "nDCG@7", "RBP(p=0.3)", "gRBP(p=0.7)"])
def test_among_equals_nothing_helps_not_even_by_rounding(measure: str) -> None:
    qrels = {f"q{n}": dict.fromkeys((f"d{at}" for at in range(n)), 3) for n in range(1, 40)}
    run = {query: [*judged, "x"] for query, judged in qrels.items()}
    qrels["q39"]["missed"] = 3  # whose best place changes nothing where a cutoff is full
    helped = ndcg.explain(qrels, run, measure=measure).help
    assert (helped["swap"].queries, helped["promotion"].queries) == (0, 0)
    assert helped["missing"].queries == (0 if "@" in measure else 1)
