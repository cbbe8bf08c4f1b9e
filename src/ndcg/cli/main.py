"""The entry point: find the subcommand, run it, turn errors into messages and exit codes.

Imports nothing but what every command needs: `ndcg --help` must answer at once.
"""

from __future__ import annotations

import contextlib
import gc
import os
import sys
from collections.abc import Callable, Sequence

# command -> (module with a `run(arguments) -> exit code`, what it does)
COMMANDS = {
    "eval": ("ndcg.cli.eval_command", "score runs against judgments"),
    "compare": ("ndcg.cli.compare_command", "is the difference between systems real?"),
    "explain": ("ndcg.cli.explain_command", "why a query has its value, why two runs differ"),
    "ceiling": ("ndcg.cli.ceiling_command", "lost in retrieval, or in ranking?"),
    "check": ("ndcg.cli.check_command", "what is wrong with judgments and runs"),
    "reconcile": ("ndcg.cli.reconcile_command", "why two numbers differ, whose number it is"),
    "gate": ("ndcg.cli.gate_command", "fail when quality drops below its budgets"),
    "history": ("ndcg.cli.history_command", "how gated runs went over time"),
    "trec-eval": ("ndcg.cli.trec_eval_command", "print what trec_eval prints, byte for byte"),
    "presets": ("ndcg.cli.presets_command", "list the named conventions, show one, compare two"),
    "measures": ("ndcg.cli.measures_command", "list the measures, show one"),
    "demo": ("ndcg.cli.demo_command", "score the bundled example, or write its files"),
    "completion": ("ndcg.cli.completion_command", "what a shell needs to complete commands"),
}

TYPE_CHECKING = False  # the name that type checkers know; typing itself is slow to load
if TYPE_CHECKING:
    from typing import TextIO

DONE, WRONG, BUG, INTERRUPTED = 0, 2, 3, 130

HELP = """\
ndcg: ranking measures that say what they are

  ndcg eval qrels.txt run.txt                    nDCG@10 with its convention
  ndcg eval qrels.txt a.run b.run -m AP -m P@5   several runs, several measures
  ndcg eval qrels.txt run.txt -p trec_eval       as trec_eval -c counts
  ndcg compare qrels.txt a.run b.run             is b better than a?
  ndcg explain qrels.txt run.txt -q q1           why does this query have its value?
  ndcg gate qrels.txt run.txt --fail-if 'nDCG@10 < 0.6'   fail a build
  ndcg check qrels.txt run.txt                   what is wrong with these files?
  ndcg trec-eval -m map qrels.txt run.txt        what trec_eval prints, byte for byte

commands:
{commands}

  ndcg COMMAND --help   options of a command
  ndcg --version

exit codes: 0 done, 1 a check or a gate found something, 2 wrong usage or unreadable data,
3 a fault of ours, 130 interrupted
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    debug = "--debug" in given
    # A command is one short computation whose arrays are freed by reference counts: looking for
    # cycles would cost a tenth of it.
    if "numpy" not in sys.modules:
        # Nothing here multiplies matrices; starting threads for it would cost a third of NumPy's
        # start.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _dispatch([argument for argument in given if argument != "--debug"])
    except BrokenPipeError:
        # The reader went away: nothing to say, and nothing more to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return DONE
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # noqa: BLE001 -- the last resort: errors become messages here
        return _report(error, debug=debug)
    finally:
        if collecting:
            gc.enable()


def _dispatch(given: Sequence[str]) -> int:
    if not given or given[0] in ("-h", "--help", "help"):
        width = max(map(len, COMMANDS)) + 2
        lines = [f"  {name:<{width}}{what}" for name, (_, what) in COMMANDS.items()]
        write(HELP.format(commands="\n".join(lines)))
        return DONE
    if given[0] in ("-V", "--version"):
        from ndcg._version import VERSION

        write(f"ndcg {VERSION}\n")
        return DONE
    if given[0] not in COMMANDS:
        raise _unknown(given)
    from importlib import import_module

    module = import_module(COMMANDS[given[0]][0])
    run: Callable[[Sequence[str]], int] = module.run
    return run(given[1:])


def _unknown(given: Sequence[str]) -> Exception:
    from ndcg.errors import Problem, UsageError, did_you_mean

    if os.path.exists(given[0]):
        what, how = f"{given[0]} is a file, not a command", f"ndcg eval {' '.join(given)}"
    else:
        what = f"{given[0]!r} is not a command{did_you_mean(given[0], COMMANDS)}"
        how = f"commands: {', '.join(COMMANDS)}"
    return UsageError(Problem("usage", what, help=how))


def _report(error: Exception, *, debug: bool) -> int:
    from ndcg.errors import NdcgError

    if debug:
        import traceback

        traceback.print_exc()
    if isinstance(error, NdcgError):
        tell(error)
        return WRONG
    if not debug:
        say(f"error: this is a fault of ndcg, not of your data: {type(error).__name__}: {error}")
        say("help: run the same command with --debug and report what it prints")
    return BUG


def tell(error: Exception) -> None:
    """An error to standard error, wrapped for a terminal."""
    say(_wrapped(str(error)))


def _wrapped(text: str) -> str:
    """An error for a terminal: what is said is wrapped, what is quoted from a file is not."""
    import textwrap

    from ndcg.cli.terminal import error_width

    width = error_width()
    if width is None:
        return text
    lines = [
        textwrap.fill(line, width, subsequent_indent="  ", break_long_words=False,
                      break_on_hyphens=False)
        if line.startswith(("error", "help", "...")) else line
        for line in text.split("\n")
    ]  # fmt: skip
    return "\n".join(lines)


def write(text: str | bytes, instead: str = "write to a file with -o FILE") -> None:
    """Data to standard output: UTF-8 (or the bytes given) and plain line ends, flushed.

    `instead` is what an error advises to do where that fails.
    """
    if sys.stdout is None:
        raise _closed("it is closed", instead)
    try:
        _put(sys.stdout, text)
    except BrokenPipeError:
        raise
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # what is buffered cannot be written either
        raise _closed(str(error.strerror), instead) from None


def say(text: str, mark: tuple[str, str, str] | None = None) -> None:
    """Everything that is not data, to standard error; control characters are shown, not obeyed.

    `mark` is a word that the text begins with, and what is written before and after it.
    """
    from ndcg.errors import printable

    lines = [printable(line) for line in text.split("\n")]
    if mark is not None:
        word, before, after = mark
        lines[0] = before + word + after + lines[0].removeprefix(word)
    # Nobody reads a standard error that is closed; the data still has to go out.
    with contextlib.suppress(OSError, ValueError, AttributeError):
        _put(sys.stderr, "\n".join(lines) + "\n")


def _put(stream: TextIO, text: str | bytes) -> None:
    buffer = getattr(stream, "buffer", None)
    if buffer is None:  # a stand-in without bytes, as in tests
        stream.write(text.decode("latin-1") if isinstance(text, bytes) else text)
        return
    stream.flush()
    buffer.write(text if isinstance(text, bytes) else text.encode("utf-8", "backslashreplace"))
    buffer.flush()


def _closed(why: str, instead: str) -> Exception:
    from ndcg.errors import DataError, Problem

    what = f"cannot write to standard output: {why}"
    return DataError(Problem("output", what, help=instead))
