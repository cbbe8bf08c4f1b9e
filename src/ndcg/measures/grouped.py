"""The records of measures whose judgments have groups: only ``ndcg trec-eval -R`` computes them."""

from __future__ import annotations

from typing import NamedTuple

_GROUPS = "judgments by group: ndcg trec-eval -R qrels_jg"
_PREFERENCES = "preferences between documents: ndcg trec-eval -R prefs (or qrels_prefs)"
_ASCENDING = "document ids ascending (trec_eval's order for preferences)"
_DESCENDING = "document ids descending"


class GroupedRecord(NamedTuple):
    """What there is to know about a measure of judgments with groups, by trec_eval's name."""

    name: str
    title: str
    formula: str
    range: str
    example: tuple[str, str]  # a name in full, and its arithmetic on the ranking of the cards
    needs: str
    ties: str
    over_queries: str = "mean"
    source: str = "trec_eval"


def _preference(name: str, title: str, formula: str, arithmetic: str) -> GroupedRecord:
    counted = name.startswith("num_")
    return GroupedRecord(
        f"prefs_{name}", title, formula, "0 up" if counted else "0 to 1",
        (f"prefs_{name}", arithmetic), _PREFERENCES, _ASCENDING, "sum" if counted else "mean",
    )  # fmt: skip


_BOTH = "both documents retrieved"
_SOME = "at least one of them retrieved"
# On the ranking B D X A: one group judges A 3, B 2, C 1 and D 0, another one X 1 and B 0.
_RECORDS = (
    GroupedRecord("map_avgjg", "average precision, averaged over groups",
                  "AP by the judgments of each group / groups", "0 to 1",
                  ("map_avgjg", "((1/1 + 2/4) / 3 + (1/3) / 1) / 2"), _GROUPS, _DESCENDING),
    GroupedRecord("P_avgjg", "precision, averaged over groups",
                  "P@k by the judgments of each group / groups", "0 to 1",
                  ("P_avgjg_5", "(2/5 + 1/5) / 2"), _GROUPS, _DESCENDING),
    GroupedRecord("Rprec_mult_avgjg", "R-precision, averaged over groups",
                  "Rprec(times) by the judgments of each group / groups", "0 to 1",
                  ("Rprec_mult_avgjg_1.00", "(1/3 + 0/1) / 2"), _GROUPS, _DESCENDING),
    _preference("num_prefs_poss", "preferences", "pairs A > B of all groups", "6 + 1"),
    _preference("num_prefs_ful", "fulfilled preferences",
                "pairs with A above B, or A alone retrieved", "3 + 0"),
    _preference("num_prefs_ful_ret", "fulfilled preferences of retrieved documents",
                "pairs with A above B, both retrieved", "1 + 0"),
    _preference("simp", "share of preferences fulfilled", "fulfilled / all pairs",
                "(3 + 0)/(6 + 1)"),
    _preference("pair", "share fulfilled, averaged over pairs",
                "share of the groups that judge a pair which it satisfies, mean over pairs",
                "(3 + 0)/7"),
    _preference("avgjg", "share fulfilled, averaged over groups",
                "fulfilled / all, mean over groups", "(3/6 + 0/1) / 2"),
    _preference("avgjg_Rnonrel", "share fulfilled, averaged over groups, balanced",
                "as prefs_avgjg with as many non-relevant as relevant documents "
                "(trec_eval's way of counting them)", "(7/12 + 0/1) / 2"),
    _preference("simp_ret", f"share of preferences fulfilled, {_BOTH}",
                f"fulfilled / pairs with {_BOTH}", "(1 + 0)/(3 + 1)"),
    _preference("pair_ret", f"share fulfilled, averaged over pairs, {_BOTH}",
                f"as prefs_pair of pairs with {_BOTH}", "(1 + 0)/4"),
    _preference("avgjg_ret", f"share fulfilled, averaged over groups, {_BOTH}",
                f"as prefs_avgjg of pairs with {_BOTH}", "(1/3 + 0/1) / 2"),
    _preference("avgjg_Rnonrel_ret", f"share fulfilled, averaged over groups, balanced, {_BOTH}",
                f"as prefs_avgjg_Rnonrel of pairs with {_BOTH}", "(2/4 + 0/1) / 2"),
    _preference("simp_imp", f"share of preferences fulfilled, {_SOME}",
                f"fulfilled / pairs with {_SOME}", "(3 + 0)/(6 + 1)"),
    _preference("pair_imp", f"share fulfilled, averaged over pairs, {_SOME}",
                f"as prefs_pair of pairs with {_SOME}", "(3 + 0)/7"),
    _preference("avgjg_imp", f"share fulfilled, averaged over groups, {_SOME}",
                f"as prefs_avgjg of pairs with {_SOME}", "(3/6 + 0/1) / 2"),
)  # fmt: skip

GROUPED: dict[str, GroupedRecord] = {record.name: record for record in _RECORDS}
