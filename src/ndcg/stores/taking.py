"""Tables with named columns into judgments and runs, whatever the tables were made of."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ndcg.errors import SHOWN, DataError, Place, Problem, Problems, count, listed
from ndcg.kernel import Floats
from ndcg.stores.asked import Asked
from ndcg.stores.columns import Header, Roles, are_grades, columns_of, not_a
from ndcg.stores.given import Judgments, Listing, Locate, Rankings, Skipped
from ndcg.stores.mapping import MappingRankings
from ndcg.stores.names import JUDGES, plain
from ndcg.stores.ranks import rank_notes
from ndcg.stores.tabular import Fault, Table, is_blank, number_help
from ndcg.stores.values import shown


def judgments(table: Table, asked: Asked) -> tuple[Judgments, Roles]:
    """The judgments that a table holds."""
    roles = columns_of(Header(table.origin, table.names, "qrels", table.file), asked)
    table.fetch([*roles.of.values()])
    queries = table.ids(roles.of["query"], "query")
    documents = table.ids(roles.of["document"], "document")
    if "grade" in roles.of:
        grades = table.numbers(roles.of["grade"], "grade").tolist()
    else:
        grades = [1.0] * table.n
    skipped = settle_faults(table, asked)
    pairs: dict[str, list[tuple[str, float]]] = {}
    for row, (query, document, grade) in enumerate(zip(queries, documents, grades, strict=True)):
        if row not in table.faults:
            pairs.setdefault(query, []).append((document, grade))
    unique = {query: dict(rows) for query, rows in pairs.items()}
    given = {q: unique[q] if len(unique[q]) == len(rows) else rows for q, rows in pairs.items()}
    _note_choices(table, roles)
    _note_whole(table)
    judges = next((name for name in table.names if plain(name) in JUDGES), None)
    return Judgments(given, _locator(table, queries, documents), skipped=skipped,
                     judges=judges), roles  # fmt: skip


def rankings(table: Table, name: str, asked: Asked) -> tuple[Rankings, Roles]:
    """The run that a table holds."""
    roles = columns_of(Header(table.origin, table.names, "run", table.file), asked)
    table.fetch([*roles.of.values()])
    _note_choices(table, roles)
    taken = table.large_run(roles.of, name) or _listed(table, roles, name, asked)
    _note_whole(table)
    taken.spare = tuple(name for name in table.names if name not in roles.of.values())
    if not taken.has("scores") and "rank" in roles.of:
        table.note(f"no scores: ordered by column {roles.of['rank']!r}")
    return taken, roles


def _listed(table: Table, roles: Roles, name: str, asked: Asked) -> MappingRankings:
    """The run by its cells as Python values."""
    queries = table.ids(roles.of["query"], "query")
    documents = table.ids(roles.of["document"], "document")
    scores = table.numbers(roles.of["score"], "score") if "score" in roles.of else None
    ranks, fault_of_ranks = _ranks(table, roles)
    skipped = settle_faults(table, asked)
    tag = _single_tag(table, roles, queries)
    if scores is not None and "score" not in asked.columns and are_grades(table.names, scores):
        raise not_a(Header(table.origin, table.names, "run", table.file), "BEIR's judgments", asked,
                    _IF_SCORES)  # fmt: skip
    rows: dict[str, list[int]] = {}
    for row, query in enumerate(queries):
        if row not in table.faults:
            rows.setdefault(query, []).append(row)
    given = {
        query: Listing(
            [documents[row] for row in at],
            None if scores is None else scores[at],
            None if ranks is None else ranks[at],
        )
        for query, at in rows.items()
    }
    for notice in rank_notes(given):
        table.notices.append(notice._replace(what=f"{table.origin}: {notice.what}"))
    locate = _locator(table, queries, documents)
    taken = MappingRankings(given, tag or name, locate, fault_of_ranks)
    taken.skipped = skipped
    return taken


_IF_SCORES = (
    "judgments come first, then runs; if these are scores, --columns score=score "
    "(in Python: columns={'score': 'score'})"
)


def _note_choices(table: Table, roles: Roles) -> None:
    """Say what was guessed."""
    for what in roles.notes:
        table.note(what)


def _note_whole(table: Table) -> None:
    """Say which ids were no text."""
    if table.whole:
        names = " and ".join(map(repr, table.whole))
        table.note(f"whole numbers in {names} are taken as text (7 is '7', not '007')")


def settle_faults(table: Table, asked: Asked) -> tuple[Skipped, ...]:
    """Raise all faults together; asked to be lenient, list the rows that they cost instead."""
    if not asked.lenient:
        problems = Problems()
        for row in sorted(table.faults):
            for one in table.faults[row]:
                place = table.place(row, one.column) if problems.total < SHOWN else None
                what = f"{table.origin}, {table.where(row)}: {one.what}"
                problems.add(Problem(one.word, what, place, one.help))
        problems.raise_if_any()
        if not table.n:
            raise _empty(table, "no rows, 0 queries")
        return ()
    if len(table.faults) >= table.n:
        raise _empty(table, f"no usable rows ({count(len(table.faults), 'row')} skipped)")
    return tuple(
        Skipped(
            table.origin, table.number_of(row), "; ".join(one.what for one in found), table.unit
        )
        for row, found in sorted(table.faults.items())
    )


def _empty(table: Table, what: str) -> DataError:
    what = f"{table.origin}: {what}"
    return DataError(Problem("empty", what, table.file, "give a table with rows"))


def _locator(table: Table, queries: Sequence[str], documents: Sequence[str]) -> Locate | None:
    """What finds the rows of a pair again; None where no row has a line."""
    first = table.place(0, None) if table.n else None
    if first is None or first.line is None:
        return None

    def locate(query: str, document: str) -> list[Place]:
        found = [
            table.place(row, None)
            for row, pair in enumerate(zip(queries, documents, strict=True))
            if pair == (query, document)
        ]
        return [place for place in found if place is not None]

    return locate


def _ranks(table: Table, roles: Roles) -> tuple[Floats | None, Problem | None]:
    """The rank column; beside scores it may be unusable, which is said and kept as the reason."""
    if "rank" not in roles.of:
        return None, None
    name = roles.of["rank"]
    before = {row: [*found] for row, found in table.faults.items()}
    try:
        ranks = table.numbers(name, "rank")
    except DataError as refusal:  # a column of text, which is one problem
        if "score" not in roles.of:
            raise
        return None, _unusable(table, roles, refusal.problems[0])
    for row in np.flatnonzero(np.isfinite(ranks) & (ranks != np.floor(ranks))).tolist():
        what = f"the rank {shown(table.columns[name][row])} is not a whole number"
        table.fault(row, Fault("rank", what, name, number_help("rank", what)))
    if "score" not in roles.of or table.faults == before:
        return ranks, None
    row = next(row for row in sorted(table.faults) if table.faults[row] != before.get(row))
    first = table.faults[row][-1]
    table.faults = before
    what = f"{table.where(row)}: {first.what}"
    return None, _unusable(table, roles, Problem("rank", what, table.place(row, name), first.help))


def _unusable(table: Table, roles: Roles, why: Problem) -> Problem:
    """Leave the rank column out, and keep the reason for those who ask for it."""
    table.note(f"the rank column is not usable: {why.what.removeprefix(f'{table.origin}: ')}")
    del roles.of["rank"]
    return why


def _single_tag(table: Table, roles: Roles, queries: Sequence[str]) -> str | None:
    """The run's tag; several tags for one query mean several systems in one table."""
    if "tag" not in roles.of:
        return None
    column = roles.of["tag"]
    tags = [(row, queries[row], str(tag)) for row, tag in enumerate(table.columns[column])
            if row not in table.faults and not is_blank(tag)]  # fmt: skip
    different = dict.fromkeys(tag for _, _, tag in tags)
    if len(different) < 2:
        return next(iter(different), None)
    of_query: dict[str, str] = {}
    for row, query, tag in tags:
        if of_query.setdefault(query, tag) != tag:
            what = (
                f"column {column!r} changes inside query {query!r}: {listed(different)} look like "
                f"{len(different)} systems in one table"
            )
            how = "split the table by that column and give each part as a run"
            raise DataError(Problem("two-systems", what, table.place(row, column), how))
    return None
