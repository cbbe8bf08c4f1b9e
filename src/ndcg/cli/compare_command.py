"""``ndcg compare``: whether the difference between systems is real."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from ndcg.cli.main import DONE, say
from ndcg.cli.options import (
    Parser,
    add_axes,
    add_files,
    add_shown,
    axes_of,
    between,
    chosen_format,
    columns_of,
    format_of,
    level,
    parsed,
    places,
    report_options,
    seed,
    several,
    whole,
    write_report,
)
from ndcg.cli.suite_command import asks_for_suite
from ndcg.errors import Problem, UsageError, note, one_of
from ndcg.reports.names import OF_COMPARISONS as FORMATS
from ndcg.reports.names import SUFFIXES

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from ndcg.comparison.results import Comparison
    from ndcg.errors import Notice

EXAMPLES = """\
  ndcg compare qrels.txt a.run b.run                   is b better than a?
  ndcg compare qrels.txt a.run b.run c.run --all-pairs -m nDCG@10 -m AP
  ndcg compare qrels.txt a.run b.run --min-effect 0.01   better, worse or equivalent?
  ndcg compare qrels.txt a.run b.run --segments kinds.csv --sensitivity
  ndcg compare qrels.txt a.run b.run c.run --group-runs new=b,c   seeds of one system
  ndcg compare qrels.txt a.run b.run -o table.tex      for a paper
  ndcg compare --suite beir.csv --baseline bm25        several collections
"""
ENDS = """
Values are paired by query. p: sign-flip randomisation, two-sided, corrected for the
number of pairs of a measure. A difference has Student's interval. d_z: difference by
its standard deviation; detectable: the smallest difference that so many queries find
with 80 % power; queries for it: those that the difference seen would need.

exit codes: 0 done, 2 wrong usage or unreadable data, 3 a fault of ours,
130 interrupted
"""
_SUFFIXES = {suffix: name for suffix, name in SUFFIXES.items() if name != "trec"}
_SUFFIXES |= {".tex": "latex"}


def run(given: Sequence[str]) -> int:
    """Parse the options, compare, print."""
    suite = asks_for_suite(given)
    arguments = parsed(parser_of_compare(suite=suite), given)
    if arguments is None:
        return DONE
    name = _format(arguments)
    found, notices = _compared_suite(arguments, name) if suite else _compared(arguments, name)
    _print(found, name, arguments)
    if not arguments.quiet:
        from ndcg.cli.said import first_of, say_notices

        every = (*_left_out(found, name), *notices, *found.notices)
        say_notices(every if arguments.verbose else first_of(every), arguments.color)
    return DONE


def _left_out(found: Comparison, name: str) -> list[Notice]:
    """What has no place in LaTeX."""
    more = any(one.segments or one.variants for one in found.results)
    if name != "latex" or not more:
        return []
    what = "parts and other rules have no place in the table of latex"
    return [note(what, "csv, json and markdown have them")]


def _compared(arguments: argparse.Namespace, name: str) -> tuple[Comparison, list[Notice]]:
    """Judgments and runs compared."""
    axes = axes_of(arguments)
    groups = _groups(arguments.group_runs)
    from ndcg.cli.progress import shown_progress
    from ndcg.cli.tables import queries_of, read_groups, read_segments, read_weights
    from ndcg.comparison.comparing import compare

    notices: list[Notice] = []
    queries = queries_of(arguments, notices)
    with shown_progress(wanted=not arguments.quiet):
        found = compare(
            arguments.qrels,
            arguments.runs,
            several(arguments.measure) or None,
            baseline=arguments.baseline,
            all_pairs=arguments.all_pairs,
            correction=arguments.correction,
            alpha=arguments.alpha,
            min_effect=arguments.min_effect,
            draws=arguments.draws,
            seed=arguments.seed,
            level=arguments.level,
            interval=arguments.interval,
            group_runs=groups,
            segments=read_segments(arguments.segments, notices) if arguments.segments else None,
            sensitivity=arguments.sensitivity,
            preset=arguments.preset,
            weights=read_weights(arguments.weights, notices) if arguments.weights else None,
            groups=read_groups(arguments.groups, notices) if arguments.groups else None,
            queries=queries,
            columns=columns_of(arguments.columns),
            qrels_format=arguments.qrels_format,
            run_format=arguments.run_format,
            lenient=arguments.lenient,
            fingerprint=name == "json",
            **axes,
        )
    return found, notices


def _compared_suite(arguments: argparse.Namespace, name: str) -> tuple[Comparison, list[Notice]]:
    """The collections of a suite compared."""
    from ndcg.cli.suite_file import paths_of, read_suite
    from ndcg.comparison.pairs import How
    from ndcg.comparison.suites import compare_suite

    members = read_suite(arguments.suite)
    if arguments.output is not None:
        from ndcg.formats.writing import refuse_inputs

        refuse_inputs([arguments.output], [arguments.suite, *paths_of(members)])
    found = compare_suite(
        members,
        several(arguments.measure) or None,
        How(
            arguments.correction, arguments.alpha, arguments.min_effect, arguments.draws,
            arguments.seed, arguments.level, arguments.interval,
        ),
        baseline=arguments.baseline,
        all_pairs=arguments.all_pairs,
        preset=arguments.preset,
        fingerprint=name == "json",
        **axes_of(arguments),
    )  # fmt: skip
    return found, []


def _print(found: Comparison, name: str, arguments: argparse.Namespace) -> None:
    """To standard output, or to a file with the verdicts outside it."""
    from ndcg.reports.compared import named, render

    write_report(render(found, name, report_options(arguments, name)), arguments.output)
    if arguments.output is not None and not arguments.quiet:
        for one in found.results:
            who = f"{one.measure}: " if len(found.results) > 1 else ""
            for pair in one.pairs:
                say(f"{who}{named(pair)}")


def _format(arguments: argparse.Namespace) -> str:
    """The format that was asked for, or that the output's suffix names."""
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    asked = chosen_format(arguments)
    if arguments.output is not None:
        from ndcg.formats.writing import refuse_inputs

        asked = format_of(arguments.output, asked, _SUFFIXES)
        beside = [getattr(arguments, one, None) for one in _BESIDE]
        read = [*beside, *getattr(arguments, "runs", ())]
        refuse_inputs([arguments.output], [path for path in read if path is not None])
    return one_of("usage", "a format of compare", asked or "table", FORMATS)


_BESIDE = ("qrels", "weights", "groups", "queries_from", "segments")


def _groups(given: Sequence[str] | None) -> dict[str, list[str]]:
    """The runs of each system, from SYSTEM=RUN,RUN."""
    found: dict[str, list[str]] = {}
    for text in given or ():
        name, equals, runs = text.partition("=")
        if not equals or not name or not runs:
            what = f"--group-runs {text!r} is not SYSTEM=RUN,RUN"
            raise UsageError(
                Problem("usage", what, help="as in --group-runs dense=dense-1,dense-2")
            )
        if name in found:
            what = f"--group-runs names {name!r} twice"
            raise UsageError(Problem("usage", what, help="give all its runs at once"))
        found[name] = runs.split(",")
    return found


def parser_of_compare(*, suite: bool = False) -> Parser:
    """The options of the command; of a suite there are fewer."""
    parser = Parser("compare", "is the difference between systems real?", EXAMPLES, ENDS)
    if not suite:
        add_files(parser, several=True)
    what = parser.add_argument_group("what to compare")
    what.add_argument(
        "--suite", metavar="FILE", help="several collections: see ndcg eval --suite x --help"
    )
    what.add_argument(
        "-m", "--measure", action="append", metavar="NAME",
        help="measures, the one to decide by first (repeatable; default nDCG@10)",
    )  # fmt: skip
    what.add_argument("-p", "--preset", metavar="NAME", help="a named convention (ndcg presets)")
    what.add_argument(
        "--baseline", metavar="SYSTEM", help="compared with the others (default: the first run)"
    )
    what.add_argument("--all-pairs", action="store_true", help="every system with every other one")
    if not suite:
        _add_queries(what)
    test = parser.add_argument_group("by which test")
    test.add_argument(
        "--correction", default="holm", metavar="NAME",
        help="for the number of pairs: holm (default), bh, tukey, none",
    )  # fmt: skip
    test.add_argument(
        "--alpha", type=_alpha, default=0.05, metavar="A", help="level (default 0.05)"
    )
    test.add_argument(
        "--min-effect", type=_effect, metavar="D", help="the smallest difference that matters"
    )
    test.add_argument(
        "--draws", type=_draws, default=10_000, metavar="N", help="of signs (default 10000)"
    )
    test.add_argument("--seed", type=seed, default=0, metavar="N", help="of them (default 0)")
    test.add_argument(
        "--interval", default="auto", metavar="METHOD",
        help="of means: auto (default), t, augmented-t, clopper-pearson, percentile, bca, "
        "betting, none",
    )  # fmt: skip
    test.add_argument("--level", type=level, default=0.95, metavar="L", help="default 0.95")
    shown = add_shown(parser, f"{', '.join(FORMATS)}; for -o by its suffix, .tex too")
    shown.add_argument("--places", type=places, default=4, metavar="N", help="decimals (default 4)")
    shown.add_argument("-v", "--verbose", action="store_true", help="all notes")
    add_axes(parser)
    return parser


def _add_queries(what: argparse._ArgumentGroup) -> None:
    """Which queries count, how much, and in what parts."""
    what.add_argument(
        "-q", "--query", action="append", metavar="ID", help="only this query (repeatable)"
    )
    what.add_argument("--queries-from", metavar="FILE", help="only the queries of this file")
    what.add_argument("--weights", metavar="FILE", help="lines of query and weight")
    what.add_argument("--groups", metavar="FILE", help="lines of query and group: macro means")
    what.add_argument(
        "--group-runs", action="append", metavar="SYSTEM=RUN,...",
        help="seeds or folds of one system, averaged by query first (repeatable)",
    )  # fmt: skip
    what.add_argument(
        "--segments", metavar="FILE", help="lines of query and segment: rows for each"
    )
    what.add_argument(
        "--sensitivity", action="store_true",
        help="the same under other gains, discounts, cutoffs and tie rules",
    )  # fmt: skip


def _alpha(text: str) -> float:
    return between(text, 0, 0.5, "no level of a test: 0.05, or up to 0.5")


def _draws(text: str) -> int:
    return whole(text, "a number of draws", 1, 10**7)


def _effect(text: str) -> float:
    return between(text, 0, float("inf"), "not a difference above 0, such as 0.01")
