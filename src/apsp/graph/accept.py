"""What the front door takes as a graph."""

from __future__ import annotations

import sys

import numpy as np

from apsp._types import GraphLike
from apsp.errors import GraphError
from apsp.graph.convert import from_dense, from_scipy
from apsp.graph.model import Graph
from apsp.graph.networkx_graph import from_networkx

__all__ = ["as_graph"]


def as_graph(graph: GraphLike) -> Graph:
    """`graph` itself, or a Graph made of a SciPy sparse array, a NetworkX graph or an (n, n) array of lengths.

    Raises
    ------
    GraphError
        If it is none of them, or not a valid one.
    """
    if isinstance(graph, Graph):
        return graph
    sparse = sys.modules.get("scipy.sparse")
    if sparse is not None and sparse.issparse(graph):
        return from_scipy(graph)
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(graph, networkx.Graph):
        return from_networkx(graph)
    if isinstance(graph, np.ndarray) or hasattr(graph, "__dlpack__"):
        return from_dense(graph)
    hint = "; apsp.read(path) reads a file" if hasattr(graph, "__fspath__") or isinstance(graph, str) else ""
    raise GraphError(
        f"a {type(graph).__name__} is not a graph: give an apsp.Graph, a SciPy sparse array, a NetworkX graph "
        f"or a square array of lengths{hint}"
    )
