"""The graph of links: its vertices are the uses of links, its arcs movements from one to another."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, NumPyArray, VertexLike
from apsp.errors import GraphError
from apsp.graph.accept import as_graph
from apsp.graph.checks import frozen
from apsp.graph.costs import NO_COSTS
from apsp.graph.model import Graph
from apsp.graph.turns.angles import deviations
from apsp.graph.turns.uses import Uses, uses_of
from apsp.system.arguments import flag, one_of
from apsp.system.lack_of_memory import memory_errors

__all__ = ["LineGraph", "line_graph"]

LineWeight = Literal["cost", "angle"]
"""What the arcs of a line graph cost."""


class LineGraph:
    """The graph of the links of another graph, with the way back; `line_graph` makes it.

    Parameters
    ----------
    graph : Graph
        The graph of links: vertex i is a use of a link.
    of : Graph
        The graph whose links they are.
    uses : Uses
        Of the links of that graph.

    Attributes
    ----------
    graph, of : Graph
    links : (k,) int64
        The link of each vertex: its number in `of.links`, or, if that graph keeps no links, of its arc (of an
        undirected graph: of its edge, in the order of `to_edges`).
    tails, heads : (k,) int64
        Positions of the ends of each use, in `of`.
    is_against : (k,) bool
        Whether the use leads from the head of its link to the tail.
    weights : (k,) numbers
        The length of each link, which the path to it from another one contains, and the path from it does not.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1, 1], [1, 2, 3], [5, 7, 9], labels=["a", "b", "c", "d"])
    >>> lines = apsp.line_graph(streets)
    >>> lines
    LineGraph(3 links, 2 movements)
    >>> lines.leaving("a"), lines.entering("d")
    (array([0]), array([2]))
    >>> int(lines.weights[0]) + apsp.distance(lines.graph, 0, 2), apsp.distance(streets, "a", "d")
    (14, 14)
    """

    def __init__(self, graph: Graph, of: Graph, uses: Uses) -> None:
        self.graph, self.of = graph, of
        self.tails, self.heads, self.links, self.is_against, self.weights = (
            frozen(each, each) for each in (uses.tails, uses.heads, uses.links, uses.is_against, uses.weights)
        )

    def leaving(self, vertex: VertexLike) -> NumPyArray:
        """Return the uses of links that leave a vertex.

        Parameters
        ----------
        vertex : hashable
            As the graph `of` labels it.

        Returns
        -------
        (j,) int64
            Vertices of `graph`.

        Raises
        ------
        GraphError
            If the vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> apsp.line_graph(apsp.from_edges([0, 1, 1], [1, 2, 3])).leaving(1)
        array([1, 2])
        """
        first, last = np.searchsorted(self.tails, [(place := self.of.index(vertex)), place + 1])
        return np.arange(first, last)

    def entering(self, vertex: VertexLike) -> NumPyArray:
        """Return the uses of links that enter a vertex.

        Parameters
        ----------
        vertex : hashable
            As the graph `of` labels it.

        Returns
        -------
        (j,) int64
            Vertices of `graph`.

        Raises
        ------
        GraphError
            If the vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> apsp.line_graph(apsp.from_edges([0, 1, 2], [1, 2, 1])).entering(1)
        array([0, 2])
        """
        return np.flatnonzero(self.heads == self.of.index(vertex))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LineGraph):
            return NotImplemented
        return self.of == other.of and self.graph == other.graph and np.array_equal(self.links, other.links)

    def __hash__(self) -> int:
        return hash((self.of, self.graph))

    def __repr__(self) -> str:
        return f"LineGraph({self.graph.n:,} links, {self.graph.m:,} movements)"


@memory_errors
def line_graph(
    graph: GraphLike,
    *,
    weight: LineWeight = "cost",
    u_turns: bool = True,
    crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
) -> LineGraph:
    """Return the graph whose vertices are the links of a graph, and whose arcs are the movements from link to link.

    Parameters
    ----------
    graph : GraphLike
        Whatever `as_graph` takes. Links that may be used both ways are two vertices.
    weight : {'cost', 'angle'}
        What an arc costs: the length of the link that it leads to; or the angle between the two links, in degrees: 0
        straight on, 180 for a U-turn, which makes the angular distances of space syntax.
    u_turns : bool
        Movements back to the vertex that the link comes from, too.
    crs : {'degrees', 'microdegrees', 'plane'}, optional
        For angles: what the coordinates are, as for `Graph.snap`; needed unless the graph knows it.

    Returns
    -------
    LineGraph
        The graph, with the link of each of its vertices.

    Raises
    ------
    GraphError
        If it is not a graph; for angles, if it has no coordinates, or a link that has movements has no direction.
    RequestError
        If an argument is invalid, or it is not clear what the coordinates are.
    MemoryLimitError
        If there are too many movements.

    See Also
    --------
    with_turns : Distances between vertices where some movements are forbidden or cost something.

    Notes
    -----
    A path from link a to link b costs the links after a, b included. So the distance from vertex s to vertex t is the
    least over the links a out of s and b into t of the length of a (`LineGraph.weights`) and the distance from a to b.

    No movement leads through a zone (`Graph.zones`). Directions are those of the parts of the links at the vertex, bend
    to bend (`Graph.links.bends`), along great circles for degrees.

    Vertices of the line graph have no labels: they are numbered by the vertex that they leave, and there in the order
    of the links.

    References
    ----------
    Hillier and Iida, "Network and psychological effects in urban movement", COSIT 2005.

    Examples
    --------
    >>> import apsp
    >>> corner = apsp.from_edges([0, 1], [1, 2], [60, 80], coordinates=[[0, 0], [100, 0], [100, 200]])
    >>> lines = apsp.line_graph(corner)
    >>> lines.links.tolist(), apsp.distance(lines.graph, 0, 1)
    ([0, 1], 80)
    >>> apsp.distance(apsp.line_graph(corner, weight="angle", crs="plane").graph, 0, 1)
    90.0
    """
    graph = as_graph(graph)
    by_angle = one_of(weight, "weight", get_args(LineWeight)) == "angle"
    back = flag(u_turns, "u_turns")
    uses = uses_of(graph)
    through = np.ones(graph.n, bool) if graph.zones is None else ~graph.zones
    movements = uses.movements(through)
    before, after = movements.before, movements.after
    allowed = np.ones(len(before), bool) if back else uses.heads[after] != uses.tails[before]
    if by_angle:
        lengths = np.abs(deviations(graph, uses, movements, crs))[allowed]
        _check_directions(graph, uses, lengths, before[allowed])
    else:
        lengths = uses.weights[after[allowed]]
    before, after = before[allowed], after[allowed]
    indptr = np.concatenate([[0], np.cumsum(np.bincount(before, minlength=len(uses)))])
    weights = None if uses.rows.weights is None and not by_angle else lengths
    made = Graph._made(indptr, after.astype(np.int32), weights, directed=True, costs=NO_COSTS)
    return LineGraph(made, graph, uses)


def _check_directions(graph: Graph, uses: Uses, angles: npt.NDArray[np.float64], before: npt.NDArray[np.int64]) -> None:
    missing = np.isnan(angles)
    if missing.any():
        use = int(before[np.argmax(missing)])
        ends = f"{graph.word(int(uses.tails[use]))} to {graph.word(int(uses.heads[use]))}"
        raise GraphError(
            f"link {uses.links[use]}, from {ends}, or one that follows it, has no direction: all its points are one, or"
            " their coordinates are unknown"
        )
