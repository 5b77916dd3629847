"""Counts on the way to another process, in few bytes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["PackedCounts", "used_bins"]


@dataclass(frozen=True)
class PackedCounts:
    """Counts: those of the bins that are used, in the narrowest dtype; or only those above zero, if that is less.

    Attributes
    ----------
    shape : tuple of int
        Of the counts; the last axis is that of the bins.
    first : int
        The first bin that is used.
    width : int
        Bins from that one to the last one that is used.
    places : array or None
        Where the counts above zero are, among all of the bins that are used; None if all are kept.
    values : array
    """

    shape: tuple[int, ...]
    first: int
    width: int
    places: npt.NDArray[Any] | None
    values: npt.NDArray[Any]

    @classmethod
    def of(cls, counts: npt.NDArray[np.int64]) -> PackedCounts:
        """Pack."""
        first, part = used_bins(counts)
        flat = part.ravel()
        narrow = np.min_scalar_type(int(flat.max(initial=0)))
        places = np.flatnonzero(flat)
        kind = np.min_scalar_type(max(len(flat) - 1, 0))
        if len(places) * (kind.itemsize + narrow.itemsize) < len(flat) * narrow.itemsize:
            return cls(counts.shape, first, part.shape[-1], places.astype(kind), flat[places].astype(narrow))
        return cls(counts.shape, first, part.shape[-1], None, flat.astype(narrow))

    def unpacked(self) -> npt.NDArray[np.int64]:
        """The counts."""
        counts = np.zeros(self.shape, dtype=np.int64)
        counts[..., self.first : self.first + self.width] = self._used()
        return counts

    def _used(self) -> npt.NDArray[Any]:
        shape = (*self.shape[:-1], self.width)
        if self.places is None:
            return self.values.reshape(shape)
        flat = np.zeros(int(np.prod(shape)), dtype=self.values.dtype)
        flat[self.places] = self.values
        return flat.reshape(shape)


def used_bins(counts: npt.NDArray[np.int64] | PackedCounts) -> tuple[int, npt.NDArray[Any]]:
    """The first bin that is used, and the counts from that one to the last one that is used."""
    if isinstance(counts, PackedCounts):
        return counts.first, counts._used()
    used = np.flatnonzero(counts.any(axis=tuple(range(counts.ndim - 1))))
    first, last = (int(used[0]), int(used[-1])) if len(used) else (0, -1)
    return first, counts[..., first : last + 1]
