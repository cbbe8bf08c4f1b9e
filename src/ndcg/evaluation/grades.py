"""Grades that a convention does not take, refused with the places of the judgments."""

from __future__ import annotations

import math

import numpy as np

from ndcg.align import taken_grades
from ndcg.axes import gain_table, number_text, parameter
from ndcg.convention import Convention
from ndcg.errors import SHOWN, Problem, Problems, UsageError, axis_help
from ndcg.kernel import distinct
from ndcg.measures.lists import gain_fault
from ndcg.stores.given import Judgments

_GRADES_HELP = "--axis grades=any or truncate (in Python: grades='any')"
_GAIN_HELP = "--gain linear, or a gain table that lists every grade"


def refuse_grades(judgments: Judgments, convention: Convention, *, graded: bool) -> None:
    """Refuse negative grades where they are an error, and for `graded` measures those without gain.

    Raises
    ------
    DataError
        Naming the judgments.
    UsageError
        When a grade that the convention assumes has no finite gain.
    """
    if graded:
        refuse_assumed(convention)
    judged = judgments.settled(convention.judgments)
    # What one of the named gains does not take lies at an end of the scale.
    ends = gain_table(convention.gain) is None and not convention.grades.startswith("whole")
    ends = ends and convention.min_grade == "none"  # which forgets the lowest ones
    if ends and not any(
        fault_of(grade, convention, graded=graded) for grade in judged.extent or ()
    ):
        return
    different = distinct(judged.grades).tolist()
    found = {grade: fault_of(grade, convention, graded=graded) for grade in different}
    faults = {grade: fault for grade, fault in found.items() if fault is not None}
    problems = Problems()
    rows = np.flatnonzero(np.isin(judged.grades, list(faults))).tolist() if faults else ()
    for at in rows:
        if problems.total >= SHOWN:
            problems.total += len(rows) - SHOWN
            break
        number = int(np.searchsorted(judged.start, at, side="right")) - 1
        query = judged.queries[number]
        document = judged.documents[number][at - int(judged.start[number])]
        places = judgments.locate(query, document) if judgments.locate else ()
        word, why, remedy = faults[float(judged.grades[at])]
        what = f"document {document!r} of query {query!r}: {why}"
        problems.add(Problem(word, what, places[-1] if places else None, remedy))
    problems.raise_if_any()


def fault_of(grade: float, convention: Convention, *, graded: bool) -> tuple[str, str, str] | None:
    """Code word, reason and remedy of a grade that cannot be used, else None."""
    if convention.grades.startswith("whole"):
        most = parameter(convention.grades) if ":" in convention.grades else math.inf
        if not grade.is_integer():
            return "grade", f"{number_text(grade)} is no whole number", _GRADES_HELP
        if grade > most:
            return "grade", f"{number_text(grade)} is above {number_text(most)}", _GRADES_HELP
    grade = float(taken_grades(np.array([grade]), convention.grades)[0])
    if convention.min_grade != "none" and grade < float(convention.min_grade):
        return None
    if grade < 0:
        if convention.negative == "error":
            remedy = axis_help("negative", "clamp", "unjudged", "remove", "keep")
            return "negative-grade", "has a negative grade", remedy
        if convention.negative in ("unjudged", "remove"):
            return None
        if convention.negative == "clamp":
            grade = 0.0
    why = gain_fault(convention.gain, grade) if graded else None
    return None if why is None else ("gain", why, _GAIN_HELP)


def refuse_assumed(convention: Convention) -> None:
    """Refuse assumed grades (``grade:G``, ``slots:G``) without a finite gain."""
    for axis in ("unjudged", "ideal"):
        value = getattr(convention, axis)
        _, colon, grade = value.partition(":")
        why = gain_fault(convention.gain, float(grade)) if colon and grade != "max" else None
        if why is not None:
            raise UsageError(
                Problem("gain", f"{axis}:{value}: {why}", help="choose a grade that has a gain")
            )
