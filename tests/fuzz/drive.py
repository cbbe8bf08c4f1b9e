"""Inputs tried in processes of their own, so that one which ends its process is known."""

from __future__ import annotations

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parent.parent
SHARED = TESTS.parent / os.environ.get("NDCG_SHARED", "../shared")
FOLDER = TESTS.parent / "build" / "fuzz"  # where inputs that failed are put
WORKER = ["-m", "fuzz.worker"]  # what Python runs
_CHUNK = 1000  # inputs of a process
_KEPT = 5  # inputs of one kind of failure that are kept


class Failure(NamedTuple):
    """What an input did: its number or file, the step, what was found, and the kind of it."""

    given: int | str
    step: str
    what: str
    key: str

    def __str__(self) -> str:
        return f"input {self.given}: {self.key}\n  in {self.step}: {self.what}"


def failures(given: range | Sequence[str], kind: str = "authored") -> Iterator[Failure | None]:
    """The failures of inputs, given by numbers or as files; None after each that was tried."""
    at = 0
    while at < len(given):
        rest = given[at:]
        names = [str(rest[0]), str(len(rest))] if isinstance(rest, range) else [*map(str, rest)]
        with _worker(kind, names) as process:
            begun, ended = None, False
            for line in process.stdout or ():
                told = json.loads(line)
                ended = "done" in told
                if "fault" in told:
                    yield Failure(begun or 0, *told["fault"])
                elif begun is not None:
                    yield None
                    at += 1
                begun = told.get("begin", begun)
        if not ended:
            yield _killed(rest[0] if begun is None else begun, process.returncode)
            at += 1


def _worker(kind: str, names: Sequence[str]) -> subprocess.Popen[str]:
    path = os.pathsep.join([str(TESTS), *filter(None, [os.environ.get("PYTHONPATH")])])
    alone = {"POLARS_MAX_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONPATH": path}
    return subprocess.Popen(
        [sys.executable, *WORKER, str(SHARED), kind, *names],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | alone,
    )


def _killed(given: int | str, code: int) -> Failure:
    if code == -signal.SIGALRM:
        return Failure(given, "some step", "did not come to an end", "hangs")
    what = f"the process ended with {signal.Signals(-code).name if code < 0 else code}"
    return Failure(given, "some step", what, "ends the process")


class Campaign:
    """Inputs by their numbers, tried on several cores, with what is said meanwhile."""

    def __init__(self, first: int, count: int, workers: int) -> None:
        self.first, self.count = first, count
        self.left = [range(at, min(at + _CHUNK, first + count))
                     for at in range(first, first + count, _CHUNK)][::-1]  # fmt: skip
        self.open: set[int] = set()  # where chunks begin that are being tried
        self.kinds, self.done = Counter[str](), 0
        self.began, self.lock = time.monotonic(), threading.Lock()
        self.threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]

    def run(self) -> int:
        """Try them all; 1 if one failed."""
        for thread in self.threads:
            thread.start()
        said = self.began
        while any(thread.is_alive() for thread in self.threads):
            self.threads[0].join(1.0)
            time.sleep(0.2)
            if time.monotonic() - said > 15:
                said = time.monotonic()
                self._say()
        self._say()
        for kind, number in self.kinds.most_common():
            print(f"  {number:6,} x {kind}")
        if self.kinds:
            print(f"inputs that failed: {FOLDER}")
        return int(bool(self.kinds))

    def _work(self) -> None:
        while True:
            with self.lock:
                if not self.left:
                    return
                chunk = self.left.pop()
                self.open.add(chunk[0])
            for failure in failures(chunk, "real"):
                with self.lock:
                    self.done += failure is None or failure.step == "some step"
                    if failure is not None:
                        self._note(failure)
            with self.lock:
                self.open.discard(chunk[0])

    def _note(self, failure: Failure) -> None:
        self.kinds[failure.key] += 1
        if self.kinds[failure.key] > _KEPT or not isinstance(failure.given, int):
            return
        from fuzz.inputs import input_of, samples

        one = input_of(failure.given, samples(str(SHARED), real=True))
        FOLDER.mkdir(parents=True, exist_ok=True)
        name = f"{failure.given}-{re.sub('[^A-Za-z0-9]+', '-', failure.key)[:60]}"
        Path(FOLDER, f"{name}{Path(one.name).suffix}").write_bytes(one.data)
        Path(FOLDER, f"{name}.said").write_text(f"{failure}\n{one.story}\n", encoding="utf-8")
        print(failure, flush=True)

    def _say(self) -> None:
        with self.lock:
            spent = time.monotonic() - self.began
            rate = self.done / max(spent, 0.001)
            to_do = self.count - self.done
            resume = min([*self.open, *(chunk[0] for chunk in self.left)], default=None)
            ahead = f", {to_do / max(rate, 0.001) / 60:.0f} min left" if to_do else ""
            print(
                f"{self.done:,} of {self.count:,} inputs in {spent / 60:.1f} min, "
                f"{sum(self.kinds.values()):,} failures of {len(self.kinds)} kinds{ahead}"
                + ("" if resume is None else f" (to go on from here: make fuzz FIRST={resume})"),
                flush=True,
            )


def main() -> int:
    """Try the inputs that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0, help="the number of the first input")
    parser.add_argument("--until", type=int, default=100_000, help="the number after the last")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    asked = parser.parse_args()
    if not SHARED.exists():
        print(f"{SHARED} is absent; NDCG_SHARED says where the shared collections lie")
        return 2
    return Campaign(asked.first, asked.until - asked.first, asked.workers).run()


if __name__ == "__main__":
    sys.exit(main())
