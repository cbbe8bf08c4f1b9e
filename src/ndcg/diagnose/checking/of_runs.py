"""Rules about a run: what an evaluation says of it anyway, and what only a check looks for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from ndcg.align import Aligned
from ndcg.diagnose.checking.finding import Finding, of_notice
from ndcg.diagnose.checking.shifted import misplaced
from ndcg.errors import NdcgError, Place, count, counted
from ndcg.evaluation.coverage import judged_shares
from ndcg.evaluation.notices import notices_of
from ndcg.evaluation.results import SystemResult
from ndcg.evaluation.scoring import Scoring
from ndcg.evaluation.suspect_order import deeper_cutoffs, deeper_than_lists
from ndcg.kernel import Bools, Floats, Ints, per_row

# What an evaluation says too; the other rules look closer, or at the judgments alone.
_OF_EVALUATION = (
    "R01", "R03", "R04", "R05", "R09", "R11", "R12", "R13", "R14", "R18", "R21", "Q22",
)  # fmt: skip
_RARE = 20  # one order of so many is no accident
_SLIGHT = 0.001  # that ties move a mean by
_SEVERAL = 10  # lists of one length, and that is a limit which someone set
_POOL = 3  # documents of a run that are all judged, and that is no accident


class Look:
    """A run with what several rules ask of it."""

    def __init__(self, scoring: Scoring, path: str | None) -> None:
        self.scoring, self.path = scoring, path
        self.aligned = scoring.overlay().aligned

    def found(self, code: str, what: str, help: str | None = None) -> Finding:  # noqa: A002 -- the word of the field
        """A finding about the run as a whole."""
        place = None if self.path is None else Place(self.path)
        return Finding(code, what, place, help, self.scoring.rankings.name)

    def queries(self, which: Bools | Ints) -> str:
        """How many queries, and the first of them by name."""
        at = np.flatnonzero(which) if which.dtype == bool else np.unique(which)
        names = [self.scoring.judged.queries[one] for one in at.tolist()]
        return counted(names, "query", "queries")


def findings(scoring: Scoring, result: SystemResult, path: str | None) -> Iterator[Finding]:
    """What the rules find, the notices of an evaluation among it."""
    for notice in notices_of(scoring, result):
        if notice.rule in _OF_EVALUATION:
            found = of_notice(notice, path, scoring.rankings.name)
            slight = notice.rule == "R03" and _slight(scoring)
            by_chance = notice.rule == "R14" and _by_chance(result)
            yield found._replace(severity="note") if slight or by_chance else found
    look = Look(scoring, path)
    # What is cut by the convention says nothing about the run.
    for rule in _RULES if scoring.leading.depth == "all" else _OF_CUT_RUNS:
        yield from rule(look)


def _by_chance(result: SystemResult) -> bool:
    """Whether few queries list a document with their own id: both may simply be numbered."""
    answered = result.accounts.judged_queries - len(result.accounts.missing)
    return result.accounts.self_matches * 2 < answered


def _slight(scoring: Scoring) -> bool:
    """Whether ties hardly move any mean."""
    ranges = scoring.tie_ranges.values()
    return not scoring.unmoved and all(high - low < _SLIGHT for low, high in ranges)


def _short(look: Look) -> Iterator[Finding]:
    """Lists that are shorter than a cutoff: all of them, or some."""
    returned, scoring = look.aligned.returned, look.scoring
    deeper = deeper_cutoffs(scoring, look.aligned)
    if deeper:
        what = deeper_than_lists(scoring, look.aligned, deeper)
        found = look.found("R06", what, "the values are those of the whole lists")
        lengths = returned[returned > 0]
        cut = len(lengths) >= _SEVERAL and (lengths == lengths[0]).all()
        yield found._replace(severity="warning") if cut else found
    for k in sorted({one.k for one in scoring.measures if one.k is not None} - {*deeper}):
        short = (returned > 0) & (returned < k)
        if short.any():
            what = f"fewer than k={k} documents listed for {look.queries(short)}"
            yield look.found("R06", what, "what is not listed counts nothing")


def _unseen(look: Look) -> Iterator[Finding]:
    """Queries that list documents, none of which is judged in the top."""
    scoring = look.scoring
    judged = np.diff(scoring.judged.start) > 0
    for k in dict.fromkeys(one.k for one in scoring.measures):
        share, shows = judged_shares(scoring.lists(), k)
        unseen = shows & judged & (share == 0)
        if unseen.any() and (share > 0).any():
            top = "" if k is None else f"the top {k} of "
            yield look.found("R23", f"nothing judged in {top}{look.queries(unseen)}", _BOUNDS)


_BOUNDS = "--bounds shows what their values could be, --pool lists what is to be judged"


def _others(look: Look) -> Iterator[Finding]:
    """Queries that find what is relevant to other queries; all of them: an evaluation says so."""
    what = misplaced(look.scoring) if look.aligned.retrieved.any() else None
    if what is not None:
        yield look.found("R13", what, "join judgments and run by the id of the query")


def _single_precision(look: Look) -> Iterator[Finding]:
    """Scores that are different, and the same in single precision."""
    scoring, leading = look.scoring, look.scoring.leading
    if leading.order_by != "score" or leading.score_type != "float64":
        return
    try:
        single = scoring.rankings.align(scoring.judged, leading.but({"score_type": "float32"}))
    except NdcgError:
        return  # the run is refused for what other rules name
    more = np.maximum(_tied_scores(single.aligned) - _tied_scores(look.aligned), 0)
    if more.any():
        what = (
            f"{count(int(more.sum()), 'score')} beside judged documents would tie as float32, in "
            f"{look.queries(more > 0)}"
        )
        yield look.found("R10", what, "trec_eval 9 compares them so: --score-type float32")


def _tied_scores(aligned: Aligned) -> Ints:
    """How many documents of each query are in tie groups that hold a judged one."""
    tied = aligned.rows(aligned.size > 1)
    stride = int(tied.first.max(initial=0)) + 1
    _, at = np.unique(tied.row * stride + tied.first, return_index=True)
    return per_row(tied.row[at], aligned.n_queries, tied.size[at].astype(np.float64)).astype(
        np.int64
    )


def _leaks(look: Look) -> Iterator[Finding]:
    """Tied documents that the run lists by falling grade, whatever orders them now."""
    leading = look.scoring.leading
    if leading.order_by == "position" or not (look.aligned.size > 1).any():
        return
    queries = sorted_by_grade(look.scoring.overlay(leading.but({"ties": "input"})).aligned)
    if len(queries):
        decides = leading.ties == "input"
        what = f"tied documents stand in input order sorted by grade in {look.queries(queries)}"
        how = "--ties expected averages over all orders" if decides else (
            "a tool that keeps the input order scores them best")  # fmt: skip
        yield look.found("R19", what, how)


def sorted_by_grade(aligned: Aligned) -> Ints:
    """Queries whose tied documents are in falling order of grade, all of them in all queries.

    None where some tied documents are not, or where chance would do: if less than one in twenty
    orders of the tied documents were like this one.
    """
    tied = aligned.rows(aligned.size > 1)
    order = np.lexsort((tied.rank, tied.first, tied.row))
    row, first, grade = tied.row[order], tied.first[order], tied.grade[order]
    new = np.append(True, (np.diff(row) != 0) | (np.diff(first) != 0))[: len(row)]
    step = np.append(0.0, np.diff(grade))[: len(row)]
    if (step[~new] > 0).any():
        return row[:0]
    group = np.cumsum(new) - 1
    alike = np.cumsum(new | (step != 0)) - 1  # documents of a group with the same grade
    orders = _factorials(np.bincount(group)).sum() - _factorials(np.bincount(alike)).sum()
    falls = np.unique(row[~new & (step < 0)])
    return falls if orders > math.log(_RARE) else row[:0]


def _factorials(numbers: Ints) -> Floats:
    """The logarithms of factorials."""
    logarithms = np.cumsum(np.log(np.maximum(np.arange(int(numbers.max(initial=0)) + 1), 1)))
    found: Floats = logarithms[numbers]
    return found


def _judged_only(look: Look) -> Iterator[Finding]:
    """A run of judged documents alone."""
    here = look.aligned.retrieved & ~look.aligned.copy
    judged = np.bincount(look.aligned.row[here], minlength=look.aligned.n_queries)
    shown = look.aligned.returned
    others = here & (look.aligned.grade <= 0)  # without any, the judgments may be all relevant
    if int(shown.sum()) >= _POOL and others.any() and (judged == shown).all():
        what = (
            "every retrieved document is judged: the run may have ranked a candidate pool of "
            "judged documents, not the collection"
        )
        yield look.found("R17", what, "values of such runs are higher than those of full rankings")


def _trivial(look: Look) -> Iterator[Finding]:
    """Queries whose value cannot be another: one document, and it is the one that is judged."""
    judged = np.diff(look.scoring.judged.start)
    found = np.bincount(look.aligned.row[look.aligned.retrieved], minlength=look.aligned.n_queries)
    relevant = np.bincount(
        look.aligned.row[look.aligned.grade > 0], minlength=look.aligned.n_queries
    )
    trivial = (look.aligned.returned == 1) & (judged == 1) & (found == 1) & (relevant == 1)
    if trivial.any():
        names = [look.scoring.judged.queries[at] for at in np.flatnonzero(trivial).tolist()]
        what = (
            f"{counted(names, 'trivial query', 'trivial queries')}: the only "
            "document listed is the only one judged, and no other order is possible"
        )
        yield look.found("R20", what)


_RULES: tuple[Callable[[Look], Iterator[Finding]], ...] = (
    _short, _unseen, _others, _single_precision, _leaks, _judged_only, _trivial,
)  # fmt: skip
_OF_CUT_RUNS = (_others, _single_precision, _leaks)
