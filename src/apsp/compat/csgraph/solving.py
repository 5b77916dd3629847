"""Calls of `scipy.sparse.csgraph`, answered by this package with SciPy's conventions where it has them."""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from apsp.compat.csgraph.crossover import Algorithm
from apsp.compat.csgraph.errors import as_scipy
from apsp.compat.csgraph.graphs import Read, Reading, graph_of
from apsp.compat.csgraph.rows import Rows, rows_of
from apsp.errors import DtypeRangeError, GraphError
from apsp.facts.potentials import potentials

__all__ = ["Call", "answer", "is_valid"]

_IN_INTEGERS = 1 << 20
"""A search for integers pays from so many distances on."""


class Call(NamedTuple):
    """One call.

    Attributes
    ----------
    csgraph : object
        The graph as it was passed.
    directed, unweighted : bool
    indices : array_like or None
        Sources; None means all vertices.
    limit : float
        Longest distance.
    paths : bool
        Predecessors are requested.
    algorithm : str
        The function whose conventions it follows.
    """

    csgraph: Any
    directed: Any
    indices: Any
    paths: Any
    unweighted: Any
    algorithm: Algorithm
    limit: float = np.inf


def answer(call: Call, *, integers_from: int = _IN_INTEGERS) -> Any:
    """What SciPy's function returns: distances, or distances and predecessors; None if only SciPy answers the call.

    SciPy answers calls that are errors, and those for which this package does not have its conventions: infinite
    weights and not-a-number among the stored entries, `johnson` and `dijkstra` with unweighted=True where weights are
    negative, types of other packages.

    Parameters
    ----------
    call : Call
    integers_from : int
        Least number of distances for which integers among the weights are looked for.

    Raises
    ------
    NegativeCycleError
        Of both packages.
    MemoryLimitError
        If the result does not fit in memory.
    """
    if not is_valid(call):
        return None
    n = call.csgraph.shape[0]
    sources, shape = _sources(call.indices, n)
    integers = n * (n if sources is None else len(sources)) >= integers_from
    try:
        rows = _rows(call, sources, integers=integers)
    except DtypeRangeError:
        rows = None
        if integers:
            with contextlib.suppress(DtypeRangeError):  # sums may overflow float64, too
                rows = _rows(call, sources, integers=False)
    except GraphError:
        rows = None
    if rows is None:
        return None
    distances = rows.distances.reshape(shape)
    return distances if rows.predecessors is None else (distances, rows.predecessors.reshape(shape))


def is_valid(call: Call) -> bool:
    """Whether this package reads the type of the graph, and SciPy's function raises no error for the arguments."""
    known: bool = sp.issparse(call.csgraph) or isinstance(call.csgraph, np.ndarray)
    if not known or call.csgraph.ndim != 2 or call.csgraph.shape[0] != call.csgraph.shape[1] or not call.limit >= 0:
        return False
    n = call.csgraph.shape[0]
    sources, _ = _sources(call.indices, n)
    return sources is None or not len(sources) or bool(sources.min() >= 0 and sources.max() < n)


def _sources(indices: Any, n: int) -> tuple[npt.NDArray[np.int32] | None, tuple[int, ...]]:
    """The sources as a vector, and the shape of the result."""
    if indices is None:
        return None, (n, n)
    sources = np.array(indices, dtype=np.int32, order="C")
    shape = (*sources.shape, n)
    sources = np.atleast_1d(sources).reshape(-1)
    sources[sources < 0] += n
    return sources, shape


def _rows(call: Call, sources: npt.NDArray[np.int32] | None, *, integers: bool) -> Rows | None:
    as_matrix = call.algorithm == "floyd-warshall"
    reading = Reading(bool(call.directed), bool(call.unweighted), as_matrix, integers)
    read = graph_of(call.csgraph, reading)
    if read is None or (read.has_negative and call.unweighted and call.algorithm in ("dijkstra", "johnson")):
        return None
    limit = None if np.isinf(call.limit) else call.limit
    with as_scipy():
        if read.has_negative and call.algorithm == "johnson" and sources is not None:
            potentials(read.graph)  # a negative cycle is an error there, also out of reach of the sources
        in_floats = not integers or not read.graph.has_integer_weights
        return rows_of(
            read.graph, sources, limit=limit, paths=bool(call.paths), method=_method(read, limit), in_floats=in_floats
        )


def _method(read: Read, limit: float | None) -> str:
    """The planner's choice; with a limit the search that adds lengths in the same order as SciPy."""
    exact = read.graph.has_integer_weights or read.has_negative
    return "auto" if limit is None or exact else "dijkstra"
