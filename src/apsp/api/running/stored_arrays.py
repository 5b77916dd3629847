"""The arrays of a store, as reductions read them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy.typing as npt

from apsp.api.storing.reading import stored_array, stored_bands
from apsp.store.header import StoreHeader
from apsp.store.storage import Storage

__all__ = ["ArraysInStore"]


@dataclass(frozen=True)
class ArraysInStore:
    """The arrays of a store.

    Attributes
    ----------
    storage : Storage
    header : StoreHeader
    """

    storage: Storage
    header: StoreHeader

    def array(self, name: str) -> npt.NDArray[Any]:
        """Read a whole array."""
        return stored_array(self.storage, self.header, name)

    def bands(self, name: str) -> Iterator[npt.NDArray[Any]]:
        """Yield the rows of an array band after band."""
        return stored_bands(self.storage, self.header, name)
