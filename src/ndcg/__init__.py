"""Ranking measures with every convention explicit.

>>> import ndcg
>>> ev = ndcg.evaluate({"q": {"A": 3, "B": 0}}, {"q": {"A": 2.0, "B": 1.0}}, "nDCG@10")
>>> ev["nDCG@10"].mean
1.0
"""

from __future__ import annotations

from ndcg._version import VERSION as __version__  # noqa: N811 -- the customary name

TYPE_CHECKING = False  # importing typing would cost more than the rest of this module
if TYPE_CHECKING:
    from ndcg.axes import AXES
    from ndcg.comparison.comparing import compare
    from ndcg.convention import Convention
    from ndcg.diagnose.checking.checked import check
    from ndcg.diagnose.explaining.explained import explain
    from ndcg.diagnose.reconcile import reconcile
    from ndcg.diagnose.retrieval.asking import ceiling
    from ndcg.diagnose.trusting import trust
    from ndcg.errors import DataError, NdcgError, NdcgWarning, UsageError
    from ndcg.evaluation import evaluate
    from ndcg.evaluation.results import Evaluation
    from ndcg.evaluation.simple import dcg, ndcg
    from ndcg.gating.judging import gate
    from ndcg.measures.records import MEASURES
    from ndcg.presets import PRESETS

__all__ = [
    "AXES",
    "MEASURES",
    "PRESETS",
    "Convention",
    "DataError",
    "Evaluation",
    "NdcgError",
    "NdcgWarning",
    "UsageError",
    "__version__",
    "ceiling",
    "check",
    "compare",
    "dcg",
    "evaluate",
    "explain",
    "gate",
    "ndcg",
    "reconcile",
    "trust",
]

# Where each public name lives. They load on first use, so that `ndcg --help` need not wait for
# NumPy; a test holds this table and the imports above together.
_HOME = {
    "AXES": "ndcg.axes",
    "MEASURES": "ndcg.measures.records",
    "PRESETS": "ndcg.presets",
    "Convention": "ndcg.convention",
    "DataError": "ndcg.errors",
    "Evaluation": "ndcg.evaluation.results",
    "NdcgError": "ndcg.errors",
    "NdcgWarning": "ndcg.errors",
    "UsageError": "ndcg.errors",
    "ceiling": "ndcg.diagnose.retrieval.asking",
    "check": "ndcg.diagnose.checking.checked",
    "compare": "ndcg.comparison.comparing",
    "dcg": "ndcg.evaluation.simple",
    "evaluate": "ndcg.evaluation",
    "explain": "ndcg.diagnose.explaining.explained",
    "gate": "ndcg.gating.judging",
    "ndcg": "ndcg.evaluation.simple",
    "reconcile": "ndcg.diagnose.reconcile",
    "trust": "ndcg.diagnose.trusting",
}


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'ndcg' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
