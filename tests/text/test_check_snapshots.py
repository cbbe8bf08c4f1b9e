"""What a check finds in every readable file: snapshots, each of which was read."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import ndcg
from shared import shared

SNAPSHOTS = Path(__file__).parent / "snapshots" / "check"
_LINES = 12_000  # nobody reads more

# Judgments of the samples, and the runs that are checked with them.
SAMPLES: dict[int, tuple[int, ...]] = {
    1: (2, 3, 4, 5, 42, 44, 47, 58, 59, 57),
    12: (13,),
    **dict.fromkeys((6, 7, 8, 9, 10, 11, 15, 16, 19, 37, 41, 43, 45, 46, 51, 52, 53, 54, 55), ()),
}
CASES = (
    ("bc-043.qrels.txt", "bc-043.run.txt"), ("bc-051.qrels.txt", "bc-051.run.txt"),
    ("bc-059.qrels.txt", "bc-059.run.txt"), ("bc-061.qrels.txt", "bc-061.run.txt"),
    ("bc-062.qrels.txt", "bc-062.run.txt"), ("bc-063.qrels2.tsv", "bc-063.run.tsv"),
    ("bc-063.qrels4.tsv", "bc-063.run.tsv"), ("bc-066.qrels.txt", "bc-066.run.txt"),
    ("bc-067.qrels.txt", "bc-067.run.txt"), ("bc-068.qrels.txt", "bc-068.run.txt"),
    ("bc-070.qrels.csv", "bc-070.run.csv"), ("bc-071.ratings.csv", "bc-071.run.csv"),
    ("bc-072.conflict.qrels.txt", "bc-072.run.txt"), ("bc-072.same.qrels.txt", "bc-072.run.txt"),
    ("bc-076.qrels.txt", "bc-076.run.txt"), ("bc-077.test.tsv", "bc-077.run.txt"),
    ("bc-107.letor.txt", "bc-107.scores.txt"), ("bc-108.judgments.csv", "bc-108.run.txt"),
    ("bc-110.huge.qrels.txt", "bc-110.huge.run.txt"),
    ("bc-110.neg.qrels.txt", "bc-110.neg.run.txt"),
)  # fmt: skip
REAL = ("cast2019", "dl19-passage", "robust2003", "trec-covid-beir", "trec-rag24")


def _sample(number: int) -> str:
    return str(next(shared("formats").glob(f"{number:02}_*")).relative_to(shared()))


def _looks() -> Iterator[tuple[str, list[str]]]:
    """The name of each snapshot with the arguments of the command."""
    for qrels, runs in SAMPLES.items():
        yield f"sample-{qrels:02}", [_sample(qrels)]
        for run in runs:
            yield f"sample-{qrels:02}-{run:02}", [_sample(qrels), _sample(run)]
    for qrels, run in CASES:
        name = qrels.rpartition(".")[0]
        yield f"case-{name}", [f"cases/files/{qrels}", f"cases/files/{run}"]
    for folder in REAL:
        here = shared("data", "real", folder)
        runs = sorted(path.name for path in here.glob("run.*"))
        at = f"data/real/{folder}"
        yield f"real-{folder}", [f"{at}/qrels.txt.gz", *(f"{at}/{run}" for run in runs)]


LOOKS = dict(_looks())


@pytest.mark.parametrize("name", LOOKS)
def test_what_is_found_is_what_was_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(shared())
    options = ["-m", "nDCG@10", "-m", "AP"] if name.startswith("real") else []
    done = ndcg("check", *LOOKS[name], *options)
    found = f"exit {done.code}\n{done.err}{done.out}"
    path = SNAPSHOTS / f"{name}.txt"
    if os.environ.get("NDCG_UPDATE_SNAPSHOTS"):
        SNAPSHOTS.mkdir(exist_ok=True)
        path.write_text(found, "utf-8")
    assert found == path.read_text("utf-8")
    assert len(found) < _LINES


def test_every_snapshot_is_compared() -> None:
    assert {path.stem for path in SNAPSHOTS.glob("*.txt")} == {*LOOKS}
