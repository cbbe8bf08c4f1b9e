"""What can be gated beside measures: what the accounts count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ndcg.evaluation.results import SystemResult


class Counted(NamedTuple):
    """How many, and the queries that they are, where they are queries."""

    number: int
    queries: Sequence[str] = ()


def _empty(one: SystemResult) -> Counted:
    queries = sorted({query for found in one.measures.values() for query in found.empty})
    return Counted(len(queries), queries)


# The words are the heads of the table of accounts.
COUNTS: dict[str, Callable[[SystemResult], Counted]] = {
    "answered": lambda one: Counted(one.accounts.judged_queries - len(one.accounts.missing)),
    "missing": lambda one: Counted(len(one.accounts.missing), one.accounts.missing),
    "extra": lambda one: Counted(len(one.accounts.extra), one.accounts.extra),
    "empty": _empty,
    "duplicates": lambda one: Counted(one.accounts.duplicates),
    "negative": lambda one: Counted(one.accounts.negative_grades),
    "self-match": lambda one: Counted(one.accounts.self_matches),
    "skipped": lambda one: Counted(len(one.accounts.skipped_rows)),
    "tied": lambda one: Counted(one.accounts.tied_queries),
}
