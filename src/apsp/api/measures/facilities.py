"""The nearest facilities of every vertex: one search from all of them."""

from __future__ import annotations

from typing import Literal

import numpy as np

from apsp._types import DTypeLike, GraphLike, VerticesLike
from apsp.api.arguments import positions_of
from apsp.api.measures.docstrings import described
from apsp.api.measures.facility_cells import Found, nearest_by_cells
from apsp.api.measures.facility_trees import steps_to_facilities
from apsp.api.streaming import stream
from apsp.errors import GraphError, MemoryLimitError, RequestError
from apsp.facts.request import Request
from apsp.graph.accept import as_graph
from apsp.graph.model import Graph
from apsp.measures.facilities import NearestFacilities, merged
from apsp.methods.problem import IntArray
from apsp.semiring import NO_VERTEX, unreachable
from apsp.system.arguments import flag, one_of, whole_number
from apsp.system.lack_of_memory import memory_errors
from apsp.system.machine import Machine, usable

__all__ = ["nearest"]


@memory_errors
@described
def nearest(
    graph: GraphLike,
    facilities: VerticesLike,
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
    facilities : vertex or sequence of vertices
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
    dtype : {'auto', 'uint16', 'int32', 'int64', 'float32', 'float64'}
        Dtype of the distances, as for `apsp.solve`.

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
    graph = as_graph(graph)
    k = whole_number(k, "k", least=1, most=2**31 - 2)
    one_of(direction, "direction", ("to", "from"))
    if flag(paths, "paths"):
        _check_paths(graph, k, cutoff)
    given = positions_of(graph, facilities, "facilities")
    if given is None:
        raise GraphError("facilities must be one vertex or a sequence of vertices, not None")
    seeds = np.unique(given).astype(np.int32)
    kept = min(k, max(len(seeds), 1))
    needed = graph.n * k * 12
    machine = Machine.detect()
    if needed > usable(machine):
        what = f"{k:,} nearest facilities of each of {graph.n:,}"
        raise MemoryLimitError(what, needed, machine.memory_available, [f"k={kept}"] if kept < k else [])
    searched = graph if direction == "from" or not graph.directed else graph.reversed()
    request = Request(cutoff=cutoff, dtype=dtype, device="cpu")  # type: ignore[arg-type]
    steps = None
    if graph.has_negative_arc:
        positions, distances = _by_rows(searched, seeds, kept, request)
        if paths:
            steps = steps_to_facilities(searched, seeds, positions[:, 0], distances[:, 0])
    else:
        steps = np.empty(graph.n, dtype=np.int32) if paths else None
        positions, distances = nearest_by_cells(graph, searched, seeds, kept, request, steps)
    if kept < k:
        more = ((0, 0), (0, k - kept))
        positions = np.pad(positions, more, constant_values=NO_VERTEX)
        distances = np.pad(distances, more, constant_values=unreachable(distances.dtype))
    return NearestFacilities(positions, distances, graph.labels, steps, direction == "from")


def _check_paths(graph: Graph, k: int, cutoff: float | None) -> None:
    if k > 1:
        raise RequestError(f"paths lead to the nearest facility of each vertex: leave out paths, or k={k}")
    if cutoff is not None and graph.has_negative_arc:
        raise RequestError(
            "a path with negative arcs may pass through vertices beyond the cutoff: leave out paths, or cutoff"
        )


def _by_rows(graph: Graph, seeds: IntArray, k: int, request: Request) -> Found:
    best: Found | None = None
    sources = graph.labels.take(seeds)
    for block in stream(graph, sources=sources, cutoff=request.cutoff, dtype=request.dtype, device="cpu", reuse=True):
        best = merged(best, block, k)
    if best is None:
        best = np.full((graph.n, k), NO_VERTEX, np.int32), np.full((graph.n, k), unreachable(np.int64))
    return best
