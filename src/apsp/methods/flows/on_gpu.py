"""Flows in hops on a GPU: batches of sources, 32 to a word, level by level.

Sources: Brandes 2001, "A faster algorithm for betweenness centrality", section 4; levels of many sources at once as in
Then et al. 2014; flows are pulled from successors as in Madduri et al. 2009, "A faster parallel algorithm and efficient
multithreaded implementations for evaluating betweenness centrality on massive datasets".
Input, output: as flows.py, without weights, ties split. Cost: two passes over the arcs of shortest paths per source,
and one over their bits; two launches per batch. Raises MemoryLimitError if 32 sources do not fit.

The idea: an item is a vertex and a word of 32 sources; a level is a list of items. A warp owns an item, a lane one of
its sources: an arc is read once for 32 sources. A value has one writer, which adds in the order of the arcs, so that
every run gives the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import MemoryLimitError
from apsp.gpu.memory import free_bytes, free_on_failure, on_gpu
from apsp.graph.model import Graph
from apsp.methods.flows.demand import Demand, Flows
from apsp.methods.flows.kernels.hop_flows import HopArcs, HopFlows, batch_bytes, hop_arcs

__all__ = ["flows_by_hops"]

_ITEMS = 1 << 20
"""Vertices times words of a batch: enough for a large GPU."""

_MOST_ITEMS = 1 << 26
"""Largest such number: 32 levels of them are numbered in int32."""

_STEPS_UP = 4
"""Steps to neighbours of larger degree that order the sources."""

_SPARE = 0.9
"""Share of the free memory that is used."""


def flows_by_hops(
    graph: Graph, demand: Demand, cutoff: int, found: Flows, gpu: int, gpu_memory: int | None,
    progress: Callable[[int], None] | None,
) -> None:  # fmt: skip
    """Write the flows of a demand.

    Parameters
    ----------
    cutoff : int
        Pairs at a longer distance have no flow; at least 1.
    found : Flows
        Zeros, which are replaced.
    gpu : int
        Its number.
    gpu_memory : int or None
        Bytes of it that may be used.

    Raises
    ------
    OverflowError
        If a number of paths is beyond float64: the message is the source.
    MemoryLimitError
        If a batch does not fit.
    """
    order = _in_patches(graph, demand.sources)
    arcs, along = hop_arcs(graph), found.along is not None
    with free_on_failure((gpu,)), on_gpu(gpu):
        words = _words(graph, arcs, demand, cutoff, free_bytes(gpu, gpu_memory), gpu, along=along)
        searches = HopFlows(graph, arcs, words, cutoff, demand.to, along=along)
        for start in range(0, len(order), 32 * words):
            rows = order[start : start + 32 * words]
            try:
                _run(searches, demand, rows, found)
            except OverflowError as error:
                raise OverflowError(str(demand.sources[rows[int(str(error))]])) from None
            if progress is not None:
                progress(start + len(rows))
        found.through[:] = searches.through()
        if found.along is not None:
            found.along[:] = searches.flow_along()
        if demand.to is not None:
            others = searches.counts() - np.bincount(demand.sources, minlength=graph.n)
            found.arrived[:] = others * demand.to


def _in_patches(graph: Graph, sources: npt.NDArray[np.int32]) -> npt.NDArray[np.int64]:
    """The numbers of the sources in an order in which those of a word are near each other, and equal ones adjacent.

    Distances of near sources differ by little, so that their items are few. Near are those that meet on the way to the
    neighbour of the largest degree, to that of this one, and so on.
    """
    n, degrees = graph.n, np.diff(graph.indptr)
    rank = degrees * n + np.arange(n)
    above = np.arange(n)
    tails = np.flatnonzero(degrees)
    above[tails] = np.maximum.reduceat(rank[graph.indices], graph.indptr[tails]) % n
    above = np.where(rank[above] > rank, above, np.arange(n))
    keys = [sources.astype(np.int64)]
    for _ in range(_STEPS_UP):
        keys.append(above[keys[-1]])
    return np.lexsort(keys)


def _run(searches: HopFlows, demand: Demand, rows: Any, found: Flows) -> None:
    """Add the flows of the demand's rows of these numbers; equal sources are adjacent."""
    sources = demand.sources[rows]
    if demand.to is not None:
        found.served[rows] = searches.run(sources)
        return
    assert demand.start is not None
    assert demand.targets is not None
    assert demand.values is not None
    counts = np.diff(demand.start)[rows]
    lanes = np.repeat(np.arange(len(rows), dtype=np.int32), counts)
    firsts = demand.start[rows] - np.concatenate([[0], np.cumsum(counts)[:-1]])
    entries = np.arange(len(lanes)) + np.repeat(firsts, counts)
    targets, values = demand.targets[entries], demand.values[entries]
    served = values * searches.run_rows(sources, lanes, targets, values)
    found.served[rows] = np.bincount(lanes, served, minlength=len(rows))
    found.arrived[:] += np.bincount(targets, served, minlength=len(found.arrived))


def _words(graph: Graph, arcs: HopArcs, demand: Demand, cutoff: int, free: int, gpu: int, *, along: bool) -> int:
    """Return the words of a batch: a power of two that has enough work, fits, and is not larger than all sources."""
    free = int(free * _SPARE) - 24 * (graph.m + graph.n) - 12 * len(arcs.heads)

    def needed(words: int) -> int:
        return batch_bytes(graph.n, arcs, words, cutoff, rows=demand.to is None, along=along)

    if needed(1) > free or graph.n > _MOST_ITEMS:
        what = f"flows from 32 sources at once on GPU {gpu}"
        raise MemoryLimitError(what, needed(1), max(free, 0), ["device='cpu'", "a part of the graph"])
    words = 1
    while 32 * words < len(demand.sources) and 2 * words * graph.n <= _ITEMS and needed(2 * words) <= free:
        words *= 2
    return words
