"""Transitive closure on several GPUs, or where its bits do not fit on one: Warshall by the driver of strips.

Source: Warshall 1962, by strips of rows as in strips.py. Input: any graph; weights are ignored, every vertex reaches
itself, terminals are passed through by no path. Output: (n, ceil(n / 64)) uint64 of the host. Cost: n^3 pairs of bits
over all devices. Raises MemoryLimitError before the work where no plan fits.

The idea: bits are the values of one more algebra, 64 columns to a value; the driver need not know.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import cast

import numpy as np
import numpy.typing as npt

from apsp.backend import Algebra, Backend, Page
from apsp.cuda.memory import free_bytes
from apsp.errors import MemoryLimitError
from apsp.graph.model import Graph
from apsp.semiring import OR_AND
from apsp.solvers.dense.by_strips import Matrix, close_by_strips
from apsp.solvers.dense.closure import extend_terminals
from apsp.solvers.dense.closure_on_gpu import closure_on_gpu, finds_components, fits
from apsp.solvers.dense.lane import Lane
from apsp.solvers.dense.strip_plan import StripPlan, strip_plan

__all__ = ["close_bits_by_strips", "closure_by_strips", "closure_on_gpus"]

_FOR_STRIPS = 0.6
"""Share of a GPU's memory for strips and panels: products make packed copies of them."""


def closure_on_gpus(
    graph: Graph,
    gpus: Sequence[int],
    gpu_memory: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Page:
    """The reachable vertices of every vertex: on the GPU where one is named and they fit, else on the host.

    One GPU does all where the memory suffices, unless others are named and the graph is dense: see `finds_components`.
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
    """The reachable vertices of every vertex, computed on these GPUs.

    Parameters
    ----------
    graph : Graph
    gpus : sequence of int
    gpu_memory : int, optional
        Bytes of each GPU that may be used; by default all that are free.
    progress : callable, optional
        Told how many of the n vertices are done.

    Returns
    -------
    (n, ceil(n / 64)) uint64
        As `closure`.
    """
    from apsp.cuda.bits_backend import CudaBitsBackend
    from apsp.cuda.lane import CudaLane, connect

    memory = min(free_bytes(number, gpu_memory) for number in gpus)
    n, words, arcs = graph.n, -(-graph.n // 64), 4 * len(graph.indices) + 9 * graph.n
    plan = strip_plan(
        n, 8, len(gpus), int(max(memory - arcs, 0) * _FOR_STRIPS), sys.maxsize, columns=words, pivots_per_column=64
    )
    if isinstance(plan, str):
        remedies = ["more gpu_memory", "more GPUs", "device='cpu'"]
        raise MemoryLimitError(f"the closure by strips ({plan})", n * words * 8 // len(gpus), memory, remedies)
    lanes = [CudaLane(number, memory, CudaBitsBackend(number)) for number in gpus]
    connect(lanes)
    return close_bits_by_strips(graph, list(cast("list[Lane]", lanes)), plan, progress)


def close_bits_by_strips(
    graph: Graph, lanes: Sequence[Lane], plan: StripPlan, progress: Callable[[int], None] | None = None
) -> npt.NDArray[np.uint64]:
    """As `closure_by_strips`, with devices whose backends compute on bits, and a plan for them."""
    bits = np.empty((graph.n, -(-graph.n // 64)), dtype=np.uint64)
    algebra = Algebra(OR_AND, nonnegative=True)

    def fill(backend: Backend, page: Page, row_from: int) -> None:
        backend.fill(page, row_from, 0, graph, algebra)

    close_by_strips(lanes, plan, Matrix(bits.dtype, fill, host=bits), algebra, progress)
    if graph.terminals is not None and graph.has_terminals:
        extend_terminals(bits, graph, graph.terminals)
    return bits
