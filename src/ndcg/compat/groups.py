"""Judgments by group, and preferences: ``-R qrels_jg``, ``-R prefs``, ``-R qrels_prefs``."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.axes import number_of
from ndcg.compat.c_text import atof
from ndcg.compat.families import Family
from ndcg.compat.parameters import Given, names_of
from ndcg.compat.reading import (
    GROUPS,
    PREFERENCES,
    Qrels,
    Reading,
    Table,
    as_c,
    table_of,
    whole_grades,
)
from ndcg.convention import Convention
from ndcg.errors import DataError, Place, Problem
from ndcg.kernel import Bools, Floats, Ints, per_row, place_in_row
from ndcg.measures.judgment_groups import (
    Groups,
    average_precision_of_groups,
    precision_of_groups,
    r_precision_of_groups,
)
from ndcg.measures.preferences import (
    Contradiction,
    Counts,
    MixedLevels,
    count_preferences,
    preference_values,
)
from ndcg.stores.given import Judgments, Overlay

Fault = tuple[int, Problem]


class Settings(NamedTuple):
    """The options that these measures heed."""

    level: int
    judged_only: bool
    empty: bool  # every ranking is cut at 0


class Grouped(NamedTuple):
    """Judgment rows, in order of query, group and subgroup, each by byte order of the ids."""

    query: Ints  # number of the query
    group: Ints  # of the group within all groups of all queries
    subgroup: Ints
    document: Ints  # number of the judgment of query and document
    level: Floats


MOST = 10_000  # documents of a query whose preferences are counted: every pair takes memory


class Other(ABC):
    """A format of judgments that have groups; made for one file."""

    def __init__(self, path: str, how: Reading) -> None:
        self.path, self.how = path, how
        self.rows: Grouped
        self.names: tuple[list[str], list[str], list[str]]  # of queries, groups, judgments

    @abstractmethod
    def judgments(self) -> Qrels:
        """Every judged document of each query, once."""

    def convention(self, base: Convention) -> Convention:
        """How documents are ranked."""
        return base

    @abstractmethod
    def faults(self, overlay: Overlay, evaluated: Bools, settings: Settings) -> Iterator[Fault]:
        """What ends the evaluation, and at which query; what is found is kept for `values`."""

    @abstractmethod
    def values(self, family: Family, given: Given) -> list[Floats]:
        """The values of a family, one array for each of its names."""

    def columns(
        self, family: Family, text: str | None, given: Given
    ) -> Iterator[tuple[str, Floats]]:
        """The names of a family with their values of all queries."""
        names = names_of(family.name, family.kind, given, text)
        return zip(names, self.values(family, given), strict=True)

    def _grouped(self, table: Table, subgroups: Sequence[str], levels: Floats) -> Judgments:
        """Take the rows over; the judgments say which documents each query has."""
        queries, groups, documents = table.columns[0], table.columns[1], table.columns[-2]
        given: dict[str, dict[str, float]] = {}
        for query, document in sorted(set(zip(queries, documents, strict=True))):
            given.setdefault(query, {})[document] = 0.0
        number: dict[tuple[str, str], int] = {}
        for query, own in given.items():
            for document in own:
                number[query, document] = len(number)
        of_query = {query: at for at, query in enumerate(given)}
        keys = sorted(zip(queries, groups, subgroups, range(len(queries)), strict=True))
        order = [key[-1] for key in keys]
        self.names = (
            [*given],
            [group for _, group in dict.fromkeys(key[:2] for key in keys)],
            [document for _, document in number],
        )
        self.rows = Grouped(
            np.array([of_query[queries[at]] for at in order], np.int64),
            _numbered([key[:2] for key in keys]),
            _numbered([key[:3] for key in keys]),
            np.array([number[queries[at], documents[at]] for at in order], np.int64),
            levels[order],
        )
        return Judgments(given)


def _numbered(keys: Sequence[tuple[str, ...]]) -> Ints:
    """0, 1, ... for sorted keys, the same for equal ones."""
    new = [at > 0 and keys[at] != keys[at - 1] for at in range(len(keys))]
    return np.cumsum(np.array(new, np.int64))


def _ranks(overlay: Overlay, settings: Settings) -> Ints:
    """The rank of each judged document, 0 where it is not retrieved."""
    aligned = overlay.aligned.rows(~overlay.aligned.copy)
    rank = np.zeros(len(aligned.rank), np.int64)
    if not settings.empty:
        rank[aligned.listed] = aligned.rank
    return rank


class JudgmentGroups(Other):
    """Judgments of which each belongs to a group: measures are averaged over groups."""

    def judgments(self) -> Qrels:
        """Read ``query group document grade`` rows."""
        table = table_of(self.path, GROUPS, self.how)
        queries, groups, documents, fields = table.columns
        grades, notes = whole_grades(self.path, fields)
        seen: set[tuple[str, str, str]] = set()
        for row in zip(queries, groups, documents, strict=True):
            if row in seen:
                what = f"{self.path}: group {row[1]!r} of query {row[0]!r} judges {row[2]!r} twice"
                how = "keep one of the judgments"
                raise DataError(Problem("judgments", what, Place(self.path), how))
            seen.add(row)
        judgments = self._grouped(table, [""] * len(queries), grades)
        return Qrels(judgments, {}, int((grades > 0).sum()), notes)

    def faults(self, overlay: Overlay, evaluated: Bools, settings: Settings) -> Iterator[Fault]:
        """No query is refused; levels below 0 are, for all."""
        rows, level = self.rows, settings.level
        rank = _ranks(overlay, settings)[rows.document]
        if level < 0:
            what = f"-l {level} with -R qrels_jg makes unjudged documents relevant"
            yield 0, Problem("usage", what, help="give a level of 0 or more")
        here = rank > 0
        if settings.judged_only:
            here &= rows.level >= 0
        order = np.lexsort((rank, rows.group))
        order = order[here[order]]
        group, rank, hit = rows.group[order], rank[order], rows.level[order] >= level
        if settings.judged_only:
            rank = place_in_row(group)
        n_groups = int(rows.group.max(initial=-1)) + 1
        query = np.zeros(n_groups, np.int64)
        query[rows.group] = rows.query
        relevant = per_row(rows.group, n_groups, rows.level >= max(level, 0)).astype(np.int64)
        self.found = Groups(group[hit], rank[hit], relevant, query, len(evaluated))

    def values(self, family: Family, given: Given) -> list[Floats]:
        """The values of a family, one array for each of its names."""
        if family.name == "map_avgjg":
            return [average_precision_of_groups(self.found)]
        one = precision_of_groups if family.name == "P_avgjg" else r_precision_of_groups
        return [one(self.found, parameter) for parameter in given]


class Preferences(Other):
    """Preferences between documents: levels by group and subgroup."""

    layout = PREFERENCES

    def judgments(self) -> Qrels:
        """Read the rows; levels are numbers, of single precision in trec_eval 9."""
        table = table_of(self.path, self.layout, self.how)
        levels = np.array([*map(atof, table.columns[-1])], np.float64)
        odd = {
            field: f"{level:g}"
            for field, level in zip(table.columns[-1], levels.tolist(), strict=True)
            if number_of(field) is None
        }
        if self.how.version == 9:
            with np.errstate(over="ignore"):
                levels = levels.astype(np.float32).astype(np.float64)
        single = [""] * len(levels)
        subgroups = table.columns[2] if self.layout is PREFERENCES else single
        notes = as_c(self.path, "level", odd)
        return Qrels(self._grouped(table, subgroups, levels), {}, 0, notes)

    def convention(self, base: Convention) -> Convention:
        """Ties are broken the other way than for all other measures."""
        return base.but({"ties": "docid_asc"})

    def faults(self, overlay: Overlay, evaluated: Bools, settings: Settings) -> Iterator[Fault]:
        """Groups that contradict themselves."""
        rank = _ranks(overlay, settings)
        self.found: dict[str, Floats] = {}
        values: list[dict[str, float]] = []
        for at, counts in self._counted(rank, evaluated):
            if isinstance(counts, Problem):
                yield at, counts
                break
            values.append(preference_values(counts))
        number = np.flatnonzero(evaluated)[: len(values)]
        for name in values[0] if values else ():
            self.found[name] = np.zeros(len(evaluated))
            self.found[name][number] = [one[name] for one in values]

    def _counted(self, rank: Ints, evaluated: Bools) -> Iterator[tuple[int, Counts | Problem]]:
        rows = self.rows
        for at in np.flatnonzero(evaluated).tolist():
            begin, end = np.searchsorted(rows.query, [at, at + 1]).tolist()
            part = slice(begin, end)
            first = int(rows.document[part].min())
            last = int(rows.document[part].max()) + 1
            if last - first > MOST:
                yield at, self._too_many(at, last - first)
                return
            try:
                yield (
                    at,
                    count_preferences(
                        rows.group[part] - rows.group[begin],
                        rows.subgroup[part] - rows.subgroup[begin],
                        rows.document[part] - first,
                        rows.level[part],
                        rank[first:last],
                    ),
                )
            except (Contradiction, MixedLevels) as error:
                yield at, self._conflict(at, begin, first, error)

    def _too_many(self, at: int, number: int) -> Problem:
        query = self.names[0][at]
        what = f"{self.path}: query {query!r} has preferences between {number:,} documents"
        return Problem("judgments", what, help=f"at most {MOST:,} are compared with each other")

    def _conflict(
        self, at: int, begin: int, first: int, error: Contradiction | MixedLevels
    ) -> Problem:
        """What is wrong with a group, by its own names."""
        queries, groups, documents = self.names
        group = groups[int(self.rows.group[begin]) + error.group]
        if isinstance(error, MixedLevels):
            document = documents[first + error.document]
            what = f"gives document {document!r} both level 0 and another one"
        elif error.first == error.second:
            what = f"gives document {documents[first + error.first]!r} two levels"
        else:
            one, other = documents[first + error.first], documents[first + error.second]
            what = f"prefers {one!r} to {other!r}, and {other!r} to {one!r}"
        return Problem(
            "judgments",
            f"{self.path}: group {group!r} of query {queries[at]!r} {what}",
            help="put judgments that contradict each other into different groups",
        )

    def values(self, family: Family, given: Given) -> list[Floats]:  # noqa: ARG002 -- has none
        """The values of a family, one array for each of its names."""
        return [self.found[family.name]]


class QrelsPreferences(Preferences):
    """Judgments whose second column is a group of preferences."""

    layout = GROUPS


_FORMATS: dict[str, type[Other]] = {
    "qrels_jg": JudgmentGroups,
    "prefs": Preferences,
    "qrels_prefs": QrelsPreferences,
}


def of(form: str, path: str, how: Reading) -> Other | None:
    """The reader of a file in one of these formats; None for plain judgments."""
    return _FORMATS[form](path, how) if form in _FORMATS else None
