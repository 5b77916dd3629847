"""Work so small that a comparison of methods would take longer than the work itself.

This is work of up to a millisecond on one thread of the CPU, and small dense matrices that are on a GPU already.

`plan_for` explains the same choice in full; `plan_small` makes it in microseconds, with only what a run needs.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from apsp.facts.devices import gpu_memory_from
from apsp.facts.dtypes import bound_of
from apsp.facts.request import Request
from apsp.facts.statistics import GraphStatistics, statistics_of
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.method import Method
from apsp.planning.candidates import refusal
from apsp.planning.dtype_choice import decide_dtype
from apsp.planning.plan import Plan
from apsp.system.array_device import gpu_of
from apsp.system.machine import threads_named

__all__ = ["SmallChoice", "is_small", "plan_small", "small_choice"]

_STEPS = 1 << 17
"""Maximum of sources times (vertices + arcs): at most a millisecond on one thread (the kernels start no others)."""

_SIZE = 1 << 13
"""Maximum of vertices and arcs: in larger graphs, methods differ in the time of a search from one source."""

_SIDE = 1 << 10
"""Maximum number of vertices of a matrix on a GPU: half a millisecond, and some MiB of its memory."""


class SmallChoice(NamedTuple):
    """The choice for small work: a method on a device ('cpu' or 'cuda'), in a dtype."""

    method: Method
    device: str
    dtype: str


def plan_small(graph: Graph, request: Request) -> Plan | None:
    """The plan of small work without sentences, seconds and bytes; None if methods must be compared.

    Raises
    ------
    RequestError, DtypeRangeError, NegativeCycleError
        As `apsp.planning.planner.plan_for`.
    """
    if _device(graph, request) is None:
        return None
    threads = threads_named(request.threads)
    if gpu_memory_from(request.gpu_memory) is not None and request.device == "cuda":
        return None
    statistics = statistics_of(graph, sums=request.semiring.join == "add")
    found = small_choice(graph, statistics, request)
    if found is None:
        return None
    rows = graph.n if request.sources is None else request.sources
    gpus = (gpu_of(graph.matrix),) if isinstance(graph, DeviceGraph) else ()
    return Plan(
        method=found.method.name, device=found.device, dtype=np.dtype(found.dtype), threads=threads or 1,
        block_rows=max(min(request.rows or rows, rows), 1), seconds=0.0, bytes_output=0, bytes_work=0,
        bytes_available=0, bound=bound_of(statistics, request),
        gpus=gpus, matrix_in="device" if gpus else "host",
    )  # fmt: skip


def small_choice(graph: Graph, statistics: GraphStatistics, request: Request) -> SmallChoice | None:
    """The method for small work, chosen without a comparison; None if methods must be compared."""
    device = _device(graph, request)
    if device is None:
        return None
    dtype, _ = decide_dtype(statistics, request)
    for method in registry.automatic():
        if device in method.devices:
            does_it = registry.costs(method).does_small(statistics, request, dtype, device)
            if does_it and refusal(method, statistics, request, dtype, device) is None:
                return SmallChoice(method, device, dtype)
    return None


def _device(graph: Graph, request: Request) -> str | None:
    """The device for small work; None if the work is not small."""
    if request.method != "auto" or request.pages_file is not None:
        return None
    n = graph.n
    if isinstance(graph, DeviceGraph):
        gpu = gpu_of(graph.matrix)
        there = request.device == "cuda" and (request.gpus or (0,)) == (gpu,)
        return "cuda" if there and n <= _SIDE and request.mode == "matrix" and request.gpu_memory is None else None
    small = is_small(n, graph.m, n if request.sources is None else request.sources)
    return "cpu" if small and request.device in ("auto", "cpu") else None


def is_small(n: int, m: int, rows: int) -> bool:
    """Whether so many rows of a graph of n vertices and m arcs are small work on the CPU."""
    return n + m <= _SIZE and rows * (n + m) <= _STEPS
