"""The layouts of the TREC family: how many columns there are, and which of them holds what."""

from __future__ import annotations

from typing import NamedTuple

from ndcg.stores.columns import name_them


class Layout(NamedTuple):
    """Which column holds what."""

    name: str
    columns: str  # as named in messages
    document: int
    number: int  # the column that must be a number: grade, score or rank
    rank: int | None = None
    tag: int | None = None
    notice: str | None = None


QRELS = {
    4: Layout("trec qrels", "query iteration document grade", document=2, number=3),
    3: Layout("trec qrels, 3 columns", "query document grade", document=1, number=2,
               notice="3 columns, read as query, document, grade"),
    5: Layout("trec sampled qrels", "query document grade algorithm probability",
               document=1, number=2,
               notice="5 columns, read as sampled judgments (query, document, grade, algorithm, "
                      "inclusion probability); the probabilities are not used"),
}  # fmt: skip
RUN = {
    6: Layout("trec run", "query Q0 document rank score tag", document=2, number=4, rank=3, tag=5),
    5: Layout("trec run, no tag", "query Q0 document rank score", document=2, number=4, rank=3,
               notice="5 columns, read as query, Q0, document, rank, score; the tag is missing"),
    3: Layout("ms marco run", "query document rank", document=1, number=2, rank=2,
               notice="3-column run (query, document, rank): no scores, ordered by rank"),
}  # fmt: skip


LAYOUTS = {"qrels": QRELS, "run": RUN}

# What to do about a run of three columns whose last one are scores.
IF_SCORES = "if column 3 is a score, " + name_them({"query": "1", "document": "2", "score": "3"})

ACCEPTED = {
    role: "accepted (TREC): "
    + " or ".join(f"{width} columns ({layout.columns})" for width, layout in layouts.items())
    + ", separated by blanks or tabs"
    for role, layouts in LAYOUTS.items()
}
