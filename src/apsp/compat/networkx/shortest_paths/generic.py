"""`networkx.algorithms.shortest_paths.generic`: which of the other functions to call, and the mean distance.

All but the mean run NetworkX's own code, on the converted graph: the functions that it calls are those of this backend.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.errors import NegativeCycleError
from apsp.graph.networkx_arcs import Weight

__all__ = [
    "all_pairs_all_shortest_paths",
    "all_shortest_paths",
    "average_shortest_path_length",
    "has_path",
    "shortest_path",
    "shortest_path_length",
    "single_source_all_shortest_paths",
]


def _check(G: Converted, weight: Weight, method: str) -> None:
    """Convert the graph now: a generator that fails later cannot be replaced by NetworkX's."""
    G.graph(weight, hiding=method == "dijkstra", negative=method != "dijkstra")


@of_networkx("composed")
def has_path(G: Converted, source: Any, target: Any) -> Any:
    """Tell whether there is a path."""
    return nx.has_path.orig_func(G, source, target)


@of_networkx("composed")
def shortest_path(
    G: Converted, source: Any = None, target: Any = None, weight: Weight = None, method: str = "dijkstra"
) -> Any:
    """Return a shortest path, those from or to a node, or all."""
    if source is not None and target is not None and weight is not None and method == "dijkstra":
        raise NotImplementedError("NetworkX searches from both ends; dijkstra_path finds the path of a pair here")
    _check(G, weight, method)
    return nx.shortest_path.orig_func(G, source, target, weight, method)


@of_networkx("composed")
def shortest_path_length(
    G: Converted, source: Any = None, target: Any = None, weight: Weight = None, method: str = "dijkstra"
) -> Any:
    """Return a distance, those from or to a node, or all."""
    _check(G, weight, method)
    return nx.shortest_path_length.orig_func(G, source, target, weight, method)


@of_networkx("composed")
def all_shortest_paths(
    G: Converted, source: Any, target: Any, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[list[Any]]:
    """Yield all shortest paths between two nodes."""
    _check(G, weight, method)
    return nx.all_shortest_paths.orig_func(G, source, target, weight, method)  # type: ignore[no-any-return]


@of_networkx("composed")
def single_source_all_shortest_paths(
    G: Converted, source: Any, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, list[list[Any]]]]:
    """Yield each node that the source reaches, with all shortest paths to it."""
    _check(G, weight, method)
    return nx.single_source_all_shortest_paths.orig_func(G, source, weight, method)  # type: ignore[no-any-return]


@of_networkx("composed")
def all_pairs_all_shortest_paths(
    G: Converted, weight: Weight = None, method: str = "dijkstra"
) -> Iterator[tuple[Any, dict[Any, list[list[Any]]]]]:
    """Yield each node with all shortest paths to every node that it reaches."""
    _check(G, weight, method)
    return nx.all_pairs_all_shortest_paths.orig_func(G, weight, method)  # type: ignore[no-any-return]


@of_networkx("measure")
def average_shortest_path_length(G: Converted, weight: Weight = None, method: str | None = None) -> float:
    """Return the mean distance over all ordered pairs."""
    if method is None:
        method = "unweighted" if weight is None else "dijkstra"
    if method not in ("unweighted", "dijkstra", "bellman-ford", "floyd-warshall", "floyd-warshall-numpy"):
        raise ValueError(f"method not supported: {method}")
    n = len(G)
    if n == 0:
        raise nx.NetworkXPointlessConcept("the null graph has no paths, thus there is no average shortest path length")
    if n == 1:
        return 0
    if method == "unweighted":
        weight = None
    if callable(weight) and method.startswith("floyd-warshall"):
        raise NotImplementedError("NetworkX's Floyd-Warshall takes names of attributes, not functions")
    try:  # NetworkX tests before whether the graph is connected, with all edges and by hops
        found = G.sums(weight, hiding=False, negative=method != "dijkstra")
    except NegativeCycleError as error:
        if method != "bellman-ford":
            raise
        found = G.sums(None)
        if not found.unreachable_pairs:
            raise nx.NetworkXUnbounded("Negative cycle detected.") from error
    if found.unreachable_pairs:
        raise nx.NetworkXError(f"Graph is not {'strongly ' * G.is_directed()}connected.")
    return found.total_distance / (n * (n - 1))
