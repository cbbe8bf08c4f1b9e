"""Orders and depths that a number rests on without telling, each with what settles it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ndcg.align import OPEN_TIES, Aligned
from ndcg.errors import Notice, count, counted, listed, note
from ndcg.evaluation.coverage import coverage_at, judged_possible
from ndcg.evaluation.scoring import Scoring
from ndcg.kernel import Ints

_QUERY = ("query", "queries")
_POORLY = 0.5  # share of what could be judged at a cutoff
_DEEP, _TIMES = 100, 5  # a cutoff no less, and so many times as long as the longest list


def of_order(scoring: Scoring) -> list[Notice]:
    """What is to be said about ties, depth, and how much of what is shown was judged."""
    aligned = scoring.overlay().aligned
    return [
        *_equal_scores(scoring, aligned),
        *_ties(scoring),
        *_coverage(scoring),
        *_depth(scoring, aligned),
    ]


def _equal_scores(scoring: Scoring, aligned: Aligned) -> list[Notice]:
    """Queries whose documents are all tied: there is no ranking."""
    whole = (aligned.size > 1) & (aligned.size == aligned.returned[aligned.row])
    if scoring.leading.order_by == "position" or not whole.any():
        return []
    queries = _named(scoring, aligned.row[whole])
    what = (
        f"all scores equal in {counted(queries, *_QUERY)}: no ranking, "
        f"ties:{scoring.leading.ties} alone decides"
    )
    return [note(what, "give ranks or lists, with --order-by rank or position", "R09")]


def _ties(scoring: Scoring) -> list[Notice]:
    """Values that would change if tied documents were ordered otherwise."""
    if scoring.leading.ties in OPEN_TIES:
        return []
    moved = {name: queries for name, queries in scoring.moved.items() if queries}
    # Measures without a best and a worst order: how far ties move them is not known.
    unknown = [str(one) for one in scoring.measures if str(one) in scoring.unmoved]
    judged = count(len(scoring.judged.queries), *_QUERY)
    rule = f"tied scores: the order of tied documents (ties:{scoring.leading.ties})"
    notices = []
    if moved:
        number = ", ".join(f"{name} in {len(queries)}" for name, queries in moved.items())
        which = sorted({query for queries in moved.values() for query in queries})
        every = all("expected" in one.record.ties for one in scoring.measures)
        how = "--ties expected averages over all orders" if every else None
        what = f"{rule} decides {number} of {judged}: {listed(which)}"
        notices.append(note(what + _ranges(moved, scoring), how, "R03"))
    if unknown:
        tied = int(scoring.overlay().tied.sum())
        what = f"{rule} may decide {listed(unknown)} in {tied} of {judged}"
        other = "docid_asc" if scoring.leading.ties == "docid_desc" else "docid_desc"
        notices.append(note(what, f"--ties {other} shows another order", "R03"))
    return notices


def _ranges(moved: Mapping[str, Sequence[str]], scoring: Scoring) -> str:
    """Between which means the orders lie."""
    found = [(name, scoring.tie_ranges[name]) for name in moved if name in scoring.tie_ranges]
    ends = [f"{name} from {low:.4f} to {high:.4f}" for name, (low, high) in found]
    return f"; means: {', '.join(ends)}" if ends else ""


def _coverage(scoring: Scoring) -> list[Notice]:
    """Cutoffs at which much less is judged than could be."""
    lists = scoring.lists()
    found = []
    for k in dict.fromkeys(one.k for one in scoring.measures if one.k is not None):
        share = coverage_at(lists, k)
        possible = judged_possible(lists, np.diff(scoring.judged.start), k)
        if share is None or not lists.listed.retrieved.any() or share >= _POORLY * possible:
            continue
        what = (
            f"judged@{k} is {share:.0%}, where {possible:.0%} could be: the others {_fate(scoring)}"
        )
        drops = scoring.leading.unjudged == "drop"
        how = "--bounds shows what they could change"
        how = how if drops else f"--unjudged drop leaves them out, {how}"
        found.append(note(what, how, "R18"))
    return found


def _fate(scoring: Scoring) -> str:
    rule = scoring.leading.unjudged
    return "are left out (unjudged:drop)" if rule == "drop" else f"count as unjudged:{rule}"


def _depth(scoring: Scoring, aligned: Aligned) -> list[Notice]:
    """Cutoffs so deep that the run can hardly have been made for them."""
    longest = int(aligned.returned.max(initial=0))
    far = [k for k in deeper_cutoffs(scoring, aligned) if k > max(_DEEP, _TIMES * longest)]
    return [note(deeper_than_lists(scoring, aligned, far), rule="R06")] if far else []


def deeper_cutoffs(scoring: Scoring, aligned: Aligned) -> list[int]:
    """The cutoffs that no list of the run reaches."""
    longest = int(aligned.returned.max(initial=0))
    if scoring.leading.depth != "all" or not longest:
        return []
    return sorted({one.k for one in scoring.measures if one.k is not None and one.k > longest})


def deeper_than_lists(scoring: Scoring, aligned: Aligned, cutoffs: Sequence[int]) -> str:
    """What is to be said of such cutoffs."""
    answered = np.flatnonzero(aligned.returned > 0)
    fewest = answered[np.argmin(aligned.returned[answered])]
    longest = int(aligned.returned.max())
    shortest = count(int(aligned.returned[fewest]), "document")
    return (
        f"no list reaches the cutoff ({', '.join(f'k={k}' for k in cutoffs)}, run depth "
        f"{longest}): the longest list has {longest}; {shortest} returned for "
        f"query {scoring.judged.queries[fewest]!r}"
    )


def _named(scoring: Scoring, rows: Ints) -> list[str]:
    return [scoring.judged.queries[at] for at in np.unique(rows).tolist()]
