"""Names of stores on the command line."""

from __future__ import annotations

from pathlib import Path

from apsp.store.opening import is_url

__all__ = ["names_a_store"]


def names_a_store(name: str | None) -> bool:
    """Whether this is the name of a store: FOLDER.zarr, or a URL."""
    return name is not None and (is_url(name) or Path(name).suffix == ".zarr")
