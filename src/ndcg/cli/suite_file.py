"""The file of a suite: a line for each run, with its collection, judgments and system."""

from __future__ import annotations

import csv
import os

from ndcg.comparison.suites import Member
from ndcg.errors import Place, Problem, Problems
from ndcg.formats.source import read_source

_COLUMNS = ("collection", "qrels", "system", "run")
_HOW = "a line of heads (collection, qrels, system, run), then a line for each run"


def read_suite(path: str) -> list[Member]:
    """The collections of a suite, in the order in which they first appear.

    Separated by commas, semicolons or tabs. Paths are relative to the file.

    Raises
    ------
    DataError
        For lines that are not four fields, and collections with two judgments or two runs of a
        system; all of them are named.
    """
    text = read_source(path, "suite", fingerprint=False).text
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1)
             if line.strip() and not line.startswith("#")]  # fmt: skip
    mark = next((one for one in "\t;," if lines and one in lines[0][1]), ",")
    problems, members = Problems(), dict[str, Member]()
    order: list[int] = []
    for number, line in lines:
        place = Place(path, number, line)
        try:
            fields = [field.strip() for field in next(csv.reader([line], delimiter=mark))]
        except csv.Error as error:
            problems.add(Problem("columns", f"no line of fields ({error})", place, _HOW))
            continue
        if not order:
            heads = [field.lower() for field in fields]
            if sorted(heads) != sorted(_COLUMNS):
                what = f"the first line of a suite names its columns, not {line.strip()!r}"
                problems.add(Problem("columns", what, place, _HOW))
                break
            order = [heads.index(name) for name in _COLUMNS]
        elif len(fields) != len(order) or not all(fields):
            what = f"expected {len(order)} fields, found {sum(map(bool, fields))}"
            problems.add(Problem("columns", what, place, _HOW))
        else:
            _take(members, [fields[at] for at in order], os.path.dirname(path), place, problems)
    if not members and not problems.total:
        problems.add(Problem("empty", f"{path} names no run", Place(path), _HOW))
    problems.raise_if_any()
    return [*members.values()]


def _take(
    members: dict[str, Member], fields: list[str], folder: str, place: Place, problems: Problems
) -> None:
    """Add a run to its collection."""
    name, qrels, system, run = fields
    judged, listed = os.path.join(folder, qrels), os.path.join(folder, run)
    member = members.setdefault(name, Member(name, judged, {}))
    if member.qrels != judged:
        what = f"collection {name!r} has other judgments in a line before"
        problems.add(Problem("usage", what, place, "give another collection another name"))
    elif system in member.runs:
        what = f"collection {name!r} has two runs of {system!r}"
        problems.add(Problem("usage", what, place, "keep one of them"))
    else:
        members[name] = member._replace(runs={**member.runs, system: listed})


def paths_of(members: list[Member]) -> list[str]:
    """All files that a suite names."""
    return [path for one in members for path in (one.qrels, *one.runs.values())]
