"""The vertices within a cutoff of every source, on a GPU: see kernels/near_pairs.cu.

Input: a graph without negative arcs. Output: `NearRows`, with the same distances as `NearFinder`, to the last bit:
both are the least sums over all paths, added up from the source on. Cost: of a source what the vertices and arcs within
the cutoff cost, a few times; device memory for 8 arcs per vertex. Sources that reach more than a table can hold, about
10,000 vertices, are searched on the CPU.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.gpu import jit
from apsp.gpu.memory import on_gpu
from apsp.gpu.staging import through_pinned
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.graph.model import Graph
from apsp.methods.label_correcting.kernels.label_correcting import bucket_width
from apsp.methods.label_correcting.kernels.labels import KINDS
from apsp.methods.label_correcting.kernels.near_pairs import NearPairs, NearRequest
from apsp.methods.problem import IntArray, KernelProgress
from apsp.methods.rows.kernels.arcs import csr_on_device
from apsp.methods.searches.near import NearFinder, NearRows, near_searches
from apsp.reductions.kernels.weigh import AmountsOnDevice
from apsp.reductions.weighing import Weighing
from apsp.semiring import MIN_PLUS, Algebra, bound_in
from apsp.system.cached import cached_property

__all__ = ["NearSearchesOnGpu"]

_ROWS = 1 << 14
"""Sources between two reports of progress."""

_PROBES, _FEW = 64, 0.05
"""Sources that are searched from to see whether tables have room, and the share of them that may have none."""


class NearSearchesOnGpu:
    """Searches over one graph; the arcs are copied once for all calls with the same cutoff.

    Parameters
    ----------
    graph : Graph
        Without negative arcs.
    dtype : numpy dtype
        Of the distances: it must hold all that are found.
    gpu : int
    """

    def __init__(self, graph: Graph, dtype: np.dtype[Any], gpu: int = 0) -> None:
        self.graph, self.dtype, self.gpu = graph, dtype, gpu
        self._within: tuple[float | None, NearPairs] | None = None
        self._host: NearFinder | None = None

    def find(
        self, sources: IntArray, cutoff: float | None, *, k: int | None = None,
        is_target: npt.NDArray[np.bool_] | None = None, own: bool = True, hops: bool = False, by_target: bool = False,
        most: int = 2**62, threads: int = 1, progress: KernelProgress | None = None,
    ) -> NearRows | None:  # fmt: skip
        """Return the pairs of some sources, as `NearFinder.find` does."""
        parts: list[NearRows] = []
        pairs = 0
        with on_gpu(self.gpu):
            targets = None if is_target is None else jit.cupy().asarray(is_target)
        request = NearRequest(k, targets, own, hops, by_target)
        for start in range(0, len(sources), _ROWS):
            some = sources[start : start + _ROWS]
            with on_gpu(self.gpu):
                columns, wide = self._pairs(cutoff).find(some, self.dtype, request)
                pages = [page.reshape(1, -1) for page in columns[1:] if page is not None]
                arrays = [values[0] for values in through_pinned(*pages)]
            part = NearRows(columns.starts, *arrays)
            if len(wide):
                searched = self._on_host(
                    some[wide], cutoff, k=k, is_target=is_target, own=own, hops=hops, by_target=by_target,
                    most=max(most - pairs, 0), threads=threads,
                )  # fmt: skip
                if searched is None:
                    return None
                part = _with_rows(part, wide, searched)
            pairs += len(part.targets)
            if pairs > most:
                return None
            parts.append(part)
            if progress is not None:
                progress(start + len(some))
        return NearRows.joined(parts, self.dtype, hops=hops)

    def has_room(self, cutoff: float | None) -> bool:
        """Whether tables hold what is within the cutoff of most sources, by searches from some of them."""
        some = np.linspace(0, self.graph.n - 1, min(self.graph.n, _PROBES)).astype(np.int32)
        with on_gpu(self.gpu):
            _, wide = self._pairs(cutoff).find(some, self.dtype, NearRequest())
        return len(wide) <= _FEW * len(some)

    def weigh(
        self, sources: IntArray, weighing: Weighing, threads: int = 1, progress: KernelProgress | None = None
    ) -> npt.NDArray[np.float64]:
        """Return the sums of amounts over the vertices within the cutoffs, (S, cutoffs, kinds)."""
        sums = weighing.empty(len(sources))
        with on_gpu(self.gpu):
            amounts, pairs = AmountsOnDevice(weighing), self._pairs(weighing.cutoffs[-1])
            for start in range(0, len(sources), _ROWS):
                part = slice(start, start + _ROWS)
                some = sources[part]
                sums[part], wide = pairs.weigh(some, self.dtype, amounts)
                if len(wide):
                    on_host = weighing.empty(len(wide))
                    _cpu.dijkstra_weigh(self._arcs_on_host, some[wide], weighing.arrays(self.dtype, on_host), threads)
                    sums[start + wide] = on_host
                if progress is not None:
                    progress(start + len(some))
        return sums

    def _pairs(self, cutoff: float | None) -> NearPairs:
        if self._within is None or self._within[0] != cutoff:
            graph, bound = self.graph, bound_in(cutoff, self.dtype)
            name = "int32" if self.dtype.kind == "u" else self.dtype.name
            if self.dtype == np.int32 and (bound is None or bound >= KINDS[name].none):
                name = "int64"
            weights = np.ones(1) if graph.weights is None else graph.weights
            bucket = bucket_width(weights, np.diff(graph.indptr)) if graph.m else 1.0
            arcs = csr_on_device(graph, np.dtype(name), Algebra(MIN_PLUS, True), 0, graph.n)
            self._within = cutoff, NearPairs(arcs, name, bound, bucket)
        return self._within[1]

    @cached_property
    def _arcs_on_host(self) -> _cpu.ArcArrays:
        return arc_arrays(self.graph, arc_lengths(self.graph, self.dtype))

    def _on_host(self, sources: IntArray, cutoff: float | None, **request: Any) -> NearRows | None:
        if self._host is None:
            self._host = near_searches(self.graph, self.dtype, len(sources))
        return self._host.find(sources, cutoff, **request)


def _with_rows(part: NearRows, which: IntArray, rows: NearRows) -> NearRows:
    """Put other rows into the places of those that are empty."""
    counts = np.diff(part.starts)
    counts[which] = np.diff(rows.starts)
    starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts)])
    is_other = np.zeros(len(counts), dtype=bool)
    is_other[which] = True
    is_other = np.repeat(is_other, counts)
    found = NearRows.of(starts, rows.distances.dtype, hops=rows.next_hops is not None, costs=0)
    for name in ("targets", "distances", "next_hops"):
        column = getattr(found, name)
        if column is not None:
            column[is_other], column[~is_other] = getattr(rows, name), getattr(part, name)
    return found
