"""The recipes of docs/gate.md in a scratch repository: shell, pytest, the action, the hook."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from command import plain_environment

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "gate.md").read_text("utf-8")
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
(HOOK,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))


def block(language: str, about: str) -> str:
    """The first block of the page in a language that holds some words."""
    found = re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)
    return next(text for text in found if about in text)


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """A repository with judgments and a good run, in the folder that the page uses."""
    search = tmp_path / "search"
    search.mkdir()
    for name, place in (("qrels.txt", "qrels.txt"), ("hybrid.run", "run.txt")):
        shutil.copy(ROOT / "examples" / name, search / place)
    for path in search.iterdir():
        shutil.copy(path, tmp_path / path.name)
    return tmp_path


def worse(folder: Path) -> None:
    """The run becomes a worse one."""
    for path in (folder / "run.txt", folder / "search" / "run.txt"):
        shutil.copy(ROOT / "examples" / "bm25.run", path)


def shell(
    command: str, folder: Path, environment: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command as a build server does, with our Python first."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        ["bash", "-eo", "pipefail", "-c", command], cwd=folder, capture_output=True, text=True,
        check=False, timeout=120,
        env=plain_environment({"PATH": path, **(environment or {})}),
    )  # fmt: skip


def lines(about: str) -> list[str]:
    """The commands of a shell block."""
    return [line for line in block("sh", about).splitlines() if line.strip()]


def test_the_shell_recipe_writes_passes_fails_and_accepts(scratch: Path) -> None:
    first, gate, accept = lines("# once; then commit it")
    assert shell(first, scratch).returncode == 0
    assert shell(gate, scratch).returncode == 0
    worse(scratch)
    failed = shell(gate, scratch)
    assert failed.returncode == 1
    assert "failed  nDCG@10 drops 0.01" in failed.stdout
    assert failed.stdout.count(" -0.") >= 5  # the worst queries
    assert shell(accept, scratch).returncode == 0
    assert shell(gate, scratch).returncode == 0


def test_the_table_of_pyproject_is_the_whole_recipe(scratch: Path) -> None:
    (scratch / "pyproject.toml").write_text(block("toml", "tool.ndcg.gate"), "utf-8")
    assert shell("ndcg gate", scratch).returncode == 2
    assert shell("ndcg gate --update", scratch).returncode == 0
    assert shell("ndcg gate", scratch).returncode == 0
    assert shell("cd search && ndcg gate", scratch).returncode == 0
    worse(scratch)
    failed = shell("ndcg gate", scratch)
    assert failed.returncode == 1
    assert "failed  missing > 0" in failed.stdout


def test_the_history_recipe_shows_every_run(scratch: Path) -> None:
    gate, table, picture = lines("--history")
    gate = gate.replace("$(git rev-parse --short HEAD)", "a1b2c3d")
    assert shell(gate, scratch).returncode == 0
    worse(scratch)
    shell(gate, scratch)
    shown = shell(table, scratch)
    assert shown.stdout.count("a1b2c3d") == 3  # two rows and the title
    assert shell(picture, scratch).returncode == 0
    assert (scratch / "history.svg").read_text("utf-8").startswith("<svg")


# -- pytest ----------------------------------------------------------------------------------------


def under_pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder, as the page says."""
    words = shlex.join(["python", "-m", "pytest", "-q", "-p", "no:cacheprovider", *options])
    return shell(words, folder)


def test_the_fixture_writes_passes_and_fails_with_the_worst_queries(scratch: Path) -> None:
    (scratch / "test_search.py").write_text(block("py", "ndcg_gate"), "utf-8")
    update, compare = (shlex.split(line, comments=True)[1:] for line in lines("--ndcg-update"))
    missing = under_pytest(scratch, *compare)
    assert missing.returncode == 1
    assert "error[E15 baseline]: there is no baseline" in missing.stdout
    assert "in pytest: --ndcg-baseline PATH names the baseline" in missing.stdout
    assert "judging.py" not in missing.stdout
    assert under_pytest(scratch, *update).returncode == 0
    names = [path.name for path in (scratch / "search" / "baselines").iterdir()]
    assert len(names) == 1
    assert re.fullmatch(
        r"test_search\.py-test_search_is_as_good_as_it_was-[0-9a-f]{8}\.json", names[0]
    )
    assert under_pytest(scratch, *compare).returncode == 0
    worse(scratch)
    failed = under_pytest(scratch, *compare)
    assert failed.returncode == 1
    assert "pytest_plugin.py" not in failed.stdout
    assert "worst: q04 -0.786, q02 -0.748, q06 -0.589, q07 -0.480, q17 -0.404" in failed.stdout
    assert "Traceback" not in failed.stdout


TWO = """
QRELS = {"q1": {"a": 1}, "q2": {"a": 1}}
def test_one(ndcg_gate):
    assert ndcg_gate(QRELS, {"q1": {"a": 1.0}, "q2": {"a": 1.0}}, "AP drops").passed
def test_other(ndcg_gate):
    ndcg_gate(QRELS, {"q1": {"a": 1.0}}, "AP drops", baseline={"q1": {"a": 1.0}})
    ndcg_gate(QRELS, {"q1": {"a": 1.0}}, "AP drops")
"""


MANY = """
import pytest
QRELS = {"q1": {"a": 1}, "q2": {"a": 1}}
GOOD = {"q1": {"a": 1.0}, "q2": {"a": 1.0}}
@pytest.mark.parametrize("name", ["a/b", "a-b", "a b", "x" * 300])
def test_many(ndcg_gate, name):
    ndcg_gate(QRELS, GOOD, "AP drops")
    ndcg_gate(QRELS, GOOD, ["P@1 drops"])
def test_limits_need_no_baseline(ndcg_gate):
    ndcg_gate(QRELS, GOOD, "AP < 0.5")
def test_limits_again(ndcg_gate):
    ndcg_gate(QRELS, GOOD, "P@1 < 0.5")
def test_a_run_of_its_own(ndcg_gate):
    ndcg_gate(QRELS, GOOD, "AP drops", baseline="run.txt", lenient=True)
"""


def test_every_gate_has_a_file_of_its_own_and_runs_are_left_alone(scratch: Path) -> None:
    (scratch / "test_many.py").write_text(MANY, "utf-8")
    (scratch / "run.txt").write_text("q1 Q0 a 1 1.0 t\nq2 Q0 a 1 1.0 t\n", "utf-8")
    run = (scratch / "run.txt").read_bytes()
    for place in ("b/", "b.json"):  # and one file may serve any number of them
        limits = under_pytest(scratch, "--ndcg-baseline", place, "-k", "limits")
        assert limits.returncode == 0, limits.stdout
    update = under_pytest(scratch, "--ndcg-baseline", "b/", "--ndcg-update", "-n", "2")
    assert update.returncode == 0, update.stdout
    # Eight gates that compare, and two of limits, whose values may be compared later.
    assert len(list((scratch / "b").iterdir())) == 10
    assert (scratch / "run.txt").read_bytes() == run
    assert under_pytest(scratch, "--ndcg-baseline", "b/").returncode == 0


def test_one_file_is_no_baseline_for_two_gates(scratch: Path) -> None:
    (scratch / "test_two.py").write_text(TWO, "utf-8")
    refused = under_pytest(scratch, "--ndcg-baseline", "b.json", "--ndcg-update")
    assert refused.returncode == 1
    assert (
        "b.json is the baseline of test_two.py::test_one and test_two.py::test_other; "
        "name a folder" in refused.stdout
    )
    assert under_pytest(scratch, "--ndcg-baseline", "b/", "--ndcg-update").returncode == 0
    assert len(list((scratch / "b").iterdir())) == 2
    assert under_pytest(scratch, "--ndcg-baseline", "b").returncode == 0
    compared = under_pytest(scratch, "--ndcg-baseline", "b.json")
    assert "b.json is the baseline of" in compared.stdout  # not only when it is written


WRONG = """
QRELS, GOOD = {"q1": {"a": 1}}, {"q1": {"a": 1.0}}
def test_rule(ndcg_gate):
    ndcg_gate(QRELS, GOOD, "AP dropz")
def test_compares(ndcg_gate):
    ndcg_gate(QRELS, GOOD, "AP drops")
"""


def test_mistakes_are_told_without_the_insides_of_the_tool(scratch: Path) -> None:
    (scratch / "test_wrong.py").write_text(WRONG, "utf-8")
    (scratch / "file").write_text("", "utf-8")
    for options in ((), ("--ndcg-baseline", "new/"), ("--ndcg-baseline", "file/", "--ndcg-update")):
        done = under_pytest(scratch, *options)
        assert done.returncode == 1
        assert "2 failed" in done.stdout
        assert "Traceback" not in done.stdout
        assert ".py:" not in done.stdout.partition("short test summary")[0].replace(
            "test_wrong.py:", ""
        )
    assert "in pytest: --ndcg-baseline PATH" in under_pytest(scratch, "-k", "compares").stdout


def test_the_plugin_imports_nothing_until_a_test_asks_for_it(scratch: Path) -> None:
    (scratch / "test_none.py").write_text(
        "import sys\n"
        "def test_none():\n"
        "    ours = {name for name in sys.modules if name.startswith('ndcg')}\n"
        "    assert ours == {'ndcg', 'ndcg._version', 'ndcg.ext', 'ndcg.ext.pytest_plugin'}\n"
        "    assert 'numpy' not in sys.modules\n",
        "utf-8",
    )
    assert under_pytest(scratch).returncode == 0


# -- the action ------------------------------------------------------------------------------------


def step(name: str, given: Mapping[str, str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a step of action.yml with these inputs, as the runner of an action does."""
    (one,) = (step for step in ACTION["runs"]["steps"] if step.get("id", step["name"]) == name)
    inputs = {key: str(about.get("default", "")) for key, about in ACTION["inputs"].items()}
    assert not given.keys() - inputs.keys()
    values = {f"inputs.{key}": value for key, value in (inputs | dict(given)).items()}
    values["github.action_path"] = str(ROOT)
    environment = {
        key: re.sub(r"\$\{\{ (.*?) \}\}", lambda match: values[match[1]], text)
        for key, text in one["env"].items()
    }
    environment |= {
        "GITHUB_OUTPUT": str(folder / "outputs"), "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }  # fmt: skip
    assert "${{" not in one["run"]  # what somebody wrote is no command
    return shell(one["run"], folder, environment)


def workflow() -> dict[str, str]:
    """The inputs that the page gives to the action."""
    steps = yaml.safe_load(block("yaml", "fail-if"))["jobs"]["quality"]["steps"]
    (found,) = (one["with"] for one in steps if one.get("id") == "gate")
    return dict(found)


def outputs(folder: Path) -> dict[str, str]:
    pairs = (line.split("=", 1) for line in (folder / "outputs").read_text("utf-8").splitlines())
    return dict(pairs)


def test_the_action_passes_and_fails_with_summary_annotations_and_outputs(scratch: Path) -> None:
    given = workflow()
    shell("ndcg gate search/qrels.txt search/run.txt -m nDCG@10 --update "
          "--baseline search/baseline.json", scratch)  # fmt: skip
    passed = step("gate", given, scratch)
    assert passed.returncode == 0, passed.stderr
    assert passed.stdout == "::notice title=ndcg gate::gate passed: 2 rules for hybrid\n"
    assert outputs(scratch)["passed"] == "true"
    assert outputs(scratch)["delta"] == "0.0"
    worse(scratch)
    failed = step("gate", given, scratch)
    assert failed.returncode == 1
    assert failed.stdout.startswith("::error title=ndcg gate::nDCG@10 drops 0.01: 0.8244 -> ")
    found = outputs(scratch)
    assert (found["passed"], found["delta"][:7]) == ("false", "-0.2010")
    assert float(found["value"]) > 0.62
    summary = (scratch / "summary").read_text("utf-8")
    assert "**gate passed: 2 rules for hybrid**" in summary
    assert "| **failed** | nDCG@10 drops 0.01 |" in summary


def test_what_stands_in_an_input_is_never_a_command(scratch: Path) -> None:
    evil = "nDCG@10 < 0.1 in $(touch owned)`touch owned`; touch owned"
    done = step("gate", {"qrels": "qrels.txt", "run": "run.txt", "fail-if": evil}, scratch)
    assert done.returncode == 2
    assert done.stdout.startswith("::error title=ndcg gate::error[E14 segments]")
    assert not (scratch / "owned").exists()


def test_more_options_and_a_wrong_one_reach_the_command(scratch: Path) -> None:
    given = {"qrels": "qrels.txt", "run": "run.txt", "fail-if": "nDCG@10 < 0.1"}
    done = step("gate", given | {"arguments": "--gain=linear\n--quiet\n"}, scratch)
    assert done.returncode == 0
    assert "gain:linear" in (scratch / "summary").read_text("utf-8")
    wrong = step("gate", given | {"significant": "perhaps"}, scratch)
    assert wrong.returncode == 2
    assert wrong.stdout == (
        "::error title=ndcg gate::the input significant is neither true nor false: perhaps\n"
    )
    worse = step("gate", given | {"significant": "x\n::warning::injected"}, scratch)
    assert worse.stdout.count("\n") == 1
    assert step("Install ndcg", {"version": "none"}, scratch).returncode == 0
    blanks = given | {
        "fail-if": "# a comment\n  - nDCG@10 < 0.1\n",
        "arguments": "  --gain linear\n",
    }
    assert step("gate", blanks, scratch).returncode == 0
    assert (scratch / "summary").read_text("utf-8").count("gain:linear") == 2


def test_modules_of_the_repository_are_not_those_of_the_tool(scratch: Path) -> None:
    (scratch / "ndcg").mkdir()
    (scratch / "ndcg" / "__init__.py").write_text("raise SystemExit('hijacked')")
    (scratch / "json.py").write_text("raise SystemExit('hijacked')")
    given = {"qrels": "qrels.txt", "run": "run.txt", "fail-if": "nDCG@10 < 0.1"}
    assert step("gate", given, scratch).returncode == 0


def test_a_python_without_the_tool_is_an_error_and_no_broken_rule(scratch: Path) -> None:
    (scratch / "nothing").write_text("#!/bin/sh\necho 'No module named ndcg' >&2; exit 1\n")
    (scratch / "nothing").chmod(0o755)
    given = {"qrels": "qrels.txt", "run": "run.txt", "fail-if": "nDCG@10 < 0.1"}
    done = step("gate", given | {"python": "./nothing"}, scratch)
    assert (done.returncode, done.stdout) == (2, "::error title=ndcg gate::No module named ndcg\n")


def test_the_outputs_are_of_the_first_rule_that_compares(scratch: Path) -> None:
    given = {
        "qrels": "qrels.txt", "run": "run.txt", "baseline": str(ROOT / "examples" / "bm25.run"),
        "fail-if": "Judged@10 < 0.1\nAP rises 0.9\n",
    }  # fmt: skip
    assert step("gate", given, scratch).returncode == 0
    found = outputs(scratch)
    assert found["measure"] == "AP"
    assert float(found["delta"]) > 0.1


# -- the hook --------------------------------------------------------------------------------------


def hooked(folder: Path, *files: str) -> subprocess.CompletedProcess[str]:
    """Run the hook over files, as pre-commit does: the entry, its arguments, the files."""
    return shell(shlex.join([*shlex.split(HOOK["entry"]), *HOOK["args"], *files]), folder)


def test_the_hook_looks_at_files_of_judgments_alone() -> None:
    (repository,) = yaml.safe_load(block("yaml", "ndcg-check"))["repos"]
    assert [hook["id"] for hook in repository["hooks"]] == [HOOK["id"]]
    wanted = ["qrels.txt", "data/test.qrels", "a/judgments.tsv", "Judgements.csv", "x/qrels/t.tsv",
              "qrels", "qrels-covid.test.txt.gz", "a.qrel"]  # fmt: skip
    others = ["run.txt", "docs/qrels.md", "src/judgments.py", "README", "src/qrels.go",
              "Qrels.java", "judgments.sql", "qrels.png", "qrels-baseline.json"]  # fmt: skip

    def matched(name: str) -> bool:
        return bool(re.search(HOOK["files"], name)) and not re.search(HOOK["exclude"], name)

    assert [name for name in wanted if not matched(name)] == []
    assert [name for name in others if matched(name)] == []


def test_the_hook_passes_good_judgments_and_stops_bad_ones(scratch: Path) -> None:
    (scratch / "good.qrels").write_text("q1 0 a 1\n", "utf-8")
    (scratch / "bad.qrels").write_text("q1 0 a 1\nq1 0 a 2\n", "utf-8")
    assert hooked(scratch, "qrels.txt", "good.qrels").returncode == 0
    stopped = hooked(scratch, "good.qrels", "bad.qrels")
    assert stopped.returncode != 0
    assert "bad.qrels" in stopped.stdout + stopped.stderr


def test_the_gate_of_the_recipes_writes_json_of_one_schema(scratch: Path) -> None:
    done = shell("ndcg gate qrels.txt run.txt --fail-if 'nDCG@10 < 0.1' --json", scratch)
    found: dict[str, Any] = json.loads(done.stdout)
    assert (found["schema"], found["passed"]) == (1, True)
