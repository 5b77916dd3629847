"""`floyd_warshall` and `shortest_path` of `scipy.sparse.csgraph`."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import csgraph_from_masked

from apsp.compat.csgraph import peer
from apsp.compat.csgraph.graphs import array_of, entries_of
from apsp.compat.csgraph.handing_on import handed_on
from apsp.compat.csgraph.searches import bellman_ford, dijkstra, johnson

__all__ = ["floyd_warshall", "shortest_path"]


def floyd_warshall(
    csgraph: Any,
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
) -> Any:
    """Compute all shortest distances, as `scipy.sparse.csgraph.floyd_warshall`.

    Parameters
    ----------
    csgraph : (n, n) SciPy sparse array or matrix, array, masked array or nested list
        Lengths of the arcs, as for `dijkstra`; negative ones are allowed. The diagonal is ignored.
    directed : bool
        False: an arc may be used both ways, so that a negative one is a negative cycle.
    return_predecessors : bool
        Also return predecessors.
    unweighted : bool
        Count arcs instead of adding their lengths.
    overwrite : bool
        Write the distances into `csgraph`, if that is a float64 array in C order.

    Returns
    -------
    dist_matrix : (n, n) float64
        The distances; infinite where there is no path.
    predecessors : (n, n) int32
        Only with return_predecessors; -9999 where there is none.

    Raises
    ------
    NegativeCycleError
        If the graph has a negative cycle. It is an error of both packages and holds the cycle.
    ValueError
        If the graph is not square.
    MemoryError
        If the result does not fit in memory.

    Notes
    -----
    The name stands for these conventions: for a sparse graph the planner chooses another method. Arrays in Fortran
    order, of which SciPy 1.17 returns the lengths of the arcs, and sparse arrays of all formats are solved as well.

    Examples
    --------
    >>> from apsp import csgraph
    >>> csgraph.floyd_warshall([[0, 1, 5], [0, 0, 2], [0, 0, 0]]).tolist()
    [[0.0, 1.0, 3.0], [inf, 0.0, 2.0], [inf, inf, 0.0]]
    """
    given, csgraph = csgraph, _as_scipy_reads(array_of(csgraph))
    found = handed_on("floyd-warshall", csgraph, directed, None, return_predecessors, unweighted)
    return _overwritten(given, found) if overwrite else found


def shortest_path(
    csgraph: Any,
    method: str = "auto",
    directed: bool = True,
    return_predecessors: bool = False,
    unweighted: bool = False,
    overwrite: bool = False,
    indices: Any = None,
) -> Any:
    """Compute shortest distances, as `scipy.sparse.csgraph.shortest_path`.

    Parameters
    ----------
    csgraph : (n, n) SciPy sparse array or matrix, array or masked array
        Lengths of the arcs, as for `dijkstra`; negative ones are allowed.
    method : {'auto', 'FW', 'D', 'BF', 'J'}
        Whose conventions apply: those of `floyd_warshall`, `dijkstra`, `bellman_ford` or `johnson`. 'auto' is 'J' if
        weights are negative, and otherwise 'D'; but 'FW' for all pairs if a quarter of them have an arc.
    directed : bool
        False: an arc may be used both ways, so that a negative one is a negative cycle.
    return_predecessors : bool
        Also return predecessors.
    unweighted : bool
        Count arcs instead of adding their lengths.
    overwrite : bool
        Write the distances into `csgraph`, if the conventions are those of 'FW' and it is a float64 array in C order.
    indices : int or array_like of int, optional
        Sources, negative ones counted from the end; all vertices by default, and always with 'FW'.

    Returns
    -------
    dist_matrix : (..., n) float64
        The shape of `indices` and one axis for the targets; (n, n) for all sources. Infinite where there is no path.
    predecessors : (..., n) int32
        Only with return_predecessors; -9999 where there is none.

    Raises
    ------
    NegativeCycleError
        As the function whose conventions apply. It is an error of both packages and holds the cycle.
    ValueError
        If the graph is not square, the method is unknown, or an index is not a vertex.
    MemoryError
        If the result does not fit in memory.

    Examples
    --------
    >>> from apsp import csgraph
    >>> import numpy as np
    >>> csgraph.shortest_path(np.array([[0, 1, 5], [0, 0, 2], [0, 0, 0]]), indices=[0, 1]).tolist()
    [[0.0, 1.0, 3.0], [inf, 0.0, 2.0]]
    """
    csgraph = array_of(csgraph)
    if method == "auto" and (sp.issparse(csgraph) or isinstance(csgraph, np.ndarray)):
        method = _method(csgraph, indices)
    if method == "FW" and indices is None:
        return floyd_warshall(csgraph, directed, return_predecessors, unweighted, overwrite)
    if method == "D":
        return dijkstra(csgraph, directed, indices, return_predecessors, unweighted)
    if method == "BF":
        return bellman_ford(csgraph, directed, indices, return_predecessors, unweighted)
    if method == "J":
        return johnson(csgraph, directed, indices, return_predecessors, unweighted)
    return peer.shortest_path(csgraph, method, directed, return_predecessors, unweighted, overwrite, indices)


def _method(csgraph: Any, indices: Any) -> str:
    """The conventions that SciPy's 'auto' stands for; 'auto' itself where SciPy raises an error."""
    if csgraph.ndim != 2:
        return "auto"
    lengths = entries_of(csgraph)
    if lengths.dtype.kind not in "biuf":
        return "auto"
    is_sparse: bool = sp.issparse(csgraph)  # as a type annotation it would hide the attributes of sparse arrays
    if is_sparse or isinstance(csgraph, np.ma.MaskedArray):
        arcs = lengths.size
    else:
        arcs = np.count_nonzero(lengths)
        if lengths.dtype.kind == "f":
            arcs -= np.count_nonzero(~np.isfinite(lengths))
    if indices is None and arcs >= csgraph.shape[0] ** 2 / 4:
        return "FW"
    return "J" if ((lengths < 0) & (lengths > -np.inf)).any() else "D"


def _as_scipy_reads(csgraph: Any) -> Any:
    """An array in C order, a sparse array in a format that SciPy's Floyd-Warshall takes, masked arrays as sparse ones.

    SciPy's Floyd-Warshall takes zeros that are not masked for missing arcs, its other functions for arcs of length 0.
    """
    is_sparse: bool = sp.issparse(csgraph)  # as a type annotation it would hide the attributes of sparse arrays
    if is_sparse:
        return csgraph if csgraph.format in ("csr", "csc", "lil") else csgraph.tocsr()
    is_array = isinstance(csgraph, np.ndarray) and csgraph.ndim == 2
    if is_array and isinstance(csgraph, np.ma.MaskedArray) and csgraph.shape[0] == csgraph.shape[1]:
        masked: Any = np.ma.masked_array(csgraph.data, mask=np.ma.getmaskarray(csgraph), dtype=np.float64)
        return csgraph_from_masked(masked)
    return csgraph.copy(order="C") if is_array and not csgraph.flags.c_contiguous else csgraph


def _overwritten(given: Any, found: Any) -> Any:
    """The answer, with the distances in the array of the graph, if that has their type and order."""
    distances = found[0] if isinstance(found, tuple) else found
    if not isinstance(given, np.ndarray) or given.dtype != np.float64:
        return found
    target = np.asarray(given)
    if not (target.flags.c_contiguous and target.flags.writeable):
        return found
    target[...] = distances
    return (target, found[1]) if isinstance(found, tuple) else target
