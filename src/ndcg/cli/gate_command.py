"""``ndcg gate``: fail when quality drops, or is below its budgets."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence

from ndcg.cli.main import DONE, say, write
from ndcg.cli.options import (
    Parser,
    add_axes,
    add_files,
    axes_of,
    chosen_format,
    columns_of,
    format_of,
    level,
    parsed,
    several,
)
from ndcg.errors import NdcgError, Place, Problem, UsageError, note, one_of

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from typing import Any

    from ndcg.errors import Notice
    from ndcg.gating.results import Gate

EXAMPLES = """\
  ndcg gate qrels.txt run.txt --fail-if 'nDCG@10 < 0.6' --fail-if 'P@1 < 0.4'
  ndcg gate qrels.txt run.txt --baseline new.json --update  first, and to accept
  ndcg gate qrels.txt run.txt --baseline base.json --fail-if 'nDCG@10 drops'
  ndcg gate qrels.txt a.run --baseline b.run --fail-if 'nDCG@10 rises significantly'
  ndcg gate qrels.txt run.txt --baseline base.json -o gate.md -o junit.xml \\
      --fail-if 'nDCG@10 drops 2% per segment' --segments kinds.csv
  ndcg gate                      by the table [tool.ndcg.gate] of pyproject.toml
"""
ENDS = """
rules: MEASURE drops [AMOUNT | PERCENT%] [significantly], or rises, or changes:
by so much or more, without an amount at all; MEASURE < LIMIT, also <= > >=;
answered, missing, extra, empty, duplicates, negative, self-match, skipped or
tied against a LIMIT. Behind a rule about a measure: in SEGMENT, or per segment.

A file of rules is TOML with the names of these options (fail-if = [...],
baseline = "...", axes = {gain = "linear"}); paths are relative to it.

exit codes: 0 passed, 1 failed, 2 wrong usage, unreadable data, or a baseline of
other judgments or another convention, 3 a fault of ours, 130 interrupted
"""
FORMATS = ("text", "markdown", "json", "junit", "github")
SUFFIXES = {
    ".txt": "text", ".md": "markdown", ".markdown": "markdown", ".json": "json", ".xml": "junit",
}  # fmt: skip
FAILED = 1


def run(given: Sequence[str]) -> int:
    """Parse the options, judge, print."""
    arguments = parsed(parser_of_gate(), given)
    if arguments is None:
        return DONE
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    name = one_of("usage", "a format of gate", chosen_format(arguments) or "text", FORMATS)
    outputs = {path: format_of(path, None, SUFFIXES) for path in arguments.output}
    notices: list[Notice] = []
    _settle(arguments, notices)
    _refuse_outputs(arguments, outputs)
    try:
        found = _gated(arguments, notices)
    except NdcgError as error:
        raise _placed(error, arguments) from None
    _print(found, name, outputs, arguments)
    if not arguments.quiet:
        from ndcg.cli.said import first_of, say_notices

        others = found.evaluation.notices
        others = others if arguments.verbose else tuple(first_of(others))
        say_notices((*notices, *found.notices, *others), arguments.color)
    return DONE if found.passed else FAILED


def _settle(arguments: argparse.Namespace, notices: list[Notice]) -> None:
    """Fill what was not given from the file of rules; what was given counts."""
    from ndcg.gating.settings import Settings, project_settings, read_settings

    if arguments.rules == "none":
        settings = Settings()
    else:
        settings = read_settings(arguments.rules) if arguments.rules else project_settings()
    if settings.path:
        notices.append(note(f"rules and settings of {settings.path} are used"))
    used: set[str] = set()  # settings that are not overridden
    for name, value in settings.values.items():
        own = getattr(arguments, name, None)
        if name == "axes" or own in (None, False):
            setattr(arguments, name, value)
            used.add(name)
        elif own != value and name == "fail_if":
            notices.append(note(f"the rules of {settings.path} are not used: --fail-if is given"))
    arguments.axes = getattr(arguments, "axes", None) or {}
    arguments.settled = (settings.path, used)
    for word in ("qrels", "run"):
        if getattr(arguments, word) is None:
            what = f"no {'judgments are' if word == 'qrels' else 'run is'} given"
            how = f'ndcg gate QRELS RUN, or {word} = "..." in a file of rules'
            raise UsageError(Problem("usage", what, help=how))


def _placed(error: NdcgError, arguments: argparse.Namespace) -> NdcgError:
    """The same, with the file whose rules or settings it is about."""
    path, own = arguments.settled
    about = {"rule": "fail_if", "measure": "fail_if", "preset": "preset"}
    about |= {} if axes_of(arguments) else {"axis": "axes"}  # else it may be one of those given
    told = [
        one._replace(place=Place(path)) if one.place is None and about.get(one.word) in own else one
        for one in error.problems
    ]
    return type(error)(told, total=error.total)


_READ = ("qrels", "run", "weights", "groups", "queries_from", "segments", "rules")


def _refuse_outputs(arguments: argparse.Namespace, outputs: dict[str, str]) -> None:
    """Nothing that is written is something that is read, or is written twice."""
    from ndcg.formats.writing import refuse_inputs, refuse_unwritable

    read = [path for word in _READ if (path := getattr(arguments, word)) is not None]
    read += [path for path in (arguments.settled[0],) if path]
    read += [arguments.baseline] if arguments.baseline and not arguments.update else []
    written = [path for path in (arguments.history, *outputs) if path is not None]
    written += [arguments.baseline] if arguments.update and arguments.baseline else []
    refuse_inputs(written, read)
    real = [os.path.realpath(path) for path in written]
    refuse_unwritable(outputs)
    twice = next(
        (path for path, one in zip(written, real, strict=True) if real.count(one) > 1), None
    )
    if twice is not None:
        what = f"{twice} is to be written for two purposes"
        raise UsageError(Problem("output", what, help="give each a name of its own"))


def _gated(arguments: argparse.Namespace, notices: list[Notice]) -> Gate:
    """The rules held against the run."""
    from ndcg.cli.progress import shown_progress
    from ndcg.cli.tables import queries_of, read_groups, read_segments, read_weights
    from ndcg.gating.judging import gate
    from ndcg.statistics.intervals import LEVEL

    def table(read: Any, path: str | None) -> Any:
        return None if path is None else read(path, notices)

    axes = {
        **{name.replace("-", "_"): one for name, one in arguments.axes.items()},
        **axes_of(arguments),
    }
    queries = queries_of(arguments, notices)
    with shown_progress(wanted=not arguments.quiet):
        return gate(
            arguments.qrels,
            arguments.run,
            arguments.fail_if or (),
            baseline=arguments.baseline,
            update=arguments.update,
            measures=several(_texts(arguments.measures)),
            significant=bool(arguments.significant),
            segments=table(read_segments, arguments.segments),
            level=arguments.level or LEVEL,
            history=arguments.history,
            label=arguments.label,
            preset=arguments.preset,
            weights=table(read_weights, arguments.weights),
            groups=table(read_groups, arguments.groups),
            queries=queries,
            columns=columns_of(arguments.columns),
            qrels_format=arguments.qrels_format,
            run_format=arguments.run_format,
            lenient=bool(arguments.lenient),
            **axes,
        )


def _texts(given: str | Sequence[str] | None) -> Sequence[str]:
    return [given] if isinstance(given, str) else given or ()


def _print(found: Gate, name: str, outputs: dict[str, str], arguments: argparse.Namespace) -> None:
    """The files, and what is read at once."""
    from ndcg.cli import terminal
    from ndcg.reports.gated import render
    from ndcg.reports.model import Options

    if outputs:
        from ndcg.formats.writing import write_files

        write_files({path: render(found, one) for path, one in outputs.items()})
    on_screen = name == "text"
    options = Options(
        width=terminal.width() if on_screen else None,
        color=on_screen and terminal.use_color(arguments.color),
    )
    write(render(found, name, options))
    if name != "text":  # the verdict is in none of the others as a sentence for a log
        from ndcg.reports.gated import verdict

        say(verdict(found))


def parser_of_gate() -> Parser:
    """The options of the command."""
    parser = Parser("gate", "fail when quality drops below its budgets", EXAMPLES, ENDS)
    add_files(parser, several=False, needed=False)
    what = parser.add_argument_group("what to hold it against")
    what.add_argument(
        "--fail-if", action="append", metavar="RULE", help="what makes the gate fail (repeatable)"
    )
    what.add_argument(
        "--baseline", metavar="FILE", help="what --update wrote, or another run: to compare with"
    )
    what.add_argument(
        "--update", action="store_true",
        help="write the baseline anew and accept what moved; limits still fail, and then it stays",
    )  # fmt: skip
    what.add_argument(
        "--significant", action="store_true",
        help="what moves fails only if the interval of the paired differences excludes 0",
    )  # fmt: skip
    what.add_argument("--level", type=level, metavar="L", help="of intervals (default 0.95)")
    what.add_argument("--segments", metavar="FILE", help="lines of query and segment")
    what.add_argument(
        "--rules", metavar="FILE",
        help="a file of rules (default: [tool.ndcg.gate] of pyproject.toml, here or above); "
        "none: no file",
    )  # fmt: skip
    compute = parser.add_argument_group("what to compute")
    compute.add_argument(
        "-m", "--measure", dest="measures", action="append", metavar="NAME",
        help="more measures, for baseline and history (repeatable)",
    )  # fmt: skip
    compute.add_argument("-p", "--preset", metavar="NAME", help="a named convention (ndcg presets)")
    compute.add_argument(
        "-q", "--query", action="append", metavar="ID", help="only this query (repeatable)"
    )
    compute.add_argument("--queries-from", metavar="FILE", help="only the queries of this file")
    compute.add_argument("--weights", metavar="FILE", help="lines of query and weight")
    compute.add_argument("--groups", metavar="FILE", help="lines of query and group: macro means")
    shown = parser.add_argument_group("what to show")
    shown.add_argument("--format", metavar="NAME", help=", ".join(FORMATS))
    shown.add_argument("--json", action="store_true", help="the same as --format json")
    shown.add_argument(
        "-o", "--output", action="append", default=[], metavar="FILE",
        help="write a file as well: .md, .json, .xml (JUnit) or .txt (repeatable)",
    )  # fmt: skip
    shown.add_argument("--history", metavar="FILE", help="append a line of JSON: ndcg history FILE")
    shown.add_argument("--label", metavar="TEXT", help="what the history calls this run")
    shown.add_argument("--color", default="auto", metavar="WHEN", help="auto, always, never")
    shown.add_argument("--quiet", action="store_true", help="no notes and warnings")
    shown.add_argument("-v", "--verbose", action="store_true", help="all notes")
    shown.add_argument("--debug", action="store_true", help="show tracebacks")
    shown.add_argument("-h", "--help", action="store_true", help="this text")
    add_axes(parser)
    return parser
