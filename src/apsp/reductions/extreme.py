"""Distances with the vertices that have them."""

from __future__ import annotations

from dataclasses import dataclass

from apsp._types import Vertex
from apsp.errors import shown

__all__ = ["Extreme", "Extremes"]


@dataclass(frozen=True)
class Extreme:
    """A distance and the pair of vertices that it lies between, as the graph labels them.

    Parameters
    ----------
    distance : int or float
        The distance.
    source, target : hashable
        The vertices, as the graph labels them.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 0], [4, 1, 2])
    >>> found = apsp.summary(graph).farthest_pair
    >>> found.distance, found.source, found.target
    (6, 2, 1)
    """

    distance: int | float
    source: Vertex
    target: Vertex

    def __repr__(self) -> str:
        pair = f"source={shown(self.source)}, target={shown(self.target)}"
        return f"Extreme(distance={self.distance}, {pair})"


@dataclass(frozen=True)
class Extremes:
    """The diameter and the radius of a graph, with vertices that have them.

    Parameters
    ----------
    farthest_pair : Extreme or None
        The diameter and two vertices at this distance; None for the empty graph.
    radius : int, float or None
        The smallest eccentricity of the vertices that reach the most others.
    center_vertex : hashable
        A vertex of this eccentricity, as the graph labels it.
    searches : int
        The number of vertices whose distances were computed.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 1, 2], directed=False)
    >>> found = apsp.extremes(graph)
    >>> found.diameter, found.radius, found.center_vertex
    (7, 4, 1)
    """

    farthest_pair: Extreme | None
    radius: int | float | None
    center_vertex: Vertex | None
    searches: int

    @property
    def diameter(self) -> int | float | None:
        """The largest distance over the pairs of vertices with a path."""
        return None if self.farthest_pair is None else self.farthest_pair.distance

    def __repr__(self) -> str:
        if self.farthest_pair is None:
            return "Extremes(no vertices)"
        pair = f"from {shown(self.farthest_pair.source)} to {shown(self.farthest_pair.target)}"
        radius = f"radius={self.radius} of {shown(self.center_vertex)}"
        return f"Extremes(diameter={self.diameter} {pair}, {radius}, searches={self.searches})"
