"""The trec_eval command itself, where ``TREC_EVAL`` or ``TREC_EVAL_9`` names one: the same bytes.

It has to be built by who runs this. With a build whose only change is ``%.17g`` in place of
``%6.4f``, named by ``TREC_EVAL_DIGITS=17``, all digits are compared.
"""

from __future__ import annotations

import math
import os
import subprocess
from pathlib import Path
from random import Random

import pytest

from ndcg.compat import trec_eval
from ndcg.compat.command import Stopped, command_of

BINARIES = {"10": os.environ.get("TREC_EVAL"), "9": os.environ.get("TREC_EVAL_9")}
MEASURES = [
    ("all_trec",),
    ("official",),
    ("set", "yaap", "P.1,2,7", "iprec_at_recall..33,.5", "11pt_avg..2,.5,.8", "relstring.20"),
    ("ndcg.1=3,2=7", "G.1=2,2=5", "Rndcg.1=2,3=9", "ndcg_rel.1=4,2=1"),
    ("ndcg.0=1,1=2", "G.0=1", "Rndcg.0=2,1=5", "ndcg_rel.0=1"),
    ("ndcg.-1=1", "ndcg_rel.-1=1", "G.-1=1", "Rndcg.-1=2"),
    ("ndcg.0=-1", "Rndcg.0=-1", "G.0=-1", "ndcg_rel.0=-1"),
    ("utility.1,-1,0.5,0.1", "set_F.0.5", "success.2", "Rprec_mult.0.5,3", "map_cut.3"),
]


def files(chance: Random, folder: Path) -> list[str]:
    """Judgments and a run with ties, near ties, negative grades and queries of one side."""
    name = chance.choice(["d{}", "{}", "0{}", "é{}", "D#{}"])
    pool = [name.format(n) for n in range(chance.choice([5, 12, 60]))]
    grades = chance.choice([[0, 1], [0, 1, 2, 3], [-1, 0, 1, 2], [0], [1, 2, 9, 12]])
    few = [chance.choice([1, 2.5, -3, 1e-3, 1e30]) for _ in range(4)]
    qrels, run = [], ["unjudged Q0 d 1 1 t"]
    for query in range(chance.randint(1, 6)):
        judged = chance.sample(pool, chance.randint(1, len(pool)))
        qrels += [f"q{query} 0 {d} {chance.choice(grades)}" for d in judged[1:]]
        qrels.append(f"q{query} 0 {judged[0]} {max(grades)}")
        others = [name.format(n) for n in range(1000, 1040)]
        if chance.random() < 0.9:
            for d in chance.sample(pool + others, chance.choice([1, 2, 5, 30, 45])):
                score = chance.choice(few) * (1 + chance.choice([0, 1e-9, 6e-8, 1e-7]))
                run.append(f"q{query} Q0 {d} 0 {score!r} t{query}")
    chance.shuffle(run)
    (folder / "qrels").write_text("\n".join(qrels) + "\n", "utf-8")
    (folder / "run").write_text("\n".join(run) + "\n", "utf-8")
    return [str(folder / "qrels"), str(folder / "run")]


def options(chance: Random) -> list[str]:
    """Some of the options."""
    chosen = [one for one in ("-q", "-c", "-J") if chance.random() < 0.5]
    chosen += ["-l", str(chance.choice([0, 1, 2, 3]))] if chance.random() < 0.4 else []
    chosen += ["-M", str(chance.choice([0, 1, 3, 10, 100]))] if chance.random() < 0.3 else []
    return chosen + [part for one in chance.choice(MEASURES) for part in ("-m", one)]


@pytest.mark.parametrize("version", ["10", "9"])
def test_the_command_prints_what_trec_eval_prints(
    version: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    binary = BINARIES[version]
    if binary is None:
        pytest.skip(f"no trec_eval {version}: name one by TREC_EVAL{'_9' * (version == '9')}")
    if os.environ.get("TREC_EVAL_DIGITS") == "17":
        monkeypatch.setattr(
            trec_eval, "number", lambda value: "-nan" if math.isnan(value) else f"{value:.17g}"
        )
    chance = Random(20261130)  # noqa: S311 -- examples, not secrets
    for _ in range(1000):
        arguments = [*options(chance), *files(chance, tmp_path)]
        theirs = subprocess.run([binary, *arguments], capture_output=True, timeout=60, check=False)
        out: list[bytes] = []
        try:
            command = command_of(["--compat", version, *arguments])
            code = trec_eval.run(command, out.append, lambda _: None, lambda _: None)
        except Stopped as stopped:
            code = stopped.code
        assert (b"".join(out), code) == (theirs.stdout, theirs.returncode), arguments
