"""Many comparisons at once: p-values corrected for how many there are.

The family is all tested pairs of one measure. Tukey's HSD of independent groups, as SciPy has it,
ignores that systems answer the same queries and is not among them: docs/statistics.md.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from ndcg.statistics.paired import DRAWS, settled
from ndcg.statistics.sample import TOLERANCE, Floats

_NUMBERS = 1 << 20  # that are drawn at a time; it decides memory, never a value


def holm(p: Sequence[float]) -> list[float]:
    """Holm's step-down correction: the chance of any false finding, whatever depends on what.

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    found, largest = [0.0] * len(p), 0.0
    for rank, at in enumerate(sorted(range(len(p)), key=p.__getitem__)):
        largest = max(largest, min(1.0, (len(p) - rank) * p[at]))
        found[at] = largest
    return found


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Benjamini and Hochberg's correction: the expected share of false findings.

    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    [0.03, 0.04, 0.04]
    """
    found, smallest = [0.0] * len(p), 1.0
    order = sorted(range(len(p)), key=p.__getitem__)
    for rank in range(len(p) - 1, -1, -1):
        smallest = min(smallest, len(p) / (rank + 1) * p[order[rank]])
        found[order[rank]] = smallest
    return found


def uncorrected(p: Sequence[float]) -> list[float]:
    """The p-values as they are."""
    return [*p]


CORRECTIONS: dict[str, Callable[[Sequence[float]], list[float]]] = {
    "holm": holm,
    "bh": benjamini_hochberg,
    "none": uncorrected,
}


def randomised_tukey(
    scores: Floats,
    pairs: Sequence[tuple[int, int]],
    weight: Floats | None = None,
    *,
    draws: int = DRAWS,
    seed: int = 0,
) -> list[float]:
    """Randomised Tukey HSD (Carterette 2012): labels of systems exchanged within each query.

    A difference is compared with the largest one between any two systems under each exchange. It
    holds its level where all systems could be exchanged; where some vary much more than others
    (near copies among them), it promises too much.

    Parameters
    ----------
    scores : (n_systems, n) of the same queries, in byte order of their ids.
    pairs, weight, draws, seed : as in `randomised_p`.
    """
    systems, n = scores.shape
    share = np.ones(n) if weight is None else weight
    # Centred by query, so that sums are of differences and round as they do.
    terms = settled(scores.mean(axis=0), scores) * share
    total = terms.sum(axis=1)
    slack = TOLERANCE * float(np.abs(terms).sum())
    least = np.array([abs(total[b] - total[a]) for a, b in pairs]) - slack
    hits = np.zeros(len(pairs), np.int64)
    step = max(1, _NUMBERS // max(systems * n, 1))
    for first in range(0, draws, step):
        sums = _exchanged(terms, first, min(step, draws - first), seed).sum(axis=1)
        largest = sums.max(axis=1) - sums.min(axis=1)
        hits += (largest[:, None] >= least).sum(axis=0)
    return [(1 + int(one)) / (1 + draws) for one in hits]


def _exchanged(terms: Floats, first: int, number: int, seed: int) -> Floats:
    """The scores with labels exchanged within each query: (number, n, systems)."""
    systems, n = terms.shape
    found = np.repeat(terms.T[None], number, axis=0)
    counters = -(-n * (systems - 1) // 4)  # each draw begins at a counter of its own
    bits = np.random.Philox(key=seed, counter=first * counters)
    raw = bits.random_raw(number * counters * 4).reshape(number, -1)[:, : n * (systems - 1)]
    chance = (raw >> np.uint64(32)).reshape(number, n, systems - 1)
    draw, query = np.ogrid[:number, :n]
    for last in range(systems - 1, 0, -1):  # Fisher and Yates: every order is equally likely
        other = ((chance[:, :, last - 1] * np.uint64(last + 1)) >> np.uint64(32)).astype(np.int64)
        kept = found[:, :, last].copy()
        found[:, :, last] = found[draw, query, other]
        found[draw, query, other] = kept
    return found
