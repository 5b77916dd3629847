"""Flows in blocks of sources, which several processes compute in the same way, and which a store keeps.

The blocks depend on the graph and the number of sources only, and their sums are added up in their order. So the result
has the same bits for any number of processes and threads.
"""

from __future__ import annotations

import math

import numpy as np

from apsp.graph.model import Graph
from apsp.methods.flows.by_tree import tree_bytes, tree_seconds
from apsp.methods.flows.demand import Flows
from apsp.methods.flows.flows import LANES, bytes_of_searches, decided, seconds_of
from apsp.methods.source_cost import SourceCost

__all__ = ["METHOD_WORDS", "FlowSums", "bytes_of_sums", "flow_cost"]

METHOD_WORDS = {
    "elimination": "Method: elimination, whose sweeps carry numbers of paths along the tree, and flows back.",
    "searches": "Method: searches, which add up the flows of all targets of a source in one pass.",
}
"""Sentences for the explanation of a plan."""

_SECONDS = 2.0
"""Shortest planned time of a block on one core."""

_BYTES_PER_SECOND = 4e6
"""Most bytes of sums per second of one core, which are sent or written."""

_OF_A_BLOCK, _TIMES_FACTOR = 0.3, 4.0
"""Share of the time of the factor that each block takes again, as flows go back through the factor; the shortest time
of a block, in units of that."""

_MOST_BLOCKS = 256


def flow_cost(graph: Graph, count: int, *, cutoff: float | None, threads: int, device: str, split: bool) -> SourceCost:
    """Return the cost of the flows of so many sources; parameters and errors are those of `flows`."""
    tree, gpu = decided(graph, count, cutoff=cutoff, threads=threads, device=device, split=split)
    once, each = seconds_of(graph, tree, 1, split=split)  # on one core: blocks do not depend on threads
    again = _OF_A_BLOCK * once if split else 0.0
    rows = _rows_of_block(graph, count, again, each)
    blocks, each = -(-count // max(rows, 1)), each / threads
    device = "cpu" if gpu is None else "emulated" if gpu.is_emulated else "cuda"
    of_blocks = again + min(rows, count) * each, each, blocks * again + count * each
    if tree is None:
        size = bytes_of_searches(graph, rows, along=True, threads=threads, by_rows=True)
        return SourceCost("searches", device, rows, 0.0, *of_blocks, size)
    size, once = tree_bytes(graph, tree, threads), tree_seconds(graph) + once
    return SourceCost("elimination", device, rows, once, *of_blocks, size, tree.arrays())


def bytes_of_sums(graph: Graph) -> int:
    """Return the bytes of the sums of a block: of vertices, twice, and of arcs."""
    return 8 * (2 * graph.n + graph.m)


def _rows_of_block(graph: Graph, count: int, once: float, each: float) -> int:
    """The sources of a block: more if its sums are large, if what each block computes beside its sources would take
    more than a fifth of the time, or if there were too many blocks.

    Parameters
    ----------
    once, each : float
        Seconds per block and per source.
    """
    seconds = max(_SECONDS, bytes_of_sums(graph) / _BYTES_PER_SECOND, _TIMES_FACTOR * once)
    rows = max(math.ceil(seconds / max(each, 1e-12)), math.ceil(count / _MOST_BLOCKS))
    return max(min(rows + -rows % LANES, count), 1)


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
