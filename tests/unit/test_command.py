"""The command: what it ends with, what it writes, and what its options do."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import re
import signal
import stat
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import ndcg as package
from command import DEADLINE, QRELS, RUN, ndcg, ndcg_process, plain_environment, put
from ndcg.cli.main import COMMANDS
from ndcg.cli.options import Parser
from ndcg.measures.grouped import GROUPED
from ndcg.reports.names import FORMATS, SUFFIXES

EVAL = ("eval", "q", "r")
# Two queries whose values differ under every rule that is tested here: a tie, a document that
# nobody judged, one that was missed, a negative grade, a query without relevant documents, one
# that is missing, one that is extra.
MANY_QRELS = """\
q1 0 a 3
q1 0 b 2
q1 0 c -1
q1 0 m 1
q2 0 a 1
q2 0 q2 2
q3 0 a 0
q4 0 a 1
"""
MANY_RUN = """\
q1 Q0 c 3 3.5 t
q1 Q0 a 2 3.5 t
q1 Q0 x 1 2.0 t
q1 Q0 b 4 1.0 t
q2 Q0 q2 1 9.0000001 t
q2 Q0 a 2 9.0 t
q3 Q0 a 1 1.0 t
q9 Q0 a 1 1.0 t
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("NO_COLOR", "FORCE_COLOR", "COLUMNS"):
        monkeypatch.delenv(name, raising=False)
    put(q=QRELS, r=RUN)


def fault(reason: str) -> pytest.MarkDecorator:
    """What is wrong today: the test says what should be, and fails once it is."""
    return pytest.mark.xfail(strict=True, reason=reason)


def printed(*arguments: str) -> str:
    """Standard output of a command that succeeds."""
    done = ndcg(*arguments)
    assert done.code == 0, done.err
    return done.out


def values(*arguments: str) -> dict[str, float | None]:
    """The means of the only system."""
    whole = json.loads(printed(*arguments, "--json", "--quiet"))
    return {name: one["mean"] for name, one in whole["systems"][0]["measures"].items()}


# -- what it ends with -----------------------------------------------------------------------------


def test_a_score_ends_with_0() -> None:
    done = ndcg(*EVAL)
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(
        "system  nDCG@10  95% CI  queries\nt        1.0000       -        1\n"
    )


@pytest.mark.parametrize("arguments", [(), ("--help",), ("-h",), ("help",)])
def test_help_lists_every_command(arguments: tuple[str, ...]) -> None:
    done = ndcg(*arguments)
    assert (done.code, done.err) == (0, "")
    for name, (_, what) in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(what)}$", done.out, re.MULTILINE)
    assert "exit codes: 0 done" in done.out


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_the_version(option: str) -> None:
    assert ndcg(option) == (0, f"ndcg {package.__version__}\n", "")


@pytest.mark.parametrize("name", COMMANDS)
def test_the_version_after_a_command(name: str) -> None:
    said = (0, f"ndcg {package.__version__}\n", "")
    assert ndcg(name, "--version") == said
    assert ndcg(name, "missing", "--frobnicate", "--version") == said


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("option", ["--help", "-h"])
def test_each_command_has_a_help_that_begins_with_examples(name: str, option: str) -> None:
    done = ndcg(name, option)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0].startswith(f"ndcg {name}: ")
    assert lines[1] == ""
    assert lines[2].startswith(f"  ndcg {name}")
    assert max(map(len, lines)) <= 100
    assert done.out.endswith("\n")
    assert not done.out.endswith("\n\n\n")


def test_help_comes_before_every_mistake() -> None:
    assert ndcg("eval", "--frobnicate", "-m", "x", "--help") == ndcg("eval", "--help")


def test_the_help_of_eval_names_every_format_axis_and_value() -> None:
    text = re.sub(r"\s+", " ", printed("eval", "--help"))
    for name, axis in package.AXES.items():
        has_flag = axis.settable and not axis.rare
        assert (f"--{name.replace('_', '-')} VALUE" in text) == has_flag
        assert not axis.rare or name in text
        if not has_flag:
            continue
        assert f"{', '.join(axis.accepted)} (default {axis.default})" in text
    assert all(name in text for name in FORMATS)


GATED = '[tool.ndcg.gate]\nqrels = "qrels.txt"\nrun = "run.txt"\nfail-if = "AP < 0.5"\n'


def test_examples_of_the_helps_run() -> None:
    put(qrels_txt=QRELS, run_txt=RUN, a_run=RUN, b_run=RUN.replace(" t\n", " u\n"))
    Path("trec_eval.out").write_text("ndcg_cut_10\tq1\t0.6309\n")
    put(c_run=RUN.replace(" t\n", " c\n"))
    put(bm25_run=RUN, rerank_run=RUN.replace(" t\n", " r\n"))
    Path("b.run").write_text(RUN.replace(" t\n", " b\n"))
    Path("kinds.csv").write_text("query,segment\nq1,head\n")
    put(one_qrels=QRELS, pyproject_toml=GATED)
    put(corpus_jsonl='{"_id": "a", "title": "A"}\n', queries_jsonl='{"_id": "q1", "text": "Q"}\n')
    put(two_qrels=QRELS + "q2 0 a 1\n")  # a collection has two queries or more
    rows = "one,two.qrels,bm25,a.run\none,two.qrels,dense,b.run\n"
    Path("beir.csv").write_text("collection,qrels,system,run\n" + rows)
    for name in ("", *COMMANDS):
        text = printed(*([name] if name else []), "--help")
        text = re.sub(r" \\\n +", " ", text)
        examples = re.findall(rf"^  ndcg ((?:{'|'.join(COMMANDS)})\b.*)$", text, re.MULTILINE)
        assert examples
        for example in examples:
            words = re.split(r"  +| >", example)[0].replace("DIR", "example")
            arguments = [word.strip("'") for word in re.findall(r"'[^']*'|\S+", words)]
            if "runs.jsonl" in arguments and not Path("runs.jsonl").exists():
                gated = ("gate", "qrels.txt", "run.txt", "--fail-if", "nDCG@10 < 0.6")
                assert ndcg(*gated, "--history", "runs.jsonl").code == 0
            if "base.json" in arguments and not Path("base.json").exists():
                assert ndcg("gate", "qrels.txt", "run.txt", "--baseline", "base.json",
                            "--update", "-m", "nDCG@10").code == 0  # fmt: skip
            assert ndcg(*arguments).code == 0, arguments


def test_every_example_of_the_module_runs_as_a_process() -> None:
    done = ndcg_process(*EVAL, "--format", "csv")
    assert (done.code, done.out, done.err) == (0, printed(*EVAL, "--format", "csv"), "")


def test_the_installed_script_is_the_same_command() -> None:
    script = Path(sys.executable).with_name("ndcg")
    if not script.exists():
        pytest.skip("the package is not installed beside this interpreter")
    done = subprocess.run([script, "--version"], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stdout.decode()) == (0, f"ndcg {package.__version__}\n")


@pytest.mark.parametrize(
    "arguments",
    [
        ("frobnicate",),
        ("",),
        ("q", "r"),
        ("eval",),
        ("eval", "q"),
        ("eval", "q", "missing"),
        ("eval", "missing", "r"),
        (*EVAL, "--frobnicate"),
        (*EVAL, "-m", "x"),
        (*EVAL, "-p", "x"),
        (*EVAL, "--ties", "x"),
        (*EVAL, "--format", "x"),
        (*EVAL, "--places", "-1"),
        (*EVAL, "-o", "x"),
        ("presets", "x"),
        ("presets", "a", "b", "c"),
        ("measures", "x"),
        ("measures", "nDCG", "AP"),
    ],
)
def test_every_mistake_ends_with_2_and_nothing_on_standard_output(
    arguments: tuple[str, ...],
) -> None:
    done = ndcg(*arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("error[E")


def test_options_may_stand_anywhere() -> None:
    assert printed("eval", "--json", "q", "--quiet", "r") == printed(*EVAL, "--json", "--quiet")
    put(s=RUN.replace(" t\n", " u\n"))
    both = printed("eval", "q", "r", "s", "--json", "--quiet")
    assert printed("eval", "q", "r", "--json", "s", "--quiet") == both
    assert printed("eval", "--json", "q", "-m", "nDCG@10", "r", "--quiet", "s") == both


@pytest.mark.parametrize("before", [("--", "q"), ("--", "./q")])
def test_two_dashes_end_the_options(before: tuple[str, ...]) -> None:
    put(**{"-x": RUN})
    done = ndcg("eval", "--format", "csv", *before, "-x")
    assert (done.code, done.out) == (0, printed(*EVAL, "--format", "csv"))


def test_two_dashes_before_the_runs_end_the_options() -> None:
    put(**{"-x": RUN})
    done = ndcg("eval", "--format", "csv", "q", "--", "-x")
    assert (done.code, done.out) == (0, printed(*EVAL, "--format", "csv"))


def test_a_file_whose_name_begins_with_a_dash_is_read_by_its_path() -> None:
    put(**{"-x": RUN})
    assert printed(*EVAL[:2], "./-x", "--format", "csv") == printed(*EVAL, "--format", "csv")


def test_options_are_not_guessed_from_their_beginnings() -> None:
    assert ndcg(*EVAL, "--per").code == 2
    assert ndcg(*EVAL, "--form", "csv").code == 2


def test_an_interrupt_ends_with_130_and_no_word(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("ndcg.evaluation.scored", interrupted)
    assert ndcg(*EVAL) == (130, "", "")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_control_c_ends_the_process_with_130_and_no_traceback() -> None:
    os.mkfifo("pipe")
    with subprocess.Popen(
        [sys.executable, "-m", "ndcg", "eval", "pipe", "r"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=plain_environment(),
    ) as process:
        end = writing_end("pipe", process)  # opens once the command waits for judgments
        try:
            # One signal may come between Python's look for signals and its wait for the pipe.
            for _ in range(DEADLINE):
                process.send_signal(signal.SIGINT)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(timeout=1)
                    break
        finally:
            process.kill()
            os.close(end)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, b"", b"")


def writing_end(pipe: str, process: subprocess.Popen[bytes]) -> int:
    """The end of a FIFO to write to, as soon as the process reads it; fails if it never does."""
    while process.poll() is None:
        with contextlib.suppress(OSError):  # nobody reads yet
            return os.open(pipe, os.O_WRONLY | os.O_NONBLOCK)
        time.sleep(0.01)
    return pytest.fail(f"it ended before it read: {process.communicate()}")


def test_a_fault_of_ours_ends_with_3_and_says_what_to_report(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr("ndcg.evaluation.scored", broken)
    what = "error: this is a fault of ndcg, not of your data: ZeroDivisionError: division by zero"
    how = "help: run the same command with --debug and report what it prints"
    assert ndcg(*EVAL) == (3, "", f"{what}\n{how}\n")
    debug = ndcg(*EVAL, "--debug")
    assert (debug.code, debug.out) == (3, "")
    assert debug.err.startswith("Traceback (most recent call last):\n")
    assert debug.err.endswith("ZeroDivisionError: division by zero\n")


def test_debug_may_stand_anywhere() -> None:
    assert "Traceback" in ndcg("--debug", "frobnicate").err
    assert "Traceback" in ndcg("eval", "--debug", "missing", "r").err
    assert ndcg("--debug", *EVAL) == ndcg(*EVAL)


def many_queries(number: int) -> None:
    """Files whose JSON is longer than a pipe holds."""
    put(
        q="".join(f"q{i} 0 a 1\n" for i in range(number)),
        r="".join(f"q{i} Q0 a 1 1 t\n" for i in range(number)),
    )


@pytest.mark.parametrize("queries", [1, 20_000])
def test_a_closed_pipe_is_quiet(queries: int) -> None:
    many_queries(queries)
    with subprocess.Popen(
        [sys.executable, "-m", "ndcg", *EVAL, "--json", "--per-query", "--quiet"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=plain_environment(),
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        first = process.stdout.readline()
        process.stdout.close()
        said = process.stderr.read()
    assert (first, said, process.returncode) == (b"{\n", b"", 0)


FULL, CLOSED = ("> /dev/full", "No space left on device"), (">&-", "it is closed")


@pytest.mark.parametrize(
    ("target", "why", "more"),
    [
        (*FULL, ()),
        (*FULL, ("--json",)),
        (*CLOSED, ("--json",)),
        (*CLOSED, ("--color", "never", "--format", "csv")),
        (*CLOSED, ()),
    ],
)
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_standard_output_that_cannot_be_written_is_no_fault_of_ours(
    target: str, why: str, more: tuple[str, ...]
) -> None:
    command = f"exec {sys.executable} -m ndcg eval q r {' '.join(more)} {target}"
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, env=plain_environment(), check=False
    )
    what = f"error[E08 output]: cannot write to standard output: {why}"
    assert done.stderr.decode() == f"{what}\nhelp: write to a file with -o FILE\n"
    assert done.returncode == 2


def test_a_closed_standard_error_does_not_swallow_the_numbers() -> None:
    put(q=MANY_QRELS, r=MANY_RUN)  # draws notes
    for kind in ("csv", "table", "trec"):
        command = f"exec {sys.executable} -m ndcg eval q r --format {kind} 2>&-"
        done = subprocess.run(
            ["/bin/sh", "-c", command], capture_output=True, env=plain_environment(), check=False
        )
        assert (done.returncode, done.stdout.decode()) == (0, printed(*EVAL, "--format", kind))


def test_main_leaves_the_process_as_it_was() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import gc; from ndcg.cli.main import main; main(['--version']); print(gc.isenabled())",
        ],
        capture_output=True,
        env=plain_environment(),
        check=True,
    )
    assert done.stdout.endswith(b"True\n")


@pytest.mark.parametrize("arguments", [EVAL, ("--help",), ("frobnicate",), ("eval", "q", "no")])
def test_main_leaves_the_garbage_collector_as_it_was(arguments: tuple[str, ...]) -> None:
    before = gc.isenabled()
    try:
        for switch in (gc.enable, gc.disable):
            switch()
            on = gc.isenabled()
            ndcg(*arguments)
            assert gc.isenabled() == on
    finally:
        (gc.enable if before else gc.disable)()


def test_evaluate_leaves_the_garbage_collector_as_it_was() -> None:
    assert gc.isenabled()
    package.evaluate("q", "r")
    assert gc.isenabled()


# -- what it writes --------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [*SUFFIXES, ".JSON", ".Md"])
def test_the_suffix_picks_the_format(suffix: str) -> None:
    done = ndcg(*EVAL, "-o", f"values{suffix}")
    assert (done.code, done.out) == (0, "")
    expected = printed(*EVAL, "--format", SUFFIXES[suffix.lower()])
    assert Path(f"values{suffix}").read_text("utf-8") == expected


def test_several_files_at_once_and_standard_output_among_them() -> None:
    done = ndcg(*EVAL, "-o", "a.json", "-o", "-", "--output", "b.csv", "-o", "c.md")
    assert (done.code, done.out) == (0, printed(*EVAL))
    assert sorted(os.listdir()) == ["a.json", "b.csv", "c.md", "q", "r"]
    assert Path("a.json").read_text("utf-8") == printed(*EVAL, "--json")
    assert Path("b.csv").read_text("utf-8") == printed(*EVAL, "--format", "csv")


def test_a_format_helps_an_unknown_suffix_and_must_agree_with_a_known_one() -> None:
    assert ndcg(*EVAL, "-o", "values.dat", "-o", "values.tsv", "--format", "tsv").code == 0
    assert Path("values.dat").read_text("utf-8") == printed(*EVAL, "--format", "tsv")
    assert Path("values.tsv").read_text("utf-8") == printed(*EVAL, "--format", "tsv")
    assert ndcg(*EVAL, "-o", "values", "-o", "values.JSON", "--json").code == 0
    assert Path("values").read_text("utf-8") == Path("values.JSON").read_text("utf-8")
    for wrong in (("--format", "tsv"), ("--json",)):
        done = ndcg("eval", "missing", "missing", "-o", "a.dat", "-o", "b.md", *wrong)
        what = f"the suffix of b.md means markdown, and {wrong[-1].strip('-')} is asked for"
        assert done == (2, "", f"error[E01 usage]: {what}\nhelp: give one of them\n")
    assert not Path("a.dat").exists()


def test_a_format_beside_files_is_that_of_standard_output_too() -> None:
    done = ndcg(*EVAL, "-o", "a.csv", "-o", "-", "--format", "csv")
    assert (done.code, done.out) == (0, printed(*EVAL, "--format", "csv"))
    assert Path("a.csv").read_text("utf-8") == done.out


def refused_as_input(output: str, given: str, *arguments: str) -> None:
    """The command refuses to write there, says which input it is, and changes no file."""
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    done = ndcg("eval", *arguments, "-o", output, "-o", "other.csv", "--format", "csv")
    what = f"error[E08 output]: the output {output} is the input {given}"
    assert done == (2, "", f"{what}\nhelp: choose another name\n")
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before


@pytest.mark.parametrize("given", ["q", "r", "s"])
def test_an_input_is_never_written_over(given: str) -> None:
    put(s=RUN.replace(" t\n", " u\n"))
    Path("folder").mkdir()
    Path("to-it").symlink_to(given)
    Path("to-the-link").symlink_to("to-it")
    Path("here").symlink_to(".")
    spellings = [given, f"./{given}", f"folder/../{given}", str(Path(given).absolute())]
    spellings += ["to-it", "to-the-link", f"here/{given}"]
    for output in spellings:
        refused_as_input(output, given, "q", "r", "s")


def test_an_input_that_is_given_by_a_link_is_never_written_over() -> None:
    Path("to-it").symlink_to("r")
    for output in ("r", "to-it", "./r"):
        refused_as_input(output, "to-it", "q", "to-it")


@pytest.mark.skipif(not hasattr(os, "link"), reason="no hard links here")
def test_an_output_that_was_another_name_of_an_input_leaves_the_input_as_it_was() -> None:
    os.link("r", "same.csv")
    assert ndcg(*EVAL, "-o", "same.csv").code == 0
    assert Path("r").read_text("utf-8") == RUN
    assert Path("same.csv").read_text("utf-8") == printed(*EVAL, "--format", "csv")


@pytest.mark.parametrize("option", ["--weights", "--groups"])
def test_a_table_of_weights_or_groups_is_never_written_over(option: str) -> None:
    put(w="q1 1\n")
    refused_as_input("w", "w", *EVAL[1:], option, "w")


def test_a_file_of_queries_is_never_written_over() -> None:
    put(w="q1\n")
    refused_as_input("w", "w", *EVAL[1:], "--queries-from", "w")


def test_a_file_beside_the_inputs_is_written_over_and_standard_input_is_none() -> None:
    put(**{"a.csv": "old", "-": "a file called so"})
    assert ndcg("eval", "-", "r", "-o", "a.csv", "-o", "-", stdin=QRELS.encode()).code == 0
    assert Path("a.csv").read_text("utf-8") == printed(*EVAL, "--format", "csv")
    assert Path("-").read_text("utf-8") == "a file called so"


@pytest.mark.parametrize("name", ["values.yaml", "values", ".json"])
def test_an_unknown_suffix_is_refused_before_anything_is_read(name: str) -> None:
    done = ndcg("eval", "missing", "missing", "-o", name)
    assert (done.code, "E01 usage" in done.err) == (2, True)
    assert sorted(os.listdir()) == ["q", "r"]


@pytest.mark.parametrize("bad", ["nowhere/b.json", "folder.json"])
@pytest.mark.parametrize("first", [True, False])
def test_a_file_that_cannot_be_written_leaves_nothing_of_the_others(bad: str, first: bool) -> None:
    Path("folder.json").mkdir()
    Path("old.csv").write_text("old", encoding="utf-8")
    names = [bad, "old.csv", "new.md"] if first else ["old.csv", "new.md", bad]
    done = ndcg(*EVAL, *(part for name in names for part in ("-o", name)))
    assert (done.code, done.out) == (2, "")
    assert f"cannot write {bad}" in done.err
    assert sorted(os.listdir()) == ["folder.json", "old.csv", "q", "r"]
    assert Path("old.csv").read_text("utf-8") == "old"


def test_an_error_leaves_old_output_files_as_they_were() -> None:
    put(**{"values.json": "old"}, r=RUN.replace("1.0", "nan"))
    assert ndcg(*EVAL, "-o", "values.json").code == 2
    assert Path("values.json").read_text("utf-8") == "old"


def on_a_full_disk(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    """The command where no file can grow: its writes fail as on a full disk."""
    command = f"ulimit -f 0; exec {sys.executable} -m ndcg {' '.join(arguments)}"
    return subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        env=plain_environment({"PYTHONDONTWRITEBYTECODE": "1"}),
        timeout=60,
        check=False,
    )


def test_a_full_disk_leaves_old_files_as_they_were() -> None:
    put(**{"a.json": "old"})
    done = on_a_full_disk(*EVAL, "-o", "b.csv", "-o", "a.json")
    assert (done.returncode, done.stdout) == (2, b"")
    what = b"error[E08 output]: cannot write b.csv (File too large); nothing was written\n"
    assert done.stderr.startswith(what)
    assert Path("a.json").read_text("utf-8") == "old"
    assert not Path("b.csv").exists()


def test_a_full_disk_leaves_no_scraps() -> None:
    on_a_full_disk(*EVAL, "-o", "a.json")
    assert sorted(os.listdir()) == ["q", "r"]


def test_an_old_file_is_replaced_and_new_ones_have_the_usual_permissions() -> None:
    put(**{"a.json": "old" * 10_000})
    before = os.umask(0o022)
    try:
        assert ndcg(*EVAL, "-o", "a.json", "-o", "b.csv").code == 0
    finally:
        os.umask(before)
    assert json.loads(Path("a.json").read_text("utf-8"))["schema"] == 1
    assert stat.S_IMODE(Path("b.csv").stat().st_mode) == 0o644


def test_a_link_is_written_through() -> None:
    Path("real.json").write_text("old", encoding="utf-8")
    Path("link.json").symlink_to("real.json")
    assert ndcg(*EVAL, "-o", "link.json").code == 0
    assert Path("link.json").is_symlink()
    assert json.loads(Path("real.json").read_text("utf-8"))["schema"] == 1


def test_a_chain_of_links_into_another_folder_is_written_through() -> None:
    Path("folder").mkdir()
    Path("folder/real.json").write_text("old", encoding="utf-8")
    Path("folder/inner.json").symlink_to("real.json")
    Path("link.json").symlink_to("folder/inner.json")
    assert ndcg(*EVAL, "-o", "link.json").code == 0
    assert Path("link.json").is_symlink()
    assert Path("folder/inner.json").is_symlink()
    assert Path("folder/real.json").read_text("utf-8") == printed(*EVAL, "--json")
    assert sorted(os.listdir("folder")) == ["inner.json", "real.json"]
    assert sorted(os.listdir()) == ["folder", "link.json", "q", "r"]


def test_a_link_to_nothing_yet_makes_the_file_it_points_to() -> None:
    Path("link.json").symlink_to("new.json")
    assert ndcg(*EVAL, "-o", "link.json").code == 0
    assert Path("link.json").is_symlink()
    assert Path("new.json").read_text("utf-8") == printed(*EVAL, "--json")


def test_a_device_is_written_to_and_stays_what_it_is() -> None:
    if not Path("/dev/null").is_char_device():
        pytest.skip("no /dev/null here")
    assert ndcg(*EVAL, "-o", "/dev/null", "--format", "csv") == (0, "", "")
    assert Path("/dev/null").is_char_device()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_pipe_or_device_is_written_to_and_stays_what_it_is() -> None:
    os.mkfifo("pipe.json")
    read: list[str] = []

    def drain() -> None:
        read.append(Path("pipe.json").read_text("utf-8"))

    reader = threading.Thread(target=drain, daemon=True)
    reader.start()
    assert ndcg(*EVAL, "-o", "pipe.json").code == 0
    assert stat.S_ISFIFO(Path("pipe.json").stat().st_mode)
    reader.join(timeout=10)
    assert read == [printed(*EVAL, "--json")]


def test_output_is_utf8_with_plain_line_ends_in_every_locale() -> None:
    put(q=QRELS.replace("q1", "caf\xe9"), r=RUN.replace("q1", "caf\xe9"))
    environment = {"LC_ALL": "C", "PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    done = ndcg_process(*EVAL, "--format", "csv", "--per-query", environment=environment)
    assert done.out == printed(*EVAL, "--format", "csv", "--per-query")
    assert "t,caf\xe9,nDCG@10,1.0," in done.out
    assert "\r" not in done.out


def test_the_same_bytes_come_out_every_time() -> None:
    put(q=MANY_QRELS, r=MANY_RUN)
    outs = {
        ndcg_process(*EVAL, "--json", "--per-query", environment={"PYTHONHASHSEED": seed})
        for seed in ("0", "1", "2")
    }
    assert len(outs) == 1


def test_quiet_says_nothing_and_verbose_says_what_was_read() -> None:
    put(q=MANY_QRELS, r=MANY_RUN)
    assert ndcg(*EVAL).err != ""
    assert ndcg(*EVAL, "--quiet").err == ""
    assert ndcg(*EVAL, "--quiet").out == ndcg(*EVAL, "-v").out == ndcg(*EVAL).out
    read = ["read q: trec qrels, 8 rows, 4 queries", "read r: trec run, 8 rows, 4 queries"]
    assert ndcg(*EVAL, "--verbose").err.splitlines()[:2] == read


def test_only_json_reads_the_files_for_their_fingerprints() -> None:
    whole = json.loads(printed(*EVAL, "--json"))
    assert [len(one["sha256"]) for one in whole["inputs"]] == [64, 64]
    assert ndcg(*EVAL, "-o", "a.csv", "-o", "b.json").code == 0
    assert json.loads(Path("b.json").read_text("utf-8")) == whole


# -- signatures round trip -------------------------------------------------------------------------

CONVENTIONS: dict[str, tuple[str, ...]] = {
    "the default": (),
    "another measure": ("-m", "P(rel=2)@5"),
    "a foreign name": ("-m", "ndcg_cut_10"),
    "a preset": ("-p", "trec_eval-9"),
    "linear gain": ("--gain", "linear"),
    "a gain table": ("--gain", "0=0,1=0.1,2=0.5,3=7,-1=0"),
    "another discount": ("--discount", "jarvelin:2.5", "-m", "DCG@3"),
    "slots": ("--ideal", "slots:3"),
    "expected ties": ("--ties", "expected", "--ideal", "retrieved"),
    "rank order": ("--order-by", "rank"),
    "listed order": ("--order-by", "position"),
    "ascending": ("--score-order", "ascending", "--score-type", "float32"),
    "a cut": ("--depth", "2", "--ideal-depth", "returned"),
    "assumed grades": ("--unjudged", "grade:0.5", "--negative", "unjudged"),
    "condensed": ("--unjudged", "drop", "--negative", "remove"),
    "every query counts": ("--empty", "one", "--missing", "exclude", "--extra", "zero"),
    "no self-match": ("--self-match", "drop", "--duplicates", "count", "--judgments", "max"),
    "inside the measure": ("-m", "nDCG(gain=linear,ties=worst)@2"),
}
AS_GIVEN = ["csv", "tsv", "jsonl", "table", "markdown", "trec"]


@pytest.mark.parametrize("name", CONVENTIONS)
def test_a_printed_signature_scores_the_same_bytes_again(name: str) -> None:
    put(q=MANY_QRELS, r=MANY_RUN)
    whole = json.loads(printed(*EVAL, *CONVENTIONS[name], "--json"))
    (measure,) = whole["systems"][0]["measures"].values()
    again = ("--signature", measure["signature"])
    for kind in AS_GIVEN:
        shown = ("--format", kind, "--per-query", "--places", "17")
        assert printed(*EVAL, *again, *shown) == printed(*EVAL, *CONVENTIONS[name], *shown)
    if name != "inside the measure":  # there the axes move from the measure to the convention
        assert json.loads(printed(*EVAL, *again, "--json")) == whole
    assert package.Convention.parse(measure["signature"]).digest in measure["signature"]


@pytest.mark.parametrize("option", ["--weights", "--groups"])
def test_a_signature_with_weights_or_groups_wants_the_same_file(option: str) -> None:
    put(q=MANY_QRELS, r=MANY_RUN, t="q1 1\nq2 3\nq4 1\n", u="q1 1\nq2 2\nq4 1\n")
    first = printed(*EVAL, option, "t", "--json")
    (measure,) = json.loads(first)["systems"][0]["measures"].values()
    again = (*EVAL, "--signature", measure["signature"])
    assert printed(*again, option, "t", "--json") == first
    assert ndcg(*again).code == 2
    other = ndcg(*again, option, "u")
    assert (other.code, "the signature was made with other ones" in other.err) == (2, True)


def test_a_signature_out_of_a_markdown_table_is_read() -> None:
    (measure,) = json.loads(printed(*EVAL, "--json"))["systems"][0]["measures"].values()
    escaped = measure["signature"].replace("|", "\\|")
    assert printed(*EVAL, "--signature", f" {escaped} ") == printed(*EVAL)


def test_a_run_without_scores_says_what_it_was_ordered_by() -> None:
    put(r="q1 b 2\nq1 a 1\n")
    whole = json.loads(printed(*EVAL, "--json"))
    (measure,) = whole["systems"][0]["measures"].values()
    assert "|order_by:rank|" in measure["signature"]
    csv = (*EVAL, "--format", "csv")
    assert printed(*csv, "--signature", measure["signature"]) == printed(*csv)
    assert printed(*csv, "--order-by", "rank") == printed(*csv)


def test_a_signature_without_a_measure_is_of_the_default_one() -> None:
    plain = printed(*EVAL, "--gain", "binary", "--ties", "input", "--format", "csv")
    given = ("--signature", "gain:binary|ties:input", "--format", "csv")
    assert printed(*EVAL, *given) == plain
    named = ("--signature", "AP@3|gain:binary|ties:input", "--format", "csv")
    asked = ("-m", "AP@3", "--gain", "binary", "--ties", "input", "--format", "csv")
    assert printed(*EVAL, *named) == printed(*EVAL, *asked)


# -- conventions -----------------------------------------------------------------------------------


def test_flags_override_the_preset_wherever_they_stand() -> None:
    put(q=MANY_QRELS, r=MANY_RUN)
    for arguments in (
        ("-p", "trec_eval", "--ties", "input"),
        ("--ties", "input", "-p", "trec_eval"),
        ("--axis", "ties=input", "--preset", "trec_eval"),
    ):
        whole = json.loads(printed(*EVAL, *arguments, "--json"))
        expected = package.PRESETS["trec_eval"].convention.but({"ties": "input"})
        assert package.Convention.from_dict(whole["convention"]) == expected


def test_axis_takes_any_axis_with_either_spelling() -> None:
    put(q=MANY_QRELS, r=MANY_RUN)
    expected = printed(*EVAL, "--ideal-depth", "all", "--gain", "0=0,1=1,2=2,3=9", "--json")
    for name in ("ideal_depth", "ideal-depth"):
        given = ("--axis", f"{name}=all", "--axis", "gain=0=0,1=1,2=2,3=9")
        assert printed(*EVAL, *given, "--json") == expected


def test_an_axis_given_twice_is_refused_unless_both_say_the_same() -> None:
    assert "|ties:best|" in printed(*EVAL, "--ties", "best", "--axis", "ties=best")
    for options in (
        ("--ties", "worst", "--axis", "ties=best"),
        ("--axis", "ties=worst", "--axis", "ties=best"),
        ("--ties", "worst", "--ties", "best"),
        ("-p", "trec_eval", "-p", "ranx"),
    ):
        done = ndcg(*EVAL, *options)
        assert (done.code, done.out) == (2, "")
        assert "is given twice: " in done.err


def test_every_axis_has_a_flag_that_takes_each_of_its_words() -> None:
    put(q=MANY_QRELS, r=MANY_RUN, w="q1 1\nq2 1\nq4 1\n")
    assert [name for name, axis in package.AXES.items() if not axis.settable] == ["set"]
    for name, axis in package.AXES.items():
        for word in axis.words if axis.settable else ():
            more = {"weighted": ("--weights", "w"), "group": ("--groups", "w")}.get(word, ())
            flag = f"--{name.replace('_', '-')}"
            setting = ["--axis", f"{name}={word}"] if axis.rare else [flag, word]
            done = ndcg(*EVAL, *setting, *more, "--format", "csv")
            if word == "error" and name in ("negative", "empty", "missing", "extra"):
                assert (done.code, name in done.err) == (2, True)
            else:
                assert done.code == 0, (name, word, done.err)


@pytest.mark.parametrize(
    ("flag", "value"),
    [
        ("--gain", "-1=0,0=0,1=1,2=2,3=9"),
        ("--discount", "jarvelin:3"),
        ("--ideal", "slots:3"),
        ("--depth", "2"),
        ("--unjudged", "grade:0.5"),
    ],
)
def test_flags_take_values_with_a_parameter(flag: str, value: str) -> None:
    put(q=MANY_QRELS, r=MANY_RUN)
    for arguments in ((flag, value), (f"{flag}={value}",), ("--axis", f"{flag[2:]}={value}")):
        if value.startswith("-") and arguments == (flag, value):
            continue  # argparse would take it for an option
        assert f"|{flag[2:]}:{value}|" in printed(*EVAL, *arguments)


def test_conventions_change_the_number_they_should() -> None:
    put(q="q1 0 a 3\nq1 0 b 1\n", r="q1 Q0 b 1 2 t\nq1 Q0 a 2 1 t\n")
    from math import log2

    assert values(*EVAL) == {"nDCG@10": (1 + 7 / log2(3)) / (7 + 1 / log2(3))}
    linear = (1 + 3 / log2(3)) / (3 + 1 / log2(3))
    assert values(*EVAL, "--gain", "linear") == {"nDCG@10": linear}
    assert values(*EVAL, "-p", "trec_eval") == {"nDCG@10": linear}
    assert values(*EVAL, "-m", "DCG(discount=none)@1") == {"DCG(discount=none)@1": 1.0}


# -- measures --------------------------------------------------------------------------------------


def test_measures_come_in_the_order_asked_for_and_once() -> None:
    asked = ("-m", "AP", "-m", "nDCG@5", "-m", "AP", "-m", "map", "-m", "P@1")
    assert list(values(*EVAL, *asked)) == ["AP", "nDCG@5", "P@1"]


FOREIGN = ["ndcg_cut_10", "map", "P_5", "recall_100", "NDCG@10", "ndcg_at_10", "ndcg@10", "MRR"]


@pytest.mark.parametrize("name", FOREIGN)
def test_foreign_names_warn_without_a_preset_and_not_with_one(name: str) -> None:
    done = ndcg(*EVAL, "-m", name)
    assert done.code == 0
    assert done.err.startswith(f"warning: {name} is ")
    assert " by the convention shown, which may give another number" in done.err
    assert ndcg(*EVAL, "-m", name, "-p", "trec_eval").err == ""
    assert ndcg(*EVAL, "--signature", f"{name}|gain:linear") == (
        0,
        printed(*EVAL, "-m", name, "--gain", "linear", "--quiet"),
        "",
    )
    assert ndcg(*EVAL, "-m", name, "--quiet").err == ""


def test_a_foreign_name_says_whose_it_is_and_which_preset_gives_theirs() -> None:
    assert ndcg(*EVAL, "-m", "ndcg_cut_10").err == (
        "warning: ndcg_cut_10 is trec_eval's name; here it is nDCG@10 by the convention shown, "
        "which may give another number; -p trec_eval gives theirs\n"
    )
    assert ndcg(*EVAL, "-m", "hit_rate@5").err == (
        "warning: hit_rate@5 is ranx's name; here it is Success@5 by the convention shown, "
        "which may give another number\n"
    )
    assert ndcg(*EVAL, "-m", "MRR").err == (
        "warning: MRR is a name used by many tools; here it is RR by the convention shown, "
        "which may give another number\n"
    )


def test_our_own_names_never_warn() -> None:
    every = [
        part
        for name, record in package.MEASURES.items()
        for part in ("-m", name, *(("-m", f"{name}@10") if record.cutoff else ()))
    ]
    assert ndcg(*EVAL, *every).err == ""


def test_a_fractional_grade_below_the_threshold_is_told() -> None:
    put(q="q1 0 a 0.5\nq1 0 b 1\n", r=RUN.replace("1.0", "1.5"))
    done = ndcg(*EVAL, "-m", "P@5", "-m", "AP", "-m", "P(rel=0.5)@5", "-m", "nDCG@5")
    assert done.err == (
        "warning: 1 grade between 0 and 1 counted as not relevant in P@5, AP; "
        "set the threshold, as in P(rel=0.5)\n"
    )


# -- weights and groups ----------------------------------------------------------------------------


def test_weights_weigh_and_groups_average_their_means() -> None:
    put(
        q="q1 0 a 1\nq2 0 a 1\nq3 0 a 1\n",
        r="q1 Q0 a 1 1 t\nq2 Q0 x 1 1 t\nq3 Q0 x 1 1 t\n",
        w="q1\t2\nq2\t1.5\n\nq3 0.5\nunknown 9\n",
        g="q1\tlong tail\nq2\thead\nq3\thead\n",
    )
    assert values(*EVAL, "-m", "P@1") == {"P@1": 1 / 3}
    assert values(*EVAL, "-m", "P@1", "--weights", "w") == {"P@1": 2 / (2 + 1.5 + 0.5)}
    assert values(*EVAL, "-m", "P@1", "--groups", "g") == {"P@1": (0 + 1) / 2}
    assert values(*EVAL, "-m", "P@1", "--average", "group", "--groups", "g") == {"P@1": 0.5}


def test_weights_are_digested_by_what_they_say_and_not_how() -> None:
    put(q="q1 0 a 1\nq2 0 a 1\n", r="q1 Q0 a 1 1 t\nq2 Q0 a 1 1 t\n")
    digests = set()
    for table in ("q1 1\nq2 2\n", "q2\t2.0\r\nq1\t+1\r\n", "\ufeffq1 1\n\nq2 2e0"):
        put(w=table)
        digests.add(
            re.findall(r"average:(weighted@[0-9a-f]{8})\|", printed(*EVAL, "--weights", "w"))[0]
        )
    assert len(digests) == 1


def test_a_query_that_carries_most_of_the_weight_is_told() -> None:
    put(q="q1 0 a 1\nq2 0 a 1\n", r=RUN + "q2 Q0 a 1 1 t\n", w="q1 9\nq2 1\n")
    assert ndcg(*EVAL, "--weights", "w").err == "warning: query 'q1' carries 90% of the weights\n"


@pytest.mark.parametrize("table", ["q9 3\n", "q1 0\n"])
def test_weights_where_no_query_is_left_to_average(table: str) -> None:
    put(w=table)
    assert values(*EVAL, "-m", "P(rel=9)@5", "--weights", "w") == {"P(rel=9)@5": None}


def test_weights_that_add_up_past_the_doubles_are_refused() -> None:
    put(q=QRELS + "q2 0 a 1\n")
    what = "error[E09 weights]: the weights of the averaged queries add up to inf"
    how = "help: give at least one of them a weight above 0, and none too large"
    for sums in ("q1 1e308\nq2 1e308\n", "q1 1.7e308\nq2 1e307\n"):
        put(w=sums)
        done = ndcg(*EVAL, "-m", "P@1", "--weights", "w", "--json")
        assert done == (2, "", f"{what}\n{how}\n")


def test_weights_as_large_as_their_sum_allows_weigh() -> None:
    put(q=QRELS + "q2 0 a 1\n", w="q1 1e308\nq2 5e307\n")
    assert values(*EVAL, "-m", "P@1", "--weights", "w") == {"P@1": pytest.approx(2 / 3, abs=1e-15)}
    put(w="q1 5e-324\nq2 5e-324\n")
    assert values(*EVAL, "-m", "P@1", "--weights", "w") == {"P@1": 0.5}


# -- several systems -------------------------------------------------------------------------------


def test_systems_are_named_by_their_tags_then_files_then_paths() -> None:
    def names(*runs: str) -> list[str]:
        whole = json.loads(printed("eval", "q", *runs, "--json"))
        return [system["name"] for system in whole["systems"]]

    other = RUN.replace(" t\n", " u\n")
    Path("folder").mkdir()
    put(**{"a.run": RUN, "b.run": RUN, "c.run": other, "folder/a.run": RUN})
    assert names("a.run") == ["t"]
    assert names("a.run", "c.run") == ["t", "u"]
    assert names("a.run", "b.run") == ["a", "b"]
    assert names("a.run", "folder/a.run") == ["a.run", "folder/a.run"]


def test_each_system_has_its_own_notes_after_those_of_all() -> None:
    put(q=MANY_QRELS, r=MANY_RUN, s=MANY_RUN.replace("q9", "q4").replace(" t\n", " u\n"))
    lines = ndcg("eval", "q", "r", "s", "-v").err.splitlines()
    lines = [line for line in lines if not line.startswith("read ")]
    missing = "1 of 4 judged queries missing from run, counted 0: q4"
    assert [line for line in lines if "missing" in line or "no judgments" in line] == [
        f"note: t: {missing}; --missing exclude leaves them out",
        "note: t: 1 run query with no judgments, left out: q9; --extra zero counts them 0",
    ]
    own = [line.startswith(("note: t: ", "note: u: ")) for line in lines]
    assert own == sorted(own)


def test_notes_that_hold_for_all_systems_are_said_once() -> None:
    put(q=MANY_QRELS, r=MANY_RUN, s=MANY_RUN.replace(" t\n", " u\n"))
    one, both = (ndcg("eval", "q", *runs, "-v").err.splitlines() for runs in (["r"], ["r", "s"]))
    of_files = [line for line in both if line.startswith(("note: s: ", "read s: "))]
    assert sorted(both) == sorted([*one, *of_files])


def test_five_notes_are_said_warnings_before_all_others_and_the_rest_counted() -> None:
    put(q=MANY_QRELS + "q5 0 z 30\n", r=MANY_RUN + "q5 Q0 z 1 1 t\n")
    every = [one for one in ndcg("eval", "q", "r", "-v").err.splitlines() if "read " not in one]
    said = ndcg("eval", "q", "r").err.splitlines()
    assert len(said) == 6
    assert {line for line in every if line.startswith("warning") or "missing" in line} <= {*said}
    assert [line for line in every if line in said] == said[:5]
    more = f"note: {len(every) - 5} more like these; -v says all, ndcg check looks closer"
    assert said[5] == more


def test_notes_come_after_the_data() -> None:
    put(q=MANY_QRELS, r=MANY_RUN)
    command = f"exec {sys.executable} -m ndcg eval q r 2>&1"
    done = subprocess.run(
        ["/bin/sh", "-c", command], capture_output=True, env=plain_environment(), check=True
    )
    assert done.stdout.decode() == ndcg(*EVAL).out + ndcg(*EVAL).err


# -- presets and measures --------------------------------------------------------------------------


def test_presets_lists_every_preset_in_80_columns() -> None:
    lines = printed("presets").splitlines()
    assert lines[0].split()[0] == "preset"
    assert [line.split()[0] for line in lines[1:]] == list(package.PRESETS)
    for line, preset in zip(lines[1:], package.PRESETS.values(), strict=True):
        gain = "table" if "=" in preset.convention.gain else preset.convention.gain
        assert line.split()[1:4:2] == [gain, preset.convention.ties]
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize("name", list(package.PRESETS))
def test_the_card_of_a_preset_shows_every_axis(name: str) -> None:
    text = printed("presets", name)
    preset = package.PRESETS[name]
    assert text.startswith(f"{name}  [{preset.convention.digest}]\n\n")
    for axis, value in preset.convention.to_dict().items():
        default = package.AXES[axis].default
        note = "" if value == default else f" +\\(default {default}\\)"
        assert re.search(rf"^{axis} +{value}{note}$", text, re.MULTILINE)
    assert preset.use in text


def test_presets_as_json_hold_all_that_is_known() -> None:
    whole = json.loads(printed("presets", "--json"))
    assert [one["name"] for one in whole["presets"]] == list(package.PRESETS)
    for one, own in zip(whole["presets"], package.PRESETS.values(), strict=True):
        assert package.Convention.from_dict(one["axes"]) == own.convention
        assert (one["digest"], one["use"]) == (own.convention.digest, own.use)
        assert one["deviations"] == list(own.deviations)
    two = json.loads(printed("presets", "--json", "trec_eval-9", "trec_eval-10"))
    assert [one["name"] for one in two["presets"]] == ["trec_eval-9", "trec_eval-10"]
    assert two["difference"]["score_type"] == ["float32", "float64"]
    (alone,) = json.loads(printed("presets", "sklearn", "--json"))["presets"]
    assert alone["tool"] == "scikit-learn"


def test_two_presets_are_compared_axis_by_axis() -> None:
    lines = printed("presets", "trec_eval-9", "trec_eval-10").splitlines()
    assert [line.split() for line in lines] == [
        ["axis", "trec_eval-9", "trec_eval-10"],
        ["score_type", "float32", "float64"],
        ["missing", "exclude", "error"],
    ]
    assert printed("presets", "ndcg", "ndcg") == "ndcg and ndcg set the same axes [6b86b273]\n"


def test_measures_lists_every_measure() -> None:
    lines = printed("measures").splitlines()
    names = [line.split()[0] for line in lines[1 : len(package.MEASURES) + 1]]
    assert names == list(package.MEASURES)


@pytest.mark.parametrize("name", list(package.MEASURES))
def test_the_card_of_a_measure_shows_formula_and_source(name: str) -> None:
    text = printed("measures", name)
    record = package.MEASURES[name]
    assert re.match(f"measure +{name} \\({re.escape(record.title)}\\)\n", text)
    assert f"{record.example[0]} = {record.example[1]} = " in text
    assert record.formula in text
    assert record.source in text


def test_the_card_of_a_foreign_name_says_whose_it_is() -> None:
    text = printed("measures", "ndcg_cut_10")
    assert re.match("name +ndcg_cut_10 is trec_eval's name; here it is nDCG@10\n", text)
    assert text.endswith(printed("measures", "nDCG"))


def test_the_card_of_a_family_of_trec_eval_is_that_of_our_measure() -> None:
    assert printed("measures", "recall") == printed("measures", "R")


def test_counts_are_shown_without_decimals_and_are_no_means() -> None:
    put(qrels_txt=QRELS + "q2 0 a 0\n", run_txt=RUN)
    text = printed("eval", "qrels.txt", "run.txt", "-m", "NumRet", "-m", "AP", "--per-query")
    rows = [line.split() for line in text.splitlines()]
    assert rows[0] == ["measure", "system", "value", "95%", "CI", "queries"]
    assert ["NumRet", "t", "2", "2"] in rows
    assert ["q1", "2", "1.0000"] in rows


@pytest.mark.parametrize("name", list(GROUPED))
def test_the_card_of_a_measure_of_judgments_with_groups(name: str) -> None:
    text = printed("measures", name)
    record = GROUPED[name]
    assert re.match(f"measure +{name} \\({re.escape(record.title)}\\)\n", text)
    assert record.formula in text
    assert "ndcg trec-eval -R" in text


# -- options of one another ------------------------------------------------------------------------


def test_no_two_options_of_a_command_share_a_flag_or_start_with_another_axis() -> None:
    from ndcg.cli.eval_command import parser_of_eval

    parser = parser_of_eval()
    assert isinstance(parser, Parser)
    flags = [flag for action in parser._actions for flag in action.option_strings]
    assert len(set(flags)) == len(flags)
    assert all(re.fullmatch(r"-[a-zA-Z]|--[a-z][a-z-]*", flag) for flag in flags)
