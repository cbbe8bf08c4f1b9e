"""What is said of files that would fill the memory, never end, or crash a library."""

# ruff: noqa: E501 -- lines are as long as they are printed

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import textwrap
import threading
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
import zstandard

from command import QRELS, RUN, ndcg, put
from ndcg.formats import chunks, large, opening, read_qrels, source, unpacking


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    put(qrels_txt=QRELS, run_txt=RUN)


def said(*arguments: str, stdin: bytes = b"") -> str:
    """What the command says on its way out with 2."""
    done = ndcg(*arguments, stdin=stdin)
    assert (done.code, done.out) == (2, "")
    return done.err


def says(text: str) -> str:
    """A text without the indentation of the test it stands in."""
    return textwrap.dedent(text).lstrip("\n")


def stream_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every run be read as large ones are."""
    monkeypatch.setattr(large, "is_large", os.path.isfile)


# -- what expands ----------------------------------------------------------------------------------

PACKS: dict[str, Callable[[bytes], bytes]] = {
    "gz": lambda data: gzip.compress(data, 9, mtime=0),
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
}
ZEROS, ROWS = bytes(8 << 20), b"q1 Q0 d1 1 1.0 t\n" * 500_000


def test_a_file_that_expands_beyond_all_measure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST", 2 << 20)
    put(bomb_txt=PACKS["gz"](ZEROS))
    size = Path("bomb.txt").stat().st_size
    assert said("eval", "bomb.txt", "run.txt") == says(f"""
        error[E23 compression]: bomb.txt expands to more than 3 MiB, over 100 times its {size:,} bytes: it was read no further
         --> bomb.txt
        help: what expands beyond both 2 MiB and 100 times its size may be made to fill the memory; if it is meant, unpack it first and give what comes out
        """)


@pytest.mark.parametrize("kind", PACKS)
@pytest.mark.parametrize("data", [ZEROS, ROWS], ids=["zeros", "rows"])
def test_every_kind_of_compression_is_bounded_however_it_is_read(
    kind: str, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MOST", 2 << 20)
    packed = PACKS[kind](data)
    put(bomb=packed)
    expected = "error[E23 compression]: bomb expands to more than "
    assert said("eval", "bomb", "run.txt").startswith(expected)
    assert said("eval", "qrels.txt", "bomb").startswith(expected)
    assert said("trec-eval", "qrels.txt", "bomb").startswith(expected)
    assert said("eval", "-", "run.txt", stdin=packed).startswith(expected.replace("bomb", "-"))
    stream_everything(monkeypatch)
    assert said("eval", "qrels.txt", "bomb").startswith(expected)


@pytest.mark.parametrize("kind", PACKS)
def test_unpacking_stops_soon_after_the_limit(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unpacking, "MOST", 2 << 20)
    monkeypatch.setattr(unpacking, "_READ_ZSTD", 64)
    put(bomb=PACKS[kind](ZEROS))
    told = said("eval", "bomb", "run.txt")
    assert int(told.split("more than ")[1].split(" MiB")[0]) <= 4


@pytest.mark.parametrize("kind", PACKS)
def test_what_expands_beyond_one_of_both_limits_is_read(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(q=PACKS[kind](QRELS.encode() + b"\n" * 1_000_000))
    assert read_qrels("q")[1].rows == 2
    monkeypatch.setattr(unpacking, "MOST", 1)
    put(
        q=PACKS[kind]("".join(f"q{i} 0 {i * 7919 % 10007} {i % 3}\n" for i in range(9999)).encode())
    )
    assert read_qrels("q")[1].rows == 9999


def table(rows: int, kind: str, compression: str) -> bytes:
    """A table of rows that are all the same."""
    frame = pl.DataFrame({"query": ["q"], "doc": ["d"], "grade": [1]})
    frame = frame.select(pl.all().repeat_by(rows).explode())
    file = io.BytesIO()
    getattr(frame, f"write_{kind}")(file, compression=compression)
    return file.getvalue()


@pytest.mark.parametrize("library", ["polars", "pyarrow"])
@pytest.mark.parametrize("kind", ["parquet", "ipc", "ipc_stream"])
def test_a_table_of_more_rows_than_its_bytes_can_hold(
    kind: str, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unpacking, "MOST", 1 << 10)
    monkeypatch.setattr(unpacking, "MOST_TIMES", 2)
    put(bomb=table(100_000, kind, "zstd"))
    if library == "pyarrow":
        monkeypatch.setitem(sys.modules, "polars", None)
    expected = "error[E23 compression]: bomb expands to more than "
    assert said("eval", "bomb", "run.txt").startswith(expected)
    assert said("eval", "qrels.txt", "bomb").startswith(expected)


def test_a_file_that_takes_more_memory_to_unpack_than_is_allowed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(unpacking, "MEMORY", 1 << 16)
    put(q=lzma.compress(QRELS.encode()))
    assert said("eval", "q", "run.txt") == says("""
        error[E23 compression]: q is a xz file that takes too much memory to unpack (Memory usage limit exceeded)
         --> q
        help: unpack it first and give what comes out
        """)
    packer = zstandard.ZstdCompressor().compressobj()
    packed = bytearray(packer.compress(QRELS.encode()) + packer.flush())
    packed[5] = 20 << 3  # a window of 1 GiB
    put(q=bytes(packed))
    assert "q is a zstd file that takes too much memory to unpack" in said("eval", "q", "run.txt")


def test_a_file_that_does_not_fit_into_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise MemoryError

    told = says("""
        error[E20 file]: qrels.txt does not fit into memory
         --> qrels.txt
        help: give a smaller file; large TREC runs are streamed with pip install 'ndcg[polars]'
        """)
    monkeypatch.setattr("ndcg.formats.trec.qrels", full)
    assert said("eval", "qrels.txt", "run.txt") == told
    monkeypatch.setattr("ndcg.formats.trec.run", full)
    monkeypatch.setattr("ndcg.formats.opening._whole", full)
    assert said("eval", "qrels.txt", "run.txt") == told


# -- lines -----------------------------------------------------------------------------------------


def test_a_line_that_is_too_long_to_be_a_row(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (source, chunks):
        monkeypatch.setattr(module, "LONGEST_LINE", 8 << 20)  # more than is read at once
    put(long_run=RUN + "q1 Q0 " + "x" * (8 << 20) + " 3 0.5 t\n")
    told = says("""
        error[E38 syntax]: long.run: line 3 is longer than 8 MiB, so it is no row
         --> long.run:3
        help: the file may be of another format, or have no line ends: give one row a line
        """)
    assert said("eval", "qrels.txt", "long.run") == told
    assert said("eval", "long.run", "run.txt") == told
    assert said("trec-eval", "qrels.txt", "long.run") == told
    stream_everything(monkeypatch)
    assert said("eval", "qrels.txt", "long.run") == told


def test_what_is_wrong_is_shown_however_long_it_is() -> None:
    put(q="q1 0 a " + "9" * 5000 + "\n")
    assert said("eval", "q", "run.txt") == says(f"""
        error[E26 grade]: grade '{"9" * 56}... is too large for a double
         --> q:1
           | q1 0 a {"9" * 86}...
           |        {"^" * 89}
        help: grades are finite numbers such as 2, -0.25 or 1.1e1
        """)
    put(q=f"q1 0 {'d' * 5000} 1\n" * 2, r=f"q1 Q0 {'d' * 5000} 1 1 t\n" * 2)
    told = said("eval", "q", "r")
    assert told.startswith("error[E28 duplicate]: ")
    assert " characters in all) ..." in told
    assert len(told) < 4096


# -- what is no file -------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_that_nobody_writes_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "WRITER_SECONDS", 0.1)
    os.mkfifo("pipe")
    assert said("eval", "pipe", "run.txt") == says("""
        error[E20 file]: pipe is a FIFO, and nothing opened it to write for 0.1 seconds
         --> pipe
        help: start what writes to it first, or give a file
        """)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs here")
def test_a_fifo_that_holds_nothing_is_empty() -> None:
    os.mkfifo("pipe")
    writer = threading.Thread(target=lambda: Path("pipe").write_bytes(b""), daemon=True)
    writer.start()
    assert "pipe is empty: no judgments, 0 queries" in said("eval", "pipe", "run.txt")
    writer.join(timeout=10)


# -- tables that libraries stumble over ------------------------------------------------------------


def test_values_that_cannot_be_read() -> None:
    beyond = pl.Series([2**31 - 1, 0], dtype=pl.Int32).cast(pl.Date)
    pl.DataFrame({"query": ["q", "q"], "doc": ["a", "b"], "grade": beyond}).write_parquet("q")
    assert said("eval", "q", "run.txt") == says("""
        error[E36 type]: q holds values that cannot be read (out-of-range date)
         --> q
        help: ids are text or whole numbers, scores and grades are numbers: no dates
        """)


DAMAGED = Path(__file__).parent.parent / "data" / "fuzz"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("arrow-block-of-2-gigabytes", "an offset is negative"),
        ("feather-1-with-damaged-offsets", "PyArrow crashed on it"),
    ],
)
def test_a_damaged_table_that_would_end_the_process(name: str, why: str) -> None:
    put(q=next(DAMAGED.glob(f"{name}.*")).read_bytes())
    told = said("eval", "q", "run.txt")
    assert f" is a damaged {name.partition('-')[0].capitalize()} file ({why})\n" in told


def test_a_library_that_panics_says_nothing_itself(capfd: pytest.CaptureFixture[str]) -> None:
    put(q=(DAMAGED / "arrow-that-polars-panics-on.arrow").read_bytes())
    assert "error[E38 syntax]: q is a damaged Arrow file" in said("eval", "q", "run.txt")
    assert capfd.readouterr().err == ""
