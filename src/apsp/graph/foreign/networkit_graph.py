"""NetworKit -> Graph: node numbers are the labels; they are not consecutive if nodes were removed."""

from __future__ import annotations

from typing import Any

import numpy as np

from apsp._types import USUAL, WeightLike
from apsp.errors import RequestError, shown
from apsp.graph.convert import from_edges
from apsp.graph.foreign.edge_weights import edge_values, is_array
from apsp.graph.labels import labels_of
from apsp.graph.model import Graph

__all__ = ["convert"]

_EDGE = np.dtype([("tail", np.int64), ("head", np.int64), ("weight", np.float64)])


def convert(graph: Any, weight: WeightLike) -> Graph:
    """Build a graph of a `networkit.Graph`: its weights are the lengths, float64; without weights it counts hops."""
    edges = np.fromiter(graph.iterEdgesWeights(), _EDGE)
    labels = labels_of(np.fromiter(graph.iterNodes(), np.int64, graph.numberOfNodes()))
    lengths = None
    if is_array(weight):
        lengths = edge_values(weight)
    elif weight is USUAL:
        lengths = edges["weight"] if graph.isWeighted() else None
    elif weight is not None:
        raise RequestError(
            f"weight={shown(weight)}: edges of NetworKit have one weight; give one number per edge, in the order of "
            "iterEdges, or None to count hops"
        )
    return from_edges(
        labels.positions(edges["tail"]), labels.positions(edges["head"]), lengths, n=len(labels),
        directed=bool(graph.isDirected()), labels=labels,
    )  # fmt: skip
