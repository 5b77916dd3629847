"""The solver behind the golden tests is the package itself: the published figures are the oracle."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import apsp
from apsp.semiring import is_unreachable


@dataclass(frozen=True)
class Figures:
    """Of the distances between different vertices: how many are finite, their sum, the largest."""

    pairs: int
    total: float
    largest: float


class Solver:
    def distances(self, graph: apsp.Graph, sources: np.ndarray | None = None) -> np.ndarray:
        """(S, n) float64, inf where there is no path."""
        result = apsp.solve(graph, sources=sources)
        result.verify(threads=2)
        return np.where(is_unreachable(result.distances), np.inf, result.distances.astype(np.float64))

    def summary(self, graph: apsp.Graph, sources: np.ndarray | None = None) -> Figures:
        found = apsp.summary(graph, sources=sources)
        diameter = found.diameter
        assert diameter is not None
        return Figures(found.pairs, found.total_distance, diameter)


@pytest.fixture(scope="session")
def oracle() -> Solver:
    return Solver()
