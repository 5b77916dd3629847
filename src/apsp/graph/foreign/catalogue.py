"""Which module converts the objects of which class."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any, cast

from apsp._types import WeightLike
from apsp.graph.missing import no_missing
from apsp.graph.model import Graph

__all__ = ["LIBRARIES", "converter_of"]

LIBRARIES: dict[tuple[str, str], str] = {
    ("igraph", "Graph"): "igraph_graph",
    ("rustworkx", "PyGraph"): "rustworkx_graph",
    ("rustworkx", "PyDiGraph"): "rustworkx_graph",
    ("networkit", "Graph"): "networkit_graph",
    ("graph_tool", "Graph"): "graph_tool_graph",
    ("torch_geometric", "Data"): "pyg_data",
    ("dgl", "DGLGraph"): "dgl_graph",
    ("torch", "Tensor"): "torch_tensor",
    ("jax", "BCOO"): "jax_sparse",
    ("jax", "BCSR"): "jax_sparse",
    ("graphblas", "Matrix"): "graphblas_matrix",
}
"""The package and the name of a class (subclasses count), and the module here that converts its objects."""

MAY_LACK = ("igraph_graph", "rustworkx_graph")
"""The modules of libraries in which an edge may lack the attribute that others have."""


def converter_of(given: Any, missing: float | None = None) -> Callable[[Any, WeightLike], Graph] | None:
    """The function that converts an object of another library; None if its class is not listed.

    Parameters
    ----------
    given : object
    missing : number, optional
        The length of edges that lack the attribute.

    Raises
    ------
    RequestError
        If there is such a number, and edges of this library lack none.
    """
    for kind in type(given).__mro__:
        module = LIBRARIES.get((str(kind.__module__).partition(".")[0], kind.__name__))
        if module is not None:
            found = importlib.import_module(f"apsp.graph.foreign.{module}")
            if module in MAY_LACK:
                return partial(found.convert, missing=missing)
            no_missing(missing, f"edges of a {type(given).__name__} of {kind.__module__.partition('.')[0]} lack none")
            return cast("Callable[[Any, WeightLike], Graph]", found.convert)
    return None
