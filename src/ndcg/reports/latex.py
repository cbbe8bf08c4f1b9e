"""LaTeX: means with marks of significance, and a caption that says what they mean."""

from __future__ import annotations

import re

from ndcg._version import VERSION
from ndcg.comparison.pairs import TUKEY
from ndcg.comparison.results import Comparison, Result, System
from ndcg.comparison.verdicts import BETTER, WORSE
from ndcg.reports.compared import p_text
from ndcg.reports.model import Options, interval_text, number, signed
from ndcg.statistics.sample import TOLERANCE

_ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
_TESTS = {
    "holm": "Holm-corrected", "bh": "Benjamini--Hochberg-corrected", "none": "uncorrected",
}  # fmt: skip


def latex(comparison: Comparison, options: Options) -> str:
    """A booktabs table: systems down, measures across, a caption that names test and convention."""
    results = comparison.results
    if len(results) == 1 and len({pair.baseline for pair in results[0].pairs}) == 1:
        return _of_differences(comparison, options)
    names = [system.name for system in results[0].systems]
    marks = {name: _letter(at) for at, name in enumerate(names)}
    lines = [
        "% \\usepackage{booktabs}",
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{_caption(comparison)}}}",
        f"  \\begin{{tabular}}{{ll{'r' * len(results)}}}",
        "    \\toprule",
        f"    & System & {' & '.join(escaped(one.measure) for one in results)} \\\\",
        "    \\midrule",
    ]
    for at, name in enumerate(names):
        cells = [_cell(one, one.systems[at], marks, options) for one in results]
        lines.append(f"    {marks[name]} & {escaped(name)} & {' & '.join(cells)} \\\\")
    lines += ["    \\bottomrule", "  \\end{tabular}", "\\end{table}"]
    signatures = dict.fromkeys(one.signature for one in results)
    lines += [f"% {signature}" for signature in signatures]
    return "\n".join(lines) + "\n"


def _of_differences(comparison: Comparison, options: Options) -> str:
    """One measure against a baseline: means, differences, intervals, p and effect size."""
    (one,) = comparison.results
    base = one.pairs[0].baseline
    by_name = {pair.system: pair for pair in one.pairs}
    level = f"{100 * comparison.how.level:g}\\% CI"
    heads = ["System", escaped(one.measure), f"less {escaped(base)}", level, "$p$", "$d_z$"]
    rows = []
    for system in sorted(one.systems, key=lambda system: system.name != base):
        pair = by_name.get(system.name)
        cells = [escaped(system.name), number(system.mean, options.places)]
        if pair is None:
            cells += [""] * 4
        else:
            p = p_text(pair.p_corrected).replace("<", "$<$")
            effect = "--" if pair.d_z is None else f"${pair.d_z:+.2f}$"
            interval = interval_text(pair.interval, options, "+").replace(" to ", "$ to $")
            difference = signed(pair.difference, options.places)
            cells += [f"${difference}$", f"${interval}$", p, effect]
        rows.append(f"    {' & '.join(cells)} \\\\")
    how = comparison.how
    caption = (
        f"{escaped(one.measure)} over {_queries(comparison)}, differences from {escaped(base)} "
        f"with Student's interval of each; $p$: {_test(comparison)} over {_number(one)}; $d_z$: "
        f"difference by its standard deviation. Convention: {_conventions(comparison)}."
    )
    return "\n".join([
        "% \\usepackage{booktabs}", "\\begin{table}", "  \\centering",
        f"  \\caption{{{caption}}}", "  \\begin{tabular}{lrrrrr}", "    \\toprule",
        f"    {' & '.join(heads)} \\\\", "    \\midrule", *rows, "    \\bottomrule",
        "  \\end{tabular}", "\\end{table}", f"% {one.signature}", f"% alpha {how.alpha:g}",
    ]) + "\n"  # fmt: skip


def _cell(one: Result, system: System, marks: dict[str, str], options: Options) -> str:
    """A mean, bold where it is the highest, with the letters of the systems it is better than."""
    beaten = [pair.baseline for pair in one.pairs
              if pair.system == system.name and pair.verdict.word == BETTER]  # fmt: skip
    beaten += [pair.system for pair in one.pairs
               if pair.baseline == system.name and pair.verdict.word == WORSE]  # fmt: skip
    text = number(system.mean, options.places)
    best = max((other.mean for other in one.systems if other.mean is not None), default=None)
    if best is not None and system.mean is not None and best - system.mean <= TOLERANCE:
        text = f"\\textbf{{{text}}}"
    letters = ",".join(mark for name, mark in marks.items() if name in beaten)
    return f"{text}\\rlap{{\\textsuperscript{{{letters}}}}}" if letters else text


def _caption(comparison: Comparison) -> str:
    how = comparison.how
    each = "each measure" if len(comparison.results) > 1 else escaped(comparison.results[0].measure)
    pairs = _number(comparison.results[0])
    effect = "" if how.min_effect is None else (
        f", and an interval at {100 * (1 - how.alpha):g}\\% that is not corrected and lies "
        f"beyond {how.min_effect:g}")  # fmt: skip
    return (
        f"Means over {_queries(comparison)}. Superscripts: better than the system of that letter "
        f"({_test(comparison)} over {pairs} of {each}, $p < {how.alpha:g}${effect}). "
        f"Bold: highest mean. Conventions: {_conventions(comparison)}."
    )


def _number(one: Result) -> str:
    return "one pair" if len(one.pairs) == 1 else f"the {len(one.pairs)} pairs"


def _test(comparison: Comparison) -> str:
    """The test, how its signs were drawn, and the correction."""
    how = comparison.how
    drawn = f"{how.draws:,} draws, seed {how.seed}"
    if how.correction == TUKEY:
        return f"randomised Tukey HSD of labels exchanged within queries, {drawn}"
    exact = {pair.p.exact for pair in comparison.pairs if pair.p is not None}
    signs = {
        frozenset({True}): "all sign patterns",
        frozenset({True, False}): f"all sign patterns where few queries differ, else {drawn}",
    }.get(frozenset(exact), drawn)
    return f"paired two-sided sign-flip randomisation test, {signs}, {_TESTS[how.correction]}"


def _queries(comparison: Comparison) -> str:
    """How many queries each measure has a mean of."""
    first = comparison.results[0]
    if first.parts == "collection":
        names = (f"{escaped(part.name)}: {part.n:,}" for part in first.segments)
        return f"{len(first.segments)} collection means (queries: {', '.join(names)})"
    found: dict[int, list[str]] = {}
    for one in comparison.results:
        found.setdefault(one.n, []).append(escaped(one.measure))
    if len(found) == 1:
        return f"{next(iter(found)):,} queries"
    return "; ".join(f"{n:,} queries ({', '.join(names)})" for n, names in found.items())


def _conventions(comparison: Comparison) -> str:
    """The conventions, in words that a signature is made of."""
    texts = dict.fromkeys(one.signature.partition("|")[2] for one in comparison.results)
    shown = (text.replace(f"v:{VERSION}", f"ndcg {VERSION}").replace("|", ", ") for text in texts)
    return "; ".join(map(escaped, shown))


def escaped(text: str) -> str:
    r"""Text as LaTeX sets it.

    >>> print(escaped("P(rel=2)@5 & bm25_100%"))
    P(rel=2)@5 \& bm25\_100\%
    """
    return re.sub(r"[\\&%$#_{}~^<>|]", lambda match: _ESCAPES[match[0]], text)


def _letter(at: int) -> str:
    """The letter of a system: a to z, then aa and so on.

    >>> [_letter(at) for at in (0, 25, 26, 27)]
    ['a', 'z', 'aa', 'ab']
    """
    head, last = divmod(at, 26)
    return (_letter(head - 1) if head else "") + chr(ord("a") + last)
