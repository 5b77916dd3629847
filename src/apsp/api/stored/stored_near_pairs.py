"""Pairs within a cutoff that lie in a store, of which only the requested rows are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject, NumPyArray, PathLike, VertexLike
from apsp.errors import FileFormatError
from apsp.graph.long_table import positions_in
from apsp.graph.model import Graph
from apsp.graph.table_file import write_tables
from apsp.methods.problem import IntArray
from apsp.result.near_pairs import NearPairs, NearRow
from apsp.store.group import open_group
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.matrix import StoredMatrix, stored_matrix
from apsp.store.reading import StoredArrays
from apsp.store.shards import ArrayShards
from apsp.store.storage import Storage
from apsp.store.stored import Stored
from apsp.system.arguments import flag
from apsp.system.cached import cached_property
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import refuse_unless_fits

__all__ = ["StoredNearPairs"]

_COPIES = 3
"""Pairs are in memory as a Parquet file, as a table of Arrow, and as arrays."""


class StoredNearPairs(Stored, NearPairs):
    """`NearPairs` that lie in a store: `apsp.within(graph, cutoff, store=...)` and `apsp.load` make them.

    All of `NearPairs` works. `pairs[source]` reads the block of this source, `blocks` all of them one after another,
    and `write` writes them to one file; arrays such as `distances`, and conversions such as `to_scipy`, read all pairs
    if they fit into memory.

    A store can be read while it is written: rows that are not there yet raise `RowsMissingError`.

    Parameters
    ----------
    storage : Storage
        Where the store lies.
    header : StoreHeader
        What is written about it.
    problem : StoreInput
        Its graph, sources and targets.

    Examples
    --------
    >>> import apsp, pyarrow, zarr
    >>> streets = apsp.from_edges([0, 1], [1, 2], [5, 4], directed=False, labels=["a", "b", "c"])
    >>> apsp.within(streets, 6, store="small.zarr")
    StoredNearPairs(3 sources, 7 pairs within 6, uint16, 'small.zarr')
    >>> found = apsp.load("small.zarr")
    >>> found.is_complete, found["b"].targets.tolist(), found.to_scipy().nnz
    (True, ['b', 'c', 'a'], 7)
    """

    def __init__(self, storage: Storage, header: StoreHeader, problem: StoreInput) -> None:
        every = np.arange(problem.graph.n, dtype=np.int32)
        sources = every if problem.sources is None else problem.sources
        assert header.cutoff is not None
        vars(self).update(
            labels=problem.graph.labels, cutoff=header.cutoff, source_positions=sources,
            target_positions=problem.targets, graph=problem.graph, _at=storage, _header=header,
            _counts=stored_matrix(open_group(storage), storage, "count", header, problem),
            _tables=ArrayShards(storage, header, "pairs"), _last=None,
            info={"threads": header.threads, "store": storage.name, "band_rows": header.band_rows},
        )  # fmt: skip

    contents = "within"

    graph: Graph
    """The graph, whose weights are the distances of neighbours."""

    info: JsonObject
    """How the pairs were computed."""

    _counts: StoredMatrix
    _tables: ArrayShards
    _last: tuple[int, NearPairs] | None

    @property
    def _arrays(self) -> tuple[StoredMatrix, ArrayShards]:
        return self._counts, self._tables

    @property
    def _dtype(self) -> np.dtype[Any]:
        """Of the distances."""
        return np.dtype(self._header.measure["dtype"])

    @cached_property
    def indptr(self) -> npt.NDArray[np.int64]:
        """(S + 1,) row i has the pairs from indptr[i] to indptr[i + 1]."""
        return np.concatenate([[0], np.cumsum(self._counts[:, 0])]).astype(np.int64)

    @property
    def pairs(self) -> int:
        """The number of pairs."""
        return int(self.indptr[-1])

    @property
    def positions(self) -> IntArray:
        """(P,) the target of each pair, by position."""
        return self._whole.positions

    @property
    def distances(self) -> NumPyArray:
        """(P,) distances."""
        return self._whole.distances

    @property
    def next_positions(self) -> IntArray | None:
        """(P,) the vertex after the source on a shortest path, by position; None if it was not kept."""
        return self._whole.next_positions if self._header.measure["next_hop"] else None

    @property
    def along(self) -> Mapping[str, NumPyArray]:
        """(P,) sums of other costs, by name."""
        return self._whole.along if self._header.measure["along"] else {}

    @memory_errors
    def __getitem__(self, source: VertexLike) -> NearRow:
        """The pairs of a source; of one that was given several times the first row.

        Raises
        ------
        GraphError, RequestError
            If it is not a vertex, or not one of the sources.
        RowsMissingError, FileFormatError
            If its row has not been computed yet, or is damaged.
        """
        band = self._header.bands.of(self._row_of(source))
        last = self._last
        if last is None or last[0] != band:
            last = band, self._block(band)
            vars(self)["_last"] = last
        return last[1][source]

    @memory_errors
    def blocks(self, *, skip_missing: bool = False) -> Iterator[NearPairs]:
        """Yield the pairs, one file after the other, in the order of the sources.

        Parameters
        ----------
        skip_missing : bool
            Leave out files that are not there yet.

        Returns
        -------
        iterator of NearPairs
            Those of each file.

        Raises
        ------
        RowsMissingError
            If rows have not been computed yet.
        FileFormatError
            If a file is damaged.

        Examples
        --------
        >>> import apsp, pyarrow, zarr
        >>> city = apsp.generate("city", 400, seed=1)
        >>> found = apsp.within(city, 60, store="blocks.zarr")
        >>> sum(block.pairs for block in found.blocks()) == found.pairs
        True
        """
        return self._blocks(flag(skip_missing, "skip_missing"))

    def _blocks(self, skip_missing: bool) -> Iterator[NearPairs]:
        return map(self._block, self._bands(skip_missing))

    @memory_errors
    def write(self, path: PathLike) -> None:
        """Write the table to a CSV or Parquet file, which appears complete or not at all, a block at a time.

        Parameters
        ----------
        path : str or Path
            The file, which ends in .csv or .parquet.

        Raises
        ------
        RequestError
            If it has another ending.
        RowsMissingError, FileFormatError
            If rows have not been computed yet, or are damaged.
        OutputError
            If the file cannot be written.

        Examples
        --------
        >>> import apsp, pyarrow, zarr
        >>> from pathlib import Path
        >>> streets = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
        >>> apsp.within(streets, 4, store="rows.zarr").write("near.csv")
        >>> Path("near.csv").read_text().splitlines()
        ['source,target,distance', 'a,a,0', 'a,b,4', 'b,b,0', 'b,c,1', 'c,c,0']
        """
        write_tables(self._none()._table(), (block._table() for block in self._blocks(False)), path)

    def _block(self, band: int) -> NearPairs:
        """The pairs of a band."""
        rows = self._header.bands.slice(band)
        counts = self._counts[rows, 0]
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        (table,) = StoredArrays(self._at, self._header).tables("pairs", [band])
        if len(table) != indptr[-1]:
            raise self._damaged(band, "it has another number of rows")
        try:
            positions = positions_in(self.labels, table.column("target"))
            hops = positions_in(self.labels, table.column("next_hop")) if self._header.measure["next_hop"] else None
            numbers = [table.column(name).to_numpy() for name in ("distance", *self._header.measure["along"])]
        except Exception as error:  # PyArrow raises several kinds
            raise self._damaged(band, str(error)) from error
        return NearPairs(
            self.labels, self.cutoff, self.source_positions[rows], self.target_positions, indptr, positions,
            numbers[0], hops, dict(zip(self._header.measure["along"], numbers[1:], strict=True)),
        )  # fmt: skip

    def _damaged(self, band: int, words: str) -> FileFormatError:
        key = self._tables.codec.key(band)
        return FileFormatError(
            self._at.name, f"{key} is damaged ({words}): remove this file, and make the same call again"
        )

    @cached_property
    def _whole(self) -> NearPairs:
        """All pairs.

        Raises MemoryLimitError before the first file is read, if they do not fit.
        """
        costs = self._header.measure["along"]
        size = self.pairs * (self._dtype.itemsize + (8 if self._header.measure["next_hop"] else 4) + 8 * len(costs))
        remedies = "the pairs of a source (pairs[source])", "blocks (pairs.blocks())"
        refuse_unless_fits(size, f"all pairs of the store {self._at.name}", *remedies)
        blocks = list(self._blocks(False)) or [self._none()]
        return NearPairs(
            self.labels, self.cutoff, self.source_positions, self.target_positions, self.indptr,
            np.concatenate([block.positions for block in blocks]),
            np.concatenate([block.distances for block in blocks]),
            None if blocks[0].next_positions is None
            else np.concatenate([cast("IntArray", block.next_positions) for block in blocks]),
            {name: np.concatenate([block.along[name] for block in blocks]) for name in costs},
        )  # fmt: skip

    def _none(self) -> NearPairs:
        """The pairs of no source."""
        none = np.empty(0, dtype=np.int32)
        return NearPairs(
            self.labels, self.cutoff, none, self.target_positions, np.zeros(1, dtype=np.int64), none,
            np.empty(0, self._dtype), none if self._header.measure["next_hop"] else None,
            {name: np.empty(0) for name in self._header.measure["along"]},
        )  # fmt: skip

    def _first_html(self) -> str:
        return ""  # they would be read for it

    def __repr__(self) -> str:
        if state := self._state:
            return f"StoredNearPairs({len(self):,} sources, {self._name}{state})"
        return f"Stored{super().__repr__()[:-1]}, {self._name})"
