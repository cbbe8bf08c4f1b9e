"""What ``trec-eval`` prints, before it is text: the values of every name for every query."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ndcg.compat import groups, zscores
from ndcg.compat.command import DATA, ZSCORES, Command, Stopped
from ndcg.compat.families import Family, Options, gains_of
from ndcg.compat.parameters import BadParametersError, ignored, names_of, parameters_of
from ndcg.compat.reading import Reading, qrels_of, run_of
from ndcg.compat.relstring import strings
from ndcg.compat.seen import Seen, convention_of, emptied, with_placeholders
from ndcg.compat.stops import Read, Wanted, evaluated_queries, refuse_level, refuse_shared
from ndcg.convention import Convention
from ndcg.errors import NdcgError, Problem, UsageError, count, listed
from ndcg.formats.source import read_bytes
from ndcg.kernel import Bools, Floats
from ndcg.stores.given import Judged, Overlay

Say = Callable[[str], None]


class Column(NamedTuple):
    """The values of one name, for the evaluated queries."""

    name: str
    family: Family
    value: Floats
    text: Sequence[str] | None = None  # in place of values


class Evaluated(NamedTuple):
    """What is printed, and why it ends early if it does."""

    queries: list[str]
    columns: list[Column]
    n_judged: int
    relevant: int  # judgments above 0
    tag: str
    encoding: str
    stop: Stopped | None = None


def evaluate(command: Command, say: Say) -> Evaluated:
    """Everything that is printed, by name and query.

    Raises
    ------
    Stopped
        Where trec_eval prints nothing at all.
    """
    convention = convention_of(
        command.version, command.depth or None, judged_only=command.judged_only
    )
    how = Reading(command.version, held=_held(command))
    try:
        read, scores = _read(command, convention, how)
    except UnicodeDecodeError:  # of one of the files: then ids are bytes
        how = how._replace(encoding="latin-1")
        read, scores = _read(command, convention, how)
    wanted = [_with_parameters(family, text, command.version) for family, text in command.measures]
    refuse_shared(wanted)
    refuse_level(command, wanted)
    pairs = [one for one in wanted if one.family.kind == "pairs"]
    odd = [f"note: -m {one.family.name}.{one.text}: {what}"
           for one in pairs for what in ignored(one.given)]  # fmt: skip
    for note in (
        *command.notes,
        *odd,
        *read.qrels.notes,
        *read.run.notes,
        *_left_out(command, read),
    ):
        say(note)
    evaluated, stop = evaluated_queries(command, wanted, read)
    if read.other is not None:
        columns = _grouped_columns(wanted, read.other, evaluated)
    else:
        _warn_of_gains(wanted, read.judged, say)
        columns = _columns(command, wanted, convention, read.overlay, evaluated)
    queries = [read.judged.queries[i] for i in np.flatnonzero(evaluated).tolist()]
    if scores is not None:
        columns = [scored(one, scores, queries) for one in columns]
    n, relevant = len(read.judged.queries), read.qrels.relevant
    return Evaluated(queries, columns, n, relevant, read.run.tag, how.encoding, stop)


def _held(command: Command) -> dict[str, bytes]:
    """Standard input, if it is named."""
    if "-" not in (command.qrels, command.run, command.zscores):
        return {}
    try:
        return {"-": read_bytes("-", "run", fingerprint=False)[0]}
    except NdcgError as error:
        raise Stopped(DATA, error) from None


def _read(
    command: Command, convention: Convention, how: Reading
) -> tuple[Read, zscores.Reference | None]:
    """Read the files, and lay the run over the judgments."""
    other = groups.of(command.format, command.qrels, how)
    try:
        qrels = qrels_of(command.qrels, how) if other is None else other.judgments()
        judged = qrels.judgments.settled("last")
        convention = convention if other is None else other.convention(convention)
        run = run_of(command.run, how, judged, convention)
        overlay = run.rankings.align(judged, convention)
    except NdcgError as error:
        raise Stopped(DATA, error) from None
    if command.zscores is None:
        return Read(qrels, judged, run, overlay, other), None
    try:
        return Read(qrels, judged, run, overlay, other), zscores.read(command.zscores, how)
    except NdcgError as error:
        raise Stopped(ZSCORES, error) from None


def scored(one: Column, scores: zscores.Reference, queries: Sequence[str]) -> Column:
    """The values of a name as distances from a mean; text stays."""
    if one.text is not None:
        return one
    return one._replace(value=scores.convert(one.name, queries, one.value))


def _with_parameters(family: Family, text: str | None, version: int) -> Wanted:
    if text is None or not family.kind:
        return Wanted(family, None, family.given)
    try:
        return Wanted(family, text, parameters_of(family.kind, text, version))
    except BadParametersError as error:
        what = f"-m {family.name}.{text}: {error}"
        how = "as in -m P.5,10 or -m ndcg.1=1,2=3"
        how = "as in -m rbp.p=0.8 or -m rbp.p=0.8,1=1,2=3" if "rbp" in family.name else how
        raise Stopped(DATA, UsageError(Problem("measure", what, help=how))) from None


def _left_out(command: Command, read: Read) -> Iterator[str]:
    """Notes on queries that only one of the files has, where trec_eval goes on without a word."""
    names = [read.judged.queries[i] for i in np.flatnonzero(read.overlay.missing).tolist()]
    if names and (command.complete or command.version == 9):
        number = count(len(names), "judged query is", "judged queries are")
        does = "counted as 0" if command.complete else "left out (-c counts them as 0)"
        yield f"note: {number} not in the run and {does}: {listed(names)}"


def _columns(
    command: Command,
    wanted: Sequence[Wanted],
    convention: Convention,
    overlay: Overlay,
    evaluated: Bools,
) -> list[Column]:
    """The values of all names for the evaluated queries."""
    if not evaluated.any():
        return []
    aligned = overlay.aligned
    placeholders = overlay.missing & (command.complete and command.version == 10)
    if placeholders.any():
        aligned = with_placeholders(aligned, placeholders)
    if command.depth == 0:
        aligned = emptied(aligned)
    seen = Seen(aligned, convention, command.level)
    options = Options(command.version, command.collection)
    columns: list[Column] = []
    for one in wanted:
        for name, value in _values(one, seen, options, placeholders):
            if isinstance(value, list):
                text = [value[i] for i in np.flatnonzero(evaluated).tolist()]
                columns.append(Column(name, one.family, np.zeros(len(text)), text))
            else:
                columns.append(Column(name, one.family, value[evaluated]))
    return columns


def _values(
    one: Wanted, seen: Seen, options: Options, placeholders: Bools
) -> Iterator[tuple[str, Floats | list[str]]]:
    """The names of a family with their values of all judged queries."""
    family, text, given = one
    names = names_of(family.name, family.kind, given, text)
    if family.name == "relstring":
        cleared = placeholders & (text is None)
        yield names[0], strings(seen, int(given[0]), cleared)
    elif family.compute is None:
        yield names[0], np.zeros(seen.n_queries)
    else:
        for name, own in zip(names, family.split(given), strict=True):
            value = family.compute(seen, options, own)
            yield name, np.where(placeholders, 0.0, value) if _is_reset(name) else value


def _is_reset(name: str) -> bool:
    """Whether the value of a missing query is put back to 0 after it was computed."""
    return name in ("num_ret", "utility", "rbp_resid") or name.startswith("unj")


def _grouped_columns(
    wanted: Sequence[Wanted], other: groups.Other, evaluated: Bools
) -> list[Column]:
    """The same where judgments have groups; families that need others have been refused."""
    columns: list[Column] = []
    for family, text, given in wanted:
        if family.needs == "any":
            columns.append(Column(family.name, family, np.zeros(int(evaluated.sum()))))
        elif evaluated.any():
            columns += [
                Column(name, family, value[evaluated])
                for name, value in other.columns(family, text, given)
            ]
    return columns


def _warn_of_gains(wanted: Sequence[Wanted], judged: Judged, say: Say) -> None:
    """Say where trec_eval sorts gains wrongly: it drops the fraction of their differences."""
    levels = range(int(min(judged.grades.max(initial=0.0), 1000.0)) + 1)
    named, pairs = list[str](), list[tuple[float, float]]()
    for one in wanted:
        gains = gains_of(one.given) if one.family.kind == "pairs" else {}
        if gains and one.family.name != "rbp":
            every = {float(level) for level in levels if level not in gains} | {*gains.values()}
            close = [pair for pair in pairwise(sorted(every)) if pair[1] - pair[0] < 1]
            pairs += close
            named += [one.family.name] if close else []
    if pairs:
        say(f"note: {listed(named)}: trec_eval may misorder the gains {pairs[0][0]:g} and "
            f"{pairs[0][1]:g}, which differ by less than 1, and print other values; these are "
            "right")  # fmt: skip
