"""Eccentricities that follow exactly from those of other vertices, by the shape of the graph.

Bounds leave many vertices open where all are alike, or in a row: on rings, paths, stars and complete bipartite graphs.
There one or two searches give the eccentricities of a whole class (see cpp/reductions/implied.hpp): of twins, which
have the same neighbours; of vertices from which a single arc leads on, to an anchor, and of trees that hang at one; and
of chains, whose inner vertices have two neighbours.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.csr import arc_arrays
from apsp.methods.searches.few_sources import FewSources
from apsp.reductions.eccentricity_bounds import EccentricityBounds
from apsp.system.cached import cached_property

__all__ = ["Implied"]


class Implied:
    """What follows from searches, for the bounds of a graph.

    Parameters
    ----------
    few : FewSources
        Of the same graph.
    twins, shortest : float, int
        As of `SearchLimits`.
    """

    def __init__(self, bounds: EccentricityBounds, few: FewSources, twins: float, shortest: int) -> None:
        self._twins, self._shortest = twins, shortest
        self._bounds, self._few, self._graph = bounds, few, bounds.graph
        self._tried: set[int] = set()

    def add_twins(self) -> bool:
        """Give the twins of all vertices whose eccentricity was computed the same one; return whether there are any."""
        bounds, (classes, have_twins) = self._bounds, self._classes
        if have_twins is None:
            return False
        known = np.flatnonzero(bounds.searched & have_twins)
        one = np.full(self._graph.n, -1)
        one[classes[known]] = known
        alike = np.flatnonzero(~bounds.searched & (one[classes] >= 0))
        if len(alike):
            one = one[classes[alike]]
            bounds.set(alike, bounds.lower[one], bounds.parts.reach[bounds.parts.part[one]])
        return len(alike) > 0

    def settle(self, vertices: npt.NDArray[np.int32]) -> tuple[npt.NDArray[np.int32], int]:
        """Settle the ways and chains of some vertices.

        Returns
        -------
        others : int32
            The vertices that are on none.
        searches : int
            The vertices that were searched from.
        """
        others, searches = [], 0
        for vertex in vertices.tolist():
            if self._bounds.searched[vertex]:  # with another vertex of the same way
                continue
            searches += self._settle_way(vertex) or self._settle_chain(vertex)
            if not self._bounds.searched[vertex]:
                others.append(vertex)
        return np.array(others, dtype=np.int32), searches

    def _settle_way(self, vertex: int) -> int:
        """Settle all vertices whose ways lead to the same anchor; return the number of searches."""
        anchor = int(self._single[0][vertex])
        if vertex == anchor or self._single[1][anchor] < self._shortest or anchor in self._tried:
            return 0
        self._tried.add(anchor)
        graph, bounds = self._graph, self._bounds
        out, searches = self._search(anchor)
        found = _cpu.settle_single(bounds.parts.arcs, anchor, out, graph.directed)
        if found is not None:
            on_ways, eccentricities, reached = found
            bounds.set(on_ways.astype(np.int64), eccentricities, reached)
        return searches

    def _settle_chain(self, vertex: int) -> int:
        """Settle all vertices of a chain; return the number of searches."""
        if self._graph.directed:
            return 0
        first, inner, ends, of = self._chains
        number = int(of[vertex])
        if number < 0:
            return 0
        bounds = self._bounds
        chain = inner[first[number] : first[number + 1]]
        one, other = ends[2 * number : 2 * number + 2].tolist()
        from_one, searches = self._search(one)
        from_other, more = (from_one, 0) if one == other else self._search(other)
        eccentricities: npt.NDArray[Any] = np.empty(len(chain), dtype=bounds.lower.dtype)
        _cpu.settle_chain(bounds.parts.arcs, chain, one, other, from_one, from_other, eccentricities)
        bounds.set(chain.astype(np.int64), eccentricities)
        return searches + more

    def _search(self, vertex: int) -> tuple[npt.NDArray[Any], int]:
        """The distances from a vertex, which bound others, too; and 1 if it was not searched from before."""
        bounds = self._bounds
        count = int(not bounds.searched[vertex])
        out = self._few.distances_from(np.array([vertex], dtype=np.int32))[0]
        bounds.add(vertex, out, None if self._graph.directed else out)
        return out, count

    @cached_property
    def _single(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The anchor of each vertex, and the number of vertices whose ways lead to it."""
        _, anchor, members = _cpu.single_arcs(self._bounds.parts.arcs, self._graph.directed)
        return anchor, members

    @cached_property
    def _chains(
        self,
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """Where each chain begins, the inner vertices and the ends of all, and the chain of each vertex."""
        first, inner, ends = _cpu.chains(self._bounds.parts.arcs, self._shortest)
        of = np.full(self._graph.n, -1, dtype=np.int32)
        of[inner] = np.repeat(np.arange(len(first) - 1, dtype=np.int32), np.diff(first))
        return first, inner, ends, of

    @cached_property
    def _classes(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_] | None]:
        """The first twin of each vertex, and whether it has others; None if few have."""
        graph = self._graph
        into = self._few.reversed_graph if graph.directed else None
        arcs = arc_arrays(graph, graph.weights)
        classes = _cpu.twins(arcs, None if into is None else arc_arrays(into, into.weights))
        have_twins = (np.bincount(classes, minlength=graph.n) > 1)[classes]
        return classes, have_twins if np.count_nonzero(have_twins) >= self._twins * graph.n else None
