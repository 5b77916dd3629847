"""What a closure over many processes needs of each: memory, time and bytes that are sent."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from apsp._types import GraphLike, JsonObject, SpmdDevice
from apsp.api.spmd.asking import accepted, block_of, threads_of
from apsp.api.spmd.devices import device_of, rates
from apsp.api.spmd.planning import bytes_of, count_of, rates_of
from apsp.api.spmd.running import rows_at_once
from apsp.errors import format_bytes
from apsp.graph.model import Graph
from apsp.methods.closure.condensation import Condensation
from apsp.system.arguments import flag
from apsp.system.durations import duration
from apsp.system.lack_of_memory import memory_errors
from apsp.system.limits import allowed_memory

__all__ = ["SpmdReachablePlan", "plan_reachable", "reachable_plan_of"]

_BANDS = 3
"""Bands in the memory of process 0: received from the others, rows of components, rows of vertices."""

_LITTLE_SECONDS = 1.0
"""Work that one process does in this time is not divided for the sake of time."""


@dataclass(frozen=True)
class SpmdReachablePlan:
    """What a call of `apsp.spmd.reachable` would do: made by `apsp.spmd.plan_reachable`.

    Parameters
    ----------
    vertices, components, arcs : int
        Vertices of the graph; its strongly connected components, and the arcs between them.
    processes, threads : int
        Processes, and threads of each.
    products : bool
        The rows of components are closed by products of bit matrices: on GPUs, and where arcs between components are
        many. Otherwise they are joined arc by arc.
    block, steps : int
        Rows of components that are closed in a step, and the number of steps.
    seconds : float
        Estimated time of the kernels of a process, at the rate of this machine, without finding components and without
        the messages.
    bytes_matrix, bytes_panels, bytes_output : int
        Memory of a process, besides the graph: its columns; the arcs of a step for products; in process 0 the result,
        or the rows that it writes into a file.
    bytes_graph : int
        The graph and its components, which every process has.
    bytes_sent : int
        Rows that process 0 receives from the others, when they are closed; nothing is sent before.
    bytes_available : int
        Memory of this machine, for all of its processes.
    to_file : bool
        The result goes into a file.
    device : {'cpu', 'cuda'}
        Where the rows are closed.
    rates : str
        The GPU whose rates give the time.

    Examples
    --------
    >>> import apsp, apsp.spmd
    >>> graph = apsp.from_edges([0, 1, 2], [1, 0, 1], n=1000)
    >>> planned = apsp.spmd.plan_reachable(graph, processes=4)
    >>> planned.components, planned.arcs, planned.products, planned.bytes_matrix
    (999, 1, False, 31968)
    """

    vertices: int
    components: int
    arcs: int
    processes: int
    threads: int
    products: bool
    block: int
    steps: int
    seconds: float
    bytes_matrix: int
    bytes_panels: int
    bytes_output: int
    bytes_graph: int
    bytes_sent: int
    bytes_available: int
    to_file: bool
    device: str
    rates: str

    def bytes_needed(self, process: int = 0) -> int:
        """Return the memory of a process on the host, besides the graph.

        Parameters
        ----------
        process : int
            Its number: process 0 also holds the result.

        Returns
        -------
        int
            Bytes.

        Examples
        --------
        >>> import apsp, apsp.spmd
        >>> planned = apsp.spmd.plan_reachable(apsp.generate("random", 4096, m=20000, seed=1), processes=4)
        >>> planned.bytes_needed(0) - planned.bytes_needed(1) == 4096**2 // 8
        True
        """
        closing = self.bytes_matrix + self.bytes_panels if self.device == "cpu" else 0
        return closing + (self.bytes_output if process == 0 else 0)

    def explain(self) -> str:
        """Explain in sentences what is closed, how it is distributed, and what each process needs.

        Returns
        -------
        str
            One sentence per line.

        Examples
        --------
        >>> import apsp, apsp.spmd
        >>> planned = apsp.spmd.plan_reachable(apsp.from_edges([0, 1, 2], [1, 0, 1], n=1000), processes=4)
        >>> print(planned.explain().splitlines()[0])
        1,000 vertices form 999 strongly connected components, with 1 arc between them.
        """
        size, n, c = format_bytes(self.bytes_output), self.vertices, self.components
        how = f"products of {self.block:,} rows at a time" if self.products else "joining rows along these arcs"
        how = how if self.arcs else "writing the members of each component"
        where = "" if self.device == "cpu" else " on its GPU"
        lines = [
            f"{_count(n, 'vertex', 'vertices')} form {_count(c, 'strongly connected component')}, ",
            f"with {_count(self.arcs, 'arc')} between them.\n",
            f"{_count(self.processes, 'process', 'processes')} close {c:,} x {n:,} bits by {how}: ",
            "each its own columns, without messages.\n",
            f"Memory of a process: {format_bytes(self.bytes_matrix)} for its columns, ",
            f"{format_bytes(self.bytes_panels)} for arcs of a step{where}, in process 0 {size} for the ",
            f"{'rows that it writes into the file' if self.to_file else 'result'}, and ",
            f"{format_bytes(self.bytes_graph)} for the graph and its components; ",
            f"this machine has {format_bytes(self.bytes_available)} available for all of its processes.\n",
            f"Messages: process 0 receives {format_bytes(self.bytes_sent)} from the others.\n",
            *self._time_words(),
        ]
        return "".join(lines)

    def _time_words(self) -> Iterator[str]:
        """The time, and whether one process alone is fast enough."""
        alone = self.seconds * self.processes
        if self.arcs:
            yield f"Expected time of the kernels: about {duration(self.seconds)}, on "
            yield f"{rates_of(self.device, self.threads, self.rates)}."
        else:
            yield "No component reaches another: there is nothing to close."
        if self.processes > 1 and alone < _LITTLE_SECONDS:
            time = f"would close them in about {duration(alone)}" if self.arcs else "is as fast"
            yield f"\nOne process alone {time}: several only divide the memory."

    def to_dict(self) -> JsonObject:
        """Return the plan as numbers and strings, ready for JSON.

        Returns
        -------
        dict
            The fields by name.

        Examples
        --------
        >>> import apsp, apsp.spmd
        >>> apsp.spmd.plan_reachable(apsp.from_edges([0], [1]), processes=2).to_dict()["components"]
        2
        """
        return asdict(self)


@memory_errors
def plan_reachable(
    graph: GraphLike,
    *,
    processes: int | None = None,
    block: int | None = None,
    threads: int | None = None,
    device: SpmdDevice = "cpu",
    file: bool = False,
) -> SpmdReachablePlan:
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
    SpmdReachablePlan
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
    >>> planned.components, planned.arcs, planned.bytes_matrix
    (20000, 19999, 3200000)
    """
    from apsp.methods.closure import spmd

    graph, to_file = accepted(graph), flag(file, "file")
    processes, size, cores, kind = count_of(processes), block_of(block), threads_of(threads), device_of(device)
    spmd.refuse(graph, kind)
    return reachable_plan_of(graph, spmd.condensation(graph), processes, size, cores, kind, to_file)


def reachable_plan_of(
    graph: Graph,
    condensed: Condensation,
    processes: int,
    block: int | None,
    threads: int,
    device: str,
    to_file: bool,
) -> SpmdReachablePlan:
    """Plan a validated request."""
    from apsp.methods.closure import spmd

    layout = spmd.layout(condensed, processes, block, device)
    known = rates() if device == "cuda" else None
    seconds = spmd.seconds(layout, threads) if known is None else spmd.seconds_on_gpu(layout, known)
    row, others = 8 * layout.words, 8 * (layout.words - layout.columns().size)
    height = rows_at_once(graph.n, row)
    return SpmdReachablePlan(
        vertices=graph.n, components=layout.components, arcs=layout.arcs, processes=processes, threads=threads,
        products=layout.products, block=layout.block, steps=layout.steps, seconds=seconds,
        bytes_matrix=layout.matrix_bytes(), bytes_panels=layout.panel_bytes(),
        bytes_output=(_BANDS * height if to_file else graph.n) * row, bytes_graph=bytes_of(graph) + condensed.nbytes,
        bytes_sent=spmd.rows_sent(condensed, height) * others, bytes_available=allowed_memory()[1], to_file=to_file,
        device=device, rates="" if known is None else known.origin,
    )  # fmt: skip


def _count(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"
