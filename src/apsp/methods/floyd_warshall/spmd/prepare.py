"""The choice of grid and blocks for a problem, and the memory of one process.

Input: a `Problem`, the connection of the processes. Output: a `DistributedMatrix`. Errors: MethodRefusedError for
graphs with zones and for negative floats whose sums may cancel, MemoryLimitError if the part of this process does not
fit.
"""

from __future__ import annotations

from apsp.errors import MemoryLimitError, MethodRefusedError
from apsp.graph.signed import sums_may_cancel
from apsp.methods.backend import CpuBackend
from apsp.methods.distributed import Connection
from apsp.methods.floyd_warshall.spmd.driver import PAIRS_OF_CPU
from apsp.methods.floyd_warshall.spmd.grid import Grid, shape_for
from apsp.methods.floyd_warshall.spmd.matrix import DistributedMatrix
from apsp.methods.problem import Problem
from apsp.semiring import Algebra
from apsp.system.limits import allowed_memory

__all__ = ["prepare"]

_TILE = 128
_MOST_BLOCK = 512
_BLOCKS_EACH = 8
"""Blocks are whole tiles of the kernels; a process has at least 8 blocks in a row, if there are as many tiles."""


def prepare(problem: Problem, connection: Connection, block: int | None) -> DistributedMatrix:
    """Allocate the part of this process."""
    graph, dtype = problem.graph, problem.dtype
    if graph.has_zones:
        raise MethodRefusedError("floyd-warshall", "graphs with zones are not distributed over processes", [])
    if problem.semiring.join == "add" and sums_may_cancel(graph, dtype):
        raise MethodRefusedError("floyd-warshall", "sums of these negative floats may cancel", ["johnson"])
    shape = shape_for(connection.size)
    size = _block(graph.n, max(shape)) if block is None else block
    grid = Grid.of(graph.n, size, shape, connection.rank)
    rows, columns = grid.rows.size, grid.columns.size
    needed = (rows * columns + 2 * size * (rows + columns + size)) * dtype.itemsize
    free = allowed_memory()[1]
    if needed > free:
        what = f"Floyd-Warshall over {connection.size} processes, in process {connection.rank},"
        raise MemoryLimitError(what, needed, free, ["more processes on other machines", "a narrower dtype"])
    backend = CpuBackend(problem.threads)
    return DistributedMatrix(
        graph, shape, size, backend.allocate(rows, columns, dtype), backend, connection,
        Algebra(problem.semiring, not graph.has_negative_arc), PAIRS_OF_CPU * problem.threads,
        {"grid": list(shape), "block": size},
    )  # fmt: skip


def _block(n: int, processes: int) -> int:
    """Whole tiles, so that each of the processes along an axis has several blocks."""
    return min(max(n // (processes * _BLOCKS_EACH) // _TILE, 1) * _TILE, _MOST_BLOCK)
