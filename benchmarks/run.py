"""Speed and memory against peers, measured in one run, correctness first.

Every figure is the CPU time (user and system), the wall time and the peak memory of a process, or
of one call inside one, taken in turn with the peers' so that a machine that changes its speed
changes all of them. Ratios are of medians.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from pathlib import Path

import tasks
from measuring import in_turn
from writing import console, markdown

PACKAGES = ["numpy", "polars", "pandas", "pytrec-eval-terrier", "pytrec_eval-terrier",
            "ir-measures", "ir_measures", "scikit-learn", "scipy"]  # fmt: skip
HEAVY = ["ranx", "torchmetrics"]
README = Path(__file__).with_name("README.md")


def main() -> int:
    """Check, measure, print, and write the tables if that is asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--only", action="append", help="a task by name (repeatable)")
    parser.add_argument("--small", action="store_true", help="check correctness on small data only")
    parser.add_argument("--write", action="store_true", help="write the tables to the README here")
    options = parser.parse_args()
    # A package installed from a wheel comes compiled; a checkout may not be.
    source = str(Path(__file__).parents[1] / "src")
    subprocess.run([sys.executable, "-m", "compileall", "-q", source], check=True)
    print(machine())
    done, missed = [], []
    with tempfile.TemporaryDirectory() as folder:
        sizes = tasks.SMALL if options.small else tasks.FULL
        for name, make in tasks.all_tasks(sizes, Path(folder)).items():
            if options.only and name not in options.only:
                continue
            task = make()
            wrong = tasks.check(task)
            if wrong:
                print(*wrong[:10], f"{len(wrong)} values differ: nothing was measured", sep="\n")
                return 1
            print(f"{task.name}: the values agree", flush=True)
            if options.small:
                continue
            in_turn(task.contestants, options.repeats)
            missed += console(task)
            done.append(task)
    if options.write and done:
        README.write_text(markdown(machine(), options.repeats, done), encoding="utf-8")
    for line in missed:
        print(f"MISSED {line}")
    return 1 if missed else 0


def machine() -> str:
    """What all figures depend on."""
    found = [f"Python {platform.python_version()}", f"{platform.machine()}, {os.cpu_count()} cores"]
    code = (
        "import sys; from importlib.metadata import distributions as d; "
        "print(*sorted({f'{x.name} {x.version}' for x in d() if x.name in sys.argv}), sep=', ')"
    )
    for python, packages in ((sys.executable, PACKAGES), (tasks.OTHERS, HEAVY)):
        command = [python, "-c", code, *packages]
        found.append(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return ", ".join(one.strip() for one in found if one.strip())


if __name__ == "__main__":
    raise SystemExit(main())
