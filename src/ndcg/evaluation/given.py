"""What was given: files, dictionaries or lists, opened as judgments and runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike, fspath
from typing import Any

from ndcg.errors import DataError, Notice, Problem, UsageError, count
from ndcg.formats import read_qrels, read_run
from ndcg.formats.source import Input
from ndcg.stores import adopt
from ndcg.stores.given import Judgments, Rankings

Path = str | PathLike[str]


def qrels_of(
    given: Path | Mapping[Any, Any], notices: list[Notice], fingerprint: bool
) -> tuple[Judgments, list[Input]]:
    """The judgments, and the file they came from if they did."""
    if isinstance(given, str | PathLike):
        judgments, source = read_qrels(fspath(given), fingerprint=fingerprint)
        notices += source.notices
        return judgments, [source]
    judgments, found = adopt.judgments(given)
    notices += found
    if not judgments.given:
        raise DataError(
            Problem(
                "empty", "no judgments: qrels hold 0 queries", help=f"give {adopt.QRELS_SHAPES}"
            )
        )
    return judgments, []


def runs_of(
    given: Path | Mapping[Any, Any] | Sequence[Path], notices: list[Notice], fingerprint: bool
) -> tuple[list[Rankings], list[Input]]:
    """The runs under distinct names, and the files they came from."""
    systems: list[Rankings] = []
    inputs: list[Input] = []
    for name, run in _named(given):
        if isinstance(run, str | PathLike):
            rankings, source = read_run(fspath(run), fingerprint=fingerprint)
            rankings.name = name or rankings.name
            inputs.append(source)
            notices += source.notices
        else:
            rankings, found = adopt.rankings(run, name or "run")
            notices += found
        systems.append(rankings)
    _distinct_names(systems, inputs)
    for rankings in systems:
        if not any(map(rankings.documents, rankings.queries)):
            raise DataError(
                Problem(
                    "empty",
                    f"run {rankings.name!r} lists no documents for any of "
                    f"{count(len(rankings.queries), 'query', 'queries')}",
                    help=f"give {adopt.RUN_SHAPES}",
                )
            )
    return systems, inputs


def refuse_two_readers(qrels: object, run: object) -> None:
    """Standard input can be read once."""
    runs = run.values() if isinstance(run, Mapping) else run if isinstance(run, list) else [run]
    if sum(isinstance(one, str) and one == "-" for one in [qrels, *runs]) > 1:
        what = "standard input (-) is named twice, and can be read once"
        raise UsageError(Problem("usage", what, help="give a file for one of them"))


def _named(given: Any) -> list[tuple[str | None, Any]]:
    """The runs with the names they were given: one run, a list of files, or ``{name: run}``."""
    if isinstance(given, str | PathLike):
        return [(None, given)]
    if isinstance(given, Mapping):
        if _holds_runs(given):
            return [(str(name), run) for name, run in given.items()]
        return [(None, given)]
    if isinstance(given, Sequence) and given and all(isinstance(x, str | PathLike) for x in given):
        return [(None, path) for path in given]
    raise DataError(
        Problem(
            "type",
            f"run is of type {type(given).__name__}",
            help=f"give a file, a list of files, {adopt.RUN_SHAPES}, or {{name: run}}",
        )
    )


def _holds_runs(given: Mapping[Any, Any]) -> bool:
    """Whether the values are runs (files, or query mappings) rather than one query's ranking."""
    for value in given.values():
        if isinstance(value, str | PathLike):
            return True
        if isinstance(value, Mapping):
            for inner in value.values():
                return isinstance(inner, Mapping | list | tuple)
    return False


def _distinct_names(systems: list[Rankings], inputs: list[Input]) -> None:
    """Runs with the same tag are told apart by their files."""
    names = [rankings.name for rankings in systems]
    if len(set(names)) == len(names):
        return
    stems = [source.stem for source in inputs]
    paths = [source.path for source in inputs]
    for better in (stems, paths):
        if len(better) == len(systems) == len(set(better)):
            for rankings, name in zip(systems, better, strict=True):
                rankings.name = name
            return
    twice = next(name for name in names if names.count(name) > 1)
    raise UsageError(
        Problem("system", f"two systems are called {twice!r}", help="give {name: run} with names")
    )
