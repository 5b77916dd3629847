"""A graph for other packages: arrays of edges, dense matrices, SciPy and NetworkX."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from apsp._types import NumPyArray, NxGraph, Series, csr_array
from apsp.errors import GraphError, MissingDependencyError
from apsp.graph.aligned import per_vertex
from apsp.graph.checks import array_of
from apsp.graph.container import Container
from apsp.graph.links import rows_of
from apsp.graph.long_table import pandas_index
from apsp.semiring import unreachable
from apsp.system.arguments import text
from apsp.system.lack_of_memory import memory_errors
from apsp.system.optional import needed

if TYPE_CHECKING:
    from apsp.graph.model import Graph

__all__ = ["Exports"]


class Exports(Container):
    """The conversions of `apsp.graph.model.Graph` to other packages."""

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
        tails, heads, weights = self.tails(), self.indices, self.weights
        if self.directed:
            return tails, heads, weights
        once = tails <= heads
        return tails[once], heads[once], None if weights is None else weights[once]

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
        none = unreachable(dtype)
        dtype = np.dtype(dtype)
        if self.weights is not None and dtype.kind in "iu" and self.m:
            smallest, largest = self.weights.min(), self.weights.max()
            fractional = self.weights.dtype.kind == "f" and bool((self.weights != np.trunc(self.weights)).any())
            if fractional or smallest < np.iinfo(dtype).min or largest >= none:
                raise GraphError(f"weights between {smallest} and {largest} ({self.weights.dtype}) do not fit {dtype}")
        matrix = np.full((self.n, self.n), none, dtype=dtype)
        tails = self.tails()
        weights = self.arc_weights(dtype)
        matrix[tails, self.indices] = weights
        np.fill_diagonal(matrix, 0)
        loops = np.flatnonzero((tails == self.indices) & (weights < 0))
        matrix[tails[loops], tails[loops]] = weights[loops]
        return matrix

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
        import scipy.sparse as sp

        index = np.int32 if self.m < 2**31 else np.int64
        data = np.ones(self.m, dtype=np.int32) if self.weights is None else self.weights.copy()
        arrays = (data, self.indices.astype(index), self.indptr.astype(index))
        return sp.csr_array(arrays, shape=(self.n, self.n))

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
        name = None if name is None else text(name, "name")
        pandas = needed("pandas", "Graph.to_series")
        array = array_of(per_vertex(values, self.labels, "values"), "values")
        if array.shape != (self.n,):
            raise GraphError(f"values must be {self.n} numbers, one per vertex, not of shape {array.shape}")
        return pandas.Series(array, index=pandas_index(pandas, np.asarray(self.labels)), name=name)

    @memory_errors
    def to_networkx(self) -> NxGraph:
        """Return a NetworkX graph.

        Returns
        -------
        networkx.DiGraph or networkx.Graph
            Of a graph with parallel links a MultiDiGraph or MultiGraph, whose edges are the links in their order. Nodes
            are the labels of the vertices; lengths are in the edge attribute `weight`, other costs in edge attributes
            of their names, coordinates in the node attribute `pos`.

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
        try:
            import networkx as nx
        except ImportError as error:
            raise MissingDependencyError("networkx", "a NetworkX graph", "networkx") from error
        rows = rows_of(cast("Graph", self))
        if self.directed:
            rows = rows.as_arcs(directed=True)
        parallel = self.links is not None and self.links.are_parallel
        kinds = (nx.MultiDiGraph, nx.MultiGraph) if parallel else (nx.DiGraph, nx.Graph)
        result = kinds[not self.directed]()
        nodes = list(self.labels)
        result.add_nodes_from(nodes)
        if "weight" in rows.costs:
            raise GraphError("a cost has the name 'weight', which is the edge attribute of the lengths")
        columns = {name: values.tolist() for name, values in rows.costs.items()}
        if rows.weights is not None:
            columns["weight"] = rows.weights.tolist()
        ends = ((nodes[u], nodes[v]) for u, v in zip(rows.tails.tolist(), rows.heads.tolist(), strict=True))
        if columns:
            attributes = (dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True))
            result.add_edges_from((u, v, values) for (u, v), values in zip(ends, attributes, strict=True))
        else:
            result.add_edges_from(ends)
        if self.coordinates is not None:
            nx.set_node_attributes(result, dict(zip(nodes, map(tuple, self.coordinates.tolist()), strict=True)), "pos")
        return result
