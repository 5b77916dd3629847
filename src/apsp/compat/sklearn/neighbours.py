"""The graph of neighbours of samples, and the edges that join its components."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics import pairwise_distances_chunked
from sklearn.neighbors import NearestNeighbors

from apsp._types import NumPyArray
from apsp.errors import GraphError, warn
from apsp.graph.components import Components, components
from apsp.graph.convert import from_edges, from_scipy
from apsp.graph.model import Graph

__all__ = ["join_components", "neighbours_graph"]

_BLOCK_MIB = 64
"""MiB of the distances between samples that are computed at a time."""


def neighbours_graph(neighbours: NearestNeighbors, dtype: np.dtype[Any]) -> Graph:
    """Join every sample of a fitted `NearestNeighbors` to its neighbours: an undirected graph.

    Two samples of which only one is a neighbour of the other are joined, too. Samples at distance 0 are joined by edges
    of length 0.
    """
    if neighbours.n_neighbors is not None:
        sparse = neighbours.kneighbors_graph(mode="distance")
    else:
        sparse = neighbours.radius_neighbors_graph(mode="distance")
    sparse.data = sparse.data.astype(dtype, copy=False)
    return from_scipy(sparse, directed=False)


def join_components(graph: Graph, samples: Any, neighbours: NearestNeighbors, components_: str) -> Graph:
    """Add the shortest edge between any two components, as Isomap does.

    Raises
    ------
    GraphError
        If there are several components and `components_` is 'error', or the distances between them are unknown.
    """
    found = components(graph)
    if found.count <= 1:
        return graph
    there = f"the graph of neighbours has {found.count} components"
    if components_ == "error":
        raise GraphError(f"{there}: increase n_neighbors or radius, or pass components='join'")
    if neighbours.metric == "precomputed" and issparse(samples):
        raise GraphError(
            f"{there}, and a sparse graph of neighbours has no distances between them: give more neighbours per "
            "sample, or the matrix of all distances"
        )
    warn(
        f"{there}: the shortest edge between any two of them is added, which takes up to n^2 distances. "
        "Increase n_neighbors or radius to avoid it"
    )
    assert graph.weights is not None
    tails, heads, lengths = _shortest_edges(found, samples, neighbours)
    return from_edges(
        np.concatenate([graph.tails(), tails]), np.concatenate([graph.indices, heads]),
        np.concatenate([graph.weights, lengths.astype(graph.weights.dtype)]), n=graph.n, directed=False,
    )  # fmt: skip


def _shortest_edges(found: Components, samples: Any, neighbours: NearestNeighbors) -> tuple[NumPyArray, ...]:
    """The closest two samples of any two components, and their distances, from blocks of rows of all distances."""
    members = [np.flatnonzero(found.membership == number) for number in range(found.count)]
    shape = (found.count, found.count)
    closest, rows, columns = np.full(shape, np.inf), np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
    begin = 0
    for block in pairwise_distances_chunked(
        samples, metric=neighbours.effective_metric_, n_jobs=neighbours.n_jobs, working_memory=_BLOCK_MIB,
        **neighbours.effective_metric_params_,
    ):  # fmt: skip
        nearest = np.column_stack([member[block[:, member].argmin(axis=1)] for member in members])  # (rows, count)
        distances = np.take_along_axis(block, nearest, axis=1)
        of_rows = found.membership[begin : begin + len(block)]
        for number in np.unique(of_rows):
            its = np.flatnonzero(of_rows == number)
            row, every = its[distances[its].argmin(axis=0)], np.arange(found.count)
            better = distances[row, every] < closest[number]
            closest[number, better] = distances[row, every][better]
            rows[number, better] = begin + row[better]
            columns[number, better] = nearest[row, every][better]
        begin += len(block)
    pairs = np.triu_indices(found.count, 1)
    return rows[pairs], columns[pairs], closest[pairs]
