"""The nearest of many straight lines to each of many points."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp import _cpu

__all__ = ["Lines"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


class Lines:
    """Straight lines of the plane or of space, at least one, indexed.

    Parameters
    ----------
    begins, ends : (q, d) float64
    """

    def __init__(self, begins: Floats, ends: Floats) -> None:
        self._tree = _cpu.LineTree(np.ascontiguousarray(begins), np.ascontiguousarray(ends))

    def nearest(self, points: Floats, limit: float) -> tuple[Ints, Floats, Floats]:
        """Find the nearest line of each point, of equally near ones the first, and where on it the nearest point is.

        Parameters
        ----------
        points : (k, d) float64
        limit : float

        Returns
        -------
        lines : (k,) int64
            -1 where all lines are farther away than the limit.
        fractions : (k,) float64
            From 0, where the line begins, to 1.
        there : (k, d) float64
            The nearest points; the points themselves where all lines are farther away than the limit.
        """
        lines, fractions, there = np.empty(len(points), np.int64), np.empty(len(points)), np.empty_like(points)
        self._tree.nearest(points, limit, lines=lines, fractions=fractions, places=there)
        return lines, fractions, there
