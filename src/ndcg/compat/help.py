"""The help text of ``ndcg trec-eval``: our own words for trec_eval's options."""

from __future__ import annotations

import textwrap

from ndcg.compat.command import Command
from ndcg.compat.families import Family, nicknames
from ndcg.measures.grouped import GROUPED
from ndcg.measures.records import MEASURES

_TEXT = """\
ndcg trec-eval: print what trec_eval prints, byte for byte

  ndcg trec-eval -c qrels.txt run.txt             the official measures
  ndcg trec-eval -q -c -m ndcg_cut.10,20 -m map -l 2 qrels.txt run.txt
  ndcg trec-eval -c -m recip_rank -M 10 qrels.txt run.txt
  ndcg trec-eval --compat 9 -m all_trec qrels.txt run.txt

QRELS and RUN are files; RUN may be - (standard input). Exit codes are those of
trec_eval.

  -m MEASURE   a measure, one with parameters (P.5,10  ndcg.1=1,2=3
               set_F.0.5  rbp.p=0.8), or a nickname: {nicknames};
               official by default
  -q           the values of each query too
  -n           no summary
  -c           average over all judged queries, also those that the run lacks
  -l LEVEL     the lowest grade that is relevant (1)
  -M NUMBER    keep so many documents of each ranking
  -J           judged documents only: the others leave the ranking
  -N NUMBER    documents in the collection, for utility
  -R FORMAT    of the judgments: qrels (as it is without), qrels_jg, prefs,
               qrels_prefs
  -T FORMAT    of the run: trec_results
  -Z FILE      distances from a mean in standard deviations; lines of query,
               measure, mean, deviation
  --compat N   10 for trec_eval 10.0 (as it is without), 9 for 9.0.4 to 9.0.8
  -o           accepted, does nothing
  -h, -v       this text, with the measures given by -m; the version

exit codes: 0 done, 1 wrong usage, 2 unreadable data or parameters, 4 a query
cannot be evaluated, 7 no query in common (--compat 9), 255 unreadable -Z file

What is not imitated (crashes, values that are wrong) stands in
docs/trec-eval.md. With conventions of your choice, more digits and JSON:
ndcg eval QRELS RUN -p trec_eval
"""

_OTHERS = {
    "runid": "the tag of the run's last row; summary only",
    "relstring": "the levels of the first documents as text, in quotes: digits, > above 9, "
    "- without judgment, . judged negatively; of each query only",
}


def text(command: Command) -> str:
    """The help, with a paragraph for each measure that was asked for."""
    names = ", ".join(nicknames(command.version))
    names = textwrap.fill(names, 79, initial_indent=" " * 50, subsequent_indent=" " * 15).strip()
    parts = [_TEXT.format(nicknames=names)]
    parts += [_paragraph(family) for family, _ in command.measures if command.named]
    return "\n".join(parts).rstrip("\n") + "\n"


def _paragraph(family: Family) -> str:
    """What a family is, with its parameters and where there is more to read."""
    ours = next((one for one in MEASURES.values() if family.name in one.aliases), None)
    other = ours or GROUPED.get(family.name)
    what = _OTHERS.get(family.name, "")
    if other is not None:
        what = f"{other.title}: {other.formula}. See: ndcg measures {other.name}"
    given = ",".join(f"{one:g}" for one in family.given)
    form = {"pairs": f"{family.name}.1=1,2=3"}.get(family.kind, f"{family.name}.{given}")
    told = f" Parameters: {form}{' by default' if given else ''}." if family.kind else ""
    return textwrap.fill(f"{family.name}: {what}.{told}", 79, subsequent_indent="    ")
