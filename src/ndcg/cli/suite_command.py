"""``ndcg eval --suite``: several collections at once."""

from __future__ import annotations

from collections.abc import Sequence

from ndcg.cli.main import DONE
from ndcg.cli.options import (
    Parser,
    add_axes,
    add_shown,
    axes_of,
    chosen_format,
    format_of,
    level,
    parsed,
    places,
    report_options,
    several,
    write_report,
)
from ndcg.errors import one_of
from ndcg.reports.names import OF_SUITES

EXAMPLES = """\
  ndcg eval --suite beir.csv -m nDCG@10 -m Recall@100
  ndcg compare --suite beir.csv -m nDCG@10 --baseline bm25
"""
ENDS = """
The file of a suite has a line of heads (collection, qrels, system, run) and a line
for each run; paths are relative to it. Every collection counts alike: queries of
different collections are never pooled.

exit codes: 0 done, 2 wrong usage or unreadable data, 3 a fault of ours,
130 interrupted
"""


def asks_for_suite(given: Sequence[str]) -> bool:
    """Whether a suite is named instead of judgments and runs."""
    return any(one == "--suite" or one.startswith("--suite=") for one in given)


def run(given: Sequence[str]) -> int:
    """Parse the options, evaluate every collection, print."""
    arguments = parsed(parser_of_suite(), given)
    if arguments is None:
        return DONE
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    asked = chosen_format(arguments)
    if arguments.output is not None:
        asked = format_of(arguments.output, asked)
    name = one_of("usage", "a format of a suite", asked or "table", OF_SUITES)
    axes = axes_of(arguments)
    from ndcg.cli.said import first_of, say_notices
    from ndcg.cli.suite_file import paths_of, read_suite
    from ndcg.comparison.suites import evaluate_suite

    members = read_suite(arguments.suite)
    if arguments.output is not None:
        from ndcg.formats.writing import refuse_inputs

        refuse_inputs([arguments.output], [arguments.suite, *paths_of(members)])
    suite = evaluate_suite(
        members,
        several(arguments.measure) or None,
        interval=arguments.interval,
        level=arguments.level,
        preset=arguments.preset,
        fingerprint=name == "json",
        **axes,
    )
    from ndcg.reports.suites import render

    write_report(render(suite, name, report_options(arguments, name)), arguments.output)
    if not arguments.quiet:
        every = suite.notices
        say_notices(every if arguments.verbose else first_of(every), arguments.color)
    return DONE


def parser_of_suite() -> Parser:
    """The options of the command."""
    parser = Parser("eval", "several collections, and the mean of their means", EXAMPLES, ENDS)
    what = parser.add_argument_group("what to evaluate")
    what.add_argument("--suite", required=True, metavar="FILE", help="collections and their runs")
    what.add_argument("-m", "--measure", action="append", metavar="NAME", help="default nDCG@10")
    what.add_argument("-p", "--preset", metavar="NAME", help="a named convention (ndcg presets)")
    what.add_argument("--interval", default="auto", metavar="METHOD", help="of means: see eval")
    what.add_argument("--level", type=level, default=0.95, metavar="L", help="default 0.95")
    shown = add_shown(parser, ", ".join(OF_SUITES))
    shown.add_argument("--places", type=places, default=4, metavar="N", help="decimals (default 4)")
    shown.add_argument("-v", "--verbose", action="store_true", help="all notes")
    add_axes(parser)
    return parser
