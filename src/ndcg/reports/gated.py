"""What a gate found: for people, for step summaries, for tools and code hosts."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import TYPE_CHECKING

from ndcg.errors import count, one_of, printable
from ndcg.reports.delimited import one_object
from ndcg.reports.github import annotation
from ndcg.reports.junit import junit
from ndcg.reports.markdown import literal, pipe_table
from ndcg.reports.model import (
    Options,
    Row,
    Sheet,
    grouped_signatures,
    interval_head,
    interval_text,
    number,
    signed,
)

if TYPE_CHECKING:
    from ndcg.gating.results import Gate, Outcome

COLORS = {
    "passed": "\x1b[32m", "failed": "\x1b[1;31m", "accepted": "\x1b[1;33m", "skipped": "\x1b[33m",
}  # fmt: skip
_RESET = "\x1b[0m"
_WIDEST = 100  # columns in which text is easily read
SUMMARY = 60_000  # bytes of Markdown; step summaries are refused from 1 MiB, and read up to 64 KiB
_ANNOTATED = 9  # failures with an annotation of their own: hosts show ten of a kind
_TIED = "\x00"  # stands for a blank that is no place to break a line
_LONGEST = 200  # characters of a name in Markdown


def render(found: Gate, format_name: str, options: Options | None = None) -> str:
    """The gate in one of `FORMATS`, ending with a line end."""
    one_of("usage", "a format of gate", format_name, FORMATS)
    return FORMATS[format_name](found, options or Options())


def verdict(found: Gate) -> str:
    """Whether the gate passed, in one line.

    A rule for each segment counts as often as there are segments.
    """
    every = len(found.outcomes)
    number = {name: sum(one.status == name for one in found.outcomes)
              for name in ("failed", "accepted", "skipped")}  # fmt: skip
    if number["failed"]:
        told = f"gate failed: {number['failed']} of {count(every, 'rule')} for {found.system}"
    elif every:
        told = f"gate passed: {count(every, 'rule')} for {found.system}"
    else:
        told = f"gate passed: no rule was held against {found.system}"
    more = [f"{number[name]} {name}" for name in ("accepted", "skipped") if number[name]]
    return ", ".join([told, *more])


def sentence(one: Outcome) -> str:
    """A rule, why it passed or failed, and the queries behind a failure."""
    change = "" if one.before is None else f"{_change(one)}, "
    return "; ".join([f"{one.rule.text}: {change}{one.reason}", *_facts(one)])


def _facts(one: Outcome) -> Iterator[str]:
    """What a reason rests on."""
    if one.interval is not None:
        interval = interval_text(one.interval, Options(), "+")
        yield f"{interval_head(one.interval.level)} of the difference {interval}"
    if one.n:
        alone = f" ({one.unpaired} on one side alone, left out)" if one.unpaired else ""
        yield count(one.n, "query", "queries") + alone
    if one.status in _TELLING and one.worst:
        told = ", ".join(_named(one))
        counts = one.rule.measure is None and one.value is not None
        more = f", ... ({one.value} in all)" if counts and one.value != len(one.worst) else ""
        yield f"{_kind_of_worst(one)}: {told}{more}"


_TELLING = ("failed", "accepted")  # of which the worst queries are shown


def _change(one: Outcome) -> str:
    return f"{one.before:.4f} -> {one.value:.4f}"


def _kind_of_worst(one: Outcome) -> str:
    """What the queries are that a failure names."""
    if one.rule.measure is None:
        return "queries"
    if one.rule.moves:
        return "worst" if one.rule.verb == "drops" else "moved most"
    return "lowest" if "<" in one.rule.verb else "highest"


def _named(one: Outcome) -> Iterator[str]:
    """The worst queries, each with what is bad about it."""
    for worst in one.worst:
        if worst.value is None and worst.before is not None:
            yield f"{worst.query} lost"
        elif worst.difference is not None:
            yield f"{worst.query} {worst.difference:+.3f}"
        else:
            yield worst.query if worst.value is None else f"{worst.query} {worst.value:.3f}"


def _signatures(found: Gate) -> dict[str, list[str]]:
    measures = found.evaluation.systems[found.system].measures
    return grouped_signatures((name, one.signature) for name, one in measures.items())


def _compared(found: Gate) -> str | None:
    """What the run was compared with."""
    against = found.against
    if against is None:
        return None
    if not against.path:
        return f"compared with the run {against.system}"
    return f"compared with {against.path} ({against.system}, ndcg {against.version})"


def _ends(found: Gate) -> Iterator[str]:
    """What the run was compared with, and what became of the baseline."""
    compared = _compared(found)
    lines = [] if compared is None else [compared]
    lines += [] if found.updated is None else [f"{found.updated} is written"]
    lines += [] if found.kept is None else [f"{found.kept} is not written, as a rule failed"]
    yield from map(printable, lines)


# -- formats ---------------------------------------------------------------------------------------


def text(found: Gate, options: Options) -> str:
    """A line for each rule, failures first, and what they were computed by."""
    order = sorted(found.outcomes, key=lambda one: one.status == "passed")
    lines = [_painted(verdict(found), "passed" if found.passed else "failed", options), ""]
    width = max((len(one.status) for one in order), default=0) + 2
    for one in order:
        line = f"{one.status:<{width}}{printable(sentence(one))}"
        lines.append(_painted(_wrapped(line, one, width, options), one.status, options))
    lines += [""] if order else []
    more = [*_ends(found)]
    lines += [*more, *([""] if more else [])]
    for first, others in _signatures(found).items():
        lines.append(first)
        lines += [f"also by this convention: {', '.join(others)}"] if others else []
    return "\n".join(lines) + "\n"


def _wrapped(line: str, one: Outcome, indent: int, options: Options) -> str:
    """The line broken between words; a query stays beside its number."""
    if options.width is None:
        return line
    together = [] if one.before is None else [_change(one)]
    together += map(printable, _named(one))
    if one.interval is not None:
        together.append(interval_text(one.interval, options, "+"))
    for part in together:
        line = line.replace(part, part.replace(" ", _TIED))
    return textwrap.fill(
        line, min(options.width, _WIDEST), subsequent_indent=" " * indent,
        break_long_words=False, break_on_hyphens=False,
    ).replace(_TIED, " ")  # fmt: skip


def _painted(line: str, status: str, options: Options) -> str:
    return line.replace(status, f"{COLORS[status]}{status}{_RESET}", 1) if options.color else line


def markdown(found: Gate, options: Options) -> str:
    """A table of rules and the worst queries of those that failed, short enough for a summary."""
    rows: list[Row] = [_row(one, options) for one in
                       sorted(found.outcomes, key=lambda one: one.status == "passed")]  # fmt: skip
    ends = [f"\n{_literal(line)}\n" for line in _ends(found)]
    ends += [f"\n`{first}`\n" for first in _signatures(found)]
    start = f"**{_literal(verdict(found))}**\n"
    room = SUMMARY - sum(len(part.encode()) for part in (start, *ends))
    lines = pipe_table(Sheet(rows, words=4)).splitlines(keepends=True) if rows else []
    used = [*accumulate(len(line.encode()) for line in lines)]
    kept = [line for line, so_far in zip(lines, used, strict=True) if so_far <= room]
    left = len(lines) - len(kept)
    more = f"\n{count(left, 'rule')} more: --json has all\n" if left else ""
    return "".join([start, "\n" if kept else "", *kept, more, *ends])


def _row(one: Outcome, options: Options) -> Row:
    places = 0 if one.rule.measure is None else options.places
    worst = ", ".join(_named(one)) if one.status in _TELLING else ""
    return {
        "": one.status if one.status == "passed" else f"**{one.status}**",
        "rule": _literal(one.rule.text),
        "why": _literal(one.reason),
        "worst queries": _literal(worst),
        "value": number(one.value, places),
        "baseline": number(one.before, places),
        "difference": "-" if one.difference is None else signed(one.difference, places),
        "its interval": interval_text(one.interval, options, "+"),
        "queries": one.n or "-",
    }


def _literal(given: str) -> str:
    """A text as it is, and not too long."""
    shown = printable(given)
    return literal(shown if len(shown) <= _LONGEST else shown[: _LONGEST - 1] + "…")


def as_json(found: Gate, _: Options) -> str:
    """Everything."""
    return one_object(found.to_dict())


def github(found: Gate, _: Options) -> str:
    """An annotation for each failure, at most ten, and one for the verdict."""
    failures = found.failures
    shown = failures if len(failures) <= _ANNOTATED + 1 else failures[:_ANNOTATED]
    lines = [annotation("error", printable(sentence(one)), {"title": "ndcg gate"}) for one in shown]
    more = len(failures) - len(shown)
    if more:
        told = f"{count(more, 'rule')} more failed; --json has all"
        lines.append(annotation("error", told, {"title": "ndcg gate"}))
    if not failures:
        lines.append(annotation("notice", printable(verdict(found)), {"title": "ndcg gate"}))
    return "".join(lines)


def as_junit(found: Gate, _: Options) -> str:
    """A test case for each rule, as test reporters read them."""
    return junit(found, sentence)


FORMATS: dict[str, Callable[[Gate, Options], str]] = {
    "text": text,
    "markdown": markdown,
    "json": as_json,
    "junit": as_junit,
    "github": github,
}
