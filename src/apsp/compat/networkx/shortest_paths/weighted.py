"""`networkx.algorithms.shortest_paths.weighted`, the functions named after Dijkstra: weights are not negative."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.compat.networkx.roots import row_of_set
from apsp.compat.networkx.rows import Row, all_rows, length_to, path_to, row_of, within
from apsp.compat.networkx.tight import tight_predecessors
from apsp.graph.networkx_arcs import Weight

__all__ = [
    "all_pairs_dijkstra",
    "all_pairs_dijkstra_path",
    "all_pairs_dijkstra_path_length",
    "dijkstra_path",
    "dijkstra_path_length",
    "dijkstra_predecessor_and_distance",
    "multi_source_dijkstra",
    "multi_source_dijkstra_path",
    "multi_source_dijkstra_path_length",
    "single_source_dijkstra",
    "single_source_dijkstra_path",
    "single_source_dijkstra_path_length",
]


def _row(G: Converted, sources: Any, weight: Weight, cutoff: Any = None, *, paths: bool = True) -> Row:
    """The row of a set of sources: distances from the nearest of them."""
    if not sources:
        raise ValueError("sources must not be empty")
    for source in sources:
        if source not in G:
            raise nx.NodeNotFound(f"Node {source} not found in graph")
    starts = [G.positions[source] for source in sources]
    graph, limit = G.graph(weight), within(cutoff)
    if len(starts) == 1:
        return row_of(G, graph, starts[0], cutoff=limit, paths=paths)
    return row_of_set(G, graph, starts, cutoff=limit)


@of_networkx("pair")
def dijkstra_path(G: Converted, source: Any, target: Any, weight: Weight = "weight") -> list[Any]:
    """Return a shortest path."""
    return single_source_dijkstra(G, source, target, weight=weight)[1]  # type: ignore[no-any-return]


@of_networkx("pair")
def dijkstra_path_length(G: Converted, source: Any, target: Any, weight: Weight = "weight") -> Any:
    """Return a distance."""
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} not found in graph")
    if source == target:
        return 0
    row = _row(G, [source], weight, paths=False)
    return length_to(row, target, f"Node {target} not reachable from {source}")


@of_networkx("source")
def single_source_dijkstra_path(
    G: Converted, source: Any, cutoff: float | None = None, weight: Weight = "weight"
) -> dict[Any, list[Any]]:
    """Return a shortest path to every node that the source reaches."""
    return _row(G, {source}, weight, cutoff).paths()


@of_networkx("source")
def single_source_dijkstra_path_length(
    G: Converted, source: Any, cutoff: float | None = None, weight: Weight = "weight"
) -> dict[Any, Any]:
    """Return the distance to every node that the source reaches."""
    return _row(G, {source}, weight, cutoff, paths=False).lengths()


@of_networkx("source")
def single_source_dijkstra(
    G: Converted, source: Any, target: Any = None, cutoff: float | None = None, weight: Weight = "weight"
) -> tuple[Any, Any]:
    """Return distances and paths to every node that the source reaches, or to one."""
    return multi_source_dijkstra(G, {source}, target, cutoff, weight)


@of_networkx("source")
def multi_source_dijkstra_path(
    G: Converted, sources: Any, cutoff: float | None = None, weight: Weight = "weight"
) -> dict[Any, list[Any]]:
    """Return a shortest path from any of the sources to every node that they reach."""
    return _row(G, sources, weight, cutoff).paths()


@of_networkx("source")
def multi_source_dijkstra_path_length(
    G: Converted, sources: Any, cutoff: float | None = None, weight: Weight = "weight"
) -> dict[Any, Any]:
    """Return the distance from the nearest source to every node that they reach."""
    return _row(G, sources, weight, cutoff, paths=False).lengths()


@of_networkx("source")
def multi_source_dijkstra(
    G: Converted, sources: Any, target: Any = None, cutoff: float | None = None, weight: Weight = "weight"
) -> tuple[Any, Any]:
    """Return distances and paths from any of the sources to every node that they reach, or to one."""
    if sources and all(source in G for source in sources) and target in sources:
        return (0, [target])
    row = _row(G, sources, weight, cutoff)
    if target is None:
        return row.lengths(), row.paths()
    return path_to(row, target, f"No path to {target}.")


@of_networkx("source")
def dijkstra_predecessor_and_distance(
    G: Converted, source: Any, cutoff: float | None = None, weight: Weight = "weight"
) -> tuple[dict[Any, list[Any]], dict[Any, Any]]:
    """Return, for every node that is reached, all nodes before it on shortest paths, and the distances."""
    if source not in G:
        raise nx.NodeNotFound(f"Node {source} is not found in the graph")
    graph, limit = G.graph(weight), within(cutoff)
    if limit is not None and limit < 0:  # not even a loop of length zero
        return {source: []}, {source: 0}
    row = row_of(G, graph, G.positions[source], cutoff=limit, searched=True)
    return tight_predecessors(row, graph), row.lengths()


@of_networkx("paths")
def all_pairs_dijkstra(
    G: Converted, cutoff: float | None = None, weight: Weight = "weight"
) -> Iterator[tuple[Any, tuple[dict[Any, Any], dict[Any, list[Any]]]]]:
    """Yield each node with distances and paths to every node that it reaches."""
    rows = all_rows(G, G.graph(weight), cutoff=within(cutoff), paths=True)
    return ((G.nodes[row.source], (row.lengths(), row.paths())) for row in rows)


@of_networkx("lengths")
def all_pairs_dijkstra_path_length(
    G: Converted, cutoff: float | None = None, weight: Weight = "weight"
) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """Yield each node with the distance to every node that it reaches."""
    rows = all_rows(G, G.graph(weight), cutoff=within(cutoff))
    return ((G.nodes[row.source], row.lengths()) for row in rows)


@of_networkx("paths")
def all_pairs_dijkstra_path(
    G: Converted, cutoff: float | None = None, weight: Weight = "weight"
) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    """Yield each node with a path to every node that it reaches."""
    rows = all_rows(G, G.graph(weight), cutoff=within(cutoff), paths=True)
    return ((G.nodes[row.source], row.paths()) for row in rows)
