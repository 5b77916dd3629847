"""What a run over many processes needs of each: memory, time and bytes that are sent."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy as np

from apsp._types import DTypeLike, GraphLike, JsonObject, SemiringName, SpmdDevice
from apsp.api.spmd.asking import Asked, accepted
from apsp.api.spmd.devices import rates
from apsp.api.spmd.starting import processes_started
from apsp.api.spmd.storing import band_height
from apsp.api.spmd.together import together
from apsp.errors import MemoryLimitError, format_bytes
from apsp.facts.constants import load_constants
from apsp.facts.request import Request
from apsp.facts.statistics import statistics_of
from apsp.facts.work import Work
from apsp.graph.model import Graph
from apsp.methods import registry
from apsp.methods.communicator import Communicator
from apsp.system.arguments import flag, whole_number
from apsp.system.durations import duration
from apsp.system.host import host_identity
from apsp.system.lack_of_memory import memory_errors
from apsp.system.limits import allowed_memory
from apsp.system.machine import Machine

__all__ = ["SpmdPlan", "bytes_of", "check_host", "count_of", "plan", "plan_of", "rates_of"]

_SECONDS_OF_PEERS, _SECONDS_OF_NCCL = 0.01, 2.5
"""To connect two GPUs (NVIDIA H100)."""

_BANDS = 4
"""Bands in the memory of a process that writes a store: collected, received, being compressed and written."""


@dataclass(frozen=True)
class SpmdPlan:
    """What a call of `apsp.spmd.solve` would do: made by `apsp.spmd.plan`.

    Parameters
    ----------
    method, dtype : str
        Name of the method, and the dtype of the distances.
    processes, threads : int
        Processes, and threads of each.
    grid : (int, int)
        Rows and columns of the grid of processes.
    block : int
        Rows and columns of a block.
    steps : int
        Blocks of pivots.
    seconds : float
        Estimated time of the kernels, at the rate of this machine, without waiting for messages.
    bytes_matrix, bytes_panels, bytes_output : int
        Memory of a process, besides the graph: its blocks; the panels; the bands that it writes into a store, or in
        process 0 the result.
    bytes_graph : int
        The graph, which every process has.
    bytes_sent : int
        Panels that a process receives or sends in all.
    bytes_available : int
        Memory of this machine, for all of its processes.
    to_store : bool
        The result goes into a store.
    device : {'cpu', 'cuda'}
        Where the blocks and the panels are.
    rates : str
        The GPU whose rates give the time.

    Examples
    --------
    >>> import apsp, apsp.spmd
    >>> graph = apsp.generate("random", 4096, m=20000, seed=1)
    >>> planned = apsp.spmd.plan(graph, processes=4, dtype="float32")
    >>> planned.grid, planned.block, planned.steps, planned.bytes_matrix
    ((2, 2), 256, 16, 16777216)
    """

    method: str
    dtype: str
    processes: int
    threads: int
    grid: tuple[int, int]
    block: int
    steps: int
    seconds: float
    bytes_matrix: int
    bytes_panels: int
    bytes_output: int
    bytes_graph: int
    bytes_sent: int
    bytes_available: int
    to_store: bool
    device: str = "cpu"
    rates: str = ""

    def bytes_needed(self, process: int = 0) -> int:
        """Return the memory of a process on the host, besides the graph.

        Parameters
        ----------
        process : int
            Its number: without a store, process 0 also holds the result.

        Returns
        -------
        int
            Bytes.

        Examples
        --------
        >>> import apsp, apsp.spmd
        >>> planned = apsp.spmd.plan(apsp.generate("random", 4096, m=20000, seed=1), processes=4, dtype="float32")
        >>> planned.bytes_needed(0) - planned.bytes_needed(1) == 4 * 4096**2
        True
        """
        matrix, panels = (self.bytes_matrix, self.bytes_panels) if self.device == "cpu" else (0, 0)
        if self.to_store:
            return matrix + max(panels, self.bytes_output)
        return matrix + panels + (self.bytes_output if process == 0 else 0)

    def explain(self) -> str:
        """Explain in sentences how the matrix is distributed, and what each process needs.

        Returns
        -------
        str
            One sentence per line.

        Examples
        --------
        >>> import apsp, apsp.spmd
        >>> planned = apsp.spmd.plan(apsp.generate("random", 4096, m=20000, seed=1), processes=4, dtype="float32")
        >>> print(planned.explain().splitlines()[0])
        4 processes form a grid of 2 x 2 and share the matrix (float32) in blocks of 256 x 256.
        """
        rows, columns = self.grid
        size = format_bytes(self.bytes_output)
        if self.to_store:
            output = f"{size} for the bands that it writes into the store"
        else:
            output = f"in process 0 {size} for the result"
        each = duration(self.seconds / max(self.steps, 1))
        where = "" if self.device == "cpu" else " on its GPU"
        lines = [
            f"{self.processes:,} process{'es' if self.processes > 1 else ''} form a grid of {rows} x {columns} and ",
            f"share the matrix ({self.dtype}) in blocks of {self.block} x {self.block}.\n",
            f"Memory of a process: {format_bytes(self.bytes_matrix)} for its blocks, ",
            f"{format_bytes(self.bytes_panels)} for panels{where}, {output}, and ",
            f"{format_bytes(self.bytes_graph)} for the graph; ",
            f"this machine has {format_bytes(self.bytes_available)} available for all of its processes.\n",
            f"Messages: a process receives or sends {format_bytes(self.bytes_sent)} in {self.steps:,} steps.\n",
            f"Expected time of the kernels: about {duration(self.seconds)}, {each} per step, on ",
            f"{rates_of(self.device, self.threads, self.rates)}, ",
            "without waiting for messages.",
            _connecting(self.processes) if self.device == "cuda" and self.processes > 1 else "",
        ]
        return "".join(lines)

    def to_dict(self) -> JsonObject:
        """Return the plan as numbers, strings and lists, ready for JSON.

        Returns
        -------
        dict
            The fields by name.

        Examples
        --------
        >>> import apsp, apsp.spmd
        >>> apsp.spmd.plan(apsp.from_edges([0], [1], [4]), processes=2).to_dict()["grid"]
        [1, 2]
        """
        return asdict(self) | {"grid": list(self.grid)}


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
) -> SpmdPlan:
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
    SpmdPlan
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
    >>> apsp.spmd.plan(graph, processes=16, dtype="float32").grid
    (4, 4)
    """
    graph, to_store = accepted(graph), flag(store, "store")
    asked = Asked.of(graph, dtype, paths, semiring, block, threads, device, to_store)
    return plan_of(graph, asked, count_of(processes), to_store)


def count_of(processes: int | None) -> int:
    """Return the number of processes: that of all that were started, unless it is given."""
    return processes_started() if processes is None else whole_number(processes, "processes", least=1)


def plan_of(graph: Graph, asked: Asked, processes: int, to_store: bool) -> SpmdPlan:
    """Plan a validated request."""
    request, itemsize, n = asked.request, np.dtype(asked.request.dtype).itemsize, graph.n
    asked.module.refuse(asked.problem(graph))
    layout = asked.module.layout(n, itemsize, processes, asked.block)
    if request.device == "cuda":
        known = rates()
        seconds, origin = asked.module.seconds_on_gpu(asked.problem(graph), layout, known), known.origin
    else:
        seconds, origin = _seconds_alone(graph, request) * layout.matrix_bytes() / max(n * n * itemsize, 1), ""
    output = n * n * itemsize
    if to_store:
        band = band_height(n, itemsize, request.paths, processes) * n
        output = _BANDS * band * itemsize + (2 * band * 4 + 12 * graph.m if request.paths else 0)
    return SpmdPlan(
        method=request.method, dtype=request.dtype, processes=processes, threads=request.threads or 1,
        grid=layout.shape, block=layout.block, steps=layout.steps, seconds=seconds,
        bytes_matrix=layout.matrix_bytes(), bytes_panels=layout.panel_bytes(), bytes_output=output,
        bytes_graph=bytes_of(graph), bytes_sent=layout.sent_bytes(),
        bytes_available=allowed_memory()[1], to_store=to_store, device=request.device, rates=origin,
    )  # fmt: skip


def _seconds_alone(graph: Graph, request: Request) -> float:
    """Estimate the time of one process that has the whole matrix."""
    method = registry.get(request.method)
    statistics = statistics_of(graph, sums=request.semiring.join == "add")
    work = Work(graph.n, request.threads or 1, request.dtype, False, 0)
    return registry.costs(method).seconds(load_constants(Machine.detect().isa).values[method.name], statistics, work)


def _connecting(processes: int) -> str:
    """Say how long GPUs are connected before the first message."""
    return (
        f"\nThe {processes:,} GPUs are connected by peer copies on one host, in about {duration(_SECONDS_OF_PEERS)}; "
        f"by NCCL on several hosts, in about {duration(_SECONDS_OF_NCCL)} once per process, while the matrix is made."
    )


def rates_of(device: str, threads: int, rates: str) -> str:
    """Say where a process computes, and whose rates give the time."""
    if device != "cpu":
        return f"one GPU per process ({rates})"
    return f"{'1 thread' if threads == 1 else f'{threads} threads'} per process at the rate of this machine"


def bytes_of(graph: Graph) -> int:
    """Return the bytes of a graph."""
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
