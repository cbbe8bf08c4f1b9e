"""The data of the benchmarks: random, the same in every process."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

SEED = 20261130


def dictionaries(
    queries: int, documents: int
) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, float]]]:
    """Twenty judged documents retrieved and ten missed in every query."""
    chance = random.Random(SEED)
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


def arrays(queries: int, documents: int, levels: int) -> tuple[Any, Any]:
    """Grades from 0 to 3, and scores of so many levels (0: they all differ)."""
    import numpy as np

    chance = np.random.default_rng(SEED)
    grades = chance.integers(0, 4, (queries, documents)).astype(float)
    scores = chance.random((queries, documents))
    return grades, np.floor(scores * levels) if levels else scores


def pair(folder: Path, queries: int, documents: int) -> tuple[str, str]:
    """Judgments and a run as TREC files, the run in order of its scores."""
    qrels, run = dictionaries(queries, documents)
    (folder / "qrels.txt").write_text(
        "".join(f"{q} 0 {d} {g}\n" for q, judged in qrels.items() for d, g in judged.items())
    )
    with (folder / "run.txt").open("w") as file:
        for query, listed in run.items():
            ordered = sorted(listed, key=listed.__getitem__, reverse=True)
            for rank, document in enumerate(ordered, 1):
                file.write(f"{query} Q0 {document} {rank} {listed[document]:.6f} bench\n")
    return str(folder / "qrels.txt"), str(folder / "run.txt")


def large_pair(folder: Path, queries: int, documents: int) -> tuple[str, str]:
    """The same for millions of rows: ids of a collection as large as MS MARCO's passages."""
    import numpy as np

    chance, collection = np.random.default_rng(SEED), 8_841_823
    paths = folder / "large-qrels.txt", folder / "large-run.txt"
    with paths[0].open("w") as qrels, paths[1].open("w") as run:
        for query in range(1_000_000, 1_000_000 + queries):
            listed = chance.choice(collection, documents, replace=False).tolist()
            scores = np.sort(np.round(chance.random(documents) * 20, 6))[::-1].tolist()
            rows = enumerate(zip(listed, scores, strict=True), 1)
            run.write(
                "".join(f"{query} Q0 D{d} {rank} {score:.6f} bench\n" for rank, (d, score) in rows)
            )
            judged = dict.fromkeys([*listed[: documents // 2 : max(documents // 20, 1)],
                                    *chance.choice(collection, 10).tolist()])  # fmt: skip
            grades = chance.integers(0, 4, len(judged)).tolist()
            qrels.write(
                "".join(f"{query} 0 D{d} {g}\n" for d, g in zip(judged, grades, strict=True))
            )
    return str(paths[0]), str(paths[1])
