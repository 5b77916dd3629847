"""A graph with forbidden and penalised movements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import ArrayLike, NumPyArray, Vertex
from apsp.errors import RequestError
from apsp.graph.checks import frozen
from apsp.graph.costs import Costs
from apsp.graph.labels import Labels
from apsp.graph.labels.placed import PlacedLabels
from apsp.graph.links import Links
from apsp.graph.model import Graph
from apsp.graph.turns.entered import WaysOfStates
from apsp.graph.turns.expansion import Ways, costs_of_arcs, expanded
from apsp.graph.turns.placed_streets import PlacedStreets
from apsp.graph.turns.placing import TurnedStreets
from apsp.graph.turns.recipe import checked_ways
from apsp.graph.turns.turned import Turned
from apsp.graph.turns.uses import uses_of
from apsp.system.cached import cached_property
from apsp.system.lack_of_memory import memory_errors

if TYPE_CHECKING:
    from apsp.graph.places.placed import PlacedGraph

__all__ = ["TAKING_TURNS", "TurnGraph", "own_labels", "own_vertices", "refuse_turns"]

TAKING_TURNS = (
    "distance, distances, matrix, table, shortest_path, shortest_walks, solve, stream, plan, prepare, within, "
    "stream_within, nearest, k_nearest, isochrone, stream_isochrones, accessibility, skim, summary, eccentricity, "
    "diameter, periphery, radius, center, extremes, closeness_centrality, harmonic_centrality, farness, "
    "average_shortest_path_length, barycenter, wiener_index, global_efficiency, distance_histogram and write"
)
"""The functions that take a graph with turns."""


class TurnGraph:
    """A graph some of whose movements from link to link are forbidden or have a penalty; `with_turns` makes it.

    Functions of distances (also between places), oracles, near pairs, isochrones, skims and measures of distances take
    it like a `Graph`. All other functions refuse it, and say which take it: none leaves the turns out without a word.
    Results and oracles of it have the expanded graph, with the labels of the vertices, as `graph`, which other
    functions refuse, too.

    Parameters
    ----------
    graph : Graph
        The graph without the turns.
    expanded : Graph
        The graph in which restricted vertices are several.
    vertices : (n',) integers
        The vertex that each vertex of `expanded` stands for, by position.
    links : (m',) integers
        The link of each arc of `expanded`.
    movements : dict of str to array, optional
        The named movements.
    forbidden : tuple of tuple of int, optional
        The named sequences of links.
    rules : dict of str to number, optional
        The penalties by rule.

    Attributes
    ----------
    graph : Graph
        The graph without the turns.
    expanded : Graph
        A graph without labels whose vertices 0 to n - 1 are those of `graph`, and whose others are copies of those
        through which some movement is restricted: one per link that enters it and some of whose movements are, one for
        all others, and one per part of a sequence of links that is forbidden. Restricted vertices themselves are zones:
        paths begin there along any link, and end there, by an arc of length 0 from a copy. So its distances between the
        first n vertices are those with turns.
    vertices : (n',) int64
        The vertex, by its position in `graph`, that each vertex of `expanded` stands for.
    links : (m',) int64
        The link of each arc of `expanded`, as `LineGraph.links` numbers them; -1 of those from a copy to its vertex.
    movements : dict of str to array
        The movements that were named, or read: a table with the columns from_link, to_link, via and penalty, which
        `with_turns` takes.
    forbidden : tuple of tuple of int
        The sequences of links that were named, or read.
    rules : dict of str to number
        The penalties by rule, and what the coordinates are: arguments of `with_turns`, which makes the same graph of
        `graph`, `movements`, `forbidden` and these.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1, 1], [1, 2, 3], [5, 7, 9], labels=["a", "b", "c", "d"])
    >>> turned = apsp.with_turns(streets, [("a", "b", "d")])
    >>> turned
    TurnGraph(n=4, m=3, 1 copy of 1 vertex)
    >>> apsp.distance(turned, "a", "c"), apsp.distance(turned, "a", "d")
    (12, inf)
    >>> turned.movements["from_link"], turned.movements["to_link"], turned.movements["penalty"]
    (array([0]), array([2]), array([inf]))
    """

    def __init__(
        self,
        graph: Graph,
        expanded: Graph,
        vertices: npt.NDArray[np.int64],
        links: npt.NDArray[np.int64],
        movements: Mapping[str, NumPyArray] | None = None,
        forbidden: tuple[tuple[int, ...], ...] = (),
        rules: Mapping[str, object] | None = None,
    ) -> None:
        self.graph, self.expanded, self.forbidden = graph, expanded, forbidden
        self.movements = {name: frozen(each, each) for name, each in (movements or {}).items()}
        self.vertices, self.links = frozen(vertices, vertices), frozen(links, links)
        self.rules: dict[str, Any] = dict(rules or {})

    @property
    def n(self) -> int:
        """Number of vertices, without copies."""
        return self.graph.n

    @property
    def m(self) -> int:
        """Number of arcs of the graph without turns."""
        return self.graph.m

    @property
    def labels(self) -> Labels:
        """Labels of the vertices."""
        return self.graph.labels

    @cached_property
    def _searched(self) -> Graph:
        """The expanded graph with the labels of the vertices, which `as_graph` refuses."""
        graph, copies = self.expanded, self.vertices[self.n :].astype(np.int32)
        made = Graph._made(
            graph.indptr, graph.indices, graph.weights, directed=True,
            labels=PlacedLabels(self.labels, (), copies, -1), coordinates=graph.coordinates, zones=graph.zones,
            costs=graph.costs, crs=graph.crs,
        )  # fmt: skip
        made._turned, made._inputs = Turned(self, self.links), self.graph._inputs
        return made

    @cached_property
    def _ways(self) -> Ways:
        """How paths may go on, from the movements, sequences and rules."""
        return checked_ways(self.graph, self.expanded, self.vertices, self.movements, self.forbidden, self.rules)

    @cached_property
    def _ways_of_states(self) -> WaysOfStates:
        return WaysOfStates.of(self.graph, self.expanded, self._ways)

    @cached_property
    def _places(self) -> TurnedStreets:
        return TurnedStreets.of(self.graph, self._ways)

    @cached_property
    def _open_streets(self) -> Graph:
        """The graph without turns, of whose arcs the links are the best that are open."""
        links = self.graph.links
        if links is None or not links.are_parallel:
            return self.graph
        taken = self._places.use_of_arc
        chosen = np.where(taken >= 0, self._places.links[taken], links.chosen)
        if np.array_equal(chosen, links.chosen):
            return self.graph
        return self.graph._with_links(Links(links, chosen.astype(links.chosen.dtype)))

    def _placed_streets(self, wide: Graph, streets: PlacedGraph) -> PlacedStreets:
        """The streets of the graph to which places were added, from those of the graph without turns."""
        return PlacedStreets.of(wide, self, streets)

    @memory_errors
    def with_weights(
        self, weights: ArrayLike | str | Mapping[tuple[Vertex, Vertex], float], *, links: bool | ArrayLike = False
    ) -> TurnGraph:
        """Return the same graph with turns with other weights of all arcs or links, or of some.

        Parameters
        ----------
        weights : (m,), (L,) or (k,) numbers, str, or mapping of pairs
            As for `Graph.with_weights` of `graph`; at least 0.
        links : bool or (k,) ints
            As there.

        Returns
        -------
        TurnGraph
            The graph with the same movements, sequences and penalties.

        Raises
        ------
        GraphError, RequestError
            As `Graph.with_weights`; if a weight is negative, or a penalty too large to be exact.

        Examples
        --------
        >>> import apsp
        >>> streets = apsp.from_edges([0, 1, 1], [1, 2, 3], [5, 7, 9])
        >>> turned = apsp.with_turns(streets, [(0, 1, 2, 20)])
        >>> apsp.distance(turned, 0, 2), apsp.distance(turned.with_weights({(0, 1): 6}), 0, 2)
        (32, 33)
        """
        return self._with_graph(self.graph.with_weights(weights, links=links))

    def _with_graph(self, graph: Graph) -> TurnGraph:
        """The graph with other weights of its arcs and links."""
        if graph.has_negative_arc:
            raise RequestError(f"turns need weights of at least 0, and the smallest is {graph.weight_range[0]}")
        return self._expanded(graph, self._ways)

    def _without_links(self, are_closed: npt.NDArray[np.bool_]) -> TurnGraph:
        """The graph in whose expansion no arc is one of some links, (L,) bool; `graph` has them still."""
        ways, stays = self._ways, ~are_closed[uses_of(self.graph).links[self._ways.uses]]
        return self._expanded(
            self.graph,
            ways._replace(
                tails=ways.tails[stays], heads=ways.heads[stays], uses=ways.uses[stays], penalties=ways.penalties[stays]
            ),
        )

    def _expanded(self, graph: Graph, ways: Ways) -> TurnGraph:
        made = expanded(graph, uses_of(graph), ways)
        found = TurnGraph(graph, made.graph, self.vertices, made.links, self.movements, self.forbidden, self.rules)
        found.__dict__["_ways"] = ways
        return found

    def _costs_of_arcs(self, costs: Costs) -> dict[str, NumPyArray]:
        """Costs of the arcs of the expanded graph, from costs of the links."""
        return costs_of_arcs(self.graph, self._ways, costs)

    def __len__(self) -> int:
        return self.n

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TurnGraph):
            return NotImplemented
        return (
            self.graph == other.graph
            and self.expanded == other.expanded
            and np.array_equal(self.vertices, other.vertices)
            and np.array_equal(self.links, other.links)
        )

    def __hash__(self) -> int:
        return hash((self.graph, self.expanded))

    def __reduce__(self) -> tuple[Any, ...]:
        about = self.movements, self.forbidden, self.rules
        return TurnGraph, (self.graph, self.expanded, self.vertices, self.links, *about)

    def __repr__(self) -> str:
        copies = self.expanded.n - self.n
        split = len(np.unique(self.vertices[self.n :]))
        words = f"{copies:,} cop{'y' if copies == 1 else 'ies'} of {split:,} vert{'ex' if split == 1 else 'ices'}"
        return f"TurnGraph(n={self.n}, m={self.m}, {words})"


def own_vertices(graph: Graph) -> int:
    """The number of vertices of a graph, and of places; of an expanded one without the copies, which come after."""
    return graph.n if graph._turned is None else len(own_labels(graph))


def own_labels(graph: Graph) -> Labels:
    """The labels of these vertices."""
    if graph._turned is None:
        return graph.labels
    assert isinstance(graph.labels, PlacedLabels)
    return graph.labels.without_again()


def refuse_turns(graph: object, what: str, remedy: str = "turned.graph is the graph without its turns") -> None:
    """Refuse what would leave turns out.

    Parameters
    ----------
    graph : object
    what : str
        What does not take them, at the beginning of a sentence.

    Raises
    ------
    RequestError
        If it is a graph with turns, or one that was made of it.
    """
    if isinstance(graph, TurnGraph) or (isinstance(graph, Graph) and graph._turned is not None):
        raise RequestError(f"{what} does not take a graph with turns yet; {TAKING_TURNS} do; {remedy}")
