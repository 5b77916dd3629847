"""The choice whether a problem is solved by strips, and of the devices and cuts.

Input: a `Problem`. Output: lanes and a `StripPlan`. Errors: DeviceError without the GPUs, MemoryLimitError, which names
the memory that is too small, if nothing fits.
"""

from __future__ import annotations

import sys
from typing import cast

import numpy as np

from apsp.errors import MemoryLimitError
from apsp.graph.device import DeviceGraph
from apsp.methods.floyd_warshall.device_bytes import ROWS_WRITTEN_AT_ONCE, bytes_of_arcs, bytes_of_page
from apsp.methods.floyd_warshall.strips.cuts import StripPlan, Where, cpu_bytes, staging_bytes, strip_plan
from apsp.methods.floyd_warshall.strips.lane import CpuLane, Lane
from apsp.methods.floyd_warshall.strips.page_file import PageFile, fingerprint
from apsp.methods.problem import Problem
from apsp.system.limits import allowed_memory

__all__ = ["lanes_and_plan", "open_pages", "wants_strips"]

_SPARE = 0.97
"""Share of free device memory that is used: the rest is for kernels and gaps between pages."""


def wants_strips(problem: Problem) -> bool:
    """Whether there are several GPUs, a file of pages, or a matrix larger than the memory of the GPU."""
    if problem.pages_file is not None or len(problem.gpus) > 1:
        return True
    if problem.matrix_in is not None:
        return problem.matrix_in != "device"
    return problem.device == "cuda" and _in_core_bytes(problem) > _device_bytes(problem)


def open_pages(problem: Problem) -> PageFile | None:
    """Open the file that stores the matrix, if any; locked until it is closed."""
    if problem.pages_file is None:
        return None
    run = {"graph": fingerprint(problem.graph), "semiring": problem.semiring.name}
    if problem.dtype == np.uint16:  # kernels of the CPU and of GPUs use different values for "no path"
        run["device"] = problem.device
    return PageFile(problem.pages_file, (problem.graph.n, problem.graph.n), problem.dtype, run)


def lanes_and_plan(problem: Problem) -> tuple[list[Lane], StripPlan]:
    """Return the devices, and the plan that cuts the matrix for them."""
    n, itemsize = problem.graph.n, problem.dtype.itemsize
    devices, free = max(len(problem.gpus), 1), allowed_memory()[1]
    device_bytes = _device_bytes(problem) - _graph_bytes(problem) if problem.device == "cuda" else cpu_bytes(free)
    if problem.pages_file is not None:
        plan = strip_plan(n, itemsize, devices, device_bytes, staging_bytes(free), where=("file",))
    else:  # the caller provides the memory of the matrix
        where: tuple[Where, ...] = ("devices", "host") if problem.device == "cuda" else ("host",)
        plan = strip_plan(n, itemsize, devices, device_bytes, sys.maxsize, where=where)
    if isinstance(plan, str):
        needed = n * n * itemsize // devices
        remedies = ["more gpu_memory", "more GPUs", "a narrower dtype", "device='cpu'"]
        raise MemoryLimitError(f"Floyd-Warshall by strips ({plan})", needed, max(device_bytes, 0), remedies)
    if problem.device != "cuda":
        return [CpuLane(problem.threads) for _ in range(devices)], plan
    from apsp.methods.floyd_warshall.strips.gpu_lane import CudaLane, connect

    gpus = [CudaLane(number, _limit(problem, number)) for number in problem.gpus or (0,)]
    connect(gpus)
    return list(cast("list[Lane]", gpus)), plan


def _in_core_bytes(problem: Problem) -> int:
    graph, itemsize = problem.graph, problem.dtype.itemsize
    lies_there = isinstance(graph, DeviceGraph)
    return bytes_of_page(graph.n, itemsize) + (0 if lies_there else bytes_of_arcs(graph.n, graph.m, itemsize))


def _graph_bytes(problem: Problem) -> int:
    """Device memory for the arcs of the rows that are written at a time."""
    if isinstance(problem.graph, DeviceGraph):  # its rows are not copied
        return 0
    indptr, rows = problem.graph.indptr, min(problem.graph.n, ROWS_WRITTEN_AT_ONCE)
    arcs = int((indptr[rows:] - indptr[: len(indptr) - rows]).max(initial=0))
    return bytes_of_arcs(rows, arcs, problem.dtype.itemsize)


def _device_bytes(problem: Problem) -> int:
    """Return the usable bytes of the GPU that has the least."""
    return min(_limit(problem, number) for number in problem.gpus or (0,))


def _limit(problem: Problem, number: int) -> int:
    from apsp.gpu.memory import free_bytes

    free = int(free_bytes(number) * _SPARE)
    return free if problem.gpu_memory is None else min(free, problem.gpu_memory)
