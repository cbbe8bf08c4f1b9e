"""Files into judgments and runs: the role comes from the caller, the layout is detected."""

from __future__ import annotations

from ndcg.formats import trec
from ndcg.formats.source import Input, read_source
from ndcg.stores.given import Judgments, Rankings

__all__ = ["Input", "read_qrels", "read_run"]


def read_qrels(path: str, *, fingerprint: bool = False) -> tuple[Judgments, Input]:
    """Read judgments; ``-`` is standard input.

    Raises
    ------
    DataError
        When the file cannot be read or is not what it should be; up to ten problems are named
        with their lines, the others are counted.
    """
    return trec.qrels(read_source(path, "qrels", fingerprint=fingerprint))


def read_run(path: str, *, fingerprint: bool = False) -> tuple[Rankings, Input]:
    """Read one system's run; ``-`` is standard input. Raises as `read_qrels` does."""
    return trec.run(read_source(path, "run", fingerprint=fingerprint))
