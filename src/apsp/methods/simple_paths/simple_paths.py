"""The k shortest simple paths of pairs, from the distances of all vertices to the targets.

Sources: Yen 1971, "Finding the k shortest loopless paths in a network"; Lawler 1972, "A procedure for computing the k
best solutions to discrete optimization problems"; with bounds in place of most searches, as Kurz and Mutzel 2016, "A
sidetrack-based algorithm for finding the k shortest simple paths in a directed graph", and Feng 2014, "Finding k
shortest simple paths in directed graphs: a node classification algorithm".
Input: no negative arc after potentials. Cost: a row of distances per target; then, per pair, a short search for each
vertex of the shortest path, and for each further path its length in vertices and a few short searches.
Correction: a detour around a vertex is found once, and its length is a bound for all paths through this vertex.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DtypeRangeError
from apsp.facts.ties import comparable_lengths
from apsp.graph.arc_positions import arcs_between
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray, KernelProgress
from apsp.result.many_paths import ManyPaths

__all__ = ["FoundPaths", "SimplePathSearch", "joined"]

_LONGEST = {"int32": 2**29, "int64": 2**61}
"""Rows of distances have these dtypes if no path is longer."""

_EXACT = 2**53
"""Sums of whole numbers below this are exact in float64."""


@dataclass(frozen=True)
class FoundPaths:
    """The paths of some pairs, one pair after another.

    Attributes
    ----------
    counts : (pairs,) int64
        Paths of each pair.
    lengths : (paths,) int64 or float64
    offsets : (paths + 1,) int64
        Path i is vertices[offsets[i] : offsets[i + 1]].
    vertices : (offsets[-1],) int32
    """

    counts: npt.NDArray[np.int64]
    lengths: npt.NDArray[Any]
    offsets: npt.NDArray[np.int64]
    vertices: IntArray

    def of(self, graph: Graph) -> ManyPaths:
        """The same as paths of a graph, whose float weights have the width of the lengths."""
        lengths = self.lengths
        if not graph.has_integer_weights and graph.weights is not None:
            with np.errstate(over="ignore"):
                lengths = lengths.astype(graph.weights.dtype)
        pairs = np.concatenate([[0], np.cumsum(self.counts)])
        return ManyPaths(self.offsets, self.vertices, lengths, graph.labels, graph=graph, pair_offsets=pairs)


class SimplePathSearch:
    """Finds the shortest simple paths of pairs of positions.

    Parameters
    ----------
    graph : Graph
    sources : (k,) int32
        Those of all pairs.

    Attributes
    ----------
    to_targets : Graph
        The graph whose rows are the distances from all vertices to a target.
    dtype : dtype
        Of these rows.
    stage : str
        What progress is shown of.
    takes_whole_floats_as_integers : bool
        Whether sums of whole floats may be those of integers.

    Raises
    ------
    RequestError, DtypeRangeError, NegativeCycleError
        As `apsp.facts.ties.comparable_lengths`.
    """

    stage: ClassVar[str] = "simple paths"
    takes_whole_floats_as_integers: ClassVar[bool] = True

    def __init__(self, graph: Graph, sources: IntArray) -> None:
        compared = comparable_lengths(graph, sources, None)
        weights, heights = compared["weights"], compared["heights"]
        if weights.dtype.kind == "f" and self.takes_whole_floats_as_integers and _are_whole(graph, weights):
            weights = weights.astype(np.int64)
        if weights.dtype.kind != "f":
            most = int(weights.max(initial=0)) * max(graph.n - 1, 1)
            if most >= _LONGEST["int64"]:
                raise DtypeRangeError("paths may be longer than 2^61; use float weights")
            weights = weights.astype(np.int32 if most < _LONGEST["int32"] else np.int64, copy=False)
        self._graph = graph
        self._reduced = heights is not None
        self.dtype = weights.dtype
        self._arcs = _cpu.ArcArrays(graph.indptr, graph.indices, weights, graph.zones if graph.has_zones else None)
        differs = graph.weights is not None and graph.weights.dtype.kind != weights.dtype.kind
        if self._reduced or differs or graph._turned is not None:  # copies of vertices are columns, too
            same = Graph._made(graph.indptr, graph.indices, weights, directed=True, zones=graph.zones)
            self.to_targets = same.reversed()
        else:
            self.to_targets = graph.reversed() if graph.directed else graph

    def find(
        self, dist: npt.NDArray[Any], rows: IntArray, sources: IntArray, targets: IntArray, k: int, *, threads: int,
        progress: KernelProgress | None,
    ) -> FoundPaths:  # fmt: skip
        """Return up to k paths of each pair.

        Parameters
        ----------
        dist : (R, n) array of the dtype
            Rows of `to_targets`.
        rows, sources, targets : (pairs,) int32
            Row, source and target of each pair.
        """
        found = self._found(
            self._arcs, dist=dist, rows=rows, sources=sources, targets=targets, k=k, threads=threads, progress=progress
        )
        if not self._reduced:
            return found
        inner = np.ones(len(found.vertices), dtype=bool)
        inner[found.offsets[:-1]] = False
        heads = np.flatnonzero(inner)
        arcs = arcs_between(self._graph.indptr, self._graph.indices, found.vertices[heads - 1], found.vertices[heads])
        steps = np.zeros(len(found.vertices), dtype=np.int64)
        steps[heads] = self._graph.arc_weights(np.int64)[arcs]
        sums = np.add.reduceat(steps, found.offsets[:-1]) if len(found.lengths) else steps
        return FoundPaths(found.counts, sums, found.offsets, found.vertices)

    def _found(self, arcs: _cpu.ArcArrays, **request: Any) -> FoundPaths:
        return FoundPaths(*_cpu.shortest_simple_paths(arcs, **request))


def joined(parts: Iterable[FoundPaths], order: npt.NDArray[np.int64]) -> FoundPaths:
    """Return the paths of all pairs in their order: the i-th pair of all parts, which have some, is pair order[i]."""
    counts, lengths, sizes, vertices = [], [], [], []
    for part in parts:
        ends = np.cumsum(part.counts)
        counts.append(part.counts)
        lengths += np.split(part.lengths, ends[:-1])
        sizes += np.split(np.diff(part.offsets), ends[:-1])
        vertices += np.split(part.vertices, part.offsets[ends[:-1]])
    places = np.argsort(order)
    own, of_paths, arrays = ([every[i] for i in places.tolist()] for every in (lengths, sizes, vertices))
    offsets = np.concatenate([[0], np.cumsum(np.concatenate(of_paths))])
    return FoundPaths(np.concatenate(counts)[places], np.concatenate(own), offsets, np.concatenate(arrays))


def _are_whole(graph: Graph, weights: npt.NDArray[np.float64]) -> bool:
    """Whether sums of these floats are those of integers."""
    most = float(weights.max(initial=0)) * max(graph.n - 1, 1)
    return most < _EXACT and bool((weights == np.rint(weights)).all())
