"""A factor on a GPU: computes all distances, or rows of them, in device memory.

Input: a factor that the CPU computed. Output: distances in public values. Cost and idea: see kernels/sweeps.py. Raises
DtypeRangeError.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import DtypeRangeError
from apsp.gpu import jit
from apsp.gpu.memory import free_bytes
from apsp.gpu.page import Page
from apsp.gpu.staging import HostCopy
from apsp.graph.csr import arc_lengths
from apsp.graph.model import Graph
from apsp.methods.elimination.factor import Factor
from apsp.methods.elimination.kernels.layout import distinct
from apsp.methods.elimination.kernels.room import lines_bytes
from apsp.methods.elimination.kernels.sweeps import DownLines, Sweeps
from apsp.methods.elimination.kernels.tally import numbers_of, tally_lines
from apsp.methods.elimination.kernels.tree_on_gpu import TreeOnGpu
from apsp.methods.elimination.kernels.within import DTYPES, NearLines
from apsp.methods.elimination.pairs_on_gpu import PairsOnGpu
from apsp.methods.elimination.values_on_gpu import values_here
from apsp.methods.label_correcting.kernels.labels import longest_arc
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.rows.shared_rows import Parts, summed
from apsp.reductions.row_sums import RowSums
from apsp.reductions.weighing import Weighing
from apsp.system.cached import cached_property

__all__ = ["FactorOnGpu", "can_weigh", "has_sums", "lanes_at_once", "near_lanes_at_once"]

_WARP = 32

_TILE, _MOST_NEAR, _NEAR_SHARE = 256, 1 << 15, 0.4
"""Lanes of the widest tile, and the largest number of sources that are weighed together; the share of the free memory
in which their lines lie.
"""


def lanes_at_once(graph: Graph, itemsize: int, gpu: int, gpu_memory: int | None = None) -> int:
    """Return how many sources are computed together on a GPU if all lines are needed."""
    of_lane = max(graph.n * itemsize, 1)
    fitting = lines_bytes(free_bytes(gpu, gpu_memory), of_lane) // of_lane
    if graph.zones is not None and graph.has_zones:  # the heads of their arcs need lanes, too
        fitting //= 1 + int(np.ceil(np.diff(graph.indptr)[graph.zones].mean()))
    return max(fitting - fitting % _WARP, _WARP)


def has_sums(graph: Graph, dtype: np.dtype[Any]) -> bool:
    """Whether lines can be summed up: sums of int64 may overflow, and floats are rounded by row."""
    return dtype.name in ("uint16", "int32") or (dtype.kind == "f" and not graph.has_negative_arc)


def can_weigh(graph: Graph, dtype: np.dtype[Any]) -> bool:
    """Whether `FactorOnGpu.weigh` can add up amounts."""
    return dtype.name in DTYPES and not graph.has_negative_arc and not graph.has_zones


def near_lanes_at_once(graph: Graph, itemsize: int, gpu: int, gpu_memory: int | None = None) -> int:
    """Return how many sources are weighed together on a GPU: few of their lines are read, so many are needed."""
    fitting = int(free_bytes(gpu, gpu_memory) * _NEAR_SHARE / max(graph.n * itemsize, 1))
    return max(min(fitting, _MOST_NEAR) // _TILE * _TILE, _TILE)


class FactorOnGpu:
    """A factor on the current GPU, from which rows of distances are computed.

    Parameters
    ----------
    factor : Factor
    cutoff : number or None
        Longer distances are written as "no path"; only if no arc is negative.
    tree : TreeOnGpu, optional
        That of the factor, if it is on this GPU already.
    """

    def __init__(self, factor: Factor, cutoff: float | None, tree: TreeOnGpu | None = None) -> None:
        graph = factor.graph
        nonnegative = not graph.has_negative_arc
        self.factor = factor
        self.cutoff = cutoff if nonnegative else None
        values, tree = values_here(factor), tree or TreeOnGpu(factor.tree.layout)
        self.sweeps = Sweeps(tree, values, nonnegative=nonnegative)
        self._all: tuple[DownLines, Page] | None = None
        self._latest: tuple[IntArray, DownLines, Page] | None = None

    def matrix(self, dist: Page, progress: KernelProgress | None) -> None:
        """Write all distances (n, n); there are no zones.

        Raises
        ------
        DtypeRangeError
        """
        n, width = self.sweeps.n, self.sweeps.lanes_at_once()
        for first in range(0, n, width):
            last = min(first + width, n)
            self.sweeps.matrix(dist, first, last, self.cutoff)
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
        self._refuse_unless_in_range()

    def measure(self, sources: IntArray, lanes: int, progress: KernelProgress | None = None) -> RowSums:
        """Sum up the rows of some vertices, at most `lanes` of them at a time; see `measure_parts`."""
        sums = RowSums.empty(sources, self.factor.dtype)
        count = max(-(-len(sources) // lanes), 1)
        # Parts of equal size: few lanes take nearly as long as many.
        self.measure_parts(Parts(len(sources), -(-len(sources) // count)), sums, summed(progress))
        return sums

    def measure_parts(self, parts: Iterator[slice], sums: RowSums, done: Callable[[int], None]) -> None:
        """Sum up the rows of `sums.sources` in the slices of `parts`; needs `has_sums`.

        Rows are never stored. A part is queued while the previous one is computed.

        Parameters
        ----------
        done : callable
            Called after each part with its number of rows.

        Raises
        ------
        DtypeRangeError
        """
        cupy = jit.cupy()
        lines, _ = self._lines(None)
        vertices = cupy.asarray(self.factor.tree.order)
        queued: list[tuple[slice, list[Page], Any]] = []
        for part in parts:
            rows, event = sums.sources[part], cupy.cuda.Event(block=True, disable_timing=True)
            numbers = tally_lines(self._found(rows, lines), len(rows), vertices)
            event.record(cupy.cuda.get_current_stream())
            queued.append((part, numbers, event))
            _wait(queued[-2:-1], done)
        _wait(queued[-1:], done)
        self._refuse_unless_in_range()
        for part, numbers, _ in queued:
            for name, values in numbers_of(numbers)._asdict().items():
                getattr(sums, name)[part] = values

    def weigh(
        self, sources: IntArray, weighing: Weighing, lanes: int, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Sums of amounts over the rows of some vertices, (S, cutoffs, kinds), at most `lanes` of them at a time.

        There is a source; there are no zones and no negative arcs.
        """
        layout, shape = self.sweeps.layout, (len(weighing.cutoffs), weighing.amounts.shape[1])
        places, lane = distinct(layout.place[sources], layout.n)
        near, found = NearLines(self.sweeps, weighing), np.empty((len(sources), *shape))
        row = np.empty(len(places), dtype=np.int64)  # of a source at each place
        row[lane] = np.arange(len(sources))
        parts = Parts(len(places), -(-len(places) // -(-len(places) // lanes)))  # of equal size
        queued: list[tuple[slice, HostCopy]] = []

        def collect() -> None:
            part, sums = queued.pop(0)
            found[row[part]] = sums.wait().reshape(-1, *shape)
            if progress is not None:
                progress(part.stop * len(sources) // len(places))

        for part in parts:
            queued.append((part, HostCopy(near.sums(places[part]).reshape(-1, shape[0] * shape[1]))))
            if len(queued) > 1:  # while the last one is computed
                collect()
        collect()
        return found if len(places) == len(sources) else found[row[lane]]

    def pairs(
        self, sources: IntArray, targets: IntArray, dist: npt.NDArray[Any], progress: KernelProgress | None
    ) -> None:
        """Write dist (k,), on the host: the distance of every pair. There are no zones."""
        self.many_pairs.fill(sources, targets, dist, progress)

    @cached_property
    def many_pairs(self) -> PairsOnGpu:
        """Its pairs. There are no zones."""
        return PairsOnGpu(self.sweeps, jit.current_device(), mirrored=self.factor.is_mirrored)

    def _found(self, sources: IntArray, lines: DownLines) -> Page:
        """Compute the lines of some sources."""
        closed = self.factor.graph.zones
        if closed is None or not closed[sources].any():
            return self.sweeps.lines(sources, lines, self.cutoff)
        return self._from_zones(sources, lines)

    def _lines(self, targets: IntArray | None) -> tuple[DownLines, Page]:
        """Return the lines of the targets and of the vertices above them, and which lines belong to the targets."""
        cupy, sweeps, place = jit.cupy(), self.sweeps, self.sweeps.layout.place
        if targets is None:
            if self._all is None:
                self._all = sweeps.whole_lines(), cupy.asarray(place)
            return self._all
        known = self._latest  # another thread may replace it
        if known is None or not np.array_equal(known[0], targets):
            lines = sweeps.lines_for(targets)
            known = self._latest = targets.copy(), lines, lines.of_place[cupy.asarray(place[targets])]
        return known[1:]

    def _refuse_unless_in_range(self) -> None:
        if not self.sweeps.in_range():
            dtype = self.factor.dtype
            raise DtypeRangeError(f"{dtype} is too narrow for the distances of this graph; use a wider dtype")

    def _from_zones(self, sources: IntArray, lines: DownLines) -> Page:
        """The factor does not contain arcs out of zones: the heads of these arcs become lanes, too."""
        graph, dtype = self.factor.graph, self.factor.dtype
        assert graph.zones is not None
        listed = np.flatnonzero(graph.zones[sources])
        begins = graph.indptr[sources[listed]]
        counts = graph.indptr[sources[listed] + 1] - begins
        start = np.concatenate([[0], np.cumsum(counts)])
        arcs = np.repeat(begins - start[:-1], counts) + np.arange(start[-1])
        heads, of_arc = np.unique(graph.indices[arcs], return_inverse=True)
        found = self.sweeps.lines(np.concatenate([sources, heads]), lines, self.cutoff)
        weights = arc_lengths(graph, dtype)[arcs]
        if dtype.kind != "f":
            weights = np.minimum(weights, longest_arc(dtype)).astype(dtype)
        self.sweeps.leave_zones(found, listed, start, len(sources) + of_arc, weights, self.cutoff)
        return found


def _wait(queued: list[tuple[slice, list[Page], Any]], done: Callable[[int], None]) -> None:
    for part, _, event in queued:
        event.synchronize()
        done(part.stop - part.start)
