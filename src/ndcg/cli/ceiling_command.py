"""``ndcg ceiling``: what was lost in retrieval, and what in ranking."""

from __future__ import annotations

import argparse
import os
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
    whole,
    write_report,
)
from ndcg.errors import Problem, UsageError, one_of
from ndcg.reports.names import OF_SUITES as FORMATS
from ndcg.reports.names import SUFFIXES

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from ndcg.diagnose.retrieval.lost import Retrieval
    from ndcg.errors import Notice

    Stages = tuple[list[str], list[int | None] | None]

EXAMPLES = """\
  ndcg ceiling qrels.txt run.txt                     retrieval or ranking?
  ndcg ceiling qrels.txt a.run b.run -m AP --per-query
  ndcg ceiling qrels.txt --stages bm25.run=1000 rerank.run=10
  ndcg ceiling qrels.txt bm25.run --depths 10,50,100,1000
  ndcg ceiling qrels.txt --stages bm25.run=100 rerank.run -q q1 --documents
  ndcg ceiling qrels.txt --stages bm25.run=100 rerank.run --per-query -o lost.json
"""
ENDS = """
ceiling: the value if all documents that a run lists stood in their best order, with
the same ideal. lost in retrieval: what no reranker brings back; lost in ranking:
what a perfect one would. ordering: value / ceiling, mean over the queries that
have a ceiling above 0. Only judged documents count in a ceiling.

exit codes: 0 done, 2 wrong usage or unreadable data, 3 a fault of ours,
130 interrupted
"""
_SUFFIXES = {suffix: name for suffix, name in SUFFIXES.items() if name != "trec"}
_MOST = 10**18 - 1


def run(given: Sequence[str]) -> int:
    """Parse the options, look at runs or stages, print."""
    arguments = parsed(parser_of_ceiling(), given)
    if arguments is None:
        return DONE
    runs, cuts = _runs(arguments)
    name = _format(arguments, runs)
    notices: list[Notice] = []
    found = _found(arguments, runs, cuts, notices, fingerprint=name == "json")
    from ndcg.reports.retrieved import render

    options = report_options(arguments, name)._replace(per_query=arguments.per_query)
    text = render(found, name, options, documents=arguments.documents)
    write_report(text, arguments.output)
    if not arguments.quiet:
        from ndcg.cli.said import first_of, say_notices

        own = [one for one in found.notices if one not in found.evaluation.notices]
        every = (*notices, *found.evaluation.notices)
        said = every if arguments.verbose else first_of(every)
        say_notices([*own, *said], arguments.color)
    return DONE


def _found(
    arguments: argparse.Namespace,
    runs: list[str],
    cuts: list[int | None] | None,
    notices: list[Notice],
    *,
    fingerprint: bool,
) -> Retrieval:
    """The runs, or the pipeline, looked at."""
    axes = axes_of(arguments)
    # NumPy comes in here, after every mistake that can be seen without it.
    from ndcg.cli.progress import shown_progress
    from ndcg.cli.tables import queries_of, read_groups, read_weights
    from ndcg.diagnose.retrieval.asking import DEPTHS, looked_at
    from ndcg.evaluation import scored

    queries = queries_of(arguments, notices)
    with shown_progress(wanted=not arguments.quiet):
        evaluation, scorings = scored(
            arguments.qrels,
            runs,
            arguments.measure,
            preset=arguments.preset,
            weights=read_weights(arguments.weights, notices) if arguments.weights else None,
            groups=read_groups(arguments.groups, notices) if arguments.groups else None,
            queries=queries,
            columns=columns_of(arguments.columns),
            qrels_format=arguments.qrels_format,
            run_format=arguments.run_format,
            lenient=arguments.lenient,
            fingerprint=fingerprint,
            whole=True,
            **axes,
        )
        depths = DEPTHS if arguments.depths is None else arguments.depths
        return looked_at(evaluation, scorings, depths, cuts)


def _runs(arguments: argparse.Namespace) -> Stages:
    """The files of the runs, and where each is cut if they are stages."""
    if not arguments.stages:
        if not arguments.runs:
            how = "ndcg ceiling QRELS RUN, or ndcg ceiling QRELS --stages RUN=DEPTH RUN=DEPTH"
            raise UsageError(Problem("usage", "no run is given", help=how))
        return arguments.runs, None
    if arguments.runs:
        what = f"{arguments.runs[0]} is given beside --stages, which names its own runs"
        how = "leave it out, or write it as a stage; QRELS comes before --stages"
        raise UsageError(Problem("usage", what, help=how))
    stages = [_stage(text) for text in arguments.stages]
    if len(stages) < 2:
        what = "a pipeline has two stages or more, and 1 is given"
        raise UsageError(Problem("usage", what, help="a single run needs no stages: QRELS RUN"))
    return [path for path, _ in stages], [depth for _, depth in stages]


def _stage(text: str) -> tuple[str, int | None]:
    """The file of a stage and its depth, from RUN=DEPTH; a name may hold = itself."""
    path, equals, depth = text.rpartition("=")
    if os.path.exists(text):
        if equals and os.path.exists(path):
            what = f"stage {text} may be the file {text}, or {path} cut at {depth}"
            how = f"write {text}=all for the file, {path}=0{depth} for the depth"
            raise UsageError(Problem("usage", what, help=how))
        return text, None
    if not equals:
        return text, None
    if depth == "all":
        return path, None
    try:
        return path, whole(depth, "a depth", 1, _MOST)
    except argparse.ArgumentTypeError:
        what = f"the depth {depth!r} of stage {path} is not a whole number from 1 up"
        raise UsageError(Problem("usage", what, help="as in bm25.run=1000, or =all")) from None


def _depths(text: str) -> list[int]:
    """Numbers of documents, separated by commas; none at all for ``none``."""
    return [] if text == "none" else [whole(one, "a depth", 1, _MOST) for one in text.split(",")]


def _format(arguments: argparse.Namespace, runs: Sequence[str]) -> str:
    """The format that was asked for, or that the output's suffix names."""
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    asked = chosen_format(arguments)
    if arguments.output is not None:
        from ndcg.formats.writing import refuse_inputs

        asked = format_of(arguments.output, asked, _SUFFIXES)
        beside = [getattr(arguments, one) for one in ("qrels", "weights", "groups", "queries_from")]
        refuse_inputs([arguments.output], [path for path in [*beside, *runs] if path is not None])
    name = one_of("usage", "a format of ceiling", asked or "table", FORMATS)
    if arguments.per_query and arguments.documents and name in ("csv", "tsv", "jsonl"):
        what = f"{name} has rows of queries or rows of documents, and both are asked for"
        raise UsageError(Problem("usage", what, help="give one of the two, or --json"))
    return name


def parser_of_ceiling() -> Parser:
    """The options of the command."""
    parser = Parser("ceiling", "lost in retrieval, or in ranking?", EXAMPLES, ENDS)
    add_files(parser, several=True, needed=False)
    what = parser.add_argument_group("what to look at")
    what.add_argument(
        "--stages", nargs="+", metavar="RUN=DEPTH",
        help="a pipeline in its order: each run hands its first DEPTH documents (all without "
        "=DEPTH) to the next",
    )  # fmt: skip
    what.add_argument(
        "--depths", type=_depths, metavar="N,...",
        help="documents that an ideal reranker is given (default 10,50,100), or none",
    )  # fmt: skip
    what.add_argument("-m", "--measure", metavar="NAME", default="nDCG@10", help="default nDCG@10")
    what.add_argument("-p", "--preset", metavar="NAME", help="a named convention (ndcg presets)")
    what.add_argument(
        "-q", "--query", action="append", metavar="ID", help="only this query (repeatable)"
    )
    what.add_argument("--queries-from", metavar="FILE", help="only the queries of this file")
    what.add_argument("--weights", metavar="FILE", help="lines of query and weight")
    what.add_argument("--groups", metavar="FILE", help="lines of query and group: macro means")
    shown = add_shown(parser, f"{', '.join(FORMATS)}; for -o by its suffix")
    shown.add_argument("--per-query", action="store_true", help="the parts of every query")
    shown.add_argument(
        "--documents", action="store_true", help="every relevant document: its ranks, its fate"
    )
    shown.add_argument("--places", type=places, default=4, metavar="N", help="decimals (default 4)")
    shown.add_argument("-v", "--verbose", action="store_true", help="all notes")
    add_axes(parser)
    return parser
