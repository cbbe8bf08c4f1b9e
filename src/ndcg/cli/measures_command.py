"""``ndcg measures``: the measures as a table, or one as a card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ndcg.cli.main import DONE, write
from ndcg.cli.options import Parser, parsed
from ndcg.cli.presets_command import columns

if TYPE_CHECKING:
    from ndcg.measures.grouped import GroupedRecord
    from ndcg.measures.record import Record
    from ndcg.measures.registry import Measure

EXAMPLES = """\
  ndcg measures          all of them
  ndcg measures nDCG     formula, range, source, notation, an example
  ndcg measures bpref    by trec_eval's name
"""
RANKING = "on the ranking B D X A, by linear gains; A, B, C, D are judged 3, 2, 1, 0, X is not"
GROUPS = "on the ranking B D X A; one group judges A, B, C, D 3, 2, 1, 0, another one X 1 and B 0"


def run(given: Sequence[str]) -> int:
    """Print the table or a card."""
    parser = Parser("measures", "the measures and their notation", EXAMPLES)
    parser.add_argument("name", nargs="?", metavar="NAME", help="a measure, for its card")
    parser.add_argument("-h", "--help", action="store_true", help="this text")
    arguments = parsed(parser, given)
    if arguments is None:
        return DONE
    from ndcg.measures.grouped import GROUPED
    from ndcg.measures.records import MEASURES  # brings NumPy
    from ndcg.measures.registry import parse

    if arguments.name is None:
        write(table([*MEASURES.values()], [*GROUPED.values()]))
        return DONE
    if arguments.name in GROUPED:
        write(columns([[name, text] for name, text in grouped(GROUPED[arguments.name]).items()]))
        return DONE
    measure, foreign = parse(_alias(arguments.name))
    facts = card(measure)
    if foreign is not None:
        ours = foreign.measure
        facts = {"name": f"{foreign.given} is {foreign.owner}; here it is {ours}"} | facts
    write(columns([[name, text] for name, text in facts.items() if text]))
    return DONE


def _alias(name: str) -> str:
    """Our name of a family of trec_eval that has no value of its own: recall is R."""
    from ndcg.measures.records import MEASURES

    ours = (one.name for one in MEASURES.values() if name in one.aliases and name not in MEASURES)
    return next(ours, name)


def table(measures: Sequence[Record], others: Sequence[GroupedRecord]) -> str:
    """All measures, and those that need judgments with groups."""
    rows = [["measure", "what", "in trec_eval"]]
    rows += [[one.name, one.title, ", ".join(one.aliases)] for one in measures]
    text = columns(rows) + "\nnotation: nDCG@10, P(rel=2)@5, AP, nDCG(gain=linear)@10\n"
    names = [["of judgments with groups", "what"], *([one.name, one.title] for one in others)]
    return text + "\n" + columns(names)


def card(measure: Measure) -> dict[str, str]:
    """What there is to know about a measure, and an example worked out."""
    from ndcg.measures.example import value_of

    record = measure.record
    notation = record.name + ("@k" if record.cutoff else "")
    facts = {
        "measure": f"{record.name} ({record.title})",
        "notation": notation if record.reads == "places" else _with_parameters(record),
        "formula": record.formula,
        "range": record.range,
        "reads": _READS[record.reads],
    }
    for one in record.parameters:
        facts[f"  {one.name}"] = f"{one.what} ({_default(one.default)} unless given)"
    facts |= {
        "tie rules": ", ".join(record.ties),
        "over queries": _OVER[record.over_queries],
        "trec_eval": ", ".join(record.aliases),
        "source": record.source,
        "undefined": _undefined(record),
    }
    name, arithmetic = record.example
    facts["example"] = f"{name} = {arithmetic} = {value_of(name):.4f}"
    return facts | {"": RANKING}


_READS = {
    "gains": "gains of grades",
    "relevance": "relevant or not: grade >= rel (1)",
    "places": "neither gains nor what is relevant",
}
_OVER = {
    "mean": "the mean",
    "sum": "the sum, whatever the weights",
    "geometric": "exp of the mean of logarithms",
}


def _default(value: float | str) -> str:
    return value if isinstance(value, str) else f"{value:g}"


def _with_parameters(record: Record) -> str:
    names = ["rel"] if record.reads == "relevance" else []
    names += [one.name for one in record.parameters]
    inside = f"({', '.join(f'{name}=' for name in names)})" if names else ""
    return record.name + inside + ("@k" if record.cutoff else "")


def _undefined(record: Record) -> str:
    from ndcg.measures.unjudged import nothing_needed

    if record.empty is nothing_needed:
        return "never"
    return "a query whose judgments leave nothing to find: the axis empty decides"


def grouped(record: GroupedRecord) -> dict[str, str]:
    """What there is to know about a measure of judgments with groups."""
    name, arithmetic = record.example
    return {
        "measure": f"{record.name} ({record.title})",
        "formula": record.formula,
        "range": record.range,
        "needs": record.needs,
        "tie rules": record.ties,
        "over queries": _OVER[record.over_queries],
        "source": record.source,
        "example": f"{name} = {arithmetic}",
        "": GROUPS,
    }
