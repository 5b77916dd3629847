"""A matrix that is distributed over processes: written from a graph, closed, and collected in bands of rows.

Input: a graph that every process has. Output: bands of whole rows in public values, each in one process. Errors:
NegativeCycleError and DtypeRangeError, the same in all processes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import DtypeRangeError
from apsp.gpu.page import Page
from apsp.graph.model import Graph
from apsp.methods.backend import Backend
from apsp.methods.distributed import Connection
from apsp.methods.floyd_warshall.spmd.driver import Program
from apsp.methods.floyd_warshall.spmd.grid import Grid
from apsp.methods.searches.negative_cycle import refuse_negative_cycle
from apsp.semiring import Algebra
from apsp.system.place import to_host

__all__ = ["DistributedMatrix"]


@dataclass(frozen=True)
class DistributedMatrix:
    """The part of this process.

    Attributes
    ----------
    graph : Graph
    shape : (int, int)
        Rows and columns of the grid of processes.
    block : int
        Rows and columns of a block.
    page : page of the device
        The blocks of this process.
    backend, connection, algebra
        As for `Program`.
    pairs : int
        As for `Program`.
    facts : mapping
        For `Result.info`.
    """

    graph: Graph
    shape: tuple[int, int]
    block: int
    page: Page
    backend: Backend
    connection: Connection
    algebra: Algebra
    pairs: int
    facts: Mapping[str, Any]

    @property
    def grid(self) -> Grid:
        """The blocks of this process."""
        return self.grid_of(self.connection.rank)

    def grid_of(self, rank: int) -> Grid:
        """The blocks of a process."""
        return Grid.of(self.graph.n, self.block, self.shape, rank)

    def close(self, progress: Callable[[int], None] | None) -> None:
        """Write the lengths of the arcs, compute all distances, and make them public."""
        rows, columns = self.grid.rows, self.grid.columns
        for i in rows.owned:
            for j in columns.owned:
                page = self.page[rows.here(i), columns.here(j)]
                self.backend.fill(page, rows.bounds(i)[0], columns.bounds(j)[0], self.graph, self.algebra)
        program = Program(self.grid, self.page, self.backend, self.connection, self.algebra, self.pairs)
        bad_vertex = program.close(progress)
        if bad_vertex < 0 and self.algebra.semiring.join == "add":
            bad_vertex = self.connection.largest(-1 if self.backend.finish(self.page, self.algebra) else 0).result()
        if bad_vertex >= 0:
            refuse_negative_cycle(self.graph)
            raise DtypeRangeError(f"{self.page.dtype} is too narrow for the distances of this graph; use a wider dtype")

    def rows(self, start: int, stop: int, collector: int) -> npt.NDArray[Any] | None:
        """Collect rows in one process; all must call this with the same arguments."""
        mine = self._rows_here(self.grid, start, stop)
        sent = [(np.ascontiguousarray(to_host(self.page[here])), collector) for here, _ in mine]
        if self.connection.rank != collector:
            self.connection.exchange(sent, [])
            return None
        found = np.empty((stop - start, self.graph.n), dtype=self.page.dtype)
        received: list[tuple[npt.NDArray[Any], int]] = []
        places: list[tuple[Grid, slice]] = []
        for rank in range(self.shape[0] * self.shape[1]):
            grid = self.grid_of(rank)
            for here, there in self._rows_here(grid, start, stop):
                received.append((np.empty((here.stop - here.start, grid.columns.size), dtype=found.dtype), rank))
                places.append((grid, there))
        self.connection.exchange(sent, received)
        for (part, _), (grid, there) in zip(received, places, strict=True):
            for block in grid.columns.owned:
                found[there, slice(*grid.columns.bounds(block))] = part[:, grid.columns.here(block)]
        return found

    def _rows_here(self, grid: Grid, start: int, stop: int) -> list[tuple[slice, slice]]:
        """Rows of a process that are in a band: in its page, and in the band."""
        found = []
        for block in grid.rows.owned:
            first, last = grid.rows.bounds(block)
            low, high = max(first, start), min(last, stop)
            if low < high:
                here = grid.rows.here(block).start - first
                found.append((slice(here + low, here + high), slice(low - start, high - start)))
        return found
