"""Values as distances from the mean of other runs: what ``trec_eval -Z`` prints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from ndcg.compat.c_text import atof
from ndcg.compat.reading import ZSCORES, Reading, table_of
from ndcg.kernel import Floats

MISSING = -1_000_000.0


class Reference(NamedTuple):
    """Mean and standard deviation of a measure's values for a query."""

    of: dict[tuple[str, str], tuple[float, float]]  # by query and name

    def convert(self, name: str, queries: Sequence[str], value: Floats) -> Floats:
        """The values of a name in standard deviations from the mean."""
        return np.array(
            [
                self._converted(self.of.get((query, name)), one)
                for query, one in zip(queries, value.tolist(), strict=True)
            ]
        )

    @staticmethod
    def _converted(known: tuple[float, float] | None, value: float) -> float:
        if known is None:
            return MISSING
        mean, deviation = known
        if deviation:
            return (value - mean) / deviation
        return 0.0 if value == mean else MISSING


def read(path: str, how: Reading) -> Reference:
    """Read ``query measure mean deviation`` rows; raises `DataError` as other readers do."""
    queries, names, means, deviations = table_of(path, ZSCORES, how).columns
    of: dict[tuple[str, str], tuple[float, float]] = {}
    for query, name, mean, deviation in zip(queries, names, means, deviations, strict=True):
        of.setdefault((query, name), (atof(mean), atof(deviation)))
    return Reference(of)
