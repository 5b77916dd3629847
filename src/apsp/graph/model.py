"""The graph: validated, immutable CSR arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from apsp._types import ArrayLike, Axes, Figure, LabelsLike, NumPyArray, VertexLike
from apsp.figures.options import Levels, Scale
from apsp.graph import equality
from apsp.graph.arrays import arc_weight_array
from apsp.graph.checks import (
    check_symmetric,
    coordinates_array,
    indices_array,
    indptr_array,
    labels_of_graph,
    weights_array,
    zones_array,
)
from apsp.graph.exports import Exports
from apsp.system.arguments import flag, whole_number
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Graph", "Parallel"]

Parallel = Literal["min", "first", "last"]
"""Which of several arcs between the same two vertices counts."""


class Graph(Exports):
    """A directed or undirected graph with n vertices and m arcs, stored by rows (CSR, as in SciPy).

    The rows are sorted by head, there is at most one arc from a vertex to another (readers and `from_edges` merge
    parallel arcs), and an undirected graph stores each edge as two arcs. The arrays are read-only.

    The arrays hold positions of vertices, 0 to n - 1. Functions take and return vertices as their `labels`, which are
    the positions if the graph was made without labels.

    Parameters
    ----------
    indptr : (n + 1,) int64
        The arcs of vertex u are indptr[u] .. indptr[u + 1] - 1.
    indices : (m,) int32
        Heads of the arcs.
    weights : (m,) int32, int64, float32 or float64, or None
        Lengths of the arcs; None counts hops (every arc has length 1).
    directed : bool
        False if the arcs come in pairs of equal weight, which is checked.
    labels : sequence of n different hashable values, optional
        Labels of the vertices: integers, strings, tuples, anything but None. By default their positions. A range
        costs no memory.
    coordinates : (n, 2) float64, optional
        Positions x and y of every vertex, in the units of the source (DIMACS `.co`: longitude and latitude times 10^6).
    zones : (n,) bool, optional
        True for zones, as in transport networks: a path may start or end there but not pass through. None if there are
        none.

    Raises
    ------
    GraphError
        If an array has the wrong shape, a value is out of range or a weight is not a number.

    Notes
    -----
    Two graphs are equal (`==`) if they have the same vertices with the same labels, the same arcs, equal weights (of
    any dtype), the same direction, zones and coordinates; this reads all arrays. Equal graphs have equal hashes.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.Graph([0, 2, 3, 3], [1, 2, 2], [4, 9, 1], labels=["a", "b", "c"])
    >>> graph
    Graph(n=3, m=3, directed, int64)
    >>> graph.n, graph.m, graph.weight_range
    (3, 3, (1, 9))
    >>> apsp.solve(graph).distance("a", "c")
    5
    """

    def __init__(
        self,
        indptr: npt.ArrayLike,
        indices: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        *,
        directed: bool = True,
        labels: LabelsLike | None = None,
        coordinates: npt.ArrayLike | None = None,
        zones: npt.ArrayLike | None = None,
    ) -> None:
        self.indptr = indptr_array(indptr)
        n = len(self.indptr) - 1
        self.indices = indices_array(indices, self.indptr, n)
        self.labels = labels_of_graph(labels, n)
        self.weights = None if weights is None else weights_array(weights, self.indptr, self.labels)
        self.directed = flag(directed, "directed")
        self.coordinates = None if coordinates is None else coordinates_array(coordinates, n)
        self.zones = None if zones is None else zones_array(zones, n)
        if not self.directed:
            check_symmetric(self.tails(), self.indices, self.weights)

    @classmethod
    def _made(
        cls,
        indptr: npt.NDArray[np.int64],
        indices: npt.NDArray[np.int32],
        weights: NumPyArray | None,
        *,
        directed: bool,
        labels: LabelsLike | None = None,
        coordinates: npt.ArrayLike | None = None,
        zones: npt.ArrayLike | None = None,
    ) -> Graph:
        """Build a graph of arrays that a kernel has created in the right form: they are neither checked nor copied."""
        graph = object.__new__(cls)
        n = len(indptr) - 1
        for array in (indptr, indices, weights):
            if array is not None:
                array.flags.writeable = False
        graph.indptr, graph.indices, graph.weights = indptr.view(), indices.view(), weights
        if weights is not None:
            graph.weights = weights.view()
        graph.labels = labels_of_graph(labels, n)
        graph.directed = directed
        graph.coordinates = None if coordinates is None else coordinates_array(coordinates, n)
        graph.zones = None if zones is None else zones_array(zones, n)
        return graph

    # -- other graphs ------------------------------------------------------------------------------------------------

    @memory_errors
    def reversed(self) -> Graph:
        """Return the graph with the direction of every arc reversed.

        Returns
        -------
        Graph
            The same vertices, with their labels, coordinates and zones.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 0], [1, 2], [5, 7])
        >>> apsp.solve(graph.reversed()).distance(2, 0)
        7
        """
        from apsp.graph.convert import from_edges

        return from_edges(
            self.indices, self.tails(), self.weights, n=self.n, directed=True,
            labels=self.labels, coordinates=self.coordinates, zones=self.zones,
        )  # fmt: skip

    @memory_errors
    def unweighted(self) -> Graph:
        """Return the same arcs without weights, so that distances count hops.

        Returns
        -------
        Graph
            The same vertices and arcs; `weights` is None.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 7])
        >>> apsp.solve(graph).distance(0, 2), apsp.solve(graph.unweighted()).distance(0, 2)
        (12, 2)
        """
        return self._with(weights=None)

    @memory_errors
    def with_weights(self, weights: ArrayLike) -> Graph:
        """Return the same arcs with other weights.

        Parameters
        ----------
        weights : (m,) numbers
            The weights of the arcs in the order of `indices`: entry k is that of the arc from tails()[k] to indices[k].
            Negative ones are allowed. Their dtype is kept if it is int32, int64, float32 or float64; other dtypes
            become the next wider of these. An undirected graph has each edge as two arcs, which must get equal weights.

        Returns
        -------
        Graph
            The same vertices and arcs, with the labels, coordinates and zones.

        Raises
        ------
        GraphError
            If there is not one finite number per arc, or the two arcs of an edge differ.

        Notes
        -----
        A graph has at most one arc from a vertex to another. If it was built from parallel arcs, only one of them was
        kept, so `weights` has one entry for all of them; to give each a new weight, call `apsp.from_edges`.

        Examples
        --------
        >>> import apsp
        >>> lengths = apsp.from_edges([0, 0, 1], [2, 1, 2], [9, 4, 1], labels=["a", "b", "c"])
        >>> lengths.tails().tolist(), lengths.indices.tolist(), lengths.weights.tolist()
        ([0, 0, 1], [1, 2, 2], [4, 9, 1])
        >>> times = lengths.with_weights([0.5, 0.1, 0.2])
        >>> apsp.solve(lengths).distance("a", "c"), apsp.solve(times).distance("a", "c")
        (5, 0.1)
        """
        return self._with(weights=arc_weight_array(weights, self.tails(), self.indices, self.labels))

    def _with(self, **changes: Any) -> Graph:
        fields = ("indptr", "indices", "weights", "directed", "labels", "coordinates", "zones")
        return Graph(**({name: getattr(self, name) for name in fields} | changes))

    # -- vertices -------------------------------------------------------------------------------------------------

    @property
    def has_labels(self) -> bool:
        """Whether the vertices have labels other than their positions 0 to n - 1."""
        return not self.labels.are_positions

    def index(self, label: VertexLike) -> int:
        """Return the position of a vertex, 0 to n - 1.

        `graph.labels[graph.index(label)]` is the label again.

        Parameters
        ----------
        label : hashable
            The vertex, as the graph labels it.

        Returns
        -------
        int
            Its position.

        Raises
        ------
        GraphError
            If the vertex does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], labels=["Rome", "Florence", "Milan"])
        >>> graph.index("Florence")
        1
        """
        return self.labels.index(label)

    def word(self, position: int) -> str:
        """Return the text that messages use for a vertex: the `repr` of its label.

        Parameters
        ----------
        position : int
            Position of the vertex, 0 to n - 1.

        Returns
        -------
        str
            The text.

        Raises
        ------
        RequestError
            If the position does not exist.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], labels=["Rome", "Florence", "Milan"])
        >>> graph.word(2)
        "'Milan'"
        """
        return self.labels.word(whole_number(position, "position", least=0, most=self.n - 1))

    # -- pictures -------------------------------------------------------------------------------------------------

    @memory_errors
    def plot(
        self,
        values: npt.ArrayLike | None = None,
        *,
        route: Sequence[VertexLike] = (),
        title: str = "",
        label: str = "",
        levels: Levels = None,
        scale: Scale = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw the graph at its coordinates, every arc in the colour of its ends, and a path on top.

        Parameters
        ----------
        values : (n,) numbers, optional
            A number per vertex, such as a row of distances or a centrality; "no path" and not-a-number are grey.
            By default all arcs have one colour.
        route : sequence of hashable
            Vertices of a path, as the graph labels them. A short one is drawn again in an inset.
        title, label : str
            Texts above the map, and above the colour bar.
        levels : int or sequence of numbers, optional
            Approximate number of bands of colour, or their upper limits; about twelve by default. Values above the last
            level are grey.
        scale : {'metres', 'degrees', 'microdegrees'} or number, optional
            Unit of the coordinates (a number: metres per unit; DIMACS files hold microdegrees). If given, a scale bar
            is drawn, and degrees have their true proportions.
        ax : matplotlib Axes, optional
            Axes to draw in; by default a new figure, which shows itself in notebooks.

        Returns
        -------
        matplotlib.figure.Figure
            The figure.

        Raises
        ------
        GraphError
            If the graph has no coordinates, or a vertex does not exist.
        RequestError
            If an argument is invalid.
        MissingDependencyError
            If Matplotlib is not installed.

        Examples
        --------
        >>> import apsp, matplotlib
        >>> city = apsp.generate("city", 400, seed=1)
        >>> figure = city.plot(apsp.closeness_centrality(city), label="closeness", scale="metres")
        >>> figure.savefig("city.png")
        """
        from apsp.figures.map import MapStyle
        from apsp.graph import plotting

        style = MapStyle(title, label, levels, scale, ax)
        return plotting.draw(self, values, (), plotting.positions_on(self, route), style)

    def _repr_html_(self) -> str:
        from apsp.graph import plotting

        return plotting.graph_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are checked again, and are immutable too."""
        fields = ("indptr", "indices", "weights", "directed", "labels", "coordinates", "zones")
        return _rebuilt, (tuple(getattr(self, name) for name in fields),)

    def __eq__(self, other: object) -> bool:
        return equality.equal(self, other) if isinstance(other, Graph) else NotImplemented

    def __hash__(self) -> int:
        return equality.hash_of(self)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = "hops" if self.weights is None else str(self.weights.dtype)
        return f"Graph(n={self.n}, m={self.m}, {kind}, {weights})"


def _rebuilt(fields: tuple[Any, ...]) -> Graph:
    indptr, indices, weights, directed, labels, coordinates, zones = fields
    for array in (indptr, indices, weights, coordinates, zones):
        if array is not None:
            array.flags.writeable = False  # it has no other owner
    return Graph(indptr, indices, weights, directed=directed, labels=labels, coordinates=coordinates, zones=zones)
