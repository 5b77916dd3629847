"""All shortest paths of a pair, from the predecessors of all vertices on shortest paths from its source.

Cost: O(n + m) for the vertices and arcs between source and target; then the arcs of each path, if no cycle has length
zero. A vertex of such a cycle is entered only if the cycle can still be left, which a search inside it finds out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.facts.ties import comparable_lengths
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph

__all__ = ["TiedArcs", "tied_predecessors"]

Csr = tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]


def tied_predecessors(graph: Graph, source: int, cutoff: float | None) -> Csr:
    """The vertices before each vertex on the shortest paths from a source.

    Parameters
    ----------
    source : int
        Position.
    cutoff : int or float, optional
        Where the search may end; ignored if there are negative arcs.

    Returns
    -------
    indptr, indices : (n + 1,) int64, (k,) int32
        Those before v are indices[indptr[v] : indptr[v + 1]], ascending.

    Raises
    ------
    RequestError, DtypeRangeError, NegativeCycleError
        As `apsp.facts.ties.comparable_lengths`.
    """
    lengths = comparable_lengths(graph, np.array([source], dtype=np.int32), cutoff)
    if lengths.pop("heights") is not None:
        lengths["cutoff"] = None  # it would be one of reduced lengths
    arcs = arc_arrays(graph, lengths["weights"])
    return _cpu.tied_predecessors(arcs, source=source, cutoff=lengths["cutoff"])


class TiedArcs:
    """The arcs of all shortest paths from a source to a target, and the paths along them.

    Parameters
    ----------
    before : (indptr, indices)
        From `tied_predecessors`.
    source, target : int
        Positions; there is a path.
    """

    def __init__(self, before: Csr, source: int, target: int) -> None:
        indptr, indices = before
        self.source, self.target = source, target
        heads = np.repeat(np.arange(len(indptr) - 1, dtype=np.int32), np.diff(indptr))
        kept = np.flatnonzero(_leads_to(before, target)[heads])
        kept = kept[np.argsort(indices[kept], kind="stable")]  # by tail, then by head
        degrees = np.bincount(indices[kept], minlength=len(indptr) - 1)
        self._start = np.concatenate(([0], np.cumsum(degrees)))
        self._heads = heads[kept]
        parts, component = _cpu.strong_components(_cpu.ArcArrays(self._start, self._heads))
        self._component = None if parts == len(component) else component

    def after(self, vertex: int) -> list[int]:
        """The vertices after a vertex, ascending."""
        found: list[int] = self._heads[self._start[vertex] : self._start[vertex + 1]].tolist()
        return found

    def paths(self) -> Iterator[list[int]]:
        """Yield the paths that visit no vertex twice, in lexicographic order."""
        path, seen = [self.source], {self.source}
        if self.source == self.target:
            yield path
            return
        choices = [iter(self.after(self.source))]
        while choices:
            for vertex in choices[-1]:
                if vertex == self.target:
                    yield [*path, vertex]
                elif self._component is None or self._may_enter(vertex, path[-1], seen):
                    path.append(vertex)
                    seen.add(vertex)
                    choices.append(iter(self.after(vertex)))
                    break
            else:
                choices.pop()
                seen.discard(path.pop())

    def _may_enter(self, vertex: int, tail: int, seen: set[int]) -> bool:
        """Whether a path that came to `tail` by the vertices in `seen` can go on by `vertex`."""
        component: Any = self._component
        inside = component[vertex]
        if component[tail] != inside:
            return True
        if vertex in seen:
            return False
        reached, waiting = {vertex}, [vertex]
        while waiting:
            for head in self.after(waiting.pop()):
                if component[head] != inside or head == self.target:
                    return True
                if head not in seen and head not in reached:
                    reached.add(head)
                    waiting.append(head)
        return False


def _leads_to(before: Csr, target: int) -> npt.NDArray[np.bool_]:
    """Which vertices lie on paths to the target, itself included."""
    indptr, indices = before
    hops = np.empty((1, len(indptr) - 1), dtype=np.int32)
    _cpu.bfs_rows(_cpu.ArcArrays(indptr, indices), _cpu.RowArrays(np.array([target], dtype=np.int32), hops))
    found: npt.NDArray[np.bool_] = hops[0] != np.iinfo(np.int32).max
    return found
