"""Packages that are imported where they are used."""

from __future__ import annotations

import importlib
from typing import Any

from apsp.errors import MissingDependencyError

__all__ = ["needed"]

_EXTRAS = {
    "google_crc32c": "store", "h5py": "omx", "numcodecs": "store", "obstore": "store", "orjson": "serve",
    "prometheus_client": "serve", "pyarrow": "parquet", "pyproj": "geopandas", "starlette": "serve", "uvicorn": "serve",
    "zarr": "store",
}  # fmt: skip
"""Extras that have another name than their package."""


def needed(package: str, purpose: str) -> Any:
    """Import an optional package, or a module of it.

    Raises
    ------
    MissingDependencyError
        If it is not installed; the message names its extra.
    """
    try:
        return importlib.import_module(package)
    except ImportError as error:
        name = package.partition(".")[0]
        raise MissingDependencyError(name, purpose, _EXTRAS.get(name, name)) from error
