"""The paths of a pair by way of a vertex: a shortest path to it and a shortest path from it.

Sources: Abraham, Delling, Goldberg and Werneck 2013, "Alternative routes in road networks", ACM Journal of Experimental
Algorithmics 18 (limits and order of the candidates); Cambridge Vehicle Information Technology 2005, "Choice routing"
(plateaus).
Input: no negative arc. Cost: the shortest path trees from the source and to the target, O(n log n) for the candidates,
then, for each one that is looked at, its vertices and some distances.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.arc_positions import arcs_between
from apsp.graph.model import Graph
from apsp.methods.problem import IntArray

__all__ = ["Limits", "Tree", "ViaPaths"]

Floats = npt.NDArray[np.float64]
Distances = Callable[[IntArray, IntArray], npt.NDArray[Any]]


@dataclass(frozen=True)
class Limits:
    """What alternatives must satisfy; each is a share of the distance of the pair, `stretch` at least 1."""

    stretch: float
    sharing: float
    local_optimality: float


@dataclass(frozen=True)
class Tree:
    """A shortest path tree.

    Attributes
    ----------
    distances : (n,) array
        From the root, or to it; infinity where there is no path.
    next : (n,) int32
        The next vertex towards the root; itself at the root and where there is no path.
    """

    distances: npt.NDArray[np.float64]
    next: IntArray

    def walk(self, vertex: int) -> list[int]:
        """The vertices from one to the root."""
        found = [vertex]
        while (after := int(self.next[found[-1]])) != found[-1]:
            found.append(after)
        return found

    def last(self, marked: npt.NDArray[np.bool_]) -> IntArray:
        """The first marked vertex on the way from each vertex to the root, which is marked."""
        found = np.where(marked, np.arange(len(self.next), dtype=np.int32), self.next)
        while True:
            further = found[found]
            if (further == found).all():
                return found
            found = further


class ViaPaths:
    """The candidates of a pair, and those that are admissible.

    Parameters
    ----------
    forward, backward : Tree
        From the source, and to the target; there is a path.
    distances : callable
        The distances of pairs of positions.
    """

    def __init__(self, graph: Graph, forward: Tree, backward: Tree, limits: Limits, distances: Distances) -> None:
        self._graph, self._forward, self._backward = graph, forward, backward
        self._limits, self._distances = limits, distances

    @np.errstate(over="ignore")  # an infinite sum is longer than any limit
    def find(self, source: int, target: int, k: int) -> list[IntArray]:
        """Return the shortest path, and up to k - 1 alternatives in the order in which they are chosen."""
        forward, backward, limits = self._forward, self._backward, self._limits
        shortest = np.array(forward.walk(target)[::-1], dtype=np.int32)
        chosen = [shortest]
        if k == 1 or source == target:
            return chosen
        backward.next[shortest[:-1]] = shortest[1:]  # of several shortest paths, both trees have the same
        taken = self._arcs(shortest)
        distance = float(self._lengths(taken).sum())  # rows of float32 are rounded
        for first, last in self._candidates(shortest, distance):
            path = np.array([*forward.walk(first)[:0:-1], *backward.walk(first)], dtype=np.int32)
            arcs = self._arcs(path)
            lengths = self._lengths(arcs)
            if len(np.unique(path)) < len(path):
                continue
            if lengths.sum() > limits.stretch * distance:
                continue
            if lengths[np.isin(arcs, taken)].sum() > limits.sharing * distance:
                continue
            if not self._is_locally_optimal(path, lengths, (first, last), limits.local_optimality * distance):
                continue
            chosen.append(path)
            taken = np.union1d(taken, arcs)
            if len(chosen) == k:
                break
        return chosen

    def _candidates(self, shortest: IntArray, distance: float) -> list[tuple[int, int]]:
        """The first and the last vertex of each plateau within the limits, best first: a plateau is a common part of
        both trees, whose vertices have the same path.
        """
        forward, backward, limits = self._forward, self._backward, self._limits
        lengths = forward.distances + backward.distances
        own = np.arange(self._graph.n, dtype=np.int32)
        before, after = forward.next, backward.next
        starts = (after[before] != own) | (before == own)
        ends = (before[after] != own) | (after == own)
        first_of = Tree(forward.distances, np.where(starts, own, before)).last(starts)
        on_path = np.zeros(self._graph.n, dtype=bool)
        on_path[shortest] = True
        leaves = forward.distances[forward.last(on_path | (before == own))]
        returns = backward.distances[backward.last(on_path | (after == own))]
        last = np.flatnonzero(ends & ~on_path & (lengths <= limits.stretch * distance))
        if self._graph.zones is not None:
            last = last[~self._graph.zones[last]]
        first = first_of[last]
        shared = (leaves + returns)[last]
        plateau = forward.distances[last] - forward.distances[first]
        within = (shared <= limits.sharing * distance) & (before[first] != after[last])
        first, last = first[within], last[within]
        rank = (2 * lengths[last] + shared[within] - plateau[within]).tolist()
        order = sorted(range(len(last)), key=lambda i: (rank[i], int(last[i])))
        return [(int(first[i]), int(last[i])) for i in order]

    def _is_locally_optimal(self, path: IntArray, lengths: Floats, plateau: tuple[int, int], limit: float) -> bool:
        """Whether each part that is shorter than the limit without its last arc is a shortest path.

        That holds for all parts up to the end of the plateau, and for all from its beginning on.
        """
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        first, last = (int(np.flatnonzero(path == vertex)[0]) for vertex in plateau)
        low = int(np.searchsorted(along, along[last] - limit, side="right"))
        starts = np.arange(low, first)
        ends = np.minimum(np.searchsorted(along, along[starts] + limit), len(path) - 1)
        starts, ends = starts[ends > last], ends[ends > last]
        if not len(starts):
            return True
        if self._are_shortest(path, along, starts[:1], ends[-1:]):  # all other parts are parts of it
            return True
        return self._are_shortest(path, along, starts, ends)

    def _are_shortest(self, path: IntArray, along: Floats, starts: Any, ends: Any) -> bool:
        parts = along[ends] - along[starts]
        found = self._distances(path[starts], path[ends])
        return bool((parts <= found + along[-1] * 8 * len(path) * np.finfo(np.float64).eps).all())

    def _arcs(self, path: IntArray) -> npt.NDArray[np.int64]:
        found: npt.NDArray[np.int64] = arcs_between(self._graph.indptr, self._graph.indices, path[:-1], path[1:])
        return found

    def _lengths(self, arcs: npt.NDArray[np.int64]) -> Floats:
        weights = self._graph.weights
        return np.ones(len(arcs)) if weights is None else weights[arcs].astype(np.float64)
