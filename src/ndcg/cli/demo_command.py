"""``ndcg demo``: score the bundled example, or write its files."""

from __future__ import annotations

import os
import shlex
import textwrap
from collections.abc import Sequence

from ndcg.cli import terminal
from ndcg.cli.main import DONE, say, write
from ndcg.cli.options import Parser, parsed

EXAMPLES = """\
  ndcg demo                score and compare three systems on 30 product searches
  ndcg demo --files DIR    write judgments, runs, queries and products to DIR
"""
QRELS, RUNS = "qrels.txt", ("bm25.run", "dense.run", "hybrid.run")
TEXTS = ("queries.tsv", "products.tsv")
MEASURES = ("-m", "nDCG@10", "-m", "AP", "-m", "P@5")
INTRODUCTION = (
    "30 product searches in a shop for sports and household goods, graded 0 to 3, and three "
    "systems: bm25 (words), dense (meanings), hybrid (both combined)"
)
_WIDTH = 80


def run(given: Sequence[str]) -> int:
    """Score the example or copy it."""
    parser = Parser("demo", "the bundled example", EXAMPLES)
    parser.add_argument("--files", metavar="DIR", help="write the files to a folder")
    parser.add_argument("-h", "--help", action="store_true", help="this text")
    arguments = parsed(parser, given)
    if arguments is None:
        return DONE
    if arguments.files is not None:
        _copy(arguments.files)
        return DONE
    from ndcg.cli import compare_command, eval_command

    write(textwrap.fill(INTRODUCTION, min(terminal.width() or _WIDTH, _WIDTH)) + "\n\n")
    paths = [os.path.join(folder(), name) for name in (QRELS, *RUNS)]
    eval_command.run([*paths, *MEASURES, "--no-next"])
    write("\nIs the difference real?\n\n")
    compare_command.run([*paths, "--quiet"])
    say("next: ndcg demo --files example  # to try it yourself on these files")
    return DONE


def folder() -> str:
    """Where the files of the example lie: in the package, or beside it in a checkout."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    inside = os.path.join(here, "examples")
    return inside if os.path.isdir(inside) else os.path.join(here, "..", "..", "examples")


def _copy(target: str) -> None:
    """Write all files, or none; what stands there already is not written over."""
    from ndcg.errors import Problem, UsageError
    from ndcg.formats.writing import write_files

    names = (QRELS, *RUNS, *TEXTS)
    there = [name for name in names if os.path.exists(os.path.join(target, name))]
    if there:
        what = f"{target} holds {', '.join(there)} already"
        raise UsageError(Problem("output", what, help="name another folder"))
    try:
        os.makedirs(target, exist_ok=True)
    except OSError as error:
        why = "it is a file" if os.path.isfile(target) else error.strerror
        what = f"cannot make the folder {target!r}: {why}"
        raise UsageError(Problem("output", what, help="name another folder")) from None
    texts = {}
    for name in names:
        with open(os.path.join(folder(), name), encoding="utf-8") as file:
            texts[os.path.join(target, name)] = file.read()
    write_files(texts)
    say(f"wrote {', '.join(names)} to {target}")
    paths = [os.path.join(target, name) for name in (QRELS, *RUNS)]
    say(f"next: ndcg eval {shlex.join(paths)}")
