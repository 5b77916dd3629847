"""Distances on the earth, as a sphere."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["metres_between"]

EARTH = 6_371_008.8  # mean radius in metres

Points = npt.NDArray[np.float64]


def metres_between(a: Points, b: Points, degree: float = 1.0) -> npt.NDArray[np.float64]:
    """Metres between points, by the haversine formula, which is exact to rounding for near ones, too.

    Parameters
    ----------
    a, b : (k, 2) or (2,)
        Longitude and latitude.
    degree : float
        Degrees per unit of the coordinates.
    """
    across, along = np.sin(np.radians((b - a) * degree) / 2).T
    half = along**2 + np.cos(np.radians(a[..., 1] * degree)) * np.cos(np.radians(b[..., 1] * degree)) * across**2
    metres: npt.NDArray[np.float64] = 2 * EARTH * np.arcsin(np.sqrt(np.minimum(half, 1.0)))
    return metres
