"""Which layout of the TREC family a file has: its rows tell by their width and content."""

from __future__ import annotations

from collections import Counter

from ndcg.errors import DataError, Place, Problem, count
from ndcg.formats.detect import is_metric_printout, other_kind
from ndcg.formats.rows import is_comment, numbers
from ndcg.formats.source import Source
from ndcg.formats.trec_layouts import ACCEPTED, Layout
from ndcg.stores.names import is_header


def width_of(source: Source, rows: list[list[str]], layouts: dict[int, Layout], role: str) -> int:
    """The number of columns that most rows have, if it is a layout of this role."""
    path = source.input.path
    records = [row for row in rows if row[0][0] != "#"] or [
        row
        for row in rows
        if len(row) in layouts and not is_comment(row, len(row), layouts[len(row)].number)
    ]
    if not records:
        what = f"{path} holds comments only: no rows, 0 queries"
        raise DataError(Problem("empty", what, Place(path), ACCEPTED[role]))
    widths = Counter(map(len, records))
    common, number = max(widths.items(), key=lambda item: (item[0] in layouts, item[1]))
    if 2 * number < len(records):
        common = len(records[0])  # no width prevails: the first row says what was meant
    layout = layouts.get(common)
    # A first row that is a record may hold anything in its ids, braces and commas too.
    fits = layout and len(records[0]) == common and not numbers([records[0][layout.number]])[1]
    kind = other_kind(source.text, records) if not fits or is_metric_printout(records) else None
    wanted = "judgments" if role == "qrels" else "a run"
    if kind is not None:
        results = "give the run that was scored; this file holds its results"
        remedy = results if is_metric_printout(records) else ACCEPTED[role]
        raise _not(role, path, f"{kind}, not {wanted}", remedy)
    if common in layouts:
        _check_role(records, common, layouts[common], role, path)
        return common
    usual = widths.most_common(1)[0][0]
    order = "judgments come first, then runs"
    if role == "qrels" and usual == 6:
        raise _not(role, path, "a run (6 columns), not judgments", order)
    if role == "run" and usual == 4:
        raise _not(role, path, "judgments (4 columns), not a run", order)
    what = f"rows of {count(usual, 'column')} (first row: {' '.join(records[0])[:60]!r})"
    raise _not(role, path, what, ACCEPTED[role])


def _check_role(rows: list[list[str]], width: int, layout: Layout, role: str, path: str) -> None:
    """Refuse what has the right width but holds something else."""
    body = [row for row in rows if len(row) == width][:50]
    if role == "qrels" and width == 5:
        probabilities, bad, _ = numbers([row[4] for row in body])
        if bad or (probabilities < 0).any() or (probabilities > 1).any():
            raise _not(role, path, "rows of 5 columns whose last is no inclusion probability",
                       ACCEPTED[role])  # fmt: skip
    if is_header(body[0]) and numbers([body[0][layout.number]])[1]:
        raise _not(role, path, f"a table with the header {' | '.join(body[0])}",
                   "remove the header: files of this family have none")  # fmt: skip


def _not(role: str, path: str, what: str, help: str) -> DataError:  # noqa: A002 -- as in Problem
    word = "not-a-run" if role == "run" else "not-qrels"
    return DataError(Problem(word, f"{path} looks like {what}", Place(path), help))
