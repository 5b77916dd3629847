"""Sparse graphs from all sources, int32 n x n distances included: beside NetworKit, SciPy and rustworkx.

Every result of ours is checked arc by arc (`Result.verify`) and by 4,096 random pairs against each peer, before timing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import apsp
from apsp.semiring import is_unreachable
from benchmarks.harness import Comparison
from benchmarks.sparse import networkit_apsp, same_distances

PAIRS = 4096


def solve(graph: apsp.Graph, method: str = "auto") -> Callable[[], apsp.Result]:
    """Our run: distances in int32 on the CPU."""
    return lambda: apsp.solve(graph, method=method, dtype="int32", device="cpu")


def networkit_hops(graph: apsp.Graph) -> Callable[[], Any]:
    """NetworKit's all-pairs call on a graph without weights: a breadth-first search per source, over all cores."""
    import networkit

    peer = networkit.Graph(graph.n, weighted=False, directed=True)
    for tail, head in zip(graph.tails().tolist(), graph.indices.tolist(), strict=True):
        peer.addEdge(tail, head)

    def run() -> Any:
        solver = networkit.distance.APSP(peer)
        solver.run()
        return solver

    return run


def rustworkx_matrix(graph: apsp.Graph) -> Callable[[], Any]:
    """rustworkx counts hops over all cores, in float64; 0 where there is no path."""
    import rustworkx

    peer = rustworkx.PyDiGraph()
    peer.add_nodes_from(range(graph.n))
    peer.extend_from_edge_list(list(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True)))
    return lambda: rustworkx.digraph_distance_matrix(peer, parallel_threshold=1)


def distance_of(result: Any, source: int, target: int) -> float:
    """One distance from the result of a contestant, infinite if there is no path."""
    if isinstance(result, np.ndarray):
        value = float(result[source, target])
        return np.inf if value == 0 and source != target else value
    value = float(result.getDistance(source, target))
    return np.inf if value > 1e300 else value


def agree(results: Mapping[str, Any]) -> None:
    """Our results are verified, equal to each other, and equal to those of the peers for random pairs."""
    ours = {name: result for name, result in results.items() if isinstance(result, apsp.Result)}
    first = next(iter(ours.values()))
    first.verify()
    for other in ours.values():
        np.testing.assert_array_equal(first.distances, other.distances)
    pairs = np.random.default_rng(0).integers(0, first.graph.n, (PAIRS, 2))
    expected = first.distances[pairs[:, 0], pairs[:, 1]].astype(np.float64)
    expected[is_unreachable(first.distances[pairs[:, 0], pairs[:, 1]])] = np.inf
    for name in results.keys() - ours.keys():
        given = [distance_of(results[name], int(u), int(v)) for u, v in pairs]
        np.testing.assert_array_equal(given, expected, err_msg=name)


def weighted(name: str, graph: apsp.Graph, target: float, *, scipy: bool = False) -> Comparison:
    """Label correcting beside Dijkstra from each source."""
    from scipy.sparse.csgraph import dijkstra

    contestants: dict[str, Callable[[], Any]] = {
        "apsp": solve(graph),
        "apsp label-correcting": solve(graph, "label-correcting"),
        "networkit APSP": networkit_apsp(graph),
    }
    if scipy:
        matrix = graph.to_scipy()
        contestants["scipy dijkstra"] = lambda: dijkstra(matrix)
    return Comparison(name, contestants, agree, {"networkit APSP": target})


def hops(name: str, graph: apsp.Graph) -> Comparison:
    """Breadth-first search on bits beside one per source."""
    graph = graph.unweighted()
    contestants = {
        "apsp": solve(graph),
        "apsp bit-bfs": solve(graph, "bit-bfs"),
        "networkit APSP": networkit_hops(graph),
        "rustworkx": rustworkx_matrix(graph),
    }
    return Comparison(name, contestants, agree, {"networkit APSP": 7.0, "rustworkx": 7.0})


def negative(n: int) -> Comparison:
    """Label correcting on reduced weights beside SciPy's Johnson."""
    from scipy.sparse.csgraph import johnson

    graph = apsp.generate("negative", n, seed=1, weights=(1, 1000))
    matrix = graph.to_scipy()
    contestants = {
        "apsp": solve(graph),
        "apsp label-correcting": solve(graph, "label-correcting"),
        "apsp johnson": solve(graph, "johnson"),
        "scipy johnson": lambda: johnson(matrix),
    }

    def same(results: Mapping[str, Any]) -> None:
        plain = {name: getattr(result, "distances", result) for name, result in results.items()}
        same_distances({"apsp": results["apsp"], **{k: v for k, v in plain.items() if k != "apsp"}})

    return Comparison(f"negative arcs, n = {n:,}, m = 4n", contestants, same, {"scipy johnson": 10.0})


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Random, power law, ring and grid; lengths 1 to 1,000, then hops; negative arcs."""
    small, side = (1000, 32) if quick else (4677, 128)
    large = side * side
    yield weighted(f"random, n = {small:,}, m = 4n", apsp.generate("random", small, seed=1), 12.0, scipy=True)
    yield weighted(f"R-MAT, n = {small:,}, m = 8n", apsp.generate("rmat", small, seed=1), 12.0)
    yield weighted(f"ring, n = {small:,}", apsp.generate("ring", small, seed=1), 5.0)
    yield negative(512 if quick else 2048)
    random, grid = apsp.generate("random", large, seed=1), apsp.generate("grid", shape=(side, side), seed=1)
    yield weighted(f"random, n = {large:,}, m = 4n", random, 12.0)
    yield weighted(f"grid {side} x {side}", grid, 25.0)
    yield hops(f"hops: random, n = {large:,}, m = 4n", random)
    yield hops(f"hops: R-MAT, n = {large:,}, m = 8n", apsp.generate("rmat", large, seed=1))
    yield hops(f"hops: grid {side} x {side}", grid)
