"""A result for other packages: arrays, dictionaries, tables of pandas and xarray. Errors are those of the methods."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import DataArray, DataFrame, NumPyArray, Vertex, csr_array
from apsp.errors import PathsNotKeptError
from apsp.graph.long_table import LongTable, pandas_index, with_infinities, xarray_labels
from apsp.graph.to_numpy import as_numbers
from apsp.graph.turns.turn_graph import refuse_turns
from apsp.semiring import MIN_PLUS
from apsp.system.arguments import flag
from apsp.system.array_device import beside, to_host
from apsp.system.optional import needed

if TYPE_CHECKING:
    from apsp.result.result import Result

__all__ = ["array_of", "dict_of", "long_form", "pandas_of", "scipy_of", "xarray_of"]

_AT_ONCE = 1 << 24
"""Entries that are looked at at a time."""


def long_form(result: Result, only_reachable: bool, predecessors: bool) -> LongTable:
    """A row per pair: `Result.to_long` and others."""
    only_reachable = flag(only_reachable, "only_reachable")
    if flag(predecessors, "predecessors"):
        refuse_turns(result.graph, "predecessors=True", "Result.path has the paths")
    if predecessors and result._pred is None:
        raise PathsNotKeptError("predecessors were not kept: solve(..., paths=True) keeps them")
    result.check()
    with beside(result.distances):
        reached = result.distances != result.semiring.no_path(result.distances.dtype)
        kept = reached.copy()
        if not only_reachable:
            kept[...] = True
        row, column = (to_host(index) for index in kept.nonzero())
        distance, missing = to_host(result.distances[kept]), ~to_host(reached[kept])
    target = result.target_positions[column]
    columns = {"source": result.source_positions[row], "target": target, "distance": distance}
    if predecessors:
        with beside(result._pred):
            columns["predecessor"] = to_host(result._pred)[row, target]
    among = {"source": result.source_positions, "target": result.target_positions}
    return LongTable(result.graph.labels, columns, missing, among=among)


def dict_of(result: Result, only_reachable: bool) -> dict[Vertex, dict[Vertex, int | float]]:
    """Dictionaries of distances: `Result.to_dict`."""
    only_reachable = flag(only_reachable, "only_reachable")
    result.check()
    targets, dtype = result.targets.tolist(), result.distances.dtype
    none, no_path = result.semiring.no_path(dtype), result.semiring.no_path(np.float64)
    empty, no_arcs = (result.semiring.empty_path(kind) for kind in (dtype, np.float64))
    words = {none: no_path} if result.semiring is MIN_PLUS else {none: no_path, empty: no_arcs}
    found: dict[Vertex, dict[Vertex, int | float]] = {}
    for place, source in enumerate(result.sources.tolist()):
        row = to_host(result.distances[place]).tolist()
        found[source] = {
            target: words.get(value, value)
            for target, value in zip(targets, row, strict=True)
            if value != none or not only_reachable
        }
    return found


def scipy_of(result: Result, dtype: npt.DTypeLike) -> csr_array:
    """A sparse array of SciPy: `Result.to_scipy`."""
    from scipy.sparse import csr_array as scipy_array

    result.check()
    given, (count, width) = result.distances, result.distances.shape
    step = getattr(given, "band_shape", (max(_AT_ONCE // max(width, 1), 1),))[0]  # of a store
    counts, columns, distances = [np.zeros(1, np.int64)], [np.empty(0, np.int32)], [np.empty(0, given.dtype)]
    for start in range(0, count, step):
        rows = to_host(given[start : start + step])
        reached = rows != result.semiring.no_path(rows.dtype)
        counts.append(reached.sum(axis=1))
        columns.append(reached.nonzero()[1].astype(np.int32))
        distances.append(rows[reached])
    data = as_numbers(np.concatenate(distances), dtype, result.semiring)
    indptr = np.cumsum(np.concatenate(counts))
    return scipy_array((data, np.concatenate(columns), indptr), shape=(count, width))


def pandas_of(result: Result) -> DataFrame:
    """A data frame of distances: `Result.to_pandas`."""
    pandas = needed("pandas", "Result.to_pandas")
    rows, columns = (
        pandas_index(pandas, vertices, name)
        for name, vertices in (("source", result.sources), ("target", result.targets))
    )
    return pandas.DataFrame(infinite(result), index=rows, columns=columns)


def xarray_of(result: Result) -> DataArray:
    """An xarray of distances: `Result.to_xarray`."""
    xarray = needed("xarray", "Result.to_xarray")
    told = {name: value for name, value in result.info.items() if isinstance(value, (str, int, float))}
    ends = {"source": result.sources, "target": result.targets}
    return xarray.DataArray(
        infinite(result), coords={name: xarray_labels(labels) for name, labels in ends.items()}, dims=tuple(ends),
        name="distance", attrs=told,
    )  # fmt: skip


def infinite(result: Result) -> npt.NDArray[Any]:
    """The distances on the host, infinite where there is no path.

    Raises
    ------
    RequestError
        If float64 cannot hold an integer distance exactly.
    """
    result.check()
    array, algebra = to_host(result.distances), result.semiring
    if array.dtype.kind == "f":
        return array
    marks = {algebra.no_path(array.dtype): algebra.no_path(np.float64)}
    if algebra is not MIN_PLUS:
        marks[algebra.empty_path(array.dtype)] = algebra.empty_path(np.float64)
    return with_infinities(array, {infinity: array == mark for mark, infinity in marks.items()})


def array_of(result: Result, dtype: npt.DTypeLike | None, copy: bool | None) -> NumPyArray:
    """The distances for NumPy: `Result.__array__`."""
    array = result.to_numpy("float64" if dtype is None else dtype)
    is_own = isinstance(result.distances, np.ndarray) and np.shares_memory(array, result.distances)
    if copy is False and not is_own:
        raise ValueError("these distances need a copy: they lie on a GPU, or another dtype is wanted")
    return array.copy() if copy and is_own else array
