"""Searches on the CPU, one after another: in turn from a vertex for large eccentricities and for small ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.bounds.bounded_search import LIMITS, Searches, SearchLimits
from apsp.graph.model import Graph
from apsp.methods.searches.few_sources import FewSources
from apsp.reductions.eccentricity_bounds import EccentricityBounds, Positions
from apsp.reductions.far_pairs import FarPairs, HubsOnHost
from apsp.reductions.strong_parts import StrongParts
from apsp.semiring import unreachable

__all__ = ["SearchesOnCpu"]

_SHARE = 1 / 400
"""Searches that may be spent before the number of open vertices decides: `SearchLimits.first`, and this share of the
vertices. A search costs up to about 40 rows of all, so that they cost at most a tenth of all rows."""

_STALLED = 4
"""Largest number of vertices that a round of searches closed for the end, which searches from all that are open."""

_AT_ONCE = 8
_BYTES = 64 << 20
"""Searches at once at the end, and the memory for their rows."""


class SearchesOnCpu(Searches):
    """The first search is from the vertex with the most arcs, and to it: they show its component.

    Parameters
    ----------
    dtype : numpy dtype
        Of the distances: `searched_dtype`.
    """

    at_once = 2

    def __init__(self, graph: Graph, dtype: np.dtype[Any], threads: int, limits: SearchLimits = LIMITS) -> None:
        self._limits = limits
        self.few = FewSources(graph, dtype, threads)
        self.count = 0
        first = np.array([np.diff(graph.indptr).argmax()], dtype=np.int32)
        out = self.few.distances_from(first)[0]
        into = self.few.distances_to(first)[0] if graph.directed else out
        none = unreachable(dtype)
        reached = out != none
        reaching = into != none if graph.directed else reached
        self.share = float(np.count_nonzero(reached | reaching)) / graph.n
        parts = StrongParts(graph, dtype, ends=(reached, reaching))
        self.bounds = EccentricityBounds(graph, parts, dtype, limits.deep)
        self._hubs = HubsOnHost()
        self.pairs = FarPairs(parts, self._hubs, threads)
        if parts.part[first[0]] == parts.largest:
            self._bound(int(first[0]), out, into)
            self.bounds.propagate([out])
        else:
            self.add(np.array([self.bounds.first()], dtype=np.int32))

    def add(self, vertices: npt.NDArray[np.int32]) -> None:
        """Search from vertices and to them, and bound others."""
        bounds = self.bounds
        out = self.few.distances_from(vertices)
        into: dict[int, npt.NDArray[Any]] = dict(zip(vertices.tolist(), out, strict=True))
        if bounds.graph.directed:
            reached = vertices if not self.count else vertices[bounds.parts.are_reached(vertices)]
            into = dict(zip(reached.tolist(), self.few.distances_to(reached), strict=True))
        for vertex, row in zip(vertices.tolist(), out, strict=True):
            self._bound(vertex, row, into.get(vertex))
        bounds.propagate(out)

    def is_lost(self, remaining: int) -> bool:
        """Whether the searches that may be spent are spent, or were of little use."""
        n, spent = self.bounds.graph.n, self.count
        limit = self._limits.first + int(n * _SHARE)
        if remaining <= max(self._limits.few, spent // 2):
            return False
        return spent >= limit or (spent >= max(limit // 4, 8) and remaining > 0.9 * n)

    def is_end(self, remaining: int, closed: int, searched: int) -> bool:
        """Whether few vertices are left, which help each other little."""
        return remaining <= self._limits.few and closed <= max(searched, _STALLED)

    def finish(self, remaining: Positions) -> None:
        """Search from all vertices in words of bits, or from the first ones. A second search does not count."""
        if len(remaining) >= max(self._limits.word, 2) and self.few.has_words and self.bounds.parts.is_one:
            vertices = remaining.astype(np.int32)
            self.bounds.set(remaining, self.few.farthest_from(vertices))
            self.count += len(vertices)
            return
        at_once = min(max(_BYTES // (self.bounds.graph.n * self.few.dtype.itemsize), 1), _AT_ONCE)
        vertices = remaining[:at_once].astype(np.int32)
        self.count += int(np.count_nonzero(~self.bounds.searched[vertices]))
        for vertex, row in zip(vertices.tolist(), self.few.distances_from(vertices), strict=True):
            self.bounds.add(vertex, row, None if self.bounds.graph.directed else row)

    def _bound(self, vertex: int, out: npt.NDArray[Any], into: npt.NDArray[Any] | None) -> None:
        """Add a search."""
        self.bounds.add(vertex, out, into)
        parts = self.bounds.parts
        if into is not None and parts.part[vertex] == parts.largest:
            self._hubs.add(out, into, int(self.bounds.lower[vertex]))
        self.count += 1
