"""``ndcg history``: how gated runs went over time."""

from __future__ import annotations

from collections.abc import Sequence

from ndcg.cli.main import DONE
from ndcg.cli.options import (
    Parser,
    add_shown,
    chosen_format,
    format_of,
    parsed,
    places,
    report_options,
    whole,
    write_report,
)
from ndcg.errors import one_of
from ndcg.reports.names import OF_HISTORIES as FORMATS
from ndcg.reports.names import SUFFIXES

EXAMPLES = """\
  ndcg history runs.jsonl                     the means, their intervals, and the gate
  ndcg history runs.jsonl -m nDCG@10 --last 20
  ndcg history runs.jsonl -o history.svg      a picture, for light and dark pages
  ndcg gate qrels.txt run.txt --fail-if 'P@1 < 0.4' --history runs.jsonl --label v1
"""
ENDS = """
A run of other judgments or another convention than the one before is not compared with
it: "change" says what is new, and the picture breaks its line.

exit codes: 0 done, 2 wrong usage or unreadable data, 3 a fault of ours,
130 interrupted
"""
_SUFFIXES = {suffix: name for suffix, name in SUFFIXES.items() if name != "trec"}
_SUFFIXES |= {".svg": "svg"}


def run(given: Sequence[str]) -> int:
    """Parse the options, read, print."""
    arguments = parsed(parser_of_history(), given)
    if arguments is None:
        return DONE
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    name = chosen_format(arguments)
    if arguments.output is not None:
        from ndcg.formats.writing import refuse_inputs

        name = format_of(arguments.output, name, _SUFFIXES)
        refuse_inputs([arguments.output], [arguments.file])
    from ndcg.gating.history import read_history, series_of
    from ndcg.reports.historic import render

    name = one_of("usage", "a format of history", name or "table", FORMATS)
    entries = read_history(arguments.file)
    if arguments.last is not None:
        entries = entries[-arguments.last :]
    series = series_of(entries, arguments.measure)
    write_report(render(series, name, report_options(arguments, name)), arguments.output)
    return DONE


def _runs(text: str) -> int:
    return whole(text, "a number of runs", 1, 10**9)


def parser_of_history() -> Parser:
    """The options of the command."""
    parser = Parser("history", "how gated runs went over time", EXAMPLES, ENDS)
    what = parser.add_argument_group("what to show of what")
    what.add_argument("file", metavar="FILE", help="lines that ndcg gate --history appended")
    what.add_argument("-m", "--measure", metavar="NAME", help="this measure alone")
    what.add_argument("--last", type=_runs, metavar="N", help="the last N runs")
    shown = add_shown(parser, f"{', '.join(FORMATS)}; for -o by its suffix")
    shown.add_argument("--places", type=places, default=4, metavar="N", help="decimals (default 4)")
    return parser
