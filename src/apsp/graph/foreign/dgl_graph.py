"""DGL -> Graph: the arcs of a homogeneous graph, with the edge feature `weight` or `w`."""

from __future__ import annotations

from typing import Any

from apsp._types import WeightLike
from apsp.errors import GraphError
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import chosen_lengths, edge_values, host_array
from apsp.graph.foreign.positions import plane_coordinates
from apsp.graph.model import Graph

__all__ = ["convert"]


def convert(graph: Any, weight: WeightLike) -> Graph:
    """Build a graph of a `dgl.DGLGraph`: directed, since DGL has both arcs of an edge."""
    if not graph.is_homogeneous:
        raise GraphError("the DGL graph has several types of nodes or edges: dgl.to_homogeneous(graph) merges them")
    tails, heads = (host_array(ends) for ends in graph.edges(order="eid"))
    lengths = chosen_lengths(
        weight, list(graph.edata), "DGL", lambda name: edge_values(graph.edata[name]), usual=("weight", "w")
    )
    coordinates = plane_coordinates(graph.ndata.get("pos"))
    return from_edges(tails, heads, lengths, n=graph.num_nodes(), coordinates=coordinates)
