"""Conversion of the objects that public functions accept as graphs."""

from __future__ import annotations

import sys
from typing import Any

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
        If it is none of these, or is invalid.
    """
    if isinstance(graph, Graph):
        return graph
    given: Any = graph  # checked by the packages themselves
    sparse = sys.modules.get("scipy.sparse")
    if sparse is not None and sparse.issparse(given):
        return from_scipy(given)
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(given, networkx.Graph):
        return from_networkx(given)
    if isinstance(given, np.ndarray) or hasattr(given, "__dlpack__"):
        return from_dense(given)
    hint = "; apsp.read(path) reads a file" if hasattr(given, "__fspath__") or isinstance(given, str) else ""
    raise GraphError(
        f"a {type(given).__name__} is not a graph: give an apsp.Graph, a SciPy sparse array, a NetworkX graph "
        f"or a square array of lengths{hint}"
    )
