"""First points by PivotMDS: Brandes and Pich, "Eigensolver methods for progressive multidimensional scaling", 2007."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from apsp.layouts.pivots import Pivots

__all__ = ["pivot_mds"]

Values = npt.NDArray[np.float64]

_ROWS = 4096
"""Rows that are float64 at a time."""

_NO_AXIS = 1e-12
"""Share of the largest eigenvalue up to which another one is rounding: all points lie on a line."""


def pivot_mds(pivots: Pivots) -> Values:
    """(n, 2) points whose distances to the pivots are, on the whole, as long as those of the graph.

    The squared distances are centred; the eigenvectors of their k x k matrix of products with the two largest
    eigenvalues are the axes. With all vertices as pivots this is classical scaling.
    """
    n, k = pivots.distances.shape
    means = sum((np.square(block).sum(axis=0) for _, block in _blocks(pivots)), np.zeros(k)) / n
    products = np.zeros((k, k))
    for _, block in _blocks(pivots):
        centred = _centred(block, means)
        products += centred.T @ centred
    values, vectors = np.linalg.eigh(products)
    points = np.zeros((n, 2))
    for axis, (value, vector) in enumerate(zip(values[:-3:-1], vectors.T[:-3:-1], strict=True)):
        if value > values[-1] * _NO_AXIS:
            for begin, block in _blocks(pivots):
                points[begin : begin + len(block), axis] = _centred(block, means) @ (vector / value**0.25)
    return points * _scale(points, pivots)


def _blocks(pivots: Pivots) -> Iterator[tuple[int, Values]]:
    for begin in range(0, len(pivots.distances), _ROWS):
        yield begin, pivots.distances[begin : begin + _ROWS].astype(np.float64)


def _centred(block: Values, means: Values) -> Values:
    squares = np.square(block)
    centred: Values = (squares.mean(axis=1, keepdims=True) + means - squares - means.mean()) / 2
    return centred


def _scale(points: Values, pivots: Pivots) -> float:
    """What the points are to be multiplied by, for the least stress."""
    first = second = 0.0
    for begin, block in _blocks(pivots):
        straight = np.hypot(*(points[begin : begin + len(block), None] - points[pivots.vertices]).transpose(2, 0, 1))
        share = np.divide(straight, block, out=np.zeros_like(block), where=block > 0)
        first, second = first + share.sum(), second + np.square(share).sum()
    return float(first / second) if second > 0 else 1.0
