"""A graph that falls into components, in parts of which no path leads to another.

A row of distances has entries in its own component only. The vertices are sorted by their (weakly connected)
components, so that a part is a range of them: a large component alone, or several small ones together.
Cost: O(n + m), once per graph; for a connected graph as many arcs as connect it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.system.cached import cached_property

__all__ = ["SMALL", "TOGETHER", "WeakParts", "components_apart", "is_exact_forest", "share_within", "weak_parts"]

SMALL = _cpu.LARGEST_SMALL_COMPONENT
"""Most vertices of a component that one kernel solves with all others like it."""

TOGETHER = 256
"""Vertices of a part with several components, about: rows as short take less time than what is prepared for a part."""

_WORTH = 1.25
"""How many times fewer entries rows must have."""

_OF_VERTICES, _KEPT, _APART = "_weak_components", "_weak_parts", "_components_apart"


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
    begin_alone : int
        Where the first component of more than TOGETHER vertices begins; each is a part.
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
    begin_alone: int
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
    def alone(self) -> npt.NDArray[np.int64]:
        """The parts that are a single component, of more than TOGETHER vertices."""
        return np.arange(int(np.searchsorted(self.first, self.begin_alone)), len(self.first) - 1)

    @cached_property
    def component_sizes(self) -> npt.NDArray[np.int64]:
        """(n,) the number of vertices of the component of each vertex."""
        _, component, sizes = _components(self.graph)
        return sizes[component]

    @cached_property
    def weights(self) -> npt.NDArray[Any] | None:
        """(m,) weights in the new order."""
        return None if self.graph.weights is None else self.graph.weights[self.arcs]

    def part_of(self, places: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
        """The part of each vertex, by its number in the new order."""
        return np.searchsorted(self.first, places, side="right") - 1

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


def is_exact_forest(graph: Graph) -> bool:
    """Whether an undirected graph with hops or integer weights of at least 0, without zones, has no cycles but loops.

    Floats are left out: across an arc the sums of distances differ by little, so that rounded ones would lose what
    small sums have.
    """
    if isinstance(graph, DeviceGraph) or graph.has_zones or graph.has_negative_arc:
        return False
    exact = graph.weights is None or graph.has_integer_weights
    if not exact or graph.directed or graph.m > 3 * graph.n:
        return False
    arcs = graph.m - int(np.count_nonzero(graph.tails() == graph.indices))
    return arcs // 2 + _components(graph)[0] == graph.n


def share_within(graph: Graph) -> float:
    """The share of all pairs of vertices that lie within components."""
    count, _, sizes = _components(graph)
    return 1.0 if count <= 1 else float((sizes.astype(np.float64) ** 2).sum()) / float(graph.n) ** 2


def components_apart(graph: Graph, least: int) -> WeakParts | None:
    """The parts of a graph with at least so many vertices, other than single ones, outside the largest component.

    None if there are fewer. They are stored with the graph.
    """
    if _APART not in graph.__dict__:
        count, _, sizes = _components(graph)
        others = 0 if count == 1 else int(sizes[sizes > 1].sum()) - int(sizes.max())
        graph.__dict__[_APART] = others, None
    others, found = graph.__dict__[_APART]
    if others < least:
        return None
    if found is None:
        found = graph.__dict__.get(_KEPT) or _sorted(graph)
        graph.__dict__[_APART] = others, found
    parts: WeakParts = found
    return parts


def _found(graph: Graph) -> WeakParts | None:
    if graph.n < 2 * TOGETHER:
        return None
    count, _, sizes = _components(graph)
    if count == 1:
        return None
    first = _divided(sizes).first
    entries = float((np.diff(first).astype(np.float64) ** 2).sum())
    if entries * _WORTH > float(graph.n) ** 2:
        return None
    return graph.__dict__.get(_APART, (0, None))[1] or _sorted(graph)


def _components(graph: Graph) -> tuple[int, npt.NDArray[np.int32], npt.NDArray[np.int64]]:
    """The number of components, that of each vertex, and their sizes."""
    known: tuple[int, npt.NDArray[np.int32], npt.NDArray[np.int64]] | None = graph.__dict__.get(_OF_VERTICES)
    if known is None:
        count, component = _cpu.weak_components(arc_arrays(graph))
        known = count, component, np.bincount(component, minlength=count)
        graph.__dict__[_OF_VERTICES] = known
    return known


def _sorted(graph: Graph) -> WeakParts:
    count, component, sizes = _components(graph)
    order, first, small, begin_alone = _divided(sizes)
    rank = np.empty(count, dtype=np.int32)
    rank[order] = np.arange(count, dtype=np.int32)
    _, vertices, places, indptr, indices, arcs = _cpu.sorted_by(arc_arrays(graph), rank[component], count)
    return WeakParts(graph, count, vertices, places, first, small, begin_alone, indptr, indices, arcs)


class _Division(NamedTuple):
    """The order of the components; and as of `WeakParts`."""

    order: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]
    small: npt.NDArray[np.int64]
    begin_alone: int


def _divided(sizes: npt.NDArray[np.int64]) -> _Division:
    """Divide components of these sizes."""
    kind = (sizes > SMALL).astype(np.int8) + (sizes > TOGETHER)
    order = np.argsort(kind, kind="stable")
    begins = np.concatenate([[0], np.cumsum(sizes[order])])
    begin, kinds = begins[:-1], kind[order]
    small = begins[: int(np.count_nonzero(kinds == 0)) + 1]
    of_kind = np.searchsorted(kinds, kinds)  # the first component of the same kind
    group = np.where(kinds == 2, np.arange(len(sizes)), (begin - begin[of_kind]) // TOGETHER)
    changes = (group[1:] != group[:-1]) | (kinds[1:] != kinds[:-1])
    first = np.append(begin[np.concatenate([[True], changes])], begins[-1])
    return _Division(order, first, small, int(begins[np.count_nonzero(kinds < 2)]))
