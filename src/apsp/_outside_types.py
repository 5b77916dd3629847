"""Graphs and tables of other packages in public signatures: protocols, so that no package is imported for its types."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias

__all__ = ["OutsideGraph", "OutsideTable"]


class IgraphGraph(Protocol):
    """`igraph.Graph`."""

    @property
    def vs(self) -> Any:
        """The vertices."""
        ...

    @property
    def es(self) -> Any:
        """The edges."""
        ...

    def get_edgelist(self) -> Any:
        """Give the ends of all edges."""
        ...


class RustworkxGraph(Protocol):
    """`rustworkx.PyGraph` or `rustworkx.PyDiGraph`."""

    def node_indices(self) -> Any:
        """Give the indices of the nodes."""
        ...

    def weighted_edge_list(self) -> Any:
        """Give the ends and the data of all edges."""
        ...


class NetworkitGraph(Protocol):
    """`networkit.Graph`."""

    def iterNodes(self) -> Any:  # noqa: N802 - its name
        """Give the nodes."""
        ...

    def iterEdgesWeights(self) -> Any:  # noqa: N802 - its name
        """Give the ends and the weights of all edges."""
        ...


class GraphToolGraph(Protocol):
    """`graph_tool.Graph` or `graph_tool.GraphView`."""

    @property
    def edge_properties(self) -> Any:
        """The internal properties of edges."""
        ...

    def get_edges(self, *args: Any, **kwargs: Any) -> Any:
        """Give the ends of all edges."""
        ...


class PygData(Protocol):
    """`torch_geometric.data.Data`."""

    @property
    def edge_index(self) -> Any:
        """The ends of all arcs, (2, m)."""
        ...

    @property
    def num_nodes(self) -> Any:
        """Number of vertices."""
        ...


class DglGraph(Protocol):
    """`dgl.DGLGraph`."""

    @property
    def edata(self) -> Any:
        """The features of arcs."""
        ...

    def edges(self, *args: Any, **kwargs: Any) -> Any:
        """Give the ends of all arcs."""
        ...


class JaxSparse(Protocol):
    """`jax.experimental.sparse.BCOO` or `BCSR`."""

    @property
    def data(self) -> Any:
        """The entries."""
        ...

    @property
    def indices(self) -> Any:
        """Where they are."""
        ...


class GraphblasMatrix(Protocol):
    """`graphblas.Matrix`."""

    @property
    def nrows(self) -> Any:
        """Number of rows."""
        ...

    def to_coo(self, *args: Any, **kwargs: Any) -> Any:
        """Give the entries as coordinates."""
        ...


class ArrowStream(Protocol):
    """A table of pandas, polars, PyArrow, DuckDB or another library, which exports it as Arrow."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Export the rows."""
        ...


class Interchange(Protocol):
    """A data frame with the interchange protocol."""

    def __dataframe__(self, *args: Any, **kwargs: Any) -> Any:
        """Export the columns."""
        ...


OutsideTable: TypeAlias = ArrowStream | Interchange
"""A table of a library that `apsp.graph.tables` reads."""

OutsideGraph: TypeAlias = (
    IgraphGraph | RustworkxGraph | NetworkitGraph | GraphToolGraph | PygData | DglGraph | JaxSparse | GraphblasMatrix
)
"""A graph of a library that `apsp.graph.foreign` converts."""
