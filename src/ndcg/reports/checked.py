"""What a check found: for people, for tools, for code hosts."""

from __future__ import annotations

import csv
import io
import json
import textwrap
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ndcg._version import VERSION
from ndcg.axes import AXES
from ndcg.errors import Place, count, printable
from ndcg.reports.github import annotation

if TYPE_CHECKING:
    from ndcg.diagnose.checking.checked import Checked
    from ndcg.diagnose.checking.finding import Finding
    from ndcg.diagnose.checking.rules import Rule
    from ndcg.diagnose.covered import Coverage
    from ndcg.diagnose.pool import Pooled

COLORS = {"error": "\x1b[1;31m", "warning": "\x1b[1;33m", "note": "\x1b[36m"}
_RESET = "\x1b[0m"
_SARIF = "https://json.schemastore.org/sarif-2.1.0.json"
_WIDEST = 100  # columns in which text is easily read
_MOST = 6  # grades that have a column of their own


def full(found: Checked, *, color: bool = False, width: int | None = None) -> str:
    """Every finding with its place and remedy, the coverage, and how many there are."""
    blocks = [_block(one, color, width) for one in found.findings]
    blocks += [coverage_table(found.coverage)] if found.coverage else []
    blocks += ["".join(printable(line) + "\n" for line in str(one).split("\n"))
               for one in found.unread]  # fmt: skip
    return "\n".join([*blocks, found.summary]) + "\n"


def _block(one: Finding, color: bool, width: int | None) -> str:
    lines = [printable(line) for line in str(one).split("\n")]
    if width is not None:
        lines[0] = _wrapped(lines[0], width)
        if one.help is not None:
            lines[-1] = _wrapped(lines[-1], width)
    if color:
        lines[0] = lines[0].replace(one.level, f"{COLORS[one.level]}{one.level}{_RESET}", 1)
    return "\n".join(lines) + "\n"


def _wrapped(line: str, width: int) -> str:
    return textwrap.fill(
        line, min(width, _WIDEST), subsequent_indent="  ", break_long_words=False,
        break_on_hyphens=False,
    )  # fmt: skip


def concise(found: Checked) -> str:
    """A line for each finding, and how many there are."""
    lines = [f"{_where(one)}{one.code} {one.level}: {one.what}" for one in found.findings]
    lines += [f"{one.code} error: {one.what}" for one in found.unread]
    return "".join(printable(line) + "\n" for line in [*lines, found.summary])


def _where(one: Finding) -> str:
    if one.place is None:
        return ""
    line = "" if one.place.line is None else f"{one.place.line}:"
    return f"{one.place.file}:{line} "


def coverage_table(coverage: Sequence[Coverage]) -> str:
    """The judged share of the top of each run, and the grades in it, the highest first."""
    grades = sorted({grade for one in coverage for depth in one.depths for grade in depth.by_grade
                     if grade != "unjudged"}, key=float, reverse=True)  # fmt: skip
    shown = grades[:_MOST]
    rows = [["run", "top", "judged", *(f"grade {grade}" for grade in shown), "unjudged"]]
    for one in coverage:
        for depth in one.depths:
            shares = [depth.by_grade.get(grade, 0.0) for grade in shown]
            left = None if depth.judged is None else 1 - depth.judged
            cells = [_percent(share) for share in (depth.judged, *shares, left)]
            rows.append([one.system, "all" if depth.k is None else str(depth.k), *cells])
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    lines = [
        "  ".join(
            cell.ljust(width) if at == 0 else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    if len(grades) > _MOST:
        lines.append(f"and {count(len(grades) - _MOST, 'lower grade')}, which --json has")
    return "".join(printable(line) + "\n" for line in lines)


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.1%}"


def as_json(found: Checked) -> str:
    """Everything, coverage by query included."""
    return json.dumps(found.to_dict(), ensure_ascii=False, indent=1, allow_nan=False) + "\n"


def github(found: Checked) -> str:
    """Workflow commands, which become annotations of files."""
    words = {"error": "error", "warning": "warning", "note": "notice"}
    lines = []
    for one in found.findings:
        facts = _placed(one.place) | {"title": f"{one.code} {one.rule.name}"}
        lines.append(annotation(words[one.level], _told(one.what, one.help), facts))
    for problem in found.unread:
        facts = {"file": problem.place.file} if problem.place else {}
        facts |= {"title": f"{problem.code} {problem.word}"}
        lines.append(annotation("error", _told(problem.what, problem.help), facts))
    return "".join(lines)


def _placed(place: Place | None) -> dict[str, str | int]:
    """Where an annotation stands."""
    if place is None or not place.file:
        return {}
    return {"file": place.file} | ({} if place.line is None else {"line": place.line})


def _told(what: str, how: str | None) -> str:
    return what + (f"\nhelp: {how}" if how else "")


def sarif(found: Checked) -> str:
    """SARIF 2.1.0, which code hosts and editors read."""
    rules = {one.code: one.rule for one in found.findings}
    driver = {
        "name": "ndcg",
        "version": VERSION,
        "rules": [_sarif_rule(rules[code]) for code in sorted(rules)],
    }
    results = [_sarif_result(one) for one in found.findings]
    log = {
        "$schema": _SARIF,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": driver},
                "invocations": [
                    {
                        "executionSuccessful": not found.unread,
                        "toolExecutionNotifications": [
                            {"level": "error", "message": {"text": str(one)}}
                            for one in found.unread
                        ],
                    }
                ],
                "results": results,
            }
        ],
    }
    return json.dumps(log, ensure_ascii=False, indent=1) + "\n"


def _sarif_rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.what},
        "fullDescription": {"text": rule.reason},
        "help": {"text": rule.remedy},
        "defaultConfiguration": {"level": rule.level},
    }


def _sarif_result(one: Finding) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": one.code,
        "level": one.level,
        "message": {"text": one.what + (f"; {one.help}" if one.help else "")},
    }
    if one.place is not None:
        physical: dict[str, Any] = {"artifactLocation": {"uri": quote(one.place.file)}}
        if one.place.line is not None:
            physical["region"] = {"startLine": one.place.line}
        result["locations"] = [{"physicalLocation": physical}]
    return result


FORMATS: dict[str, Callable[..., str]] = {
    "full": full,
    "concise": concise,
    "json": as_json,
    "github": github,
    "sarif": sarif,
}


def pool_csv(pooled: Iterable[Pooled]) -> str:
    """A judging pool, with a column for grades to be filled in."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["query", "document", "grade", "systems", "best_rank"])
    rows.writerows([one.query, one.document, "", " ".join(one.systems), one.best_rank]
                   for one in pooled)  # fmt: skip
    return out.getvalue()


def rules_table(rules: Iterable[Rule]) -> str:
    """A line for each rule, as `--explain all` prints them."""
    return "".join(f"{one.code}  {one.level:7}  {one.name:24}  {one.what}\n" for one in rules)


def rule_card(rule: Rule) -> str:
    """A rule as `--explain` prints it."""
    parts = [
        f"{rule.code} {rule.name} ({rule.level}): {rule.what}",
        f"why: {rule.reason}",
        f"do: {rule.remedy}{settled_by(rule)}",
        f"found in:\n{example_text(rule.bad)}",
        f"not in:\n{example_text(rule.good)}",
    ]
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def settled_by(rule: Rule) -> str:
    """A sentence on the axes that make a rule a note, where there are such."""
    flags = " or ".join(
        f"--axis {axis}" if AXES[axis].rare else f"--{axis}".replace("_", "-")
        for axis in rule.settled_by
    )
    return f" Once {flags} is given, it is a note." if flags and rule.level != "note" else ""


def example_text(example: Any) -> str:
    """The files of an example, and the options beside them."""
    files = [("qrels", example.qrels), ("run", example.run)]
    lines = [f"  {name}:{' ' * (6 - len(name))}{line}"
             for name, text in files for line in text.splitlines()]  # fmt: skip
    if example.options:
        lines.append(f"  with:  {example.options.partition('.txt:')[0]}"
                     + (".txt" if ".txt:" in example.options else ""))  # fmt: skip
    return printable_lines(lines)


def printable_lines(lines: Iterable[str]) -> str:
    """Lines without what would steer a terminal."""
    return "".join(printable(line) + "\n" for line in lines)
