"""LaTeX: means with marks of significance, and a caption that says what they mean."""

from __future__ import annotations

import re

from ndcg._version import VERSION
from ndcg.comparison.results import Comparison, Result, System
from ndcg.comparison.verdicts import BETTER, WORSE
from ndcg.reports.model import Options, number

_ESCAPES = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_",
    "{": r"\{", "}": r"\}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "<": r"\textless{}", ">": r"\textgreater{}", "|": r"\textbar{}",
}  # fmt: skip
_TESTS = {
    "holm": "Holm-corrected", "bh": "Benjamini--Hochberg-corrected", "none": "uncorrected",
    "tukey": "randomised Tukey HSD",
}  # fmt: skip


def latex(comparison: Comparison, options: Options) -> str:
    """A booktabs table: systems down, measures across, a caption that names test and convention."""
    results = comparison.results
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


def _cell(one: Result, system: System, marks: dict[str, str], options: Options) -> str:
    """A mean, bold where it is the highest, with the letters of the systems it is better than."""
    beaten = [pair.baseline for pair in one.pairs
              if pair.system == system.name and pair.verdict.word == BETTER]  # fmt: skip
    beaten += [pair.system for pair in one.pairs
               if pair.baseline == system.name and pair.verdict.word == WORSE]  # fmt: skip
    text = number(system.mean, options.places)
    if system.name == one.winner:
        text = f"\\textbf{{{text}}}"
    letters = ",".join(mark for name, mark in marks.items() if name in beaten)
    return f"{text}\\rlap{{\\textsuperscript{{{letters}}}}}" if letters else text


def _caption(comparison: Comparison) -> str:
    how = comparison.how
    effect = "" if how.min_effect is None else f" by {how.min_effect:g} or more"
    exact = all(pair.p is not None and pair.p.exact for pair in comparison.pairs)
    draws = "all sign patterns" if exact else f"{how.draws:,} draws, seed {how.seed}"
    number = len(comparison.results[0].pairs)
    each = "each measure" if len(comparison.results) > 1 else escaped(comparison.results[0].measure)
    family = f" over the {number} pairs of {each}" if number > 1 else ""
    test = f"paired two-sided sign-flip randomisation test, {draws}, {_TESTS[how.correction]}"
    return (
        f"Means over {_queries(comparison)}. Superscripts: better{effect} than the system of that "
        f"letter ({test}{family}, $p < {how.alpha:g}$). Bold: highest mean. "
        f"Conventions: {_conventions(comparison)}."
    )


def _queries(comparison: Comparison) -> str:
    """How many queries each measure has a mean of."""
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
