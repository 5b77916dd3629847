"""Coordinates of vertices out of attributes of another library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["coordinates_of"]


def coordinates_of(x: Sequence[Any], y: Sequence[Any]) -> npt.NDArray[np.float64] | None:
    """(n, 2) coordinates; None if an entry is not a number."""
    values = (*x, *y)
    if not values or not all(isinstance(v, (int, float, np.number)) and not isinstance(v, bool) for v in values):
        return None
    return np.column_stack([np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)])
