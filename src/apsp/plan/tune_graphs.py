"""The graphs that `apsp tune` measures on: the same every time."""

from __future__ import annotations

import numpy as np

from apsp.graph.generate import generate
from apsp.graph.model import Graph

__all__ = ["grid", "random_graph"]


def grid(n: int, dtype: str | None) -> Graph:
    """A grid of n vertices with weights from 1 to 100, or without."""
    graph = generate("grid", n, seed=7, weights=(1, 100))
    weights = None if dtype is None else graph.arc_weights("int32" if dtype == "uint16" else dtype)
    return Graph(graph.indptr, graph.indices, weights, directed=False)


def random_graph(n: int, degree: int, dtype: str | None, *, negative: bool = False) -> Graph:
    """About `degree` arcs a vertex with weights from 1 to 100; a potential makes some negative, but no cycle."""
    rng = np.random.default_rng(7)
    keys = np.unique(rng.integers(0, n * n, n * degree))
    tails, heads = keys // n, keys % n
    indptr = np.concatenate([[0], np.cumsum(np.bincount(tails, minlength=n))])
    if dtype is None:
        return Graph(indptr, heads)
    weights = rng.integers(1, 101, len(keys))
    if negative:
        height = rng.integers(0, 200, n)
        weights = weights + height[tails] - height[heads]
    return Graph(indptr, heads, weights.astype("int32" if dtype == "uint16" else dtype))
