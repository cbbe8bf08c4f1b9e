"""``ndcg reconcile``: why two numbers differ, and which convention is behind a number."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence

from ndcg.cli.main import DONE, write
from ndcg.cli.options import (
    Parser,
    add_files,
    add_shown,
    chosen_format,
    columns_of,
    format_of,
    parsed,
    places,
)
from ndcg.errors import Problem, UsageError, one_of

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from ndcg.diagnose.reconcile import Gap, Matches

FORMATS = ("table", "json")
EXAMPLES = """\
  ndcg reconcile qrels.txt run.txt --between trec_eval sklearn   what is between?
  ndcg reconcile qrels.txt run.txt --value 0.735        whose number is it?
  ndcg reconcile qrels.txt run.txt --value nDCG@5=0.71 --value nDCG@10=0.735
  ndcg reconcile qrels.txt run.txt --value 0.631 -q q1  the value of one query
  ndcg reconcile qrels.txt run.txt --values trec_eval.out   the values of queries
"""
ENDS = """
A number stands for everything that rounds to it: give all the decimals you have.
Presets come first, then settings few axes away from one. Values of queries tell
more than a mean: they are what `trec_eval -q` prints, or a table of query, value.

exit codes: 0 done, 2 wrong usage or unreadable data, 3 a fault of ours,
130 interrupted
"""


def run(given: Sequence[str]) -> int:
    """Parse the options, reconcile, print."""
    arguments = parsed(parser_of_reconcile(), given)
    if arguments is None:
        return DONE
    name = _format(arguments)
    value = _values(arguments.value)
    from ndcg.cli import terminal
    from ndcg.cli.progress import shown_progress
    from ndcg.cli.said import say_notices
    from ndcg.diagnose.reconcile import reconcile

    with shown_progress(wanted=not arguments.quiet):
        found = reconcile(
            arguments.qrels,
            arguments.run,
            arguments.measure,
            between=arguments.between,
            value=value,
            values=arguments.values,
            query=arguments.query,
            places=arguments.places,
            columns=columns_of(arguments.columns),
            qrels_format=arguments.qrels_format,
            run_format=arguments.run_format,
            lenient=arguments.lenient,
        )
    text = _json(found) if name == "json" else _text(found, terminal.width())
    if arguments.output is None:
        write(text)
    else:
        from ndcg.formats.writing import refuse_inputs, write_files

        files = [arguments.qrels, arguments.run, arguments.values]
        refuse_inputs([arguments.output], [path for path in files if path is not None])
        write_files({arguments.output: text})
    if not arguments.quiet:
        say_notices(found.notices, arguments.color)
    return DONE


def parser_of_reconcile() -> Parser:
    """The options of the command."""
    parser = Parser("reconcile", "why two numbers differ", EXAMPLES, ENDS)
    add_files(parser, several=False)
    what = parser.add_argument_group("what to reconcile")
    what.add_argument("-m", "--measure", metavar="NAME", default="nDCG@10", help="default nDCG@10")
    what.add_argument(
        "--between", nargs=2, metavar=("A", "B"), help="two presets or signatures: split their gap"
    )
    what.add_argument(
        "--value",
        action="append",
        metavar="NUMBER",
        help="a number of another tool, or MEASURE=NUMBER (repeatable)",
    )
    what.add_argument("-q", "--query", metavar="ID", help="the query that --value is of")
    what.add_argument("--values", metavar="FILE", help="the other tool's values of queries")
    what.add_argument(
        "--places", type=places, metavar="N", help="decimals that are certain, if more are given"
    )
    add_shown(parser)
    return parser


def _format(arguments: argparse.Namespace) -> str:
    """Table or JSON: as asked, or by the suffix of the output."""
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    asked = chosen_format(arguments)
    if arguments.output is not None:
        asked = format_of(arguments.output, asked)
    one_of("usage", "a format of reconcile", asked or "table", FORMATS)
    return asked or "table"


def _values(given: Sequence[str] | None) -> str | dict[str, str] | None:
    """The numbers: one of the measure, or one for each measure that is named."""
    if not given:
        return None
    if len(given) == 1 and "=" not in given[0].rpartition(")")[2]:
        return given[0]
    found: dict[str, str] = {}
    for text in given:
        measure, equals, number = text.rpartition("=")
        if not equals:
            what = f"--value {text} does not say of which measure it is"
            raise UsageError(Problem("usage", what, help="several values as in nDCG@5=0.71"))
        if measure in found:
            raise UsageError(Problem("usage", f"--value gives {measure} twice", help="give one"))
        found[measure] = number
    return found


def _json(found: Gap | Matches) -> str:
    whole = {"schema": 1, **found.to_dict()}
    return json.dumps(whole, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def _text(found: Gap | Matches, width: int | None) -> str:
    from ndcg.diagnose.reconcile import Gap
    from ndcg.reports.reconciled import WIDTH, gap_table, matches_table

    columns = min(width or WIDTH, 100)
    if isinstance(found, Gap):
        return gap_table(found.between, columns)
    return matches_table(found, columns)
