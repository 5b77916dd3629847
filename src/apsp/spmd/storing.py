"""A distributed matrix in a store: every process collects bands of rows, and writes them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import StoreLike
from apsp.errors import RequestError
from apsp.facts.request import Request
from apsp.graph.labels.saved import check_savable
from apsp.graph.model import Graph
from apsp.methods.communicator import Communicator
from apsp.methods.distributed import Band, Distances
from apsp.result.paths import predecessors_from_distances
from apsp.spmd.together import exchanging, together
from apsp.store.group import create, problem_of
from apsp.store.header import StoreHeader, StoreInput, header_at
from apsp.store.layout import band_rows
from apsp.store.opening import storage_of
from apsp.store.same import refuse_other
from apsp.store.shards import Shards
from apsp.store.storage import Storage, required
from apsp.store.writer import BandWriter
from apsp.system.limits import allowed_memory
from apsp.system.progress import ProgressReport, offset

__all__ = ["Output", "band_height"]

_BANDS_AT_ONCE = 8
"""Bands, with what is on the way and being compressed, that fit in the memory of a process."""

_ROWS = 64
"""Bands have a multiple of so many rows, if there are as many."""


class _Unclaimed:
    """In place of a claim: no other process of the run writes this band."""

    def release(self) -> None:
        """Nothing was claimed."""


@dataclass
class Output:
    """A store that all processes write.

    Attributes
    ----------
    request : Request
        Of this call.
    given : dict
        The options of this call, as the caller gave them.
    block : int or None
        As the caller gave it.
    facts : StoreHeader or None
        What is written about the store; None before it is created.
    rows_computed : int
        Rows that the run has written.
    """

    comm: Communicator
    storage: Storage
    graph: Graph
    request: Request
    given: dict[str, Any]
    block: int | None
    header: StoreHeader | None = None
    rows_computed: int = 0

    @classmethod
    def at(
        cls, comm: Communicator, store: StoreLike, graph: Graph, request: Request, given: dict[str, Any],
        block: int | None,
    ) -> Output:  # fmt: skip
        """Look at the store, in the first process; all call this.

        Raises RequestError if there is a store of another graph or request, or the semiring is another one; OutputError
        if nothing can be written there.
        """

        def looked() -> tuple[Storage, StoreHeader | None]:
            if request.semiring.name != "min_plus":
                raise RequestError(f"a store holds shortest paths: it cannot be combined with {request.semiring.name}")
            check_savable(graph.labels)
            required("zarr")
            storage = storage_of(store)
            if comm.rank > 0:
                return storage, None
            storage.check_writable()
            return storage, header_at(storage)

        storage, header = together(comm, looked)
        found = cls(comm, storage, graph, request, given, block, comm.bcast(header))
        together(comm, found._compare)
        return found

    def _compare(self) -> None:
        """Raise RequestError if there is a store of another request."""
        header = self.header
        if header is None or self.comm.rank > 0:
            return
        requested = self.given | {"kind": "distances", "reciprocals": False, "device": "auto"}
        mine = StoreInput(self.graph, None, None)
        refuse_other(self.storage.name, header, problem_of(self.storage, header, mine), mine, requested)
        stored = header.plan.get("block")
        if header.pinned and stored is None:
            raise RequestError(
                f"the store {self.storage.name} was begun by apsp.solve, on which its bits depend: complete it by "
                "apsp.solve, or name another store"
            )
        if header.pinned and header.device != self.request.device:
            raise RequestError(
                f"the store {self.storage.name} is of another request: it has device={header.device!r}, on which its "
                f"bits depend, this call device={self.request.device!r}. Name another store, or remove this one"
            )
        if header.pinned and self.block not in (None, stored):
            raise RequestError(
                f"the store {self.storage.name} is of another request: it has block={stored}, on which its bits "
                f"depend, this call block={self.block}. Name another store, or remove this one"
            )

    @property
    def block_size(self) -> int | None:
        """The block of the store, if the caller did not give one: with it the bits are the same."""
        return self.header.plan.get("block") if self.block is None and self.header is not None else self.block

    @property
    def missing(self) -> list[int]:
        """The bands that are not there, in all processes as the first one sees them."""
        header = self.header
        found: list[int] | None = None
        if self.comm.rank == 0 and header is not None:
            found = Shards(self.storage, header).missing()
        bands: list[int] = self.comm.bcast(found)
        return bands

    def create(self, matrix: Distances) -> None:
        """Create the store, unless there is one; all processes call this."""
        if self.header is None:
            first = self.comm.rank == 0
            header = together(self.comm, lambda: self._created(matrix) if first else None)
            self.header = self.comm.bcast(header)

    def _created(self, matrix: Distances) -> StoreHeader:
        from apsp import __version__

        request, n, dtype = self.request, self.graph.n, np.dtype(self.request.dtype)
        height = band_height(n, dtype.itemsize, request.paths, self.comm.size)
        header = StoreHeader(
            kind="distances", shape=(n, n), band_rows=height, dtype=dtype.name, paths=request.paths, reciprocals=False,
            cutoff=None, method=request.method, device=request.device, threads=request.threads or 1,
            pinned=request.paths or dtype.kind == "f", directed=self.graph.directed, semiring="min_plus",
            apsp=__version__, plan={"processes": self.comm.size, **matrix.facts},
        )  # fmt: skip
        created = create(self.storage, header, StoreInput(self.graph, None, None))
        if created is None:
            raise RequestError(f"another run has created {self.storage.name} meanwhile: make the same call again")
        return created

    def write(self, matrix: Distances, bands: list[int], report: ProgressReport | None) -> None:
        """Collect and write bands, one per process at a time; all processes call this."""
        header, rank, size = self.header, self.comm.rank, self.comm.size
        assert header is not None
        tree = self._tree(matrix) if header.paths else None
        each_band = offset(report, "rows written", 0, self.graph.n)
        writer = together(self.comm, lambda: BandWriter(self.storage, header))
        try:
            for start in range(0, len(bands), size):
                group = bands[start : start + size]
                bands_of_group: list[Band] = [
                    (header.bands.slice(band).start, header.bands.slice(band).stop, collector)
                    for collector, band in enumerate(group)
                ]
                with exchanging(self.comm):
                    dist = matrix.bands(bands_of_group)
                together(self.comm, functools.partial(self._write_band, writer, tree, group[rank:][:1], dist))
                self.rows_computed += sum(stop - first for first, stop, _ in bands_of_group)
                if each_band is not None:
                    each_band(bands_of_group[-1][1])
            together(self.comm, writer.finish)
        finally:
            writer.close()

    def _write_band(
        self, writer: BandWriter, tree: Graph | None, mine: list[int], dist: npt.NDArray[Any] | None
    ) -> None:
        """Begin to write the band of this process, if there is one for it."""
        if dist is None or self.header is None:
            return
        arrays = {"distances": dist}
        if tree is not None:
            arrays["predecessors"] = self._predecessors(tree, self.header.bands.slice(mine[0]).start, dist)
        writer.write(mine[0], arrays, _Unclaimed())

    def _tree(self, matrix: Distances) -> Graph:
        """The graph of the arcs that are shortest paths themselves: only these are needed for predecessors."""
        graph = self.graph
        with exchanging(self.comm):
            tight = matrix.tight_arcs().astype(np.bool_)
        before = np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(tight, dtype=np.int64)])
        weights = None if graph.weights is None else graph.weights[tight]
        return Graph._made(before[graph.indptr], graph.indices[tight], weights, directed=True)

    def _predecessors(self, tree: Graph, first: int, dist: npt.NDArray[Any]) -> npt.NDArray[np.int32]:
        pred = np.empty(dist.shape, dtype=np.int32)
        for row, lengths in enumerate(dist):
            pred[row] = predecessors_from_distances(tree, first + row, lengths)
        return pred


def band_height(n: int, itemsize: int, paths: bool, processes: int) -> int:
    """Return the rows of a band: each process has one to write, and several fit into its memory."""
    share = -(-n // (processes * _ROWS)) * _ROWS
    fitting = allowed_memory()[1] // (_BANDS_AT_ONCE * max(n * (itemsize + (4 if paths else 0)), 1))
    return band_rows(n, n, itemsize, max(min(share, fitting), 1))
