"""The wheel and the sdist, built and installed where nothing else is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PYTHONS = [f"python3.{minor}" for minor in range(11, 16)]


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def install(python: str, package: Path, folder: Path) -> Path:
    """A new environment with the package and what it requires, at the pinned versions."""
    subprocess.run([python, "-m", "venv", str(folder)], check=True)
    pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    constraints = [] if python not in (sys.executable, "python3.11") else [
        "-c", str(ROOT / "constraints.txt")]  # fmt: skip
    subprocess.run([*pip, "--disable-pip-version-check", *constraints, str(package)], check=True)
    return folder / "bin"


def score(commands: Path, folder: Path) -> dict[str, object]:
    (folder / "qrels.txt").write_text("q 0 a 1\nq 0 b 0\n")
    (folder / "run.txt").write_text("q Q0 b 1 2 tag\nq Q0 a 2 1 tag\n")
    done = subprocess.run(
        [str(commands / "ndcg"), "eval", "qrels.txt", "run.txt", "--json"],
        cwd=folder, capture_output=True, check=True, env={"PATH": os.environ["PATH"]},
    )  # fmt: skip
    return json.loads(done.stdout)


@pytest.mark.xdist_group("packaging")
def test_the_wheel_alone_scores_a_pair_from_an_empty_folder(built: Path, tmp_path: Path) -> None:
    wheel = next(built.glob("*.whl"))
    commands = install(sys.executable, wheel, tmp_path / "venv")
    found = score(commands, tmp_path)
    assert found["systems"][0]["measures"]["nDCG@10"]["n"] == 1
    empty = tmp_path / "empty"
    empty.mkdir()
    for command in ([str(commands / "ndcg")], [str(commands / "python"), "-m", "ndcg"]):
        demo = subprocess.run([*command, "demo"], cwd=empty, capture_output=True, check=True)
        assert demo.stdout.startswith(b"30 product searches")
    listed = subprocess.run(
        [str(commands / "python"), "-m", "pip", "list", "--format", "json"],
        capture_output=True, check=True,
    )  # fmt: skip
    names = {one["name"] for one in json.loads(listed.stdout)}
    assert not names & {"zstandard", "polars", "scipy", "pandas"}


@pytest.mark.xdist_group("packaging")
def test_the_sdist_installs_and_scores(built: Path, tmp_path: Path) -> None:
    commands = install(sys.executable, next(built.glob("*.tar.gz")), tmp_path / "venv")
    assert score(commands, tmp_path)["schema"] == 1


@pytest.mark.xdist_group("packaging")
@pytest.mark.parametrize("python", PYTHONS)
def test_every_python_found_here_runs_the_wheel(python: str, built: Path, tmp_path: Path) -> None:
    found = shutil.which(python)
    if found is None or subprocess.run([found, "-c", "import ensurepip"], check=False,
                                       capture_output=True).returncode:  # fmt: skip
        pytest.skip(f"{python} is not on this machine")
    commands = install(found, next(built.glob("*.whl")), tmp_path / "venv")
    assert score(commands, tmp_path)["systems"][0]["measures"]["nDCG@10"]["mean"] > 0


@pytest.mark.xdist_group("packaging")
def test_the_action_installs_itself_into_the_python_that_it_is_given(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "venv", str(tmp_path / "venv")], check=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    given = os.environ | {"NDCG_ACTION": str(ROOT), "NDCG_PYTHON": python, "NDCG_VERSION": ""}
    subprocess.run(["bash", str(ROOT / "action" / "install.sh")], env=given, check=True)
    done = subprocess.run([python, "-m", "ndcg", "--version"], capture_output=True, check=True)
    assert done.stdout.startswith(b"ndcg ")
