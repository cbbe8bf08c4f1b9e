"""Which column of a table is the query, the document, the grade; refusals that show columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.errors import DataError, Place, Problem, did_you_mean
from ndcg.kernel import Floats
from ndcg.stores.asked import Asked
from ndcg.stores.names import NAMES, PREFERRED, PROPOSED, kind_of, plain, repeated, role_of

OF_ROLE = {"qrels": ("query", "document", "grade"), "run": ("query", "document", "score", "rank")}
_LOOKED_AT = 1000  # names among which a near one is looked for
WANTED = {"qrels": "judgments", "run": "a run"}


class Roles(NamedTuple):
    """The column of each role, and what is to be said about the choice."""

    of: dict[str, str]
    notes: list[str]

    def __str__(self) -> str:
        return ", ".join(f"{role}={name}" for role, name in self.of.items())


class Header(NamedTuple):
    """The columns of one input, and the file they stand in, for messages."""

    origin: str
    names: Sequence[str]
    role: str  # what the input is to be: qrels or run
    file: Place | None = None


def columns_of(header: Header, asked: Asked) -> Roles:
    """The column of each role of judgments or of a run.

    Raises
    ------
    DataError
        When a role has no column, or two that could be it, or the columns show the table to be
        something else.
    """
    names, role = header.names, header.role
    twice = repeated(names)
    if twice is not None:
        what = f"{header.origin} has two columns called {twice!r}"
        raise DataError(Problem("columns", what, header.file, "rename or remove one of them"))
    stated = {part: asked.columns[part] for part in OF_ROLE[role]
              if asked.columns.get(part) in names}  # fmt: skip
    asked.used.update(stated)
    kind = kind_of(names)
    if kind is not None and not _complete(stated, role):
        raise not_a(header, kind[0], asked, kind[1])
    roles = Roles({}, [])
    for part in (*OF_ROLE[role], *(["tag"] if role == "run" else [])):
        name = stated.get(part) or _guessed(header, part, roles, taken=[*stated.values()])
        if name is not None:
            roles.of[part] = name
    _grade_called_score(names, role, roles)
    if role == "run" and _are_beirs(names):
        roles.notes.append(
            f"columns {', '.join(names)} are those of BEIR's judgments: check that judgments come "
            "first, then runs"
        )
    _refuse_incomplete(header, roles, asked)
    return roles


def _are_beirs(names: Sequence[str]) -> bool:
    """Whether the columns are those of BEIR's judgments: query-id, corpus-id, score."""
    return len(names) == 3 and "corpusid" in map(plain, names)


def are_grades(names: Sequence[str], scores: Floats) -> bool:
    """Whether the scores of a run are the grades of BEIR's judgments: small whole numbers."""
    return _are_beirs(names) and bool(np.isin(scores, np.arange(10)).all())


def _complete(stated: Mapping[str, str], role: str) -> bool:
    """Whether what was stated decides what the table is read as."""
    return "grade" in stated if role == "qrels" else bool({"score", "rank"} & {*stated})


def _guessed(header: Header, part: str, roles: Roles, taken: Sequence[str]) -> str | None:
    """The column of one role by its name, None where there is none."""
    found = [name for name in header.names if role_of(name) == part and name not in taken]
    for first, second in PREFERRED:
        better = [name for name in found if plain(name) == plain(first)]
        passed = [name for name in found if plain(name) == plain(second)]
        if len(better) == len(passed) == 1:
            found.remove(passed[0])
            roles.notes.append(f"column {better[0]!r} is the {part}, not {passed[0]!r}")
    if len(found) > 1:
        both = " and ".join(map(repr, found))
        raise DataError(
            Problem(
                "columns",
                f"{header.origin}: columns {both} could each be the {part}",
                header.file,
                name_them({part: found[0]}),
            )
        )
    return next(iter(found), None)


def _grade_called_score(names: Sequence[str], role: str, roles: Roles) -> None:
    """BEIR calls the grade ``score``; with a rank beside it, it is the score of a run."""
    called = [name for name in names if plain(name) == "score"]
    ranked = any(role_of(name) == "rank" for name in names)
    if role != "qrels" or "grade" in roles.of or not called or ranked:
        return
    roles.of["grade"] = called[0]
    if plain(roles.of.get("document", "")) != "corpusid":  # the header that BEIR writes
        roles.notes.append(f"column {called[0]!r} is read as the grade")


def _refuse_incomplete(header: Header, roles: Roles, asked: Asked) -> None:
    """Refuse a table without query or document, or with nothing to grade or to order by."""
    names, role = header.names, header.role
    parts = {"query", "document"} - {*roles.of}
    held = {role_of(name) for name in names}
    value = "grade" if role == "qrels" else "score"
    other = {"qrels": {"score", "rank"}, "run": {"grade"}}[role]
    bare = len(names) == 2 and not parts  # nothing but ids: graded 1, or ordered as listed
    lacks_value = not {"grade", "score", "rank"} & {*roles.of} and not bare
    if not parts and not lacks_value:
        if bare:
            roles.notes.append("no grade column: every listed document has grade 1"
                               if role == "qrels" else
                               "neither scores nor ranks: ordered as listed")  # fmt: skip
        return
    if not parts and held & other:
        kind, how = ("a run" if role == "qrels" else "judgments"), _SWAPPED
        here = [name for name in names if role_of(name) in other - {"rank"}]
        how += f"; if {here[0]!r} is the {value}: --columns {value}={here[0]}" if here else ""
    else:
        lacking = [p for p in ("query", "document", value)
                   if p in parts or (p == value and lacks_value)]  # fmt: skip
        kind, how = f"a table without a column for {_and(lacking)}", None
    raise not_a(header, kind, asked, how)


def _and(parts: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(parts[:-1]), parts[-1]]))


_SWAPPED = "judgments come first, then runs"


def not_a(header: Header, kind: str, asked: Asked, how: str | None = None) -> DataError:
    """The refusal of a table that is something else, showing its columns."""
    names, role = header.names, header.role
    near = [
        f"{part}={name!r} is none of them{did_you_mean(name, names[:_LOOKED_AT])}"
        for part, name in asked.columns.items()
        if part in OF_ROLE[role] and name not in names
    ]
    what = f"{header.origin} looks like {kind}, not {WANTED[role]} (columns: {few(names)})"
    word = "not-a-run" if role == "run" else "not-qrels"
    return DataError(
        Problem(
            word,
            "; ".join([what, *near]),
            header.file,
            how or name_them({**asked.columns, **_proposal(names, role, asked.columns)}),
        )
    )


def few(names: Sequence[str]) -> str:
    """The first names of columns, as messages show them.

    >>> few([*"abcdefghij"])
    'a, b, c, d, e, f, g, h, ...'
    """
    shown = [name if len(name) <= 60 else f"{name[:57]}..." for name in names[:8]]
    return ", ".join(shown) + (", ..." if len(names) > 8 else "")


def _proposal(names: Sequence[str], role: str, stated: Mapping[str, str]) -> dict[str, str]:
    """The columns that could be meant, NAME where none suggests itself."""
    if all(map(str.isdecimal, names)) and {"query", "document"} <= stated.keys():
        left = next((name for name in names if name not in stated.values()), names[-1])
        return {OF_ROLE[role][2]: stated.get("grade" if role == "run" else "score", left)}
    found = {
        part: stated[part] if stated.get(part) in names else next(
            (name for name in names
             if role_of(name) == part or plain(name) in PROPOSED.get(part, ())),
            None,
        )
        for part in OF_ROLE[role]
    }  # fmt: skip
    if role == "run":
        del found["score" if found["score"] is None and found["rank"] is not None else "rank"]
    return {part: name or "NAME" for part, name in found.items()}


def name_them(columns: Mapping[str, str]) -> str:
    """How columns are named on the command line and in Python."""
    columns = {part: columns[part] for part in NAMES if part in columns}
    shown = ",".join(f"{part}={name}" for part, name in columns.items())
    quoted = f"'{shown}'" if " " in shown else shown
    return f"name the columns: --columns {quoted} (in Python: columns={columns})"
