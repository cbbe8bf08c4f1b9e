"""Figures as a table for a terminal and for a page; nothing in them is written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from measuring import Contestant
    from tasks import Target, Task

HEADER = ("CPU min", "median", "max", "wall", "peak MB", "CPU ratio")


def rows(task: Task) -> list[tuple[str, ...]]:
    """Name and figures of each contestant, times in milliseconds; the ratio is to the first."""
    first = task.contestants[0].median("cpu")
    found = []
    for one in task.contestants:
        cpu = [sample.cpu * 1000 for sample in one.samples]
        figures = [min(cpu), one.median("cpu") * 1000, max(cpu), one.median("wall") * 1000]
        shown = [f"{figure:,.1f}" for figure in figures]
        shown += [f"{one.median('peak'):,.0f}", f"{one.median('cpu') / first:.2f}"]
        found.append((one.name, *shown))
    return found


def verdicts(task: Task) -> list[tuple[str, bool]]:
    """What was promised, what was measured, and whether it is kept."""
    by_name = {one.name: one for one in task.contestants}
    found = [_verdict(target, by_name) for target in task.targets]
    if task.peak is not None:
        peak = max(sample.peak for sample in task.contestants[0].samples)
        what = f"{task.contestants[0].name}: peak {peak:.0f} MB (at most {task.peak:.0f})"
        found.append((what, peak <= task.peak))
    if task.seconds is not None:
        first = task.contestants[0]
        what = f"{first.name}: CPU {first.median('cpu'):.2f} s (at most {task.seconds:g})"
        found.append((what, first.median("cpu") <= task.seconds))
    return found


def _verdict(target: Target, by_name: dict[str, Contestant]) -> tuple[str, bool]:
    ratio = by_name[target.mine].median(target.what) / by_name[target.theirs].median(target.what)
    kind = {"cpu": "CPU", "wall": "wall time"}[target.what]
    what = f"{target.mine} / {target.theirs}, {kind}: {ratio:.3f} (at most {target.limit:.3f})"
    return what, ratio <= target.limit


def console(task: Task) -> list[str]:
    """Print a table; what was missed is returned."""
    print(f"\n{task.title}, times in ms")
    print(f"{'':<28}" + "".join(f"{name:>11}" for name in HEADER))
    for name, *figures in rows(task):
        print(f"{name:<28}" + "".join(f"{figure:>11}" for figure in figures))
    found = verdicts(task)
    for what, kept in found:
        print(f"  {what} {'ok' if kept else 'MISSED'}")
    print(flush=True)
    return [what for what, kept in found if not kept]


def markdown(machine: str, repeats: int, tasks: Sequence[Task]) -> str:
    """The page of all tables."""
    how = (
        "Written by `make bench`, which checks first that all values agree. Times in milliseconds "
        f"of {repeats} repeats in turn; CPU is user and system time, the ratio is of medians, "
        "to the first row."
    )
    parts = ["# Benchmarks", how, f"Measured with {machine}."]
    for task in tasks:
        parts.append(f"## {task.title}")
        lines = ["| | " + " | ".join(HEADER) + " |", "|---|" + "--:|" * len(HEADER)]
        lines += ["| " + " | ".join(row) + " |" for row in rows(task)]
        parts.append("\n".join(lines))
        said = [f"- {what}: {'kept' if kept else 'missed'}" for what, kept in verdicts(task)]
        if said:
            parts.append("\n".join(said))
    return "\n\n".join(parts) + "\n"
