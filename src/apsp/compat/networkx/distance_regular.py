"""`networkx.algorithms.distance_regular`: what two nodes at a distance see of each other."""

from __future__ import annotations

import math

import networkx as nx
import numpy as np
import numpy.typing as npt

from apsp.api import stream
from apsp.compat.networkx.converted import Converted
from apsp.compat.networkx.function import of_networkx

__all__ = ["intersection_array", "is_distance_regular"]


@of_networkx("regular")
def is_distance_regular(G: Converted) -> bool:
    """Tell whether the graph has an intersection array."""
    if G.is_directed() or G.is_multigraph():
        raise NotImplementedError("NetworkX raises an error")
    try:
        intersection_array(G)
    except nx.NetworkXError:
        return False
    return True


@of_networkx("regular")
def intersection_array(G: Converted) -> tuple[list[int], list[int]]:
    """Return how many neighbours of a node are farther and nearer, by the distance of the node."""
    graph = G.graph(None)
    degrees = np.diff(graph.indptr)
    if (graph.tails() == graph.indices).any():
        raise NotImplementedError("the graph has self-loops")
    if (degrees != degrees[0]).any():
        raise nx.NetworkXError("Graph is not distance regular.")
    if degrees[0] == 2:
        raise NotImplementedError("long cycles: some versions of NetworkX apply a bound that excludes them")
    neighbours = graph.indices.reshape(graph.n, -1)
    known = np.full((graph.n, 2), -1)
    longest = 8 * math.log2(graph.n) / 3  # in such a graph
    for block in stream(graph, cutoff=math.floor(longest) + 1):
        for source, distances in zip(block.source_positions.tolist(), block.distances, strict=True):
            far = np.flatnonzero(distances > longest)
            end = int(far[0]) if len(far) else graph.n  # NetworkX looks at the nodes from the source to this one
            row = distances.astype(np.int64)
            counts = _counts(row, neighbours)[source:end]
            nearer = row[source:end]
            levels, first = np.unique(nearer, return_index=True)
            fresh = known[levels, 0] < 0
            known[levels[fresh]] = counts[first[fresh]]
            if (known[nearer] != counts).any():
                raise nx.NetworkXError("Graph is not distance regular")
            if len(far):
                raise nx.NetworkXError("Graph is not distance regular.")
    diameter = int((known[:, 0] >= 0).sum()) - 1
    return known[:diameter, 0].tolist(), known[1 : diameter + 1, 1].tolist()


def _counts(row: npt.NDArray[np.int64], neighbours: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """Neighbours of each vertex that are farther than it and nearer, (n, 2)."""
    steps = row[neighbours] - row[:, None]
    return np.stack(((steps > 0).sum(axis=1), (steps < 0).sum(axis=1)), axis=1)
