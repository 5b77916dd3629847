"""The matrix of a problem, distributed over processes.

Input: a `Problem`, the connection of the processes. Output: `DistributedDistances`. Errors: MethodRefusedError for
graphs with zones and for negative floats whose sums may cancel, MemoryLimitError if the part of this process does not
fit.
"""

from __future__ import annotations

from collections.abc import Sequence

from apsp.errors import MemoryLimitError, MethodRefusedError
from apsp.facts.gpu_rates import GpuRates, pair_name
from apsp.gpu.memory import free_bytes
from apsp.graph.signed import sums_may_cancel
from apsp.methods.backend import Backend, CpuBackend
from apsp.methods.distributed import Connection
from apsp.methods.floyd_warshall.spmd.distances import DistributedDistances
from apsp.methods.floyd_warshall.spmd.driver import PAIRS_OF_CPU, PAIRS_OF_GPU
from apsp.methods.floyd_warshall.spmd.layout import Layout, layout
from apsp.methods.floyd_warshall.variants import algebra_for, choice
from apsp.methods.problem import Problem
from apsp.system.limits import allowed_memory

__all__ = ["check_memory", "layout", "prepare", "refuse", "seconds_on_gpu"]


def refuse(problem: Problem) -> None:
    """Raise MethodRefusedError for graphs that are not distributed."""
    if problem.graph.has_zones:
        raise MethodRefusedError("floyd-warshall", "graphs with zones are not distributed over processes", [])
    if problem.semiring.join == "add" and sums_may_cancel(problem.graph, problem.dtype):
        raise MethodRefusedError("floyd-warshall", "sums of these negative floats may cancel", ["johnson"])


def prepare(problem: Problem, connection: Connection, block: int | None) -> DistributedDistances:
    """Allocate the part of this process."""
    refuse(problem)
    graph, dtype, gpu = problem.graph, problem.dtype, problem.gpus[0] if problem.gpus else None
    chosen = layout(graph.n, dtype.itemsize, connection.size, block)
    needed = chosen.matrix_bytes(connection.rank) + chosen.panel_bytes(connection.rank)
    if gpu is not None:
        needed += chosen.band_bytes() + chosen.panel_bytes(connection.rank) // 3  # two sets, and buffers for two
    check_memory(needed, connection, "Floyd-Warshall", ["a narrower dtype"], gpu)
    backend, grid = _backend(problem, gpu), chosen.grid(connection.rank)
    algebra = algebra_for(graph, problem.semiring)
    if gpu is None:
        choice(dtype.name, algebra, graph.n**3)
    return DistributedDistances(
        graph, chosen, backend.allocate(grid.rows.size, grid.columns.size, dtype), backend, connection, algebra,
        PAIRS_OF_CPU * problem.threads if gpu is None else PAIRS_OF_GPU,
    )  # fmt: skip


def _backend(problem: Problem, gpu: int | None) -> Backend:
    if gpu is None:
        return CpuBackend(problem.threads)
    from apsp.methods.floyd_warshall.kernels.backend import CudaBackend

    return CudaBackend(gpu)


def seconds_on_gpu(problem: Problem, chosen: Layout, rates: GpuRates) -> float:
    """Estimate the time of the kernels of a process on its GPU."""
    grid = chosen.grid()
    rate = rates.pairs[pair_name(problem.dtype.name, problem.graph.has_negative_arc).removeprefix("pair.")]
    if problem.semiring.join != "add":
        rate *= rates.compare
    return float(grid.rows.size) * grid.columns.size * chosen.n / rate


def check_memory(
    needed: int, connection: Connection, what: str, remedies: Sequence[str] = (), gpu: int | None = None
) -> None:
    """Raise MemoryLimitError if the bytes that this process needs are not free, on the host or on a GPU."""
    free = allowed_memory()[1] if gpu is None else free_bytes(gpu)
    if gpu is not None:
        what = f"{what} on GPU {gpu}"
    if needed > free:
        what = f"{what} over {connection.size} processes, in process {connection.rank},"
        raise MemoryLimitError(what, needed, free, ["more processes on other machines", *remedies])
