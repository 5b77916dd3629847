"""The part of one process of a distributed closure: some columns of the closure of the components.

Source: Purdom 1970, section 3 (from the sinks up); Arlazarov, Dinic, Kronrod, Faradzev 1970 (tables of unions, in the
products). Input: a graph and its condensation, which every process has. Output: bands of whole rows of vertices, each
in one process. Cost: as many words as this process has per row, for every arc between components; or, for products of
blocks, for half of all pairs of components. Memory: a row per component.

The idea: a component reaches its members and what its successors reach. This holds in every column by itself, so each
process closes its own columns of vertices without messages; in steps of some rows, between which all may save theirs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.gpu.page import Page
from apsp.graph.csr import arc_arrays
from apsp.graph.model import Graph
from apsp.methods.backend import Backend
from apsp.methods.closure.columns_layout import ColumnsLayout
from apsp.methods.closure.condensation import Condensation
from apsp.methods.distributed import Band, Connection, Parcel, Saving
from apsp.methods.floyd_warshall.spmd.checkpoints import Checkpoints
from apsp.methods.floyd_warshall.spmd.grid import Axis
from apsp.methods.floyd_warshall.strips.page_file import fingerprint
from apsp.semiring import OR_AND, Algebra
from apsp.system.array_device import is_on_gpu, rows_to_host

__all__ = ["DistributedColumns"]

_WORD = 64
_ALGEBRA = Algebra(OR_AND, nonnegative=True)

_BAND_BYTES = 1 << 24
"""Bytes of the rows that are written at a time, with members or into the whole matrix."""


@dataclass(frozen=True)
class DistributedColumns:
    """The part of this process.

    Attributes
    ----------
    graph : Graph
    condensed : Condensation
        Of this graph.
    layout : ColumnsLayout
    page : (components, words of this process) page of the device
    backend : Backend
    connection : Connection
    threads : int
    """

    graph: Graph
    condensed: Condensation
    layout: ColumnsLayout
    page: Page
    backend: Backend
    connection: Connection
    threads: int

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the grid of processes."""
        return 1, self.layout.processes

    @property
    def facts(self) -> Mapping[str, Any]:
        """How the columns are distributed and closed."""
        return {"grid": list(self.shape), "block": self.layout.block}

    @property
    def columns(self) -> Axis:
        """The words of this process."""
        return self.layout.columns(self.connection.rank)

    def checkpoints(self, folder: Path) -> Checkpoints:
        """Open what was saved of this part."""
        what = {
            "rows": "components", "n": self.graph.n, "graph": fingerprint(self.graph, lengths=False),
            "dtype": self.page.dtype.name, "semiring": OR_AND.name, **self.facts,
            "device": "cuda" if is_on_gpu(self.page) else "cpu",
        }  # fmt: skip
        return Checkpoints(folder, what, self.connection.rank, self.page, self.backend)

    def close(self, progress: Callable[[int], None] | None, *, first: int = 0, saving: Saving | None = None) -> None:
        """Write the members of the components, unless the page was read, and add what successors reach."""
        layout = self.layout
        if first == 0 and self.columns.size > 0:
            self._fill()
        for step in range(first, layout.steps):
            told = None if saving is None else self.connection.largest(int(saving.is_due()))
            rows = layout.bounds(step)
            if self.columns.size > 0:
                if layout.products:
                    self._multiply(*rows)
                else:
                    self._join(self.condensed.graph, *rows)
            if told is not None and saving is not None and told.result() > 0:
                saving.save(step + 1)
            if progress is not None:
                progress(rows[1] * self.graph.n // layout.components)
        self._extend_zones()

    def _fill(self) -> None:
        """Write the members of each component."""
        columns = self.columns
        mine = np.flatnonzero(columns.places()[np.arange(self.graph.n) // _WORD] >= 0)
        mine = mine[np.argsort(self.condensed.labels[mine], kind="stable")]
        height = max(_BAND_BYTES // max(8 * columns.size, 1), 1)
        for start in range(0, self.layout.components, height):
            stop = min(start + height, self.layout.components)
            low, high = np.searchsorted(self.condensed.labels[mine], [start, stop])
            rows = np.zeros((stop - start, columns.size), dtype=np.uint64)
            self._set(rows, self.condensed.labels[mine[low:high]] - start, mine[low:high])
            self.backend.copy(rows, self.page[start:stop])

    def _set(self, rows: Page, tails: npt.NDArray[np.int32], vertices: npt.NDArray[Any]) -> None:
        """Set the bit of each vertex in one of the rows, if its column is here."""
        places = self.columns.places()[vertices // _WORD]
        here = places >= 0
        bits = np.uint64(1) << (vertices[here] % _WORD).astype(np.uint64)
        np.bitwise_or.at(rows, (tails[here], places[here]), bits)

    def _join(self, arcs: Graph, first: int, last: int) -> None:
        """Add the rows of successors, arc by arc."""
        _cpu.join_heads(self.page, arc_arrays(arcs), first, last, self.threads)

    def _multiply(self, first: int, last: int) -> None:
        """Add the rows of successors: first of those before these rows, then of those among them."""
        rows, backend = self.page[first:last], self.backend
        arcs = backend.allocate(last - first, -(-last // _WORD), np.uint64)
        backend.fill(arcs, first, 0, self.condensed.graph, _ALGEBRA)
        if first > 0:
            backend.update(rows, arcs[:, : first // _WORD], self.page[:first], _ALGEBRA)
        among = arcs[:, first // _WORD :]
        backend.close_tile(among, _ALGEBRA)
        backend.update(rows, among, rows, _ALGEBRA)

    def _extend_zones(self) -> None:
        """Add the vertices that zones reach: those that their heads reach; from a head that is a zone, only the head.

        Zones are not the heads of others here, so their rows can be written in any order.
        """
        graph, labels, components = self.graph, self.condensed.labels, self.layout.components
        if graph.zones is None or not graph.has_zones or self.columns.size == 0:
            return
        leaving = np.flatnonzero(graph.zones[graph.tails()])
        leaving = leaving[np.argsort(labels[graph.tails()[leaving]], kind="stable")]
        tails, heads = labels[graph.tails()[leaving]], graph.indices[leaving]
        ends = graph.zones[heads]
        indptr = np.concatenate([[0], np.cumsum(np.bincount(tails[~ends], minlength=components))])
        self._join(Graph._made(indptr, labels[heads[~ends]], None, directed=True), 0, components)
        self._set(self.page, tails[ends], heads[ends])

    def write(self, into: npt.NDArray[Any]) -> None:
        """Write the columns of this process into the whole matrix; some rows at a time, which may come from a GPU."""
        height = max(_BAND_BYTES // max(8 * self.columns.size, 1), 1)
        for start in range(0, self.graph.n, height):
            rows = self.condensed.labels[start : start + height]
            _write(rows_to_host(self.page, rows), self.columns, into[start : start + height])

    def bands(self, wanted: Sequence[Band], into: npt.NDArray[Any] | None = None) -> npt.NDArray[Any] | None:
        """Collect bands of rows of vertices, each in another process; all must call this with the same arguments but
        `into`.

        The row of a component is sent once per band, to the process that collects its members.
        """
        sent: list[Parcel] = []
        received: list[Parcel] = []
        places: npt.NDArray[np.int64] | None = None
        for start, stop, collector in wanted:
            rows, of_rows = np.unique(self.condensed.labels[start:stop], return_inverse=True)
            sent.append((np.ascontiguousarray(rows_to_host(self.page, rows)), collector))
            if collector == self.connection.rank:
                places = of_rows
                for sender in range(self.layout.processes):
                    size = self.layout.columns(sender).size
                    received.append((np.empty((len(rows), size), dtype=np.uint64), sender))
        self.connection.exchange(sent, received)
        if places is None:
            return None
        found = np.empty((len(places), self.layout.words), dtype=np.uint64) if into is None else into
        for part, sender in received:
            _write(part[places], self.layout.columns(sender), found)
        return found


def _write(part: npt.NDArray[np.uint64], columns: Axis, into: npt.NDArray[np.uint64]) -> None:
    """Write the columns of a process to their places in whole rows."""
    for block in columns.owned:
        into[:, slice(*columns.bounds(block))] = part[:, columns.here(block)]
