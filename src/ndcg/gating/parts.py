"""The queries that a rule is about: all of them, one segment, or each segment by itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from ndcg.errors import Notice, Problem, UsageError, counted, did_you_mean, listed, note
from ndcg.evaluation.asked import segments_by_query
from ndcg.gating.rules import Rule


class Parts:
    """Segments, and which queries are in each; None: there are no segments."""

    def __init__(self, given: Mapping[str, str | Sequence[str]] | None) -> None:
        self.given = given is not None
        self.segments = {} if given is None else segments_by_query(given)
        self._members: dict[str, set[str]] = {}
        for query, names in self.segments.items():
            for name in names:
                self._members.setdefault(name, set()).add(query)

    def of(
        self, rule: Rule, queries: Sequence[str]
    ) -> Iterator[tuple[Rule, Collection[str] | None]]:
        """The rule for each set of queries that it is about; None: all of them."""
        if not rule.parted:
            yield rule, None
            return
        here = {*queries}
        names = sorted(name for name, own in self._members.items() if not own.isdisjoint(here))
        if not names or (rule.segment is not None and rule.segment not in names):
            named = "any segment" if rule.segment is None else f"segment {rule.segment!r}"
            what = f"{rule.text!r}: no query is in {named}"
            what += did_you_mean(rule.segment, names) if rule.segment else ""
            how = f"segments of these queries: {listed(names, 9) or 'none'}"
            raise UsageError(Problem("segments", what, help=how))
        for name in names if rule.each else [str(rule.segment)]:
            yield (rule.of(name) if rule.each else rule), self._members[name]

    def refuse_unmet(self, rules: Sequence[Rule]) -> None:
        """Refuse rules about segments where there are none."""
        parted = [rule for rule in rules if rule.parted and not self.given]
        if parted:
            what = f"{parted[0].text!r} needs the segments of the queries"
            how = "--segments FILE, lines of query and segment"
            raise UsageError(Problem("segments", what, help=how))

    def remarks(self, rules: Sequence[Rule], queries: Sequence[str]) -> Iterator[Notice]:
        """Queries that are in no segment, or in segments alone, and segments nobody asks for."""
        if not self.given:
            return
        if not any(rule.parted for rule in rules):
            yield note("segments are given, and no rule is about them", "'... per segment'")
        without = [query for query in queries if not self.segments.get(query)]
        if without:
            yield note(f"{counted(without, 'query', 'queries')} in no segment")
        unknown = sorted({*self.segments} - {*queries})
        if unknown:
            yield note(f"{counted(unknown, 'query', 'queries')} of the segments not judged")
