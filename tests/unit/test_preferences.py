"""Preferences: worked examples, a literal definition, and trec_eval's own answers."""

from __future__ import annotations

import pickle
from collections import Counter
from itertools import pairwise, product
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from ndcg.measures.preferences import (
    Contradiction,
    Counts,
    MixedLevels,
    count_preferences,
    preference_values,
)
from shared import shared


class Judgment(NamedTuple):
    """One line of a file of preferences."""

    group: str
    subgroup: str
    document: str
    level: float


def counted(judgments: list[Judgment], ranking: list[str]) -> Counts:
    """The counts of one query, from ids."""
    groups, subgroups, documents = (sorted({j[field] for j in judgments}) for field in range(3))
    return count_preferences(
        np.array([groups.index(j.group) for j in judgments]),
        np.array([subgroups.index(j.subgroup) for j in judgments]),
        np.array([documents.index(j.document) for j in judgments]),
        np.array([j.level for j in judgments], np.float64),
        np.array([ranking.index(d) + 1 if d in ranking else 0 for d in documents]),
    )


def values(judgments: list[Judgment], ranking: list[str]) -> dict[str, float]:
    return preference_values(counted(judgments, ranking))


def judged(*lines: str) -> list[Judgment]:
    """``judge.subgroup a=2 b=1 ...`` for each subgroup."""
    found = []
    for line in lines:
        name, *levels = line.split()
        group, _, subgroup = name.partition(".")
        for pair in levels:
            document, level = pair.split("=")
            found.append(Judgment(group, subgroup, document, float(level)))
    return found


# -- worked examples -------------------------------------------------------------------------------


def test_a_document_that_is_not_retrieved_stands_below_all_that_are():
    got = values(judged("j a=2 b=1 c=0 d=0"), ["b", "a", "c"])
    # a>b fails; a>c and b>c hold; a>d and b>d hold, for d is not there.
    assert got["prefs_num_prefs_poss"] == 5
    assert got["prefs_num_prefs_ful"] == 4
    assert got["prefs_num_prefs_ful_ret"] == 2
    assert got["prefs_simp"] == got["prefs_pair"] == got["prefs_simp_imp"] == 4 / 5
    assert got["prefs_simp_ret"] == got["prefs_pair_ret"] == 2 / 3


def test_a_preference_between_documents_that_are_not_retrieved_counts_as_failed_or_not_at_all():
    got = values(judged("j a=3 b=2 c=1"), ["a"])
    assert got["prefs_simp"] == got["prefs_pair"] == got["prefs_avgjg"] == 2 / 3
    assert got["prefs_simp_imp"] == got["prefs_pair_imp"] == got["prefs_avgjg_imp"] == 1
    assert got["prefs_simp_ret"] == got["prefs_pair_ret"] == got["prefs_avgjg_ret"] == 0


def test_equal_levels_are_no_preference():
    got = values(judged("j a=1 b=1"), ["a", "b"])
    assert got["prefs_num_prefs_poss"] == got["prefs_simp"] == got["prefs_avgjg"] == 0


def test_each_pair_each_group_or_each_preference_weighs_the_same():
    one, two, three = "x a=2 b=1 c=0", "y a=1 b=2", "z a=2 b=1"
    got = values(judged(one, two, three), ["a", "b", "c"])
    assert got["prefs_simp"] == (3 + 0 + 1) / (3 + 1 + 1)
    assert got["prefs_pair"] == (2 / 3 + 1 + 1) / 3
    assert got["prefs_avgjg"] == (3 / 3 + 0 / 1 + 1 / 1) / 3


def test_preferences_pass_on_between_the_subgroups_of_a_group():
    linked = judged("j.s a=2 b=1", "j.t b=2 c=1", "j.u c=9 d=8")
    assert values(linked, ["a", "b", "c", "d"])["prefs_num_prefs_poss"] == 3 + 2 + 1
    apart = judged("i.s a=2 b=1", "j.t b=2 c=1", "k.u c=9 d=8")
    assert values(apart, ["a", "b", "c", "d"])["prefs_num_prefs_poss"] == 1 + 1 + 1


def test_the_same_preference_of_two_subgroups_counts_once_and_of_two_groups_twice():
    assert counted(judged("j.s a=2 b=1", "j.t a=3 b=1"), ["a"]).implied.tolist() == [[1, 1]]
    assert counted(judged("i.s a=2 b=1", "j.t a=3 b=1"), ["a"]).implied.tolist() == [[1, 1]] * 2


def test_a_line_that_is_repeated_repeats_its_preferences_only_in_a_single_subgroup():
    assert values(judged("j a=2 a=2 b=1"), ["a"])["prefs_num_prefs_poss"] == 2
    assert values(judged("j.s a=2 a=2 b=1", "j.t c=1"), ["a"])["prefs_num_prefs_poss"] == 1


def test_missing_non_relevant_documents_count_as_if_below_all_others():
    got = values(judged("j a=2 b=1 c=0"), ["b", "c"])
    # One is missing: 2 preferences more, one of them with a retrieved document.
    assert got["prefs_avgjg_Rnonrel"] == (1 + 1) / (3 + 2)
    assert got["prefs_avgjg_Rnonrel_ret"] == (1 + 1 * 0) / (1 + 2 * 0)


def test_a_perfect_ranking_with_spare_non_relevant_documents_is_not_1_as_in_trec_eval():
    # Of b, c and d the first is kept, and is compared with itself and with the other two.
    perfect = values(judged("j a=1 b=0 c=0 d=0"), ["a", "b", "c", "d"])
    assert perfect["prefs_avgjg_Rnonrel"] == perfect["prefs_avgjg_Rnonrel_ret"] == 1 / (1 + 3)
    several = values(judged("j.s a=1 b=0 c=0 d=0", "j.t a=1"), ["a", "b", "c", "d"])
    assert several["prefs_avgjg_Rnonrel"] == several["prefs_avgjg_Rnonrel_ret"] == 1


def test_one_group_without_relevant_documents_makes_the_balanced_mean_of_all_groups_0():
    got = values(judged("i a=1 b=0", "j c=0"), ["a", "b", "c"])
    assert got["prefs_avgjg_Rnonrel"] == got["prefs_avgjg_Rnonrel_ret"] == 0
    assert got["prefs_avgjg"] == (1 / 1 + 0) / 2


def test_nothing_judged_is_nothing_to_fulfil():
    none = np.zeros(0, np.int64)
    counts = count_preferences(none, none, none, none.astype(float), none)
    assert set(preference_values(counts).values()) == {0.0}


# -- what is refused -------------------------------------------------------------------------------


def test_a_contradiction_names_its_group_and_documents():
    lines = judged("i.s a=2 b=1", "j.s b=2 c=1", "j.t c=2 d=1", "j.u d=2 b=1")
    with pytest.raises(Contradiction, match="group 1 prefers documents 2 and 1") as error:
        counted(lines, ["c", "b"])
    assert (error.value.first, error.value.second) == (2, 1)


def test_a_document_with_two_levels_in_a_single_subgroup_contradicts_itself():
    with pytest.raises(Contradiction) as error:
        counted(judged("j a=2 b=1 b=2 c=1"), ["b"])
    assert (error.value.first, error.value.second) == (1, 1)


def test_a_document_with_two_levels_in_one_of_several_subgroups_does_not():
    got = values(judged("j.s a=3 b=1 b=2 c=1", "j.t d=1"), ["a", "b", "c"])
    assert got["prefs_num_prefs_poss"] == 3


def test_a_document_both_relevant_and_not_is_named():
    with pytest.raises(MixedLevels, match="group 0 gives document 1 both 0") as error:
        counted(judged("j.s a=2 b=1", "j.t b=0 c=0"), [])
    assert (error.value.group, error.value.document) == (0, 1)


@pytest.mark.parametrize("error", [Contradiction(1, 2, 3), MixedLevels(4, 5)])
def test_what_is_raised_survives_pickling(error: Contradiction | MixedLevels):
    assert vars(pickle.loads(pickle.dumps(error))) == vars(error)  # noqa: S301 -- our own


# -- the literal definition ------------------------------------------------------------------------


def preferred(group: list[Judgment]) -> Counter[tuple[str, str]]:
    """How often each document is preferred to each other by the judgments of one group."""
    pairs = Counter(
        (a.document, b.document)
        for a, b in product(group, group)
        if a.subgroup == b.subgroup and a.level > b.level
    )
    if len({j.subgroup for j in group}) == 1:
        return pairs
    known: set[tuple[str, str]] = set()
    while known != set(pairs):
        known = set(pairs)
        pairs = Counter(known | {(a, d) for a, b in known for c, d in known if b == c})
    return pairs


class Literal:
    """The measures of one query, pair by pair."""

    def __init__(self, judgments: list[Judgment], ranking: list[str]) -> None:
        documents = {j.document for j in judgments}
        self.shown = [d for d in ranking if d in documents]
        self.order = [*self.shown, *sorted(documents - set(ranking))]
        names = sorted({j.group for j in judgments})
        self.groups = [[j for j in judgments if j.group == name] for name in names]
        self.preferred = [preferred(group) for group in self.groups]

    def holds(self, a: str, b: str) -> bool:
        return a in self.shown and self.order.index(a) < self.order.index(b)

    def counts(self, a: str, b: str, kind: str) -> bool:
        retrieved = (a in self.shown) + (b in self.shown)
        return retrieved >= {"": 0, "_imp": 1, "_ret": 2}[kind]

    def tally(self, pairs: Counter[tuple[str, str]], kind: str) -> tuple[int, int]:
        """Fulfilled and possible."""
        counting = {pair: n for pair, n in pairs.items() if self.counts(*pair, kind)}
        return sum(n for pair, n in counting.items() if self.holds(*pair)), sum(counting.values())

    def simp(self, kind: str) -> float:
        fulfilled, possible = self.tally(sum(self.preferred, Counter()), kind)
        return fulfilled / possible if possible else 0.0

    def pair(self, kind: str) -> float:
        total, number = 0.0, 0
        places = sorted(
            product(range(len(self.order)), repeat=2),
            key=lambda ij: (ij[1] >= len(self.shown), ij),
        )
        for i, j in places:
            a, b = self.order[i], self.order[j]
            agree, against = (sum(p[pair] for p in self.preferred) for pair in ((a, b), (b, a)))
            if i < j and agree + against and self.counts(a, b, kind):
                number += 1
                total += agree / (agree + against) if a in self.shown else 0.0
        return total / number if number else 0.0

    def avgjg(self, kind: str) -> float:
        tallies = [self.tally(pairs, kind) for pairs in self.preferred]
        return self.mean([top / bottom if bottom else 0.0 for top, bottom in tallies])

    def balanced(self, kind: str) -> float:
        tallies = [
            self.balance(*both, kind) for both in zip(self.groups, self.preferred, strict=True)
        ]
        if any(possible == 0 for _, possible in tallies):
            return 0.0
        return self.mean([top / bottom for top, bottom in tallies])

    def balance(
        self, group: list[Judgment], pairs: Counter[tuple[str, str]], kind: str
    ) -> tuple[int, int]:
        partial = len({j.subgroup for j in group}) > 1
        listed = {j.document: j for j in group}.values() if partial else group
        places = sorted(listed, key=lambda j: self.order.index(j.document))
        in_sight = [j.document for j in places if kind == "" or j.document in self.shown]
        relevant = [j.document for j in places if j.level > 0]
        others = [j.document for j in places if j.level == 0 and j.document in in_sight]
        there = [d for d in relevant if d in in_sight]
        fulfilled, possible = self.tally(pairs, kind)
        missing = len(there) - len(others)
        if missing >= 0:
            retrieved = sum(d in self.shown for d in relevant)
            return fulfilled + retrieved * missing, possible + len(relevant) * missing
        if partial:
            gone = others[len(relevant) :]
            kept = {p: n for p, n in pairs.items() if p[0] not in gone and p[1] not in gone}
            return self.tally(Counter(kept), kind)
        kept = {p: n for p, n in pairs.items() if p[1] not in others}
        fulfilled, possible = self.tally(Counter(kept), kind)
        again = [*product(in_sight, others[: len(there)])]
        return fulfilled + sum(self.holds(*pair) for pair in again), possible + len(again)

    @staticmethod
    def mean(shares: list[float]) -> float:
        total = 0.0
        for share in shares:  # sum() of Python 3.12 gives other last digits
            total += share
        return total / len(shares)

    def values(self) -> dict[str, float]:
        every = sum(self.preferred, Counter())
        return {
            "prefs_num_prefs_poss": self.tally(every, "")[1],
            "prefs_num_prefs_ful": self.tally(every, "")[0],
            "prefs_num_prefs_ful_ret": self.tally(every, "_ret")[0],
            **{f"prefs_simp{kind}": self.simp(kind) for kind in ("", "_ret", "_imp")},
            **{f"prefs_pair{kind}": self.pair(kind) for kind in ("", "_ret", "_imp")},
            **{f"prefs_avgjg{kind}": self.avgjg(kind) for kind in ("", "_ret", "_imp")},
            **{f"prefs_avgjg_Rnonrel{kind}": self.balanced(kind) for kind in ("", "_ret")},
        }


def drawn_query(draw: np.random.Generator) -> tuple[list[Judgment], list[str]]:
    """Up to 7 documents judged by up to 3 groups that contradict each other, not themselves."""
    documents = list("abcdefg")[: draw.integers(1, 8)]
    judgments = []
    for group in "jki"[: draw.integers(1, 4)]:
        level = {d: float(draw.integers(0, 4)) for d in documents}
        for subgroup in "tsu"[: draw.integers(1, 4)]:
            for d in draw.permutation(documents)[: draw.integers(1, 8)].tolist():
                times = 2 if draw.random() < 0.1 else 1
                judgments += [Judgment(group, subgroup, d, level[d])] * times
    ranking = draw.permutation([*documents, "x", "y"]).tolist()
    return judgments, ranking[: draw.integers(0, len(ranking) + 1)]


def test_2000_random_queries_have_the_values_of_the_literal_definition():
    draw = np.random.default_rng(4)
    for _ in range(2000):
        judgments, ranking = drawn_query(draw)
        assert values(judgments, ranking) == Literal(judgments, ranking).values()


def test_the_order_of_the_judgments_does_not_matter():
    draw = np.random.default_rng(5)
    for _ in range(200):
        judgments, ranking = drawn_query(draw)
        mixed = [judgments[i] for i in draw.permutation(len(judgments))]
        assert values(mixed, ranking) == values(judgments, ranking)


def test_swapping_two_neighbours_helps_exactly_where_more_groups_prefer_the_second():
    draw = np.random.default_rng(6)
    for _ in range(200):
        judgments, ranking = drawn_query(draw)
        before = values(judgments, ranking)["prefs_simp"]
        every = sum(Literal(judgments, ranking).preferred, Counter())
        for a, b in pairwise(ranking):
            i = ranking.index(a)
            after = values(judgments, [*ranking[:i], b, a, *ranking[i + 2 :]])["prefs_simp"]
            assert (after > before) == (every[b, a] > every[a, b])


# -- trec_eval's answers ---------------------------------------------------------------------------


def rankings(path: Path) -> dict[str, list[str]]:
    """Documents by falling score, and equal ones by rising id: unlike all its other measures."""
    scores: dict[str, list[tuple[float, str]]] = {}
    for line in path.read_text("utf-8").splitlines():
        query, _, document, _, score, *_ = line.split()
        scores.setdefault(query, []).append((-float(score), document))
    return {query: [document for _, document in sorted(rows)] for query, rows in scores.items()}


def judgments_of(path: Path) -> dict[str, list[Judgment]]:
    """Lines of 5 fields, or of 4 as in ordinary judgments: these have no subgroup."""
    found: dict[str, list[Judgment]] = {}
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            query, group, *subgroup, document, level = line.split()
            one = Judgment(group, *subgroup or "0", document, float(level))
            found.setdefault(query, []).append(one)
    return found


def evaluated(judgments: Path, run: Path) -> dict[tuple[str, str], float]:
    """``{(measure, query or "all"): value}`` of a file."""
    judged_by, ranked = judgments_of(judgments), rankings(run)
    queries = sorted(judged_by.keys() & ranked.keys())
    found: dict[tuple[str, str], float] = {}
    for query in queries:
        for name, value in values(judged_by[query], ranked[query]).items():
            found[name, query] = value
            found[name, "all"] = found.get((name, "all"), 0.0) + value
    for name, query in found:
        if query == "all" and "_num_" not in name:
            found[name, query] /= len(queries)
    return found


def printed(path: Path) -> dict[tuple[str, str], str]:
    rows = [line.split("\t") for line in path.read_text("utf-8").splitlines()]
    return {(name.strip(), query): text for name, query, text in rows if name.startswith("prefs_")}


@pytest.mark.parametrize(
    ("variant", "judgments", "run"),
    [
        ("prefs", "prefs.txt", "run.txt"),
        ("qrels-prefs", "qrels.txt", "run.q.txt"),
        ("qrels-prefs-flags-ignored", "qrels.txt", "run.q.txt"),
    ],
)
def test_every_value_of_the_conformance_kit_is_the_same(variant: str, judgments: str, run: str):
    case = shared("conformance", "trec_eval", "cases", "24-preferences")
    expected = printed(case / f"{variant}.full.tsv")
    assert evaluated(case / judgments, case / run) == {
        key: float(text) for key, text in expected.items()
    }


@pytest.mark.parametrize(
    ("answers", "judgments", "run"),
    [
        ("out.test.prefs", "prefs.test", "prefs.results.test"),
        ("out.test.prefs", "prefs.comment.test", "prefs.results.test"),
        ("out.test.qrels_prefs", "qrels.test", "results.test"),
    ],
)
def test_every_value_of_the_peer_is_printed_the_same(answers: str, judgments: str, run: str):
    peer = shared("conformance", "trec_eval", "peer")
    ours = evaluated(peer / judgments, peer / run)
    assert printed(peer / answers) == {
        (name, query): f"{value:.0f}" if "_num_" in name else f"{value:6.4f}"
        for (name, query), value in ours.items()
    }


def test_what_the_kit_refuses_is_refused():
    case = shared("conformance", "trec_eval", "cases", "24-preferences")
    ranked = rankings(case / "run.txt")["q1"]
    with pytest.raises(Contradiction):
        counted(judgments_of(case / "prefs.conflict.txt")["q1"], ranked)
    with pytest.raises(MixedLevels) as mixed:
        counted(judgments_of(case / "prefs.zero.txt")["q1"], ranked)
    assert mixed.value.document == 0  # d1
