"""``ndcg explain``: why a query has its value, and why two runs differ in it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ndcg.cli.main import DONE
from ndcg.cli.options import (
    Parser,
    add_axes,
    add_files,
    add_shown,
    axes_of,
    chosen_format,
    columns_of,
    format_of,
    parsed,
    places,
    report_options,
    write_report,
)
from ndcg.errors import Problem, UsageError, one_of
from ndcg.reports.names import OF_SUITES, SUFFIXES

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from ndcg.diagnose.explaining.explained import Found
    from ndcg.errors import Notice

EXAMPLES = """\
  ndcg explain qrels.txt run.txt -q q1                 why does q1 have its value?
  ndcg explain qrels.txt run.txt -q q1 --texts corpus.jsonl   with titles
  ndcg explain qrels.txt a.run b.run -q q1             why do two runs differ in it?
  ndcg explain qrels.txt a.run b.run                   in which queries do they differ?
  ndcg explain qrels.txt a.run b.run --segments kinds.csv --segment head
  ndcg explain qrels.txt run.txt -m AP -o lost.csv     what each query loses
"""
ENDS = """
Parts of documents add up to the value, costs to what is lost of the best value
there could be, changes to the difference of two runs. rank 3=: tied; ideal
1: 7.000: rank 1 in the ideal ranking, where it adds 7; a cost with a minus is
given back.

exit codes: 0 done, 2 wrong usage or unreadable data, 3 a fault of ours,
130 interrupted
"""
_SUFFIXES = {suffix: name for suffix, name in SUFFIXES.items() if name != "trec"}
_BESIDE = ("qrels", "weights", "groups", "queries_from", "segments", "texts", "query_texts")


def run(given: Sequence[str]) -> int:
    """Parse the options, explain, print."""
    arguments = parsed(parser_of_explain(), given)
    if arguments is None:
        return DONE
    name = _format(arguments)
    _refuse_runs(arguments.runs)
    found, notices = _explained(arguments)
    from ndcg.reports.explained import render

    write_report(render(found, name, report_options(arguments, name)), arguments.output)
    if not arguments.quiet:
        from ndcg.cli.said import first_of, say_notices

        every = (*notices, *found.notices)
        if arguments.query is not None and not arguments.verbose:
            # Notes are about all queries, and `ndcg eval` says them.
            every = tuple(one for one in every if one.level == "warning")
        say_notices(every if arguments.verbose else first_of(every), arguments.color)
    return DONE


def _explained(arguments: argparse.Namespace) -> tuple[Found, list[Notice]]:
    axes = axes_of(arguments)
    from ndcg.cli.progress import shown_progress
    from ndcg.cli.tables import read_groups, read_queries, read_segments, read_weights
    from ndcg.diagnose.explaining.explained import explain

    notices: list[Notice] = []
    queries = arguments.queries_from
    with shown_progress(wanted=not arguments.quiet):
        found = explain(
            arguments.qrels,
            arguments.runs,
            query=arguments.query,
            measure=arguments.measure,
            texts=arguments.texts,
            query_texts=arguments.query_texts,
            segments=read_segments(arguments.segments, notices) if arguments.segments else None,
            segment=arguments.segment,
            preset=arguments.preset,
            weights=read_weights(arguments.weights, notices) if arguments.weights else None,
            groups=read_groups(arguments.groups, notices) if arguments.groups else None,
            queries=None if queries is None else read_queries(queries, notices),
            columns=columns_of(arguments.columns),
            qrels_format=arguments.qrels_format,
            run_format=arguments.run_format,
            lenient=arguments.lenient,
            **axes,
        )
    return found, notices


def _refuse_runs(runs: Sequence[str]) -> None:
    """Refuse more than two runs before any is read."""
    if len(runs) > 2:
        what = f"{len(runs)} runs are given, and at most two are compared query by query"
        raise UsageError(Problem("usage", what, help="give one run, or two"))


def _format(arguments: argparse.Namespace) -> str:
    """The format that was asked for, or that the output's suffix names."""
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    asked = chosen_format(arguments)
    if arguments.output is not None:
        from ndcg.formats.writing import refuse_inputs

        asked = format_of(arguments.output, asked, _SUFFIXES)
        read = [*(getattr(arguments, one) for one in _BESIDE), *arguments.runs]
        refuse_inputs([arguments.output], [path for path in read if path is not None])
    return one_of("usage", "a format of explain", asked or "table", OF_SUITES)


def parser_of_explain() -> Parser:
    """The options of the command."""
    parser = Parser("explain", "why a query has its value", EXAMPLES, ENDS)
    add_files(parser, several=True)
    what = parser.add_argument_group("what to explain")
    what.add_argument(
        "-q", "--query", metavar="ID", help="the query; without it all of them are listed"
    )
    what.add_argument(
        "-m", "--measure", metavar="NAME",
        help="nDCG@10 (default), DCG, P, R, F, Rprec, RelativeP, RBP, gRBP, AP, RR, Success",
    )  # fmt: skip
    what.add_argument("-p", "--preset", metavar="NAME", help="a named convention (ndcg presets)")
    what.add_argument("--texts", metavar="FILE", help="titles of documents: JSON lines, CSV or TSV")
    what.add_argument("--query-texts", metavar="FILE", help="texts of queries, likewise")
    what.add_argument(
        "--segments", metavar="FILE", help="lines of query and segment, shown beside queries"
    )
    what.add_argument("--segment", metavar="NAME", help="only the queries of this segment")
    what.add_argument("--queries-from", metavar="FILE", help="only the queries of this file")
    what.add_argument("--weights", metavar="FILE", help="lines of query and weight")
    what.add_argument("--groups", metavar="FILE", help="lines of query and group: macro means")
    shown = add_shown(parser, f"{', '.join(OF_SUITES)}; for -o by its suffix")
    shown.add_argument("--places", type=places, default=4, metavar="N", help="decimals (default 4)")
    shown.add_argument("-v", "--verbose", action="store_true", help="all notes")
    add_axes(parser)
    return parser
