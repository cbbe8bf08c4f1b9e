"""How inputs are to be read, where that is not left to their looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from ndcg.errors import Problem, UsageError, one_of
from ndcg.stores.names import NAMES


class Asked(NamedTuple):
    """How inputs are to be read, where that is not left to their looks."""

    columns: Mapping[str, str]  # role -> column name
    used: set[str]  # the roles whose names stood in some table
    lenient: bool = False
    qrels_format: str | None = None
    run_format: str | None = None

    def format(self, role: str) -> str | None:
        """The format that was stated for judgments or for runs."""
        return self.qrels_format if role == "qrels" else self.run_format


def asked_columns(given: Mapping[str, str] | None) -> dict[str, str]:
    """The columns that were named, their roles checked."""
    if given is not None and not isinstance(given, Mapping):
        raise UsageError(
            Problem("type", f"columns is of type {type(given).__name__}",
                    help="give {'query': 'NAME', 'document': 'NAME', ...}")
        )  # fmt: skip
    accepted = [role for role in NAMES if role != "tag"]
    for role, name in (given or {}).items():
        one_of("usage", "a role of a column", role, accepted)
        if not isinstance(name, str):
            what = f"the column of {role} is {name!r}, which is no text"
            raise UsageError(Problem("type", what, help="columns are named by text"))
    return dict(given or {})


def parse_columns(text: str) -> dict[str, str]:
    """The columns of ``--columns query=NAME,document=NAME``.

    >>> parse_columns("query=Query Text,grade=Rating")
    {'query': 'Query Text', 'grade': 'Rating'}
    """
    named: dict[str, str] = {}
    for pair in text.split(","):
        role, equals, name = pair.partition("=")
        if not equals or not name or role.strip() in named:
            what = f"--columns: {pair!r} is not ROLE=NAME, each role once"
            raise UsageError(
                Problem("usage", what, help="as in --columns query=user,document=item,grade=stars")
            )
        named[role.strip()] = name
    return asked_columns(named)


def refuse_unused(asked: Asked) -> None:
    """Refuse a column that was named and stands in no input."""
    for role, name in asked.columns.items():
        if role not in asked.used:
            what = f"columns: {role}={name} names a column of no input"
            how = "tables with a header, JSON rows, Parquet and frames have columns"
            raise UsageError(Problem("columns", what, help=how))
