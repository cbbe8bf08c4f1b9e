"""CPU time against peers, measured in one run, correctness first.

Every figure is the CPU time (user and system) of a whole process or of a call inside one, taken in
turn with the peer's so that a machine that changes its speed changes both. Ratios are of medians.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path

BIN = Path(sys.executable).parent


def main() -> int:
    """Check, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--documents", type=int, default=1000)
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    # A package installed from a wheel comes compiled; a checkout may not be.
    subprocess.run([sys.executable, "-m", "compileall", "-q", str(_source())], check=True)
    names = ["numpy", "pytrec-eval-terrier", "ir-measures", "scikit-learn"]
    print(
        f"Python {platform.python_version()}, {platform.machine()}, {os.cpu_count()} cores; "
        + ", ".join(f"{name} {version(name)}" for name in names)
    )
    missed = [*start_up(options.repeats), *dictionaries(options), *arrays(options.repeats)]
    for line in missed:
        print(f"MISSED {line}")
    return 1 if missed else 0


def start_up(repeats: int) -> list[str]:
    """Cold commands against a bare interpreter, NumPy's import and the ir_measures command."""
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = _trec_pair(Path(folder), queries=43, documents=1000)
        ours = [str(BIN / "ndcg"), "eval", qrels, run, "--json"]
        peer = [str(BIN / "ir_measures"), qrels, run, "nDCG@10"]
        _check_same_mean(qrels, run, peer)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
            "ndcg --help": [str(BIN / "ndcg"), "--help"],
            "ndcg eval --json, 43 x 1,000": ours,
            "ir_measures, 43 x 1,000": peer,
        }
        times = in_turn(
            {name: lambda c=command: _process_cpu(c) for name, command in commands.items()}, repeats
        )
    table("Cold start, CPU ms of whole processes", times, 1000)
    median = {name: statistics.median(values) for name, values in times.items()}
    bare, numpy, help_, cold, peer_cold = median.values()
    return targets(
        [
            ("ndcg --help / bare interpreter", help_ / bare, 3.0),
            ("ndcg eval --json / import numpy", cold / numpy, 2.2),
            ("ndcg eval --json / ir_measures", cold / peer_cold, 1.0),
        ]
    )


def dictionaries(options: argparse.Namespace) -> list[str]:
    """nDCG@10 of dictionaries, end to end, against pytrec_eval."""
    import pytrec_eval

    import ndcg

    qrels, run = _random_dictionaries(options.queries, options.documents)

    def ours() -> dict[str, dict[str, float | None]]:
        return ndcg.evaluate(qrels, run, "nDCG@10", preset="pytrec_eval").per_query

    def theirs() -> dict[str, dict[str, float]]:
        found = pytrec_eval.RelevanceEvaluator(qrels, {"ndcg_cut.10"}).evaluate(run)
        _mean = sum(values["ndcg_cut_10"] for values in found.values()) / len(found)
        return found

    expected = {query: values["ndcg_cut_10"] for query, values in theirs().items()}
    found = {query: values["nDCG@10"] for query, values in ours().items()}
    if found != expected:
        raise SystemExit("the values differ from pytrec_eval's: nothing was measured")
    times = in_turn({"ndcg": lambda: _cpu(ours), "pytrec_eval": lambda: _cpu(theirs)},
                    options.repeats)  # fmt: skip
    table(
        f"Dictionaries, {options.queries:,} queries x {options.documents:,} documents, nDCG@10: "
        "CPU us per query",
        times,
        1e6 / options.queries,
    )
    ratio = statistics.median(times["pytrec_eval"]) / statistics.median(times["ndcg"])
    return targets([("ndcg / pytrec_eval", 1 / ratio, 1 / 4)])


# One call after a warm one, in a process of its own: threads that scikit-learn's BLAS leaves
# spinning would be charged to whoever comes next.
_ARRAYS = """
import time, numpy
chance = numpy.random.default_rng(20261130)
grades = chance.integers(0, 4, (1000, 1000)).astype(float)
scores = {scores}
def ours():
    ev = ndcg.evaluate(grades, scores, "nDCG@10", gain="linear", ties="expected")
    return ev["nDCG@10"].mean
def theirs():
    return ndcg_score(grades, scores, k=10)
{load}
value = {task}()
start = time.process_time()
{task}()
print(time.process_time() - start, value)
"""


def arrays(repeats: int) -> list[str]:
    """nDCG@10 of dense arrays, averaged over ties, against scikit-learn."""
    kinds = {
        "random scores": "chance.random((1000, 1000))",
        "scores of 100 levels": "chance.integers(0, 100, (1000, 1000)).astype(float)",
    }
    ours = ("import ndcg", "ours")
    theirs = ("from sklearn.metrics import ndcg_score", "theirs")
    figures = []
    for kind, scores in kinds.items():
        tasks = {
            "ndcg": (*ours, {}),
            "scikit-learn": (*theirs, {}),
            "scikit-learn, one BLAS thread": (*theirs, {"OPENBLAS_NUM_THREADS": "1"}),
        }
        values: dict[str, float] = {}

        def run(name: str, scores: str = scores, values: dict[str, float] = values) -> float:
            load, task, variables = tasks[name]  # noqa: B023 -- called within the turn
            code = _ARRAYS.format(scores=scores, load=load, task=task)
            printed = subprocess.run(
                [sys.executable, "-c", code], check=True, capture_output=True, text=True,
                env=os.environ | variables,
            ).stdout.split()  # fmt: skip
            values[name] = float(printed[1])
            return float(printed[0])

        times = in_turn({name: lambda n=name: run(n) for name in tasks}, repeats)
        if max(values.values()) - min(values.values()) > 1e-12:
            raise SystemExit("the values differ from scikit-learn's: nothing was measured")
        table(f"Arrays, 1,000 x 1,000, nDCG@10, {kind}: CPU ms of a call", times, 1000)
        median = {name: statistics.median(taken) for name, taken in times.items()}
        figures.append((f"ndcg / scikit-learn, {kind}", median["ndcg"] / median["scikit-learn"],
                        1 / 10))  # fmt: skip
        alone = median["ndcg"] / median["scikit-learn, one BLAS thread"]
        print(f"against one BLAS thread: 1 / {1 / alone:.1f}")
    return targets(figures)


def in_turn(tasks: dict[str, Callable[[], float]], repeats: int) -> dict[str, list[float]]:
    """Each task once to warm up, then all of them in turn, `repeats` times."""
    for task in tasks.values():
        task()
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for _ in range(repeats):
        for name, task in tasks.items():
            times[name].append(task())
    return times


def table(title: str, times: dict[str, list[float]], scale: float) -> None:
    """Minimum, median and maximum of each task."""
    print(f"\n{title}\n{'':<34}{'min':>10}{'median':>10}{'max':>10}")
    for name, values in times.items():
        figures = (min(values), statistics.median(values), max(values))
        print(f"{name:<34}" + "".join(f"{figure * scale:>10.1f}" for figure in figures))


def targets(rows: Sequence[tuple[str, float, float]]) -> list[str]:
    """Print the ratios with what they should be at most; return those that are above it."""
    missed = []
    for name, ratio, limit in rows:
        kept = ratio <= limit
        print(f"  {name}: {ratio:.2f} (at most {limit:.2f}) {'ok' if kept else 'MISSED'}")
        if not kept:
            missed.append(f"{name}: {ratio:.2f}, at most {limit:.2f}")
    return missed


def _check_same_mean(qrels: str, run: str, peer: Sequence[str]) -> None:
    import ndcg

    printed = subprocess.run([*peer, "-p", "17"], check=True, capture_output=True, text=True).stdout
    mean = ndcg.evaluate(qrels, run, "nDCG@10", preset="trec_eval", score_type="float32")[
        "nDCG@10"
    ].mean
    if abs(float(printed.split()[-1]) - mean) > 1e-12:
        raise SystemExit(f"ir_measures says {printed.strip()}, we say {mean}: nothing was measured")


def _process_cpu(command: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _cpu(task: Callable[[], object]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def _random_dictionaries(
    queries: int, documents: int
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Twenty judged documents retrieved and ten missed in every query."""
    chance = random.Random(20261130)
    ids = [f"doc{number:07d}" for number in range(100 * documents)]
    run = {
        f"q{number}": {
            document: chance.random() * 100 for document in chance.sample(ids, documents)
        }
        for number in range(queries)
    }
    qrels = {
        query: {
            document: chance.randint(0, 3)
            for document in chance.sample(list(listed), min(20, documents)) + chance.sample(ids, 10)
        }
        for query, listed in run.items()
    }
    return qrels, run


def _trec_pair(folder: Path, queries: int, documents: int) -> tuple[str, str]:
    qrels, run = _random_dictionaries(queries, documents)
    (folder / "qrels.txt").write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, judged in qrels.items() for d, g in judged.items())
    )
    with (folder / "run.txt").open("w") as file:
        for query, listed in run.items():
            ordered = sorted(listed, key=listed.__getitem__, reverse=True)
            for rank, document in enumerate(ordered, 1):
                file.write(f"{query} Q0 {document} {rank} {listed[document]:.6f} bench\n")
    return str(folder / "qrels.txt"), str(folder / "run.txt")


def _source() -> Path:
    import ndcg

    return Path(str(ndcg.__file__)).parent


if __name__ == "__main__":
    raise SystemExit(main())
