"""Frames of Polars, pandas, Arrow and DuckDB, taken by what they can do: no library is imported.

A frame's columns become lists, in which every fault can be named; a large run is laid over the
judgments by its columns as they lie (`stores/polars_table.py`) where no cell needs a closer look.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

from ndcg.errors import DataError, Notice, Problem
from ndcg.stores import taking
from ndcg.stores.asked import Asked
from ndcg.stores.given import Judgments, Rankings
from ndcg.stores.tabular import Table

if TYPE_CHECKING:
    from ndcg.stores.table import TableRankings

LARGE = 100_000  # rows from which it pays to load Polars


def is_frame(given: object) -> bool:
    """Whether a value is a table of a library that is known here."""
    return _library(given) is not None


def judgments(frame: object, asked: Asked) -> tuple[Judgments, list[Notice]]:
    """The judgments that a frame holds, and what is to be said about them."""
    table = FrameTable("qrels", frame)
    taken, _ = taking.judgments(table, asked)
    return taken, table.notices


def rankings(frame: object, name: str | None, asked: Asked) -> tuple[Rankings, list[Notice]]:
    """The run that a frame holds, and what is to be said about it."""
    table = FrameTable("run" if name is None else f"run {name!r}", frame)
    taken, _ = taking.rankings(table, name or "run", asked)
    taken.name = name or taken.name
    return taken, table.notices


class _Library(NamedTuple):
    """How the frames of a library are taken apart."""

    names: Callable[[Any], Sequence[Any]]
    chosen: Callable[[Any, list[int]], Any]  # some columns, fetched
    lists: Callable[[Any], list[Sequence[Any]]]  # the columns of what was fetched


class FrameTable(Table):
    """A frame, of which only the columns that are needed are fetched."""

    def __init__(self, origin: str, frame: Any) -> None:
        library = _library(frame)
        if library is None:
            what = f"a value of type {type(frame).__name__} is no frame"
            how = "frames are of Polars, pandas, Arrow or DuckDB"
            raise DataError(Problem("type", what, help=how))
        self._library, self._frame = library, frame
        super().__init__(origin, [*map(str, library.names(frame))], {}, 0)

    def fetch(self, names: Sequence[str]) -> None:
        """Fetch some columns; they become lists when one of them is looked at."""
        chosen = self._library.chosen(self._frame, [self.names.index(name) for name in names])
        self._frame, self.n = chosen, len(chosen)
        self.columns = _Lists(names, lambda: self.lists(chosen))

    def lists(self, chosen: Any) -> list[Sequence[Any]]:
        """The columns of what was fetched, as Python values."""
        return self._library.lists(chosen)

    def large_run(self, roles: Mapping[str, str], name: str) -> TableRankings | None:
        """The run by its columns as they lie, or None where lists serve better."""
        if self.n < LARGE or find_spec("polars") is None:
            return None
        from ndcg.stores import polars_table

        return polars_table.run(self, self._frame, roles, name)


class _Lists(Mapping[str, Sequence[Any]]):
    """Columns by name, all made when the first is asked for."""

    def __init__(self, names: Sequence[str], make: Callable[[], list[Sequence[Any]]]) -> None:
        self._names, self._make = names, make
        self._made: dict[str, Sequence[Any]] = {}

    def __getitem__(self, name: str) -> Sequence[Any]:
        if not self._made:
            self._made = dict(zip(self._names, self._make(), strict=True))
        return self._made[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _library(given: Any) -> _Library | None:
    """What takes a frame apart, told by its methods; None for anything that is no frame."""
    if isinstance(given, type):
        return None
    if hasattr(given, "collect_schema"):  # asked first: columns of a lazy frame warn
        return _POLARS
    if hasattr(given, "to_pylist") and hasattr(given, "schema"):
        return _ARROW
    if not hasattr(given, "columns"):
        return None
    if hasattr(given, "fetchall"):
        return _DUCKDB
    return _PANDAS if hasattr(given, "iloc") else None


def _of_polars(frame: Any, at: list[int]) -> Any:
    names = frame.collect_schema().names()
    chosen = frame.select([names[one] for one in at])
    return chosen.collect() if hasattr(chosen, "collect") else chosen


def _of_duckdb(relation: Any, at: list[int]) -> Any:
    quoted = [relation.columns[one].replace('"', '""') for one in at]
    return relation.project(", ".join(f'"{name}"' for name in quoted))


_POLARS = _Library(
    lambda frame: frame.collect_schema().names(),
    _of_polars,
    lambda frame: [series.to_list() for series in frame.get_columns()],
)
_ARROW = _Library(
    lambda table: table.schema.names,
    lambda table, at: table.select(at),
    lambda table: [column.to_pylist() for column in table.columns],
)
_DUCKDB = _Library(
    lambda relation: relation.columns,
    _of_duckdb,
    lambda relation: [*zip(*relation.fetchall(), strict=True)] or [()] * len(relation.columns),
)
_PANDAS = _Library(
    lambda frame: frame.columns,
    lambda frame, at: frame.iloc[:, at],
    lambda frame: [frame.iloc[:, at].tolist() for at in range(len(frame.columns))],
)
