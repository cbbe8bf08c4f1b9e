"""Live tools beside their presets, query by query, on random judgments and runs.

The probes hold what the tools answered once, on small cases; here they answer again, on thousands.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib.util import find_spec
from typing import NamedTuple

import pytest

from conformance import peers
from conformance.peers import CUTOFFS, Adapter, Kind
from ndcg import PRESETS, NdcgError

QUERIES = 1000  # for each cutoff
EXACT = 0.0
DOUBLE = 1e-12  # the same numbers, added up in another order
DECIMALS = 1e-17  # XGBoost gives its numbers as text with 17 decimals, so 1e-9 has 9 digits

WHOLE = (0, 0, 1, 2, 3, 4)
# Halves and quarters: XGBoost and CatBoost keep grades in single precision, which holds them.
FRACTIONS = (0, 0, 0.25, 0.5, 1, 1.75, 2, 3)
NEGATIVE = (-2, -1, 0, 0, 1, 2, 3)


class Peer(NamedTuple):
    """A configuration of the probes, and what its tool takes."""

    probe: str
    module: str
    ask: Adapter
    kind: Kind
    tolerance: float = DOUBLE
    absolute: float = 0.0


TREC = Kind((*NEGATIVE, 40), unjudged_queries=True)
SKLEARN = Kind(FRACTIONS, fewest=2)
ANY = Kind((*FRACTIONS, -1, -0.5))

PEERS = (
    Peer("pytrec_eval", "pytrec_eval", peers.pytrec_eval, TREC, EXACT),
    Peer("pytrec_eval.judged_only", "pytrec_eval", peers.pytrec_eval_judged, TREC, EXACT),
    Peer("ir_measures.default", "ir_measures", peers.ir_measures, TREC, EXACT),
    Peer(
        "ir_measures.pytrec_eval.judged_only", "ir_measures", peers.ir_measures_judged, TREC, EXACT
    ),
    Peer("sklearn.ties_avg.returned", "sklearn", peers.sklearn_ties, SKLEARN),
    Peer("sklearn.exp.returned", "sklearn", peers.sklearn_exp, SKLEARN),
    Peer("sklearn.dcg.returned", "sklearn", peers.sklearn_dcg, ANY._replace(fewest=2)),
    Peer("lightgbm.returned", "lightgbm", peers.lightgbm_exp, Kind((*WHOLE, 30))),
    Peer(
        "lightgbm.label_gain_linear.returned",
        "lightgbm",
        peers.lightgbm_linear,
        Kind((*WHOLE, 30, 99)),
    ),
    Peer("xgboost.returned", "xgboost", peers.xgboost_exp, Kind((*WHOLE, 31)), absolute=DECIMALS),
    Peer(
        "xgboost.minus.returned",
        "xgboost",
        peers.xgboost_minus,
        Kind((*WHOLE, 31)),
        absolute=DECIMALS,
    ),
    Peer(
        "xgboost.exp_gain_false.returned", "xgboost", peers.xgboost_linear, ANY, absolute=DECIMALS
    ),
    Peer("catboost.base.returned", "catboost", peers.catboost_base, ANY),
    Peer("catboost.exp.returned", "catboost", peers.catboost_exp, ANY),
    Peer("catboost.base.position.returned", "catboost", peers.catboost_position, ANY),
    Peer("catboost.exp.position.returned", "catboost", peers.catboost_exp_position, ANY),
    Peer("catboost.dcg.base.returned", "catboost", peers.catboost_dcg, ANY),
)
BY_PROBE = {one.probe: one for one in PEERS}
UNIONS = (
    "sklearn.ties_avg",
    "sklearn.exp",
    "sklearn.dcg",
    "lightgbm",
    "xgboost",
    "catboost.base",
    "catboost.exp",
)


def need(module: str) -> None:
    """Without the tool the test skips, and in CI it fails."""
    if find_spec(module) is None:
        absent = f"{module} is not installed: make test installs it"
        if os.environ.get("CI") == "true":
            pytest.fail(absent, pytrace=False)
        pytest.skip(absent)


@pytest.mark.parametrize("k", CUTOFFS)
@pytest.mark.parametrize("peer", PEERS, ids=[one.probe for one in PEERS])
def test_every_query_has_the_value_that_the_live_tool_gives(
    peer: Peer, k: int | None, record_property: Callable[[str, object], None]
) -> None:
    compare(peer, peer.probe, k, record_property)


@pytest.mark.parametrize("k", CUTOFFS)
@pytest.mark.parametrize("probe", UNIONS)
def test_the_same_where_the_tool_is_also_given_the_documents_that_the_run_misses(
    probe: str, k: int | None, record_property: Callable[[str, object], None]
) -> None:
    compare(BY_PROBE[f"{probe}.returned"], f"{probe}.union", k, record_property)


def compare(
    peer: Peer, probe: str, k: int | None, record_property: Callable[[str, object], None]
) -> None:
    """Ask the tool and the preset of a configuration the same, and count the queries."""
    need(peer.module)
    preset = peers.preset_of(probe)
    qrels, run = peers.random_queries(peer.kind, 1 + CUTOFFS.index(k), QUERIES)
    given = peers.appended(qrels, run) if probe.endswith(".union") else run
    theirs = peer.ask(qrels, given, k)
    mine = peers.ours(preset, qrels, run, k)
    assert peers.differences(mine, theirs, peer.tolerance, peer.absolute) == {}
    assert len(mine) == QUERIES
    assert len(theirs) > 0.8 * QUERIES
    record_property("live", [preset.tool, QUERIES])


REFUSED = (
    ("pytrec_eval", [2, 0.5], "integer"),
    ("pytrec_eval.judged_only", [2, 0.5], "integer"),
    ("ir_measures.default", [2, 0.5], "integer"),
    ("sklearn.ties_avg.returned", [2, -1], "negative"),
    ("sklearn.ties_avg.returned", [2], "more than 1 document"),
    ("sklearn.exp.returned", [2, -1], "negative"),
    ("sklearn.dcg.returned", [2], "binary"),
    ("lightgbm.returned", [2, -1], "[Ll]abel"),
    ("lightgbm.returned", [2, 0.5], "[Ll]abel"),
    ("lightgbm.returned", [2, 31], "[Ll]abel"),
    ("lightgbm.label_gain_linear.returned", [2, -1], "[Ll]abel"),
    ("lightgbm.label_gain_linear.returned", [2, 0.5], "[Ll]abel"),
    ("lightgbm.label_gain_linear.returned", [2, 100], "[Ll]abel"),
    ("xgboost.returned", [2, -1], "[Ll]abel"),
    ("xgboost.returned", [2, 0.5], "[Ll]abel"),
    ("xgboost.returned", [2, 32], "[Ll]abel"),
    ("xgboost.minus.returned", [2, 0.5], "[Ll]abel"),
)


@pytest.mark.parametrize(("probe", "grades", "says"), REFUSED)
def test_what_a_live_tool_refuses_its_preset_refuses(
    probe: str, grades: list[float], says: str
) -> None:
    peer = BY_PROBE[probe]
    need(peer.module)
    qrels = {"q": {f"d{n}": grade for n, grade in enumerate(grades)}}
    run = {"q": {f"d{n}": float(n) for n in range(len(grades))}}
    with pytest.raises(Exception, match=says):
        peer.ask(qrels, run, 3)
    with pytest.raises(NdcgError):
        peers.ours(peers.preset_of(probe), qrels, run, 3)


@pytest.mark.parametrize("probe", ["sklearn.dcg.returned", "catboost.dcg.base.returned"])
def test_a_dcg_below_a_best_dcg_of_0(probe: str) -> None:
    peer = BY_PROBE[probe]
    need(peer.module)
    qrels, run = {"q": {"A": -1.0, "B": 0.0}}, {"q": {"A": 2.0, "B": 1.0}}
    assert peers.ours(peers.preset_of(probe), qrels, run, 1) == peer.ask(qrels, run, 1)


def test_the_evidence_of_a_preset_says_whether_its_tool_runs_here() -> None:
    live = {*BY_PROBE, *(f"{probe}.union" for probe in UNIONS)}
    said = {one.probe for one in PRESETS.values() if "live" in one.evidence}
    assert said == live
