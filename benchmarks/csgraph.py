"""`apsp.csgraph` beside `scipy.sparse.csgraph`: all sources, few sources, calls near the crossover, and Isomap."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
import scipy.sparse as sp

import apsp
from apsp import csgraph
from apsp.compat.csgraph import peer
from benchmarks.harness import Comparison
from benchmarks.small import many

__all__ = ["comparisons"]

OURS, THEIRS = "apsp.csgraph", "scipy"


def random_graph(n: int, arcs: int, *, integers: bool) -> Any:
    """A csr_array of float64 with random arcs; the weights are integers from 1 to 99, or uniform in (0, 1)."""
    random = np.random.default_rng(n)
    tails, heads = random.integers(0, n, (2, arcs))
    weights = random.integers(1, 100, arcs).astype(float) if integers else random.random(arcs)
    return sp.csr_array(sp.coo_array((weights, (tails, heads)), shape=(n, n)))


def grid_graph(n: int) -> Any:
    """A csr_array of a square grid, with lengths uniform in (0, 1)."""
    side = round(n**0.5)
    grid = apsp.generate("grid", shape=(side, side), seed=1)
    weights = np.random.default_rng(n).random(grid.m)
    return sp.csr_array((weights, grid.indices, grid.indptr), shape=(grid.n, grid.n))


def path_graph(n: int) -> Any:
    """A csr_array of a path in both directions: the class on which SciPy is fastest."""
    first = np.arange(n - 1)
    ends = np.concatenate([first, first + 1]), np.concatenate([first + 1, first])
    return sp.csr_array(sp.coo_array((np.ones(2 * n - 2), ends), shape=(n, n)))


def close(results: Mapping[str, Any]) -> None:
    """Distances are equal up to rounding."""
    np.testing.assert_allclose(results[OURS], results[THEIRS], rtol=1e-9)


def pair(name: str, ours: Callable[[], Any], theirs: Callable[[], Any], times: int, target: float | None) -> Comparison:
    """One call of each, or many for brief ones."""
    return Comparison(
        f"{name}: {times} calls" if times > 1 else name,
        {OURS: many(ours, times), THEIRS: many(theirs, times)},
        close,
        {} if target is None else {THEIRS: target},
    )


def comparisons(quick: bool) -> Iterator[Comparison]:
    """All sources first, then what the crossover decides, then scikit-learn."""
    yield from all_sources(quick)
    yield from near_the_crossover(quick)
    if importlib.util.find_spec("sklearn") is not None:
        yield isomap(1000 if quick else 5000)


def all_sources(quick: bool) -> Iterator[Comparison]:
    """Dijkstra from all sources, m = 4n, and Floyd-Warshall."""
    for n, target in ((100, 1.5), (1000, 10.0), *(() if quick else ((10_000, 50.0),))):
        for integers in (True, False):
            graph = random_graph(n, 4 * n, integers=integers)
            words = "integers in float64" if integers else "reals"
            times = 1 if n > 100 else 10 if quick else 200
            yield pair(
                f"dijkstra, {words}, n = {n}, m = 4n",
                lambda graph=graph: csgraph.dijkstra(graph),  # type: ignore[misc]
                lambda graph=graph: peer.dijkstra(graph),  # type: ignore[misc]
                times,
                target,
            )
    matrix = np.random.default_rng(0).random((200, 200) if quick else (1000, 1000))
    yield pair(
        f"floyd_warshall, dense, n = {len(matrix)}",
        lambda: csgraph.floyd_warshall(matrix),
        lambda: peer.floyd_warshall(matrix),
        1,
        10.0,
    )


def near_the_crossover(quick: bool) -> Iterator[Comparison]:
    """Calls that either of the two might answer faster: no more than a tenth slower than SciPy."""
    graphs = {
        "random": lambda n: random_graph(n, 4 * n, integers=False),
        "in many parts": lambda n: random_graph(n, n // 2, integers=False),
        "grid": grid_graph,
        "path": path_graph,
    }
    for kind, make in graphs.items():
        for n, sources in ((10, None), (40, None), (100, None), (1000, 1), (1000, 16), (10_000, 1), (10_000, 64)):
            graph = make(n)
            wanted = None if sources is None else np.arange(sources) * (graph.shape[0] // sources)
            yield pair(
                f"dijkstra, {kind}, n = {n}, {sources or 'all'} source{'' if sources == 1 else 's'}",
                lambda graph=graph, wanted=wanted: csgraph.dijkstra(graph, indices=wanted),  # type: ignore[misc]
                lambda graph=graph, wanted=wanted: peer.dijkstra(graph, indices=wanted),  # type: ignore[misc]
                2 if quick else max(1, 10_000 // ((sources or n) * max(n // 40, 1))),
                0.9,
            )
        graph = make(10_000)
        nearest = np.arange(0, graph.shape[0], 100)
        yield pair(
            f"dijkstra, {kind}, n = 10000, min_only",
            lambda graph=graph, nearest=nearest: csgraph.dijkstra(graph, indices=nearest, min_only=True),  # type: ignore[misc]
            lambda graph=graph, nearest=nearest: peer.dijkstra(graph, indices=nearest, min_only=True),  # type: ignore[misc]
            2 if quick else 20,
            0.9,
        )


def isomap(samples: int) -> Comparison:
    """scikit-learn's Isomap, unchanged; the facts have the seconds of its shortest paths alone."""
    from sklearn.datasets import make_swiss_roll
    from sklearn.manifold import Isomap
    from sklearn.neighbors import kneighbors_graph

    cloud, _ = make_swiss_roll(samples, random_state=0)

    def theirs() -> Any:
        return Isomap().fit(cloud).dist_matrix_

    @csgraph.installed()
    def ours() -> Any:
        return Isomap().fit(cloud).dist_matrix_

    def facts(seconds: float) -> dict[str, Any]:
        import time

        near = kneighbors_graph(cloud, 5, mode="distance")
        spent = []
        for function in (csgraph.shortest_path, peer.shortest_path):
            started = time.perf_counter()
            function(near, directed=False)
            spent.append(time.perf_counter() - started)
        return {
            "shortest paths": f"{spent[0]:.3f} s, SciPy {spent[1]:.2f} s",
            "ratio of the shortest paths (target: 15)": round(spent[1] / spent[0], 1),
            "share of the fit": f"{spent[0] / seconds:.0%}",
        }

    return Comparison(f"Isomap, {samples} samples", {OURS: ours, THEIRS: theirs}, close, {THEIRS: 5.0}, facts)
