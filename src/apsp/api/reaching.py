"""Reachability: which vertices can be reached from which."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from apsp._types import BytesLike, DeviceLike, GraphLike, HostOrGpuArray, MethodName, PathLike
from apsp.errors import DeviceError, MemoryLimitError
from apsp.facts.devices import gpu_memory_from, parse_bytes
from apsp.facts.request import pages_path
from apsp.gpu.memory import free_on_failure
from apsp.graph.accept import as_graph
from apsp.graph.device import DeviceGraph
from apsp.graph.model import Graph
from apsp.methods.closure.by_components import ReachByComponents
from apsp.methods.closure.choice import check_closure_memory, closure_by_name, closure_gpus
from apsp.methods.closure.closure import Reachability
from apsp.running.public import public
from apsp.system.machine import threads_from
from apsp.system.progress import Progress, offset, reporting

__all__ = ["reachable"]

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
    method : {'auto', 'katz-kider-closure'}
        'auto' chooses the fastest; the other is a published method for GPUs, which uses 4 bytes per pair.
    device : {'auto', 'cpu', 'cuda', 'cuda:1', 'cuda:0,1', 'emulated', 'emulated:0,1'}
        'auto' uses a GPU if there is one and the graph is large, and returns the bits to the host; with one GPU named
        they stay there, as a CuPy array, if they fit. 'emulated' runs the kernels of the published method on the CPU,
        as 'auto' does for it if there is no GPU.
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
    limit = gpu_memory_from(None if gpu_memory is None else parse_bytes(gpu_memory, "gpu_memory"))
    path = None if pages_file is None else pages_path(pages_file)
    if not isinstance(method, str) or method != "auto":
        with reporting(progress) as report:
            tell = offset(report, method, 0, graph.n)
            found = closure_by_name(graph, method, device, limit, tell, in_file=path is not None, threads=threads)
            return Reachability(graph.n, found.bits, graph.labels)
    on_host = isinstance(device, str) and device in ("auto", "cpu") and not isinstance(graph, DeviceGraph)
    if path is None and graph.n >= _FROM and not graph.has_zones and on_host:
        threads_from(threads)  # invalid ones are an error now

        def compute(part: Graph) -> HostOrGpuArray:
            return _all_bits(part, device, limit, None, threads, progress if part is graph else False).bits

        later = ReachByComponents(graph, compute)
        return Reachability(graph.n, later, graph.labels)
    return _all_bits(graph, device, limit, path, threads, progress)


def _all_bits(
    graph: Graph, device: Any, limit: int | None, path: Path | None, threads: int | None, progress: Progress
) -> Reachability:
    """Compute all bits, on GPUs or the CPU."""
    from apsp.methods.closure.by_strips import closure_in_file
    from apsp.methods.closure.closure import closure

    gpus, cores = closure_gpus(graph.n, device), threads_from(threads)
    if path is None and (len(gpus) != 1 or device == "auto"):  # the bits are copied to the host
        check_closure_memory(graph.n)
    with reporting(progress) as report:
        tell = offset(report, "closure", 0, graph.n)
        if gpus:
            try:
                with free_on_failure(gpus):
                    bits = _on_gpus(graph, gpus, limit, path, tell, stays=device != "auto")
                    return Reachability(graph.n, bits, graph.labels)
            except (MemoryLimitError, DeviceError):
                if device != "auto":
                    raise  # otherwise no GPU was requested, and the CPU does the work
        if path is not None:
            return Reachability(graph.n, closure_in_file(graph, path, threads=cores, progress=tell), graph.labels)
        return Reachability(graph.n, closure(graph, cores, tell), graph.labels)


def _on_gpus(
    graph: Graph,
    gpus: tuple[int, ...],
    gpu_memory: int | None,
    path: Path | None,
    tell: Callable[[int], None] | None,
    *,
    stays: bool,
) -> Any:
    """The bits, on a GPU if they stay on one, else on the host."""
    from apsp.methods.closure.by_strips import closure_in_file, closure_on_gpus

    if path is not None:
        return closure_in_file(graph, path, gpus, gpu_memory, progress=tell)
    bits = closure_on_gpus(graph, gpus, gpu_memory, tell)
    return bits if stays or isinstance(bits, np.ndarray) else bits.get()
