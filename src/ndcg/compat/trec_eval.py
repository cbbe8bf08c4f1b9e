"""The command trec_eval: the same options, the same bytes, the same exit codes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ndcg.compat import groups, reading, zscores
from ndcg.compat.command import CALCULATION, DATA, NO_QUERY, ZSCORES, Command, Stopped
from ndcg.compat.families import Family, Options, gains_of
from ndcg.compat.parameters import BadParametersError, Given, names_of, parameters_of
from ndcg.compat.relstring import strings
from ndcg.compat.seen import Seen, convention_of, emptied, with_placeholders
from ndcg.convention import Convention
from ndcg.errors import DataError, NdcgError, Problem, UsageError, count, listed
from ndcg.kernel import Bools, Floats, ordered_sum
from ndcg.measures.pooled import LEAST
from ndcg.stores.given import Judged, Overlay

Say = Callable[[str], None]
_MIXED = ("iprec_at_recall", "Rprec_mult", "11pt_avg")


class Column(NamedTuple):
    """The values of one name, for the evaluated queries."""

    name: str
    family: Family
    value: Floats
    text: Sequence[str] | None = None  # in place of values


class Wanted(NamedTuple):
    """A family with its parameters read."""

    family: Family
    text: str | None  # the parameters as they were given
    given: Given


class Evaluated(NamedTuple):
    """What is printed, and why it ends early if it does."""

    queries: list[str]
    columns: list[Column]
    n_judged: int
    relevant: int  # judgments above 0
    tag: str
    encoding: str
    stop: Stopped | None = None


def run(command: Command, write: Callable[[bytes], None], say: Say) -> int:
    """Evaluate and print; returns the exit code of trec_eval."""
    try:
        found = evaluate(command, say)
    except Stopped as stopped:
        say(str(stopped.error))
        return stopped.code
    lines = _query_lines(found, command) if command.queries else iter(())
    _write(lines, found.encoding, write)
    if found.stop is not None:
        say(str(found.stop.error))
        return found.stop.code
    if command.summary:
        _write(_summary_lines(found, command), found.encoding, write)
    return 0


def _write(lines: Iterator[str], encoding: str, write: Callable[[bytes], None]) -> None:
    text = "".join(lines)
    if text:
        write(text.encode(encoding, "surrogateescape"))


# -- evaluation ---------------------------------------------------------------------------------


def evaluate(command: Command, say: Say) -> Evaluated:
    """Everything that is printed, by name and query."""
    other = groups.of(command.format, command.qrels, command.version)
    try:
        qrels = (
            reading.qrels_of(command.qrels, command.version) if other is None else other.judgments()
        )
        judged = qrels.judgments.settled("last")
        convention = convention_of(
            command.version, command.depth or None, judged_only=command.judged_only
        )
        convention = convention if other is None else other.convention(convention)
        run_ = reading.run_of(command.run, command.version, judged, convention)
        overlay = run_.rankings.align(judged, convention)
    except NdcgError as error:
        raise Stopped(DATA, error) from None
    scores = _zscores(command)
    wanted = [_with_parameters(family, text, command.version) for family, text in command.measures]
    _refuse_shared(wanted)
    _refuse_level(command, wanted)
    for note in (*command.notes, *qrels.notes, *run_.notes):
        say(note)
    evaluated, stop = _evaluated(command, wanted, judged, qrels, overlay, other)
    if other is not None:
        columns = _grouped_columns(wanted, other, evaluated)
    else:
        _warn_of_gains(wanted, judged, say)
        columns = _columns(command, wanted, convention, overlay, evaluated)
    queries = [judged.queries[i] for i in np.flatnonzero(evaluated).tolist()]
    if scores is not None:
        columns = [
            one._replace(value=scores.convert(one.name, queries, one.value))
            if one.text is None
            else one
            for one in columns
        ]
    return Evaluated(
        queries, columns, len(judged.queries), qrels.relevant, run_.tag, run_.encoding, stop
    )


def _zscores(command: Command) -> zscores.Reference | None:
    if command.zscores is None:
        return None
    try:
        return zscores.read(command.zscores, command.version)
    except NdcgError as error:
        raise Stopped(ZSCORES, error) from None


def _with_parameters(family: Family, text: str | None, version: int) -> Wanted:
    if text is None or not family.kind:
        return Wanted(family, None, family.given)
    try:
        return Wanted(family, text, parameters_of(family.kind, text, version))
    except BadParametersError as error:
        what = f"-m {family.name}.{text}: {error}"
        how = "as in -m P.5,10 or -m ndcg.1=1,2=3"
        raise Stopped(DATA, UsageError(Problem("measure", what, help=how))) from None


def _refuse_shared(wanted: Sequence[Wanted]) -> None:
    """Refuse what makes trec_eval crash: these three share their parameters there."""
    alike = [one for one in wanted if one.family.name in ("dcg", "ideal_dcg", "ndcg")]
    if len(alike) > 1 and any(one.text is not None for one in alike):
        named = " and ".join(one.family.name for one in alike)
        what = f"{named} with gains: trec_eval crashes when they are asked for together"
        how = "ask for each in a command of its own"
        raise Stopped(DATA, UsageError(Problem("measure", what, help=how)))


def _refuse_level(command: Command, wanted: Sequence[Wanted]) -> None:
    """Refuse what trec_eval mixes up at levels below 0: two ways of counting relevant documents."""
    mixed = [one.family.name for one in wanted if one.family.name in _MIXED]
    if command.level < 0 and mixed:
        what = f"-l {command.level} makes unjudged documents relevant, and trec_eval counts them "
        what += f"among the documents of {listed(mixed)} and not among the relevant ones"
        how = "give a level of 0 or more, or other measures"
        raise Stopped(DATA, UsageError(Problem("usage", what, help=how)))


def _evaluated(
    command: Command,
    wanted: Sequence[Wanted],
    judged: Judged,
    qrels: reading.Qrels,
    overlay: Overlay,
    other: groups.Other | None,
) -> tuple[Bools, Stopped | None]:
    """The judged queries that are evaluated, and what ends the evaluation before the last one."""
    placeholders = command.complete and command.version == 10
    evaluated = np.ones(len(judged.queries), bool) if placeholders else ~overlay.missing
    if command.version == 9 and not evaluated.any():
        what = "no query has both results and judgments"
        how = "check that judgments and run belong together"
        raise Stopped(NO_QUERY, DataError(Problem("no-common-query", what, help=how)))
    faults = [_first_missing(command, judged, overlay)]
    at = int(np.argmax(evaluated))
    if evaluated.any():
        faults += [(at, fault) for fault in _first_faults(command, wanted, judged, at)]
    if any(one.family.needs != "any" for one in wanted):
        faults += _duplicates(command, judged, qrels, overlay, evaluated)
    if other is not None:
        settings = groups.Settings(command.level, command.judged_only, command.depth == 0)
        faults += other.faults(overlay, evaluated, settings)
    stops = [fault for fault in faults if fault is not None]
    if not stops:
        return evaluated, None
    first, problem = min(stops, key=lambda fault: fault[0])
    evaluated[first:] = False
    return evaluated, Stopped(CALCULATION, DataError(problem))


def _first_missing(
    command: Command, judged: Judged, overlay: Overlay
) -> tuple[int, Problem] | None:
    if command.version == 9 or command.complete or not overlay.missing.any():
        return None
    at = int(np.argmax(overlay.missing))
    missing = [judged.queries[i] for i in np.flatnonzero(overlay.missing).tolist()]
    what = f"{count(len(missing), 'judged query is', 'judged queries are')} not in the run: "
    how = "-c counts them as 0; --compat 9 leaves them out"
    return at, Problem("missing-query", what + listed(missing), help=how)


def _first_faults(
    command: Command, wanted: Sequence[Wanted], judged: Judged, at: int
) -> Iterator[Problem]:
    """What ends the evaluation at the first query."""
    needs = {"qrels_prefs": "prefs"}.get(command.format, command.format)
    for one in wanted:
        if one.family.needs not in ("any", needs):
            fitting = [form for form in ("qrels", "qrels_jg", "prefs") if one.family.needs == form]
            what = f"{one.family.name} cannot be computed from judgments read with -R "
            yield Problem("measure", what + command.format, help=f"-R {fitting[0]}")
        elif one.family.name == "utility" and len(one.given) != 4:
            what = f"-m utility.{one.text}: {count(len(one.given), 'coefficient')}, not 4"
            yield Problem("measure", what, help="as in -m utility.1,-1,0,0")
    begin, end = int(judged.start[at]), int(judged.start[at + 1])
    ranked = any(one.family.needs == "qrels" for one in wanted)
    if needs == "qrels" and ranked and end > begin and (judged.grades[begin:end] < 0).all():
        query = judged.queries[at]
        what = f"query {query!r}, the first to be evaluated, has negative grades only"
        how = "trec_eval stops there too, but counts such a query as 0 anywhere else; remove it"
        yield Problem("negative-grade", what, help=how)


def _duplicates(
    command: Command, judged: Judged, qrels: reading.Qrels, overlay: Overlay, evaluated: Bools
) -> Iterator[tuple[int, Problem]]:
    """The first queries that list, or judge, a document twice."""
    if overlay.repeated is not None:
        query, document, times = overlay.repeated
        what = f"{command.run} lists document {document!r} {times} times for query {query!r}"
        how = "remove all but one of them, or cut them off with -M"
        yield judged.queries.index(query), Problem("duplicate", what, help=how)
    number = {query: i for i, query in enumerate(judged.queries)}
    twice = [query for query in qrels.repeated if evaluated[number[query]]]
    if twice:
        query = min(twice)
        what = f"{command.qrels} judges document {qrels.repeated[query]!r} twice for {query!r}"
        yield number[query], Problem("judgments", what, help="keep one of the judgments")


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


def _is_reset(name: str) -> bool:
    """Whether the value of a missing query is put back to 0 after it was computed."""
    return name in ("num_ret", "utility", "rbp_resid") or name.startswith("unj")


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


# -- output -------------------------------------------------------------------------------------


def _query_lines(found: Evaluated, command: Command) -> Iterator[str]:
    mark = "Z" if command.zscores is not None else ""
    shown = [one for one in found.columns if one.family.shown != "summary"]
    texts = [_texts(one, command) for one in shown]
    heads = [f"{'' if one.text else mark}{one.name:<22}\t" for one in shown]
    for at, query in enumerate(found.queries):
        for head, text in zip(heads, texts, strict=True):
            yield f"{head}{query}\t{text[at]}\n"


def _texts(column: Column, command: Command) -> Sequence[str]:
    if column.text is not None:
        return column.text
    if column.family.whole and command.zscores is None:
        return [str(int(value)) for value in column.value.tolist()]
    return [number(value) for value in column.value.tolist()]


def number(value: float) -> str:
    """A value as C prints it by %6.4f; what 0/0 gives there has a sign."""
    return "  -nan" if math.isnan(value) else f"{value:6.4f}"


def _summary_lines(found: Evaluated, command: Command) -> Iterator[str]:
    mark = "Z" if command.zscores is not None else ""
    n = found.n_judged if command.complete else len(found.queries)
    for one in found.columns:
        if one.name == "runid":
            yield f"{'runid':<22}\tall\t{found.tag}\n"
        elif one.family.shown != "queries":
            value = summary(one, found, command, n)
            whole = one.family.whole and not mark
            text = str(int(value)) if whole else number(value)
            yield f"{mark}{one.name:<22}\tall\t{text}\n"


def summary(one: Column, found: Evaluated, command: Command, n: int) -> float:
    """What the values of a name come to."""
    if one.name == "num_q":
        return float(n)
    if one.name == "num_rel" and command.complete:
        return float(found.relevant)
    total = ordered_sum(one.value)
    if one.family.over == "sum":
        return total
    if one.family.over == "geometric":
        if command.complete:
            total += (n - len(one.value)) * math.log(LEAST)
        return math.exp(total / n)
    return total / n
