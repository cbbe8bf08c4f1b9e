"""What is measured: contestants, what their values are compared with, and what is promised."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path

import data
from measuring import Contestant

BIN = Path(sys.executable).parent
CALLS = str(Path(__file__).with_name("calls.py"))
TREC_EVAL = os.environ.get("TREC_EVAL")  # the command, built by who runs this
OTHERS = os.environ.get("BENCH_PYTHON", sys.executable)  # an interpreter that has ranx and the like

Values = Mapping[str, float]


@dataclass
class Target:
    """A promise: what ``mine`` takes is at most ``limit`` times what ``theirs`` takes."""

    mine: str
    theirs: str
    limit: float
    what: str = "cpu"


@dataclass
class Task:
    """One table of figures."""

    name: str
    title: str
    contestants: list[Contestant]
    read: Mapping[str, Callable[[str], Values]]  # how the values of each are read
    targets: list[Target] = field(default_factory=list)
    peak: float | None = None  # MB that the first contestant may take
    seconds: float | None = None  # of CPU time that it may take
    tolerance: float = 0.0  # of the values, query by query
    expected: Callable[[], Values] | None = None  # where no contestant has values to compare with


@dataclass(frozen=True)
class Sizes:
    """How large the data are."""

    queries: int
    documents: int
    large: int  # queries of 1,000 documents in the large file
    frame: int  # the same for frames


FULL = Sizes(1000, 1000, 7000, 1000)
SMALL = Sizes(20, 50, 4, 4)


def all_tasks(sizes: Sizes, folder: Path) -> dict[str, Callable[[], Task]]:
    """Each task, made when its turn comes."""
    return {
        "start": lambda: start(folder),
        "dictionaries": lambda: dictionaries(sizes),
        "arrays": lambda: arrays(sizes, 0),
        "arrays-100": lambda: arrays(sizes, 100),
        "arrays-5": lambda: arrays(sizes, 5),
        "large": lambda: large(sizes, folder),
        "frames": lambda: frames(sizes, folder),
        "reconcile": lambda: reconcile(folder),
        "trec-eval": lambda: trec_eval(folder),
        "trec-eval-large": lambda: trec_eval_large(sizes, folder),
        "compare": lambda: compare(folder),
        "pairs": lambda: pairs(sizes),
        "pytrec_eval": lambda: pytrec_eval(sizes, "ndcg_cut_10"),
        "pytrec_eval-all": lambda: pytrec_eval(sizes, "all_trec"),
    }


def start(folder: Path) -> Task:
    """Cold commands against a bare interpreter, NumPy's import and the ir_measures command."""
    qrels, run = data.pair(folder, 43, 1000)
    return Task(
        "start",
        "Cold start: whole processes, 43 queries x 1,000 documents",
        [
            Contestant(
                "ndcg eval --json",
                [str(BIN / "ndcg"), "eval", qrels, run, "--json", "-p", "trec_eval",
                 "--score-type", "float32"],
            ),
            Contestant("ir_measures",
                       [str(BIN / "ir_measures"), "-p", "17", qrels, run, "nDCG@10"]),
            Contestant("ndcg --help", [str(BIN / "ndcg"), "--help"]),
            Contestant("import numpy", [sys.executable, "-c", "import numpy"]),
            Contestant("python -c pass", [sys.executable, "-c", "pass"]),
        ],
        {
            "ndcg eval --json": _mean_of_json,
            "ir_measures": lambda text: {"mean": float(text.split()[-1])},
        },
        [
            Target("ndcg --help", "python -c pass", 3.0),
            Target("ndcg eval --json", "import numpy", 2.2),
            Target("ndcg eval --json", "ir_measures", 1.0),
        ],
        tolerance=1e-12,  # ir_measures adds the queries in another order
    )  # fmt: skip


def dictionaries(sizes: Sizes) -> Task:
    """Dictionaries, end to end, against pytrec_eval and ranx."""
    n, m = sizes.queries, sizes.documents
    peers = [_call("dictionaries", "ndcg", n, m), _call("dictionaries", "pytrec_eval", n, m)]
    if _has("ranx"):
        peers += [_call("dictionaries", "ranx", n, m), _call("dictionaries", "ranx cold", n, m)]
    return Task(
        "dictionaries",
        f"Dictionaries of Python, {n:,} queries x {m:,} documents, nDCG@10: a call",
        peers,
        _calls(peers),
        [Target("ndcg", "pytrec_eval", 1 / 4)],
        tolerance=1e-12 if _has("ranx") else 0.0,
    )


def arrays(sizes: Sizes, levels: int) -> Task:
    """Dense arrays, averaged over ties, against scikit-learn and torchmetrics."""
    n, m = sizes.queries, sizes.documents
    peers = [_call("arrays", "ndcg", n, m, levels), _call("arrays", "scikit-learn", n, m, levels)]
    one_thread = {"OPENBLAS_NUM_THREADS": "1"}
    alone = _call("arrays", "scikit-learn", n, m, levels)
    peers.append(Contestant("scikit-learn, one thread", alone.command, one_thread, called=True))
    if _has("torchmetrics") and not levels:  # it does not average over ties as the others do
        peers.append(_call("arrays", "torchmetrics", n, m, levels))
    kind = f"scores of {levels} levels" if levels else "scores that all differ"
    return Task(
        f"arrays-{levels}" if levels else "arrays",
        f"Arrays, {n:,} x {m:,}, nDCG@10 averaged over ties, {kind}: a call",
        peers,
        _calls(peers),
        [] if levels == 5 else [Target("ndcg", "scikit-learn", 1 / 10)],
        tolerance=1e-7 if _has("torchmetrics") and not levels else 1e-12,  # torch: single precision
    )


def large(sizes: Sizes, folder: Path) -> Task:
    """A run of millions of rows, streamed, against counting its words and trec_eval."""
    qrels, run = data.large_pair(folder, sizes.large, 1000)
    rows = sizes.large * 1000
    command = [str(BIN / "ndcg"), "eval", qrels, run, "-p", "trec_eval", "--per-query"]
    contestants = [
        Contestant("ndcg eval", [*command, "--format", "trec", "--quiet", "--places", "4"]),
        Contestant("wc -w", ["wc", "-w", run]),
    ]
    read: dict[str, Callable[[str], Values]] = {"ndcg eval": _printed("nDCG@10")}
    targets = [Target("ndcg eval", "wc -w", 2.2)]
    if TREC_EVAL:
        theirs = [TREC_EVAL, "-q", "-c", "-m", "ndcg_cut.10", qrels, run]
        contestants.append(Contestant("trec_eval", theirs))
        read["trec_eval"] = _printed("ndcg_cut_10")
        targets += [Target("ndcg eval", "trec_eval", 1 / 4),
                    Target("ndcg eval", "trec_eval", 1 / 5, "wall")]  # fmt: skip
    return Task(
        "large",
        f"A TREC run of {rows:,} rows ({Path(run).stat().st_size / 1e6:,.0f} MB), nDCG@10: "
        "whole processes",
        contestants,
        read,
        targets,
        peak=250,
        expected=lambda: _by_pytrec_eval(qrels, run),
    )


def frames(sizes: Sizes, folder: Path) -> Task:
    """Frames of several libraries against the file that holds the same run."""
    inside = folder / "frames"
    inside.mkdir(exist_ok=True)
    qrels, run = data.large_pair(inside, sizes.frame, 1000)
    names = ["polars", "pandas", "arrow", "file"]
    contestants = [_call("frames", name, qrels, run) for name in names]
    return Task(
        "frames",
        f"A run of {sizes.frame * 1000:,} rows in a frame or in a file, nDCG@10: a call",
        contestants,
        _calls(contestants),
        [Target(name, "file", 1.0) for name in names[:-1]],
    )


def reconcile(folder: Path) -> Task:
    """Thousands of conventions over one alignment, against scoring a run by one of them."""
    from ndcg import evaluate

    inside = folder / "reconcile"
    inside.mkdir(exist_ok=True)
    qrels, run = data.pair(inside, 200, 1000)
    mean = evaluate(qrels, run, preset="sklearn.exp")["nDCG@10"].mean
    ndcg = str(BIN / "ndcg")
    by_one = [ndcg, "eval", qrels, run, "-p", "sklearn.exp", "--json", "--quiet"]
    pair = ["--between", "trec_eval", "sklearn.exp"]
    return Task(
        "reconcile",
        "Whose number is it? Whole processes, 200 queries x 1,000 documents",
        [
            Contestant("ndcg reconcile --value",
                       [ndcg, "reconcile", qrels, run, "--value", repr(mean), "--json"]),
            Contestant("ndcg reconcile --value, no match",
                       [ndcg, "reconcile", qrels, run, "--value", "0.123456789", "--json"]),
            Contestant("ndcg reconcile --between",
                       [ndcg, "reconcile", qrels, run, *pair, "--json"]),
            Contestant("ndcg eval -p all",
                       [ndcg, "eval", qrels, run, "-p", "all", "--json", "--quiet"]),
            Contestant("ndcg eval", by_one),
        ],
        {
            "ndcg reconcile --value": lambda text: {
                "mean": json.loads(text)["explanations"][0]["mean"]
            },
            "ndcg reconcile --between": lambda text: {"mean": json.loads(text)["other"]["mean"]},
            "ndcg eval": _mean_of_json,
        },
    )  # fmt: skip


def trec_eval(folder: Path) -> Task:
    """The command that stands in for trec_eval, cold, all measures of every query."""
    inside = folder / "trec-eval"
    inside.mkdir(exist_ok=True)
    qrels, run = data.pair(inside, 50, 1000)
    asked = ["-q", "-m", "all_trec", qrels, run]
    contestants = [
        Contestant("ndcg trec-eval", [str(BIN / "ndcg"), "trec-eval", *asked]),
        Contestant("import numpy", [sys.executable, "-c", "import numpy"]),
    ]
    contestants += [Contestant("trec_eval", [TREC_EVAL, *asked])] if TREC_EVAL else []
    return Task(
        "trec-eval",
        "The command of trec_eval, -q -m all_trec: whole processes, 50 queries x 1,000 documents",
        contestants,
        {one.name: _of_queries for one in contestants if one.name != "import numpy"},
        [Target("ndcg trec-eval", "import numpy", 2.5)],
        expected=lambda: _all_by_pytrec_eval(qrels, run),
    )


def trec_eval_large(sizes: Sizes, folder: Path) -> Task:
    """The same for a run of millions of rows, streamed."""
    qrels, run = data.large_pair(folder, sizes.large, 1000)
    asked = ["-m", "all_trec", qrels, run]
    contestants = [Contestant("ndcg trec-eval", [str(BIN / "ndcg"), "trec-eval", *asked])]
    contestants += [Contestant("trec_eval", [TREC_EVAL, *asked])] if TREC_EVAL else []
    return Task(
        "trec-eval-large",
        f"The command of trec_eval, -m all_trec, {sizes.large * 1000:,} rows: whole processes",
        contestants,
        {one.name: _printed("ndcg_cut_10") for one in contestants},
        [Target("ndcg trec-eval", "trec_eval", 1 / 2)] if TREC_EVAL else [],
        peak=600,
        expected=lambda: {"all": _by_pytrec_eval(qrels, run)["all"]},
    )


def pytrec_eval(sizes: Sizes, measure: str) -> Task:
    """The API that stands in for pytrec_eval: an evaluator is made and asked once."""
    n, m = sizes.queries, sizes.documents
    peers = [_call("pytrec_eval", tool, n, m, measure) for tool in ("ndcg.compat", "pytrec_eval")]
    limit = 1 / 4 if measure == "ndcg_cut_10" else 1 / 2
    return Task(
        "pytrec_eval" if measure == "ndcg_cut_10" else "pytrec_eval-all",
        f"RelevanceEvaluator({{'{measure}'}}).evaluate, {n:,} queries x {m:,} documents: a call",
        peers,
        _calls(peers),
        [Target("ndcg.compat", "pytrec_eval", limit)],
    )


def compare(folder: Path) -> Task:
    """A comparison of two runs, cold, against scoring them."""
    inside = folder / "compare"
    inside.mkdir(exist_ok=True)
    qrels, run = data.pair(inside, 50, 1000)
    other = inside / "other.txt"
    lines = Path(run).read_text(encoding="utf-8").splitlines(keepends=True)
    other.write_text("".join(line.replace(" bench", " other") for line in lines if "7 " in line))
    ndcg = str(BIN / "ndcg")
    return Task(
        "compare",
        "Is the difference real? Whole processes, two runs of 50 queries x 1,000 documents",
        [
            Contestant("ndcg compare", [ndcg, "compare", qrels, run, str(other), "--json"]),
            Contestant("ndcg eval", [ndcg, "eval", qrels, run, str(other), "--json"]),
        ],
        {
            "ndcg compare": lambda text: {
                one["name"]: one["mean"] for one in json.loads(text)["measures"][0]["systems"]
            },
            "ndcg eval": lambda text: {
                one["name"]: one["measures"]["nDCG@10"]["mean"]
                for one in json.loads(text)["systems"]
            },
        },
        [Target("ndcg compare", "ndcg eval", 1.5)],
        tolerance=1e-12,  # weights of equal size, multiplied in
    )


def pairs(sizes: Sizes) -> Task:
    """All pairs of five systems, 10,000 draws of signs, against SciPy, a pair at a time."""
    n = 7 * sizes.queries
    peers = [_call("pairs", "ndcg", n), _call("pairs", "scipy-1000", n)]
    return Task(
        "pairs",
        f"All pairs of five systems, {n:,} queries, 10,000 draws (SciPy: 1,000): a call",
        peers,
        _calls(peers),
        [Target("ndcg", "scipy-1000", 1 / 10)],
        tolerance=0.1,  # both are drawn
        seconds=1.0,
    )


def _call(task: str, tool: str, *sizes: object) -> Contestant:
    python = OTHERS if tool.partition(" ")[0] in ("ranx", "torchmetrics") else sys.executable
    return Contestant(tool, [python, CALLS, task, tool, *map(str, sizes)], called=True)


def _has(package: str) -> bool:
    """Whether the interpreter of the optional peers has a package."""
    if sys.executable == OTHERS:
        return find_spec(package) is not None
    code = f"from importlib.util import find_spec; print(find_spec({package!r}) is not None)"
    return Contestant(package, [OTHERS, "-c", code]).run().printed.strip() == "True"


def _calls(contestants: Sequence[Contestant]) -> Mapping[str, Callable[[str], Values]]:
    return dict.fromkeys([one.name for one in contestants], _values)


def _values(text: str) -> Values:
    """Lines of query and value."""
    return {line.split()[0]: float(line.split()[1]) for line in text.splitlines()}


def _mean_of_json(text: str) -> Values:
    return {"mean": json.loads(text)["systems"][0]["measures"]["nDCG@10"]["mean"]}


def _printed(measure: str) -> Callable[[str], Values]:
    """What trec_eval prints: measure, query, value."""

    def read(text: str) -> Values:
        rows = (line.split() for line in text.splitlines())
        return {query: float(value) for name, query, value in rows if name == measure}

    return read


# Not in pytrec_eval, or by another rule than in trec_eval 10.
_OTHERS = ("iprec_at_recall", "11pt_avg", "relstring", "rbp", "unj", "runid", "num_q", "gm_")


def _of_queries(text: str) -> Values:
    """Each printed value of a query that pytrec_eval has as well."""
    rows = (line.split("\t") for line in text.splitlines())
    return {
        f"{name.strip()}:{query}": float(value)
        for name, query, value in rows
        if query != "all" and not name.startswith(_OTHERS)
    }


def _all_by_pytrec_eval(qrels: str, run: str) -> Values:
    """The same by pytrec_eval, as they would be printed."""
    import pytrec_eval

    with open(qrels, encoding="utf-8") as judged, open(run, encoding="utf-8") as listed:
        evaluator = pytrec_eval.RelevanceEvaluator(
            pytrec_eval.parse_qrel(judged), pytrec_eval.supported_measures
        )
        found = evaluator.evaluate(pytrec_eval.parse_run(listed))
    return {
        f"{name}:{query}": float(f"{value:.4f}")
        for query, values in found.items()
        for name, value in values.items()
        if not name.startswith(_OTHERS)
    }


def check(task: Task) -> Sequence[str]:
    """Run each contestant once; the queries in which their values differ."""
    found: dict[str, Values] = {}
    for one in task.contestants:
        printed = one.run().printed
        if one.name in task.read:
            found[one.name] = task.read[one.name](printed)
    if task.expected is not None:
        found["expected"] = task.expected()
    (first, mine), *others = found.items()
    if not others:
        return [f"nothing to compare the values of {first} with"]
    wrong = []
    for name, theirs in others:
        if mine.keys() != theirs.keys():
            wrong.append(f"{name} has other queries than {first}")
        wrong += [
            f"query {query}: {first} {mine[query]!r}, {name} {theirs[query]!r}"
            for query in mine.keys() & theirs.keys()
            if not abs(mine[query] - theirs[query]) <= task.tolerance
        ]
    return wrong


def _by_pytrec_eval(qrels: str, run: str) -> Values:
    """nDCG@10 as trec_eval prints it, a query at a time: the whole run would not fit in memory."""
    import pytrec_eval

    with open(qrels, encoding="utf-8") as lines:
        evaluator = pytrec_eval.RelevanceEvaluator(pytrec_eval.parse_qrel(lines), {"ndcg_cut.10"})
    found: dict[str, float] = {}
    with open(run, encoding="utf-8") as lines:
        rows = (line.split() for line in lines)
        for query, listed in groupby(rows, key=lambda row: row[0]):
            values = evaluator.evaluate({query: {row[2]: float(row[4]) for row in listed}})
            found |= {one: value["ndcg_cut_10"] for one, value in values.items()}
    mean = sum(found[query] for query in sorted(found)) / len(found)
    return {query: float(f"{value:.4f}") for query, value in (found | {"all": mean}).items()}
