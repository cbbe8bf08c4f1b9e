"""How far other queries could have given another mean: its interval, found when asked for."""

from __future__ import annotations

from typing import NamedTuple

from ndcg.kernel import Floats
from ndcg.measures.record import Record
from ndcg.statistics.intervals import LEVEL, Bounds, Interval, interval_of

SHARES = ("0 to 1", "0 or 1")  # ranges of measures that have two bounds


class Uncertainty(NamedTuple):
    """The scores behind a mean, and by what its interval is found."""

    score: Floats  # of the queries in the mean
    weight: Floats | None
    bounds: Bounds | None
    method: str = "auto"
    level: float = LEVEL
    seed: int = 0

    def interval(self) -> Interval | None:
        """The interval; None for fewer than two queries."""
        return interval_of(
            self.score, self.weight,
            bounds=self.bounds, method=self.method, level=self.level, seed=self.seed,
        )  # fmt: skip


def bounds_of(record: Record, score: Floats) -> Bounds | None:
    """What scores of a measure can be; None where it has no bounds, or a convention breaks them."""
    if record.range not in SHARES or not score.size:
        return None
    return Bounds(0.0, 1.0) if score.min() >= 0 and score.max() <= 1 else None
