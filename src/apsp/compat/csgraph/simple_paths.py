"""`yen` of `scipy.sparse.csgraph`: the shortest simple paths of a pair."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from apsp.api.simple_paths import find_simple_paths
from apsp.compat.csgraph import peer
from apsp.compat.csgraph.errors import as_scipy
from apsp.compat.csgraph.graphs import Reading, array_of, graph_of
from apsp.compat.csgraph.rows import NO_PREDECESSOR
from apsp.errors import DtypeRangeError, GraphError, RequestError
from apsp.facts.potentials import potentials
from apsp.system.lack_of_memory import memory_errors

__all__ = ["yen"]


@memory_errors
def yen(
    csgraph: Any,
    source: int,
    sink: int,
    K: int,
    *,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Compute the lengths of the K shortest simple paths of a pair, as `scipy.sparse.csgraph.yen`.

    `apsp.shortest_simple_paths` returns the paths themselves, of many pairs at once.

    Parameters
    ----------
    csgraph : (n, n) SciPy sparse array or matrix, array, masked array or nested list
        Lengths of the arcs, as for `dijkstra`; negative ones are allowed.
    source, sink : int
        The ends of the paths.
    K : int
        Number of paths.
    directed : bool
        False: an arc may be used both ways, so that a negative one is a negative cycle.
    return_predecessors : bool
        Also return predecessors.
    unweighted : bool
        Count arcs instead of adding their lengths.

    Returns
    -------
    dist_array : (M,) float64
        The lengths, ascending; M is at most K.
    predecessors : (M, n) int32
        Only with return_predecessors: row i has, for every vertex of path i, the one before it; -9999 elsewhere.

    Raises
    ------
    NegativeCycleError
        If the graph has a negative cycle. It is an error of both packages and holds the cycle.
    ValueError
        If the graph is not square, K is negative, or source or sink is not a vertex.
    MemoryError
        If the result does not fit in memory.

    Notes
    -----
    Of equally long paths the order may differ from SciPy's. SciPy, from its version 1.14 on, answers calls whose graph
    this package does not read, and those with negative float lengths.

    Examples
    --------
    >>> from apsp import csgraph
    >>> graph = [[0, 1, 2, 0], [0, 0, 0, 1], [2, 0, 0, 3], [0, 0, 0, 0]]
    >>> lengths, predecessors = csgraph.yen(graph, 0, 3, 2, directed=False, return_predecessors=True)
    >>> lengths.tolist(), predecessors.tolist()
    ([2.0, 5.0], [[-9999, 0, -9999, 1], [-9999, -9999, 0, 2]])
    """
    csgraph = array_of(csgraph)
    k = operator.index(K)
    read = graph_of(csgraph, Reading(bool(directed), bool(unweighted), as_matrix=False, integers=True))
    if read is None:
        return _of_scipy(csgraph, source, sink, k, directed, return_predecessors, unweighted)
    graph, n = read.graph, read.graph.n
    if not (0 <= source < n and 0 <= sink < n):
        raise ValueError(f"source and sink must be vertices, 0 to {n - 1}, not {source} and {sink}")
    if k < 0:
        raise ValueError(f"K must be at least 0, not {k}")
    start, end = (np.array([vertex], dtype=np.int32) for vertex in (source, sink))
    try:
        with as_scipy():
            if read.has_negative and not unweighted:
                potentials(graph)  # a negative cycle is an error, also out of reach of the source
            found = find_simple_paths(graph, start, end, min(k, 2**62))
    except (DtypeRangeError, GraphError, RequestError):
        return _of_scipy(csgraph, source, sink, k, directed, return_predecessors, unweighted)
    lengths = found.lengths.astype(np.float64)
    if not return_predecessors:
        return lengths
    predecessors = np.full((len(lengths), n), NO_PREDECESSOR, dtype=np.int32)
    for row, (first, last) in zip(predecessors, zip(found.offsets, found.offsets[1:], strict=False), strict=True):
        path = found.vertices[first:last]
        row[path[1:]] = path[:-1]
    return lengths, predecessors


def _of_scipy(
    csgraph: Any, source: Any, sink: Any, k: int, directed: Any, return_predecessors: Any, unweighted: Any
) -> Any:
    if peer.yen is None:
        raise ValueError("csgraph is not a graph that this package reads: it must be square, with finite lengths")
    return peer.yen(
        csgraph, source, sink, k, directed=directed, return_predecessors=return_predecessors, unweighted=unweighted
    )
