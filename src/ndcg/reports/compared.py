"""What a comparison found: tables for people, rows for tools, all from the same plain data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ndcg.comparison.pairs import TUKEY, Pair
from ndcg.comparison.results import Comparison, Result, System
from ndcg.errors import count, one_of
from ndcg.reports.delimited import written
from ndcg.reports.model import (
    Cell,
    Options,
    Row,
    Sheet,
    grouped_signatures,
    interval_head,
    interval_text,
    number,
    signed,
)
from ndcg.reports.names import MACHINE, OF_COMPARISONS

_SHORT = {"holm": "Holm", "bh": "BH", "tukey": "Tukey", "none": "alone"}
_LEAST = 0.0001  # smaller p-values are only said to be smaller
_NAMED = 3  # wins and losses that a table names


def render(comparison: Comparison, format_name: str, options: Options | None = None) -> str:
    """The comparison in one of `OF_COMPARISONS`, ending with a line end."""
    one_of("usage", "a format", format_name, OF_COMPARISONS)
    if format_name in MACHINE:
        return written(format_name, lambda: pair_rows(comparison), comparison.to_dict)
    if format_name == "latex":
        from ndcg.reports.latex import latex

        return latex(comparison, options or Options())
    write = table if format_name == "table" else markdown
    return write(comparison, options or Options())


# -- rows ------------------------------------------------------------------------------------------


def pair_rows(comparison: Comparison) -> list[Row]:
    """One row a pair, measure, segment and variant, with full precision."""
    rows: list[Row] = []
    for one in comparison.results:
        whole = {"family": one.family, "signature": one.signature}
        rows += [_row(one, pair, "", "", whole) for pair in one.pairs]
        for part in one.segments:
            own = {"family": part.family, "signature": one.signature}
            rows += [_row(one, pair, part.name, "", own) for pair in part.pairs]
        for other in one.variants:
            own = {"family": one.family, "signature": other.signature}
            rows += [_row(one, pair, "", other.change, own) for pair in other.pairs]
    return rows


def _row(one: Result, pair: Pair, part: str, change: str, about: Row) -> Row:
    found = pair.to_dict()
    interval = found.pop("interval")
    for name in ("largest_wins", "largest_losses", "doubts", "equivalence_interval"):
        found.pop(name)
    return {
        "measure": one.measure,
        one.parts: part,
        "change": change,
        **found,
        "interval_low": interval and interval["low"],
        "interval_high": interval and interval["high"],
        **about,
    }


# -- tables ----------------------------------------------------------------------------------------


def sheets_of(one: Result, comparison: Comparison, options: Options) -> Iterator[Sheet]:
    """The tables of a measure: means and differences, and what could be seen."""
    star = len({pair.baseline for pair in one.pairs}) == 1
    if star:
        yield _against(one, comparison, options)
    else:
        yield Sheet([_system_cells(system, comparison, options) for system in one.systems])
        yield Sheet([_pair_cells(pair, comparison, options) for pair in one.pairs], words=2)
    yield Sheet([_size_cells(pair, options) for pair in one.pairs], words=2)


def more_sheets(
    one: Result, comparison: Comparison, options: Options
) -> Iterator[tuple[str, Sheet]]:
    """The tables of parts and of other rules, each with what is to be said above it."""
    if one.segments:
        rows: list[Row] = [
            {one.parts: part.name, **_pair_cells(pair, comparison, options, of_part=True),
             "queries": part.n}
            for part in one.segments
            for pair in part.pairs
        ]  # fmt: skip
        yield f"by {one.parts}; {one.segments[0].family}", Sheet(rows, words=3)
    if one.variants:
        rows = _variant_rows(one, comparison, options)
        yield "under other rules", Sheet(rows, words=3)


def _against(one: Result, comparison: Comparison, options: Options) -> Sheet:
    """Every system beside its difference from the baseline, which comes first."""
    base = one.pairs[0].baseline
    by_name = {pair.system: pair for pair in one.pairs}
    systems = sorted(one.systems, key=lambda system: system.name != base)
    rows: list[Row] = []
    for system in systems:
        pair = by_name.get(system.name)
        blank = dict.fromkeys(_differences(one.pairs[0], comparison, options), "")
        found = blank if pair is None else _differences(pair, comparison, options)
        named = {f"less {base}" if name == "difference" else name: value
                 for name, value in found.items()}  # fmt: skip
        # What decides comes first, so that it stands together on a narrow screen.
        cells = dict(_system_cells(system, comparison, options))
        first = {name: cells.pop(name) for name in ("system", "mean")}
        last = named.pop("win/tie/loss")
        rows.append({**first, **named, "win/tie/loss": last, **cells})
    return Sheet(rows)


def _system_cells(system: System, comparison: Comparison, options: Options) -> Row:
    cells: dict[str, Cell] = {
        "system": system.name,
        "mean": number(system.mean, options.places),
    }
    if comparison.how.interval != "none":
        head = f"{interval_head(comparison.how.level)} of mean"
        cells[head] = interval_text(system.interval, options)
    return cells


def _pair_cells(
    pair: Pair, comparison: Comparison, options: Options, *, of_part: bool = False
) -> Row:
    return {
        "system": pair.system,
        "less": pair.baseline,
        **_differences(pair, comparison, options, of_part=of_part),
    }


def _differences(
    pair: Pair, comparison: Comparison, options: Options, *, of_part: bool = False
) -> Row:
    """The difference of a pair, and what is to be said of it."""
    shape, how = pair.shape, comparison.how
    correction = "holm" if of_part and how.correction == TUKEY else how.correction
    return {
        "difference": signed(pair.difference, options.places),
        f"{interval_head(how.level)} of it": interval_text(pair.interval, options, "+"),
        f"p ({_SHORT[correction]})": p_text(pair.p_corrected),
        "verdict": pair.verdict.word,
        "win/tie/loss": f"{shape.wins}/{shape.ties}/{shape.losses}",
    }


def _size_cells(pair: Pair, options: Options) -> Row:
    """How large a difference is, and what so many queries could have shown."""
    return {
        "system": pair.system,
        "less": pair.baseline,
        "d_z": "-" if pair.d_z is None else f"{pair.d_z:+.2f}",
        "p alone": "-" if pair.p is None else p_text(pair.p.p),
        "p (t)": p_text(pair.p_t),
        "smallest p": p_text(pair.smallest_p),
        "detectable": number(pair.detectable, options.places),
        "queries for it": "-" if pair.needed is None else f"{pair.needed:,}",
        "for 0.01": "-" if pair.needed_small is None else f"{pair.needed_small:,}",
        "top 5 carry": f"{pair.shape.top:.0%}",
    }


def _variant_rows(one: Result, comparison: Comparison, options: Options) -> list[Row]:
    """The comparison as it is, and by each other rule."""
    found: list[tuple[str, str | None, Sequence[Pair]]] = [("as asked", one.winner, one.pairs)]
    found += [(part.change, part.winner, part.pairs) for part in one.variants]
    rows: list[Row] = []
    for change, winner, pairs in found:
        if not pairs:
            columns = _pair_cells(one.pairs[0], comparison, options)
            rows.append({"under": change, **dict.fromkeys(columns, "-"), "highest": "no value"})
        rows += [
            {"under": change, **_pair_cells(pair, comparison, options),
             "highest": winner if at == 0 else ""}
            for at, pair in enumerate(pairs)
        ]  # fmt: skip
    return rows


def p_text(p: float | None) -> str:
    """A p-value as people read it: never 0."""
    if p is None:
        return "-"
    return f"<{_LEAST}" if p < _LEAST else f"{p:.4f}"


def heading(one: Result) -> str:
    """What a table is of."""
    left = "" if not one.undefined else f" ({one.undefined} left out)"
    return f"{one.measure}: {count(one.n, 'query', 'queries')}{left}; {one.family}"


def rules_of(comparison: Comparison) -> str | None:
    """By which rules verdicts are given, where they are not the usual ones."""
    how = comparison.how
    if how.min_effect is None:
        return None
    return (
        f"differences from {how.min_effect:g} up matter: better and worse need the "
        f"{100 * (1 - how.alpha):g}% interval beyond it, equivalent the "
        f"{100 * (1 - 2 * how.alpha):g}% interval inside"
    )


def sentences(one: Result) -> Iterator[str]:
    """The verdict on each pair, and where it comes from."""
    for pair in one.pairs:
        yield named(pair)
        largest_of = [
            f"{kind}: " + ", ".join(f"{query} {by:+.3f}" for query, by in largest[:_NAMED])
            for kind, largest in (("largest wins", pair.wins), ("losses", pair.losses))
            if largest
        ]
        if largest_of:
            yield f"  {'; '.join(largest_of)}"


def named(pair: Pair) -> str:
    """The verdict on a pair, which names its systems."""
    sentence = pair.verdict.sentence
    return sentence if pair.system in sentence else f"{pair.system}, {pair.baseline}: {sentence}"


# -- formats ---------------------------------------------------------------------------------------


def table(comparison: Comparison, options: Options) -> str:
    """Tables and sentences for a person."""
    from ndcg.reports.text import Page

    page = Page(options)
    for one in comparison.results:
        page.line(heading(one), "bold")
        page.blank()
        for sheet in sheets_of(one, comparison, options):
            page.sheet(sheet)
        for sentence in sentences(one):
            page.line(sentence)
        page.blank()
        for title, sheet in more_sheets(one, comparison, options):
            page.line(title, "bold")
            page.blank()
            page.sheet(sheet)
    rules = rules_of(comparison)
    if rules is not None:
        page.line(rules)
    page.signatures(grouped_signatures((one.measure, one.signature) for one in comparison.results))
    return page.text()


def markdown(comparison: Comparison, options: Options) -> str:
    """The same tables in the pipe form."""
    from ndcg.reports.markdown import pipe_table

    parts = []
    for one in comparison.results:
        parts.append(f"**{heading(one)}**\n")
        parts += [pipe_table(sheet) for sheet in sheets_of(one, comparison, options)]
        parts.append("".join(f"- {sentence.strip()}\n" for sentence in sentences(one)))
        for title, sheet in more_sheets(one, comparison, options):
            parts += [f"{title}\n", pipe_table(sheet)]
        parts.append(f"`{one.signature}`\n")
    rules = rules_of(comparison)
    parts += [] if rules is None else [f"{rules}\n"]
    return "\n".join(parts)
