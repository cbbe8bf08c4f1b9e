"""A declared set of queries: the only ones that count, recorded in the signature."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256

from ndcg.convention import Convention
from ndcg.errors import DataError, Notice, Problem, UsageError, count, listed, note
from ndcg.ids import nearest
from ndcg.stores.given import Judgments
from ndcg.stores.values import text_id


def declared(queries: object) -> frozenset[str] | None:
    """The ids of the declared queries, checked; None when no set was declared."""
    if queries is None:
        return None
    if isinstance(queries, str) or not isinstance(queries, Iterable):
        what = f"queries are of type {type(queries).__name__}"
        raise UsageError(Problem("queries", what, help="give a list of query ids"))
    ids = [(query, text_id(query)) for query in queries]
    wrong = [query for query, text in ids if text is None]
    if wrong:
        what = f"query id {wrong[0]!r} is not text"
        raise UsageError(Problem("queries", what, help="query ids are text"))
    if not ids:
        raise UsageError(Problem("queries", "the set of queries is empty", help="name one or more"))
    return frozenset(text for _, text in ids if text is not None)


def with_subset(base: Convention, chosen: frozenset[str] | None) -> Convention:
    """The convention with the size and digest of the declared set.

    Raises
    ------
    UsageError
        When the convention was made for a set, and that set is not given.
    """
    if chosen is None:
        if base.set == "all":
            return base
        what = f"set:{base.set} needs the queries it was made of"
        how = "--queries-from FILE or -q ID (in Python: queries=[...])"
        raise UsageError(Problem("queries", what, help=how))
    lines = "".join(f"{query}\n" for query in sorted(chosen))
    digest = sha256(lines.encode("utf-8", "surrogatepass")).hexdigest()[:8]
    ours = f"{len(chosen)}@{digest}"
    if base.set not in ("all", ours):
        what = f"these queries are set:{ours}, not set:{base.set}"
        how = "the signature was made with other queries; give the same"
        raise UsageError(Problem("queries", what, help=how))
    return base.but({"set": ours})


def restricted(
    judgments: Judgments, chosen: frozenset[str] | None, notices: list[Notice]
) -> Judgments:
    """The judgments of the declared queries; those that nobody judged are said."""
    if chosen is None:
        return judgments
    given = [query for query in sorted(chosen) if query in judgments.given]
    unknown = sorted(chosen.difference(given))
    if not given:
        near = nearest(chosen, judgments.given)
        how = str(near) if near else f"judged: {listed(sorted(judgments.given), 3)}"
        what = f"none of the {count(len(chosen), 'query', 'queries')} of the set is judged"
        raise DataError(Problem("queries", f"{what}: {listed(unknown)}", help=how))
    if unknown:
        number = count(len(unknown), "query", "queries")
        what = f"{number} of the set with no judgments, left out: {listed(unknown)}"
        notices.append(note(what, rule="Q16"))
    return judgments.only(given)
