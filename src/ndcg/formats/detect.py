"""What a file is when it is not what it was given as: told by its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ndcg.convention import number_of

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
    start = text.lstrip()[:1]
    first_line = text.lstrip().partition("\n")[0]
    if is_metric_printout(rows):
        return "a printout of trec_eval (measure, query, value)"
    if start in "{[":
        return "JSON"
    if start == "<":
        return "XML or HTML"
    if re.search(r"\bqid:\S+ .*\d+:", first_line):
        return "learning-to-rank data (grade qid:query feature:value ...)"
    for mark, name in ((",", "comma"), (";", "semicolon"), ("::", "double colon")):
        if mark in first_line and len(first_line.split(mark)) > 2 > first_line.count("\t"):
            return f"a table separated by {name}s"
    if "\t" in first_line and not re.search(r"[0-9]", first_line.split("\t")[-1]):
        return f"a table with the header {' | '.join(first_line.split())}"
    return None
