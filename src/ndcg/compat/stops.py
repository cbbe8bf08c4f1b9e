"""Where trec_eval stops: options it cannot follow, and the first query that it cannot evaluate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.compat.command import CALCULATION, DATA, NO_QUERY, Command, Stopped
from ndcg.compat.families import Family
from ndcg.compat.groups import Fault, Other, Settings
from ndcg.compat.parameters import Given
from ndcg.compat.reading import Qrels, Run
from ndcg.errors import DataError, Problem, UsageError, count, listed
from ndcg.kernel import Bools
from ndcg.stores.given import Judged, Overlay

_MIXED = ("iprec_at_recall", "Rprec_mult", "11pt_avg")


class Wanted(NamedTuple):
    """A family with its parameters read."""

    family: Family
    text: str | None  # the parameters as they were given
    given: Given


class Read(NamedTuple):
    """What the files hold, and the run laid over the judgments."""

    qrels: Qrels
    judged: Judged
    run: Run
    overlay: Overlay
    other: Other | None  # the judgments, where they have groups


def refuse_shared(wanted: Sequence[Wanted]) -> None:
    """Refuse what makes trec_eval crash: these three share their parameters there."""
    alike = [one for one in wanted if one.family.name in ("dcg", "ideal_dcg", "ndcg")]
    if len(alike) > 1 and any(one.text is not None for one in alike):
        named = " and ".join(one.family.name for one in alike)
        what = f"{named} with gains: trec_eval crashes when they are asked for together"
        how = "ask for each in a command of its own"
        raise Stopped(DATA, UsageError(Problem("measure", what, help=how)))


def refuse_level(command: Command, wanted: Sequence[Wanted]) -> None:
    """Refuse what trec_eval mixes up at levels below 0: two ways of counting relevant documents."""
    mixed = [one.family.name for one in wanted if one.family.name in _MIXED]
    if command.level < 0 and mixed:
        what = f"-l {command.level} makes unjudged documents relevant, and trec_eval counts them "
        what += f"among the documents of {listed(mixed)} and not among the relevant ones"
        how = "give a level of 0 or more, or other measures"
        raise Stopped(DATA, UsageError(Problem("usage", what, help=how)))


def evaluated_queries(
    command: Command, wanted: Sequence[Wanted], read: Read
) -> tuple[Bools, Stopped | None]:
    """The judged queries that are evaluated, and what ends the evaluation before the last one."""
    placeholders = command.complete and command.version == 10
    missing = read.overlay.missing
    evaluated = np.ones(len(missing), bool) if placeholders else ~missing
    if command.version == 9 and not evaluated.any():
        what = "no query has both results and judgments"
        how = "check that judgments and run belong together"
        raise Stopped(NO_QUERY, DataError(Problem("no-common-query", what, help=how)))
    stops = [*_faults(command, wanted, read, evaluated)]
    if not stops:
        return evaluated, None
    first, problem = min(stops, key=lambda fault: fault[0])
    evaluated[first:] = False
    return evaluated, Stopped(CALCULATION, DataError(problem))


def _faults(
    command: Command, wanted: Sequence[Wanted], read: Read, evaluated: Bools
) -> Iterator[Fault]:
    """What trec_eval would stop at, with the number of the query."""
    if command.version == 10 and not command.complete and read.overlay.missing.any():
        yield _first_missing(read)
    if evaluated.any():
        at = int(np.argmax(evaluated))
        yield from ((at, fault) for fault in _at_first(command, wanted, read.judged, at))
    if any(one.family.needs != "any" for one in wanted):
        yield from _duplicates(command, read, evaluated)
    if read.other is not None:
        settings = Settings(command.level, command.judged_only, command.depth == 0)
        yield from read.other.faults(read.overlay, evaluated, settings)


def _first_missing(read: Read) -> Fault:
    at = np.flatnonzero(read.overlay.missing).tolist()
    names = [read.judged.queries[i] for i in at]
    what = f"{count(len(names), 'judged query is', 'judged queries are')} not in the run: "
    how = "-c counts them as 0; --compat 9 leaves them out"
    return at[0], Problem("missing-query", what + listed(names), help=how)


def _at_first(
    command: Command, wanted: Sequence[Wanted], judged: Judged, at: int
) -> Iterator[Problem]:
    """What ends the evaluation at the first query."""
    needs = {"qrels_prefs": "prefs"}.get(command.format, command.format)
    for one in wanted:
        if one.family.needs not in ("any", needs):
            what = f"{one.family.name} cannot be computed from judgments read with -R "
            yield Problem("measure", what + command.format, help=f"-R {one.family.needs}")
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


def _duplicates(command: Command, read: Read, evaluated: Bools) -> Iterator[Fault]:
    """The first queries that list, or judge, a document twice."""
    number = {query: i for i, query in enumerate(read.judged.queries)}
    if read.overlay.repeated is not None and command.depth != 0:
        query, document, times = read.overlay.repeated
        places = [*read.run.locate(query, document)]
        what = f"{command.run} lists document {document!r} {times} times for query {query!r}"
        how = "remove all but one of them, or cut them off with -M"
        yield number[query], Problem("duplicate", what, places[-1] if places else None, how)
    twice = [query for query in read.qrels.repeated if evaluated[number[query]]]
    if twice:
        query = min(twice)
        document = read.qrels.repeated[query]
        places = [*read.qrels.locate(query, document)]
        what = f"{command.qrels} judges document {document!r} twice for query {query!r}"
        place = places[-1] if places else None
        yield number[query], Problem("judgments", what, place, "keep one of the judgments")
