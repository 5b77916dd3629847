"""Transitive closure on several GPUs, with bits that do not fit on one, or in a file: Warshall with the driver of
strips.

Source: Warshall 1962, by strips of rows as in strips.py. Input: any graph; weights are ignored, every vertex reaches
itself, no path passes through a zone. Output: (n, ceil(n / 64)) uint64 of the host, or of a file that is
mapped. Cost: n^3 pairs of bits over all devices. Raises MemoryLimitError before the work if no plan fits.

The idea: bits are the values of another algebra, with 64 columns per value; the driver is the same.
"""

from __future__ import annotations

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
from apsp.methods.closure.placement import strips_in_file, strips_on_gpus
from apsp.methods.floyd_warshall.strips.by_strips import Matrix, close_by_strips
from apsp.methods.floyd_warshall.strips.cuts import StripPlan
from apsp.methods.floyd_warshall.strips.lane import CpuLane, Lane
from apsp.methods.floyd_warshall.strips.page_file import PageFile, fingerprint
from apsp.semiring import OR_AND, Algebra
from apsp.system.limits import allowed_memory

__all__ = ["close_bits_by_strips", "closure_by_strips", "closure_in_file"]


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
    cut = strips_on_gpus(graph.n, len(graph.indices), len(gpus), memory, allowed_memory()[1], in_file=in_file)
    plan = _made(cut, graph.n, memory, ["more gpu_memory", "more GPUs", "device='cpu'"])
    lanes = [CudaLane(number, memory, CudaBitsBackend(number)) for number in gpus]
    connect(lanes)
    return list(cast("list[Lane]", lanes)), plan


def _on_cpu(graph: Graph, threads: int) -> tuple[list[Lane], StripPlan]:
    free = allowed_memory()[1]
    plan = _made(strips_in_file(graph.n, free), graph.n, free, ["less memory for other programs"])
    return [CpuLane(CpuBitsBackend(threads))], plan


def _made(plan: StripPlan | str, n: int, memory: int, remedies: Sequence[str]) -> StripPlan:
    """Return the plan; MemoryLimitError with the reason why there is none."""
    if isinstance(plan, str):
        raise MemoryLimitError(f"the closure by strips ({plan})", n * -(-n // 64) * 8, memory, remedies)
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
