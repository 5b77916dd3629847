"""DGL -> Graph: the arcs of a homogeneous graph, with the edge feature `weight` or `w`."""

from __future__ import annotations

from typing import Any

from apsp._types import WeightLike
from apsp.errors import GraphError
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import attribute_of, edge_values, host_array, is_array
from apsp.graph.model import Graph

__all__ = ["convert"]


def convert(graph: Any, weight: WeightLike) -> Graph:
    """Build a graph of a `dgl.DGLGraph`: directed, since DGL has both arcs of an edge."""
    if not graph.is_homogeneous:
        raise GraphError("the DGL graph has several types of nodes or edges: dgl.to_homogeneous(graph) merges them")
    tails, heads = (host_array(ends) for ends in graph.edges(order="eid"))
    lengths: Any = None
    if is_array(weight):
        lengths = edge_values(weight)
    else:
        name = attribute_of(weight, list(graph.edata), "DGL", usual=("weight", "w"))
        lengths = None if name is None else edge_values(graph.edata[name])
    places = host_array(graph.ndata["pos"]) if "pos" in graph.ndata else None
    coordinates = places if places is not None and places.ndim == 2 and places.shape[1] == 2 else None
    return from_edges(tails, heads, lengths, n=graph.num_nodes(), coordinates=coordinates)
