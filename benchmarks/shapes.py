"""Shapes on which all rows, or bounds that do not close, take time without need: measures beside a part of the work.

Each graph has 200,000 vertices. Extremes are verified by what the shape says, and those of components, and sums, by
SciPy's distances within some of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

import apsp
from benchmarks.harness import Comparison

__all__ = ["comparisons"]

_FULL, _QUICK = 200_000, 20_000
_SAMPLE = 40
"""Vertices whose sums and eccentricities SciPy verifies."""


def shapes(n: int) -> Iterator[tuple[str, apsp.Graph, int | None]]:
    """Names, graphs, and the diameter where the shape says it."""
    v = np.arange(n)
    rng = np.random.default_rng(1)
    parent = (rng.random(n - 1) * v[1:]).astype(int)
    lengths = rng.integers(1, 100, n)
    beyond = v[:-20] + rng.integers(2, 20, n - 20)
    yield "path", apsp.from_edges(v[:-1], v[1:], directed=False), n - 1
    yield "path one way", apsp.from_edges(v[:-1], v[1:]), n - 1
    yield "ring", apsp.from_edges(v, (v + 1) % n, directed=False), n // 2
    yield "ring one way", apsp.from_edges(v, (v + 1) % n), n - 1
    yield "ring one way, weights 1..99", apsp.from_edges(v, (v + 1) % n, lengths), int(lengths.sum() - lengths.min())
    yield "tree", apsp.from_edges(parent, v[1:], directed=False), None
    yield "tree, weights 1..99", apsp.from_edges(parent, v[1:], lengths[1:], directed=False), None
    yield "tree to the leaves", apsp.from_edges(parent, v[1:]), None
    yield "tree to the root", apsp.from_edges(v[1:], parent), None
    yield "star", apsp.from_edges(np.zeros(n - 1, int), v[1:], directed=False), 2
    two = np.repeat([0, 1], n - 2), np.tile(v[2:], 2)
    yield f"K(2, {n - 2:,})", apsp.from_edges(*two, directed=False), 2
    yield "acyclic and deep", apsp.from_edges(np.r_[v[:-1], v[:-20]], np.r_[v[1:], beyond]), None
    for size in (2, 10, 16, 64, 500):
        first = v - v % size
        inner = v[v % size > 0]
        before = first[inner] + (rng.random(len(inner)) * (inner - first[inner])).astype(int)
        yield f"components of {size}", apsp.from_edges(before, inner, n=n, directed=False), None
        if size in (2, 10):
            weighted = apsp.from_edges(before, inner, lengths[: len(inner)], n=n, directed=False)
            yield f"components of {size}, weights 1..99", weighted, None


def search(graph: apsp.Graph) -> int:
    """A search from one vertex: the linear work."""
    return int(apsp.solve(graph, sources=[0]).distances.max())


def verify(graph: apsp.Graph, diameter: int | None, results: Mapping[str, Any]) -> None:
    """What the shape says, and what SciPy's rows say of some vertices."""
    eccentricity = results.get("apsp.eccentricity")
    if diameter is not None:
        assert results["apsp.extremes"].diameter == diameter
    if eccentricity is not None:
        assert results["apsp.extremes"].diameter == eccentricity.max()
    weights = np.ones(graph.m) if graph.weights is None else graph.weights
    matrix = csr_array((weights, graph.indices, graph.indptr), shape=(graph.n, graph.n))
    chosen = np.random.default_rng(0).integers(0, graph.n, _SAMPLE)
    rows: npt.NDArray[np.float64] = dijkstra(matrix, indices=chosen, unweighted=graph.weights is None)
    reached = np.where(np.isfinite(rows), rows, 0)
    if eccentricity is not None:
        np.testing.assert_array_equal(eccentricity[chosen], reached.max(axis=1))
    if "apsp.closeness_centrality" in results:
        others = np.isfinite(rows).sum(axis=1) - 1
        expected = others / reached.sum(axis=1) * others / (graph.n - 1)
        np.testing.assert_allclose(results["apsp.closeness_centrality"][chosen], expected, rtol=1e-12)
    if "apsp.reachable, count" in results and "path" in results["name"]:
        n = graph.n
        assert results["apsp.reachable, count"] == (n * (n + 1) // 2 if graph.directed else n * n)


def fresh(graph: apsp.Graph, function: Callable[[apsp.Graph], Any]) -> Any:
    """Call a function with a graph of which nothing is known."""
    return function(apsp.Graph(graph.indptr, graph.indices, graph.weights, directed=graph.directed))


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Extremes of all shapes, sums of components, and reachability of trees and paths."""
    n = _QUICK if quick else _FULL
    for name, graph, diameter in shapes(n):
        calls: dict[str, Callable[[Any], Any]] = {"apsp.extremes": apsp.extremes}
        if "deep" not in name:  # there all rows are the better way
            calls["apsp.eccentricity"] = apsp.eccentricity
        calls["apsp.center"] = apsp.center
        is_forest = not graph.directed and not name.startswith(("ring", "K("))
        if is_forest:
            calls["apsp.closeness_centrality"] = apsp.closeness_centrality
        if name.startswith("components"):
            calls["apsp.betweenness_centrality"] = apsp.betweenness_centrality
            calls["apsp.global_efficiency"] = apsp.global_efficiency
            calls["apsp.distance_histogram"] = apsp.distance_histogram
            calls["apsp.k_nearest, 3"] = lambda graph: apsp.k_nearest(graph, k=3)
            calls["apsp.local_efficiency"] = apsp.local_efficiency
        else:
            calls["apsp.reachable, count"] = lambda graph: apsp.reachable(graph).count()
            if "deep" in name:
                del calls["apsp.reachable, count"]
        calls["a search from one vertex"] = search

        def agree(
            results: Mapping[str, Any], name: str = name, graph: apsp.Graph = graph, diameter: int | None = diameter
        ) -> None:
            verify(graph, diameter, {**results, "name": name})

        contestants = {call: partial(fresh, graph, function) for call, function in calls.items()}
        yield Comparison(f"{name}, n = {n:,}, m = {graph.m:,}", contestants, agree)
