"""Conversion of the objects that public functions accept as graphs."""

from __future__ import annotations

import sys
from typing import Any, cast

import numpy as np

from apsp._types import USUAL, GraphLike, WeightLike
from apsp.errors import GraphError, RequestError
from apsp.graph.aligned import check_no_distances, is_matrix_frame
from apsp.graph.convert import from_edges, from_scipy
from apsp.graph.dense import from_dense
from apsp.graph.foreign.catalogue import converter_of
from apsp.graph.foreign.edge_weights import entry_weights
from apsp.graph.missing import length_of_missing, no_missing
from apsp.graph.model import Graph
from apsp.graph.networkx_graph import from_networkx
from apsp.graph.periods import Periods
from apsp.graph.python_graph import from_python, is_python_graph
from apsp.graph.tables.catalogue import is_frame
from apsp.graph.turns.turn_graph import TurnGraph, refuse_turns
from apsp.system.lack_of_memory import memory_errors

__all__ = ["as_graph", "graph_with_turns"]


@memory_errors
def as_graph(graph: GraphLike, *, weight: WeightLike = USUAL, missing: float | None = None) -> Graph:
    """Convert a graph of another library, with its labels and coordinates.

    Every function that takes a graph does this; call it to choose the lengths of the edges, or to convert a graph once
    for several calls.

    Parameters
    ----------
    graph : GraphLike
        A graph of NetworkX (also of OSMnx), igraph, rustworkx, NetworKit, graph-tool, PyTorch Geometric or DGL; a
        sparse array of SciPy, PyTorch, JAX or python-graphblas, or an (n, n) array, whose entries are lengths; a table
        of arcs, as in `from_edges`; a DataFrame or DataArray of lengths whose rows and columns have the same labels, as
        in `from_dense`; or a `Graph`, which is returned as it is. Of plain Python: a list of edges (u, v) or
        (u, v, length), a dictionary of dictionaries {u: {v: length}} (also {u: {v: {"weight": length}}}), of lists of
        neighbours {u: [v]}, which are all keys of it, or nested lists of n rows of n lengths; each edge is an arc from
        u to v. 2 x 2 or 3 x 3 numbers may be edges or lengths, and are an error: `from_edges` and `from_dense` say
        which.
    weight : str, callable, (m,) numbers or None
        The name of an edge attribute or of a column, or one number per edge in the order of the library's own list of
        edges. By default the attribute `weight` (of OSMnx `length`, of PyG `edge_weight`), if it exists, and hops
        otherwise. None counts hops. A function gets what `from_networkx` describes, or the data of a rustworkx edge.
    missing : number, optional
        The length of edges that lack an attribute which others have (NetworkX, igraph, rustworkx); without it they are
        an error.

    Returns
    -------
    Graph
        The graph. Labels are nodes of NetworkX, names (the vertex attribute `name`) of igraph and graph-tool, node
        indices of rustworkx and NetworKit, and positions otherwise. Of parallel edges the shortest counts.

    Raises
    ------
    GraphError
        If it is not a graph, or a length is not a number, or some edges lack it; the message names the edge.
    RequestError
        If no edge has such an attribute (the message lists those that exist), or `missing` does not apply.

    Examples
    --------
    >>> import apsp, networkx
    >>> roads = networkx.Graph()
    >>> roads.add_edge("Rome", "Florence", km=273, hours=2.8)
    >>> apsp.solve(apsp.as_graph(roads, weight="hours")).distance("Rome", "Florence")
    2.8
    """
    given: Any = graph  # checked by the packages themselves
    refuse_turns(given, "this function")
    if isinstance(given, Periods):
        raise RequestError("periods are several graphs, and this function takes one: that of a period, periods[name]")
    if isinstance(given, Graph):
        no_missing(missing, "those of an apsp.Graph have their lengths")
        return given if entry_weights(weight, "an apsp.Graph") else given.unweighted()
    missing = length_of_missing(missing)
    networkx = sys.modules.get("networkx")
    if networkx is not None and isinstance(given, networkx.Graph):
        return from_networkx(given, weight, missing=missing)  # type: ignore[arg-type]  # it checks the weight
    convert = None if isinstance(given, np.ndarray) else converter_of(given, missing)
    if convert is not None:
        return convert(given, weight)
    no_missing(missing, f"a {type(given).__name__} has no attributes")
    sparse = sys.modules.get("scipy.sparse")
    if sparse is not None and sparse.issparse(given):
        found = from_scipy(given)
        return found if entry_weights(weight, "a sparse array") else found.unweighted()
    if isinstance(given, np.ndarray) or hasattr(given, "__dlpack__"):
        found = from_dense(given)
        return found if entry_weights(weight, "a matrix") else found.unweighted()
    if is_matrix_frame(given):
        found = from_dense(given)
        return found if entry_weights(weight, "a matrix") else found.unweighted()
    check_no_distances(given)
    if is_frame(given):
        return from_edges(given, weight=cast("Any", weight))  # it checks the weight
    if is_python_graph(given):
        return from_python(given, weight)
    raise GraphError(
        f"a {type(given).__name__} is not a graph: give an apsp.Graph, a square array of lengths, a sparse array of "
        "SciPy, PyTorch, JAX or GraphBLAS, a graph of NetworkX, igraph, rustworkx, NetworKit, graph-tool, PyG or "
        f"DGL, or a table of edges{_hint(given)}"
    )


def graph_with_turns(graph: GraphLike | TurnGraph, *, weight: WeightLike = USUAL) -> Graph:
    """As `as_graph`, for functions that honour turns: of a graph with turns the expanded one, with its labels.

    Raises
    ------
    As `as_graph`.
    """
    found = graph._searched if isinstance(graph, TurnGraph) else graph
    if not isinstance(found, Graph) or found._turned is None:
        return as_graph(found, weight=weight)
    if not entry_weights(weight, "a graph with turns"):
        raise RequestError("weight=None: a graph with turns has its lengths; apsp.with_turns(graph.unweighted(), ...)")
    return found


def _hint(given: Any) -> str:
    if hasattr(given, "__fspath__") or isinstance(given, str):
        return "; apsp.read(path) reads a file"
    return ""
