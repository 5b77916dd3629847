"""A result that lies in a store, of which only the requested chunks are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from apsp._types import DaskArray, DataArray, NumPyArray, PathLike, VertexLike, VerticesLike
from apsp.errors import RequestError
from apsp.graph.long_table import LongTable
from apsp.graph.to_numpy import narrow_note
from apsp.measures.groups import GroupsLike
from apsp.measures.row_summary import reduced
from apsp.measures.summary import parts_for
from apsp.reductions import Summary
from apsp.result import choosing
from apsp.result.backward import ArcsBefore
from apsp.result.result import Result
from apsp.result.routes import Routes
from apsp.running.arguments import positions_of
from apsp.running.blocks import Block
from apsp.running.public import public
from apsp.store import lazy
from apsp.store.group import open_group
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.matrix import StoredMatrix, stored_matrix
from apsp.store.shards import Shards
from apsp.store.storage import Storage
from apsp.store.stored import Stored
from apsp.store.zipped import pack
from apsp.system.arguments import flag, whole_number
from apsp.system.array_device import to_host
from apsp.system.cached import cached_property
from apsp.system.file_names import file_path
from apsp.system.progress import Progress, offset, reporting

__all__ = ["StoredResult"]


class StoredResult(Stored, Result):
    """A `Result` that lies in a store: `apsp.solve(graph, store=...)` and `apsp.load` make it.

    All of `Result` works. A distance, a path, `result[source, :]`, `row`, `rows` and `blocks` read only the chunks that
    hold them. What needs the whole matrix (`to_pandas`, `to_long`, `numpy.asarray`) reads it into memory if it fits.

    A store can be read while it is written: rows that are not there yet raise `RowsMissingError`.

    Parameters
    ----------
    storage : Storage
        Where the store lies.
    header : StoreHeader
        What is written about it.
    problem : StoreInput
        Its graph, sources and targets.

    Attributes
    ----------
    distances : StoredMatrix
        Entry [i, j] is the length of a shortest path from sources[i] to targets[j]. Slices, rows and lists of rows are
        read when they are indexed, as NumPy arrays; `distances.dtype` and `distances.shape` as of an array.

    Examples
    --------
    >>> import apsp, zarr
    >>> city = apsp.generate("city", 600, seed=1)
    >>> result = apsp.solve(city, store="city.zarr")
    >>> result.is_complete, result.distance(3, 17) == apsp.solve(city, sources=3).distance(3, 17)
    (True, True)
    >>> apsp.load("city.zarr").row(3).shape
    (600,)
    """

    contents = "distances"
    distances: StoredMatrix

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
    def missing_sources(self) -> NumPyArray:
        """Labels of the rows that are not there yet, or in damaged shards."""
        bands, there = self._header.bands, self._whole_bands
        missing = [bands.slice(band) for band in range(bands.count) if band not in there]
        positions = [self.source_positions[rows] for rows in missing]
        return self.graph.labels.take(np.concatenate([self.source_positions[:0], *positions]))

    @property
    def _arrays(self) -> list[StoredMatrix]:
        return [self.distances, *([] if self._pred is None else [cast("StoredMatrix", self._pred)])]

    # -- rows -----------------------------------------------------------------------------------------------------

    @public
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
        found: NumPyArray = self.distances[self._row(self._source(source))]
        return found

    @public
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

    @public
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
            kernel_progress = offset(report, "rows", 0, total)
            for band in self._bands(skip_missing):
                part = bands.slice(band)
                step = height or bands.height
                for start in range(part.start, part.stop, step):
                    yield self._block(slice(start, min(start + step, part.stop)))
                if kernel_progress is not None:
                    kernel_progress(part.stop)

    @property
    def _rows_at_once(self) -> int:
        return self._header.bands.height

    def _block(self, rows: Any) -> Block:
        pred = None if self._pred is None else self._pred[rows]
        columns = None if self._all_targets else self.target_positions
        return Block(self.source_positions[rows], self.distances[rows], pred, self.graph.labels, columns)

    @cached_property
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

    def _places_of(self, given: Any, stored: npt.NDArray[np.int32], word: str) -> Any:
        everything = self._all_sources if word == "sources" else self._all_targets
        return given if everything else choosing.places(self.graph, given, stored, word)

    @public
    def __getitem__(self, pair: tuple[VerticesLike | slice, VerticesLike | slice]) -> Any:
        """`result[source, target]`, as of `Result`; only the chunks that hold it are read."""
        if not isinstance(pair, tuple) or len(pair) != 2 or not any(map(choosing.is_many, pair)):
            return super().__getitem__(pair)
        source, target = cast("tuple[Any, Any]", pair)
        one = [not choosing.is_many(given) for given in pair]
        positions = [
            np.array([self._position(given, stored)], dtype=np.int32)
            if single
            else choosing.positions(self.graph, given, stored)
            for given, single, stored in zip(
                (source, target), one, (self.source_positions, self.target_positions), strict=True
            )
        ]
        found = self._part(*positions)
        return found[0] if one[0] else found[:, 0] if one[1] else found

    # -- measures -------------------------------------------------------------------------------------------------

    @public
    def summary(
        self,
        *,
        measures: str | Iterable[str] | None = None,
        groups: GroupsLike | None = None,
        quantiles: float | Iterable[float] = (),
        columns: bool = False,
        bins: int = 0,
        edges: npt.ArrayLike | None = None,
        threads: int | None = None,
        progress: Progress = False,
    ) -> Summary:
        """Sums, extremes and counts of all distances, from one pass over the store.

        Parameters
        ----------
        {reduced_parts}
        threads : int, optional
            CPU threads; by default all cores.
        {progress}

        Returns
        -------
        Summary
            The numbers, as attributes and methods.

        Raises
        ------
        RequestError
            If an option is invalid, or columns were left out (`targets`).
        RowsMissingError
            If rows have not been computed yet.

        Examples
        --------
        >>> import apsp, zarr
        >>> city = apsp.generate("city", 600, seed=1)
        >>> apsp.solve(city, store="city.zarr").summary().diameter == apsp.diameter(city)
        True
        """
        if not self._all_targets:
            raise RequestError("a summary needs the columns of all vertices: solve without targets")
        given = None if self._all_sources else self.source_positions
        parts = parts_for(
            self.graph, given, measures, groups, quantiles, columns=columns, bins=bins, edges=edges, reciprocals=True
        )
        return reduced(self.graph, parts, lambda: self._blocks(None, False, progress), None, threads)

    @public
    def save(self, path: PathLike, *, progress: Progress = False) -> None:
        """Write a file: the whole store into a `.zip` file, or what `Result.save` writes into any other.

        Parameters
        ----------
        path : str or Path
            The file. If its name ends in `.zip`, it holds the shards as they are, and `apsp.load` and readers of Zarr
            read it without unpacking it. Other files (`.npz`) are not compressed.
        {progress}

        Raises
        ------
        RowsMissingError
            If rows have not been computed yet.
        OutputError
            If the file cannot be written. An old file stays.
        GraphError
            As `Result.save`.

        Examples
        --------
        >>> import apsp, zarr
        >>> city = apsp.generate("city", 600, seed=1)
        >>> result = apsp.solve(city, store="city.zarr")
        >>> result.save("city.zarr.zip")
        >>> apsp.load("city.zarr.zip").distance(3, 17) == result.distance(3, 17)
        True
        """
        path = file_path(path)
        if path.suffix != ".zip":
            super().save(path, progress=progress)
            return
        shards = Shards(self._at, self._header)
        for band in shards.missing():
            shards.check(band)
            raise self.distances.missing(band)
        with reporting(progress) as report:
            pack(self._at, path, report)

    def _in_memory(self) -> Result:
        block = self._block(slice(None))
        pred = block.predecessors if block.has_predecessors else None
        return Result(
            self.graph, block.distances, source_positions=block.source_positions,
            target_positions=None if self._all_targets else self.target_positions, pred=pred, cutoff=self.cutoff,
            info=self.info,
        )  # fmt: skip

    # -- other packages -------------------------------------------------------------------------------------------

    def to_dask(self) -> DaskArray:
        """Return the distances as a Dask array, which is read when it is computed, a shard at a time.

        Returns
        -------
        dask.array.Array
            (S, T) distances; `apsp.unreachable(distances.dtype)` where there is no path.

        Raises
        ------
        MissingDependencyError
            If Dask is not installed.

        Examples
        --------
        >>> import apsp, dask, zarr
        >>> city = apsp.generate("city", 600, seed=1)
        >>> result = apsp.solve(city, store="city.zarr")
        >>> int(result.to_dask().max().compute()) == apsp.diameter(city)
        True
        """
        return lazy.dask_array(self.distances, "StoredResult.to_dask")

    def to_xarray(self) -> DataArray:
        """Return an xarray DataArray of distances with the dimensions source and target, on a Dask array.

        Returns
        -------
        xarray.DataArray
            (S, T) distances, infinite where there is no path; integers become float64. Nothing is read before it is
            computed.

        Raises
        ------
        MissingDependencyError
            If xarray or Dask is not installed.

        Examples
        --------
        >>> import apsp, dask, xarray, zarr
        >>> city = apsp.generate("city", 600, seed=1)
        >>> result = apsp.solve(city, store="city.zarr")
        >>> int(result.to_xarray().isel(source=3).max()) == int(result.row(3).max())
        True
        """
        return lazy.data_array(self)

    def _long(self, only_reachable: bool, predecessors: bool) -> LongTable:
        return self._in_memory()._long(only_reachable, predecessors)

    def __dlpack__(self, **options: Any) -> Any:
        return to_host(self.distances).__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return 1, 0  # kDLCPU

    def _repr_html_(self) -> str:
        from apsp.figures.html import card

        rows, columns = self.distances.shape
        table: list[tuple[str, object]] = [
            ("sources x targets", f"{rows:,} x {columns:,}"),
            ("distances", self.distances.dtype),
            ("note", narrow_note(self.distances.dtype)),
            ("predecessors", "kept" if self.has_predecessors else "not kept"),
            ("store", self._at.name),
            ("rows", "complete" if self.is_complete else f"{len(self.missing_sources):,} are missing"),
            ("method", self.info["method"]),
            ("graph", repr(self.graph)),
        ]
        return card("StoredResult", table)

    def __repr__(self) -> str:
        rows, columns = self.distances.shape
        with_paths = ", with paths" if self.has_predecessors else ""
        return f"StoredResult({rows} x {columns}, {self.distances.dtype}, {self._name}{with_paths}{self._state})"
