"""What the README and the docs show is what happens; everything there is stands in the docs."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import ndcg
from ndcg.cli.main import COMMANDS
from ndcg.errors import CODES

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
TEXT = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def blocks(language: str) -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(rf"```{language}\n(.*?)```", text, re.DOTALL):
            line = text.count("\n", 0, match.start()) + 2
            found.append((f"{page.relative_to(ROOT)}:{line}", match[1]))
    return found


@pytest.mark.parametrize(("place", "block"), blocks("console"))
def test_a_command_prints_what_the_page_shows(place: str, block: str) -> None:
    command, _, expected = block.removeprefix("$ ").partition("\n")
    words = shlex.split(command)
    assert words[0] == "ndcg", place
    run = subprocess.run(
        [sys.executable, "-m", "ndcg", *words[1:]], cwd=ROOT, capture_output=True, check=False
    )
    assert run.returncode in ((0, 1) if words[1] in ("check", "gate") else (0,)), run.stderr
    assert run.stdout.decode() == expected


@pytest.mark.parametrize(("place", "block"), blocks("python"))
def test_a_python_block_runs_and_prints_what_its_comments_say(
    place: str, block: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exec(compile(block, place, "exec"), {})  # noqa: S102 -- the page is ours
    printed = iter(capsys.readouterr().out.splitlines())
    comments = re.findall(r"print\(.*\)  # (.*)", block)
    # A comment that begins with "the" describes what is printed, any other one is it.
    promised = [comment for comment in comments if not comment.startswith("the ")]
    assert comments
    assert all(comment in printed for comment in promised)  # one after the other


def test_every_make_target_in_a_shell_block_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    asked = {
        line.split()[1]
        for _, block in blocks("sh")
        for line in block.splitlines()
        if line.startswith("make ")
    }
    assert asked <= targets


def test_every_link_between_pages_leads_somewhere() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text(encoding="utf-8")):
            assert (page.parent / target).exists(), (page, target)


def test_the_generated_parts_of_the_docs_are_up_to_date() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "make-docs"), "--check"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout + run.stderr


def test_every_name_that_users_meet_stands_in_the_docs() -> None:
    names = [*ndcg.AXES, *ndcg.MEASURES, *ndcg.PRESETS, *CODES]
    names += [f"ndcg {command}" for command in COMMANDS]
    names += [word for axis in ndcg.AXES.values() for word in axis.accepted]
    assert [name for name in names if name not in TEXT] == []


def test_every_error_code_of_the_docs_has_a_number_of_its_own() -> None:
    numbers = [code for code, _ in CODES.values()]
    assert len(set(numbers)) == len(numbers)


def test_decision_records_are_short_and_listed() -> None:
    index = (ROOT / "docs" / "decisions" / "README.md").read_text()
    for record in (ROOT / "docs" / "decisions").glob("0*.md"):
        assert record.name in index
        assert len(record.read_text().splitlines()) <= 40, record
