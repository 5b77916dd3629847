"""What a run over many processes needs of each: memory, time and bytes that are sent."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp._types import DTypeLike, GraphLike, SemiringName, SpmdDevice
from apsp.errors import MemoryLimitError
from apsp.facts.bounds import DistanceBound
from apsp.facts.constants import load_constants
from apsp.facts.dtypes import bound_of
from apsp.facts.statistics import statistics_of
from apsp.facts.work import Work
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.closure import spmd
from apsp.methods.closure.condensation import Condensation
from apsp.methods.communicator import Communicator
from apsp.planning.distributed import ClosureShape, DistributedWork
from apsp.planning.plan import Plan
from apsp.planning.reason import Reason, reason
from apsp.spmd.devices import device_of, rates
from apsp.spmd.job import SpmdJob, accepted, block_of, threads_of
from apsp.spmd.running import rows_at_once
from apsp.spmd.starting import processes_started
from apsp.spmd.storing import band_height
from apsp.spmd.together import together
from apsp.system.arguments import flag, whole_number
from apsp.system.host import host_identity
from apsp.system.lack_of_memory import memory_errors
from apsp.system.limits import allowed_memory
from apsp.system.machine import Machine

__all__ = ["check_host", "plan", "plan_of", "plan_reachable", "reachable_plan_of"]

_SECONDS_OF_PEERS, _SECONDS_OF_NCCL = 0.01, 2.5
"""To connect two GPUs (NVIDIA H100)."""

_BANDS_OF_STORE = 4
"""Bands in the memory of a process that writes a store: collected, received, being compressed and written."""

_BANDS_OF_FILE = 3
"""Bands in the memory of process 0: received from the others, rows of components, rows of vertices."""

_LITTLE_SECONDS = 1.0
"""Work that one process does in this time is not divided for the sake of time."""


@memory_errors
def plan(
    graph: GraphLike,
    *,
    processes: int | None = None,
    dtype: DTypeLike = "auto",
    paths: bool = False,
    semiring: SemiringName = "min_plus",
    block: int | None = None,
    threads: int | None = None,
    device: SpmdDevice = "cpu",
    store: bool = False,
) -> Plan:
    """Show what `solve` would do with so many processes: the memory of each, the time, and the bytes that are sent.

    One process can call this alone, on any machine, without MPI.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    processes : int, optional
        Their number; by default that of all that mpirun, srun or torchrun has started.
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        As for `solve`.
    paths : bool
        As for `solve`.
    semiring : {'min_plus', 'max_min', 'min_max'}
        As for `solve`.
    block, threads : int, optional
        As for `solve`.
    device : {'cpu', 'cuda'}
        As for `solve`. Without a GPU the time is that of an NVIDIA H200.
    store : bool
        The result goes into a store.

    Returns
    -------
    Plan
        Numbers, and `explain()` in sentences.

    Raises
    ------
    GraphError, RequestError, MethodRefusedError, DtypeRangeError
        If the input or the request is invalid.
    MissingDependencyError
        Without `processes`, if mpi4py is not installed.

    Examples
    --------
    >>> import apsp, apsp.spmd
    >>> graph = apsp.generate("random", 10_000, m=50_000, seed=1)
    >>> apsp.spmd.plan(graph, processes=16, dtype="float32").distributed.grid
    (4, 4)
    """
    graph, to_store = accepted(graph), flag(store, "store")
    job = SpmdJob.of(graph, dtype, paths, semiring, block, threads, device, to_store)
    return plan_of(graph, job, _count_of(processes), to_store)


@memory_errors
def plan_reachable(
    graph: GraphLike,
    *,
    processes: int | None = None,
    block: int | None = None,
    threads: int | None = None,
    device: SpmdDevice = "cpu",
    file: bool = False,
) -> Plan:
    """Show what `reachable` would do with so many processes: the components, the memory of each process, the time.

    One process can call this alone, on any machine, without MPI. It finds the components of the graph.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    processes : int, optional
        Their number; by default that of all that mpirun, srun or torchrun has started.
    block, threads : int, optional
        As for `reachable`.
    device : {'cpu', 'cuda'}
        As for `reachable`.
    file : bool
        The bits are written to a file.

    Returns
    -------
    Plan
        Numbers, and `explain()` in sentences.

    Raises
    ------
    GraphError, RequestError
        If the input or the request is invalid.
    MethodRefusedError
        For graphs with zones on GPUs.
    MissingDependencyError
        Without `processes`, if mpi4py is not installed.

    Examples
    --------
    >>> import apsp, apsp.spmd
    >>> graph = apsp.from_edges(range(1, 20_000), [v // 3 for v in range(1, 20_000)])
    >>> planned = apsp.spmd.plan_reachable(graph, processes=16)
    >>> planned.distributed.closure.components, planned.distributed.closure.arcs, planned.distributed.bytes_matrix
    (20000, 19999, 3200000)
    """
    graph, to_file = accepted(graph), flag(file, "file")
    processes, size, cores, kind = _count_of(processes), block_of(block), threads_of(threads), device_of(device)
    spmd.refuse(graph, kind)
    return reachable_plan_of(graph, spmd.condensation(graph), processes, size, cores, kind, to_file)


def plan_of(graph: Graph, job: SpmdJob, processes: int, to_store: bool) -> Plan:
    """Plan a validated request for distances."""
    request, dtype, n = job.request, job.dtype, graph.n
    job.module.refuse(job.problem(graph))
    layout = job.module.layout(n, dtype.itemsize, processes, job.block)
    statistics = statistics_of(graph, sums=request.semiring.join == "add")
    threads, origin = request.threads or 1, None
    if request.device == "cuda":
        known = rates()
        seconds, origin = job.module.seconds_on_gpu(job.problem(graph), layout, known), known.origin
    else:
        row, values = registry.get(request.method), load_constants(Machine.detect().isa).values
        alone = registry.costs(row).seconds(values[row.name], statistics, Work(n, threads, dtype.name, False, 0))
        seconds = alone * layout.matrix_bytes() / max(n * n * dtype.itemsize, 1)
    output = n * n * dtype.itemsize
    if to_store:
        band = band_height(n, dtype.itemsize, request.paths, processes) * n
        output = _BANDS_OF_STORE * band * dtype.itemsize + (2 * band * 4 + 12 * graph.m if request.paths else 0)
    parts = DistributedWork(
        processes, layout.shape, layout.block, layout.steps, layout.matrix_bytes(), layout.panel_bytes(),
        _bytes_of(graph), layout.sent_bytes(), "store" if to_store else "memory",
    )  # fmt: skip
    before = [reason("grid", processes=processes, grid=parts.grid, dtype=dtype.name, block=parts.block)]
    after = [
        reason("panels_sent", size=parts.bytes_sent, steps=parts.steps),
        reason("kernels", seconds=seconds, steps=parts.steps, threads=threads, origin=origin),
    ]
    if request.device == "cuda" and processes > 1:
        after.append(reason("connecting", gpus=processes, by_peers=_SECONDS_OF_PEERS, by_nccl=_SECONDS_OF_NCCL))
    return _plan(
        parts, before, after, method=request.method, device=request.device, dtype=dtype, threads=threads,
        seconds=seconds, bytes_output=output, bound=bound_of(statistics, request), purpose="solve",
    )  # fmt: skip


def reachable_plan_of(
    graph: Graph,
    condensed: Condensation,
    processes: int,
    block: int | None,
    threads: int,
    device: str,
    to_file: bool,
) -> Plan:
    """Plan a validated request for a closure."""
    layout = spmd.layout(condensed, processes, block, device)
    known = rates() if device == "cuda" else None
    seconds = spmd.seconds(layout, threads) if known is None else spmd.seconds_on_gpu(layout, known)
    row, others = 8 * layout.words, 8 * (layout.words - layout.columns().size)
    height = rows_at_once(graph.n, row)
    closure = ClosureShape(graph.n, layout.components, layout.arcs, layout.products)
    parts = DistributedWork(
        processes, (1, processes), layout.block, layout.steps, layout.matrix_bytes(), layout.panel_bytes(),
        _bytes_of(graph) + condensed.nbytes, spmd.rows_sent(condensed, height) * others,
        "file" if to_file else "memory", closure,
    )  # fmt: skip
    size = {"vertices": graph.n, "components": layout.components, "arcs": layout.arcs}
    before = [
        reason("strong_components", **size),
        reason("columns", processes=processes, products=layout.products, block=layout.block, **size),
    ]
    after = [reason("rows_sent", size=parts.bytes_sent)]
    if layout.arcs:
        origin = None if known is None else known.origin
        after.append(reason("kernels", seconds=seconds, steps=None, threads=threads, origin=origin))
    else:
        after.append(reason("nothing_to_close"))
    if processes > 1 and seconds * processes < _LITTLE_SECONDS:
        after.append(reason("one_process", seconds=seconds * processes if layout.arcs else None))
    return _plan(
        parts, before, after, method=spmd.METHOD, device=device, dtype=np.dtype(bool), threads=threads,
        seconds=seconds, bytes_output=(_BANDS_OF_FILE * height if to_file else graph.n) * row,
        bound=DistanceBound(0, 1, "a bit is 0 or 1"), purpose="reachable",
    )  # fmt: skip


def _plan(parts: DistributedWork, before: list[Reason], after: list[Reason], **values: Any) -> Plan:
    """Return the plan of distributed work, with the memory of a process among its reasons."""
    held, free, on_gpu = parts.bytes_matrix + parts.bytes_panels, allowed_memory()[1], values["device"] == "cuda"
    memory = reason(
        "process_memory", closure=parts.closure is not None, matrix=parts.bytes_matrix, panels=parts.bytes_panels,
        on_gpu=on_gpu, output=values["bytes_output"], output_to=parts.output_to, graph=parts.bytes_graph,
        available=free,
    )  # fmt: skip
    return Plan(
        block_rows=parts.block, bytes_work=0 if on_gpu else held, bytes_on_gpu=held if on_gpu else 0,
        bytes_available=free, why=(*before, memory, *after), distributed=parts, **values,
    )  # fmt: skip


def _count_of(processes: int | None) -> int:
    """Return the number of processes: that of all that were started, unless it is given."""
    return processes_started() if processes is None else whole_number(processes, "processes", least=1)


def _bytes_of(graph: Graph) -> int:
    return graph.indptr.nbytes + graph.indices.nbytes + (0 if graph.weights is None else graph.weights.nbytes)


def check_host(comm: Communicator, needed: int) -> None:
    """Raise MemoryLimitError in all processes if those of a host need more memory than it has; all call this."""
    host = host_identity()
    found = [(need, free) for other, need, free in comm.allgather((host, needed, allowed_memory()[1])) if other == host]
    all_needed, free, count = sum(need for need, _ in found), min(free for _, free in found), len(found)

    def compared() -> None:
        if all_needed > free:
            word = f"the {count} processes" if count > 1 else "the process"
            raise MemoryLimitError(
                f"{word} on the machine {host[0]} of apsp.spmd", all_needed, free,
                ["more machines", "a narrower dtype", "a store (process 0 then does not hold the result)"],
            )  # fmt: skip

    together(comm, compared)
