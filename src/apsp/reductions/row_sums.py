"""Sums over rows of distances that are not stored."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["RowSums", "total_dtype"]


def total_dtype(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype of sums of distances of a dtype."""
    return np.dtype(np.float64 if dtype.kind == "f" else np.int64)


@dataclass(frozen=True)
class RowSums:
    """Sums over rows of distances, without the rows: (S,) arrays over the vertices that a source reaches.

    Attributes
    ----------
    sources : int32
    reached : int64
        Number of vertices, including the source.
    total : int64 or float64
        Sum of the distances.
    reciprocals : float64
        Sum of 1 / distance; distances of zero add nothing.
    largest : dtype of the distances
    farthest : int32
        The smallest vertex at that distance.
    """

    sources: npt.NDArray[np.int32]
    reached: npt.NDArray[np.int64]
    total: npt.NDArray[Any]
    reciprocals: npt.NDArray[np.float64]
    largest: npt.NDArray[Any]
    farthest: npt.NDArray[np.int32]

    @classmethod
    def empty(cls, sources: npt.NDArray[np.int32], dtype: npt.DTypeLike) -> RowSums:
        """Uninitialised arrays for the sums over rows of this dtype."""
        rows, kind = len(sources), np.dtype(dtype)
        return cls(
            sources, np.empty(rows, np.int64), np.empty(rows, total_dtype(kind)), np.empty(rows), np.empty(rows, kind),
            np.empty(rows, np.int32),
        )  # fmt: skip
