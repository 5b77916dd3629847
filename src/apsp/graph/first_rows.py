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
    flat = array.reshape(-1)
    places, count = np.empty(0, dtype=np.intp), 0
    for start in range(0, len(flat), _AT_A_TIME):
        held = holds(flat[start : start + _AT_A_TIME])
        if len(places) < most:
            places = np.append(places, start + np.flatnonzero(held)[: most - len(places)])
        count += int(np.count_nonzero(held))
    return np.unravel_index(places, array.shape), count
