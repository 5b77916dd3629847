"""Equality of graphs, and the hash that belongs to it.

Two graphs are equal if they have equal vertices (labels and order), arcs, weights, direction, zones, coordinates, costs
and links. As in NumPy, values are compared and dtypes are not; a graph without weights is not equal to one with
weights.
Identical graphs also have the same bits of the weights, so that all distances have. Cost: O(n + m), and O(1) for graphs
of different sizes. The hash reads the weights and a few labels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from apsp.graph.arcs import Arcs
    from apsp.graph.model import Graph

__all__ = ["equal", "hash_of", "identical", "same_arcs", "shared"]


def equal(one: Graph, other: Graph) -> bool:
    """Whether two graphs are equal."""
    if one is other:
        return True
    if (one.n, one.m, one.directed, one.is_weighted) != (other.n, other.m, other.directed, other.is_weighted):
        return False
    return (
        same_arcs(one, other)
        and _same(one.weights, other.weights)
        and _same(one.coordinates, other.coordinates)
        and one.has_zones == other.has_zones
        and (not one.has_zones or _same(one.zones, other.zones))
        and one.costs == other.costs
        and one.links == other.links
        and bool(one.labels == other.labels)
    )


def shared(one: npt.NDArray[Any], other: npt.NDArray[Any]) -> bool:
    """Whether two contiguous arrays of one dtype are the same memory; their entries then need not be compared."""
    return one is other or (len(one) == len(other) and one.ctypes.data == other.ctypes.data)


def same_arcs(one: Arcs, other: Arcs) -> bool:
    """Whether two graphs have the same arcs, in the same order."""
    if shared(one.indptr, other.indptr) and shared(one.indices, other.indices):
        return True
    return np.array_equal(one.indptr, other.indptr) and np.array_equal(one.indices, other.indices)


def identical(one: Graph, other: Graph) -> bool:
    """Whether two graphs are equal, and their weights have the same dtype and bits."""
    if not equal(one, other):
        return False
    if one.weights is None or other.weights is None:
        return True
    bits = f"i{one.weights.dtype.itemsize}"
    return one.weights.dtype == other.weights.dtype and np.array_equal(one.weights.view(bits), other.weights.view(bits))


def _same(mine: npt.NDArray[Any] | None, theirs: npt.NDArray[Any] | None) -> bool:
    """Equal values; unknown coordinates (not-a-number) are equal."""
    if mine is None or theirs is None:
        return mine is theirs
    return np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == theirs.dtype.kind == "f")


def hash_of(graph: Graph) -> int:
    """A hash that is equal for equal graphs; for a graph on a GPU it does not copy the matrix."""
    weights = graph.weight_range if graph.is_weighted else None
    return hash((graph.n, graph.m, graph.directed, weights, graph.labels))
