"""Reachability: which vertices can be reached from which."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np

from apsp._types import BytesLike, DeviceLike, GraphLike, HostOrGpuArray, MethodName, PathLike
from apsp.errors import DeviceError, MemoryLimitError
from apsp.facts.request import Request
from apsp.gpu.memory import free_on_failure
from apsp.graph.accept import as_graph
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.closure.by_components import ReachByComponents
from apsp.methods.closure.closure import Reachability
from apsp.methods.emulated import inside
from apsp.methods.problem import KernelProgress, Problem
from apsp.planning.closures import plan_closure
from apsp.planning.plan import Plan
from apsp.running.public import public
from apsp.semiring import OR_AND
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["bits_of", "reachable"]

_FROM = 1 << 15
"""Vertices from which on bits, which take 128 MiB and more, are computed when they are read."""


@public
def reachable(
    graph: GraphLike,
    *,
    method: MethodName = "auto",
    device: DeviceLike = "auto",
    gpu_memory: BytesLike | None = None,
    pages_file: PathLike | None = None,
    threads: int | None = None,
    progress: Progress = False,
) -> Reachability:
    """Compute which vertices can be reached from which (the transitive closure); weights are ignored.

    Every vertex reaches itself. One bit per pair: n^2 / 8 bytes. From 32,768 vertices on, these are computed when they
    are read (`bits`, `to_numpy`), unless a GPU or a file is named: single pairs and rows take a search, the pairs of
    trees, rings and paths are counted without them, and others within parts that no path leaves.

    Parameters
    ----------
    {graph}
    method : {'auto', 'strong-components', 'warshall', 'katz-kider-closure'}
        'auto' chooses the fastest: see ``apsp.plan(graph, for_="reachable")``. The last one is a published method for
        GPUs, which uses 4 bytes per pair.
    device : {'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,1', 'emulated', 'emulated:0,1'}
        'auto' uses a GPU if there is one and the CPU would take long, and returns the bits to the host; with one GPU
        named they stay there, as a CuPy array, if they fit. 'emulated' runs the kernels of the published method on the
        CPU, as 'auto' does for it if there is no GPU.
    gpu_memory : int or str, optional
        Maximum number of bytes to use of each GPU, or text such as '16GiB'; by default APSP_GPU_MEMORY, or all that is
        free.
    pages_file : path, optional
        Keep the bits in this file while they are computed, on GPUs or the CPU: the same call resumes a run that was
        stopped, or loads one that was finished. The result is the file, mapped into memory. Slower on sparse graphs:
        without a file, the CPU finds their components first.
    {threads}
    {progress}

    Returns
    -------
    Reachability
        The bits, with methods that read them by vertex.

    Raises
    ------
    GraphError, RequestError, UnknownMethodError, MethodRefusedError, DeviceError
        If the input or the request is invalid, or the GPU does not exist.
    MemoryLimitError
        Before the work, if it does not fit.
    OutputError, FileFormatError
        If the file cannot be used.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1], [1, 2], labels=["a", "b", "c"])
    >>> found = apsp.reachable(graph)
    >>> found.reaches("a", "c"), found.count()
    (True, 6)
    """
    graph = as_graph(graph)
    request = Request.of(
        method=method, device=device, gpu_memory=gpu_memory, pages_file=pages_file, threads=threads
    )  # fmt: skip
    on_host = request.device in ("auto", "cpu") and not isinstance(graph, DeviceGraph)
    if request.method == "auto" and pages_file is None and graph.n >= _FROM and not graph.has_zones and on_host:
        threads_from(threads)  # invalid ones are an error now

        def compute(part: Graph) -> HostOrGpuArray:
            return _bits(part, request, progress if part is graph else False)

        return Reachability(graph.n, ReachByComponents(graph, compute), graph.labels)
    return Reachability(graph.n, _bits(graph, request, progress), graph.labels)


def _bits(graph: Graph, request: Request, progress: Progress) -> HostOrGpuArray:
    """Plan and compute the bits; on the CPU if a GPU fails that was not requested."""
    plan = plan_closure(graph, request, explained=False)
    with reporting(progress) as report:
        tell = offset(report, "closure" if request.method == "auto" else request.method, 0, graph.n)
        if plan.device != "cuda":
            return bits_of(graph, plan, tell)
        if request.device == "auto" and "cpu" in registry.get(plan.method, registry.CLOSURES).devices:
            with suppress(MemoryLimitError, DeviceError), free_on_failure(plan.gpus):
                return bits_of(graph, plan, tell)
            return bits_of(graph, plan_closure(graph, replace(request, device="cpu"), explained=False), tell)
        with free_on_failure(plan.gpus):
            return bits_of(graph, plan, tell, stays=request.device == "cuda" and len(request.gpus) <= 1)


def bits_of(
    graph: Graph,
    plan: Plan,
    progress: KernelProgress | None = None,
    timings: dict[str, float] | None = None,
    *,
    stays: bool = False,
) -> HostOrGpuArray:
    """Compute the bits as planned.

    Parameters
    ----------
    timings : dict, optional
        Receives 'kernels', if the method measures them.
    stays : bool
        Bits that one GPU has computed stay in its memory.
    """
    problem = Problem(
        graph, plan.dtype, semiring=OR_AND, threads=plan.threads, device=plan.device, gpus=plan.gpus,
        gpu_memory=plan.gpu_memory, pages_file=plan.pages_file, matrix_in=plan.matrix_in,
    )  # fmt: skip
    with inside(plan):
        bits = registry.close(registry.get(plan.method, registry.CLOSURES))(problem, progress, timings)
    return bits if stays or isinstance(bits, np.ndarray) else bits.get()
