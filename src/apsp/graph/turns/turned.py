"""What an expanded graph knows of the graph with turns that it was made of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from apsp.errors import RequestError

if TYPE_CHECKING:
    from apsp.graph.model import Graph
    from apsp.graph.turns.entered import WaysOfStates
    from apsp.graph.turns.placed_streets import PlacedStreets
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
    has_places : bool
        Whether places are vertices of it, between the vertices and the copies.
    placed_streets : PlacedStreets or None
        The streets that paths enter, of a graph with places that was made for them.
    """

    whole: TurnGraph
    links: npt.NDArray[np.int64]
    is_reversed: bool = False
    has_places: bool = False
    placed_streets: PlacedStreets | None = None

    @property
    def streets(self) -> Graph:
        """The graph whose arcs are streets, and their parts at places: without turns."""
        return self.whole._open_streets if self.placed_streets is None else self.placed_streets.graph

    @property
    def ways(self) -> WaysOfStates:
        """The ways by the vertices of the graph."""
        return self.whole._ways_of_states if self.placed_streets is None else self.placed_streets.ways

    def reversed(self, graph: Graph) -> Turned:
        """That of the reversed graph."""
        links = self.links[np.lexsort([graph.tails(), graph.indices])]
        return self._replace(links=links, is_reversed=not self.is_reversed, placed_streets=None)

    def placed(self, at: npt.NDArray[np.int64], streets: npt.NDArray[np.int64]) -> Turned:
        """That of the graph with places as vertices, whose arcs are parts of these streets (-1: of none).

        Raises
        ------
        RequestError
            If the graph is reversed.
        """
        if self.is_reversed:
            raise RequestError("places are on the streets of the graph itself, not of the reversed one")
        links = np.full(len(streets), -1)
        links[streets >= 0] = self.links[streets[streets >= 0]]
        return self._replace(links=np.insert(self.links, at, links), has_places=True)

    def reduced(self, graph: Graph) -> tuple[Any, ...]:
        """What a copy or a pickle of the graph is made from: the graph with turns, and arcs of places."""
        if not self.has_places:
            return _searched, (self.whole, self.is_reversed)
        arrays = tuple(getattr(graph, name) for name in ("indptr", "indices", "weights"))
        about = {name: getattr(graph, name) for name in ("labels", "coordinates", "zones", "costs", "crs")}
        return _with_places, (arrays, about, self)


def _searched(whole: TurnGraph, is_reversed: bool) -> Graph:
    found = whole._searched
    return found.reversed() if is_reversed else found


def _with_places(arrays: tuple[Any, ...], about: dict[str, Any], turned: Turned) -> Graph:
    graph = type(turned.whole.expanded)._made(*arrays, directed=True, **about)
    graph._turned = turned
    return graph
