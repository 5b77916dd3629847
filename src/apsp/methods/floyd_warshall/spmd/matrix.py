"""A matrix that is distributed over processes: written from a graph, closed, and collected in bands of rows.

Input: a graph that every process has. Output: bands of whole rows in public values, each in one process.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.gpu.page import Page
from apsp.graph.model import Graph
from apsp.methods.backend import Backend
from apsp.methods.distributed import Band, Connection, Parcel, Saving
from apsp.methods.floyd_warshall.spmd.checkpoints import Checkpoints
from apsp.methods.floyd_warshall.spmd.driver import Program
from apsp.methods.floyd_warshall.spmd.grid import Grid
from apsp.methods.floyd_warshall.spmd.layout import Layout
from apsp.methods.floyd_warshall.strips.page_file import fingerprint
from apsp.semiring import Algebra
from apsp.system.array_device import is_on_gpu, to_host

__all__ = ["DistributedMatrix"]


@dataclass(frozen=True)
class DistributedMatrix:
    """The part of this process.

    Attributes
    ----------
    graph : Graph
    layout : Layout
        How the matrix is distributed.
    page : page of the device
        The blocks of this process.
    backend, connection, algebra
        As for `Program`.
    pairs : int
        As for `Program`.
    """

    graph: Graph
    layout: Layout
    page: Page
    backend: Backend
    connection: Connection
    algebra: Algebra
    pairs: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the grid of processes."""
        return self.layout.shape

    @property
    def facts(self) -> Mapping[str, Any]:
        """How the matrix is distributed, for `Result.info`."""
        return {"grid": list(self.layout.shape), "block": self.layout.block}

    @property
    def grid(self) -> Grid:
        """The blocks of this process."""
        return self.layout.grid(self.connection.rank)

    def checkpoints(self, folder: Path) -> Checkpoints:
        """Open what was saved of this part."""
        what = {
            "n": self.graph.n, "graph": fingerprint(self.graph), "dtype": self.page.dtype.name,
            "semiring": self.algebra.semiring.name, **self.facts, "device": "cuda" if is_on_gpu(self.page) else "cpu",
        }  # fmt: skip
        return Checkpoints(folder, what, self.connection.rank, self.page, self.backend)

    def close(self, progress: Callable[[int], None] | None, *, first: int = 0, saving: Saving | None = None) -> None:
        """Write the lengths of the arcs, unless the page was read, compute all values, and make them public."""
        if first == 0:
            self.fill()
        program = Program(self.grid, self.page, self.backend, self.connection, self.algebra, self.pairs)
        self.finish(program.close(progress, first=first, saving=saving))

    def fill(self) -> None:
        """Write the lengths of the arcs."""
        if is_on_gpu(self.page):
            self._fill_bands()
            return
        rows, columns = self.grid.rows, self.grid.columns
        for i in rows.owned:
            for j in columns.owned:
                page = self.page[rows.here(i), columns.here(j)]
                self.backend.fill(page, rows.bounds(i)[0], columns.bounds(j)[0], self.graph, self.algebra)

    def _fill_bands(self) -> None:
        """Write whole rows, of which this process keeps its columns: arcs are copied to the GPU once."""
        rows, columns = self.grid.rows, self.grid.columns
        band = self.backend.allocate(min(rows.block, rows.n), columns.n, self.page.dtype)
        for i in rows.owned:
            first, last = rows.bounds(i)
            self.backend.fill(band[: last - first], first, 0, self.graph, self.algebra)
            for j in columns.owned:
                part = band[: last - first, slice(*columns.bounds(j))]
                self.backend.copy(part, self.page[rows.here(i), columns.here(j)])

    def finish(self, bad_vertex: int) -> None:
        """Make the values public, or raise the error that a row on a negative closed walk means."""
        raise NotImplementedError

    def write(self, into: npt.NDArray[Any]) -> None:
        """Write the values of this process into the whole matrix; some rows at a time, which may come from a GPU."""
        rows = self.grid.rows
        for block in rows.owned:
            _write(to_host(self.page[rows.here(block)]), self.grid, into[slice(*rows.bounds(block))])

    def bands(self, wanted: Sequence[Band], into: npt.NDArray[Any] | None = None) -> npt.NDArray[Any] | None:
        """Collect bands of rows, each in another process; all must call this with the same arguments but `into`."""
        mine, grid, rank = None, self.grid, self.connection.rank
        sent: list[Parcel] = []
        for start, stop, collector in wanted:
            if collector == rank:
                mine = start, stop
                continue
            sent += [
                (np.ascontiguousarray(to_host(self.page[here])), collector)
                for here, _ in self._rows_here(grid, start, stop)
            ]
        if mine is None:
            self.connection.exchange(sent, [])
            return None
        start, stop = mine
        found = np.empty((stop - start, grid.columns.n), dtype=self.page.dtype) if into is None else into
        received: list[Parcel] = []
        parts: list[tuple[npt.NDArray[Any], Grid, slice]] = []
        for sender in range(self.shape[0] * self.shape[1]):
            other = self.layout.grid(sender)
            for here, there in self._rows_here(other, start, stop):
                if sender == rank:
                    parts.append((to_host(self.page[here]), other, there))
                elif other.columns.size == grid.columns.n:  # whole rows
                    received.append((found[there], sender))
                else:
                    part = np.empty((here.stop - here.start, other.columns.size), dtype=found.dtype)
                    received.append((part, sender))
                    parts.append((part, other, there))
        self.connection.exchange(sent, received)
        for part, other, there in parts:
            _write(part, other, found[there])
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


def _write(part: npt.NDArray[Any], grid: Grid, into: npt.NDArray[Any]) -> None:
    """Write rows of the page of a process to their columns in whole rows."""
    for block in grid.columns.owned:
        into[:, slice(*grid.columns.bounds(block))] = part[:, grid.columns.here(block)]
