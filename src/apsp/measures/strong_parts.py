"""The strongly connected components of a graph, and what they prove of the reach and the eccentricity of a vertex.

Borassi, Crescenzi, Habib, Kosters, Marino, Takes 2015, "Fast diameter and radius BFS-based computation in (weakly
connected) real-world graphs", section 4.3 (bounds by the graph of components). One component is treated apart: the
largest. The others are often single vertices, in a graph of components with few levels.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.model import Graph

__all__ = ["Ends", "StrongParts", "TooDeepError"]

Ends = tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]

_LEVELS = 500
"""Maximum number of levels of the graph of components outside the largest one."""

_STEPS = 1 << 18
"""Arcs to look at for exact numbers of vertices that components reach: some milliseconds."""


class TooDeepError(Exception):
    """The graph of components has too many levels for bounds that are computed level by level."""


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
        if ends is None:
            self.count, self.part = _cpu.strong_components(graph.indptr, graph.indices)
        else:
            self.count, self.part = _beside(graph, ends[0] & ends[1])
        self.sizes = np.bincount(self.part, minlength=self.count)
        self.largest = int(self.sizes.argmax())
        self.reach = self.sizes.astype(np.float64)
        self.reach_known = np.ones(self.count, dtype=bool)
        self.roots = np.ones(self.count, dtype=bool)
        longest = graph.weight_range[1] if graph.is_weighted and graph.weight_range else 1
        self.inner = ((self.sizes - 1) * longest).astype(dtype)
        self.is_one = not graph.directed or self.count == 1
        if not self.is_one:
            self._split_arcs(dtype, ends[0] if ends is not None and self.largest == 0 else None)

    def _split_arcs(self, dtype: np.dtype[Any], from_largest: npt.NDArray[np.bool_] | None) -> None:
        """Keep the arcs between components. Arcs out of the largest one are not needed if what it reaches is known."""
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
        ends = graph.indices[arcs]
        heads = self.part[ends]
        between = np.flatnonzero(tails != heads)
        lengths = np.ones(len(between), dtype) if graph.weights is None else graph.weights[arcs][between].astype(dtype)
        tails, heads, ends = tails[between], heads[between], ends[between]
        self.roots[heads] = False
        self.reach_known[tails] = False
        into = np.flatnonzero(heads == self.largest)
        order = np.argsort(tails[into], kind="stable")
        into = into[order]
        self._into_tails, self._into_first = np.unique(tails[into], return_index=True)
        self._into_heads, self._into_lengths = ends[into], lengths[into]
        rest = (heads != self.largest) & (tails != self.largest)
        self._levels = _levels(self.count, tails[rest], heads[rest], lengths[rest])

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
        reach = self.sizes.astype(np.float64)
        for tails, heads, _ in self._levels:
            counted = ~(before[tails] & after[heads])  # reached through the largest component, and counted there
            np.add.at(reach, tails[counted], reach[heads[counted]])
        reach[before] += from_largest.sum()
        known = self.reach_known
        self.reach = np.where(known, self.reach, reach)
        self.reach[self.largest], known[self.largest] = from_largest.sum(), True
        self._find_most(np.flatnonzero(self.roots & before & ~known))

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

    def bound_upper(self, upper: npt.NDArray[Any]) -> None:
        """Lower the upper bounds on the eccentricities of the vertices outside the largest component.

        A path from a component goes through it and ends there, or goes on from the head of an arc that leaves it: for
        the largest component of any arc, for others of each.
        """
        if self.is_one:
            np.minimum(upper, self.inner[self.part], out=upper)
            return
        beyond = np.zeros(self.count, dtype=upper.dtype)
        if len(self._into_first):
            through = self._into_lengths + upper[self._into_heads]
            beyond[self._into_tails] = np.minimum.reduceat(through, self._into_first)
        alone = self.sizes == 1
        known = np.zeros(self.count, dtype=upper.dtype)
        known[self.part] = upper
        bound = np.zeros(self.count, dtype=upper.dtype)
        done = np.zeros(self.count, dtype=bool)
        for tails, heads, lengths in self._levels:
            self._close(heads[~done[heads]], bound, beyond, known, alone)
            done[heads] = True
            np.maximum.at(beyond, tails, lengths + bound[heads])
        self._close(np.flatnonzero(~done), bound, beyond, known, alone)
        bound[self.largest] = np.iinfo(upper.dtype).max if upper.dtype.kind == "i" else np.inf
        np.minimum(upper, bound[self.part], out=upper)

    def _close(self, parts: Any, bound: Any, beyond: Any, known: Any, alone: Any) -> None:
        found = self.inner[parts] + beyond[parts]
        bound[parts] = np.where(alone[parts], np.minimum(found, known[parts]), found)


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
    count, rest = _cpu.strong_components(indptr, number[heads[kept]])
    part[others] = rest + 1
    return count + 1, part


def _arcs_from(graph: Graph, vertices: Any) -> tuple[Any, Any]:
    """The positions of the arcs out of some vertices, and where those of each begin among them."""
    degree = graph.indptr[vertices + 1] - graph.indptr[vertices]
    indptr = np.concatenate([[0], np.cumsum(degree)])
    return np.arange(indptr[-1]) + np.repeat(graph.indptr[vertices] - indptr[:-1], degree), indptr


def _levels(count: int, tails: Any, heads: Any, lengths: Any) -> list[tuple[Any, Any, Any]]:
    """The arcs between components, by the level of their heads, sinks first: each after all arcs out of its head."""
    found: list[tuple[Any, Any, Any]] = []
    left = np.bincount(tails, minlength=count)
    closed = left == 0
    while len(tails):
        if len(found) == _LEVELS:
            raise TooDeepError
        ready = closed[heads]
        found.append((tails[ready], heads[ready], lengths[ready]))
        left -= np.bincount(tails[ready], minlength=count)
        closed = left == 0
        tails, heads, lengths = tails[~ready], heads[~ready], lengths[~ready]
    return found
