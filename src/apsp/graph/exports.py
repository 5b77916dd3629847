"""A graph for other packages: arrays of edges, dense matrices, SciPy and NetworkX. Errors are those of the methods."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, NxGraph, Series, csr_array
from apsp.errors import GraphError, MissingDependencyError
from apsp.graph.aligned import per_vertex
from apsp.graph.checks import array_of
from apsp.graph.links import Rows, rows_of
from apsp.graph.long_table import pandas_index
from apsp.semiring import unreachable
from apsp.system.arguments import text
from apsp.system.optional import needed

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["dense_of", "edges_of", "networkx_of", "scipy_of", "series_of"]


def edges_of(graph: Graph) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], NumPyArray | None]:
    """Arrays of tails, heads and weights of the arcs: `Graph.to_edges`."""
    tails, heads, weights = graph.tails(), graph.indices, graph.weights
    if graph.directed:
        return tails, heads, weights
    once = tails <= heads
    return tails[once], heads[once], None if weights is None else weights[once]


def dense_of(graph: Graph, dtype: npt.DTypeLike) -> NumPyArray:
    """The (n, n) matrix of arc lengths: `Graph.to_dense`."""
    none = unreachable(dtype)
    dtype = np.dtype(dtype)
    if graph.weights is not None and dtype.kind in "iu" and graph.m:
        smallest, largest = graph.weights.min(), graph.weights.max()
        fractional = graph.weights.dtype.kind == "f" and bool((graph.weights != np.trunc(graph.weights)).any())
        if fractional or smallest < np.iinfo(dtype).min or largest >= none:
            raise GraphError(f"weights between {smallest} and {largest} ({graph.weights.dtype}) do not fit {dtype}")
    matrix = np.full((graph.n, graph.n), none, dtype=dtype)
    tails = graph.tails()
    weights = graph.arc_weights(dtype)
    matrix[tails, graph.indices] = weights
    np.fill_diagonal(matrix, 0)
    loops = np.flatnonzero((tails == graph.indices) & (weights < 0))
    matrix[tails[loops], tails[loops]] = weights[loops]
    return matrix


def scipy_of(graph: Graph) -> csr_array:
    """The arcs as a SciPy CSR array of lengths: `Graph.to_scipy`."""
    import scipy.sparse as sp

    index = np.int32 if graph.m < 2**31 else np.int64
    data = np.ones(graph.m, dtype=np.int32) if graph.weights is None else graph.weights.copy()
    arrays = (data, graph.indices.astype(index), graph.indptr.astype(index))
    return sp.csr_array(arrays, shape=(graph.n, graph.n))


def series_of(graph: Graph, values: npt.ArrayLike, name: str | None) -> Series:
    """Numbers per vertex as a pandas Series whose index are the labels: `Graph.to_series`."""
    name = None if name is None else text(name, "name")
    pandas = needed("pandas", "Graph.to_series")
    array = array_of(per_vertex(values, graph.labels, "values"), "values")
    if array.shape != (graph.n,):
        raise GraphError(f"values must be {graph.n} numbers, one per vertex, not of shape {array.shape}")
    return pandas.Series(array, index=pandas_index(pandas, np.asarray(graph.labels)), name=name)


def networkx_of(graph: Graph) -> NxGraph:
    """A NetworkX graph: `Graph.to_networkx`."""
    try:
        import networkx as nx
    except ImportError as error:
        raise MissingDependencyError("networkx", "a NetworkX graph", "networkx") from error
    rows = rows_of(graph)
    if graph.directed:
        rows = rows.as_arcs(directed=True)
    parallel = graph.links is not None and graph.links.are_parallel
    kinds = (nx.MultiDiGraph, nx.MultiGraph) if parallel else (nx.DiGraph, nx.Graph)
    result = kinds[not graph.directed]()
    nodes = list(graph.labels)
    result.add_nodes_from(nodes)
    if "weight" in rows.costs:
        raise GraphError("a cost has the name 'weight', which is the edge attribute of the lengths")
    columns = {name: values.tolist() for name, values in rows.costs.items()}
    if rows.weights is not None:
        columns["weight"] = rows.weights.tolist()
    ends = ((nodes[u], nodes[v]) for u, v in zip(rows.tails.tolist(), rows.heads.tolist(), strict=True))
    if columns or rows.bends is not None:
        every = zip(*columns.values(), strict=True) if columns else itertools.repeat((), len(rows))
        attributes = [dict(zip(columns, row, strict=True)) for row in every]
        for link, line in _bent_lines(rows, graph.coordinates):
            attributes[link].setdefault("geometry", line)
        result.add_edges_from((u, v, values) for (u, v), values in zip(ends, attributes, strict=True))
    else:
        result.add_edges_from(ends)
    if graph.coordinates is not None:
        nx.set_node_attributes(result, dict(zip(nodes, map(tuple, graph.coordinates.tolist()), strict=True)), "pos")
    return result


def _bent_lines(rows: Rows, coordinates: Any) -> Iterator[tuple[int, Any]]:
    """Links with bends between vertices with coordinates, and their lines, as those of OSMnx."""
    if rows.bends is None:
        return
    try:
        import shapely
    except ImportError:
        return
    known = np.isfinite(coordinates).all(axis=1)
    some = (np.diff(rows.bends.indptr) > 0) & known[rows.tails] & known[rows.heads]
    for link in np.flatnonzero(some).tolist():
        ends = coordinates[[rows.tails[link], rows.heads[link]]]
        yield link, shapely.LineString(np.concatenate([ends[:1], rows.bends[link], ends[1:]]))
