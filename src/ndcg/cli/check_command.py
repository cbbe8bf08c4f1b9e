"""``ndcg check``: what is wrong with judgments and runs, before their numbers are believed."""

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
    parsed,
    several,
    whole,
)
from ndcg.errors import Problem, UsageError, count, one_of

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from typing import Any

    from ndcg.diagnose.checking.checked import Checked

EXAMPLES = """\
  ndcg check qrels.txt                        the judgments alone
  ndcg check qrels.txt a.run b.run            and runs, for nDCG@10
  ndcg check qrels.txt a.run -m nDCG@10 -m AP --gain linear
  ndcg check qrels.txt a.run --select R --ignore R06 --format concise
  ndcg check qrels.txt a.run b.run --pool 10 -o pool.csv     what to judge next
  ndcg check --each judged/*.qrels            several files of judgments
  ndcg check --explain R03                    a rule, why, and what to do
"""
ENDS = """
Errors make a number wrong, warnings another one than may be meant, notes say what
it rests on. The table shows how much of the top of each run is judged.

exit codes: 0 nothing but notes, 1 errors or warnings (see --fail-on), 2 wrong usage
or unreadable data, 3 a fault of ours, 130 interrupted
"""
FORMATS = ("full", "concise", "json", "github", "sarif")
LEVELS = ("error", "warning", "note")
UNREADABLE = 2
_SUFFIXES = {"": None, ".txt": None, ".log": None, ".json": "json", ".sarif": "sarif"}


def run(given: Sequence[str]) -> int:
    """Parse the options, check, print."""
    if "--explain" in given or any(one.startswith("--explain=") for one in given):
        return _explain(given)
    arguments = parsed(parser_of_check(), given)
    if arguments is None:
        return DONE
    name = _format(arguments)
    one_of("usage", "a level", arguments.fail_on, LEVELS)
    if arguments.pool is not None:
        _refuse_pool(arguments)
    if arguments.each:
        return _check_each(arguments, name)
    if arguments.output is not None:
        from ndcg.formats.writing import refuse_inputs

        beside = [] if arguments.corpus is None else [arguments.corpus]
        refuse_inputs([arguments.output], [arguments.qrels, *arguments.runs, *beside])
    found = _checked(arguments, arguments.qrels, arguments.runs or None)
    _print(found, name, arguments)
    return _code(found, arguments)


def _code(found: Checked, arguments: argparse.Namespace) -> int:
    return UNREADABLE if found.unread else found.fails_on(arguments.fail_on)


def _checked(arguments: argparse.Namespace, qrels: str, runs: Sequence[str] | None) -> Checked:
    """What is found in judgments, and in runs."""
    from ndcg.diagnose.checking.checked import check

    return check(
        qrels,
        runs,
        several(arguments.measure) or ["nDCG@10"],
        preset=arguments.preset,
        queries=arguments.query,
        corpus=arguments.corpus,
        select=several(arguments.select),
        ignore=several(arguments.ignore),
        columns=columns_of(arguments.columns),
        qrels_format=arguments.qrels_format,
        run_format=arguments.run_format,
        pool=arguments.pool,
        lenient=arguments.lenient,
        **axes_of(arguments),
    )


def _check_each(arguments: argparse.Namespace, name: str) -> int:
    """Every file is judgments of its own; the worst of them decides the exit code."""
    if arguments.output is not None or arguments.pool is not None or name in ("json", "sarif"):
        what = "--each prints what it finds file by file, and has no single result"
        how = "--format full, concise or github, without -o and --pool; or one file at a time"
        raise UsageError(Problem("usage", what, help=how))
    worst = DONE
    for path in (arguments.qrels, *arguments.runs):
        found = _checked(arguments, path, None)
        if found.findings or found.unread:
            _print(found, name, arguments)
        worst = max(worst, _code(found, arguments))
    return worst


def _format(arguments: argparse.Namespace) -> str:
    """The format that was asked for, by name or by what the output is called."""
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    chosen: str | None = chosen_format(arguments)
    if chosen is not None:
        one_of("usage", "a format", chosen, FORMATS)
    if arguments.output is None or arguments.pool is not None:
        return chosen or "full"
    suffix = os.path.splitext(arguments.output)[1].lower()
    if suffix not in _SUFFIXES:
        what = f"the suffix of {arguments.output!r} names no format of a check"
        how = f"use one of {' '.join(one for one in _SUFFIXES if one)}"
        raise UsageError(Problem("usage", what, help=how))
    by_suffix = _SUFFIXES[suffix]
    if chosen is not None and by_suffix not in (None, chosen):
        what = f"the suffix of {arguments.output} means {by_suffix}, and {chosen} is asked for"
        raise UsageError(Problem("usage", what, help="give one of them"))
    return chosen or by_suffix or "full"


def _refuse_pool(arguments: argparse.Namespace) -> None:
    """A pool is a CSV file of its own, of what runs list."""
    output = arguments.output
    if not arguments.runs:
        what, how = "--pool is of what runs list, and none is given", "give one run or more"
    elif output is None:
        what, how = "--pool writes a file, and none is named", "-o pool.csv"
    elif output.endswith((".json", ".sarif", ".jsonl", ".md", ".html")):
        what, how = f"--pool writes CSV, and {output} is called otherwise", "-o pool.csv"
    else:
        return
    raise UsageError(Problem("usage", what, help=how))


def _print(found: Checked, name: str, arguments: argparse.Namespace) -> None:
    """The pool, the findings, and what could not be read."""
    from ndcg.cli import terminal
    from ndcg.reports import checked

    output, pool = arguments.output, arguments.pool is not None
    on_screen = output is None or pool
    how: dict[str, Any] = {}
    if name == "full" and on_screen:
        how = {"color": terminal.use_color(arguments.color), "width": terminal.width()}
    text = checked.FORMATS[name](found, **how)
    if output is not None:
        from ndcg.formats.writing import write_files

        write_files({output: checked.pool_csv(found.pool) if pool else text})
        if pool:
            say(f"{output}: {count(len(found.pool), 'document')} to be judged")
    if on_screen:
        write(text)
    else:
        for problem in found.unread:
            say(str(problem))
        say(f"{output}: {found.summary}")


def _explain(given: Sequence[str]) -> int:
    """Print the card of a rule."""
    parser = Parser("check", "a rule", EXAMPLES)
    parser.add_argument("--explain", metavar="CODE")
    code = parser.parse_args(given).explain
    from ndcg.diagnose.checking.rules import RULES
    from ndcg.errors import CODES
    from ndcg.reports.checked import rule_card, rules_table

    by_name = {rule.name: code for code, rule in RULES.items()}
    code = by_name.get(code.lower(), code.upper())
    told = {number: what for number, what in CODES.values() if number == code}
    if code == "ALL":
        write(rules_table(RULES.values()))
    elif told:
        write(f"{code}: {told[code]}: an error by which a file or a convention is refused\n")
    else:
        write(rule_card(RULES[one_of("usage", "a rule", code, RULES)]))
    return DONE


def _depth(text: str) -> int:
    return whole(text, "a number of ranks", 1, 10**9)


def parser_of_check() -> Parser:
    """The options of the command."""
    parser = Parser("check", "what is wrong with judgments and runs", EXAMPLES, ENDS)
    add_files(parser, several=True, needed=False)
    what = parser.add_argument_group("what to look for")
    what.add_argument(
        "-m", "--measure", action="append", metavar="NAME",
        help="measures that are to be computed (repeatable; default nDCG@10)",
    )  # fmt: skip
    what.add_argument("-p", "--preset", metavar="NAME", help="a named convention (ndcg presets)")
    what.add_argument(
        "-q", "--query", action="append", metavar="ID", help="only this query (repeatable)"
    )
    what.add_argument(
        "--select",
        action="append",
        metavar="CODES",
        help="only these, as in R,Q03,ties-decide",
    )
    what.add_argument("--ignore", action="append", metavar="CODES", help="not these rules")
    what.add_argument(
        "--corpus", metavar="FILE", help="ids of the collection: JSON lines, or an id a line"
    )
    what.add_argument(
        "--explain", metavar="CODE", help="print a rule, why, and what to do; all lists them"
    )
    what.add_argument(
        "--fail-on", default="warning", metavar="LEVEL",
        help="what exits with 1: error, warning (default) or note, and all above it",
    )  # fmt: skip
    what.add_argument(
        "--each", action="store_true",
        help="all files are judgments, each by itself; those without findings print nothing",
    )  # fmt: skip
    what.add_argument(
        "--pool", type=_depth, metavar="N", help="write what is unjudged in a top N, to -o FILE"
    )
    shown = parser.add_argument_group("what to show")
    shown.add_argument("--format", metavar="NAME", help=", ".join(FORMATS))
    shown.add_argument("--json", action="store_true", help="the same as --format json")
    shown.add_argument("-o", "--output", metavar="FILE", help="write to a file instead")
    shown.add_argument("--color", default="auto", metavar="WHEN", help="auto, always, never")
    shown.add_argument("--debug", action="store_true", help="show tracebacks")
    shown.add_argument("-h", "--help", action="store_true", help="this text")
    add_axes(parser)
    return parser
