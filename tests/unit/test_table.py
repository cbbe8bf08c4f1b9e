"""Runs that are streamed block by block say what the same files say when they are read whole."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
import zstandard

import ndcg
from ndcg.formats import large, read_run, stream
from ndcg.stores.asked import Asked
from ndcg.stores.polars_table import from_frame
from shared import shared

pytestmark = pytest.mark.filterwarnings("ignore::ndcg.NdcgWarning")

FORMATS = ["02", "03", "04", "05", "13", "41", "47", "58", "59"]
PAIRS = {
    "cast2019": ["bert-oracle", "bert-raw"],
    "dl19-passage": ["bm25"],
    "robust2003": ["MU03rob01-ties", "humR03dc-depth100", "uic0301"],
    "trec-covid-beir": ["bm25-flat"],
    "trec-rag24": ["comment-test"],
}
AS_IT_LOOKS = Asked({}, set())
ROW = "q1 Q0 d{0} {0} {1} tag\n"


def said(qrels: Any, run: Any, **axes: Any) -> Any:
    """Everything an evaluation says; a refusal is returned as its text."""
    try:
        found = ndcg.evaluate(qrels, run, ["nDCG@10", "AP", "P@5"], **axes)
    except ndcg.NdcgError as refusal:
        return str(refusal), refusal.total
    return found.to_dict(per_query=True), [str(notice) for notice in found.notices]


@pytest.fixture
def both(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Evaluates a file read whole and streamed in small blocks, and compares what is said."""

    def compare(qrels: Any, run: Any, size: int = 100, **axes: Any) -> Any:
        streams = 0

        def streamed(path: str, fingerprint: bool, asked: Asked) -> Any:
            nonlocal streams
            taken = stream.run(path, fingerprint=fingerprint, asked=asked, size=size)
            streams += taken is not None
            return taken

        monkeypatch.setattr(large, "is_large", lambda _: False)
        whole = said(qrels, str(run), **axes)
        monkeypatch.setattr(large, "is_large", lambda _: True)
        monkeypatch.setattr(large, "run", streamed)
        in_blocks = said(qrels, str(run), **axes)
        if isinstance(in_blocks[1], list):
            in_blocks = in_blocks[0], [one for one in in_blocks[1] if "stand together" not in one]
        assert in_blocks == whole
        return whole, streams

    return compare


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str | bytes], Path]:
    """Writes a file."""

    def write(content: str | bytes, name: str = "run.txt") -> Path:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


QRELS = {"q1": {"d1": 3, "d2": 0, "d5": 1}, "q2": {"d1": 1, "q2": 2}, "q10": {"x": 1}}


@pytest.mark.parametrize("size", [40, 150, 1 << 20])
@pytest.mark.parametrize("number", FORMATS)
def test_a_sample_says_the_same(both: Any, number: str, size: int) -> None:
    (path,) = shared("formats").glob(f"{number}_*")
    listed = path.read_bytes()
    if path.suffix == ".gz":
        listed = gzip.decompress(listed)
    rows = [line.split() for line in listed.decode().splitlines() if line[:1] != "#"]
    at = 1 if len(rows[0]) == 3 else 2
    qrels: dict[str, dict[str, int]] = {}
    for row in rows[::2]:
        qrels.setdefault(row[0], {})[row[at]] = len(row[at]) % 3
    _, streams = both(qrels, path, size)
    assert streams == 1


@pytest.mark.parametrize("size", [40, 150, 1 << 20])
@pytest.mark.parametrize("path", sorted(shared("formats").glob("*")), ids=lambda path: path.name)
def test_every_sample_given_as_a_run_says_the_same(both: Any, path: Path, size: int) -> None:
    both(QRELS, path, size)


@pytest.mark.parametrize(
    ("name", "run"), [(name, run) for name, runs in PAIRS.items() for run in runs]
)
@pytest.mark.parametrize("preset", ["default", "trec_eval"])
def test_a_real_pair_says_the_same(both: Any, name: str, run: str, preset: str) -> None:
    folder = shared("data", "real", name)
    path = folder / f"run.{run}.txt.gz"
    qrels = str(folder / "qrels.txt.gz")
    axes = {"judgments": "last"} | ({"preset": preset} if preset != "default" else {})
    _, streams = both(qrels, path, 1 << 19, **axes)
    assert streams == 1


UNUSUAL = {
    "blanks and tabs": "q1  Q0\td1 1 2.5 t\nq1 Q0 d2  2 1.5 t\n\n q1 Q0 d5 3 0.5 t \n",
    "tabs": "q1\tQ0\td1\t1\t2.5\tt\nq1\tQ0\td2\t2\t1.5\tt\n",
    "a blank inside a tab column": "q1\tQ0\td1\t1\t2.5\tt\nq1\tQ0\td 2\t2\t1.5\tt\n",
    "CRLF": "q1 Q0 d1 1 2.5 t\r\nq1 Q0 d2 2 1.5 t\r\nq2 Q0 d1 1 1 t\r\n",
    "CR alone": "q1 Q0 d1 1 2.5 t\rq1 Q0 d2 2 1.5 t\r",
    "CR inside": "q1 Q0 d1 1 2.5 t\nq1 Q0\rd2 2 1.5 t\n",
    "a byte order mark": "\ufeffq1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\n",
    "a byte order mark later": "q1 Q0 d1 1 2.5 t\n\ufeffq1 Q0 d2 2 1.5 t\n",
    "comments": "# a run\nq1 Q0 d1 1 2.5 t\n#\nq1 Q0 d2 2 1.5 t\n#q Q0 d2 2 1.5 t\n# q 1 2 3 4\n",
    "comments only": "# a run\n# of nothing\n",
    "quoted numbers": 'q1 Q0 d1 1 "2.5" t\nq1 Q0 d2 2 1.5 t\nq1 Q0 d5 3 "0.5" t\n',
    "ids in quotes": 'q1 Q0 "d1" 1 2.5 t\nq1 Q0 d2" 2 1.5 t\n',
    "ids with points": "q1 Q0 d.e 1 2.5 t\nq1 Q0 d. 2 1.5 t.\nq1 Q0 d1 3 0.5 t.\n",
    "no last newline": "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t",
    "not grouped": "".join(f"q{q} Q0 d{d} {d} {5 - d} t\n" for d in range(1, 5) for q in (1, 2, 3)),
    "duplicates": "q2 Q0 d1 1 3 t\nq2 Q0 d1 2 2 t\nq1 Q0 d1 1 2 t\nq1 Q0 d1 2 1 t\n",
    "duplicates far apart": "q1 Q0 d1 1 9 t\n"
    + "".join(ROW.format(d, 20 - d) for d in range(1, 15)).replace("tag", "t"),
    "five columns": "q1 Q0 d1 1 2.5\nq1 Q0 d2 2 1.5\n",
    "three columns": "q1 d1 1\nq1 d2 2\nq2 d1 1\n",
    "three columns, ranks not whole": "q1 d1 1\nq1 d2 2.5\nq2 d1 1\n",
    "three columns, ranks no numbers": "q1 d1 1\nq1 d2 x\nq2 d1 y\n",
    "ranks as decimals": "q1 Q0 d1 1.0 2.5 t\nq1 Q0 d2 2.0 1.5 t\n",
    "ranks from 0": "q1 Q0 d1 0 2.5 t\nq1 Q0 d2 1 1.5 t\n",
    "ranks against scores": "".join(
        f"q{q} Q0 d{d} {d} {d * (-1) ** q} t\n" for q in (1, 10, 2, 3) for d in range(1, 5)
    ),
    "ranks unusable": "q1 Q0 d1 1 2.5 t\nq1 Q0 d2 - 1.5 t\nq1 Q0 d3 3 1 t\nq2 Q0 d1 x 1 t\n",
    "ranks that do not fit": "q1 Q0 d1 99999999999999999999 2.5 t\nq1 Q0 d2 2 1.5 t\n",
    "one tag a query": "q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 1.5 a\nq2 Q0 d1 1 1 b\nq10 Q0 d1 1 1 a\n",
    "two systems": "q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 1.5 a\nq2 Q0 d1 1 1 a\nq1 Q0 d1 1 1 b\nq2 Q0 d 2 1 c\n",
    "bad scores": "".join(
        f"q1 Q0 d{i} {i} {score} t\n"
        for i, score in enumerate(["2", "nan", "inf", "1.", "1.e5", "1_000", "1,5", "x", "-.5e1"])
    ),
    "many bad scores": "".join(f"q1 Q0 d{i} {i} {i}. t\n" for i in range(30)),
    "bad rows and bad scores": "q1 Q0 d1 1 2 t\nq1 Q0 d2 2 x t\nq1 Q0 d3 3 t\nq1 Q0 d 4 4 1 t\n"
    * 5,
    "a point and an exponent": "q1 Q0 d1 1 2.e1 t\nq1 Q0 d2 2 1.E1 t\n",
    "not UTF-8": b"q1 Q0 d1 1 2.5 t\nq1 Q0 d2 2 1.5 t\nq1 Q0 d\xe9 2 1.5 t\n",
    "NUL": b"q1 Q0 d1 1 2.5 t\n" * 12 + b"q1 Q0 d\0 2 1.5 t\n",
    "other blanks": "q1 Q0 d\u2003x 1 2.5 t\nq1 Q0 d\x1c1 2 1.5 t\nq1 Q0 d\x851 2 1.5 t\n",
    "a vertical tab": "q1 Q0 d1 1 2.5 t\nq1 Q0\vd2 2 1.5 t\n",
    "self-matches": "q2 Q0 q2 1 3 t\nq2 Q0 d1 2 2 t\nq1 Q0 q1 1 2 t\nq1 Q0 d1 2 1 t\n",
    "ties": "".join(f"q1 Q0 d{i} {i} {i // 4} t\n" for i in range(9, 0, -1)),
    "unsorted": "".join(f"q1 Q0 d{i} {i} {i * 7 % 5} t\n" for i in range(9, 0, -1)),
    "nothing common": "q7 Q0 d1 1 2.5 t\n",
    "no judged document": "q1 Q0 D1 1 2.5 t\nq2 Q0 D1 1 2.5 t\n",
    "empty": "",
    "blank lines": "\n \n\n",
    "numbers as ids": "q1 Q0 1 1 3 t\nq1 Q0 01 2 2 t\nq1 Q0 1.0 3 1 t\n",
}


@pytest.mark.parametrize("size", [17, 40, 100, 1 << 20])
@pytest.mark.parametrize("content", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_an_unusual_file_says_the_same(both: Any, written: Any, content: Any, size: int) -> None:
    both(QRELS, written(content), size)


@pytest.mark.parametrize(
    "axes",
    [
        {"order_by": "rank"},
        {"order_by": "position"},
        {"duplicates": "first"},
        {"duplicates": "last_listed"},
        {"ties": "expected", "depth": "2"},
        {"ties": "input", "score_type": "float32", "score_order": "ascending"},
        {"self_match": "drop", "ties": "docid_desc"},
        {"queries": ["q2"]},
        {"missing": "error"},
    ],
    ids=str,
)
@pytest.mark.parametrize("content", UNUSUAL.values(), ids=UNUSUAL.keys())
def test_an_unusual_file_says_the_same_under_an_axis(
    both: Any, written: Any, content: Any, axes: dict[str, Any]
) -> None:
    both(QRELS, written(content), 60, **axes)
