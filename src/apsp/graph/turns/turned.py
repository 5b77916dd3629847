"""What an expanded graph knows of the graph with turns that it was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from apsp.graph.model import Graph
    from apsp.graph.turns.turn_graph import TurnGraph

__all__ = ["Turned"]


class Turned(NamedTuple):
    """Where an expanded graph with the labels of the vertices comes from.

    Attributes
    ----------
    whole : TurnGraph
    links : (m,) int64
        The link of each arc, -1 of those between a copy and its vertex.
    is_reversed : bool
        Whether the graph has the arcs in the other direction.
    """

    whole: TurnGraph
    links: npt.NDArray[np.int64]
    is_reversed: bool = False

    def reversed(self, graph: Graph) -> Turned:
        """That of the reversed graph."""
        return Turned(self.whole, self.links[np.lexsort([graph.tails(), graph.indices])], not self.is_reversed)

    def reduced(self) -> tuple[Any, ...]:
        """What a copy or a pickle of the graph is made from: the graph with turns."""
        return _searched, (self.whole, self.is_reversed)


def _searched(whole: TurnGraph, is_reversed: bool) -> Graph:
    found = whole._searched
    return found.reversed() if is_reversed else found
