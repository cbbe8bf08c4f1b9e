"""What would help each query most: one swap, one promotion, one missing document.

Found exactly, for all queries at once: see `weighed` and `ascents`. Tests compare with trying every
pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ndcg.diagnose.explaining.ascents import Raw, ascents
from ndcg.diagnose.explaining.parts import CUMULATED, STEPPED, Parts
from ndcg.diagnose.explaining.weighed import weighed
from ndcg.diagnose.explaining.weights import weights_of
from ndcg.kernel import Floats, Ints
from ndcg.measures.lists import Lists
from ndcg.measures.record import CLOSED
from ndcg.measures.registry import Measure
from ndcg.statistics.sample import TOLERANCE

KINDS = ("swap", "promotion", "missing")


@dataclass(frozen=True, slots=True)
class Changes:
    """The best change of a kind for each query; a gain of 0 where none helps.

    Attributes
    ----------
    gain : (n_queries,) in the measure, never negative.
    moved : (n_queries,) rank of the document that goes up; 0: it is missing, or none helps.
    to : (n_queries,) the rank that it gets.
    row : (n_queries,) of the missing document in `Lists.ranked`; -1: none.
    """

    gain: Floats
    moved: Ints
    to: Ints
    row: Ints


class Remedies(NamedTuple):
    """The best change of each kind, and for those that cannot be told, why."""

    changes: dict[str, Changes]
    untold: dict[str, str]


def remedies_of(lists: Lists, measure: Measure, parts: Parts) -> Remedies:
    """What would help each query most."""
    untold = _untold(lists, measure)
    told = [kind for kind in KINDS if kind not in untold]
    if not told:
        return Remedies({}, untold)
    if measure.name in STEPPED:
        found = ascents(lists, measure, parts)
    else:
        found = weighed(lists, measure, parts)
    return Remedies({kind: _shared(found[kind], parts) for kind in told}, untold)


def without_own(remedies: Remedies) -> Remedies:
    """The same where a query's own document was judged, and self_match:drop takes it out again."""
    changes = {kind: one for kind, one in remedies.changes.items() if kind != "missing"}
    why = "self_match:drop takes out the query's own document, which was judged"
    return Remedies(changes, {**remedies.untold, "missing": why})


def _shared(raw: Raw, parts: Parts) -> Changes:
    """Changes of sums as changes of values; what does not help is none."""
    gain, moved, to, row = raw
    value = parts.shares(np.arange(len(gain)), np.maximum(gain, 0.0))
    helps = value > 0
    return Changes(
        value, np.where(helps, moved, 0), np.where(helps, to, 0), np.where(helps, row, -1)
    )


def _untold(lists: Lists, measure: Measure) -> dict[str, str]:
    """The kinds that have no single answer under a convention, and why."""
    convention, docs = lists.convention, lists.ranked
    cumulated = measure.name in CUMULATED
    if convention.ties not in CLOSED:
        why = f"ties:{convention.ties} leaves open where tied documents stand"
    elif convention.rounding.partition(":")[0] in ("terms", "query"):
        why = f"rounding:{convention.rounding} hides small changes"
    elif convention.duplicates == "once" and docs.copy.any():
        why = "documents are listed more than once, and the first one counts"
    elif measure.name == "nDCG" and convention.ideal == "top_k":
        why = "ideal:top_k changes with the documents in the top k"
    else:
        why = ""
    if why:
        return dict.fromkeys(KINDS, why)
    if measure.name == "nDCG" and convention.ideal == "retrieved":
        return {"missing": "ideal:retrieved changes with what is retrieved"}
    if convention.depth != "all" and convention.unjudged.startswith("grade"):
        return {"missing": f"unjudged:{convention.unjudged} counts what depth would cut off then"}
    if measure.name not in STEPPED and not weights_of(lists, measure).fixed:
        longer = "ideal_depth:returned" if cumulated else f"{measure.name} without a cutoff"
        return {"missing": f"{longer} changes with the number of documents returned"}
    return {}


def best_kind(remedies: Remedies) -> list[str]:
    """For each query the kind of change that gains more than all others; empty where none does."""
    kinds = [kind for kind in KINDS if kind in remedies.changes]
    if not kinds:
        return []
    gains = np.array([remedies.changes[kind].gain for kind in kinds])
    top, largest = gains.argmax(axis=0), gains.max(axis=0)
    near = (gains >= largest - TOLERANCE).sum(axis=0)  # of kinds that gain the same none is first
    alone = (largest > TOLERANCE) & (near == 1)
    return [kinds[at] if alone[number] else "" for number, at in enumerate(top.tolist())]
