"""Transitive closure on several GPUs, with bits that do not fit on one, or in a file: Warshall with the driver of
strips.

Source: Warshall 1962, by strips of rows as in strips.py. Input: any graph; weights are ignored, every vertex reaches
itself, no path passes through a zone. Output: (n, ceil(n / 64)) uint64 of the host, or of a file that is
mapped. Cost: n^3 pairs of bits over all devices. Raises MemoryLimitError before the work if no plan fits.

The idea: bits are the values of another algebra, with 64 columns per value; the driver is the same.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import cast

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.gpu.memory import free_bytes
from apsp.gpu.page import Page
from apsp.graph.model import Graph
from apsp.methods.backend import Backend
from apsp.methods.closure.bits_backend import CpuBitsBackend
from apsp.methods.closure.closure import extend_zones
from apsp.methods.closure.on_gpu import closure_on_gpu, finds_components, fits
from apsp.methods.floyd_warshall.strips.by_strips import Matrix, close_by_strips
from apsp.methods.floyd_warshall.strips.cuts import StripPlan, Where, cpu_bytes, staging_bytes, strip_plan
from apsp.methods.floyd_warshall.strips.lane import CpuLane, Lane
from apsp.methods.floyd_warshall.strips.page_file import PageFile, fingerprint
from apsp.semiring import OR_AND, Algebra
from apsp.system.limits import allowed_memory

__all__ = ["close_bits_by_strips", "closure_by_strips", "closure_in_file", "closure_on_gpus"]

_FOR_STRIPS = 0.6
"""Share of a GPU's memory for strips and panels; the rest holds the packed copies that products make."""


def closure_on_gpus(
    graph: Graph,
    gpus: Sequence[int],
    gpu_memory: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Page:
    """Return the reachable vertices of every vertex: on the GPU if one is named and they fit, else on the host.

    One GPU does all the work if its memory suffices, unless several are named and the graph is dense: see
    `finds_components`.
    """
    n, alone = graph.n, len(gpus) == 1 or finds_components(graph.n, len(graph.indices))
    if n > 0 and not (alone and fits(n, gpus[0], gpu_memory)):
        return closure_by_strips(graph, gpus, gpu_memory, progress)
    bits = closure_on_gpu(graph, gpus[0], progress)
    return bits if len(gpus) == 1 else bits.get()


def closure_by_strips(
    graph: Graph,
    gpus: Sequence[int],
    gpu_memory: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> npt.NDArray[np.uint64]:
    """Return the reachable vertices of every vertex, computed on these GPUs.

    Parameters
    ----------
    graph : Graph
    gpus : sequence of int
    gpu_memory : int, optional
        Bytes of each GPU that may be used; by default all free memory.
    progress : callable, optional
        Called with the number of vertices done, out of n.

    Returns
    -------
    (n, ceil(n / 64)) uint64
        As `closure`.
    """
    return close_bits_by_strips(graph, *_on_gpus(graph, gpus, gpu_memory), progress)


def closure_in_file(
    graph: Graph,
    path: Path,
    gpus: Sequence[int] = (),
    gpu_memory: int | None = None,
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> npt.NDArray[np.uint64]:
    """Return the reachable vertices of every vertex, stored in a file during the computation and afterwards.

    Parameters
    ----------
    path : Path
        A file of the same graph is resumed, or loaded.
    gpus : sequence of int
        If there are none, the CPU is used, with `threads` threads.

    Returns
    -------
    (n, ceil(n / 64)) uint64
        As `closure`: the mapped file, read-only.

    Raises
    ------
    MemoryLimitError, OutputError, FileFormatError, RequestError
        If memory or disk space are insufficient, or the file belongs to another run.
    """
    lanes, plan = _on_gpus(graph, gpus, gpu_memory, in_file=True) if gpus else _on_cpu(graph, threads)
    run = {"graph": fingerprint(graph, lengths=False), "semiring": OR_AND.name}
    file = PageFile(path, (graph.n, plan.columns), np.uint64, run)
    try:
        bits = close_bits_by_strips(graph, lanes, plan, progress, file)
    except BaseException:
        file.close(keep=not file.is_new or file.next_pivot > 0)  # kept for the next run if it has content
        raise
    file.close()
    bits.flags.writeable = False  # writing to the result would change the file
    return bits


def _on_gpus(
    graph: Graph, gpus: Sequence[int], gpu_memory: int | None, *, in_file: bool = False
) -> tuple[list[Lane], StripPlan]:
    from apsp.methods.closure.kernels.backend import CudaBitsBackend
    from apsp.methods.floyd_warshall.strips.gpu_lane import CudaLane, connect

    memory = min(free_bytes(number, gpu_memory) for number in gpus)
    arcs = 4 * len(graph.indices) + 9 * graph.n
    for_strips = int(max(memory - arcs, 0) * _FOR_STRIPS)
    plan = _plan(graph.n, len(gpus), for_strips, ["more gpu_memory", "more GPUs", "device='cpu'"], in_file)
    lanes = [CudaLane(number, memory, CudaBitsBackend(number)) for number in gpus]
    connect(lanes)
    return list(cast("list[Lane]", lanes)), plan


def _on_cpu(graph: Graph, threads: int) -> tuple[list[Lane], StripPlan]:
    plan = _plan(graph.n, 1, cpu_bytes(allowed_memory()[1]), ["less memory for other programs"], in_file=True)
    return [CpuLane(CpuBitsBackend(threads))], plan


def _plan(n: int, devices: int, memory: int, remedies: Sequence[str], in_file: bool) -> StripPlan:
    """Cut the bits for devices with this much memory; copies to and from a file go through host memory."""
    words = -(-n // 64)
    where: tuple[Where, ...] = ("file",) if in_file else ("devices", "host")
    host = staging_bytes(allowed_memory()[1]) if in_file else sys.maxsize
    plan = strip_plan(n, 8, devices, memory, host, where=where, columns=words, pivots_per_column=64)
    if isinstance(plan, str):
        what = f"the closure by strips ({plan})"
        raise MemoryLimitError(what, n * words * 8 // devices, memory, remedies)
    return plan


def close_bits_by_strips(
    graph: Graph,
    lanes: Sequence[Lane],
    plan: StripPlan,
    progress: Callable[[int], None] | None = None,
    file: PageFile | None = None,
) -> npt.NDArray[np.uint64]:
    """As `closure_by_strips`, with devices whose backends compute on bits, and a plan for them.

    The file is used if the plan's place is 'file'; finished parts in it are not computed again.
    """
    bits = np.empty((graph.n, -(-graph.n // 64)), dtype=np.uint64) if file is None else file.matrix
    if file is not None and file.finished:
        return bits
    algebra = Algebra(OR_AND, nonnegative=True)

    def fill(backend: Backend, page: Page, row_from: int) -> None:
        backend.fill(page, row_from, 0, graph, algebra)

    matrix = Matrix(bits.dtype, fill, host=bits if file is None else None, file=file)
    close_by_strips(lanes, plan, matrix, algebra, progress)
    changed = graph.zones is not None and graph.has_zones
    if graph.zones is not None and changed:
        extend_zones(bits, graph, graph.zones)
    if file is not None:
        if isinstance(bits, np.memmap):
            bits.flush()
        file.commit(graph.n, finished=True, changed=changed)
    return bits
