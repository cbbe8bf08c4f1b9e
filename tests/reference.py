"""The slow, literal definition of every value, written beside docs/number.md line by line.

Plain Python and nothing from the package: the fast code must equal this program to the last bit,
so every sum here is a loop that starts at 0.0 and adds one term at a time (built-in `sum` corrects
rounding errors since Python 3.12, which is another number), every gain is divided by its discount,
and every formula keeps the order in which the page writes it.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations, product
from typing import NamedTuple

Axes = Mapping[str, str]
Judgments = Sequence[tuple[str, float]]
Listing = Sequence[tuple[str, float | None, int | None]]
Qrels = Mapping[str, Judgments]
Run = Mapping[str, Listing]

CUMULATED = ("nDCG", "DCG", "IDCG")
BINARY = ("P", "R", "AP", "RR", "Success")
OPEN_TIES = ("best", "worst", "expected", "mean_rank")

GAINED = ("nDCGRel", "RnDCG", "G", "gRBP")
NEVER_EMPTY = (
    *("NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet"),
    *("Judged", "Unjudged", "RBPResidual", "Utility"),
)
SUMMED = ("NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelRet")
GEOMETRIC = ("GMAP", "GMBpref")
FLOOR = 0.00001  # of what has a geometric mean
UNSEEN = 0.00001  # infAP: half a judged document of either kind that nobody saw
ELEVEN_POINTS = "0+0.1+0.2+0.3+0.4+0.5+0.6+0.7+0.8+0.9+1"

# The open tie rules that the measures beyond the first eight have a value for.
EXTREMES = ("best", "worst")
TIES_OF: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(["NumQ", "NumRet", "NumRel", "NumRelRet"], (*EXTREMES, "expected")),
    **dict.fromkeys(["Rprec", "RelativeP", "F", "Judged"], (*EXTREMES, "expected")),
    "Utility": ("expected",),
    **dict.fromkeys(["RBP", "gRBP"], (*EXTREMES, "expected")),
    "NumNonrelRet": ("expected",),
    **dict.fromkeys(["GMAP", "YAAP", "IPrec", "IPrecAvg", "BinG", "SetAP"], EXTREMES),
    **dict.fromkeys(["Bpref", "GMBpref", "infAP", "RBPResidual", "Unjudged"], ()),
    **dict.fromkeys(["nDCGRel", "RnDCG", "G"], ()),
}

DEFAULTS: dict[str, str] = {
    "gain": "exp2",
    "discount": "log2",
    "ideal": "judged",
    "ideal_depth": "cutoff",
    "ideal_order": "gain",
    "default_cutoff": "all",
    "order_by": "score",
    "score_order": "descending",
    "score_type": "float64",
    "ties": "docid_asc",
    "depth": "all",
    "duplicates": "error",
    "judgments": "agree",
    "grades": "any",
    "min_grade": "none",
    "appended": "none",
    "self_match": "keep",
    "unjudged": "zero",
    "negative": "clamp",
    "negative_only": "empty",
    "min_documents": "1",
    "empty": "exclude",
    "empty_from": "judged",
    "empty_test": "not_positive",
    "no_judgments": "empty",
    "nothing_found": "computed",
    "missing": "zero",
    "listed_empty": "missing",
    "extra": "ignore",
    "average": "query",
    "none_left": "nan",
    "rounding": "none",
}


class Refused(Exception):  # the page says no; not a fault
    """There is no value: `word` says why, `words` every reason in the order of the page."""

    def __init__(self, *words: str) -> None:
        super().__init__(*words)
        self.words = tuple(dict.fromkeys(words))
        self.word = self.words[0]


class Measure(NamedTuple):
    """What is computed; `k`, the relevance threshold and parameters belong to the measure."""

    name: str
    k: int | None = None
    rel: float = 1.0
    parameters: tuple[tuple[str, str | float], ...] = ()

    def __str__(self) -> str:
        """The measure in the notation of the package: ``P(rel=2)@5``, ``RBP(rel=2,p=0.5)``."""
        said = [] if self.rel == 1 else [f"rel={self.rel!r}"]
        for name, told in self.parameters:
            said.append(f"{name}={told if isinstance(told, str) else repr(told)}")
        inside = f"({','.join(said)})" if said else ""
        return f"{self.name}{inside}" + ("" if self.k is None else f"@{self.k}")

    def number(self, name: str, default: float) -> float:
        """A parameter that is a number."""
        return float(dict(self.parameters).get(name, default))

    def word(self, name: str, default: str) -> str:
        """A parameter that is text, or what a number reads like."""
        return str(dict(self.parameters).get(name, default))


class Row(NamedTuple):
    """One row of the run with its place in the list and its key (larger is better)."""

    document: str
    score: float | None
    rank: int | None
    place: int
    key: float = 0.0


class Group(NamedTuple):
    """Rows whose order is open, and how many ranks they fill (fewer where `depth` cuts them)."""

    rows: list[Row]
    ranks: int


class Ranking(NamedTuple):
    """What step 2 leaves: tie groups from the top, and the judgments."""

    groups: list[Group]
    judged: dict[str, float]
    listed: frozenset[str] = frozenset()  # before anything is appended
    length: int = 0  # after that
    given: frozenset[str] = frozenset()  # documents with a judgment of their own
    later: frozenset[tuple[str, int]] = frozenset()  # rows that repeat a document and earn nothing
    pooled: frozenset[str] = frozenset()  # documents with a negative grade that is no judgment

    @property
    def returned(self) -> int:
        """The number of rows that remain."""
        number = 0
        for group in self.groups:
            number += group.ranks
        return number


class MeasureResult(NamedTuple):
    """A measure over all queries."""

    mean: float | None
    per_query: dict[str, float | None]
    n: int
    empty: list[str]


Result = dict[Measure, MeasureResult]


def with_defaults(axes: Axes) -> dict[str, str]:
    """Every axis with its value."""
    return {**DEFAULTS, **axes}


def utf8(text: str) -> bytes:
    """What ids are compared by."""
    return text.encode("utf-8")


def added(terms: Iterable[float]) -> float:
    """The terms added one at a time, in the order given."""
    total = 0.0
    for term in terms:
        total = total + term
    return total


def finite(number: float, word: str = "gain") -> float:
    """A value that is not finite is an error."""
    if not math.isfinite(number):
        raise Refused(word)
    return number


# -- 1. Read ---------------------------------------------------------------------------------


def one_judgment_each(judgments: Judgments, how: str) -> dict[str, float]:
    """1.1: repeated judgments become one; the document keeps its first place in the list."""
    listed: dict[str, list[float]] = {}
    for document, grade in judgments:
        listed.setdefault(document, []).append(float(grade))
    return {document: one_grade(grades, how) for document, grades in listed.items()}


def one_grade(grades: list[float], how: str) -> float:
    """The grade that several judgments of one document come to."""
    if how == "agree":
        for grade in grades:
            if grade != grades[0]:
                raise Refused("judgments")
        return grades[0]
    if how == "max":
        return max(grades)
    if how == "min":
        return min(grades)
    if how == "mean":
        return finite(added(grades) / len(grades), "grade")
    if how == "majority":
        return max(sorted(set(grades)), key=grades.count)
    return middle(grades) if how == "median" else grades[-1]


def middle(grades: list[float]) -> float:
    """The grade in the middle, or the mean of the two that are."""
    rising = sorted(grades)
    half = len(rising) // 2
    if len(rising) % 2 == 1:
        return rising[half]
    return finite(added(rising[half - 1 : half + 1]) / 2, "grade")


# -- 2. Order --------------------------------------------------------------------------------


def placed(listing: Listing) -> list[Row]:
    """The rows with their places in the list."""
    return [Row(*columns, place) for place, columns in enumerate(listing)]


def last_listed(rows: list[Row]) -> list[Row]:
    """2.1: rows of one document collapse: first place, score and rank of the last one."""
    kept: dict[str, Row] = {}
    for row in rows:
        place = kept[row.document].place if row.document in kept else row.place
        kept[row.document] = row._replace(place=place)
    return list(kept.values())


def what_orders(run: Run, order_by: str) -> str:
    """2.2: a run without scores is ordered by rank if it has ranks, else by position."""
    rows = [row for listing in run.values() for row in listing]
    if order_by == "rank" and any(rank is None for _, _, rank in rows):
        raise Refused("order")
    if order_by == "score" and any(score is None for _, score, _ in rows):
        return "position" if any(rank is None for _, _, rank in rows) else "rank"
    return order_by


def key(row: Row, order_by: str, score_type: str, score_order: str) -> float:
    """2.2: what a row is ordered by; larger is better."""
    if order_by == "rank":
        assert row.rank is not None
        return -row.rank
    if order_by == "position":
        return -row.place
    assert row.score is not None
    score = single_precision(row.score) if score_type == "float32" else row.score
    return -score if score_order == "ascending" else score


def single_precision(number: float) -> float:
    """The nearest number that single precision can hold."""
    try:
        rounded: float = struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:  # what lies beyond the largest number of that precision
        return math.copysign(math.inf, number)
    return rounded


def tie_groups(rows: list[Row]) -> list[list[Row]]:
    """2.3: rows by falling key, those with equal keys together, by place inside a group."""
    groups: list[list[Row]] = []
    for row in sorted(sorted(rows, key=lambda row: row.place), key=lambda row: -row.key):
        if groups and groups[-1][0].key == row.key:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def tie_order(group: list[Row], ties: str) -> list[Row]:
    """2.3: one tie group in the order of a rule that leaves nothing open."""
    by_place = sorted(group, key=lambda row: row.place)
    if ties == "docid_asc":
        return sorted(by_place, key=lambda row: utf8(row.document))
    if ties == "docid_desc":  # `reverse` keeps equal ones, rows of one document, by place
        return sorted(by_place, key=lambda row: utf8(row.document), reverse=True)
    return by_place[::-1] if ties == "reversed" else by_place


def settled(rows: Iterable[Row]) -> list[Group]:
    """Rows in a fixed order: each is a tie group of its own."""
    return [Group([row], 1) for row in rows]


def cut(groups: list[Group], depth: str) -> tuple[list[Group], Group | None]:
    """2.4: the first N rows; and the tie group that the cut goes through, which stays whole."""
    if depth == "all":
        return groups, None
    left = int(depth)
    kept: list[Group] = []
    for group in groups:
        if left == 0:
            break
        ranks = min(left, group.ranks)
        kept.append(group._replace(ranks=ranks))
        left -= ranks
    cut_through = kept[-1] if kept and kept[-1].ranks < len(kept[-1].rows) else None
    return kept, cut_through


def settle_cut_group(
    groups: list[Group],
    cut_group: Group,
    listed: set[str],
    judged: dict[str, float],
    axes: Axes,
    query: str,
) -> list[Group]:
    """3.5, last paragraph: what becomes of the group that `depth` cuts through.

    It stays whole, filling only the ranks that are left, unless something later depends on who
    stays. Without a judged document all its rows are alike, but for those that will leave.
    `listed` are all documents of the run's list, those past the cut among them.
    """
    documents = [row.document for group in groups for row in group.rows]
    twice = {document for document in documents if documents.count(document) > 1}
    of_group = {row.document for row in cut_group.rows}
    if not any(document in judged for document in of_group):
        self_match = axes["self_match"] == "drop" and query in of_group
        if self_match or twice & of_group:
            raise Refused("ties")
        return [*groups[:-1], Group(cut_group.rows[: cut_group.ranks], cut_group.ranks)]
    self_match = axes["self_match"] == "drop" and query in listed
    negative = axes["negative"] == "remove" and any(grade < 0 for grade in judged.values())
    if self_match or twice or negative or axes["unjudged"] != "zero":
        raise Refused("ties")
    return groups


def keep_rows(groups: list[Group], stays: Callable[[Row], bool]) -> list[Group]:
    """The groups without some of their rows; ranks close up."""
    kept: list[Group] = []
    for group in groups:
        rows = [row for row in group.rows if stays(row)]
        if len(rows) == len(group.rows):
            kept.append(group)
        elif rows:
            assert group.ranks == len(group.rows), "a group that is cut through must stay whole"
            kept.append(Group(rows, len(rows)))
    return kept


def without_self_match(groups: list[Group], query: str) -> list[Group]:
    """2.5: rows whose document id is the query id go."""
    return keep_rows(groups, lambda row: row.document != query)


def without_duplicates(groups: list[Group], duplicates: str) -> list[Group]:
    """2.6: documents that still occur twice are settled."""
    rows = [row for group in groups for row in group.rows]
    first: dict[str, int] = {}
    last: dict[str, int] = {}
    for row in rows:  # rows of one document inside a tie group are alike: by place
        first.setdefault(row.document, row.place)
        last[row.document] = row.place
    if duplicates == "error" and len(first) < len(rows):
        raise Refused("duplicate")
    if duplicates == "first":
        return keep_rows(groups, lambda row: row.place == first[row.document])
    if duplicates == "last":
        return keep_rows(groups, lambda row: row.place == last[row.document])
    return groups


def taken_grades(judged: dict[str, float], grades: str) -> dict[str, float]:
    """1.4: `truncate` cuts grades to whole numbers, `whole` refuses others, `whole:N` above N."""
    if grades == "truncate":
        return {d: float(math.trunc(grade)) for d, grade in judged.items()}
    if grades == "any":
        return judged
    most = float(grades.partition(":")[2] or "inf")
    for grade in judged.values():
        if grade != math.floor(grade) or grade > most:
            raise Refused("grade")
    return judged


def counted_grades(judged: dict[str, float], min_grade: str) -> dict[str, float]:
    """1.5: judgments below `min_grade` are none."""
    if min_grade == "none":
        return judged
    return {d: grade for d, grade in judged.items() if grade >= float(min_grade)}


def all_negative(judged: dict[str, float]) -> bool:
    """Whether there are grades, and all are negative."""
    return bool(judged) and all(grade < 0 for grade in judged.values())


def negative_judgments(judged: dict[str, float], negative: str) -> dict[str, float]:
    """2.7: what judgments with grade < 0 become."""
    if negative == "error" and any(grade < 0 for grade in judged.values()):
        raise Refused("negative-grade")
    if negative == "clamp":
        return {d: 0.0 if grade < 0 else grade for d, grade in judged.items()}
    if negative in ("unjudged", "remove"):
        return {d: grade for d, grade in judged.items() if not grade < 0}
    return judged


def without_negative(groups: list[Group], judged: dict[str, float], negative: str) -> list[Group]:
    """2.7: `remove` also takes the rows."""
    if negative == "remove":
        return keep_rows(groups, lambda row: not judged.get(row.document, 0) < 0)
    return groups


def pooled_unjudged(judged: dict[str, float], axes: Axes) -> frozenset[str]:
    """Pooled but not judged: what a negative grade means where it is no judgment and rows stay."""
    if axes["negative"] == "unjudged" and axes["unjudged"] == "zero":
        return frozenset(document for document, grade in judged.items() if grade < 0)
    return frozenset()


def further_rows(groups: list[Group]) -> frozenset[tuple[str, int]]:
    """2.6: under `once`, the rows of a document after its best ranked one."""
    seen: set[str] = set()
    further: set[tuple[str, int]] = set()
    for row in (row for group in groups for row in group.rows):
        if row.document in seen:
            further.add((row.document, row.place))
        seen.add(row.document)
    return frozenset(further)


def with_appended(groups: list[Group], judged: dict[str, float], appended: str) -> list[Group]:
    """2.6: `judged` puts the judged documents that are not listed behind those that are."""
    if appended == "none" or not groups:
        return groups
    listed = {row.document for group in groups for row in group.rows}
    missed = [document for document in judged if document not in listed]
    return groups + settled(Row(document, None, None, 0) for document in missed)


def unjudged_rows(
    groups: list[Group], judged: dict[str, float], unjudged: str
) -> tuple[list[Group], dict[str, float]]:
    """2.8: rows without judgment stay, go, or are judged now."""
    if unjudged == "drop":
        return keep_rows(groups, lambda row: row.document in judged), judged
    if unjudged.startswith("grade:"):
        grade = float(unjudged.removeprefix("grade:"))
        rows = [row for group in groups for row in group.rows]
        return groups, {**judged, **{r.document: grade for r in rows if r.document not in judged}}
    return groups, judged


def keyed(listing: Listing, orders: str, axes: Axes) -> list[list[Row]]:
    """Steps 2.1 to 2.3 up to the tie groups."""
    rows = placed(listing)
    if axes["duplicates"] == "last_listed":
        rows = last_listed(rows)
    rows = [
        row._replace(key=key(row, orders, axes["score_type"], axes["score_order"])) for row in rows
    ]
    return tie_groups(rows)


def ranking_of(groups: list[Group], judged: dict[str, float], axes: Axes, query: str) -> Ranking:
    """Steps 2.4 to 2.8."""
    listed = {row.document for group in groups for row in group.rows}
    groups, cut_group = cut(groups, axes["depth"])
    if cut_group is not None:
        groups = settle_cut_group(groups, cut_group, listed, judged, axes, query)
    if axes["self_match"] == "drop":
        groups = without_self_match(groups, query)
    groups = without_duplicates(groups, axes["duplicates"])
    own = frozenset(row.document for group in groups for row in group.rows)
    groups = with_appended(groups, judged, axes["appended"])
    length = Ranking(groups, judged).returned
    pooled = pooled_unjudged(judged, axes)
    groups = without_negative(groups, judged, axes["negative"])
    judged = negative_judgments(judged, axes["negative"])
    given = frozenset(judged)
    groups, judged = unjudged_rows(groups, judged, axes["unjudged"])
    later = further_rows(groups) if axes["duplicates"] == "once" else frozenset()
    return Ranking(groups, judged, own, length, given, later, pooled)


def rank_query(
    judged: dict[str, float], listing: Listing, orders: str, axes: Axes, query: str
) -> Ranking:
    """Step 2 for one query."""
    tied = keyed(listing, orders, axes)
    if axes["ties"] in OPEN_TIES:
        groups = [Group(rows, len(rows)) for rows in tied]
    else:
        groups = settled(row for rows in tied for row in tie_order(rows, axes["ties"]))
    return ranking_of(groups, judged, axes, query)


# -- 3. Value --------------------------------------------------------------------------------


def gain(grade: float, how: str) -> float:
    """What a grade is worth."""
    if how in ("exp2", "exp2_plus"):
        return power_gain(grade + 1.0 if how == "exp2_plus" else grade)
    if how == "exp2_i32":
        return float(2 ** (int(grade) % 32) - 1)
    if how in SIMPLE_GAINS:
        return SIMPLE_GAINS[how](grade)
    return table_gain(grade, how)


SIMPLE_GAINS: dict[str, Callable[[float], float]] = {
    "linear": lambda grade: grade,
    "binary": lambda grade: 1.0 if grade > 0 else 0.0,
    "judged": lambda _: 1.0,
}


def power_gain(exponent: float) -> float:
    """2^exponent - 1."""
    try:
        power: float = 2.0**exponent
    except OverflowError:
        raise Refused("gain") from None
    return power - 1.0


def table_gain(grade: float, table: str) -> float:
    """A gain that is looked up; ``other=linear`` at the end leaves other grades as they are."""
    entries = table.removesuffix(",other=linear").split(",")
    worth = {float(left): float(right) for left, _, right in (e.partition("=") for e in entries)}
    if grade not in worth and not table.endswith(",other=linear"):
        raise Refused("gain")
    return worth.get(grade, grade)


def discount(rank: int, how: str) -> float:
    """What the gain at a rank is divided by."""
    if how == "log2":
        return math.log2(rank + 1)
    if how == "reciprocal":
        return float(rank)
    if how == "none":
        return 1.0
    base = float(how.removeprefix("jarvelin:"))
    return 1.0 if rank < base else math.log2(rank) / math.log2(base)


def cut_off(number: float, axes: Axes) -> float:
    """`rounding: terms:N`: down to N decimals."""
    if not axes["rounding"].startswith("terms"):
        return number
    scale = 10.0 ** int(axes["rounding"].partition(":")[2])
    return math.floor(number * scale) / scale if math.isfinite(number * scale) else math.nan


def term(worth: float, rank: int, axes: Axes) -> float:
    """A gain divided by the discount of its rank."""
    divisor = discount(rank, axes["discount"])
    return worth / divisor if divisor == 1 else cut_off(worth / divisor, axes)


def discounted(gains: Iterable[float], axes: Axes) -> float:
    """Gains from rank 1 on, divided by their discounts and added in rank order."""
    return added(term(worth, rank, axes) for rank, worth in enumerate(gains, start=1))


def first_k(items: list[float], k: int | None) -> list[float]:
    """What lies within the cutoff; all where there is none."""
    return items if k is None else items[:k]


def gain_of_row(row: Row, ranking: Ranking, axes: Axes) -> float:
    """A row without judgment, or that earns nothing, has gain 0."""
    if row.document not in ranking.judged or (row.document, row.place) in ranking.later:
        return 0.0
    return gain(ranking.judged[row.document], axes["gain"])


def is_relevant(row: Row, ranking: Ranking, rel: float) -> bool:
    """A row without judgment, or that earns nothing, is not relevant."""
    if row.document not in ranking.judged or (row.document, row.place) in ranking.later:
        return False
    return ranking.judged[row.document] >= rel


def is_nonrelevant(row: Row, ranking: Ranking, rel: float) -> bool:
    """Judged, with a grade that is too low; a row that repeats one earns nothing here either."""
    if row.document not in ranking.judged or (row.document, row.place) in ranking.later:
        return False
    return ranking.judged[row.document] < rel


def relevant_judged(judged: dict[str, float], rel: float) -> int:
    """R: the number of relevant judged documents."""
    return len([document for document, grade in judged.items() if grade >= rel])


def credit(row: Row, ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """3.5: what a measure credits a row with."""
    if measure.name in CUMULATED + GAINED:
        return gain_of_row(row, ranking, axes)
    if measure.name == "NumNonrelRet":
        return 1.0 if is_nonrelevant(row, ranking, measure.rel) else 0.0
    if measure.name == "Judged":
        return 1.0 if row.document in ranking.given else 0.0
    return 1.0 if is_relevant(row, ranking, measure.rel) else 0.0


def in_order(ranking: Ranking, measure: Measure, axes: Axes) -> list[Row]:
    """The rows rank by rank; `best` and `worst` order each tie group by its credits."""
    rows: list[Row] = []
    for group in ranking.groups:
        ordered = group.rows
        if axes["ties"] in ("best", "worst"):
            ordered = sorted(
                group.rows,
                key=lambda row: credit(row, ranking, measure, axes),
                reverse=axes["ties"] == "best",
            )
        rows += ordered[: group.ranks]
    return rows


def credits_by_rank(ranking: Ranking, measure: Measure, axes: Axes) -> list[float]:
    """The credit each rank holds; under `expected` the mean credit of its tie group."""
    if axes["ties"] != "expected":
        rows = in_order(ranking, measure, axes)
        return [credit(row, ranking, measure, axes) for row in rows]
    held: list[float] = []
    for group in ranking.groups:
        of_group = [credit(row, ranking, measure, axes) for row in group.rows]
        held += [mean_credit(of_group)] * group.ranks
    return held


def mean_credit(credits_: list[float]) -> float:
    """3.5: credits added from largest to smallest, divided by their number; equal ones as is.

    (Three times 0.1 divided by 3 is not 0.1, though the order of such a group cannot matter.)
    """
    falling = sorted(credits_, reverse=True)
    if falling[0] == falling[-1]:
        return falling[0]
    return added(falling) / len(falling)


def dcg(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """3.1, and 3.5 for ranks that are shared."""
    if axes["ties"] == "mean_rank":
        terms: list[float] = []
        for group, rank in zip(ranking.groups, shared_ranks(ranking), strict=True):
            if measure.k is None or rank <= measure.k:
                credits_ = [gain_of_row(row, ranking, axes) for row in group.rows]
                terms.append(term(added(sorted(credits_, reverse=True)), rank, axes))
        return finite(added(terms))
    held = credits_by_rank(ranking, Measure("DCG"), axes)
    return finite(discounted(first_k(held, measure.k), axes))


def shared_ranks(ranking: Ranking) -> list[int]:
    """3.5: the rank that the rows of each group share under `mean_rank`."""
    ranks: list[int] = []
    first = 1
    for group in ranking.groups:
        ranks.append(first + (len(group.rows) - 1) // 2)
        first += len(group.rows)
    return ranks


def last_shared_rank(ranking: Ranking) -> int:
    """3.5: the last of them; the number returned where the last group has no judged row."""
    last = ranking.groups[-1].rows if ranking.groups else []
    if any(row.document in ranking.judged for row in last):
        return shared_ranks(ranking)[-1]
    return ranking.returned


def ideal_pool(ranking: Ranking, measure: Measure, axes: Axes) -> list[float]:
    """3.2: the gains that the ideal is made of."""
    if axes["ideal"] == "judged":
        return [gain(grade, axes["gain"]) for grade in ranking.judged.values()]
    if axes["ideal"] == "retrieved":
        rows = [row for group in ranking.groups for row in group.rows]
        return [gain_of_row(row, ranking, axes) for row in rows]
    if axes["ideal"] == "top_k":
        return first_k(credits_by_rank(ranking, Measure("DCG"), axes), measure.k)
    if measure.k is None:
        raise Refused("measure")
    slot = axes["ideal"].removeprefix("slots:")
    grade = float(axes["largest"] if slot == "max" else slot)
    return [gain(grade, axes["gain"])] * measure.k


def refuse_convention(measure: Measure, axes: Axes) -> None:
    """What is an error whatever the data: 3.2, 3.5, and assumed grades that have no gain."""
    if axes["appended"] != "none" and axes["depth"] != "all":
        raise Refused("usage")
    if axes["duplicates"] == "once" and axes["unjudged"].startswith("grade:"):
        raise Refused("usage")
    if measure.name in CUMULATED + GAINED:
        for axis in ("unjudged", "ideal"):
            if ":" in axes[axis] and axes[axis] != "slots:max":
                gain(float(axes[axis].partition(":")[2]), axes["gain"])
    refuse_beyond(measure, axes)
    if axes["ties"] == "mean_rank" and axes["unjudged"].startswith("grade:"):
        raise Refused("ties")
    if measure.name in ("nDCG", "IDCG"):
        if axes["ideal"].startswith("slots") and measure.k is None:
            raise Refused("measure")
        if axes["ideal_order"] == "listed" and axes["ideal"] != "judged":
            raise Refused("measure")
        if axes["ideal"] == "top_k" and axes["ties"] in OPEN_TIES:
            raise Refused("ties")
    elif measure.name not in CUMULATED and axes["ties"] == "mean_rank":
        raise Refused("ties")


def refuse_beyond(measure: Measure, axes: Axes) -> None:
    """The same for the measures beyond the first eight."""
    usual = axes["ideal"] == "judged" and axes["ideal_order"] == "gain"
    if measure.name in ("nDCGRel", "RnDCG", "G") and not usual:
        raise Refused("measure")
    if axes["ties"] in OPEN_TIES and axes["ties"] not in TIES_OF.get(measure.name, OPEN_TIES):
        raise Refused("ties")


def refuse_cut_ideal(ranking: Ranking | None, measure: Measure, axes: Axes) -> None:
    """3.5, last paragraph: which of the tied documents are retrieved is open."""
    if measure.name in ("nDCG", "IDCG") and axes["ideal"] == "retrieved":
        for group in ranking.groups if ranking is not None else []:
            if group.ranks < len(group.rows):
                raise Refused("ties")


def refuse_short(ranking: Ranking | None, axes: Axes) -> None:
    """2.10: a query that lists fewer documents than `min_documents` asks for."""
    if ranking is not None and 0 < ranking.length < int(axes["min_documents"]):
        raise Refused("few-documents")


def ideal_cutoff(k: int | None, returned: int, ideal_depth: str) -> int | None:
    """3.2: where the pool is cut."""
    if ideal_depth == "all":
        return None
    if ideal_depth == "returned":
        return returned if k is None else min(k, returned)
    return k


def idcg(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """3.2."""
    pool = ideal_pool(ranking, measure, axes)
    if axes["ideal_order"] == "gain":
        pool = sorted(pool, reverse=True)
    depth = ideal_cutoff(measure.k, ranking.returned, axes["ideal_depth"])
    if axes["ties"] == "mean_rank" and axes["ideal_depth"] != "all":
        last = last_shared_rank(ranking)
        depth = last if depth is None else min(depth, last)
    return finite(discounted(first_k(pool, depth), axes))


def ndcg(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """3.3."""
    actual, ideal = dcg(ranking, measure, axes), idcg(ranking, measure, axes)
    divides = ideal > 0 if axes["empty_test"] == "not_positive" else ideal != 0
    return finite(cut_off(actual / ideal, axes)) if divides else 0.0


def hits(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """h(k), or h of all ranks: credits added in rank order."""
    return added(first_k(credits_by_rank(ranking, measure, axes), measure.k))


def precision(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """P of 3.4."""
    if measure.k is not None:
        return hits(ranking, measure, axes) / measure.k
    return hits(ranking, measure, axes) / ranking.returned if ranking.returned > 0 else 0.0


def recall(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """R of 3.4."""
    return hits(ranking, measure, axes) / relevant_judged(ranking.judged, measure.rel)


def average_precision(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """AP of 3.4; the closed form of 3.5 under `expected`."""
    if axes["ties"] == "expected":
        terms = expected_ap_terms(ranking, measure)
    else:
        terms, above = [], 0
        for rank, row in enumerate(in_order(ranking, measure, axes), start=1):
            if is_relevant(row, ranking, measure.rel):
                above += 1
                terms.append(above / rank)
            else:
                terms.append(0.0)
    return added(first_k(terms, measure.k)) / relevant_judged(ranking.judged, measure.rel)


def expected_ap_terms(ranking: Ranking, measure: Measure) -> list[float]:
    """What each rank adds to AP in the mean over all orders, before the division by R."""
    terms: list[float] = []
    first, above = 1, 0
    for group in ranking.groups:
        n = len(group.rows)
        r = len([row for row in group.rows if is_relevant(row, ranking, measure.rel)])
        for j in range(group.ranks):
            others = j * (r - 1) / (n - 1) if n > 1 else 0.0
            terms.append(r / n * (above + 1 + others) / (first + j))
        first += n
        above += r
    return terms


def first_relevant_group(ranking: Ranking, rel: float) -> tuple[int, int, int, int] | None:
    """First rank, rows, relevant rows and ranks of the first group with relevant rows."""
    first = 1
    for group in ranking.groups:
        r = len([row for row in group.rows if is_relevant(row, ranking, rel)])
        if r > 0:
            return first, len(group.rows), r, group.ranks
        first += len(group.rows)
    return None


def none_relevant(n: int, r: int, j: int) -> float:
    """s(j): the chance that none of the first j rows of a group is relevant."""
    chance = 1.0
    for i in range(1, j + 1):
        chance = chance * ((n - r - i + 1) / (n - i + 1))
    return chance


def reciprocal_rank(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """RR of 3.4; the closed form of 3.5 under `expected`."""
    if axes["ties"] != "expected":
        for rank, row in enumerate(in_order(ranking, measure, axes), start=1):
            if is_relevant(row, ranking, measure.rel):
                return 1 / rank if measure.k is None or rank <= measure.k else 0.0
        return 0.0
    found = first_relevant_group(ranking, measure.rel)
    if found is None:
        return 0.0
    first, n, r, ranks = found
    reached = [j for j in range(ranks) if measure.k is None or first + j <= measure.k]
    return added(
        none_relevant(n, r, j) * (r / (n - j)) / (first + j) for j in reached if j <= n - r
    )


def success(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """Success of 3.4; the closed form of 3.5 under `expected`."""
    if axes["ties"] != "expected":
        return 1.0 if hits(ranking, measure, axes) > 0 else 0.0
    found = first_relevant_group(ranking, measure.rel)
    if found is None:
        return 0.0
    first, n, r, ranks = found
    m = len([j for j in range(ranks) if measure.k is None or first + j <= measure.k])
    return 1 - none_relevant(n, r, m)


# -- 3, counts: how many ------------------------------------------------------------------------


def number_of_queries(_ranking: Ranking, _measure: Measure, _axes: Axes) -> float:
    """NumQ: a query is one query."""
    return 1.0


def number_returned(ranking: Ranking, measure: Measure, _axes: Axes) -> float:
    """NumRet: the rows within the cutoff."""
    return float(ranking.returned if measure.k is None else min(ranking.returned, measure.k))


def number_relevant(ranking: Ranking, measure: Measure, _axes: Axes) -> float:
    """NumRel: R."""
    return float(relevant_judged(ranking.judged, measure.rel))


# -- 3, precision in other words -----------------------------------------------------------------


def r_precision(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """Rprec: precision at a multiple of R, which is rounded up from a tenth on."""
    relevant = relevant_judged(ranking.judged, measure.rel)
    cutoff = nine_tenths(measure.number("times", 1.0) * relevant)
    return precision(ranking, measure._replace(k=cutoff), axes) if cutoff > 0 else 0.0


def nine_tenths(number: float) -> int:
    """Rounded up where at least a tenth is over."""
    return int(number + 0.9)


def nearest(number: float) -> int:
    """The nearest whole number, a half away from 0; for numbers from 0 on."""
    below = math.floor(number)
    return below + 1 if number - below >= 0.5 else below


def relative_precision(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """RelativeP: the hits against the most that there could be."""
    ranks = ranking.returned if measure.k is None else measure.k
    most = min(ranks, relevant_judged(ranking.judged, measure.rel))
    return hits(ranking, measure, axes) / most if most > 0 else 0.0


def set_average_precision(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """SetAP: precision times recall of all rows."""
    found = hits(ranking, measure, axes)
    pairs = ranking.returned * relevant_judged(ranking.judged, measure.rel)
    return found * found / pairs if pairs > 0 else 0.0


def f_measure(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """F: the weighted harmonic mean of P and R."""
    p, r = precision(ranking, measure, axes), recall(ranking, measure, axes)
    if p == 0 and r == 0:
        return 0.0
    beta = measure.number("beta", 1.0)
    x = measure.number("x", beta * beta)
    return (x + 1) * p * r / (r + x * p)


def utility(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """Utility: what the four kinds of documents are worth, added."""
    found, returned = hits(ranking, measure, axes), ranking.returned
    relevant = relevant_judged(ranking.judged, measure.rel)
    neither = measure.number("collection", 0.0) + found - returned - relevant
    return (
        measure.number("relret", 1.0) * found
        + measure.number("nonrelret", -1.0) * (returned - found)
        + measure.number("relmissed", 0.0) * (relevant - found)
        + measure.number("nonrelmissed", 0.0) * neither
    )


# -- 3, with incomplete judgments ----------------------------------------------------------------


def binary_preference(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """Bpref: of each relevant row the share of judged others that do not stand above it."""
    relevant = relevant_judged(ranking.judged, measure.rel)
    most = min(len(ranking.judged) - relevant, relevant)
    terms: list[float] = []
    above = 0
    for row in in_order(ranking, measure, axes):
        if is_relevant(row, ranking, measure.rel):
            terms.append(1.0 - min(above, relevant) / most if above > 0 else 1.0)
        elif is_nonrelevant(row, ranking, measure.rel):
            above += 1
    return added(terms) / relevant


def inferred_ap(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """infAP: what AP is to be expected where the pool is judged in part."""
    terms: list[float] = []
    relevant, others, unjudged = 0, 0, 0
    for above, row in enumerate(in_order(ranking, measure, axes)):
        if is_relevant(row, ranking, measure.rel):
            terms.append(inferred_precision(above, relevant, others, unjudged))
            relevant += 1
        elif is_nonrelevant(row, ranking, measure.rel):
            others += 1
        elif row.document in ranking.pooled:
            unjudged += 1
    return added(terms) / relevant_judged(ranking.judged, measure.rel)


def inferred_precision(above: int, relevant: int, others: int, unjudged: int) -> float:
    """The expected precision at a relevant row, by what is known of the rows above it."""
    if above == 0:
        return 1.0
    pooled = (relevant + others + unjudged) / above
    share = (relevant + UNSEEN) / (relevant + others + 2 * UNSEEN)
    return 1 / (above + 1) + above / (above + 1) * pooled * share


def share_unjudged(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """Unjudged: the share of ranks whose row has no judgment."""
    ranks = ranking.returned if measure.k is None else measure.k
    unjudged = first_k(unjudged_credits(ranking, measure, axes), measure.k)
    return added(unjudged) / ranks if ranks > 0 else 0.0


def share_judged(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """Judged: the share of what is shown that has a judgment."""
    shown = ranking.returned if measure.k is None else min(measure.k, ranking.returned)
    return hits(ranking, measure, axes) / shown if shown > 0 else 0.0


def unjudged_credits(ranking: Ranking, measure: Measure, axes: Axes) -> list[float]:
    """1 for each rank whose row has no judgment of its own, else 0."""
    rows = in_order(ranking, measure, axes)
    return [0.0 if row.document in ranking.given else 1.0 for row in rows]


# -- 3, average precision in other words ---------------------------------------------------------


def floored_ap(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """GMAP: AP that has a logarithm."""
    return max(average_precision(ranking, measure, axes), FLOOR)


def floored_bpref(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """GMBpref: Bpref that has a logarithm."""
    return max(binary_preference(ranking, measure, axes), FLOOR)


def yet_another_ap(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """YAAP: the logarithm of the odds of what AP adds, smoothed by 1."""
    relevant = relevant_judged(ranking.judged, measure.rel)
    terms = [hit / rank for rank, hit in relevant_ranks(ranking, measure, axes)]
    reached = added(terms)
    left = 1.0 + relevant - reached
    if left <= 0:  # rows of one document that all count
        raise Refused("gain")
    return math.log((1.0 + reached) / left)


def relevant_ranks(ranking: Ranking, measure: Measure, axes: Axes) -> list[tuple[int, int]]:
    """The ranks of the relevant rows, each with how many there are up to it."""
    rows = enumerate(in_order(ranking, measure, axes), start=1)
    ranks = [rank for rank, row in rows if is_relevant(row, ranking, measure.rel)]
    return [(rank, hit) for hit, rank in enumerate(ranks, start=1)]


def binary_g(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """BinG: relevant rows discounted by how many others stand above them."""
    terms = [1 / math.log2(2 + rank - hit) for rank, hit in relevant_ranks(ranking, measure, axes)]
    return added(terms) / relevant_judged(ranking.judged, measure.rel)


def interpolated_precision(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """IPrec: the best precision from a point of recall on."""
    return precision_from(measure.number("recall", 0.0), ranking, measure, axes)


def precision_from(recall: float, ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """The largest precision at the ranks from the one on that reaches the recall; else 0."""
    among = recall * relevant_judged(ranking.judged, measure.rel)
    whole = nine_tenths if measure.word("documents", "nearest") == "nine_tenths" else nearest
    found = relevant_ranks(ranking, measure, axes)
    reached = [hit / rank for rank, hit in found if hit >= whole(among)]
    return max(reached, default=0.0)  # between them precision only falls


def interpolated_average(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """IPrecAvg: the mean of IPrec over points of recall, added from the last one listed."""
    points = [float(point) for point in measure.word("points", ELEVEN_POINTS).split("+")]
    heights = [precision_from(point, ranking, measure, axes) for point in points]
    return added(reversed(heights)) / len(points)


# -- 3, with gains -------------------------------------------------------------------------------


def running(terms: Iterable[float]) -> list[float]:
    """What the terms, added one at a time, have come to at each of them."""
    totals: list[float] = []
    total = 0.0
    for one in terms:
        total = total + one
        totals.append(total)
    return totals


def running_dcg(gains: Iterable[float], axes: Axes) -> list[float]:
    """0, then DCG at each rank."""
    totals = running(term(worth, rank, axes) for rank, worth in enumerate(gains, start=1))
    return [0.0, *totals]


def ideal_gains(ranking: Ranking, measure: Measure, axes: Axes) -> list[float]:
    """The gains above 0 of the judged documents, the largest first."""
    pool = ideal_pool(ranking, measure, axes)
    return sorted((worth for worth in pool if worth > 0), reverse=True)


def both_dcgs(
    ranking: Ranking, measure: Measure, axes: Axes
) -> tuple[list[float], list[float], list[float], list[float]]:
    """Gains and DCG rank by rank, of the rows and of the ideal."""
    gains = credits_by_rank(ranking, measure, axes)
    ideal = ideal_gains(ranking, measure, axes)
    actual, best = running_dcg(gains, axes), running_dcg(ideal, axes)
    finite(actual[-1])
    finite(best[-1])
    return gains, actual, ideal, best


def at(totals: list[float], rank: int) -> float:
    """A running total at a rank, or at the last one."""
    return totals[min(rank, len(totals) - 1)]


def ndcg_over_relevant(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """nDCGRel: the mean of nDCG at the ranks with a gain, those not returned at the last rank."""
    gains, actual, ideal, best = both_dcgs(ranking, measure, axes)
    if not ideal:
        return 0.0
    ranks = [rank for rank, worth in enumerate(gains, start=1) if worth > 0]
    terms = [at(actual, rank) / at(best, rank) for rank in ranks]
    terms.append((len(ideal) - len(ranks)) * actual[-1] / best[-1])
    return finite(added(terms) / len(ideal))


def ndcg_over_levels(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """RnDCG: the mean of nDCG where the ideal falls to its next gain, and at the last rank."""
    gains, actual, ideal, best = both_dcgs(ranking, measure, axes)
    if not ideal:
        return 0.0
    falls = [rank for rank in range(1, len(ideal)) if ideal[rank] != ideal[rank - 1]]
    terms = [at(actual, rank) / best[rank] for rank in [*falls, len(ideal)]]
    if len(gains) > len(ideal) + 1:
        terms.append(actual[-1] / best[-1])
    return finite(added(terms) / len(terms))


def normalized_gain(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """G: gains discounted by how far their sum lies behind that of the ideal."""
    gains = credits_by_rank(ranking, measure, axes)
    ideal = ideal_gains(ranking, measure, axes)
    if not ideal:
        return 0.0
    costs = [max(worth, 1.0) for worth in ideal] + [1.0] * len(gains)
    terms: list[float] = []
    for worth, cost, reached in zip(gains, running(costs), running(gains), strict=False):
        if worth != 0:
            terms.append(finite(worth / finite_log2(2 + cost - reached)))
    return finite(finite(added(terms)) / finite(added(ideal)))


def finite_log2(number: float) -> float:
    """A discount that is a number other than 0."""
    if not 0 < number < math.inf or number == 1:
        raise Refused("gain")
    return math.log2(number)


# -- 3, persistence ------------------------------------------------------------------------------


def powers(p: float, ranks: int) -> list[float]:
    """1 for the first rank, and for each further one p times the last; one more than ranks."""
    each = [1.0]
    for _ in range(ranks):
        each.append(each[-1] * p)
    return each


def persisted(credits_: list[float], p: float) -> float:
    """What a user finds who goes on to the next rank with chance p."""
    weights = powers(p, len(credits_))
    return (1 - p) * added(worth * weight for worth, weight in zip(credits_, weights, strict=False))


def rank_biased_precision(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """RBP."""
    held = first_k(credits_by_rank(ranking, measure, axes), measure.k)
    return persisted(held, measure.number("p", 0.8))


def graded_rbp(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """gRBP: the gains as a share of the largest one."""
    held = first_k(credits_by_rank(ranking, measure, axes), measure.k)
    largest = divisor_of_gains(ranking, measure, axes)
    return finite(persisted([worth / largest for worth in held], measure.number("p", 0.9)))


def divisor_of_gains(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """The number given, or the largest gain judged in the query where that exceeds 1."""
    if measure.word("largest", "query") != "query":
        return measure.number("largest", 1.0)
    return max([1.0, *(gain(grade, axes["gain"]) for grade in ranking.judged.values())])


def rbp_residual(ranking: Ranking, measure: Measure, axes: Axes) -> float:
    """RBPResidual: what RBP could gain where nothing is known, behind the last rank too."""
    unjudged = first_k(unjudged_credits(ranking, measure, axes), measure.k)
    p = measure.number("p", 0.8)
    return powers(p, len(unjudged))[-1] + persisted(unjudged, p)


FORMULAS: dict[str, Callable[[Ranking, Measure, Axes], float]] = {
    "nDCG": ndcg,
    "DCG": dcg,
    "IDCG": idcg,
    "P": precision,
    "R": recall,
    "AP": average_precision,
    "RR": reciprocal_rank,
    "Success": success,
    "NumQ": number_of_queries,
    "NumRet": number_returned,
    "NumRel": number_relevant,
    "NumRelRet": hits,
    "NumNonrelRet": hits,
    "Rprec": r_precision,
    "RelativeP": relative_precision,
    "SetAP": set_average_precision,
    "F": f_measure,
    "Utility": utility,
    "Bpref": binary_preference,
    "infAP": inferred_ap,
    "Judged": share_judged,
    "Unjudged": share_unjudged,
    "GMAP": floored_ap,
    "GMBpref": floored_bpref,
    "YAAP": yet_another_ap,
    "BinG": binary_g,
    "IPrec": interpolated_precision,
    "IPrecAvg": interpolated_average,
    "nDCGRel": ndcg_over_relevant,
    "RnDCG": ndcg_over_levels,
    "G": normalized_gain,
    "RBP": rank_biased_precision,
    "gRBP": graded_rbp,
    "RBPResidual": rbp_residual,
}


# -- 4. Policy -------------------------------------------------------------------------------


def is_empty(
    judged: dict[str, float], ranking: Ranking | None, measure: Measure, axes: Axes
) -> bool:
    """4.1: the judgments alone, after step 2.7, leave nothing to find.

    Under `empty_from: ideal` a cumulated measure asks the ideal of an answered query instead. What
    only counts is never empty; the other measures of gains ask the judged ones, as nDCG does.
    """
    if measure.name in NEVER_EMPTY:
        return False
    if measure.name in GAINED:
        cutoff = measure.k if measure.name == "gRBP" else None
        return is_empty(judged, None, Measure("nDCG", cutoff), axes)
    left = negative_judgments(judged, axes["negative"])
    if measure.name not in CUMULATED:
        return relevant_judged(left, measure.rel) == 0
    gains = sorted((gain(grade, axes["gain"]) for grade in left.values()), reverse=True)
    if axes["empty_from"] == "ideal" and ranking is not None:
        if axes["ideal"] != "judged":
            listed = {row.document for group in ranking.groups for row in group.rows}
            left = {document: grade for document, grade in left.items() if document in listed}
        return nothing_there(idcg(ranking, measure, axes), left, axes["empty_test"])
    depth = None if axes["ideal_depth"] == "all" else measure.k
    return nothing_there(discounted(first_k(gains, depth), axes), left, axes["empty_test"])


def nothing_there(ideal: float, left: dict[str, float], test: str) -> bool:
    """4.1: the test for an ideal DCG and the judgments that it is made of."""
    if test == "not_positive":
        return not ideal > 0
    if test == "zero":
        return ideal == 0
    if test == "never":
        return False
    if test == "sum":
        return added(left.values()) == 0
    return ideal == 0 or not any(grade > 0 for grade in left.values())


def none_found(ranking: Ranking, measure: Measure, axes: Axes) -> bool:
    """4.5: nothing with a gain above 0, or nothing relevant, is listed, though it is judged."""
    if measure.name in NEVER_EMPTY:
        return False
    gained = measure.name in CUMULATED + GAINED
    worth = [
        document
        for document, grade in ranking.judged.items()
        if document in ranking.given
        and (gain(grade, axes["gain"]) > 0 if gained else grade >= measure.rel)
    ]
    return bool(worth) and not any(document in ranking.listed for document in worth)


WORTH = {"exclude": None, "zero": 0.0, "one": 1.0, "nan": math.nan}  # NaN: the mean too


def settled_value(word: str, refusal: str) -> float | None:
    """What a query counts by the word of a rule; None leaves the mean."""
    if word == "error":
        raise Refused(refusal)
    return WORTH[word]


def query_value(
    judged: dict[str, float],
    ranking: Ranking | None,
    measure: Measure,
    axes: Axes,
    apart: frozenset[str] = frozenset(),
) -> float | None:
    """Steps 3 and 4.1 to 4.4 for one judged query; `ranking` is None where the run has no rows.

    `apart` has `unjudged` where the judgments list the query without a document, and `listed`
    where the run does.
    """
    if "unjudged" in apart and axes["no_judgments"] != "empty":
        return settled_value(axes["no_judgments"], "empty-ideal")
    empty = is_empty(judged, ranking, measure, axes)
    counts = settled_value(axes["empty"], "empty-ideal") if empty else 0.0
    if ranking is not None:
        if empty:
            return counts
        if axes["nothing_found"] != "computed" and none_found(ranking, measure, axes):
            return WORTH[axes["nothing_found"]]
        return half_up(FORMULAS[measure.name](ranking, measure, axes), axes["rounding"])
    return None if counts is None else unanswered_value(judged, measure, axes, apart, counts)


def unanswered_value(
    judged: dict[str, float],
    measure: Measure,
    axes: Axes,
    apart: frozenset[str],
    counts: float,
) -> float | None:
    """4.2: a query with no rows, which `counts` where missing queries do."""
    listed = "listed" in apart and axes["listed_empty"] != "missing"
    word = axes["listed_empty" if listed else "missing"]
    if word != "zero":
        return settled_value(word, "missing-query")
    if measure.name == "NumQ":  # this and NumRel are of the judgments alone
        return half_up(1.0, axes["rounding"])
    if measure.name == "NumRel":
        left = negative_judgments(judged, axes["negative"])
        return half_up(float(relevant_judged(left, measure.rel)), axes["rounding"])
    return counts


def half_up(number: float, rounding: str) -> float:
    """4.6: the value of a query, rounded."""
    if not rounding.startswith("query"):
        return number
    scale = 10.0 ** int(rounding.partition(":")[2])
    return math.floor(number * scale + 0.5) / scale


def value(
    judgments: Judgments, listing: Listing, measure: Measure, axes: Axes, query: str
) -> float | None:
    """One measure of one judged query; None where it is undefined or leaves the mean."""
    axes = with_defaults(axes)
    refuse_convention(measure, axes)
    orders = what_orders({query: listing}, axes["order_by"])
    judged = taken_grades(one_judgment_each(judgments, axes["judgments"]), axes["grades"])
    judged = counted_grades(judged, axes["min_grade"])
    ranking = rank_query(judged, listing, orders, axes, query) if listing else None
    refuse_cut_ideal(ranking, measure, axes)
    return query_value(judged, ranking, measure, axes)


def mean_of(
    values: dict[str, float],
    weights: Mapping[str, float] | None,
    groups: Mapping[str, str] | None,
) -> float | None:
    """4.4, over queries in byte order of their ids.

    `average` is `weighted` where there are weights, `group` where there are groups, else `query`.
    """
    if not values:
        return None
    if weights is not None:
        upper = added(weights[query] * number for query, number in values.items())
        lower = added(weights[query] for query in values)
        if lower == 0:
            raise Refused("weights")
        return finite(upper / lower)
    if groups is not None:
        means: list[float] = []
        for name in sorted({groups[query] for query in values}, key=utf8):
            members = [number for query, number in values.items() if groups[query] == name]
            means.append(added(members) / len(members))
        return finite(added(means) / len(means))
    return finite(added(values.values()) / len(values))


def overall(
    measure: Measure,
    values: dict[str, float],
    weights: Mapping[str, float] | None,
    groups: Mapping[str, str] | None,
) -> float | None:
    """4.4; counts have a sum, and GMAP and GMBpref a geometric mean."""
    if measure.name in SUMMED:
        return finite(added(values.values())) if values else None
    if measure.name not in GEOMETRIC:
        return mean_of(values, weights, groups)
    logs = {query: math.log(max(number, FLOOR)) for query, number in values.items()}
    mean = mean_of(logs, weights, groups)
    return None if mean is None else math.exp(mean)


def settled_mean(mean: float | None, spoiled: bool, axes: Axes) -> float | None:
    """4.6: the mean, where a query is undefined, where none is left, and rounded."""
    if spoiled:
        return None
    if mean is None:
        return settled_value(axes["none_left"], "no-query") if axes["none_left"] != "nan" else None
    what, _, decimals = axes["rounding"].partition(":")
    return round(mean, int(decimals)) if what == "mean" else mean


def with_cutoff(measure: Measure, axes: Axes) -> Measure:
    """3: the cutoff of a cumulated measure that names none."""
    cut = measure.name in (*CUMULATED, "gRBP")
    if cut and measure.k is None and axes["default_cutoff"] != "all":
        return measure._replace(k=int(axes["default_cutoff"]))
    return measure


def largest_grade(qrels: Qrels, axes: Axes) -> float:
    """3.2: the largest grade of all, and at least 0."""
    largest = 0.0
    for pairs in qrels.values():
        try:
            taken = taken_grades(one_judgment_each(pairs, axes["judgments"]), axes["grades"])
        except Refused:  # said where it is read
            continue
        largest = max([largest, *taken.values()])
    return largest


def read_all(qrels: Qrels, run: Run, axes: Axes, refused: list[str]) -> dict[str, dict[str, float]]:
    """Step 1 for all judged queries, in byte order of their ids."""
    first = min((query for query in qrels if run.get(query)), key=utf8, default=None)
    judged: dict[str, dict[str, float]] = {}
    for query in sorted(qrels, key=utf8):
        try:
            settled_ones = one_judgment_each(qrels[query], axes["judgments"])
            taken = taken_grades(settled_ones, axes["grades"])
            if axes["negative_only"] == "refuse_first" and query == first and all_negative(taken):
                refused.append("negative-grade")
            judged[query] = counted_grades(taken, axes["min_grade"])
            negative_judgments(judged[query], axes["negative"])
        except Refused as reason:
            refused += reason.words
    return judged


def rank_all(
    judged: dict[str, dict[str, float]], run: Run, axes: Axes, refused: list[str]
) -> dict[str, Ranking | None]:
    """Step 2 for all judged queries; None where the run has no rows."""
    rankings: dict[str, Ranking | None] = {}
    for query, own in judged.items():
        try:
            orders = what_orders(run, axes["order_by"])
            listing = run.get(query)
            rankings[query] = rank_query(own, listing, orders, axes, query) if listing else None
        except Refused as reason:
            refused += reason.words
    return rankings


def value_all(
    judged: dict[str, dict[str, float]],
    rankings: dict[str, Ranking | None],
    measure: Measure,
    axes: Axes,
    apart: dict[str, frozenset[str]],
    refused: list[str],
) -> dict[str, float | None]:
    """Steps 3 and 4.1 to 4.4 for all judged queries."""
    values: dict[str, float | None] = {}
    try:
        refuse_convention(measure, axes)
    except Refused as reason:
        refused += reason.words
    for ranking in rankings.values():
        try:
            refuse_cut_ideal(ranking, measure, axes)
            refuse_short(ranking, axes)
        except Refused as reason:
            refused += reason.words
    for query, ranking in rankings.items():
        try:
            own = judged[query]
            values[query] = query_value(own, ranking, measure, axes, apart[query])
        except Refused as reason:
            refused += reason.words
    return values


def evaluate(
    qrels: Qrels,
    run: Run,
    measures: Sequence[Measure],
    axes: Axes,
    weights: Mapping[str, float] | None = None,
    groups: Mapping[str, str] | None = None,
) -> Result:
    """All measures of one run; `Refused` carries every reason found, in the order of the page."""
    axes = with_defaults(axes)
    refused: list[str] = []
    judged = read_all(qrels, run, axes, refused)
    rankings = rank_all(judged, run, axes, refused)
    extra = [query for query in run if query not in qrels]
    if extra and axes["extra"] == "error":
        refused.append("extra-query")
    axes["largest"] = repr(largest_grade(qrels, axes))
    apart = {
        query: frozenset(
            (["unjudged"] if not qrels[query] else []) + (["listed"] if query in run else [])
        )
        for query in qrels
    }
    results: Result = {}
    for asked in measures:
        measure = with_cutoff(asked, axes)
        counted = value_all(judged, rankings, measure, axes, apart, refused)
        if len(counted) < len(qrels):  # what is left has no mean, but its own faults were found
            continue
        counted |= dict.fromkeys(extra, 0.0) if axes["extra"] == "zero" else {}
        per_query = {query: counted[query] for query in sorted(counted, key=utf8)}
        spoiled = any(number is not None and math.isnan(number) for number in per_query.values())
        per_query = {
            query: None if number is None or math.isnan(number) else number
            for query, number in per_query.items()
        }
        left = {query: number for query, number in per_query.items() if number is not None}
        empty = [
            query for query, own in judged.items() if is_empty(own, rankings[query], measure, axes)
        ]
        try:
            mean = settled_mean(overall(measure, left, weights, groups), spoiled, axes)
        except Refused as reason:
            refused += reason.words
        else:
            results[asked] = MeasureResult(mean, per_query, len(left), empty)
    if refused:
        raise Refused(*refused)
    return results


# -- Proof of the closed forms -----------------------------------------------------------------


def orders_of(listing: Listing, orders: str, axes: Axes) -> Iterator[list[Row]]:
    """Every order of the rows that the tie groups allow."""
    tied = keyed(listing, orders, axes)
    for arranged in product(*(permutations(rows) for rows in tied)):
        yield [row for rows in arranged for row in rows]


def values_of_all_orders(
    judgments: Judgments, listing: Listing, measure: Measure, axes: Axes, query: str
) -> list[float]:
    """The value under every order of the tie groups, by the walk for orders that are fixed.

    The ties are opened before step 2.4, so that `depth` cuts each order by itself. (Where one
    document occurs twice in a tie group and `duplicates` keeps one of its rows, the page opens
    the group that is left, which is another mean.)
    """
    axes = {**with_defaults(axes), "ties": "input"}
    orders = what_orders({query: listing}, axes["order_by"])
    judged = taken_grades(one_judgment_each(judgments, axes["judgments"]), axes["grades"])
    judged = counted_grades(judged, axes["min_grade"])
    values: list[float] = []
    for rows in orders_of(listing, orders, axes):
        ranking = ranking_of(settled(rows), judged, axes, query)
        number = query_value(judged, ranking, measure, axes)
        assert number is not None, "ask only for queries that are neither empty nor missing"
        values.append(number)
    return values


def expected_by_enumeration(
    judgments: Judgments, listing: Listing, measure: Measure, axes: Axes, query: str
) -> float:
    """The mean over all orders; equal to the closed form but for rounding."""
    values = values_of_all_orders(judgments, listing, measure, axes, query)
    return added(values) / len(values)


def best_by_enumeration(
    judgments: Judgments, listing: Listing, measure: Measure, axes: Axes, query: str
) -> float:
    """The largest value of any order."""
    return max(values_of_all_orders(judgments, listing, measure, axes, query))


def worst_by_enumeration(
    judgments: Judgments, listing: Listing, measure: Measure, axes: Axes, query: str
) -> float:
    """The smallest value of any order."""
    return min(values_of_all_orders(judgments, listing, measure, axes, query))
