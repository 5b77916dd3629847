"""Betweenness of all vertices in hops: this package beside NetworKit, and NetworkX on the smallest graph; with weights
on roads beside NetworkX for a few sources, since all would take weeks.
"""

from __future__ import annotations

import importlib.util
import itertools
import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import networkx as nx
import numpy as np

import apsp
from benchmarks.elimination import new_york
from benchmarks.harness import Comparison
from benchmarks.planner_cases import caida

__all__ = ["comparisons"]

OURS, PEER = "apsp.betweenness_centrality", "networkit Betweenness"


def random_graph(n: int, m: int) -> apsp.Graph:
    """An undirected graph with about m random edges."""
    random = np.random.default_rng(n)
    return apsp.from_edges(*random.integers(0, n, (2, m)), n=n, directed=False)


def collaboration(n: int, edges: int) -> apsp.Graph:
    """Papers of 2 to 30 authors, few of whom write most: cliques, heavy-tailed degrees, authors of one paper."""
    random = np.random.default_rng(1)
    fame = np.cumsum(random.pareto(1.3, n) + 0.3)
    found: set[tuple[int, int]] = set()
    while len(found) < edges:
        size = min(2 + int(1.2 * random.pareto(1.6)), 30)
        authors = np.unique(np.searchsorted(fame, random.random(size) * fame[-1]))
        found.update(itertools.combinations(authors.tolist(), 2))
    return apsp.from_edges(*np.array(sorted(found)).T, n=n, directed=False)


def undirected_caida() -> apsp.Graph | None:
    """The autonomous systems of the internet, which are listed in both directions; None without their file."""
    graph = caida()
    return graph and apsp.from_edges(graph.tails(), graph.indices, n=graph.n, directed=False)


def by_networkit(graph: apsp.Graph) -> Callable[[], Any]:
    """NetworKit's values with as many threads as this package uses, pairs counted once."""
    import networkit

    networkit.setNumberOfThreads(int(os.environ.get("APSP_NUM_THREADS", len(os.sched_getaffinity(0)))))
    other = networkit.Graph(graph.n, directed=False)
    tails, heads, _ = graph.to_edges()
    for tail, head in zip(tails.tolist(), heads.tolist(), strict=True):
        if tail != head:
            other.addEdge(tail, head)
    return lambda: np.array(networkit.centrality.Betweenness(other).run().scores()) / 2


def by_networkx(other: Any) -> Callable[[], Any]:
    """NetworkX's values, not through a backend."""
    function: Any = nx.betweenness_centrality
    return lambda: np.array(list(function(other, normalized=False, backend="networkx").values()))


def agree(results: Mapping[str, Any]) -> None:
    """All values are equal up to rounding."""
    ours = results[OURS]
    for values in results.values():
        np.testing.assert_allclose(values, ours, rtol=1e-9, atol=1e-9 * ours.max())


def on_roads(graph: apsp.Graph, count: int) -> Comparison:
    """All pairs of a road network, and those of a few sources by NetworkX; their sums are compared."""
    sources = np.linspace(0, graph.n - 1, count).astype(np.int64).tolist()
    other = graph.to_networkx()
    by_sources: Any = nx.betweenness_centrality_subset
    few = f"networkx, 1/{graph.n // count} of the sources"

    def theirs() -> Any:
        found = by_sources(other, sources, list(other), weight="weight", backend="networkx")
        return np.array([found[vertex] for vertex in range(graph.n)])

    def agree_on_few(results: Mapping[str, Any]) -> None:
        ours = apsp.betweenness_centrality(graph, sources=sources, normalized=False)
        np.testing.assert_allclose(results[few], ours, rtol=1e-9, atol=1e-9 * ours.max())
        assert (results[OURS] >= 0).all()
        assert results[OURS].sum() > graph.n * (ours.sum() / count) / 4  # as many sources

    calls: dict[str, Callable[[], Any]] = {OURS: lambda: apsp.betweenness_centrality(graph, normalized=False)}
    return Comparison(f"New York, weighted, n = {graph.n}", {**calls, few: theirs}, agree_on_few)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """Random graphs, one like those of collaborations, autonomous systems, and roads with weights."""
    peer = importlib.util.find_spec("networkit") is not None
    cases: dict[str, Callable[[], apsp.Graph | None]] = {
        "random, n = 1,000, m = 4n": lambda: random_graph(1000, 4000),
        "random, n = 4,096, m = 4n": lambda: random_graph(4096, 4 * 4096),
        "collaboration (generated), n = 16,706": lambda: collaboration(16_706, 121_251),
        "autonomous systems of 2007, n = 26,475": undirected_caida,
    }
    for name, make in list(cases.items())[: 1 if quick else None]:
        graph = make()
        if graph is None:
            continue
        calls: dict[str, Callable[[], Any]] = {
            OURS: lambda graph=graph: apsp.betweenness_centrality(graph, normalized=False),  # type: ignore[misc]
        }
        if peer:
            calls[PEER] = by_networkit(graph)
        if graph.n <= 1000:
            calls["networkx"] = by_networkx(graph.to_networkx())
        yield Comparison(name, calls, agree, {PEER: 10.0} if peer and graph.n > 1000 else {})
    roads = None if quick else new_york()
    if roads is not None:
        yield on_roads(roads, 4)
