"""Dijkstra's method on tuples of Python: the truth about several costs along least paths."""

from __future__ import annotations

import heapq
import math

import numpy as np

import apsp

__all__ = ["least_tuples"]

Label = tuple[float, ...]


def least_tuples(graph: apsp.Graph, costs: np.ndarray, source: int) -> list[Label]:
    """The least sums of the rows of costs (m, K), compared as tuples, from a source to every vertex."""
    best: list[Label] = [(math.inf,) * costs.shape[1]] * graph.n
    best[source] = (0,) * costs.shape[1]
    queue = [(best[source], source)]
    while queue:
        label, v = heapq.heappop(queue)
        if label > best[v] or (v != source and graph.zones is not None and graph.zones[v]):
            continue
        for arc in range(graph.indptr[v], graph.indptr[v + 1]):
            head = graph.indices[arc]
            longer = tuple(a + b for a, b in zip(label, costs[arc].tolist(), strict=True))
            if longer < best[head]:
                best[head] = longer
                heapq.heappush(queue, (longer, head))
    return best
