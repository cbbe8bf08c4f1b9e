"""Random judgments and runs as dictionaries, with everything that makes tools differ."""

from __future__ import annotations

from random import Random

Grades = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


def near(random: Random, score: float) -> float:
    """A score that single precision cannot tell from `score`, or just can."""
    return score * (1 + random.choice([0.0, 1e-9, 3e-8, 6e-8, 1.2e-7, 1e-6]))


def data(seed: int) -> tuple[Grades, Scores]:
    """Judgments and a run with ties, unjudged documents, and queries that one side lacks."""
    random = Random(seed)  # noqa: S311 -- examples, not secrets
    pool = (
        [f"d{n}" for n in range(250)] + [f"{n}" for n in range(30)] + ["é", "\ue000", "\U0001f600"]
    )
    grades = [[0, 1], [0, 1, 2, 3], [-2, -1, 0, 1, 2], [0, 0, 0, 1], [0, 3, 40], [0]]
    few = [random.uniform(-5, 30) for _ in range(8)]
    qrels: Grades = {}
    run: Scores = {}
    for number in range(30):
        query = f"q{number}"
        scale = random.choice(grades)
        judged = random.sample(pool, random.randint(1, 120))
        qrels[query] = {document: random.choice(scale) for document in judged}
        qrels[query][judged[0]] = max(scale)  # the peer hangs on nothing but negative grades
        listed = random.sample(pool, random.choice([1, 3, 20, 200]))
        tied = random.random() < 0.7
        run[query] = {
            document: near(random, random.choice(few)) if tied else random.uniform(-5, 30)
            for document in listed
        }
    for number in random.sample(range(30), 4):
        del run[f"q{number}"]
    for number in range(3):
        run[f"unjudged{number}"] = {"d1": 1.0, "d2": 2.0}
    return qrels, run
