"""Arrays of a store of sums, or of another measure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import ArrowTable
from apsp.errors import FileFormatError, RowsMissingError
from apsp.store.header import StoreHeader
from apsp.store.shard import ShardCodec
from apsp.store.storage import Storage, for_each
from apsp.store.table_shard import TableCodec
from apsp.system.lack_of_memory import is_lack_of_memory

__all__ = ["StoredArrays"]


@dataclass(frozen=True)
class StoredArrays:
    """The arrays and tables of a store that is complete.

    Attributes
    ----------
    storage : Storage
    header : StoreHeader
    """

    storage: Storage
    header: StoreHeader

    def bands(self, name: str) -> Iterator[npt.NDArray[Any]]:
        """Yield the rows of an array that are in the shard of a band, band after band.

        Raises
        ------
        FileFormatError
            If a shard is damaged; the message names it.
        """
        codec = ShardCodec(self.storage, self.header, name)
        for band in range(self.header.bands.count):
            yield _read(self.storage, codec, band)

    def tables(self, name: str, bands: Iterable[int]) -> Iterator[ArrowTable]:
        """Yield the tables of some bands.

        Raises
        ------
        RowsMissingError, FileFormatError
            If a shard is missing or damaged; the message names it.
        """
        codec = TableCodec(self.header, name)
        for band in bands:
            yield _read(self.storage, codec, band)

    def array(self, name: str) -> npt.NDArray[Any]:
        """Return an array.

        Raises
        ------
        FileFormatError
            As `bands`.
        """
        codec, start = ShardCodec(self.storage, self.header, name), 0
        found = np.empty(codec.shape, dtype=codec.dtype)
        for part in for_each(
            self.storage, lambda band: _read(self.storage, codec, band), range(self.header.bands.count)
        ):
            found[start : start + len(part)] = part
            start += len(part)
        return found


def _read(storage: Storage, codec: ShardCodec | TableCodec, band: int) -> Any:
    key = codec.key(band)
    data = storage.read(key)
    if data is None:
        raise RowsMissingError(f"{key} of the store {storage.name} is missing: make the same call again")
    try:
        return codec.decode(band, data)
    except Exception as error:  # Blosc raises several kinds
        if is_lack_of_memory(error):
            raise
        words = " ".join(str(error).split())[:120] or type(error).__name__
        raise FileFormatError(
            storage.name, f"{key} is damaged ({words}): remove this file, and make the same call again"
        ) from error
