"""Flows of an origin-destination matrix along shortest paths."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any, Literal, Unpack

import numpy as np
import numpy.typing as npt

from apsp._types import GraphLike, JsonObject, VerticesLike
from apsp.api.flow_job import FlowJob
from apsp.errors import GraphError, RequestError
from apsp.facts.keywords import FlowKeywords
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.graph.aligned import check_counted, check_no_labels, is_reversed, labels_of_axes, matrix_in_order
from apsp.graph.labels import Labels, labels_of
from apsp.graph.links import kept_links
from apsp.graph.model import Graph
from apsp.methods.flows.flows import Demand
from apsp.methods.problem import IntArray
from apsp.running.arguments import positions_of
from apsp.running.public import public
from apsp.running.run import run_job
from apsp.system.arguments import one_of
from apsp.system.array_device import to_host

__all__ = ["ArcFlows", "arc_flows"]

FloatArray = npt.NDArray[np.float64]


@dataclass(frozen=True, repr=False, eq=False)
class ArcFlows:
    """Flows along the arcs of a graph: `apsp.arc_flows` makes it.

    Parameters
    ----------
    graph : Graph
        The graph.
    arcs : (m,) float64
        Flow along each arc, from graph.tails()[k] to graph.indices[k]; an undirected edge has one per direction.
    vertices : (n,) float64
        Flow that passes each vertex, without what begins or ends there.
    served : (S,) float64
        Demand of each source that reaches its target.
    unserved : (S,) float64
        Demand of each source to targets without a path.
    info : dict, optional
        How they were computed: method, device, threads, seconds; with a store also rows_computed, the sources that
        this call computed.
    """

    graph: Graph
    arcs: FloatArray
    vertices: FloatArray
    served: FloatArray
    unserved: FloatArray
    info: JsonObject = field(default_factory=dict)

    @property
    def links(self) -> FloatArray:
        """(L,) float64: the flow along each link, in the order of `graph.links`; that of an edge in both directions.

        Of parallel links the one that is an arc has all of it (`Graph.links` says which), the others 0.

        Raises
        ------
        RequestError
            If the graph keeps no links.
        """
        return kept_links(self.graph).sums(self.arcs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArcFlows):
            return NotImplemented
        names = ("arcs", "vertices", "served", "unserved")
        same = all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)
        return same and self.graph == other.graph

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        lost = "" if not self.unserved.any() else f", {self.unserved.sum():g} unserved"
        return f"ArcFlows(n={self.graph.n}, m={self.graph.m}, {self.served.sum():g} served{lost})"


_MANY = 1 << 16
"""Entries of an array from which on it pays to look at it as a whole."""

_CACHED = 1 << 17
"""Entries that stay in a core's cache."""


@public
def arc_flows(
    graph: GraphLike,
    demand: npt.ArrayLike,
    *,
    sources: VerticesLike | None = None,
    targets: VerticesLike | None = None,
    ties: Literal["split", "first"] = "split",
    **keywords: Unpack[FlowKeywords],
) -> ArcFlows:
    """Load an origin-destination matrix on shortest paths (all-or-nothing assignment).

    Parameters
    ----------
    {graph}
    demand : (S, T) array, SciPy sparse array, DataFrame or DataArray
        Entry [i, j] is what goes from source i to target j; finite and at least 0. That from a vertex to itself uses no
        arc. The labels of a DataFrame of pandas or a DataArray of xarray are vertices, in any order.
    sources, targets : vertex or sequence of vertices, optional
        Vertices of the rows and of the columns. By default those that label a DataFrame or DataArray, or all vertices
        in the order of `graph.labels`.
    ties : {'split', 'first'}
        Divide the demand of a pair equally among all its shortest paths, or let it follow one of them, on which every
        vertex comes from the predecessor with the smallest position, on the CPU.
    {flow_options}

    Returns
    -------
    ArcFlows
        Flows of arcs and vertices. They do not depend on the number of threads. `info` says how they were computed.

    Raises
    ------
    GraphError, DtypeRangeError, DeviceError
        If the input is invalid, a path may be longer than int64 can hold, or the device does not exist.
    RequestError
        If a GPU is named that cannot be used for the request; if the demand does not fit the vertices or is not finite;
        if float weights are negative; with ties='split', if a source reaches a cycle of length zero other than there
        and back along a tree (as connectors of zones are), or a number of paths is beyond float64.
    NegativeCycleError
        If a source reaches a cycle of negative length; the error holds the cycle.
    {failures}

    See Also
    --------
    edge_betweenness_centrality : Flows of a demand of 1 between all vertices.

    Notes
    -----
    Sheffi, "Urban Transportation Networks", 1985, section 5.2; the flows of all targets of a source are added up in one
    pass (Brandes, "A faster algorithm for betweenness centrality", 2001). Which paths are equally short:
    `betweenness_centrality`. No path passes a zone. Of parallel links the best one has all flow, also if others are as
    good (`ArcFlows.links`).

    Examples
    --------
    >>> import apsp
    >>> graph = apsp.from_edges([0, 0, 1, 2], [1, 2, 3, 3], [1, 1, 2, 2], labels=["a", "b", "c", "d"])
    >>> flows = apsp.arc_flows(graph, [[10]], sources="a", targets="d")
    >>> flows.arcs
    array([5., 5., 5., 5.])
    >>> apsp.arc_flows(graph, [[10, 2]], sources=["a"], targets=["d", "b"], ties="first").arcs
    array([12.,  0., 10.,  0.])

    With parallel links:

    >>> graph = apsp.from_edges([0, 0, 1], [1, 1, 2], [10, 12, 5], links=True)
    >>> apsp.arc_flows(graph, [[8]], sources=0, targets=2).links
    array([8., 0., 8.])
    """
    graph = as_graph(graph)
    split = one_of(ties, "ties", ("split", "first")) == "split"
    demand, rows, columns = _by_labels(
        graph, demand, positions_of(graph, sources, "sources"), positions_of(graph, targets, "targets")
    )
    starts = np.arange(graph.n, dtype=np.int32) if rows is None else rows
    ends = np.arange(graph.n, dtype=np.int32) if columns is None else columns
    rows_of_demand, totals = _rows(demand, starts, ends, graph.n)
    started, more = time.perf_counter(), {}
    options = Request.of(**keywords)
    if options.executor is not None or options.store is not None:
        rows_of_demand = rows_of_demand.in_order()
    job = FlowJob(
        graph, rows_of_demand, options, {"name": "arc_flows", "ties": ties},
        targets=None if columns is None else np.unique(columns).astype(np.int32), split=split,
    )  # fmt: skip
    sums = job.empty()
    done = run_job(job, sums)
    found = sums.flows()
    if done.store is not None:
        more["rows_computed"] = done.store.computed
    assert found.along is not None
    unserved = np.maximum(totals - found.served, 0)
    unserved[unserved <= totals * (4 * np.finfo(float).eps * max(graph.n, 1))] = 0  # rounding
    seconds = time.perf_counter() - started
    info = {"method": found.method, "device": found.device, "threads": done.threads, "seconds": seconds}
    return ArcFlows(graph, found.along, found.through, found.served, unserved, info | more)


def _by_labels(
    graph: Graph, demand: Any, rows: IntArray | None, columns: IntArray | None
) -> tuple[Any, IntArray | None, IntArray | None]:
    """A demand without labels, and the positions of its rows and columns: of its own labels, or those that are given.

    Raises RequestError if it has labels of other vertices than those given, or one occurs twice.
    """
    axes = labels_of_axes(demand)
    if len(axes) != 2:
        if axes:
            check_no_labels(demand, "demand")
        return demand, rows, columns
    array = demand.to_numpy()
    if is_reversed(demand):
        axes, array = axes[::-1], array.T
    sides: list[IntArray | None] = [rows, columns]
    orders: list[Labels | None] = [None, None]
    for place, (axis, given, word) in enumerate(zip(axes, (rows, columns), ("sources", "targets"), strict=True)):
        what = f"demand ({'rows' if place == 0 else 'columns'})"
        if axis is not None:
            labels = axis if given is None else graph.labels.take(given)
            orders[place] = found = _labels(graph, labels, what if given is None else word)
            sides[place] = graph.labels.positions(list(found))
        elif given is None:
            check_counted(graph.labels, what)
    return matrix_in_order(array, axes, orders, "demand"), sides[0], sides[1]


def _labels(graph: Graph, labels: Any, what: str) -> Labels:
    """Different labels of vertices."""
    try:
        found = labels_of(labels)
        graph.labels.positions(list(found))
    except GraphError as error:
        raise RequestError(f"{what}: {error}") from None
    return found


def _rows(demand: Any, starts: IntArray, ends: IntArray, n: int) -> tuple[Demand, FloatArray]:
    """The demand by rows, without zeros, that of a vertex to itself, and repeated targets; and the sum of each row."""
    shape = (len(starts), len(ends))
    if hasattr(demand, "tocoo"):
        entries = demand.tocoo()
        given, row, column, values = tuple(entries.shape), entries.row, entries.col, np.asarray(entries.data)
    else:
        array = _array(demand)
        whole = _whole_rows(array, starts, ends)
        if whole is not None:
            return whole
        given, (row, column) = array.shape, np.nonzero(array) if array.ndim == 2 else ((), ())
        values = array[row, column] if array.ndim == 2 else array
    if given != shape:
        raise RequestError(
            f"demand has shape {given}, but there are {shape[0]} sources and {shape[1]} targets; name the vertices of"
            " its rows and columns by sources= and targets="
        )
    if values.dtype.kind not in "biuf":
        raise RequestError(f"demand must be an array of numbers, not of {values.dtype}")
    values = values.astype(np.float64)
    wrong = np.flatnonzero(~((values >= 0) & (values < np.inf)))
    if len(wrong):
        place = (int(row[wrong[0]]), int(column[wrong[0]]))
        raise RequestError(f"demand{list(place)} is {values[wrong[0]]}; demand must be finite and not negative")
    heads = ends[column].astype(np.int64)
    served = (values > 0) & (starts[row] != heads)
    totals = np.bincount(row[served], values[served], minlength=len(starts)).astype(np.float64)
    if not hasattr(demand, "tocoo") and len(np.unique(ends)) == len(ends):  # in order, and no target occurs twice
        start = np.concatenate([[0], np.cumsum(np.bincount(row[served], minlength=len(starts)))]).astype(np.int64)
        return Demand(starts, None, start, heads[served].astype(np.int32), values[served]), totals
    keys, group = np.unique(row[served].astype(np.int64) * n + heads[served], return_inverse=True)
    sums = np.bincount(group, values[served], minlength=len(keys))
    start = np.searchsorted(keys, np.arange(len(starts) + 1, dtype=np.int64) * n).astype(np.int64)
    rows = Demand(starts, None, start, (keys % max(n, 1)).astype(np.int32), sums.astype(np.float64))
    return rows, totals


def _whole_rows(array: npt.NDArray[Any], starts: IntArray, ends: IntArray) -> tuple[Demand, FloatArray] | None:
    """The same from an array of floats most of which are not 0, read about once; None for others and for errors.

    Zeros, and the demand of a vertex to itself, remain: they have no flow.
    """
    if array.dtype != np.float64 or array.shape != (len(starts), len(ends)) or array.size <= _MANY:
        return None
    some = array[:: max(len(array) // 16, 1)]
    if 2 * np.count_nonzero(some) < some.size:
        return None
    totals = np.empty(len(array))
    each = max(_CACHED // array.shape[1], 1)
    for begin in range(0, len(array), each):
        part = array[begin : begin + each]
        if not (part.min() >= 0 and part.max() < np.inf):
            return None
        part.sum(axis=1, out=totals[begin : begin + each])
    by_vertex = np.argsort(ends, kind="stable")
    ordered = ends[by_vertex]
    if len(ordered) > 1 and (np.diff(ordered) == 0).any():
        return None
    at = np.minimum(np.searchsorted(ordered, starts), len(ends) - 1)
    own = np.flatnonzero(ordered[at] == starts)
    if len(own):  # without what is subtracted again, so that no rounding remains
        rest = array[own]
        rest[np.arange(len(own)), by_vertex[at[own]]] = 0
        totals[own] = rest.sum(axis=1)
    start = np.arange(len(starts) + 1, dtype=np.int64) * len(ends)
    values = np.ascontiguousarray(array).ravel()
    return Demand(starts, None, start, None, values, common=ends.astype(np.int32)), totals


def _array(demand: Any) -> npt.NDArray[Any]:
    try:
        return np.asarray(to_host(demand))
    except (TypeError, ValueError, RuntimeError, BufferError) as error:
        raise RequestError(f"demand must be an array of numbers: {error}") from None
