"""The length of a path that is given by its vertices."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from apsp.errors import GraphError
from apsp.graph.model import Graph

__all__ = ["length"]


def length(graph: Graph, path: Sequence[int]) -> int | float:
    """The length of a path that is given by positions; GraphError if the graph has no such path."""
    if not len(path):
        raise GraphError("a path has at least one vertex")
    total: int | float = 0 if graph.has_integer_weights else 0.0
    for tail, head in itertools.pairwise(path):
        first, last = int(graph.indptr[tail]), int(graph.indptr[tail + 1])
        arc = first + int(np.searchsorted(graph.indices[first:last], head))
        if arc == last or graph.indices[arc] != head:
            raise GraphError(f"the graph has no arc from {graph.word(tail)} to {graph.word(head)}")
        total += 1 if graph.weights is None else graph.weights[arc].item()
    if graph.zones is not None:
        inside = [vertex for vertex in path[1:-1] if graph.zones[vertex]]
        if inside:
            raise GraphError(f"the path passes through {graph.word(inside[0])}, where paths may only start or end")
    return total
