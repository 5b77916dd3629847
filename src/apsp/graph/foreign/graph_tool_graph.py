"""graph-tool -> Graph: the vertex property `name` becomes the labels, `pos` the coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp._types import WeightLike
from apsp.errors import GraphError
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import attribute_of, edge_values, is_array
from apsp.graph.foreign.positions import coordinates_of
from apsp.graph.foreign.vertex_names import labels_of_names
from apsp.graph.labels import labels_of
from apsp.graph.model import Graph

__all__ = ["convert"]


def convert(graph: Any, weight: WeightLike) -> Graph:
    """Build a graph of a `graph_tool.Graph` or `GraphView`: what its filters hide is left out.

    `weight` is the name of an internal edge property, a property map, or one number per edge in the order of
    `get_edges`; by default the property `weight`, and hops without it.
    """
    vertices = labels_of(graph.get_vertices().astype(np.int64))
    edges = graph.get_edges([graph.edge_index]).astype(np.int64)
    chosen: Any = weight
    if not is_array(weight) and not hasattr(weight, "get_array"):
        name = attribute_of(weight, list(graph.edge_properties), "graph-tool")
        chosen = None if name is None else graph.edge_properties[name]
    if hasattr(chosen, "get_array"):
        values = chosen.get_array()  # by the number of the edge, in its own dtype
        if values is None:
            raise GraphError(f"an edge property of type {chosen.value_type()} holds no numbers")
        chosen = np.asarray(values)[edges[:, 2]]
    elif chosen is not None:
        chosen = edge_values(chosen)
    known = graph.vertex_properties
    names = vertices
    if "name" in known:
        names = labels_of_names([known["name"][v] for v in vertices], "del graph.vp['name']")
    places = [known["pos"][v] for v in vertices] if "pos" in known else []
    coordinates = None
    if places and all(len(place) == 2 for place in places):
        coordinates = coordinates_of([place[0] for place in places], [place[1] for place in places])
    return from_edges(
        vertices.positions(edges[:, 0]), vertices.positions(edges[:, 1]), chosen, n=len(vertices),
        directed=bool(graph.is_directed()), labels=names, coordinates=coordinates,
    )  # fmt: skip
