"""The names that other tools give to these measures. A name never sets a convention."""

from __future__ import annotations

import re
from typing import NamedTuple


class Foreign(NamedTuple):
    """A name of another tool: what it stands for here, and whose it is."""

    given: str
    measure: str  # in our notation, such as nDCG@10
    owner: str  # whose name it is, as a phrase
    preset: str | None  # the preset that gives that tool's number, where there is one


class _Pattern(NamedTuple):
    names: dict[str, str]  # foreign name -> ours
    notation: str  # regular expression around NAME; group k is the cutoff, level another number
    ours: str  # our notation around NAME, with {k} or {level} for the groups
    owner: str
    preset: str | None


_CUT = r"[_.](?P<k>[0-9]{1,18})"
_AT = r"@(?P<k>[0-9]{1,18})"
_LEVEL = r"[_.](?P<level>[0-9]{0,9}(?:\.[0-9]{1,9})?)"
_TREC = ("trec_eval's name", "trec_eval")
_PATTERNS = (
    _Pattern(
        {"ndcg_cut": "nDCG", "map_cut": "AP", "P": "P", "recall": "R", "success": "Success",
         "relative_P": "RelativeP", "unj": "Unjudged"},
        f"NAME{_CUT}", "NAME@{k}", *_TREC,
    ),
    _Pattern({"iprec_at_recall": "IPrec"}, f"NAME{_LEVEL}", "NAME@{level}", *_TREC),
    _Pattern({"Rprec_mult": "Rprec"}, f"NAME{_LEVEL}", "NAME(times={level})", *_TREC),
    _Pattern({"set_F": "F"}, f"NAME{_LEVEL}", "NAME(x={level})", *_TREC),
    _Pattern(
        {"ndcg": "nDCG", "map": "AP", "recip_rank": "RR", "set_P": "P", "set_recall": "R",
         "dcg": "DCG", "ideal_dcg": "IDCG", "gm_map": "GMAP", "bpref": "Bpref",
         "gm_bpref": "GMBpref", "11pt_avg": "IPrecAvg", "binG": "BinG", "ndcg_rel": "nDCGRel",
         "Rndcg": "RnDCG", "rbp": "gRBP", "rbp_resid": "RBPResidual(p=0.9)", "yaap": "YAAP",
         "set_relative_P": "RelativeP", "set_map": "SetAP", "set_F": "F", "utility": "Utility",
         "num_q": "NumQ", "num_ret": "NumRet", "num_rel": "NumRel", "num_rel_ret": "NumRelRet",
         "num_nonrel_judged_ret": "NumNonrelRet"},
        "NAME", "NAME", *_TREC,
    ),
    _Pattern(
        {"NDCG": "nDCG", "MAP": "AP", "Recall": "R", "MRR": "RR"},
        f"NAME{_AT}", "NAME@{k}", "BEIR's name", "pytrec_eval",
    ),
    _Pattern(
        {"ndcg": "nDCG", "map": "AP", "recall": "R", "precision": "P", "mrr": "RR"},
        "NAME_at_(?P<k>[0-9]{1,18})", "NAME@{k}", "MTEB's name", "pytrec_eval",
    ),
    _Pattern(
        {"ndcg": "nDCG", "ndcg_burges": "nDCG", "dcg": "DCG", "map": "AP", "mrr": "RR",
         "precision": "P", "recall": "R", "hit_rate": "Success",
         "f1": "F"},
        f"NAME{_AT}", "NAME@{k}", "ranx's name", None,
    ),
    _Pattern(
        {"MAP": "AP", "MRR": "RR", "NDCG": "nDCG", "mrr": "RR", "Precision": "P", "Recall": "R",
         "HitRate": "Success", "Hit": "Success", "HR": "Success", "hit": "Success",
         "hits": "Success", "hit_rate": "Success"},
        f"NAME(?:{_AT})?", "NAME@{k}", "a name used by many tools", None,
    ),
)  # fmt: skip


def foreign_name(text: str) -> Foreign | None:
    """What another tool's name stands for, or None when nobody uses it.

    >>> foreign_name("ndcg_cut_10").measure, foreign_name("ndcg_cut_10").owner
    ('nDCG@10', "trec_eval's name")
    """
    for pattern in _PATTERNS:
        for name, measure in pattern.names.items():
            match = re.fullmatch(pattern.notation.replace("NAME", re.escape(name)), text, re.ASCII)
            if match is None:
                continue
            found = match.groupdict()
            cutoff, level = found.get("k"), found.get("level")
            ours = pattern.ours if cutoff or "{k}" not in pattern.ours else "NAME"
            if (cutoff is None or int(cutoff) > 0) and level != "":
                k = None if cutoff is None else int(cutoff)
                at = level if level is None or level[0] != "." else f"0{level}"
                own = ours.replace("NAME", measure).format(k=k, level=at)
                return Foreign(text, own, pattern.owner, pattern.preset)
    return None
