"""What a file is when it is not what it was given as: told by its first lines."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ndcg.axes import number_of

# Names that trec_eval, or our own trec output, print in the first column.
_PRINTED = re.compile(
    r"(runid|num_q|num_ret|num_rel|num_rel_ret|map|gm_map|Rprec|bpref|recip_rank|infAP|ndcg|"
    r"11pt_avg|set_\w+|(P|recall|ndcg_cut|map_cut|success|relative_P|iprec_at_recall)_[0-9.]+|"
    r"(nDCG|DCG|IDCG|P|R|AP|RR|Success)(\(.*\))?(@[0-9]+)?)"
)
# Words that stand in headers and in no record.
_HEADER_WORDS = """
query query-id query_id qid topic topic_id user userid user_id doc docid doc_id docno document
document_id corpus-id corpus_id item itemid item_id iteration iter score sim rank position grade
rel relevance label rating gain prediction tag run runid run_id
"""
_HEADER = frozenset(_HEADER_WORDS.split())
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
        return "a printout of measures (measure, query, value)"
    body = text.lstrip()
    first_line = body.partition("\n")[0]
    for begins, kind in (("{", "JSON"), ("[", "JSON"), ("<", "XML or HTML")):
        if body.startswith(begins):
            return kind
    if re.search(r"\bqid:\S+ ", first_line):
        return "learning-to-rank data (grade qid:query feature:value ...)"
    for mark, name in ((",", "comma"), (";", "semicolon"), ("::", "double colon")):
        if first_line.count(mark) > 1 and len(rows[0]) < 3:
            return f"a table separated by {name}s"
    return None


def is_header(fields: Sequence[str]) -> bool:
    """Whether a first row names columns instead of holding a record."""
    return sum(field.lower() in _HEADER for field in fields) > 1
