"""A result for other packages: arrays, dictionaries, tables of pandas and xarray."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import ArrowTable, DataArray, DataFrame, NumPyArray, PolarsFrame, Vertex, csr_array
from apsp.errors import PathsNotKeptError
from apsp.graph.long_table import LongTable, pandas_index, with_infinities, xarray_labels
from apsp.graph.to_numpy import HasDistances, as_numbers
from apsp.result.table import DistanceTable
from apsp.semiring import MIN_PLUS
from apsp.system.arguments import flag
from apsp.system.array_device import beside, to_host
from apsp.system.lack_of_memory import memory_errors
from apsp.system.optional import needed

__all__ = ["Exports"]

_AT_ONCE = 1 << 24
"""Entries that are looked at at a time."""


class Exports(HasDistances, DistanceTable):
    """The conversions of `apsp.result.result.Result` to other packages."""

    @memory_errors
    def to_long(self, *, only_reachable: bool = True, predecessors: bool = False) -> dict[str, NumPyArray]:
        """Return columns source, target and distance with one row per pair: `pandas.DataFrame(result.to_long())`.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, -1 or None where there is none.

        Returns
        -------
        dict of str to array
            The columns 'source', 'target' and 'distance', and 'predecessor'.

        Raises
        ------
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> result = apsp.solve(graph)
        >>> columns = result.to_long()
        >>> columns["source"].tolist(), columns["distance"].tolist()
        (['a', 'a', 'a', 'b', 'b', 'c'], [0, 4, 5, 0, 1, 0])
        """
        return self._long(only_reachable, predecessors).to_dict()

    @memory_errors
    def to_polars(self, *, only_reachable: bool = True, predecessors: bool = False) -> PolarsFrame:
        """Return a polars DataFrame with one row per pair.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path; otherwise their distance is null.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, null where there is none.

        Returns
        -------
        polars.DataFrame
            The columns source, target, distance, and predecessor.

        Raises
        ------
        MissingDependencyError
            If polars is not installed.
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.
        RequestError
            If the labels have several types.

        Examples
        --------
        >>> import apsp, polars
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph, sources=["b"]).to_polars().rows()
        [('b', 'b', 0), ('b', 'c', 1)]
        """
        return self._long(only_reachable, predecessors).to_polars("Result.to_polars")

    @memory_errors
    def to_arrow(self, *, only_reachable: bool = True, predecessors: bool = False) -> ArrowTable:
        """Return a PyArrow table with one row per pair, which DuckDB and other libraries read without a copy.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path; otherwise their distance is null.
        predecessors : bool
            Add the column predecessor: the vertex before the target on a shortest path, null where there is none.

        Returns
        -------
        pyarrow.Table
            The columns source, target, distance, and predecessor. Labels that are not integers are encoded as
            dictionaries, 4 bytes per row.

        Raises
        ------
        MissingDependencyError
            If pyarrow is not installed.
        PathsNotKeptError
            If the result was solved without `paths=True`, and predecessors are requested.
        RequestError
            If the labels have several types.

        Examples
        --------
        >>> import apsp, pyarrow
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph, sources=["b"]).to_arrow().to_pylist()
        [{'source': 'b', 'target': 'b', 'distance': 0}, {'source': 'b', 'target': 'c', 'distance': 1}]
        """
        return self._long(only_reachable, predecessors).to_arrow("Result.to_arrow")

    def _long(self, only_reachable: bool, predecessors: bool) -> LongTable:
        only_reachable = flag(only_reachable, "only_reachable")
        if flag(predecessors, "predecessors") and self._pred is None:
            raise PathsNotKeptError("predecessors were not kept: solve(..., paths=True) keeps them")
        self.check()
        with beside(self.distances):
            reached = self.distances != self.semiring.no_path(self.distances.dtype)
            kept = reached.copy()
            if not only_reachable:
                kept[...] = True
            row, column = (to_host(index) for index in kept.nonzero())
            distance, missing = to_host(self.distances[kept]), ~to_host(reached[kept])
        target = self.target_positions[column]
        columns = {"source": self.source_positions[row], "target": target, "distance": distance}
        if predecessors:
            with beside(self._pred):
                columns["predecessor"] = to_host(self._pred)[row, target]
        return LongTable(self.graph.labels, columns, missing)

    @memory_errors
    def to_scipy(self, dtype: npt.DTypeLike = "float64") -> csr_array:
        """Return the distances of pairs with a path as a sparse array of SciPy; distances of zero are entries.

        `apsp.within(graph, cutoff).to_scipy()` makes the same array without the (S, T) matrix of this result.

        Parameters
        ----------
        dtype : numpy dtype
            Any integer or float dtype that holds all distances: sums in that of `distances`, which is the narrowest,
            may wrap.

        Returns
        -------
        (S, T) scipy.sparse.csr_array
            A row per source and a column per target; pairs without a path have no entry. Rows are in the order of the
            targets.

        Raises
        ------
        RequestError
            If the dtype does not hold a distance.

        Examples
        --------
        >>> import apsp, scipy
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2])
        >>> near = apsp.solve(graph, cutoff=5).to_scipy()
        >>> near.indices.tolist(), near.data.tolist()
        ([0, 1, 1, 2, 3, 2, 3, 3], [0.0, 4.0, 0.0, 3.0, 5.0, 0.0, 2.0, 0.0])
        """
        from scipy.sparse import csr_array as scipy_array

        self.check()
        given, (count, width) = self.distances, self.distances.shape
        step = getattr(given, "band_shape", (max(_AT_ONCE // max(width, 1), 1),))[0]  # of a store
        counts, columns, distances = [np.zeros(1, np.int64)], [np.empty(0, np.int32)], [np.empty(0, given.dtype)]
        for start in range(0, count, step):
            rows = to_host(given[start : start + step])
            reached = rows != self.semiring.no_path(rows.dtype)
            counts.append(reached.sum(axis=1))
            columns.append(reached.nonzero()[1].astype(np.int32))
            distances.append(rows[reached])
        data = as_numbers(np.concatenate(distances), dtype, self.semiring)
        return scipy_array(
            (data, np.concatenate(columns), np.cumsum(np.concatenate(counts))), shape=(count, width)
        )  # fmt: skip

    @memory_errors
    def to_dict(self, *, only_reachable: bool = True) -> dict[Vertex, dict[Vertex, int | float]]:
        """Return dictionaries of distances, `found[source][target]`, as NetworkX does.

        Parameters
        ----------
        only_reachable : bool
            Leave out pairs without a path; otherwise their distance is `math.inf`.

        Returns
        -------
        dict of dict
            Distances as Python numbers, by the labels of the vertices.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph).to_dict()
        {'a': {'a': 0, 'b': 4, 'c': 5}, 'b': {'b': 0, 'c': 1}, 'c': {'c': 0}}
        """
        only_reachable = flag(only_reachable, "only_reachable")
        self.check()
        targets, dtype = self.targets.tolist(), self.distances.dtype
        none, no_path = self.semiring.no_path(dtype), self.semiring.no_path(np.float64)
        empty, no_arcs = (self.semiring.empty_path(kind) for kind in (dtype, np.float64))
        words = {none: no_path} if self.semiring is MIN_PLUS else {none: no_path, empty: no_arcs}
        found: dict[Vertex, dict[Vertex, int | float]] = {}
        for place, source in enumerate(self.sources.tolist()):
            row = to_host(self.distances[place]).tolist()
            found[source] = {
                target: words.get(value, value)
                for target, value in zip(targets, row, strict=True)
                if value != none or not only_reachable
            }
        return found

    @memory_errors
    def to_pandas(self) -> DataFrame:
        """Return a pandas DataFrame of distances with the sources as index and the targets as columns.

        For one row per pair: `pandas.DataFrame(result.to_long())`.

        Returns
        -------
        pandas.DataFrame
            (S, T) distances, infinite where there is no path: integers become float64 if there is such a pair.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        RequestError
            If some pair has no path and float64 does not hold an integer distance exactly.

        Examples
        --------
        >>> import apsp, pandas
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> apsp.solve(graph).to_pandas()
        target    a    b    c
        source
        a       0.0  4.0  5.0
        b       inf  0.0  1.0
        c       inf  inf  0.0
        """
        pandas = needed("pandas", "Result.to_pandas")
        rows, columns = (
            pandas_index(pandas, vertices, name)
            for name, vertices in (("source", self.sources), ("target", self.targets))
        )
        return pandas.DataFrame(self._infinite(), index=rows, columns=columns)

    @memory_errors
    def to_xarray(self) -> DataArray:
        """Return an xarray DataArray of distances with the dimensions source and target.

        Returns
        -------
        xarray.DataArray
            (S, T) distances, infinite where there is no path: integers become float64 if there is such a pair. Its
            attributes describe the run.

        Raises
        ------
        MissingDependencyError
            If xarray is not installed.
        RequestError
            If some pair has no path and float64 does not hold an integer distance exactly.

        Examples
        --------
        >>> import apsp, xarray
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 1, 9], labels=["a", "b", "c"])
        >>> found = apsp.solve(graph).to_xarray()
        >>> found.dims, found.sel(source="a", target="c").item()
        (('source', 'target'), 5.0)
        """
        xarray = needed("xarray", "Result.to_xarray")
        told = {name: value for name, value in self.info.items() if isinstance(value, (str, int, float))}
        ends = {"source": self.sources, "target": self.targets}
        return xarray.DataArray(
            self._infinite(), coords={name: xarray_labels(labels) for name, labels in ends.items()}, dims=tuple(ends),
            name="distance", attrs=told,
        )  # fmt: skip

    def _infinite(self) -> npt.NDArray[Any]:
        """The distances on the host, infinite where there is no path.

        Raises
        ------
        RequestError
            If float64 cannot hold an integer distance exactly.
        """
        self.check()
        array, algebra = to_host(self.distances), self.semiring
        if array.dtype.kind == "f":
            return array
        marks = {algebra.no_path(array.dtype): algebra.no_path(np.float64)}
        if algebra is not MIN_PLUS:
            marks[algebra.empty_path(array.dtype)] = algebra.empty_path(np.float64)
        return with_infinities(array, {infinity: array == mark for mark, infinity in marks.items()})

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> NumPyArray:
        """The distances as `to_numpy` returns them: float64 by default, infinite where there is no path.

        Raises
        ------
        ValueError
            If copy=False and a copy is necessary (as NumPy requires), or as `to_numpy`.
        """
        array = self.to_numpy("float64" if dtype is None else dtype)
        is_own = isinstance(self.distances, np.ndarray) and np.shares_memory(array, self.distances)
        if copy is False and not is_own:
            raise ValueError("these distances need a copy: they lie on a GPU, or another dtype is wanted")
        return array.copy() if copy and is_own else array

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: bool | None = None
    ) -> Any:
        """The distances where they lie, for `torch.from_dlpack(result)` and the like."""
        given = {"stream": stream, "max_version": max_version, "dl_device": dl_device, "copy": copy}
        with beside(self.distances):
            return self.distances.__dlpack__(**{name: value for name, value in given.items() if value is not None})

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, number = self.distances.__dlpack_device__()
        return int(kind), int(number)
