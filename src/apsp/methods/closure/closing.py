"""Computes a closure where its plan says: on the CPU, on GPUs, or in a file.

Source: closure.py, on_gpu.py, by_strips.py. Output: (n, ceil(n / 64)) uint64, on the GPU if one computes alone. Raises
MemoryLimitError, OutputError, FileFormatError as these do.
"""

from __future__ import annotations

from apsp._types import HostOrGpuArray
from apsp.methods.closure.by_strips import closure_by_strips, closure_in_file
from apsp.methods.closure.closure import closure
from apsp.methods.problem import KernelProgress, Problem

__all__ = ["close"]


def close(
    problem: Problem,
    progress: KernelProgress | None = None,
    timings: dict[str, float] | None = None,  # noqa: ARG001
    *,
    components: bool,
) -> HostOrGpuArray:
    """Return the reachable vertices of every vertex.

    Parameters
    ----------
    problem : Problem
    progress : callable, optional
        Called with the number of vertices done, out of n.
    timings : dict, optional
        Nothing is added to it.
    components : bool
        Find the strongly connected components first.
    """
    graph, gpus = problem.graph, problem.gpus
    if problem.pages_file is not None:
        return closure_in_file(graph, problem.pages_file, gpus, problem.gpu_memory, problem.threads, progress)
    if not gpus:
        return closure(graph, problem.threads, progress, components=components)
    if problem.matrix_in != "device":
        return closure_by_strips(graph, gpus, problem.gpu_memory, progress)
    from apsp.methods.closure.on_gpu import closure_on_gpu

    return closure_on_gpu(graph, gpus[0], progress, components=components)
