"""Distances and directions on the earth, as a sphere."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["bearings", "metres_between"]

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


def bearings(here: Points, there: Points, degree: float = 1.0) -> npt.NDArray[np.float64]:
    """The directions from points to others along great circles, clockwise from the north in degrees.

    Parameters
    ----------
    here, there : (k, 2)
        Longitude and latitude.
    degree : float
        Degrees per unit of the coordinates.
    """
    (from_, latitude), (to, other) = np.radians(here * degree).T, np.radians(there * degree).T
    x = np.sin(to - from_) * np.cos(other)
    y = np.cos(latitude) * np.sin(other) - np.sin(latitude) * np.cos(other) * np.cos(to - from_)
    found: npt.NDArray[np.float64] = np.degrees(np.arctan2(x, y))
    return found
