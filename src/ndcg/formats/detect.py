"""What a file is when it is not what it was given as: told by its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ndcg.axes import number_of

# Names that trec_eval prints in its first column.
_PRINTED = re.compile(
    r"(runid|num_q|num_ret|num_rel|num_rel_ret|map|gm_map|Rprec|bpref|recip_rank|infAP|ndcg|"
    r"11pt_avg|set_\w+|(P|recall|ndcg_cut|map_cut|success|relative_P|iprec_at_recall)_[0-9.]+)"
)
_LOOKED_AT = 50  # rows that decide


def is_metric_printout(rows: Sequence[list[str]]) -> bool:
    """Whether rows are what trec_eval prints: measure, query or ``all``, value."""
    head = [row for row in rows[:_LOOKED_AT] if row]
    return bool(head) and all(
        len(row) == 3
        and _PRINTED.fullmatch(row[0])
        and (number_of(row[2]) is not None or row[0] == "runid")
        for row in head
    )


def other_kind(text: str, rows: Sequence[list[str]]) -> str | None:
    """What kind of file this is, if it is a known one that TREC readers do not read."""
    if is_metric_printout(rows):
        return "a printout of trec_eval (measure, query, value)"
    body = text.lstrip()
    first_line = body.partition("\n")[0]
    for begins, kind in (("{", "JSON"), ("[", "JSON"), ("<", "XML or HTML")):
        if body.startswith(begins):
            return kind
    if re.search(r"\bqid:\S+ .*\d+:", first_line):
        return "learning-to-rank data (grade qid:query feature:value ...)"
    return _table_kind(first_line)


def _table_kind(first_line: str) -> str | None:
    for mark, name in ((",", "comma"), (";", "semicolon"), ("::", "double colon")):
        if mark in first_line and len(first_line.split(mark)) > 2 > first_line.count("\t"):
            return f"a table separated by {name}s"
    if "\t" in first_line and not re.search(r"[0-9]", first_line.rsplit("\t", maxsplit=1)[-1]):
        return f"a table with the header {' | '.join(first_line.split())}"
    return None
