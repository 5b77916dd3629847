"""Transitive closure, distributed over processes: one bit per pair.

Source: Warshall 1962; block-cyclic in two dimensions with look-ahead, as floyd_warshall/spmd. Input: any graph; weights
are ignored, every vertex reaches itself, no path passes through a zone. Output: bands of rows of ceil(n / 64) words,
each in one process. Cost: n^3 / 64 (word, pivot) pairs over all processes; panels of n^2 / 8 bytes per row and per
column of the grid. Raises RequestError for blocks of no whole words, MemoryLimitError if the part of this process does
not fit.

The idea: bits are the values of another algebra, with 64 columns per value; the driver is that of Floyd-Warshall.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import MethodRefusedError, RequestError
from apsp.facts.gpu_rates import GpuRates
from apsp.graph.model import Graph
from apsp.methods.backend import Backend
from apsp.methods.closure.bits_backend import CpuBitsBackend
from apsp.methods.closure.on_gpu import PAIRS_A_SECOND
from apsp.methods.distributed import Connection, Parcel
from apsp.methods.floyd_warshall.spmd.driver import PAIRS_OF_CPU, PAIRS_OF_GPU
from apsp.methods.floyd_warshall.spmd.layout import Layout
from apsp.methods.floyd_warshall.spmd.layout import layout as distributed
from apsp.methods.floyd_warshall.spmd.matrix import DistributedMatrix
from apsp.methods.floyd_warshall.spmd.prepare import check_memory
from apsp.semiring import OR_AND, Algebra

__all__ = ["DistributedBits", "layout", "prepare", "refuse", "seconds", "seconds_on_gpu"]

_WORD = 64
_SMALLEST_BLOCK, _LARGEST_BLOCK = 256, 2048

_ZONE_BYTES = 1 << 24
"""Bytes of the rows of zones that a process sends at a time."""

_ROWS_AT_ONCE = 256  # of a union in NumPy

_PROBED = 1024
"""Rows, columns and pivots of the update that is timed for an estimate: about 0.4 ms."""


def layout(n: int, processes: int, block: int | None = None) -> Layout:
    """Choose the grid that is closest to a square, and blocks unless they are given."""
    if block is not None and block % _WORD:
        raise RequestError(
            f"block={block}: bits are distributed in whole words, so block must be a multiple of {_WORD}"
        )
    return distributed(n, 8, processes, block, packed=_WORD, tile=_SMALLEST_BLOCK, most=_LARGEST_BLOCK)


def prepare(
    graph: Graph, connection: Connection, block: int | None, threads: int, gpu: int | None = None
) -> DistributedBits:
    """Allocate the part of this process, in the memory of a GPU if one is named."""
    chosen = layout(graph.n, connection.size, block)
    check_memory(chosen, connection, "the transitive closure", (), gpu)
    backend, grid = _backend(threads, gpu), chosen.grid(connection.rank)
    return DistributedBits(
        graph, chosen, backend.allocate(grid.rows.size, grid.columns.size, np.uint64), backend, connection,
        Algebra(OR_AND, nonnegative=True), PAIRS_OF_CPU * threads if gpu is None else PAIRS_OF_GPU,
    )  # fmt: skip


def _backend(threads: int, gpu: int | None) -> Backend:
    if gpu is None:
        return CpuBitsBackend(threads)
    from apsp.methods.closure.kernels.backend import CudaBitsBackend

    return CudaBitsBackend(gpu)


def refuse(graph: Graph, device: str) -> None:
    """Raise MethodRefusedError for graphs with zones on GPUs."""
    if device != "cpu" and graph.has_zones:
        raise MethodRefusedError("closure", "zones are only distributed over processes on the CPU (device='cpu')", [])


def seconds_on_gpu(chosen: Layout, rates: GpuRates) -> float:
    """Estimate the time of the kernels of a process on its GPU."""
    grid = chosen.grid()
    return float(grid.rows.size) * grid.columns.size * _WORD * chosen.n / (PAIRS_A_SECOND * rates.scale)


def seconds(chosen: Layout, threads: int) -> float:
    """Estimate the time of the kernels of a process, at the rate of this machine, which is measured."""
    grid = chosen.grid()
    return grid.rows.size * grid.columns.size * chosen.n * _seconds_per_pair() / threads


@functools.cache
def _seconds_per_pair() -> float:
    """Seconds per (word, pivot) pair of one core."""
    words = _PROBED // _WORD
    c, a, b = (np.full((_PROBED, words), 0x5555555555555555, dtype=np.uint64) for _ in range(3))
    found = []
    for _ in range(5):
        started = time.perf_counter()
        _cpu.update_bits(c, a, b, _PROBED, 1)
        found.append(time.perf_counter() - started)
    return min(found) / (_PROBED * words * _PROBED)


@dataclass(frozen=True)
class DistributedBits(DistributedMatrix):
    """The part of this process."""

    lengths: ClassVar[bool] = False

    @property
    def by_bands(self) -> bool:
        """Whether whole rows are written: always, since all arcs of a row are looked at for any of its words."""
        return True

    def finish(self, bad_vertex: int) -> None:  # noqa: ARG002 - there is none
        """Add the vertices that zones reach."""
        graph = self.graph
        if graph.zones is None or not graph.has_zones:
            return
        zones = np.flatnonzero(graph.zones)
        at_once = max(_ZONE_BYTES // max(8 * self.grid.columns.size, 1), 1)
        for start in range(0, len(zones), at_once):
            self._extend(zones[start : start + at_once], graph.zones)

    def _extend(self, tails: npt.NDArray[np.int64], zones: npt.NDArray[np.bool_]) -> None:
        """Add to these zones what their heads reach; of a head that is a zone, only the head.

        The rows of the heads are in several processes: each sends the union of those that it has.
        """
        rank, (height, width) = self.connection.rank, self.shape
        owners = tails // self.layout.block % height
        sent: list[Parcel] = []
        received: list[Parcel] = []
        for place in range(height):
            there = tails[owners == place]
            sent.append((self._unions(there, zones), place * width + rank % width))
        mine = tails[owners == rank // width]
        for place in range(height):
            words = np.empty((len(mine), self.grid.columns.size), dtype=np.uint64)
            received.append((words, place * width + rank % width))
        self.connection.exchange(sent, received)
        rows = self.grid.rows.places()[mine]
        for words, _ in received:
            self.page[rows] |= words

    def _unions(self, tails: npt.NDArray[np.int64], zones: npt.NDArray[np.bool_]) -> npt.NDArray[np.uint64]:
        """For each of these vertices what its heads reach, as far as it is known here."""
        rows, columns = self.grid.rows.places(), self.grid.columns.places()
        found = np.zeros((len(tails), self.grid.columns.size), dtype=np.uint64)
        for union, heads in zip(found, self._heads(tails), strict=True):
            onward = rows[heads[~zones[heads]]]
            onward = onward[onward >= 0]
            for start in range(0, len(onward), _ROWS_AT_ONCE):
                union |= np.bitwise_or.reduce(self.page[onward[start : start + _ROWS_AT_ONCE]], axis=0)
            ends = heads[zones[heads]]
            ends = ends[columns[ends // _WORD] >= 0]
            np.bitwise_or.at(union, columns[ends // _WORD], np.uint64(1) << (ends % _WORD).astype(np.uint64))
        return found

    def _heads(self, tails: npt.NDArray[np.int64]) -> Iterator[npt.NDArray[np.int64]]:
        indptr, indices = self.graph.indptr, self.graph.indices
        for tail in tails.tolist():
            yield indices[indptr[tail] : indptr[tail + 1]].astype(np.int64)
