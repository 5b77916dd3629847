"""The nearest facilities of every vertex: one search from all of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from apsp import _cpu
from apsp._types import DTypeLike, GraphLike, NumPyArray, Vertex, VertexLike, VerticesLike
from apsp.api.streaming import stream
from apsp.errors import GraphError, NoPathError, PathsNotKeptError, RequestError
from apsp.facts.dtypes import choose_dtype
from apsp.facts.facility_bound import dtype_by_facilities, dtype_to_try
from apsp.facts.request import Request
from apsp.facts.statistics import kept_statistics, statistics_of
from apsp.graph.accept import graph_with_turns
from apsp.graph.csr import arc_arrays, arc_lengths
from apsp.graph.first_rows import first_where
from apsp.graph.labels import Labels
from apsp.graph.long_table import LongTable
from apsp.graph.model import Graph
from apsp.graph.places import Places
from apsp.graph.places.placed import own_vertices, placed
from apsp.graph.shapes import Features, Mapped
from apsp.graph.shapes.features import at_vertices
from apsp.graph.tabular import Tabular
from apsp.graph.to_numpy import HasDistances
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.methods.problem import IntArray
from apsp.reductions.blocks import RowBlock
from apsp.result.paths import predecessors_from_distances
from apsp.running.arguments import Positions, positions_of
from apsp.running.public import public
from apsp.semiring import NO_VERTEX, bound_in, unreachable
from apsp.system.arguments import flag, one_of, whole_number
from apsp.system.array_device import to_host
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import refuse_unless_fits

__all__ = ["NearestFacilities", "merged", "nearest"]


@dataclass(frozen=True, eq=False, repr=False)
class NearestFacilities(HasDistances, Tabular, Mapped):
    """The k nearest facilities of every vertex, nearest first; of equally near ones the first in the graph.

    Parameters
    ----------
    positions : (n, k) int32
        The facilities, by position; -1 where fewer than k have a path.
    distances : (n, k) array
        Of the distances' dtype; `apsp.unreachable(dtype)` where fewer than k have a path.
    labels : Labels
        Of all vertices.
    next_positions : (n,) int32, optional
        With `paths=True`: the next vertex on the way to the facility (with direction='from': the one before, on the way
        from it), by position; -1 at facilities and where there is no path.
    from_facility : bool
        Whether paths lead from the facilities.
    coordinates : (n, 2) float64, optional
        Of all vertices, if the graph has coordinates.
    crs : str or None
        What the coordinates are, if the graph knows it.

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False, labels=["a", "b", "c", "d"])
    >>> found = apsp.nearest(graph, ["a", "d"])
    >>> found.facilities.ravel().tolist(), found.distances.ravel().tolist()
    (['a', 'a', 'd', 'd'], [0, 4, 2, 0])
    """

    positions: npt.NDArray[np.int32]
    distances: NumPyArray
    labels: Labels
    next_positions: npt.NDArray[np.int32] | None = None
    from_facility: bool = False
    coordinates: npt.NDArray[np.float64] | None = None
    crs: str | None = None

    @property
    def k(self) -> int:
        """The number of facilities per vertex."""
        return int(self.positions.shape[1])

    @property
    def facilities(self) -> NumPyArray:
        """(n, k) labels of the facilities; -1 (None among objects) where fewer than k have a path."""
        return self.labels.take_or_none(self.positions)

    @memory_errors
    def path(self, vertex: VertexLike) -> list[Vertex]:
        """Return the vertices of a shortest path between a vertex and its nearest facility.

        Parameters
        ----------
        vertex : hashable
            As the graph labels it.

        Returns
        -------
        list
            The vertices, from the vertex to the facility, or with direction='from' from the facility to the vertex.

        Raises
        ------
        GraphError
            If the vertex does not exist.
        NoPathError
            If there is no path (within the cutoff).
        PathsNotKeptError
            If paths were not kept: `paths=True` keeps them.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False, labels=["a", "b", "c", "d"])
        >>> apsp.nearest(graph, ["d"], paths=True).path("b")
        ['b', 'c', 'd']
        """
        at = self.labels.index(vertex)
        if self.next_positions is None:
            raise PathsNotKeptError("paths were not kept: nearest(..., paths=True) keeps them")
        facility = int(self.positions[at, 0])
        if facility == NO_VERTEX:
            raise NoPathError("any facility", vertex) if self.from_facility else NoPathError(vertex, "any facility")
        found = [at]
        while found[-1] != facility:  # which may be in the cell of another one
            found.append(int(self.next_positions[found[-1]]))
        if self.from_facility:
            found.reverse()
        return [self.labels[position] for position in found]

    @memory_errors
    def to_long(self) -> dict[str, NumPyArray]:
        """Return columns vertex, facility and distance, with a row per vertex and facility that has a path.

        Returns
        -------
        dict of str to array
            The columns; at most k rows per vertex, nearest first.

        Examples
        --------
        >>> import apsp
        >>> graph = apsp.from_edges([0, 1], [1, 2], [4, 1], labels=["a", "b", "c"])
        >>> {name: column.tolist() for name, column in apsp.nearest(graph, "b").to_long().items()}
        {'vertex': ['a', 'b'], 'facility': ['b', 'b'], 'distance': [4, 0]}
        """
        return self._table().to_dict()

    def _table(self) -> LongTable:
        return self._table_of(*np.nonzero(self.positions != NO_VERTEX))

    def _head(self, rows: int) -> tuple[LongTable, int]:
        places, count = first_where(self.positions, lambda positions: positions != NO_VERTEX, rows)
        return self._table_of(*places), count

    def _table_of(self, row: npt.NDArray[np.intp], place: npt.NDArray[np.intp]) -> LongTable:
        columns = {
            "vertex": row.astype(np.int32),
            "facility": self.positions[row, place],
            "distance": self.distances[row, place],
        }
        return LongTable(self.labels, columns, among={"vertex": columns["vertex"], "facility": columns["facility"]})

    def _features(self) -> Features:
        return at_vertices(self._table(), self.coordinates, self.crs)

    def __repr__(self) -> str:
        return f"NearestFacilities(k={self.k}, {len(self.positions)} vertices, {self.distances.dtype})"


def merged(
    best: tuple[npt.NDArray[np.int32], npt.NDArray[Any]] | None, block: RowBlock, k: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[Any]]:
    """The k nearest sources of every column, (n, k) positions and distances, after a further block of rows.

    Blocks come in ascending order of their sources, so that of equally near ones the first stays.
    """
    dist = to_host(block.distances)
    none = unreachable(dist.dtype)
    positions = np.repeat(block.source_positions[None, :], dist.shape[1], axis=0)
    distances = dist.T
    if best is not None:
        positions, distances = np.hstack([best[0], positions]), np.hstack([best[1], distances])
    order = np.argsort(distances, axis=1, kind="stable")[:, :k]
    nearest_positions = np.take_along_axis(positions, order, axis=1)
    nearest_distances = np.take_along_axis(distances, order, axis=1)
    nearest_positions[nearest_distances == none] = NO_VERTEX
    return nearest_positions.astype(np.int32, copy=False), nearest_distances


@public
def nearest(
    graph: GraphLike | TurnGraph,
    facilities: VerticesLike | Places,
    k: int = 1,
    *,
    direction: Literal["to", "from"] | str = "to",  # noqa: PYI051 - completed by editors
    cutoff: float | None = None,
    paths: bool = False,
    dtype: DTypeLike = "auto",
) -> NearestFacilities:
    """Find the k nearest facilities of every vertex, and the distances.

    Parameters
    ----------
    {graph}
    facilities : vertex or sequence of vertices, or Places
        Some vertices; one that is given twice counts once.
    k : int
        How many per vertex, at least 1.
    direction : {'to', 'from'}
        Distances from every vertex to the facilities, or from the facilities to every vertex.
    cutoff : int or float, optional
        Facilities at a longer distance are not found; those at this distance are.
    paths : bool
        Keep the paths between every vertex and its nearest facility (`NearestFacilities.path`): 4 bytes per vertex.
        Only for k = 1.
    {dtype}

    Returns
    -------
    NearestFacilities
        Facilities and distances, (n, k) each, in the order of the vertices.

    Raises
    ------
    GraphError, RequestError, DtypeRangeError
        If the input or the request is invalid.
    NegativeCycleError
        If a facility reaches a cycle of negative length (or is reached from one, with direction='to').
    MemoryLimitError
        Before the work, if the result does not fit.

    Notes
    -----
    Of equally near facilities the one that comes first in the graph counts as nearer. (Two float distances are equally
    near if they are equal after rounding.) A facility is its own nearest facility, at distance 0, unless another at
    distance 0 comes first.

    For k = 1 one search from all facilities settles every vertex once: the vertices with the same facility are a cell
    of the network Voronoi diagram. For k > 1 it settles every vertex k times. Graphs with negative arcs take a search
    per facility.

    References
    ----------
    .. [1] M. Erwig, "The graph Voronoi diagram with applications", Networks 36 (2000), 156-163.

    Examples
    --------
    >>> import apsp
    >>> streets = apsp.from_edges([0, 1, 2], [1, 2, 3], [4, 3, 2], directed=False)
    >>> found = apsp.nearest(streets, [0, 3])
    >>> found.facilities.ravel().tolist(), found.distances.ravel().tolist()
    ([0, 0, 3, 3], [0, 4, 2, 0])
    >>> apsp.nearest(streets, [0, 3], paths=True).path(1)
    [1, 0]
    >>> apsp.nearest(streets, [0, 3], k=2).distances.tolist()
    [[0, 9], [4, 5], [2, 7], [0, 9]]
    """
    graph = graph_with_turns(graph)
    if flag(paths, "paths"):
        refuse_turns(graph, "paths=True", "shortest_path has the path of a pair")
    k = whole_number(k, "k", least=1, most=2**31 - 2)
    outwards = one_of(direction, "direction", ("to", "from")) == "from"
    ends = (facilities,)
    graph = placed(graph, leaving=ends if outwards else (), entering=() if outwards else ends)
    if paths:
        _check_paths(graph, k, cutoff)
    given = positions_of(graph, facilities, "facilities")
    if given is None:
        raise GraphError("facilities must be one vertex or a sequence of vertices, not None")
    seeds = np.unique(given).astype(np.int32)
    most = min(k, max(len(seeds), 1))
    what = f"{k:,} nearest facilities of each of {graph.n:,}"
    refuse_unless_fits(graph.n * k * 12, what, *([f"k={most}"] if most < k else []))
    searched = graph if outwards or not graph.directed else graph.reversed()
    request = Request.of(cutoff=cutoff, dtype=dtype, device="cpu")
    steps = None
    if graph.has_negative_arc:
        positions, distances = _by_rows(searched, seeds, most, request)
        if paths:
            steps = _steps_to_facilities(searched, seeds, positions[:, 0], distances[:, 0])
    else:
        steps = np.empty(graph.n, dtype=np.int32) if paths else None
        positions, distances = _nearest_by_cells(graph, searched, seeds, most, request, steps)
    if most < k:
        more = ((0, 0), (0, k - most))
        positions = np.pad(positions, more, constant_values=NO_VERTEX)
        distances = np.pad(distances, more, constant_values=unreachable(distances.dtype))
    own = own_vertices(graph)
    places = None if graph.coordinates is None else graph.coordinates[:own]
    return NearestFacilities(positions[:own], distances[:own], graph.labels, steps, outwards, places, graph.crs)


def _check_paths(graph: Graph, k: int, cutoff: float | None) -> None:
    if k > 1:
        raise RequestError(f"paths lead to the nearest facility of each vertex: leave out paths, or k={k}")
    if cutoff is not None and graph.has_negative_arc:
        raise RequestError(
            "a path with negative arcs may pass through vertices beyond the cutoff: leave out paths, or cutoff"
        )


def _by_rows(graph: Graph, seeds: IntArray, k: int, request: Request) -> Found:
    best: Found | None = None
    sources: Any = Positions(seeds)
    for block in stream(graph, sources=sources, cutoff=request.cutoff, dtype=request.dtype, device="cpu", reuse=True):
        best = merged(best, block, k)
    if best is None:
        best = np.full((graph.n, k), NO_VERTEX, np.int32), np.full((graph.n, k), unreachable(np.int64))
    return best


Found: TypeAlias = tuple[IntArray, npt.NDArray[Any]]
"""Positions of facilities, and distances, (n, k) each."""


def _nearest_by_cells(
    graph: Graph, searched: Graph, seeds: IntArray, k: int, request: Request, steps: IntArray | None
) -> Found:
    """Find the k nearest facilities of every vertex of a graph without negative arcs, by one search from all of them.

    The dtype is that of all distances of the graph. If its proof is not known yet, the search comes first: what it
    finds often proves the dtype, too, and a proof takes as long as one or two further searches.

    Parameters
    ----------
    searched : Graph
        With arcs in the direction of the search.
    seeds : (f,) int32
        The facilities, in ascending order.
    steps : (n,) int32, optional
        Output: the vertex before each vertex on the path from its facility; only for k = 1.
    """
    tried = dtype_to_try(graph) if request.dtype == "auto" and kept_statistics(graph) is None else None
    if tried is None:
        return _search(searched, seeds, k, request, choose_dtype(statistics_of(graph), request)[0], steps)
    positions, distances = _search(searched, seeds, k, request, tried, steps)
    reached = distances[:, 0][positions[:, 0] >= 0]
    farthest = int(reached.max(initial=0))
    name = dtype_by_facilities(graph, len(seeds), farthest, all_reached=len(reached) == graph.n)
    name = name or choose_dtype(statistics_of(graph), request)[0]
    if np.dtype(name).itemsize > distances.itemsize:
        return _search(searched, seeds, k, request, name, steps)
    if name != tried:
        distances = np.minimum(distances, unreachable(name)).astype(name)
    return positions, distances


def _search(graph: Graph, seeds: IntArray, k: int, request: Request, name: str, steps: IntArray | None) -> Found:
    dtype = np.dtype(name)
    positions = np.empty((graph.n, k), dtype=np.int32)
    distances = np.empty((graph.n, k), dtype=dtype)
    _cpu.nearest_seeds(
        arc_arrays(graph, arc_lengths(graph, dtype)), seeds=seeds, nearest=positions, lengths=distances,
        before=steps, cutoff=bound_in(request.cutoff, dtype),
    )  # fmt: skip
    return positions, distances


def _steps_to_facilities(
    graph: Graph, seeds: IntArray, nearest: IntArray, distances: npt.NDArray[Any]
) -> npt.NDArray[np.int32]:
    """Return the vertex before each vertex on the path from its facility; -1 where there is none.

    For distances that were not found by one search from all facilities, which knows its paths: graphs with negative
    arcs.

    Cost: O(n + m), one search in the graph with a further vertex that stands for all facilities: the arcs from a
    facility into its cell begin there. Of the other arcs those within a cell are enough: if a vertex on the path from a
    facility was as near to an earlier one, then so would be the end of the path. A facility may be in the cell of
    another one, at distance 0; if it is a zone, it has a cell of its own, too.

    Parameters
    ----------
    graph : Graph
        With arcs in the direction of the search.
    seeds : (f,) int32
        The facilities, in ascending order.
    nearest : (n,) int32
        The nearest facility of each vertex, -1 if there is none.
    distances : (n,) array
        From it.
    """
    n, heads, tails = graph.n, graph.indices, graph.tails()
    cell = nearest[heads]
    leaves = (tails == cell) & (heads != tails)  # arcs from the facility itself, which may be a zone
    within = (cell != NO_VERTEX) & (nearest[tails] == cell) & (tails != cell)
    if graph.zones is not None:
        within &= ~graph.zones[tails]
    roots = seeds[nearest[seeds] == seeds]
    weights = graph.arc_weights(np.int64 if distances.dtype.kind in "iu" else np.float64)
    first, lengths = np.append(heads[leaves], roots), np.append(weights[leaves], np.zeros(len(roots), weights.dtype))
    order = np.argsort(first, kind="stable")
    counts = np.append(np.bincount(tails[within], minlength=n), len(first))
    rooted = Graph(
        np.append(0, np.cumsum(counts)),
        np.append(heads[within], first[order]).astype(np.int32),
        np.append(weights[within], lengths[order]),
    )
    found = predecessors_from_distances(rooted, n, np.append(distances, distances.dtype.type(0)))[:n]
    own = np.where(nearest == np.arange(n), NO_VERTEX, nearest)
    return np.where(found == n, own, found).astype(np.int32)
