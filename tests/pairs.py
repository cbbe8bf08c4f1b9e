"""The real pairs of judgments and runs among the shared collections."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

from shared import shared

PAIRS = [
    "dl19-passage/bm25",
    "trec-covid-beir/bm25-flat",
    "cast2019/bert-oracle",
    "cast2019/bert-raw",
    "robust2003/uic0301",
    "robust2003/MU03rob01-ties",
    "robust2003/humR03dc-depth100",
    "trec-rag24/comment-test",
]
ONE_OF_EACH = ["nDCG", "nDCG@10", "P@10", "R@100", "AP", "AP@100", "RR", "Success@5"]


def files_of(pair: str) -> tuple[Path, Path, Path]:
    """Judgments, run and printed values of a pair such as ``robust2003/uic0301``."""
    folder, _, run = pair.partition("/")
    home = shared("data", "real", folder)
    return home / "qrels.txt.gz", home / f"run.{run}.txt.gz", home / f"full.{run}.tsv.gz"


def rows_of(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from (line.split() for line in file)
