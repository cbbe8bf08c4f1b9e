"""The words that the shared collections use, translated into axes and measures of ours.

`axes_of` reads the conventions of `shared/cases`, `measure_of` the names that trec_eval prints.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

# -- shared/cases: convention words (its README.md lists them) ---------------------------------

# key -> word -> the axes it means
CASE_WORDS: dict[str, dict[str, dict[str, str]]] = {
    "gain": {word: {"gain": word} for word in ("exp2", "linear", "binary")},
    "discount": {
        "log2(i+1)": {"discount": "log2"},
        "log2(max(i,2))": {"discount": "jarvelin:2"},  # 1 at ranks 1 and 2, then log2(rank)
        "1/i": {"discount": "reciprocal"},
    },
    "ideal": {
        "judged": {"ideal": "judged", "ideal_depth": "cutoff"},
        "judged_nocut": {"ideal": "judged", "ideal_depth": "all"},
        "retrieved": {"ideal": "retrieved"},
        "k_ones": {"ideal": "slots:1"},
    },
    "ties": {
        "expected": {"ties": "expected"},
        "best": {"ties": "best"},
        "worst": {"ties": "worst"},
        "input_order": {"ties": "input"},
        "docid_asc": {"ties": "docid_asc"},
        "docid_desc": {"ties": "docid_desc"},
    },
    "empty": {word: {"empty": word} for word in ("exclude", "zero", "one")},
    "missing": {"zero": {"missing": "zero"}, "skip": {"missing": "exclude"}},
    "negative": {
        "clamp": {"negative": "clamp"},
        "mask": {"negative": "unjudged"},
        "raw": {"negative": "keep"},
    },
    "unjudged": {"zero": {"unjudged": "zero"}, "drop": {"unjudged": "drop"}},
    "dedupe": {"none": {}, "first": {}},  # informative: the runs are deduplicated already
}

CASE_MEASURES = {"ndcg": "nDCG", "dcg": "DCG", "idcg": "IDCG"}


class NotOursError(ValueError):
    """A word that no axis value or measure of ours stands for."""


def case_measure(metric: str, k: int | None) -> str:
    """The measure that ``metric`` and ``k`` of a check mean."""
    return CASE_MEASURES[metric] + ("" if k is None else f"@{k}")


def axes_of(conventions: Mapping[str, object], metric: str = "ndcg") -> dict[str, str]:
    """The axes that the convention words of a check mean.

    `weights` is no axis and left out. Not ours: ``ln(i+1)`` (but the base of the logarithm cancels
    in nDCG), ideals ``len:n``, and gains ``binary>=t`` (a gain table once the grades are known).
    """
    axes: dict[str, str] = {}
    for key, word in conventions.items():
        if key == "weights":
            continue
        if word == "ln(i+1)" and metric == "ndcg":
            axes["discount"] = "log2"
        elif word in CASE_WORDS[key]:
            axes |= CASE_WORDS[key][str(word)]
        else:
            raise NotOursError(f"{key}: {word}")
    return axes


# -- trec_eval: names of measures --------------------------------------------------------------

# name -> ours, and whether its relevance level (-l) moves it
TREC_MEASURES: dict[str, tuple[str, bool]] = {
    "ndcg": ("nDCG", False),
    "ndcg_cut": ("nDCG", False),
    "dcg": ("DCG", False),
    "ideal_dcg": ("IDCG", False),
    "map": ("AP", True),
    "map_cut": ("AP", True),
    "recip_rank": ("RR", True),
    "P": ("P", True),
    "set_P": ("P", True),
    "recall": ("R", True),
    "set_recall": ("R", True),
    "success": ("Success", True),
}
_CUT = ("ndcg_cut", "map_cut", "P", "recall", "success")
_NAME = re.compile(rf"({'|'.join(_CUT)})_([0-9]+)|({'|'.join(set(TREC_MEASURES) - {*_CUT})})")
_GAINS = re.compile(r"ndcg_((?!rel_)[^=]+=.*)")

# The grades of the conformance kit's gain cases: a table of ours lists every grade.
_KIT_GRADES = range(5)


def measure_of(printed: str, level: int = 1, *, text_level: int | None = None) -> str | None:
    """The measure of ours that trec_eval prints under a name, or None when there is none.

    Parameters
    ----------
    printed
        Such as ``ndcg_cut_10``, ``P_5`` or ``ndcg_1=1,2=3``.
    level
        What ``-l`` was: the lowest grade that is relevant.
    text_level
        The level that a word in place of a level stands for (0 in trec_eval 9, nothing in 10).
    """
    if gains := _GAINS.fullmatch(printed):
        return f"nDCG(gain={_gain_table(gains[1], text_level)})"
    match = _NAME.fullmatch(printed)
    if match is None:
        return None
    name, has_level = TREC_MEASURES[match[1] or match[3]]
    rel = f"(rel={level})" if has_level and level != 1 else ""
    return f"{name}{rel}" + (f"@{match[2]}" if match[2] else "")


def _gain_table(text: str, text_level: int | None) -> str:
    """trec_eval's ``LEVEL=GAIN,...`` as a table of ours: levels not listed keep their grade."""
    table: dict[int, float] = {}
    for pair in text.split(","):
        word, _, gain = pair.partition("=")
        level = int(word) if re.fullmatch(r"-?[0-9]+", word) else text_level
        if level is None:
            continue
        if level < 0:
            raise NotOursError("a gain for unjudged documents that stays out of the ideal")
        table.setdefault(level, float(gain or 0))
    table = {grade: float(grade) for grade in _KIT_GRADES} | table
    return ",".join(f"{grade}={gain:g}" for grade, gain in sorted(table.items()))
