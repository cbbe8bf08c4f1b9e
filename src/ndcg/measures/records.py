"""The table of measures: one record each. The documentation and the cards are made from it."""

from __future__ import annotations

from ndcg.measures import binary, cumulated, gained, persistence, pooled, precisions, unjudged
from ndcg.measures.record import CLOSED, ORDERED, SHARED, Parameter, Record

_JK = "Järvelin and Kekäläinen 2002"
_MZ = "Moffat and Zobel 2008"
_TE = "trec_eval"
_DOCUMENTS = Parameter(
    "documents", "nearest", "how many documents a share of R is: rounded, or + 0.9 and cut off "
    "(trec_eval 9)", ("nearest", "nine_tenths"),
)  # fmt: skip
_ELEVEN = "0+0.1+0.2+0.3+0.4+0.5+0.6+0.7+0.8+0.9+1"


def _share(name: str, default: float, what: str) -> Parameter:
    return Parameter(name, default, what, least=0.0, most=1.0)


def _worth(name: str, default: float, what: str) -> Parameter:
    return Parameter(name, default, what, least=float("-inf"))


# The examples are computed on the ranking B D X A by linear gains; A, B, C and D are judged 3, 2,
# 1 and 0, and X is not judged (see `example.py`).
_RECORDS = (
    Record("nDCG", "normalised discounted cumulative gain", "DCG@k / IDCG@k", "0 to 1", _JK,
           cumulated.ndcg_value, cumulated.nothing_to_gain,
           ("nDCG@3", "2 / (3 + 2/log2(3) + 1/2)"),
           reads="gains", ideal=True, ties=SHARED, aliases=("ndcg", "ndcg_cut")),
    Record("DCG", "discounted cumulative gain", "sum of gain(rank) / discount(rank), rank <= k",
           "0 to IDCG", _JK, cumulated.dcg_value, cumulated.nothing_to_gain,
           ("DCG", "2 + 3/log2(5)"), reads="gains", ties=SHARED, aliases=("dcg",)),
    Record("IDCG", "ideal discounted cumulative gain", "DCG@k of the best possible ranking",
           "above 0", _JK, cumulated.idcg_value, cumulated.nothing_to_gain,
           ("IDCG", "3 + 2/log2(3) + 1/2"), reads="gains", ideal=True, ties=SHARED,
           aliases=("ideal_dcg",)),
    Record("P", "precision", "relevant in the top k / k; without k, / returned", "0 to 1",
           "trec_eval P, set_P", binary.precision_value, binary.nothing_relevant,
           ("P@3", "1/3"), aliases=("P", "set_P")),
    Record("R", "recall", "relevant in the top k / R", "0 to 1", "trec_eval recall, set_recall",
           binary.recall_value, binary.nothing_relevant, ("R", "2/3"), whole=True,
           aliases=("recall", "set_recall")),
    Record("AP", "average precision", "sum of P@rank at relevant ranks <= k, / R", "0 to 1",
           "trec_eval map, map_cut", binary.average_precision_value, binary.nothing_relevant,
           ("AP", "(1/1 + 2/4) / 3"), whole=True, aliases=("map", "map_cut")),
    Record("RR", "reciprocal rank", "1 / rank of the first relevant document, rank <= k", "0 to 1",
           "trec_eval recip_rank", binary.reciprocal_rank_value, binary.nothing_relevant,
           ("RR(rel=3)", "1/4"), aliases=("recip_rank",)),
    Record("Success", "success", "1 if a relevant document is in the top k, else 0", "0 or 1",
           "trec_eval success", binary.success_value, binary.nothing_relevant,
           ("Success@1", "1"), aliases=("success",)),
    Record("F", "F measure", "(x + 1) P R / (R + x P), x = beta^2, P and R at k", "0 to 1",
           "van Rijsbergen 1979; trec_eval set_F", precisions.f_value, binary.nothing_relevant,
           ("F", "2 * 2/4 * 2/3 / (2/3 + 2/4)"), whole=True, aliases=("set_F",),
           parameters=(Parameter("beta", 1.0, "how much more recall counts than precision"),
                       Parameter("x", "beta", "beta squared, in its place", ("beta",)))),
    Record("Rprec", "R-precision", "relevant in the top c / c, c = times R", "0 to 1",
           "trec_eval Rprec, Rprec_mult", precisions.r_precision_value, binary.nothing_relevant,
           ("Rprec", "1/3"), whole=True, cutoff=False, aliases=("Rprec", "Rprec_mult"),
           parameters=(Parameter("times", 1.0, "c in multiples of R (+ 0.9, cut off)"),)),
    Record("RelativeP", "relative precision", "relevant in the top k / min(k, R)", "0 to 1",
           "trec_eval relative_P, set_relative_P", precisions.relative_precision_value,
           binary.nothing_relevant, ("RelativeP@2", "1/2"), whole=True,
           aliases=("relative_P", "set_relative_P")),
    Record("SetAP", "precision times recall", "relevant returned^2 / (returned * R)", "0 to 1",
           "trec_eval set_map", precisions.set_ap_value, binary.nothing_relevant,
           ("SetAP", "2*2 / (4*3)"), whole=True, cutoff=False, ties=ORDERED,
           aliases=("set_map",)),
    Record("IPrec", "interpolated precision", "largest P@rank from the c-th relevant document on, "
           "c = recall * R", "0 to 1", "trec_eval iprec_at_recall",
           precisions.interpolated_precision_value, binary.nothing_relevant,
           ("IPrec@0.5", "2/4"), whole=True, cutoff=False, ties=ORDERED,
           aliases=("iprec_at_recall",),
           parameters=(_share("recall", 0.0, "the level of recall; IPrec@0.1 for short"),
                       _DOCUMENTS)),
    Record("IPrecAvg", "mean interpolated precision", "mean of IPrec over levels of recall",
           "0 to 1", "trec_eval 11pt_avg", precisions.mean_interpolated_precision_value,
           binary.nothing_relevant, ("IPrecAvg", "(5*1 + 4*2/4 + 2*0) / 11"), whole=True,
           cutoff=False, ties=ORDERED, aliases=("11pt_avg",),
           parameters=(Parameter("points", _ELEVEN, "the levels, with + between them",
                                 most=1.0, listed=True), _DOCUMENTS)),
    Record("GMAP", "geometric mean average precision", "AP@k, at least 0.00001; "
           "exp(mean of logs) over queries", "0.00001 to 1", "Robertson 2006; trec_eval gm_map",
           precisions.floored_ap_value, binary.nothing_relevant, ("GMAP", "(1/1 + 2/4) / 3"),
           whole=True, ties=ORDERED, aliases=("gm_map",), over_queries="geometric"),
    Record("Bpref", "binary preference", "sum over relevant of 1 - min(b, R) / min(N, R), / R; "
           "b judged not relevant above, N in all", "0 to 1",
           "Buckley and Voorhees 2004; trec_eval bpref", pooled.bpref_value,
           binary.nothing_relevant, ("Bpref", "(1 + (1 - 1/1)) / 3"), whole=True, cutoff=False,
           ties=CLOSED, aliases=("bpref",)),
    Record("GMBpref", "geometric mean of Bpref", "Bpref, at least 0.00001; exp(mean of logs) "
           "over queries", "0.00001 to 1", "trec_eval gm_bpref", pooled.floored_bpref_value,
           binary.nothing_relevant, ("GMBpref", "(1 + (1 - 1/1)) / 3"), whole=True, cutoff=False,
           ties=CLOSED, aliases=("gm_bpref",), over_queries="geometric"),
    Record("infAP", "inferred average precision", "sum over relevant of 1/i + (i-1)/i * "
           "(a+b+u)/(i-1) * (a+e)/(a+b+2e), / R; a, b relevant and not above, u pooled and "
           "not judged, e = 0.00001", "0 to 1", "Yilmaz and Aslam 2006; trec_eval infAP",
           pooled.inferred_ap_value, binary.nothing_relevant,
           ("infAP", "(1 + (1/4 + 3/4 * 2/3 * (1 + 0.00001)/(2 + 2*0.00001))) / 3"), whole=True,
           cutoff=False, ties=CLOSED, aliases=("infAP",)),
    Record("BinG", "binary G", "sum over relevant of 1 / log2(2 + others above), / R", "0 to 1",
           "trec_eval binG", precisions.binary_g_value, binary.nothing_relevant,
           ("BinG", "(1/log2(2) + 1/log2(4)) / 3"), whole=True, cutoff=False, ties=ORDERED,
           aliases=("binG",)),
    Record("G", "normalised gain", "sum of gain / log2(2 + C - S), / sum of ideal gains; S gained "
           "so far, C by the ideal, at least 1 a rank", "0 to 1", "trec_eval G",
           gained.normalised_gain_value, cumulated.nothing_judged_to_gain,
           ("G", "(2/log2(2 + 3 - 2) + 3/log2(2 + 7 - 5)) / 6"), reads="gains", ideal=True,
           whole=True, cutoff=False, ties=CLOSED, aliases=("G",), logarithm=True),
    Record("nDCGRel", "nDCG averaged over gainful documents", "mean of DCG@i / IDCG@i over ranks i "
           "with a gain; a missed one counts as at the end", "0 to 1", "trec_eval ndcg_rel",
           gained.ndcg_at_relevant_value, cumulated.nothing_judged_to_gain,
           ("nDCGRel", "(2/3 + 2 * (2 + 3/log2(5)) / (3 + 2/log2(3) + 1/2)) / 3"), reads="gains",
           ideal=True, whole=True, cutoff=False, ties=CLOSED, aliases=("ndcg_rel",)),
    Record("RnDCG", "nDCG averaged over levels", "mean of DCG@i / IDCG@i over ranks i where the "
           "ideal gain falls, and the last one", "0 to 1", "trec_eval Rndcg",
           gained.ndcg_at_levels_value, cumulated.nothing_judged_to_gain,
           ("RnDCG", "(2/3 + 2/(3 + 2/log2(3)) + 2/(3 + 2/log2(3) + 1/2)) / 3"),
           reads="gains", ideal=True, whole=True, cutoff=False, ties=CLOSED,
           aliases=("Rndcg",)),
    Record("RBP", "rank-biased precision", "(1 - p) * sum of p^(rank - 1) at relevant ranks <= k",
           "0 to 1", _MZ, persistence.rbp_value, binary.nothing_relevant,
           ("RBP(p=0.5)", "0.5 * (1 + 0.5**3)"),
           parameters=(_share("p", 0.8, "the chance that a reader goes on to the next rank"),)),
    Record("gRBP", "graded rank-biased precision", "(1 - p) * sum of gain / largest * "
           "p^(rank - 1), rank <= k", "0 to 1", f"{_MZ}; trec_eval rbp",
           persistence.graded_rbp_value, cumulated.nothing_judged_to_gain,
           ("gRBP(p=0.5)", "0.5 * (2/3 + 0.5**3)"), reads="gains", whole=True, aliases=("rbp",),
           parameters=(_share("p", 0.9, "the chance that a reader goes on to the next rank"),
                       Parameter("largest", "query", "what gains are divided by: the largest one "
                                 "judged in the query if above 1, or a number", ("query",),
                                 positive=True))),
    Record("RBPResidual", "residual of rank-biased precision", "p^n + (1 - p) * sum of "
           "p^(rank - 1) at ranks without judgment; n = k or returned", "0 to 1",
           f"{_MZ}; trec_eval rbp_resid", persistence.rbp_residual_value,
           unjudged.nothing_needed, ("RBPResidual(p=0.5)", "0.5**4 + 0.5 * 0.5**2"),
           reads="places", ties=CLOSED, aliases=("rbp_resid",),
           parameters=(_share("p", 0.8, "the chance that a reader goes on to the next rank"),)),
    Record("Judged", "share with judgment", "ranks <= k with a judgment / min(k, returned)",
           "0 to 1", "ir_measures Judged", unjudged.judged_value, unjudged.nothing_needed,
           ("Judged@4", "3/4"), reads="places"),
    Record("Unjudged", "share without judgment", "ranks <= k without judgment / k; without k, "
           "/ returned", "0 to 1", "trec_eval unj", unjudged.unjudged_value,
           unjudged.nothing_needed, ("Unjudged@4", "1/4"), reads="places", ties=CLOSED,
           aliases=("unj",)),
    Record("Utility", "utility", "relret r + nonrelret (n - r) + relmissed (R - r) + nonrelmissed "
           "(collection + r - n - R); r relevant returned, n returned", "any number",
           "trec_eval utility", precisions.utility_value, unjudged.nothing_needed,
           ("Utility", "1*2 - 1*2"), whole=True, cutoff=False,
           ties=(*CLOSED, "expected"), aliases=("utility",),
           parameters=(_worth("relret", 1.0, "worth of a relevant document that is returned"),
                       _worth("nonrelret", -1.0, "worth of another one that is"),
                       _worth("relmissed", 0.0, "worth of a relevant document that is missed"),
                       _worth("nonrelmissed", 0.0, "worth of another one that is"),
                       Parameter("collection", 0.0, "documents in the collection"))),
    Record("YAAP", "yet another average precision", "log((1 + A) / (1 + R - A)), A = R * AP",
           "-log(1 + R) to log(1 + R)", "trec_eval yaap", precisions.yaap_value,
           binary.nothing_relevant, ("YAAP", "log((1 + 3/2) / (1 + 3 - 3/2))"), whole=True,
           cutoff=False, ties=ORDERED, aliases=("yaap",), logarithm=True),
    Record("NumQ", "queries", "1 for each query, added up", "0 up", "trec_eval num_q",
           unjudged.queries_value, unjudged.nothing_needed, ("NumQ", "1"), reads="places",
           cutoff=False, aliases=("num_q",), over_queries="sum", of_judgments=True),
    Record("NumRet", "documents returned", "documents in the ranking, in its top k", "0 up",
           "trec_eval num_ret", unjudged.returned_value, unjudged.nothing_needed,
           ("NumRet", "4"), reads="places", aliases=("num_ret",), over_queries="sum"),
    Record("NumRel", "relevant documents", "R: judged with grade >= rel", "0 up",
           "trec_eval num_rel", unjudged.relevant_value, unjudged.nothing_needed,
           ("NumRel", "3"), whole=True, cutoff=False, aliases=("num_rel",), over_queries="sum",
           of_judgments=True),
    Record("NumRelRet", "relevant documents returned", "relevant documents in the top k", "0 to R",
           "trec_eval num_rel_ret", unjudged.found_value, unjudged.nothing_needed,
           ("NumRelRet", "2"), aliases=("num_rel_ret",), over_queries="sum"),
    Record("NumNonrelRet", "judged others returned", "documents in the "
           "top k that are judged, with grade < rel", "0 up", "trec_eval num_nonrel_judged_ret",
           unjudged.nonrelevant_value, unjudged.nothing_needed, ("NumNonrelRet", "1"),
           aliases=("num_nonrel_judged_ret",), over_queries="sum",
           ties=(*CLOSED, "expected")),
)  # fmt: skip

MEASURES: dict[str, Record] = {record.name: record for record in _RECORDS}
