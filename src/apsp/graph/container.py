"""A graph as a container of vertices, by their labels, with the names of NetworkX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import numpy.typing as npt

from apsp._types import Vertex, VertexLike, VerticesLike
from apsp.errors import RequestError, shown
from apsp.graph.arcs import Arcs
from apsp.graph.links import Rows
from apsp.graph.views import DegreeView, EdgeView, Neighbours, NodeView
from apsp.system.lack_of_memory import memory_errors

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Container"]


class Container(Arcs):
    """Vertices and edges of `apsp.graph.model.Graph`."""

    def __len__(self) -> int:
        return self.n

    def __bool__(self) -> bool:
        return True  # also without vertices: `graph or ...` tests for None

    def __iter__(self) -> Iterator[Vertex]:
        return iter(self.labels)

    def __contains__(self, vertex: object) -> bool:
        try:
            return vertex in self.labels
        except TypeError:
            return False

    def __getitem__(self, vertex: VertexLike) -> Neighbours:
        """The neighbours of a vertex, as the graph labels it, and the lengths of the arcs to them.

        Raises
        ------
        GraphError
            If the vertex does not exist.
        """
        return Neighbours(cast("Graph", self), self.labels.index(vertex))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.object_]:
        """The graph as one object: NumPy would take an object with a length for a sequence of numbers."""
        array = np.empty((), dtype=object)
        array[()] = self
        return array

    @property
    def nodes(self) -> NodeView:
        """The vertices: a view with a length, `in` and iteration."""
        return NodeView(cast("Graph", self))

    @property
    def edges(self) -> EdgeView:
        """The edges (u, v), those of an undirected graph once: a view; `edges.data()` gives (u, v, length)."""
        return EdgeView(cast("Graph", self))

    @property
    def degree(self) -> DegreeView:
        """Numbers of edges at the vertices: `degree[vertex]`; a self-loop counts twice, arcs in and out count."""
        return DegreeView(cast("Graph", self))

    @memory_errors
    def subgraph(self, vertices: VerticesLike) -> Graph:
        """Return the graph of some vertices and all arcs between them.

        Parameters
        ----------
        vertices : sequence of vertices
            As the graph labels them, in any order.

        Returns
        -------
        Graph
            The vertices in the order of their positions, with their labels, coordinates and zones; the arcs with their
            weights and costs, and the links. A vertex of a graph without labels keeps its number as its label.

        Raises
        ------
        GraphError
            If a vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> roads = apsp.from_edges([("Rome", "Florence", 273), ("Florence", "Milan", 305)], directed=False)
        >>> north = roads.subgraph(["Milan", "Florence"])
        >>> list(north), list(north.edges)
        (['Florence', 'Milan'], [('Florence', 'Milan')])
        """
        from apsp.graph.model import Graph

        if isinstance(vertices, (str, bytes)) or not hasattr(vertices, "__iter__"):
            raise RequestError(f"vertices must be a sequence of vertices, not {shown(vertices)}")
        listed: Any = vertices if isinstance(vertices, (np.ndarray, range, list, tuple)) else list(vertices)
        kept = np.zeros(self.n, dtype=bool)
        kept[self.labels.positions(listed)] = True
        places = np.cumsum(kept, dtype=np.int32) - np.int32(1)
        old = np.flatnonzero(kept)
        about: dict[str, Any] = {
            "labels": self.labels[old].tolist(),
            "coordinates": None if self.coordinates is None else self.coordinates[old],
            "zones": None if self.zones is None else self.zones[old],
        }
        if self.links is not None:
            links = self.links
            some = kept[links.tails] & kept[links.heads]
            rows = Rows(
                places[links.tails[some]], places[links.heads[some]],
                None if links.weights is None else links.weights[some], links.costs.of_arcs(some),
                None if links.one_way is None else links.one_way[some],
            )  # fmt: skip
            return Graph._of_rows(len(old), rows, directed=self.directed, **about)
        tails = self.tails()
        some = kept[tails] & kept[self.indices]
        indptr = np.zeros(len(old) + 1, dtype=np.int64)
        np.cumsum(np.bincount(places[tails[some]], minlength=len(old)), out=indptr[1:])
        weights = None if self.weights is None else self.weights[some]
        return Graph._made(
            indptr, places[self.indices[some]], weights, directed=self.directed, costs=self.costs.of_arcs(some), **about
        )
