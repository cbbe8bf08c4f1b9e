"""Ranks worked out row by row, for the queries where rows leave the ranking or repeat."""

from __future__ import annotations

from collections.abc import Container
from typing import NamedTuple

from ndcg.align import OPEN_TIES, open_cut_error
from ndcg.convention import Convention
from ndcg.stores.given import Keys


class Rows(NamedTuple):
    """The rows of one query that are ranked, best first, and what was counted on the way."""

    kept: list[int]
    repeats: int  # further occurrences of a document, whatever became of them


def ranked_rows(
    query: str, names: list[str], keys: Keys, judged: Container[str], convention: Convention
) -> Rows:
    """Order the rows, cut them at `depth`, drop the self-match, settle repeated documents.

    Under ``duplicates: error`` the repeated rows stay in; the caller reports them.
    """
    rows, collapsed = _ordered(names, keys, convention)
    rows, is_cut = _cut(rows, names, keys, judged, convention)
    kept = [i for i in rows if names[i] != query or convention.self_match == "keep"]
    repeats = len(kept) - len({names[i] for i in kept})
    if is_cut and (repeats or len(kept) < len(rows)):
        raise open_cut_error(1, convention, "duplicates" if repeats else "self_match")
    if convention.duplicates == "first":
        best: dict[str, int] = {}
        kept = [i for i in kept if best.setdefault(names[i], i) == i]
    elif convention.duplicates == "last":
        worst = {names[i]: i for i in kept}
        kept = [i for i in kept if worst[names[i]] == i]
    return Rows(kept, repeats + collapsed)


def tie_order(names: list[str], ties: str) -> list[str]:
    """Tied documents, given in listed order, in the order of the rule.

    Comparing text by code points orders it like its UTF-8 bytes. Open rules are laid out as
    ``docid_asc``; measures rearrange them.

    >>> tie_order(["9", "2", "100", "10"], "docid_desc")
    ['9', '2', '100', '10']
    """
    return names if ties == "input" else sorted(names, reverse=ties == "docid_desc")


def _ordered(names: list[str], keys: Keys, convention: Convention) -> tuple[list[int], int]:
    """Row numbers from best to worst, and how many rows a dictionary would have swallowed."""
    if convention.duplicates == "last_listed":
        last = {name: i for i, name in enumerate(names)}  # the last key in the first place
        rows = list(last.values())
    else:
        rows = list(range(len(names)))
    collapsed = len(names) - len(rows)
    if convention.ties != "input":
        rows.sort(key=names.__getitem__, reverse=convention.ties == "docid_desc")
    falling = (-keys).tolist()
    return sorted(rows, key=falling.__getitem__), collapsed


def _cut(
    rows: list[int],
    names: list[str],
    keys: Keys,
    judged: Container[str],
    convention: Convention,
) -> tuple[list[int], bool]:
    """The first `depth` rows; under open ties a judged group across the cut stays whole."""
    depth = len(rows) if convention.depth == "all" else int(convention.depth)
    if len(rows) <= depth:
        return rows, False
    edge = keys[rows[depth - 1]]
    across = [i for i in rows if keys[i] == edge]
    is_open = convention.ties in OPEN_TIES and keys[rows[depth]] == edge
    if not is_open or not any(names[i] in judged for i in across):
        return rows[:depth], False
    return [i for i in rows if keys[i] >= edge], True
