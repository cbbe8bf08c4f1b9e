"""What was given: files, dictionaries or lists, opened as judgments and runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from os import PathLike, fspath
from typing import Any, NamedTuple

from ndcg.convention import Convention
from ndcg.errors import DataError, NdcgError, Notice, Problem, UsageError, count, note, one_of, warn
from ndcg.evaluation.asked import leading_of, settled_order
from ndcg.formats import FORMATS, read_qrels, read_run
from ndcg.formats.source import Input
from ndcg.measures.registry import Measure
from ndcg.stores import adopt, frames
from ndcg.stores.asked import Asked, asked_columns, refuse_unused
from ndcg.stores.given import Judgments, Rankings, Skipped
from ndcg.stores.grids import is_grid

Path = str | PathLike[str]


def asked_of(
    columns: Mapping[str, str] | None,
    qrels_format: str | None,
    run_format: str | None,
    lenient: bool,
) -> Asked:
    """How inputs are to be read, each name checked."""
    for word, name in (("qrels_format", qrels_format), ("run_format", run_format)):
        if name is not None:
            one_of("usage", f"a format of files ({word})", name, FORMATS)
    return Asked(asked_columns(columns), set(), lenient, qrels_format, run_format)


class Foreseen(NamedTuple):
    """What runs will be asked first, so that those that are streamed are read once."""

    base: Convention
    measures: Sequence[Measure]
    explicit_order: bool
    chosen: frozenset[str] | None

    def prepare(self, judgments: Judgments, rankings: Rankings) -> None:
        """Let a run read what it has not read yet."""
        base = settled_order(rankings, self.base, explicit_order=self.explicit_order)
        leading = leading_of(base, self.measures)
        judged = None
        with suppress(NdcgError):  # told when the judgments are used
            if self.chosen is not None:
                judgments = judgments.only(q for q in judgments.given if q in self.chosen)
            judged = judgments.settled(leading.judgments)
        rankings.prepare(judged, leading)


def inputs_of(
    qrels: Any,
    run: Any,
    mask: Any,
    notices: list[Notice],
    fingerprint: bool,
    asked: Asked,
    foreseen: Foreseen,
) -> tuple[Judgments, Sequence[Rankings], list[Input]]:
    """The judgments, the runs, and the files they came from."""
    if _are_arrays(qrels, mask):
        from ndcg.stores.arrays import from_arrays  # files and dictionaries need none of it

        grades, systems, found = from_arrays(qrels, run, mask)
        notices += found
        refuse_unused(asked)
        return grades, systems, []
    judgments, inputs = qrels_of(qrels, notices, fingerprint, asked)
    prepare = partial(foreseen.prepare, judgments)
    rankings, run_inputs = runs_of(run, notices, fingerprint, asked, prepare)
    refuse_unused(asked)
    for skipped in (judgments.skipped, *(one.skipped for one in rankings)):
        notices += _skips(skipped)
    return judgments, rankings, inputs + run_inputs


def _skips(skipped: Sequence[Skipped]) -> list[Notice]:
    """How many rows of an input were skipped, and the first of them."""
    if not skipped:
        return []
    first = "; ".join(f"{one.unit} {one.line}: {one.what}" for one in skipped[:3])
    more = f"; and {len(skipped) - 3:,} more" if len(skipped) > 3 else ""
    return [
        warn(f"{skipped[0].path}: {count(len(skipped), skipped[0].unit)} skipped ({first}{more})")
    ]


def qrels_of(
    given: Any, notices: list[Notice], fingerprint: bool, asked: Asked
) -> tuple[Judgments, list[Input]]:
    """The judgments, and the file they came from if they did."""
    if isinstance(given, str | PathLike):
        judgments, source = read_qrels(fspath(given), fingerprint=fingerprint, asked=asked)
        notices += source.notices
        return judgments, [source]
    _refuse_format("qrels", asked.qrels_format)
    is_frame = frames.is_frame(given)
    judgments, found = frames.judgments(given, asked) if is_frame else adopt.judgments(given)
    notices += found
    if not judgments.given:
        raise DataError(
            Problem(
                "empty", "no judgments: qrels hold 0 queries", help=f"give {adopt.QRELS_SHAPES}"
            )
        )
    return judgments, []


def runs_of(
    given: Any,
    notices: list[Notice],
    fingerprint: bool,
    asked: Asked,
    prepare: Callable[[Rankings], None],
) -> tuple[list[Rankings], list[Input]]:
    """The runs under distinct names, and the files they came from."""
    systems: list[Rankings] = []
    inputs: list[Input] = []
    named = named_runs(given)
    if not any(isinstance(run, str | PathLike) for _, run in named):
        _refuse_format("run", asked.run_format)
    for name, run in named:
        rankings: Rankings
        if isinstance(run, str | PathLike):
            rankings, source = read_run(fspath(run), fingerprint=fingerprint, asked=asked)
            prepare(rankings)
            rankings.name = name or rankings.name
            inputs.append(source)
            notices += source.notices
        else:
            rankings, found = _taken_over(run, name, asked)
            notices += found
        systems.append(rankings)
    notices += distinct_names(systems, inputs)
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


def _taken_over(run: Any, name: str | None, asked: Asked) -> tuple[Rankings, list[Notice]]:
    """A run of the caller: a frame or a dictionary."""
    if frames.is_frame(run):
        return frames.rankings(run, name, asked)
    return adopt.rankings(run, name or "run")


def _refuse_format(role: str, stated: str | None) -> None:
    """A format says how a file is read, and there is none."""
    if stated is not None:
        what = f"{role}_format={stated!r} says how a file is read, and {role} is no file"
        raise UsageError(Problem("usage", what, help=f"leave {role}_format out"))


def _are_arrays(qrels: object, mask: object) -> bool:
    """Whether the judgments are an array of grades; only beside one can there be a mask."""
    if not frames.is_frame(qrels) and is_grid(qrels):
        return True
    if mask is not None:
        what = f"mask= marks padding in arrays, and qrels are of type {type(qrels).__name__}"
        raise UsageError(Problem("usage", what, help="leave mask out"))
    return False


def refuse_two_readers(qrels: object, run: object) -> None:
    """Standard input can be read once."""
    runs = run.values() if isinstance(run, Mapping) else run if isinstance(run, list) else [run]
    if sum(isinstance(one, str) and one == "-" for one in [qrels, *runs]) > 1:
        what = "standard input (-) is named twice, and can be read once"
        raise UsageError(Problem("usage", what, help="give a file for one of them"))


def named_runs(given: Any) -> list[tuple[str | None, Any]]:
    """The runs with the names they were given: one run, a list of files, or ``{name: run}``."""
    if isinstance(given, str | PathLike) or frames.is_frame(given):
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
        if isinstance(value, str | PathLike) or frames.is_frame(value):
            return True
        if isinstance(value, Mapping):
            for inner in value.values():
                return isinstance(inner, Mapping | list | tuple)
    return False


def distinct_names(systems: list[Rankings], inputs: list[Input]) -> list[Notice]:
    """Runs with the same tag are told apart by their files, and that is said."""
    names = [rankings.name for rankings in systems]
    if len(set(names)) == len(names):
        return []
    twice = next(name for name in names if names.count(name) > 1)
    stems = [source.stem for source in inputs]
    paths = [source.path for source in inputs]
    for better in (stems, paths):
        if len(better) == len(systems) == len(set(better)):
            for rankings, name in zip(systems, better, strict=True):
                rankings.name = name
            what = f"several runs have the tag {twice!r}: systems are called by their files"
            return [note(what)]
    raise UsageError(
        Problem(
            "system",
            f"two systems are called {twice!r}",
            help="give each file once, with a tag or name of its own (in Python: {name: run})",
        )
    )
