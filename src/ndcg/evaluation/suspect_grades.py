"""Grades that may not be what they are taken for, each with what settles it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ndcg.align import taken_grades
from ndcg.axes import number_text
from ndcg.errors import Notice, count, listed, warn
from ndcg.evaluation.scoring import Scoring
from ndcg.kernel import Floats
from ndcg.measures.registry import Measure
from ndcg.stores.values import fault

_LARGE = 10  # a grade above it, whose exponential gain is in the thousands
_LEAST_POWERS, _HIGHEST_POWER = 3, 3.0  # different gains 2^g or 2^g - 1, and how high they reach


def of_grades(scoring: Scoring) -> list[Notice]:
    """What is to be said about the grades."""
    grades = taken_grades(scoring.judged.grades, scoring.leading.grades)
    return [
        *_swapped(scoring),
        *below_threshold(grades, scoring.measures),
        *_exponential(scoring),
    ]


def _swapped(scoring: Scoring) -> list[Notice]:
    """Fractional grades and a run of small whole numbers: the arguments may have changed places."""
    query = next((q for q in scoring.judged.queries if q in scoring.rankings.queries), None)
    scores = [*scoring.rankings.scores(query)] if query is not None else []
    if not all(fault(score) is None and float(score) in range(-9, 10) for score in scores):
        return []
    grades = scoring.judged.grades
    if not scores or (grades == np.floor(grades)).all():
        return []
    return [
        warn(
            "grades are fractional and scores are small whole numbers",
            "judgments come first, then the run: check that they are not swapped",
            "R21",
        )
    ]


def below_threshold(grades: Floats, measures: Sequence[Measure]) -> list[Notice]:
    """Positive grades below the default threshold, which count as not relevant."""
    names = [one for one in measures if one.record.reads == "relevance" and one.rel is None]
    below = int(((grades > 0) & (grades < 1)).sum()) if names else 0
    if not below:
        return []
    return [
        warn(
            f"{count(below, 'grade')} between 0 and 1 counted as not relevant "
            f"in {', '.join(map(str, names))}",
            f"set the threshold, as in {names[0].name}(rel=0.5)",
            "Q18",
        )
    ]


def _exponential(scoring: Scoring) -> list[Notice]:
    """Grades that exponential gain makes too much of."""
    rules = {
        scoring.convention(one).grades
        for one in scoring.measures
        if one.record.graded and scoring.convention(one).gain == "exp2"
    }
    extent = scoring.judged.extent
    if not rules or extent is None or extent[1] < 2**_HIGHEST_POWER - 1:
        return []
    taken = [np.unique(taken_grades(scoring.judged.grades, rule)) for rule in sorted(rules)]
    highest = max(float(one[-1]) for one in taken)
    return exponential(next(one for one in taken if one[-1] == highest))


def exponential(grades: Floats) -> list[Notice]:
    """Different grades, rising, that exponential gain makes too much of: large ones, and gains."""
    highest = float(grades[-1])
    if are_gains(grades):
        shown = listed([number_text(grade) for grade in grades[grades > 0].tolist()])
        what = f"grades {shown} look as if they already were gains, and gain:exp2 is taken of them"
        return [warn(what, "--gain linear takes them as they are", "Q10")]
    if highest <= _LARGE:
        return []
    best = number_text(highest)
    what = (
        f"grade {best} with exponential gain (gain:exp2) dominates: it is worth 2^{best} - 1, and "
        "others next to nothing"
    )
    return [warn(what, "counts and ratings of this size are meant linear: --gain linear", "Q11")]


def are_gains(grades: Floats) -> bool:
    """Whether different grades, rising, are all 2^g or all 2^g - 1 rather than steps of a scale.

    >>> are_gains(np.array([0.0, 2, 4, 16])), are_gains(np.array([0.0, 1, 2, 3, 4]))
    (True, False)
    >>> are_gains(np.array([0.0, 1, 3, 7]))
    True
    """
    positive = grades[grades > 0]
    if len(positive) < _LEAST_POWERS:
        return False
    return any(
        bool(powers[-1] >= _HIGHEST_POWER and (powers == np.floor(powers)).all())
        for powers in (np.log2(positive), np.log2(positive + 1))
    )
