"""The measures of trec_eval by its own names, in the order in which it prints them.

A family is what follows ``-m``: one value, or one for each of its parameters. What it computes is
a measure of ours with the settings that trec_eval has for it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from ndcg.compat.parameters import Given
from ndcg.compat.seen import UNJUDGED, Seen
from ndcg.kernel import Bools, Floats, map_distinct
from ndcg.measures import gained as of_gains
from ndcg.measures.cumulated import dcg_value, idcg_value, ndcg_value
from ndcg.measures.lists import Lists
from ndcg.measures.persistence import rank_biased
from ndcg.measures.pooled import LEAST
from ndcg.measures.precisions import recall_cutoffs
from ndcg.measures.registry import Measure

ELEVEN = (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
RANKS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
_MULTIPLES = (0.2, 0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8, 2.0)


class Options(NamedTuple):
    """What decides about values beside the rankings."""

    version: int = 10  # of trec_eval
    collection: int = 0  # documents in it, for utility


Compute = Callable[[Seen, Options, Given], Floats]


class Family(NamedTuple):
    """A name that may follow ``-m``, and how it is computed and printed."""

    name: str
    compute: Compute | None = None  # for one of its parameters; None: not from ranked judgments
    kind: str = ""  # of its parameters: ranks, levels, points, coefficients, pairs, or none
    given: Given = ()  # its parameters where none are given
    whole: bool = False  # a count, printed without decimals
    over: str = "mean"  # the queries: mean, sum, geometric
    shown: str = "both"  # with the queries, in the summary, or both
    needs: str = "qrels"  # the format of the judgments; any
    since: int = 9  # the first version that has it

    def split(self, given: Given) -> list[Given]:
        """The parameters of each of its values."""
        return [(one,) for one in given] if self.kind in ("ranks", "levels") else [given]


def _plain(name: str, **settings: float | str) -> Compute:
    """A measure of ours as it is."""
    measure = Measure(name, parameters=tuple(settings.items()))
    return lambda seen, _, __: seen.value(measure)


def _cut(name: str) -> Compute:
    return lambda seen, _, given: seen.value(Measure(name, int(given[0])))


def _gained(value: Callable[[Lists, int | None, float], Floats]) -> Compute:
    return lambda seen, _, given: value(seen.gained(gains_of(given)), None, 1.0)


def gains_of(given: Given) -> dict[int, float]:
    """The gains of levels among pairs; of several for one level the first counts."""
    gains: dict[int, float] = {}
    for level, gain in given:
        if isinstance(level, int):
            gains.setdefault(level, gain)
    return gains


def _ndcg_cut(seen: Seen, _: Options, given: Given) -> Floats:
    return ndcg_value(seen.plain, int(given[0]), 1.0)


def _at_relevant(seen: Seen, _: Options, given: Given) -> Floats:
    """The measure, and 0 where it is negative."""
    value = of_gains.ndcg_at_relevant_value(seen.gained(gains_of(given)), None, 1.0)
    return np.where(value > 0, value, 0.0)


def _levels(seen: Seen, _: Options, given: Given) -> Floats:
    """RnDCG: nothing where no document is relevant, and NaN where none of them has a gain."""
    lists = seen.gained(gains_of(given))
    value = of_gains.ndcg_at_levels_value(lists, None, 1.0)
    relevant = seen.value(Measure("NumRel")) > 0
    gainful = idcg_value(lists, None, 1.0) > 0
    return np.where(relevant, np.where(gainful, value, math.nan), 0.0)


def _logarithm(name: str) -> Compute:
    def logarithm(seen: Seen, _: Options, __: Given) -> Floats:
        return map_distinct(math.log, np.maximum(seen.value(Measure(name)), LEAST))

    return logarithm


def _documents(options: Options) -> str:
    return "nearest" if options.version == 10 else "nine_tenths"


def _at_recall(seen: Seen, options: Options, given: Given) -> Floats:
    settings = (("recall", float(given[0])), ("documents", _documents(options)))
    value = seen.value(Measure("IPrec", parameters=settings))
    return np.where(_nothing_at(seen, options, given), math.nan, value)


def _over_recall(seen: Seen, options: Options, given: Given) -> Floats:
    points = "+".join(repr(float(one)) for one in given)
    settings = (("points", points), ("documents", _documents(options)))
    value = seen.value(Measure("IPrecAvg", parameters=settings))
    return np.where(_nothing_at(seen, options, given), math.nan, value)


def _nothing_at(seen: Seen, options: Options, points: Given) -> Bools:
    """The empty rankings that are asked for precision at no relevant document: 0 / 0 there."""
    relevant = seen.value(Measure("NumRel"))
    none = np.zeros(seen.n_queries, bool)
    for point in points:
        none |= recall_cutoffs(relevant, float(point), _documents(options)) == 0
    nothing: Bools = none & (seen.returned == 0)
    return nothing


def _multiple(seen: Seen, _: Options, given: Given) -> Floats:
    return seen.value(Measure("Rprec", parameters=(("times", float(given[0])),)))


def _set_f(seen: Seen, _: Options, given: Given) -> Floats:
    return seen.value(Measure("F", parameters=(("x", float(given[0])),)))


def _utility(seen: Seen, options: Options, given: Given) -> Floats:
    names = ("relret", "nonrelret", "relmissed", "nonrelmissed")
    worth = tuple((name, float(one)) for name, one in zip(names, given, strict=True))
    collection = ("collection", float(options.collection))
    return seen.value(Measure("Utility", parameters=(*worth, collection)))


def _persistence(given: Given) -> float:
    values = [value for name, value in given if name == "p"]
    return float(values[-1]) if values else 0.9


def _rbp(seen: Seen, _: Options, given: Given) -> Floats:
    """Graded RBP with gains brought to 0..1 by those of all levels up to the highest judged."""
    gains = gains_of(given)
    lists = seen.gained(gains)
    low, high = _extent(seen, gains)
    row, gain, rank = lists.laid_out(lists.gain, None)
    low, high = low[row], high[row]
    scaled = np.where((low < 0) | (high > 1), (gain - low) / np.maximum(high - low, 1e-300), gain)
    if not gains.get(UNJUDGED):
        scaled = np.where(lists.ranked.grade < 0, 0.0, scaled)
    return rank_biased(row, scaled, rank, None, _persistence(given), seen.n_queries)


def _extent(seen: Seen, gains: dict[int, float]) -> tuple[Floats, Floats]:
    """The lowest and highest gain among the levels that are listed or not above the judged ones."""

    def plain(highest: float) -> float:
        level = int(highest)
        while level in gains:
            level -= 1
        return float(max(level, 0))

    high = np.maximum(map_distinct(plain, seen.largest_judged()), max([0.0, *gains.values()]))
    low = np.full(seen.n_queries, min([0.0, *gains.values()]))
    return low, high


def _rbp_residual(seen: Seen, _: Options, given: Given) -> Floats:
    """Nothing where all that is retrieved is judged, though the ranking ends there too."""
    measure = Measure("RBPResidual", parameters=(("p", _persistence(given)),))
    unjudged = seen.plain_value(Measure("Unjudged")) > 0
    return np.where(unjudged, seen.plain_value(measure), 0.0)


def _unjudged(seen: Seen, _: Options, given: Given) -> Floats:
    return seen.plain_value(Measure("Unjudged", int(given[0])))


_PREFERENCES = tuple(
    Family(f"prefs_{name}", whole=name.startswith("num"), needs="prefs",
           over="sum" if name.startswith("num") else "mean")
    for name in (
        "num_prefs_poss", "num_prefs_ful", "num_prefs_ful_ret", "simp", "pair", "avgjg",
        "avgjg_Rnonrel", "simp_ret", "pair_ret", "avgjg_ret", "avgjg_Rnonrel_ret", "simp_imp",
        "pair_imp", "avgjg_imp",
    )
)  # fmt: skip
_COUNT = {"whole": True, "over": "sum"}

FAMILIES: dict[str, Family] = {
    one.name: one
    for one in (
        Family("runid", shown="summary", needs="any"),
        Family("num_q", shown="summary", needs="any", whole=True, over="sum"),
        Family("num_ret", _plain("NumRet"), whole=True, over="sum"),
        Family("num_rel", _plain("NumRel"), whole=True, over="sum"),
        Family("num_rel_ret", _plain("NumRelRet"), whole=True, over="sum"),
        Family("map", _plain("AP")),
        Family("gm_map", _logarithm("AP"), over="geometric", shown="summary"),
        Family("Rprec", _plain("Rprec")),
        Family("bpref", _plain("Bpref")),
        Family("recip_rank", _plain("RR")),
        Family("iprec_at_recall", _at_recall, "levels", ELEVEN),
        Family("P", _cut("P"), "ranks", RANKS),
        Family("relstring", kind="length", given=(10,), shown="queries"),
        Family("recall", _cut("R"), "ranks", RANKS),
        Family("infAP", _plain("infAP")),
        Family("gm_bpref", _logarithm("Bpref"), over="geometric", shown="summary"),
        Family("Rprec_mult", _multiple, "levels", _MULTIPLES),
        Family("utility", _utility, "coefficients", (1.0, -1.0, 0.0, 0.0)),
        Family("11pt_avg", _over_recall, "points", ELEVEN),
        Family("binG", _plain("BinG")),
        Family("G", _gained(of_gains.normalised_gain_value), "pairs"),
        Family("dcg", _gained(dcg_value), "pairs", since=10),
        Family("ideal_dcg", _gained(idcg_value), "pairs", since=10),
        Family("ndcg", _gained(ndcg_value), "pairs"),
        Family("ndcg_rel", _at_relevant, "pairs"),
        Family("Rndcg", _levels, "pairs"),
        Family("ndcg_cut", _ndcg_cut, "ranks", RANKS),
        Family("map_cut", _cut("AP"), "ranks", RANKS),
        Family("relative_P", _cut("RelativeP"), "ranks", RANKS),
        Family("success", _cut("Success"), "ranks", (1, 5, 10)),
        Family("set_P", _plain("P")),
        Family("set_relative_P", _plain("RelativeP")),
        Family("set_recall", _plain("R")),
        Family("set_map", _plain("SetAP")),
        Family("set_F", _set_f, "coefficients", (1.0,)),
        Family("num_nonrel_judged_ret", _plain("NumNonrelRet"), whole=True, over="sum"),
        *_PREFERENCES,
        Family("map_avgjg", needs="qrels_jg"),
        Family("P_avgjg", kind="ranks", given=RANKS, needs="qrels_jg"),
        Family("Rprec_mult_avgjg", kind="levels", given=_MULTIPLES, needs="qrels_jg"),
        Family("yaap", _plain("YAAP")),
        Family("rbp", _rbp, "pairs", since=10),
        Family("rbp_resid", _rbp_residual, "pairs", since=10),
        Family("unj", _unjudged, "ranks", (5, 10, 20), since=10),
    )
}

_OFFICIAL = ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "map", "gm_map", "Rprec",
             "bpref", "recip_rank", "iprec_at_recall", "P")  # fmt: skip
_ALL = (*_OFFICIAL, "relstring", "recall", "infAP", "gm_bpref", "Rprec_mult", "utility", "11pt_avg",
        "binG", "G", "ndcg", "ndcg_rel", "Rndcg", "ndcg_cut", "map_cut", "relative_P", "success",
        "set_P", "set_relative_P", "set_recall", "set_map", "set_F",
        "num_nonrel_judged_ret")  # fmt: skip
_ALL_PREFERENCES = ("runid", "num_q", *(one.name for one in _PREFERENCES))


def nicknames(version: int) -> dict[str, Sequence[str]]:
    """The names that stand for several families."""
    new = ("rbp", "rbp_resid", "unj") if version == 10 else ()
    return {
        "official": _OFFICIAL,
        "set": ("runid", "num_q", "num_ret", "num_rel", "num_rel_ret", "utility", "set_P",
                "set_relative_P", "set_recall", "set_map", "set_F"),
        "all_trec": (*_ALL, *new),
        "prefs": _ALL_PREFERENCES[:8],
        "all_prefs": _ALL_PREFERENCES,
        "qrels_jg": ("runid", "num_q", "map_avgjg", "P_avgjg", "Rprec_mult_avgjg"),
    }  # fmt: skip
