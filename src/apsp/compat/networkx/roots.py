"""Searches from several vertices at once, as one from a new vertex with arcs of length zero to them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from apsp.api import solve
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.rows import Row, alone
from apsp.graph.model import Graph

__all__ = ["rooted", "row_of_set"]


def rooted(graph: Graph, starts: Sequence[int]) -> Graph:
    """Return the graph with one vertex more, which has arcs of length zero to some of the others."""
    heads = np.unique(np.array(starts, dtype=np.int32))
    weights = np.ones(graph.m, np.int64) if graph.weights is None else graph.weights
    return Graph(
        np.append(graph.indptr, graph.m + len(heads)),
        np.concatenate((graph.indices, heads)),
        np.concatenate((weights, np.zeros(len(heads), weights.dtype))),
    )


def row_of_set(converted: Converted, graph: Graph, starts: Sequence[int], *, cutoff: float | None) -> Row:
    """The row of the nearest of several vertices, with paths that start there."""
    if cutoff is not None and cutoff < 0:
        return alone(converted, graph.n, starts)
    result = solve(rooted(graph, starts), sources=[graph.n], cutoff=cutoff, paths=True)
    before = result.predecessors[0, :-1]
    before[list(starts)] = graph.n  # also where an arc of length zero leads from one source to another
    return Row(converted, graph.n, result.distances[0, :-1], before, starts)
