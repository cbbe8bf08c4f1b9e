"""``ndcg eval``: score runs against judgments."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence

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
    places,
    seed,
    several,
    whole,
)
from ndcg.cli.suite_command import asks_for_suite
from ndcg.cli.suite_command import run as run_suite
from ndcg.errors import Problem, UsageError, count, listed, note, one_of
from ndcg.reports.names import FORMATS

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from typing import Any

    from ndcg.errors import Notice
    from ndcg.evaluation.results import Evaluation

EXAMPLES = """\
  ndcg eval qrels.txt run.txt                       nDCG@10 with its convention
  ndcg eval qrels.txt a.run b.run -m AP -m 'P(rel=2)@5'
  ndcg eval qrels.txt run.txt -p trec_eval --json   as trec_eval -c counts
  ndcg eval qrels.txt run.txt -p all                by the rules of every tool
  ndcg eval qrels.txt run.txt --ties expected --per-query --format csv
  ndcg eval qrels.txt run.txt --signature 'nDCG@10|gain:linear|v:0.1.0'
"""
ENDS = """
columns of the second table: judged, answered, missing, extra and empty (nothing
to find) count queries; tied: queries in which a judged document is tied with
another; duplicates, negative (grades) and self-match (a document that is its own
query) count documents; judged@k: mean share of judged documents in the top k

exit codes: 0 done, 2 wrong usage or unreadable data, 3 a fault of ours,
130 interrupted
"""


def run(given: Sequence[str]) -> int:
    """Parse the options, evaluate, print."""
    if asks_for_suite(given):
        return run_suite(given)
    parser = parser_of_eval()
    arguments = parsed(parser, _with_bounds(given))
    if arguments is None:
        return DONE
    outputs = _outputs(arguments)
    axes = axes_of(arguments)
    measures, convention = _asked(arguments, axes)
    trusting = _trusting(arguments)
    if arguments.preset == "all":
        if trusting is not None or arguments.ceiling:
            named = "ceilings" if trusting is None else "bounds, estimates and ranges"
            what = f"{named} are of one convention, and -p all asks for all"
            raise UsageError(Problem("usage", what, help="name one preset"))
        return _under_all(arguments, axes, outputs)
    notices: list[Notice] = []
    whole_json = "json" in outputs.values()
    evaluation = _evaluated(
        arguments, (measures, convention), axes, trusting, notices, fingerprint=whole_json
    )
    _print(evaluation, arguments, outputs)
    notices += _left_out(arguments, outputs.values(), trusting=trusting is not None)
    if not arguments.quiet:
        from ndcg.cli import terminal
        from ndcg.cli.said import first_of, say_notices

        every = (*notices, *evaluation.notices)
        say_notices(every if arguments.verbose else first_of(every), arguments.color)
        if outputs.get("-") == "table" and not arguments.no_next and terminal.error_width():
            say(_next(arguments, given))  # which a person reads, and a log does not need
    return DONE


def _evaluated(
    arguments: argparse.Namespace,
    asked: tuple[list[str] | None, str | None],
    axes: dict[str, str],
    trusting: dict[str, Any] | None,
    notices: list[Notice],
    *,
    fingerprint: bool,
) -> Evaluation:
    """The evaluation, with the intervals and whatever else was asked for beside its means."""
    # NumPy comes in here, after every mistake that can be seen without it.
    from ndcg.cli.progress import shown_progress
    from ndcg.cli.tables import queries_of, read_groups, read_weights
    from ndcg.evaluation import scored

    measures, convention = asked
    with shown_progress(wanted=not (arguments.quiet or arguments.no_progress)):
        evaluation, scorings = scored(
            arguments.qrels,
            arguments.runs,
            measures,
            preset=arguments.preset,
            convention=convention,
            weights=read_weights(arguments.weights, notices) if arguments.weights else None,
            groups=read_groups(arguments.groups, notices) if arguments.groups else None,
            queries=queries_of(arguments, notices),
            columns=columns_of(arguments.columns),
            qrels_format=arguments.qrels_format,
            run_format=arguments.run_format,
            lenient=arguments.lenient,
            fingerprint=fingerprint,
            whole=trusting is not None or arguments.ceiling,
            **axes,
        )
        evaluation = _with_intervals(evaluation, arguments)
        if arguments.ceiling:
            from ndcg.diagnose.retrieval.reaching import with_ceilings

            evaluation = with_ceilings(evaluation, scorings)
        if trusting is None:
            return evaluation
        from ndcg.diagnose.trusting import Wanted, trusted

        return trusted(evaluation, scorings, Wanted(**trusting))


def _with_intervals(evaluation: Evaluation, arguments: argparse.Namespace) -> Evaluation:
    """The evaluation with the intervals that were asked for."""
    if arguments.interval is None and arguments.level is None:
        return evaluation
    from ndcg.statistics.intervals import LEVEL

    return evaluation.with_intervals(
        arguments.interval or "auto", level=arguments.level or LEVEL, seed=arguments.seed or 0
    )


def _left_out(
    arguments: argparse.Namespace, formats: Iterable[str], *, trusting: bool
) -> list[Notice]:
    """Formats without a place for what was asked about every mean."""
    found = []
    rows = ("csv", "tsv", "jsonl") if arguments.per_query else ()
    for what, asked, none in (
        ("bounds, estimates and ranges", trusting, ("trec", *rows)),
        ("ceilings", arguments.ceiling, ("trec",)),
    ):
        without = [name for name in formats if asked and name in none]
        if without:
            every = " of every query" if rows and without != ["trec"] else ""
            said = f"{what} have no place in {listed(without)}{every}"
            found.append(note(said, "--json holds all of them"))
    return found


_BOUNDS = ("top", "retrieved")


def _with_bounds(given: Sequence[str]) -> list[str]:
    """The arguments, a bare --bounds completed: what follows it may be a file."""
    words = [*given]
    end = words.index("--") if "--" in words else len(words)
    for at, word in enumerate(words[:end]):
        if word == "--bounds" and (at + 1 >= end or words[at + 1] not in _BOUNDS):
            words[at] = "--bounds=top"
    return words


def _trusting(arguments: argparse.Namespace) -> dict[str, Any] | None:
    """What is to be said beside every mean, or None."""
    if arguments.bounds is not None:
        one_of("usage", "a choice of bounds", arguments.bounds, _BOUNDS)
    if arguments.estimate is not None:
        one_of("usage", "a prior of estimates", arguments.estimate, ("run", "pool"))
    wanted = {
        "bounds": arguments.bounds,
        "ties": arguments.tie_range,
        "estimate": arguments.estimate,
        "policies": arguments.unjudged_policies,
    }
    how = {
        name: getattr(arguments, name)
        for name in ("highest", "draws", "seed")
        if getattr(arguments, name) is not None
    }
    for name, needed in _NEEDED.items():
        if name in how and not any(wanted.get(one, getattr(arguments, one)) for one in needed):
            flags = " or ".join(f"--{one}" for one in needed)
            what = f"--{name} is about {flags}, which is not asked for"
            raise UsageError(Problem("usage", what, help=f"give {flags} too"))
    return wanted | how if any(wanted.values()) else None


_NEEDED = {"highest": ("bounds",), "draws": ("estimate",), "seed": ("estimate", "interval")}


def _draws(text: str) -> int:
    return whole(text, "a number of draws", 1, 10**7)


def _grade(text: str) -> float:
    return float(whole(text, "a grade", 0, 10**15))


def _under_all(arguments: argparse.Namespace, axes: dict[str, str], outputs: dict[str, str]) -> int:
    """Score by every preset: a table, or JSON."""
    measures = several(arguments.measure) or ["nDCG@10"]
    if len(measures) > 1 or arguments.per_query:
        what = "-p all shows one measure, its means alone"
        raise UsageError(Problem("usage", what, help="give -m once, without --per-query"))
    if arguments.weights or arguments.groups:
        what = "-p all averages as the presets do, without weights and groups"
        raise UsageError(Problem("usage", what, help="leave them out"))
    for name in outputs.values():
        one_of("usage", "a format of -p all", name, ["table", "json"])
    from ndcg.cli.all_presets import as_json, table
    from ndcg.cli.said import say_notices
    from ndcg.cli.tables import queries_of
    from ndcg.diagnose.presets import under_presets

    notices: list[Notice] = []
    found, more = under_presets(
        arguments.qrels,
        arguments.runs,
        measures[0],
        queries=queries_of(arguments, notices),
        columns=columns_of(arguments.columns),
        qrels_format=arguments.qrels_format,
        run_format=arguments.run_format,
        lenient=arguments.lenient,
        axes=axes,
    )
    texts = {
        path: as_json(found) if name == "json"
        else "\n".join(table(one, arguments.places) for one in found)
        for path, name in outputs.items()
    }  # fmt: skip
    _deliver(texts)
    if not arguments.quiet:
        say_notices((*notices, *more), arguments.color)
    return DONE


def _deliver(texts: dict[str, str]) -> None:
    """Write the files, then what goes to standard output."""
    on_stdout = texts.pop("-", None)
    if texts:
        from ndcg.formats.writing import write_files  # brings tempfile, which most runs do without

        write_files(texts)
    if on_stdout is not None:
        write(on_stdout)


def _next(arguments: argparse.Namespace, given: Sequence[str]) -> str:
    """The one command that shows more."""
    import shlex

    more = "--per-query" if not arguments.per_query else "-o values.csv"
    why = "to see every query" if not arguments.per_query else "to keep them with all digits"
    # Behind a double dash there are files alone.
    words = [*more.split(), *given] if "--" in given else [*given, *more.split()]
    return f"next: {shlex.join(['ndcg', 'eval', *words])}  # {why}"


def _print(evaluation: Evaluation, arguments: argparse.Namespace, outputs: dict[str, str]) -> None:
    """Files, then data, then what was read if that is asked for."""
    from ndcg.cli import terminal
    from ndcg.reports import render
    from ndcg.reports.model import Options, signatures

    texts: dict[str, str] = {}
    for path, name in outputs.items():
        on_screen = path == "-" and name == "table"
        options = Options(
            per_query=arguments.per_query,
            places=arguments.places,
            width=terminal.width() if on_screen else None,
            color=on_screen and terminal.use_color(arguments.color),
        )
        texts[path] = render(evaluation, name, options)
    _deliver(texts)
    if "trec" in outputs.values():
        for first, others in signatures(evaluation).items():
            say(first + (f"   (also by this convention: {', '.join(others)})" if others else ""))
    for source in evaluation.inputs if arguments.verbose and not arguments.quiet else ():
        rows, queries = count(source.rows, "row"), count(source.queries, "query", "queries")
        say(f"read {source.path}: {source.format}, {rows}, {queries}")


def parser_of_eval() -> Parser:
    """The options of the command."""
    parser = Parser("eval", "score runs against judgments", EXAMPLES, ENDS)
    add_files(parser, several=True)
    what = parser.add_argument_group("what to compute")
    what.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="NAME",
        help="such as nDCG@10, 'P(rel=2)@5', AP (repeatable; default nDCG@10)",
    )
    what.add_argument(
        "-p", "--preset", metavar="NAME", help="a named convention (ndcg presets), or all"
    )
    what.add_argument(
        "--signature", metavar="TEXT", help="score exactly as a printed signature says"
    )
    what.add_argument(
        "-q", "--query", action="append", metavar="ID", help="only this query (repeatable)"
    )
    what.add_argument(
        "--queries-from", metavar="FILE", help="only the queries of a file, one a line"
    )
    what.add_argument(
        "--suite", metavar="FILE",
        help="several collections instead of QRELS and RUN: see ndcg eval --suite x --help",
    )  # fmt: skip
    what.add_argument("--weights", metavar="FILE", help="query and weight, a line each")
    what.add_argument("--groups", metavar="FILE", help="query and group, a line each")
    trust = parser.add_argument_group("how far to trust it")
    trust.add_argument(
        "--bounds", metavar="WHICH",
        help="lowest and highest value that judging the unjudged could give: top (of the top k; "
        "so too if nothing follows), retrieved",
    )  # fmt: skip
    trust.add_argument(
        "--highest", type=_grade, metavar="GRADE",
        help="the highest grade they could have (default: the highest there is)",
    )  # fmt: skip
    trust.add_argument(
        "--estimate", metavar="PRIOR",
        help="the mean with grades drawn for them, as those of the run's top k (run) or of the "
        "query (pool) are",
    )  # fmt: skip
    trust.add_argument(
        "--interval", metavar="METHOD",
        help="of the mean over queries: auto (default), t, augmented-t, clopper-pearson, "
        "percentile, bca, betting, none",
    )  # fmt: skip
    trust.add_argument("--level", type=level, metavar="L", help="its level (default 0.95)")
    trust.add_argument("--draws", type=_draws, metavar="N", help="how often (default 1000)")
    trust.add_argument("--seed", type=seed, metavar="N", help="where drawing starts (default 0)")
    trust.add_argument(
        "--unjudged-policies", action="store_true", help="the mean by each rule for them"
    )
    trust.add_argument(
        "--tie-range", action="store_true", help="the mean under the worst and best order of ties"
    )
    trust.add_argument(
        "--ceiling", action="store_true",
        help="what the best order of the documents that each run lists would give",
    )  # fmt: skip
    shown = parser.add_argument_group("what to show")
    shown.add_argument("--per-query", action="store_true", help="the value of every query")
    shown.add_argument(
        "--format", metavar="NAME", help="table, tsv, csv, json, jsonl, markdown, trec"
    )
    shown.add_argument("--json", action="store_true", help="the same as --format json")
    shown.add_argument(
        "-o",
        "--output",
        action="append",
        default=[],
        metavar="FILE",
        help="write to a file instead; its suffix picks the format (repeatable)",
    )
    shown.add_argument(
        "--places", type=places, default=4, metavar="N", help="decimals in tables (default 4)"
    )
    shown.add_argument("--color", default="auto", metavar="WHEN", help="auto, always, never")
    shown.add_argument("--quiet", action="store_true", help="no notes and warnings")
    shown.add_argument("--no-next", action="store_true", help=argparse.SUPPRESS)
    shown.add_argument("--no-progress", action="store_true", help="no progress bar")
    shown.add_argument(
        "-v", "--verbose", action="store_true", help="say all notes, and what was read"
    )
    shown.add_argument("--debug", action="store_true", help="show tracebacks")
    shown.add_argument("-h", "--help", action="store_true", help="this text")
    add_axes(parser)
    return parser  # fmt: skip


def _asked(
    arguments: argparse.Namespace, axes: dict[str, str]
) -> tuple[list[str] | None, str | None]:
    """The measures, or the signature that states measure and convention."""
    if arguments.signature is None:
        return several(arguments.measure) or None, None
    given = [f"--{axis.replace('_', '-')}" for axis in axes]
    given += ["--preset"] if arguments.preset is not None else []
    given += ["--measure"] if arguments.measure is not None else []
    if given:
        what = f"--signature states measure and convention; {', '.join(given)} would change them"
        raise UsageError(Problem("usage", what, help="give the signature alone"))
    return None, arguments.signature


def _outputs(arguments: argparse.Namespace) -> dict[str, str]:
    """Where to write and in which format; ``-`` is standard output."""
    one_of("usage", "a colour choice", arguments.color, ["auto", "always", "never"])
    chosen = chosen_format(arguments)
    if chosen is not None:
        one_of("usage", "a format", chosen, FORMATS)
    outputs = {path: format_of(path, chosen) for path in arguments.output}
    if outputs:
        from ndcg.formats.writing import refuse_inputs

        beside = [arguments.weights, arguments.groups, arguments.queries_from]
        read = [arguments.qrels, *arguments.runs, *(path for path in beside if path is not None)]
        refuse_inputs(outputs, read)
    return outputs or {"-": chosen or "table"}
