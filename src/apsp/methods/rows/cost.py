"""Cost on GPUs of methods that work row by row: placement of the rows, bytes and seconds.

The models count arcs and vertices times sources over a measured rate, and rounds that a path of many arcs takes. The
planner measures that number of arcs (facts/depth.py), or estimates it from the degrees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from apsp.facts.facts import Facts
from apsp.facts.gpu_rates import GpuRates, rates_of
from apsp.facts.placement import Placement, usable_on
from apsp.facts.remedies import host_has_room, refuse_on_gpus, remedies
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.facts.work import Work
from apsp.gpu.staging import BLOCK_BYTES
from apsp.methods.cost import CostModel, OnGpus, result_bytes, stays_there
from apsp.system.machine import usable

__all__ = ["RowsCost", "bytes_of_arcs", "zero_bytes", "zero_seconds"]

_LINES_BYTES = 256 << 20
"""Bytes of rows computed together while predecessors are found."""

_ROW_TO_HOST = 1.2e10
"""Bytes per second through pinned buffers into new memory of the host."""

_LEAVING = 0.5
"""The speed of copies of rows to the host grows with this power of the number of GPUs, which share the host's
memory."""

_ZERO = 1.0
"""Predecessors inside components of arcs of length zero, in units of visiting a vertex, per vertex and source."""

_ARC_CYCLE = 0.0015
"""Seconds for the upload and the launches, besides the start of CUDA."""


class RowsCost(CostModel):
    """A method whose rows are computed on GPUs."""

    by_head = False
    """Whether the arcs are stored there by head too, even without predecessors."""

    def search_bytes(
        self, statistics: GraphStatistics, request: Request, dtype: str, usable: int, *, stays: bool
    ) -> int:
        """Return the device memory of the search, without the arcs by head and the predecessors."""
        raise NotImplementedError

    def search_seconds(self, facts: Facts, work: Work, rates: GpuRates, *, to_host: bool) -> float:
        """Seconds of the search from these rows."""
        raise NotImplementedError

    def words_on(self, gpus: Sequence[int]) -> str | None:  # noqa: ARG002
        """Return a description of the data on each of several GPUs, if it is not the graph."""
        return None

    def place(self, facts: Facts, gpus: Sequence[int]) -> Placement | None:
        """Return the placement: on the GPU if the result is requested there and fits, else copied to the host; None if
        neither fits.

        Each of several GPUs holds the graph (or its factor) and the state of a search, and its rows are copied to the
        host.
        """
        statistics, machine, request, dtype = facts.statistics, facts.machine, facts.request, facts.dtype
        result = result_bytes(facts)
        limit = min(usable_on(machine.gpus[number], request.gpu_memory) for number in gpus)
        blocks, reduced = _bytes_of_blocks(statistics, request, dtype), _bytes_of_reduced(request, result, gpus)
        needed = self._bytes(statistics, request, dtype, limit, stays=True)
        if request.device == "cuda" and len(gpus) == 1 and needed + result <= limit:
            return Placement("device", (gpus[0],), needed + result)
        needed = self._bytes(statistics, request, dtype, limit, stays=False)
        if needed + blocks + reduced <= limit:
            return Placement("rows", tuple(gpus), needed + blocks + reduced, len(gpus) * blocks, self.words_on(gpus))
        return None

    def on_gpus(self, facts: Facts, work: Work, placement: Placement | None, gpus: Sequence[int]) -> OnGpus:
        """Seconds from the graph in host memory to the rows at their destination; each GPU computes its share."""
        n, m = facts.statistics.n, facts.statistics.m
        rates, to_host = rates_of(facts.machine.gpus[gpus[0]]), not stays_there(facts, placement)
        if len(gpus) > 1:
            count = len(gpus)
            work = replace(work, rows=-(-work.rows // count), output_bytes=int(work.output_bytes / count**_LEAVING))
        seconds = self.search_seconds(facts, work, rates, to_host=to_host)
        if work.paths:
            seconds += work.rows * (n + m) / rates.relaxed
        seconds += rates.start + _ARC_CYCLE + m * 20 / rates.from_host
        return OnGpus(seconds + (work.output_bytes / _ROW_TO_HOST if to_host else 0.0), rates)

    def refuse_place(self, facts: Facts, gpus: Sequence[int]) -> None:
        """Raise MemoryLimitError with what would fit."""
        statistics, request, dtype = facts.statistics, facts.request, facts.dtype
        alone = replace(facts, threads=1)

        def fits(changed: Facts, numbers: Sequence[int]) -> str | None:
            if not numbers:
                return "" if result_bytes(changed) <= usable(changed.machine) else None
            return "" if host_has_room(changed, self.place(changed, numbers)) else None

        result = result_bytes(alone)
        stays = result if request.device == "cuda" and len(gpus) == 1 else None
        least = self._least(statistics, request, dtype, stays, _bytes_of_reduced(request, result, gpus)) << 20
        paths = " with paths" if request.paths else ""
        what = f"{self.name} with {statistics.n:,} vertices and {statistics.m:,} arcs in {dtype}{paths}"
        refuse_on_gpus(what, facts, gpus, least, remedies(alone, fits, gpus, least))

    def _least(
        self, statistics: GraphStatistics, request: Request, dtype: str, result: int | None, reduced: int
    ) -> int:
        """Return the minimum MiB of a GPU with which the work can be done; with more, a method may do more at a time.

        Parameters
        ----------
        result : int or None
            Bytes, if it may stay there.
        reduced : int
            Bytes of the blocks that are gathered there.
        """
        least = 1
        while True:
            ways = [self._bytes(statistics, request, dtype, least << 20, stays=False)]
            ways[0] += _bytes_of_blocks(statistics, request, dtype) + reduced
            if result is not None:
                ways.append(self._bytes(statistics, request, dtype, least << 20, stays=True) + result)
            needed = -(-min(ways) >> 20)
            if needed <= least:
                return least
            least = needed

    def _bytes(self, statistics: GraphStatistics, request: Request, dtype: str, usable: int, *, stays: bool) -> int:
        n, m, itemsize = statistics.n, statistics.m, np.dtype(dtype).itemsize
        needed = self.search_bytes(statistics, request, dtype, usable, stays=stays)
        if request.paths or self.by_head:
            needed += bytes_of_arcs(n, m, itemsize) + 28 * m  # by head, and the keys that are sorted
        if request.paths:
            needed += min(_LINES_BYTES, (n + 32) * n * itemsize) + 5 * m
        return needed


def bytes_of_arcs(n: int, m: int, itemsize: int) -> int:
    """Return the bytes of the arcs by tail in device memory."""
    return (4 + itemsize) * m + 9 * n + 16


def zero_seconds(vertex: float, statistics: GraphStatistics) -> float:
    """Return the seconds per source, on the CPU, of predecessors inside components of arcs of length zero."""
    return _ZERO * vertex * statistics.n if statistics.has_zero_arc else 0.0


def zero_bytes(statistics: GraphStatistics, request: Request, threads: int, lanes: int) -> int:
    """Return the bytes of these components, at most half as many as vertices: where so many lanes of each thread enter
    them.
    """
    if not request.paths or not (statistics.has_zero_arc or statistics.has_negative_arc):
        return 0
    return 28 * statistics.n + 4 * statistics.m + 2 * lanes * statistics.n * threads


def _bytes_of_blocks(statistics: GraphStatistics, request: Request, dtype: str) -> int:
    """Return the bytes of two blocks of rows that are copied to the host."""
    row = statistics.n * (np.dtype(dtype).itemsize + (4 if request.paths else 0))
    return 2 * max(BLOCK_BYTES, row) * (2 if request.paths else 1)


def _bytes_of_reduced(request: Request, result: int, gpus: Sequence[int]) -> int:
    """Return the bytes of a block of a stream with rows from several GPUs: measures that need the whole block gather it
    on the first.
    """
    return result // 2 if request.by_rows and len(gpus) > 1 else 0
