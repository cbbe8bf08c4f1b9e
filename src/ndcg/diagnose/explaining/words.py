"""What an explanation says in sentences: what cost most, what was missed, what would help."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping

from ndcg.align import OPEN_TIES
from ndcg.axes import number_text
from ndcg.diagnose.explaining.found import Explanation, Remedy
from ndcg.diagnose.explaining.lines import COUNTED, MISSED, PAST, SLOT, Line
from ndcg.errors import count, counted, printable
from ndcg.statistics.sample import TOLERANCE

_COSTS = 3  # lines that are told
PLACES = 4
_LONGEST = 24  # characters of an id in a sentence
_SLIGHT = 0.5 * 10**-PLACES  # what would be told as 0
_CAUSES = {
    "missed": "what was missed",
    "past": "what stands past the last rank that counts",
    "order": "the order of the others",
}
_DECIDED = {
    "empty": "nothing that earns anything was judged",
    "missing": "the run does not answer the query",
    "listed_empty": "the run lists the query without a document",
    "no_judgments": "the query stands in the judgments without a document",
    "nothing_found": "the run lists none of the documents that were to be found",
    "extra": "nobody judged the query",
}


def sentences(found: Explanation) -> Iterator[str]:
    """What is to be said about a query, the reason of its value first."""
    if found.decided is not None:
        yield decided(found)
    costs = [line for line in found.costs if abs(line.cost) >= _SLIGHT]
    for line in costs[:_COSTS]:
        yield cost(line, found)
    if len(costs) > _COSTS:
        rest = math.fsum(line.cost for line in costs[_COSTS:])
        yield f"{more_documents(len(costs) - _COSTS)} {_signed_cost(rest)}"
    if found.loss is not None and costs and found.decided is None:
        yield from _causes(found, several=len(costs) > 1)
    yield from _without(found)
    yield from _pool(found)
    yield from _ties(found)
    yield from _gone(found)
    for one in found.help:
        if one.gain >= _SLIGHT:
            yield help_text(one, found.out)
    yield from _helpless(found)
    for why in dict.fromkeys(found.untold.values()):
        kinds = ", ".join(kind for kind, other in found.untold.items() if other == why)
        yield f"what would help is not told ({kinds}): {why}"


def _helpless(found: Explanation) -> Iterator[str]:
    """That no change would help, of the kinds of which that is known."""
    known = [kind for kind in _KINDS if kind not in found.untold]
    if not found.summed or not known or any(one.gain >= _SLIGHT for one in found.help):
        return
    kinds = " or ".join(_KINDS[kind] for kind in known)
    by = f" by {_SLIGHT:g}" if found.help else ""
    yield f"no {kinds} would raise the value{by}"


_KINDS = {"swap": "swap", "promotion": "promotion", "missing": "missing document"}


def decided(found: Explanation) -> str:
    """Which rule decided the value, and why."""
    axis = found.decided or ""
    word = getattr(found.convention, axis)
    value = "it has no value" if found.value is None else f"it counts {number_text(found.value)}"
    why = _DECIDED.get(axis, "the query is special")
    if axis == "empty" and found.convention.empty_from == "ideal":
        why = "nothing that earns anything is in the ideal"
    return f"{why}: {value} ({axis}:{word})"


def cost(line: Line, found: Explanation) -> str:
    """``A at rank 3 instead of 1 costs 0.3726``: what a document costs, or gives back."""
    return f"{_where(line, found)} {_signed_cost(line.cost)}{_behind(line)}"


def _where(line: Line, found: Explanation) -> str:
    name = brief(line.document or "")
    graded = "" if line.grade is None else f" (grade {number_text(line.grade)})"
    if line.status == SLOT:
        return f"no document at rank {line.rank}, where the ideal has one,"
    if found.convention.ideal.startswith("slots") and line.rank == line.ideal_rank:
        return f"{name}{graded or ' (unjudged)'} at rank {line.rank}, for a slot of the ideal,"
    best = "" if line.ideal_rank is None else f" instead of {line.ideal_rank}"
    if line.status == MISSED:
        at = "" if line.ideal_rank is None else f", best at rank {line.ideal_rank},"
        rule = found.out.get(line.document or "")
        gone = "was not retrieved" if rule is None else f"was left out by {rule}"
        return f"{name}{graded}{at} {gone}:"
    rank = f"rank {line.rank}"
    if line.tied is not None and found.convention.ties == "expected":
        rank = f"ranks {line.tied[0]} to {line.tied[1]} (tied)"
    if line.status == PAST:
        return f"{name}{graded} at {rank}, past the last one that counts,{best}"
    if not best:
        return f"{name}{graded} at {rank}, without a place in the ideal,"
    return f"{name}{graded} at {rank}{best}"


def more_documents(number: int) -> str:
    """The subject of a sentence on those that are not named, in the singular."""
    return f"{count(number, 'more document')}: " + ("all that" if number > 1 else "that")


def _signed_cost(number: float) -> str:
    word = "costs" if number > 0 else "gives back"
    return f"{word} {abs(number):.{PLACES}f}"


def _behind(line: Line) -> str:
    """The unjudged documents that stand above what has lost."""
    if line.cost <= 0 or not line.unjudged_above or line.status == MISSED:
        return ""
    return f", behind {count(line.unjudged_above, 'unjudged document')}"


def _causes(found: Explanation, *, several: bool) -> Iterator[str]:
    """What the ideal has and how that is lost; a single cost says it all where the ideal has 1."""
    if not several and found.best is not None and abs(found.best - 1.0) < _SLIGHT:
        return
    parts = [f"{_CAUSES[cause]} {_signed_cost(part)}"
             for cause, part in found.causes.items() if abs(part) >= _SLIGHT]  # fmt: skip
    yield (
        f"the ideal has {found.best:.{PLACES}f}, {found.loss:.{PLACES}f} is lost: "
        + "; ".join(parts)
    )


def _without(found: Explanation) -> Iterator[str]:
    """Why parts or costs are not all there is, or are not told."""
    if found.best is None and found.summed:
        ideal = found.convention.ideal
        yield f"there is no ideal ranking to lose against under ideal:{ideal}"
    if abs(found.rounding) > TOLERANCE:
        yield (
            f"rounding:{found.convention.rounding} moves the value by {found.rounding:+.{PLACES}f} "
            "from what the parts add up to"
        )


def _pool(found: Explanation) -> Iterator[str]:
    """How much there was to find, and what of it was missed, by grade: why others' grades count."""
    counts = found.counts
    number = count(counts.judged, "document")
    missed = Counter(
        line.grade for line in found.lines if line.status == MISSED and line.credit > 0
    )
    by_grade = ", ".join(f"{times} of grade {number_text(grade)}" for grade, times in
                         sorted(missed.items(), key=lambda item: -(item[0] or 0))
                         if grade is not None)  # fmt: skip
    text = f"{number} judged, {counts.worth} of worth, {counts.found} of them counted"
    if counts.past:
        text += f", {counts.past} further down"
    if counts.missed:
        text += f", {counts.missed} missed" + (f" ({by_grade})" if by_grade else "")
    yield text
    ranks = [line.ideal_rank for line in found.lines if line.ideal_rank and line.ideal_adds]
    if ranks and found.convention.ideal.startswith("slots"):
        grade = found.convention.ideal.partition(":")[2]
        yield (
            f"the ideal assumes {count(max(ranks), 'document')} of grade {grade}, whatever was "
            f"judged (ideal:{found.convention.ideal})"
        )
    shown = sum(1 for line in found.lines if line.status == COUNTED and not line.judged)
    if shown:
        yield f"{count(shown, 'document')} without judgment among the ranks that count"


def _ties(found: Explanation) -> Iterator[str]:
    """Tied documents among the ranks that count, and how they were ordered."""
    groups = {line.tied for line in found.lines if line.status == COUNTED and line.tied}
    if not groups:
        return
    ties = found.convention.ties
    spans = [f"{first} to {last}" for first, last in sorted(groups)]
    how = f"ties:{ties} takes the mean over their orders" if ties == "expected" else (
        f"ordered by ties:{ties}")  # fmt: skip
    how = f"ties:{ties} counts them at their mean rank" if ties == "mean_rank" else how
    yield f"tied: ranks {', '.join(spans[:_COSTS])}{', ...' if len(spans) > _COSTS else ''}; {how}"
    across = [one for one in groups if found.k is not None and one[0] <= found.k < one[1]]
    if across and ties not in OPEN_TIES:
        yield f"the cutoff {found.k} goes through ranks {across[0][0]} to {across[0][1]}, all tied"


def _gone(found: Explanation) -> Iterator[str]:
    """What the run lists and the ranking does not hold."""
    axes: dict[str, list[str]] = {}
    for document, axis in found.left:
        axes.setdefault(axis, []).append(document)
    for axis, documents in axes.items():
        word = getattr(found.convention, axis)
        names = counted([*map(brief, documents)], "document")
        yield f"out of the ranking by {axis}:{word}: {names}"
    for axis, number in found.dropped.items():
        yield f"{axis} left out {count(number, 'row')} of the run"


def brief(name: str) -> str:
    """An id as sentences name it: the middle of a long one is left out."""
    name = printable(name)
    half = _LONGEST // 2
    return name if len(name) <= _LONGEST else f"{name[:half]}…{name[-half + 1 :]}"


def help_text(one: Remedy, out: Mapping[str, str]) -> str:
    """What a change would gain; `out` is what rules took out of the ranking."""
    document, other = brief(one.document), brief(one.other or "")
    if one.kind == "swap":
        what = f"exchanging {document} (rank {one.rank}) and {other} (rank {one.to})"
    elif one.kind == "promotion":
        what = f"moving {document} from rank {one.rank} to {one.to}"
    else:
        verb = "putting" if one.document in out else "retrieving"
        what = f"{verb} {document} at rank {one.to}"
    return f"{what} would gain {one.gain:.{PLACES}f}"
