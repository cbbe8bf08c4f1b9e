"""The command line of trec_eval, taken apart as its getopt does."""

from __future__ import annotations

import getopt
import re
from collections.abc import Sequence
from typing import NamedTuple

from ndcg.compat.c_text import atol
from ndcg.compat.families import FAMILIES, Family, nicknames
from ndcg.errors import NdcgError, Problem, UsageError, did_you_mean

LONG = {
    "help": "h", "version": "v", "query_eval_wanted": "q", "measure=": "m",
    "complete_rel_info_wanted": "c", "level_for_rel=": "l", "nosummary": "n", "Debug_level=": "D",
    "Judged_docs_only": "J", "Number_docs_in_coll=": "N", "Max_retrieved_per_topic=": "M",
    "Rel_info_format=": "R", "Results_format=": "T", "Output_old_results_format=": "o",
    "Zscore=": "Z",
}  # fmt: skip
SHORT = "hvqm:cl:nD:JN:M:R:T:oZ:"
FORMATS = ("qrels", "qrels_jg", "prefs", "qrels_prefs")
_ALL = 10**17  # so many documents are all of them
USAGE, DATA, CALCULATION, NO_QUERY, ZSCORES = 1, 2, 4, 7, 255  # exit codes of trec_eval


class Stopped(Exception):
    """The command ends with an exit code of trec_eval's, and an error of ours."""

    def __init__(self, code: int, error: NdcgError) -> None:
        super().__init__(code, error)
        self.code, self.error = code, error


class Command(NamedTuple):
    """What was asked for."""

    version: int = 10
    measures: tuple[tuple[Family, str | None], ...] = ()  # in print order, with parameters
    queries: bool = False
    summary: bool = True
    complete: bool = False
    level: int = 1
    depth: int | None = None
    judged_only: bool = False
    collection: int = 0
    format: str = "qrels"
    zscores: str | None = None
    qrels: str = ""
    run: str = ""
    asked: str = ""  # help or version, if that was asked for
    named: bool = True  # measures were asked for by name
    notes: tuple[str, ...] = ()  # what was asked for in vain


def command_of(arguments: Sequence[str]) -> Command:
    """The command that the arguments state.

    Raises
    ------
    Stopped
        With exit code 1, as trec_eval does for what it does not know; with 2 for formats.
    """
    version, rest = _version(arguments)
    try:
        options, files = getopt.gnu_getopt(rest, SHORT, [*LONG])
    except getopt.GetoptError as error:
        raise _usage(f"{error.msg}") from None
    names = {f"--{name.rstrip('=')}": f"-{letter}" for name, letter in LONG.items()}
    stated = [(names.get(option, option), value) for option, value in options]
    marked = _Marked(version)
    told: dict[str, str] = {}
    for option, value in stated:
        if option == "-m":
            marked.mark(value)
        elif option == "-v":
            return Command(asked="version")
        elif option == "-D":
            what = "-D prints the inner state of trec_eval, which there is none of here"
            how = "leave it out; ndcg eval --per-query -v shows how a number comes about"
            raise Stopped(DATA, UsageError(Problem("usage", what, help=how)))
        else:
            told[option] = value
    if "-h" in told:
        named = bool(marked.wanted)
        return Command(version, tuple(marked.families()), asked="help", named=named)
    if files == ["-", "-"]:
        raise _usage("standard input (-) is named twice, and can be read once")
    if len(files) != 2:
        raise _usage(f"two files are needed, the judgments and the run, not {len(files)}")
    return _command(version, marked, told, files)


def _command(version: int, marked: _Marked, told: dict[str, str], files: list[str]) -> Command:
    numbers = {name: atol(told[name]) for name in ("-M", "-N", "-l") if name in told}
    for name, value in numbers.items():
        if not re.fullmatch(r"[+-]?[0-9]+", told[name], re.ASCII):
            marked.notes.append(f"note: {name} {told[name]} is read as {value}, as in trec_eval")
    if "-n" in told and "-q" not in told:
        marked.notes.append("note: -n without -q: nothing is printed")
    depth = numbers.get("-M")
    depth = None if depth is not None and depth > _ALL else depth
    if depth is not None and depth < 0:
        raise Stopped(DATA, UsageError(Problem(
            "usage", f"-M {told['-M']}: a ranking cannot be cut below 0 (trec_eval crashes on it)",
            help="give the number of documents to keep, such as -M 1000",
        )))  # fmt: skip
    form = told.get("-R", "qrels")
    _one_of("-R", form, FORMATS)
    _one_of("-T", told.get("-T", "trec_results"), ("trec_results",))
    return Command(
        version=version,
        measures=tuple(marked.families()),
        queries="-q" in told,
        summary="-n" not in told,
        complete="-c" in told,
        level=numbers.get("-l", 1),
        depth=depth,
        judged_only="-J" in told,
        collection=numbers.get("-N", 0),
        format=form,
        zscores=told.get("-Z"),
        qrels=files[0],
        run=files[1],
        notes=tuple(marked.notes),
    )


def _one_of(option: str, given: str, accepted: Sequence[str]) -> None:
    if given not in accepted:
        what = f"{option} {given!r} is not a format{did_you_mean(given, accepted)}"
        help_ = f"accepted: {', '.join(accepted)}"
        raise Stopped(DATA, UsageError(Problem("usage", what, help=help_)))


def _version(arguments: Sequence[str]) -> tuple[int, list[str]]:
    """The version to be compatible with, and the arguments without it."""
    end = [*arguments, "--"].index("--")
    given, rest, at = "10", [], 0
    while at < end:
        one = arguments[at]
        if one == "--compat":
            given, at = (arguments[at + 1] if at + 1 < end else ""), at + 1
        elif one.startswith("--compat="):
            given = one.partition("=")[2]
        else:
            rest.append(one)
        at += 1
    if given not in ("9", "10"):
        raise _usage(f"--compat {given!r}: there are 9 (9.0.4 to 9.0.8) and 10 (10.0)")
    return int(given), [*rest, *arguments[end:]]


def _usage(what: str) -> Stopped:
    how = "ndcg trec-eval [-q] [-c] [-m MEASURE]... QRELS RUN (see: ndcg trec-eval -h)"
    return Stopped(USAGE, UsageError(Problem("usage", what, help=how)))


def _meant(name: str, accepted: Sequence[str]) -> str:
    """The name that was meant, if there is one; P_10 is asked for as P.10."""
    family, _, parameter = name.rpartition("_")
    if family in accepted and re.match("[0-9.]", parameter):
        return f"; did you mean {family}.{parameter}?"
    return did_you_mean(name, accepted)


class _Marked:
    """The families that were asked for; of several parameters for one the first count."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.known = {name: one for name, one in FAMILIES.items() if one.since <= version}
        self.wanted: set[str] = set()
        self.parameters: dict[str, str] = {}
        self.notes: list[str] = []

    def mark(self, text: str) -> None:
        """Add what follows ``-m``."""
        name, point, parameters = text.partition(".")
        short = nicknames(self.version)
        if (point and not parameters) or (name not in short and name not in self.known):
            accepted = [*short, *self.known]
            what = f"{text!r} is not a measure of trec_eval {self.version}"
            what += _meant(name, accepted) if parameters or not point else (
                ": nothing follows the point")  # fmt: skip
            help_ = f"such as {', '.join(accepted[:9])}, P.5,10 (see: ndcg trec-eval -h)"
            raise Stopped(USAGE, UsageError(Problem("measure", what, help=help_)))
        if point and (name in short or not self.known[name].kind):
            self.notes.append(f"note: -m {text}: {name} has no parameters, they are ignored")
        elif point and self.parameters.setdefault(name, parameters) != parameters:
            self.notes.append(f"note: -m {text}: the first parameters of {name} count")
        self.wanted.update(short.get(name, (name,)))

    def families(self) -> list[tuple[Family, str | None]]:
        """Those that were asked for, in print order, with their parameters."""
        if not self.wanted:
            self.mark("official")
        return [
            (one, self.parameters.get(name))
            for name, one in self.known.items()
            if name in self.wanted
        ]
