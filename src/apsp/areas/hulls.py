"""Hulls of points, with the corners counter-clockwise."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["hull"]


def hull(points: npt.NDArray[np.float64], ratio: float) -> npt.NDArray[np.float64]:
    """The corners of a hull, (k, 2), counter-clockwise, the first again at the end.

    Parameters
    ----------
    points : (m, 2) float64
    ratio : float
        From 0 (as concave as possible) to 1 (convex), if shapely is installed; the convex hull otherwise. Points on a
        line have the two ends as corners.
    """
    points = np.unique(points, axis=0)  # ascending, so that the ends of a line come first and last
    if len(points) < 3 or np.linalg.matrix_rank(points - points[0]) < 2:
        return np.concatenate([points[:1], points[-1:], points[:1]])[: 3 if len(points) > 1 else len(points)]
    if ratio < 1:
        concave = _concave(points, ratio)
        if concave is not None:
            return concave
    return _convex(points)


def _convex(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The convex hull of points that are not on a line."""
    from scipy.spatial import ConvexHull

    corners = ConvexHull(points).vertices  # counter-clockwise
    start = int(np.argmin(corners))
    corners = np.roll(corners, -start)
    found: npt.NDArray[np.float64] = points[np.append(corners, corners[0])]
    return found


def _concave(points: npt.NDArray[np.float64], ratio: float) -> npt.NDArray[np.float64] | None:
    try:
        import shapely
    except ImportError:
        return None
    found: Any = shapely.concave_hull(shapely.MultiPoint(points), ratio=ratio)
    if found.geom_type != "Polygon":
        return None
    corners: npt.NDArray[np.float64] = np.asarray(found.exterior.coords)
    area = np.dot(corners[:-1, 0], corners[1:, 1]) - np.dot(corners[1:, 0], corners[:-1, 1])
    return corners if area >= 0 else corners[::-1]
