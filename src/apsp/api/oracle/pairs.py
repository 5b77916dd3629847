"""What the factor of an oracle answers pair by pair: one distance in microseconds, or many on all cores or a GPU."""

from __future__ import annotations

import math

import numpy as np

from apsp._types import DType, NumPyArray, VertexLike, VerticesLike
from apsp.api.oracle.snapshot import Snapshot, refuse_unless
from apsp.errors import RequestError
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray
from apsp.running.arguments import positions_of
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, offset, reporting

__all__ = ["PairQueries", "paired"]

_BYTES_PER_PAIR = 8
"""Besides the positions and the distances: the order in which the pairs are searched."""


class PairQueries:
    """The distances of pairs.

    Parameters
    ----------
    snapshot : Snapshot
        Of the weights that the oracle begins with. Every call reads it once, and then nothing else of the oracle.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._now = snapshot

    @property
    def graph(self) -> Graph:
        """The graph, with the weights of the last `update`."""
        return self._now.graph

    @property
    def dtype(self) -> DType:
        """Dtype of the distances."""
        return self._now.dtype

    def distance(self, source: VertexLike, target: VertexLike) -> int | float:
        """Return the length of a shortest path between two vertices.

        Parameters
        ----------
        source, target : hashable
            Vertices, as the graph labels them.

        Returns
        -------
        int or float
            The length; `math.inf` if there is no path.

        Raises
        ------
        GraphError
            If a vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.distance(0, 2)
        5
        """
        now = self._now
        index = now.graph.labels.index
        found = now.distance(index(source), index(target))
        return math.inf if found is None else found

    @memory_errors
    def distances(self, sources: VerticesLike, targets: VerticesLike, *, progress: Progress = False) -> NumPyArray:
        """Compute the lengths of shortest paths for many pairs of vertices, on all threads.

        .. warning:: The dtype is the narrowest that holds the distances: sums of integers wrap, and "no path" is a
           number. To compute with them, `numpy.where(found == apsp.unreachable(found.dtype), numpy.inf, found)` is
           float64.

        Parameters
        ----------
        sources, targets : sequences of k vertices, or one vertex
            The i-th pair is that of the i-th source and the i-th target. One vertex is paired with each of the others.
        progress : bool or callable
            True draws a bar; a callable is called as progress(stage, done, total).

        Returns
        -------
        (k,) array of the dtype
            The length of each pair; `apsp.unreachable(dtype)` where there is no path. In host memory, also if a GPU
            computes them: that of the oracle does from 10,000 pairs on.

        Raises
        ------
        GraphError
            If a vertex does not exist.
        RequestError
            If there are not as many sources as targets.
        MemoryLimitError
            If the distances do not fit into memory.

        See Also
        --------
        paths : The paths of many pairs, and their lengths.
        matrix : The distances of all pairs of some sources and some targets, which are faster per pair.

        Notes
        -----
        A pair costs the way from both vertices to the root of the elimination tree (Strasser and Wagner 2015,
        "Customizable contraction hierarchies", section 6, on supernodes). Pairs with the same source share its half, so
        that the order in which pairs are given does not matter.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
        >>> oracle = apsp.prepare(graph)
        >>> oracle.distances([0, 3, 0], [2, 1, 3]).tolist()
        [5, 3, 7]
        >>> oracle.distances(0, [1, 2, 3]).tolist()
        [4, 5, 7]
        """
        now = self._now
        starts, ends = paired(now.graph, sources, targets)
        needed = len(starts) * (now.dtype.itemsize + _BYTES_PER_PAIR)
        refuse_unless(needed, lambda: f"{len(starts):,} distances in {now.dtype}", "some of the pairs at a time")
        with reporting(progress) as report:
            return now.pairs(starts, ends, offset(report, "oracle", 0, len(starts)))


def paired(graph: Graph, sources: VerticesLike, targets: VerticesLike) -> tuple[IntArray, IntArray]:
    """The positions of the pairs, two arrays of one length."""
    given = []
    for chosen, word in ((sources, "sources"), (targets, "targets")):
        positions = positions_of(graph, chosen, word)
        if positions is None:
            raise RequestError(f"{word} must be vertices, one per pair, not None; oracle.rows() computes all distances")
        given.append(positions)
    starts, ends = given
    if len(starts) != len(ends) and 1 not in (len(starts), len(ends)):
        raise RequestError(
            f"there are {len(starts):,} sources and {len(ends):,} targets: give one of each per pair; "
            "oracle.matrix(sources, targets) computes the distances of all pairs of them"
        )
    count = len(ends) if len(starts) == 1 else len(starts)
    return tuple(np.ascontiguousarray(np.broadcast_to(each, count)) for each in given)  # type: ignore[return-value]
