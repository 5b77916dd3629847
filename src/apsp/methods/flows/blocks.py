"""The sums of flows in blocks of sources, which several processes compute in the same way, and which a store keeps."""

from __future__ import annotations

import numpy as np

from apsp.graph.model import Graph
from apsp.methods.flows.demand import Flows

__all__ = ["FlowSums"]


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
