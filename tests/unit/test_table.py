"""Runs that are streamed block by block say what the same files say when they are read whole."""

from __future__ import annotations

import bz2
import gzip
import lzma
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
import zstandard

import ndcg
from ndcg.formats import large, read_run, stream
from ndcg.stores.asked import Asked
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
    "two systems": "q1 Q0 d1 1 2.5 a\nq1 Q0 d2 2 1.5 a\nq2 Q0 d1 1 1 a\n"
    "q1 Q0 d1 1 1 b\nq2 Q0 d 2 1 c\n",
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


def test_a_query_may_span_many_blocks(both: Any, written: Any) -> None:
    rng = random.Random(7)  # noqa: S311 -- not for secrets
    rows = [f"q1 Q0 d{i} 0 {rng.randrange(40)} t\n" for i in range(500)]
    rows += [f"q2 Q0 d{i} 0 {rng.random()} t\n" for i in range(500)]
    qrels = {query: {f"d{i * 7}": i % 3 for i in range(90)} for query in ("q1", "q2")}
    both(qrels, written("".join(rows)), 300)
    both(qrels, written("".join(sorted(rows, key=lambda _: rng.random()))), 300)


@pytest.mark.parametrize(
    ("suffix", "compress"),
    [
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".zst", zstandard.ZstdCompressor().compress),
        (".none", bytes),
    ],
)
@pytest.mark.parametrize("parts", [1, 3])
def test_compressed_files_are_streamed(
    both: Any, written: Any, suffix: str, compress: Callable[[bytes], bytes], parts: int
) -> None:
    rows = "".join(ROW.format(i, 1000 - i) for i in range(900)).encode()
    cuts = [len(rows) * at // parts for at in range(parts + 1)]
    data = b"".join(compress(rows[a:b]) for a, b in pairwise(cuts))
    _, streams = both(QRELS, written(data, f"run.txt{suffix}"), 4000)
    assert streams == 1


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress, bz2.compress,
                                      zstandard.ZstdCompressor().compress])  # fmt: skip
def test_a_compressed_file_that_is_cut_short_is_damaged(
    written: Any, monkeypatch: pytest.MonkeyPatch, compress: Callable[[bytes], bytes]
) -> None:
    rng = random.Random(7)  # noqa: S311 -- not for secrets
    rows = "".join(f"q1 Q0 {rng.random()} 1 {rng.random()} t\n" for _ in range(9000)).encode()
    path = written(compress(rows)[:-9])
    monkeypatch.setattr(large, "is_large", lambda _: True)
    with pytest.raises(
        ndcg.DataError, match=r"is a damaged .* file .*(ended|inside a frame)"
    ) as found:
        ndcg.evaluate(QRELS, str(path))
    assert found.value.code == "E23"


def test_a_fault_in_the_third_block_has_its_line(both: Any, written: Any) -> None:
    rows = [ROW.format(i, 100 - i) for i in range(1, 31)]
    rows[24] = "q1 Q0 d25 25 7,5 tag\n"
    size = len("".join(rows[:10])) + 5
    (text, total), streams = both(QRELS, written("".join(rows)), size)
    assert "run.txt:25" in text
    assert "'7,5' has a decimal comma" in text
    assert (total, streams) == (1, 1)


def test_a_file_that_changes_while_it_is_read_is_refused(written: Any) -> None:
    path = written("".join(ROW.format(i, 100 - i) for i in range(1, 31)))
    taken = stream.run(str(path), fingerprint=False, asked=AS_IT_LOOKS, size=100)
    assert taken is not None
    assert len(taken[0].queries) == 1
    path.write_text("q1 Q0 d1 1 1 t\n")
    with pytest.raises(ndcg.DataError, match="changed while it was read"):
        [*taken[0].documents("q1")]


def test_a_file_that_grows_during_a_pass_is_refused(written: Any) -> None:
    path = written("".join(ROW.format(i, 100 - i) for i in range(1, 31)))
    taken = stream.run(str(path), fingerprint=False, asked=AS_IT_LOOKS, size=100)
    assert taken is not None
    blocks = iter(taken[0].blocks)
    next(blocks)
    path.write_text(path.read_text() + ROW.format(31, 1))
    with pytest.raises(ndcg.DataError, match="changed while it was read"):
        list(blocks)
    path.unlink()
    with pytest.raises(ndcg.DataError, match="cannot be read"):
        list(taken[0].blocks)


def test_what_is_foreseen_is_read_once(written: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    path = written("".join(ROW.format(i, 100 - i) for i in range(1, 31)))
    reads: list[int] = []
    texts = stream.TextBlocks._texts
    monkeypatch.setattr(large, "is_large", lambda _: True)
    monkeypatch.setattr(stream.TextBlocks, "_texts", lambda self: reads.append(1) or texts(self))
    for axes in ({}, {"ties": "expected"}, {"queries": ["q1"]}, {"order_by": "rank"}):
        reads.clear()
        ndcg.evaluate(QRELS, str(path), ["nDCG@10", "nDCG(gain=linear)@5", "AP"], **axes)
        assert len(reads) == 1, axes


def test_large_files_are_streamed_and_small_ones_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.txt"
    path.write_text("".join(ROW.format(i, 100 - i) for i in range(1, 31)))
    assert not large.is_large(str(path))
    assert not large.is_large("-")
    assert not large.is_large(str(tmp_path))
    monkeypatch.setattr(large, "LARGE", 500)
    assert large.is_large(str(path))
    packed = tmp_path / "run.txt.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    assert not large.is_large(str(packed))
    monkeypatch.setattr(large, "LARGE_COMPRESSED", 100)
    assert large.is_large(str(packed))


def test_a_large_file_is_read_without_polars_and_the_extra_is_named(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = written("".join(ROW.format(i, 100 - i) for i in range(1, 31)))
    monkeypatch.setattr(large, "is_large", lambda _: True)
    monkeypatch.setattr(large, "find_spec", lambda _: None)
    _, found = read_run(str(path))
    assert "pip install 'ndcg[polars]'" in str(found.notices[-1])


def test_small_files_are_scored_without_polars() -> None:
    qrels, run = (
        shared("formats", "01_trec_qrels_mixed_blanks.txt"),
        shared("formats", "02_trec_run_rank_from_1.txt"),
    )
    code = (
        "import sys, ndcg; ndcg.evaluate(*sys.argv[1:], extra='ignore'); "
        "sys.exit('polars' in sys.modules)"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code, qrels, run], check=True)


def test_rows_that_do_not_stand_together_are_said_to_be_held(
    written: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(large, "is_large", lambda _: True)
    path = written(UNUSUAL["not grouped"])
    notices = ndcg.evaluate(QRELS, str(path)).notices
    assert any("the rows of 3 queries do not stand together" in str(one) for one in notices)
