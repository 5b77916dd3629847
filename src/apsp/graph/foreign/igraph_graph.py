"""igraph -> Graph: the vertex attribute `name` becomes the labels, `x` and `y` the coordinates."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from apsp._types import WeightLike
from apsp.errors import shown
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import chosen_lengths, lengths_of
from apsp.graph.foreign.positions import coordinates_of
from apsp.graph.foreign.vertex_names import labels_of_names
from apsp.graph.missing import filled
from apsp.graph.model import Graph

__all__ = ["convert"]


def convert(graph: Any, weight: WeightLike, *, missing: float | None = None) -> Graph:
    """Build a graph of an `igraph.Graph`; the lengths are the edge attribute `weight` by default.

    `missing` is the length of edges on which it is None.
    """
    ends = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    known = graph.vs.attributes()
    labels = labels_of_names(graph.vs["name"], "del graph.vs['name']") if "name" in known else None
    coordinates = coordinates_of(graph.vs["x"], graph.vs["y"]) if {"x", "y"} <= {*known} else None

    def edge(place: int) -> str:
        tail, head = ends[place].tolist()
        return f"edge {shown(labels[tail] if labels else tail)} - {shown(labels[head] if labels else head)}"

    def values(name: str) -> npt.NDArray[Any]:
        return lengths_of(filled(graph.es[name], f"the attribute {shown(name)}", missing, edge), edge, f" has {name}=")

    lengths = chosen_lengths(weight, graph.es.attributes(), "igraph", values)
    return from_edges(
        ends[:, 0], ends[:, 1], lengths, n=graph.vcount(), directed=bool(graph.is_directed()), labels=labels,
        coordinates=coordinates,
    )  # fmt: skip
