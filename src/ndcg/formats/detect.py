"""What a text file is, told by its first lines: how it is to be read, or why it is not."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ndcg.axes import number_of
from ndcg.formats.rows import split_rows
from ndcg.formats.trec_layouts import LAYOUTS
from ndcg.stores.names import is_header, kind_of

# Names that trec_eval, or our own trec output, print in the first column.
_PRINTED = re.compile(
    r"(runid|num_q|num_ret|num_rel|num_rel_ret|map|gm_map|Rprec|bpref|recip_rank|infAP|ndcg|"
    r"11pt_avg|set_\w+|(P|recall|ndcg_cut|map_cut|success|relative_P|iprec_at_recall)_[0-9.]+|"
    r"(nDCG|DCG|IDCG|P|R|AP|RR|Success)(\(.*\))?(@[0-9]+)?)"
)
_BEGINNINGS = (
    ("{", "JSON"),
    ("[", "JSON"),
    ("<", "XML or HTML"),
    ("model-index:", "a model card of Hugging Face (YAML)"),
)
_MARKS = ((",", "comma"), (";", "semicolon"), ("::", "double colon"), ("|", "pipe"))
_LOOKED_AT = 50  # rows that decide
_BLANKS = " \t\r\v\f"
_HEAD = 1 << 16  # characters of them that are looked at
_START = 1000  # characters of a line in which the second field ends
_TIMES = 100_000_000  # seconds; what is larger is a time after 1973 rather than a grade


def is_metric_printout(rows: Sequence[list[str]]) -> bool:
    """Whether rows are what trec_eval prints: measure, query or ``all``, value."""
    head = [row for row in rows[:_LOOKED_AT] if row]
    return bool(head) and all(
        len(row) == 3
        and _PRINTED.fullmatch(row[0])
        and (number_of(row[2]) is not None or row[2] in ("nan", "-nan") or row[0] == "runid")
        for row in head
    )


def other_kind(text: str, rows: Sequence[list[str]]) -> str | None:
    """What kind of file this is, if it is a known one that TREC readers do not read."""
    if is_metric_printout(rows):
        return "a printout of measures (measure, query, value)"
    body = text.lstrip()
    first_line = body.partition("\n")[0]
    for begins, kind in _BEGINNINGS:
        if body.startswith(begins):
            return kind
    kinds = (
        (re.search(r"\bqid:\S+ ", first_line[:_START]),
         "learning-to-rank data (grade qid:query feature:value ...)"),
        (all(len(row) == 1 and number_of(row[0]) is not None for row in rows[:_LOOKED_AT]),
         "numbers, one a line: scores or group sizes of learning-to-rank data"),
        (_has_texts(text), "candidates with their texts, as in MS MARCO's top1000 files"),
        *((first_line.count(mark) > 1 and len(rows[0]) < 3, f"a table separated by {name}s")
          for mark, name in _MARKS),
    )  # fmt: skip
    return next((kind for found, kind in kinds if found), None)


def layout_of(text: str, role: str) -> str:
    """How a text is to be read: ``trec``, ``delimited``, ``json``, ``pairs``, ``ir_datasets``.

    What is none of these is left to the TREC reader, whose refusal shows the first row.
    """
    lines = _head_lines(text)
    rows = split_rows("\n".join(lines)) if lines else []
    if not rows or is_metric_printout(rows):
        return "trec"  # whose refusal says what it is
    width = len(rows[0])
    if _has_blank_ids(lines, rows) and not _has_texts(text):
        return "delimited"
    even = sum(len(row) == width for row in rows) * 2 >= len(rows)
    layout = LAYOUTS[role].get(width)
    if even and layout is not None and number_of(rows[0][layout.number].strip('"')) is not None:
        return "ir_datasets" if role == "qrels" and is_ir_datasets(rows) else "trec"
    if text.lstrip()[:1] in ("{", "["):
        return "json"
    if is_delimited(lines, width) and not _has_texts(text):
        return "delimited"
    return "pairs" if role == "qrels" and all(len(row) == 2 for row in rows) else "trec"


def head_of(text: str) -> list[list[str]]:
    """The first rows of a text."""
    lines = _head_lines(text)
    return split_rows("\n".join(lines)) if lines else []


def _head_lines(text: str) -> list[str]:
    """The first lines that hold something and do not begin as comments do."""
    lines, start = list[str](), 0
    while len(lines) < _LOOKED_AT and start < len(text):
        end = text.find("\n", start)
        end = end if end >= 0 else len(text)
        line, start = text[start : min(end, start + _HEAD)], end + 1
        if line.strip() and line.lstrip(_BLANKS)[0] != "#":
            lines.append(line)
    return lines


def _has_blank_ids(lines: Sequence[str], rows: Sequence[list[str]]) -> bool:
    """Whether tabs cut all lines alike and blanks stand inside of their fields.

    Files of the TREC family that mix both have their second column to be known by.
    """
    tabs = {line.count("\t") for line in lines}
    if len(tabs) != 1 or not tabs & {1, 2, 3, 4, 5}:
        return False
    cells = [cell.strip(_BLANKS) for line in lines for cell in line.split("\t")]
    fixed = all(len(row) > 1 and row[1].upper() in ("0", "1", "Q0") for row in rows)
    return any(" " in cell for cell in cells) and not fixed


def records(text: str) -> list[list[str]]:
    """The rows of a text that hold something and do not begin as comments do."""
    return [row for row in split_rows(text) if row and row[0][0] != "#"]


def is_delimited(lines: Sequence[str], width: int) -> bool:
    """Whether lines are cut by commas, semicolons or tabs, of which the first may be a header."""
    bare = [re.sub(r'"[^"]*"', "", line) for line in lines]
    if "::" in bare[0]:
        return False
    for mark in ("\t", ",", ";"):
        cells = [cell.strip('"') for cell in lines[0].strip("\r").split(mark)]
        if len(cells) > 1 and (is_header(cells) or kind_of(cells) is not None):
            return True
        even = len({line.count(mark) for line in bare}) == 1
        padded = any(not cell or " " in cell for cell in cells)  # blanks would cut otherwise
        if len(cells) > 1 and ((even and padded) or (mark != "\t" and (even or width < 3))):
            return True
    return False


def is_timed(rows: Sequence[list[str]]) -> bool:
    """Whether rows of four columns end in times: user, item, rating, time."""
    last = [number_of(row[-1]) for row in rows[:_LOOKED_AT]]
    wide = all(len(row) == 4 for row in rows[:_LOOKED_AT])
    return wide and all(value is not None and value > _TIMES for value in last)


def is_ir_datasets(rows: Sequence[list[str]]) -> bool:
    """Whether judgments of four columns are query, document, grade, iteration.

    The second column then holds ids that do not repeat in a query, the third numbers.
    """
    if any(len(row) != 4 or number_of(row[2]) is None for row in rows):
        return False
    second = {row[1] for row in rows}
    names = any(number_of(one) is None and one.upper() != "Q0" for one in second)
    different = len({(row[0], row[1]) for row in rows}) == len(rows)
    return names and different and (len(second) > 1 or len(rows) == 1)


def has_no_first_rank(rows: Sequence[list[str]]) -> bool:
    """Whether rows of three columns end in numbers that are hardly ranks: none is 0 or 1."""
    if any(len(row) != 3 for row in rows):
        return False
    ranks = [number_of(row[2].strip('"')) for row in rows]
    return bool(ranks) and all(rank is not None and rank > 1 for rank in ranks)


def is_undecided(rows: Sequence[list[str]]) -> bool:
    """Whether four columns of numbers could be either order of judgments: all end in 0."""
    if any(len(row) != 4 or row[3] != "0" or number_of(row[2]) is None for row in rows):
        return False
    second, third = {row[1] for row in rows}, {row[2] for row in rows}
    return len(second) > 1 and third != {"0"} and all(number_of(one) is not None for one in second)


def _has_texts(text: str) -> bool:
    """Whether tabs cut every line into query, document and their texts."""
    rows = [line.split("\t") for line in text[:_HEAD].split("\n")[:_LOOKED_AT] if line.strip()]
    return bool(rows) and all(
        len(row) >= 4
        and " " not in row[0] + row[1]
        and " " in row[2].strip()
        and number_of(row[2]) is None
        for row in rows
    )
