"""explain(): why a query has its value, why two runs differ in it, and what would help."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from ndcg.diagnose.explaining.contrast import Contrast, contrasted
from ndcg.diagnose.explaining.found import Explanation
from ndcg.diagnose.explaining.listing import Asked, overview
from ndcg.diagnose.explaining.overview import Overview
from ndcg.diagnose.explaining.parts import refuse_indivisible
from ndcg.diagnose.explaining.single import explained
from ndcg.errors import Notice, Problem, UsageError, count, did_you_mean, listed, warn
from ndcg.evaluation import scored
from ndcg.evaluation.asked import measures_of, segments_by_query
from ndcg.evaluation.scoring import Scoring
from ndcg.formats.texts import read_texts
from ndcg.stores import frames
from ndcg.stores.values import text_id

Found = Explanation | Contrast | Overview


def explain(
    qrels: Any,
    run: Any,
    other: Any = None,
    *,
    query: str | int | None = None,
    measure: str | None = None,
    texts: Mapping[str, str] | str | PathLike[str] | None = None,
    query_texts: Mapping[str, str] | str | PathLike[str] | None = None,
    segments: Mapping[str, str | Sequence[str]] | None = None,
    segment: str | None = None,
    **how: Any,
) -> Found:
    """Explain the value of a query, or why two runs differ in it, or list the queries.

    Parameters
    ----------
    qrels, run, **how
        As in `evaluate`. `run` may also be two runs: ``{name: run}``, a list of two files.
    other
        A second run, which is compared with the first.
    query
        The query to explain. Without it all queries are listed: of two runs by their share of the
        difference, of one by what each loses.
    measure
        nDCG@10 by default, or that of a signature given as `convention`. Explained are measures
        whose value is a sum of what documents add: nDCG, DCG, P, R, F, Rprec, RelativeP, RBP,
        gRBP, AP, RR, Success.
    texts, query_texts
        What documents and queries are about, shown beside their ids: ``{id: text}``, or a file of
        JSON lines, CSV or TSV.
    segments, segment
        ``{query: segment}`` or ``{query: [segment, ...]}``, shown beside the queries that are
        listed; with `segment`, only the queries in it.

    Returns
    -------
    Explanation, Contrast or Overview
        Of one query of one run, one query of two, or all queries.

    Raises
    ------
    UsageError
        For a query that is not judged, a measure that has no parts, or more than two runs.
    DataError
        When the input cannot be scored.

    Examples
    --------
    >>> qrels = {"q": {"A": 3, "B": 2, "C": 1, "D": 0}}
    >>> found = explain(qrels, {"q": ["B", "D", "A", "C"]}, query="q", measure="nDCG@3")
    >>> found.sum == 3 + 0 + 7 / 2, round(found.value, 4)
    (True, 0.692)
    >>> print(found.told[0])
    A (grade 3) at rank 3 instead of 1 costs 0.3726

    A best document that was not retrieved lowers the value through the ideal alone:

    >>> missed = explain(qrels, {"q": ["B", "C", "D"]}, query="q", measure="nDCG@3")
    >>> round(missed.sum, 4), round(missed.ideal_sum, 4), round(missed.value, 4)
    (3.6309, 9.3928, 0.3866)
    >>> missed.causes["missed"] == 7 / missed.ideal_sum
    True
    """
    if "measures" in how:
        what = "explain is about one measure, and measures= is given"
        raise UsageError(Problem("usage", what, help="measure='nDCG@10'"))
    runs = _runs(run, other)
    _refuse_segment(segment, segments, query)
    if measure is not None:
        _refuse_several(measure)
    evaluation, scorings = scored(qrels, runs, measure, whole=True, **{"fingerprint": False, **how})
    if len(scorings) > 2:
        names = listed(one.rankings.name for one in scorings)
        what = (
            f"{len(scorings)} runs are given, and at most two are compared query by query: {names}"
        )
        raise UsageError(Problem("usage", what, help="give one run, or two"))
    chosen = scorings[0].measures[0]
    refuse_indivisible(chosen)
    notices = evaluation.notices
    if query is None:
        queries = {*scorings[0].judgments.given}.union(*(one.queries for one in scorings))
        parts = {} if segments is None else segments_by_query(segments)
        asked = Asked(_texts(query_texts, queries), parts, segment)
        _refuse_unknown_segment(asked, queries)
        told = (*notices, *_unnamed("query_texts", query_texts, asked.texts))
        return replace(overview(scorings, chosen, asked), notices=told)
    name = _query(query, scorings, how.get("queries"))
    ids = {*scorings[0].judged.documents[scorings[0].judged.queries.index(name)]}
    ids.update(*(one.rankings.documents(name) for one in scorings))
    titles, text = _texts(texts, ids), _texts(query_texts, {name}).get(name)
    notices = (*notices, *_unnamed("texts", texts, titles))
    notices = (
        *notices,
        *_unnamed("query_texts", query_texts, {} if text is None else {name: text}),
    )
    found = [explained(one, chosen, name, titles, text) for one in scorings]
    if len(found) == 1:
        return replace(found[0], notices=notices)
    return replace(contrasted(found[0], found[1]), notices=notices)


def _runs(run: Any, other: Any) -> Any:
    """One run or two, as `evaluate` takes them."""
    if other is None:
        return run
    if isinstance(run, str | PathLike) and isinstance(other, str | PathLike):
        return [fspath(run), fspath(other)]
    if frames.is_frame(run) or isinstance(run, Mapping | str | PathLike):
        return {"run": run, "other": other}
    what = f"run is of type {type(run).__name__}, and other is given"
    raise UsageError(Problem("type", what, help="give one run in each, or {name: run} as run"))


def _refuse_several(measure: Any) -> None:
    asked, _ = measures_of(measure)
    if len(asked) > 1:
        what = f"one measure is explained, and {len(asked)} are given: {listed(asked)}"
        raise UsageError(Problem("measure", what, help="give one of them"))


def _query(given: str | int, scorings: Sequence[Scoring], chosen: Any) -> str:
    """The id of a judged query."""
    name, judged = text_id(given), scorings[0].judgments.given
    if name is None:
        what = f"query id {given!r} is not text"
        raise UsageError(Problem("queries", what, help="query ids are text"))
    if name in judged:
        return name
    if chosen is not None and name not in map(text_id, chosen):
        what = f"query {name!r} is not among the {count(len(judged), 'query', 'queries')} asked for"
        raise UsageError(Problem("queries", what, help=f"asked for: {listed(sorted(judged), 5)}"))
    listing = [one for one in scorings if name in one.queries]
    if listing:
        number = len(listing[0].rankings.documents(name))
        word = scorings[0].base.extra
        value = "it counts 0" if word == "zero" else "it is left out"
        what = (
            f"nobody judged query {name!r}, for which {listing[0].rankings.name} lists "
            f"{count(number, 'document')}: {value} (extra:{word})"
        )
        raise UsageError(Problem("queries", what, help="explain a query that is judged"))
    what = f"query {name!r} is not judged{did_you_mean(name, judged)}"
    raise UsageError(Problem("queries", what, help=f"judged: {listed(sorted(judged), 5)}"))


def _texts(given: Any, wanted: set[str]) -> Mapping[str, str]:
    """The texts of some ids."""
    if given is None:
        return {}
    if isinstance(given, str | PathLike):
        return read_texts(fspath(given), wanted)
    if not isinstance(given, Mapping):
        what = f"texts are of type {type(given).__name__}"
        raise UsageError(Problem("type", what, help="give {id: text}, or a file"))
    found = {text_id(one): text for one, text in given.items() if text is not None}
    return {one: str(text) for one, text in found.items() if one is not None and one in wanted}


def _unnamed(word: str, given: Any, found: Mapping[str, str]) -> list[Notice]:
    """Texts of other ids are said: the file may be another one."""
    if given is None or found:
        return []
    ids = "documents" if word == "texts" else "queries"
    where = fspath(given) if isinstance(given, str | PathLike) else word
    return [warn(f"{where} has no text for any of the {ids}", "check that its ids are theirs")]


def _refuse_segment(segment: str | None, segments: object, query: object) -> None:
    if query is not None and (segments is not None or segment is not None):
        what = "segments are parts of many queries, and one query is explained"
        raise UsageError(Problem("usage", what, help="leave out the query, or the segments"))
    if segment is not None and segments is None:
        what = f"segment {segment!r} is asked for, and no segments are given"
        raise UsageError(
            Problem("segments", what, help="--segments FILE (in Python: segments={query: segment})")
        )


def _refuse_unknown_segment(asked: Asked, queries: set[str]) -> None:
    """Refuse a segment that holds none of the queries."""
    names = {name for query, own in asked.segments.items() if query in queries for name in own}
    if asked.segment is not None and asked.segment not in names:
        what = f"no query is in segment {asked.segment!r}{did_you_mean(asked.segment, names)}"
        raise UsageError(Problem("segments", what, help=f"segments: {listed(sorted(names))}"))
    if asked.segments and not names:
        what = f"no query of the segments is judged: {listed(sorted(asked.segments), 3)}"
        raise UsageError(Problem("segments", what, help=f"judged: {listed(sorted(queries), 3)}"))
