"""Flows of a demand along shortest paths: that of a pair is divided equally among all of them, or follows one.

Source: Brandes 2001, "A faster algorithm for betweenness centrality", section 4; levels of 64 sources at once as in
Then et al. 2014, "The more the merrier: efficient multi-source graph traversal"; elimination over pairs of a distance
and a number of paths (Carré 1971, "An algebra for network routing problems"), and its derivative.
Input: any graph whose weights are hops or integers, or floats of at least 0. Output: `Flows`.
Cost: two passes over the arcs of shortest paths per source, in hops of 64 sources at once (on a GPU: on_gpu.py), with
weights after a search by buckets; per thread 1,024 n bytes (hops) or 64 n + 8 m (weights), and 16 (n + m) for the
sums. By elimination: sweeps down the trees of the sources and back per 16 sources; 640 n bytes per thread, 32 per entry
of the factor (on a GPU: tree_on_gpu.py). On the CPU all take time for what sources reach, or for their trees.
Raises NegativeCycleError, and RequestError if the numbers of paths are infinite, beyond float64 or not known.

The idea: from the farthest vertex to the source, a vertex passes on what ends there and what leads on, divided by the
number of paths to it; so the flows of all targets are added up in one pass. Paths are counted in float64.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import DeviceError, MemoryLimitError
from apsp.facts.one_gpu import OneGpu
from apsp.facts.ties import comparable_hops, comparable_lengths, float_bound, tie_error
from apsp.gpu.emulated.run import entered
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree
from apsp.methods.flows.cost import FlowWork, bytes_of_searches
from apsp.methods.flows.demand import Demand, Flows
from apsp.methods.flows.first_by_tree import first_by_tree
from apsp.methods.source_cost import SourceChoice
from apsp.system.cached import PartsCache
from apsp.system.machine import Machine, usable

__all__ = ["Demand", "Flows", "flows"]

IntArray = npt.NDArray[np.int32]


def flows(
    graph: Graph,
    demand: Demand,
    choice: SourceChoice,
    *,
    along: bool,
    threads: int,
    cutoff: float | None = None,
    split: bool = True,
    cache: PartsCache | None = None,
    progress: Callable[[int], None] | None = None,
) -> Flows:
    """Compute the flows of a demand.

    Parameters
    ----------
    graph : Graph
    demand : Demand
    choice : SourceChoice
        The method and the device, for all sources, of which these may be a block.
    along : bool
        Compute those of arcs, too.
    threads : int
    cutoff : int or float, optional
        Pairs at a longer distance have no flow.
    split : bool
        Divide among all shortest paths; False: every vertex is reached from the smallest possible predecessor.
    cache : PartsCache, optional
        Of the blocks before, on the CPU.
    progress : callable, optional
        Called with the number of sources that are done.
    """
    count = len(demand.sources)
    found = Flows(
        np.zeros(graph.n), np.zeros(graph.n), np.zeros(count), np.zeros(graph.m) if along else None
    )  # fmt: skip
    if FlowWork(graph, count, cutoff, split).is_empty:
        return found
    tree, gpu = choice.tree, choice.gpu
    try:
        if gpu is not None:
            try:
                if _on_gpu(graph, demand, cutoff, found, gpu, threads, progress, tree):
                    return replace(found, method=choice.method, device=choice.device)
            except (DeviceError, MemoryLimitError):
                if gpu.is_named:
                    raise
            return flows(
                graph, demand, choice.otherwise or choice.on_cpu(), along=along, threads=threads, cutoff=cutoff,
                split=split, cache=cache, progress=progress,
            )  # fmt: skip
        rows = demand.with_targets()
        arrays = _cpu.FlowArrays(
            sources=rows.sources, to=rows.to, start=rows.start, targets=rows.targets, values=rows.values,
            through=found.through, arrived=found.arrived, served=found.served, along=found.along,
        )  # fmt: skip
        arguments: dict[str, Any] = {"flows": arrays, "threads": threads, "progress": progress}
        if tree is not None and not split:
            first_by_tree(graph, tree, arguments, cutoff, threads, cache)
            return replace(found, method="elimination")
        if tree is not None and _by_elimination(graph, tree, arguments, cutoff, cache):
            return replace(found, method="elimination")
        _check_memory(graph, demand, along=along, threads=threads)
        if split and not graph.is_weighted:
            _cpu.flows_by_hops(arc_arrays(graph), **arguments, cutoff=comparable_hops(graph, cutoff))
        else:
            lengths = comparable_lengths(graph, demand.sources, cutoff)
            arcs = arc_arrays(graph, lengths.pop("weights"))
            _cpu.flows_by_length(arcs, **arguments, **lengths, first=not split)
    except ArithmeticError as error:
        raise tie_error(graph, error) from None
    return found


def _by_elimination(
    graph: Graph, tree: EliminationTree, arguments: dict[str, Any], cutoff: float | None, cache: PartsCache | None
) -> bool:
    """Whether the numbers of paths fit: if not, searches need less room for them, or say which do not fit."""
    arcs = arc_arrays(graph, graph.arc_weights(np.float64))
    bound = float_bound(graph, cutoff)
    most = np.inf if bound is None else bound
    if cache is not None:
        counted = cache.once("counted arcs", lambda: _cpu.counted_arcs(tree, arcs, arguments["threads"]))
        arguments = {**arguments, "counted": counted}
    return _cpu.flows_by_elimination(tree, arcs, **arguments, cutoff=most)


def _on_gpu(
    graph: Graph, demand: Demand, cutoff: float | None, found: Flows, chosen: OneGpu, threads: int,
    progress: Callable[[int], None] | None, tree: EliminationTree | None,
) -> bool:  # fmt: skip
    """Whether the flows are complete: if not, too many paths have been found for elimination."""
    # With the first GPU: `import apsp` stays quick.
    from apsp.methods.flows.on_gpu import flows_by_hops
    from apsp.methods.flows.tree_on_gpu import flows_by_tree

    end: tuple[Any, ...] = (found, chosen.gpu, chosen.memory, progress)

    def work() -> bool:
        if tree is not None:
            return flows_by_tree(graph, tree, demand, cutoff, *end, threads=threads)
        most = comparable_hops(graph, cutoff)
        if most >= 1:
            flows_by_hops(graph, demand.with_targets(), most, *end)
        return True

    if not chosen.is_emulated:
        return work()
    with entered(chosen.gpu + 1, chosen.memory, threads):
        return work()


def _check_memory(graph: Graph, demand: Demand, *, along: bool, threads: int) -> None:
    """Raise MemoryLimitError if the arrays of all threads do not fit."""
    needed = bytes_of_searches(
        graph, len(demand.sources), along=along, threads=threads, by_rows=demand.to is None
    )  # fmt: skip
    machine = Machine.detect()
    if needed > usable(machine):
        remedies = ["fewer threads"] if threads > 1 else []
        raise MemoryLimitError(
            "the numbers of paths and flows of all threads", needed, machine.memory_available,
            [*remedies, "a part of the graph"],
        )  # fmt: skip
