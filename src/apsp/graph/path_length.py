"""The arcs, the links and the length of paths that are given by their vertices."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.arc_positions import arcs_between
from apsp.graph.links import kept_links
from apsp.graph.model import Graph

__all__ = ["arcs_along", "length", "links_along", "links_of_paths", "own_path"]


def arcs_along(graph: Graph, path: Sequence[int]) -> Iterator[int]:
    """The arcs of a path that is given by positions; GraphError if the graph has no such path."""
    for tail, head in itertools.pairwise(path):
        first, last = int(graph.indptr[tail]), int(graph.indptr[tail + 1])
        arc = first + int(np.searchsorted(graph.indices[first:last], head))
        if arc == last or graph.indices[arc] != head:
            raise GraphError(f"the graph has no arc from {graph.word(tail)} to {graph.word(head)}")
        yield arc


def links_along(graph: Graph, path: Sequence[int]) -> list[int]:
    """The links of a path that is given by positions; RequestError if the graph keeps none."""
    if graph._turned is not None:
        return [link for arc in arcs_along(graph, path) if (link := int(graph._turned[arc])) >= 0]
    chosen = kept_links(graph).chosen
    return [int(chosen[arc]) for arc in arcs_along(graph, path)]


def own_path(graph: Graph, path: list[int]) -> list[int]:
    """The path that is given by positions of a graph with turns without the last copy of its end, if there is one.

    Other copies of vertices have the labels of these; other graphs have none.
    """
    if graph._turned is None or len(path) < 2:
        return path
    (last,) = arcs_along(graph, path[-2:])
    return path if graph._turned[last] >= 0 else [*path[:-2], path[-1]]


def links_of_paths(
    graph: Graph, vertices: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The links of many paths; RequestError if the graph keeps none.

    Parameters
    ----------
    vertices, offsets : (N,) int32, (k + 1,) int64
        Path i has the positions vertices[offsets[i] : offsets[i + 1]], each after an arc from the one before.

    Returns
    -------
    links, offsets : (N',) int32, (k + 1,) int64
        The same of the links.
    """
    chosen = kept_links(graph).chosen
    begins = np.zeros(len(vertices), dtype=bool)
    some = np.diff(offsets) > 0
    begins[offsets[:-1][some]] = True
    heads = np.flatnonzero(~begins)
    taken = arcs_between(graph.indptr, graph.indices, vertices[heads - 1], vertices[heads])
    return chosen[taken], np.concatenate([[0], np.cumsum(np.diff(offsets) - some)])


def length(graph: Graph, path: Sequence[int]) -> int | float:
    """The length of a path that is given by positions; GraphError if the graph has no such path."""
    if not len(path):
        raise GraphError("a path has at least one vertex")
    total: int | float = 0 if graph.has_integer_weights else 0.0
    for arc in arcs_along(graph, path):
        total += 1 if graph.weights is None else graph.weights[arc].item()
    if graph.zones is not None:
        inside = [vertex for vertex in path[1:-1] if graph.zones[vertex]]
        if inside:
            raise GraphError(f"the path passes through {graph.word(inside[0])}, where paths may only start or end")
    return total
