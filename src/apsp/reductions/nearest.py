"""The k nearest vertices of every source."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import Dataset, NumPyArray
from apsp.errors import MemoryLimitError
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable, with_infinities, xarray_labels
from apsp.graph.tabular import Tabular
from apsp.graph.to_numpy import HasDistances
from apsp.reductions.blocks import Feed, RowBlock
from apsp.reductions.component_block import columns_of, places_in
from apsp.semiring import NO_VERTEX
from apsp.system.arguments import whole_number
from apsp.system.array_device import is_on_gpu
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, threads_from, usable
from apsp.system.optional import needed

__all__ = ["Nearest", "NearestRows", "k_nearest"]

NearestRows = list[tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[Any]]]
"""Sources, and the positions and distances of their nearest vertices, of each block that was added."""


def k_nearest(
    blocks: Iterable[RowBlock], n: int, k: int, *, threads: int | None = None, labels: Labels | None = None
) -> Nearest:
    """Add all blocks to a new `Nearest(n, k)`."""
    nearest = Nearest(n, k, threads=threads, labels=labels)
    for block in blocks:
        nearest.add(block)
    return nearest


class Nearest(HasDistances, Tabular):
    """The k vertices nearest to each source, nearest first; of equally near ones the first in the graph.

    Parameters
    ----------
    n : int
        Vertices.
    k : int
        How many, at least 1. The source itself is not one of them.
    threads : int, optional
        APSP_NUM_THREADS or all cores by default.
    labels : Labels, optional
        Labels of the vertices in the results (`graph.labels`); by default their positions.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.Nearest(graph.n, 2)
    >>> for block in apsp.stream(graph):
    ...     found.add(block)
    >>> found.vertices.tolist(), found.distances.tolist()
    ([[1, 2], [2, 0], [0, 1]], [[4, 5], [1, 3], [2, 6]])
    """

    def __init__(self, n: int, k: int, *, threads: int | None = None, labels: Labels | None = None) -> None:
        self.k = whole_number(k, "k", least=1, most=2**31 - 2)
        if self.k > n:
            machine, needed = Machine.detect(), n * self.k * 12
            if needed > usable(machine):
                what, remedy = (
                    f"{self.k:,} nearest vertices of each of {n:,}",
                    f"k={max(n - 1, 1)}, which is all of them",
                )
                raise MemoryLimitError(what, needed, machine.memory_available, [remedy])
        self.threads = threads_from(threads)
        self._feed = Feed(n, labels)
        self._parts: NearestRows = []
        self._order: npt.NDArray[np.int32] | None = None

    def of(self, sources: npt.NDArray[np.int32]) -> Nearest:
        """Return the same with a row for each of some sources, in their order.

        Parameters
        ----------
        sources : (S,) int32
            Positions of vertices whose rows were added; a position may occur more than once.

        Returns
        -------
        Nearest
            The object with these rows, which shares its arrays.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
        >>> import numpy
        >>> found = apsp.k_nearest(graph, 1).of(numpy.array([2, 0], dtype=numpy.int32))
        >>> found.vertices.ravel().tolist()
        [0, 1]
        """
        ordered = copy.copy(self)
        ordered._order = sources
        return ordered

    def add(self, block: RowBlock) -> None:
        """Add the rows of a block, where they lie.

        Parameters
        ----------
        block : Block
            Rows of distances to all vertices, as returned by `apsp.stream`.

        Raises
        ------
        RequestError
            If the block has the wrong shape or dtype, or a source was added before.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
        >>> found = apsp.Nearest(graph.n, 1)
        >>> found.add(next(apsp.stream(graph)))
        >>> found.distances.ravel().tolist()
        [4, 1, 2]
        """
        sources, _, dist = self._feed.take(block, on_gpu=True)
        columns = columns_of(block)
        own = sources if columns is None else places_in(columns, sources)
        if is_on_gpu(dist):
            from apsp.reductions.kernels.nearest import nearest

            vertices, distances = nearest(dist, own, self.k)
        else:
            vertices = np.empty((len(sources), self.k), dtype=np.int32)
            distances = np.empty((len(sources), self.k), dtype=dist.dtype)
            _cpu.nearest_columns(dist, own, vertices, distances, self.threads)
        if columns is not None:
            vertices = np.where(vertices == NO_VERTEX, NO_VERTEX, columns[vertices])
        self._parts.append((sources, vertices, distances))

    def _add_found(self, found: NearestRows) -> None:
        """Add what another object has found of other sources, for example in another process."""
        for sources, vertices, distances in found:
            self._feed.mark(sources, distances.dtype)
            self._parts.append((sources, vertices, distances))

    @property
    def sources(self) -> NumPyArray:
        """The vertices whose rows were added, in the order of the graph's labels.

        In a result of `k_nearest` they are in the order of its `sources`.
        """
        return self._feed.labels.take(self._sources)

    @property
    def _sources(self) -> npt.NDArray[np.int32]:
        return self._feed.source_positions if self._order is None else self._order

    @property
    def vertices(self) -> NumPyArray:
        """(S, k) labels: int32 positions if the graph has no labels, int64 for integers, else objects.

        Entries are -1 (None among objects) where fewer than k vertices are reached. Integer labels that include -1 are
        returned as objects.
        """
        return self._feed.labels.take_or_none(self.positions)

    @property
    def positions(self) -> npt.NDArray[np.int32]:
        """(S, k) int32, the same vertices by position; -1 where fewer than k vertices are reached."""
        return self._joined(1, np.int32)

    @property
    def distances(self) -> NumPyArray:
        """(S, k) of the distances' dtype; `apsp.unreachable(dtype)` where fewer than k vertices are reached."""
        return self._joined(2, np.int64)

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns source, target and distance, with a row per vertex that is reached, nearest first.

        Returns
        -------
        dict of str to array
            The columns 'source', 'target' and 'distance'; at most k rows per source.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> columns = apsp.k_nearest(graph, 2).to_long()
        >>> columns["source"].tolist(), columns["target"].tolist(), columns["distance"].tolist()
        (['a', 'a', 'b'], ['b', 'c', 'c'], [4, 5, 1])
        """
        return self._table().to_dict()

    @memory_errors
    def to_xarray(self) -> Dataset:
        """Return an xarray Dataset with the dimensions source and rank: rank 0 is the nearest vertex.

        Returns
        -------
        xarray.Dataset
            The variables target and distance, (S, k). Where fewer than k vertices are reached, the target is -1 (null
            among objects) and the distance infinite: integers become float64 if there is such an entry.

        Raises
        ------
        MissingDependencyError
            If xarray is not installed.
        RequestError
            If fewer than k vertices are reached and float64 does not hold an integer distance exactly.

        Examples
        --------
        >>> import apsp, xarray
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> found = apsp.k_nearest(graph, 2).to_xarray()
        >>> found.target.sel(source="a").values.tolist(), found.distance.sel(source="b", rank=0).item()
        (['b', 'c'], 1.0)
        """
        xarray = needed("xarray", "Nearest.to_xarray")
        distances = with_infinities(self.distances, {np.inf: self.positions == NO_VERTEX})
        axes = ("source", "rank")
        return xarray.Dataset(
            {"target": (axes, self.vertices), "distance": (axes, distances)},
            coords={"source": xarray_labels(self.sources), "rank": np.arange(self.k)},
        )

    def _table(self) -> LongTable:
        positions = self.positions
        row, place = np.nonzero(positions != NO_VERTEX)
        source, target, distance = self._sources[row], positions[row, place], self.distances[row, place]
        columns = {"source": source, "target": target, "distance": distance}
        return LongTable(self._feed.labels, columns, among={"source": self._sources, "target": target})

    def _head(self, rows: int) -> tuple[LongTable, int]:
        every, wanted = self._feed.source_positions, self._sources
        counts = np.zeros(len(every), dtype=np.int64)
        for sources, vertices, _ in self._parts:
            counts[np.searchsorted(every, sources)] = np.count_nonzero(vertices != NO_VERTEX, axis=1)
        reached = counts[np.searchsorted(every, wanted)]
        first = wanted[np.flatnonzero(reached)[:rows]]
        few = copy.copy(self)
        few._feed, few._parts, few._order = Feed(self._feed.n, self._feed.labels), [], first
        for sources, vertices, distances in self._parts:
            here = np.isin(sources, first)
            if here.any():
                few._add_found([(sources[here], vertices[here], distances[here])])
        table = few._table()
        columns = {name: column[:rows] for name, column in table.columns.items()}
        return replace(table, columns=columns, among=None), int(reached.sum())

    def __repr__(self) -> str:
        rows = len(self._sources)
        dtype = "" if self._feed.dtype is None else f", {self._feed.dtype}"
        return f"Nearest(k={self.k}, {rows} source{'s' if rows != 1 else ''}{dtype})"

    def _joined(self, column: int, dtype: Any) -> npt.NDArray[Any]:
        if not self._parts:
            return np.empty((0, self.k), dtype=dtype)
        sources = self._feed.source_positions
        joined: npt.NDArray[Any] = np.empty((len(sources), self.k), dtype=self._parts[0][column].dtype)
        for part in self._parts:
            joined[np.searchsorted(sources, part[0])] = part[column]
        return joined if self._order is None else joined[np.searchsorted(sources, self._order)]
