"""A graph as a container of vertices and edges: views that hold the graph, not copies of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import Vertex, VertexLike
from apsp.errors import GraphError, NoArcError, shown
from apsp.graph.costs import named_cost
from apsp.graph.degrees import degrees, in_degrees

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["DegreeView", "EdgeView", "Neighbours", "NodeView"]

_KEPT = "_degrees"

_AT_ONCE = 1 << 16
"""Arcs that become Python objects at a time."""


class NodeView(Collection[Vertex]):
    """The vertices of a graph, as it labels them, in the order of their positions; `Graph.nodes`."""

    __slots__ = ("_graph",)

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __len__(self) -> int:
        return self._graph.n

    def __iter__(self) -> Iterator[Vertex]:
        return iter(self._graph.labels)

    def __contains__(self, vertex: object) -> bool:
        return vertex in self._graph

    def __repr__(self) -> str:
        return f"NodeView(n={len(self)})"


class EdgeView(Collection[tuple[Vertex, Vertex]]):
    """The edges of a graph as tuples (u, v), each edge of an undirected graph once; `Graph.edges`."""

    __slots__ = ("_graph",)

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __len__(self) -> int:
        graph = self._graph
        if graph.directed:
            return graph.m
        return (graph.m + int(np.count_nonzero(graph.tails() == graph.indices))) // 2

    def __iter__(self) -> Iterator[tuple[Vertex, Vertex]]:
        return ((u, v) for u, v, _ in self._rows(None))

    def __contains__(self, edge: object) -> bool:
        if not isinstance(edge, tuple) or len(edge) != 2 or edge[0] not in self._graph:
            return False
        return edge[1] in self._graph[edge[0]]

    def data(self, name: str = "weight") -> Iterator[tuple[Vertex, Vertex, int | float]]:
        """Return the edges with their lengths or another cost.

        Parameters
        ----------
        name : str
            'weight', the length (1 if the graph counts hops), or the name of one of `Graph.costs`.

        Returns
        -------
        iterator of (u, v, number)
            The edges, in the order of the view.

        Raises
        ------
        RequestError
            If there is no cost of this name.

        Examples
        --------
        >>> import apsp
        >>> roads = apsp.from_edges([("Rome", "Florence", 273), ("Florence", "Milan", 305)], directed=False)
        >>> list(roads.edges.data())
        [('Rome', 'Florence', 273), ('Florence', 'Milan', 305)]
        """
        graph = self._graph
        if isinstance(name, str) and name == "weight" and name not in graph.costs:
            return self._rows(graph.arc_weights(np.int64) if graph.weights is None else graph.weights)
        return self._rows(named_cost(graph.costs, name, "name"))

    def _rows(self, numbers: Any) -> Iterator[tuple[Any, Any, Any]]:
        graph = self._graph
        label = graph.labels.__getitem__
        tails, heads = graph.tails(), graph.indices
        for first in range(0, graph.m, _AT_ONCE):
            part = slice(first, first + _AT_ONCE)
            some = (tails[part], heads[part], tails[part] if numbers is None else numbers[part])
            if not graph.directed:
                once = some[0] <= some[1]
                some = tuple(array[once] for array in some)  # type: ignore[assignment]
            for tail, head, number in zip(*(array.tolist() for array in some), strict=True):
                yield label(tail), label(head), number

    def __repr__(self) -> str:
        return f"EdgeView(m={len(self)})"


class Neighbours(Mapping[Vertex, "int | float"]):
    """The neighbours of a vertex (heads of the arcs that leave it) and the lengths of the arcs; `Graph[vertex]`."""

    __slots__ = ("_first", "_graph", "_last", "_tail")

    def __init__(self, graph: Graph, position: int) -> None:
        self._graph, self._tail = graph, position
        self._first, self._last = int(graph.indptr[position]), int(graph.indptr[position + 1])

    def __len__(self) -> int:
        return self._last - self._first

    def __iter__(self) -> Iterator[Vertex]:
        return map(self._graph.labels.__getitem__, self._graph.indices[self._first : self._last].tolist())

    def __getitem__(self, vertex: VertexLike) -> int | float:
        """The length of the arc to a neighbour.

        Raises
        ------
        NoArcError
            If there is no arc to it, or no such vertex. It is a KeyError, too.
        """
        graph = self._graph
        try:
            head = graph.labels.index(vertex)
        except GraphError:
            raise NoArcError(graph.word(self._tail), shown(vertex)) from None
        arc = self._first + int(np.searchsorted(graph.indices[self._first : self._last], head))
        if arc == self._last or graph.indices[arc] != head:
            raise NoArcError(graph.word(self._tail), graph.word(head))
        if graph.weights is None:
            return 1
        length: int | float = graph.weights[arc].item()
        return length

    def __repr__(self) -> str:
        return repr(dict(self))


class DegreeView:
    """Edges at the vertices, as in NetworkX: a self-loop counts twice, arcs in and out count; `Graph.degree`.

    `degree[vertex]` is one of them; iteration gives pairs (vertex, degree).
    """

    __slots__ = ("_graph",)

    def __init__(self, graph: Graph) -> None:
        self._graph = graph

    def __len__(self) -> int:
        return self._graph.n

    def __iter__(self) -> Iterator[tuple[Vertex, int]]:
        return zip(self._graph.labels, self._all().tolist(), strict=True)

    def __getitem__(self, vertex: VertexLike) -> int:
        graph = self._graph
        position = graph.labels.index(vertex)
        if graph.directed:
            return int(self._all()[position])
        row = graph.indices[graph.indptr[position] : graph.indptr[position + 1]]
        return len(row) + int(np.count_nonzero(row == position))

    def _all(self) -> npt.NDArray[np.int64]:
        graph = self._graph
        known: npt.NDArray[np.int64] | None = graph.__dict__.get(_KEPT)
        if known is None:
            known = degrees(graph) + in_degrees(graph) if graph.directed else degrees(graph)
            graph.__dict__[_KEPT] = known
        return known

    def __repr__(self) -> str:
        return f"DegreeView(n={len(self)})"
