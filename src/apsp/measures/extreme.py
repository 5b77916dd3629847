"""A distance with the pair of vertices that has it."""

from __future__ import annotations

from dataclasses import dataclass

from apsp._types import Vertex
from apsp.errors import shown

__all__ = ["Extreme"]


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
