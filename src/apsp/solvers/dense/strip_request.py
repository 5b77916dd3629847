"""When a problem is solved by strips, and with which devices and cuts: from what the planner put into the problem.

Input: a `Problem`. Output: lanes and a `StripPlan`. Errors: DeviceError without the GPUs, MemoryLimitError with what is
too small where nothing fits.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import cast

import numpy as np

from apsp.errors import MemoryLimitError
from apsp.graph.device import DeviceGraph
from apsp.solvers.dense.lane import CpuLane, Lane
from apsp.solvers.dense.page_file import PageFile, fingerprint
from apsp.solvers.dense.strip_plan import StripPlan, Where, strip_plan
from apsp.solvers.problem import Problem

__all__ = ["lanes_and_plan", "open_pages", "wants_strips"]

_IN_CORE_PANELS = 2 * 512
_CPU_BYTES, _STAGING_BYTES = 4 << 30, 16 << 30
"""Host memory at most for panels and strips on the CPU, where more makes nothing faster; and between files and GPUs."""

_SPARE = 0.97
"""Share of free device memory that is used: the rest goes to kernels and to the gaps between pages."""


def wants_strips(problem: Problem) -> bool:
    """Several GPUs, a file of pages, or a matrix larger than the GPU."""
    if problem.pages_file is not None or len(problem.gpus) > 1:
        return True
    if problem.matrix_in is not None:
        return problem.matrix_in != "device"
    return problem.device == "cuda" and _in_core_bytes(problem) > _device_bytes(problem)


def open_pages(problem: Problem) -> PageFile | None:
    """The file that the matrix lives in, if it does; locked until it is closed."""
    if problem.pages_file is None:
        return None
    run = {"graph": fingerprint(problem.graph), "semiring": problem.semiring.name}
    if problem.dtype == np.uint16:  # kernels of the CPU and of GPUs have another "no path" while they work
        run["device"] = problem.device
    return PageFile(problem.pages_file, (problem.graph.n, problem.graph.n), problem.dtype, run)


def lanes_and_plan(problem: Problem) -> tuple[list[Lane], StripPlan]:
    """The devices, and how the matrix is cut for them."""
    n, itemsize = problem.graph.n, problem.dtype.itemsize
    lanes: list[Lane] = [CpuLane(problem.threads)]
    free, devices = _free_host_bytes(), max(len(problem.gpus), 1)
    if problem.device == "cuda":
        where: Sequence[Where] = ("devices", "host")
        device_bytes = _device_bytes(problem)
    else:
        where, device_bytes = ("host",), min(free // 2, _CPU_BYTES)
    if problem.pages_file is not None:
        where, host_bytes = ("file",), min(free // 4, _STAGING_BYTES)
    else:
        host_bytes = sys.maxsize  # the caller has given the memory of the matrix
    plan = strip_plan(n, itemsize, devices, device_bytes - _graph_bytes(problem), host_bytes, where=where)
    if isinstance(plan, str):
        needed = n * n * itemsize // devices
        remedies = ["more gpu_memory", "more GPUs", "a narrower dtype", "pages_file='FILE'"]
        raise MemoryLimitError(f"Floyd-Warshall by strips ({plan})", needed, device_bytes, remedies)
    if problem.device == "cuda":
        from apsp.cuda.lane import CudaLane, connect

        gpus = [CudaLane(number, _limit(problem, number)) for number in problem.gpus or (0,)]
        connect(gpus)
        lanes = list(cast("list[Lane]", gpus))
    return lanes, plan


def _in_core_bytes(problem: Problem) -> int:
    """Device memory of closing the matrix as one page."""
    n, itemsize = problem.graph.n + 16, problem.dtype.itemsize
    return (n * n + n * _IN_CORE_PANELS) * itemsize + (4 + itemsize) * problem.graph.m + 9 * n


def _graph_bytes(problem: Problem) -> int:
    """Device memory for the arcs of the rows that are written at a time."""
    if isinstance(problem.graph, DeviceGraph):  # its rows are read where they lie
        return 0
    indptr, rows = problem.graph.indptr, min(problem.graph.n, 2048)
    arcs = int((indptr[rows:] - indptr[: len(indptr) - rows]).max(initial=0))
    return (4 + problem.dtype.itemsize) * arcs + 9 * rows


def _device_bytes(problem: Problem) -> int:
    """What may be used of the GPU that has least."""
    return min(_limit(problem, number) for number in problem.gpus or (0,))


def _limit(problem: Problem, number: int) -> int:
    from apsp.cuda import jit

    cupy = jit.cupy()
    with cupy.cuda.Device(number):
        free = int((cupy.cuda.runtime.memGetInfo()[0] + cupy.get_default_memory_pool().free_bytes()) * _SPARE)
    return free if problem.gpu_memory is None else min(free, problem.gpu_memory)


def _free_host_bytes() -> int:
    """Memory that can be taken without swapping; what a file keeps in memory is given up for it."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration):
        pass
    try:
        return int(os.sysconf("SC_AVPHYS_PAGES")) * int(os.sysconf("SC_PAGE_SIZE"))
    except (ValueError, OSError, AttributeError):
        return 4 << 30
