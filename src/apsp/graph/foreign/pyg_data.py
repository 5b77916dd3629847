"""PyTorch Geometric -> Graph: the arcs of `edge_index`; `pos` becomes the coordinates."""

from __future__ import annotations

from typing import Any

from apsp._types import WeightLike
from apsp.errors import GraphError
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import attribute_of, edge_values, host_array, is_array
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
    tails, heads = host_array(graph.edge_index)
    lengths: Any = None
    if is_array(weight):
        lengths = edge_values(weight)
    else:
        names = [name for name in graph.to_dict() if name not in _NOT_OF_EDGES]
        name = attribute_of(weight, names, "PyG", usual=("edge_weight", "weight"))
        lengths = None if name is None else edge_values(graph[name])
    places = None if graph.pos is None else host_array(graph.pos)
    coordinates = places if places is not None and places.ndim == 2 and places.shape[1] == 2 else None
    return from_edges(tails, heads, lengths, n=graph.num_nodes, coordinates=coordinates)
