"""Paths with their links in place of vertices, or without the copies of vertices that turns need."""

from __future__ import annotations

from apsp.graph.labels import labels_of
from apsp.graph.model import Graph
from apsp.graph.path_length import link_count, links_of_paths, own_paths
from apsp.result.many_paths import ManyPaths

__all__ = ["as_links", "finished"]


def finished(graph: Graph, found: ManyPaths, links: bool) -> ManyPaths:
    """The links of paths in place of their vertices, or the vertices without copies of them (`apsp.with_turns`)."""
    if links:
        return as_links(graph, found)
    if graph._turned is None:
        return found
    own = graph._turned.whole.graph
    vertices, offsets = own_paths(graph, found.positions, found.offsets)
    is_drawn = own.links is not None and own.links.bends is not None and own.links.are_parallel
    taken = links_of_paths(graph, found.positions, found.offsets)[0] if is_drawn else None
    return ManyPaths(
        offsets, vertices, found.distances, own.labels, graph=own, pair_offsets=found.pair_offsets, links_between=taken
    )


def as_links(graph: Graph, found: ManyPaths) -> ManyPaths:
    """The links of paths in place of their vertices."""
    links, offsets = links_of_paths(graph, found.positions, found.offsets)
    numbers = labels_of(range(link_count(graph)))
    numbers._inputs = graph.labels.inputs
    return ManyPaths(offsets, links, found.distances, numbers, "links", pair_offsets=found.pair_offsets)
