"""Where the first rows of a long table are in an array that may be huge."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["first_where"]

_AT_A_TIME = 1 << 20


def first_where(
    array: npt.NDArray[Any], holds: Callable[[npt.NDArray[Any]], npt.NDArray[np.bool_]], most: int
) -> tuple[tuple[npt.NDArray[np.intp], ...], int]:
    """Find the first entries of an array for which something holds, and count all of them, some at a time.

    Returns
    -------
    places : tuple of (at most `most`,) arrays
        As `numpy.nonzero(holds(array))` returns them, cut to the first.
    count : int
    """
    shape = array.shape
    if array.flags.c_contiguous:  # of others some rows are copied at a time
        array = array.reshape(-1)
    width = array[:1].size
    step = max(_AT_A_TIME // max(width, 1), 1)
    places, count = np.empty(0, dtype=np.intp), 0
    for start in range(0, len(array), step):
        held = holds(array[start : start + step].reshape(-1))
        if len(places) < most:
            places = np.append(places, start * width + np.flatnonzero(held)[: most - len(places)])
        count += int(np.count_nonzero(held))
    return np.unravel_index(places, shape), count
