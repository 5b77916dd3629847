"""`networkx.algorithms.shortest_paths.weighted`, the functions that take negative weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from apsp.api import solve
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.compat.networkx.lazy import LazyRows
from apsp.compat.networkx.roots import rooted
from apsp.compat.networkx.rows import Row, all_rows, length_to, path_to, row_of
from apsp.compat.networkx.tight import tight_predecessors
from apsp.errors import NegativeCycleError
from apsp.graph.model import Graph
from apsp.graph.networkx_arcs import Weight

__all__ = [
    "all_pairs_bellman_ford_path",
    "all_pairs_bellman_ford_path_length",
    "bellman_ford_path",
    "bellman_ford_path_length",
    "bellman_ford_predecessor_and_distance",
    "goldberg_radzik",
    "johnson",
    "negative_edge_cycle",
    "single_source_bellman_ford",
    "single_source_bellman_ford_path",
    "single_source_bellman_ford_path_length",
]


def _graph(G: Converted, weight: Weight) -> Graph:
    return G.graph(weight, hiding=False, negative=True)


def _unbounded() -> Exception:
    return nx.NetworkXUnbounded("Negative cycle detected.")  # type: ignore[no-any-return]


def _row(G: Converted, source: Any, weight: Weight, message: str, *, paths: bool = True, loops: bool = False) -> Row:
    """The row of a source; `loops`: a negative self-loop that it does not reach is an error too."""
    if not loops:
        hash(source)  # TypeError: the other functions of NetworkX begin with a dictionary of the source
    if source not in G:
        raise nx.NodeNotFound(message)
    graph = _graph(G, weight)
    if loops and graph.has_negative_arc and graph.weights is not None:
        around = graph.tails() == graph.indices
        if (graph.weights[around] < 0).any():
            raise _unbounded()
    try:
        return row_of(G, graph, G.positions[source], paths=paths)
    except NegativeCycleError as error:
        raise _unbounded() from error


def _rows(G: Converted, weight: Weight, *, paths: bool) -> Iterator[Row]:
    """All rows; a negative cycle is an error when the first one is used, as in NetworkX."""
    try:
        return all_rows(G, _graph(G, weight), paths=paths)
    except NegativeCycleError:
        return _raising()


def _raising() -> Iterator[Row]:
    raise _unbounded()
    yield


@of_networkx("source")
def bellman_ford_path(G: Converted, source: Any, target: Any, weight: Weight = "weight") -> list[Any]:
    """Return a shortest path."""
    return single_source_bellman_ford(G, source, target, weight)[1]  # type: ignore[no-any-return]


@of_networkx("source")
def bellman_ford_path_length(G: Converted, source: Any, target: Any, weight: Weight = "weight") -> Any:
    """Return a distance."""
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
        return 0
    row = _row(G, source, weight, f"Source {source} not in G", paths=False)
    return length_to(row, target, f"node {target} not reachable from {source}")


@of_networkx("source")
def single_source_bellman_ford_path(G: Converted, source: Any, weight: Weight = "weight") -> dict[Any, list[Any]]:
    """Return a shortest path to every node that the source reaches."""
    return _row(G, source, weight, f"Source {source} not in G").paths()


@of_networkx("source")
def single_source_bellman_ford_path_length(G: Converted, source: Any, weight: Weight = "weight") -> dict[Any, Any]:
    """Return the distance to every node that the source reaches."""
    return _row(G, source, weight, f"Source {source} not in G", paths=False).lengths()


@of_networkx("source")
def single_source_bellman_ford(
    G: Converted, source: Any, target: Any = None, weight: Weight = "weight"
) -> tuple[Any, Any]:
    """Return distances and paths to every node that the source reaches, or to one."""
    if source == target:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} is not found in the graph")
        return (0, [source])
    row = _row(G, source, weight, f"Source {source} not in G")
    if target is None:
        return row.lengths(), row.paths()
    return path_to(row, target, f"Target {target} cannot be reached from given sources")


@of_networkx("lengths")
def all_pairs_bellman_ford_path_length(G: Converted, weight: Weight = "weight") -> Iterator[tuple[Any, dict[Any, Any]]]:
    """Yield each node with the distance to every node that it reaches."""
    return ((G.nodes[row.source], row.lengths()) for row in _rows(G, weight, paths=False))


@of_networkx("paths")
def all_pairs_bellman_ford_path(G: Converted, weight: Weight = "weight") -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    """Yield each node with a path to every node that it reaches."""
    return ((G.nodes[row.source], row.paths()) for row in _rows(G, weight, paths=True))


@of_networkx("source")
def bellman_ford_predecessor_and_distance(
    G: Converted,
    source: Any,
    target: Any = None,
    weight: Weight = "weight",
    heuristic: bool = False,
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    """Return, for every node that is reached, all nodes before it on shortest paths, and the distances."""
    row = _row(G, source, weight, f"Node {source} is not found in the graph", paths=False, loops=True)
    if len(G) == 1:  # where NetworkX looks at no arc
        return {source: []}, {source: 0}
    return tight_predecessors(row, _graph(G, weight)), row.lengths()


@of_networkx("source")
def goldberg_radzik(G: Converted, source: Any, weight: Weight = "weight") -> tuple[dict[Any, Any], dict[Any, Any]]:
    """Return, for every node that is reached, the node before it on a shortest path, and the distances."""
    row = _row(G, source, weight, f"Node {source} is not found in the graph", loops=True)
    return row.previous(), row.lengths()


@of_networkx("source")
def negative_edge_cycle(G: Converted, weight: Weight = "weight", heuristic: bool = True) -> bool:
    """Tell whether there is a cycle of negative length."""
    graph = _graph(G, weight)
    if not graph.has_negative_arc:
        return False
    try:
        solve(rooted(graph, range(graph.n)), sources=[graph.n])
    except NegativeCycleError:
        return True
    return False


@of_networkx("paths")
def johnson(G: Converted, weight: Weight = "weight") -> dict[Any, dict[Any, list[Any]]]:
    """Return a shortest path for every pair that has one."""
    try:
        result = solve(_graph(G, weight), paths=True)
    except NegativeCycleError as error:
        raise _unbounded() from error
    distances, before, there = result.distances, result.predecessors, G.only_nodes()

    def row_of(node: Any) -> dict[Any, list[Any]]:
        source = there.positions[node]
        return Row(there, source, distances[source], before[source]).paths()

    return LazyRows(G.nodes, row_of)
