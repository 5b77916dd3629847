"""Sparse graphs: Dijkstra from each source beside NetworKit's and SciPy's; Johnson beside SciPy's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison


def same_distances(results: Mapping[str, Any]) -> None:
    """All contestants give the same numbers (the weights are integers)."""
    first, *others = results.values()
    for other in others:
        np.testing.assert_array_equal(first.distances.astype(np.float64), np.asarray(other, dtype=np.float64))


def networkit_apsp(graph: apsp.Graph) -> Any:
    """NetworKit's all-pairs call, over all cores, and its rows as they come."""
    import networkit

    peer = networkit.Graph(graph.n, weighted=True, directed=True)
    for tail, head, weight in zip(
        graph.tails().tolist(), graph.indices.tolist(), graph.arc_weights("float64").tolist(), strict=True
    ):
        peer.addEdge(tail, head, weight)

    def run() -> Any:
        solver = networkit.distance.APSP(peer)
        solver.run()
        return solver

    return run


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Random graphs of four arcs per vertex, lengths 1 to 1,000."""
    from scipy.sparse.csgraph import dijkstra, johnson

    n = 1000 if quick else 4677
    graph = apsp.generate("random", n, seed=1, weights=(1, 1000))
    matrix = graph.to_scipy()
    networkit_run = networkit_apsp(graph)

    def agree(results: Mapping[str, Any]) -> None:
        rows = np.asarray(results["networkit APSP"].getDistances())
        same_distances({**results, "networkit APSP": rows})

    yield Comparison(
        f"random, n = {n:,}, m = 4n",
        {
            "apsp": lambda: apsp.solve(graph),
            "apsp dijkstra": lambda: apsp.solve(graph, method="dijkstra"),
            "networkit APSP": networkit_run,
            "scipy dijkstra": lambda: dijkstra(matrix),
        },
        lambda results: agree({k: v for k, v in results.items() if k != "apsp dijkstra"}),
        {"networkit APSP": 3.0, "scipy dijkstra": 5.0},
    )

    n = 512 if quick else 2048
    negative = apsp.generate("negative", n, seed=1, weights=(1, 1000))
    signed = negative.to_scipy()
    yield Comparison(
        f"negative arcs, n = {n:,}, m = 4n",
        {"apsp": lambda: apsp.solve(negative, method="johnson"), "scipy johnson": lambda: johnson(signed)},
        same_distances,
        {"scipy johnson": 3.0},
    )
