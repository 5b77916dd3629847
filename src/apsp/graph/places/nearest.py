"""The nearest of many straight lines to each of many points, by a tree of the middles of the lines."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

__all__ = ["Lines", "nearest_lines"]

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_FIRST, _MORE = 8, 4
"""Middles that are looked at first, and the factor by which they become more."""

_AT_ONCE = 1 << 20
"""Pairs of points and lines that are compared at a time."""


class Lines(NamedTuple):
    """Straight lines of one space.

    Attributes
    ----------
    begins, ends : (q, d) float64
    """

    begins: Floats
    ends: Floats


def nearest_lines(lines: Lines, points: Floats, limit: float) -> tuple[Ints, Floats]:
    """Find the nearest line of each point, of equally near ones the first, and where on it the nearest point is.

    Parameters
    ----------
    lines : Lines
        At least one.
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
    from scipy.spatial import KDTree

    middles = (lines.begins + lines.ends) / 2
    half = float(np.linalg.norm(lines.ends - lines.begins, axis=1).max()) / 2
    tree: Any = KDTree(middles)
    found, fractions = np.full(len(points), -1, dtype=np.int64), np.zeros(len(points))
    farthest = (limit + half) * (1 + 1e-9)
    left, count = np.arange(len(points)), min(_FIRST, len(middles))
    while len(left):
        again = []
        for part in np.array_split(left, max(-(-len(left) * count // _AT_ONCE), 1)):
            far, near = tree.query(points[part], k=[*range(1, count + 1)], distance_upper_bound=farthest)
            there = np.isfinite(far)
            near = np.where(there, near, 0)
            away, at = _distances(lines, near, points[part])
            away[~there] = np.inf
            best = away.min(axis=1)
            first = np.where(away == best[:, None], near, len(middles)).min(axis=1)
            place = np.argmax((near == first[:, None]) & there, axis=1)
            some = there.any(axis=1)
            found[part[some]] = first[some]
            fractions[part[some]] = at[np.arange(len(part)), place][some]
            sure = ~there.all(axis=1) | (best < far[:, -1] - half)
            again.append(part[~sure])
        if count == len(middles):
            break
        left, count = np.concatenate(again), min(count * _MORE, len(middles))
    return found, fractions


def _distances(lines: Lines, near: Ints, points: Floats) -> tuple[Floats, Floats]:
    """Distances between points and some lines each, (k, c), and the fractions of the lines that are nearest."""
    begins = lines.begins[near]
    along = lines.ends[near] - begins
    squares = (along**2).sum(axis=2)
    from_begin = points[:, None, :] - begins
    with np.errstate(invalid="ignore", divide="ignore"):
        at = np.where(squares > 0, (from_begin * along).sum(axis=2) / squares, 0.0)
    at = np.clip(at, 0.0, 1.0)
    away: Floats = np.linalg.norm(from_begin - at[..., None] * along, axis=2)
    return away, at
