"""Distances that are distributed over processes.

Input: a graph that every process has. Output: as `DistributedMatrix`. Errors: NegativeCycleError and DtypeRangeError,
the same in all processes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from apsp.errors import DtypeRangeError
from apsp.methods.floyd_warshall.spmd.matrix import DistributedMatrix
from apsp.methods.searches.negative_cycle import refuse_negative_cycle
from apsp.system.array_device import to_host

__all__ = ["DistributedDistances"]


@dataclass(frozen=True)
class DistributedDistances(DistributedMatrix):
    """The part of this process."""

    def finish(self, bad_vertex: int) -> None:
        """Make the distances public; raise the error of a negative cycle or of a narrow dtype."""
        if bad_vertex < 0 and self.algebra.semiring.join == "add":
            bad_vertex = self.connection.largest(-1 if self.backend.finish(self.page, self.algebra) else 0).result()
        if bad_vertex >= 0:
            refuse_negative_cycle(self.graph)
            raise DtypeRangeError(f"{self.page.dtype} is too narrow for the distances of this graph; use a wider dtype")

    def tight_arcs(self) -> npt.NDArray[np.uint8]:
        """Return for every arc whether it is a shortest path itself: each process compares those of its blocks."""
        graph, flags = self.graph, np.zeros(self.graph.m, dtype=np.uint8)
        rows, columns = self.grid.rows.places(), self.grid.columns.places()
        weights = graph.arc_weights(self.page.dtype if self.page.dtype.kind == "f" else np.int64)
        for vertex in np.flatnonzero(rows >= 0).tolist():
            arcs = np.arange(graph.indptr[vertex], graph.indptr[vertex + 1])
            arcs = arcs[(columns[graph.indices[arcs]] >= 0) & (graph.indices[arcs] != vertex)]
            lengths = to_host(self.page[rows[vertex]])[columns[graph.indices[arcs]]]
            flags[arcs] = lengths == weights[arcs]
        self.connection.union(flags)
        return flags
