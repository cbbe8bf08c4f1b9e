"""A sample of query scores, each with what it counts: its mean, spread and effective size."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


class Sample(NamedTuple):
    """Scores and weights that add up to 1; none of them is 0."""

    score: Floats
    weight: Floats

    @classmethod
    def of(cls, score: Floats, weight: Floats | None = None) -> Sample:
        """Scores that all count alike, or by weights; those that count nothing are left out."""
        if weight is None:
            return cls(score, np.full(len(score), 1 / max(len(score), 1)))
        some = weight > 0
        return cls(score[some], weight[some] / weight[some].sum())

    @property
    def n(self) -> int:
        """How many scores."""
        return len(self.score)

    @property
    def n_effective(self) -> float:
        """How many scores of equal weight tell as much: (sum w)^2 / sum w^2."""
        return 1 / float(np.square(self.weight).sum()) if self.n else 0.0

    @property
    def mean(self) -> float:
        """The weighted mean."""
        return float((self.weight * self.score).sum())

    @property
    def deviation(self) -> float:
        """The standard deviation, as of a sample of the effective size."""
        size = self.n_effective
        if size <= 1:
            return math.nan
        square = float((self.weight * np.square(self.score - self.mean)).sum())
        return math.sqrt(square * size / (size - 1))

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return self.deviation / math.sqrt(self.n_effective)

    @property
    def skewness(self) -> float:
        """The third standardised moment; 0 where nothing varies."""
        away = self.score - self.mean
        spread = float((self.weight * np.square(away)).sum())
        if spread <= 0:
            return 0.0
        return float((self.weight * away**3).sum()) / math.pow(spread, 1.5)
