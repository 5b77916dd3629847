"""Costs within zones as half of those to the nearest other one."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from apsp.methods.problem import IntArray

__all__ = ["fill_half_nearest"]


def fill_half_nearest(matrices: npt.NDArray[np.float64], origins: IntArray, ends: IntArray) -> None:
    """Set costs within zones to half of those to the nearest other destination; rows without one stay 0.

    Parameters
    ----------
    matrices : (K, S, T) float64
        The first one decides which destination is the nearest; among equally near ones the second, and so on, as among
        paths.
    origins, ends : int32
        Positions of the rows and of the columns.
    """
    for row, origin in enumerate(origins):
        own = ends == origin
        if not own.any() or own.all():
            continue
        nearest = np.flatnonzero(~own)
        for costs in matrices[:, row]:
            some = costs[nearest]
            nearest = nearest[some == some.min()]
        if np.isfinite(matrices[0, row, nearest[0]]):
            matrices[:, row, own] = matrices[:, row, nearest[0], None] / 2
