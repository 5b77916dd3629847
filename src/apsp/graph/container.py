"""A graph as a container of vertices, by their labels, with the names of NetworkX."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from apsp._types import Vertex, VertexLike
from apsp.graph.arcs import Arcs
from apsp.graph.views import DegreeView, EdgeView, Neighbours, NodeView

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
