"""Parts of the queries: the same pairs in each, and whether the parts contradict the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ndcg.comparison.family import Family
from ndcg.comparison.pairs import How, Pair, pairs_of
from ndcg.comparison.results import Segment
from ndcg.errors import Notice, count, listed, note, warn
from ndcg.statistics.families import CORRECTIONS

Segments = Mapping[str, Sequence[str]]  # queries -> the segments they are in


def segments_of(
    family: Family, segments: Segments, which: Sequence[tuple[int, int]], how: How
) -> list[Segment]:
    """The pairs within each segment, in byte order of their names.

    They are a family of their own: p-values are corrected for all pairs of all segments.
    """
    names = sorted({name for query in family.queries for name in segments.get(query, ())})
    alone = how._replace(correction="none")
    found = []
    for name in names:
        here = np.array([name in segments.get(query, ()) for query in family.queries])
        pairs = pairs_of(family.only(here), which, alone)
        found.append(Segment(name, int(here.sum()), tuple(pairs)))
    return _corrected(found, how)


def _corrected(segments: list[Segment], how: How) -> list[Segment]:
    """The same with p-values corrected over all segments (by Holm where the whole has Tukey)."""
    correct = CORRECTIONS.get(how.correction, CORRECTIONS["holm"])
    known = [pair for one in segments for pair in one.pairs if pair.p is not None]
    corrected = iter(correct([pair.p.p for pair in known if pair.p is not None]))
    return [
        one._replace(pairs=tuple(
            pair if pair.p is None else pair.corrected_by(next(corrected), how)
            for pair in one.pairs
        ))
        for one in segments
    ]  # fmt: skip


def remarks(family: Family, whole: Sequence[Pair], parts: Sequence[Segment], segments: Segments
            ) -> list[Notice]:  # fmt: skip
    """Queries without a segment, and parts that contradict the whole."""
    found = []
    left = [query for query in family.queries if not segments.get(query)]
    if left:
        what = f"{count(len(left), 'query', 'queries')} in no segment: {listed(left)}"
        found.append(note(what))
    unknown = [query for query in segments if query not in {*family.queries}]
    if unknown:
        what = f"{count(len(unknown), 'query', 'queries')} of the segments not compared"
        found.append(note(f"{what}: {listed(sorted(unknown))}"))
    for at, pair in enumerate(whole):
        against = [one.name for one in parts if one.pairs[at].difference * pair.difference < 0]
        if 2 * len(against) > len(parts):
            what = (
                f"{family.measure}: {pair.system} less {pair.baseline} is {pair.difference:+.4f} "
                f"over all queries, but has the other sign in {len(against)} of {len(parts)} "
                f"segments ({listed(against)})"
            )
            how = "a few large segments decide (Simpson): report each, or average over them"
            found.append(warn(what, how))
    return found
