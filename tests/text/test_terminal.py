"""What a person sees on a terminal, of standard error too: wrapped, coloured, with a next step."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from command import on_terminal as process_on_terminal

DATA = Path(__file__).parent.parent / "data"


def on_terminal(*arguments: str, columns: int = 80, code: str = "", **variables: str) -> str:
    """Everything that a command writes to a terminal of some width, run beside the data."""
    plain = {"PATH": os.environ["PATH"], "TERM": "xterm", "COLUMNS": str(columns), **variables}
    command = ["-c", code] if code else ["-m", "ndcg"]
    return process_on_terminal(
        *command, *arguments, columns=columns, environment=plain, both=True, cwd=DATA
    )


PAIR = ("eval", "small.qrels", "small.run")


def without_color(text: str) -> str:
    return re.sub("\x1b\\[[0-9;]*m", "", text)


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_notes_fit_the_terminal(columns: int) -> None:
    lines = without_color(on_terminal(*PAIR, columns=columns)).split("\n")
    begin = next(at for at, line in enumerate(lines) if line.startswith("note: "))
    assert max(map(len, lines[begin:-2])) <= min(columns, 100)
    assert any(line.startswith("  ") for line in lines[begin:])


def test_the_last_line_suggests_a_command_that_works() -> None:
    first = without_color(on_terminal(*PAIR)).rstrip().split("\n")[-1]
    assert first == "next: ndcg eval small.qrels small.run --per-query  # to see every query"
    second = without_color(on_terminal(*first.partition("  #")[0].split()[2:]))
    assert "q10 " in second
    assert (
        second.rstrip().split("\n")[-1].startswith("next: ndcg eval small.qrels small.run --per-q")
    )
    dashed = without_color(on_terminal("eval", "--", *PAIR[1:])).rstrip().split("\n")[-1]
    assert dashed.startswith("next: ndcg eval --per-query -- small.qrels small.run  #")
    assert "next:" not in on_terminal(*PAIR, "--quiet")
    assert "next:" not in on_terminal(*PAIR, "--json")


def test_levels_are_coloured_unless_colour_is_not_wanted() -> None:
    assert "\x1b[36mnote\x1b[0m: " in on_terminal(*PAIR)
    for variables in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        assert "\x1b[36m" not in on_terminal(*PAIR, **variables)
    assert "\x1b" not in on_terminal(*PAIR, "--color", "never")


def test_a_bar_shows_how_far_a_large_file_has_come_after_a_while(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from ndcg.cli import progress, terminal

    shown = []

    class Bar:
        def start(self) -> None:
            shown.append("start")

        def stop(self) -> None:
            shown.append("stop")

        def add_task(self, name: str, total: int) -> str:
            shown.append(f"{name} {total}")
            return name

        def update(self, task: str, completed: int) -> None:
            shown.append(f"{task} {completed}")

    monkeypatch.setattr(terminal, "error_width", lambda: 80)
    monkeypatch.setattr(progress, "_progress", Bar)
    monkeypatch.delenv("CI", raising=False)

    def read(patience: float, *, wanted: bool = True) -> list[str]:
        from ndcg.formats import chunks

        shown.clear()
        monkeypatch.setattr(progress, "_PATIENCE", patience)
        path = str(DATA / "small.qrels")
        with progress.shown_progress(wanted=wanted):
            assert b"".join(chunks.whole_lines(path, 50)) == Path(path).read_bytes()
        return shown

    assert read(1.0) == []
    assert read(0.0, wanted=False) == []
    size = (DATA / "small.qrels").stat().st_size
    told = read(0.0)
    assert told[:2] == ["start", f"small.qrels {size}"]
    assert told[-2:] == [f"small.qrels {size}", "stop"]
    monkeypatch.setenv("CI", "true")
    assert read(0.0) == []


def test_the_bar_itself_can_be_drawn() -> None:
    from ndcg.cli import progress

    bar = progress._progress()
    with bar:
        task = bar.add_task("run.txt", total=10)
        bar.update(task, completed=10)
    assert bar.finished


def test_errors_fit_the_terminal_but_for_what_they_quote() -> None:
    process = "import sys; from ndcg.cli.main import main; sys.exit(main() and 0)"
    text = on_terminal(*PAIR, "--ties", "random", code=process)
    assert max(map(len, text.split("\n"))) <= 80
    assert "error[E04 axis]" in text
