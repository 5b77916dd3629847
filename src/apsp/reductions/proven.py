"""Extremes of the eccentricities, from bounds that leave nothing open."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from apsp._types import NumPyArray, Vertex
from apsp.reductions.eccentricity_bounds import EccentricityBounds, Positions
from apsp.reductions.extreme import Extreme
from apsp.reductions.joined_bounds import JoinedBounds

__all__ = ["Proven"]


@dataclass(frozen=True)
class Proven:
    """What some searches proved.

    Attributes
    ----------
    bounds : EccentricityBounds or JoinedBounds
        With nothing open of what was wanted.
    searches : int
        The number of vertices that were searched from; in a directed graph those of a few also in reverse.
    of_floats : bool
        The distances are floats, which are whole numbers.
    remaining : int
        Vertices that the bounds leave open, so that extremes are only bounded, not known.
    """

    bounds: EccentricityBounds | JoinedBounds
    searches: int
    of_floats: bool = False
    remaining: int = 0

    @property
    def is_connected(self) -> bool:
        """Whether every vertex reaches all others."""
        return self.bounds.is_connected

    @property
    def eccentricity(self) -> NumPyArray:
        """(n,) int64 or float64, the eccentricity of each vertex."""
        return self.bounds.lower.astype(np.float64 if self.of_floats else np.int64)

    @property
    def diameter(self) -> int | float:
        """The largest eccentricity."""
        return self._number(self.bounds.lower.max())

    @property
    def radius(self) -> int | float:
        """The smallest eccentricity of the vertices that reach the most others."""
        return self._number(self.bounds.lower[self.bounds.with_smallest()[0]])

    @property
    def farthest_pair(self) -> Extreme:
        """The diameter, and a pair of vertices at this distance, if that was wanted."""
        distance, source, target = self.bounds.farthest
        take = self.bounds.graph.labels.take
        source, target = take(np.array([source, target])).tolist()
        return Extreme(self._number(distance), source, target)

    @property
    def center_vertex(self) -> Vertex:
        """A vertex of the center, if the radius was wanted."""
        return self._called(np.array([self.bounds.one_with_smallest()]))[0]

    @property
    def periphery(self) -> list[Vertex]:
        """The vertices whose eccentricity is the diameter."""
        return self._called(self.bounds.with_largest())

    @property
    def center(self) -> list[Vertex]:
        """The vertices whose eccentricity is the radius, of those that reach the most others."""
        return self._called(self.bounds.with_smallest())

    def _number(self, distance: Any) -> int | float:
        return float(distance) if self.of_floats else int(distance)

    def _called(self, positions: Positions) -> list[Vertex]:
        return list(self.bounds.graph.labels.take(positions).tolist())
