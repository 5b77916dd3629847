"""A graph that falls into components, in parts of which no path leads to another.

A row of distances has entries in its own component only. The vertices are sorted by their (weakly connected)
components, so that a part is a range of them: a large component alone, or several small ones together.
Cost: O(n + m), once per graph; for a connected graph as many arcs as connect it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.model import Graph

__all__ = ["SMALL", "TOGETHER", "WeakParts", "weak_parts"]

SMALL = _cpu.LARGEST_SMALL_COMPONENT
"""Most vertices of a component that one kernel solves with all others like it."""

TOGETHER = 256
"""Vertices of a part with several components, about: rows as short take less time than what is prepared for a part."""

_WORTH = 2
"""How many times fewer entries rows must have."""

_KEPT = "_weak_parts"


@dataclass(frozen=True, eq=False)
class WeakParts:
    """The parts of a graph, and the graph with its vertices in their order.

    Attributes
    ----------
    graph : Graph
    count : int
        The number of components.
    vertices, places : (n,) int32
        Old numbers in the new order, and new numbers in the old order. Vertices of a component keep their order.
    first : (K + 1,) int64
        Where each part begins, and the last one ends. The smallest components come first.
    small : (C + 1,) int64
        Where each component of at most SMALL vertices begins, and the last one ends: they come first.
    indptr, indices : int64, int32
        The arcs in the new order.
    arcs : (m,) int64
        Their old positions.
    """

    graph: Graph
    count: int
    vertices: npt.NDArray[np.int32]
    places: npt.NDArray[np.int32]
    first: npt.NDArray[np.int64]
    small: npt.NDArray[np.int64]
    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    arcs: npt.NDArray[np.int64]

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """(K,) vertices of each part."""
        return np.diff(self.first)

    @cached_property
    def sizes_in_arcs(self) -> npt.NDArray[np.int64]:
        """(K,) arcs of each part."""
        return np.diff(self.indptr[self.first])

    @cached_property
    def of_small(self) -> int:
        """The number of parts that hold components of at most SMALL vertices."""
        return int(np.searchsorted(self.first, self.small[-1]))

    @cached_property
    def weights(self) -> npt.NDArray[Any] | None:
        """(m,) weights in the new order."""
        return None if self.graph.weights is None else self.graph.weights[self.arcs]

    def vertices_of(self, part: int) -> npt.NDArray[np.int32]:
        """The vertices of a part."""
        return self.vertices[self.first[part] : self.first[part + 1]]

    def subgraph(self, part: int) -> Graph:
        """The graph of a part, whose vertices have no labels: vertex i is vertices_of(part)[i]."""
        begin, end = int(self.first[part]), int(self.first[part + 1])
        low, high = int(self.indptr[begin]), int(self.indptr[end])
        zones = self.graph.zones
        return Graph._made(
            self.indptr[begin : end + 1] - low,
            self.indices[low:high] - np.int32(begin),
            None if self.weights is None else self.weights[low:high],
            directed=self.graph.directed,
            zones=None if zones is None else zones[self.vertices_of(part)],
        )


def weak_parts(graph: Graph) -> WeakParts | None:
    """The parts of a graph; None if rows would not be much shorter. They are stored with the graph."""
    if _KEPT not in graph.__dict__:
        graph.__dict__[_KEPT] = _found(graph)
    found: WeakParts | None = graph.__dict__[_KEPT]
    return found


def _found(graph: Graph) -> WeakParts | None:
    if graph.n < _WORTH * TOGETHER:
        return None
    count, component = _cpu.weak_components(graph.indptr, graph.indices)
    if count == 1:
        return None
    sizes = np.bincount(component, minlength=count)
    part, first, small = _divided(sizes)
    entries = float((np.diff(first).astype(np.float64) ** 2).sum())
    if entries * _WORTH > float(graph.n) ** 2:
        return None
    rank = np.empty(count, dtype=np.int32)
    rank[part] = np.arange(count, dtype=np.int32)
    _, vertices, places, indptr, indices, arcs = _cpu.sorted_by(graph.indptr, graph.indices, rank[component], count)
    return WeakParts(graph, count, vertices, places, first, small, indptr, indices, arcs)


def _divided(
    sizes: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The order of the components, small ones first; and where the parts and the small components begin."""
    kind = (sizes > SMALL).astype(np.int8) + (sizes > TOGETHER)
    order = np.argsort(kind, kind="stable")
    begins = np.concatenate([[0], np.cumsum(sizes[order])])
    begin, kinds = begins[:-1], kind[order]
    small = begins[: int(np.count_nonzero(kinds == 0)) + 1]
    of_kind = np.searchsorted(kinds, kinds)  # the first component of the same kind
    group = np.where(kinds == 2, np.arange(len(sizes)), (begin - begin[of_kind]) // TOGETHER)
    changes = (group[1:] != group[:-1]) | (kinds[1:] != kinds[:-1])
    return order, np.append(begin[np.concatenate([[True], changes])], begins[-1]), small
