"""``ndcg trec-eval``: trec_eval's options, bytes and exit codes."""

from __future__ import annotations

from collections.abc import Sequence

from ndcg.cli.main import DONE, say, tell, write


def run(given: Sequence[str]) -> int:
    """Evaluate as trec_eval does; returns its exit code."""
    if "--version" in given:
        from ndcg._version import VERSION

        write(f"ndcg {VERSION}\n")
        return DONE
    from ndcg.compat.command import Stopped, command_of

    try:
        command = command_of(given)
    except Stopped as stopped:
        tell(stopped.error)
        return stopped.code
    if command.asked == "version":
        from ndcg._version import VERSION

        say(f"ndcg trec-eval {VERSION}, compatible with trec_eval 10.0 and 9.0.8")
        return DONE
    if command.asked == "help":
        from ndcg.compat.help import text

        write(text(command))
        return DONE
    from ndcg.compat.trec_eval import run as evaluate

    return evaluate(command, _write, say, tell)


def _write(data: bytes) -> None:
    write(data, "redirect it to another file")
