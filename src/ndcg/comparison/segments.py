"""Parts of the queries: the same pairs in each, and whether the parts contradict the whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ndcg.comparison.family import Family
from ndcg.comparison.pairs import NAMES, How, Pair, pairs_of
from ndcg.comparison.results import Segment
from ndcg.comparison.verdicts import BETTER, WORSE
from ndcg.errors import Notice, Problem, UsageError, count, listed, note, warn
from ndcg.statistics.families import CORRECTIONS

Segments = Mapping[str, Sequence[str]]  # queries -> the segments they are in


def segments_of(
    family: Family, segments: Segments, which: Sequence[tuple[int, int]], how: How
) -> list[Segment]:
    """The pairs within each segment, in byte order of their names.

    They are a family of their own: p-values are corrected for all pairs of all segments.
    """
    names = sorted({name for query in family.queries for name in segments.get(query, ())})
    inside = {
        name: np.array([name in segments.get(query, ()) for query in family.queries])
        for name in names
    }
    return parts_of({name: family.only(here) for name, here in inside.items()}, which, how)


def parts_of(
    families: Mapping[str, Family], which: Sequence[tuple[int, int]], how: How
) -> list[Segment]:
    """The pairs of each family, corrected over all of them (by Holm where the whole has Tukey)."""
    alone = how._replace(correction="none")
    pairs = {name: pairs_of(one, which, alone) for name, one in families.items()}
    known = [pair.p.p for own in pairs.values() for pair in own if pair.p is not None]
    name = how.correction if how.correction in CORRECTIONS else "holm"
    corrected = iter(CORRECTIONS[name](known))
    multiplied = len(known) if name == "holm" else 1
    words = "no correction" if name == "none" else f"{NAMES[name]} over {len(known)} pairs"
    return [
        Segment(
            part,
            len(families[part].queries),
            tuple(
                pair if pair.p is None else pair.corrected_by(next(corrected), how, multiplied)
                for pair in own
            ),
            words,
        )
        for part, own in pairs.items()
    ]


def remarks(family: Family, whole: Sequence[Pair], parts: Sequence[Segment], segments: Segments
            ) -> list[Notice]:  # fmt: skip
    """Queries without a segment, and parts that contradict the whole."""
    found = []
    left = [query for query in family.queries if not segments.get(query)]
    if left:
        what = f"{count(len(left), 'query', 'queries')} in no segment: {listed(left)}"
        found.append(note(what))
    compared = {*family.queries}
    unknown = [query for query in segments if query not in compared]
    if unknown:
        if len(unknown) == len(segments):
            what = f"no query of the segments is compared: {listed(sorted(unknown), 3)}"
            how = f"compared: {listed(family.queries, 3)}"
            raise UsageError(Problem("segments", what, help=how))
        what = f"{count(len(unknown), 'query', 'queries')} of the segments not compared"
        found.append(note(f"{what}: {listed(sorted(unknown))}"))
    for at, pair in enumerate(whole):
        against = [one.name for one in parts if one.pairs[at].difference * pair.difference < 0]
        yes, no = ([one.name for one in parts if one.pairs[at].verdict.word == word]
                   for word in (BETTER, WORSE))  # fmt: skip
        if yes and no:
            what = (
                f"{family.measure}: {pair.system} is better than {pair.baseline} in {listed(yes)} "
                f"and worse in {listed(no)}"
            )
            found.append(warn(what, "the mean over all queries hides it: report the segments"))
        if len(parts) > 1 and 2 * len(against) >= len(parts):
            what = (
                f"{family.measure}: {pair.system} less {pair.baseline} is {pair.difference:+.4f} "
                f"over all queries, but has the other sign in {len(against)} of {len(parts)} "
                f"segments ({listed(against)})"
            )
            how = "a few large segments decide (Simpson): report each, or average over them"
            found.append(warn(what, how))
    return found
