"""The solver behind the golden tests: SciPy, and a bit-parallel search for hops; none of this package's kernels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.sparse.csgraph as csgraph

from apsp.graph.convert import to_scipy
from apsp.graph.model import Graph


@dataclass(frozen=True)
class Summary:
    """Of the distances between different vertices: how many are finite, their sum, the largest and the smallest."""

    pairs: int
    total: float
    largest: float
    smallest: float


class Oracle:
    """Distances by SciPy. Terminals are obeyed; a negative cycle raises csgraph.NegativeCycleError."""

    def distances(self, graph: Graph, sources: np.ndarray | None = None) -> np.ndarray:
        """(S, n) float64, inf where there is no path."""
        if graph.has_terminals:
            return self._around_terminals(graph)
        matrix = to_scipy(graph).astype(np.float64)
        if graph.has_negative_arc:
            return csgraph.johnson(matrix, indices=sources)
        return csgraph.dijkstra(matrix, indices=sources)

    def summary(self, graph: Graph, sources: np.ndarray | None = None) -> Summary:
        if not graph.is_weighted and not graph.has_terminals:
            return hop_summary(graph, np.arange(graph.n) if sources is None else sources)
        every = np.arange(graph.n) if sources is None else sources
        pairs, total, largest, smallest = 0, 0.0, -np.inf, np.inf
        for block in np.array_split(every, max(1, len(every) // 512)):
            dist = self.distances(graph, block)
            dist[np.arange(len(block)), block] = np.inf
            finite = dist[np.isfinite(dist)]
            pairs += len(finite)
            total += float(finite.sum())
            if len(finite):
                largest, smallest = max(largest, float(finite.max())), min(smallest, float(finite.min()))
        return Summary(pairs, total, largest, smallest)

    def _around_terminals(self, graph: Graph) -> np.ndarray:
        """Arcs that leave terminals serve as first arcs only."""
        through = ~graph.terminals[graph.tails()]
        matrix = to_scipy(graph).tocoo()
        inner = type(matrix)(
            (matrix.data[through].astype(float), (matrix.row[through], matrix.col[through])), shape=matrix.shape
        )
        dist = csgraph.dijkstra(inner.tocsr())
        result = dist.copy()
        for zone in np.flatnonzero(graph.terminals):
            row = slice(graph.indptr[zone], graph.indptr[zone + 1])
            first = graph.arc_weights(float)[row][:, None] + dist[graph.indices[row]]
            result[zone] = np.minimum(result[zone], first.min(axis=0, initial=np.inf))
        return result


def hop_summary(graph: Graph, sources: np.ndarray, batch: int = 4096) -> Summary:
    """Breadth-first search from `batch` sources at once: bit s of row v says that source s has reached v."""
    into = to_scipy(graph).T.tocsr()
    into.sort_indices()
    fed = np.flatnonzero(np.diff(into.indptr))
    pairs = total = largest = 0
    for start in range(0, len(sources), batch):
        chunk = sources[start : start + batch]
        seen = np.zeros((graph.n, (len(chunk) + 63) // 64), dtype=np.uint64)
        place = np.arange(len(chunk))
        np.bitwise_or.at(seen, (chunk, place // 64), np.uint64(1) << (place % 64).astype(np.uint64))
        frontier, level = seen.copy(), 0
        while True:
            level += 1
            found = np.zeros_like(seen)
            found[fed] = np.bitwise_or.reduceat(frontier[into.indices], into.indptr[fed], axis=0)
            frontier = found & ~seen
            count = int(np.bitwise_count(frontier).sum(dtype=np.int64))
            if not count:
                break
            seen |= frontier
            pairs += count
            total += level * count
            largest = max(largest, level)
    return Summary(pairs, total, largest, 1 if pairs else np.inf)


@pytest.fixture(scope="session")
def oracle() -> Oracle:
    return Oracle()
