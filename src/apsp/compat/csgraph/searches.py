"""`dijkstra`, `johnson` and `bellman_ford` of `scipy.sparse.csgraph`: rows from chosen sources."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from apsp.compat.csgraph import peer
from apsp.compat.csgraph.crossover import scipy_is_faster
from apsp.compat.csgraph.graphs import array_of, has_negative
from apsp.compat.csgraph.handing_on import handed_on, signed_answer
from apsp.compat.csgraph.rows import NO_PREDECESSOR
from apsp.compat.csgraph.solving import Call, answer

__all__ = ["bellman_ford", "dijkstra", "johnson"]

_NEGATIVE = "the graph has negative weights: other packages' dijkstra gives inaccurate distances; use johnson"


def dijkstra(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
    limit: float = np.inf,
    min_only: bool = False,
) -> Any:
    """Compute shortest distances from all or some vertices, as `scipy.sparse.csgraph.dijkstra`.

    Parameters
    ----------
    csgraph : (n, n) SciPy sparse array or matrix, array, masked array or nested list
        Non-negative lengths of the arcs. A stored zero is an arc of length 0; in an array zero (for floats up to
        1e-8), infinity and not-a-number mean that there is no arc, in a masked array the mask.
    directed : bool
        False: an arc may be used both ways, and the shorter of two opposite ones counts.
    indices : int or array_like of int, optional
        Sources, negative ones counted from the end; all vertices by default.
    return_predecessors : bool
        Also return predecessors.
    unweighted : bool
        Count arcs instead of adding their lengths.
    limit : float
        Longest distance of interest, itself included; beyond it distances are infinite.
    min_only : bool
        Distances from the nearest of the sources, instead of a row per source.

    Returns
    -------
    dist_matrix : (..., n) float64
        The shape of `indices` and one axis for the targets; (n, n) for all sources, (n,) with min_only. Infinite where
        there is no path.
    predecessors : (..., n) int32
        Only with return_predecessors: the vertex before each on a shortest path from the source; -9999 where there is
        none. With negative weights and a limit, vertices beyond it have one, too: paths may pass them.
    sources : (n,) int32
        Only with return_predecessors and min_only: the nearest source; -9999 where none reaches the vertex.

    Raises
    ------
    NegativeCycleError
        If a source reaches a negative cycle, such as an undirected edge of negative length, whatever the limit. SciPy's
        function does not end then. It is an error of both packages and holds the cycle.
    ValueError
        If the graph is not square, an index is not a vertex, the limit is negative, or a sparse array with negative
        arcs stores minus infinity.
    MemoryError
        If the result does not fit in memory.

    Warns
    -----
    UserWarning
        If a weight is negative, as in SciPy, whose distances may be wrong then; these are right, as those of `johnson`.

    Notes
    -----
    Small work, and work that SciPy does in a search from one source, is handed on to SciPy, whose function is as fast
    then, unless a weight is negative. Where several paths are shortest the predecessors may be those of another one.

    Examples
    --------
    >>> from apsp import csgraph
    >>> graph = [[0, 1, 2, 0], [0, 0, 0, 1], [0, 0, 0, 3], [0, 0, 0, 0]]
    >>> distances, predecessors = csgraph.dijkstra(graph, directed=False, indices=0, return_predecessors=True)
    >>> distances.tolist(), predecessors.tolist()
    ([0.0, 1.0, 2.0, 2.0], [-9999, 0, 0, 1])
    """
    csgraph = array_of(csgraph)
    call = Call(csgraph, directed, indices, return_predecessors, unweighted, "dijkstra", limit)
    found = None
    if not unweighted and has_negative(csgraph):
        found = signed_answer(call._replace(limit=np.inf if min_only and limit >= 0 else limit))
        if found is not None:
            warnings.warn(_NEGATIVE, UserWarning, stacklevel=2)
            return _nearest(call, found) if min_only else found
    elif not min_only and not scipy_is_faster(csgraph, directed, indices, "dijkstra"):
        found = answer(call)
    if found is not None:
        return found
    return peer.dijkstra(csgraph, directed, indices, return_predecessors, unweighted, limit, min_only)


def _nearest(call: Call, found: Any) -> Any:
    """The distances from the nearest of the sources, of the rows of all of them; what SciPy returns with `min_only`."""
    n = call.csgraph.shape[0]
    rows = np.arange(n) if call.indices is None else np.atleast_1d(call.indices).reshape(-1) % max(n, 1)
    distances, predecessors = (each.reshape(-1, n) for each in (found if call.paths else (found, found)))
    nearest = np.argmin(distances, axis=0)  # of several nearest sources the first: so it is along the whole path
    columns = np.arange(n)
    least = distances[nearest, columns]
    least[least > call.limit] = np.inf
    if not call.paths:
        return least
    sources = np.where(np.isfinite(least), rows[nearest], NO_PREDECESSOR).astype(np.int32)
    return least, predecessors[nearest, columns], sources


def johnson(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Compute shortest distances where weights may be negative, as `scipy.sparse.csgraph.johnson`.

    Parameters
    ----------
    csgraph : (n, n) SciPy sparse array or matrix, array, masked array or nested list
        Lengths of the arcs, as for `dijkstra`.
    directed : bool
        False: an arc may be used both ways, so that a negative one is a negative cycle.
    indices : int or array_like of int, optional
        Sources, negative ones counted from the end; all vertices by default.
    return_predecessors : bool
        Also return predecessors.
    unweighted : bool
        Count arcs instead of adding their lengths.

    Returns
    -------
    dist_matrix : (..., n) float64
        The shape of `indices` and one axis for the targets; (n, n) for all sources. Infinite where there is no path.
    predecessors : (..., n) int32
        Only with return_predecessors; -9999 where there is none.

    Raises
    ------
    NegativeCycleError
        If the graph has a negative cycle, also where no source reaches it. It is an error of both packages and holds
        the cycle.
    ValueError
        If the graph is not square, or an index is not a vertex.
    MemoryError
        If the result does not fit in memory.

    Examples
    --------
    >>> from apsp import csgraph
    >>> csgraph.johnson([[0, 4, 1], [0, 0, 0], [0, -2, 0]]).tolist()
    [[0.0, -1.0, 1.0], [inf, 0.0, inf], [inf, -2.0, 0.0]]
    """
    return handed_on("johnson", array_of(csgraph), directed, indices, return_predecessors, unweighted)


def bellman_ford(
    csgraph: Any,
    directed: bool = True,
    indices: Any = None,
    return_predecessors: bool = False,
    unweighted: bool = False,
) -> Any:
    """Compute shortest distances where weights may be negative, as `scipy.sparse.csgraph.bellman_ford`.

    Parameters
    ----------
    csgraph : (n, n) SciPy sparse array or matrix, array, masked array or nested list
        Lengths of the arcs, as for `dijkstra`.
    directed : bool
        False: an arc may be used both ways, so that a negative one is a negative cycle.
    indices : int or array_like of int, optional
        Sources, negative ones counted from the end; all vertices by default.
    return_predecessors : bool
        Also return predecessors.
    unweighted : bool
        Count arcs instead of adding their lengths.

    Returns
    -------
    dist_matrix : (..., n) float64
        The shape of `indices` and one axis for the targets; (n, n) for all sources. Infinite where there is no path.
    predecessors : (..., n) int32
        Only with return_predecessors; -9999 where there is none.

    Raises
    ------
    NegativeCycleError
        If a source reaches a negative cycle. It is an error of both packages and holds the cycle.
    ValueError
        If the graph is not square, or an index is not a vertex.
    MemoryError
        If the result does not fit in memory.

    Notes
    -----
    The name stands for these conventions: the planner chooses the method, which is seldom that of Bellman and Ford.

    Examples
    --------
    >>> from apsp import csgraph
    >>> csgraph.bellman_ford([[0, 4, 1], [0, 0, 0], [0, -2, 0]], indices=0).tolist()
    [0.0, -1.0, 1.0]
    """
    return handed_on("bellman-ford", array_of(csgraph), directed, indices, return_predecessors, unweighted)
