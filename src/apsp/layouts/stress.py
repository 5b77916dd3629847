"""Sparse stress: Ortmann, Klimenta and Brandes, "A sparse stress model", 2017; see cpp/layouts/stress.hpp."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph.model import Graph
from apsp.layouts.pivots import Pivots

__all__ = ["most_sweeps", "reduce_stress"]

_SWEEPS, _SWEEPS_OF_FEW, _FEW = 100, 500, 1 << 20
"""Most sweeps over the vertices, also with at most so many distances to pivots."""

_TOLERANCE, _TOLERANCE_OF_FEW = 1e-4, 1e-5
"""Moves of a sweep, as a share of the mean distance to pivots, that end the work."""

_BRIEF = 1 << 14
"""Distances to pivots that one thread sweeps over in the time that a second one takes to wake."""

_LARGEST = 2.0**120
"""Limit of a weight in float32."""


def most_sweeps(pivots: Pivots) -> int:
    """The number of sweeps at which the work ends at the latest."""
    return _SWEEPS_OF_FEW if _are_few(pivots) else _SWEEPS


def _are_few(pivots: Pivots) -> bool:
    return pivots.distances.size <= _FEW


def reduce_stress(
    graph: Graph, pivots: Pivots, points: npt.NDArray[np.float64], threads: int, progress: Callable[[int], None] | None
) -> None:
    """Move the points of a connected graph until its sparse stress falls no more."""
    tails, heads = graph.tails(), graph.indices
    is_pivot = np.zeros(graph.n, dtype=bool)
    is_pivot[pivots.vertices] = True
    kept = ~is_pivot[heads]
    indptr = np.concatenate(([0], np.cumsum(np.bincount(tails[kept], minlength=graph.n)))).astype(np.int64)
    lengths = np.ones(int(indptr[-1])) if graph.weights is None else graph.weights[kept].astype(np.float64)
    tolerance = (_TOLERANCE_OF_FEW if _are_few(pivots) else _TOLERANCE) * float(pivots.distances.mean())
    threads = threads if pivots.distances.size > _BRIEF else 1
    _cpu.reduce_stress(
        points, pivots=pivots.vertices, distances=pivots.distances, weights=_weights(pivots),
        indptr=indptr, neighbours=heads[kept], lengths=lengths,
        sweeps=most_sweeps(pivots), tolerance=tolerance, threads=threads, progress=progress,
    )  # fmt: skip


def _weights(pivots: Pivots) -> npt.NDArray[np.float32]:
    """(n, k) weights of the distances to pivots: those of all vertices that a pivot stands for.

    A pivot stands for the vertices to which it is the nearest pivot, as far as they are at most half as far from it
    as the other end.
    """
    distances = pivots.distances
    nearest = distances.argmin(axis=1)
    weights = np.empty_like(distances)
    for number in range(distances.shape[1]):
        column = distances[:, number].astype(np.float64)
        around = np.sort(column[nearest == number])
        count = np.maximum(np.searchsorted(around, column / 2, side="right"), 1)
        squares = np.square(column)
        found = np.divide(count, squares, out=np.zeros(len(column)), where=squares > 0)  # 0 of a pivot with itself
        weights[:, number] = np.minimum(found, _LARGEST)
    return weights
