"""Processes and what they cost: CPU time, wall time, peak memory."""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Sample:
    """What one process, or one call inside it, took, and what it printed."""

    cpu: float  # seconds, user and system
    wall: float
    peak: float  # MB of the whole process, its data included
    printed: str


@dataclass
class Contestant:
    """A command that is measured."""

    name: str
    command: Sequence[str]
    variables: Mapping[str, str] = field(default_factory=dict)
    called: bool = False  # it measures a call of its own, and prints CPU, wall and values
    samples: list[Sample] = field(default_factory=list)

    def run(self) -> Sample:
        """One process from start to end."""
        # Not in a pipe: the peak of a process is read from its exit, by wait4.
        with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
            start = time.perf_counter()
            process = subprocess.Popen(
                self.command, stdout=out, stderr=err, env=os.environ | dict(self.variables)
            )
            _, status, usage = os.wait4(process.pid, 0)
            wall = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
            out.seek(0), err.seek(0)
            if process.returncode:
                raise SystemExit(f"{' '.join(self.command)} failed:\n{err.read()}")
            cpu, printed = usage.ru_utime + usage.ru_stime, out.read()
        if self.called:
            first, second, printed = printed.split("\n", 2)
            cpu, wall = float(first), float(second)
        return Sample(cpu, wall, usage.ru_maxrss / 1024, printed)

    def median(self, what: str) -> float:
        """The median of ``cpu``, ``wall`` or ``peak``."""
        return statistics.median(getattr(one, what) for one in self.samples)


def in_turn(contestants: Sequence[Contestant], repeats: int) -> None:
    """All of them in turn, so that a machine that changes its speed changes all figures alike.

    Each has run once before, to be checked, which warmed it up.
    """
    for _ in range(repeats):
        for one in contestants:
            one.samples.append(one.run())
