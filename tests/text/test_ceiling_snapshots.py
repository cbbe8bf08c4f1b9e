"""What `ndcg ceiling` prints, as snapshots: at 80 and 120 columns, piped, with names that are hard.

``NDCG_UPDATE_SNAPSHOTS=1 pytest tests/text`` writes them anew; read the difference.
"""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from rich.cells import cell_len

import ndcg
from command import ndcg as command
from ndcg._version import VERSION
from ndcg.diagnose.retrieval.lost import Retrieval
from ndcg.reports.model import Options
from ndcg.reports.retrieved import render

SNAPSHOTS = Path(__file__).parent / "snapshots" / "ceiling"
EXAMPLES = Path(__file__).parents[2] / "examples"
STAGES = {"hybrid": 10, "dense": 5}

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")


def check(text: str, name: str) -> None:
    """Compare with the snapshot of that name, or write it where that was asked for."""
    path = SNAPSHOTS / name
    given = text.replace(VERSION, "VERSION").encode()
    if os.environ.get("NDCG_UPDATE_SNAPSHOTS") == "1":
        assert os.environ.get("CI") != "true", "snapshots are not rewritten in CI"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(given)
    assert path.read_bytes() == given, name


def looked_at(**options: object) -> Retrieval:
    runs = [str(EXAMPLES / f"{name}.run") for name in ("hybrid", "dense")]
    return ndcg.ceiling(str(EXAMPLES / "qrels.txt"), runs, **options)  # type: ignore[arg-type]


def hard() -> Retrieval:
    """A pipeline whose names are long, wide, or hold what a terminal obeys."""
    draw = random.Random(12)  # noqa: S311 -- no secret
    first, second = "x" * 120, "リランカー\x1b[31m"
    queries = ["質問" * 30, "q\x1b[2J", "y" * 120, "q4"]
    documents = [f"文書-{number}-{'d' * 110}" for number in range(60)]
    qrels = {q: {d: draw.choice([0, 1, 2]) for d in documents[:30]} for q in queries}
    runs: dict[str, dict[str, list[str]]] = {first: {}, second: {}}
    for query in queries[:3]:
        runs[first][query] = draw.sample(documents, 40)
        runs[second][query] = [*draw.sample(runs[first][query][:20], 10), "new"]
    return ndcg.ceiling(qrels, runs, stages={first: 20, second: None})


@pytest.mark.parametrize("width", [80, 120, None])
def test_tables(width: int | None) -> None:
    shown = "pipe" if width is None else f"{width}"
    options = Options(width=width)
    queries = options._replace(per_query=True)
    check(render(looked_at(), "table", queries), f"runs-{shown}.txt")
    stages = looked_at(stages=STAGES, queries=["q01", "q05", "q29"])
    check(render(stages, "table", options, documents=True), f"stages-{shown}.txt")
    check(render(hard(), "table", queries, documents=True), f"hard-{shown}.txt")


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_no_table_is_wider_than_the_terminal(width: int) -> None:
    for found in (hard(), looked_at(), looked_at(measure="P@10", stages=STAGES)):
        options = Options(width=width, per_query=True)
        lines = render(found, "table", options, documents=True).split("\n")
        assert [one for one in lines if cell_len(one) > width and "|gain:" not in one] == []
        assert "\x1b" not in "".join(lines)


@pytest.mark.parametrize("name", ["markdown", "csv", "json"])
def test_other_formats(name: str) -> None:
    found = looked_at(measure="P@10", stages=STAGES, queries=["q01", "q05", "q29"])
    suffix = "md" if name == "markdown" else name
    text = render(found, name, Options(per_query=name == "json"))
    check(text.replace(str(EXAMPLES), "examples"), f"stages.{suffix}")


def test_notes_of_a_pipeline(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLES)
    done = command("ceiling", "qrels.txt", "--stages", "hybrid.run=10", "dense.run=5")
    check(done.err, "stages.err")
