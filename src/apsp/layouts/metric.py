"""What a layout is of: the undirected graph of a graph's lengths, without vertices at distance 0 of others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError
from apsp.graph.connected import membership_of
from apsp.graph.convert import from_edges
from apsp.graph.model import Graph

__all__ = ["Metric", "metric_of"]

_LEAST = 2.0**-52
"""Weights below this share of the largest one are below the rounding of coordinates: they count as 0."""

_MOST = 2**31
"""Integers stay integers while no path is as long."""


@dataclass(frozen=True)
class Metric:
    """An undirected graph with lengths above 0, and its components.

    Attributes
    ----------
    points : (n,) int32
        The vertex here of each vertex of the original graph: those at distance 0 of each other are one.
    graph : Graph
        Its vertices are sorted by components, the largest first.
    first : (C + 1,) int64
        Where each component begins, and the last one ends.
    sizes : (C,) int64
        Of the original vertices.
    exponent : int
        Original lengths are those here times 2 to this power.
    """

    points: npt.NDArray[np.int32]
    graph: Graph
    first: npt.NDArray[np.int64]
    sizes: npt.NDArray[np.int64]
    exponent: int

    @property
    def lengths(self) -> npt.NDArray[Any]:
        """(m,) lengths of the arcs."""
        return np.ones(self.graph.m) if self.graph.weights is None else self.graph.weights

    def component(self, number: int) -> Graph:
        """The graph of one component, whose vertices are numbered from 0."""
        graph = self.graph
        begin, end = int(self.first[number]), int(self.first[number + 1])
        low, high = int(graph.indptr[begin]), int(graph.indptr[end])
        weights = None if graph.weights is None else graph.weights[low:high]
        indptr, indices = graph.indptr[begin : end + 1] - low, graph.indices[low:high] - np.int32(begin)
        return Graph._made(indptr, indices, weights, directed=False)


def metric_of(graph: Graph) -> Metric:
    """The metric of a graph.

    Of arcs between the same two vertices, in either direction, the shortest counts; loops do not.

    Raises
    ------
    RequestError
        If a weight is negative.
    """
    if graph.has_negative_arc:
        least = graph.weight_range[0]
        raise RequestError(f"a layout needs weights that are not negative; the smallest is {least}")
    joined = np.arange(graph.n, dtype=np.int32)
    edges = _edges(joined, graph.tails(), graph.indices, graph.weights)
    tails, heads = edges.tails(), edges.indices
    lengths, exponent = _lengths(edges)
    if lengths is not None:
        light = lengths <= lengths.max(initial=0) * _LEAST
        if light.any():
            _, joined = membership_of(from_edges(tails[light], heads[light], n=graph.n, directed=False), "weak")
    return _sorted(_edges(joined, tails, heads, lengths), joined, exponent)


def _lengths(graph: Graph) -> tuple[npt.NDArray[Any] | None, int]:
    """Lengths of the arcs whose sums neither wrap nor overflow, and the exponent of 2 by which they were divided."""
    weights = graph.weights
    if weights is None:
        return None, 0
    if weights.dtype.kind == "i" and int(weights.max(initial=0)) * graph.n < _MOST:
        return weights, 0
    floats = weights.astype(np.float64)
    _, exponent = math.frexp(floats.max(initial=0))
    return np.ldexp(floats, -exponent), exponent


def _edges(
    joined: npt.NDArray[np.int32], tails: npt.NDArray[np.int32], heads: npt.NDArray[np.int32],
    lengths: npt.NDArray[Any] | None,
) -> Graph:  # fmt: skip
    """The edges between joined vertices, each once."""
    ends = np.sort(np.stack((joined[tails], joined[heads])), axis=0)
    apart = ends[0] != ends[1]
    n = int(joined.max(initial=-1)) + 1
    weights = None if lengths is None else lengths[apart]
    return from_edges(ends[0, apart], ends[1, apart], weights, n=n, directed=False)


def _sorted(graph: Graph, joined: npt.NDArray[np.int32], exponent: int) -> Metric:
    """Sort the vertices by components; of components of one size the first comes first."""
    count, member = membership_of(graph, "weak")
    sizes = np.bincount(member[joined], minlength=count).astype(np.int64, copy=False)
    rank = np.empty(count, dtype=np.int64)
    by_size = np.argsort(-sizes, kind="stable")
    rank[by_size] = np.arange(count)
    order = np.argsort(rank[member], kind="stable")
    place = np.empty(graph.n, dtype=np.int32)
    place[order] = np.arange(graph.n, dtype=np.int32)
    edges = _edges(place, graph.tails(), graph.indices, graph.weights)
    first = np.concatenate(([0], np.cumsum(np.bincount(rank[member], minlength=count)))).astype(np.int64)
    return Metric(place[joined], edges, first, sizes[by_size], exponent)
