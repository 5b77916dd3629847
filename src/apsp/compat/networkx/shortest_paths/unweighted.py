"""`networkx.algorithms.shortest_paths.unweighted`: hops."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import networkx as nx

from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx
from apsp.compat.networkx.rows import all_rows, row_of, within
from apsp.compat.networkx.tight import tight_predecessors
from apsp.compat.networkx.version import networkx_version

__all__ = [
    "all_pairs_shortest_path",
    "all_pairs_shortest_path_length",
    "bidirectional_shortest_path",
    "predecessor",
    "single_source_shortest_path",
    "single_source_shortest_path_length",
    "single_target_shortest_path",
    "single_target_shortest_path_length",
]

_PAIRS_BEFORE = (3, 5)
"""The version from which lengths to a target are a dictionary; they were pairs before."""


def _position(G: Converted, node: Any, message: str) -> int:
    if node not in G:
        raise nx.NodeNotFound(message)
    return G.positions[node]


@of_networkx("source")
def single_source_shortest_path_length(G: Converted, source: Any, cutoff: float | None = None) -> dict[Any, int]:
    """Return the hops to every node that the source reaches."""
    position = _position(G, source, f"Source {source} is not in G")
    return row_of(G, G.graph(None), position, cutoff=within(cutoff, levels=True)).lengths()


@of_networkx("source")
def single_target_shortest_path_length(G: Converted, target: Any, cutoff: float | None = None) -> Any:
    """Return the hops from every node that reaches the target."""
    position = _position(G, target, f"Target {target} is not in G")
    there = G.reverse()
    lengths = row_of(there, there.graph(None), position, cutoff=within(cutoff, levels=True)).lengths()
    return lengths if networkx_version() >= _PAIRS_BEFORE else iter(lengths.items())


@of_networkx("lengths")
def all_pairs_shortest_path_length(G: Converted, cutoff: float | None = None) -> Iterator[tuple[Any, dict[Any, int]]]:
    """Yield each node with the hops to every node that it reaches."""
    rows = all_rows(G, G.graph(None), cutoff=within(cutoff, levels=True))
    return ((G.nodes[row.source], row.lengths()) for row in rows)


@of_networkx("pair")
def bidirectional_shortest_path(G: Converted, source: Any, target: Any) -> list[Any]:
    """Return a path with the fewest edges."""
    start = _position(G, source, f"Source {source} is not in G")
    end = _position(G, target, f"Target {target} is not in G")
    path = row_of(G, G.graph(None), start, paths=True).path(end)
    if path is None:
        raise nx.NetworkXNoPath(f"No path between {source} and {target}.")
    return path


@of_networkx("source")
def single_source_shortest_path(G: Converted, source: Any, cutoff: float | None = None) -> dict[Any, list[Any]]:
    """Return a path with the fewest edges to every node that the source reaches."""
    position = _position(G, source, f"Source {source} not in G")
    return row_of(G, G.graph(None), position, cutoff=within(cutoff, levels=True), paths=True).paths()


@of_networkx("source")
def single_target_shortest_path(G: Converted, target: Any, cutoff: float | None = None) -> dict[Any, list[Any]]:
    """Return a path with the fewest edges from every node that reaches the target."""
    position = _position(G, target, f"Target {target} not in G")
    there = G.reverse()
    row = row_of(there, there.graph(None), position, cutoff=within(cutoff, levels=True), paths=True)
    return {node: path[::-1] for node, path in row.paths().items()}


@of_networkx("paths")
def all_pairs_shortest_path(G: Converted, cutoff: float | None = None) -> Iterator[tuple[Any, dict[Any, list[Any]]]]:
    """Yield each node with a path to every node that it reaches."""
    rows = all_rows(G, G.graph(None), cutoff=within(cutoff, levels=True), paths=True)
    return ((G.nodes[row.source], row.paths()) for row in rows)


@of_networkx("source")
def predecessor(
    G: Converted, source: Any, target: Any = None, cutoff: float | None = None, return_seen: bool | None = None
) -> Any:
    """Return, for every node, all nodes before it on shortest paths from the source."""
    position = _position(G, source, f"Source {source} not in G")
    limit = within(cutoff, levels=True)
    if limit is not None:  # NetworkX looks at the cutoff after a level: there is at least one, and 0 is none
        limit = max(limit, 1) if cutoff else None
    graph = G.graph(None)
    row = row_of(G, graph, position, cutoff=limit)
    before = tight_predecessors(row, graph)
    if target is None:
        return (before, row.lengths()) if return_seen else before
    if target not in before:
        return ([], -1) if return_seen else []
    return (before[target], row.lengths()[target]) if return_seen else before[target]
