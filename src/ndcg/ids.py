"""Why ids that should match do not: what makes two sets of ids nearly the same."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple


class Near(NamedTuple):
    """The change that makes ids match, how many it makes match, and one pair."""

    why: str
    matches: int
    ours: str
    theirs: str

    def __str__(self) -> str:
        return f"{self.ours!r} and {self.theirs!r} differ by {self.why}"

    @property
    def how(self) -> str:
        """What to do about it."""
        return _HOW.get(self.why, "check that the ids belong together")


_SHORTEST_PREFIX = 3  # shorter ones match by chance


_ZEROS, _DECIMAL, _PADDED = "leading zeros", 'the suffix ".0"', "surrounding blanks"
_HOW = {
    _ZEROS: "a spreadsheet or a column of numbers drops zeros: write the ids as text there",
    _DECIMAL: "a column of numbers with gaps becomes decimal: write the ids as text there",
    _PADDED: "remove the blanks around the ids",
}


def nearest(ours: Iterable[str], theirs: Iterable[str], *, likely: bool = False) -> Near | None:
    """The one change that makes most of our ids match theirs, or None.

    `likely` leaves out the changes by which ids of one collection may differ.

    >>> str(nearest(["D-1"], ["d-1", "d-2"]))
    "'D-1' and 'd-1' differ by case"
    >>> nearest(["7"], ["007"]).why
    'leading zeros'
    """
    ours, theirs = sorted(set(ours)), sorted(set(theirs))
    if not ours or not theirs:
        return None
    found: list[Near] = []
    for why, change in _CHANGES[: _LIKELY if likely else None]:
        changed = {change(text): text for text in theirs}
        pairs = [(text, changed[change(text)]) for text in ours if change(text) in changed]
        pairs = [(one, other) for one, other in pairs if one != other]
        if pairs:
            found.append(Near(why, len(pairs), *pairs[0]))
    if not likely:
        prefixed = _prefixes(ours, theirs) or _prefixes(theirs, ours, swapped=True)
        found += [prefixed] if prefixed else []
    return max(found, key=lambda near: near.matches, default=None)


def changes() -> Iterator[tuple[str, Callable[[str], str]]]:
    """The changes by which ids of one thing may differ, each with its name."""
    yield from _CHANGES[:_LIKELY]


def _prefixes(short: list[str], long: list[str], *, swapped: bool = False) -> Near | None:
    """Ids that begin with a whole id of the other side: chunks, cut or suffixed ids."""
    import bisect

    pairs = []
    for text in short:
        at = bisect.bisect_right(long, text)
        if len(text) >= _SHORTEST_PREFIX and at < len(long) and long[at].startswith(text):
            pairs.append((long[at], text) if swapped else (text, long[at]))
    if not pairs:
        return None
    length = {len(pair[1 if swapped else 0]) for pair in pairs}
    cut = f" of {length.pop()} characters" if len(length) == 1 else ""
    ours = len({pair[0] for pair in pairs})
    return Near(f"a suffix: one is a prefix{cut} of the other", ours, *pairs[0])


def _last(text: str) -> str:
    for mark in "/:-":
        text = text.rpartition(mark)[2] or text
    return text


def _composed(text: str) -> str:
    import unicodedata

    return text if text.isascii() else unicodedata.normalize("NFC", text)


_CHANGES: tuple[tuple[str, Callable[[str], str]], ...] = (
    ("case", str.casefold),
    (_PADDED, str.strip),
    (_ZEROS, lambda text: text.lstrip("0") or "0"),
    (_DECIMAL, lambda text: text.removesuffix(".0")),
    ("accents composed or not", _composed),
    ("a prefix before the last slash, colon or dash", _last),
)
_LIKELY = 5  # of these
