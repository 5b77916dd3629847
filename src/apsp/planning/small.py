"""Work so small that comparing methods would take longer than the work: one method does it, on one thread of the CPU.

`plan_for` explains the same choice in full; `plan_small` gives what a run needs of it, within microseconds.
"""

from __future__ import annotations

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
from apsp.system.machine import threads_named

__all__ = ["plan_small", "small_method"]

_STEPS = 1 << 17
"""Most sources times vertices and arcs: at most a millisecond on one thread (of which the kernels start none)."""

_SIZE = 1 << 13
"""Most vertices and arcs: a search from one source of a larger graph takes longer by some methods than by others."""


def plan_small(graph: Graph, request: Request) -> Plan | None:
    """The plan of small work without sentences, seconds and bytes; None where methods are to be compared.

    Raises
    ------
    RequestError, DtypeRangeError, NegativeCycleError
        As `apsp.planning.planner.plan_for`.
    """
    if isinstance(graph, DeviceGraph) or not _is_small(graph.n, graph.m, request):
        return None
    threads = threads_named(request.threads)
    gpu_memory_from(request.gpu_memory)  # a wrong number in the environment is an error for small graphs, too
    statistics = statistics_of(graph, sums=request.semiring.join == "add")
    dtype, _ = decide_dtype(statistics, request)
    method = small_method(statistics, request, dtype)
    if method is None:
        return None
    rows = graph.n if request.sources is None else request.sources
    return Plan(
        method=method.name, device="cpu", dtype=np.dtype(dtype), threads=threads or 1,
        block_rows=max(min(request.rows or rows, rows), 1), seconds=0.0, bytes_output=0, bytes_work=0,
        bytes_available=0, bound=bound_of(statistics, request), reasons=(), rejected=(),
    )  # fmt: skip


def small_method(statistics: GraphStatistics, request: Request, dtype: str) -> Method | None:
    """The method that does small work without a comparison; None if the work is not small, or none is known."""
    if statistics.lies_on_gpu or not _is_small(statistics.n, statistics.m, request):
        return None
    for method in registry.METHODS.values():
        does_it = method.automatic and registry.costs(method).does_small(statistics, dtype)
        if does_it and refusal(method, statistics, request, dtype, "cpu") is None:
            return method
    return None


def _is_small(n: int, m: int, request: Request) -> bool:
    rows = n if request.sources is None else request.sources
    return (
        n + m <= _SIZE
        and rows * (n + m) <= _STEPS
        and request.method == "auto"
        and request.device in ("auto", "cpu")
        and request.pages_file is None
    )
