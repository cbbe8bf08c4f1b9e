"""The names that other tools give to these measures. A name never sets a convention."""

from __future__ import annotations

import re
from typing import NamedTuple


class Foreign(NamedTuple):
    """A name of another tool: what it stands for here, and whose it is."""

    given: str
    measure: str
    k: int | None
    owner: str  # whose name it is, as a phrase
    preset: str | None  # the preset that gives that tool's number, where there is one


class _Pattern(NamedTuple):
    names: dict[str, str]  # foreign name -> ours
    notation: str  # regular expression around NAME; group k is the cutoff
    owner: str
    preset: str | None


_CUT = r"[_.](?P<k>[0-9]{1,18})"
_AT = r"@(?P<k>[0-9]{1,18})"
_PATTERNS = (
    _Pattern(
        {"ndcg_cut": "nDCG", "map_cut": "AP", "P": "P", "recall": "R", "success": "Success"},
        f"NAME{_CUT}", "trec_eval's name", "trec_eval",
    ),
    _Pattern(
        {"ndcg": "nDCG", "map": "AP", "recip_rank": "RR", "set_P": "P", "set_recall": "R",
         "dcg": "DCG", "ideal_dcg": "IDCG"},
        "NAME", "trec_eval's name", "trec_eval",
    ),
    _Pattern(
        {"NDCG": "nDCG", "MAP": "AP", "Recall": "R", "MRR": "RR"},
        f"NAME{_AT}", "BEIR's name", "pytrec_eval",
    ),
    _Pattern(
        {"ndcg": "nDCG", "map": "AP", "recall": "R", "precision": "P", "mrr": "RR"},
        "NAME_at_(?P<k>[0-9]{1,18})", "MTEB's name", "pytrec_eval",
    ),
    _Pattern(
        {"ndcg": "nDCG", "ndcg_burges": "nDCG", "dcg": "DCG", "map": "AP", "mrr": "RR",
         "precision": "P", "recall": "R", "hit_rate": "Success"},
        f"NAME{_AT}", "ranx's name", None,
    ),
    _Pattern(
        {"MAP": "AP", "MRR": "RR", "NDCG": "nDCG", "mrr": "RR", "Precision": "P", "Recall": "R",
         "HitRate": "Success", "Hit": "Success", "HR": "Success", "hit": "Success",
         "hits": "Success", "hit_rate": "Success"},
        f"NAME(?:{_AT})?", "a name used by many tools", None,
    ),
)  # fmt: skip


def foreign_name(text: str) -> Foreign | None:
    """What another tool's name stands for, or None when nobody uses it.

    >>> foreign_name("ndcg_cut_10").measure, foreign_name("ndcg_cut_10").owner
    ('nDCG', "trec_eval's name")
    """
    for pattern in _PATTERNS:
        for name, measure in pattern.names.items():
            match = re.fullmatch(pattern.notation.replace("NAME", re.escape(name)), text, re.ASCII)
            if match is None:
                continue
            cutoff = match.groupdict().get("k")
            if cutoff is None or int(cutoff) > 0:
                k = None if cutoff is None else int(cutoff)
                return Foreign(text, measure, k, pattern.owner, pattern.preset)
    return None
