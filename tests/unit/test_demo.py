"""The bundled example: scored from anywhere, and with all in it that real data hold."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from command import ndcg as command
from ndcg import evaluate
from ndcg.cli.demo_command import RUNS, TEXTS, folder

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_the_demo_scores_three_systems_side_by_side() -> None:
    done = command("demo")
    assert done.code == 0
    words = [line.split() for line in done.out.split("\n")]
    assert [row[0] for row in words[4:7]] == ["bm25", "dense", "hybrid"]
    means = [float(row[1]) for row in words[4:7]]
    assert 0.4 < means[0] < means[1] < means[2] < 0.9
    assert done.out.startswith("30 product searches")


def test_the_example_holds_what_real_data_hold() -> None:
    home = Path(folder())
    ev = evaluate(str(home / "qrels.txt"), [str(home / name) for name in RUNS], "nDCG@10")
    accounts = {name: one.accounts for name, one in ev.systems.items()}
    assert accounts["bm25"].judged_queries == 30
    assert len(accounts["bm25"].missing) > 1  # a search by words does not know them all
    assert ev.systems["bm25"]["nDCG@10"].empty == ("q29",)
    assert accounts["dense"].self_matches == 1
    assert ev.systems["bm25"]["nDCG@10"].tie_moves
    shares = [one.judged_share["10"] for one in accounts.values()]
    assert all(share is not None and 0.6 < share < 1 for share in shares)


def test_the_files_are_written_to_a_folder_and_never_over_others() -> None:
    assert command("demo", "--files", "example").code == 0
    names = {path.name for path in Path("example").iterdir()}
    assert names == {"qrels.txt", *RUNS, *TEXTS}
    (Path("example") / "qrels.txt").write_text("mine")
    again = command("demo", "--files", "example")
    names = "qrels.txt, bm25.run, dense.run, hybrid.run, queries.tsv, products.tsv"
    assert again.code == 2
    assert again.err.startswith(f"error[E08 output]: example holds {names} already\n")
    assert (Path("example") / "qrels.txt").read_text() == "mine"
    Path("file").write_text("")
    assert "cannot make the folder 'file': it is a file" in command("demo", "--files", "file").err
    assert "cannot make the folder 'file/a'" in command("demo", "--files", "file/a").err


def test_the_command_that_it_suggests_gives_the_same() -> None:
    suggested = command("demo", "--files", "example").err.partition("next: ndcg ")[2].split()
    scored = command(*suggested, "-m", "nDCG@10", "-m", "AP", "-m", "P@5")
    assert scored.out in command("demo").out


def test_the_example_is_what_its_script_makes() -> None:
    before = {path.name: path.read_bytes() for path in Path(folder()).iterdir()}
    target = Path("made")
    target.mkdir()
    place, here = 'Path(__file__).parent.parent / "examples"', f"Path({str(target.resolve())!r})"
    code = (ROOT / "tools" / "make-example").read_text()
    assert place in code
    code = code.replace(place, here)
    subprocess.run([sys.executable, "-c", code], check=True)
    made = {path.name: path.read_bytes() for path in target.iterdir()}
    assert made == {name: data for name, data in before.items() if name in made}
    assert {"qrels.txt", *RUNS, *TEXTS} == made.keys()
