"""Bytes of each method and of each way to ask, and what would fit when the asked does not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from apsp.errors import format_bytes
from apsp.plan.dtypes import narrowest_integer
from apsp.plan.machine import Machine
from apsp.plan.request import Request
from apsp.plan.statistics import GraphStatistics
from apsp.solvers.dense.strip_plan import TILE, StripPlan, cpu_bytes, staging_bytes, strip_plan
from apsp.solvers.registry import Method

__all__ = ["Bytes", "block_rows", "bytes_of", "bytes_of_result", "remedies", "usable"]

HEADROOM = 0.05
"""Share of the available memory that stays free."""

BLOCK_BYTES = 256 << 20
"""A block of rows is at most this large, and at most an eighth of the available memory."""

_GPU_BLOCK_BYTES = 1 << 30
"""On a GPU that was asked for, which is idle with few rows: at most this, and a sixteenth of its free memory."""

_PRED_BYTES = 4
_VERTEX_BYTES = 4


@dataclass(frozen=True)
class Bytes:
    """Memory of one request: what the caller gets and what the method needs while it works."""

    output: int
    work: int

    @property
    def total(self) -> int:
        """All of it, at the same time."""
        return self.output + self.work


def usable(machine: Machine) -> int:
    """Bytes that a request may take."""
    return int(machine.memory_available * (1 - HEADROOM))


def row_bytes(statistics: GraphStatistics, request: Request, dtype: str) -> int:
    """Bytes of one row of the result: distances to the targets, and predecessors of all n vertices if asked."""
    columns = statistics.n if request.targets is None else request.targets
    return columns * np.dtype(dtype).itemsize + (statistics.n * _PRED_BYTES if request.paths else 0)


def block_rows(statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, threads: int) -> int | None:
    """Rows of a block: as asked, or as many as fit into the budget of a block; None where there are no blocks."""
    if request.mode == "matrix":
        return None
    rows = statistics.n if request.sources is None else request.sources
    if request.rows is not None:
        return max(min(request.rows, rows), 1)
    budget = min(_bytes_of_block(machine, request), usable(machine) // 8)
    fitting = budget // max(row_bytes(statistics, request, dtype), 1)
    if fitting >= 64:
        fitting -= fitting % 64  # whole batches of sources
    return max(min(max(fitting, threads), rows), 1)


def _bytes_of_block(machine: Machine, request: Request) -> int:
    """On the host, or on GPUs, each of which computes some of it."""
    each = BLOCK_BYTES
    if request.device == "cuda" and machine.gpus:
        free = min((gpu.memory_free for gpu in machine.gpus if gpu.unusable is None), default=0)
        most = free if request.gpu_memory is None else min(free, request.gpu_memory)
        each = max(each, min(_GPU_BLOCK_BYTES, most // 16))
    return each * max(len(request.gpus), 1)


def bytes_of(
    method: Method, statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, threads: int
) -> Bytes:
    """Bytes of output and work, beyond the graph itself."""
    n = statistics.n
    output = bytes_of_result(statistics, machine, request, dtype, threads)
    work = _WORK.get(method.name, _arrays_of_rows)(statistics, np.dtype(dtype), threads, request.paths)
    in_file = request.pages_file is not None
    if in_file:
        work += _bytes_of_strips(n, np.dtype(dtype).itemsize, usable(machine))
    if not method.by_rows and (request.sources is not None or request.targets is not None):
        # All n x n are computed first, and the asked rows and columns taken from them.
        work += n * n * ((0 if in_file else np.dtype(dtype).itemsize) + (_PRED_BYTES if request.paths else 0))
    if method.name == "elimination" and request.paths and request.targets is not None:
        rows = n if request.sources is None else request.sources
        work += (block_rows(statistics, machine, request, dtype, threads) or rows) * n * np.dtype(dtype).itemsize
    return Bytes(output, work)


def _bytes_of_strips(n: int, itemsize: int, free: int) -> int:
    """Panels and strips of a matrix in a file that the CPU works on; the fewest bytes where they do not fit either."""
    cut = strip_plan(n, itemsize, 1, cpu_bytes(free), staging_bytes(free), where=("file",))
    if isinstance(cut, str):
        cut = StripPlan(n, n, 1, TILE, TILE, itemsize, "file")
    return cut.device_bytes + cut.staging_bytes


def bytes_of_result(statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, threads: int) -> int:
    """Bytes of the result that the caller does not provide.

    A stream is counted with two blocks: the one that the caller still holds, and the next.
    """
    n = statistics.n
    one_row = row_bytes(statistics, request, dtype)
    block = block_rows(statistics, machine, request, dtype, threads)
    if block is not None:
        return one_row * block * 2
    output = one_row * (n if request.sources is None else request.sources)
    if request.out_given:
        output -= (one_row - (n * _PRED_BYTES if request.paths else 0)) * (output // max(one_row, 1))
    return output


def remedies(
    fitting: Callable[[Request], Bytes | None],
    statistics: GraphStatistics,
    machine: Machine,
    request: Request,
    dtype: str,
) -> list[str]:
    """What would fit, in words; only what really does.

    Parameters
    ----------
    fitting : callable
        The bytes of the cheapest-in-memory method that accepts a changed request; None if no method does.
    """
    limit = usable(machine)

    def fits(**changes: object) -> Bytes | None:
        found = fitting(replace(request, **changes))  # type: ignore[arg-type]
        return found if found is not None and found.total <= limit else None

    found = []
    narrow = narrowest_integer(statistics, request)
    if narrow is not None and np.dtype(narrow).itemsize < np.dtype(dtype).itemsize and (size := fits(dtype=narrow)):
        found.append(f"dtype={narrow!r}, proven to hold every distance ({format_bytes(size.total)})")
    if request.paths and (size := fits(paths=False)):
        found.append(f"paths=False ({format_bytes(size.total)})")
    if request.mode == "matrix" and (size := fits(mode="stream", out_given=False, rows=None)):
        rows = block_rows(statistics, machine, replace(request, mode="stream"), dtype, 1)
        found.append(f"apsp.stream(graph, rows={rows}), a block of rows at a time ({format_bytes(size.total)})")
    if request.mode == "matrix" and not request.out_given:
        count = _most_sources(fitting, statistics, request, limit)
        if count:
            found.append(f"at most {count:,} sources at a time (sources=range({count}))")
    if request.rows is not None and request.mode != "matrix" and (size := fits(rows=None)):
        rows = block_rows(statistics, machine, replace(request, rows=None), dtype, 1)
        found.append(f"rows={rows} ({format_bytes(size.total)})")
    return found or ["a machine with more memory"]


def _most_sources(
    fitting: Callable[[Request], Bytes | None], statistics: GraphStatistics, request: Request, limit: int
) -> int:
    """The largest number of sources below the asked one whose rows fit; found by halving."""
    low, high = 0, statistics.n if request.sources is None else request.sources
    while high - low > 1:
        middle = (low + high) // 2
        size = fitting(replace(request, sources=middle))
        if size is not None and size.total <= limit:
            low = middle
        else:
            high = middle
    return low


def _arrays_of_rows(statistics: GraphStatistics, dtype: np.dtype[Any], threads: int, paths: bool) -> int:  # noqa: ARG001
    """The arcs as pairs (head, length), after their lengths in the dtype where the weights are of another one."""
    pairs = 2 * max(dtype.itemsize, _VERTEX_BYTES)
    lengths = 0 if statistics.weight_dtype == dtype.name else dtype.itemsize
    return 16 * statistics.n * threads + (pairs + lengths) * statistics.m


def _bfs(statistics: GraphStatistics, dtype: np.dtype[Any], threads: int, paths: bool) -> int:  # noqa: ARG001
    return 40 * statistics.n * threads + dtype.itemsize * statistics.n


def _floyd_warshall(statistics: GraphStatistics, dtype: np.dtype[Any], threads: int, paths: bool) -> int:
    """Panels; with paths, at most all arcs again as heads and lengths (those that are shortest paths themselves)."""
    arcs = (_VERTEX_BYTES + max(dtype.itemsize, 4)) * statistics.m if paths else 0
    return 160 * statistics.n * dtype.itemsize + arcs + (256 << 10) * threads


def _johnson(statistics: GraphStatistics, dtype: np.dtype[Any], threads: int, paths: bool) -> int:  # noqa: ARG001
    return 40 * statistics.n + (24 + dtype.itemsize) * statistics.m + 30 * statistics.n * threads


def _elimination(statistics: GraphStatistics, dtype: np.dtype[Any], threads: int, paths: bool) -> int:  # noqa: ARG001
    """The factor, and what its fronts hand on; the tree; the neighbours twice; the lines of a batch."""
    n, fill = statistics.n, statistics.fill
    entries = (n * n if statistics.separators_sought else 60 * n) if fill is None else fill.entries
    return entries * dtype.itemsize * 3 // 2 + 60 * n + 40 * statistics.m + 256 * n * threads


def _label_correcting(statistics: GraphStatistics, dtype: np.dtype[Any], threads: int, paths: bool) -> int:
    """Labels and queues of each thread; the arcs by tail and by head, for each type of labels that is tried."""
    if statistics.has_negative_arc and dtype.kind == "f":
        return _johnson(statistics, dtype, threads, paths)
    tried = {"u2": 1, "i4": 2, "i8": 3, "f4": 1, "f8": 1}[dtype.str[1:]]
    wide = 16 if dtype.itemsize == 8 else 0
    signed = 16 if statistics.has_negative_arc else 0
    arcs = (16 * tried + wide + dtype.itemsize + signed) * statistics.m
    return 150 * statistics.n * threads + (60 + 16 * tried + signed) * statistics.n + arcs


def _bit_bfs(statistics: GraphStatistics, dtype: np.dtype[Any], threads: int, paths: bool) -> int:  # noqa: ARG001
    """Bits of 512 sources: seen, new and next, and the binary digits of the level."""
    digits = max(int(statistics.bound.high), 1).bit_length()
    lines = 64 * (3 + min(digits, 16)) + 11 + (132 if paths else 0)
    return lines * statistics.n * threads + 60 * statistics.n + 18 * statistics.m


_WORK: dict[str, Callable[[GraphStatistics, np.dtype[Any], int, bool], int]] = {
    "bfs": _bfs,
    "elimination": _elimination,
    "floyd-warshall": _floyd_warshall,
    "bit-bfs": _bit_bfs,
    "johnson": _johnson,
    "fw-sequential": _floyd_warshall,
    "fw-blocked": _floyd_warshall,
    "label-correcting": _label_correcting,
}
