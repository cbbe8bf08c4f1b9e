"""``ndcg measures``: the measures as a table, or one as a card."""

from __future__ import annotations

from collections.abc import Sequence

from ndcg.cli.main import DONE, write
from ndcg.cli.options import Parser, parsed
from ndcg.cli.presets_command import columns

EXAMPLES = """\
  ndcg measures          all of them
  ndcg measures nDCG     formula, range, source, notation
"""


def run(given: Sequence[str]) -> int:
    """Print the table or a card."""
    parser = Parser("measures", "the measures and their notation", EXAMPLES)
    parser.add_argument("name", nargs="?", metavar="NAME", help="a measure, for its card")
    parser.add_argument("-h", "--help", action="store_true", help="this text")
    arguments = parsed(parser, given)
    if arguments is None:
        return DONE
    from ndcg.measures.records import MEASURES  # brings NumPy
    from ndcg.measures.registry import parse

    if arguments.name is None:
        rows = [["measure", "what", "formula"]]
        rows += [[one.name, one.title, one.formula] for one in MEASURES.values()]
        write(columns(rows) + "\nnotation: nDCG@10, P(rel=2)@5, AP, nDCG(gain=linear)@10\n")
        return DONE
    measure, foreign = parse(arguments.name)
    record = measure.record
    facts = {
        "measure": f"{record.name} ({record.title})",
        "formula": record.formula,
        "range": record.range,
        "reads": "gains of grades" if record.graded else "relevant or not: grade >= rel (1)",
        "source": record.source,
        "undefined": "a query whose judgments leave nothing to find: the axis empty decides",
    }
    if foreign is not None:
        facts = {"name": f"{foreign.given} is {foreign.owner}; here it is {record.name}"} | facts
    write(columns([[name, text] for name, text in facts.items()]))
    return DONE
