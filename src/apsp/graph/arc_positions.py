"""Where arcs stand in CSR arrays, many at a time: those between two vertices, by binary search, and those from one."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["arcs_between", "arcs_of", "indptr_without", "left_of"]


def arcs_between(
    indptr: npt.NDArray[np.int64], indices: npt.NDArray[np.int32], tails: npt.NDArray[Any], heads: npt.NDArray[Any]
) -> npt.NDArray[np.int64]:
    """(k,) positions in `indices` of the arcs from tails[i] to heads[i], -1 where there is none.

    It takes O(k log d) with rows of d arcs.
    """
    low: npt.NDArray[np.int64] = indptr[tails]
    high = end = indptr[tails + 1]
    while (searched := low < high).any():
        middle = np.where(searched, (low + high) // 2, 0)  # 0 is an arc: some row has one
        before = searched & (indices[middle] < heads)
        low = np.where(before, middle + 1, low)
        high = np.where(searched & ~before, middle, high)
    there = low < end
    there[there] = indices[low[there]] == heads[there]
    return np.where(there, low, -1)


def arcs_of(
    indptr: npt.NDArray[np.int64], vertices: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """The arcs from some vertices, one vertex after the other: which of the vertices each is from, and its position."""
    first, counts = indptr[vertices], indptr[vertices + 1] - indptr[vertices]
    which = np.repeat(np.arange(len(vertices)), counts)
    return which, np.arange(len(which)) + np.repeat(first - (np.cumsum(counts) - counts), counts)


_SHARE = 1 / 256
"""Of the entries: fewer leave long runs between them, which are copied as a whole."""


def left_of(array: npt.NDArray[Any], places: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The entries of an array (m,) but for those in some places, which are different and ascend."""
    if len(places) > _SHARE * len(array):
        stay = np.ones(len(array), dtype=bool)
        stay[places] = False
        return array[stay]
    ends = itertools.pairwise([-1, *places.tolist(), len(array)])
    return np.concatenate([array[before + 1 : place] for before, place in ends])


def indptr_without(indptr: npt.NDArray[np.int64], tails: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """`indptr` without one arc for each of some tails, which ascend."""
    lengths = np.diff(np.concatenate([[-1], tails, [len(indptr) - 1]]))
    left: npt.NDArray[np.int64] = indptr - np.repeat(np.arange(len(tails) + 1), lengths)
    return left
