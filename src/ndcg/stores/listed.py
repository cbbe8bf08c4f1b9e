"""Ranks worked out row by row, for the queries where rows leave the ranking or repeat."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container
from typing import NamedTuple

from ndcg.align import LISTED_TIES, OPEN_TIES, open_cut_error
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
    rows, across = _cut(rows, keys, convention)
    kept = [i for i in rows if names[i] != query or convention.self_match == "keep"]
    repeats = len(kept) - len({names[i] for i in kept})
    if across:
        _refuse_open(query, names, kept, across, judged, convention)
        if not any(names[i] in judged for i in across):
            # All its documents are alike: it does not matter which of them stay.
            stay = set(rows[: int(convention.depth)])
            kept = [i for i in kept if i in stay]
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
    if ties in LISTED_TIES:
        return names if ties == "input" else names[::-1]
    return sorted(names, reverse=ties == "docid_desc")


def _ordered(names: list[str], keys: Keys, convention: Convention) -> tuple[list[int], int]:
    """Row numbers from best to worst, and how many rows a dictionary would have swallowed."""
    if convention.duplicates == "last_listed":
        # The last key in the first place; where places are the keys, that is the first row.
        listed = range(len(names))
        first_counts = convention.order_by == "position"
        row_of = {names[i]: i for i in (reversed(listed) if first_counts else listed)}
        rows = [row_of[name] for name in dict.fromkeys(names)]
    else:
        rows = list(range(len(names)))
    collapsed = len(names) - len(rows)
    if convention.ties == "reversed":
        rows.reverse()
    elif convention.ties != "input":
        rows.sort(key=names.__getitem__, reverse=convention.ties == "docid_desc")
    falling = (-keys).tolist()
    return sorted(rows, key=falling.__getitem__), collapsed


def _cut(rows: list[int], keys: Keys, convention: Convention) -> tuple[list[int], list[int]]:
    """The first `depth` rows; under open ties, whole with the group across the cut, and that."""
    depth = len(rows) if convention.depth == "all" else int(convention.depth)
    if len(rows) <= depth:
        return rows, []
    edge = keys[rows[depth - 1]]
    if convention.ties not in OPEN_TIES or keys[rows[depth]] != edge:
        return rows[:depth], []
    return [i for i in rows if keys[i] >= edge], [i for i in rows if keys[i] == edge]


def _refuse_open(
    query: str,
    names: list[str],
    kept: list[int],
    across: list[int],
    judged: Container[str],
    convention: Convention,
) -> None:
    """Refuse where it is open which rows `depth` keeps and a number depends on it.

    Rows that leave or repeat move the ranks of judged documents, and even in a group without
    judged ones the number returned.
    """
    group = {names[i] for i in across}
    whole = any(name in judged for name in group)
    times = Counter(names[i] for i in kept)
    if any(number > 1 and (whole or name in group) for name, number in times.items()):
        raise open_cut_error(1, convention, "duplicates")
    if convention.self_match == "drop" and query in names and (whole or query in group):
        raise open_cut_error(1, convention, "self_match")
