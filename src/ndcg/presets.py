"""Named conventions: pure data, no code asks which one is in force.

A preset says which tool and versions it stands for, how that was proved, and where the tool does
something that an axis cannot express (a deviation) and that is therefore not copied.
"""

from __future__ import annotations

from typing import NamedTuple

from ndcg.convention import Convention
from ndcg.errors import one_of


class Preset(NamedTuple):
    """A convention under a name, with the evidence for it."""

    name: str
    axes: dict[str, str]
    use: str  # one sentence for the user
    tool: str = ""
    versions: str = ""
    source: str = ""  # where the rule stands in the tool's own source
    evidence: str = ""
    deviations: tuple[str, ...] = ()

    @property
    def convention(self) -> Convention:
        """All axes: the preset's, and the defaults for the rest."""
        return Convention.from_dict(self.axes)


_TREC_EVAL = {
    "gain": "linear",
    "ties": "docid_desc",
    "negative": "unjudged",
    "empty": "zero",
    "missing": "error",
}
_TREC_EVAL_SOURCE = "m_ndcg.c, m_ndcg_cut.c, m_map.c, m_P.c, m_recall.c, form_res_rels.c"
_TREC_EVAL_EVIDENCE = (
    "every value of the real pairs and of kit case 26-deep-run equals the binary's double"
)
_TREC_EVAL_DEVIATIONS = (
    "fractional grades keep their fraction; trec_eval cuts them to whole numbers",
    "identical repeated judgments collapse; trec_eval stops",
    "a query whose grades are all negative counts 0; trec_eval stops if it comes first",
    "rows with columns after the tag and numbers such as 0x1p3 are refused; trec_eval reads them",
)

_ALL = (
    Preset(
        "ndcg",
        {},
        "use this for a new evaluation: the defaults of this package",
        tool="ndcg",
    ),
    Preset(
        "trec_eval-10",
        _TREC_EVAL,
        "use this to compare with trec_eval 10 as it is called without -c",
        tool="trec_eval",
        versions="10.0",
        source=_TREC_EVAL_SOURCE,
        evidence=_TREC_EVAL_EVIDENCE,
        deviations=_TREC_EVAL_DEVIATIONS,
    ),
    Preset(
        "trec_eval-9",
        {**_TREC_EVAL, "score_type": "float32", "missing": "exclude"},
        "use this to compare with trec_eval 9 (most published numbers), called without -c",
        tool="trec_eval",
        versions="9.0.8",
        source=_TREC_EVAL_SOURCE,
        evidence=_TREC_EVAL_EVIDENCE,
        deviations=_TREC_EVAL_DEVIATIONS,
    ),
    Preset(
        "trec_eval",
        {**_TREC_EVAL, "missing": "zero"},
        "use this to compare with trec_eval 10 called with -c: missing queries count 0",
        tool="trec_eval",
        versions="10.0 with -c",
        source=_TREC_EVAL_SOURCE,
        evidence=_TREC_EVAL_EVIDENCE,
        deviations=_TREC_EVAL_DEVIATIONS,
    ),
    Preset(
        "pytrec_eval",
        {**_TREC_EVAL, "score_type": "float32", "missing": "exclude"},
        "use this to compare with pytrec_eval and tools built on it, averaged over its own output",
        tool="pytrec_eval-terrier",
        versions="0.5.11",
        source="trec_eval 9.0.8 behind a dictionary interface",
        evidence="per query equal to the live package on random data with float32 ties",
        deviations=(
            "fractional grades are scored; pytrec_eval raises TypeError",
            "the mean adds queries one by one; NumPy's mean may differ in the last digit",
            "a query judged with an empty dictionary counts 0; pytrec_eval drops it",
        ),
    ),
)

PRESETS: dict[str, Preset] = {preset.name: preset for preset in _ALL}


def preset(name: str) -> Preset:
    """The preset of that name, or a `UsageError` naming the nearest one.

    >>> preset("trec_eval-9").convention.score_type
    'float32'
    """
    return PRESETS[one_of("preset", "a preset", name, PRESETS, see=" (see: ndcg presets)")]
