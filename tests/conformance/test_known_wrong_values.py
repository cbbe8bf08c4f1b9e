"""Wrong numbers of the field, each of which reconcile must name the convention or the fault of."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from typing import Any

import pytest

import ndcg
from ndcg.diagnose.reconcile import Matches
from shared import shared

# What is behind each: axis values that one setting of the first explanation must have, or the
# kind of fault. By case and the number of the wrong value in it.
CAUSES: dict[tuple[str, int], dict[str, str] | str] = {
    ("bc-002", 0): {"gain": "exp2", "duplicates": "count"},
    ("bc-005", 0): {"ideal": "slots:1"},
    ("bc-005", 1): {"ideal_depth": "returned"},
    ("bc-012", 0): {"ideal": "retrieved"},
    ("bc-013", 0): {"ideal": "top_k"},
    ("bc-014", 0): {"ideal": "slots:1"},
    ("bc-015", 0): {"ideal": "slots:1", "gain": "linear"},
    ("bc-015", 1): {"ideal": "slots:1", "gain": "linear"},
    ("bc-016", 0): "scale",
    ("bc-017", 0): {"ideal": "retrieved", "missing": "exclude"},
    ("bc-030", 0): {"missing": "exclude"},
    ("bc-072", 0): "twice",
    ("bc-074", 0): {"duplicates": "count"},
    ("bc-080", 0): {"gain": "judged"},
}
# The check of the case whose data the value is of, where it is not the case's own input.
DATA = {("bc-005", 1): 1, ("bc-012", 0): 1}
QUERIES = {("bc-015", 0): "q1", ("bc-015", 1): "q2"}


def wrong_values() -> Iterator[tuple[tuple[str, int], dict[str, Any], dict[str, Any]]]:
    """Every wrong value that is known, with its case."""
    text = shared("cases", "cases.jsonl").read_text(encoding="utf-8")
    for case in map(json.loads, text.splitlines()):
        for number, wrong in enumerate(case.get("known_wrong_values") or ()):
            yield (case["id"], number), case, wrong


def reconciled(key: tuple[str, int], case: dict[str, Any], wrong: dict[str, Any]) -> Matches:
    """What reconcile says to the value."""
    given = case["correct"]["checks"][DATA[key]] if key in DATA else case["input"]
    k = wrong.get("k", case["input"].get("k"))
    qrels, run = wrong.get("qrels") or given.get("qrels"), wrong.get("run") or given.get("run")
    if run is None:
        files = case["input"]["files"]
        qrels, run = (str(shared("cases", files[name])) for name in ("same.qrels.txt", "run.txt"))
    else:
        run = {
            query: [tuple(row) if isinstance(row, list) else row for row in rows]
            for query, rows in run.items()
        }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = ndcg.reconcile(
            qrels, run, "nDCG" if k is None else f"nDCG@{k}",
            value=wrong["mean"]["value"], query=QUERIES.get(key),
        )  # fmt: skip
    assert isinstance(found, Matches)
    return found


def named(found: Matches, cause: dict[str, str] | str) -> bool:
    """Whether the cause stands in the first explanation, or among the faults."""
    if isinstance(cause, str):
        return any(fault.kind == cause for fault in found.faults)
    if not found.search.explanations:
        return False
    settings = found.search.explanations[0].settings
    return any(
        all(getattr(one.convention, axis) == value for axis, value in cause.items())
        for one in settings
    )


def test_reconcile_names_what_is_behind_every_wrong_value() -> None:
    keys = []
    for key, case, wrong in wrong_values():
        keys.append(key)
        assert named(reconciled(key, case, wrong), CAUSES[key]), (key, wrong["label"])
    assert keys == [*CAUSES]


@pytest.mark.parametrize(
    ("key", "cause"), [(("bc-014", 0), {"ideal": "judged"}), (("bc-016", 0), "twice")]
)
def test_another_cause_is_not_named(key: tuple[str, int], cause: dict[str, str] | str) -> None:
    case, wrong = next((case, wrong) for own, case, wrong in wrong_values() if own == key)
    assert not named(reconciled(key, case, wrong), cause)
