"""The graph: validated, immutable CSR arrays."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp.graph import equality
from apsp.graph.checks import (
    check_symmetric,
    coordinates_array,
    indices_array,
    indptr_array,
    labels_of_graph,
    weights_array,
    zones_array,
)
from apsp.graph.labels import Label, Labels
from apsp.semiring import unreachable
from apsp.system.arguments import flag, whole_number
from apsp.system.lack_of_memory import memory_told

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from apsp.figures.bands import Levels
    from apsp.figures.scale_bar import Scale

__all__ = ["Graph", "Parallel"]

Parallel = Literal["min", "first", "last"]
"""Which of several arcs between the same two vertices counts."""


class Graph:
    """A directed or undirected graph with n vertices and m arcs, stored by rows (CSR, as in SciPy).

    The rows are sorted by head, at most one arc joins a vertex to another (the reader or `from_edges` has merged
    parallel arcs) and an undirected graph stores each edge as two arcs. The arrays are read-only.

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
        What the vertices are called: integers, strings, tuples, anything but None. By default their positions. A range
        costs no memory.
    coordinates : (n, 2) float64, optional
        Positions x and y of every vertex, in the units of the source (DIMACS `.co`: longitude and latitude times 10^6).
    zones : (n,) bool, optional
        True at zones, as transport networks have them: a path may start or end there but not pass through.
        None where there are none.

    Raises
    ------
    GraphError
        Where an array has the wrong shape, a value is out of range or a weight is not a number.

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

    __slots__ = ("__dict__", "coordinates", "directed", "indices", "indptr", "labels", "weights", "zones")

    indptr: npt.NDArray[np.int64]
    indices: npt.NDArray[np.int32]
    weights: npt.NDArray[Any] | None
    directed: bool
    labels: Labels
    coordinates: npt.NDArray[np.float64] | None
    zones: npt.NDArray[np.bool_] | None

    def __init__(
        self,
        indptr: npt.ArrayLike,
        indices: npt.ArrayLike,
        weights: npt.ArrayLike | None = None,
        *,
        directed: bool = True,
        labels: Any = None,
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
        weights: npt.NDArray[Any] | None,
        *,
        directed: bool,
        labels: Any = None,
        coordinates: npt.ArrayLike | None = None,
        zones: npt.ArrayLike | None = None,
    ) -> Graph:
        """A graph of arrays that a kernel has just made as a graph has them: they are neither checked nor copied."""
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

    # -- size and facts -------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """Number of vertices."""
        return len(self.indptr) - 1

    @property
    def m(self) -> int:
        """Number of arcs; an undirected edge counts as two."""
        return len(self.indices)

    @property
    def is_weighted(self) -> bool:
        """False where the graph counts hops."""
        return self.weights is not None

    @functools.cached_property
    def _arc_facts(self) -> tuple[int | float, int | float, float, bool]:
        """The shortest and the longest arc, the mean of the absolute weights, and whether an arc has length zero."""
        if self.weights is None or self.m == 0:
            return (0, 0, 1.0, False) if self.m == 0 else (1, 1, 1.0, False)
        return _cpu.arc_facts(self.indptr, self.indices, self.weights)

    @property
    def has_negative_arc(self) -> bool:
        """Some arc is shorter than zero."""
        return self._arc_facts[0] < 0

    @property
    def has_zero_arc(self) -> bool:
        """Some arc that is not a self-loop has length zero."""
        return self._arc_facts[3]

    @property
    def weight_dtype(self) -> np.dtype[Any] | None:
        """Of the lengths; None where the graph counts hops."""
        return None if self.weights is None else self.weights.dtype

    @property
    def weight_range(self) -> tuple[int | float, int | float]:
        """The shortest and the longest arc; 1 and 1 where the graph counts hops, 0 and 0 without arcs."""
        return self._arc_facts[:2]

    @property
    def mean_weight(self) -> float:
        """The mean of the absolute weights; 1 where the graph counts hops or has no arcs."""
        return self._arc_facts[2]

    @property
    def longest_arc(self) -> int | float:
        """The largest length, signs left out."""
        return max(abs(length) for length in self.weight_range)

    @property
    def max_out_degree(self) -> int:
        """Most arcs out of a vertex."""
        return int(np.diff(self.indptr).max()) if self.n else 0

    @property
    def has_integer_weights(self) -> bool:
        """Distances are integers: the weights are, or the graph counts hops."""
        return self.weights is None or self.weights.dtype.kind == "i"

    @property
    def has_zones(self) -> bool:
        """Some vertex is a zone, through which no path may pass."""
        return self.zones is not None and bool(self.zones.any())

    # -- derived arrays and graphs ------------------------------------------------------------------------------------

    def tails(self) -> npt.NDArray[np.int32]:
        """Return the tails of the arcs.

        Returns
        -------
        (m,) int32
            The tail of each arc, in the order of `indices`.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 0, 1], [1, 2, 2])
        >>> graph.tails()
        array([0, 0, 1], dtype=int32)
        >>> graph.indices
        array([1, 2, 2], dtype=int32)
        """
        return np.repeat(np.arange(self.n, dtype=np.int32), np.diff(self.indptr))

    def arc_weights(self, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
        """Return the weights of the arcs in a given dtype.

        Parameters
        ----------
        dtype : numpy dtype
            Any integer or float dtype; values are cast without a check of their range.

        Returns
        -------
        (m,) array of the dtype
            Weights in the order of `indices`; ones where the graph counts hops.

        Raises
        ------
        RequestError
            If the dtype is not one of numbers.

        Examples
        --------
        >>> import apsp
        >>> apsp.from_edges([0, 0, 1], [1, 2, 2]).arc_weights("int32")
        array([1, 1, 1], dtype=int32)
        """
        unreachable(dtype)  # refuses what is no dtype of numbers
        if self.weights is None:
            return np.ones(self.m, dtype=dtype)
        return self.weights.astype(dtype, copy=False)

    @memory_told
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

    @memory_told
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

    def _with(self, **changes: Any) -> Graph:
        fields = ("indptr", "indices", "weights", "directed", "labels", "coordinates", "zones")
        return Graph(**({name: getattr(self, name) for name in fields} | changes))

    # -- vertices -------------------------------------------------------------------------------------------------

    @property
    def has_labels(self) -> bool:
        """The vertices have labels of their own, which are not just their positions 0 to n - 1."""
        return not self.labels.are_positions

    def index(self, label: Label) -> int:
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

    def plot(
        self,
        values: npt.ArrayLike | None = None,
        *,
        route: Sequence[Label] = (),
        title: str = "",
        label: str = "",
        levels: Levels = None,
        scale: Scale = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw the graph on its coordinates, every arc in the colour of its ends, and a path on top.

        Parameters
        ----------
        values : (n,) numbers, optional
            A number per vertex, such as a row of distances or a centrality; "no path" and not-a-number are grey.
            By default all arcs have one colour.
        route : sequence of hashable
            Vertices of a path, as the graph labels them. A short one is drawn again in an inset.
        title, label : str
            Texts above the map, and above the bar of colours.
        levels : int or sequence of numbers, optional
            About how many bands of colour, or where they end; about twelve by default. What is above the last level is
            grey.
        scale : {'metres', 'degrees', 'microdegrees'} or number, optional
            What the coordinates are (a number: metres per unit; DIMACS files hold microdegrees). Draws a scale bar,
            and degrees in their proportions.
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure, which shows itself in notebooks.

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
        return plotting.draw(self, values, (), [self.index(vertex) for vertex in route], style)

    def _repr_html_(self) -> str:
        from apsp.graph import plotting

        return plotting.graph_html(self)

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles go through the checks again, and come out as immutable."""
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

    # -- construction: apsp.graph.convert holds the code -----------------------------------------------------------

    @staticmethod
    def from_edges(*args: Any, **kwargs: Any) -> Graph:
        """Build a graph from its arcs: the same function as `apsp.from_edges`.

        Parameters
        ----------
        *args, **kwargs : optional
            As for `apsp.from_edges`.

        Returns
        -------
        Graph
            The graph.

        Examples
        --------
        >>> import apsp
        >>> apsp.Graph.from_edges([0, 1], [1, 2], [5, 7])
        Graph(n=3, m=2, directed, int64)
        """
        from apsp.graph import convert

        return convert.from_edges(*args, **kwargs)

    @staticmethod
    def from_dense(*args: Any, **kwargs: Any) -> Graph:
        """Build a graph from an (n, n) matrix of arc lengths: the same function as `apsp.from_dense`.

        Parameters
        ----------
        *args, **kwargs : optional
            As for `apsp.from_dense`.

        Returns
        -------
        Graph
            The graph.

        Examples
        --------
        >>> import apsp
        >>> apsp.Graph.from_dense([[0, 3], [4, 0]], absent=0)
        Graph(n=2, m=2, directed, int64)
        """
        from apsp.graph import convert

        return convert.from_dense(*args, **kwargs)

    @staticmethod
    def from_scipy(*args: Any, **kwargs: Any) -> Graph:
        """Build a graph from a SciPy sparse array: the same function as `apsp.from_scipy`.

        Parameters
        ----------
        *args, **kwargs : optional
            As for `apsp.from_scipy`.

        Returns
        -------
        Graph
            The graph.

        Examples
        --------
        >>> import apsp, scipy.sparse
        >>> apsp.Graph.from_scipy(scipy.sparse.csr_array([[0, 3], [4, 0]]))
        Graph(n=2, m=2, directed, int64)
        """
        from apsp.graph import convert

        return convert.from_scipy(*args, **kwargs)

    @staticmethod
    def from_networkx(*args: Any, **kwargs: Any) -> Graph:
        """Build a graph from a NetworkX graph: the same function as `apsp.from_networkx`.

        Parameters
        ----------
        *args, **kwargs : optional
            As for `apsp.from_networkx`.

        Returns
        -------
        Graph
            The graph.

        Examples
        --------
        >>> import apsp, networkx
        >>> apsp.Graph.from_networkx(networkx.path_graph(4))
        Graph(n=4, m=6, undirected, hops)
        """
        from apsp.graph import networkx_graph

        return networkx_graph.from_networkx(*args, **kwargs)

    def to_edges(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], npt.NDArray[Any] | None]:
        """Return arrays of tails, heads and weights.

        `apsp.from_edges(*graph.to_edges(), n=graph.n, directed=graph.directed)` has the same arcs.

        Returns
        -------
        tails, heads : (k,) int32
            Positions of the ends. An undirected edge is given once, from the smaller position to the larger.
        weights : (k,) array or None
            Lengths; None where the graph counts hops.

        Examples
        --------
        >>> import apsp
        >>> tails, heads, weights = apsp.from_edges([0, 1], [1, 2], [5, 7], directed=False).to_edges()
        >>> tails, heads, weights
        (array([0, 1], dtype=int32), array([1, 2], dtype=int32), array([5, 7], dtype=int64))
        """
        from apsp.graph import convert

        return convert.to_edges(self)

    def to_dense(self, dtype: npt.DTypeLike = np.float64) -> npt.NDArray[Any]:
        """Return the (n, n) matrix of arc lengths.

        Parameters
        ----------
        dtype : numpy dtype
            Of the matrix; an integer or float dtype.

        Returns
        -------
        (n, n) array of the dtype
            0 on the diagonal, `apsp.unreachable(dtype)` where there is no arc. A self-loop is kept only if it is
            negative: otherwise it is not shorter than the empty path.

        Raises
        ------
        GraphError
            If a weight does not fit the dtype.

        Examples
        --------
        >>> import apsp
        >>> apsp.from_edges([0, 1], [1, 2], [5, 7]).to_dense()
        array([[ 0.,  5., inf],
               [inf,  0.,  7.],
               [inf, inf,  0.]])
        """
        from apsp.graph import convert

        return convert.to_dense(self, dtype)

    def to_scipy(self) -> Any:
        """Return the arcs as a SciPy CSR array of lengths.

        Returns
        -------
        (n, n) scipy.sparse.csr_array
            Lengths of the arcs; ones (int32) where the graph counts hops. Arcs of length 0 are explicit zeros, which
            `eliminate_zeros` would remove.

        Examples
        --------
        >>> import apsp
        >>> apsp.from_edges([0, 1], [1, 2], [5, 7]).to_scipy().toarray()
        array([[0, 5, 0],
               [0, 0, 7],
               [0, 0, 0]], dtype=int64)
        """
        from apsp.graph import convert

        return convert.to_scipy(self)

    def to_networkx(self) -> Any:
        """Return a NetworkX graph.

        Returns
        -------
        networkx.DiGraph or networkx.Graph
            Nodes are the labels of the vertices; lengths are in the edge attribute `weight`, coordinates in the node
            attribute `pos`.

        Raises
        ------
        MissingDependencyError
            If NetworkX is not installed.

        Examples
        --------
        >>> import apsp
        >>> print(apsp.from_edges([0, 1], [1, 2], [5, 7]).to_networkx())
        DiGraph with 3 nodes and 2 edges
        """
        from apsp.graph import networkx_graph

        return networkx_graph.to_networkx(self)


def _rebuilt(fields: tuple[Any, ...]) -> Graph:
    indptr, indices, weights, directed, labels, coordinates, zones = fields
    for array in (indptr, indices, weights, coordinates, zones):
        if array is not None:
            array.flags.writeable = False  # nobody else has it
    return Graph(indptr, indices, weights, directed=directed, labels=labels, coordinates=coordinates, zones=zones)
