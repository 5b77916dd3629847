"""Bytes of a result, whole or in blocks of rows."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics
from apsp.system.machine import Machine, usable

__all__ = ["Bytes", "block_rows", "bytes_of_result", "overwritten_rows", "row_bytes"]

BLOCK_BYTES = 256 << 20
"""A block of rows is at most this large, and at most an eighth of the available memory."""

_GPU_BLOCK_BYTES = 1 << 30
"""Largest block on a requested GPU, which is idle with few rows; also at most a sixteenth of its free memory."""

_OVERWRITTEN_BYTES, _OVERWRITTEN_ROWS = 32 << 20, 256
"""A block on the CPU that the next one overwrites: so large, or as many rows per thread if that is more. Larger blocks
take longer: the operating system clears their pages in every call, and rows have left the caches before they are read.
"""

_PRED_BYTES = 4


@dataclass(frozen=True)
class Bytes:
    """Memory of one request: the result, and the work space of the method."""

    output: int
    work: int

    @property
    def total(self) -> int:
        """The total: both are in use at the same time."""
        return self.output + self.work


def row_bytes(statistics: GraphStatistics, request: Request, dtype: str) -> int:
    """Return the bytes of one row of the result: distances to the targets, and predecessors of all n vertices if
    requested.
    """
    columns = statistics.n if request.targets is None else request.targets
    return columns * np.dtype(dtype).itemsize + (statistics.n * _PRED_BYTES if request.paths else 0)


def block_rows(statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, threads: int) -> int | None:
    """Return the rows of a block: as requested, or as many as fit in the budget; None without blocks."""
    if request.mode == "matrix":
        return None
    rows = statistics.n if request.sources is None else request.sources
    if request.rows is not None:
        return max(min(request.rows, rows), 1)
    budget = min(_bytes_of_block(machine, request), usable(machine) // 8)
    fitting = _whole_batches(budget // max(row_bytes(statistics, request, dtype), 1))
    return max(min(max(fitting, threads), rows), 1)


def overwritten_rows(most: int, one_row: int, threads: int, at_once: int) -> int:
    """Return the rows of a block on the CPU that the next block overwrites.

    Blocks of at least half of all rows should not be made smaller: methods compute some rows of a block from others.

    Parameters
    ----------
    most : int
        `block_rows`.
    one_row : int
        Bytes.
    threads : int
    at_once : int
        Rows that a thread computes together.
    """
    fitting = _whole_batches(_OVERWRITTEN_BYTES // max(one_row, 1))
    return min(max(fitting, max(_OVERWRITTEN_ROWS, at_once) * threads), most)


def _whole_batches(rows: int) -> int:
    return rows - rows % 64 if rows >= 64 else rows


def _bytes_of_block(machine: Machine, request: Request) -> int:
    """Return the budget of a block, on the host or on GPUs, each of which computes a part."""
    each = BLOCK_BYTES
    if request.device == "cuda" and machine.gpus:
        free = min((gpu.memory_free for gpu in machine.gpus if gpu.unusable is None), default=0)
        most = free if request.gpu_memory is None else min(free, request.gpu_memory)
        each = max(each, min(_GPU_BLOCK_BYTES, most // 16))
    return each * max(len(request.gpus), 1)


def bytes_of_result(statistics: GraphStatistics, machine: Machine, request: Request, dtype: str, threads: int) -> int:
    """Return the bytes of the result that the caller does not provide.

    A stream is counted with two blocks: the one that the caller still uses, and the next.
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
