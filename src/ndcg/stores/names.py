"""What column names mean: the one list of names, and names that show a table to be another.

Names are compared without case, blanks, dashes and underscores: ``Query-ID`` is ``query_id``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

# role -> the column names that mean it
NAMES: dict[str, tuple[str, ...]] = {
    "query": ("query_id", "qid", "query", "topic_id", "topic", "user_id", "user", "uid"),
    "document": (
        "doc_id", "docno", "docid", "document_id", "document", "doc", "corpus_id", "passage_id",
        "pid", "item_id", "item", "iid", "product_id", "movie_id",
    ),
    "grade": ("grade", "relevance", "rel", "label", "rating", "stars", "judgment", "judgement"),
    "score": ("score", "sim", "similarity", "prediction", "pred", "est"),
    "rank": ("rank", "position"),
    "tag": ("tag", "run_id", "run", "system"),
}  # fmt: skip
# Where both stand in one table the first is meant: the other is a text, or an internal number.
PREFERRED: tuple[tuple[str, str], ...] = (
    ("qid", "query"),
    ("query_id", "query"),
    ("topic_id", "topic"),
    ("docno", "docid"),
)
# A column of these names beside judgments: a pair may have a row for each judge.
JUDGES = ("judge", "judgeid", "assessor", "annotator", "rater")
# Names that are proposed in messages and never taken unasked.
PROPOSED: dict[str, tuple[str, ...]] = {
    "query": ("querytext", "searchterm"),
    "document": ("product", "sku", "asin", "url"),
    "rank": ("docposition",),
    "score": ("distance",),
}


def plain(name: object) -> str:
    """A column name as names are compared."""
    return re.sub(r"[\s_-]", "", str(name)).casefold()


_ROLE_OF = {plain(name): role for role, names in NAMES.items() for name in names}


def role_of(name: object) -> str | None:
    """What a column of this name holds, or None."""
    return _ROLE_OF.get(plain(name))


def repeated(names: Sequence[str]) -> str | None:
    """The first name that stands several times, None if there is none.

    >>> repeated(["a", "b", "b", "a"]), repeated(["a", "b"])
    ('a', None)
    """
    if len(set(names)) == len(names):
        return None
    numbers = Counter(names)
    return next(name for name in names if numbers[name] > 1)


def is_header(fields: Sequence[str]) -> bool:
    """Whether a first row names columns instead of holding a record."""
    return len({role_of(field) for field in {*fields}} - {None}) > 1


_DISTANCES = (
    "low distances are good: --columns score=distance --score-order ascending "
    "(in Python: columns={'score': 'distance'}, score_order='ascending')"
)
_ROWS = "write one row for each query and document, with a grade or a score"
# Columns by which a table is known that is neither judgments nor a run as it stands; what to do
# about it is to name columns, unless something else is said.
_KINDS: tuple[tuple[str, str, str | None], ...] = (
    ("escilabel", "ESCI labels, letters without a grade",
     "map the letters to grades, such as E 3, S 2, C 1, I 0, in a column of numbers"),
    ("snapshotname", "a snapshot of Quepid", None),
    ("doc(ument)?position", "an export of a Quepid case, ratings and ranking in one", None),
    ("clicks|impressions", "a click log, whose counts are no grades", None),
    (".*:(token|float|tokenseq|floatseq)", "a file of interactions of RecBole", None),
    ("(rec|item|top|rank)1", "recommendations with one column per rank", _ROWS),
    ("expectedids|retrievedids", "results of LlamaIndex, lists of ids in each row", _ROWS),
    (".*contexts", "RAG data with texts in place of ids", _ROWS),
    ("recs|recommendations|recommendeditems|retrieved(ids|docs|documents|items)?|results",
     "rows with several ids in one cell", _ROWS),
    ("(document|doc|item)ids", "rows with several ids in one cell", _ROWS),
    ("hits", "search results, a list of hits in each row", _ROWS),
)  # fmt: skip
# All of them at once: tables may have very many columns.
_ANY_KIND = re.compile("|".join(f"(?P<k{at}>{one[0]})" for at, one in enumerate(_KINDS)))


def kind_of(names: Sequence[str]) -> tuple[str, str | None] | None:
    """What a table is and what to do, where its columns show it to be something else."""
    shown = {plain(name) for name in {*names}}
    roles = {_ROLE_OF.get(name) for name in shown}
    if {"id", "text"} <= shown and not {"query", "document"} & roles:  # id is plain("_id")
        return "texts of a BEIR folder", "give the folder, or the file in its qrels/"
    if {"rating", "timestamp"} <= shown and "score" not in roles:
        return "a log of ratings with times, as MovieLens has them", None
    if "distance" in shown and not {"score", "rank"} & roles:
        return "search results with distances", _DISTANCES
    found = {match.lastgroup for match in map(_ANY_KIND.fullmatch, shown) if match}
    return next((one[1:] for at, one in enumerate(_KINDS) if f"k{at}" in found), None)
