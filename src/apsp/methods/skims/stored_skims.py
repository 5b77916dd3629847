"""Skims that lie in a store, of which only the requested rows are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import JsonObject, NumPyArray
from apsp.figures.html import table_card
from apsp.graph.model import Graph
from apsp.result.skims.matrices import Skims
from apsp.result.skims.period_skims import PeriodSkims
from apsp.store.group import open_group
from apsp.store.header import StoreHeader, StoreInput
from apsp.store.matrix import StoredMatrix, stored_matrix
from apsp.store.storage import Storage
from apsp.store.stored import Stored
from apsp.system.arguments import flag
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import refuse_unless_fits

__all__ = ["StoredPeriodSkims", "StoredSkims"]


class StoredSkims(Stored, Skims):
    """`Skims` that lie in a store: `apsp.skim(graph, store=...)` and `apsp.load` make them.

    All of `Skims` works. `skims[name]` is a matrix of which rows, slices and lists of rows are read when they are
    indexed, as NumPy arrays; `numpy.asarray(skims[name])` reads all of it, if it fits into memory. `to_omx` reads some
    rows at a time.

    A store can be read while it is written: rows that are not there yet raise `RowsMissingError`.

    Parameters
    ----------
    storage : Storage
        Where the store lies.
    header : StoreHeader
        What is written about it.
    problem : StoreInput
        Its graph, origins and destinations.
    period : int, optional
        These are the skims of one period, of this number.

    Examples
    --------
    >>> import apsp, zarr
    >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 4], labels=["a", "b", "c"])
    >>> apsp.skim(graph, {"length": [1.5, 2.5]}, cost="minutes", store="small.zarr")
    StoredSkims(minutes, length; 3 x 3, 'small.zarr')
    >>> skims = apsp.load("small.zarr")
    >>> skims.is_complete, skims["length"][0].tolist()
    (True, [0.0, 1.5, 4.0])
    """

    contents = "skim"

    def __init__(self, storage: Storage, header: StoreHeader, problem: StoreInput, period: int | None = None) -> None:
        group, take = open_group(storage), problem.graph.labels.take
        self._at, self._header, self._problem = storage, header, problem
        self._period = period
        self._stored = {name: stored_matrix(group, storage, name, header, problem, period) for name in header.arrays}
        every = np.arange(problem.graph.n, dtype=np.int32)
        zones, targets = (take(every if chosen is None else chosen) for chosen in (problem.sources, problem.targets))
        info: JsonObject = {"method": header.method, "device": header.device, "threads": header.threads}
        info |= {"store": storage.name, "band_rows": header.band_rows}
        super().__init__(tuple(header.arrays), None, zones, targets, info)
        self._inputs = problem.graph.labels.inputs

    @property
    def graph(self) -> Graph:
        """The graph; its weights are the cost that the paths minimise. Of a period, the graph without periods."""
        return self._problem.graph

    @property
    def _arrays(self) -> list[StoredMatrix]:
        return list(self._stored.values())

    @property
    def matrices(self) -> npt.NDArray[np.float64]:
        """All matrices, (K, S, T) float64, read into memory.

        Raises
        ------
        MemoryLimitError
            Before the first byte is read, if they do not fit.
        """
        needed, what = sum(matrix.nbytes for matrix in self._arrays), f"all matrices of the store {self._at.name}"
        refuse_unless_fits(needed, what, "rows of one matrix (skims[name][first:last])")
        return np.stack([matrix[:] for matrix in self._arrays])

    def _matrix(self, name: str) -> StoredMatrix:
        return self._stored[name]

    @memory_errors
    def blocks(self, *, skip_missing: bool = False) -> Iterator[dict[str, NumPyArray]]:
        """Yield the rows of a shard after those of another, of all matrices.

        Parameters
        ----------
        skip_missing : bool
            Leave out shards that are not there yet.

        Returns
        -------
        iterator of dict of str to (rows, T) float64
            The rows by the names of the costs, in the order of `zones`.

        Raises
        ------
        RowsMissingError
            If rows have not been computed yet.
        FileFormatError
            If a shard is damaged.

        Examples
        --------
        >>> import apsp, zarr
        >>> found = apsp.skim(apsp.from_edges([0, 1], [1, 2], [5, 4]), store="rows.zarr")
        >>> max(float(rows["cost"][0, 2]) for rows in found.blocks())
        9.0
        """
        return self._blocks(flag(skip_missing, "skip_missing"))

    def _blocks(self, skip_missing: bool) -> Iterator[dict[str, NumPyArray]]:
        for band in self._bands(skip_missing):
            rows = self._header.bands.slice(band)
            yield {name: matrix[rows] for name, matrix in self._stored.items()}

    def __reduce__(self) -> tuple[Any, ...]:
        """As `Stored`, of the same period."""
        made = super().__reduce__()
        return made if self._period is None else (_of_period, (made, self._period))

    def _repr_html_(self) -> str:
        return table_card(repr(self), {}, "rows are read when they are indexed")

    def __repr__(self) -> str:
        return f"Stored{super().__repr__()[:-1]}, {self._name}{self._state})"


class StoredPeriodSkims(Stored, PeriodSkims):
    """`PeriodSkims` that lie in a store: `apsp.skim(periods, store=...)` and `apsp.load` make them.

    The arrays of the store have the dimensions source, period and target. All of `PeriodSkims` works: `skims[period]`
    are `StoredSkims`, `by_cost` and `to_xarray` read matrices into memory, and `to_omx` some rows at a time.

    Parameters
    ----------
    storage : Storage
        Where the store lies.
    header : StoreHeader
        What is written about it.
    problem : StoreInput
        Its graph without periods, origins and destinations.

    Examples
    --------
    >>> import apsp, zarr
    >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods({"AM": [9, 12], "MD": [4, 5]})
    >>> apsp.skim(day, cost="minutes", store="day.zarr")
    StoredPeriodSkims(2 periods; minutes; 3 x 3, 'day.zarr')
    >>> apsp.load("day.zarr")["AM"]["minutes"][0].tolist()
    [0.0, 9.0, 21.0]
    """

    contents = "skim"

    def __init__(self, storage: Storage, header: StoreHeader, problem: StoreInput) -> None:
        self._at, self._header, self._problem = storage, header, problem
        names = tuple(header.measure["periods"])
        self._each = [StoredSkims(storage, header, problem, place) for place in range(len(names))]
        first = self._each[0]
        super().__init__(names, first.names, None, first.zones, first.targets, dict(first.info))
        self._inputs = first._inputs

    @property
    def graph(self) -> Graph:
        """The graph without periods."""
        return self._problem.graph

    @property
    def _arrays(self) -> list[StoredMatrix]:
        return self._each[0]._arrays

    @property
    def matrices(self) -> npt.NDArray[np.float64]:
        """All matrices, (P, K, S, T) float64, read into memory.

        Raises
        ------
        MemoryLimitError
            Before the first byte is read, if they do not fit.
        """
        return np.stack([self.by_cost(name) for name in self.names], axis=1)

    def _skims(self, place: int) -> StoredSkims:
        return self._each[place]

    def by_cost(self, name: str) -> npt.NDArray[np.float64]:
        """Read the matrices of one cost in all periods.

        Parameters
        ----------
        name : str
            The name of the cost.

        Returns
        -------
        (P, S, T) float64
            A matrix per period.

        Raises
        ------
        RequestError
            If there is no such cost.
        MemoryLimitError
            Before the first byte is read, if they do not fit.

        Examples
        --------
        >>> import apsp, zarr
        >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods({"AM": [9, 12], "MD": [4, 5]})
        >>> apsp.skim(day, store="both.zarr").by_cost("cost")[:, 0, 1].tolist()
        [9.0, 4.0]
        """
        matrices = [each[name] for each in self._each]
        needed, what = 2 * sum(each.nbytes for each in matrices), f"the matrices of {name!r} of all periods"
        refuse_unless_fits(needed, what, "one period at a time: skims[period][name]")
        return np.stack(matrices)

    def blocks(self, *, skip_missing: bool = False) -> Iterator[dict[str, NumPyArray]]:
        """Yield the rows of a shard after those of another, of all matrices.

        Parameters
        ----------
        skip_missing : bool
            Leave out shards that are not there yet.

        Returns
        -------
        iterator of dict of str to (P, rows, T) float64
            The rows by the names of the costs, in the order of `zones`.

        Raises
        ------
        RowsMissingError, FileFormatError
            As `StoredSkims.blocks`.

        Examples
        --------
        >>> import apsp, zarr
        >>> day = apsp.from_edges([0, 1], [1, 2], [4, 5]).with_periods({"AM": [9, 12], "MD": [4, 5]})
        >>> [rows["cost"].shape for rows in apsp.skim(day, store="parts.zarr").blocks()]
        [(2, 3, 3)]
        """
        return self._blocks(flag(skip_missing, "skip_missing"))

    def _blocks(self, skip_missing: bool) -> Iterator[dict[str, NumPyArray]]:
        for band in self._bands(skip_missing):
            rows = self._header.bands.slice(band)
            yield {name: np.stack([each[name][rows] for each in self._each]) for name in self.names}

    def _repr_html_(self) -> str:
        return table_card(repr(self), {}, "rows are read when they are indexed")

    def __repr__(self) -> str:
        return f"Stored{super().__repr__()[:-1]}, {self._name}{self._state})"


def _of_period(made: tuple[Callable[..., Any], tuple[Any, ...]], period: int) -> StoredSkims:
    function, arguments = made
    found: StoredSkims = function(*arguments)
    return StoredSkims(found._at, found._header, found._problem, period)
