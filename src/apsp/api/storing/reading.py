"""Arrays of a store of sums, or of another measure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import FileFormatError, RowsMissingError
from apsp.store.facts import Facts
from apsp.store.places import Place, for_each
from apsp.store.shard import ShardCodec
from apsp.system.lack_of_memory import is_lack_of_memory

__all__ = ["stored_array", "stored_bands"]


def stored_bands(place: Place, facts: Facts, name: str) -> Iterator[npt.NDArray[Any]]:
    """Yield the rows of an array that are in the shard of a band, band after band.

    Raises
    ------
    FileFormatError
        If a shard is damaged; the message names it.
    """
    codec = ShardCodec(place, facts, name)
    for band in range(facts.bands.count):
        yield _read(place, codec, band)


def stored_array(place: Place, facts: Facts, name: str) -> npt.NDArray[Any]:
    """Return an array.

    Raises
    ------
    FileFormatError
        As `stored_bands`.
    """
    codec, start = ShardCodec(place, facts, name), 0
    found = np.empty(codec.shape, dtype=codec.dtype)
    for part in for_each(place, lambda band: _read(place, codec, band), range(facts.bands.count)):
        found[start : start + len(part)] = part
        start += len(part)
    return found


def _read(place: Place, codec: ShardCodec, band: int) -> npt.NDArray[Any]:
    key = codec.key(band)
    data = place.read(key)
    if data is None:
        raise RowsMissingError(f"{key} of the store {place.name} is missing: make the same call again")
    try:
        return codec.decode(band, data)
    except Exception as error:  # Blosc raises several kinds
        if is_lack_of_memory(error):
            raise
        words = " ".join(str(error).split())[:120] or type(error).__name__
        raise FileFormatError(
            place.name, f"{key} is damaged ({words}): remove this file, and make the same call again"
        ) from error
