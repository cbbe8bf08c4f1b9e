"""The API of pytrec_eval (and pytrec-eval-terrier), with the values of trec_eval 9.

``import ndcg.compat.pytrec_eval as pytrec_eval`` is the whole migration. Values are the same
doubles. Beyond it, grades may have fractions, numbers may be NumPy's, ``recip_rank_10`` and
``map_10`` are cut at 10, gains may be given (``ndcg.1=1,2=3``), and what is wrong is an exception.
"""

from __future__ import annotations

import re
import warnings
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ndcg.compat.families import FAMILIES, Family, Options, nicknames
from ndcg.compat.parameters import BadParametersError, Given, names_of, parameters_of
from ndcg.compat.seen import Seen, convention_of
from ndcg.errors import DataError, NdcgWarning, Notice, Problem, UsageError, did_you_mean
from ndcg.kernel import Floats
from ndcg.measures.registry import Measure
from ndcg.stores import adopt
from ndcg.stores.given import Listing, Overlay
from ndcg.stores.mapping import MappingRankings

__all__ = [
    "RelevanceEvaluator",
    "compute_aggregated_measure",
    "parse_qrel",
    "parse_run",
    "supported_measures",
    "supported_nicknames",
]

_VERSION = 9
supported_nicknames: dict[str, set[str]] = {
    name: {*members} for name, members in nicknames(_VERSION).items()
}
supported_measures: set[str] = {*supported_nicknames["all_trec"]}

_CUT = {"recip_rank": "RR", "map": "AP"}  # measures that pytrec_eval takes a cutoff for, unheeded
_CONSTANT = {"num_q": 1.0}  # of what has no value of its own; the others are 0


class ArgumentError(UsageError, TypeError):
    """An argument has the wrong type or is out of range; a TypeError as in pytrec_eval."""


class InputError(DataError, TypeError):
    """Judgments or scores cannot be used; a TypeError as in pytrec_eval."""


class DuplicateError(DataError, AssertionError):
    """A document stands twice in the lines of a query; an AssertionError as in pytrec_eval."""


class _Asked(NamedTuple):
    """A family with its parameters, and what its values are called."""

    family: Family
    given: Given
    names: list[str]


class RelevanceEvaluator:
    """Evaluates runs against judgments.

    Parameters
    ----------
    query_relevance
        ``{query: {document: grade}}``; queries without a document are left out.
    measures
        Names such as ``map``, ``ndcg_cut_10``, ``ndcg_cut.5,10``, or nicknames.
    relevance_level
        The lowest grade that is relevant, at least 1.
    judged_docs_only_flag
        Whether documents without judgment leave the ranking.

    Raises
    ------
    ArgumentError, InputError
        For arguments of the wrong type. Both are a ``TypeError`` and a ``ValueError``.
    UsageError
        For measures that do not exist; a ``ValueError``.

    Examples
    --------
    >>> evaluator = RelevanceEvaluator({"q1": {"d1": 1, "d2": 0}}, {"map", "recip_rank_1"})
    >>> evaluator.evaluate({"q1": {"d2": 2.0, "d1": 1.0}})
    {'q1': {'map': 0.5, 'recip_rank_1': 0.0}}
    """

    def __init__(
        self,
        query_relevance: Mapping[str, Mapping[str, float]],
        measures: Iterable[str],
        relevance_level: int = 1,
        judged_docs_only_flag: bool = False,  # noqa: FBT002 -- the signature is theirs
    ) -> None:
        level: object = relevance_level
        if not isinstance(level, int | np.integer) or level < 1:
            what = f"relevance_level is {relevance_level!r}"
            how = "give a whole number from 1 up: the lowest grade that is relevant"
            raise ArgumentError(Problem("usage", what, help=how))
        self._level = int(level)
        self._asked = _asked(measures)
        judged = _taken_over(adopt.judgments, query_relevance, "query_relevance")
        some = [query for query, pairs in judged.given.items() if pairs]
        self._judged = judged.only(some).settled("last")
        self._convention = convention_of(
            _VERSION, None, judged_only=bool(judged_docs_only_flag)
        ).but({"duplicates": "last_listed"})

    def evaluate(self, scores: Mapping[str, Mapping[str, float]]) -> dict[str, dict[str, float]]:
        """The values of a run, ``{query: {measure: value}}``, in the order of the run.

        Parameters
        ----------
        scores
            ``{query: {document: score}}``. Queries that nobody judged are left out.
        """
        rankings = _taken_over(adopt.rankings, scores, "scores")
        here = {query: number for number, query in enumerate(self._judged.queries)}
        common = [query for query in rankings.queries if query in here]
        if not common:
            return {}
        seen = Seen(self._overlay(rankings).aligned, self._convention, self._level)
        columns = [
            (name, value)
            for one in self._asked
            for name, value in zip(one.names, _values(one, seen), strict=True)
        ]
        names = [name for name, _ in columns]
        table = np.array([value for _, value in columns]).T if columns else np.zeros((len(here), 0))
        rows = table[[here[query] for query in common]].tolist()
        return {
            query: dict(zip(names, row, strict=True))
            for query, row in zip(common, rows, strict=True)
        }

    def _overlay(self, rankings: MappingRankings) -> Overlay:
        try:
            return rankings.align(self._judged, self._convention)
        except DataError as error:
            finite = _without_infinities(rankings)
            if finite is None:
                raise InputError(error.problems, total=error.total) from None
            return finite.align(self._judged, self._convention)


def _without_infinities(rankings: MappingRankings) -> MappingRankings | None:
    """The same order of documents by finite scores; None if some are no numbers at all."""
    given: dict[str, Listing] = {}
    for query, listing in rankings.given.items():
        try:
            with np.errstate(over="ignore"):
                values = np.array([*map(_number, rankings.scores(query))], np.float32)
        except (TypeError, ValueError):
            return None
        if np.isnan(values).any():
            return None
        place = np.unique(values, return_inverse=True)[1].astype(np.float64)
        given[query] = Listing([*listing.documents], place)
    return MappingRankings(given, rankings.name)


def _number(value: Any) -> float:
    if isinstance(value, str):
        raise TypeError(value)
    return float(value)


def _values(one: _Asked, seen: Seen) -> list[Floats]:
    """The values of a family for all judged queries."""
    family = one.family
    if family.compute is None:
        return [np.full(seen.n_queries, _CONSTANT.get(family.name, 0.0))]
    if family.name in _CUT and one.given:
        return [seen.value(Measure(_CUT[family.name], k)) for k in one.given]
    return [family.compute(seen, Options(_VERSION), own) for own in family.split(one.given)]


def _taken_over(take: Any, given: object, name: str) -> Any:
    """Judgments or a run from dictionaries; ids that become text draw a warning."""
    try:
        found, notices = take(given, name)
    except DataError as error:
        raise InputError(error.problems, total=error.total) from None
    for notice in notices:
        _warn(notice)
    return found


def _warn(notice: Notice) -> None:
    warnings.warn(str(notice).removeprefix("warning: "), NdcgWarning, stacklevel=4)


# -- names of measures --------------------------------------------------------------------------


def _asked(measures: object) -> list[_Asked]:
    """The families that the names stand for, in print order, each once."""
    if isinstance(measures, str) or not isinstance(measures, Iterable):
        what = f"measures is of type {type(measures).__name__}"
        raise ArgumentError(Problem("type", what, help='give a set of names, such as {"map"}'))
    given: Iterable[object] = measures
    parameters: dict[str, dict[str, None]] = {}
    for name in given:
        if not isinstance(name, str):
            what = f"measure {name!r} is no name"
            raise ArgumentError(Problem("type", what, help='names are text, such as "map"'))
        for member in sorted(supported_nicknames.get(name, {name})):
            base, text = _parted(member)
            own = parameters.setdefault(base, {})
            own.update(dict.fromkeys([] if text is None else [text]))
    found: list[_Asked] = []
    for family_name, family in FAMILIES.items():
        if family_name in parameters:
            found += _with_parameters(family, [*parameters[family_name]])
    return found


def _parted(name: str) -> tuple[str, str | None]:
    """A name without and with its parameters: ``P_5,10`` is P and ``5,10``."""
    if name in supported_measures:
        return name, None
    for known in sorted(supported_measures, key=len, reverse=True):
        if name.startswith(known) and re.match(r"[._][0-9.=,-]", name[len(known) :]):
            return known, name[len(known) + 1 :]
    raise _unsupported(name, did_you_mean(name, supported_measures))


def _with_parameters(family: Family, texts: Sequence[str]) -> list[_Asked]:
    """A family with all parameters that were given for it."""
    name, kind = family.name, family.kind
    if not texts:
        return [_Asked(family, family.given, names_of(name, kind, family.given, None))]
    if name in _CUT:
        ranks = _read("ranks", name, ",".join(texts))
        return [_Asked(family, ranks, [f"{name}_{k}" for k in ranks])]
    if kind == "pairs":
        return [_Asked(family, _read(kind, name, one), [f"{name}_{one}"]) for one in texts]
    if not kind:
        raise _unsupported(f"{name}_{texts[0]}", f": {name} takes no parameters")
    given = _read(kind, name, ",".join(texts))
    if name == "utility" and len(given) != 4:
        raise _unsupported(f"{name}_{','.join(texts)}", ": utility takes 4 coefficients")
    return [_Asked(family, given, names_of(name, kind, given, None))]


def _read(kind: str, name: str, text: str) -> Given:
    if kind in ("ranks", "levels"):  # the same cutoff by two names is one
        values = {float(one): one for one in text.split(",") if re.fullmatch(r"[0-9.]+", one)}
        text = ",".join(values.values()) if values else text
    try:
        return parameters_of(kind, text, _VERSION)
    except BadParametersError as error:
        raise _unsupported(f"{name}_{text}", f": {error}") from None


def _unsupported(name: str, why: str) -> UsageError:
    near = f"; for a cutoff: {name.replace('ndcg_', 'ndcg_cut_', 1)}" if re.fullmatch(
        r"ndcg[._][0-9]+", name) else ""  # fmt: skip
    known = ", ".join(sorted(supported_measures))
    return UsageError(Problem("measure", f"unsupported measure {name}{why}{near}", help=known))


# -- files and means ----------------------------------------------------------------------------


def parse_run(f_run: Iterable[str]) -> dict[str, dict[str, float]]:
    """The scores in the lines of a run: query, Q0, document, rank, score, tag.

    Raises
    ------
    DuplicateError
        When a document stands twice in the lines of a query.
    DataError
        For lines that are no such rows; a ``ValueError``.
    """
    run: dict[str, dict[str, float]] = defaultdict(dict)
    for number, (query, _, document, _, score, _) in _rows(
        f_run, "query Q0 document rank score tag"
    ):
        _put(run[query], query, document, number, _parsed(float, score, "score", number))
    return run


def parse_qrel(f_qrel: Iterable[str]) -> dict[str, dict[str, int]]:
    """The grades in the lines of judgments: query, iteration, document, grade.

    Raises
    ------
    DuplicateError
        When a document stands twice in the lines of a query.
    DataError
        For lines that are no such rows; a ``ValueError``.
    """
    qrel: dict[str, dict[str, int]] = defaultdict(dict)
    for number, (query, _, document, grade) in _rows(f_qrel, "query iteration document grade"):
        _put(qrel[query], query, document, number, _parsed(int, grade, "grade", number))
    return qrel


def _rows(lines: Iterable[str], columns: str) -> Iterable[tuple[int, list[str]]]:
    width = len(columns.split())
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if len(fields) != width:
            what = f"line {number}: {len(fields)} columns, not {width} ({columns})"
            how = f"complete or remove the line: {line.rstrip()!r}"
            raise DataError(Problem("columns", what, help=how))
        yield number, fields


def _parsed(kind: type[Any], text: str, word: str, number: int) -> Any:
    try:
        return kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        what = f"line {number}: {word} {text!r} is not {wanted}"
        raise DataError(Problem(word, what, help=f"give {wanted}")) from None


def _put(own: dict[str, Any], query: str, document: str, number: int, value: Any) -> None:
    if document in own:
        what = f"line {number}: document {document!r} stands twice for query {query!r}"
        raise DuplicateError(Problem("duplicate", what, help="remove one of the lines"))
    own[document] = value


def compute_aggregated_measure(measure: str, values: Sequence[float]) -> float:
    """What the values of queries come to: a sum for ``num_*``, else a mean.

    Values of ``gm_*`` are logarithms; theirs is exp of the mean. Means are NumPy's, whose last
    digit may differ from that of the trec_eval command.
    """
    if measure.startswith("num_"):
        return float(np.sum(values))
    if measure.startswith("gm_"):
        return float(np.exp(np.sum(values) / len(values)))
    return float(np.mean(values))
