"""The rows of a result that lies in a store."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, VertexLike, VerticesLike
from apsp.errors import RequestError
from apsp.result import choosing
from apsp.result.backward import ArcsBefore
from apsp.result.result import Result
from apsp.result.routes import Routes
from apsp.running.arguments import positions_of
from apsp.running.blocks import Block
from apsp.store.group import open_group
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.matrix import StoredMatrix, stored_matrix
from apsp.store.storage import Storage
from apsp.system.arguments import flag, whole_number
from apsp.system.lack_of_memory import memory_errors
from apsp.system.progress import Progress, offset, reporting

__all__ = ["StoredRows"]


class StoredRows(Result):
    """The rows of `apsp.StoredResult`."""

    distances: Any

    def __init__(self, storage: Storage, header: StoreHeader, problem: StoreInput) -> None:
        group = open_group(storage)
        info = {"method": header.method, "device": header.device, "threads": header.threads, "dtype": header.dtype}
        super().__init__(
            problem.graph,
            stored_matrix(group, storage, "distances", header, problem),
            source_positions=problem.sources,
            target_positions=problem.targets,
            pred=stored_matrix(group, storage, "predecessors", header, problem) if header.paths else None,
            cutoff=header.cutoff,
            info=info | {"store": storage.name, "band_rows": header.band_rows},
        )
        self._at, self._header = storage, header

    # -- progress -------------------------------------------------------------------------------------------------

    @property
    def is_complete(self) -> bool:
        """Whether all rows are there, in shards that are not damaged."""
        return len(self._whole) == self._header.bands.count

    @property
    def missing_sources(self) -> NumPyArray:
        """Labels of the rows that are not there yet, or in damaged shards."""
        bands, there = self._header.bands, self._whole
        missing = [bands.slice(band) for band in range(bands.count) if band not in there]
        positions = [self.source_positions[rows] for rows in missing]
        return self.graph.labels.take(np.concatenate([self.source_positions[:0], *positions]))

    @property
    def _whole(self) -> set[int]:
        """The bands that are there, of the distances and the predecessors."""
        whole: set[int] = self.distances.whole()
        return whole if self._pred is None else whole & self._pred.whole()

    @property
    def _last(self) -> StoredMatrix:
        matrix: StoredMatrix = self.distances
        return matrix

    # -- rows -----------------------------------------------------------------------------------------------------

    @memory_errors
    def row(self, source: VertexLike) -> NumPyArray:
        """Return the distances from one source.

        Parameters
        ----------
        source : hashable
            A vertex, as the graph labels it, among `sources`.

        Returns
        -------
        (T,) array
            Distances to `targets`.

        Raises
        ------
        GraphError, RequestError
            If it is not a vertex, or not among the sources that were solved for.
        RowsMissingError
            If the row has not been computed yet.

        Examples
        --------
        >>> import apsp, zarr
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph, store="small.zarr").row("a")
        array([0, 4, 5], dtype=uint16)
        """
        found: NumPyArray = self.distances[self._row(self.graph.index(source))]
        return found

    @memory_errors
    def rows(self, sources: VerticesLike) -> NumPyArray:
        """Return the distances from some sources, in their order.

        Parameters
        ----------
        sources : sequence of vertices
            As the graph labels them, among `sources`.

        Returns
        -------
        (k, T) array
            Distances to `targets`.

        Raises
        ------
        GraphError, RequestError, RowsMissingError
            As `row`.

        Examples
        --------
        >>> import apsp, zarr
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph, store="small.zarr").rows(["b", "a"])[:, 0].tolist()
        [65535, 0]
        """
        positions = positions_of(self.graph, sources, "sources")
        if positions is None:
            raise RequestError("name some sources: result[:, :] reads the rows of all")
        found: NumPyArray = self._part(positions, None)
        return found

    @memory_errors
    def blocks(self, *, rows: int | None = None, skip_missing: bool = False) -> Iterator[Block]:
        """Yield blocks of rows, as `apsp.stream` does.

        Parameters
        ----------
        rows : int, optional
            Rows per block; by default those of a shard.
        skip_missing : bool
            Leave out shards that are not there yet.

        Returns
        -------
        iterator of Block
            The blocks, in the order of the sources.

        Raises
        ------
        RowsMissingError
            If rows have not been computed yet.

        Examples
        --------
        >>> import apsp, zarr
        >>> city = apsp.generate("city", 600, seed=1)
        >>> result = apsp.solve(city, store="city.zarr")
        >>> max(int(block.distances.max()) for block in result.blocks()) == apsp.diameter(city)
        True
        """
        rows = None if rows is None else whole_number(rows, "rows", least=1)
        return self._blocks(rows, flag(skip_missing, "skip_missing"))

    def _blocks(self, height: int | None, skip_missing: bool, progress: Progress = False) -> Iterator[Block]:
        bands, total = self._header.bands, self._header.shape[0]
        with reporting(progress) as report:
            told = offset(report, "rows", 0, total)
            for band in range(bands.count):
                if skip_missing and not self._last.has_band(band):
                    continue
                part = bands.slice(band)
                step = height or bands.height
                for start in range(part.start, part.stop, step):
                    yield self._block(slice(start, min(start + step, part.stop)))
                if told is not None:
                    told(part.stop)

    @property
    def _rows_at_once(self) -> int:
        return self._header.bands.height

    def _block(self, rows: Any) -> Block:
        pred = None if self._pred is None else self._pred[rows]
        columns = None if self._all_targets else self.target_positions
        return Block(self.source_positions[rows], self.distances[rows], pred, self.graph.labels, columns)

    @functools.cached_property
    def _arcs_before(self) -> ArcsBefore | None:
        """The arcs for single paths; None if predecessors are stored, or the weights do not allow it."""
        by_arcs = self._pred is None and self._all_targets and self.distances.dtype.kind in "iu"
        return ArcsBefore(self.graph) if by_arcs and ArcsBefore.serves(self.graph) else None

    @property
    def _routes(self) -> Routes:
        return replace(super()._routes, before=self._arcs_before)

    def _part(self, sources: Any, targets: Any) -> Any:
        """Rows and columns of some positions; None means all."""
        rows = slice(None) if sources is None else self._places_of(sources, self.source_positions, "sources")
        columns = slice(None) if targets is None else self._places_of(targets, self.target_positions, "targets")
        return self.distances[rows, columns]

    def _places_of(self, given: Any, kept: npt.NDArray[np.int32], word: str) -> Any:
        everything = self._all_sources if word == "sources" else self._all_targets
        return given if everything else choosing.places(self.graph, given, kept, word)

    @memory_errors
    def __getitem__(self, pair: tuple[VerticesLike | slice, VerticesLike | slice]) -> Any:
        """`result[source, target]`, as of `Result`; only the chunks that hold it are read."""
        if not isinstance(pair, tuple) or len(pair) != 2 or not any(map(choosing.is_many, pair)):
            return super().__getitem__(pair)
        source, target = cast("tuple[Any, Any]", pair)
        one = [not choosing.is_many(given) for given in pair]
        wanted = [
            np.array([self.graph.index(given)], dtype=np.int32) if single else choosing.positions(self.graph, given)
            for given, single in zip((source, target), one, strict=True)
        ]
        found = self._part(*wanted)
        return found[0] if one[0] else found[:, 0] if one[1] else found
