"""The connected components of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, NumPyArray, VertexLike
from apsp.errors import RequestError
from apsp.figures.html import table_card
from apsp.graph.accept import as_graph
from apsp.graph.connected import Connection, membership_of
from apsp.graph.links import Rows
from apsp.graph.model import Graph
from apsp.graph.tabular import ROWS_SHOWN
from apsp.system.arguments import one_of, whole_number
from apsp.system.cached import cached_property
from apsp.system.lack_of_memory import memory_errors
from apsp.system.numbers import counted

__all__ = ["Components", "components"]


@dataclass(frozen=True, eq=False)
class Components:
    """The connected components of a graph: `apsp.components` makes it.

    Components have the numbers 0 to count - 1, in the order of their first vertices.

    Parameters
    ----------
    graph : Graph
        The graph.
    connection : {'strong', 'weak'}
        Definition of connected: paths in both directions, or a path if the directions of arcs are ignored.
    count : int
        The number of components.
    membership : (n,) int32
        The component of each vertex, in the order of `graph.labels`.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 0, 1], labels=["a", "b", "c"])
    >>> found = apsp.components(graph)
    >>> found
    Components(n=3, 2 strong components, largest=2)
    >>> found.membership, found.sizes
    (array([0, 0, 1], dtype=int32), array([2, 1]))
    """

    graph: Graph
    connection: Connection
    count: int
    membership: npt.NDArray[np.int32]

    @cached_property
    def sizes(self) -> npt.NDArray[np.int64]:
        """(count,) int64, the number of vertices of each component."""
        return np.bincount(self.membership, minlength=self.count).astype(np.int64, copy=False)

    @property
    def largest(self) -> int | None:
        """The component with the most vertices, of several the first; None in an empty graph."""
        return int(self.sizes.argmax()) if self.count else None

    def of(self, vertex: VertexLike) -> int:
        """Return the component of a vertex.

        Parameters
        ----------
        vertex : hashable
            The vertex, as the graph labels it.

        Returns
        -------
        int
            The number of the component.

        Raises
        ------
        GraphError
            If the vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 0, 1], labels=["a", "b", "c"])
        >>> found = apsp.components(graph)
        >>> found.of("a") == found.of("b"), found.of("c")
        (True, 1)
        """
        return int(self.membership[self.graph.index(vertex)])

    def members(self, component: int) -> NumPyArray:
        """Return the vertices of a component.

        Parameters
        ----------
        component : int
            The number of the component.

        Returns
        -------
        (S,) array
            Labels in the order of the graph: int32 positions if it has no labels, int64 for integers, else objects.

        Raises
        ------
        RequestError
            If there is no such component.

        Examples
        --------
        >>> import apsp
        >>> found = apsp.components(apsp.from_edges([0, 1, 2], [1, 0, 1]))
        >>> found.members(found.largest)
        array([0, 1], dtype=int32)
        """
        return self.graph.labels.take(self._positions(component))

    def subgraph(self, component: int | None = None) -> Graph:
        """Return the graph of one component.

        Parameters
        ----------
        component : int, optional
            The number of the component; by default the largest.

        Returns
        -------
        Graph
            Its vertices, with the labels that they have in the whole graph, and the arcs and links between them, which
            are numbered from 0 in their order.

        Raises
        ------
        RequestError
            If there is no such component.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [2, 2, 0], [5, 1, 4])
        >>> part = apsp.components(graph).subgraph()
        >>> part, part.labels[1]
        (Graph(n=2, m=2, directed, int64), 2)
        >>> apsp.solve(part).distance(2, 0)
        4
        """
        graph = self.graph
        kept = self._positions(self.largest if component is None else component)
        if len(kept) == graph.n:
            return graph
        number = np.full(graph.n, -1, dtype=np.int32)
        number[kept] = np.arange(len(kept), dtype=np.int32)
        rows = Rows(graph.tails(), graph.indices, graph.weights, graph.costs) if graph.links is None else graph.links
        inside = rows.among(number)
        vertices: dict[str, Any] = {
            "directed": graph.directed,
            "labels": graph.labels.take(kept),
            "coordinates": None if graph.coordinates is None else graph.coordinates[kept],
            "zones": None if graph.zones is None else graph.zones[kept],
            "crs": graph.crs,
        }
        if graph.links is not None:
            return Graph._of_rows(len(kept), inside, **vertices)
        indptr = np.concatenate(([0], np.cumsum(np.bincount(inside.tails, minlength=len(kept)))))
        return Graph(indptr, inside.heads, inside.weights, costs=inside.costs, **vertices)

    def _positions(self, component: int | None) -> npt.NDArray[np.int32]:
        if not self.count:
            raise RequestError("an empty graph has no component")
        component = whole_number(component, "component", least=0, most=self.count - 1)
        return np.flatnonzero(self.membership == component).astype(np.int32)

    def _repr_html_(self) -> str:
        sizes, labels = self.sizes, self.graph.labels
        largest = np.argsort(-sizes, kind="stable")[:ROWS_SHOWN]
        first = np.zeros(self.count, dtype=np.int32)
        first[self.membership[::-1]] = np.arange(self.graph.n - 1, -1, -1, dtype=np.int32)
        columns = {
            "component": [str(number) for number in largest.tolist()],
            "vertices": [f"{size:,}" for size in sizes[largest].tolist()],
            "first vertex": [labels.text(vertex) for vertex in first[largest].tolist()],
        }
        words = f"the {len(largest):,} largest of {counted(self.count, 'component')}"
        return table_card(repr(self), columns, words if len(largest) < self.count else counted(self.count, "component"))

    def __repr__(self) -> str:
        parts = f"{self.count} {self.connection} component{'s' if self.count != 1 else ''}"
        largest = f", largest={self.sizes.max()}" if self.count else ""
        return f"Components(n={self.graph.n}, {parts}{largest})"


@memory_errors
def components(graph: GraphLike, *, connection: Connection = "strong") -> Components:
    """Find the connected components of a graph.

    Parameters
    ----------
    graph : Graph, SciPy sparse array, NetworkX graph or (n, n) array
        The graph, or an object that is converted to one.
    connection : {'strong', 'weak'}
        'strong': two vertices of a component have paths in both directions, so that all distances between them are
        finite. 'weak' (SciPy's default): the directions of arcs are ignored. In an undirected graph both are the same.

    Returns
    -------
    Components
        The number of components, and the component of each vertex.

    Raises
    ------
    GraphError, RequestError
        If the graph or `connection` is invalid.

    Notes
    -----
    Lengths of arcs are ignored; zones connect like other vertices. The search is that of
    `scipy.sparse.csgraph.connected_components` (Pearce, "An improved algorithm for finding the strongly connected
    components of a directed graph", 2005), in O(n + m).

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 0, 1])
    >>> apsp.components(graph).count, apsp.components(graph, connection="weak").count
    (2, 1)
    """
    graph = as_graph(graph)
    one_of(connection, "connection", get_args(Connection))
    count, membership = membership_of(graph, connection)
    membership.flags.writeable = False
    return Components(graph, connection, count, membership)
