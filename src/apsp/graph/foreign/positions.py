"""Coordinates of vertices from attributes of another library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.foreign.edge_weights import host_array
from apsp.graph.python_numbers import is_number

__all__ = ["coordinates_of", "plane_coordinates"]


def coordinates_of(x: Sequence[Any], y: Sequence[Any]) -> npt.NDArray[np.float64] | None:
    """(n, 2) coordinates; None if an entry is not a number."""
    values = (*x, *y)
    if not values or not all(map(is_number, values)):
        return None
    try:
        return np.column_stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
    except OverflowError:  # an integer beyond float64
        return None


def plane_coordinates(places: Any) -> npt.NDArray[Any] | None:
    """An array or a tensor of positions, if it is (n, 2); None for other shapes and for None."""
    found = None if places is None else host_array(places)
    return found if found is not None and found.ndim == 2 and found.shape[1] == 2 else None
