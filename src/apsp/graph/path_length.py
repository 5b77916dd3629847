"""The arcs, the links and the length of paths that are given by their vertices."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from apsp.errors import GraphError
from apsp.graph.arc_positions import arcs_between
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.links import kept_links, rows_of
from apsp.graph.model import Graph
from apsp.graph.turns.turn_graph import own_vertices

__all__ = [
    "arcs_along", "length", "link_count", "links_along", "links_of_paths", "own_path", "own_paths", "owner_of",
    "owners_of", "street_link", "without",
]  # fmt: skip


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
        return [link for arc in arcs_along(graph, path) if (link := int(graph._turned.links[arc])) >= 0]
    arcs = np.fromiter(arcs_along(graph, path), dtype=np.int64)
    return [link for link in kept_links(graph).numbers(arcs).tolist() if link >= 0]


def own_path(graph: Graph, path: list[int]) -> list[int]:
    """The path that is given by positions of a graph with turns without the last copy of its end, if there is one.

    Other copies of vertices have the labels of these; other graphs have none.
    """
    if graph._turned is None or len(path) < 2:
        return path
    (last,) = arcs_along(graph, path[-2:])
    is_copied = (
        graph._turned.links[last] < 0 and path[-2] >= own_vertices(graph) and path[-1] < len(graph._turned.whole)
    )
    return [*path[:-2], path[-1]] if is_copied else path


def owner_of(graph: Graph, position: int) -> int:
    """The vertex that a position of a graph with turns stands for; of other graphs itself."""
    return position if graph._turned is None else int(graph._turned.whole.vertices[position])


def street_link(graph: Graph, arc: int) -> int:
    """The link of an arc of the graph without turns; RequestError if the graph keeps none."""
    return int(kept_links(graph).chosen[arc]) if graph._turned is None else graph._turned.whole._places.link(arc)


def link_count(graph: Graph) -> int:
    """How many links paths may consist of; RequestError if the graph keeps none."""
    return kept_links(graph).count if graph._turned is None else len(rows_of(graph._turned.whole.graph))


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
    kept = kept_links(graph) if graph._turned is None else None
    begins = np.zeros(len(vertices), dtype=bool)
    some = np.diff(offsets) > 0
    begins[offsets[:-1][some]] = True
    heads = np.flatnonzero(~begins)
    arcs = arcs_between(graph.indptr, graph.indices, vertices[heads - 1], vertices[heads])
    links = graph._turned.links[arcs] if kept is None else kept.numbers(arcs)  # type: ignore[union-attr]
    taken = links.astype(np.int32)
    return without(taken >= 0, taken, np.concatenate([[0], np.cumsum(np.diff(offsets) - some)]))


def own_paths(
    graph: Graph, vertices: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Many paths of a graph with turns, as of `links_of_paths`, by positions in the graph without them.

    Places that were added to the graph come after its vertices in both.
    """
    if graph._turned is None:
        return vertices, offsets
    own, last = own_vertices(graph), offsets[1:][np.diff(offsets) > 1] - 1
    owners = owners_of(graph, vertices)
    stays = np.ones(len(vertices), dtype=bool)
    # No link leads from a copy to a vertex that has some, so that this arc is the end of a path.
    stays[last - 1] = (vertices[last - 1] < own) | (vertices[last] >= own) | (owners[last - 1] != owners[last])
    return without(stays, owners, offsets)


def owners_of(graph: Graph, positions: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The vertices and places that positions of a graph with turns stand for."""
    assert isinstance(graph.labels, PlacedLabels)
    every = np.arange(graph.n, dtype=np.int32)
    every[graph.labels.first_again :] = graph.labels.again
    found: npt.NDArray[np.int32] = every[positions]
    return found


def without(
    stay: npt.NDArray[np.bool_], numbers: npt.NDArray[np.int32], offsets: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """Ragged rows of numbers without some of these."""
    before = np.concatenate([[0], np.cumsum(stay)])
    return numbers[stay], before[offsets]


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
