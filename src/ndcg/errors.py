"""What can go wrong, said so that the reader knows what to do next.

NdcgError                 everything this package raises on purpose
├── UsageError            what was asked for cannot be done: a name, a value, a combination
└── DataError             what was given cannot be scored: a file, a row, a Python value

Every error is one or more `Problem`s; each has a code that never changes its meaning.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

# word -> (code, what the code stands for). Numbers are never reused; words are their aliases.
CODES: dict[str, tuple[str, str]] = {
    "usage": ("E01", "the command or call is not complete or contradicts itself"),
    "measure": ("E02", "a measure name or its parameters are not known"),
    "preset": ("E03", "a preset name is not known"),
    "axis": ("E04", "an axis of the convention or its value is not known"),
    "signature": ("E05", "a signature cannot be read back"),
    "ties": ("E06", "a measure has no exact value under this tie rule"),
    "system": ("E07", "a system name is missing, unknown or given twice"),
    "output": ("E08", "an output file cannot be written"),
    "weights": ("E09", "query weights are missing, unusable or not the ones in the signature"),
    "groups": ("E10", "query groups are missing or not the ones in the signature"),
    "queries": ("E12", "a set of queries is empty, unknown or not the one in the signature"),
    "segments": ("E14", "segments of queries are unusable"),
    "extra": ("E11", "an optional package is needed"),
    "baseline": ("E15", "a baseline is missing, damaged or not comparable with what is gated"),
    "rule": ("E16", "a rule of a gate cannot be read, or contradicts another"),
    "settings": ("E17", "a file of rules says what is not understood"),
    "history": ("E18", "a file of history is damaged, or holds nothing of what is asked for"),
    "value": ("E13", "a number to be reconciled is none, or its file holds no values"),
    "file": ("E20", "a file cannot be opened or read"),
    "empty": ("E21", "a file or dictionary holds nothing to score"),
    "encoding": ("E22", "a file is not UTF-8 text"),
    "compression": ("E23", "a compressed file is damaged or its kind is not supported"),
    "columns": ("E24", "a row or table does not have the columns of its format"),
    "score": ("E25", "a score is not a finite number"),
    "grade": ("E26", "a grade is not a finite number"),
    "rank": ("E27", "a rank is not a whole number"),
    "duplicate": ("E28", "a run lists a document twice for one query"),
    "judgments": ("E29", "a document is judged twice for one query, with different grades"),
    "subtopics": ("E30", "judgments are per subtopic, so a document has several grades"),
    "not-a-run": ("E31", "the file is something else than a run"),
    "not-qrels": ("E32", "the file is something else than judgments"),
    "two-systems": ("E33", "one file holds the runs of several systems"),
    "no-common-query": ("E34", "judgments and run share no query"),
    "gain": ("E35", "a grade has no finite gain"),
    "type": ("E36", "a Python value has the wrong type"),
    "order": ("E37", "the run does not have what order_by asks for"),
    "syntax": ("E38", "a file breaks the grammar of its format"),
    "missing-query": ("E40", "a judged query is absent from the run, and missing is 'error'"),
    "extra-query": ("E41", "a run query has no judgments, and extra is 'error'"),
    "empty-ideal": ("E42", "a query has nothing relevant or judged, and a rule says 'error'"),
    "negative-grade": ("E43", "grades are negative, and the convention refuses them"),
    "few-documents": ("E44", "a query lists fewer documents than min_documents asks for"),
    "no-query": ("E45", "no query is left to average, and none_left is 'error'"),
}

SHOWN = 10  # problems printed in full; the rest are counted
_NEAR = 200  # characters of a line before what is wrong in it that are looked at
_LONGEST = 1500  # characters of what is told; those in the middle of a longer one are left out


class Place(NamedTuple):
    """Where in a file: 1-based line, the line's text, and the offending part of it."""

    file: str
    line: int | None = None
    text: str | None = None
    part: str | None = None
    start: int | None = None  # where the part begins in the text, where that is known

    def lines(self) -> list[str]:
        """The arrow, the excerpt and the caret, as printed under an error."""
        where = self.file if self.line is None else f"{self.file}:{self.line}"
        shown = [f" --> {printable(where)}"]
        if self.text is not None:
            text, start, length = self._excerpt(self.text, self.part or "")
            shown.append(f"   | {text}")
            if start >= 0:
                shown.append(f"   | {' ' * start}{'^' * max(1, min(length, len(text) - start))}")
        return shown

    def _excerpt(self, text: str, part: str) -> tuple[str, int, int]:
        """What is shown of a line, where the part begins in it (or -1), and how long that is."""
        at = self.start if self.start is not None else text.find(part) if part else -1
        # Lines may be of any length: only what stands near is looked at.
        left = max(0, at - _NEAR)
        near = text[left : left + 3 * _NEAR]
        start = len(printable(near[: at - left])) if at >= 0 else -1
        cut, start = _window(printable(near), start)
        return cut, start, len(printable(part[: 3 * _NEAR]))


class Problem(NamedTuple):
    """One thing that is wrong: its code word, what was found, where, and what to do."""

    word: str
    what: str
    place: Place | None = None
    help: str | None = None

    @property
    def code(self) -> str:
        """The stable code, such as ``E25``."""
        return CODES[self.word][0]

    def __str__(self) -> str:
        """The problem as it is printed, without colour."""
        lines = [f"error[{self.code} {self.word}]: {told(self.what)}"]
        if self.place is not None:
            lines += self.place.lines()
        if self.help is not None:
            lines.append(f"help: {told(self.help)}")
        return "\n".join(lines)


class NdcgError(ValueError):
    """Base of all errors raised on purpose; `problems` holds them all, `total` counts them."""

    def __init__(self, problems: Problem | Iterable[Problem], *, total: int | None = None) -> None:
        self.problems = (problems,) if isinstance(problems, Problem) else tuple(problems)
        self.total = len(self.problems) if total is None else total
        super().__init__(self.problems, self.total)

    def __reduce__(self) -> tuple[object, ...]:
        return _rebuilt, (type(self), self.problems, self.total)

    @property
    def code(self) -> str:
        """The code of the first problem."""
        return self.problems[0].code

    def __str__(self) -> str:
        """All problems, ten at most, then how many more there are."""
        blocks = [str(problem) for problem in self.problems[:SHOWN]]
        more = self.total - len(blocks)
        if more > 0:
            blocks.append(f"... and {more} more like these")
        return "\n".join(blocks)


def _rebuilt(kind: type[NdcgError], problems: tuple[Problem, ...], total: int) -> NdcgError:
    """An error as it was before it was pickled."""
    return kind(problems, total=total)


class UsageError(NdcgError):
    """What was asked for cannot be done."""


class DataError(NdcgError):
    """What was given cannot be scored."""


class NdcgWarning(UserWarning):
    """Something a careful reader of the number should know."""


class Notice(NamedTuple):
    """Something to know about an input or a value that is no error.

    A ``warning`` says that the number may not be what is wanted; a ``note`` says how it was made.
    """

    level: str  # "warning" or "note"
    what: str
    help: str | None = None  # what settles it, as the command's flag or the keyword
    rule: str | None = None  # the code of the rule that `ndcg check --explain` describes

    def __str__(self) -> str:
        how = self.help
        if how is None and self.level == "warning" and self.rule is not None:
            how = f"ndcg check --explain {self.rule}"
        return told(f"{self.level}: {self.what}" + (f"; {how}" if how else ""))


def warn(what: str, help: str | None = None, rule: str | None = None) -> Notice:  # noqa: A002 -- the word of the field
    """A notice of level ``warning``."""
    return Notice("warning", what, help, rule)


def note(what: str, help: str | None = None, rule: str | None = None) -> Notice:  # noqa: A002 -- the word of the field
    """A notice of level ``note``."""
    return Notice("note", what, help, rule)


class Problems:
    """Collects the problems of one input, so that all are reported together.

    Keeps the first ten and counts the others: a file with a million bad rows stays cheap.
    """

    def __init__(self) -> None:
        self.first: list[Problem] = []
        self.total = 0

    def add(self, problem: Problem) -> None:
        """Note one problem."""
        self.total += 1
        if len(self.first) < SHOWN:
            self.first.append(problem)

    def raise_if_any(self) -> None:
        """Raise them all as one `DataError`."""
        if self.total:
            raise DataError(self.first, total=self.total)


def one_of(word: str, what: str, given: object, accepted: Collection[str], see: str = "") -> str:
    """`given` if it is accepted, else a `UsageError` saying given, meant and accepted.

    >>> one_of("axis", "gain", "exp2", ["exp2", "linear"])
    'exp2'
    """
    if isinstance(given, str) and given in accepted:
        return given
    raise UsageError(Problem(word, f"{given!r} is not {what}{did_you_mean(given, accepted)}",
                             help=f"accepted: {', '.join(accepted)}{see}"))  # fmt: skip


def did_you_mean(given: object, accepted: Iterable[str]) -> str:
    """``; did you mean X?`` for the nearest accepted name, or nothing."""
    import difflib  # only ever needed on the way to an error

    names = {name.lower(): name for name in accepted}
    near = difflib.get_close_matches(str(given).lower(), names, n=1, cutoff=0.6)
    return f"; did you mean {names[near[0]]}?" if near else ""


def axis_help(axis: str, *values: str, rare: bool = False) -> str:
    """How an axis is set on the command line and in Python.

    >>> axis_help("missing", "zero", "exclude")
    "--missing zero or exclude (in Python: missing='zero')"
    """
    shown = values[0] if len(values) == 1 else f"{', '.join(values[:-1])} or {values[-1]}"
    flag = f"--axis {axis}=" if rare else f"--{axis.replace('_', '-')} "
    return f"{flag}{shown} (in Python: {axis}={values[0]!r})"


def listed(items: Iterable[object], shown: int = 5) -> str:
    """The first few items and how many more there are: ``q1, q2, ... (7 in all)``."""
    names = [printable(str(item)) for item in items]
    if len(names) <= shown:
        return ", ".join(names)
    return f"{', '.join(names[:shown])}, ... ({len(names)} in all)"


def counted(items: Sequence[object], noun: str, plural: str | None = None, shown: int = 5) -> str:
    """How many items there are, and the first of them: ``7 queries (q1, q2, q3, q4, q5, ...)``."""
    names = ", ".join(printable(str(item)) for item in items[:shown])
    more = ", ..." if len(items) > shown else ""
    return f"{count(len(items), noun, plural)} ({names}{more})"


def count(number: int, noun: str, plural: str | None = None) -> str:
    """``1 query``, ``3 queries``: a number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def printable(text: str) -> str:
    """`text` without control characters, so that a hostile id cannot steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else " " if c == "\t" else ascii(c)[1:-1] for c in text)


def told(text: str) -> str:
    """What is said, as it is printed: an id of a file may be of any length and hold anything.

    >>> told("id " + "x" * 5000 + " is unknown")[747:785]
    'xxx... (5,014 characters in all) ...xx'
    """
    if len(text) <= _LONGEST:
        shown = printable(text)
        if len(shown) <= _LONGEST:
            return shown
    half = _LONGEST // 2
    first, last = printable(text[:half])[:half], printable(text[-half:])[-half:]
    return f"{first}... ({len(text):,} characters in all) ...{last}"


def _window(text: str, start: int, width: int = 96) -> tuple[str, int]:
    """The part of a long line around `start`, and where `start` lies in it."""
    if len(text) <= width:
        return text, start
    left = max(0, min(start - width // 3, len(text) - width))
    cut = text[left : left + width]
    if left > 0:
        cut = "..." + cut[3:]
    if left + width < len(text):
        cut = cut[:-3] + "..."
    return cut, start - left if start >= 0 else -1
