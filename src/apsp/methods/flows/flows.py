"""Flows of a demand along shortest paths: that of a pair is divided equally among all of them, or follows one.

Source: Brandes 2001, "A faster algorithm for betweenness centrality", section 4; levels of 64 sources at once as in
Then et al. 2014, "The more the merrier: efficient multi-source graph traversal".
Input: any graph whose weights are hops or integers, or floats of at least 0. Output: `Flows`.
Cost: two passes over the arcs of shortest paths per source, in hops of 64 sources at once (on a GPU: on_gpu.py), with
weights after a search by buckets; per thread 1,024 n bytes (hops) or 64 n + 8 m (weights), and 16 (n + m) for the sums.
Raises NegativeCycleError, and RequestError if the numbers of paths are infinite or beyond float64.

The idea: from the farthest vertex to the source, a vertex passes on what ends there and what leads on, divided by the
number of paths to it; so the flows of all targets are added up in one pass. Paths are counted in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DeviceError, DtypeRangeError, MemoryLimitError, NegativeCycleError, RequestError
from apsp.facts.potentials import potentials
from apsp.gpu.emulated.run import entered
from apsp.graph.csr import csr_arguments
from apsp.graph.model import Graph
from apsp.graph.signed import within_reach
from apsp.methods.flows.choice import FlowDevice, flow_device
from apsp.methods.flows.demand import Demand, Flows
from apsp.semiring import bound_in
from apsp.system.machine import Machine, usable

__all__ = ["Demand", "Flows", "flows"]

IntArray = npt.NDArray[np.int32]

_LANES = 64  # as in cpp/flows/kernels.hpp


def flows(
    graph: Graph,
    demand: Demand,
    *,
    along: bool,
    threads: int,
    device: str = "cpu",
    cutoff: float | None = None,
    split: bool = True,
    progress: Callable[[int], None] | None = None,
) -> Flows:
    """Compute the flows of a demand.

    Parameters
    ----------
    graph : Graph
    demand : Demand
    along : bool
        Compute those of arcs, too.
    threads : int
    device : str
        'auto', 'cpu', 'cuda', 'cuda:1' or 'emulated'; weights need the CPU.
    cutoff : int or float, optional
        Pairs at a longer distance have no flow.
    split : bool
        Divide among all shortest paths; False: every vertex is reached from the smallest possible predecessor.
    progress : callable, optional
        Called with the number of sources that are done.
    """
    count = len(demand.sources)
    in_hops = split and not graph.is_weighted
    chosen = flow_device(device, float(count) * (graph.n + graph.m), threads, in_hops=in_hops)
    found = Flows(
        np.zeros(graph.n), np.zeros(graph.n), np.zeros(count), np.zeros(graph.m) if along else None
    )  # fmt: skip
    if count == 0 or graph.m == 0 or (cutoff is not None and cutoff < 0 and not graph.has_negative_arc):
        return found
    try:
        if chosen is not None:
            try:
                _on_gpu(graph, demand, _hops(graph, cutoff), found, chosen, threads, progress)
            except (DeviceError, MemoryLimitError):
                if chosen.is_named:
                    raise
                return flows(
                    graph, demand, along=along, threads=threads, cutoff=cutoff, split=split, progress=progress
                )  # fmt: skip
            return found
        _check_memory(graph, demand, along=along, threads=threads)
        arguments: dict[str, Any] = {**csr_arguments(graph), **vars(demand), **vars(found)}
        arguments |= {"threads": threads, "progress": progress}
        if in_hops:
            _cpu.flows_by_hops(**arguments, cutoff=_hops(graph, cutoff))
        else:
            _cpu.flows_by_length(**arguments, **_lengths(graph, demand.sources, cutoff), first=not split)
    except OverflowError as error:
        raise RequestError(
            f"a target has more than 1.8e308 shortest paths from vertex {graph.word(int(str(error)))}: their number is"
            " beyond float64; give the arcs weights that distinguish the paths"
        ) from None
    except ArithmeticError as error:
        raise RequestError(_zero_cycle(graph, int(str(error)))) from None
    return found


def _hops(graph: Graph, cutoff: float | None) -> int:
    """The cutoff as a number of arcs."""
    bound = bound_in(cutoff, np.dtype(np.int64))
    return graph.n if bound is None else min(int(bound), graph.n)


def _on_gpu(
    graph: Graph, demand: Demand, cutoff: int, found: Flows, chosen: FlowDevice, threads: int,
    progress: Callable[[int], None] | None,
) -> None:  # fmt: skip
    from apsp.methods.flows.on_gpu import flows_by_hops  # with the first GPU: `import apsp` stays quick

    if cutoff < 1:
        return
    arguments = graph, demand, cutoff, found, chosen.gpu, chosen.memory, progress
    if not chosen.is_emulated:
        flows_by_hops(*arguments)
        return
    with entered(chosen.gpu + 1, chosen.memory, threads):
        flows_by_hops(*arguments)


def _zero_cycle(graph: Graph, vertex: int) -> str:
    kind = "a cycle of length zero" if graph.directed else "an edge of length zero"
    return (
        f"vertex {graph.word(vertex)} lies on {kind}, so the number of its shortest paths is infinite;"
        " join the vertices of such cycles, or give their arcs a positive weight"
    )


def _lengths(graph: Graph, sources: IntArray, cutoff: float | None) -> dict[str, Any]:
    """Weights of at least 0 in the narrowest dtype, and the potentials that they were reduced with."""
    if not graph.has_integer_weights:
        if graph.has_negative_arc:
            raise RequestError(
                "the graph has negative float weights, whose sums are rounded, so that it is not known which paths are"
                " equally short; use integer weights (multiples of a unit)"
            )
        return {"weights": graph.arc_weights(np.float64), "cutoff": bound_in(cutoff, np.dtype(np.float64))}
    weights, heights = graph.arc_weights(np.int64), None
    if graph.has_negative_arc:
        weights, heights = _reduced(graph, sources)
    most = int(weights.max(initial=0)) * max(graph.n - 1, 1)
    if most >= np.iinfo(np.int64).max:
        raise DtypeRangeError("paths may be longer than int64 can hold; use float weights")
    kind: type[Any] = np.int32 if most < np.iinfo(np.int32).max else np.int64
    if heights is not None:  # the cutoff is one of true distances
        kind = np.int64
    bound = bound_in(cutoff, np.dtype(kind))
    return {"weights": weights.astype(kind, copy=False), "heights": heights, "cutoff": bound}


def _reduced(graph: Graph, sources: IntArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    try:
        found = potentials(graph)
    except NegativeCycleError:
        part = within_reach(graph, sources)
        if part is graph:
            raise
        found = potentials(part)
        weights = np.zeros(graph.m, np.int64)  # no search meets the arcs that are not in this part
        weights[np.diff(part.indptr)[graph.tails()] > 0] = found.reduced
        return weights, found.height
    return found.reduced, found.height


def _check_memory(graph: Graph, demand: Demand, *, along: bool, threads: int) -> None:
    """Raise MemoryLimitError if the arrays of all threads do not fit."""
    n, m = graph.n, graph.m
    if graph.is_weighted:
        each, shared = 72 * n + 16 * m, 16 * m
    else:
        each, shared = (2 if demand.to is not None else 3) * _LANES * 8 * n + 64 * n, 24 * m
    sums = 8 * (2 * n + (m if along else 0))
    threads = min(threads, max(len(demand.sources), 1))
    needed = threads * each + shared + (2 * threads + 4) * sums
    machine = Machine.detect()
    if needed > usable(machine):
        remedies = ["fewer threads"] if threads > 1 else []
        raise MemoryLimitError(
            "the numbers of paths and flows of all threads", needed, machine.memory_available,
            [*remedies, "a part of the graph"],
        )  # fmt: skip
