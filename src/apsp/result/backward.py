"""A path from distances and arcs, from its end to its start: for many single paths on one graph.

Of positive integer weights. The vertex before v is any u with dist[u] + w(u, v) == dist[v]; it is nearer to the source,
so the walk ends. Cost: the arcs into the vertices of the path, after O(m) once to sort arcs by their heads.
`apsp.result.paths.predecessors_from_distances` finds all predecessors of a row, for any weights, in O(m).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import NoPathError, VerificationError
from apsp.graph.model import Graph
from apsp.semiring import unreachable

__all__ = ["ArcsBefore"]

_MANY = 64
"""Arcs into a vertex from which on NumPy is faster than a loop."""


class ArcsBefore:
    """The arcs of a graph by their heads.

    Parameters
    ----------
    graph : Graph
        `ArcsBefore.serves` says whether its weights allow the walk.
    """

    def __init__(self, graph: Graph) -> None:
        order = np.argsort(graph.indices, kind="stable")
        counts = np.bincount(graph.indices, minlength=graph.n)
        self._indptr = np.concatenate([[0], np.cumsum(counts)])
        self._tails = graph.tails()[order]
        self._weights = graph.arc_weights(np.int64)[order]
        self._graph = graph

    @staticmethod
    def serves(graph: Graph) -> bool:
        """Whether all weights are positive integers."""
        if not graph.is_weighted:
            return True
        return graph.weights is not None and graph.weights.dtype.kind in "iu" and graph.weight_range[0] > 0

    def path(self, dist: npt.NDArray[Any], source: int, target: int) -> list[int]:
        """The positions on a shortest path, both ends included.

        Parameters
        ----------
        dist : (n,) uint16, int32 or int64
            Distances from the source.

        Raises
        ------
        NoPathError
            If there is none.
        VerificationError
            If no path has this distance: it is not of this graph.
        """
        if dist[target] == unreachable(dist.dtype):
            raise NoPathError(source, target)
        found = [target]
        vertex, left = target, int(dist[target])
        while vertex != source:
            tail = self._before(dist, source, vertex, left)
            if tail < 0 or len(found) > self._graph.n:
                word = self._graph.word
                raise VerificationError(
                    f"no path has the distance from {word(source)} to {word(target)}: it is not of this graph"
                )
            vertex, left = tail, int(dist[tail])
            found.append(vertex)
        found.reverse()
        return found

    def _before(self, dist: npt.NDArray[Any], source: int, vertex: int, distance: int) -> int:
        """The first tail of a tight arc; -1 if there is none."""
        start, end = int(self._indptr[vertex]), int(self._indptr[vertex + 1])
        if end - start > _MANY:
            tails = self._tails[start:end]
            tight = dist[tails].astype(np.int64) + self._weights[start:end] == distance
            candidates = tails[tight].tolist()
        else:
            tails, weights = self._tails[start:end].tolist(), self._weights[start:end].tolist()
            candidates = [tail for tail, weight in zip(tails, weights, strict=True) if dist[tail] == distance - weight]
        zones = self._graph.zones
        return next((tail for tail in candidates if zones is None or tail == source or not zones[tail]), -1)
