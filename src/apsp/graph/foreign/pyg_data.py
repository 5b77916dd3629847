"""PyTorch Geometric -> Graph: the arcs of `edge_index`; `pos` becomes the coordinates."""

from __future__ import annotations

from typing import Any

from apsp._types import WeightLike
from apsp.errors import GraphError
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import chosen_lengths, edge_values, host_array
from apsp.graph.foreign.positions import plane_coordinates
from apsp.graph.model import Graph

__all__ = ["convert"]

_NOT_OF_EDGES = {"batch", "edge_index", "face", "num_nodes", "pos", "ptr", "x", "y"}


def convert(graph: Any, weight: WeightLike) -> Graph:
    """Build a graph of a `torch_geometric.data.Data`: directed, since `edge_index` has both arcs of an edge.

    The lengths are `edge_weight` (or `weight`) by default. `edge_attr` holds features in most data: it is used only if
    `weight` names it.
    """
    if graph.edge_index is None:
        raise GraphError("the Data has no edge_index: apsp.from_edges takes arcs, apsp.from_scipy sparse matrices")
    ends = host_array(graph.edge_index)
    if ends.ndim != 2 or len(ends) != 2:
        raise GraphError(f"edge_index must have shape (2, m), not {ends.shape}")
    tails, heads = ends
    names = [name for name in graph.to_dict() if name not in _NOT_OF_EDGES]
    lengths = chosen_lengths(
        weight, names, "PyG", lambda name: edge_values(graph[name]), usual=("edge_weight", "weight")
    )
    return from_edges(tails, heads, lengths, n=graph.num_nodes, coordinates=plane_coordinates(graph.pos))
