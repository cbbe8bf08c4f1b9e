"""What was asked for: the convention, how to average, which measures."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, NamedTuple

from ndcg.axes import Axes, number_text
from ndcg.convention import Convention, read_signature
from ndcg.errors import Notice, Problem, UsageError, warn
from ndcg.evaluation.policy import Averaging
from ndcg.measures.names import Foreign
from ndcg.measures.registry import Measure, parse
from ndcg.presets import preset as preset_named
from ndcg.stores.given import Rankings
from ndcg.stores.values import fault, shown, text_id


def convention_of(preset: str | None, given: Convention | str | None, axes: Axes) -> Convention:
    """The convention that a preset or a given one states, with the axes on top."""
    if preset is not None and given is not None:
        raise UsageError(
            Problem("usage", "preset and convention both set all axes", help="give one of them")
        )
    base = Convention()
    if preset is not None:
        base = preset_named(preset).convention
    elif isinstance(given, str):
        base = Convention.parse(given)
    elif isinstance(given, Convention):
        base = given
    elif given is not None:
        what = f"convention is of type {type(given).__name__}"
        raise UsageError(Problem("usage", what, help="give a Convention or a signature"))
    return base.but(axes)


class Tables(NamedTuple):
    """What means may be taken by: the weight or the group of each query."""

    weights: Mapping[str, float] | None = None
    groups: Mapping[str, str] | None = None


_NEEDS = {"weighted": "weights", "group": "groups"}


def tables_of(weights: object, groups: object) -> Tables:
    """The weights or groups that were given, checked."""
    if weights is not None and groups is not None:
        raise UsageError(
            Problem("usage", "weights and groups both decide the mean", help="give one of them")
        )
    return Tables(_table("weights", weights), _table("groups", groups))


def _table(word: str, given: object) -> dict[str, Any] | None:
    if given is None:
        return None
    if not isinstance(given, Mapping):
        what = f"{word} are of type {type(given).__name__}"
        raise UsageError(Problem(word, what, help=f"give a dictionary of query and {word[:-1]}"))
    table: dict[str, Any] = {}
    for key, value in given.items():
        query = text_id(key)
        wrong = "its id is not text" if query is None else _entry_fault(word, value)
        if query in table:
            wrong = "it is given twice, as text and as a whole number"
        if wrong is not None or query is None:
            what = f"{word[:-1]} of query {key!r}: {wrong}"
            raise UsageError(Problem(word, what, help=_ENTRIES[word]))
        table[query] = value if word == "weights" else str(text_id(value))
    return table


_ENTRIES = {
    "weights": "weights are finite numbers of at least 0",
    "groups": "groups are named by text",
}


def _entry_fault(word: str, value: Any) -> str | None:
    if word == "groups":
        return None if text_id(value) is not None else f"{shown(value)} is no name"
    return fault(value) or (f"{number_text(value)} is negative" if value < 0 else None)


def with_tables(base: Convention, tables: Tables, *, stated: bool) -> Convention:
    """The convention that averages by the weights or groups that were given.

    `stated` says that the convention's way of averaging was asked for, not just the default.
    """
    given = next((word for word, needs in _NEEDS.items() if getattr(tables, needs) is not None), "")
    word = base.average.partition("@")[0]
    if given and word != given and (stated or word != "query"):
        raise UsageError(
            Problem(
                "usage",
                f"average:{base.average} contradicts the {_NEEDS[given]} that are given",
                help=f"give them without average:{word}, or leave them out",
            )
        )
    if given and word != given:
        base = base.but({"average": given})
    return averaged_by(base, tables)[0]


def averaged_by(convention: Convention, tables: Tables) -> tuple[Convention, Averaging]:
    """How a convention averages, and the convention with the digest of what it averages by."""
    word, _, digest = convention.average.partition("@")
    if word == "query":
        return convention, Averaging()
    needs = _NEEDS[word]
    table = getattr(tables, needs)
    if table is None:
        raise UsageError(
            Problem(
                needs,
                f"average:{convention.average} needs the {needs} of the queries",
                help=f"--{needs} FILE (in Python: {needs}={{query: {needs[:-1]}}})",
            )
        )
    ours = _table_digest(table, number_text if needs == "weights" else str)
    if digest and digest != ours:
        raise UsageError(
            Problem(
                needs,
                f"these {needs} have the digest {ours}, not {digest}",
                help="the signature was made with other ones; give the same",
            )
        )
    return convention.but({"average": f"{word}@{ours}"}), Averaging(**{needs: table})


def _table_digest(table: Mapping[str, Any], show: Callable[[Any], str]) -> str:
    """First 8 hex digits of SHA-256 over ``query<TAB>value`` lines in byte order."""
    lines = sorted(f"{query}\t{show(value)}\n" for query, value in table.items())
    return sha256("".join(lines).encode("utf-8", "surrogatepass")).hexdigest()[:8]


def segments_by_query(given: Any) -> dict[str, tuple[str, ...]]:
    """The segments of each query, of which it may have one or several."""
    if not isinstance(given, Mapping):
        what = f"segments are of type {type(given).__name__}"
        raise UsageError(Problem("segments", what, help="give {query: segment}"))
    for query, one in given.items():
        if not isinstance(one, str | Sequence):
            what = f"the segment of query {query!r} is of type {type(one).__name__}"
            raise UsageError(Problem("segments", what, help="give {query: segment} as text"))
    return {
        str(query): (one,) if isinstance(one, str) else tuple(map(str, one))
        for query, one in given.items()
    }


def measure_of(convention: object) -> str:
    """The measure that a signature names, if a signature is given."""
    return read_signature(convention).measure if isinstance(convention, str) else ""


def measures_of(given: str | Sequence[str]) -> tuple[list[Measure], list[Foreign]]:
    """The measures that the names stand for, each once, and which names are foreign."""
    names: Any = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(name, str) for name in names):
        what = f"measures are {given!r}, not names"
        raise UsageError(Problem("measure", what, help="such as 'nDCG@10' or ['nDCG@10', 'AP']"))
    if not names:
        raise UsageError(Problem("measure", "no measure is asked for", help="such as nDCG@10"))
    parsed = [parse(name) for name in names]
    measures = list(dict.fromkeys(measure for measure, _ in parsed))
    return measures, [foreign for _, foreign in parsed if foreign is not None]


def foreign_notice(name: Foreign) -> Notice:
    """The warning that a foreign name does not bring its convention along."""
    return warn(
        f"{name.given} is {name.owner}; here it is {name.measure} by the convention shown, "
        "which may give another number",
        f"-p {name.preset} gives theirs" if name.preset else None,
    )


def settled_order(rankings: Rankings, base: Convention, *, explicit_order: bool) -> Convention:
    """The convention with the order that the run has, where none was asked for."""
    if base.order_by == "score" and not explicit_order:
        return base.but({"order_by": rankings.natural_order()})
    return base


def leading_of(base: Convention, measures: Sequence[Measure]) -> Convention:
    """What the accounts are about: the convention asked for, unless no measure follows it."""
    plain = any(not measure.axes for measure in measures)
    return base if plain else measures[0].convention(base)
