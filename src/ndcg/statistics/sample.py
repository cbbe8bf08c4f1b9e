"""A sample of query scores, each with what it counts: its mean, spread and effective size."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
TOLERANCE = 1e-12  # by which values and sums of the same things may differ


class Sample(NamedTuple):
    """Scores and what each counts, which is above 0."""

    score: Floats
    weight: Floats

    @classmethod
    def of(cls, score: Floats, weight: Floats | None = None) -> Sample:
        """Scores that all count alike, or by weights; those that count nothing are left out."""
        if weight is None:
            return cls(score, np.ones(len(score)))
        some = weight > 0
        return cls(score[some], weight[some])

    @property
    def n(self) -> int:
        """How many scores."""
        return len(self.score)

    @property
    def share(self) -> Floats:
        """The weights as shares of their sum."""
        return self.weight / added(self.weight)

    @property
    def n_effective(self) -> float:
        """How many scores of equal weight tell as much: (sum w)^2 / sum w^2."""
        return 1 / added(np.square(self.share)) if self.n else 0.0

    @property
    def mean(self) -> float:
        """The weighted mean, added in the order of the scores as an evaluation adds them."""
        return added(self.weight * self.score) / added(self.weight) if self.n else math.nan

    @property
    def deviation(self) -> float:
        """The standard deviation, as of a sample of the effective size; 0 for rounding alone."""
        size = self.n_effective
        if size <= 1:
            return math.nan
        largest, square, _ = self._moments()
        return largest * math.sqrt(square * size / (size - 1))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.n_effective)

    @property
    def skewness(self) -> float:
        """The third standardised moment; 0 where nothing varies."""
        _, square, cube = self._moments()
        return cube / math.pow(square, 1.5) if square > 0 else 0.0

    def _moments(self) -> tuple[float, float, float]:
        """The largest distance from the mean, and moments in units of it; 0 for rounding alone."""
        away = self.score - self.mean
        largest = float(np.abs(away).max(initial=0))
        if not largest > TOLERANCE * float(np.abs(self.score).max(initial=0)):
            return 0.0, 0.0, 0.0
        away = away / largest  # so that no power of it is too large or too small
        square = added(self.share * np.square(away))
        return largest, square, added(self.share * away**3)


def added(terms: Floats) -> float:
    """The sum, one term after the other: np.sum adds in an order that depends on the number."""
    return float(np.add.accumulate(terms)[-1]) if len(terms) else 0.0
