"""The graph: validated, immutable CSR arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, overload

import numpy as np
import numpy.typing as npt

from apsp._types import (
    ArrayLike,
    Axes,
    CrsLike,
    Figure,
    LabelsLike,
    NumPyArray,
    NxGraph,
    PathLike,
    PlacesLike,
    Series,
    Vertex,
    VertexLike,
    VerticesLike,
    csr_array,
)
from apsp.errors import RequestError, shown
from apsp.figures.explored_map import Map
from apsp.figures.options import Levels, Scale
from apsp.graph import equality, exports
from apsp.graph.arc_positions import indptr_without, left_of
from apsp.graph.arcs import Arcs
from apsp.graph.arrays import arc_weight_array, check_ends
from apsp.graph.checks import (
    check_same_weights,
    check_symmetric,
    coordinates_array,
    crs_of,
    indices_array,
    indptr_array,
    labels_of_graph,
    weights_array,
    zones_array,
)
from apsp.graph.costs import NO_COSTS, Costs, cost_arrays, costs_of, named_cost
from apsp.graph.links import Links, Rows, best_links, kept_links
from apsp.graph.periods import Periods, WeightsOfPeriod, periods_of
from apsp.graph.places import Places
from apsp.graph.reversal import reversed_arcs
from apsp.graph.shapes.features import Features
from apsp.graph.shapes.graph_features import features_of, features_of_paths
from apsp.graph.some_edges import (
    Whole,
    arcs_of_links,
    facts_without,
    rows_of_edges,
    weights_with_edges,
    weights_with_links,
)
from apsp.graph.turns.turned import Turned
from apsp.graph.views import DegreeView, EdgeView, Neighbours, NodeView
from apsp.system.arguments import flag, is_flag, whole_number
from apsp.system.cached import cached_property
from apsp.system.inputs import Input
from apsp.system.lack_of_memory import memory_errors

__all__ = ["Graph", "Parallel"]

Parallel = Literal["min", "first", "last"]
"""Which of several links between the same two vertices counts."""

_OF_VERTICES = ("directed", "labels", "coordinates", "zones", "crs")
_OF_LINKS = ("tails", "heads", "weights", "costs", "one_way", "bends", "streets")
_FIELDS = ("indptr", "indices", "weights", *_OF_VERTICES, "costs")


class Graph(Arcs):
    """A directed or undirected graph with n vertices and m arcs, stored by rows (CSR, as in SciPy).

    The rows are sorted by head, there is at most one arc from a vertex to another (of parallel links the best for the
    weights), and an undirected graph stores each edge as two arcs. The arrays are read-only.

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
        A data frame has columns x and y (or longitude and latitude), and its index holds the labels of the vertices; a
        dictionary maps labels to (x, y).
    zones : (n,) bool, optional
        True for zones, as in transport networks: a path may start or end there but not pass through. None if there are
        none. The index of a pandas Series holds the labels of the vertices.
    costs : mapping of str to (m,) numbers, optional
        Other costs of the arcs by name, such as lengths and tolls, in the order of `indices`. Readers fill it from
        files with several numbers per arc; `apsp.skim` sums them up along shortest paths.
    crs : {'degrees', 'microdegrees', 'plane'}, optional
        What the coordinates are, as for `snap`, which then need not be told. Readers fill it in where they know it: of
        OpenStreetMap and OSMnx.

    Attributes
    ----------
    links : Links or None
        The links that the graph was built from, in the order of the input, with all their costs; None if it keeps none.
        `from_edges` and readers keep them if there are costs and parallel links (or by `links=True`), and those that
        arcs take if there are bends (`Graph.links.bends`). The arcs are the best links for the weights, of equally long
        ones that with the least first cost, then the second, and so on, then the first link; `costs` are those of these
        links. Other weights (`with_weights`, `apsp.skim`) choose again.

    Raises
    ------
    GraphError
        If an array has the wrong shape, a value is out of range or a weight is not a number.

    Notes
    -----
    Two graphs are equal (`==`) if they have the same vertices with the same labels, the same arcs, equal weights (of
    any dtype), the same direction, zones, coordinates, costs and links; this reads all arrays. Equal graphs have equal
    hashes.

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

    _inputs: frozenset[Input] = frozenset()
    """The files that the graph was read from, which neither it nor results for it overwrite; see `Labels.inputs`."""

    _turned: Turned | None = None
    """What an expanded graph (`apsp.with_turns`) was made of; None of all other graphs."""

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
        costs: Mapping[str, ArrayLike] | None = None,
        crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
    ) -> None:
        self.indptr = indptr_array(indptr)
        n = len(self.indptr) - 1
        self.indices = indices_array(indices, self.indptr, n)
        self.labels = labels_of_graph(labels, n)
        self.weights = None if weights is None else weights_array(weights, self.indptr, self.labels)
        self.directed = flag(directed, "directed")
        self.coordinates = None if coordinates is None else coordinates_array(coordinates, n, self.labels)
        self.zones = None if zones is None else zones_array(zones, n, self.labels)
        if not self.directed:
            check_symmetric(self.tails(), self.indices, self.weights)
        self.costs = NO_COSTS if costs is None else costs_of(costs, self)
        self.links = None
        self.crs = crs_of(crs, coordinates)

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
        costs: Costs = NO_COSTS,
        links: Links | None = None,
        crs: str | None = None,
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
        graph.coordinates = None if coordinates is None else coordinates_array(coordinates, n, graph.labels)
        graph.zones = None if zones is None else zones_array(zones, n, graph.labels)
        graph.costs = costs
        graph.links = links
        graph.crs = crs_of(crs, coordinates)
        return graph

    @classmethod
    def _of_rows(
        cls, n: int, rows: Rows, *, directed: bool, parallel: Parallel = "min", links: bool | None = True,
        **vertices: Any,
    ) -> Graph:  # fmt: skip
        """Build a graph of links, which are not checked. They are kept, or (None) if some are parallel.

        Otherwise those that arcs take are kept if there are bends.
        """
        indptr, indices, chosen = best_links(n, rows, rows.keys, directed=directed, parallel=parallel)
        made = Links(rows, chosen)
        kept = links or (links is None and made.are_parallel)
        if rows.bends is not None and not kept:
            used, places = np.unique(chosen, return_inverse=True)
            rows, chosen, kept = rows.taken(used), places.astype(chosen.dtype), True
            made = Links(rows, chosen)
        return cls._made(
            indptr, indices, None if rows.weights is None else rows.weights[chosen], directed=directed,
            costs=rows.costs.of_links(chosen) if kept else rows.costs.of_arcs(chosen), links=made if kept else None,
            **vertices,
        )  # fmt: skip

    def _read_from(self, inputs: frozenset[Input]) -> None:
        """Note the files that the graph was read from; its labels keep them for tables."""
        self._inputs = self.labels._inputs = inputs

    # -- other graphs --------------------------------------------------------------------------------------------------

    @memory_errors
    def reversed(self) -> Graph:
        """Return the graph with the direction of every arc reversed.

        Returns
        -------
        Graph
            The same vertices, with their labels, coordinates and zones, and the costs of the arcs and links.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 0], [1, 2], [5, 7])
        >>> apsp.solve(graph.reversed()).distance(2, 0)
        7
        """
        arrays = reversed_arcs(self)
        directed = self.directed or arrays.links is None  # a link of an undirected graph is both arcs
        found = Graph._made(
            **arrays._asdict(), directed=directed,
            labels=self.labels, coordinates=self.coordinates, zones=self.zones, crs=self.crs,
        )  # fmt: skip
        found.__dict__ = self.__dict__.setdefault("_facts_of_reversed", {})  # what is found once holds for all of them
        if self._turned is not None:
            found._turned = self._turned.reversed(self)
        return found

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
    def with_weights(
        self, weights: ArrayLike | str | Mapping[tuple[Vertex, Vertex], float], *, links: bool | ArrayLike = False
    ) -> Graph:
        """Return the same graph with other weights of all arcs or links, or of some.

        Parameters
        ----------
        weights : (m,), (L,) or (k,) numbers, str, or mapping of pairs
            The weights of the arcs in the order of `indices`: entry k is that of the arc from tails()[k] to indices[k].
            Negative ones are allowed. Their dtype is kept if it is int32, int64, float32 or float64; other dtypes
            become the next wider of these. An undirected graph has each edge as two arcs, which must get equal weights.
            Or the name of one of `costs`. Or ``{(tail, head): weight}``, which keeps the weights of all other edges; of
            a link that may be used both ways, the weight is that of both.
        links : bool or (k,) ints
            True: the weights are those of the links, in the order of `Graph.links`. Numbers of some links: the weights
            are theirs, and those of all other links stay.

        Returns
        -------
        Graph
            The same vertices, with the labels, coordinates, zones, costs and links. Of parallel links the best for
            these weights are its arcs.

        Raises
        ------
        GraphError
            If there is not one finite number per arc, or the two arcs of an edge differ; if some of the graph's links
            are parallel, and the weights are not by link or by name; if an edge or a link does not exist.
        RequestError
            If there is no cost of this name, or the graph keeps no links (`links`).

        Notes
        -----
        Weights of some edges or links do not change the dtype if it holds them exactly; otherwise it becomes wider.

        Examples
        --------
        >>> import apsp
        >>> lengths = apsp.from_edges([0, 0, 1], [2, 1, 2], [9, 4, 1], labels=["a", "b", "c"])
        >>> lengths.tails().tolist(), lengths.indices.tolist(), lengths.weights.tolist()
        ([0, 0, 1], [1, 2, 2], [4, 9, 1])
        >>> times = lengths.with_weights([0.5, 0.1, 0.2])
        >>> apsp.solve(lengths).distance("a", "c"), apsp.solve(times).distance("a", "c")
        (5, 0.1)

        Of parallel links, with weights by name and by link:

        >>> minutes = apsp.from_edges([0, 0, 1], [1, 1, 2], [10, 12, 5], costs={"km": [30, 9, 2]})
        >>> apsp.solve(minutes).distance(0, 2), apsp.solve(minutes.with_weights("km")).distance(0, 2)
        (15, 11)
        >>> slower = minutes.with_weights([20, 12, 5], links=True)
        >>> apsp.solve(slower).distance(0, 2), apsp.solve(slower).path(0, 2, links=True)
        (17, [1, 2])

        Some weights, by edge and by link:

        >>> apsp.solve(lengths.with_weights({("a", "c"): 3})).distance("a", "c")
        3
        >>> minutes.with_weights([20], links=[0]) == slower
        True
        """
        if isinstance(weights, str):
            return self._with(weights=named_cost((self.links or self).costs, weights, "weights"))
        if not is_flag(links):
            return self._with(weights=weights_with_links(self, links, weights))
        if isinstance(weights, Mapping):
            if flag(links, "links"):
                raise RequestError("weights by edge need no links: with_weights({(tail, head): weight})")
            return self._with(weights=weights_with_edges(self, weights))
        by_link = flag(links, "links")
        return self._with(weights=self._by_row(arc_weight_array(weights, *self._ends(by_link), self.labels), by_link))

    @memory_errors
    def without_edges(self, edges: Iterable[tuple[Vertex, Vertex]] | ArrayLike, *, links: bool = False) -> Graph:
        """Return the same graph without some edges, such as closed roads.

        Parameters
        ----------
        edges : sequence of pairs, or (k,) ints
            (tail, head) each; without an edge that may be used both ways, neither direction is left. With `links`,
            numbers of links.
        links : bool
            The edges are numbers of links, in the order of `Graph.links`.

        Returns
        -------
        Graph
            The same vertices, with the labels, coordinates and zones; the other edges with their weights, costs and
            links, whose numbers begin at 0 without gaps.

        Raises
        ------
        GraphError
            If an edge or a link does not exist, or several links join two vertices, and they are not named by number.
        RequestError
            If the graph keeps no links (`links=True`).

        See Also
        --------
        Oracle.update : Takes the graph, so that a prepared network need not be prepared again.

        Examples
        --------
        >>> import apsp
        >>> ring = apsp.from_edges(["a", "b", "c", "d"], ["b", "c", "d", "a"], [1, 1, 1, 1], directed=False)
        >>> apsp.distance(ring, "a", "b"), apsp.distance(ring.without_edges([("a", "b")]), "a", "b")
        (1, 3)
        """
        self._check_not_turned()
        return self._without_rows(rows_of_edges(self, edges, links=flag(links, "links")))

    def _without_rows(self, rows: npt.NDArray[np.int64]) -> Graph:
        """The graph without some arcs, or links if it keeps them; their positions ascend."""
        about = {name: getattr(self, name) for name in _OF_VERTICES}
        links, arcs = self.links, rows
        if links is not None:
            rest = left_of(np.arange(len(links)), rows)
            if self._crowded_links[rows].any():
                return Graph._of_rows(self.n, links.taken(rest), **about)
            arcs = np.sort(arcs_of_links(self, rows)[0])
            chosen, gone = left_of(links.chosen, arcs), np.zeros(len(links), dtype=links.chosen.dtype)
            gone[rows] = 1
            links = Links(links.taken(rest), chosen - np.cumsum(gone, dtype=gone.dtype)[chosen])
        tails = np.searchsorted(self.indptr, arcs, "right") - 1
        weights = None if self.weights is None else left_of(self.weights, arcs)
        if links is None:
            costs = self.costs and self.costs.of_arcs(left_of(np.arange(self.m), arcs))
        else:
            costs = links.costs.of_links(links.chosen)
        indptr = indptr_without(self.indptr, tails)
        found = Graph._made(indptr, left_of(self.indices, arcs), weights, costs=costs, links=links, **about)
        found.__dict__ |= facts_without(self, arcs, tails)
        found.__dict__["_whole"] = Whole(self.indices, self.weights, arcs, tails)
        return found

    @memory_errors
    def with_periods(
        self,
        weights: ArrayLike | Mapping[str, WeightsOfPeriod] | Mapping[int, WeightsOfPeriod],
        *,
        links: bool = False,
    ) -> Periods:
        """Return the same graph with several weights: those of the hours of a day, or of scenarios.

        Parameters
        ----------
        weights : mapping of str or int to weights, or (P, m) or (P, L) numbers
            The weights of each period by its name, as `with_weights` takes them: the weights of the arcs in the order
            of `indices`, or the name of one of `costs`; or ``{(tail, head): weight}``, which keeps the weights of all
            other edges. An array has a row per period; their names are then the numbers 0, 1, 2 ...
        links : bool
            Arrays are of the links, in the order of `Graph.links`.

        Returns
        -------
        Periods
            The graph of each period by its name. They share the vertices and the arcs.

        Raises
        ------
        GraphError
            As `with_weights`, with the name of the period.
        RequestError
            As `with_weights`, with the name of the period; if there is no period, or a name is neither text nor an
            integer.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 0], [1, 2, 2], [4, 5, 12], costs={"rain": [6, 9, 13]})
        >>> day = graph.with_periods({"am": [9, 12, 5], "rain": "rain"})
        >>> [apsp.distance(day[name], 0, 2) for name in day]
        [12, 13]
        """
        return periods_of(self, weights, links)

    @memory_errors
    def with_costs(self, *, links: bool = False, **costs: ArrayLike) -> Graph:
        """Return the same graph with further costs of its arcs or links, which `apsp.skim` sums up by name.

        Parameters
        ----------
        links : bool
            The costs are those of the links, in the order of `Graph.links`.
        **costs : (m,) or (L,) numbers
            Costs by name, in the order of `indices`; those of a name that the graph has already are replaced. Names
            that are not Python names are given as `**{"free flow time": times}`.

        Returns
        -------
        Graph
            The same vertices, weights and links. The arcs are the same, unless a replaced cost decides between equally
            long links.

        Raises
        ------
        GraphError
            If there is not one finite number per arc, or the two arcs of an edge differ; if some of the graph's links
            are parallel, and the costs are not by link.
        RequestError
            If there are no costs, or the graph keeps no links (`links=True`).

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 4]).with_costs(toll=[2, 0])
        >>> graph.costs
        Costs(toll)
        >>> apsp.skim(graph, ["toll"])["toll"][0].tolist()
        [0.0, 2.0, 2.0]
        """
        ends = self._ends(links)
        if not costs:
            raise RequestError("with_costs needs the costs by name: graph.with_costs(toll=numbers)")
        if self.links is None:
            return self._with(costs={**self.costs, **costs})
        arrays = cost_arrays(costs, *ends, self.labels)
        rows = {name: self._by_row(array, links) for name, array in arrays.items()}
        return self._with(costs=Costs({**self.links.costs, **rows}))

    @memory_errors
    def with_coordinates(self, coordinates: npt.ArrayLike, *, crs: str | None = None) -> Graph:
        """Return the same graph with other points of its vertices, such as those of `apsp.layout`.

        Parameters
        ----------
        coordinates : (n, 2) numbers
            The points, in the order of the vertices; a data frame is aligned by their labels.
        crs : str, optional
            What the coordinates are, as in `Graph`.

        Returns
        -------
        Graph
            The same vertices, arcs, weights, zones, costs and links.

        Raises
        ------
        GraphError
            If there is not one point per vertex.
        RequestError
            If the streets have bends, which are points between the old coordinates; if `crs` is no known word.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [2, 1, 3], directed=False)
        >>> drawn = graph.with_coordinates(apsp.layout(graph))
        >>> drawn == graph, drawn.coordinates.shape
        (False, (4, 2))
        """
        if coordinates is None:
            raise RequestError("with_coordinates needs a point per vertex, and coordinates is None")
        if self.links is not None and self.links.bends is not None:
            raise RequestError("the bends of the streets lie between the old coordinates: read the graph without them")
        return self._with(coordinates=coordinates, crs=crs)

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
        if isinstance(vertices, (str, bytes)) or not hasattr(vertices, "__iter__"):
            raise RequestError(f"vertices must be a sequence of vertices, not {shown(vertices)}")
        self._check_not_turned()
        given: Any = vertices
        listed = given if isinstance(given, (np.ndarray, range, list, tuple)) else list(given)
        chosen = np.zeros(self.n, dtype=bool)
        chosen[self.labels.positions(listed)] = True
        places = np.cumsum(chosen, dtype=np.int32) - np.int32(1)
        old = np.flatnonzero(chosen)
        about: dict[str, Any] = {
            "labels": self.labels[old].tolist(),
            "coordinates": None if self.coordinates is None else self.coordinates[old],
            "zones": None if self.zones is None else self.zones[old],
            "crs": self.crs,
        }
        if self.links is not None:
            rows = self.links.among(np.where(chosen, places, np.int32(-1)))
            return Graph._of_rows(len(old), rows, directed=self.directed, **about)
        tails = self.tails()
        some = chosen[tails] & chosen[self.indices]
        indptr = np.zeros(len(old) + 1, dtype=np.int64)
        np.cumsum(np.bincount(places[tails[some]], minlength=len(old)), out=indptr[1:])
        weights = None if self.weights is None else self.weights[some]
        return Graph._made(
            indptr, places[self.indices[some]], weights, directed=self.directed, costs=self.costs.of_arcs(some), **about
        )

    def _ends(self, links: object) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        """The tails and heads that numbers of a caller belong to."""
        if not flag(links, "links"):
            return self.tails(), self.indices
        kept = kept_links(self)
        return kept.tails, kept.heads

    def _by_row(self, numbers: NumPyArray, links: bool) -> NumPyArray:
        """Numbers of the arcs or links as those of the rows that the graph is built from."""
        return numbers if links or self.links is None else self.links.of_arcs(self, numbers)

    def _check_not_turned(self) -> None:
        """Refuse to make another graph of an expanded one, whose copies of vertices it would not tell from others."""
        if self._turned is not None:
            raise RequestError(
                "this is the expanded graph of one with turns: change the graph itself, then apsp.with_turns(graph)"
            )

    def _with(self, **changes: Any) -> Graph:
        """The graph with other fields; weights and costs are those of the links if it keeps some."""
        self._check_not_turned()
        fields = {name: getattr(self, name) for name in _FIELDS} | changes
        if self.links is None and changes.keys() == {"weights"} and changes["weights"] is not None:
            return self._weighted(changes["weights"])
        if self.links is None:
            return Graph(**fields)
        weights, costs = (changes.get(name, getattr(self.links, name)) for name in ("weights", "costs"))
        about = self.links.one_way, self.links.bends, self.links.streets
        rows = Rows(self.links.tails, self.links.heads, weights, costs, *about)
        return Graph._of_rows(self.n, rows, **{name: fields[name] for name in _OF_VERTICES})

    def _weighted(self, weights: NumPyArray) -> Graph:
        """The graph with other weights of its arcs; all else has been checked."""
        about = {name: getattr(self, name) for name in (*_OF_VERTICES, "costs")}
        made = Graph._made(self.indptr, self.indices, weights_array(weights, self.indptr, self.labels), **about)
        if not self.directed:
            check_same_weights(self._reverse, made.weights)
            made.__dict__["_reverse"] = self._reverse
        return made

    def _with_links(self, links: Links) -> Graph:
        """The same graph, of whose arcs these are the links."""
        fields = {name: getattr(self, name) for name in _FIELDS}
        return Graph._made(**fields, links=links)

    @cached_property
    def _reverse(self) -> npt.NDArray[np.int64]:
        """(m,) the reverse of each arc of an undirected graph."""
        return np.lexsort((self.tails(), self.indices))

    @cached_property
    def _crowded_links(self) -> npt.NDArray[np.bool_]:
        """(L,) whether another link leads from one of its ends to the other; (0,) if the graph keeps no links."""
        return np.zeros(0, dtype=bool) if self.links is None else self.links.crowded(self.n, directed=self.directed)

    # -- vertices ------------------------------------------------------------------------------------------------------

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

    # -- a container, with the names of NetworkX -----------------------------------------------------------------------

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
        return Neighbours(self, self.labels.index(vertex))

    def __array__(self, dtype: npt.DTypeLike | None = None, copy: bool | None = None) -> npt.NDArray[np.object_]:
        """The graph as one object: NumPy would take an object with a length for a sequence of numbers."""
        array = np.empty((), dtype=object)
        array[()] = self
        return array

    @property
    def nodes(self) -> NodeView:
        """The vertices: a view with a length, `in` and iteration."""
        return NodeView(self)

    @property
    def edges(self) -> EdgeView:
        """The edges (u, v), those of an undirected graph once: a view; `edges.data()` gives (u, v, length)."""
        return EdgeView(self)

    @property
    def degree(self) -> DegreeView:
        """Numbers of edges at the vertices: `degree[vertex]`; a self-loop counts twice, arcs in and out count."""
        return DegreeView(self)

    # -- for other packages --------------------------------------------------------------------------------------------

    @memory_errors
    def to_edges(self) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], NumPyArray | None]:
        """Return arrays of tails, heads and weights of the arcs; of parallel links, those of the best.

        `apsp.from_edges(*graph.to_edges(), n=graph.n, directed=graph.directed)` has the same arcs.

        Returns
        -------
        tails, heads : (k,) int32
            Positions of the ends. An undirected edge is given once, from the smaller position to the larger.
        weights : (k,) array or None
            Lengths; None if the graph counts hops.

        Examples
        --------
        >>> import apsp
        >>> tails, heads, weights = apsp.from_edges([0, 1], [1, 2], [5, 7], directed=False).to_edges()
        >>> tails, heads, weights
        (array([0, 1], dtype=int32), array([1, 2], dtype=int32), array([5, 7], dtype=int64))
        """
        return exports.edges_of(self)

    @memory_errors
    def to_dense(self, dtype: npt.DTypeLike = np.float64) -> NumPyArray:
        """Return the (n, n) matrix of arc lengths.

        Parameters
        ----------
        dtype : numpy dtype
            Of the matrix; an integer or float dtype.

        Returns
        -------
        (n, n) array of the dtype
            0 on the diagonal, `apsp.unreachable(dtype)` where there is no arc. A self-loop is kept only if it is
            negative: otherwise the empty path is not longer.

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
        return exports.dense_of(self, dtype)

    @memory_errors
    def to_scipy(self) -> csr_array:
        """Return the arcs as a SciPy CSR array of lengths.

        Returns
        -------
        (n, n) scipy.sparse.csr_array
            Lengths of the arcs; ones (int32) if the graph counts hops. Arcs of length 0 are explicit zeros, which
            `eliminate_zeros` would remove.

        Examples
        --------
        >>> import apsp
        >>> apsp.from_edges([0, 1], [1, 2], [5, 7]).to_scipy().toarray()
        array([[0, 5, 0],
               [0, 0, 7],
               [0, 0, 0]], dtype=int64)
        """
        return exports.scipy_of(self)

    @memory_errors
    def to_series(self, values: npt.ArrayLike, name: str | None = None) -> Series:
        """Return a number per vertex, such as a centrality, as a pandas Series whose index are the labels.

        Parameters
        ----------
        values : (n,) array
            A value per vertex, in the order of the vertices.
        name : str, optional
            Name of the series.

        Returns
        -------
        pandas.Series
            The values by label.

        Raises
        ------
        MissingDependencyError
            If pandas is not installed.
        GraphError
            If there is not one value per vertex.
        RequestError
            If the name is not text.

        Examples
        --------
        >>> import apsp, pandas
        >>> graph = apsp.from_edges([0, 1], [1, 2], [5, 7], labels=["a", "b", "c"])
        >>> graph.to_series(apsp.farness(graph, direction="out"), "farness")
        a    17
        b     7
        c     0
        Name: farness, dtype: int64
        """
        return exports.series_of(self, values, name)

    @memory_errors
    def to_networkx(self) -> NxGraph:
        """Return a NetworkX graph.

        Returns
        -------
        networkx.DiGraph or networkx.Graph
            Of a graph with parallel links a MultiDiGraph or MultiGraph, whose edges are the links in their order. Nodes
            are the labels of the vertices; lengths are in the edge attribute `weight`, other costs in edge attributes
            of their names, coordinates in the node attribute `pos`. Streets with bends have their line, of shapely, in
            the edge attribute `geometry`, as those of OSMnx, if shapely is installed.

        Raises
        ------
        GraphError
            If a cost has the name `weight`.
        MissingDependencyError
            If NetworkX is not installed.

        Examples
        --------
        >>> import apsp
        >>> print(apsp.from_edges([0, 1], [1, 2], [5, 7]).to_networkx())
        DiGraph with 3 nodes and 2 edges
        """
        return exports.networkx_of(self)

    # -- on the map ----------------------------------------------------------------------------------------------------

    @memory_errors
    def snap(
        self,
        points: PlacesLike,
        *,
        crs: Literal["degrees", "microdegrees", "plane"] | str | None = None,  # noqa: PYI051 - completed by editors
        limit: float | None = None,
        to: Literal["edge", "vertex"] = "edge",
        speed: float | None = None,
        largest_component: bool = False,
        labels: LabelsLike | str | None = None,
        unsnapped: Literal["error", "unreachable"] = "error",
    ) -> Places:
        """Find the nearest point of a street to each of some points.

        Parameters
        ----------
        points : (k, 2) numbers, table, mapping or file
            Points x, y: longitude first. An array; one point (x, y); a table of any library, or a dictionary of
            columns, with columns x and y, or longitude and latitude, or lon and lat; a dictionary of labels to (x, y);
            points of shapely, or a GeoDataFrame or GeoSeries; anything with `__geo_interface__`; or the name of a .csv,
            .geojson or .parquet file of these.
        crs : {'degrees', 'microdegrees', 'plane'}
            What the coordinates of the points, and of the graph, are: longitude and latitude ('EPSG:4326' is the same),
            millionths of them (DIMACS), or lengths in a plane, such as the metres of a projection. It is not guessed,
            and needed unless the graph knows it (`Graph.crs`).
        limit : number, optional
            Points that are farther away from every street are not snapped; in metres, or in units of the plane.
        to : {'edge', 'vertex'}
            Snap to streets, or to vertices.
        speed : number, optional
            What the way between a point and the street costs: its length per unit of the weights. 1.4 if weights are
            seconds and people walk 1.4 m/s; 1 if weights are lengths in the same unit; `math.inf` if it costs nothing.
            Distances need it, unless all points are on streets.
        largest_component : bool
            Only streets of the largest strong component, between any two of which there are paths.
        labels : sequence of k different hashable values, or str, optional
            Labels of the places, or the column (of GeoJSON: the property) that holds them. By default the index of a
            pandas object, the keys of a dictionary, and otherwise 0, 1, 2 ...
        unsnapped : {'error', 'unreachable'}
            What points beyond the limit are: an error where they are used, or places that no path reaches.

        Returns
        -------
        Places
            A place per point, in their order.

        Raises
        ------
        GraphError
            If the graph has no coordinates or no streets.
        RequestError
            If it is not clear what the coordinates are, a point is not two finite numbers, or an argument is invalid.
        FileFormatError
            If a file is not what its name says.
        MissingDependencyError
            If a file needs a package that is not installed.

        See Also
        --------
        table : From two tables of points to a matrix.

        Notes
        -----
        Streets are the arcs between two vertices whose coordinates are known: straight lines from bend to bend
        (`Graph.links.bends`) in the plane, and great circles of the sphere of radius 6,371,008.8 m for degrees. A place
        divides the weight of its street as it divides the length of this line. Lengths of ways are along the sphere,
        and good to a millimetre as such; which street is the nearest is decided with an error of at most 8 cm, since
        pieces of up to 2 km count as chords. (The earth is not a sphere: lengths differ from those on its ellipsoid by
        up to 0.6%.)

        The first call for a graph and a `crs` indexes the streets, in about half a second per million of them. The
        index takes about 120 bytes per street, as long as the graph lives. With it, a point takes a few microseconds.

        Of equally near streets the first counts. A place whose nearest point is an end of a street is at that vertex,
        so that all streets there lead on. Parallel links are one street, with the weight and the bends of the best, and
        a two-way street has the bends of the arc from the vertex that comes first. Zones, and the arcs that connect
        them (`Graph.zones`), are no streets.

        Examples
        --------
        >>> import apsp
        >>> streets = apsp.from_edges([0, 1], [1, 2], [60, 80], coordinates=[[0, 0], [100, 0], [100, 200]])
        >>> places = streets.snap([[25, 10], [110, 150], [900, 0]], crs="plane", limit=50)
        >>> places
        Places(3, 1 beyond the limit)
        >>> places.arcs.tolist(), places.fractions.tolist(), places.legs.tolist()
        ([0, 1, -1], [0.25, 0.75, 0.0], [10.0, 10.0, inf])
        """
        from apsp.graph.places.snapping import snapped

        return snapped(
            self, points, crs=crs, limit=limit, to=to, speed=speed, largest_component=largest_component, labels=labels,
            unsnapped=unsnapped,
        )  # fmt: skip

    @memory_errors
    def features(
        self,
        values: npt.ArrayLike | Mapping[str, npt.ArrayLike] | None = None,
        *,
        of: Literal["vertices", "arcs"] = "vertices",
        crs: CrsLike | None = None,
    ) -> Features:
        """Return the vertices as points, or the arcs as lines, with columns of values: for maps and geographic files.

        Parameters
        ----------
        values : (n,) or (m,) numbers, or mapping of str to such, optional
            A number per vertex, such as a centrality, or per arc, such as a flow, in the order of `graph.indices`. One
            array is the column 'value'; a mapping names the columns.
        of : {'vertices', 'arcs'}
            What the values are of.
        crs : str or pyproj.CRS, optional
            What the coordinates are: 'degrees', 'microdegrees' (which become degrees) or 'plane', as for `snap`, or
            what pyproj knows, such as 'EPSG:25832'. By default what the graph knows (`Graph.crs`), which it must not
            contradict; otherwise it is left open.

        Returns
        -------
        Features
            A row per vertex, with its label as column 'vertex', or per arc, with 'tail' and 'head': a line along the
            bends of its link (`Graph.links.bends`). Where a vertex has no coordinates there is no geometry.

        Raises
        ------
        GraphError
            If the graph has no coordinates.
        RequestError
            If there is not one value per vertex or arc, or the system is not known.
        MissingDependencyError
            If shapely is not installed.

        Examples
        --------
        >>> import apsp, shapely
        >>> city = apsp.generate("city", 400, seed=1)
        >>> city.features({"betweenness": apsp.betweenness_centrality(city)}, crs="plane")
        Features(400 of type Point, a plane)
        >>> city.features(city.weights, of="arcs").geometries[0].geom_type
        'LineString'
        """
        self._check_not_turned()
        return features_of(self, values, of, crs)

    @memory_errors
    def path_features(
        self, paths: Sequence[Sequence[VertexLike]], *, links: Sequence[Sequence[int]] | None = None,
        sources: Places | None = None, targets: Places | None = None, crs: CrsLike | None = None,
    ) -> Features:  # fmt: skip
        """Return paths as lines along the bends of the streets, for maps and geographic files.

        Parameters
        ----------
        paths : sequence of sequences of hashable
            The vertices of each path, as `Result.path` and `apsp.shortest_path` return them.
        links : sequence of sequences of int, optional
            The links of each path, as `Result.path` and `Oracle.path` return them with `links=True`: of parallel ones
            the line follows these. Where there are turns, paths need not take the best.
        sources, targets : Places, optional
            The first label of each path is one of these places, and the last label one of those: as `shortest_path`
            returns paths between places. Their lines begin and end on the street.
        crs : str or pyproj.CRS, optional
            As for `features`.

        Returns
        -------
        Features
            A row per path, with the columns 'path', its number, and 'source' and 'target', its ends. An empty path has
            neither ends nor a geometry.

        Raises
        ------
        GraphError
            If the graph has no coordinates, a vertex does not exist or has none, a place is not on a street of the
            vertex next to it, or links do not lead along their path.
        RequestError
            If the argument is one path, the places are of another graph, the graph keeps no links, or the system is not
            known.
        MissingDependencyError
            If shapely is not installed.

        Notes
        -----
        From one vertex to the next a line follows the bends (`Graph.links.bends`) of the link that the arc takes: of
        parallel links the best for the weights, unless `links` names another. It is straight where there are none, or
        no arc. At a place it has the part of the street up to there, in the direction of the path, without the way
        between the point and the street.

        Examples
        --------
        >>> import apsp, shapely
        >>> city = apsp.generate("city", 400, seed=1)
        >>> features = city.path_features([apsp.shortest_path(city, 0, 399)], crs="plane")
        >>> features, features.geometries[0].geom_type
        (Features(1 of type LineString, a plane), 'LineString')
        >>> ends = [[0, 0], [9, 0]]
        >>> street = apsp.from_edges([0], [1], [60], directed=False, coordinates=ends, bends=[[[0, 6], [9, 6]]])
        >>> homes = street.snap([[0, 2], [9, 5]], crs="plane")
        >>> path = apsp.shortest_path(street, homes[0], homes[1])
        >>> street.path_features([path], sources=homes, targets=homes).geometries[0].wkt
        'LINESTRING (0 2, 0 6, 9 6, 9 5)'
        """
        self._check_not_turned()
        return features_of_paths(self, paths, sources, targets, crs, links)

    # -- pictures ------------------------------------------------------------------------------------------------------

    @memory_errors
    def plot(
        self,
        values: npt.ArrayLike | None = None,
        *,
        route: Sequence[VertexLike] = (),
        links: Sequence[int] | None = None,
        sources: Places | None = None,
        targets: Places | None = None,
        title: str = "",
        label: str = "",
        levels: Levels = None,
        scale: Scale = None,
        ax: Axes | None = None,
    ) -> Figure:
        """Draw the graph at its coordinates, every arc in the colour of its ends, and a path on top.

        Arcs with large values are drawn over those with small ones. Up to 40 vertices are drawn with their names.

        Parameters
        ----------
        values : (n,) numbers, optional
            A number per vertex, such as a row of distances or a centrality; "no path" and not-a-number are grey.
            By default all arcs have one colour.
        route : sequence of hashable
            Vertices of a path, as the graph labels them. A short one is drawn again in an inset.
        links : sequence of int, optional
            The links of the route, which it follows, as for `path_features`.
        sources, targets : Places, optional
            The route begins at one of these places, and ends at one of those, as for `path_features`; it is drawn from
            point to point.
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
            If the graph has no coordinates, a vertex does not exist, a place is not beside the next vertex, or links do
            not lead along the route.
        RequestError
            If an argument is invalid, or the graph keeps no links.
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
        if sources is None and targets is None:
            line = plotting.route_of(self, plotting.positions_on(self, route), links=links)
        else:
            line = plotting.route_between_places(self, route, sources, targets, links)
        return plotting.draw(self, values, line, style)

    @overload
    def explore(
        self, path: PathLike, *,
        weights: ArrayLike | Mapping[str, WeightsOfPeriod] | Mapping[int, WeightsOfPeriod] | None = ...,
        compare: str | int | None = ..., sources: VerticesLike | None = ..., target: VertexLike | None = ...,
        title: str = ..., label: str = ..., unit: str = ..., scale: Scale = ...,
    ) -> None: ...  # fmt: skip
    @overload
    def explore(
        self, path: None = ..., *,
        weights: ArrayLike | Mapping[str, WeightsOfPeriod] | Mapping[int, WeightsOfPeriod] | None = ...,
        compare: str | int | None = ..., sources: VerticesLike | None = ..., target: VertexLike | None = ...,
        title: str = ..., label: str = ..., unit: str = ..., scale: Scale = ...,
        height: int | None = ...,
    ) -> Map: ...  # fmt: skip
    @memory_errors
    def explore(
        self,
        path: PathLike | None = None,
        *,
        weights: ArrayLike | Mapping[str, WeightsOfPeriod] | Mapping[int, WeightsOfPeriod] | None = None,
        compare: str | int | None = None,
        sources: VerticesLike | None = None,
        target: VertexLike | None = None,
        title: str = "",
        label: str = "distance",
        unit: str = "",
        scale: Scale = None,
        height: int | None = None,
    ) -> Map | None:
        """Write a map in one file of HTML: exact distances from any vertex, computed in a browser.

        The file needs no server and no network, and may use none. A click on the map colours every street by its
        distance from that vertex; sources can be dragged, several sources show the nearest one, and a second point
        shows the route. Distances are those of `apsp.prepare`, to the last bit. Without coordinates, up to 2,000
        vertices are shown as a matrix.

        Parameters
        ----------
        path : path, optional
            The file, which ends in .html. Without it, the map is returned, and a notebook shows it.
        weights : mapping of str or int to weights, or (P, m) numbers, optional
            Several sets of weights by their names, as `with_periods` takes them; the map has a list of them, and shows
            the distances of one, or their differences to another. By default the weights of the graph.
        compare : str or int, optional
            Of several sets of weights, the name of one: the map starts with differences to its distances.
        sources : hashable or sequence of hashable, optional
            Vertices that the map starts with. By default the one in the middle, and then that below the pointer.
        target : hashable, optional
            The end of the route that the map starts with.
        title : str, optional
            Of the page.
        label, unit : str
            Name and unit of distances: 'travel time', 's'.
        scale : {'metres', 'degrees', 'microdegrees'} or number, optional
            Unit of the coordinates, as for `plot`. By default that of the graph (`crs`), if it is known.
        height : int, optional
            Of a map in a notebook: its pixels, by default 560.

        Returns
        -------
        None or Map
            The map, if there is no path.

        Raises
        ------
        GraphError
            If a large graph, or one with several sets of weights, has no coordinates; if a vertex does not exist, or
            weights are invalid.
        RequestError
            If an argument is invalid, a weight is negative, or the map is too large: for a browser, or without a path
            for the output of a cell (10 MiB).
        OutputError
            If the file cannot be written.

        Notes
        -----
        The page computes the factor of elimination when it opens, and each sweep over it in WebAssembly. It needs a
        browser of 2023 or later, with WebGL2.

        Examples
        --------
        >>> import apsp
        >>> city = apsp.generate("city", 400, seed=1)
        >>> city.explore("city.html", label="travel time", unit="s", scale="metres")
        >>> in_a_notebook = city.explore(label="travel time", unit="s", scale="metres", height=400)
        >>> rain = {"dry": city.weights, "rain": city.weights * 2}
        >>> city.explore("rain.html", weights=rain, compare="dry", label="travel time", unit="s", scale="metres")
        """
        from apsp.graph.exploring import Exploring, write_explored

        if weights is None and compare is not None:
            raise RequestError("compare names one of several sets of weights: explore(path, weights={name: weights})")
        options = Exploring(sources, target, title, label, unit, scale, compare=compare)
        return write_explored(self if weights is None else periods_of(self, weights, False), path, options, height)

    def _repr_html_(self) -> str:
        from apsp.graph import plotting

        return plotting.graph_html(self)

    # -- copies and comparisons ----------------------------------------------------------------------------------------

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are checked again, and are immutable too."""
        if self._turned is not None:
            return self._turned.reduced(self)
        if self.links is not None:
            vertices = {name: getattr(self, name) for name in _OF_VERTICES}
            return _relinked, (self.n, tuple(getattr(self.links, name) for name in _OF_LINKS), vertices)
        return _rebuilt, (tuple(getattr(self, name) for name in _FIELDS),)

    def __eq__(self, other: object) -> bool:
        return equality.equal(self, other) if isinstance(other, Graph) else NotImplemented

    def __hash__(self) -> int:
        return equality.hash_of(self)

    def __repr__(self) -> str:
        kind = "directed" if self.directed else "undirected"
        weights = "hops" if self.weights is None else str(self.weights.dtype)
        return f"Graph(n={self.n}, m={self.m}, {kind}, {weights})"


def _rebuilt(fields: tuple[Any, ...]) -> Graph:
    return Graph(**dict(zip(_FIELDS, map(_owned, fields), strict=True)))


def _relinked(n: int, rows: tuple[Any, ...], vertices: dict[str, Any]) -> Graph:
    links = Rows(*map(_owned, rows))
    for which, ends in (("tail", links.tails), ("head", links.heads)):
        check_ends(ends, n, which)
    return Graph._of_rows(n, links, **{name: _owned(value) for name, value in vertices.items()})


def _owned(value: Any) -> Any:
    """A value of a pickle, which has no other owner."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    return value
