"""Graphs as `scipy.sparse.csgraph` reads them, converted to `Graph`.

A sparse array has an arc per stored entry, a stored zero included. Of entries that are stored twice the smaller counts
in CSR and CSC arrays of float64; those of COO arrays, and of other dtypes, are added: SciPy's conversions to CSR and to
float64 do that. In a dense array zero (for floats up to 1e-8),
infinity and not-a-number mean that there is no arc; in a masked array, masked entries do.
"""

from __future__ import annotations

import contextlib
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from apsp.errors import GraphError, shown
from apsp.graph.arrays import number_array
from apsp.graph.convert import from_rows
from apsp.graph.model import Graph
from apsp.graph.python_numbers import is_number

__all__ = ["Read", "Reading", "array_of", "entries_of", "graph_of", "has_negative", "without_endless"]

_EXACT = float(2**53)
"""Integers below it are exact in float64."""

_NEARLY_ZERO = 1e-8
"""Entries of arrays of floats up to it count as zero: `csgraph_masked_from_dense` compares them with `isclose`."""


class Reading(NamedTuple):
    """How a graph is read.

    Attributes
    ----------
    directed : bool
        False: an arc may be used both ways.
    unweighted : bool
        Every arc has length 1.
    as_matrix : bool
        As Floyd-Warshall reads a matrix: without loops.
    integers : bool
        Weights that are integers, also those stored as floats, become integers.
    """

    directed: bool
    unweighted: bool
    as_matrix: bool
    integers: bool


class Read(NamedTuple):
    """A graph, and whether some stored weight is negative, also where the graph is read without weights."""

    graph: Graph
    has_negative: bool


def array_of(csgraph: Any) -> Any:
    """The graph as it was passed; lists, tables and masked arrays without a mask as an array, and objects that are
    numbers as numbers of NumPy.

    Raises
    ------
    GraphError
        If an object is not a number.
    """
    is_sparse: bool = sp.issparse(csgraph)  # as a type annotation it would hide the attributes of sparse arrays
    if isinstance(csgraph, (list, tuple)) or (hasattr(csgraph, "__array__") and not isinstance(csgraph, np.ndarray)):
        with contextlib.suppress(Exception):  # arrays of other packages may raise any; SciPy reads some of them
            csgraph = np.asarray(csgraph)
    if isinstance(csgraph, np.ma.MaskedArray) and csgraph.mask is np.ma.nomask:
        csgraph = csgraph.data
    if not (is_sparse or isinstance(csgraph, np.ndarray)) or csgraph.dtype.kind != "O":
        return csgraph
    if is_sparse:
        rows = csgraph.tocoo()
        return sp.coo_array((_numbers(rows.data), rows.coords), shape=csgraph.shape).asformat(csgraph.format)
    if isinstance(csgraph, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(csgraph)
        numbers = np.zeros(mask.shape)
        numbers[~mask] = _numbers(np.ma.getdata(csgraph)[~mask])
        return np.ma.masked_array(numbers, mask=mask)
    return _numbers(np.asarray(csgraph))


def _numbers(objects: npt.NDArray[Any]) -> npt.NDArray[Any]:
    array = number_array(objects, "csgraph")
    if array.dtype.kind != "O":
        return array
    wrong = next(value for value in objects.ravel().tolist() if not is_number(value))
    raise GraphError(f"csgraph must hold numbers, not {shown(wrong)}")


def has_negative(csgraph: Any) -> bool:
    """Whether some arc is negative: an entry of an array that is minus infinity is none."""
    lengths = entries_of(csgraph)
    if lengths.dtype.kind not in "if" or not lengths.size:
        return False
    least = np.fmin.reduce(lengths, axis=None)
    is_stored: bool = sp.issparse(csgraph) or isinstance(csgraph, np.ma.MaskedArray)
    if least == -np.inf and not is_stored:
        least = np.fmin.reduce(lengths, axis=None, where=lengths > -np.inf, initial=np.inf)
    return bool(least < 0)


def without_endless(csgraph: Any) -> Any:
    """The graph without the stored entries that are infinity or not-a-number: they are on no shortest path."""
    is_sparse: bool = sp.issparse(csgraph)  # as a type annotation it would hide the attributes of sparse arrays
    if not is_sparse:
        kept = np.asarray(csgraph) < np.inf
        return np.ma.masked_array(np.asarray(csgraph), mask=np.ma.getmaskarray(csgraph) | ~kept)
    rows = csgraph.tocoo()
    kept = rows.data < np.inf
    return sp.coo_array((rows.data[kept], tuple(each[kept] for each in rows.coords)), shape=rows.shape).tocsr()


def entries_of(csgraph: Any) -> Any:
    """The stored entries of a sparse array, those of a masked array that are not masked, or an array itself."""
    is_sparse: bool = sp.issparse(csgraph)  # as a type annotation it would hide the attributes of sparse arrays
    if is_sparse:
        return csgraph.data if csgraph.format in ("csr", "csc", "coo") else csgraph.tocoo().data
    return csgraph.compressed() if isinstance(csgraph, np.ma.MaskedArray) else np.asarray(csgraph)


def graph_of(csgraph: Any, reading: Reading) -> Read | None:
    """The graph; None if only SciPy reads it: other types, infinite weights, arrays that are not square, ...

    Parameters
    ----------
    csgraph : (n, n) SciPy sparse array or matrix, array or masked array
    """
    rows = _sparse_rows(csgraph, reading) if sp.issparse(csgraph) else _dense_rows(csgraph)
    if rows is None:
        return None
    indptr, indices, data = rows
    weights = np.ones(len(data), dtype=np.int32) if reading.unweighted else _weights(data, integers=reading.integers)
    if weights is None:
        return None
    if reading.unweighted and reading.as_matrix and not np.isfinite(data).all():
        return None
    graph = from_rows(indptr, indices, weights, reading.directed)
    if graph is None:
        return None
    if reading.unweighted:
        hops = Graph._made(graph.indptr, graph.indices, None, directed=reading.directed)
        return Read(hops, bool((data < 0).any()))
    if graph.has_negative_arc and reading.as_matrix:
        graph = _without_loops(graph)
    return Read(graph, graph.has_negative_arc)


def _sparse_rows(csgraph: Any, reading: Reading) -> tuple[Any, Any, Any] | None:
    if csgraph.ndim != 2 or csgraph.shape[0] != csgraph.shape[1] or csgraph.dtype.kind not in "biuf":
        return None
    rows = csgraph.tocsr()
    if rows.dtype != np.float64 and not reading.as_matrix and not rows.has_canonical_format:
        rows = rows.astype(np.float64)  # adds entries that are stored twice, in SciPy too
    return rows.indptr, rows.indices, rows.data


def _dense_rows(csgraph: Any) -> tuple[Any, Any, Any] | None:
    if not isinstance(csgraph, np.ndarray) or csgraph.ndim != 2 or csgraph.dtype.kind not in "biuf":
        return None
    n, columns = csgraph.shape
    if n != columns:
        return None
    matrix = np.asarray(csgraph)  # the data alone of a masked array, and of a matrix an array
    if isinstance(csgraph, np.ma.MaskedArray):
        present = ~np.ma.getmaskarray(csgraph)
    elif matrix.dtype.kind == "f":
        size = np.abs(matrix)
        present = (size > _NEARLY_ZERO) & (size < np.inf)
    else:
        present = matrix != 0
    indptr = np.zeros(n + 1, dtype=np.int64)
    np.cumsum(np.count_nonzero(present, axis=1), out=indptr[1:])
    places = np.flatnonzero(present)
    tails = np.repeat(np.arange(n, dtype=np.int64), np.diff(indptr))
    return indptr, places - tails * n, matrix[present]


def _weights(data: npt.NDArray[Any], *, integers: bool) -> npt.NDArray[Any] | None:
    """The weights in a dtype of a graph: float64, as SciPy computes, or if possible integers."""
    if not integers or not data.size:
        return data.astype(np.float64, copy=False)
    if data.dtype.kind == "f":
        size = float(np.abs(data).max())  # not a number if one of them is not
        if not size < _EXACT or (np.rint(data) != data).any():
            return data.astype(np.float64, copy=False)
        return data.astype(np.int32 if size < 2**31 else np.int64)
    if data.dtype.kind == "u" and data.dtype.itemsize == 8 and data.max() > np.iinfo(np.int64).max:
        return data.astype(np.float64)
    narrow = data.dtype.itemsize < 4 or (data.dtype.kind == "i" and data.dtype.itemsize == 4)
    return data.astype(np.int32 if narrow else np.int64, copy=False)


def _without_loops(graph: Graph) -> Graph:
    """The graph without arcs from a vertex to itself: Floyd-Warshall starts with zeros on the diagonal."""
    tails = graph.tails()
    kept = tails != graph.indices
    indptr = np.zeros(graph.n + 1, dtype=np.int64)
    np.cumsum(np.bincount(tails[kept], minlength=graph.n), out=indptr[1:])
    assert graph.weights is not None
    return Graph(indptr, graph.indices[kept], graph.weights[kept], directed=graph.directed)
