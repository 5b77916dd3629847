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
from apsp.graph.networkx_arcs import Weight
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
    found = solve(G.graph(weight, hiding=False, negative=True), dtype="float64").distances
    if nodelist is None:
        return found  # type: ignore[no-any-return]
    places = np.fromiter(map(G.positions.__getitem__, nodelist), np.int64, len(G))
    return found[np.ix_(places, places)]  # type: ignore[no-any-return]


def _dictionaries(G: Converted, distances: npt.NDArray[Any]) -> dict[Any, dict[Any, Any]]:
    reached = distances != unreachable(distances.dtype)
    rows = zip(distances, reached.all(axis=1).tolist(), strict=True)
    lists = (
        row.tolist() if complete else [value if value != none else float("inf") for value in row.tolist()]
        for none in [unreachable(distances.dtype)]
        for row, complete in rows
    )
    return {node: dict(zip(G.nodes, values, strict=True)) for node, values in zip(G.nodes, lists, strict=True)}


@of_networkx("lengths", callables=False)
def floyd_warshall(G: Converted, weight: Weight = "weight") -> dict[Any, dict[Any, Any]]:
    """Return all distances, infinite where there is no path."""
    return _dictionaries(G, solve(G.graph(weight, hiding=False, negative=True)).distances)


@of_networkx("lengths", callables=False)
def floyd_warshall_predecessor_and_distance(
    G: Converted, weight: Weight = "weight"
) -> tuple[dict[Any, dict[Any, Any]], dict[Any, dict[Any, Any]]]:
    """Return the nodes before the last on shortest paths, and all distances."""
    graph = G.graph(weight, hiding=False, negative=True)
    result = solve(graph, paths=True)
    nodes, before = G.nodes, {}
    loops = set(graph.indices[graph.tails() == graph.indices].tolist())
    for source, row in enumerate(result.predecessors.tolist()):
        found = {nodes[vertex]: nodes[last] for vertex, last in enumerate(row) if last >= 0 and vertex != source}
        if source in loops:
            found[nodes[source]] = nodes[source]
        if found:
            before[nodes[source]] = found
    return before, _dictionaries(G, result.distances)
