"""Transitive closure beside rustworkx' distance_matrix (a breadth-first search per source over all cores)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

import apsp
from benchmarks.harness import Comparison


def rustworkx_graph(graph: apsp.Graph) -> Any:
    """The same arcs in rustworkx."""
    import rustworkx

    peer = rustworkx.PyDiGraph()
    peer.add_nodes_from(range(graph.n))
    peer.add_edges_from_no_data(list(zip(graph.tails().tolist(), graph.indices.tolist(), strict=True)))
    return peer


def same_pairs(results: Mapping[str, Any]) -> None:
    """The same pairs are connected; rustworkx returns 0 both for "no path" and for the diagonal."""
    reached = results["rustworkx distance_matrix"] > 0
    np.fill_diagonal(reached, True)
    np.testing.assert_array_equal(results["apsp"].to_numpy(), reached)


def comparisons(quick: bool) -> Iterator[Comparison]:
    """A sparse random digraph, and a dense acyclic one."""
    import rustworkx

    n = 1024 if quick else 4096
    rng = np.random.default_rng(7)
    sparse = apsp.from_edges(rng.integers(0, n, 2 * n), rng.integers(0, n, 2 * n), n=n)
    upper = np.triu(rng.random((n, n)) < 0.5, 1)
    acyclic = apsp.from_edges(*np.nonzero(upper), n=n)
    for name, graph, target in (("sparse, m = 2n", sparse, 30.0), (f"acyclic, m = {acyclic.m:,}", acyclic, 4.0)):
        peer = rustworkx_graph(graph)
        yield Comparison(
            f"closure, n = {n:,}, {name}",
            {
                "apsp": partial(apsp.reachable, graph),
                "rustworkx distance_matrix": partial(rustworkx.distance_matrix, peer, parallel_threshold=1),
            },
            same_pairs,
            {"rustworkx distance_matrix": target},
        )
