"""The command trec_eval: the same options, the same bytes, the same exit codes."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence

from ndcg.compat.command import Command, Stopped
from ndcg.compat.evaluated import Column, Evaluated, evaluate
from ndcg.errors import NdcgError
from ndcg.kernel import ordered_sum
from ndcg.measures.pooled import LEAST


def run(
    command: Command,
    write: Callable[[bytes], None],
    say: Callable[[str], None],
    tell: Callable[[NdcgError], None],
) -> int:
    """Evaluate and print; returns the exit code of trec_eval.

    Parameters
    ----------
    command
        What was asked for.
    write, say, tell
        What takes data, notes, and the error that ends the evaluation.
    """
    try:
        found = evaluate(command, say)
    except Stopped as stopped:
        tell(stopped.error)
        return stopped.code
    lines = _query_lines(found, command) if command.queries else iter(())
    _write(lines, found.encoding, write)
    if found.stop is not None:
        tell(found.stop.error)
        return found.stop.code
    if command.summary:
        _write(_summary_lines(found, command), found.encoding, write)
    return 0


def _write(lines: Iterator[str], encoding: str, write: Callable[[bytes], None]) -> None:
    text = "".join(lines)
    if text:
        write(text.encode(encoding, "surrogateescape"))


def _query_lines(found: Evaluated, command: Command) -> Iterator[str]:
    mark = "Z" if command.zscores is not None else ""
    shown = [one for one in found.columns if one.family.shown != "summary"]
    texts = [_texts(one, command) for one in shown]
    heads = [f"{'' if one.text else mark}{one.name:<22}\t" for one in shown]
    for at, query in enumerate(found.queries):
        for head, text in zip(heads, texts, strict=True):
            yield f"{head}{query}\t{text[at]}\n"


def _texts(column: Column, command: Command) -> Sequence[str]:
    if column.text is not None:
        return column.text
    if column.family.whole and command.zscores is None:
        return [str(int(value)) for value in column.value.tolist()]
    return [number(value) for value in column.value.tolist()]


def number(value: float) -> str:
    """A value as C prints it by %6.4f; what 0/0 gives there has a sign."""
    return "  -nan" if math.isnan(value) else f"{value:6.4f}"


def _summary_lines(found: Evaluated, command: Command) -> Iterator[str]:
    mark = "Z" if command.zscores is not None else ""
    n = found.n_judged if command.complete else len(found.queries)
    for one in found.columns:
        if one.name == "runid":
            yield f"{'runid':<22}\tall\t{found.tag}\n"
        elif one.family.shown != "queries":
            value = summary(one, found, command, n)
            whole = one.family.whole and not mark
            text = str(int(value)) if whole else number(value)
            yield f"{mark}{one.name:<22}\tall\t{text}\n"


def summary(one: Column, found: Evaluated, command: Command, n: int) -> float:
    """What the values of a name come to."""
    if one.name == "num_q":
        return float(n)
    if one.name == "num_rel" and command.complete:
        return float(found.relevant)
    total = ordered_sum(one.value)
    if one.family.over == "sum":
        return total
    if one.family.over == "geometric":
        if command.complete:
            total += (n - len(one.value)) * math.log(LEAST)
        return math.exp(total / n)
    return total / n
