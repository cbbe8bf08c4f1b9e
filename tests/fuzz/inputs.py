"""The inputs of the fuzzer: real files, spoilt in ways that a number decides."""

from __future__ import annotations

import gzip
import io
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import polars as pl

from fuzz import mutations

_HEAD = 2000  # bytes of a collection that begin a sample
_SUFFIXES = ("", ".txt", ".gz", ".bz2", ".xz", ".zst", ".json", ".jsonl", ".csv", ".tsv",
             ".parquet", ".arrow", ".feather", ".run", ".qrels")  # fmt: skip


class Input(NamedTuple):
    """One input: what it is called, its bytes, and how it came about."""

    name: str
    data: bytes
    story: str


class Sample(NamedTuple):
    """A file to begin with."""

    name: str
    data: bytes
    is_binary: bool


@lru_cache
def samples(folder: str, *, real: bool) -> tuple[Sample, ...]:
    """The authored files of the shared folder, tables in columns, heads of public collections.

    What is made of collections is never stored in the repository: `real` is for exploring.
    """
    root = Path(folder)
    paths = [*sorted((root / "formats").iterdir()), *sorted((root / "cases/files").iterdir())]
    found = [Sample(one.name, one.read_bytes(), is_binary=False) for one in paths]
    found += [*_tables()]
    if real:
        found += [
            Sample(f"{path.parent.name}/{path.name}", _head(path), is_binary=False)
            for path in sorted((root / "data/real").glob("*/*.gz"))
        ]
    return (*found, _feather())


def _head(path: Path) -> bytes:
    with gzip.open(path) as file:
        return file.read(_HEAD)


def _tables() -> list[Sample]:
    """Judgments, a run, and columns of types that hardly fit, as Parquet and Arrow."""
    found = []
    for name, frame in _frames().items():
        for kind in ("parquet", "ipc", "ipc_stream"):
            for compression in ("uncompressed", "zstd"):
                file = io.BytesIO()
                getattr(frame, f"write_{kind}")(file, compression=compression)
                found.append(
                    Sample(f"{name}.{compression}.{kind}", file.getvalue(), is_binary=True)
                )
    return found


def _frames() -> dict[str, pl.DataFrame]:
    wide = {
        "query": pl.Series([1, None], dtype=pl.Categorical(), strict=False),
        "doc": pl.Series([2**62, -(2**62)]).cast(pl.Datetime("ns")),
        "score": pl.Series([2**31 - 1, 0], dtype=pl.Int32).cast(pl.Date),
        "rank": pl.Series([[1], None]),
        "tag": pl.Series([b"a", b"\xff"]),
        "grade": pl.Series([2**63, 1], dtype=pl.UInt64),
    }
    odd = {
        "query": pl.Series([{"a": 1}, None]),
        "doc": pl.Series([None, None]),
        "score": pl.Series(["1.5", "2"]).cast(pl.Decimal(20, 2)),
        "grade": pl.Series([True, None]),
        "rank": pl.Series([float("nan"), float("inf")], dtype=pl.Float32),
        "tag": pl.Series([2**62, 1]).cast(pl.Duration("us")),
    }
    qrels = {"query": ["q1", "q1", "q2"], "doc": ["a", "b", "a"], "grade": [1, 0, 2]}
    run = {"query": ["q1", "q1"], "doc": [7, 8], "score": [0.5, 0.25], "rank": [1, 2],
           "tag": ["t", None]}  # fmt: skip
    return {
        name: pl.DataFrame(columns)
        for name, columns in {"qrels": qrels, "run": run, "wide": wide, "odd": odd}.items()
    }


def _feather() -> Sample:
    """Judgments in the first Feather format, which takes long to read: it comes last."""
    import pyarrow as pa
    from pyarrow import feather

    table = pa.table({"query": ["q1", "q1"], "doc": ["a", "b"], "grade": [1.0, 0.0]})
    file = io.BytesIO()
    feather.write_feather(table, file, version=1)
    return Sample("qrels.feather1", file.getvalue(), is_binary=True)


def input_of(seed: int, given: tuple[Sample, ...]) -> Input:
    """The input of a number."""
    random = Random(seed)  # noqa: S311 -- examples, not secrets
    sample, story = _begun(random, given)
    data, others = sample.data, [one.data for one in given]
    deeds = mutations.BINARY if sample.is_binary else mutations.PLAIN
    for deed in random.choices(deeds, k=random.choice((0, 1, 1, 2, 2, 3, 5, 8))):
        data = deed(random, data, others)[: mutations.LONGEST]
        story.append(deed.__name__)
    if random.random() < 0.12:
        data = mutations.pack(random, data, others)
        story.append("pack")
        for deed in random.choices(mutations.BINARY[:-1], k=random.choice((0, 0, 1, 2))):
            data = deed(random, data, others)
            story.append(deed.__name__)
    suffix = random.choice(_SUFFIXES) if random.random() < 0.3 else Path(sample.name).suffix
    return Input(f"input{suffix}", data[: 2 * mutations.LONGEST], " ".join(story))


def _begun(random: Random, given: tuple[Sample, ...]) -> tuple[Sample, list[str]]:
    kind = random.random()
    if kind < 0.05:
        raw = random.randbytes(random.choice((0, 1, 3, 20, 300)))
        return Sample("raw", raw, is_binary=True), ["raw bytes"]
    if kind < 0.13:
        return Sample("random.json", mutations.random_json(random), is_binary=False), [
            "random JSON"
        ]
    if kind < 0.21:
        return Sample("random", mutations.random_rows(random), is_binary=False), ["random rows"]
    if kind < 0.212:
        return given[-1], [given[-1].name]
    sample = random.choice(given[:-1])
    return sample, [sample.name]
