"""Bounds on the eccentricities of all vertices, from searches from and to a few of them.

Takes, Kosters 2013, "Computing the eccentricity distribution of large graphs", section 3 (bounds from a search);
Borassi et al. 2015, "Fast diameter and radius BFS-based computation in (weakly connected) real-world graphs" (SumSweep:
directed graphs, sums of distances break ties).

A search from u, and one to u, prove for every vertex w that reaches u: ecc(w) >= d(w, u). If u also reaches w, both
reach the same vertices, so that ecc(u) - d(u, w) <= ecc(w) <= d(w, u) + ecc(u). This is for integers: sums of
floats are rounded, so that a bound would not be a value.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.model import Graph
from apsp.reductions.strong_parts import Ends, StrongParts
from apsp.semiring import unreachable

__all__ = ["EccentricityBounds", "Positions", "Searched"]

Positions = npt.NDArray[np.int64]


_LARGE = 1 / 16
"""Share of the vertices of a large component, whose first searches may close the bounds of a graph."""


class Searched(NamedTuple):
    """What searches from some vertices, and to them, prove.

    Attributes
    ----------
    vertices : (S,) int32
        Different ones.
    reached : (S,) int
        The number of vertices that each reaches, itself included.
    eccentricities, farthest : (S,)
        The largest distance from each, and a vertex at it.
    longest, source : (S,)
        The largest distance to each, and the vertex from which it is.
    lower, upper, total : (n,)
        Bounds on the eccentricity of each vertex, and the sum of its distances to the searched ones.
    """

    vertices: npt.NDArray[np.int32]
    reached: npt.NDArray[Any]
    eccentricities: npt.NDArray[Any]
    farthest: npt.NDArray[Any]
    longest: npt.NDArray[Any]
    source: npt.NDArray[Any]
    lower: npt.NDArray[Any]
    upper: npt.NDArray[Any]
    total: npt.NDArray[np.float64]


class EccentricityBounds:
    """Lower and upper bounds on eccentricities, and what they leave open.

    Parameters
    ----------
    graph : Graph
        At least one vertex, no negative arcs, no zones.
    parts : StrongParts
        Of the graph.
    dtype : numpy dtype
        Of the distances: integers that hold the sum of any three.
    deep : int
        Searches that may close the bounds of a graph with a large component, before the order of components bounds it.

    Attributes
    ----------
    lower, upper : (n,) dtype
    searched : (n,) bool
        Vertices whose eccentricity was computed.
    total : (n,) float64
        Sum of the distances to the searched vertices.
    farthest : tuple of int
        The largest distance that a search found, its source and its target.
    """

    def __init__(self, graph: Graph, parts: StrongParts, dtype: np.dtype[Any], deep: int = 8) -> None:
        self._deep = deep
        self.graph = graph
        self.parts = parts
        most = np.iinfo(dtype).max
        self._none = unreachable(dtype)
        self.lower = np.zeros(graph.n, dtype=dtype)
        self.upper = np.full(graph.n, most, dtype=dtype)
        self.searched = np.zeros(graph.n, dtype=bool)
        self.total = np.zeros(graph.n)
        self.farthest = (-1, 0, 0)
        if self.parts.is_one:
            self.parts.bound_upper(self.upper)

    @property
    def is_connected(self) -> bool:
        """Whether every vertex reaches all others."""
        return self.parts.count == 1

    def first(self) -> int:
        """The vertex to begin with: of the largest component that with the most arcs."""
        degree = np.where(self.parts.part == self.parts.largest, np.diff(self.graph.indptr), -1)
        return int(degree.argmax())

    def add(self, vertex: int, out: npt.NDArray[Any], into: npt.NDArray[Any] | None) -> None:
        """Add the distances from a vertex and those to it, (n,) each; the first is of the largest component.

        None stands for distances to a vertex that are not known, or that no other vertex has.
        """
        parts = self.parts
        whole = parts.count == 1
        ecc, target, reached, longest, source = _cpu.add_search(
            out, into, None if whole else parts.part, vertex, self.lower, self.upper, self.total
        )
        self._found(ecc, vertex, target)
        if not whole:
            part = int(parts.part[vertex])
            parts.reach[part], parts.reach_known[part] = reached, True
        if into is not None:
            if not whole and not self.searched.any():
                parts.bound_reach(out != self._none, into != self._none)
            self._found(longest, source, vertex)
        self.set(np.array([vertex]), np.array([ecc]))

    def merge(self, found: Searched, ends: Ends | None = None) -> None:
        """Add what searches proved.

        Parameters
        ----------
        found : Searched
        ends : pair of (n,) bool
            With the first searches: the vertices that a vertex of the largest component reaches, and that reach it.
        """
        parts = self.parts
        own = parts.part[found.vertices]
        parts.reach[own], parts.reach_known[own] = found.reached, True
        if ends is not None and parts.count > 1:
            parts.bound_reach(*ends)
        far, near = int(found.eccentricities.argmax()), int(found.longest.argmax())
        self._found(int(found.eccentricities[far]), int(found.vertices[far]), int(found.farthest[far]))
        self._found(int(found.longest[near]), int(found.source[near]), int(found.vertices[near]))
        np.maximum(self.lower, found.lower, out=self.lower)
        np.minimum(self.upper, found.upper, out=self.upper)
        self.total += found.total
        self.set(found.vertices.astype(np.int64), found.eccentricities)

    def _found(self, distance: int, source: int, target: int) -> None:
        if distance > self.farthest[0]:
            self.farthest = distance, source, target

    def propagate(self, rows: Iterable[npt.NDArray[Any]] = ()) -> None:
        """Bound the vertices of other components from those of the largest.

        Parameters
        ----------
        rows : arrays of shape (n,)
            Distances from vertices that bound others, too. Only without a large component or after some searches, since
            few other graphs need them.
        """
        if self.parts.is_one:
            return
        largest = int(self.parts.sizes[self.parts.largest])
        is_deep = largest < _LARGE * self.graph.n or bool(np.count_nonzero(self.searched) > self._deep)
        self.parts.bound_upper(self.upper, by_leading=is_deep)
        for out in rows if is_deep else ():
            self.parts.bound_lower(out, self.lower)

    def limit(self, vertices: Positions, limit: int) -> None:
        """Eccentricities that are known to be at most a limit."""
        self.upper[vertices] = np.minimum(self.upper[vertices], limit)

    def set(self, vertices: Positions, eccentricities: Any, reached: Any = None) -> None:
        """Eccentricities that were computed, and how many vertices these reach, if that is known."""
        self.lower[vertices] = self.upper[vertices] = eccentricities
        self.searched[vertices] = True
        if reached is not None:
            own = self.parts.part[vertices]
            self.parts.reach[own], self.parts.reach_known[own] = reached, True

    # -- what is open: vertices whose eccentricity may decide ---------------------------------------------------------

    def open_for_largest(self, *, all_of_them: bool) -> Positions:
        """Vertices that may have a larger eccentricity than known, or, if all are wanted, the largest."""
        largest = self.lower.max()
        is_open = (self.upper >= largest) & self._undecided() if all_of_them else self.upper > largest
        return np.flatnonzero(is_open & ~self.searched)

    def open_for_smallest(self, *, all_of_them: bool) -> Positions:
        """Vertices that may have a smaller eccentricity than known of those that reach the most, or the smallest.

        Also those that may reach more vertices than known.
        """
        may, most = self._reaching_most()
        smallest = self.upper[most].min()
        is_open = (self.lower <= smallest) & self._undecided() if all_of_them else self.lower < smallest
        is_open &= may
        if self.parts.count > 1:
            parts = self.parts
            is_open |= parts.of(parts.roots & ~parts.reach_known & (parts.reach >= self._most()))
        return np.flatnonzero(is_open & ~self.searched)

    def open_for_each(self) -> Positions:
        """Vertices whose eccentricity is not known."""
        return np.flatnonzero(self._undecided() & ~self.searched)

    def _undecided(self) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = self.lower < self.upper
        return found

    def _most(self) -> float:
        """The largest number of vertices that a vertex is known to reach."""
        return float(np.where(self.parts.reach_known, self.parts.reach, 0).max())

    def _reaching_most(self) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """The vertices that may reach the most, and those that reach as many as is known."""
        parts = self.parts
        if parts.count == 1:
            every = np.ones(len(self.lower), dtype=bool)
            return every, every
        most = self._most()
        return parts.of(parts.roots & (parts.reach >= most)), parts.of(parts.reach_known & (parts.reach == most))

    # -- what is proven, once nothing is open -------------------------------------------------------------------------

    def with_largest(self) -> Positions:
        """The vertices of the largest eccentricity."""
        return np.flatnonzero(self.lower == self.lower.max())

    def with_smallest(self) -> Positions:
        """The vertices of the smallest eccentricity, of those that reach the most."""
        most = np.flatnonzero(self._reaching_most()[1])
        values = self.lower[most]
        chosen: Positions = most[values == values.min()]
        return chosen

    def one_with_smallest(self) -> int:
        """One of the vertices of the smallest eccentricity, of those that reach the most; others may be unproven."""
        most = np.flatnonzero(self._reaching_most()[1])
        return int(most[self.upper[most].argmin()])
