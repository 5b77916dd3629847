"""Bounds on eccentricities of a graph that falls into components, from those of its components."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp.graph.model import Graph
from apsp.reductions.eccentricity_bounds import EccentricityBounds, Positions

__all__ = ["JoinedBounds"]


class JoinedBounds:
    """What `Proven` needs of `EccentricityBounds`, for all components together.

    Parameters
    ----------
    graph : Graph

    Attributes
    ----------
    lower, upper : (n,) int64
    reach : (n,) float64
        The number of vertices that each vertex reaches, itself included; 0 where others reach more.
    farthest : tuple
        The largest distance that was found, its source and its target.
    """

    is_connected = False

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.lower, self.upper = np.zeros(graph.n, dtype=np.int64), np.zeros(graph.n, dtype=np.int64)
        self.reach = np.zeros(graph.n)
        self.farthest: tuple[Any, int, int] = (-1, 0, 0)

    def add(self, vertices: npt.NDArray[np.int32], bounds: EccentricityBounds) -> None:
        """Add the bounds of a component, whose vertices are these."""
        none = 2 ** (8 * bounds.upper.itemsize - 2)
        self.lower[vertices] = bounds.lower
        self.upper[vertices] = np.where(bounds.upper < none, bounds.upper, np.int64(np.iinfo(np.int64).max))
        parts = bounds.parts
        self.reach[vertices] = np.where(parts.reach_known, parts.reach, 0)[parts.part]
        distance, source, target = bounds.farthest
        self.add_pair(distance, int(vertices[source]), int(vertices[target]))

    def set(self, vertices: Positions, eccentricities: npt.NDArray[Any], reached: npt.NDArray[np.int64]) -> None:
        """Add eccentricities that were computed, and the numbers of vertices that are reached."""
        self.lower[vertices] = self.upper[vertices] = eccentricities
        self.reach[vertices] = reached

    def add_pair(self, distance: Any, source: int, target: int) -> None:
        """Add a distance that was found."""
        if distance > self.farthest[0]:
            self.farthest = distance, source, target

    def with_largest(self) -> Positions:
        """The vertices of the largest eccentricity."""
        return np.flatnonzero(self.lower == self.lower.max())

    def with_smallest(self) -> Positions:
        """The vertices of the smallest eccentricity, of those that reach the most."""
        most = np.flatnonzero(self.reach == self.reach.max())
        values = self.lower[most]
        chosen: Positions = most[values == values.min()]
        return chosen

    def one_with_smallest(self) -> int:
        """One of the vertices of the smallest eccentricity, of those that reach the most; others may be unproven."""
        most = np.flatnonzero(self.reach == self.reach.max())
        return int(most[self.upper[most].argmin()])
