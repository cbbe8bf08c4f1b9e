"""A process that tries inputs one after the other and tells of each on its standard output.

    python -m fuzz.worker SHARED KIND FIRST COUNT      inputs by their numbers
    python -m fuzz.worker SHARED KIND FILE...          the bytes of some files

KIND is ``authored``, or ``real`` for inputs that are made of public collections too. Each input is
announced before it is tried, so that one which ends the process is known. Standard error goes to a
file: what grows it is a fault of the input.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fuzz import trial
from fuzz.inputs import input_of, samples

SECONDS = 120  # that an input may take
MEMORY = 3 << 30  # bytes of address space beyond what is mapped at the beginning


def main(arguments: list[str]) -> None:
    """Try the inputs that the arguments name."""
    shared, kind, *given = arguments
    with tempfile.TemporaryDirectory(prefix="ndcg-fuzz-") as home, os.fdopen(os.dup(1), "w") as out:
        noise = Path(home, "standard-error")
        with noise.open("ab") as file:
            os.dup2(file.fileno(), 2)
            os.dup2(file.fileno(), 1)
        _settle(Path(home, "work"))
        for name, data, seed in _inputs(shared, kind, given):
            told = {"begin": seed if given[0].isdecimal() else name}
            print(json.dumps(told), file=out, flush=True)
            signal.alarm(SECONDS)  # which nothing stops: the process ends
            for fault in trial.try_input(f"input{Path(name).suffix}", data, seed):
                said = noise.read_text(errors="replace")[-3000:] if fault.key == "noise" else ""
                told = [fault.step, f"{fault.what}\n{said}".rstrip(), fault.key]
                print(json.dumps({"fault": told}), file=out, flush=True)
        print(json.dumps({"done": True}), file=out, flush=True)
        signal.alarm(0)
        os.chdir("/")


def _settle(work: Path) -> None:
    """Go to a folder of our own, load all that readings load, and limit memory from there on."""
    import polars as pl  # noqa: F401
    import pyarrow.feather
    import pyarrow.parquet  # noqa: F401

    work.mkdir()
    os.chdir(work)
    for name, text in trial.GOOD.items():
        Path(name).write_text(text, encoding="utf-8")
        trial.try_input("input", text.encode(), 0)
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    most = pages * resource.getpagesize() + MEMORY
    resource.setrlimit(resource.RLIMIT_AS, (most, most))


def _inputs(shared: str, kind: str, given: list[str]) -> Iterator[tuple[str, bytes, int]]:
    if given[0].isdecimal():
        first, number = map(int, given)
        for seed in range(first, first + number):
            one = input_of(seed, samples(shared, real=kind == "real"))
            yield one.name, one.data, seed
    else:
        for path in map(Path, given):
            yield str(path), path.read_bytes(), 0


if __name__ == "__main__":
    main(sys.argv[1:])
