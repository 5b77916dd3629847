"""Planes in which a width has the same length everywhere: that of the coordinates, or one around each source.

On the sphere that is the azimuthal equidistant projection: lengths from the centre on are exact, and others are at most
r^2 / 6R^2 too long at a distance of r, 0.04% at 300 km (Snyder, "Map projections: a working manual", 1987, page 191).
So what is within a width in the plane is within it on the sphere.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError
from apsp.graph.sphere import EARTH
from apsp.system.optional import needed

__all__ = ["SpherePlanes"]

Floats = npt.NDArray[np.float64]

_LONGEST = 1_000.0
"""Metres of a straight edge of a polygon: between such ends it is also straight in degrees, to some centimetres."""


class SpherePlanes:
    """A plane per source.

    Parameters
    ----------
    centres : (S, 3) float64
        Points of the sphere, in metres.
    """

    def __init__(self, centres: Floats) -> None:
        up = centres / EARTH
        east = np.stack([-up[:, 1], up[:, 0], np.zeros(len(up))], axis=1)
        size = np.linalg.norm(east, axis=1, keepdims=True)
        east = np.where(size > 0, east / np.where(size > 0, size, 1), (0.0, 1.0, 0.0))
        self._axes = np.stack([east, np.cross(up, east), up], axis=1)

    def flat(self, points: Floats, rows: npt.NDArray[np.int64]) -> Floats:
        """(k, 3) points of the sphere in the planes of their sources, (k, 2)."""
        x, y, z = np.einsum("kij,kj->ik", self._axes[rows], points / EARTH)
        far = np.hypot(x, y)
        scale = np.divide(np.arctan2(far, z), far, out=np.ones_like(far), where=far > 0)
        found: Floats = EARTH * scale[:, None] * np.stack([x, y], axis=1)
        return found

    def degrees(self, polygons: Any) -> Any:
        """(S, c) polygons of the planes of their sources, with longitudes and latitudes as coordinates.

        Raises RequestError if a pole is in one.
        """
        shapely = needed("shapely", "polygons of isochrones")
        fine = shapely.segmentize(polygons.ravel(), _LONGEST)
        points, index = shapely.get_coordinates(fine, return_index=True)
        axes = self._axes[index // polygons.shape[1]]
        far = np.linalg.norm(points, axis=1)
        if (far >= EARTH * np.arccos(np.abs(axes[:, 2, 2]))).any():
            raise RequestError("an isochrone reaches as far as a pole, which polygons of longitudes cannot hold")
        angle = far / EARTH
        scale = np.divide(np.sin(angle), far, out=np.zeros_like(far), where=far > 0)
        x, y = scale * points.T
        there = np.einsum("kj,kji->ki", np.stack([x, y, np.cos(angle)], axis=1), axes)
        east, up = axes[:, 0], axes[:, 2]
        level = np.stack([-east[:, 1], east[:, 0]], axis=1)  # horizontal, towards the meridian of the centre, reversed
        turn = np.arctan2((there[:, :2] * east[:, :2]).sum(axis=1), -(there[:, :2] * level).sum(axis=1))
        longitude = np.degrees(np.arctan2(up[:, 1], up[:, 0]) + turn)
        latitude = np.degrees(np.arctan2(there[:, 2], np.hypot(there[:, 0], there[:, 1])))
        found = shapely.set_coordinates(fine, np.stack([longitude, latitude], axis=1))
        for place in np.flatnonzero(~shapely.is_valid(found)):  # by rounding
            found[place] = shapely.make_valid(found[place])
        west, _, over, _ = shapely.bounds(found).T
        for place in np.flatnonzero((west < -180) | (over > 180)):
            found[place] = _cut(shapely, found[place])
        return found.reshape(polygons.shape)


def _cut(shapely: Any, polygon: Any) -> Any:
    """A polygon across the meridian of 180 degrees, as parts on both sides of it."""
    parts = []
    for turns in (-1, 0, 1):
        part = shapely.intersection(polygon, shapely.box(360 * turns - 180, -90, 360 * turns + 180, 90))
        parts.append(shapely.transform(part, lambda points, by=360 * turns: points - (by, 0)))
    return shapely.union_all(parts)
