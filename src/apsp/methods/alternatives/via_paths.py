"""The paths of pairs by way of a vertex: a shortest path to it and a shortest path from it.

Sources: Abraham, Delling, Goldberg and Werneck 2013, "Alternative routes in road networks", ACM Journal of Experimental
Algorithmics 18 (limits and order of the candidates); Cambridge Vehicle Information Technology 2005, "Choice routing"
(plateaus).
Input: no negative arc. Cost: the shortest path trees from the source and to the target, O(n log n) for the candidates,
then, for each one that is looked at, its vertices and short searches for better parts, which the distances of both
trees guide.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import RequestError
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.graph.path_length import length
from apsp.methods.problem import IntArray, KernelProgress
from apsp.result.many_paths import ManyPaths
from apsp.semiring import is_unreachable
from apsp.system.arguments import number
from apsp.system.machine import refuse_unless_fits

__all__ = ["Limits", "Trees", "ViaPaths", "share"]

_EXACT = 2**53
"""Sums of integers below this are exact in float64."""

_PAIR_BYTES = 64
"""Per vertex, of both trees of a pair while they are computed and converted."""

_THREAD_BYTES, _ARC_BYTES = 60, 4
"""Of the kernel, per thread and vertex, and per thread and arc."""

_BLOCK_BYTES = 1 << 28

Paths = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], IntArray]


@dataclass(frozen=True)
class Limits:
    """What alternatives must satisfy; each is a share of the distance of the pair, `stretch` at least 1."""

    stretch: float
    sharing: float
    local_optimality: float


class Trees(NamedTuple):
    """The shortest path trees of some pairs.

    Attributes
    ----------
    rows : TreeRows
        A row per root.
    of_pairs : (pairs,) int32
        The row of each pair.
    """

    rows: _cpu.TreeRows
    of_pairs: IntArray

    @classmethod
    def of(cls, distances: npt.NDArray[Any], predecessors: IntArray, of_pairs: npt.NDArray[Any]) -> Trees:
        """From (rows, n) distances and predecessors."""
        found = distances.astype(np.float64)
        found[is_unreachable(distances)] = np.inf
        own = np.arange(distances.shape[1], dtype=np.int32)
        return cls(_cpu.TreeRows(found, np.where(predecessors < 0, own, predecessors)), of_pairs.astype(np.int32))


class ViaPaths:
    """Finds up to k paths of each of some pairs of positions.

    Raises RequestError for a graph with negative weights.
    """

    def __init__(self, graph: Graph, limits: Limits, k: int) -> None:
        if graph.has_negative_arc:
            raise RequestError("alternatives are compared by shares of a length, and the graph has negative weights")
        self._graph, self._limits, self._k = graph, limits, k
        self._weights = None if graph.weights is None else graph.weights.astype(np.float64)
        self._arcs = arc_arrays(graph, self._weights)

    def block(self, pairs: int, threads: int) -> int:
        """The number of pairs that are computed at a time; MemoryLimitError if they do not fit."""
        n, m = self._graph.n, self._graph.m
        each = _PAIR_BYTES * max(n, 1)
        found = max(min(pairs, max(_BLOCK_BYTES // each, threads)), 1)
        kernel = min(threads, found) * (_THREAD_BYTES * n + _ARC_BYTES * m)
        refuse_unless_fits(each * found + kernel, f"the shortest path trees of {found:,} pairs", "fewer threads")
        return found

    def find(
        self, sources: IntArray, targets: IntArray, trees: tuple[Trees, Trees], *, threads: int,
        progress: KernelProgress | None,
    ) -> Paths:  # fmt: skip
        """Return the numbers of paths of the pairs, offsets and vertices.

        Parameters
        ----------
        sources, targets : (pairs,) int32
        trees : pair of Trees
            From the sources, and to the targets.
        """
        forward, backward = trees
        limits = self._limits
        found: Paths = _cpu.via_paths(
            self._arcs, forward=forward.rows, backward=backward.rows, sources=sources, targets=targets,
            forward_rows=forward.of_pairs, backward_rows=backward.of_pairs, k=self._k, stretch=limits.stretch,
            sharing=limits.sharing, local_optimality=limits.local_optimality, rounding=self._rounding(),
            threads=threads, progress=progress,
        )  # fmt: skip
        return found

    def _rounding(self) -> float:
        """The relative error of a distance."""
        weights, n = self._graph.weights, self._graph.n
        if weights is None or (weights.dtype.kind != "f" and int(weights.max(initial=0)) * n < _EXACT):
            return 0.0
        width = weights.dtype if weights.dtype.kind == "f" else np.dtype(np.float64)
        return 4 * ((n + 2) * float(np.finfo(np.float64).eps) + float(np.finfo(width).eps))

    def joined(self, parts: list[Paths]) -> ManyPaths:
        """The paths of all pairs with their lengths, from those of one block after another."""
        graph = self._graph
        counts, sizes, vertices = ([np.zeros(0, dtype=kind)] for kind in (np.int64, np.int64, np.int32))
        for count, offsets, positions in parts:
            counts.append(count)
            sizes.append(np.diff(offsets))
            vertices.append(positions)
        offsets, pairs = (np.concatenate([[0], np.cumsum(np.concatenate(each))]) for each in (sizes, counts))
        every = np.concatenate(vertices)
        lengths = [length(graph, path.tolist()) for path in np.split(every, offsets[1:-1]) if len(path)]
        dtype = np.int64 if graph.weights is None or graph.has_integer_weights else graph.weights.dtype
        return ManyPaths(offsets, every, np.array(lengths, dtype=dtype), graph.labels, graph=graph, pair_offsets=pairs)


def share(value: float, word: str) -> float:
    """A share of the distance; RequestError unless it is between 0 and 1."""
    found = float(number(value, word, least=0))
    if found > 1:
        raise RequestError(f"{word} is a share of the distance, from 0 to 1, not {found:g}")
    return found
