"""A store for Dask and xarray: arrays that are read when they are computed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp.graph.long_table import with_infinities
from apsp.semiring import unreachable
from apsp.store.matrix import StoredMatrix
from apsp.system.optional import needed

if TYPE_CHECKING:
    from apsp.result.result import Result

__all__ = ["dask_array", "data_array"]


def dask_array(matrix: StoredMatrix, purpose: str) -> Any:
    """Return a Dask array with a block per shard.

    Raises
    ------
    MissingDependencyError
        If Dask is not installed.
    """
    needed("dask", purpose)
    array = needed("dask.array", purpose)
    return array.from_array(matrix, chunks=matrix.band_shape, asarray=False, name=False)


def data_array(result: Result) -> Any:
    """Return an xarray DataArray; see `StoredResult.to_xarray`.

    Raises
    ------
    MissingDependencyError
        If xarray or Dask is not installed.
    """
    xarray = needed("xarray", "StoredResult.to_xarray")
    lazy = dask_array(result.distances, "StoredResult.to_xarray")
    if lazy.dtype.kind != "f":
        lazy = lazy.map_blocks(_infinite, dtype=np.float64)
    attributes = {name: value for name, value in result.info.items() if isinstance(value, (str, int, float))}
    coordinates = {"source": result.sources, "target": result.targets}
    return xarray.DataArray(lazy, coords=coordinates, dims=("source", "target"), name="distance", attrs=attributes)


def _infinite(block: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """Integers as float64, infinite where there is no path."""
    found = with_infinities(block, {np.inf: block == unreachable(block.dtype)})
    return found.astype(np.float64, copy=False)
