"""Flows by elimination on a GPU: batches of tiles of 32 sources, a block per tile.

Source, input and output: as flows.py, with positive integer weights. Cost: the counted arcs on the CPU, once; sweeps up
and down the tree and back for the tiles of a batch, in five launches; then the counted arcs backwards, on the CPU.
Raises MemoryLimitError if a tile does not fit.

The idea: sources do not depend on each other, so a block sweeps the whole tree for its 32 sources, a lane per source,
and never waits for another block. Its warps share the places of a level, or the arcs of a place that has many. A value
has one writer, and each tile of a batch its own sums, which are added up in the order of the tiles: every run on the
same number of tiles gives the same bits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.errors import MemoryLimitError
from apsp.facts.ties import float_bound
from apsp.gpu.memory import free_bytes, free_on_failure, on_gpu
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.methods.elimination.tree import EliminationTree
from apsp.methods.flows.demand import Demand, Flows
from apsp.methods.flows.kernels.tree_flows import CountedHalf, SweepArrays, TreeFlows
from apsp.methods.flows.tree_layout import LANES, Paths, paths_of, schedule
from apsp.system.array_device import to_host

__all__ = ["flows_by_tree"]

_MOST_PATHS = 1e280
"""As in cpp/flows/by_elimination.cpp."""

_MOST_TILES = 264
"""Tiles of a batch: two for each multiprocessor of a large GPU."""

_SPARE = 0.9
"""Share of the free memory that is used."""

_MOST_ARCS = 2**31 - 1
"""Arcs that int32 can number."""

_SHORT = 2**30
"""Distances below it are int32, with room for a sum."""


def flows_by_tree(
    graph: Graph, tree: EliminationTree, demand: Demand, cutoff: float | None, found: Flows, gpu: int,
    gpu_memory: int | None, progress: Callable[[int], None] | None, *, threads: int = 1,
) -> bool:  # fmt: skip
    """Write the flows of a demand.

    Parameters
    ----------
    tree : EliminationTree
        Of the graph, whose weights are positive integers, or absent.
    cutoff : float, optional
        Pairs at a longer distance have no flow.
    found : Flows
        Zeros, which are replaced.
    gpu : int
        Its number.
    gpu_memory : int or None
        Bytes of it that may be used.
    threads : int
        Of the CPU, for the counted arcs.

    Returns
    -------
    bool
        False if numbers of paths are near the end of float64: the flows are then not complete.

    Raises
    ------
    MemoryLimitError
        If a tile does not fit.
    """
    weights = graph.arc_weights(np.float64) if graph.is_weighted else np.ones(graph.m)
    arcs = arc_arrays(graph, weights)
    counted = _cpu.counted_arcs(tree, arcs, threads)
    if not counted.largest < _MOST_PATHS:
        return False
    arrays = _arrays(graph, tree, counted, demand, cutoff, float(weights.max(initial=0)))
    place = tree.layout.place[demand.sources]
    order = np.argsort(place, kind="stable")
    sources, rows = _in_tiles(place[order]), _in_tiles(order.astype(np.int32))
    paths = paths_of(tree.layout, sources)
    with free_on_failure((gpu,)), on_gpu(gpu):
        tiles = _tiles(
            arrays, paths, 0 if demand.values is None else len(demand.values), free_bytes(gpu, gpu_memory), gpu
        )
        work = TreeFlows(arrays, tiles, int(paths.lengths.max()))
        served: list[Any] = []
        for begin in range(0, len(paths.lengths), tiles):
            end = min(begin + tiles, len(paths.lengths))
            lanes = slice(begin * LANES, end * LANES)
            if demand.to is None:
                work.write_demand(
                    *_demand_of(demand, rows[lanes]), tree.layout.place, is_common=demand.common is not None
                )
            served.append(work.run(sources[lanes], paths.part(begin, end)))
            if progress is not None and len(served) > 1:  # the GPU computes the next batch
                to_host(served[-2])
                progress(begin * LANES)
        found.served[order] = np.concatenate([to_host(each).ravel() for each in served])[: len(order)]
        if work.has_too_many():
            return False
        through, arrived, up, down = work.totals()
    counted.spread(tree=tree, up=up, down=down, through=through, threads=threads)
    found.through[tree.order], found.arrived[tree.order] = through, arrived
    if found.along is not None:
        counted.write_along(arcs, up=up, down=down, along=found.along)
    if progress is not None:
        progress(len(order))
    return True


def _arrays(
    graph: Graph, tree: EliminationTree, counted: Any, demand: Demand, cutoff: float | None, heaviest: float
) -> SweepArrays:
    n, bound = graph.n, float_bound(graph, cutoff)
    wanted = np.zeros(n, dtype=bool)
    to, target_of = None, None
    if demand.to is not None:
        to = demand.to[tree.order]
        wanted[:] = demand.to != 0
    else:
        wanted[demand.targets if demand.common is None else demand.common] = True
        numbers = np.where(wanted, np.cumsum(wanted) - 1, -1).astype(np.int32)
        target_of = numbers[tree.order]
    needed, level, below_start, below, below_arc = counted.sweep_order(wanted)
    up, down = CountedHalf(*counted.up), CountedHalf(*counted.down)
    places = np.flatnonzero(needed).astype(np.int32)
    return SweepArrays(
        up, down,
        schedule(level, down.first, down.last, places, descending=False),
        schedule(level, below_start[:-1], below_start[1:], places, descending=True),
        below, below_arc,
        needed.view(bool), tree.first, to, target_of, np.inf if bound is None else bound,
        "int" if heaviest * max(n - 1, 1) < _SHORT else "double",
    )  # fmt: skip


def _in_tiles(values: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """The same, and -1 up to the end of the last tile."""
    padded = np.full(-(-len(values) // LANES) * LANES, -1, dtype=np.int32)
    padded[: len(values)] = values
    return padded


def _demand_of(demand: Demand, rows: npt.NDArray[np.int32]) -> tuple[Any, Any, Any, Any]:
    """The rows of a batch: their numbers, start, targets and values."""
    assert demand.start is not None
    assert demand.values is not None
    targets = demand.targets if demand.common is None else demand.common
    assert targets is not None
    if np.count_nonzero(rows >= 0) == len(demand.sources):  # all of them
        return rows, demand.start, targets, demand.values
    own = rows[rows >= 0]
    parts = [slice(*ends) for ends in zip(demand.start[own].tolist(), demand.start[own + 1].tolist(), strict=True)]
    start = np.concatenate([[0], np.cumsum(np.diff(demand.start)[own])]).astype(np.int64)
    numbers = np.where(rows >= 0, np.cumsum(rows >= 0) - 1, -1).astype(np.int32)
    if demand.common is None:
        targets = np.concatenate([targets[part] for part in parts])
    return numbers, start, targets, np.concatenate([demand.values[part] for part in parts])


def _tiles(arrays: SweepArrays, paths: Paths, entries: int, free: int, gpu: int) -> int:
    """Return the tiles of a batch: as many as fit, enough for a large GPU, and not more than there are."""
    each = arrays.tile_bytes(int(paths.lengths.max()))
    shared = arrays.shared_bytes + 12 * entries
    room = int(free * _SPARE) - shared
    if each > room or len(arrays.below) > _MOST_ARCS:
        what = f"flows from {LANES} sources at once on GPU {gpu}"
        raise MemoryLimitError(what, each + shared, max(free, 0), ["device='cpu'", "a part of the graph"])
    return min(room // each, _MOST_TILES, len(paths.lengths))
