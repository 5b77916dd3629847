"""A factor on a GPU: all distances, or rows of them, in memory of the device.

Input: a factor that the CPU made. Output: distances in public values. Cost and idea: see cuda/elimination.py. Raises
DtypeRangeError.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.backend import Page
from apsp.cuda import jit
from apsp.cuda.elimination import Lines, Sweeps, lines_bytes
from apsp.cuda.labels import longest_arc
from apsp.cuda.memory import free_bytes
from apsp.cuda.tally import numbers_of, tally_lines
from apsp.errors import DtypeRangeError
from apsp.solvers.problem import IntArray, KernelProgress, RowSums
from apsp.solvers.sparse.factor import Factor
from apsp.solvers.sparse.request import arc_lengths

__all__ = ["FactorOnGpu", "lanes_at_once"]

_WARP = 32


def lanes_at_once(n: int, itemsize: int, gpu: int, gpu_memory: int | None = None) -> int:
    """Sources whose lines are computed together on a GPU, where all lines are needed."""
    fitting = lines_bytes(free_bytes(gpu, gpu_memory)) // max(n * itemsize, 1)
    return max(fitting - fitting % _WARP, _WARP)


class FactorOnGpu:
    """A factor on the current GPU, and rows of distances from it.

    Parameters
    ----------
    factor : Factor
    cutoff : number or None
        Longer distances are written as "no path"; only where no arc is negative.
    """

    def __init__(self, factor: Factor, cutoff: float | None) -> None:
        graph = factor.graph
        nonnegative = not graph.has_negative_arc
        self.factor = factor
        self.cutoff = cutoff if nonnegative else None
        self.sweeps = Sweeps(factor.tree.layout, factor.values, nonnegative=nonnegative)
        self._blurred = not nonnegative and factor.dtype.kind == "f"
        self._all: tuple[Lines, Page] | None = None

    def matrix(self, dist: Page, progress: KernelProgress | None) -> None:
        """Write all distances (n, n); there are no terminals.

        Raises
        ------
        DtypeRangeError
        """
        n, width = self.sweeps.n, self.sweeps.lanes_at_once()
        for first in range(0, n, width):
            last = min(first + width, n)
            self.sweeps.matrix(dist, first, last, self.cutoff)
            if self._blurred:
                _end_rounding(dist, np.arange(first, last), np.arange(first, last))
            if progress is not None and last < n:
                jit.cupy().cuda.get_current_stream().synchronize()
                progress(last)
        self._refuse_unless_in_range()

    def rows(self, sources: IntArray, dist: Page, targets: IntArray | None) -> None:
        """Write the rows of sources (S,), dist (S, T), for targets (T,) or all vertices.

        Raises
        ------
        DtypeRangeError
        """
        if dist.size == 0:
            return
        lines, of = self._lines(targets)
        self.sweeps.turn(self._found(sources, lines), of, dist)
        if self._blurred:
            same = (np.arange(len(sources)), sources) if targets is None else np.nonzero(sources[:, None] == targets)
            _end_rounding(dist, *same)
        self._refuse_unless_in_range()

    def measure(self, sources: IntArray, height: int, progress: KernelProgress | None = None) -> RowSums:
        """Sums over the rows of some vertices, which are never made; the distances are integers.

        Parameters
        ----------
        height : int
            Sources at a time, at most.

        Raises
        ------
        DtypeRangeError
        """
        lines, _ = self._lines(None)
        vertices = jit.cupy().asarray(self.factor.tree.order)
        tallied, parts = [], -(-len(sources) // height)
        height = -(-len(sources) // max(parts, 1))  # all alike: few lanes take nearly as long as many
        for start in range(0, len(sources), max(height, 1)):
            part = sources[start : start + height]
            tallied.append(tally_lines(self._found(part, lines), len(part), vertices))
            if progress is not None:
                jit.cupy().cuda.get_current_stream().synchronize()
                progress(start + len(part))
        self._refuse_unless_in_range()
        numbers = numbers_of(tallied, self.factor.dtype)
        return RowSums(
            sources, numbers.reached, numbers.total, numbers.reciprocals, numbers.largest.astype(np.int32),
            numbers.farthest,
        )  # fmt: skip

    def _found(self, sources: IntArray, lines: Lines) -> Page:
        """The lines of some sources."""
        closed = self.factor.graph.terminals
        if closed is None or not closed[sources].any():
            return self.sweeps.lines(sources, lines, self.cutoff)
        return self._from_terminals(sources, lines)

    def _lines(self, targets: IntArray | None) -> tuple[Lines, Page]:
        """The lines of the targets and of what lies above them, and which of them the targets' are."""
        cupy, sweeps, place = jit.cupy(), self.sweeps, self.sweeps.layout.place
        if targets is None:
            if self._all is None:
                self._all = sweeps.whole_lines(), cupy.asarray(place)
            return self._all
        lines = sweeps.lines_for(targets)
        return lines, lines.of_place[cupy.asarray(place[targets])]

    def _refuse_unless_in_range(self) -> None:
        if not self.sweeps.in_range():
            dtype = self.factor.dtype
            raise DtypeRangeError(f"{dtype} is too narrow for the distances of this graph; ask for a wider dtype")

    def _from_terminals(self, sources: IntArray, lines: Lines) -> Page:
        """Terminals are in no factor with the arcs that leave them: the heads of those become lanes as well."""
        graph, dtype = self.factor.graph, self.factor.dtype
        assert graph.terminals is not None
        listed = np.flatnonzero(graph.terminals[sources])
        begins = graph.indptr[sources[listed]]
        counts = graph.indptr[sources[listed] + 1] - begins
        start = np.concatenate([[0], np.cumsum(counts)])
        arcs = np.repeat(begins - start[:-1], counts) + np.arange(start[-1])
        lanes = np.concatenate([sources, graph.indices[arcs]])
        found = self.sweeps.lines(lanes, lines, self.cutoff)
        weights = arc_lengths(graph, dtype)[arcs]
        if dtype.kind != "f":
            weights = np.minimum(weights, longest_arc(dtype)).astype(dtype)
        heads = len(sources) + np.arange(start[-1])
        self.sweeps.leave_terminals(found, listed, start, heads, weights, self.cutoff)
        return found


def _end_rounding(dist: Page, rows: npt.NDArray[Any], columns: npt.NDArray[Any]) -> None:
    """There is no negative cycle: what a vertex is nearer to itself than 0, at (rows[k], columns[k]), is rounding."""
    at = jit.cupy().asarray(rows), jit.cupy().asarray(columns)
    dist[at] = jit.cupy().maximum(dist[at], 0)
