"""Random edges for the graphs of other libraries, and the comparison of distances with a library's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import apsp

KINDS = [(directed, weighted) for directed in (True, False) for weighted in (True, False)]
every_kind = pytest.mark.parametrize(
    ("directed", "weighted"), KINDS, ids=["directed", "directed, hops", "undirected", "undirected, hops"]
)


@dataclass(frozen=True)
class Edges:
    """Edges between n vertices: parallel ones, a self-loop, and vertices 10 and 11 without any."""

    n: int
    tails: list[int]
    heads: list[int]
    weights: list[float]

    @property
    def ends(self) -> list[tuple[int, int]]:
        return list(zip(self.tails, self.heads, strict=True))

    @property
    def triples(self) -> list[tuple[int, int, float]]:
        return list(zip(self.tails, self.heads, self.weights, strict=True))


def edges() -> Edges:
    """The same 24 edges each time; sums of the weights are exact in floats."""
    rng = np.random.default_rng(5)
    tails, heads = rng.integers(0, 10, (2, 20))
    weights = rng.integers(1, 40, 24) / 4
    tails, heads = [*tails.tolist(), 0, 0, 0, 3], [*heads.tolist(), 1, 1, 1, 3]
    return Edges(12, tails, heads, weights.tolist())


def found(graph: Any, weight: Any = ...) -> np.ndarray:
    """Distances of this package as floats, infinite where there is no path."""
    result = apsp.solve(graph if weight is ... else apsp.as_graph(graph, weight=weight), dtype="float64")
    return result.distances


def expected(directed: bool, weighted: bool, given: Edges | None = None) -> np.ndarray:
    """Distances of the same edges by SciPy, for libraries without a function of their own."""
    from scipy.sparse import csgraph, csr_array

    given = given or edges()
    least: dict[tuple[int, int], float] = {}
    for tail, head, weight in given.triples:
        for pair in [(tail, head)] if directed else [(tail, head), (head, tail)]:
            least[pair] = min(least.get(pair, np.inf), weight if weighted else 1.0)
    rows, columns = zip(*least, strict=True)
    return csgraph.dijkstra(csr_array((list(least.values()), (rows, columns)), shape=(given.n, given.n)))
