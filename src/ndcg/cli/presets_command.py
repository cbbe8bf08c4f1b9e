"""``ndcg presets``: the named conventions as a table, one as a card, two as a difference."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Sequence

from ndcg.axes import AXES
from ndcg.cli import terminal
from ndcg.cli.main import DONE, write
from ndcg.cli.options import Parser, parsed
from ndcg.presets import PRESETS, Preset, preset

EXAMPLES = """\
  ndcg presets                            all of them
  ndcg presets trec_eval                  what it sets, for which versions, how it was proved
  ndcg presets trec_eval-9 trec_eval-10   where two differ
  ndcg presets --json                     for programs
"""
_READABLE = 20  # columns that a wrapped text needs
# The axes that set tools apart most; the others stand on the card.
_SHOWN = ("gain", "ideal", "ties", "empty", "missing")


def run(given: Sequence[str]) -> int:
    """Print the table, a card or a difference."""
    parser = Parser("presets", "the named conventions", EXAMPLES)
    parser.add_argument("names", nargs="*", metavar="NAME", help="one for its card, two to compare")
    parser.add_argument("--json", action="store_true", help="all that is known, as JSON")
    parser.add_argument("-h", "--help", action="store_true", help="this text")
    arguments = parsed(parser, given)
    if arguments is None:
        return DONE
    if len(arguments.names) > 2:
        parser.error(f"{len(arguments.names)} presets are given; compare two at a time")
    chosen = [preset(name) for name in arguments.names]
    if arguments.json:
        write(_json(chosen))
    elif not chosen:
        write(_table())
    elif len(chosen) == 1:
        write(_card(chosen[0]))
    else:
        write(_difference(*chosen))
    return DONE


def _json(chosen: Sequence[Preset]) -> str:
    """The presets that are named, else all, and what two of them differ in."""
    whole: dict[str, object] = {
        "schema": 1,
        "presets": [
            {
                **one._asdict(),
                "axes": one.convention.to_dict(),
                "digest": one.convention.digest,
            }
            for one in chosen or PRESETS.values()
        ],
    }
    if len(chosen) == 2:
        whole["difference"] = chosen[0].convention.diff(chosen[1].convention)
    return json.dumps(whole, ensure_ascii=False, indent=1) + "\n"


def _table() -> str:
    rows = [
        [one.name, *(_short(getattr(one.convention, axis)) for axis in _SHOWN)]
        for one in PRESETS.values()
    ]
    return columns([["preset", *_SHOWN], *rows])


def _short(value: str) -> str:
    """A value as the table shows it: what a gain table holds stands on the card."""
    return "table" if "=" in value else value


def _card(one: Preset) -> str:
    facts = {
        "tool": f"{one.tool} {one.versions}".strip(),
        "use": one.use,
        "measure": one.measure if one.measure != "nDCG" else "",
        "source": one.source,
        "evidence": one.evidence,
    }
    lines = [f"{name:<10}{text}" for name, text in facts.items() if text]
    lines += [f"{'deviates' if i == 0 else '':<10}{text}" for i, text in enumerate(one.deviations)]
    axes = one.convention.to_dict()
    rows = [
        [axis, value, "" if value == AXES[axis].default else f"(default {AXES[axis].default})"]
        for axis, value in axes.items()
    ]
    return f"{one.name}  [{one.convention.digest}]\n\n" + "\n".join(lines) + "\n\n" + columns(rows)


def _difference(one: Preset, other: Preset) -> str:
    differing = one.convention.diff(other.convention)
    if not differing:
        return f"{one.name} and {other.name} set the same axes [{one.convention.digest}]\n"
    return columns([["axis", one.name, other.name], *([a, *pair] for a, pair in differing.items())])


def columns(rows: Sequence[Sequence[str]]) -> str:
    """Rows as aligned columns, two blanks apart."""
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    before = sum(widths[:-1]) + 2 * (len(widths) - 1)
    room = (terminal.width() or 0) - before
    lines = []
    for row in rows:
        lead = "".join(f"{cell:<{width}}  " for cell, width in zip(row, widths, strict=False))
        # On a terminal the last column is wrapped where it has room to be read.
        parts = textwrap.wrap(row[-1], room) if room >= _READABLE else [row[-1]]
        lines += [lead[:before] + (parts or [""])[0]]
        lines += [" " * before + part for part in parts[1:]]
    return "".join(line.rstrip() + "\n" for line in lines)
