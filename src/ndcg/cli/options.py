"""Options that commands share: their argparse definitions and what becomes of them."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from ndcg.axes import AXES
from ndcg.cli.main import write
from ndcg.errors import Problem, UsageError, did_you_mean
from ndcg.reports.names import SUFFIXES

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from ndcg.reports.model import Options


class Parser(argparse.ArgumentParser):
    """argparse with our errors and a help that begins with examples."""

    def __init__(self, command: str, summary: str, examples: str, ends: str = "") -> None:
        super().__init__(
            prog=f"ndcg {command}",
            add_help=False,
            allow_abbrev=False,
            formatter_class=_Formatter,
            usage=argparse.SUPPRESS,
        )
        self.register("action", None, _Once)  # what argparse does where no action is named
        self.register("action", "store", _Once)
        self.head = f"ndcg {command}: {summary}\n\n{examples.rstrip()}\n"
        self.tail = ends

    def format_help(self) -> str:
        """Examples first, then the options, then what else there is to know."""
        return f"{self.head}\n{super().format_help().strip()}\n{self.tail}"

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing argparse's own text."""
        what, _, rest = message.partition("unrecognized arguments: ")
        how = f"{self.prog} --help"
        if rest:
            what, how = self._unknown(rest.split()[0].partition("=")[0], how)
        elif "expected one argument" in message:
            how = "a value that begins with a minus is written --option=VALUE"
        elif "arguments are required" in message:
            how = f"as in: {self.head.splitlines()[2].strip().split('   ')[0]}"
        raise UsageError(Problem("usage", what or message, help=how))

    def _unknown(self, given: str, how: str) -> tuple[str, str]:
        """What an argument that nobody asked for is, and what to do."""
        name = given.lstrip("-").replace("-", "_")
        if not given.startswith("-"):
            return f"{given!r} is one argument too many", how
        if name in AXES and AXES[name].rare and "--axis" in self._option_string_actions:
            return f"{given} is a rare axis without an option of its own", f"--axis {name}=VALUE"
        known = {flag.lstrip("-"): flag for flag in self._option_string_actions}
        near = did_you_mean(given.lstrip("-"), known).rpartition(" ")[2].rstrip("?")
        return f"unknown option {given}" + (f"; did you mean {known[near]}?" if near else ""), how


class _Once(argparse.Action):
    """Store a value, and refuse to have one of two given dropped in silence."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        """Store it, unless the option has been given before."""
        before = getattr(namespace, f"given_{self.dest}", None)
        if option_string is not None and before not in (None, values):
            parser.error(f"{option_string} is given twice: {_told(before)} and {_told(values)}")
        setattr(namespace, f"given_{self.dest}", values)
        setattr(namespace, self.dest, values)


def _told(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)


class _Formatter(argparse.HelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=24, width=80)

    def _format_args(self, action: argparse.Action, default_metavar: str) -> str:
        if action.nargs == argparse.ONE_OR_MORE:
            return f"{action.metavar}..."
        return super()._format_args(action, default_metavar)


def add_files(parser: Parser, *, several: bool, needed: bool = True) -> None:
    """The judgments and one run or more, and how they are to be read."""
    files = parser.add_argument_group("files")
    optional = not needed and not several
    files.add_argument(
        "qrels", metavar="QRELS", nargs="?" if optional else None,
        help="judgments; - is standard input",
    )  # fmt: skip
    if several:
        nargs = "+" if needed else "*"
        files.add_argument("runs", metavar="RUN", nargs=nargs, help="one or more runs")
    else:
        files.add_argument("run", metavar="RUN", nargs="?" if optional else None, help="one run")
    formats = "trec, csv, tsv, json, jsonl, beir, parquet or arrow; by default the content tells"
    files.add_argument("--qrels-format", metavar="NAME", help=f"how to read QRELS: {formats}")
    runs = "the runs" if several else "the run"
    files.add_argument("--run-format", metavar="NAME", help=f"how to read {runs}, likewise")
    files.add_argument(
        "--columns",
        metavar="ROLE=NAME,...",
        help="columns of tables: query, document, grade, score, rank; by default names tell",
    )
    checked = several and not needed
    lenient = "bad rows are notes, no errors" if checked else "skip bad rows, count and list them"
    files.add_argument("--lenient", action="store_true", help=lenient)


def columns_of(given: str | None) -> dict[str, str] | None:
    """The columns that were named, or None."""
    if given is None:
        return None
    from ndcg.stores.asked import parse_columns

    return parse_columns(given)


def add_shown(parser: Parser, formats: str = "table or json") -> argparse._ArgumentGroup:
    """What a command shows that has several formats; the group of these options."""
    shown = parser.add_argument_group("what to show")
    shown.add_argument("--format", metavar="NAME", help=formats)
    shown.add_argument("--json", action="store_true", help="the same as --format json")
    shown.add_argument("-o", "--output", metavar="FILE", help="write to a file instead")
    shown.add_argument("--color", default="auto", metavar="WHEN", help="auto, always, never")
    shown.add_argument("--quiet", action="store_true", help="no notes and warnings")
    shown.add_argument("--debug", action="store_true", help="show tracebacks")
    shown.add_argument("-h", "--help", action="store_true", help="this text")
    return shown


def format_of(path: str, chosen: str | None, suffixes: Mapping[str, str] = SUFFIXES) -> str:
    """The format that a file's suffix names, or the one that was chosen."""
    by_suffix = suffixes.get(os.path.splitext(path)[1].lower()) if path != "-" else "table"
    if chosen is not None and path != "-" and by_suffix not in (None, chosen):
        what = f"the suffix of {path} means {by_suffix}, and {chosen} is asked for"
        raise UsageError(Problem("usage", what, help="give one of them"))
    if chosen is None and by_suffix is None:
        how = f"use one of {' '.join(suffixes)}, or --format"
        raise UsageError(Problem("usage", f"the suffix of {path!r} names no format", help=how))
    return chosen or str(by_suffix)


def chosen_format(arguments: argparse.Namespace) -> str | None:
    """The format that --json or --format asks for."""
    if arguments.json and arguments.format not in (None, "json"):
        raise UsageError(
            Problem("usage", f"--json and --format {arguments.format} differ", help="give one")
        )
    chosen: str | None = "json" if arguments.json else arguments.format
    return chosen


def several(given: Sequence[str] | None) -> list[str]:
    """Names, each given by itself or several separated by commas."""
    # Commas between parentheses separate parameters.
    return [one for text in given or () for one in re.split(r",(?![^()]*\))", text)]


def report_options(arguments: argparse.Namespace, name: str) -> Options:
    """How a report is written: fitted and coloured where a person sees it."""
    from ndcg.cli import terminal
    from ndcg.reports.model import Options as Chosen

    on_screen = name == "table" and arguments.output is None
    return Chosen(
        places=arguments.places,
        width=terminal.width() if on_screen else None,
        color=on_screen and terminal.use_color(arguments.color),
    )


def write_report(text: str, output: str | None) -> None:
    """A report to standard output, or to a file."""
    if output is None:
        write(text)
        return
    from ndcg.formats.writing import write_files

    write_files({output: text})


def add_axes(parser: Parser) -> None:
    """One flag per axis of the convention, and ``--axis NAME=VALUE``."""
    group = parser.add_argument_group("the convention (each overrides the preset)")
    for name, axis in AXES.items():
        if not axis.settable or axis.rare:
            continue
        group.add_argument(
            f"--{name.replace('_', '-')}",
            dest=f"axis_{name}",
            metavar="VALUE",
            help=f"{axis.summary}: {', '.join(axis.accepted)} (default {axis.default})",
        )
    group.add_argument(
        "--axis",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="any axis by name, rare ones too: "
        + ", ".join(name for name, axis in AXES.items() if axis.rare),
    )


def whole(text: str, what: str, least: int, most: int) -> int:
    """A whole number within limits."""
    if text.isascii() and text.isdigit() and least <= int(text) <= most:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not {what} from {least} to {most}")


def seed(text: str) -> int:
    """Where drawing starts."""
    return whole(text, "a seed", 0, 2**64 - 1)


def between(text: str, low: float, high: float, what: str) -> float:
    """A number between two others, which it is not."""
    try:
        found = float(text)
    except ValueError:
        found = low
    if not low < found < high:
        raise argparse.ArgumentTypeError(f"{text!r} is {what}")
    return found


def level(text: str) -> float:
    """The level of an interval."""
    return between(text, 0, 1, "not a level between 0 and 1, such as 0.95")


def places(text: str) -> int:
    """A number of decimals."""
    if text.isascii() and text.isdigit() and int(text) <= 17:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number of decimals from 0 to 17")


def axes_of(arguments: argparse.Namespace) -> dict[str, str]:
    """The axes that were set by flags."""
    axes = {name: getattr(arguments, f"axis_{name}", None) for name in AXES}
    given = {name: value for name, value in axes.items() if value is not None}
    for pair in arguments.axis:
        name, equals, value = pair.partition("=")
        if not equals:
            raise UsageError(
                Problem(
                    "usage", f"--axis {pair!r} is not NAME=VALUE", help="as in --axis ties=input"
                )
            )
        name = name.replace("-", "_")
        if given.get(name, value) != value:
            what = f"{name} is given twice: {given[name]} and {value}"
            raise UsageError(Problem("usage", what, help="give one of them"))
        given[name] = value
    return given


def parsed(parser: Parser, given: Sequence[str]) -> argparse.Namespace | None:
    """The arguments, or None after the help was printed."""
    if "-h" in given or "--help" in given:
        from ndcg.cli.main import write

        write(parser.format_help())
        return None
    if "--version" in given:
        from ndcg._version import VERSION
        from ndcg.cli.main import write

        write(f"ndcg {VERSION}\n")
        return None
    if "--" in given:
        return parser.parse_args(given)
    return parser.parse_intermixed_args(given)  # runs may follow options
