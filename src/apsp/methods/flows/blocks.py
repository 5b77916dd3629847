"""Flows in blocks of sources, which several processes compute in the same way.

The blocks depend on the graph and the number of sources only, and their sums are added up in their order. So the result
has the same bits for any number of processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.methods.flows.by_tree import tree_bytes, tree_seconds
from apsp.methods.flows.demand import Flows
from apsp.methods.flows.flows import OF_A_BLOCK, bytes_of_searches, decided, rows_of_block, seconds_of

__all__ = ["FlowPlan", "FlowSums", "flow_plan"]

_WORDS = {
    "elimination": "Method: elimination, whose sweeps carry numbers of paths along the tree, and flows back.",
    "searches": "Method: searches, which add up the flows of all targets of a source in one pass.",
}

_SECONDS = 2.0
"""Planned time of a block on one core."""


@dataclass(frozen=True)
class FlowPlan:
    """How flows are computed.

    Attributes
    ----------
    method, device : str
        'elimination' or 'searches'; 'cpu', 'cuda' or 'emulated'.
    threads : int
    block_rows : int
        Sources of a block.
    seconds_once, seconds_block, seconds : float
        Estimated time of the order of elimination and the factor, of a block, and of all blocks.
    bytes_work : int
        Host memory.
    preparation : mapping
        Arrays that other processes store with the same graph: see `Method.shares_preparation`.
    """

    method: str
    device: str
    threads: int
    block_rows: int
    seconds_once: float
    seconds_block: float
    seconds: float
    bytes_work: int
    preparation: Mapping[str, npt.NDArray[Any]]

    @property
    def words(self) -> str:
        """The method, as a sentence."""
        return _WORDS[self.method]

    @property
    def dtype(self) -> np.dtype[np.float64]:
        """Of the sums."""
        return np.dtype(np.float64)


def flow_plan(graph: Graph, count: int, *, cutoff: float | None, threads: int, device: str, split: bool) -> FlowPlan:
    """Plan the flows of so many sources; parameters and errors are those of `flows`."""
    tree, gpu = decided(graph, count, cutoff=cutoff, threads=threads, device=device, split=split)
    once, each = seconds_of(graph, tree, 1, split=split)  # on one core: blocks do not depend on threads
    again = OF_A_BLOCK * once if split else 0.0
    rows = rows_of_block(count, again, each, _SECONDS)
    blocks, each = -(-count // max(rows, 1)), each / threads
    device = "cpu" if gpu is None else "emulated" if gpu.is_emulated else "cuda"
    of_blocks = again + min(rows, count) * each, blocks * again + count * each
    if tree is None:
        size = bytes_of_searches(graph, rows, along=True, threads=threads, by_rows=True)
        return FlowPlan("searches", device, threads, rows, 0.0, *of_blocks, size, {})
    size = tree_bytes(graph, tree, threads)
    return FlowPlan("elimination", device, threads, rows, tree_seconds(graph) + once, *of_blocks, size, tree.arrays())


class FlowSums:
    """The sums of blocks of sources, which are added in their order.

    Parameters
    ----------
    graph : Graph
    count : int
        All sources.
    along : bool
        With those of arcs.
    """

    def __init__(self, graph: Graph, count: int, *, along: bool) -> None:
        self.through, self.arrived, self.served = np.zeros(graph.n), np.zeros(graph.n), np.zeros(count)
        self.along = np.zeros(graph.m) if along else None
        self._methods: set[tuple[str, str]] = set()

    def add(self, start: int, part: Flows) -> None:
        """Add the sums of a block whose first source has this number."""
        self.through += part.through
        self.arrived += part.arrived
        self.served[start : start + len(part.served)] = part.served
        if self.along is not None and part.along is not None:
            self.along += part.along
        self._methods.add((part.method, part.device))

    def flows(self) -> Flows:
        """Return the sums."""
        method, device = min(self._methods, default=("searches", "cpu"))
        return Flows(self.through, self.arrived, self.served, self.along, method, device)
