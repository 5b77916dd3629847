"""`networkx.algorithms.shortest_paths.dense`: all distances in a matrix, or in dictionaries."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import networkx as nx
import numpy as np
import numpy.typing as npt

from apsp.api import solve
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.compat.networkx.lazy import LazyRows
from apsp.graph.model import Graph
from apsp.graph.networkx_arcs import Weight
from apsp.result.result import Result
from apsp.semiring import unreachable

__all__ = ["floyd_warshall", "floyd_warshall_numpy", "floyd_warshall_predecessor_and_distance"]


@of_networkx("lengths", callables=False)
def floyd_warshall_numpy(
    G: Converted, nodelist: Sequence[Any] | None = None, weight: Weight = "weight"
) -> npt.NDArray[np.float64]:
    """Return all distances, infinite where there is no path."""
    if nodelist is not None and not len(nodelist) == len(G) == len(set(nodelist)):
        raise nx.NetworkXError(
            "nodelist must contain every node in G with no repeats."
            "If you wanted a subgraph of G use G.subgraph(nodelist)"
        )
    if nodelist is not None and any(node not in G for node in nodelist):
        raise NotImplementedError("the error is NetworkX's")
    found = solve(_graph(G, weight), dtype="float64").distances
    if nodelist is None:
        return found  # type: ignore[no-any-return]
    places = np.fromiter(map(G.positions.__getitem__, nodelist), np.int64, len(G))
    return found[np.ix_(places, places)]  # type: ignore[no-any-return]


@of_networkx("lengths", callables=False)
def floyd_warshall(G: Converted, weight: Weight = "weight") -> dict[Any, dict[Any, Any]]:
    """Return all distances, infinite where there is no path."""
    return _lengths(G, weight, solve(_graph(G, weight)).distances)


@of_networkx("lengths", callables=False)
def floyd_warshall_predecessor_and_distance(
    G: Converted, weight: Weight = "weight"
) -> tuple[dict[Any, dict[Any, Any]], dict[Any, dict[Any, Any]]]:
    """Return the nodes before the last on shortest paths, and all distances."""
    graph = _graph(G, weight)
    result = solve(graph, paths=True)
    return _previous(G, graph, result), _lengths(G, weight, result.distances)


def _graph(G: Converted, weight: Weight) -> Graph:
    return G.graph(weight, hiding=False, negative=True)


def _lengths(G: Converted, weight: Weight, distances: npt.NDArray[Any]) -> LazyRows:
    """Distances by source and target: floats if some edge has no weight, since NetworkX takes 1.0 for it."""
    nodes, positions, none = G.nodes, G.positions, unreachable(distances.dtype)
    floats = distances.dtype.kind == "f" or G.has_default(weight)

    def row_of(node: Any) -> dict[Any, Any]:
        row = distances[positions[node]]
        values = (row.astype(np.float64) if floats else row).tolist()
        for target in np.flatnonzero(row == none).tolist():
            values[target] = float("inf")
        found = dict(zip(nodes, values, strict=True))
        if found[node] == 0:
            found[node] = 0  # an integer
        return found

    return LazyRows(nodes, row_of)


def _previous(G: Converted, graph: Graph, result: Result) -> LazyRows:
    """The node before a target on a path from a source: for sources with arcs. That of a self-loop is its own."""
    nodes, positions, before = G.nodes, G.positions, result.predecessors
    loops = np.zeros(graph.n, dtype=bool)
    loops[graph.indices[graph.tails() == graph.indices]] = True

    def row_of(node: Any) -> dict[Any, Any]:
        source = positions[node]
        row = before[source].tolist()
        found = {nodes[vertex]: nodes[last] for vertex, last in enumerate(row) if last >= 0 and vertex != source}
        if loops[source]:
            found[nodes[source]] = nodes[source]
        return found

    return LazyRows((nodes[source] for source in np.flatnonzero(np.diff(graph.indptr)).tolist()), row_of)
