"""`networkx.algorithms.simple_paths`: the paths of a pair without repeated nodes, from the shortest one on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx
import numpy as np

from apsp.api.simple_paths import find_simple_paths
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.facts.ties import check_comparable
from apsp.graph.model import Graph
from apsp.graph.networkx_arcs import Weight

__all__ = ["shortest_simple_paths"]

_FIRST, _FACTOR = 16, 4
"""Paths that are searched first, and how many times as many when more are needed: a search starts again."""


@of_networkx("ranked")
def shortest_simple_paths(G: Converted, source: Any, target: Any, weight: Weight = None) -> Iterator[list[Any]]:
    """Yield all paths of a pair without repeated nodes, ascending by length."""
    graph = G.graph(weight)
    check_comparable(graph)  # a generator that fails later cannot be replaced by NetworkX's
    return _paths(G, graph, source, target)


def _paths(G: Converted, graph: Graph, source: Any, target: Any) -> Iterator[list[Any]]:
    for node, word in ((source, "source"), (target, "target")):
        if node not in G:
            raise nx.NodeNotFound(f"{word} node {node} not in graph")
    start, end = (np.array([G.positions[node]], dtype=np.int32) for node in (source, target))
    yielded: set[tuple[int, ...]] = set()
    k = _FIRST
    while True:
        found = find_simple_paths(graph, start, end, k)
        if not len(found.lengths):
            raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
        for first, last in zip(found.offsets.tolist(), found.offsets[1:].tolist(), strict=False):
            path = tuple(found.vertices[first:last].tolist())
            if path not in yielded:
                yielded.add(path)
                yield [G.nodes[position] for position in path]
        if len(found.lengths) < k:
            return
        k *= _FACTOR
