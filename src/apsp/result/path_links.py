"""Paths with their links in place of vertices, or without the copies of vertices that turns need."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.graph.arc_positions import arcs_between
from apsp.graph.labels import labels_of
from apsp.graph.model import Graph
from apsp.graph.path_length import link_count, links_of_paths, own_paths, owners_of, without
from apsp.graph.places.path_steps import are_told_apart
from apsp.graph.places.placed import own_vertices
from apsp.result.many_paths import ManyPaths

__all__ = ["as_links", "finished", "links_between_places"]

Ints = npt.NDArray[np.int64]
Positions = npt.NDArray[np.int32]


def finished(graph: Graph, found: ManyPaths, links: bool, streets: Graph | None = None) -> ManyPaths:
    """The links of paths in place of their vertices, or the vertices without copies of them (`apsp.with_turns`).

    Parameters
    ----------
    graph : Graph
        The graph that was searched.
    streets : Graph, optional
        The graph without turns, with the same places as vertices; None: there are no places.
    """
    if links:
        return as_links(graph, found)
    if graph._turned is None:
        return found
    own = graph._turned.whole.graph if streets is None else streets
    vertices, offsets = own_paths(graph, found.positions, found.offsets)
    told_apart = are_told_apart(own)
    inner = _links_between_vertices(graph, found.positions, found.offsets) if told_apart else None
    taken = links_between_places(own, vertices, offsets, inner)
    return ManyPaths(
        offsets, vertices, found.distances, own.labels, graph=own, pair_offsets=found.pair_offsets, links_between=taken
    )


def links_between_places(
    graph: Graph, positions: Positions, offsets: Ints, inner: Positions | None, *, whole: bool = False
) -> Positions | None:
    """The links between the vertices of paths, some of which are places, from those between vertices that are none.

    At a place it is the part of the street, or the whole street; -1 where that is none.
    """
    if inner is None or graph.links is None:
        return None
    at = _heads(positions, offsets)
    tails, heads = positions[at - 1], positions[at]
    arcs = arcs_between(graph.indptr, graph.indices, tails, heads)
    found = (graph.links.numbers(arcs) if whole else graph.links.chosen[arcs]).astype(np.int32)
    found[np.maximum(tails, heads) < own_vertices(graph)] = inner
    return found


def _links_between_vertices(graph: Graph, positions: Positions, offsets: Ints) -> Positions:
    """The links of paths of a graph with turns between vertices that are no places."""
    assert graph._turned is not None
    heads, owners = _heads(positions, offsets), owners_of(graph, positions)
    arcs = arcs_between(graph.indptr, graph.indices, positions[heads - 1], positions[heads])
    links = graph._turned.links[arcs].astype(np.int32)
    return links[(links >= 0) & (np.maximum(owners[heads - 1], owners[heads]) < own_vertices(graph))]


def _heads(positions: Positions, offsets: Ints) -> Ints:
    """Where the vertices of paths are that come after others."""
    is_head = np.ones(len(positions), dtype=bool)
    is_head[offsets[:-1][np.diff(offsets) > 0]] = False
    return np.flatnonzero(is_head)


def as_links(graph: Graph, found: ManyPaths, inner: Positions | None = None) -> ManyPaths:
    """The links of paths in place of their vertices; inner: those between vertices that are no places, if known."""
    taken = links_between_places(graph, found.positions, found.offsets, inner, whole=True)
    if taken is None:
        links, offsets = links_of_paths(graph, found.positions, found.offsets)
    else:
        ends = np.concatenate([[0], np.cumsum(np.maximum(np.diff(found.offsets) - 1, 0))])
        links, offsets = without(taken >= 0, taken, ends)
    numbers = labels_of(range(link_count(graph)))
    numbers._inputs = graph.labels.inputs
    return ManyPaths(offsets, links, found.distances, numbers, "links", pair_offsets=found.pair_offsets)
