"""The strongly connected components of a graph, and what they prove of the reach and the eccentricity of a vertex.

Borassi, Crescenzi, Habib, Kosters, Marino, Takes 2015, "Fast diameter and radius BFS-based computation in (weakly
connected) real-world graphs", section 4.3 (bounds by the graph of components). One component is treated apart: the
largest. The others are often single vertices.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_lengths
from apsp.graph.model import Graph
from apsp.semiring import unreachable
from apsp.system.cached import cached_property

__all__ = ["Ends", "StrongParts"]

Ends = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]

_STEPS = 1 << 18
"""Arcs to look at for exact numbers of vertices that components reach: some milliseconds."""


class StrongParts:
    """Strongly connected components, and bounds for the vertices outside the largest one.

    Parameters
    ----------
    graph : Graph
        Without negative arcs and zones.
    dtype : numpy dtype
        Of the bounds: it holds the sum of any three distances.
    ends : pair of (n,) bool, optional
        Known: the vertices that some vertex reaches, and those that reach it. Only the rest is searched then.

    Attributes
    ----------
    count : int
    part : (n,) int32
        The component of each vertex.
    sizes : (count,) int64
    largest : int
        The component with the most vertices.
    reach : (count,) float64
        Upper bounds on the number of vertices that a vertex of a component reaches, itself included.
    reach_known : (count,) bool
        Where the bound is exact.
    roots : (count,) bool
        Components that no other component reaches: only their vertices can reach the most others.
    """

    def __init__(self, graph: Graph, dtype: np.dtype[Any], *, ends: Ends | None = None) -> None:
        self.graph = graph
        if ends is not None:
            self.count, self.part = _beside(graph, ends[0] & ends[1])
            self.sizes = np.bincount(self.part, minlength=self.count)
        if ends is None or self.sizes.argmax() > 0:  # the known component has its place among the others
            ends = None
            self.count, self.part = _cpu.strong_components(_cpu.ArcArrays(graph.indptr, graph.indices))
            self.sizes = np.bincount(self.part, minlength=self.count)
        self.largest = int(self.sizes.argmax())
        self.reach = self.sizes.astype(np.float64)
        self.reach_known = np.ones(self.count, dtype=bool)
        self.roots = np.ones(self.count, dtype=bool)
        longest = graph.weight_range[1] if graph.is_weighted and graph.weight_range else 1
        self.inner = ((self.sizes - 1) * longest).astype(dtype)
        self.is_one = not graph.directed or self.count == 1
        if not self.is_one:
            self._find_roots(None if ends is None else ends[0])

    def _find_roots(self, from_largest: npt.NDArray[np.bool_] | None) -> None:
        """Find the components that no other one reaches, and those that reach no other one.

        Arcs out of the largest one are not needed if what it reaches is known.
        """
        graph = self.graph
        if from_largest is None:
            arcs, tails = slice(None), self.part[graph.tails()]
        else:
            beyond = self.part[np.flatnonzero(from_largest & (self.part != self.largest))]
            self.roots[beyond] = False
            self.reach_known[self.largest] = not len(beyond)
            others = np.flatnonzero(self.part != self.largest)
            arcs, indptr = _arcs_from(graph, others)
            tails = np.repeat(self.part[others], np.diff(indptr))
        heads = self.part[graph.indices[arcs]]
        between = tails != heads
        tails, heads = tails[between], heads[between]
        self.roots[heads] = False
        self.reach_known[tails] = False

    @cached_property
    def _order(self) -> _cpu.PartsOfGraph:
        """The vertices by component."""
        first, vertices = _cpu.grouped(self.part, self.count)
        return _cpu.PartsOfGraph(self.arcs, self.part, first, vertices, self.largest)

    @cached_property
    def arcs(self) -> _cpu.ArcArrays:
        """The arcs for kernels, with their `lengths`."""
        return _cpu.ArcArrays(self.graph.indptr, self.graph.indices, self.lengths)

    @cached_property
    def lengths(self) -> npt.NDArray[Any] | None:
        """(m,) lengths of the arcs in the dtype of bounds; None in hops."""
        return None if self.graph.weights is None else arc_lengths(self.graph, self.inner.dtype)

    def of(self, chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
        """Whether each vertex is in a component of some, which are often one."""
        numbers = np.flatnonzero(chosen)
        found: npt.NDArray[np.bool_] = self.part == numbers[0] if len(numbers) == 1 else chosen[self.part]
        return found

    def are_reached(self, vertices: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
        """Whether other vertices reach each of some vertices."""
        parts = self.part[vertices]
        found: npt.NDArray[np.bool_] = ~self.roots[parts] | (self.sizes[parts] > 1)
        return found

    def bound_reach(self, from_largest: npt.NDArray[np.bool_], to_largest: npt.NDArray[np.bool_]) -> None:
        """Bound the number of vertices that each component reaches.

        Parameters
        ----------
        from_largest, to_largest : (n,) bool
            The vertices that the largest component reaches, and those that reach it.
        """
        if self.is_one:
            return
        self._from_largest = from_largest
        after, before = (np.zeros(self.count, dtype=bool) for _ in range(2))
        after[self.part[from_largest]] = before[self.part[to_largest]] = True
        known = self.reach_known
        self.reach[self.largest], known[self.largest] = from_largest.sum(), True
        _cpu.bound_reach(self._order, before, after, self.reach, known)
        unknown = np.flatnonzero(self.roots & before & ~known)
        if len(unknown) > 1:  # a single one takes a search
            self._find_most(unknown)

    def _find_most(self, parts: npt.NDArray[np.int64]) -> None:
        """Count what the components reach that may reach the most, in the order of their bounds, while it takes little.

        Each reaches the largest component, and all that this one reaches; only the rest is searched for.
        """
        parts = parts[np.argsort(-self.reach[parts], kind="stable")]
        most = self.reach[self.reach_known].max()
        within = float(self._from_largest.sum())
        some = np.zeros(self.count, dtype=np.int64)
        some[self.part] = np.arange(len(self.part))
        steps = _STEPS
        for part in parts.tolist():
            if self.reach[part] < most or steps <= 0:
                break
            others, taken = self._beyond_largest(int(some[part]), steps)
            steps -= taken
            if steps > 0:
                self.reach[part], self.reach_known[part] = within + others, True
                most = max(most, within + others)

    def _beyond_largest(self, vertex: int, steps: int) -> tuple[int, int]:
        """The number of vertices that a vertex reaches and the largest component does not, and of arcs looked at.

        It ends after `steps` arcs.
        """
        indptr, indices, covered = self.graph.indptr, self.graph.indices, self._from_largest
        seen, left, taken = {vertex}, [vertex], 0
        while left and taken < steps:
            u = left.pop()
            heads = indices[indptr[u] : indptr[u + 1]]
            taken += len(heads) + 1
            new = set(heads[~covered[heads]].tolist()) - seen
            seen |= new
            left += new
        return len(seen), taken

    def bound_upper(self, upper: npt.NDArray[Any], *, by_leading: bool = False) -> None:
        """Lower upper bounds on eccentricities: by the sizes of components, and outside the largest one by what they
        reach (cpp/reductions/part_bounds.hpp).

        Parameters
        ----------
        by_leading : bool
            By leading arcs, too, which takes longer.
        """
        if self.is_one:
            np.minimum(upper, self.inner[self.part], out=upper)
            return
        _cpu.bound_parts(self._order, by_leading, self.lengths, self.inner, upper)

    def bound_lower(self, out: npt.NDArray[Any], lower: npt.NDArray[Any]) -> None:
        """Raise lower bounds on eccentricities by the distances from a vertex: see cpp/reductions/part_bounds.hpp."""
        reached = out[self._from_largest]
        reached = reached[reached != unreachable(out.dtype)]
        _cpu.bound_by_potential(self._order, out, int(reached.max(initial=-1)), lower)


def _beside(graph: Graph, component: npt.NDArray[np.bool_]) -> tuple[int, npt.NDArray[np.int32]]:
    """The number of components, and the component of each vertex, if one of them is known: it has number 0."""
    part = np.zeros(graph.n, dtype=np.int32)
    others = np.flatnonzero(~component)
    if not len(others):
        return 1, part
    arcs, indptr = _arcs_from(graph, others)
    heads = graph.indices[arcs]
    kept = ~component[heads]
    number = np.empty(graph.n, dtype=np.int32)
    number[others] = np.arange(len(others), dtype=np.int32)
    indptr = np.concatenate([[0], np.cumsum(kept)])[indptr]
    count, rest = _cpu.strong_components(_cpu.ArcArrays(indptr, number[heads[kept]]))
    part[others] = rest + 1
    return count + 1, part


def _arcs_from(graph: Graph, vertices: Any) -> tuple[Any, Any]:
    """The positions of the arcs out of some vertices, and where those of each begin among them."""
    degree = graph.indptr[vertices + 1] - graph.indptr[vertices]
    indptr = np.concatenate([[0], np.cumsum(degree)])
    return np.arange(indptr[-1]) + np.repeat(graph.indptr[vertices] - indptr[:-1], degree), indptr
