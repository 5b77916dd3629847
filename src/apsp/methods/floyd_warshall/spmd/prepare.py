"""The matrix of a problem, distributed over processes.

Input: a `Problem`, the connection of the processes. Output: `DistributedDistances`. Errors: MethodRefusedError for
graphs with zones and for negative floats whose sums may cancel, MemoryLimitError if the part of this process does not
fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from apsp.errors import MemoryLimitError, MethodRefusedError
from apsp.graph.signed import sums_may_cancel
from apsp.methods.backend import CpuBackend
from apsp.methods.distributed import Connection
from apsp.methods.floyd_warshall.spmd.distances import DistributedDistances
from apsp.methods.floyd_warshall.spmd.driver import PAIRS_OF_CPU
from apsp.methods.floyd_warshall.spmd.layout import Layout, layout
from apsp.methods.problem import Problem
from apsp.semiring import Algebra
from apsp.system.limits import allowed_memory

__all__ = ["check_memory", "layout", "prepare", "refuse"]


def refuse(problem: Problem) -> None:
    """Raise MethodRefusedError for graphs that are not distributed."""
    if problem.graph.has_zones:
        raise MethodRefusedError("floyd-warshall", "graphs with zones are not distributed over processes", [])
    if problem.semiring.join == "add" and sums_may_cancel(problem.graph, problem.dtype):
        raise MethodRefusedError("floyd-warshall", "sums of these negative floats may cancel", ["johnson"])


def prepare(problem: Problem, connection: Connection, block: int | None) -> DistributedDistances:
    """Allocate the part of this process."""
    refuse(problem)
    graph, dtype, rank = problem.graph, problem.dtype, connection.rank
    chosen = layout(graph.n, dtype.itemsize, connection.size, block)
    check_memory(chosen, connection, "Floyd-Warshall", ["a narrower dtype"])
    backend, grid = CpuBackend(problem.threads), chosen.grid(rank)
    return DistributedDistances(
        graph, chosen, backend.allocate(grid.rows.size, grid.columns.size, dtype), backend, connection,
        Algebra(problem.semiring, not graph.has_negative_arc), PAIRS_OF_CPU * problem.threads,
    )  # fmt: skip


def check_memory(chosen: Layout, connection: Connection, what: str, remedies: Sequence[str] = ()) -> None:
    """Raise MemoryLimitError if the blocks and panels of this process do not fit into the memory that is free."""
    rank = connection.rank
    needed, free = chosen.matrix_bytes(rank) + chosen.panel_bytes(rank), allowed_memory()[1]
    if needed > free:
        what = f"{what} over {connection.size} processes, in process {rank},"
        raise MemoryLimitError(what, needed, free, ["more processes on other machines", *remedies])
