"""One input through every reader: what may come out is a value or an error that is told."""

from __future__ import annotations

import math
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple
from unittest import mock

from ndcg import NdcgError
from ndcg.compat import trec_eval
from ndcg.compat.command import command_of
from ndcg.diagnose.checking.checked import check
from ndcg.errors import CODES, Notice, Problem
from ndcg.evaluation import evaluate_quietly
from ndcg.formats import FORMATS, large, magic, read_qrels, read_run
from ndcg.reports.checked import FORMATS as SHOWN
from ndcg.stores import frames
from ndcg.stores.asked import Asked

LONGEST_TEXT = 4096  # characters of one problem or notice
MOST_SECONDS = 4.0  # CPU time of one step
MOST_MEMORY = 300 << 20  # bytes by which an input may raise the peak
MEASURES = ["nDCG@10", "AP", "RR", "P(rel=2)@5"]
GOOD = {
    "good.qrels": "q1 0 a 1\nq1 0 b 0\nq2 0 a 2\n",
    "good.run": "q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\nq2 Q0 a 1 1.0 t\n",
}
COLUMNS = (
    {"query": "1", "document": "2", "grade": "3", "score": "3"},
    {"query": "1", "document": "3", "grade": "4", "score": "5", "rank": "4"},
    {"query": "query_id", "document": "doc_id", "grade": "rating", "score": "score"},
    {"query": "qid", "document": "text", "grade": "rank", "score": "timestamp"},
)


class Fault(NamedTuple):
    """What went wrong in which step; `key` is the same for faults of one cause."""

    step: str
    what: str
    key: str


class TooSlow(Exception):
    """A step took more time than it may."""


def try_input(name: str, data: bytes, seed: int) -> list[Fault]:
    """Write an input into the current folder and read it in every way."""
    Path(name).write_bytes(data)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    trial = Trial(name, Random(seed))  # noqa: S311 -- choices, not secrets
    with warnings.catch_warnings(), _limited():
        warnings.simplefilter("error")
        trial.step("all", trial.read_in_all_ways)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    if grown > MOST_MEMORY:
        trial.fault("all", f"the peak of memory grew by {grown >> 20} MiB", "memory")
    os.unlink(name)
    return trial.faults


class Trial:
    """The steps of one input, in a folder that holds it and two good files."""

    def __init__(self, name: str, random: Random) -> None:
        self.name, self.random, self.faults = name, random, list[Fault]()
        self.noise = os.fstat(2).st_size

    def read_in_all_ways(self) -> None:
        """Every reading there is."""
        self.read_everything()
        self.read_with_columns()
        with Path(self.name).open("rb") as file:
            if magic.is_binary(file.read(magic.MAGIC)):
                self.read_columns_otherwise()
        self.read_streamed()
        self.check()
        self.read_beside_a_folder()
        self.read_as_trec_eval()

    def read_everything(self) -> None:
        """As judgments and as a run, in each format, with and without its bad rows."""
        for stated in (None, *FORMATS):
            for lenient in (False, True):
                self._both(f"{stated or 'detected'}{' lenient' * lenient}", stated, lenient=lenient)

    def _both(self, way: str, stated: str | None, *, lenient: bool) -> None:
        asked, name = Asked({}, set(), lenient, stated, stated), self.name
        qrels = self.step(f"read_qrels {way}", partial(read_qrels, name, asked=asked))
        run = self.step(f"read_run {way}", partial(read_run, name, asked=asked))
        for read in (qrels, run):
            for notice in read[1].notices if read else ():
                self.look_at(f"notices {way}", notice)
        how: dict[str, Any] = {"lenient": lenient}
        if qrels and run:
            both = {"qrels_format": stated, "run_format": stated, **how}
            self.evaluate(f"evaluate {way}", name, name, **both)
        elif qrels and stated is None:
            ranked = {
                query: {document: -at for at, document in enumerate(_documents(pairs))}
                for query, pairs in qrels[0].given.items()
            }
            self.evaluate(f"evaluate qrels {way}", name, ranked, **how)
        elif run and stated is None:
            judged = {
                query: dict.fromkeys([*run[0].documents(query)][:3], 1) for query in run[0].queries
            }
            self.evaluate(f"evaluate run {way}", judged, name, **how)

    def read_with_columns(self) -> None:
        """With columns that are named, by number or by name."""
        columns = self.random.choice(COLUMNS)
        for read in (read_qrels, read_run):
            asked = Asked(columns, set(), lenient=self.random.random() < 0.5)
            self.step(f"{read.__name__} {columns}", partial(read, self.name, asked=asked))

    def read_columns_otherwise(self) -> None:
        """Parquet and Arrow as they are read without Polars, and as large ones are."""
        for read in (read_qrels, read_run):
            with mock.patch.dict(sys.modules, {"polars": None}):
                self.step(f"{read.__name__} without Polars", partial(read, self.name))
            with mock.patch.object(frames, "LARGE", 1):
                self.step(f"{read.__name__} as large", partial(read, self.name))

    def read_streamed(self) -> None:
        """As a large run is read, block by block."""
        with mock.patch.object(large, "is_large", lambda path: path == self.name):
            self.evaluate("evaluate streamed", "good.qrels", self.name)
            self.trec_eval("good.qrels", self.name)

    def check(self) -> None:
        """As judgments, as a run, as both, as a collection: a check finds and never refuses."""
        name = self.name
        for qrels, run in ((name, None), (name, "good.run"), ("good.qrels", name), (name, name)):
            called = f"check {qrels} {run}"
            found = self.step(called, partial(check, qrels, run, corpus=name, pool=3))
            for one in found.findings if found else ():
                self.look_at(called, Notice("note", str(one)))
            for shown in SHOWN.values() if found else ():
                self.step(f"{called} {shown.__name__}", partial(shown, found))

    def read_beside_a_folder(self) -> None:
        """As the corpus and the queries of a BEIR folder."""
        os.makedirs("beir/qrels", exist_ok=True)
        Path("beir/qrels/test.tsv").write_text("query-id\tcorpus-id\tscore\nq\td\t1\n", "utf-8")
        for link in ("beir/corpus.jsonl", "beir/queries.jsonl"):
            if not os.path.lexists(link):
                os.symlink(os.path.join("..", "inside"), link)
        os.link(self.name, "inside")
        read = self.step("read_qrels beir", partial(read_qrels, "beir"))
        os.unlink("inside")
        for notice in read[1].notices if read else ():
            self.look_at("notices beir", notice)

    def read_as_trec_eval(self) -> None:
        """As judgments, as a run, as both, and as what else trec_eval reads."""
        name, choice = self.name, self.random.choice
        version = f"--compat={choice(('9', '10'))}"
        options = (["-q", "-c"], ["-m", "all_trec"], ["-M", "2", "-J"], ["-l", "2"])
        self.trec_eval(version, *choice(options), name, name)
        self.trec_eval(version, *choice(options), name, "good.run")
        self.trec_eval(version, *choice(options), "good.qrels", name)
        others = (
            ["-R", "qrels_jg", "-m", "map_avgjg"],
            ["-R", "prefs", "-m", "prefs_simp"],
            ["-R", "qrels_prefs", "-m", "prefs_simp"],
            ["-Z", name],
        )
        self.trec_eval(version, *choice(others), name, "good.run")

    def evaluate(self, called: str, qrels: Any, run: Any, **how: Any) -> None:
        """Evaluate; every value is finite, every notice can be read."""
        found = self.step(
            called, partial(evaluate_quietly, qrels, run, MEASURES, fingerprint=False, **how)
        )
        if found is None:
            return
        for notice in found.notices:
            self.look_at(called, notice)
        for query, values in found.per_query.items():
            for measure, value in values.items():
                if value is not None and not math.isfinite(value):
                    self.fault(called, f"{measure} of {query!r} is {value}", f"value {measure}")

    def trec_eval(self, *arguments: str) -> None:
        """What the command prints, thrown away."""
        called = f"trec-eval {' '.join(arguments)}"

        def say(text: str) -> None:
            self.look_at(called, Notice("note", text))

        tell = partial(self.look, called)
        run = partial(trec_eval.run, write=lambda _: None, say=say, tell=tell)
        self.step(called, lambda: run(command_of(arguments)))

    def step(self, called: str, run: Callable[[], Any]) -> Any:
        """The value of a step, None where it was refused or failed."""
        began, value = time.process_time(), None
        try:
            value = run()
        except NdcgError as error:
            self.look(called, error)
        except BaseException as error:  # noqa: BLE001 -- panics of Polars, and exits too
            self.fault(called, "".join(traceback.format_exception(error))[-6000:], _key(error))
        spent = time.process_time() - began
        if spent > MOST_SECONDS and called != "all":
            self.fault(called, f"took {spent:.1f} s", f"slow {called.split(maxsplit=1)[0]}")
        noise = os.fstat(2).st_size
        if noise > self.noise:
            self.fault(called, f"{noise - self.noise} bytes on standard error", "noise")
            self.noise = noise
        return value

    def fault(self, called: str, what: str, key: str) -> None:
        """Note what went wrong."""
        self.faults.append(Fault(called, what, key))

    def look(self, called: str, error: NdcgError) -> None:
        """An error of ours says something, in texts that can be printed and read."""
        if not error.problems or error.total < len(error.problems):
            self.fault(called, "an error without problems", "no problems")
        for problem in error.problems:
            self.look_at(called, problem)

    def look_at(self, called: str, told: Problem | Notice) -> None:
        """The text of a problem or a notice."""
        text = str(told)
        kind = f"{told.word} problem" if isinstance(told, Problem) else "notice"
        if len(text) > LONGEST_TEXT:
            self.fault(called, f"{len(text)} characters: {text[:500]!a}", f"long {kind}")
        if not all(map(str.isprintable, text.split("\n"))):
            self.fault(called, ascii(text[:3000]), f"unprintable {kind}")
        if isinstance(told, Problem) and (told.word not in CODES or text.count("\n") > 5):
            self.fault(called, ascii(text[:3000]), f"odd {kind}")


def _documents(pairs: Any) -> list[str]:
    return [*pairs] if isinstance(pairs, Mapping) else [document for document, _ in pairs]


def _key(error: BaseException) -> str:
    """What faults of one cause have in common: the kind of error and the last line of ours."""
    ours = [
        f"{os.path.basename(one.filename)}:{one.name}"
        for one in traceback.extract_tb(error.__traceback__)
        if f"{os.sep}ndcg{os.sep}" in one.filename
    ]
    return f"{type(error).__name__} in {ours[-1] if ours else '?'}"


@contextmanager
def _limited() -> Iterator[None]:
    """Stops Python code that takes ten times what a step may."""

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise TooSlow

    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, 10 * MOST_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
