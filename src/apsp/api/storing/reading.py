"""Arrays of a store of sums, or of another measure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

from apsp.errors import FileFormatError
from apsp.store.access import is_access, unreadable
from apsp.store.group import open_group
from apsp.store.native import native
from apsp.store.places import Place

__all__ = ["stored_array"]


def stored_array(
    place: Place, name: str, *, whole: bool = False, height: int | None = None
) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of an array one by one, or so many at a time; or the whole array.

    Raises
    ------
    FileFormatError
        If a shard is damaged; the message names its array.
    """
    group = open_group(place)
    try:
        array = group[name]
        if whole:
            yield native(array[...])
            return
        for row in range(0, array.shape[0], height or 1):
            yield native(array[row] if height is None else array[row : row + height])
    except Exception as error:  # of zarr-python and the packages below it
        if is_access(error):
            raise unreadable(place.name, name, error) from error
        words = " ".join(str(error).split())[:120] or type(error).__name__
        raise FileFormatError(
            place.name, f"a shard of {name} is damaged ({words}): remove the store, and make the call again"
        ) from error
