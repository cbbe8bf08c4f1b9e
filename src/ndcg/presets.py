"""Named conventions: pure data, no code asks which one is in force.

A preset says which tool and versions it stands for, how that was proved, and where the tool does
something that an axis cannot express (a deviation) and that is therefore not copied.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ndcg.convention import Convention
from ndcg.errors import Problem, UsageError, did_you_mean
from ndcg.preset_data import TOOLS


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
    probe: str = ""  # the configuration of the probes that it reproduces
    misses: tuple[str, ...] = ()  # probe cases that the tool answers otherwise, as deviations say
    tolerance: float = 0.0  # relative, between its numbers and the tool's; 0: to the last digits
    measure: str = "nDCG"  # what the tool computes

    @property
    def convention(self) -> Convention:
        """All axes: the preset's, and the defaults for the rest."""
        return Convention.from_dict(self.axes)


_TREC_EVAL = {
    "gain": "linear",
    "ties": "docid_desc",
    "grades": "truncate",
    "negative": "unjudged",
    "negative_only": "refuse_first",
    "empty": "zero",
    "no_judgments": "exclude",
    "missing": "error",
}
_TREC_EVAL_SOURCE = "m_ndcg.c, m_ndcg_cut.c, m_map.c, m_P.c, m_recall.c, form_res_rels.c"
_TREC_EVAL_EVIDENCE = (
    "every value on eight real TREC, MS MARCO and BEIR pairs equals the double that its binary "
    "computes"
)
_TREC_EVAL_DEVIATIONS = (
    "identical repeated judgments collapse; trec_eval stops",
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
        probe="trec_eval_10.0",
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
        probe="trec_eval_9.0.8",
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
        probe="trec_eval_10.0.complete",
    ),
    Preset(
        "pytrec_eval",
        {
            **_TREC_EVAL,
            "grades": "whole",
            "negative_only": "empty",
            "score_type": "float32",
            "missing": "exclude",
            "listed_empty": "zero",
        },
        "use this to compare with pytrec_eval and tools built on it, averaged over its own output",
        tool="pytrec-eval-terrier",
        versions="0.5.11",
        source="trec_eval 9.0.8 behind a dictionary interface",
        evidence="per query equal to the live package on random data with float32 ties",
        deviations=(
            "the mean adds queries one by one; NumPy's mean may differ in the last digit",
            "pytrec_eval does not return from a query with negative grades only after another one",
        ),
        probe="pytrec_eval",
    ),
)


def _of_tools() -> Iterator[Preset]:
    """The presets of `preset_data`, each with the parts of the one that it is a variant of."""
    known: dict[str, dict[str, Any]] = {}
    for one in TOOLS:
        base = known.get(one.get("of", ""), {})
        parts = {**base, **one, "axes": {**base.get("axes", {}), **one["axes"]}}
        known[one["name"]] = parts
        rest = {part: value for part, value in parts.items() if part not in ("call", "of")}
        yield Preset(use=f"use this to compare with {parts['call']}", **rest)


PRESETS: dict[str, Preset] = {preset.name: preset for preset in (*_ALL, *_of_tools())}


def preset(name: str) -> Preset:
    """The preset of that name, or a `UsageError` naming the nearest one.

    >>> preset("trec_eval-9").convention.score_type
    'float32'
    """
    if name in PRESETS:
        return PRESETS[name]
    known = ", ".join(one for one in PRESETS if "." not in one and "-" not in one)
    near = did_you_mean(name, PRESETS)
    how = f"presets: {known}, and variants of them (see: ndcg presets)"
    raise UsageError(
        Problem(
            "preset",
            f"{name!r} is not a preset{near}",
            help="ndcg presets lists them all" if near else how,
        )
    )
