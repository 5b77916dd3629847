"""The arcs and the length of a path that is given by its vertices."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import numpy as np

from apsp.errors import GraphError
from apsp.graph.links import kept_links
from apsp.graph.model import Graph

__all__ = ["arcs_along", "length", "links_along"]


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
    chosen = kept_links(graph).chosen
    return [int(chosen[arc]) for arc in arcs_along(graph, path)]


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
