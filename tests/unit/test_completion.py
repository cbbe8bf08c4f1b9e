"""What shells complete, asked of the shells that are here."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from command import ndcg as command
from ndcg import AXES, PRESETS

BASH = """
source {script}
COMP_WORDS=({words}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); _ndcg; echo "${{COMPREPLY[@]}}"
"""
FISH = "source {script}; complete -C '{line}'"


def script(shell: str, folder: Path) -> Path:
    done = command("completion", shell)
    assert (done.code, done.err) == (0, "")
    path = folder / f"ndcg.{shell}"
    path.write_text(done.out)
    return path


def bash(line: str, folder: Path) -> list[str]:
    """What bash proposes for the last word of a line."""
    words = " ".join(f"'{word}'" for word in line.split(" "))
    code = BASH.format(script=script("bash", folder), words=words)
    done = subprocess.run(["bash", "-c", code], capture_output=True, text=True, check=True)
    assert not done.stderr
    return done.stdout.split()


def test_bash_completes_commands_options_and_values(tmp_path: Path) -> None:
    assert bash("ndcg ev", tmp_path) == ["eval"]
    assert {"trec_eval-10", "trec_eval-9"} <= {*bash("ndcg eval q r -p trec_eval-", tmp_path)}
    assert {"sklearn", "sklearn.exp"} <= {*bash("ndcg eval q r -p sklea", tmp_path)}
    assert bash("ndcg eval q r --ties ex", tmp_path) == ["expected"]
    assert bash("ndcg eval q r --per", tmp_path) == ["--per-query"]
    assert bash("ndcg gate q r --format ju", tmp_path) == ["junit"]
    assert bash("ndcg compare q r --format la", tmp_path) == ["latex"]
    assert bash("ndcg history f --format s", tmp_path) == ["svg"]
    assert bash("ndcg check q --each", tmp_path) == ["--each"]
    assert "pytrec_eval" in bash("ndcg presets pytrec", tmp_path)
    assert bash("ndcg completion f", tmp_path) == ["fish"]
    (tmp_path / "some.qrels").write_text("")
    assert bash(f"ndcg eval {tmp_path}/som", tmp_path) == [f"{tmp_path}/some.qrels"]


@pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not on this machine")
def test_fish_completes_commands_options_and_values(tmp_path: Path) -> None:
    def fish(line: str) -> list[str]:
        code = FISH.format(script=script("fish", tmp_path), line=line)
        done = subprocess.run(["fish", "-c", code], capture_output=True, text=True, check=True,
                              env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"})  # fmt: skip
        return [line.split("\t")[0] for line in done.stdout.splitlines()]

    assert fish("ndcg ev") == ["eval"]
    assert fish("ndcg eval --ties ex") == ["expected"]
    assert fish("ndcg eval --per-q") == ["--per-query"]
    assert "trec_eval-10" in fish("ndcg eval -p trec")


@pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not on this machine")
def test_zsh_reads_its_script(tmp_path: Path) -> None:
    code = f"autoload -Uz compinit; compinit -D; source {script('zsh', tmp_path)}; whence -w _ndcg"
    done = subprocess.run(["zsh", "-fc", code], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("_ndcg: function\n", "")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_every_preset_and_axis_stands_in_the_script(shell: str) -> None:
    text = command("completion", shell).out
    flags = [
        name.replace("_", "-") for name, axis in AXES.items() if axis.settable and not axis.rare
    ]
    assert [name for name in [*PRESETS, *flags] if name not in text] == []


def test_another_shell_is_refused() -> None:
    assert "'csh' is not a shell; did you mean zsh?" in command("completion", "csh").err
