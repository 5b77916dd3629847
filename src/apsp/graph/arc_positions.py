"""Where arcs stand in CSR arrays: a binary search in the rows of their tails, for many arcs at a time."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["arcs_between"]


def arcs_between(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], tails: npt.NDArray[Any], heads: npt.NDArray[Any]
) -> npt.NDArray[np.int64]:
    """(k,) positions in `indices` of arcs that exist, from tails[i] to heads[i]; O(k log d) with rows of d arcs."""
    low: npt.NDArray[np.int64] = indptr[tails]
    high = indptr[tails + 1] - 1
    while (low < high).any():
        middle = (low + high) // 2
        before = indices[middle] < heads
        low = np.where(before, middle + 1, low)
        high = np.where(before, high, middle)
    return low
