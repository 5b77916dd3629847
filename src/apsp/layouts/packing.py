"""Components beside each other."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["packed", "upright"]

Points = npt.NDArray[np.float64]


def upright(points: Points) -> Points:
    """Turn points so that they lie along the first axis, with their middle at 0.

    Of the four positions that remain, in both axes the farthest point from the middle is on the positive side.
    """
    points = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(points.T @ points)
    turned: Points = points @ axes[:, ::-1]
    farthest = turned[np.abs(turned).argmax(axis=0), [0, 1]]
    return turned * np.where(farthest < 0, -1.0, 1.0)


def packed(boxes: Points, gap: float) -> Points:
    """Where the lower left corners of boxes (width, height) go: in rows from the left, in their order, with gaps.

    The rows are at most as long as the side of a square of the same area, or the widest box.
    """
    boxes = boxes + gap
    widest = max(float(boxes[:, 0].max(initial=0)), float(np.sqrt(boxes.prod(axis=1).sum())))
    corners = np.empty_like(boxes)
    x = y = height = 0.0
    for number, (wide, high) in enumerate(boxes.tolist()):
        if x > 0 and x + wide > widest * (1 + 1e-9):
            x, y, height = 0.0, y + height, 0.0
        corners[number] = x, y
        x, height = x + wide, max(height, high)
    return corners
