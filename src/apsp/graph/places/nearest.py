"""The nearest of many straight lines to each of many points, by a tree of the middles of the lines."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["Lines"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_FIRST, _MORE = 8, 4
"""Middles that are looked at first, and the factor by which they become more."""

_AT_ONCE = 1 << 20
"""Pairs of points and lines that are compared at a time."""


class Lines:
    """Straight lines of one space, at least one.

    Parameters
    ----------
    begins, ends : (q, d) float64
    """

    def __init__(self, begins: Floats, ends: Floats) -> None:
        from scipy.spatial import KDTree

        self.begins, self.ends = begins, ends
        self._half = float(np.linalg.norm(ends - begins, axis=1).max()) / 2
        # A balanced tree takes three times as long to build, and is as fast to ask.
        self._middles: Any = KDTree((begins + ends) / 2, balanced_tree=False, compact_nodes=False)

    def nearest(self, points: Floats, limit: float) -> tuple[Ints, Floats]:
        """Find the nearest line of each point, of equally near ones the first, and where on it the nearest point is.

        Parameters
        ----------
        points : (k, d) float64
        limit : float
            Lines that are farther away may be missed.

        Returns
        -------
        lines : (k,) int64
            -1 where all lines are farther away than the limit.
        fractions : (k,) float64
            From 0, where the line begins, to 1.

        Notes
        -----
        A line is at most half of its length nearer than its middle. So the nearest line is known once it is nearer than
        the last of the middles that were found, less half of the longest line.
        """
        most, half = len(self.begins), self._half
        found, fractions = np.full(len(points), -1, dtype=np.int64), np.zeros(len(points))
        farthest = (limit + half) * (1 + 1e-9)
        left, count = np.arange(len(points)), min(_FIRST, most)
        while len(left):
            again = []
            for part in np.array_split(left, max(-(-len(left) * count // _AT_ONCE), 1)):
                far, near = self._middles.query(points[part], k=[*range(1, count + 1)], distance_upper_bound=farthest)
                there = np.isfinite(far)
                near = np.where(there, near, 0)
                away, at = self._distances(near, points[part])
                away[~there] = np.inf
                best = away.min(axis=1)
                first = np.where(away == best[:, None], near, most).min(axis=1)
                place = np.argmax((near == first[:, None]) & there, axis=1)
                some = there.any(axis=1)
                found[part[some]] = first[some]
                fractions[part[some]] = at[np.arange(len(part)), place][some]
                sure = ~there.all(axis=1) | (best < far[:, -1] - half)
                again.append(part[~sure])
            if count == most:
                break
            left, count = np.concatenate(again), min(count * _MORE, most)
        return found, fractions

    def _distances(self, near: Ints, points: Floats) -> tuple[Floats, Floats]:
        """Distances between points and some lines each, (k, c), and the fractions of the lines that are nearest."""
        begins = self.begins[near]
        along = self.ends[near] - begins
        squares = (along**2).sum(axis=2)
        from_begin = points[:, None, :] - begins
        with np.errstate(invalid="ignore", divide="ignore"):
            at = np.where(squares > 0, (from_begin * along).sum(axis=2) / squares, 0.0)
        at = np.clip(at, 0.0, 1.0)
        away: Floats = np.linalg.norm(from_begin - at[..., None] * along, axis=2)
        return away, at
