"""Transitive closure, distributed over processes: one bit per pair.

Source: Tarjan 1972, section 4 (components); Purdom 1970, section 3. Input: any graph; weights are ignored, every vertex
reaches itself, no path passes through a zone. Output: bands of rows of ceil(n / 64) words, each in one process. Cost:
O(n + m) in every process for the components; then columns.py, without messages. Raises RequestError for blocks of no
whole words, MemoryLimitError if the part of this process does not fit.

The idea: every process finds the same components, and closes the rows of all components in columns of its own.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable

import numpy as np

from apsp import _cpu
from apsp.errors import MethodRefusedError
from apsp.facts.gpu_rates import GpuRates
from apsp.graph.model import Graph
from apsp.methods.backend import Backend
from apsp.methods.closure.bits_backend import CpuBitsBackend
from apsp.methods.closure.columns import DistributedColumns
from apsp.methods.closure.columns_layout import ColumnsLayout
from apsp.methods.closure.columns_layout import layout as distributed
from apsp.methods.closure.condensation import Condensation, condensation
from apsp.methods.closure.cost import PAIRS_A_SECOND
from apsp.methods.distributed import Connection
from apsp.methods.floyd_warshall.spmd.prepare import check_memory

__all__ = ["METHOD", "condensation", "layout", "prepare", "refuse", "rows_sent", "seconds", "seconds_on_gpu"]

METHOD = "closure"

_WORD = 64

_PROBED = 1024
"""Rows and columns of what is timed for an estimate: less than a millisecond."""


def layout(
    condensed: Condensation,
    processes: int,
    block: int | None = None,
    device: str = "cpu",
    *,
    products: bool | None = None,
) -> ColumnsLayout:
    """Choose how the columns are distributed and closed: by products, unless that is given, on GPUs and if there are
    many arcs.
    """
    return distributed(condensed, processes, block, products=products if device == "cpu" else True)


def prepare(
    graph: Graph,
    condensed: Condensation,
    connection: Connection,
    block: int | None,
    threads: int,
    gpu: int | None = None,
    *,
    products: bool | None = None,
) -> DistributedColumns:
    """Allocate the part of this process, in the memory of a GPU if one is named; products as of `layout`."""
    chosen = layout(condensed, connection.size, block, "cpu" if gpu is None else "cuda", products=products)
    needed = chosen.matrix_bytes(connection.rank) + chosen.panel_bytes()
    check_memory(needed, connection, "the transitive closure", (), gpu)
    backend = _backend(threads, gpu)
    page = backend.allocate(chosen.components, chosen.columns(connection.rank).size, np.uint64)
    return DistributedColumns(graph, condensed, chosen, page, backend, connection, threads)


def _backend(threads: int, gpu: int | None) -> Backend:
    if gpu is None:
        return CpuBitsBackend(threads)
    from apsp.methods.closure.kernels.backend import CudaBitsBackend

    return CudaBitsBackend(gpu)


def refuse(graph: Graph, device: str) -> None:
    """Raise MethodRefusedError for graphs with zones on GPUs."""
    if device != "cpu" and graph.has_zones:
        raise MethodRefusedError(METHOD, "zones are only distributed over processes on the CPU (device='cpu')", [])


def rows_sent(condensed: Condensation, height: int) -> int:
    """Return how many rows of components a process sends for all bands of `height` rows of vertices."""
    bands = np.arange(len(condensed.labels)) // height
    return len(np.unique(bands * condensed.count + condensed.labels))


def seconds_on_gpu(chosen: ColumnsLayout, rates: GpuRates) -> float:
    """Estimate the time of the kernels of a process on its GPU."""
    return chosen.pairs() * _WORD / (PAIRS_A_SECOND * rates.scale)


def seconds(chosen: ColumnsLayout, threads: int) -> float:
    """Estimate the time of the kernels of a process, at the rate of this machine, which is measured."""
    return chosen.pairs() * (_seconds_per_pair() if chosen.products else _seconds_per_join()) / threads


@functools.cache
def _seconds_per_pair() -> float:
    """Seconds of one core per word and row that a product adds."""
    words = _PROBED // _WORD
    c, a, b = (np.full((_PROBED, words), 0x5555555555555555, dtype=np.uint64) for _ in range(3))
    return _shortest(lambda: _cpu.update_bits(c, a, b, _PROBED, 1)) / (_PROBED * words * _PROBED)


@functools.cache
def _seconds_per_join() -> float:
    """Seconds of one core per word and row that an arc adds."""
    rows, arcs, words = 2 * _PROBED, 4, 4 * _PROBED // _WORD
    bits, indptr = np.zeros((rows, words), dtype=np.uint64), np.arange(0, arcs * rows + 1, arcs)
    heads = np.random.default_rng(1).integers(0, rows, arcs * rows).astype(np.int32)
    successors = _cpu.ArcArrays(indptr, heads)
    return _shortest(lambda: _cpu.join_heads(bits, successors, 0, rows, 1)) / (arcs * rows * words)


def _shortest(work: Callable[[], None]) -> float:
    found = []
    for _ in range(5):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return min(found)
